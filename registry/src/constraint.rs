//! Version constraints as users of Terraform write them: `>= 1.2, < 2.0`, `~> 3.1`.
//!
//! Terms are joined by commas and must all hold. `~>` lets the last number that was written grow. A pre-release is taken
//! only when it is named exactly, so that nobody gets one by accident.

use std::fmt;

use semver::{Prerelease, Version};
use thiserror::Error;

/// A set of versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionConstraint {
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    operator: Operator,
    version: Version,
    /// How many numbers were written, 1 to 3.
    written: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Pessimistic,
}

/// Longest first: `>=` is no `>`.
const OPERATORS: [(&str, Operator); 7] = [
    ("!=", Operator::NotEqual),
    (">=", Operator::GreaterOrEqual),
    ("<=", Operator::LessOrEqual),
    ("~>", Operator::Pessimistic),
    ("=", Operator::Equal),
    (">", Operator::Greater),
    ("<", Operator::Less),
];

/// Why text is no constraint.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{constraint:?} is not a version constraint: {reason}")]
pub struct ConstraintError {
    constraint: String,
    reason: String,
}

impl VersionConstraint {
    /// Reads a constraint. Empty text allows every released version.
    ///
    /// # Errors
    /// A term is no operator with a version.
    pub fn parse(text: &str) -> Result<Self, ConstraintError> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let terms = text.split(',').map(|part| Term::parse(part.trim()));
        let terms = terms.collect::<Result<_, _>>();
        Ok(Self { terms: terms.map_err(|reason| ConstraintError { constraint: text.to_owned(), reason })? })
    }

    /// This version and no other.
    #[must_use]
    pub fn exactly(version: &Version) -> Self {
        Self { terms: vec![Term { operator: Operator::Equal, version: version.clone(), written: 3 }] }
    }

    /// The only version that is allowed, when just one is named.
    #[must_use]
    pub fn exact(&self) -> Option<&Version> {
        match self.terms.as_slice() {
            [Term { operator: Operator::Equal, version, .. }] => Some(version),
            _ => None,
        }
    }

    /// Whether a version is in the set.
    #[must_use]
    pub fn allows(&self, version: &Version) -> bool {
        let named = |term: &Term| term.operator == Operator::Equal && same(&term.version, version);
        let released = version.pre.is_empty() || self.terms.iter().any(named);
        released && self.terms.iter().all(|term| term.allows(version))
    }

    /// Whether any released version will do.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.terms.is_empty()
    }

    /// The newest version in the set.
    #[must_use]
    pub fn newest<'v>(&self, versions: impl IntoIterator<Item = &'v Version>) -> Option<&'v Version> {
        versions.into_iter().filter(|version| self.allows(version)).max_by(|one, other| one.cmp_precedence(other))
    }
}

impl fmt::Display for VersionConstraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, term) in self.terms.iter().enumerate() {
            let operator =
                OPERATORS.iter().find(|(_, operator)| *operator == term.operator).map_or("", |(sign, _)| sign);
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{operator} {}", term.as_written())?;
        }
        Ok(())
    }
}

/// Whether two versions are one. Build metadata says nothing about order.
fn same(one: &Version, other: &Version) -> bool {
    one.cmp_precedence(other).is_eq()
}

impl Term {
    fn parse(text: &str) -> Result<Self, String> {
        let found = OPERATORS.iter().find_map(|(sign, operator)| Some((*operator, text.strip_prefix(sign)?)));
        let (operator, version) = found.unwrap_or((Operator::Equal, text));
        let (version, written) = parse_version(version.trim())?;
        Ok(Self { operator, version, written })
    }

    fn allows(&self, version: &Version) -> bool {
        let order = version.cmp_precedence(&self.version);
        match self.operator {
            Operator::Equal => order.is_eq(),
            Operator::NotEqual => order.is_ne(),
            Operator::Greater => order.is_gt(),
            Operator::GreaterOrEqual => order.is_ge(),
            Operator::Less => order.is_lt(),
            Operator::LessOrEqual => order.is_le(),
            Operator::Pessimistic => order.is_ge() && version.cmp_precedence(&self.end()).is_lt(),
        }
    }

    /// Only the numbers that were written: `~> 1.2` allows more than `~> 1.2.0`.
    fn as_written(&self) -> String {
        let Version { major, minor, .. } = self.version;
        match self.written {
            1 => major.to_string(),
            2 => format!("{major}.{minor}"),
            _ => self.version.to_string(),
        }
    }

    /// The first version that `~>` no longer allows.
    fn end(&self) -> Version {
        let Version { major, minor, .. } = self.version;
        if self.written == 3 {
            Version::new(major, minor.saturating_add(1), 0)
        } else {
            Version::new(major.saturating_add(1), 0, 0)
        }
    }
}

