//! TypeScript: all SDKs by one run of its compiler, so that the library they share is read once.

use anyhow::{Context, Result};
use serde_json::json;

use super::{Errors, file};
use crate::languages::Workshop;
use crate::languages::packages::Package;
use crate::process;

/// Where npm has put the compiler.
pub const COMPILER: &str = "typescript/bin/tsc";

pub fn check<'a>(workshop: &Workshop<'_>, packages: impl Iterator<Item = &'a Package>) -> Result<Errors> {
    println!("checking TypeScript …");
    let files: Vec<String> = packages.map(|package| format!("sdks/{}/nodejs/**/*.ts", package.name)).collect();
    // What the configuration of an SDK says, as far as it matters to errors.
    let project = json!({
        "compilerOptions": {
            "strict": true, "noEmit": true, "target": "es2020", "module": "commonjs", "moduleResolution": "node",
            "experimentalDecorators": true, "noFallthroughCasesInSwitch": true, "noImplicitReturns": true,
            "forceConsistentCasingInFileNames": true, "skipLibCheck": true, "types": ["node"],
        },
        "include": files,
    });
    let configuration = workshop.path("tsconfig.json");
    std::fs::write(&configuration, project.to_string()).context("cannot write a project of TypeScript")?;
    let mut check = workshop.environment.node(COMPILER)?;
    let ended =
        process::capture(check.args(["--pretty", "false", "-p"]).arg(&configuration).current_dir(&workshop.folder))?;
    let mut errors = Errors::new();
    // `sdks/NAME/nodejs/thing.ts(12,3): error TS2300: …`; further lines of an error are indented.
    for line in ended.stdout.lines().filter(|line| !line.starts_with(' ')) {
        let path = line.split('(').next().unwrap_or_default();
        file(&mut errors, &workshop.path("sdks"), &workshop.path(path), line.to_owned());
    }
    Ok(errors)
}
