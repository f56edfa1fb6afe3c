//! What becomes of the parts of a value, whatever the schema says of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::{Number, Value, ValueKind};
use denobridge_core::limits::MAX_DEPTH;
use denobridge_core::mask::MASK;
use serde_json::{Map, Value as Json};

use super::View;
use super::allowed::Allowed;
use super::known::unused;
use super::lookup::Lookup;
use super::names::names_a_secret;
use super::paths::{Step, Trail};
use super::secrets::{Reach, is_pulumi_secret, reach_of_marks};
use crate::configuration::{Dynamic, Values};

/// The largest integer up to which every one is a double of its own.
const MAXIMUM_EXACT_INTEGER: i64 = 1 << 53;

/// What becomes of a part of a value.
pub(super) enum Part {
    /// It is sent so.
    Sent(Json),
    /// It is not there. Why is noted under its path.
    Absent,
}

impl Part {
    pub(super) fn or_null(self) -> Json {
        match self {
            Self::Sent(json) => json,
            Self::Absent => Json::Null,
        }
    }
}

/// What an element or a member becomes.
pub(super) type Each<'e, 'p> = dyn FnMut(&mut Projection<'p>, &Value, &Allowed<'p>) -> Part + 'e;

/// A value on its way to an integration.
pub(super) struct Projection<'p> {
    view: View<'p>,
    known: &'p Lookup,
    trail: Trail,
    pub(super) redacted: Vec<String>,
    pub(super) unknown: Vec<String>,
}

impl<'p> Projection<'p> {
    pub(super) fn new(view: View<'p>, known: &'p Lookup) -> Self {
        Self { view, known, trail: Trail::default(), redacted: Vec::new(), unknown: Vec::new() }
    }

    /// Whether what has this reach does not reach the integration.
    pub(super) fn hides(&self, reach: Reach) -> bool {
        reach >= self.hidden_from()
    }

    /// Whether values whose type their schema leaves open are not for it.
    pub(super) fn omits_dynamic(&self) -> bool {
        self.view.dynamic == Dynamic::Omit
    }

    /// What becomes of a value whatever is in it; nothing if that depends on its parts.
    pub(super) fn whole(&mut self, value: &Value) -> Option<Part> {
        let is_hidden = reach_of_marks(value.marks()).is_some_and(|reach| self.hides(reach));
        if is_hidden || is_pulumi_secret(value) || self.trail.depth() > MAX_DEPTH {
            return Some(self.redact());
        }
        match value.kind() {
            ValueKind::Null(_) => Some(Part::Sent(Json::Null)),
            ValueKind::Unknown(..) => {
                self.unknown.push(self.trail.text());
                Some(Part::Absent)
            }
            _ => None,
        }
    }

    /// Nothing of it is sent.
    pub(super) fn redact(&mut self) -> Part {
        self.redacted.push(self.trail.text());
        Part::Absent
    }

    pub(super) fn object(&mut self, value: &Value, fill: impl FnOnce(&mut Self, &mut Map<String, Json>)) -> Part {
        if let Some(part) = self.whole(value) {
            return part;
        }
        let mut members = Map::new();
        fill(self, &mut members);
        Part::Sent(Json::Object(members))
    }

