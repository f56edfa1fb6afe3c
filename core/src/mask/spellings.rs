//! The ways in which a text is written where it does not stand by itself: as a text of JSON, as JavaScript shows it in a
//! printed object, in an address.

use std::collections::BTreeSet;

use serde_json::Value as Json;

/// The spellings of a text that differ from it. Most secrets are letters and digits and have none.
pub(super) fn spellings(text: &str) -> BTreeSet<String> {
    let quoted = quoted(text);
    // Once more: JSON in a text of JSON, such as a request's body in an error's data, and JSON in a printed object.
    let mut spellings: BTreeSet<String> = quoted.iter().flat_map(|once| self::quoted(once)).collect();
    spellings.extend(quoted);
    spellings.extend([percent_encoded(text, b"-_.!~*'()"), percent_encoded(text, b"-_.*").replace("%20", "+")]);
    spellings.remove(text);
    spellings
}

/// The text between the quotes that it gets in JSON (`JSON.stringify` and serde_json write the same) and in an object that
/// is printed (`console.log`), where the quotes depend on the text.
fn quoted(text: &str) -> BTreeSet<String> {
    let is_escaped = |character: char| character.is_control() || matches!(character, '"' | '\'' | '`' | '\\');
    if !text.contains(is_escaped) {
        return BTreeSet::new();
    }
    let printed = [None, Some('"'), Some('\''), Some('`')].map(|quote| printed(text, quote));
    printed.into_iter().chain([in_json(text)]).collect()
}

/// The text as it stands inside of JSON text.
pub(crate) fn in_json(text: &str) -> String {
    let quoted = Json::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// The text as Deno's `console.log` and Node's `util.inspect` write it between quotes. They choose quotes that the text
/// does not have, so that it has some to escape only if it has all of them.
fn printed(text: &str, quote: Option<char>) -> String {
    let mut printed = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\\' => printed.push_str(r"\\"),
            '\n' => printed.push_str(r"\n"),
            '\r' => printed.push_str(r"\r"),
            '\t' => printed.push_str(r"\t"),
            '\u{8}' => printed.push_str(r"\b"),
            '\u{b}' => printed.push_str(r"\v"),
            '\u{c}' => printed.push_str(r"\f"),
            control if control.is_control() => printed.push_str(&format!("\\x{:02x}", u32::from(control))),
            other => {
                if Some(other) == quote {
                    printed.push('\\');
                }
                printed.push(other);
            }
        }
    }
    printed
}

/// The text as `encodeURIComponent` or, with fewer characters that stay, a form writes it.
fn percent_encoded(text: &str, stays: &[u8]) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || stays.contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        spellings(text).into_iter().collect()
    }

    #[test]
    fn plain_texts_have_none() {
        assert!(of("Abc-123_x.y").is_empty());
        assert_eq!(of("a+b/c="), ["a%2Bb%2Fc%3D"]);
    }

    #[test]
    fn json_and_javascript() {
        assert_eq!(of("a\"b"), [r#"a%22b"#, r#"a\"b"#, r#"a\\"b"#, r#"a\\\"b"#]);
        // What `JSON.stringify`, `console.log`, and either of the two do to what the first has written.
        let all = of("q'd\"b`\\\u{1b}\u{b}");
        for spelling in [
            r#"q'd\"b`\\\u001b\u000b"#,
            r#"q'd\"b`\\\x1b\v"#,
            r#"q\'d"b`\\\x1b\v"#,
            r#"q'd\\\"b`\\\\\\u001b\\u000b"#,
            r#"q'd\\"b`\\\\\\u001b\\u000b"#,
        ] {
            assert!(all.contains(&spelling.to_owned()), "{spelling}: {all:#?}");
        }
    }

    #[test]
    fn addresses_and_forms() {
        assert_eq!(of("a b&ü"), ["a%20b%26%C3%BC", "a+b%26%C3%BC"]);
        assert_eq!(of("a!b"), ["a%21b"]);
    }
}
