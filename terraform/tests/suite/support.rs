//! The provider under test, and its values.

use std::path::Path;
use std::process::Stdio;

use denobridge_core::cty::{Type, Value};
pub use denobridge_raw_client::{COOKIE, ClientCertificate, LIMIT, Plugin, client, soon, texts, value, wire};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// The provider under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_terraform-provider-tiny");

/// Starts the provider in debug mode, in that folder. The text is what it wants in `TF_REATTACH_PROVIDERS`.
pub async fn start_debug(folder: &Path) -> (Child, String) {
    let mut server = Command::new(PROGRAM)
        .arg("--debug")
        .current_dir(folder)
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    loop {
        let line = soon("the instructions", lines.next_line()).await.unwrap().expect("the instructions");
        if let Some(setting) = line.trim().strip_prefix("TF_REATTACH_PROVIDERS='") {
            return (server, setting.trim_end_matches('\'').to_owned());
        }
    }
}

/// The type of the provider's resources.
pub fn note_type() -> Type {
    Type::object(["id", "path", "text"].map(|name| (name, Type::String)))
}

/// A resource that is to be created.
pub fn note(path: &str, text: &str) -> Value {
    Value::object([("id", Value::unknown(Type::String)), ("path", Value::string(path)), ("text", Value::string(text))])
}
