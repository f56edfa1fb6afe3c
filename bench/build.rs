//! Compiles the hosts' sides of the protocols, apart from the code that they measure.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=../proto/tfplugin6");
    println!("cargo:rerun-if-changed=../proto/pulumi");
    let descriptors = protox::compile(["tfplugin6/tfplugin6.proto"], ["../proto"])?;
    tonic_prost_build::configure().build_server(false).compile_fds(descriptors)?;
    let descriptors = protox::compile(["pulumi/provider.proto", "pulumi/engine.proto"], ["../proto"])?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
