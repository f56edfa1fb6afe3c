//! The secrets that this process has seen.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use denobridge_core::cty::{Value, ValueKind};
use denobridge_core::mask;
use denobridge_core::schema::Block;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::lookup::Lookup;
use super::secrets::{Reach, each_leaf, each_secret};

/// How long a text must be, in bytes, to be remembered as a secret. A shorter one stands in too many others by chance.
pub const SHORTEST: usize = 6;

/// How many secrets are remembered. Beyond that nothing can be told from a secret any more: no values are sent, and
/// `(sensitive)` stands for every text.
pub const MAXIMUM_SECRETS: usize = 50_000;

/// How many bytes of secrets, in all forms in which they are looked for, are remembered; beyond that the same.
pub const MAXIMUM_BYTES: usize = 128 << 20;

/// Longer secrets are looked for by the part, so that one of which only a part is quoted is recognised too.
const LONGEST_PART: usize = 1024;

/// The texts of secrets that this process has seen. Clones are the same set.
#[derive(Clone, Default)]
pub struct Known {
    lookup: Arc<RwLock<Lookup>>,
    /// What was learned since it was last asked for, where somebody asks for it.
    news: Option<Arc<Mutex<Vec<Secret>>>>,
}

/// A secret on its way to another process of ours.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Secret {
    text: Arc<str>,
    /// Whether it may be shown to nobody, also not to who sees full values.
    for_nobody: bool,
}

impl Known {
    /// A set that [tells what is new](Self::take_news) in it.
    pub(crate) fn with_news() -> Self {
        Self { news: Some(Arc::default()), ..Self::default() }
    }

    /// What was learned since this was last called.
    pub(crate) fn take_news(&self) -> Vec<Secret> {
        let news =
            self.news.as_ref().map(|news| std::mem::take(&mut *news.lock().unwrap_or_else(PoisonError::into_inner)));
        news.unwrap_or_default()
    }

    /// Remembers what another process has learned.
    pub(crate) fn learn_news(&self, news: Vec<Secret>) {
        let reach = |secret: &Secret| if secret.for_nobody { Reach::Nobody } else { Reach::Full };
        self.insert(news.into_iter().map(|secret| (Arc::clone(&secret.text), reach(&secret))).collect());
    }

    /// Remembers what is secret in a value: what its schema calls sensitive or write-only, and what is marked.
    pub fn learn(&self, block: &Block, value: &Value) {
        let mut found = Vec::new();
        each_secret(block, value, &mut |leaf, reach| found.push((text_of(leaf), reach)));
        self.insert(found);
    }

    /// Remembers what is secret in a value that itself is never sent, such as the configuration of a provider: also who sees full
    /// values does not see it elsewhere.
    pub fn learn_unseen(&self, block: &Block, value: &Value) {
        let mut found = Vec::new();
        each_secret(block, value, &mut |leaf, _| found.push((text_of(leaf), Reach::Nobody)));
        self.insert(found);
    }

    /// Remembers all texts and numbers of a value that is never sent, such as the result of an ephemeral resource.
    pub fn learn_all(&self, value: &Value) {
        let mut found = Vec::new();
        each_leaf(value, &mut |leaf| found.push((text_of(leaf), Reach::Nobody)));
        self.insert(found);
    }

    /// Remembers a text that nobody may see.
    pub fn learn_text(&self, text: &str) {
        self.insert(vec![(Arc::from(text), Reach::Nobody)]);
    }

    /// Whether there were more secrets than are remembered, so that nothing is shown any more.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.lookup().is_full()
    }

    /// A text for people, without secrets.
    #[must_use]
    pub fn scrub<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.lookup().scrub(text)
    }

    /// JSON without secrets in texts and names of members. It stays JSON, and has as many members as before.
    #[must_use]
    pub fn scrub_json(&self, json: Json) -> Json {
        scrub_json(&self.lookup(), json)
    }

    pub(super) fn lookup(&self) -> RwLockReadGuard<'_, Lookup> {
        // Whatever has panicked, nothing half is in the set.
        self.lookup.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, secrets: Vec<(Arc<str>, Reach)>) {
        let new: Vec<_> = {
            let known = self.lookup();
            let is_new = |(text, reach): &(Arc<str>, Reach)| is_long(text) && !known.has_learned(text, *reach);
            secrets.into_iter().filter(is_new).collect()
        };
        for (text, reach) in new {
            let forms = forms(&text);
            if let Some(news) = &self.news {
                let secret = Secret { text: Arc::clone(&text), for_nobody: reach == Reach::Nobody };
                news.lock().unwrap_or_else(PoisonError::into_inner).push(secret);
            }
            self.lookup.write().unwrap_or_else(PoisonError::into_inner).insert(text, reach, forms);
        }
    }
}

