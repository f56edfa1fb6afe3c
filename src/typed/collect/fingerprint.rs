//! Whether the code of scripts is the same as it was, without running Deno.
//!
//! Without permissions a script can load only what its modules name literally, in quotes, or what a configuration maps a
//! name to. So every file that a quoted path leads to is looked at, and whatever that leads to in turn. What is no import
//! gets in too, which costs no more than being asked again without need. What is not on this machine is pinned by
//! `deno.lock`, or else by Deno's own cache.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use reqwest::Url;
use sha2::{Digest as _, Sha256};

use crate::deno::command::ConfigurationFile;
use crate::files::{hexadecimal, without_dots};

/// More files than this are no package but somebody's disk: what they say is not remembered.
const MOST_FILES: usize = 5000;
/// The same in bytes.
const MOST_BYTES: u64 = 64 << 20;
/// What is code, by the ends of names.
const CODE: [&str; 8] = ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx"];
/// What says where names lead.
const CONFIGURATION: [&str; 2] = ["json", "jsonc"];
/// Files with which Deno configures itself, in the folder of a script or one around it.
const CONFIGURATION_FILES: [&str; 5] = ["deno.json", "deno.jsonc", "package.json", "import_map.json", "deno.lock"];

/// What the code of scripts begins with.
pub(super) struct Graph<'g> {
    pub(super) configuration: &'g ConfigurationFile,
    /// The folder of the package; none for scripts that are not on this machine.
    pub(super) folder: Option<&'g Path>,
    /// Paths in the folder, or addresses.
    pub(super) files: &'g [String],
}

/// The digest of code, and apart from it that of the locks, which Deno itself may write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    code: String,
    locks: String,
}

impl Fingerprint {
    /// Whether nothing has changed but locks.
    pub(super) fn same_code(one: &Self, other: &Self) -> bool {
        one.code == other.code
    }

    /// All of it, in hexadecimal.
    pub(super) fn digest(&self) -> String {
        hexadecimal(&Sha256::digest(format!("{}{}", self.code, self.locks)))
    }
}

impl Graph<'_> {
    /// `None` where there is no telling whether the code is the same.
    pub(super) fn fingerprint(&self, program: &Path) -> Option<Fingerprint> {
        let mut files = Files::default();
        if let ConfigurationFile::File(path) = self.configuration {
            files.add_configuration_of(path.parent()?);
            files.add(path);
        }
        match self.folder {
            Some(folder) => {
                for file in self.files {
                    let path = folder.join(file);
                    files.add(&path);
                    path.ancestors().skip(1).for_each(|place| files.add_configuration_of(place));
                }
            }
            None if files.has_lock() => {}
            None => return None,
        }
        let files = files.followed()?;
        let (mut code, mut locks) = (Sha256::new(), Sha256::new());
        code.update(env!("CARGO_PKG_VERSION"));
        code.update(include_str!("collector.ts"));
        code.update(identity(program)?);
        code.update(format!("{:?}{:?}", self.configuration, self.files));
        for (path, digest) in files {
            let part = if is_lock(&path) { &mut locks } else { &mut code };
            part.update(format!("{path:?}"));
            part.update(digest);
        }
        Some(Fingerprint { code: hexadecimal(&code.finalize()), locks: hexadecimal(&locks.finalize()) })
    }
}

/// Which Deno it is, without asking it.
fn identity(program: &Path) -> Option<String> {
    let metadata = program.metadata().ok()?;
    let modified = metadata.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(format!("{program:?} {} {}", metadata.len(), modified.as_nanos()))
}

fn is_lock(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "lock")
}

fn is_one_of(path: &Path, ends: &[&str]) -> bool {
    path.extension().and_then(|end| end.to_str()).is_some_and(|end| ends.contains(&end))
}

/// Files, each with its digest once it has been read.
#[derive(Default)]
struct Files {
    found: BTreeMap<PathBuf, Option<[u8; 32]>>,
    to_read: Vec<PathBuf>,
}

impl Files {
    /// Adds a file, if there is one.
    fn add(&mut self, path: &Path) {
        // Deno resolves imports as text too. The same file by another way counts twice, which does no harm.
        let path = without_dots(path);
        if self.found.len() <= MOST_FILES && !self.found.contains_key(&path) && path.is_file() {
            self.found.insert(path.clone(), None);
            self.to_read.push(path);
        }
    }

    fn add_configuration_of(&mut self, folder: &Path) {
        CONFIGURATION_FILES.iter().for_each(|name| self.add(&folder.join(name)));
    }

