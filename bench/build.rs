//! Compiles the host's side of protocol 6, apart from the code that it measures.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=../proto/tfplugin6");
    let descriptors = protox::compile(["tfplugin6/tfplugin6.proto"], ["../proto"])?;
    tonic_prost_build::configure().build_server(false).compile_fds(descriptors)?;
    Ok(())
}
