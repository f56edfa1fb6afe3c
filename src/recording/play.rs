//! Plays what one process has recorded: the tool's calls come again, and the provider's answers are those that it gave.

use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::provider::{GetProviderSchemaRequest, GetProviderSchemaResponse};
use denobridge_core::recording::{Difference, differences};
use denobridge_core::{Call, Provider};
use denobridge_pulumi::{Options, PackageError, PackageSource, Parameter, Player, ServedPackage};
use denobridge_terraform::recording::go_log::Log;
use denobridge_terraform::recording::replay;
use denobridge_terraform::recording::{Host, Tape, Unknown, recorded_schema};
use serde_json::{Value as Json, json};

use super::read::Process;
use crate::bridged::{AnyProvider, PluginIdentity, RecordedPackage};
use crate::packages::{VERSION, scripts_package};
use crate::scripted::{self, PROVIDER_NAME, Runtime, ScriptedOptions};
use crate::typed::RecordedScripts;

/// What became of one call of the tool.
#[derive(Debug)]
pub struct CallOutcome {
    /// The protocol's name of the procedure.
    pub procedure: String,
    /// What it was about.
    pub about: String,
    /// What the provider was asked for, and was not when this was recorded.
    pub unknown: Vec<Unknown>,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a call.
#[derive(Debug)]
pub enum Outcome {
    /// The answer is the recorded one.
    Same,
    /// The answer differs there.
    Different(Vec<Difference>),
    /// The call is one that cannot be played.
    NotPlayed,
}

impl Outcome {
    fn of(differences: Option<Vec<Difference>>) -> Self {
        match differences {
            None => Self::NotPlayed,
            Some(found) if found.is_empty() => Self::Same,
            Some(found) => Self::Different(found),
        }
    }
}

/// Plays all calls of the tool, in the order in which they began: those of the Pulumi engine, or, where there are none, those
/// of Terraform. The result is how many recorded answers of the provider were not asked for.
///
/// # Errors
/// The recording cannot be played; says why.
pub async fn play(process: &Process, each: impl FnMut(CallOutcome)) -> Result<usize, String> {
    let tape = Arc::new(tape(process).await?);
    if process.door.is_empty() {
        let schema = process.package.is_none().then(|| tape.schema().clone());
        let provider = replay::provider(PROVIDER_NAME, Arc::clone(&tape), schema);
        play_to_terraforms_door(tape, provider, each).await
    } else {
        play_to_pulumis_door(process, tape, each).await
    }
}

/// Plays a log of the Go bridge, which has the provider's side only: what it asked, our door is asked, and has to pass on.
///
/// # Errors
/// The log cannot be played; says why.
pub async fn play_log(log: Log, each: impl FnMut(CallOutcome)) -> Result<usize, String> {
    let tape = Arc::new(Tape::of_go_log(log)?);
    let provider = replay::provider("the provider of the log", Arc::clone(&tape), None);
    play_to_terraforms_door(tape, provider, each).await
}

async fn play_to_terraforms_door(
    tape: Arc<Tape>,
    provider: Arc<dyn Provider>,
    mut each: impl FnMut(CallOutcome),
) -> Result<usize, String> {
    let host = Host::new(Arc::clone(&tape), provider);
    for call in tape.calls() {
        let asked = host.ask(call).await;
        let asked = asked.map_err(|error| format!("{} cannot be played: {error}", call.procedure))?;
        each(CallOutcome {
            procedure: call.procedure.clone(),
            about: call.resource.clone().unwrap_or_default(),
            unknown: tape.take_unknown(),
            outcome: Outcome::of(asked),
        });
    }
    Ok(tape.unused())
}

async fn play_to_pulumis_door(
    process: &Process,
    tape: Arc<Tape>,
    mut each: impl FnMut(CallOutcome),
) -> Result<usize, String> {
    let plugin = process.plugin.clone().unwrap_or_else(this_plugin);
    let options = Options::new(&plugin.name, &plugin.version, None);
    let (package, scripts) = (process.package.clone(), process.scripts.clone());
    let source = Arc::new(Recorded { plugin, package, scripts, tape: Arc::clone(&tape) });
    let player = Player::new(options, source);
    for call in &process.door {
        let played = player.play(&call.procedure, &call.request).await;
        let played = played.map_err(|error| format!("{} cannot be played: {error}", call.procedure))?;
        each(CallOutcome {
            procedure: call.procedure.clone(),
            about: call.about.clone(),
            unknown: tape.take_unknown(),
            outcome: Outcome::of(played.map(|answer| compared(&call.answer, &answer))),
        });
    }
    Ok(tape.unused())
}

fn compared(recorded: &Result<Json, Json>, now: &Result<Json, Json>) -> Vec<Difference> {
    let as_one = |answer: &Result<Json, Json>| match answer {
        Ok(response) => json!({"response": response}),
        Err(error) => json!({"error": error}),
    };
    differences(&as_one(recorded), &as_one(now))
}

fn this_plugin() -> PluginIdentity {
    PluginIdentity { name: PROVIDER_NAME.to_owned(), version: VERSION.to_owned() }
}

/// The provider's answers. What our own provider's schema is, this version knows better than the recording.
async fn tape(process: &Process) -> Result<Tape, String> {
    let schema = match (&process.package, process.schemas.get("GetProviderSchema")) {
        (None, _) => match &process.scripts {
            Some(scripts) => scripts.schema(&Call::new()).await?,
            None => embedded_schema().await?,
        },
        (Some(_), Some(schema)) => {
            let identities = process.schemas.get("GetResourceIdentitySchemas");
            recorded_schema(schema, identities).map_err(|error| format!("the schema cannot be read: {error}"))?
        }
        (Some(package), None) => return Err(format!("the schema of {} was not recorded", package.title)),
    };
    Ok(Tape::new(schema, process.seam.clone()))
}

/// The packages of the process that was recorded, with the recorded answers instead of a provider.
struct Recorded {
    plugin: PluginIdentity,
    package: Option<RecordedPackage>,
    scripts: Option<RecordedScripts>,
    tape: Arc<Tape>,
}

#[async_trait]
impl PackageSource for Recorded {
    async fn resolve(&self, call: &Call, parameter: Parameter) -> Result<ServedPackage, PackageError> {
        if parameter == Parameter::None && self.plugin.name == PROVIDER_NAME {
            let schema = embedded_schema().await.map_err(PackageError::Unavailable)?;
            let provider = replay::provider(PROVIDER_NAME, Arc::clone(&self.tape), Some(schema));
            return scripts_package(call, provider).await;
        }
        if let Some(scripts) = &self.scripts {
            let schema = self.tape.schema().clone();
            let provider = replay::provider("the package of scripts", Arc::clone(&self.tape), Some(schema));
            return scripts.served(call, &self.plugin, provider).await;
        }
        match (&parameter, &self.package) {
            (Parameter::None, _) => AnyProvider::package(&self.plugin),
            (_, Some(package)) => {
                let provider = replay::provider(&package.title, Arc::clone(&self.tape), None);
                package.served(call, &self.plugin, provider).await
            }
            (_, None) => Err(PackageError::InvalidParameter("no package was recorded".to_owned())),
        }
    }
}

async fn embedded_schema() -> Result<GetProviderSchemaResponse, String> {
    let provider = scripted::provider(ScriptedOptions { runtime: Runtime::default(), deno: None });
    let provider = provider.map_err(|error| error.to_string())?;
    let schema = provider.get_provider_schema(&Call::new(), GetProviderSchemaRequest {}).await;
    schema.map_err(|error| error.to_string())
}
