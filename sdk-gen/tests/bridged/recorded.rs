//! Recorded providers. `examples/schemas.rs` reads them too.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use denobridge_sdk_gen::{BasePlugin, BridgedOptions, Package, Repairs, generate_bridged};
use flate2::read::GzDecoder;

use crate::wire::provider_schema;

/// What they are called, the largest last.
pub const PROVIDERS: [&str; 5] = ["time", "random", "tls", "local", "aws"];

/// A recorded file, which is packed if it is large.
pub fn recorded(name: &str, file: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bridged/data").join(name);
    let packed: PathBuf = folder.join(format!("{file}.gz"));
    if !packed.exists() {
        return std::fs::read(folder.join(file)).expect("a recorded file");
    }
    let mut content = Vec::new();
    let bytes = std::fs::read(packed).expect("a recorded file");
    GzDecoder::new(bytes.as_slice()).read_to_end(&mut content).expect("a packed file");
    content
}

/// The package that we make of a recorded provider.
pub fn package(name: &str, repairs: Repairs) -> Package {
    let parameter = format!(r#"{{"local":{{"path":"./bin/terraform-provider-{name}"}}}}"#).into_bytes();
    let base = BasePlugin { name: "terraform-provider".to_owned(), version: "0.0.0-dev".to_owned(), parameter };
    let options = BridgedOptions { parameterization: Some(base), repairs, ..BridgedOptions::new(name, "0.0.0") };
    let protocol = if recorded(name, "protocol").starts_with(b"5") { 5 } else { 6 };
    let schema = provider_schema(&recorded(name, "provider-schema.pb"), protocol);
    generate_bridged(&schema, &options).expect("a package")
}
