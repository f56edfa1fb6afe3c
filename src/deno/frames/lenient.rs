//! Reads JSON that JavaScript writes and serde_json refuses, so that an answer is not lost for a part of it.

use serde_json::Value;

/// How deep arrays and objects are read. Deeper than any value that can be stored, so that whoever takes the value apart
/// finds it too deep and can say which; shallow enough for every recursion over it.
const DEEPEST: usize = 192;

/// One JSON value. As every other parser of JSON in use here does it, half a surrogate pair (`"\ud800"`, which is how
/// `JSON.stringify` writes a text that was cut in the middle of a character) is the replacement character U+FFFD. What is
/// nested deeper than [`DEEPEST`] is null.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice(bytes).or_else(|error| {
        let mended = mend(bytes);
        let mut deserializer = serde_json::Deserializer::from_slice(&mended);
        deserializer.disable_recursion_limit();
        // The first error counts: it knows the place in what the script wrote.
        serde::Deserialize::deserialize(&mut deserializer).map_err(|_| error)
    })
}

fn mend(bytes: &[u8]) -> Vec<u8> {
    let mut mended = Vec::with_capacity(bytes.len());
    let (mut depth, mut in_text, mut index) = (0_usize, false, 0);
    while let Some(&byte) = bytes.get(index) {
        let kept = depth <= DEEPEST;
        let mut next = index + 1;
        match byte {
            b'"' => in_text = !in_text,
            b'\\' if in_text => {
                let (length, is_lone) = escape(&bytes[index..]);
                next = index + length;
                if is_lone && kept {
                    mended.extend_from_slice(br"\ufffd");
                    index = next;
                    continue;
                }
            }
            b'{' | b'[' if !in_text => {
                depth += 1;
                if depth == DEEPEST + 1 {
                    mended.extend_from_slice(b"null");
                }
            }
            b'}' | b']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if kept && depth <= DEEPEST {
            mended.extend_from_slice(&bytes[index..next.min(bytes.len())]);
        }
        index = next;
    }
    mended
}

/// How long the escape at the start of `bytes` is, the other half of a surrogate pair included, and whether it is half a
/// pair.
fn escape(bytes: &[u8]) -> (usize, bool) {
    match (unit(bytes), unit(bytes.get(6..).unwrap_or_default())) {
        (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (12, false),
        (Some(0xD800..=0xDFFF), _) => (6, true),
        _ => (2, false),
    }
}

/// The UTF-16 unit that `\uXXXX` at the start of `bytes` stands for.
fn unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(br"\u")?.get(..4)?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn half_a_surrogate_pair_is_a_replacement_character() {
        let text = br#"{"a":"\ud800","b":"x\udc00\n\ud83d\ude00","c":"\\ud800","d":"\ud800\ud83d\ude00"}"#;
        let expected = json!({"a": "\u{fffd}", "b": "x\u{fffd}\n\u{1f600}", "c": "\\ud800", "d": "\u{fffd}\u{1f600}"});
        assert_eq!(parse(text).unwrap(), expected);
    }

    #[test]
    fn what_is_too_deep_is_cut_and_nothing_around_it() {
        let nested =
            |depth: usize| format!("{{\"deep\":{}1{},\"after\":[\"]\"]}}", "[".repeat(depth), "]".repeat(depth));
        let depth = |mut value: &Value| {
            let mut depth = 0;
            while let Value::Array(items) = value {
                depth += 1;
                value = &items[0];
            }
            (depth, value.clone())
        };
        let value = parse(nested(150).as_bytes()).unwrap();
        assert_eq!((depth(&value["deep"]), &value["after"]), ((150, json!(1)), &json!(["]"])));
        for deeper in [DEEPEST, 100_000] {
            let value = parse(nested(deeper).as_bytes()).unwrap();
            assert_eq!((depth(&value["deep"]), &value["after"]), ((DEEPEST - 1, Value::Null), &json!(["]"])));
        }
    }

    #[test]
    fn what_is_no_json_stays_none() {
        assert!(parse(br#"{"a":01}"#).is_err() && parse(b"[\"\xff\"]").is_err());
    }
}