    /// A member that a schema or a type names.
    pub(super) fn attribute_member(
        &mut self,
        members: &mut Map<String, Json>,
        name: &str,
        allowed: &Allowed<'p>,
        part: impl FnOnce(&mut Self, &Allowed<'p>) -> Part,
    ) {
        let allowed = allowed.attribute(name);
        let sent = self.within(Step::Attribute(name), |projection| {
            if allowed.is_nothing() { projection.redact() } else { part(projection, &allowed) }
        });
        if let Part::Sent(json) = sent {
            members.insert(name.to_owned(), json);
        }
    }

    /// The elements of a list or tuple, each in its place.
    pub(super) fn items(&mut self, items: &[Value], allowed: &Allowed<'p>, each: &mut Each<'_, 'p>) -> Part {
        let place =
            |(at, item)| self.within(Step::position(at), |projection| each(projection, item, allowed)).or_null();
        Part::Sent(items.iter().enumerate().map(place).collect())
    }

    /// The elements of a set. Those that are not sent have no place in it.
    pub(super) fn set(&mut self, items: &[Value], allowed: &Allowed<'p>, each: &mut Each<'_, 'p>) -> Part {
        let mut sent = Vec::with_capacity(items.len());
        for item in items {
            let noted = (self.redacted.len(), self.unknown.len());
            let part = self.within(Step::position(sent.len()), |projection| each(projection, item, allowed));
            match part {
                Part::Sent(json) => sent.push(json),
                Part::Absent => {
                    let nowhere = self.within(Step::Element, |projection| projection.trail.text());
                    for (paths, length) in [(&mut self.redacted, noted.0), (&mut self.unknown, noted.1)] {
                        if paths.len() > length {
                            paths.truncate(length);
                            paths.extend((paths.last() != Some(&nowhere)).then(|| nowhere.clone()));
                        }
                    }
                }
            }
        }
        Part::Sent(Json::Array(sent))
    }

    /// The elements of a map by their keys. In an open one, keys may say that what they lead to is a secret.
    pub(super) fn entries(
        &mut self,
        entries: &BTreeMap<Arc<str>, Value>,
        allowed: &Allowed<'p>,
        is_open: bool,
        each: &mut Each<'_, 'p>,
    ) -> Part {
        let mut members = Map::new();
        let mut hides_any = false;
        for (key, value) in entries {
            let allowed = allowed.key(key);
            if allowed.is_nothing() || (!allowed.is_whole() && is_leaf(value)) {
                hides_any = true;
                continue;
            }
            self.open_member(&mut members, (key, |name| Step::Key(name)), is_open, |projection| {
                each(projection, value, &allowed)
            });
        }
        if hides_any {
            // Under the path of the map: the keys of what is not seen are not seen either.
            self.redacted.push(self.trail.text());
        }
        Part::Sent(Json::Object(members))
    }

    /// The attributes of an object that no schema describes.
    pub(super) fn open_object(
        &mut self,
        attributes: &BTreeMap<Arc<str>, Value>,
        allowed: &Allowed<'p>,
        each: &mut Each<'_, 'p>,
    ) -> Part {
        let mut members = Map::new();
        for (name, value) in attributes {
            let allowed = allowed.attribute(name);
            self.open_member(&mut members, (name, |name| Step::Attribute(name)), true, |projection| {
                if allowed.is_nothing() { projection.redact() } else { each(projection, value, &allowed) }
            });
        }
        Part::Sent(Json::Object(members))
    }

    /// A member whose name is a part of the value, and may be a secret itself.
    fn open_member(
        &mut self,
        members: &mut Map<String, Json>,
        (name, step): (&str, fn(&str) -> Step<'_>),
        is_open: bool,
        part: impl FnOnce(&mut Self) -> Part,
    ) {
        let is_secret = self.known.has_secret(name, self.hidden_from());
        let shown = if is_secret { unused(members, MASK.to_owned()) } else { name.to_owned() };
        let sent = self.within(step(&shown), |projection| {
            let is_named_secret = is_open && projection.view.values != Values::Full && names_a_secret(name);
            if is_named_secret { projection.redact() } else { part(projection) }
        });
        if let Part::Sent(json) = sent {
            members.insert(shown, json);
        }
    }

    /// A value without parts.
    pub(super) fn leaf(&mut self, value: &Value, allowed: &Allowed<'p>) -> Part {
        if !allowed.is_whole() {
            return self.redact();
        }
        match value.kind() {
            ValueKind::Bool(value) => Part::Sent(Json::Bool(*value)),
            ValueKind::Number(number) if self.known.is_secret(&number.to_string(), self.hidden_from()) => self.redact(),
            ValueKind::Number(number) => Part::Sent(number_json(number)),
            ValueKind::String(text) if self.known.has_secret(text, self.hidden_from()) => {
                self.redacted.push(self.trail.text());
                Part::Sent(MASK.into())
            }
            ValueKind::String(text) => Part::Sent((&**text).into()),
            // Whatever has parts, or is not known, does not get here.
            _ => self.redact(),
        }
    }

    fn hidden_from(&self) -> Reach {
        if self.view.values == Values::Full { Reach::Nobody } else { Reach::Full }
    }

    fn within<T>(&mut self, step: Step<'_>, then: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.trail.enter(step);
        let result = then(self);
        self.trail.leave(length);
        result
    }
}

fn is_leaf(value: &Value) -> bool {
    !matches!(
        value.kind(),
        ValueKind::List(..) | ValueKind::Set(..) | ValueKind::Map(..) | ValueKind::Object(_) | ValueKind::Tuple(_)
    )
}

/// A number, as a text of its digits if readers with doubles would see another one.
fn number_json(number: &Number) -> Json {
    let text = number.to_string();
    let is_exact = match number.to_i64() {
        Some(integer) => integer.unsigned_abs() <= MAXIMUM_EXACT_INTEGER.unsigned_abs(),
        None => text.contains('.') && Number::from_f64(number.to_f64()).as_ref() == Some(number),
    };
    if is_exact { serde_json::from_str(&text).unwrap_or(Json::String(text)) } else { Json::String(text) }
}
