//! The id of an import: JSON text that names the object and the script that manages it.
//!
//! `{"id": …, "path": …, "props"?: {…}, "config_file"?: …, "transport"?: …, "permissions"?: {"all"?, "allow"?, "deny"?}}`.
//! Names match in any case and unknown ones are passed over, as Go's decoder does it, but not without a warning.

use denobridge_core::cty::{Type, Value};
use denobridge_core::{Diagnostic, Diagnostics};
use serde_json::{Map, Value as Json};

use super::answer::Kind;
use super::values;

const EXAMPLE: &str = r#"{"id": "the-object", "path": "./script.ts", "permissions": {"allow": ["read"]}}"#;

/// What an import id says.
#[derive(Debug)]
pub(super) struct Given {
    /// The attributes that it gives; all others are null.
    pub attributes: Vec<(&'static str, Value)>,
    /// A warning for members that mean nothing.
    pub warnings: Diagnostics,
}

/// Reads an import id.
pub(super) fn parse(text: &str) -> Result<Given, Diagnostic> {
    read(text).map_err(|reason| {
        Diagnostic::error(
            "Invalid Import ID Format",
            format!("{reason}\n\nThe id of an import is JSON, such as\n  {EXAMPLE}"),
        )
    })
}

fn read(text: &str) -> Result<Given, String> {
    let json = serde_json::from_str(text).map_err(|error| format!("The id is not JSON: {error}."))?;
    let members = members("The id", json)?;
    let mut attributes = vec![
        ("id", Value::string(required(&members, "id", "what the script calls the object")?)),
        ("path", Value::string(required(&members, "path", "the script that manages the object")?)),
    ];
    for name in ["config_file", "transport"] {
        if let Some(text) = text_member(&members, name)? {
            attributes.push((name, Value::string(text)));
        }
    }
    match members.get("props") {
        None | Some(Json::Null) => {}
        Some(props @ Json::Object(_)) => {
            let props = values::from_json(props).map_err(|error| format!("\"props\" is not usable: {error}."))?;
            attributes.push(("props", props));
        }
        Some(other) => return Err(wrong("props", "an object", other)),
    }
    match members.get("permissions") {
        None | Some(Json::Null) => {}
        Some(permissions) => attributes.push(("permissions", permissions_value(permissions.clone())?)),
    }
    Ok(Given { attributes, warnings: members.keys().filter_map(|name| passed_over(name)).collect() })
}

/// A slip such as "permission" would show much later, as a script that may not do what it must.
fn passed_over(name: &str) -> Option<Diagnostic> {
    const KNOWN: [&str; 6] = ["id", "path", "props", "config_file", "transport", "permissions"];
    let known = KNOWN.join("\", \"");
    let detail = format!("\"{name}\" means nothing in the id of an import and is passed over. Known are \"{known}\".");
    (!KNOWN.contains(&name)).then(|| Diagnostic::warning("Unknown member of an import id", detail))
}

/// The members of an object, with names in lower case.
fn members(what: &str, json: Json) -> Result<Map<String, Json>, String> {
    match json {
        Json::Object(members) => {
            Ok(members.into_iter().map(|(name, value)| (name.to_ascii_lowercase(), value)).collect())
        }
        other => Err(format!("{what} must be an object, not {}.", Kind::of(&other))),
    }
}

fn required(members: &Map<String, Json>, name: &str, meaning: &str) -> Result<String, String> {
    let text = text_member(members, name)?.filter(|text| !text.is_empty());
    text.ok_or_else(|| format!("\"{name}\" is missing: {meaning}."))
}

fn text_member(members: &Map<String, Json>, name: &str) -> Result<Option<String>, String> {
    match members.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(wrong(name, "a string", other)),
    }
}

/// Lists that are left out stay null, so that a configuration that leaves them out too has nothing to change.
fn permissions_value(json: Json) -> Result<Value, String> {
    let members = members("\"permissions\"", json)?;
    let all = match members.get("all") {
        None | Some(Json::Null) => Value::null(Type::Bool),
        Some(Json::Bool(all)) => Value::bool(*all),
        Some(other) => return Err(wrong("permissions.all", "a boolean", other)),
    };
    let list = |name: &str| match members.get(name) {
        None | Some(Json::Null) => Ok(Value::null(Type::list(Type::String))),
        Some(Json::Array(items)) => {
            let items = items.iter().map(|item| match item {
                Json::String(text) => Ok(Value::string(text)),
                other => Err(wrong(&format!("permissions.{name}[]"), "a string", other)),
            });
            Ok(Value::list(Type::String, items.collect::<Result<Vec<_>, _>>()?))
        }
        Some(other) => Err(wrong(&format!("permissions.{name}"), "an array of strings", other)),
    };
    Ok(Value::object([("all", all), ("allow", list("allow")?), ("deny", list("deny")?)]))
}

fn wrong(name: &str, wanted: &str, found: &Json) -> String {
    format!("\"{name}\" must be {wanted}, not {}.", Kind::of(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(text: &str) -> String {
        parse(text).unwrap_err().detail.lines().next().unwrap().to_owned()
    }

    #[test]
    fn everything_that_is_given_is_taken_and_nothing_else() {
        let strings = |items: &[&str]| Value::list(Type::String, items.iter().map(Value::string).collect::<Vec<_>>());
        let text = r#"{"ID":"x","Path":"./a.ts","props":{"a":1},"config_file":"/dev/null","transport":"http","more":1,
                       "permissions":{"ALL":true,"allow":["read"]}}"#;
        let permissions = Value::object([
            ("all", Value::bool(true)),
            ("allow", strings(&["read"])),
            ("deny", Value::null(Type::list(Type::String))),
        ]);
        let given = parse(text).unwrap();
        assert_eq!(
            given.attributes,
            [
                ("id", Value::string("x")),
                ("path", Value::string("./a.ts")),
                ("config_file", Value::string("/dev/null")),
                ("transport", Value::string("http")),
                ("props", Value::object([("a", Value::number(1))])),
                ("permissions", permissions),
            ]
        );
        let [warning] = given.warnings.iter().collect::<Vec<_>>()[..] else { panic!("{:?}", given.warnings) };
        assert!(warning.detail.starts_with("\"more\" means nothing"), "{}", warning.detail);
        let least = parse(r#"{"id":"x","path":"a.ts"}"#).unwrap();
        assert_eq!((least.attributes.len(), least.warnings.is_empty()), (2, true));
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        assert_eq!(reason("record.json"), "The id is not JSON: expected value at line 1 column 1.");
        assert_eq!(reason("[]"), "The id must be an object, not an array.");
        assert_eq!(reason(r#"{"path":"a.ts"}"#), "\"id\" is missing: what the script calls the object.");
        assert_eq!(reason(r#"{"id":"x","path":""}"#), "\"path\" is missing: the script that manages the object.");
        assert_eq!(reason(r#"{"id":1,"path":"a"}"#), "\"id\" must be a string, not a number.");
        assert_eq!(reason(r#"{"id":"x","path":"a","props":[]}"#), "\"props\" must be an object, not an array.");
        let permissions = r#"{"id":"x","path":"a","permissions":{"allow":"read"}}"#;
        assert_eq!(reason(permissions), "\"permissions.allow\" must be an array of strings, not a string.");
    }
}
