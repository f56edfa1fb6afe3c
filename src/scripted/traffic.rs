//! The traffic with scripts, as log lines of level trace: what people look at who write scripts (`denobridge try`) and who
//! look for a fault (`TF_LOG=trace`). Secrets are taken out here, where they are known.

use std::time::Duration;

use denobridge_core::call::{LogLevel, LogSink};
use denobridge_core::mask::{MASK, Secrets};
use serde_json::Value as Json;

use crate::deno::ScriptError;

/// The module that these lines name.
pub(crate) const MODULE: &str = "json-rpc";

/// Members that hold secrets by contract, whatever is in them.
/// `sensitive` is what the published library has of them inside a state or result.
const SECRET_MEMBERS: [&str; 7] = [
    "writeOnlyProps",
    "nextWriteOnlyProps",
    "sensitiveState",
    "currentSensitiveState",
    "sensitiveResult",
    "privateData",
    "sensitive",
];

/// Methods whose props may be made of ephemeral values, which Terraform hands on without saying so.
const EPHEMERAL_PROPS: [&str; 2] = ["open", "invoke"];

/// Methods that a script may do without.
const OPTIONAL: [&str; 2] = ["modifyPlan", "close"];

/// One line of the traffic. JSON is text here, as it goes into a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line<'l> {
    /// A call to the script.
    Call { method: &'l str, params: &'l str },
    /// What the script says of the call before it answers.
    Progress { method: &'l str, told: &'l str },
    /// Its answer.
    Answer { method: &'l str, result: &'l str, milliseconds: &'l str },
    /// The script does not have the method, and need not have it.
    Absent { method: &'l str },
    /// Why there is no answer.
    Failure { method: &'l str, error: &'l str, milliseconds: &'l str },
}

impl<'l> Line<'l> {
    /// Reads a line of [`MODULE`] back from a log.
    pub(crate) fn read(message: &str, fields: &[(&str, &'l str)]) -> Option<Self> {
        let field = |name: &str| fields.iter().find(|(field, _)| *field == name).map(|(_, value)| *value);
        let (method, milliseconds) = (field("method")?, field("milliseconds"));
        match message {
            "call" => Some(Self::Call { method, params: field("params")? }),
            "progress" => Some(Self::Progress { method, told: field("told")? }),
            "answer" => Some(Self::Answer { method, result: field("result")?, milliseconds: milliseconds? }),
            "absent" => Some(Self::Absent { method }),
            "failure" => Some(Self::Failure { method, error: field("error")?, milliseconds: milliseconds? }),
            _ => None,
        }
    }

    fn write(self, sink: &dyn LogSink, script: &str) {
        let script = ("script", script);
        let trace = |message, fields: &[(&str, &str)]| sink.log(LogLevel::Trace, MODULE, message, fields);
        match self {
            Self::Call { method, params } => trace("call", &[script, ("method", method), ("params", params)]),
            Self::Progress { method, told } => trace("progress", &[script, ("method", method), ("told", told)]),
            Self::Answer { method, result, milliseconds } => {
                trace("answer", &[script, ("method", method), ("result", result), ("milliseconds", milliseconds)]);
            }
            Self::Absent { method } => trace("absent", &[script, ("method", method)]),
            Self::Failure { method, error, milliseconds } => {
                trace("failure", &[script, ("method", method), ("error", error), ("milliseconds", milliseconds)]);
            }
        }
    }
}

/// Logs a call, if anybody wants to know.
pub(super) fn log_call(sink: &dyn LogSink, script: &str, method: &str, params: &Json, secrets: &Secrets) {
    if sink.enabled(LogLevel::Trace) {
        let mut params = params.clone();
        if EPHEMERAL_PROPS.contains(&method)
            && let Some(props) = params.get_mut("props")
        {
            *props = Json::from(MASK);
        }
        Line::Call { method, params: &masked(&params, secrets) }.write(sink, script);
    }
}

/// Logs what a script says of a call. Secrets have been taken out of it.
pub(super) fn log_progress(sink: &dyn LogSink, script: &str, method: &str, told: &str) {
    Line::Progress { method, told }.write(sink, script);
}

/// Logs what came of a call, if anybody wants to know. Errors of scripts have no secrets in them any more.
pub(super) fn log_outcome(
    sink: &dyn LogSink,
    script: &str,
    method: &str,
    outcome: &Result<Json, ScriptError>,
    took: Duration,
    secrets: &Secrets,
) {
    if !sink.enabled(LogLevel::Trace) {
        return;
    }
    if OPTIONAL.contains(&method) && outcome.as_ref().is_err_and(ScriptError::is_method_not_found) {
        return Line::Absent { method }.write(sink, script);
    }
    let milliseconds = &took.as_millis().to_string();
    match outcome {
        Ok(result) => Line::Answer { method, result: &masked(result, secrets), milliseconds }.write(sink, script),
        Err(error) => Line::Failure { method, error: &error.to_string(), milliseconds }.write(sink, script),
    }
}

/// JSON as text without what is secret in it.
fn masked(json: &Json, secrets: &Secrets) -> String {
    fn without_members(json: &Json) -> Json {
        match json {
            Json::Array(items) => items.iter().map(without_members).collect(),
            Json::Object(members) => {
                let member = |(name, value): (&String, &Json)| {
                    let secret = SECRET_MEMBERS.contains(&name.as_str()) && !value.is_null();
                    (name.clone(), if secret { Json::from(MASK) } else { without_members(value) })
                };
                Json::Object(members.iter().map(member).collect())
            }
            other => other.clone(),
        }
    }
    secrets.mask_json(without_members(json)).to_string()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use serde_json::json;

    use super::*;
    use crate::deno::ScriptErrorKind;
    use crate::deno::message::{METHOD_NOT_FOUND, RpcError};

    /// The message and the fields of each line.
    type Lines = Vec<(String, Vec<(String, String)>)>;

    #[derive(Default)]
    struct Kept(Mutex<Lines>);

    impl LogSink for Kept {
        fn enabled(&self, _: LogLevel) -> bool {
            true
        }

        fn log(&self, level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]) {
            assert_eq!((level, module), (LogLevel::Trace, MODULE));
            let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            self.0.lock().unwrap().push((message.to_owned(), fields));
        }
    }

    #[test]
    fn secrets_are_taken_out_and_lines_can_be_read_back() {
        let kept = Kept::default();
        let mut secrets = Secrets::default();
        secrets.add_text("hunter2");
        let params = json!({ "props": { "url": "https://me:hunter2@host" }, "writeOnlyProps": { "pin": 1234 } });
        log_call(&kept, "s.ts", "create", &params, &secrets);
        log_progress(&kept, "s.ts", "create", "half way");
        let answer = Ok(json!({ "id": "1", "sensitiveState": { "pin": 1234 }, "state": null }));
        log_outcome(&kept, "s.ts", "create", &answer, Duration::from_millis(12), &secrets);
        let script = || "s.ts".to_owned();
        let failure = ScriptError { script: script(), method: None, kind: ScriptErrorKind::ShutDown };
        log_outcome(&kept, "s.ts", "create", &Err(failure), Duration::ZERO, &secrets);
        let error = RpcError { code: METHOD_NOT_FOUND, message: "no".to_owned(), data: None, object: None };
        let kind = ScriptErrorKind::Refused { error: Box::new(error), uncaught: None };
        let absent = ScriptError { script: script(), method: Some("modifyPlan".to_owned()), kind };
        log_outcome(&kept, "s.ts", "modifyPlan", &Err(absent), Duration::ZERO, &secrets);
        let lines = kept.0.lock().unwrap();
        let fields: Vec<Vec<(&str, &str)>> = lines
            .iter()
            .map(|(_, fields)| fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect())
            .collect();
        let read: Vec<_> =
            lines.iter().zip(&fields).map(|((message, _), fields)| Line::read(message, fields)).collect();
        let method = "create";
        assert_eq!(
            read,
            [
                Some(Line::Call {
                    method,
                    params: r#"{"props":{"url":"https://me:(sensitive)@host"},"writeOnlyProps":"(sensitive)"}"#
                }),
                Some(Line::Progress { method, told: "half way" }),
                Some(Line::Answer {
                    method,
                    result: r#"{"id":"1","sensitiveState":"(sensitive)","state":null}"#,
                    milliseconds: "12"
                }),
                Some(Line::Failure {
                    method,
                    error: "Script s.ts was not called: The provider is shutting down.",
                    milliseconds: "0"
                }),
                Some(Line::Absent { method: "modifyPlan" }),
            ]
        );
    }
}
