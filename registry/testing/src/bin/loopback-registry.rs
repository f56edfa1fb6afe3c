//! A registry for tests that are scripts, and for trying things by hand.
//!
//! ```sh
//! loopback-registry FOLDER NAMESPACE/TYPE VERSION EXECUTABLE [NAMESPACE/TYPE VERSION EXECUTABLE]… &
//! ```
//!
//! Publishes the providers, signed, for this platform. When `FOLDER/host` is there it is ready: the file holds
//! `localhost:PORT`, and `FOLDER/ca.pem` is for `SSL_CERT_FILE`. Ends when its standard input does.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use denobridge_registry_testing::{Authority, Package, Registry, SigningKey};

#[tokio::main]
async fn main() -> io::Result<()> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let usage = || io::Error::other("usage: loopback-registry FOLDER [NAMESPACE/TYPE VERSION EXECUTABLE]…");
    let folder = arguments.next().ok_or_else(usage)?;
    let rest: Vec<PathBuf> = arguments.collect();
    let authority = Authority::new();
    let registry = Registry::start(&authority).await;
    let key = SigningKey::new();
    for provider in rest.chunks(3) {
        let [name, version, executable] = provider else { return Err(usage()) };
        let package = Package::new(&name.to_string_lossy(), &version.to_string_lossy());
        registry.publish(&package.executable_from(executable), &[&key]);
    }
    fs::write(folder.join("ca.pem"), authority.certificate())?;
    put(&folder.join("host"), &registry.host())?;
    tokio::task::spawn_blocking(|| io::copy(&mut io::stdin(), &mut io::sink())).await??;
    Ok(())
}

/// Whole, or not there.
fn put(path: &Path, text: &str) -> io::Result<()> {
    let aside = path.with_extension("new");
    fs::write(&aside, text)?;
    fs::rename(aside, path)
}
