//! What the user wants ignored (`ignoreChanges`).
//!
//! The engine has put the old inputs in place of the program's already. What is left to do is for what the old inputs do not
//! say: changes that somebody else has made, and what the provider alone decides about.

use std::collections::BTreeSet;

use denobridge_sdk_gen::{Field, ObjectNames, PropertyPath, PropertyStep, Shape};

use crate::property_value::{Output, PropertyMap, PropertyValue};
use crate::translate::{inputs, outputs};

/// A path from somewhere on. An empty one means all that is there.
type Steps<'p> = &'p [PropertyStep];

/// Gives the properties that the user wants ignored the value that they have in the state, so that neither the program's nor
/// anybody else's change of them is acted on.
///
/// Lists are compared by position. The elements of a set have none in the state, so a path into one means an element of the
/// program's array, and what is kept of it is that of the stored element which is the same but for what is ignored. An
/// element that is ignored as a whole is the old input, which is there already.
pub(crate) fn keep_ignored(
    inputs: &mut PropertyMap,
    state: &PropertyMap,
    ignored: &[PropertyPath],
    names: &ObjectNames,
) {
    let paths: Vec<_> = ignored.iter().map(PropertyPath::steps).filter(|steps| !steps.is_empty()).collect();
    if paths.is_empty() {
        return;
    }
    let stored: PropertyMap =
        state.iter().map(|(name, value)| (name.clone(), with_secret_leaves(value, false))).collect();
    keep_entries(inputs, &stored, &paths, &Entries::Fields(names));
}

/// What is known about the entries of an object.
enum Entries<'n> {
    Fields(&'n ObjectNames),
    All(&'n Shape),
}

impl<'n> Entries<'n> {
    /// The shape of an entry that a program may set and the state can tell.
    fn shape(&self, name: &str) -> Option<&'n Shape> {
        match self {
            Self::Fields(names) => names.by_pulumi(name).filter(|field| is_kept(field)).map(|field| &field.shape),
            Self::All(shape) => Some(shape),
        }
    }
}

fn is_kept(field: &Field) -> bool {
    field.is_input() && !field.write_only
}

