//! `provider::denobridge::call`: functions that scripts have.
//!
//! Terraform calls functions of a provider that it has not configured. So whatever calls one, its script is run the same
//! way everywhere: with the Deno that the environment names, without permissions, and without the provider's configuration.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use denobridge_core::call::LogLevel;
use denobridge_core::cty::{PathStep, Type, Value};
use denobridge_core::provider::FunctionError;
use denobridge_core::schema::{Description, DescriptionKind, FunctionParameter, FunctionSignature};
use denobridge_core::{Diagnostic, Diagnostics, Severity};
use denobridge_framework::Context;
use denobridge_framework::erased::{ErasedFunction, argument_error};
use serde_json::{Value as Json, json};

use super::call::ScriptCall;
use super::messages::Operation;
use super::runtime::{Owner, Runtime, Scripts};
use super::settings::Settings;
use super::values;
use crate::deno::{ScriptError, ScriptErrorKind};

/// The positions of the parameters, for errors about them.
mod argument {
    pub const PATH: usize = 0;
    pub const FUNCTION: usize = 1;
    pub const FIRST: usize = 2;
}

/// The function.
pub(crate) struct CallScript {
    runtime: Runtime,
    deno: Option<PathBuf>,
    owner: Option<Arc<dyn Owner>>,
    scripts: OnceLock<Arc<Scripts>>,
}

impl CallScript {
    /// `deno` is used instead of the Deno that the environment names.
    pub fn new(runtime: Runtime, deno: Option<PathBuf>) -> Self {
        Self { runtime, deno, owner: None, scripts: OnceLock::new() }
    }

    /// Functions of scripts that somebody speaks for.
    pub fn owned_by(self, owner: Arc<dyn Owner>) -> Self {
        Self { owner: Some(owner), ..self }
    }

    fn scripts(&self, context: &Context) -> Result<Arc<Scripts>, Diagnostic> {
        if let Some(scripts) = self.scripts.get() {
            return Ok(Arc::clone(scripts));
        }
        let deno = self.deno.as_ref().map(|path| ("deno_binary_path", Value::string(path.to_string_lossy())));
        let settings = Settings::read(&Value::object(deno))?;
        let scripts = self.scripts.get_or_init(|| {
            let mut scripts = self.runtime.scripts(settings, context.call().log_sink());
            scripts.owner.clone_from(&self.owner);
            Arc::new(scripts)
        });
        Ok(Arc::clone(scripts))
    }
}

#[async_trait]
impl ErasedFunction for CallScript {
    fn signature(&self) -> FunctionSignature {
        let text = |text: &str| Description { text: text.to_owned(), kind: DescriptionKind::Markdown };
        let parameter = |name: &str, ty, description| FunctionParameter {
            name: name.into(),
            allow_null: ty == Type::Dynamic,
            ty,
            allow_unknown: false,
            description: text(description),
        };
        FunctionSignature {
            parameters: vec![
                parameter("path", Type::String, "The script, as in `path` of a resource."),
                parameter("function", Type::String, "Which of the script's functions."),
            ],
            variadic: Some(parameter("arguments", Type::Dynamic, "What the function is given.")),
            returns: Type::Dynamic,
            summary: "Calls a function of a script".to_owned(),
            description: text(
                "Runs a function that a Deno script has, without any permission: what it returns must follow from its \
                 arguments alone.",
            ),
            deprecation: None,
        }
    }

    async fn call(&self, context: &Context, arguments: Vec<Value>) -> Result<Value, FunctionError> {
        let scripts = self.scripts(context).map_err(|diagnostic| of_diagnostics(diagnostic.into()))?;
        let mut arguments = arguments.into_iter();
        let mut next = || arguments.next().unwrap_or_else(|| Value::null(Type::Dynamic));
        let (path, function) = (next(), next());
        let object = Value::object([("path", path), ("function", function), ("arguments", Value::tuple(arguments))]);
        call(context, scripts, &object).await
    }
}

