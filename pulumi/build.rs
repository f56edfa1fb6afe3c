//! Compiles the protocol files without a system `protoc`.

use std::error::Error;

use prost::Message as _;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=../proto");
    let files = ["pulumi/provider.proto", "pulumi/engine.proto", "pulumi/errors.proto", "google/rpc/status.proto"];
    let descriptors = protox::compile(files, ["../proto"])?;
    // What recordings are read by.
    let folder = std::env::var_os("OUT_DIR").ok_or("there is no OUT_DIR")?;
    std::fs::write(std::path::Path::new(&folder).join("descriptors.bin"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure()
        // Ordered maps make the encoding of a message deterministic.
        .btree_map(".")
        // prost's own takes too little nesting.
        .extern_path(".google.protobuf.Struct", "crate::proto::Struct")
        .build_transport(true)
        .compile_fds(descriptors)?;
    Ok(())
}
