//! Writes package schemas into a folder, one file each, for `cargo xtask languages`, which makes SDKs of them:
//! those of recorded providers, and packages made up to be hard on languages.
//!
//! `cargo run -p denobridge-sdk-gen --example schemas -- FOLDER`

// What it reads is recorded in this tree, and what cannot be read is told by the panic.
#![allow(missing_docs, clippy::expect_used, clippy::panic)]

#[path = "../tests/suite/golden.rs"]
mod golden;
#[path = "../tests/bridged/recorded.rs"]
mod recorded;
#[path = "../tests/bridged/wire.rs"]
mod wire;

use std::path::PathBuf;

use denobridge_sdk_gen::{Package, Repairs, SchemaError};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("which folder?")?);
    std::fs::create_dir_all(&folder)?;
    for package in packages()? {
        let file = folder.join(format!("{}.json", package.names.package));
        std::fs::write(file, package.schema.text())?;
    }
    Ok(())
}

fn packages() -> Result<Vec<Package>, SchemaError> {
    let mut packages = vec![golden::reserved_words()?, golden::values()?];
    // No package can be called `pulumi`.
    for word in golden::WORDS.into_iter().filter(|word| *word != "pulumi") {
        packages.push(golden::named(word)?);
    }
    packages.extend(recorded::PROVIDERS.map(|name| recorded::package(name, Repairs::all())));
    Ok(packages)
}
