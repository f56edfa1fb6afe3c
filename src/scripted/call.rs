//! One call of a script on behalf of a component, from its attributes to what came of it.

use std::sync::{Arc, LazyLock};

use denobridge_core::cty::{Path, Type, Value};
use denobridge_core::mask::Secrets;
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::Context;
use serde_json::{Value as Json, json};

use super::answer::{Answer, WrongAnswer};
use super::messages::{Operation, Reports};
use super::runtime::{Scripts, permissions};
use super::values;
use crate::deno::{CallOptions, ProgressSink, ScriptError, ScriptErrorKind, ScriptSpec, Transport};

/// The attributes that say how a script is run; a change of them reaches it as a change of props does.
pub(super) const SCRIPT_ATTRIBUTES: [&str; 4] = ["path", "config_file", "permissions", "transport"];

/// What is worth a word about a configuration before any script is called.
pub(super) fn validate(config: &Value) -> Diagnostics {
    let (path, transport) = (attribute(config, "path"), attribute(config, "transport"));
    let no_path = (path.as_str() == Some("")).then_some(("path", ScriptErrorKind::NoPath));
    let unknown_transport = Transport::parse(transport.as_str()).err();
    let unknown_transport = unknown_transport.map(|error| ("transport", ScriptErrorKind::UnknownTransport(error)));
    let errors = no_path.into_iter().chain(unknown_transport).map(|(name, kind)| {
        let error = ScriptError { script: String::new(), method: None, kind };
        let advice = error.advice().map(|advice| format!("\n\n{advice}")).unwrap_or_default();
        let detail = format!("{}{advice}", error.detail());
        Diagnostic::error(error.summary(), detail).at(Path::root().attribute(name))
    });
    errors.chain(permissions_that_amount_to_all(config)).collect()
}

fn permissions_that_amount_to_all(config: &Value) -> Option<Diagnostic> {
    let permissions = permissions(config);
    let entry = permissions.amounts_to_all()?;
    let detail = if entry == "all" {
        "The entry \"all\" permits everything. Write `all = true` if that is meant, or name what the script needs."
            .to_owned()
    } else {
        format!(
            "The permission {entry:?} without a list lets the script get round all that is not permitted.\n\nName what it \
             is for, such as \"{entry}=…\", or write `all = true` if everything is meant."
        )
    };
    let path = Path::root().attribute("permissions").attribute("allow");
    Some(Diagnostic::warning("Permissions that amount to all", detail).at(path))
}

/// One call of a script.
pub(super) struct ScriptCall<'c> {
    context: &'c Context,
    /// The scripts of the configured provider.
    pub scripts: Arc<Scripts>,
    /// How the script is run.
    pub spec: ScriptSpec,
    /// What it is asked to do.
    pub operation: Operation,
    /// What the user wrote of the object, for paths in diagnostics.
    object: Value,
    secrets: Secrets,
    progress: Option<ProgressSink>,
    /// The members of the params for which the user has given nothing.
    left_out: Vec<&'static str>,
}

impl<'c> ScriptCall<'c> {
    /// `object` says which script; `others` are further values of the call, whose secrets must not be shown.
    pub fn new(
        context: &'c Context,
        operation: Operation,
        object: &Value,
        others: &[&Value],
    ) -> Result<Self, Diagnostic> {
        let scripts = scripts(context, operation)?;
        let owner = scripts.owner.clone();
        Self::of(context, scripts, operation, object, others).map_err(|error| {
            let advice = owner.and_then(|owner| owner.advice(&error));
            operation.call_failed(&error, advice)
        })
    }

    /// The same for scripts that are not those of the configured provider.
    pub fn of(
        context: &'c Context,
        scripts: Arc<Scripts>,
        operation: Operation,
        object: &Value,
        others: &[&Value],
    ) -> Result<Self, ScriptError> {
        let spec = scripts.spec(object)?;
        let mut secrets = Secrets::default();
        for value in others.iter().copied().chain([object]) {
            secrets.add_all(attribute(value, "sensitive_state"));
            secrets.add_all(attribute(value, "write_only_props"));
            secrets.add_marked(value);
        }
        let left_out = if attribute(object, "props").is_null() { vec!["props", "nextProps"] } else { Vec::new() };
        Ok(Self { context, scripts, spec, operation, object: object.clone(), secrets, progress: None, left_out })
    }

    /// Says what the object was like before a change.
    pub fn with_prior(mut self, prior: &Value) -> Self {
        if attribute(prior, "props").is_null() {
            self.left_out.push("currentProps");
        }
        self
    }

