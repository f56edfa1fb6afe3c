//! Where two JSON values differ.

use serde_json::Value;

/// The paths at which they differ, each with both values. Of what one has and the other has not, the path of the whole.
pub fn differences(expected: &Value, actual: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare("", expected, actual, &mut found);
    found
}

fn compare(path: &str, expected: &Value, actual: &Value, found: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            for (key, value) in expected {
                match actual.get(key) {
                    Some(other) => compare(&format!("{path}/{key}"), value, other, found),
                    None => found.push(format!("{path}/{key}: {} is missing", shown(value))),
                }
            }
            for (key, value) in actual.iter().filter(|(key, _)| !expected.contains_key(*key)) {
                found.push(format!("{path}/{key}: {} is extra", shown(value)));
            }
        }
        (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
            for (index, (value, other)) in expected.iter().zip(actual).enumerate() {
                compare(&format!("{path}/{index}"), value, other, found);
            }
        }
        _ if expected == actual => {}
        _ => found.push(format!("{path}: {} became {}", shown(expected), shown(actual))),
    }
}

fn shown(value: &Value) -> String {
    value.to_string().chars().take(160).collect()
}
