//! The provider's configuration, read.

use std::sync::Arc;
use std::time::Duration;

use denobridge_core::Diagnostic;
use denobridge_core::cty::{self, Value};

use super::configuration;
use crate::deno::install::Source;
use crate::deno::limits::setting;
use crate::deno::{
    Configuration, Deno, DenoSource, FindError, Inherited, Limits, Remote, ScriptSpec, Search, Transport, VersionWish,
};

/// The provider's configuration.
pub(crate) struct Settings {
    /// How scripts are run; what is the same for all of them.
    pub script: ScriptSpec,
    /// Whether something about that is not known before apply, so that no script can be asked anything.
    pub is_unknown: bool,
    /// Bounds on scripts.
    pub limits: Limits,
    /// What scripts are told.
    pub configuration: Configuration,
}

/// Names a mirror of Deno's releases when the configuration does not.
const MIRROR_VARIABLE: &str = "DENOBRIDGE_DENO_MIRROR";

/// What must be known for a script to be run.
const ESSENTIAL: [&str; 8] = [
    "deno_binary_path",
    "deno_version",
    "deno_download",
    "deno_mirror",
    "inherit_environment",
    "fresh_processes",
    "transport",
    "remote",
];

impl Settings {
    /// Reads a configuration of the provider's schema. Nothing is looked for: that there is no Deno is an error only once
    /// a script is to run.
    pub fn read(config: &Value) -> Result<Self, Diagnostic> {
        let limits = read_limits(config)?;
        let is_unknown =
            ESSENTIAL.iter().any(|name| config.attribute(name).is_some_and(|value| !value.is_wholly_known()));
        let deno = match is_unknown {
            true => Deno::from(FindError::Unknown),
            false => read_search(config, &limits)?.into(),
        };
        let script = ScriptSpec {
            inherited: read_inherited(config),
            fresh: flag(config, "fresh_processes").unwrap_or(false),
            transport: read_transport(config)?,
            remote: read_remote(config)?.map(Arc::new),
            ..ScriptSpec::new(deno, "")
        };
        Ok(Self { script, is_unknown, limits, configuration: configuration::for_scripts(config) })
    }
}

fn text<'v>(object: &'v Value, name: &str) -> Option<&'v str> {
    object.attribute(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn flag(object: &Value, name: &str) -> Option<bool> {
    object.attribute(name).and_then(Value::as_bool)
}

fn read_search(config: &Value, limits: &Limits) -> Result<Search, Diagnostic> {
    let version = VersionWish::parse(text(config, "deno_version")).map_err(|error| {
        Diagnostic::error(error.summary(), format!("{error}.\n\n{}", error.advice()))
            .at(cty::Path::root().attribute("deno_version"))
    })?;
    let from_environment = std::env::var(MIRROR_VARIABLE).ok();
    let mirror = text(config, "deno_mirror").or(from_environment.as_deref());
    let allowed = flag(config, "deno_download").unwrap_or(true);
    Ok(Search {
        source: DenoSource::from_environment(text(config, "deno_binary_path")),
        version,
        download: allowed.then(|| Source::new(mirror)),
        download_limit: limits.download,
        ..Search::from_environment()
    })
}

fn read_inherited(config: &Value) -> Inherited {
    let Some(names) = config.attribute("inherit_environment").and_then(Value::as_elements) else {
        return Inherited::All;
    };
    Inherited::Only(names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

fn read_transport(config: &Value) -> Result<Transport, Diagnostic> {
    Transport::parse(text(config, "transport")).map(Option::unwrap_or_default).map_err(|error| {
        Diagnostic::error("Unknown transport", format!("{error}.")).at(cty::Path::root().attribute("transport"))
    })
}

fn read_remote(config: &Value) -> Result<Option<Remote>, Diagnostic> {
    let Some(given) = config.attribute("remote") else { return Ok(None) };
    let Some(url) = text(given, "url") else { return Ok(None) };
    Remote::new(url, text(given, "token")).map(Some).map_err(|error| {
        let path = cty::Path::root().attribute("remote").attribute("url");
        Diagnostic::error("Invalid address of remote scripts", format!("`remote.url` {error}.")).at(path)
    })
}

fn read_limits(config: &Value) -> Result<Limits, Diagnostic> {
    let mut limits = Limits::default();
    let Some(given) = config.attribute("limits").filter(|value| value.is_known() && !value.is_null()) else {
        return Ok(limits);
    };
    let seconds = |name, into: &mut Duration| -> Result<(), Diagnostic> {
        if let Some(number) = number(given, name)? {
            *into = duration(name, number, "0.001 or more", |number| number >= 0.001)?;
        }
        Ok(())
    };
    seconds(setting::START, &mut limits.start)?;
    seconds(setting::STOP, &mut limits.stop)?;
    seconds(setting::IDLE, &mut limits.idle)?;
    seconds(setting::DOWNLOAD, &mut limits.download)?;
    if let Some(number) = number(given, setting::CALL)? {
        let limit = duration(setting::CALL, number, "0 (no limit) or more", |number| number >= 0.0)?;
        limits.call = (!limit.is_zero()).then_some(limit);
    }
    if let Some(bytes) = count(given, setting::MESSAGE_BYTES)? {
        limits.message_bytes = bytes;
    }
    if let Some(processes) = count(given, setting::PROCESSES)? {
        limits.processes = processes;
    }
    Ok(limits)
}

/// A number that is set and known. An unknown one leaves the default, which can only be generous while planning.
fn number<'v>(limits: &'v Value, name: &str) -> Result<Option<&'v cty::Number>, Diagnostic> {
    Ok(limits.attribute(name).and_then(Value::as_number))
}

/// The longest time limit, in seconds: what is longer than thirty years is a slip of the pen.
const LONGEST: f64 = 1e9;

fn duration(
    name: &str,
    number: &cty::Number,
    wanted: &str,
    fits: impl Fn(f64) -> bool,
) -> Result<Duration, Diagnostic> {
    let seconds = number.to_f64();
    let duration = Some(seconds).filter(|seconds| fits(*seconds) && *seconds <= LONGEST);
    let duration = duration.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| wrong(name, &format!("must be {wanted} and at most {LONGEST}, in seconds")))
}

fn count(limits: &Value, name: &str) -> Result<Option<usize>, Diagnostic> {
    let Some(number) = number(limits, name)? else { return Ok(None) };
    let count = number.to_i64().and_then(|count| usize::try_from(count).ok()).filter(|count| *count > 0);
    count.map(Some).ok_or_else(|| wrong(name, "must be a whole number above 0"))
}

fn wrong(name: &str, what: &str) -> Diagnostic {
    Diagnostic::error("Invalid limit", format!("`limits.{name}` {what}."))
        .at(cty::Path::root().attribute("limits").attribute(name))
}
