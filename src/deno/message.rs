//! JSON-RPC messages: what we write, and what the JSON values that a script writes mean.

use serde::Serialize;
use serde_json::{Map, Value, json};

/// JSON-RPC's code for a method that does not exist.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// JSON-RPC's code for an error inside the other side; what libraries answer for an uncaught exception.
pub const INTERNAL_ERROR: i64 = -32603;

/// The error object of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError {
    /// JSON-RPC's or the script's own code.
    pub code: i64,
    /// The script's words.
    pub message: String,
    /// Whatever the script adds.
    pub data: Option<Value>,
    /// The `id` in a result that the answer has beside the error: an object that was made all the same.
    pub object: Option<Box<str>>,
}

/// A message from a script.
#[derive(Debug, PartialEq)]
pub(crate) enum Message {
    /// An answer to one of our calls; without an id when the script could not read the call.
    Answer { id: Option<u64>, outcome: Result<Value, RpcError> },
    /// A call of the script's own. `id` is there when it wants an answer.
    Call { id: Option<Value>, method: String, params: Value },
    /// A JSON value that is no message.
    Other(Value),
}

/// A call, of params that are not copied to be sent.
#[derive(Serialize)]
struct Request<'p> {
    jsonrpc: &'static str,
    id: u64,
    method: &'p str,
    params: &'p Value,
}

/// One line to the script. `params` must be an object.
pub(crate) fn request(id: u64, method: &str, params: &Value) -> Vec<u8> {
    line(&Request { jsonrpc: "2.0", id, method, params })
}

/// A message that wants no answer.
pub(crate) fn notification(method: &str, params: &Value) -> Vec<u8> {
    line(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
}

/// An answer to a call of the script's.
pub(crate) fn answer(id: &Value, outcome: Result<Value, RpcError>) -> Vec<u8> {
    match outcome {
        Ok(result) => line(&json!({ "jsonrpc": "2.0", "id": id, "result": result })),
        Err(error) => line(&json!({
            "jsonrpc": "2.0", "id": id, "error": { "code": error.code, "message": error.message }
        })),
    }
}

fn line(message: &impl Serialize) -> Vec<u8> {
    let mut line = Vec::with_capacity(256);
    // Memory takes everything, and what a message is made of can all be written.
    let written = serde_json::to_writer(&mut line, message);
    debug_assert!(written.is_ok());
    line.push(b'\n');
    line
}

/// The messages in a JSON value; an array is a JSON-RPC batch.
pub(crate) fn messages(value: Value) -> Vec<Message> {
    match value {
        Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_object) => {
            items.into_iter().map(message).collect()
        }
        other => vec![message(other)],
    }
}

/// Reads one message, as leniently as its meaning stays clear: `jsonrpc` may be missing, ids may be texts, and an answer
/// without `result` (what a handler that returns `undefined` comes to) is null.
fn message(value: Value) -> Message {
    let Value::Object(mut members) = value else { return Message::Other(value) };
    if let Some(Value::String(method)) = members.get("method") {
        let method = method.clone();
        let params = members.swap_remove("params").unwrap_or_else(|| Value::Object(Map::new()));
        let id = members.swap_remove("id").filter(|id| !id.is_null());
        return Message::Call { id, method, params };
    }
    let id = members.get("id").and_then(read_id);
    match members.swap_remove("error") {
        None | Some(Value::Null) => {}
        Some(error) => {
            let object = members.get("result").and_then(|result| result.get("id")).and_then(text_of_id);
            return Message::Answer { id, outcome: Err(RpcError { object, ..read_error(error) }) };
        }
    }
    match members.swap_remove("result") {
        Some(result) => Message::Answer { id, outcome: Ok(result) },
        None if id.is_some() => Message::Answer { id, outcome: Ok(Value::Null) },
        None => Message::Other(Value::Object(members)),
    }
}

