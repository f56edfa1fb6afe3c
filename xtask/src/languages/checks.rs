//! Compiling or type-checking SDKs.

pub mod golang;
mod java;
pub mod python;
pub mod typescript;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use super::packages::Package;
use super::{Language, Workshop};

/// What became of an SDK.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It compiles.
    Compiles,
    /// It was made, and nothing here can check it further.
    Written,
    /// The generator refused the package.
    Refused(String),
    /// The compiler or type checker refused the SDK.
    Errors(Vec<String>),
}

/// A package and what became of its SDKs.
pub struct Checked<'a> {
    pub package: &'a Package,
    pub outcomes: BTreeMap<Language, Outcome>,
}

/// Lines of a checker's errors, by package.
type Errors = BTreeMap<String, Vec<String>>;

/// Checks every SDK that was made.
pub fn check<'a>(workshop: &Workshop<'_>, packages: &'a [Package]) -> Result<Vec<Checked<'a>>> {
    let mut found: BTreeMap<Language, Errors> = BTreeMap::new();
    let made = |language| packages.iter().filter(move |package| package.is_made(language));
    found.insert(Language::Nodejs, typescript::check(workshop, made(Language::Nodejs))?);
    found.insert(Language::Python, python::check(workshop, made(Language::Python))?);
    found.insert(Language::Go, golang::check(workshop, made(Language::Go))?);
    found.insert(Language::Java, java::check(workshop, made(Language::Java))?);
    let checked = packages.iter().map(|package| {
        let outcome = |language: Language| (language, outcome(package, language, found.get(&language)));
        Checked { package, outcomes: Language::ALL.into_iter().map(outcome).collect() }
    });
    Ok(checked.collect())
}

fn outcome(package: &Package, language: Language, found: Option<&Errors>) -> Outcome {
    if let Some((_, words)) = package.refused.iter().find(|(refused, _)| *refused == language) {
        return Outcome::Refused(words.clone());
    }
    match found.and_then(|found| found.get(&package.name)) {
        Some(errors) => Outcome::Errors(errors.clone()),
        // Whether there is a Java compiler differs from machine to machine, and what is claimed must not.
        None if matches!(language, Language::Yaml | Language::Java) => Outcome::Written,
        None => Outcome::Compiles,
    }
}

/// Files an error under the package in whose SDK it is.
fn file(errors: &mut Errors, sdks: &Path, path: &Path, error: String) {
    let inside = path.strip_prefix(sdks).ok().and_then(|inside| inside.components().next());
    let package =
        inside.map_or_else(|| "(elsewhere)".to_owned(), |name| name.as_os_str().to_string_lossy().into_owned());
    errors.entry(package).or_default().push(error);
}
