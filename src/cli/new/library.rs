//! The authoring library, as it is in this program: scripts get it without a network, and in the version that fits.

use std::path::Path;

use super::NewError;

/// The folder that it is put into, beside the scripts.
pub const FOLDER: &str = "denobridge-sdk";

macro_rules! library {
    ($($file:literal),* $(,)?) => {
        /// Its files, by their paths in the folder.
        const FILES: &[(&str, &str)] = &[$(($file, include_str!(concat!("../../../script-sdk/", $file)))),*];
    };
}

library![
    "mod.ts",
    "compat.ts",
    "integration.ts",
    "jsocket.ts",
    "testing.ts",
    "src/action.ts",
    "src/console.ts",
    "src/context.ts",
    "src/datasource.ts",
    "src/describe.ts",
    "src/diagnostics.ts",
    "src/ephemeral_resource.ts",
    "src/function.ts",
    "src/integration/hooks.ts",
    "src/integration/integration.ts",
    "src/integration/messages.ts",
    "src/json_rpc.ts",
    "src/json_schema.ts",
    "src/lines.ts",
    "src/provider.ts",
    "src/resource.ts",
    "src/schema.ts",
    "src/server.ts",
    "src/testing/action.ts",
    "src/testing/call.ts",
    "src/testing/configure.ts",
    "src/testing/datasource.ts",
    "src/testing/ephemeral_resource.ts",
    "src/testing/function.ts",
    "src/testing/integration.ts",
    "src/testing/resource.ts",
    "src/version.ts",
    "src/wire.ts",
    "src/zod.ts",
];

/// The file that says which version a folder holds.
const VERSION: &str = "src/version.ts";

/// What became of the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provided {
    /// It was not there.
    Written,
    /// It was there, as it is in this program.
    Same,
    /// It was there, of another version, and is left alone: scripts rely on it.
    Other,
}

/// Puts the library beside the scripts in `folder`, unless there is one.
pub fn provide(folder: &Path) -> Result<Provided, NewError> {
    let library = folder.join(FOLDER);
    if library.exists() {
        let ours = FILES.iter().find(|(name, _)| *name == VERSION).map(|(_, text)| *text);
        let theirs = std::fs::read_to_string(library.join(VERSION)).ok();
        return Ok(if theirs.as_deref() == ours { Provided::Same } else { Provided::Other });
    }
    let failed = |reason| NewError::Write { path: library.clone(), reason };
    // Written aside: half a library, left by a full disk, would be taken for one of another version.
    let mut builder = tempfile::Builder::new();
    builder.prefix(".denobridge-sdk-");
    // Temporary folders are their owner's alone; this one becomes part of a project, as the user has folders made.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    let aside = builder.tempdir_in(folder).map_err(failed)?;
    for (name, text) in FILES {
        super::write(&aside.path().join(name), text)?;
    }
    std::fs::rename(aside.path(), &library).map_err(failed)?;
    Ok(Provided::Written)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(folder: &Path, below: &str, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let name = format!("{below}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                collect(&entry.path(), &format!("{name}/"), found);
            } else if name.ends_with(".ts") {
                found.push(name);
            }
        }
    }

    #[test]
    fn the_program_holds_the_whole_library() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("script-sdk");
        let mut found = Vec::new();
        collect(&root, "", &mut found);
        found.retain(|name| !name.starts_with("tests/"));
        let mut listed: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        listed.sort_unstable();
        found.sort_unstable();
        assert_eq!(listed, found);
    }
}
