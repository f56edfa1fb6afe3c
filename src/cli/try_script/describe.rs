//! `denobridge try SCRIPT schema`: what a script says of itself, found out as for a typed package.

use std::path::PathBuf;

use denobridge_core::call::Call;
use tokio_util::sync::CancellationToken;

use super::arguments::Arguments;
use super::printer::Printer;
use crate::deno::DenoSource;
use crate::deno::command::Location;
use crate::deno::command::NO_CONFIG;
use crate::deno::program::Search;
use crate::typed::{Collector, CollectorOptions, Outcome};

/// As for a package, but each time anew, and with the Deno that is named.
pub(super) fn collector(arguments: &Arguments) -> Result<Collector, String> {
    let mut options = CollectorOptions::from_environment().map_err(|error| error.to_string())?;
    options.cache = None;
    if let Some(deno) = arguments.deno.as_deref() {
        let source = DenoSource::from_environment(Some(deno));
        options.deno = Search { source, ..Search::from_environment() }.into();
    }
    Ok(Collector::new(options))
}

/// Shows the description, as JSON; false if there is none.
pub(super) async fn show(
    arguments: &Arguments,
    collector: Result<Collector, String>,
    printer: &Printer,
    stop: &CancellationToken,
) -> Result<bool, String> {
    let (collector, call) = (collector?, Call::new().with_cancellation(stop.clone()));
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let config_file = arguments.config_file.as_deref();
    let script = &arguments.script;
    let collected = match Location::parse(script, &here).map_err(|error| error.to_string())? {
        Location::Remote(address) => {
            let config_file = config_file.filter(|path| *path != NO_CONFIG).map(|path| here.join(path));
            collector.collect_remote(&call, config_file.as_deref(), &[address]).await
        }
        Location::File(path) => {
            let folder = path.parent().map_or_else(PathBuf::new, PathBuf::from);
            let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            // The setting starts from where we are, not from where the script is.
            let config_file = config_file.map(|path| here.join(path).display().to_string());
            collector.collect(&call, &folder, config_file.as_deref(), &[file]).await
        }
    };
    match collected.map_err(|error| error.to_string())?.into_iter().next().map(|script| script.outcome) {
        Some(Outcome::Described(description)) => {
            let text = serde_json::to_string_pretty(&description).map_err(|error| error.to_string())?;
            printer.text(&text);
            Ok(true)
        }
        Some(Outcome::Undescribed) => Err(format!(
            "{script} does not say what it is: it has no method `schema`. With the authoring library, give its provider schemas"
        )),
        Some(Outcome::NotAScript) | None => Err(format!("{script} is no script: it serves nothing")),
        Some(Outcome::Failed(reason)) => Err(format!("{script}: {reason}")),
    }
}