fn keep_entries(entries: &mut PropertyMap, stored: &PropertyMap, paths: &[Steps<'_>], known: &Entries<'_>) {
    let names: BTreeSet<String> = entries.keys().chain(stored.keys()).cloned().collect();
    for name in names {
        let Some(shape) = known.shape(&name) else { continue };
        let inside = paths_into(paths, &name);
        match (entries.get_mut(&name), stored.get(&name)) {
            (None, None) => {}
            (Some(value), Some(stored)) => keep(value, stored, &inside, shape),
            (None, Some(stored)) if is_all(&inside) => {
                entries.insert(name, stored.clone());
            }
            (Some(_), None) if is_all(&inside) => {
                entries.remove(&name);
            }
            _ => {}
        }
    }
}

fn keep(value: &mut PropertyValue, stored: &PropertyValue, paths: &[Steps<'_>], shape: &Shape) {
    if paths.is_empty() {
        return;
    }
    if is_all(paths) {
        // What is the same stays what it is in the inputs, since only they tell which part of a property is a secret.
        if value.without_secrets() != stored.without_secrets() {
            *value = stored.clone();
        }
        return;
    }
    match (value, stored.plain(), shape) {
        (PropertyValue::Secret(inner) | PropertyValue::Output(Output { value: Some(inner), .. }), ..) => {
            keep(inner, stored, paths, shape);
        }
        // A flattened list or set is its only element by itself.
        (value @ PropertyValue::Object(_), _, Shape::List(element) | Shape::Set(element)) => {
            keep(value, stored, paths, element);
        }
        (PropertyValue::Object(entries), PropertyValue::Object(stored), shape) => {
            keep_entries(entries, stored, paths, &entries_of(shape));
        }
        (PropertyValue::Array(items), PropertyValue::Array(stored), Shape::Set(element)) => {
            let partners = partners(items, stored, paths, element);
            for (index, (item, partner)) in items.iter_mut().zip(partners).enumerate() {
                let inside = paths_at(paths, index);
                if let Some(stored) = partner.filter(|_| !is_all(&inside)) {
                    keep(item, stored, &inside, element);
                }
            }
        }
        (PropertyValue::Array(items), PropertyValue::Array(stored), shape) => {
            for (index, (item, stored)) in items.iter_mut().zip(stored).enumerate() {
                keep(item, stored, &paths_at(paths, index), outputs::element_shape(shape, index));
            }
        }
        _ => {}
    }
}

fn entries_of(shape: &Shape) -> Entries<'_> {
    match shape {
        Shape::Object(names) => Entries::Fields(names),
        shape => Entries::All(shape.element().unwrap_or(&Shape::Dynamic)),
    }
}

/// For each element of a program's set the stored one that it is or, but for what is ignored, would be.
fn partners<'s>(
    items: &[PropertyValue],
    stored: &'s [PropertyValue],
    paths: &[Steps<'_>],
    element: &Shape,
) -> Vec<Option<&'s PropertyValue>> {
    let mut free: Vec<_> = stored.iter().map(Some).collect();
    let mut partners = vec![None; items.len()];
    // Of several that differ only in what is ignored, one that is the same altogether counts first.
    for ignoring in [false, true] {
        for (index, (item, partner)) in items.iter().zip(&mut partners).enumerate() {
            let inside = if ignoring { paths_at(paths, index) } else { Vec::new() };
            if partner.is_none() && !is_all(&inside) {
                let place = free.iter().position(|stored| stored.is_some_and(|it| agrees(item, it, &inside, element)));
                *partner = place.and_then(|place| free.get_mut(place)?.take());
            }
        }
    }
    partners
}

/// Whether a program's value makes the stored one, as far as it says anything, but for what is ignored. What is not known yet
/// makes none.
fn agrees(value: &PropertyValue, stored: &PropertyValue, paths: &[Steps<'_>], shape: &Shape) -> bool {
    if is_all(paths) || value.is_null() {
        return true;
    }
    match (value.plain(), stored.plain(), shape) {
        (value @ PropertyValue::Object(_), stored, Shape::List(element) | Shape::Set(element)) => {
            agrees(value, stored, paths, element)
        }
        (PropertyValue::Object(entries), PropertyValue::Object(stored), shape) => {
            entries_agree(entries, stored, paths, &entries_of(shape))
        }
        (PropertyValue::Array(items), PropertyValue::Array(stored), shape) if items.len() == stored.len() => {
            if let Shape::Set(element) = shape {
                return partners(items, stored, paths, element).iter().all(Option::is_some);
            }
            items.iter().zip(stored).enumerate().all(|(index, (item, stored))| {
                agrees(item, stored, &paths_at(paths, index), outputs::element_shape(shape, index))
            })
        }
        (value, stored, _) => value == stored || text(value).is_some_and(|value| text(stored) == Some(value)),
    }
}

fn entries_agree(entries: &PropertyMap, stored: &PropertyMap, paths: &[Steps<'_>], known: &Entries<'_>) -> bool {
    let names: BTreeSet<&String> = entries.keys().chain(stored.keys()).collect();
    names.into_iter().all(|name| {
        let inside = paths_into(paths, name);
        let (value, stored) = (entries.get(name), stored.get(name));
        match (known.shape(name), value, stored) {
            (Some(shape), Some(value), Some(stored)) => agrees(value, stored, &inside, shape),
            // What is empty may be missing in the state.
            (Some(_), Some(value), None) => {
                is_all(&inside) || value.children().next().is_none() && text(value).is_none()
            }
            // What a program does not say of an object, the provider may; a map has nothing but what the program says.
            (Some(_), None, _) => matches!(known, Entries::Fields(_)) || is_all(&inside),
            (None, ..) => true,
        }
    })
}

/// The text of a value without parts: programs may say a number or a bool as one.
fn text(value: &PropertyValue) -> Option<String> {
    match value.plain() {
        PropertyValue::String(text) => Some(text.clone()),
        PropertyValue::Bool(value) => Some(value.to_string()),
        PropertyValue::Number(double) => inputs::exact(*double).map(|number| number.to_string()),
        _ => None,
    }
}

/// `value` with secrets at its ends only, so that what is taken out of it is one.
fn with_secret_leaves(value: &PropertyValue, inside_secret: bool) -> PropertyValue {
    let secret = inside_secret || value.is_secret();
    match value.plain() {
        PropertyValue::Array(items) if !items.is_empty() => {
            PropertyValue::Array(items.iter().map(|item| with_secret_leaves(item, secret)).collect())
        }
        PropertyValue::Object(entries) if !entries.is_empty() => PropertyValue::Object(
            entries.iter().map(|(name, value)| (name.clone(), with_secret_leaves(value, secret))).collect(),
        ),
        leaf if secret => leaf.clone().into_secret(),
        leaf => leaf.clone(),
    }
}

fn is_all(paths: &[Steps<'_>]) -> bool {
    paths.iter().any(|path| path.is_empty())
}

fn is_any(step: &PropertyStep) -> bool {
    matches!(step, PropertyStep::Name(name) if &**name == "*")
}

fn paths_into<'p>(paths: &[Steps<'p>], name: &str) -> Vec<Steps<'p>> {
    paths_through(paths, |step| matches!(step, PropertyStep::Name(step) if **step == *name))
}

