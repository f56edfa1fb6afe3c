//! What people wrote for the documentation: examples and pages of their own.

use std::collections::BTreeMap;
use std::path::Path;

use super::problem::{Error, Problem};
use super::{PageKind, Subject};

/// Files for the documentation, by path below the provider's folder, with slashes.
///
/// | path | |
/// |---|---|
/// | `examples/provider/provider*.tf` | examples on the provider's page |
/// | `examples/resources/NAME/resource*.tf` | examples on a resource's page, NAME with the provider's name |
/// | `examples/resources/NAME/import.sh` | importing by `terraform import` |
/// | `examples/resources/NAME/import-by-string-id.tf` | importing by an `import` block with an id |
/// | `examples/resources/NAME/import-by-identity.tf` | importing by an `import` block with an identity |
/// | `examples/data-sources/NAME/data-source*.tf` | and so on for `ephemeral-resources`, `actions`, `state-stores`, `functions` |
/// | `examples/list-resources/NAME/list-resource*.tfquery.hcl` | |
/// | `templates/**/*.md` | pages of your own; one with the path of a generated page takes its place |
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources(BTreeMap<String, String>);

/// One example.
pub(super) struct Example<'s> {
    pub(super) path: &'s str,
    pub(super) text: &'s str,
}

impl Sources {
    /// Reads `examples/` and `templates/` below the provider's folder; neither need be there.
    ///
    /// # Errors
    /// A folder or a file cannot be read.
    pub fn read(root: &Path) -> Result<Self, Error> {
        let mut sources = Self::default();
        for folder in ["examples", "templates"] {
            sources.read_folder(&root.join(folder), folder)?;
        }
        Ok(sources)
    }

    /// Adds a file.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.0.insert(path.into(), text.into());
    }

    fn read_folder(&mut self, folder: &Path, name: &str) -> Result<(), Error> {
        let entries = match std::fs::read_dir(folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(|error| Error::file(folder, &error))?,
        };
        for entry in entries {
            let path = entry.map_err(|error| Error::file(folder, &error))?.path();
            // A name that is not Unicode is none of those that are looked for.
            let Some(file_name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let name = format!("{name}/{file_name}");
            if path.is_dir() {
                self.read_folder(&path, &name)?;
            } else if is_source(file_name) {
                let text = std::fs::read_to_string(&path).map_err(|error| Error::file(&path, &error))?;
                // A checkout on Windows must give the same pages.
                self.add(name, text.replace("\r\n", "\n"));
            }
        }
        Ok(())
    }

    /// The file of that path.
    pub(super) fn get(&self, path: &str) -> Option<Example<'_>> {
        self.0.get_key_value(path).map(|(path, text)| Example { path, text })
    }

    /// The examples of a component, by name.
    pub(super) fn examples(&self, kind: PageKind, name: &str) -> Vec<Example<'_>> {
        let folder = kind.example_folder(name);
        let is_example = |path: &str| {
            let file = path.strip_prefix(&folder).filter(|file| !file.contains('/'));
            file.is_some_and(|file| file.starts_with(kind.example_prefix()) && file.ends_with(kind.example_suffix()))
        };
        self.0.iter().filter(|(path, _)| is_example(path)).map(|(path, text)| Example { path, text }).collect()
    }

    /// Paths below `docs/` and texts of pages that people wrote themselves.
    pub(super) fn pages_of_people(&self) -> impl Iterator<Item = (String, &str)> {
        self.0.iter().filter_map(|(path, text)| {
            let page = path.strip_prefix("templates/").filter(|page| page.ends_with(".md"))?;
            Some((format!("docs/{page}"), text.as_str()))
        })
    }

    /// Examples that no page shows, since there is no such component.
    pub(super) fn examples_of_nothing(&self, subjects: &[Subject<'_>]) -> Vec<Problem> {
        let folders: Vec<String> = subjects.iter().map(|subject| subject.kind.example_folder(subject.name)).collect();
        let is_of_a_kind = |path: &str| {
            let kind = path.strip_prefix("examples/").and_then(|rest| rest.split_once('/')).map(|(kind, _)| kind);
            PageKind::ALL.iter().any(|known| kind == Some(known.folder()))
        };
        let is_of_nothing =
            |path: &&String| is_of_a_kind(path) && !folders.iter().any(|folder| path.starts_with(folder.as_str()));
        self.0.keys().filter(is_of_nothing).map(|path| Problem::ExampleOfNothing { path: path.clone() }).collect()
    }
}

/// Whether a file may be read as one of the sources: other files may well hold no text.
fn is_source(file_name: &str) -> bool {
    [".tf", ".hcl", ".sh", ".md"].iter().any(|suffix| file_name.ends_with(suffix))
}
