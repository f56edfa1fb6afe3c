//! Noticing that write-only props have changed without keeping them: private data hold a hash, made with a random salt
//! per object and slow on purpose, so that short secrets are not simply tried out.
//!
//! The Go provider keeps a plain SHA-256 under [`PLAIN_KEY`]. It is compared with once, and gone after the next update.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use denobridge_core::cty::Value;
use denobridge_framework::{PrivateData, PrivateDataError};
use rand::RngCore as _;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

use super::values;
use crate::files::hexadecimal;

const KEY: &str = "write_only_props_digest";
const PLAIN_KEY: &str = "write_only_props_hash";
/// About five milliseconds of work for us, and as much for each guess.
const ROUNDS: u32 = 10_000;

#[derive(Serialize, Deserialize)]
struct Salted {
    salt: String,
    rounds: u32,
    hash: String,
}

#[derive(Serialize, Deserialize)]
struct Plain {
    hash: String,
}

/// What became of the write-only props since they were last given to the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// They are the same.
    None,
    /// They are others.
    Some,
    /// They are not known yet.
    Unknown,
}

/// Compares with what was remembered.
pub(super) fn compare(private: &PrivateData, props: &Value) -> Result<Change, PrivateDataError> {
    if !props.is_wholly_known() {
        return Ok(Change::Unknown);
    }
    let same = if let Some(salted) = private.get::<Salted>(KEY)? {
        let Ok(salt) = STANDARD.decode(&salted.salt) else { return Ok(Change::Some) };
        // The bound keeps a forged state from making us compute for ever.
        !props.is_null() && hash(&salt, salted.rounds.min(ROUNDS * 100), props) == salted.hash
    } else if let Some(plain) = private.get::<Plain>(PLAIN_KEY)? {
        !props.is_null() && plain_hash(props) == plain.hash
    } else {
        props.is_null()
    };
    Ok(if same { Change::None } else { Change::Some })
}

/// Remembers what was given to the script.
pub(super) fn remember(private: &mut PrivateData, props: &Value) -> Result<(), PrivateDataError> {
    private.remove(PLAIN_KEY);
    if props.is_null() {
        private.remove(KEY);
        return Ok(());
    }
    let mut salt = [0; 16];
    rand::rng().fill_bytes(&mut salt);
    let salted = Salted { salt: STANDARD.encode(salt), rounds: ROUNDS, hash: hash(&salt, ROUNDS, props) };
    private.set(KEY, &salted)
}

/// Takes over what another resource has remembered of the same object.
pub(crate) fn carry_over(from: &PrivateData, into: &mut PrivateData) -> Result<(), PrivateDataError> {
    for key in [KEY, PLAIN_KEY] {
        if let Some(remembered) = from.get::<Json>(key)? {
            into.set(key, &remembered)?;
        }
    }
    Ok(())
}

/// Members are sorted and numbers exact in our JSON, so that equal props have equal text.
fn hash(salt: &[u8], rounds: u32, props: &Value) -> String {
    let text = values::to_json(props).to_string();
    STANDARD.encode(pbkdf2::pbkdf2_hmac_array::<Sha256, 32>(text.as_bytes(), salt, rounds))
}

fn plain_hash(props: &Value) -> String {
    let mut text = String::new();
    write_go(&values::to_json(props), &mut text);
    hexadecimal(&Sha256::digest(text))
}

/// JSON as Go's encoder writes it.
fn write_go(json: &Json, out: &mut String) {
    let list = |out: &mut String, first: &mut bool| {
        if !std::mem::take(first) {
            out.push(',');
        }
    };
    let mut first = true;
    match json {
        Json::Null => out.push_str("null"),
        Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Json::Number(number) => out.push_str(&go_number(number.as_f64().unwrap_or_default())),
        Json::String(text) => write_go_text(text, out),
        Json::Array(items) => {
            out.push('[');
            for item in items {
                list(out, &mut first);
                write_go(item, out);
            }
            out.push(']');
        }
        Json::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            out.push('{');
            for (name, item) in members {
                list(out, &mut first);
                write_go_text(name, out);
                out.push(':');
                write_go(item, out);
            }
            out.push('}');
        }
    }
}

fn write_go_text(text: &str, out: &mut String) {
    let quoted = Json::from(text).to_string();
    for character in quoted.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(character))),
            other => out.push(other),
        }
    }
}

fn go_number(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{number:e}");
        return if text.contains("e-") { text } else { text.replace('e', "e+") };
    }
    number.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use denobridge_core::cty::Type;
    use serde_json::json;

    fn secret(text: &str) -> Value {
        Value::object([("token", Value::string(text))])
    }

    #[test]
    fn a_change_is_noticed_and_nothing_of_the_secret_is_kept() {
        let mut private = PrivateData::default();
        let none = Value::null(Type::Dynamic);
        assert_eq!(compare(&private, &none), Ok(Change::None));
        assert_eq!(compare(&private, &secret("one")), Ok(Change::Some));
        remember(&mut private, &secret("one")).unwrap();
        assert_eq!(compare(&private, &secret("one")), Ok(Change::None));
        assert_eq!(compare(&private, &secret("two")), Ok(Change::Some));
        assert_eq!(compare(&private, &none), Ok(Change::Some));
        assert_eq!(compare(&private, &Value::object([("token", Value::unknown(Type::String))])), Ok(Change::Unknown));
        let mut other = PrivateData::default();
        remember(&mut other, &secret("one")).unwrap();
        assert_ne!(private.encode(), other.encode(), "the salt is random");
        remember(&mut private, &none).unwrap();
        assert_eq!(private.encode(), PrivateData::default().encode());
    }

    #[test]
    fn the_go_providers_hash_is_compared_with_once() {
        let mut private = PrivateData::default();
        let hash =
            Sha256::digest(br#"{"token":"s3cret-one"}"#).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        private.set(PLAIN_KEY, &json!({ "hash": hash })).unwrap();
        assert_eq!(compare(&private, &secret("s3cret-one")), Ok(Change::None));
        assert_eq!(compare(&private, &secret("s3cret-two")), Ok(Change::Some));
        remember(&mut private, &secret("s3cret-two")).unwrap();
        assert!(!private.contains(PLAIN_KEY));
    }

    #[test]
    fn json_as_go_writes_it() {
        let go = |json: Json| {
            let mut text = String::new();
            write_go(&json, &mut text);
            text
        };
        assert_eq!(
            go(json!({"b": "<&>\u{2028}\"", "a": [1, null, true]})),
            "{\"a\":[1,null,true],\"b\":\"\\u003c\\u0026\\u003e\\u2028\\\"\"}"
        );
        let numbers = [
            (0.1, "0.1"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (1e-6, "0.000001"),
            (1.5e-7, "1.5e-7"),
            (-2.0, "-2"),
            (0.0, "0"),
        ];
        for (number, text) in numbers {
            assert_eq!(go_number(number), text);
        }
    }
}
