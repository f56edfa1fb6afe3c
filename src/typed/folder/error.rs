//! Why a folder is no package.

use std::path::PathBuf;

use thiserror::Error;

use super::MANIFEST;

/// See the module.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FolderError {
    /// The disk refuses.
    #[error("{} cannot be read: {reason}", path.display())]
    Unreadable {
        /// What.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The manifest makes no sense.
    #[error("{place}{}: {problem}", member.as_ref().map(|member| format!(", `{member}`")).unwrap_or_default())]
    Manifest {
        /// Which file, or where it comes from.
        place: String,
        /// Which of its members; none for the whole file.
        member: Option<String>,
        /// What is wrong.
        problem: String,
    },
    /// A pattern is none.
    #[error("`scripts` in {MANIFEST} has the pattern {pattern:?}, which is none: {problem}")]
    Pattern {
        /// As it was given.
        pattern: String,
        /// What is wrong.
        problem: String,
    },
    /// What is named is not there.
    #[error("`scripts` in {MANIFEST} names {named:?}, and {} has no such file", folder.display())]
    NoSuchScript {
        /// Where it was looked for.
        folder: PathBuf,
        /// What was named.
        named: String,
    },
    /// Permissions are asked for what is not there.
    #[error("`permissions` in {MANIFEST} names {file:?}, which is none of the package's scripts: {}", scripts.join(", "))]
    PermissionsForNothing {
        /// What was named.
        file: String,
        /// Those that there are.
        scripts: Vec<String>,
    },
    /// There is no end to it.
    #[error("{} has more than {most} files that may be scripts; is it the right folder? `scripts` in {MANIFEST} can name some of them", folder.display())]
    TooMany {
        /// Which folder.
        folder: PathBuf,
        /// How many are looked at.
        most: usize,
    },
    /// Nothing describes itself.
    #[error("no script in {place} says what it is: a script of a package answers the method `schema`, as those do that are made with schemas and @denobridge/script-sdk{}", others.join(""))]
    Nothing {
        /// Where was looked.
        place: String,
        /// The scripts that do not, a line each.
        others: Vec<String>,
    },
    /// What must describe itself does not, or fails.
    #[error("{}", problems.join("\n"))]
    Scripts {
        /// One for each script.
        problems: Vec<String>,
    },
    /// What is elsewhere cannot be had, or is not what it was.
    #[error("{url}: {reason}")]
    Elsewhere {
        /// Where.
        url: String,
        /// Why not.
        reason: String,
    },
    /// No script could be asked anything.
    #[error("{reason}")]
    Unasked {
        /// Why not.
        reason: String,
    },
    /// A package needs a name.
    #[error("the package has no name: {problem}. Write a `name` into {MANIFEST}, or give one with --provider-name")]
    NoName {
        /// Why what was there will not do.
        problem: String,
    },
}
