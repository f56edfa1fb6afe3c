//! `denobridge new`: a script to begin with, and its test.

mod library;

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use thiserror::Error;

use library::Provided;

use super::tell;

/// The folder with the authoring library beside scripts.
pub(crate) const LIBRARY_FOLDER: &str = library::FOLDER;

/// Arguments of `denobridge new`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// What the script provides.
    kind: Kind,
    /// Its name: NAME.ts and NAME_test.ts are written.
    name: String,
    /// Where to write them.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    dir: PathBuf,
    /// Import the authoring library from JSR instead of putting it into the folder denobridge-sdk beside the script.
    #[arg(long)]
    jsr: bool,
}

/// What a script can provide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// An object with a life of its own.
    Resource,
    /// Looking something up.
    Datasource,
    /// A secret or session that lasts as long as a run.
    Ephemeral,
    /// Something that is done and leaves no object.
    Action,
    /// Results that follow from their arguments alone.
    Function,
}

/// Why nothing was written.
#[derive(Debug, Error)]
pub(super) enum NewError {
    /// The name cannot be a file's and a type's.
    #[error(
        "\"{0}\" is no name for a script: it must begin with a letter, and have only letters, digits, - and _ in it"
    )]
    Name(String),
    /// Something is there.
    #[error("{} is already there, and nothing is overwritten", .0.display())]
    Exists(PathBuf),
    /// The disk refuses.
    #[error("cannot write {}: {reason}", path.display())]
    Write { path: PathBuf, reason: std::io::Error },
}

impl Kind {
    /// The starter and its test.
    fn starter(self) -> (&'static str, &'static str) {
        match self {
            Self::Resource => (include_str!("starters/resource.ts.txt"), include_str!("starters/resource_test.ts.txt")),
            Self::Datasource => {
                (include_str!("starters/datasource.ts.txt"), include_str!("starters/datasource_test.ts.txt"))
            }
            Self::Ephemeral => {
                (include_str!("starters/ephemeral.ts.txt"), include_str!("starters/ephemeral_test.ts.txt"))
            }
            Self::Action => (include_str!("starters/action.ts.txt"), include_str!("starters/action_test.ts.txt")),
            Self::Function => (include_str!("starters/function.ts.txt"), include_str!("starters/function_test.ts.txt")),
        }
    }

    /// How Terraform uses it.
    fn in_terraform(self) -> &'static str {
        match self {
            Self::Resource => {
                "resource \"denobridge_resource\" \"NAME\" {\n  path  = \"SCRIPT\"\n  props = { prefix = \"web\" }\n}"
            }
            Self::Datasource => {
                "data \"denobridge_datasource\" \"NAME\" {\n  path  = \"SCRIPT\"\n  props = { text = \"any\" }\n}"
            }
            Self::Ephemeral => {
                "ephemeral \"denobridge_ephemeral_resource\" \"NAME\" {\n  path  = \"SCRIPT\"\n  props = { user = \"me\" }\n}"
            }
            Self::Action => {
                "action \"denobridge_action\" \"NAME\" {\n  config {\n    path  = \"SCRIPT\"\n    props = { steps = 3 }\n  }\n}"
            }
            Self::Function => {
                "output \"NAME\" {\n  value = provider::denobridge::call(\"SCRIPT\", \"slug\", \"Any text\")\n}"
            }
        }
    }
}

/// Writes the files and says what to do with them; 1 if it cannot.
pub fn run(arguments: &Arguments) -> ExitCode {
    tell(create(arguments))
}

/// Writes the files; what to tell the user.
fn create(Arguments { kind, name, dir, jsr }: &Arguments) -> Result<String, NewError> {
    check_name(name)?;
    let (script, test) = (dir.join(format!("{name}.ts")), dir.join(format!("{name}_test.ts")));
    if let Some(there) = [&script, &test].into_iter().find(|path| path.symlink_metadata().is_ok()) {
        return Err(NewError::Exists(there.clone()));
    }
    let mut told = String::new();
    let imports = if *jsr {
        let package = format!("jsr:@denobridge/script-sdk@^{}", env!("CARGO_PKG_VERSION"));
        [(String::from("LIBRARY/mod.ts"), package.clone()), ("LIBRARY/testing.ts".into(), format!("{package}/testing"))]
    } else {
        told += &note_library(library::provide(dir)?, dir);
        let file = |name: &str| (format!("LIBRARY/{name}"), format!("./{}/{name}", library::FOLDER));
        [file("mod.ts"), file("testing.ts")]
    };
    let (starter, starter_test) = kind.starter();
    for (path, text) in [(&script, starter), (&test, starter_test)] {
        let text = imports.iter().fold(text.replace("NAME", name), |text, (from, to)| text.replace(from, to));
        write(path, &text)?;
        told += &format!("wrote {}\n", path.display());
    }
    let shown = script.display().to_string();
    let shown = if dir.is_absolute() || shown.starts_with('.') { shown } else { format!("./{shown}") };
    let terraform = kind.in_terraform().replace("NAME", name).replace("SCRIPT", &shown.replace('\\', "/"));
    told += &format!("\nTest it:\n  deno test {}\n\nUse it from Terraform:\n", test.display());
    told.extend(terraform.lines().map(|line| format!("  {line}\n")));
    Ok(told)
}

