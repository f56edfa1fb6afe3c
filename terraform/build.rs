//! Compiles the protocol files without a system `protoc`.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=../proto");
    let files = ["tfplugin6/tfplugin6.proto", "plugin/plugin.proto", "grpc/health/v1/health.proto"];
    let descriptors = protox::compile(files, ["../proto"])?;
    tonic_prost_build::configure()
        // Ordered maps make the encoding of a message deterministic; `Bytes` share the receive buffer instead of copying.
        .btree_map(".")
        .bytes(".")
        .compile_fds(descriptors)?;
    Ok(())
}
