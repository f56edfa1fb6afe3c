//! Compiles the protocol files without a system `protoc`.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=../proto");
    let files = ["pulumi/provider.proto", "pulumi/engine.proto", "pulumi/errors.proto", "google/rpc/status.proto"];
    let descriptors = protox::compile(files, ["../proto"])?;
    tonic_prost_build::configure()
        // Ordered maps make the encoding of a message deterministic.
        .btree_map(".")
        .build_transport(true)
        .compile_fds(descriptors)?;
    Ok(())
}
