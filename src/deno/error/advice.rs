//! What to do about each error.

use super::{Exit, Output, ScriptError, ScriptErrorKind};
use crate::deno::limits::setting;
use std::time::Duration;

impl ScriptError {
    /// What the user can do.
    pub fn advice(&self) -> Option<String> {
        use ScriptErrorKind as Kind;
        match &self.kind {
            Kind::Deno(error) => Some(error.advice()),
            Kind::Unreachable { is_remote: true, reason, .. } if reason.contains("certificate") => Some(
                "Its certificate is not trusted. If an authority of your own has signed it, have the operating system trust \
                 that, or on Linux name its file by the environment variable SSL_CERT_FILE."
                    .to_owned(),
            ),
            Kind::Unreachable { is_remote: true, .. } => Some(
                "Check `path` and `remote.url` in the provider configuration, and the way there: HTTPS_PROXY and NO_PROXY \
                 are heeded."
                    .to_owned(),
            ),
            Kind::Unreachable { .. } => None,
            Kind::NotAdmitted { .. } => Some("Set `remote.token` in the provider configuration.".to_owned()),
            Kind::Folder { .. } => Some("Set `path` to the script itself, such as \"scripts/main.ts\".".to_owned()),
            Kind::NoPath => Some(
                "Set `path` to the script: a path from the working directory, such as \"scripts/main.ts\", or an address \
                 (`https:`, `jsr:`, `npm:`)."
                    .to_owned(),
            ),
            Kind::UnknownTransport(_) => None,
            Kind::UnusablePath { .. } => Some("Check `path` and `config_file`.".to_owned()),
            Kind::Missing { .. } => Some("Check `path`: a relative one starts from the working directory.".to_owned()),
            Kind::NotStarted { .. } => {
                Some("Check `deno_binary_path`; it must be a Deno 2 for this machine.".to_owned())
            }
            kind if kind.is_http_script() => Some(
                "The script is written for `deno serve`: set `transport` to \"auto\" or \"http\" where the script is used, or \
                 in the provider configuration."
                    .to_owned(),
            ),
            Kind::EndedAtStart { exit: Exit { code: Some(0), .. }, .. } => {
                Some("A script must go on reading messages from its standard input until \"shutdown\".".to_owned())
            }
            // Deno's words for a permission that it does not know.
            Kind::EndedAtStart { output, .. }
                if output.stderr.iter().any(|line| PERMISSION_FLAGS.iter().any(|flag| line.contains(flag))) =>
            {
                Some(
                    "Check `permissions`: an entry is the name of a Deno permission without dashes, such as \"read\", \
                     \"net=example.com:443\" or \"env=HOME\"."
                        .to_owned(),
                )
            }
            Kind::EndedAtStart { output, .. } | Kind::Ended { output, .. } if finds_disk_full(output) => Some(
                "There is no room left where Deno keeps what it downloads. Make room there, or have the environment variable \
                 DENO_DIR name a folder on another disk, and run the same command again."
                    .to_owned(),
            ),
            Kind::EndedAtStart { .. } | Kind::Ended { .. } | Kind::OutputClosed { .. } => None,
            Kind::StartTimeout { .. } => Some(format!(
                "Check that the script reads messages from its standard input. If it only needs longer, raise `{}` in the provider's `limits`.",
                setting::START
            )),
            Kind::NotConfigured { reason } => self.of_configure(reason).advice().or_else(|| {
                Some("The provider's `config` and `sensitive_config` are what scripts are configured with.".to_owned())
            }),
            Kind::NotServing { .. } => Some("Let the script answer GET /health with status 204.".to_owned()),
            Kind::NotHealthy { .. } => Some("Correct the script's \"health\" method.".to_owned()),
            // Whoever cancelled it knows why, and says so.
            Kind::CallTimeout { cancelled: true, .. } => None,
            Kind::CallTimeout { of_call: true, .. } => {
                Some("If the script only needs longer, raise the time limit of this operation.".to_owned())
            }
            Kind::CallTimeout { .. } => {
                Some(format!("If the script only needs longer, raise `{}` in the provider's `limits`.", setting::CALL))
            }
            Kind::Refused { .. } => None,
            Kind::PermissionDenied { denied, .. } => Some(format!(
                "If the script may do this, add \"{}\" to `permissions.allow` (Deno's flag {}).",
                denied.allow_entry(),
                denied.flag()
            )),
            Kind::BrokenAnswer { .. } => Some(
                "Write nothing but JSON-RPC messages to standard output; use console.error for everything else."
                    .to_owned(),
            ),
            Kind::TooLarge { .. } => {
                Some(format!("Return less, or raise `{}` in the provider's `limits`.", setting::MESSAGE_BYTES))
            }
            Kind::Cancelled { grace: Duration::ZERO } | Kind::ShutDown => None,
            Kind::Cancelled { .. } => Some(format!(
                "If the script needs longer to come to an end, raise `{}` in the provider's `limits`.",
                setting::STOP
            )),
        }
    }
}

/// How Deno refuses what `permissions` became on its command line.
const PERMISSION_FLAGS: [&str; 2] = ["unexpected argument '--allow-", "unexpected argument '--deny-"];

/// Whether Deno could not keep a module that it has downloaded: the operating system's words for a disk, a quota or a file
/// that is full, on Unix and on Windows. What a script itself could not write is its own affair.
fn finds_disk_full(output: &Output) -> bool {
    const FULL: [&str; 4] = ["(os error 28)", "(os error 122)", "(os error 27)", "(os error 112)"];
    let caching = output.stderr.iter().any(|line| line.contains("Failed caching"));
    caching && output.stderr.iter().any(|line| FULL.iter().any(|words| line.contains(words)))
}
