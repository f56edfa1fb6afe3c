//! Changes to a program's inputs before they become a configuration.

use denobridge_sdk_gen::{ObjectNames, PropertyPath, PropertyStep};
use sha2::{Digest as _, Sha256};

use crate::property_value::{Asset, PropertyMap, PropertyValue};

/// Gives the properties that the user wants ignored (`ignoreChanges`) the value that they have in the state, so that
/// neither the program's nor anybody else's change of them is acted on.
pub(crate) fn keep_ignored(
    inputs: &mut PropertyMap,
    state: &PropertyMap,
    ignored: &[PropertyPath],
    names: &ObjectNames,
) {
    for path in ignored {
        let Some((first, rest)) = path.steps().split_first() else { continue };
        for name in selected(first, inputs.keys().chain(state.keys())) {
            // What the program cannot set, or the state cannot tell, stays as it is.
            if names.by_pulumi(&name).is_some_and(|field| field.is_input() && !field.write_only) {
                keep_entry(inputs, Some(state), &name, rest);
            }
        }
    }
}

fn selected<'k>(step: &PropertyStep, keys: impl Iterator<Item = &'k String>) -> Vec<String> {
    match step {
        PropertyStep::Name(name) if &**name == "*" => keys.cloned().collect(),
        PropertyStep::Name(name) => vec![name.to_string()],
        PropertyStep::Index(_) => Vec::new(),
    }
}

fn keep_entry(inputs: &mut PropertyMap, state: Option<&PropertyMap>, name: &str, rest: &[PropertyStep]) {
    let stored = state.and_then(|state| state.get(name));
    if rest.is_empty() {
        match stored {
            Some(stored) => inputs.insert(name.to_owned(), stored.clone()),
            None => inputs.remove(name),
        };
    } else if let Some(value) = inputs.get_mut(name) {
        keep(value, stored, rest);
    }
}

fn keep(value: &mut PropertyValue, state: Option<&PropertyValue>, steps: &[PropertyStep]) {
    let Some((step, rest)) = steps.split_first() else { return };
    // What comes out of a secret is one: which part of it made it a secret is not known.
    if state.is_some_and(PropertyValue::is_secret) && !value.is_secret() {
        *value = std::mem::take(value).into_secret();
    }
    let state = state.map(PropertyValue::plain);
    match (value, state) {
        (PropertyValue::Secret(inner), state) => keep(inner, state, steps),
        (PropertyValue::Object(entries), Some(PropertyValue::Object(stored))) => {
            for name in selected(step, entries.keys().chain(stored.keys())) {
                keep_entry(entries, Some(stored), &name, rest);
            }
        }
        (PropertyValue::Array(items), Some(PropertyValue::Array(stored))) => {
            let every = matches!(step, PropertyStep::Name(name) if &**name == "*");
            for (index, (item, stored)) in items.iter_mut().zip(stored).enumerate() {
                if every || *step == PropertyStep::Index(index) {
                    if rest.is_empty() { *item = stored.clone() } else { keep(item, Some(stored), rest) }
                }
            }
        }
        _ => {}
    }
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

/// Assets of which the engine gives only the hash: where the state has a text with that hash, that text.
pub(crate) fn restore_assets(inputs: &mut PropertyMap, state: &PropertyMap) {
    for (name, value) in inputs {
        restore_asset(value, state.get(name));
    }
}

fn restore_asset(value: &mut PropertyValue, state: Option<&PropertyValue>) {
    let state = state.map(PropertyValue::plain);
    match (value, state) {
        (PropertyValue::Secret(inner), state) => restore_asset(inner, state),
        (value @ PropertyValue::Asset(Asset { content: None, hash: Some(_) }), Some(PropertyValue::String(text))) => {
            if matches!(value, PropertyValue::Asset(Asset { hash: Some(hash), .. }) if *hash == sha256(text)) {
                *value = PropertyValue::String(text.clone());
            }
        }
        (PropertyValue::Object(entries), Some(PropertyValue::Object(stored))) => restore_assets(entries, stored),
        (PropertyValue::Array(items), Some(PropertyValue::Array(stored))) => {
            for (item, stored) in items.iter_mut().zip(stored) {
                restore_asset(item, Some(stored));
            }
        }
        _ => {}
    }
}

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(entries: &[(&str, PropertyValue)]) -> PropertyMap {
        entries.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    fn step(name: &str) -> PropertyStep {
        PropertyStep::Name(name.into())
    }

    #[test]
    fn ignored_parts_keep_their_stored_value() {
        let tags = |a: &str| PropertyValue::Object(object(&[("a", a.into()), ("b", "same".into())]));
        let mut value = PropertyValue::Array(vec![tags("program")]);
        let stored = PropertyValue::Array(vec![tags("state")]);
        keep(&mut value, Some(&stored), &[step("*"), step("a")]);
        assert_eq!(value, stored);
    }

    #[test]
    fn an_ignored_part_that_the_state_lacks_is_dropped() {
        let mut inputs = object(&[("p", PropertyValue::Object(object(&[("added", "x".into())])))]);
        let state = object(&[("p", PropertyValue::Object(PropertyMap::new()))]);
        keep_entry(&mut inputs, Some(&state), "p", &[step("added")]);
        assert_eq!(inputs, state);
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

    #[test]
    fn an_asset_known_by_its_hash_is_the_stored_text() {
        let asset = |hash: &str| PropertyValue::Asset(Asset { hash: Some(hash.to_owned()), content: None });
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let state = object(&[("f", "abc".into())]);
        let mut inputs = object(&[("f", asset(abc))]);
        restore_assets(&mut inputs, &state);
        assert_eq!(inputs, state);
        let mut changed = object(&[("f", asset("00"))]);
        restore_assets(&mut changed, &state);
        assert_eq!(changed, object(&[("f", asset("00"))]));
    }
}
