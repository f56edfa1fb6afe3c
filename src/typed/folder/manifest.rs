//! `denobridge.json`: what a package says of itself, and what it asks for.

use std::collections::BTreeMap;
use std::path::Path;

use semver::Version;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::FolderError;

/// The file's name.
pub const MANIFEST: &str = "denobridge.json";

/// The key of `permissions` that stands for every script.
const EVERY_SCRIPT: &str = "*";

/// The permissions that Deno has, as in its flags `--allow-…`.
const PERMISSIONS: [&str; 9] = ["all", "read", "write", "net", "env", "sys", "run", "ffi", "import"];

/// What a package says of itself. Everything may be left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Where editors find this file's schema; says nothing to us.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// What the package is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Three numbers, no `v`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it is for, in Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its home page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// Its licence, as an SPDX expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Where its source is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// Who publishes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publisher: Option<String>,
    /// Files, or patterns of files, that are its scripts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scripts: Option<Vec<String>>,
    /// JSON Schema of what its provider takes for its scripts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<Json>,
    /// What its scripts ask for, by file or `*` for all: flags of Deno without their `--allow-`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub permissions: BTreeMap<String, Vec<String>>,
}

impl Manifest {
    /// Reads the file in a folder; without one, nothing is said.
    ///
    /// # Errors
    /// It cannot be read, or says something that makes no sense.
    pub fn of_folder(folder: &Path) -> Result<Self, FolderError> {
        let file = folder.join(MANIFEST);
        match std::fs::read_to_string(&file) {
            Ok(text) => Self::parse(&file.display().to_string(), &text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(FolderError::Unreadable { path: file, reason: error.to_string() }),
        }
    }

    /// Reads a text that is at `place`.
    ///
    /// # Errors
    /// It is none, or says something that makes no sense.
    pub fn parse(place: &str, text: &str) -> Result<Self, FolderError> {
        let wrong = |member: String, problem: String| FolderError::Manifest {
            place: place.to_owned(),
            // What serde calls the whole, and what it knows no name for.
            member: Some(member).filter(|member| !["", ".", "?"].contains(&member.as_str())),
            problem,
        };
        // To serde, a list would do for an object.
        if !text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
            return Err(wrong(String::new(), "must be a JSON object".to_owned()));
        }
        let mut reader = serde_json::Deserializer::from_str(text.trim_start_matches('\u{feff}'));
        let manifest: Self = serde_path_to_error::deserialize(&mut reader)
            .map_err(|error| wrong(error.path().to_string(), error.inner().to_string()))?;
        reader.end().map_err(|error| wrong(String::new(), error.to_string()))?;
        manifest.check().map_err(|(member, problem)| wrong(member, problem))?;
        Ok(manifest)
    }

    /// What types alone do not say: the member that is wrong, and how.
    fn check(&self) -> Result<(), (String, String)> {
        if let Some(name) = &self.name {
            check_name(name).map_err(|problem| ("name".to_owned(), problem))?;
        }
        if let Some(version) = &self.version
            && let Err(error) = Version::parse(version)
        {
            let problem = format!("{version:?} is no version, such as 1.2.0, without a v before it: {error}");
            return Err(("version".to_owned(), problem));
        }
        if self.config.as_ref().is_some_and(|config| !config.is_object()) {
            return Err(("config".to_owned(), "must be the JSON Schema of an object".to_owned()));
        }
        if self.scripts.as_ref().is_some_and(Vec::is_empty) {
            return Err((
                "scripts".to_owned(),
                "names no script; leave it out for all scripts in the folder".to_owned(),
            ));
        }
        for (file, asked) in &self.permissions {
            for entry in asked {
                check_permission(entry).map_err(|problem| (format!("permissions.{file}"), problem))?;
            }
        }
        Ok(())
    }

    /// What is asked for a script of that file.
    #[must_use]
    pub fn asks(&self, file: &str) -> Vec<String> {
        let mut asks: Vec<String> = Vec::new();
        let lists = [EVERY_SCRIPT, file].into_iter().filter_map(|key| self.permissions.get(key));
        for entry in lists.flatten() {
            if !asks.contains(entry) {
                asks.push(entry.clone());
            }
        }
        asks
    }

    /// The files that permissions are asked for by name.
    pub(super) fn files_with_permissions(&self) -> impl Iterator<Item = &String> {
        self.permissions.keys().filter(|file| *file != EVERY_SCRIPT)
    }
}

