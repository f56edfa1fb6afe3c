//! The tests' provider as a plugin of its own, for tests of the process and for trying the door with a real engine.

#[allow(dead_code, unused_imports, clippy::all, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#[path = "../tests/door/provider.rs"]
mod provider;

use std::sync::Arc;

use denobridge_pulumi::{Options, engine_address, serve};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let source = Arc::new(provider::Source { demo: Arc::default(), reencoded: false });
    serve(Options::new("1.2.3", engine_address(&arguments)), source).await?;
    Ok(())
}
