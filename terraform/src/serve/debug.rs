//! Debug mode: a person starts the provider, perhaps under a debugger, and hosts are told where it is.

use std::io::Write as _;
use std::sync::Arc;

use denobridge_core::Provider;
use denobridge_core::call::LogLevel;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::connection::OpenConnections;
use super::environment::HostEnvironment;
use super::log::HostLog;
use super::provider6::{ProviderService, Rerun};
use super::socket::{Address, Listener};
use super::{ServeError, ServeOptions, Served, ending, panic, run, variable};

/// Serves `provider` without TLS and cookie until an interrupt, and prints what to put into the environment of Terraform.
///
/// One process then serves every command, every walk of the graph and every provider configuration, so the provider is
/// configured many times. Must run within a Tokio runtime.
///
/// # Errors
/// Nothing could be listened on, standard output is closed, or the server failed.
pub async fn serve_debug(provider: Arc<dyn Provider>, options: ServeOptions) -> Result<(), ServeError> {
    panic::print_as_crashes();
    let listener = Listener::open(&HostEnvironment::default()).await?;
    let ending = CancellationToken::new();
    ending::end_on_interrupt(ending.clone());
    ending::end_on_termination(ending.clone());

    // There is no handshake in which the host could say what it speaks.
    let version = options.versions().into_iter().max().unwrap_or_default();
    let reattach = reattach(&options.address, version, listener.address(), std::process::id());
    let instructions = instructions(&reattach);
    let printed = std::io::stdout().lock().write_all(instructions.as_bytes());
    printed.map_err(|error| ServeError::Handshake { message: error.to_string() })?;

    let log = Arc::new(HostLog::from_environment(options.provider_type(), Some(LogLevel::Info), variable));
    let service = ProviderService::new(provider, log, Rerun::Allowed);
    let served = Served { protocol: version, statuses: options.statuses, farewell: None };
    run(service, served, listener, None, ending, OpenConnections::default()).await
}

/// `Test` keeps Terraform from ending the process, and from crashing: 1.11 does when it is false with protocol 6.
fn reattach(provider_address: &str, version: u32, address: &Address, process: u32) -> String {
    json!({
        provider_address: {
            "Protocol": "grpc",
            "ProtocolVersion": version,
            "Pid": process,
            "Test": true,
            "Addr": { "Network": address.network(), "String": address.text() },
        }
    })
    .to_string()
}

fn instructions(reattach: &str) -> String {
    let set = if cfg!(windows) {
        format!("\t$env:TF_REATTACH_PROVIDERS='{}'", reattach.replace('\'', "''"))
    } else {
        format!("\tTF_REATTACH_PROVIDERS='{}'", reattach.replace('\'', r"'\''"))
    };
    format!(
        "The provider is running. To use it, set this in the environment of Terraform or OpenTofu:\n\n{set}\n\n\
         It ends with Ctrl-C.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reattach_has_what_terraform_reads() {
        let text = reattach("registry.terraform.io/x/tiny", 6, &Address::Unix("/tmp/p/socket".into()), 42);
        assert_eq!(
            text,
            r#"{"registry.terraform.io/x/tiny":{"Protocol":"grpc","ProtocolVersion":6,"Pid":42,"Test":true,"Addr":{"Network":"unix","String":"/tmp/p/socket"}}}"#
        );
    }

    #[cfg(unix)]
    #[test]
    fn the_line_can_be_pasted_into_a_shell() {
        let text = instructions(r#"{"it's":1}"#);
        assert!(text.contains("\n\tTF_REATTACH_PROVIDERS='{\"it'\\''s\":1}'\n"), "{text}");
    }
}