async fn call(context: &Context, scripts: Arc<Scripts>, object: &Value) -> Result<Value, FunctionError> {
    let member = |name: &str| object.attribute(name).map_or(Json::Null, values::to_json);
    let params = json!({ "function": member("function"), "arguments": member("arguments") });
    let owner = scripts.owner.clone();
    let failed = |error| failed(&error, owner.as_deref());
    let call = ScriptCall::of(context, scripts, Operation::CallFunction, object, &[]).map_err(failed)?;
    let json = call.send(&params).await.map_err(failed)?;
    let said = |diagnostic: Diagnostic| of_diagnostics(diagnostic.into());
    let (answer, diagnostics) = call.answer(json, &[]).map_err(said)?;
    for warning in diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning) {
        // A function has no other way to say something beside its result.
        context.call().log(LogLevel::Warn, "script", &format!("{}: {}", warning.summary, warning.detail));
    }
    if diagnostics.has_errors() {
        return Err(of_diagnostics(diagnostics));
    }
    answer.value("result", &Value::null(Type::Dynamic)).map_err(|wrong| said(call.wrong(&wrong)))
}

/// The call gave no result.
fn failed(error: &ScriptError, owner: Option<&dyn Owner>) -> FunctionError {
    let advice = owner.and_then(|owner| owner.advice(error)).or_else(|| advice(error));
    let advice = advice.map(|advice| format!("\n\n{advice}")).unwrap_or_default();
    let text = format!("{}.\n\n{}{advice}", error.summary(), error.detail());
    let about_script = matches!(error.kind, ScriptErrorKind::Missing { .. }) || error.is_method_not_found();
    told(&text, about_script.then_some(argument::PATH))
}

/// What to do about it.
fn advice(error: &ScriptError) -> Option<String> {
    match &error.kind {
        ScriptErrorKind::Deno(_) => Some(
            "Functions run before the provider is configured, so `deno_binary_path` does not count for them. Install Deno \
             2 so that \"deno\" is on PATH, or set the environment variable DENOBRIDGE_DENO to its path."
                .to_owned(),
        ),
        ScriptErrorKind::PermissionDenied { .. } => Some(
            "Functions run before the provider is configured and have no permissions: they can only compute. To look \
             something up, use the data source denobridge_datasource, which has `permissions`."
                .to_owned(),
        ),
        ScriptErrorKind::Refused { .. } if error.is_method_not_found() => {
            Some("A script with functions has the method \"call\".".to_owned())
        }
        _ => error.advice(),
    }
}

/// Terraform puts the text into a sentence of its own, and ends that.
fn told(text: &str, argument: Option<usize>) -> FunctionError {
    let text = text.trim_end_matches('.');
    match argument {
        Some(argument) => argument_error(argument, text),
        None => FunctionError { text: text.to_owned(), argument: None },
    }
}

/// The errors in one text, about the argument that the first of them names.
fn of_diagnostics(diagnostics: Diagnostics) -> FunctionError {
    let errors: Vec<Diagnostic> =
        diagnostics.into_iter().filter(|diagnostic| diagnostic.severity == Severity::Error).collect();
    let text = errors.iter().map(|error| match error.detail.as_str() {
        "" => error.summary.clone(),
        detail => format!("{}: {detail}", error.summary),
    });
    told(&text.collect::<Vec<_>>().join("\n\n"), errors.first().and_then(position))
}

fn position(error: &Diagnostic) -> Option<usize> {
    let mut steps = error.attribute.steps().iter();
    match steps.next()? {
        PathStep::Attribute(name) if **name == *"path" => Some(argument::PATH),
        PathStep::Attribute(name) if **name == *"function" => Some(argument::FUNCTION),
        PathStep::Attribute(name) if **name == *"arguments" => match steps.next()? {
            PathStep::Index(index) => Some(argument::FIRST + usize::try_from(*index).ok()?),
            _ => None,
        },
        _ => None,
    }
}