    /// Hands the call's progress to `progress` instead of to whoever watches the operation.
    pub fn with_progress(mut self, progress: ProgressSink) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Keeps further texts out of logs and messages.
    pub fn with_secrets(mut self, secrets: &Secrets) -> Self {
        self.secrets.extend(secrets);
        self
    }

    /// Sends, and nothing else.
    pub async fn send(&self, params: &Json) -> Result<Json, ScriptError> {
        let options = CallOptions {
            secrets: self.secrets.clone(),
            progress: self.progress.clone(),
            left_out: self.left_out.clone(),
            ..CallOptions::default()
        };
        self.scripts.call(self.context, &self.spec, self.operation.method(), params, options).await
    }

    /// Sends and takes the answer apart.
    pub async fn ask(&self, params: &Json) -> Result<(Answer, Diagnostics), Diagnostic> {
        let json = self.send(params).await.map_err(|error| self.call_failed(&error))?;
        self.answer(json, &[])
    }

    /// Takes an answer apart. `unknown` is what the script could not know.
    pub fn answer(&self, json: Json, unknown: &[Vec<Json>]) -> Result<(Answer, Diagnostics), Diagnostic> {
        let mut answer = Answer::read(json).map_err(|wrong| self.wrong(&wrong))?;
        if let Some((open, secret)) = self.operation.results() {
            answer.repair(open, secret);
        }
        let diagnostics = self.diagnostics(&answer, unknown);
        Ok((answer, diagnostics))
    }

    /// What an answer, or a part of one, has to say to the user.
    pub fn diagnostics(&self, answer: &Answer, unknown: &[Vec<Json>]) -> Diagnostics {
        // What cannot be shown must not keep us from the rest of the answer: it may name an object.
        let (reported, wrong) = answer.diagnostics();
        let reports = Reports {
            call: self.context.call(),
            script: &self.spec.script,
            object: &self.object,
            secrets: &self.secrets,
            unknown,
            whole_paths: self.scripts.owner.is_some(),
        };
        let mut diagnostics = reports.read(reported);
        wrong.iter().for_each(|wrong| diagnostics.push(self.wrong(wrong)));
        diagnostics
    }

    /// What a script found, put into the object that asked for it.
    pub fn with_results(&self, answer: &Answer, object: Value) -> Result<Value, Diagnostic> {
        let none = Value::null(Type::Dynamic);
        let value = |member| answer.value(member, &none).map_err(|wrong| self.wrong(&wrong));
        let (result, sensitive) = (value("result")?, value("sensitiveResult")?);
        Ok(object.with_attribute("result", result).with_attribute("sensitive_result", sensitive))
    }

    /// Says so when the script answers that it has not done what it was asked to. Nothing said about it is as good as
    /// done, as long as nothing went wrong.
    pub fn check_done(&self, answer: &Answer, diagnostics: &mut Diagnostics) -> Result<(), Diagnostic> {
        let done = answer.flag("done").map_err(|wrong| self.wrong(&wrong))?;
        if done == Some(false) && !diagnostics.has_errors() {
            diagnostics.push(self.failed("did not report the operation as done: it answered `done: false`."));
        }
        Ok(())
    }

    /// The call gave no result.
    pub fn call_failed(&self, error: &ScriptError) -> Diagnostic {
        let advice = self.scripts.owner.as_ref().and_then(|owner| owner.advice(error));
        self.operation.call_failed(error, advice)
    }

    /// The answer cannot be used.
    pub fn wrong(&self, wrong: &WrongAnswer) -> Diagnostic {
        self.operation.wrong_answer(&self.spec.script, wrong)
    }

    /// The script did something that it must not; `what` goes on after its name.
    pub fn failed(&self, what: impl std::fmt::Display) -> Diagnostic {
        self.operation.failed(format!("Script {} {what}", self.spec.script))
    }
}

/// The scripts of the configured provider.
pub(super) fn scripts(context: &Context, operation: Operation) -> Result<Arc<Scripts>, Diagnostic> {
    context.provider_data().ok_or_else(|| operation.failed("The provider has not been configured yet."))
}

/// An attribute of an object; null where the object has none.
pub(crate) fn attribute<'v>(object: &'v Value, name: &str) -> &'v Value {
    static NULL: LazyLock<Value> = LazyLock::new(|| Value::null(Type::Dynamic));
    object.attribute(name).unwrap_or(&NULL)
}

/// The props that a script gets: scripts expect an object, also where the user gives none. (Those of the HTTP contract
/// expect null then; what is left out is said beside the params.)
pub(super) fn props_json(object: &Value) -> Json {
    match attribute(object, "props") {
        props if props.is_null() => json!({}),
        props => values::to_json(props),
    }
}
