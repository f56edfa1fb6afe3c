//! From what a user writes about a script to Deno's command line:
//! `DENO run -q [-c CONFIG | --no-config] --no-prompt [PERMISSIONS] SCRIPT`, and `serve` for scripts of the HTTP contract.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// What a script may do; each entry is a Deno permission without the dashes, such as `read` or `net=example.com:443`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Permissions {
    /// Everything, except what `deny` takes away again.
    pub all: bool,
    /// `--allow-…` for each entry; says nothing beside `all`.
    pub allow: Vec<String>,
    /// `--deny-…` for each entry; wins over `allow` and `all`.
    pub deny: Vec<String>,
}

/// Permissions that let a script get round all others, when they are given without a list of what they are for: nothing
/// restricts what a script starts or loads.
const EVERYTHING: [&str; 3] = ["all", "run", "ffi"];

impl Permissions {
    /// The entry of `allow` that amounts to `all`, although that was not said.
    pub fn amounts_to_all(&self) -> Option<&str> {
        if self.all {
            return None;
        }
        let is_denied = |name: &str| self.deny.iter().any(|denied| denied == name);
        let mut entries = self.allow.iter().map(String::as_str);
        // With a list of programs that it may run, it could put another in the place of one of them.
        let runs = self.allow.iter().any(|entry| entry.starts_with("run="));
        entries.find(|entry| (EVERYTHING.contains(entry) || (*entry == "write" && runs)) && !is_denied(entry))
    }

    fn arguments(&self) -> impl Iterator<Item = OsString> {
        let all = self.all.then(|| OsString::from("--allow-all"));
        let allow: &[String] = if self.all { &[] } else { &self.allow };
        let allow = allow.iter().map(|entry| OsString::from(format!("--allow-{entry}")));
        let deny = self.deny.iter().map(|entry| OsString::from(format!("--deny-{entry}")));
        all.into_iter().chain(allow).chain(deny)
    }
}

/// Where a script is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Location {
    /// A file on this machine, absolute.
    File(PathBuf),
    /// Anything that Deno itself resolves: `https:`, `jsr:`, `npm:`, `data:`.
    Remote(String),
}

impl Location {
    /// Reads a script specifier. Relative paths start from `working_directory`, which is absolute.
    ///
    /// `file://` addresses become paths, other addresses stay as they are. A single letter before a colon is a Windows
    /// drive, not a scheme.
    pub fn parse(script: &str, working_directory: &Path) -> io::Result<Self> {
        if let Some((scheme, rest)) = script.split_once("://")
            && scheme.len() > 1
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        {
            if !scheme.eq_ignore_ascii_case("file") {
                return Ok(Self::Remote(script.to_owned()));
            }
            return std::path::absolute(path_of_file_address(rest)).map(Self::File);
        }
        if ["jsr:", "npm:", "data:"].iter().any(|scheme| script.starts_with(scheme)) {
            return Ok(Self::Remote(script.to_owned()));
        }
        std::path::absolute(working_directory.join(script)).map(Self::File)
    }

    /// The file, for a script on this machine.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Remote(_) => None,
        }
    }

    fn argument(&self) -> OsString {
        match self {
            Self::File(path) => path.into(),
            Self::Remote(specifier) => specifier.into(),
        }
    }
}

/// The path in a `file://` address, whose part after the `//` is given: percent-decoded, without host, query and
/// fragment, and without the slash before a Windows drive letter.
fn path_of_file_address(rest: &str) -> PathBuf {
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let path = rest.strip_prefix("localhost").filter(|path| path.starts_with('/')).unwrap_or(rest);
    let decoded = percent_encoding::percent_decode_str(path).decode_utf8_lossy().into_owned();
    match decoded.strip_prefix('/') {
        Some(drive) if drive.as_bytes().get(1) == Some(&b':') && drive.as_bytes()[0].is_ascii_alphabetic() => {
            drive.into()
        }
        _ => decoded.into(),
    }
}

/// Which Deno configuration a script runs with.
///
/// Without a configured one, nothing is passed and Deno searches for itself: upward from the script's own folder to the
/// root, `deno.json` before `deno.jsonc` in each, nothing for a remote script. That is the very search that we would
/// make, and Deno's also finds a `package.json` and the workspace that the folder is a member of, which a configuration
/// given with `-c` takes away from the script's folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ConfigurationFile {
    /// Deno's own search.
    Discovered,
    /// `-c` with this absolute path.
    File(PathBuf),
    /// `--no-config`.
    Off,
}

/// How users say that they want no configuration, whatever Deno would find.
pub const NO_CONFIG: &str = "/dev/null";

impl ConfigurationFile {
    /// Reads the `config_file` setting; `/dev/null` is how users say that they want none.
    pub fn parse(setting: Option<&str>, working_directory: &Path) -> io::Result<Self> {
        match setting {
            None | Some("") => Ok(Self::Discovered),
            Some(NO_CONFIG) => Ok(Self::Off),
            Some(path) => std::path::absolute(working_directory.join(path)).map(Self::File),
        }
    }

    /// What to pass for a script. `deno run` searches from the script's folder, `deno serve` from the working directory, which
    /// may hold the configuration of something else; so for that we make the search ourselves.
    pub fn in_mode(&self, mode: Mode, location: &Location) -> Self {
        if mode == Mode::Run || *self != Self::Discovered {
            return self.clone();
        }
        location.file().and_then(Path::parent).and_then(Self::search).map_or(Self::Off, Self::File)
    }

