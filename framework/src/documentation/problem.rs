//! What can go wrong.

use std::path::Path;

use thiserror::Error;

use super::{LARGEST_PAGE, MOST_PAGES, Page};

/// Something about the sources or the pages that their author should change.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Problem {
    /// An example of a component that the provider does not have.
    #[error("{path} is an example of something that the provider does not have: rename or remove it")]
    ExampleOfNothing {
        /// The example's path.
        path: String,
    },
    /// An example without text.
    #[error("{path} is empty: write the example or remove the file")]
    EmptyExample {
        /// The example's path.
        path: String,
    },
    /// An example of importing by identity, for a resource that has none.
    #[error("{path} imports by identity, but {resource} has no identity: remove the file, or give the resource one")]
    NoIdentity {
        /// The example's path.
        path: String,
        /// The resource's name.
        resource: String,
    },
    /// The registry does not show a page of this size.
    #[error("{path} has {size} bytes, and the Terraform registry shows only pages of less than {LARGEST_PAGE}")]
    PageTooLarge {
        /// The page's path.
        path: String,
        /// Its size in bytes.
        size: usize,
    },
    /// The registry does not take so many pages.
    #[error("there are {count} pages, and the Terraform registry takes no more than {MOST_PAGES}")]
    TooManyPages {
        /// How many there are.
        count: usize,
    },
}

/// Pages that the registry would not show.
pub(super) fn beyond_the_registry(pages: &[Page]) -> Vec<Problem> {
    let too_large = pages.iter().filter(|page| page.text.len() >= LARGEST_PAGE);
    let mut problems: Vec<Problem> =
        too_large.map(|page| Problem::PageTooLarge { path: page.path.clone(), size: page.text.len() }).collect();
    if pages.len() > MOST_PAGES {
        problems.push(Problem::TooManyPages { count: pages.len() });
    }
    problems
}

/// Why documentation was not written, or is not as it should be.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Error {
    /// The provider did not tell its schema.
    #[error("the provider tells no schema: {message}")]
    Schema {
        /// What it said instead.
        message: String,
    },
    /// A file or folder cannot be read or written.
    #[error("{path}: {message}")]
    File {
        /// Which.
        path: String,
        /// What the operating system said.
        message: String,
    },
    /// Something is wrong with the sources or the pages.
    #[error("the documentation has problems:{}", listed(.problems))]
    Problems {
        /// Everything that is wrong.
        problems: Vec<Problem>,
    },
    /// What is on disk is not what the schema says.
    #[error(
        "the documentation is not what the provider's schema says; run this again with {}=1 to write it:{}",
        super::UPDATE_VARIABLE,
        listed(.differences)
    )]
    NotCurrent {
        /// `docs/resources/thing.md: missing`, one for each page.
        differences: Vec<String>,
    },
}

impl Error {
    pub(super) fn file(path: &Path, error: &std::io::Error) -> Self {
        Self::File { path: path.display().to_string(), message: error.to_string() }
    }
}

fn listed<T: ToString>(items: &[T]) -> String {
    items.iter().map(|item| format!("\n  - {}", item.to_string())).collect()
}
