//! Finding many texts in a text.
//!
//! There may be tens of thousands of secrets, new ones come all the time, and each text that is sent is looked through. So all
//! of them are looked for at once: by what each begins with, and then by how long those are that begin so. What a text costs
//! depends on its length, and hardly on how many secrets there are.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use denobridge_core::mask::MASK;
use rustc_hash::FxHashMap;

use super::known::{MAXIMUM_BYTES, MAXIMUM_SECRETS, SHORTEST};
use super::secrets::Reach;

/// The secrets, and every form in which they are recognised.
#[derive(Default)]
pub(super) struct Lookup {
    learned: FxHashMap<Arc<str>, Reach>,
    forms: FxHashMap<Box<[u8]>, Reach>,
    /// How long the forms are that begin with these bytes, the longest first.
    lengths: FxHashMap<[u8; SHORTEST], Vec<usize>>,
    bytes: usize,
    is_full: bool,
}

impl Lookup {
    /// Whether there were more secrets than are remembered, so that no text can be trusted.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Whether this secret has been told already, with this reach or less.
    pub(super) fn has_learned(&self, secret: &str, reach: Reach) -> bool {
        self.is_full || self.learned.get(secret).is_some_and(|known| *known >= reach)
    }

    /// Remembers a secret that is looked for in these forms.
    pub(super) fn insert(&mut self, secret: Arc<str>, reach: Reach, forms: impl IntoIterator<Item = Vec<u8>>) {
        if self.learned.len() >= MAXIMUM_SECRETS || self.bytes >= MAXIMUM_BYTES {
            // What is known is of no use any more: from now on nothing is shown.
            *self = Self { is_full: true, ..Self::default() };
            return;
        }
        self.bytes += secret.len();
        self.learned.insert(secret, reach);
        for form in forms {
            let Some(start) = form.first_chunk() else { continue };
            let lengths = self.lengths.entry(*start).or_default();
            if let Err(at) = lengths.binary_search_by(|length| form.len().cmp(length)) {
                lengths.insert(at, form.len());
            }
            self.bytes += form.len();
            let known = self.forms.entry(form.into()).or_insert(reach);
            *known = reach.max(*known);
        }
    }

    /// Whether there is a secret in a text that may not be shown to whom secrets of less than this reach may be shown.
    pub(super) fn has_secret(&self, text: &str, reach: Reach) -> bool {
        self.is_full || (0..text.len()).any(|at| self.found_at(text.as_bytes(), at, reach).is_some())
    }

    /// Whether a text is a secret, and not only has one in it.
    pub(super) fn is_secret(&self, text: &str, reach: Reach) -> bool {
        self.is_full || self.forms.get(text.as_bytes()).is_some_and(|known| *known >= reach)
    }

    /// The text without secrets of any reach.
    pub(super) fn scrub<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_full && !text.is_empty() {
            return Cow::Borrowed(MASK);
        }
        let ranges = self.ranges(text);
        if ranges.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut scrubbed = String::with_capacity(text.len());
        let mut shown = 0;
        for range in ranges {
            scrubbed.push_str(text.get(shown..range.start).unwrap_or_default());
            scrubbed.push_str(MASK);
            shown = range.end;
        }
        scrubbed.push_str(text.get(shown..).unwrap_or_default());
        Cow::Owned(scrubbed)
    }

    /// Where in a text there are secrets. Those that overlap or follow one another are one range, so that no end of one is left
    /// over where another begins.
    fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for at in 0..text.len() {
            let Some(length) = self.found_at(text.as_bytes(), at, Reach::Full) else { continue };
            match ranges.last_mut() {
                Some(last) if at <= last.end => last.end = last.end.max(at + length),
                _ => ranges.push(at..at + length),
            }
        }
        ranges
    }

    /// The length of the longest secret that begins here.
    fn found_at(&self, text: &[u8], at: usize, reach: Reach) -> Option<usize> {
        let rest = text.get(at..)?;
        let lengths = self.lengths.get(rest.first_chunk::<SHORTEST>()?)?;
        lengths.iter().copied().find(|length| {
            rest.get(..*length).and_then(|form| self.forms.get(form)).is_some_and(|known| *known >= reach)
        })
    }
}
