//! The provider's configuration, read.

use std::path::{Path, PathBuf};
use std::time::Duration;

use denobridge_core::Diagnostic;
use denobridge_core::cty::{self, Value};

use super::configuration;
use crate::deno::limits::setting;
use crate::deno::{Configuration, DenoSource, FindError, Limits};

/// The provider's configuration.
pub(super) struct Settings {
    /// Where Deno is. That there is none is an error only once a script is to run.
    pub deno: Deno,
    /// The version asked for, without `v`; `None` for any.
    version: Option<String>,
    /// Bounds on scripts.
    pub limits: Limits,
    /// What scripts are told.
    pub configuration: Configuration,
}

/// Where Deno is.
#[derive(Clone)]
pub(super) enum Deno {
    /// It was found.
    Found(PathBuf),
    /// It was not.
    NotFound(FindError),
    /// The configuration names one that is not known before apply.
    Unknown,
}

impl Settings {
    /// Reads a configuration of the provider's schema.
    pub fn read(config: &Value) -> Result<Self, Diagnostic> {
        let configured = config.attribute("deno_binary_path").filter(|value| !value.is_null());
        let deno = match configured {
            Some(value) if !value.is_known() => Deno::Unknown,
            value => match DenoSource::from_environment(value.and_then(Value::as_str)).find() {
                Ok(path) => Deno::Found(path),
                Err(error) => Deno::NotFound(error),
            },
        };
        let version = config.attribute("deno_version").and_then(Value::as_str);
        let version = version.filter(|version| configured.is_none() && !matches!(*version, "" | "latest"));
        Ok(Self {
            deno,
            version: version.map(|version| version.trim_start_matches('v').to_owned()),
            limits: read_limits(config)?,
            configuration: configuration::for_scripts(config),
        })
    }

    /// Whether the Deno that was found is the one asked for.
    pub async fn check_version(&self) -> Option<Diagnostic> {
        let (Some(wanted), Deno::Found(path)) = (&self.version, &self.deno) else { return None };
        let found = match version_of(path).await {
            Ok(version) => version,
            Err(reason) => {
                return Some(about_version(format!("{} does not tell its version: {reason}.", path.display())));
            }
        };
        (found != *wanted).then(|| {
            about_version(format!(
                "The configuration asks for Deno {wanted}, and {} is Deno {found}. Install Deno {wanted}, set \
                 `deno_binary_path` to where it is, or change `deno_version`.",
                path.display()
            ))
        })
    }
}

fn about_version(detail: String) -> Diagnostic {
    Diagnostic::error("Deno has another version", detail).at(cty::Path::root().attribute("deno_version"))
}

/// `deno --version` starts with a line such as `deno 2.1.4 (stable, release, x86_64-unknown-linux-gnu)`.
async fn version_of(program: &Path) -> Result<String, String> {
    let output = tokio::process::Command::new(program)
        .arg("--version")
        .stdin(std::process::Stdio::null())
        .output()
        .await
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.split_whitespace().nth(1).filter(|_| text.starts_with("deno "));
    version.map(str::to_owned).ok_or_else(|| "`--version` gives no version".to_owned())
}

fn read_limits(config: &Value) -> Result<Limits, Diagnostic> {
    let mut limits = Limits::default();
    let Some(given) = config.attribute("limits").filter(|value| value.is_known() && !value.is_null()) else {
        return Ok(limits);
    };
    let seconds = |name, into: &mut Duration| -> Result<(), Diagnostic> {
        if let Some(number) = number(given, name)? {
            *into = duration(name, number, "at least a thousandth of a second", |number| number >= 0.001)?;
        }
        Ok(())
    };
    seconds(setting::START, &mut limits.start)?;
    seconds(setting::STOP, &mut limits.stop)?;
    seconds(setting::IDLE, &mut limits.idle)?;
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

fn duration(
    name: &str,
    number: &cty::Number,
    wanted: &str,
    fits: impl Fn(f64) -> bool,
) -> Result<Duration, Diagnostic> {
    let seconds = number.to_f64();
    let duration = Some(seconds).filter(|seconds| fits(*seconds)).and_then(|s| Duration::try_from_secs_f64(s).ok());
    duration.ok_or_else(|| wrong(name, &format!("must be {wanted}, in seconds")))
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