/// The id of the call that a value is an answer to.
pub(crate) fn answered(value: &Value) -> Option<u64> {
    let is_answer = value.get("method").is_none() && (value.get("result").is_some() || value.get("error").is_some());
    if is_answer { value.get("id").and_then(read_id) } else { None }
}

/// What a script calls an object, as text.
fn text_of_id(id: &Value) -> Option<Box<str>> {
    match id {
        Value::String(text) if !text.is_empty() => Some(text.as_str().into()),
        Value::Number(number) => Some(number.to_string().into()),
        _ => None,
    }
}

fn read_id(id: &Value) -> Option<u64> {
    match id {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

fn read_error(error: Value) -> RpcError {
    match error {
        Value::Object(mut members) => RpcError {
            code: members.get("code").and_then(Value::as_i64).unwrap_or(INTERNAL_ERROR),
            message: match members.swap_remove("message") {
                Some(Value::String(text)) => text,
                Some(other) => other.to_string(),
                None => String::new(),
            },
            data: members.swap_remove("data").filter(|data| !data.is_null()),
            object: None,
        },
        Value::String(message) => RpcError { code: INTERNAL_ERROR, message, data: None, object: None },
        other => RpcError { code: INTERNAL_ERROR, message: other.to_string(), data: None, object: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ok(id: u64, result: Value) -> Message {
        Message::Answer { id: Some(id), outcome: Ok(result) }
    }

    #[test]
    fn answers() {
        assert_eq!(message(json!({"jsonrpc": "2.0", "id": 1, "result": {"a": 1}})), ok(1, json!({"a": 1})));
        assert_eq!(message(json!({"id": "1", "result": null})), ok(1, Value::Null));
        assert_eq!(message(json!({"id": 1})), ok(1, Value::Null));
        assert_eq!(message(json!({"id": 1, "error": null, "result": 2})), ok(1, json!(2)));
        let error = |message: &str, data| RpcError { code: -32000, message: message.into(), data, object: None };
        assert_eq!(
            message(json!({"id": 1, "error": {"code": -32000, "message": "no", "data": {"x": 1}}})),
            Message::Answer { id: Some(1), outcome: Err(error("no", Some(json!({"x": 1})))) }
        );
        assert_eq!(
            message(json!({"id": 1, "error": {"code": -32000, "message": "no"}, "result": {"id": "x"}})),
            Message::Answer { id: Some(1), outcome: Err(RpcError { object: Some("x".into()), ..error("no", None) }) }
        );
        assert_eq!(
            message(json!({"id": null, "error": {"code": -32000, "message": "no"}})),
            Message::Answer { id: None, outcome: Err(error("no", None)) }
        );
        assert_eq!(
            message(json!({"id": 1, "error": "no"})),
            Message::Answer {
                id: Some(1),
                outcome: Err(RpcError { code: INTERNAL_ERROR, message: "no".into(), data: None, object: None })
            }
        );
    }

    #[test]
    fn calls_and_other_values() {
        assert_eq!(
            message(json!({"method": "invokeProgress", "params": {"message": "m"}})),
            Message::Call { id: None, method: "invokeProgress".into(), params: json!({"message": "m"}) }
        );
        assert_eq!(
            message(json!({"method": "x", "id": "a"})),
            Message::Call { id: Some(json!("a")), method: "x".into(), params: json!({}) }
        );
        assert_eq!(message(json!({"level": "info"})), Message::Other(json!({"level": "info"})));
        assert_eq!(messages(json!([1])), [Message::Other(json!([1]))]);
        assert_eq!(messages(json!([{"id": 1}, {"id": 2}])), [ok(1, Value::Null), ok(2, Value::Null)]);
    }

    #[test]
    fn requests_are_one_line() {
        let line = String::from_utf8(request(3, "create", &json!({"props": {"a": "b\nc"}}))).unwrap();
        assert_eq!(
            line,
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"create\",\"params\":{\"props\":{\"a\":\"b\\nc\"}}}\n"
        );
    }
}
