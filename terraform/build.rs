//! Compiles the protocol files without a system `protoc`.

use std::error::Error;

use prost::Message as _;

#[path = "src/proto/shared.rs"]
mod shared;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=../proto");
    println!("cargo:rerun-if-changed=src/proto/shared.rs");
    let files = [
        "tfplugin5/tfplugin5.proto",
        "tfplugin6/tfplugin6.proto",
        "plugin/plugin.proto",
        "grpc/health/v1/health.proto",
    ];
    let descriptors = protox::compile(files, ["../proto"])?;
    let mut config = tonic_prost_build::configure()
        // Ordered maps make the encoding of a message deterministic; `Bytes` share the receive buffer instead of copying.
        .btree_map(".")
        .bytes(".");
    for (of_5, of_6) in shared::SHARED_MESSAGES {
        config = config.extern_path(format!(".tfplugin5.{of_5}"), rust_path(of_6));
    }
    // What recordings and logs are read by.
    let folder = std::env::var_os("OUT_DIR").ok_or("there is no OUT_DIR")?;
    std::fs::write(std::path::Path::new(&folder).join("descriptors.bin"), descriptors.encode_to_vec())?;
    config.compile_fds(descriptors)?;
    Ok(())
}

/// Where the code generator puts a message of protocol 6: nested messages live in a module of their parent's name.
fn rust_path(message: &str) -> String {
    let module = |parent: &str| {
        let mut name = String::new();
        for (index, letter) in parent.char_indices() {
            if letter.is_ascii_uppercase() && index > 0 {
                name.push('_');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    };
    match message.split_once('.') {
        Some((parent, nested)) => format!("crate::proto::tfplugin6::{}::{nested}", module(parent)),
        None => format!("crate::proto::tfplugin6::{message}"),
    }
}