impl std::fmt::Debug for Secret {
    /// Not the text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl std::fmt::Debug for Known {
    /// Not one of them.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Known(…)")
    }
}

/// Whether a text is looked for at all. White space around it does not count: it is quoted without.
fn is_long(text: &str) -> bool {
    text.trim().len() >= SHORTEST
}

fn text_of(leaf: &Value) -> Arc<str> {
    match leaf.kind() {
        ValueKind::String(text) => Arc::clone(text),
        ValueKind::Number(number) => number.to_string().into(),
        _ => Arc::default(),
    }
}

/// Every form in which a secret is looked for: as messages quote it, escaped, in base64, and what is in it if it is JSON.
fn forms(secret: &str) -> BTreeSet<Vec<u8>> {
    let mut parts = BTreeSet::from([secret.to_owned()]);
    if secret.trim_start().starts_with(['{', '[']) {
        texts_in(&serde_json::from_str(secret).unwrap_or_default(), &mut parts);
    }
    let mut forms: BTreeSet<Vec<u8>> = BTreeSet::new();
    for part in parts.iter().flat_map(|text| pieces(text)).filter(|part| is_long(part)) {
        forms.extend(in_base64(part.as_bytes()).map(String::into_bytes));
        forms.extend(mask::forms(part).into_iter().map(String::into_bytes));
        forms.insert(part.as_bytes().to_owned());
    }
    forms.retain(|form| form.len() >= SHORTEST);
    forms
}

/// The texts in JSON that is a secret as a whole; not the names of its members, which say what it is about.
fn texts_in(json: &Json, found: &mut BTreeSet<String>) {
    match json {
        Json::String(text) => drop(found.insert(text.clone())),
        Json::Array(items) => items.iter().for_each(|item| texts_in(item, found)),
        Json::Object(members) => members.values().for_each(|member| texts_in(member, found)),
        _ => {}
    }
}

/// The text, or, if it is long, its parts.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while rest.len() > LONGEST_PART {
        let (part, after) = rest.split_at(boundary_before(rest, LONGEST_PART));
        pieces.push(part);
        rest = after;
    }
    // A short end would be looked for nowhere: it is taken with what stands before it.
    if rest.len() < SHORTEST && !pieces.is_empty() {
        let start = boundary_before(text, text.len() - LONGEST_PART);
        rest = &text[start..];
    }
    pieces.push(rest);
    pieces
}

fn boundary_before(text: &str, end: usize) -> usize {
    (0..=end).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default()
}

/// What base64 makes of a secret inside of something else. That depends on where it begins: three bytes are four characters. The
/// characters that its neighbours have a part in are left out.
fn in_base64(secret: &[u8]) -> impl Iterator<Item = String> + '_ {
    [STANDARD_NO_PAD, URL_SAFE_NO_PAD].into_iter().flat_map(move |engine| {
        [(0, 0), (1, 2), (2, 3)].into_iter().map(move |(bytes_before, characters_before)| {
            let mut shifted = vec![0; bytes_before];
            shifted.extend_from_slice(secret);
            let mut encoded = engine.encode(&shifted);
            if shifted.len() % 3 != 0 {
                encoded.pop();
            }
            encoded.split_off(characters_before)
        })
    })
}

fn scrub_json(known: &Lookup, json: Json) -> Json {
    match json {
        Json::String(text) => Json::String(known.scrub(&text).into_owned()),
        Json::Number(number) if known.is_secret(&number.to_string(), Reach::Full) => mask::MASK.into(),
        Json::Array(items) => items.into_iter().map(|item| scrub_json(known, item)).collect(),
        Json::Object(members) => {
            let mut scrubbed = Map::new();
            for (name, member) in members {
                let name = unused(&scrubbed, known.scrub(&name).into_owned());
                scrubbed.insert(name, scrub_json(known, member));
            }
            Json::Object(scrubbed)
        }
        other => other,
    }
}

/// A name that no member has yet: two that differ in a secret must not become one.
pub(super) fn unused(members: &Map<String, Json>, name: String) -> String {
    if !members.contains_key(&name) {
        return name;
    }
    let mut numbered = (members.len() + 1..).map(|number| format!("{name} {number}"));
    numbered.find(|name| !members.contains_key(name)).unwrap_or_default()
}
