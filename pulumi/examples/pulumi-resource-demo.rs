//! The tests' provider as a plugin of its own, for tests of the process and for trying the door with a real engine.

#[allow(dead_code, unused_imports, clippy::all, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#[path = "../tests/door/provider.rs"]
mod provider;

use std::sync::Arc;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), denobridge_pulumi::ServeError> {
    denobridge_pulumi::plugin("demo", "1.2.3").serve(Arc::new(provider::Demo::default())).await
}