fn note_library(provided: Provided, folder: &Path) -> String {
    let library = folder.join(library::FOLDER);
    match provided {
        Provided::Written => format!("wrote {}: the authoring library\n", library.display()),
        Provided::Same => String::new(),
        Provided::Other => format!(
            "{} holds another version of the authoring library than this program does; it is used as it is. To have the \
             newer one, remove the folder and run this again.\n",
            library.display()
        ),
    }
}

fn check_name(name: &str) -> Result<(), NewError> {
    let good = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if good { Ok(()) } else { Err(NewError::Name(name.to_owned())) }
}

/// Writes a file that must not be there.
fn write(path: &Path, text: &str) -> Result<(), NewError> {
    let failed = |reason| NewError::Write { path: path.to_owned(), reason };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::deno::testing::deno;

    fn arguments(kind: Kind, name: &str, dir: &Path) -> Arguments {
        Arguments { kind, name: name.to_owned(), dir: dir.to_owned(), jsr: false }
    }

    /// Runs Deno in a folder of its own, without a network's help.
    fn run_deno(folder: &Path, words: &[&str]) {
        let output = Command::new(deno())
            .args(words)
            .current_dir(folder)
            .env("DENO_DIR", folder.join("cache"))
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        assert!(output.status.success(), "deno {words:?}\n{said}");
    }

    #[test]
    fn every_starter_is_in_good_style_and_passes_its_test() {
        let folder = tempfile::tempdir().unwrap();
        for (kind, name) in [
            (Kind::Resource, "unique-name"),
            (Kind::Datasource, "digest"),
            (Kind::Ephemeral, "token"),
            (Kind::Action, "count"),
            (Kind::Function, "texts"),
        ] {
            create(&arguments(kind, name, folder.path())).unwrap();
        }
        run_deno(folder.path(), &["fmt", "--check"]);
        run_deno(folder.path(), &["lint"]);
        run_deno(folder.path(), &["test"]);
    }

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("note_test.ts"), "mine").unwrap();
        let error = create(&arguments(Kind::Resource, "note", folder.path())).unwrap_err();
        assert!(error.to_string().ends_with("note_test.ts is already there, and nothing is overwritten"), "{error}");
        assert!(!folder.path().join("note.ts").exists());
        assert_eq!(fs::read_to_string(folder.path().join("note_test.ts")).unwrap(), "mine");
    }

    #[test]
    fn the_library_is_written_once_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let told = create(&arguments(Kind::Action, "one", folder.path())).unwrap();
        assert!(told.contains("denobridge-sdk: the authoring library"), "{told}");
        let told = create(&arguments(Kind::Action, "two", folder.path())).unwrap();
        assert!(!told.contains("denobridge-sdk"), "{told}");
        let version = folder.path().join("denobridge-sdk/src/version.ts");
        fs::write(&version, "older").unwrap();
        let told = create(&arguments(Kind::Action, "three", folder.path())).unwrap();
        assert!(told.contains("holds another version"), "{told}");
        assert_eq!(fs::read_to_string(version).unwrap(), "older");
    }

    #[test]
    fn what_is_told_can_be_used_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let told = create(&arguments(Kind::Datasource, "digest", folder.path())).unwrap();
        let told = told.replace(&*folder.path().to_string_lossy(), "[DIR]");
        insta::assert_snapshot!(told);
    }

    #[test]
    fn names_are_those_of_files() {
        for name in ["", "1st", "a/b", "../a", "a.b", "a b", "é"] {
            assert!(matches!(check_name(name), Err(NewError::Name(_))), "{name}");
        }
        check_name("web-server_2").unwrap();
    }

    #[test]
    fn the_library_may_come_from_jsr() {
        let folder = tempfile::tempdir().unwrap();
        create(&Arguments { jsr: true, ..arguments(Kind::Action, "count", folder.path()) }).unwrap();
        assert!(!folder.path().join("denobridge-sdk").exists());
        let import = |name: &str| {
            let text = fs::read_to_string(folder.path().join(name)).unwrap();
            text.lines().find(|line| line.contains("script-sdk")).map(str::to_owned).unwrap_or_default()
        };
        let version = env!("CARGO_PKG_VERSION");
        let library = format!("jsr:@denobridge/script-sdk@^{version}");
        assert_eq!(import("count.ts"), format!("import {{ ActionProvider }} from \"{library}\";"));
        assert_eq!(import("count_test.ts"), format!("import {{ invoke }} from \"{library}/testing\";"));
    }
}