    /// The file that Deno takes for a script in that folder: there or above, in the order in which it looks.
    pub fn search(folder: &Path) -> Option<PathBuf> {
        let mut files = folder.ancestors().flat_map(|folder| ["deno.json", "deno.jsonc"].map(|name| folder.join(name)));
        files.find(|file| file.is_file())
    }

    /// What Deno is told of it.
    pub fn arguments(&self) -> Vec<OsString> {
        match self {
            Self::Discovered => Vec::new(),
            Self::File(path) => vec!["-c".into(), path.into()],
            Self::Off => vec!["--no-config".into()],
        }
    }
}

/// How Deno runs a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// As a program that speaks over its standard streams.
    Run,
    /// As a server on a free port of this machine, which nobody else's machine can reach.
    Serve,
}

/// Deno's arguments for a script.
pub fn arguments(
    mode: Mode,
    location: &Location,
    configuration: &ConfigurationFile,
    permissions: &Permissions,
) -> Vec<OsString> {
    let words: &[&str] = match mode {
        Mode::Run => &["run", "-q"],
        // Not quiet: what Deno prints names the port.
        Mode::Serve => &["serve", "--host", "127.0.0.1", "--port", "0"],
    };
    let mut arguments: Vec<OsString> = words.iter().map(Into::into).collect();
    arguments.extend(configuration.arguments());
    // Standard input carries the calls: a question asked there could never be answered.
    arguments.push("--no-prompt".into());
    arguments.extend(permissions.arguments());
    arguments.push(location.argument());
    arguments
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn location(script: &str) -> Location {
        Location::parse(script, Path::new("/work dir")).unwrap()
    }

    #[test]
    fn specifiers() {
        let file = |path: &str| Location::File(path.into());
        let remote = |text: &str| Location::Remote(text.into());
        assert_eq!(location("script.ts"), file("/work dir/script.ts"));
        assert_eq!(location("./a/script.ts"), file("/work dir/a/script.ts"));
        assert_eq!(location("/a/script.ts"), file("/a/script.ts"));
        assert_eq!(location("file:///a%20b/%C3%A9.ts"), file("/a b/é.ts"));
        assert_eq!(location("FILE://localhost/a.ts?x#y"), file("/a.ts"));
        assert_eq!(path_of_file_address("/C:/a.ts"), Path::new("C:/a.ts"));
        assert_eq!(location("https://example.com/a.ts?x=1"), remote("https://example.com/a.ts?x=1"));
        assert_eq!(location("jsr:@scope/package@1/entry"), remote("jsr:@scope/package@1/entry"));
        assert_eq!(location("npm:package"), remote("npm:package"));
        assert_eq!(location("data:application/typescript,1"), remote("data:application/typescript,1"));
        assert_eq!(location("odd:name.ts"), file("/work dir/odd:name.ts"));
    }

    fn line(configuration: Option<&str>, permissions: &Permissions) -> String {
        let configuration = ConfigurationFile::parse(configuration, Path::new("/here")).unwrap();
        let arguments = arguments(Mode::Run, &Location::File("/s.ts".into()), &configuration, permissions);
        arguments.join(&OsString::from(" ")).into_string().unwrap()
    }

    #[test]
    fn command_lines() {
        let list = |entries: &[&str]| entries.iter().map(|entry| entry.to_string()).collect::<Vec<_>>();
        let none = Permissions::default();
        assert_eq!(line(None, &none), "run -q --no-prompt /s.ts");
        assert_eq!(line(Some("deno.json"), &none), "run -q -c /here/deno.json --no-prompt /s.ts");
        assert_eq!(line(Some("/dev/null"), &none), "run -q --no-config --no-prompt /s.ts");
        let some =
            Permissions { all: false, allow: list(&["read", "net=host:443"]), deny: list(&["write", "env=A,B"]) };
        assert_eq!(
            line(None, &some),
            "run -q --no-prompt --allow-read --allow-net=host:443 --deny-write --deny-env=A,B /s.ts"
        );
        let all = Permissions { all: true, ..some };
        assert_eq!(line(None, &all), "run -q --no-prompt --allow-all --deny-write --deny-env=A,B /s.ts");
    }

    #[test]
    fn what_amounts_to_everything() {
        let entry = |all: bool, allow: &[&str], deny: &[&str]| {
            let list = |entries: &[&str]| entries.iter().map(|entry| (*entry).to_owned()).collect();
            let permissions = Permissions { all, allow: list(allow), deny: list(deny) };
            permissions.amounts_to_all().map(str::to_owned)
        };
        assert_eq!(entry(false, &["read", "run"], &[]).as_deref(), Some("run"));
        assert_eq!(entry(false, &["write", "run=git"], &[]).as_deref(), Some("write"));
        assert_eq!(entry(false, &["write", "ffi=/lib/a.so"], &[]), None);
        assert_eq!(entry(false, &["run=git", "write=/tmp", "net", "env", "read", "sys"], &[]), None);
        assert_eq!(entry(false, &["run"], &["run"]), None);
        assert_eq!(entry(true, &["run"], &[]), None, "said openly");
    }
}
