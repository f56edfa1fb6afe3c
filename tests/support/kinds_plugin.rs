//! A Pulumi plugin with a component of every kind, written with the framework: this test program under another name.

// The tests of the door look at the journal in memory, and stop at the first wrong thing.
#[allow(dead_code, clippy::expect_used, clippy::unwrap_used, clippy::panic)]
#[path = "../../pulumi/tests/door/kinds_provider.rs"]
mod kinds_provider;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use denobridge_core::Provider;
use denobridge_core::provider::Layered;
use denobridge_core::provider::reencode::Reencode;
use kinds_provider::Journal;

/// What the plugin is called.
pub const NAME: &str = "kinds";

/// Serves the engine that has started this process.
pub fn run() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn serve() -> Result<()> {
    let journal = Journal::from_environment();
    let mut provider: Arc<dyn Provider> = kinds_provider::provider(&journal)?;
    if std::env::var_os("DENOBRIDGE_REENCODE").is_some() {
        provider = Arc::new(Layered(Reencode::new(provider)));
    }
    Ok(denobridge_pulumi::plugin(NAME, "1.2.3").serve(provider).await?)
}
