//! Platforms, as registries name them: Go's `GOOS` and `GOARCH`.

use std::fmt;

/// An operating system and a processor architecture.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Platform {
    /// `linux`, `darwin`, `windows`, …
    pub system: String,
    /// `amd64`, `arm64`, `386`, …
    pub architecture: String,
}

impl Platform {
    /// The one this program runs on.
    #[must_use]
    pub fn current() -> Self {
        Self::from_rust(std::env::consts::OS, std::env::consts::ARCH)
    }

    fn from_rust(system: &str, architecture: &str) -> Self {
        let system = if system == "macos" { "darwin" } else { system };
        let architecture = match architecture {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            "x86" => "386",
            "powerpc64" => "ppc64",
            other => other,
        };
        Self { system: system.to_owned(), architecture: architecture.to_owned() }
    }

    /// Reads `SYSTEM_ARCHITECTURE`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (system, architecture) = text.split_once('_')?;
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric());
        (is_name(system) && is_name(architecture))
            .then(|| Self { system: system.to_owned(), architecture: architecture.to_owned() })
    }
}

/// `SYSTEM_ARCHITECTURE`, as in names of archives and folders.
impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.system, self.architecture)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_have_the_names_that_go_gives_them() {
        for (system, architecture, name) in [
            ("linux", "x86_64", "linux_amd64"),
            ("macos", "aarch64", "darwin_arm64"),
            ("windows", "x86", "windows_386"),
            ("freebsd", "arm", "freebsd_arm"),
        ] {
            let platform = Platform::from_rust(system, architecture);
            assert_eq!(platform.to_string(), name);
            assert_eq!(Platform::parse(name), Some(platform));
        }
        for text in ["linux", "linux_", "_amd64", "linux_amd64_x", "a/b_c"] {
            assert_eq!(Platform::parse(text), None, "{text}");
        }
    }
}
