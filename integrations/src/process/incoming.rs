//! What the lines of a child mean.

use serde::Deserialize;
use serde_json::Value as Json;

use super::text::one_line;
use crate::protocol::LogMessage;

/// The error code for a method that the other side does not know.
pub(super) const METHOD_NOT_FOUND: i64 = -32601;

/// How much of a line is shown in an error, in characters.
const SHOWN: usize = 200;

/// A line that a child wrote.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    /// The answer to the call with that number.
    Answer { id: u64, answer: Result<Json, RpcError> },
    /// Something for the log.
    Log(LogMessage),
    /// A call or notification that we do not know, which is ignored.
    Unknown { method: String },
    /// Nothing at all.
    Blank,
    /// What it is instead of a message.
    Fault(String),
}

/// The error in a JSON-RPC answer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(expecting = "an object with `code` and `message`")]
pub(super) struct RpcError {
    #[serde(default)]
    pub(super) code: i64,
    #[serde(default)]
    pub(super) message: String,
}

impl RpcError {
    /// What it says, for a sentence.
    pub(super) fn text(&self) -> String {
        format!("error {}: {}", self.code, one_line(&self.message, 10 * SHOWN))
    }
}

/// The members that mean something to us. Others are ignored.
#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    id: Json,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    params: Json,
    /// Absent and null are not the same: an answer to `shutdown` is null.
    #[serde(default, deserialize_with = "present")]
    result: Option<Json>,
    #[serde(default)]
    error: Option<RpcError>,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

/// Reads a line.
pub(super) fn parse(line: &[u8]) -> Incoming {
    let line = line.trim_ascii();
    match line.first() {
        None => return Incoming::Blank,
        Some(b'[') => return Incoming::Fault(format!("it wrote a batch, which is not part of it: {}", excerpt(line))),
        Some(b'{') => {}
        Some(_) => return stray(line),
    }
    let message: Message = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(error) => {
            return Incoming::Fault(format!("it wrote a line that is no message ({error}): {}", excerpt(line)));
        }
    };
    if let Some(method) = message.method {
        return call(method, message.params);
    }
    let answer = match (message.result, message.error) {
        (None, Some(error)) => Err(error),
        (Some(result), None) => Ok(result),
        (Some(_), Some(_)) => {
            return Incoming::Fault(format!("it answered with both a result and an error: {}", excerpt(line)));
        }
        (None, None) => {
            return Incoming::Fault(format!(
                "it wrote a line that is neither an answer nor a notification: {}",
                excerpt(line)
            ));
        }
    };
    match (message.id.as_u64(), answer) {
        (Some(id), answer) => Incoming::Answer { id, answer },
        // So do those answer that could not read what they were sent.
        (None, Err(error)) if message.id.is_null() => {
            Incoming::Fault(format!("it answered no call in particular: {}", error.text()))
        }
        (None, _) => Incoming::Fault(format!("it answered with an id that no call has: {}", excerpt(line))),
    }
}

fn stray(line: &[u8]) -> Incoming {
    Incoming::Fault(format!(
        "it wrote to standard output, which is for messages only, what belongs to standard error: {}",
        excerpt(line)
    ))
}

fn call(method: String, params: Json) -> Incoming {
    if method == "log"
        && let Ok(message) = LogMessage::deserialize(params)
    {
        return Incoming::Log(message);
    }
    Incoming::Unknown { method: one_line(&method, SHOWN) }
}

/// The beginning of what it wrote, fit to be shown.
pub(super) fn excerpt(line: &[u8]) -> String {
    // A character has at most four bytes.
    let beginning = &line[..line.len().min(4 * SHOWN)];
    one_line(&String::from_utf8_lossy(beginning), SHOWN)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_lines_mean() {
        let answer = |id, result| Incoming::Answer { id, answer: Ok(result) };
        assert_eq!(parse(b" \r"), Incoming::Blank);
        assert_eq!(parse(br#"{"jsonrpc":"2.0","id":3,"result":null,"more":1}"#), answer(3, Json::Null));
        assert_eq!(parse(b"{\"id\":4,\"result\":{\"status\":\"pass\"}}\r"), answer(4, json!({"status": "pass"})));
        let error = RpcError { code: METHOD_NOT_FOUND, message: "no such method".into() };
        let line = br#"{"id":5,"error":{"code":-32601,"message":"no such method","data":{}}}"#;
        assert_eq!(parse(line), Incoming::Answer { id: 5, answer: Err(error) });
        let line = br#"{"method":"log","params":{"level":"info","message":"x"}}"#;
        assert_eq!(parse(line), Incoming::Log(LogMessage { level: "info".into(), message: "x".into() }));
        assert_eq!(parse(br#"{"method":"log","params":[]}"#), Incoming::Unknown { method: "log".into() });
        assert_eq!(parse(br#"{"id":1,"method":"ask"}"#), Incoming::Unknown { method: "ask".into() });
    }

    #[test]
    fn m33_what_is_no_message_is_told_with_what_it_is() {
        let deep = "[".repeat(1000);
        let told: Vec<String> = [
            "Policy daemon 1.2 ready \u{1b}[1m",
            "[{\"id\":1,\"result\":{}}]",
            "{\"id\":1",
            "{}",
            "{\"id\":1}",
            "{\"id\":-1,\"result\":{}}",
            "{\"id\":\"1\",\"result\":{}}",
            "{\"id\":1.5,\"result\":{}}",
            "{\"id\":null,\"error\":{\"code\":-32700,\"message\":\"cannot\\nread\"}}",
            "{\"id\":1,\"result\":{},\"error\":{}}",
            "{\"id\":1,\"error\":\"text\"}",
            "{\"method\":1}",
            &format!("{{\"id\":1,\"result\":{deep}"),
        ]
        .map(|line| match parse(line.as_bytes()) {
            Incoming::Fault(what) => what,
            other => panic!("{line}: {other:?}"),
        })
        .into();
        insta::assert_snapshot!(told.join("\n"));
    }
}