/// A version with one to three numbers, and how many there were.
fn parse_version(text: &str) -> Result<(Version, usize), String> {
    if text.is_empty() {
        return Err("a version is missing".to_owned());
    }
    if text.starts_with(['v', 'V']) {
        return Err("a \"v\" prefix should not be used when specifying versions".to_owned());
    }
    let (numbers, rest) = text.split_at(text.find(['-', '+']).unwrap_or(text.len()));
    let written = numbers.split('.').count();
    let whole = match written {
        1 => format!("{numbers}.0.0{rest}"),
        2 => format!("{numbers}.0{rest}"),
        _ => text.to_owned(),
    };
    let version = Version::parse(&whole).map_err(|error| format!("{text:?} is no version: {error}"))?;
    if written < 3 && version.pre != Prerelease::EMPTY {
        return Err(format!("{text:?} is a pre-release, and needs all three numbers"));
    }
    Ok((version, written))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_constraint_means_the_same_when_it_is_read_again(
            text in r"((=|!=|>|>=|<|<=|~>)? ?[0-2](\.[0-2]){0,2},? ?){0,3}",
            (major, minor, patch) in (0u64..3, 0u64..3, 0u64..3),
        ) {
            if let Ok(constraint) = VersionConstraint::parse(&text) {
                let version = Version::new(major, minor, patch);
                let again = VersionConstraint::parse(&constraint.to_string()).unwrap();
                prop_assert_eq!(again.allows(&version), constraint.allows(&version));
            }
        }
    }

    fn allowed(constraint: &str, versions: &[&str]) -> Vec<String> {
        let constraint = VersionConstraint::parse(constraint).unwrap();
        let versions = versions.iter().map(|text| Version::parse(text).unwrap());
        versions.filter(|version| constraint.allows(version)).map(|version| version.to_string()).collect()
    }

    #[test]
    fn each_operator_allows_what_terraform_allows() {
        let versions = ["1.0.0", "1.2.0", "1.2.3", "1.3.0", "2.0.0"];
        for (constraint, expected) in [
            ("", &versions[..]),
            ("1.2", &["1.2.0"]),
            ("= 1.2.3", &["1.2.3"]),
            ("!= 1.2.3", &["1.0.0", "1.2.0", "1.3.0", "2.0.0"]),
            ("> 1.2", &["1.2.3", "1.3.0", "2.0.0"]),
            (">=1.2.3", &["1.2.3", "1.3.0", "2.0.0"]),
            ("< 1.2.3", &["1.0.0", "1.2.0"]),
            ("<= 1.2.3", &["1.0.0", "1.2.0", "1.2.3"]),
            ("~> 1.2.0", &["1.2.0", "1.2.3"]),
            ("~> 1.2", &["1.2.0", "1.2.3", "1.3.0"]),
            ("~> 1", &["1.0.0", "1.2.0", "1.2.3", "1.3.0"]),
            (">= 1.2, != 1.2.3 ,< 2", &["1.2.0", "1.3.0"]),
        ] {
            assert_eq!(allowed(constraint, &versions), expected, "{constraint}");
        }
        assert_eq!(allowed("<4.0.5,>4.0.3", &["4.0.3", "4.0.4", "4.0.5"]), ["4.0.4"]);
    }

    #[test]
    fn a_pre_release_is_taken_only_when_named() {
        let versions = ["1.0.0-beta1", "1.0.0", "1.1.0-rc1"];
        assert_eq!(allowed(">= 0.9", &versions), ["1.0.0"]);
        assert_eq!(allowed(">= 1.0.0-beta1", &versions), ["1.0.0"]);
        assert_eq!(allowed("1.1.0-rc1", &versions), ["1.1.0-rc1"]);
        let any = VersionConstraint::default();
        let versions = versions.map(|text| Version::parse(text).unwrap());
        assert_eq!(any.newest(&versions).unwrap().to_string(), "1.0.0");
    }

    #[test]
    fn build_metadata_does_not_count() {
        assert_eq!(allowed("1.0.0", &["1.0.0+linux"]), ["1.0.0+linux"]);
    }

    #[test]
    fn what_is_no_constraint_is_told_why() {
        for (text, reason) in [
            ("v1.2.3", "a \"v\" prefix should not be used when specifying versions"),
            (">= ", "a version is missing"),
            ("1.0,", "a version is missing"),
            ("1.x", "\"1.x\" is no version: unexpected character 'x' while parsing minor version number"),
            ("1.2.3.4", "\"1.2.3.4\" is no version: unexpected character '.' after patch version number"),
            ("1.2-rc1", "\"1.2-rc1\" is a pre-release, and needs all three numbers"),
            ("latest", "\"latest\" is no version: unexpected character 'l' while parsing major version number"),
        ] {
            let error = VersionConstraint::parse(text).unwrap_err().to_string();
            assert_eq!(error, format!("{text:?} is not a version constraint: {reason}"));
        }
    }

    #[test]
    fn a_constraint_is_shown_as_it_was_written() {
        for text in ["~> 1.2, != 1.3.0", "~> 1", "= 2.0.0-rc1", ""] {
            assert_eq!(VersionConstraint::parse(text).unwrap().to_string(), text);
        }
    }
}
