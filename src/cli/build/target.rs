//! Platforms, and the program for each.

use std::path::PathBuf;
use std::str::FromStr;

/// The program for a platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// Go's name of the system: `linux`, `darwin`, `windows`.
    pub system: String,
    /// Go's name of the processor: `amd64`, `arm64`.
    pub processor: String,
    /// This program, built for it.
    pub program: PathBuf,
}

impl Target {
    /// This machine, with the program that runs.
    pub fn of_process() -> std::io::Result<Self> {
        let system = if std::env::consts::OS == "macos" { "darwin" } else { std::env::consts::OS };
        let processor = match std::env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            other => other,
        };
        let program = std::env::current_exe()?;
        Ok(Self { system: system.to_owned(), processor: processor.to_owned(), program })
    }

    /// What programs' names end with.
    pub fn suffix(&self) -> &'static str {
        if self.system == "windows" { ".exe" } else { "" }
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').and_then(|(platform, path)| Some((platform.split_once('_')?, path)));
        match parts {
            Some(((system, processor), path)) if !system.is_empty() && !processor.is_empty() && !path.is_empty() => {
                Ok(Self { system: system.to_owned(), processor: processor.to_owned(), program: path.into() })
            }
            _ => Err("must be a platform and a path, such as linux_arm64=./denobridge".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_are_told_from_paths() {
        let target: Target = "darwin_arm64=a=b".parse().unwrap();
        assert_eq!((target.system.as_str(), target.processor.as_str()), ("darwin", "arm64"));
        assert_eq!(target.program, PathBuf::from("a=b"));
        for wrong in ["linux=path", "path", "_amd64=path", "linux_amd64="] {
            assert!(wrong.parse::<Target>().is_err(), "{wrong}");
        }
    }
}
