//! Which configuration is in force where a command works.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use denobridge_integrations::configuration::{Discovery, GATE, Search, SeveralFiles, VARIABLE};
use thiserror::Error;

/// Why there is none.
#[derive(Debug, Error)]
pub(super) enum SearchError {
    /// One was found that nobody named.
    #[error(
        "{} is not used since nobody has named it: name it with --integrations or in {VARIABLE}, or set {GATE}=1 if files that \
         are found may start programs",
        .0.display()
    )]
    Gated(PathBuf),
    /// There is none anywhere.
    #[error(
        "there is no configuration of integrations: {VARIABLE} names none, and there is no integrations.toml, .json or .hcl in {} or \
         above it, or in your configuration directory. Name one with --integrations, or run the command itself if there is to be none",
        .0.display()
    )]
    Nothing(PathBuf),
    /// It is said that there is none.
    #[error("{VARIABLE} is empty, so there are no integrations: unset it, or run the command itself")]
    SwitchedOff,
    #[error(transparent)]
    Several(#[from] SeveralFiles),
}

/// The file, as an absolute path.
pub(super) fn find(named: Option<&Path>, words: &[String]) -> Result<PathBuf, SearchError> {
    let here = std::env::current_dir().unwrap_or_default();
    find_from(&here, named, words, &|name| std::env::var_os(name))
}

fn find_from(
    here: &Path,
    named: Option<&Path>,
    words: &[String],
    variable: &dyn Fn(&str) -> Option<OsString>,
) -> Result<PathBuf, SearchError> {
    if let Some(named) = named {
        return Ok(here.join(named));
    }
    let working_directory = here.join(directory_of(words).unwrap_or_default());
    if variable(VARIABLE).is_some_and(|value| value.is_empty()) {
        return Err(SearchError::SwitchedOff);
    }
    match (Search { variable, named: None, working_directory: &working_directory }).find()? {
        Discovery::File(file) => Ok(file),
        Discovery::Gated(file) => Err(SearchError::Gated(file)),
        Discovery::Nothing => Err(SearchError::Nothing(working_directory)),
    }
}

/// The tool that a command line calls.
fn tool(words: &[String]) -> Option<String> {
    let program = Path::new(words.first()?);
    program.file_stem().map(|name| name.to_string_lossy().into_owned())
}

/// The folder that the command is told to work in: Terraform's `-chdir=DIR`, Pulumi's `-C DIR` and `--cwd DIR`.
fn directory_of(words: &[String]) -> Option<&str> {
    match tool(words)?.as_str() {
        // Terraform takes it before its subcommand only.
        "terraform" | "tofu" => words
            .iter()
            .skip(1)
            .take_while(|word| word.starts_with('-'))
            .find_map(|word| word.trim_start_matches('-').strip_prefix("chdir=")),
        "pulumi" => words.iter().enumerate().skip(1).find_map(|(at, word)| match word.as_str() {
            "-C" | "--cwd" => words.get(at + 1).map(String::as_str),
            word => {
                word.strip_prefix("--cwd=").or_else(|| word.strip_prefix("-C").map(|path| path.trim_start_matches('=')))
            }
        }),
        _ => None,
    }
}

/// Whether the command writes what it does as lines of JSON on its standard output: Terraform with `-json`.
pub(super) fn writes_events(words: &[String]) -> bool {
    let has_json =
        || words.iter().any(|word| matches!(word.as_str(), "-json" | "--json" | "-json=true" | "--json=true"));
    let makes = || words.iter().any(|word| matches!(word.as_str(), "plan" | "apply" | "destroy" | "refresh"));
    matches!(tool(words).as_deref(), Some("terraform" | "tofu")) && has_json() && makes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_folder_is_the_one_that_the_tool_is_told() {
        let of = |line: &str| directory_of(&words(line)).map(str::to_owned);
        assert_eq!(of("terraform -chdir=a/b plan").as_deref(), Some("a/b"));
        assert_eq!(of("/usr/bin/tofu -version -chdir=x").as_deref(), Some("x"));
        assert_eq!(of("terraform plan -chdir=x"), None);
        assert_eq!(of("pulumi -C x up").as_deref(), Some("x"));
        assert_eq!(of("pulumi up --cwd=x").as_deref(), Some("x"));
        assert_eq!(of("pulumi up --cwd x").as_deref(), Some("x"));
        assert_eq!(of("pulumi -Cx up").as_deref(), Some("x"));
        assert_eq!(of("make -C x"), None);
    }

    #[test]
    fn only_terraform_writes_events() {
        for (line, expected) in [
            ("terraform apply -json", true),
            ("tofu plan --json", true),
            ("terraform plan", false),
            ("terraform show -json", false),
            ("pulumi up --json", false),
        ] {
            assert_eq!(writes_events(&words(line)), expected, "{line}");
        }
    }

    #[test]
    fn where_there_is_no_file_it_is_said_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        std::fs::create_dir(&root).unwrap();
        let find = |named: Option<&str>, given: &[(&str, &str)]| {
            let variable = |name: &str| {
                let home = (name == "HOME" || name == "XDG_CONFIG_HOME").then(|| folder.path().join("home").into());
                given.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).into()).or(home)
            };
            find_from(folder.path(), named.map(Path::new), &words("terraform -chdir=root plan"), &variable)
                .map_err(|error| error.to_string())
        };
        assert!(find(None, &[]).unwrap_err().contains("--integrations"));
        assert!(find(None, &[(VARIABLE, "")]).unwrap_err().contains("is empty"));
        assert_eq!(find(Some("mine.toml"), &[]), Ok(folder.path().join("mine.toml")));
        std::fs::write(root.join("integrations.toml"), "").unwrap();
        assert!(find(None, &[]).unwrap_err().contains("TF_EXPERIMENT_integration_sdk=1"));
        assert_eq!(find(None, &[(GATE, "1")]), Ok(root.join("integrations.toml")));
    }
}