/// Whether a package can be called that; an error says why not.
///
/// It is part of names in Terraform, in Pulumi, and of files.
///
/// # Errors
/// It cannot.
pub fn check_name(name: &str) -> Result<(), String> {
    let starts_well = name.starts_with(|letter: char| letter.is_ascii_lowercase());
    let letters = name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-');
    let dashes = !name.contains("--") && !name.ends_with('-');
    if starts_well && letters && dashes {
        return Ok(());
    }
    Err(format!(
        "{name:?} is no name for a package: it must be letters of a to z, digits and single dashes, and begin with a letter"
    ))
}

/// The name of a package that has none of its own: that of its folder or file, as far as it fits.
#[must_use]
pub fn name_of(stem: &str) -> String {
    let lower = stem.to_lowercase();
    let words = lower.split(|letter: char| !(letter.is_ascii_lowercase() || letter.is_ascii_digit()));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("-")
}

/// Whether a permission can be asked for in these words.
///
/// # Errors
/// It cannot; says why.
pub fn check_permission(entry: &str) -> Result<(), String> {
    let (name, targets) = entry.split_once('=').map_or((entry, None), |(name, targets)| (name, Some(targets)));
    if !PERMISSIONS.contains(&name) {
        let bare = name.trim_start_matches("--").trim_start_matches("allow-");
        let meant = if PERMISSIONS.contains(&bare) { format!("; write {bare:?}") } else { String::new() };
        return Err(format!("there is no permission {name:?}{meant}; Deno has {}", PERMISSIONS.join(", ")));
    }
    match targets {
        Some("") => Err(format!("{entry:?} names nothing after its =; leave that out to ask for all of it")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        Manifest::parse("infra/denobridge.json", text).unwrap_err().to_string()
    }

    #[test]
    fn what_is_wrong_is_told_with_file_member_and_place() {
        let told = [
            ("{", "infra/denobridge.json: EOF while parsing an object"),
            ("[]", "infra/denobridge.json: must be a JSON object"),
            ("{} {}", "trailing characters"),
            ("{\n  \"nmae\": \"infra\"\n}", "infra/denobridge.json, `nmae`: unknown field `nmae`"),
            (r#"{"version": 1}"#, "`version`: invalid type"),
            (r#"{"name": "Infra"}"#, "`name`: \"Infra\" is no name for a package"),
            (r#"{"version": "v1.0.0"}"#, "`version`: \"v1.0.0\" is no version"),
            (r#"{"scripts": ["a.ts", 7]}"#, "`scripts[1]`: invalid type"),
            (r#"{"scripts": []}"#, "`scripts`: names no script"),
            (r#"{"config": true}"#, "`config`: must be the JSON Schema of an object"),
            (r#"{"permissions": {"a.ts": ["--allow-read=/srv"]}}"#, "`permissions.a.ts`: there is no permission"),
            (r#"{"permissions": {"*": ["--allow-read=/srv"]}}"#, "; write \"read\""),
            (r#"{"permissions": {"*": ["reed"]}}"#, "there is no permission \"reed\"; Deno has all, read"),
            (r#"{"permissions": {"*": ["read="]}}"#, "\"read=\" names nothing after its ="),
        ];
        for (text, expected) in told {
            assert!(problem(text).contains(expected), "{text}: {}", problem(text));
        }
        assert!(problem("{\n  \"nmae\": \"infra\"\n}").contains("line 2 column"));
    }

    #[test]
    fn what_all_ask_for_and_what_one_asks_for_add_up() {
        let text = r#"{"permissions": {"*": ["env=HOME"], "bucket.ts": ["read=/srv", "env=HOME"]}}"#;
        let manifest = Manifest::parse("x", text).unwrap();
        assert_eq!(manifest.asks("bucket.ts"), ["env=HOME", "read=/srv"]);
        assert_eq!(manifest.asks("other.ts"), ["env=HOME"]);
    }

    #[test]
    fn names_come_from_folders() {
        for (stem, name) in [("infra", "infra"), ("My_Infra 2", "my-infra-2"), ("ä", ""), (".x.", "x")] {
            assert_eq!(name_of(stem), name);
        }
        for (name, fits) in [("infra", true), ("my-infra2", true), ("", false), ("2x", false), ("a--b", false)] {
            assert_eq!(check_name(name).is_ok(), fits, "{name}");
        }
    }
}
