//! Names in what a provider says, in the words of the program.
//!
//! A provider quotes its attributes by Terraform's names (`call_timeout`), whoever asked. A program in Pulumi calls them
//! otherwise (`callTimeout`), and a user who is told the former and writes it gets the next error.
//!
//! Nothing but names is touched: whoever looks for an error on the web finds it by the provider's own words.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_sdk_gen::{ObjectNames, Shape};

/// What names of attributes are called in programs, where that is something else.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wording {
    names: BTreeMap<Arc<str>, Option<Arc<str>>>,
    /// Between double quotes too, as Go's providers write them.
    in_quotes: bool,
}

impl Wording {
    /// The wording of these tables and of all objects in them. A name that stands for several is left alone.
    pub(crate) fn of(tables: &[&ObjectNames], in_quotes: bool) -> Self {
        let mut wording = Self { in_quotes, ..Self::default() };
        tables.iter().for_each(|names| wording.add(names));
        wording
    }

    fn add(&mut self, names: &ObjectNames) {
        for field in names.fields() {
            let named =
                self.names.entry(Arc::clone(&field.terraform)).or_insert_with(|| Some(Arc::clone(&field.pulumi)));
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

    /// `text` with the names and paths between quotes in the program's words. Nothing else is touched.
    pub(crate) fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let worded = self.between(Cow::Borrowed(text), "`");
        if self.in_quotes { self.between(worded, "\"") } else { worded }
    }

    fn between<'t>(&self, text: Cow<'t, str>, quote: &str) -> Cow<'t, str> {
        if !text.contains(quote) {
            return text;
        }
        let parts = text.split(quote).enumerate().map(|(position, part)| {
            let quoted = position % 2 == 1 && !part.is_empty() && part.bytes().all(is_of_a_path);
            if quoted { Cow::Owned(self.path(part)) } else { Cow::Borrowed(part) }
        });
        Cow::Owned(parts.collect::<Vec<_>>().join(quote))
    }

    fn path(&self, path: &str) -> String {
        let name = |step: &str| {
            let (name, rest) = step.split_at(step.find('[').unwrap_or(step.len()));
            format!("{}{rest}", self.names.get(name).and_then(Option::as_deref).unwrap_or(name))
        };
        path.split('.').map(name).collect::<Vec<_>>().join(".")
    }
}

fn is_of_a_path(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'.' | b'[' | b']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_between_backticks_are_those_of_the_program() {
        let names = [("call_timeout".into(), Some("callTimeout".into())), ("two_things".into(), None)];
        let mut wording = Wording { names: names.into(), in_quotes: false };
        let said = "raise `limits[0].call_timeout`, call_timeout or `two_things` (`call_timeout = 3`)";
        assert_eq!(
            wording.apply(said),
            "raise `limits[0].callTimeout`, call_timeout or `two_things` (`call_timeout = 3`)"
        );
        assert_eq!(wording.apply("a lone ` and `call_timeout"), "a lone ` and `call_timeout");
        let in_go = "\"call_timeout\": conflicts with \"limits.call_timeout\", not with \"call timeout\"";
        assert_eq!(wording.apply(in_go), in_go);
        wording.in_quotes = true;
        assert_eq!(
            wording.apply(in_go),
            "\"callTimeout\": conflicts with \"limits.callTimeout\", not with \"call timeout\""
        );
    }
}
