//! Names in what a provider says, in the words of the program.
//!
//! A provider quotes its attributes by Terraform's names (`call_timeout`), whoever asked. A program in Pulumi calls them
//! otherwise (`callTimeout`), and a user who is told the former and writes it gets the next error.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_sdk_gen::{ObjectNames, Shape};

/// What names of attributes are called in programs, where that is something else.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wording(BTreeMap<Arc<str>, Option<Arc<str>>>);

impl Wording {
    /// The wording of these tables and of all objects in them. A name that stands for several is left alone.
    pub(crate) fn of(tables: &[&ObjectNames]) -> Self {
        let mut wording = Self::default();
        tables.iter().for_each(|names| wording.add(names));
        wording
    }

    fn add(&mut self, names: &ObjectNames) {
        for field in names.fields() {
            let named = self.0.entry(Arc::clone(&field.terraform)).or_insert_with(|| Some(Arc::clone(&field.pulumi)));
            if named.as_ref().is_some_and(|name| *name != field.pulumi) {
                *named = None;
            }
            let mut shape = &field.shape;
            while let Some(element) = shape.element() {
                shape = element;
            }
            if let Shape::Object(inner) = shape {
                self.add(inner);
            }
        }
    }

    /// `text` with the names and paths between backticks in the program's words. Nothing else is touched.
    pub(crate) fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if !text.contains('`') {
            return Cow::Borrowed(text);
        }
        let parts = text.split('`').enumerate().map(|(position, part)| {
            let quoted = position % 2 == 1 && !part.is_empty() && part.bytes().all(is_of_a_path);
            if quoted { Cow::Owned(self.path(part)) } else { Cow::Borrowed(part) }
        });
        Cow::Owned(parts.collect::<Vec<_>>().join("`"))
    }

    fn path(&self, path: &str) -> String {
        let name = |step| self.0.get(step).and_then(Option::as_deref).unwrap_or(step);
        path.split('.').map(name).collect::<Vec<_>>().join(".")
    }
}

fn is_of_a_path(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_between_backticks_are_those_of_the_program() {
        let wording =
            Wording(BTreeMap::from([("call_timeout".into(), Some("callTimeout".into())), ("two_things".into(), None)]));
        let said = "raise `limits.call_timeout`, call_timeout or `two_things` (`call_timeout = 3`)";
        assert_eq!(
            wording.apply(said),
            "raise `limits.callTimeout`, call_timeout or `two_things` (`call_timeout = 3`)"
        );
        assert_eq!(wording.apply("a lone ` and `call_timeout"), "a lone ` and `call_timeout");
    }
}