fn paths_at<'p>(paths: &[Steps<'p>], index: usize) -> Vec<Steps<'p>> {
    paths_through(paths, |step| *step == PropertyStep::Index(index))
}

/// What is left of the paths that begin with such a step, or with one that stands for any.
fn paths_through<'p>(paths: &[Steps<'p>], fits: impl Fn(&PropertyStep) -> bool) -> Vec<Steps<'p>> {
    let split = paths.iter().filter_map(|path| path.split_first());
    split.filter(|(step, _)| is_any(step) || fits(step)).map(|(_, rest)| rest).collect()
}

/// The paths among `ignored` that lead somewhere: an element that the state's array does not have cannot keep its value, so
/// there is nothing to ignore. What an object lacks can: it stays away.
pub(crate) fn resolvable(ignored: &[PropertyPath], state: &PropertyMap) -> Vec<PropertyPath> {
    let leads = |path: &&PropertyPath| match path.steps().split_first() {
        Some((PropertyStep::Name(name), rest)) => &**name == "*" || leads_somewhere(state.get(&**name), rest),
        _ => false,
    };
    ignored.iter().filter(leads).cloned().collect()
}

fn leads_somewhere(state: Option<&PropertyValue>, steps: &[PropertyStep]) -> bool {
    let Some((step, rest)) = steps.split_first() else { return true };
    match (step, state.map(PropertyValue::plain)) {
        (PropertyStep::Name(name), _) if &**name == "*" => true,
        (PropertyStep::Index(index), Some(PropertyValue::Array(items))) => {
            items.get(*index).is_some_and(|item| leads_somewhere(Some(item), rest))
        }
        (PropertyStep::Name(name), Some(PropertyValue::Object(entries))) => leads_somewhere(entries.get(&**name), rest),
        (PropertyStep::Name(_), None) => leads_somewhere(None, rest),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(entries: &[(&str, PropertyValue)]) -> PropertyMap {
        entries.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    fn kept(mut value: PropertyValue, stored: &PropertyValue, path: &str, shape: &Shape) -> PropertyValue {
        let path: PropertyPath = path.parse().unwrap();
        keep(&mut value, &with_secret_leaves(stored, false), &[path.steps()], shape);
        value
    }

    fn disk(name: &str, size: f64) -> PropertyValue {
        PropertyValue::Object(object(&[("name", name.into()), ("size", PropertyValue::Number(size))]))
    }

    #[test]
    fn ignored_parts_keep_their_stored_value() {
        let tags = |a: &str| PropertyValue::Object(object(&[("a", a.into()), ("b", "same".into())]));
        let stored = PropertyValue::Array(vec![tags("state")]);
        let value = PropertyValue::Array(vec![tags("program")]);
        assert_eq!(kept(value, &stored, "[\"*\"].a", &Shape::Dynamic), stored);
    }

    #[test]
    fn an_ignored_part_that_the_state_lacks_is_dropped() {
        let with_added = PropertyValue::Object(object(&[("added", "x".into())]));
        let without = PropertyValue::Object(PropertyMap::new());
        assert_eq!(kept(with_added, &without, "added", &Shape::Dynamic), without);
    }

    #[test]
    fn elements_of_a_set_are_found_by_what_is_not_ignored() {
        let set = Shape::Set(Shape::Dynamic.into());
        let array = |items: &[PropertyValue]| PropertyValue::Array(items.to_vec());
        let stored = array(&[disk("a", 4.0), disk("z", 3.0)]);
        for (program, path, expected) in [
            ([disk("z", 3.0), disk("a", 4.0)], "[\"*\"].size", [disk("z", 3.0), disk("a", 4.0)]),
            ([disk("z", 9.0), disk("a", 9.0)], "[\"*\"].size", [disk("z", 3.0), disk("a", 4.0)]),
            ([disk("z", 9.0), disk("a", 9.0)], "[0].size", [disk("z", 3.0), disk("a", 9.0)]),
            // Nothing is known of an element that is new, or whose identity is not known yet.
            ([disk("n", 9.0), disk("a", 9.0)], "[\"*\"].size", [disk("n", 9.0), disk("a", 4.0)]),
            // All of an element is what the old inputs have there.
            ([disk("z", 3.0), disk("n", 9.0)], "[0]", [disk("z", 3.0), disk("n", 9.0)]),
        ] {
            assert_eq!(kept(array(&program), &stored, path, &set), array(&expected), "{path}");
        }
        // One that is the same altogether is not taken for another that differs in what is ignored.
        let stored = array(&[disk("a", 4.0), disk("a", 3.0)]);
        let same = array(&[disk("a", 3.0), disk("a", 4.0)]);
        assert_eq!(kept(same.clone(), &stored, "[\"*\"].size", &set), same);
    }

    #[test]
    fn what_is_the_same_is_as_secret_as_the_inputs_say() {
        let value = |v: f64, secret: bool| {
            let number = PropertyValue::Number(v);
            let number = if secret { number.into_secret() } else { number };
            PropertyValue::Object(object(&[("v", number)]))
        };
        let stored = value(1.0, false).into_secret();
        for (program, expected) in [
            (value(1.0, false), value(1.0, false)),
            (value(1.0, true), value(1.0, true)),
            // Of what comes out of the state it is not known which part was the secret.
            (value(2.0, false), value(1.0, true)),
        ] {
            assert_eq!(kept(program, &stored, "v", &Shape::Dynamic), expected);
        }
    }

    #[test]
    fn an_element_that_the_state_lacks_cannot_be_ignored() {
        let list = PropertyValue::Array(vec!["a".into()]);
        let state = object(&[("list", list.clone()), ("p", PropertyValue::Object(object(&[("list", list)])))]);
        let paths = ["list[0]", "list[1]", "p.list[1].x", "p.gone", "p[\"list\"][0]", "new", "new[0]", "list[*]", "*"];
        let paths: Vec<PropertyPath> = paths.iter().map(|path| path.parse().unwrap()).collect();
        let leading: Vec<String> = resolvable(&paths, &state).iter().map(ToString::to_string).collect();
        assert_eq!(leading, ["list[0]", "p.gone", "p.list[0]", "new", "list[\"*\"]", "[\"*\"]"]);
    }
}
