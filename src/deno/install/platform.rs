//! What Deno's releases are called on each platform, and where a user's cache is.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// Overrides where downloaded Denos are kept.
pub const CACHE_VARIABLE: &str = "DENOBRIDGE_CACHE";

/// The target of this build in the names of Deno's archives; `None` where Deno has no releases.
pub(super) fn target(system: &str, architecture: &str) -> Option<&'static str> {
    Some(match (system, architecture) {
        ("linux", "x86_64") => "x86_64-unknown-linux-gnu",
        ("linux", "aarch64") => "aarch64-unknown-linux-gnu",
        ("macos", "x86_64") => "x86_64-apple-darwin",
        ("macos", "aarch64") => "aarch64-apple-darwin",
        ("windows", "x86_64") => "x86_64-pc-windows-msvc",
        ("windows", "aarch64") => "aarch64-pc-windows-msvc",
        _ => return None,
    })
}

/// The executable in the archive and in the cache.
pub(super) fn executable() -> String {
    format!("deno{}", env::consts::EXE_SUFFIX)
}

/// The folder of this user's downloads: [`CACHE_VARIABLE`], or the platform's place for caches. Never the shared folder
/// for temporary files, where another user could put a program for us to run.
pub fn cache_folder() -> Option<PathBuf> {
    cache_folder_of(env::consts::OS, &|name| env::var_os(name).filter(|value| !value.is_empty()))
}

/// The same on a system of that name with those variables, of which none is empty.
pub fn cache_folder_of(system: &str, variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(folder) = variable(CACHE_VARIABLE) {
        return std::path::absolute(PathBuf::from(folder)).ok();
    }
    let path = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = match system {
        "windows" => path("LOCALAPPDATA"),
        "macos" => path("HOME").map(|home| home.join("Library/Caches")),
        _ => path("XDG_CACHE_HOME").or_else(|| path("HOME").map(|home| home.join(".cache"))),
    };
    caches.map(|caches| caches.join("denobridge"))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn every_user_has_a_cache_of_their_own() {
        let folder = |system, variables: &[(&str, &str)]| {
            let found = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
            cache_folder_of(system, &found).map(|path| path.to_string_lossy().into_owned())
        };
        let home = ("HOME", "/home/me");
        assert_eq!(folder("linux", &[home]).as_deref(), Some("/home/me/.cache/denobridge"));
        assert_eq!(folder("linux", &[home, ("XDG_CACHE_HOME", "/c")]).as_deref(), Some("/c/denobridge"));
        assert_eq!(folder("linux", &[home, ("XDG_CACHE_HOME", "c")]).as_deref(), Some("/home/me/.cache/denobridge"));
        assert_eq!(folder("macos", &[home]).as_deref(), Some("/home/me/Library/Caches/denobridge"));
        assert_eq!(folder("windows", &[("LOCALAPPDATA", "/l")]).as_deref(), Some("/l/denobridge"));
        assert_eq!(folder("linux", &[home, (CACHE_VARIABLE, "/mine")]).as_deref(), Some("/mine"));
        assert_eq!(folder("linux", &[]), None);
    }

    #[test]
    fn each_platform_of_ours_has_its_archive() {
        for system in ["linux", "macos", "windows"] {
            for architecture in ["x86_64", "aarch64"] {
                assert!(target(system, architecture).is_some_and(|target| target.starts_with(architecture)));
            }
        }
        assert_eq!(target("freebsd", "x86_64"), None);
    }
}