    /// Adds all code in a folder and those in it, without what package managers put there.
    fn add_folder(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let (name, path) = (entry.file_name(), entry.path());
            let is_hidden = name.to_string_lossy().starts_with('.') || name == "node_modules";
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_hidden && self.found.len() <= MOST_FILES => self.add_folder(&path),
                // A link is followed to a file, and not to a folder, which may be one around it.
                Ok(kind) if !kind.is_dir() && (is_one_of(&path, &CODE) || is_one_of(&path, &CONFIGURATION)) => {
                    self.add(&path);
                }
                _ => {}
            }
        }
    }

    fn has_lock(&self) -> bool {
        self.found.keys().any(|path| is_lock(path))
    }

    /// All that the files lead to, with their digests.
    fn followed(mut self) -> Option<BTreeMap<PathBuf, [u8; 32]>> {
        let mut bytes = 0;
        while let Some(path) = self.to_read.pop() {
            bytes += path.metadata().ok()?.len();
            if bytes > MOST_BYTES || self.found.len() > MOST_FILES {
                return None;
            }
            let content = fs::read(&path).ok()?;
            self.found.insert(path.clone(), Some(Sha256::digest(&content).into()));
            let folder = path.parent()?;
            let text = String::from_utf8_lossy(&content);
            if is_one_of(&path, &CODE) {
                quoted(&text).for_each(|literal| self.follow_code(folder, &literal));
            } else if is_one_of(&path, &CONFIGURATION) {
                quoted(&text).for_each(|literal| self.follow_configuration(folder, &literal));
            }
        }
        Some(self.found.into_iter().filter_map(|(path, digest)| Some((path, digest?))).collect())
    }

    fn follow_code(&mut self, folder: &Path, literal: &Literal<'_>) {
        let path = match literal.text {
            address if address.starts_with("file://") => {
                Url::parse(address).ok().and_then(|url| url.to_file_path().ok())
            }
            path if path.starts_with("./") || path.starts_with("../") => Some(folder.join(decoded(path))),
            path if path.starts_with('/') => Some(PathBuf::from(path)),
            _ => None,
        };
        let Some(path) = path else { return };
        match literal.is_cut {
            // Deno looks at all modules that a template may mean.
            true => self.add_folder(if literal.text.ends_with('/') { &path } else { path.parent().unwrap_or(&path) }),
            false => {
                self.add(&path);
                // Configurations may allow leaving the ends of names out, or writing those of JavaScript for TypeScript's.
                for end in CODE {
                    self.add(&path.with_extension(end));
                }
            }
        }
    }

    fn follow_configuration(&mut self, folder: &Path, literal: &Literal<'_>) {
        // Patterns of folders, such as a workspace's.
        let text = literal.text.split('*').next().unwrap_or_default();
        if text.is_empty() || text.contains(':') {
            return;
        }
        let path = folder.join(text);
        if path.is_dir() {
            self.add_folder(&path);
        } else {
            self.add(&path);
        }
    }
}

/// A text in quotes.
struct Literal<'t> {
    text: &'t str,
    /// It is the constant beginning of a template.
    is_cut: bool,
}

/// Whatever stands between a quote and the next of its kind on the same line. It is not told which of two quotes begins a
/// text: each is taken to.
fn quoted(text: &str) -> impl Iterator<Item = Literal<'_>> {
    text.char_indices().filter(|(_, letter)| matches!(letter, '"' | '\'' | '`')).filter_map(|(start, quote)| {
        let rest = &text[start + 1..];
        let end = rest.find([quote, '\n'])?;
        let inner = rest[..end].split(['?', '#']).next()?;
        match inner.split_once("${") {
            Some((constant, _)) => Some(Literal { text: constant, is_cut: quote == '`' }),
            None => Some(Literal { text: inner, is_cut: false }),
        }
    })
}

fn decoded(path: &str) -> String {
    percent_encoding::percent_decode_str(path).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_quoted_path_is_seen() {
        let seen = |text| quoted(text).map(|literal: Literal<'_>| literal.text.to_owned()).collect::<Vec<_>>();
        let text = "/* don't */ import x from \"./a.ts\"; // isn't\nimport('./b.ts')\n`./parts/${name}.ts`";
        for path in ["./a.ts", "./b.ts", "./parts/"] {
            assert!(seen(text).contains(&path.to_owned()), "{path}: {:?}", seen(text));
        }
    }

    #[test]
    fn what_scripts_import_counts_wherever_it_is() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("deno", "");
        write("infra/a.ts", "import '../shared/b.ts'; import 'mapped'; await import(`./parts/${1}.ts`);");
        write("infra/deno.json", r#"{"imports": {"mapped": "../other/mod.ts", "@/": "./all/"}}"#);
        for name in ["shared/b.ts", "shared/c.ts", "other/mod.ts", "infra/all/d.ts", "infra/parts/1.ts", "apart.ts"] {
            write(name, if name == "shared/b.ts" { "export * from \"./c.ts\"" } else { "" });
        }
        let folder = place.path().join("infra");
        let files = ["a.ts".to_owned()];
        let graph = Graph { configuration: &ConfigurationFile::Discovered, folder: Some(&folder), files: &files };
        let digest = || graph.fingerprint(&place.path().join("deno")).unwrap();
        let mut last = digest();
        for name in ["infra/a.ts", "shared/b.ts", "shared/c.ts", "other/mod.ts", "infra/all/d.ts", "infra/parts/1.ts"] {
            write(name, &format!("{} // changed", fs::read_to_string(place.path().join(name)).unwrap()));
            assert!(!Fingerprint::same_code(&last, &digest()), "{name}");
            last = digest();
        }
        write("apart.ts", "changed");
        assert_eq!(last, digest());
        write("infra/deno.lock", "{}");
        assert!(Fingerprint::same_code(&last, &digest()) && last.digest() != digest().digest());
    }

    #[test]
    fn what_is_elsewhere_is_known_by_a_lock_only() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::write(path("deno"), "").unwrap();
        fs::write(path("deno.json"), "{}").unwrap();
        let files = ["https://example.com/a.ts".to_owned()];
        let configuration = ConfigurationFile::File(path("deno.json"));
        let graph = Graph { configuration: &configuration, folder: None, files: &files };
        assert_eq!(graph.fingerprint(&path("deno")), None);
        fs::write(path("deno.lock"), "{}").unwrap();
        assert!(graph.fingerprint(&path("deno")).is_some());
    }
}
