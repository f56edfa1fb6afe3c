//! Platforms, and the program for each.

use std::path::PathBuf;
use std::str::FromStr;

use denobridge_registry::Platform;

/// The program for a platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// Where it runs.
    pub platform: Platform,
    /// This program, built for it.
    pub program: PathBuf,
}

impl Target {
    /// This machine, with the program that runs.
    pub fn of_process() -> std::io::Result<Self> {
        Ok(Self { platform: Platform::current(), program: std::env::current_exe()? })
    }

    /// What programs' names end with.
    pub fn suffix(&self) -> &'static str {
        if self.platform.system == "windows" { ".exe" } else { "" }
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').filter(|(_, path)| !path.is_empty());
        let target = parts
            .and_then(|(platform, path)| Some(Self { platform: Platform::parse(platform)?, program: path.into() }));
        target.ok_or_else(|| "must be a platform and a path, such as linux_arm64=./denobridge".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_are_told_from_paths() {
        let target: Target = "darwin_arm64=a=b".parse().unwrap();
        assert_eq!(target.platform.to_string(), "darwin_arm64");
        assert_eq!(target.program, PathBuf::from("a=b"));
        for wrong in ["linux=path", "path", "_amd64=path", "linux_amd64=", "linux_../x=path"] {
            assert!(wrong.parse::<Target>().is_err(), "{wrong}");
        }
    }
}
