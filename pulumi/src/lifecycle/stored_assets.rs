//! Texts of assets that only the state has.

use sha2::{Digest as _, Sha256};

use crate::property_value::{Asset, PropertyMap, PropertyValue};

/// Assets of which the engine gives only the hash: where the state has a text with that hash, that text.
pub(crate) fn restore(inputs: &mut PropertyMap, state: &PropertyMap) {
    for (name, value) in inputs {
        restore_text(value, state.get(name));
    }
}

fn restore_text(value: &mut PropertyValue, state: Option<&PropertyValue>) {
    let state = state.map(PropertyValue::plain);
    match (value, state) {
        (PropertyValue::Secret(inner), state) => restore_text(inner, state),
        (value @ PropertyValue::Asset(Asset { content: None, hash: Some(_) }), Some(PropertyValue::String(text))) => {
            if matches!(value, PropertyValue::Asset(Asset { hash: Some(hash), .. }) if *hash == sha256(text)) {
                *value = PropertyValue::String(text.clone());
            }
        }
        (PropertyValue::Object(entries), Some(PropertyValue::Object(stored))) => restore(entries, stored),
        (PropertyValue::Array(items), Some(PropertyValue::Array(stored))) => {
            for (item, stored) in items.iter_mut().zip(stored) {
                restore_text(item, Some(stored));
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

    #[test]
    fn an_asset_known_by_its_hash_is_the_stored_text() {
        let asset = |hash: &str| PropertyValue::Asset(Asset { hash: Some(hash.to_owned()), content: None });
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let file = |value: PropertyValue| PropertyMap::from([("f".to_owned(), value)]);
        let state = file("abc".into());
        let mut inputs = file(asset(abc));
        restore(&mut inputs, &state);
        assert_eq!(inputs, state);
        let mut changed = file(asset("00"));
        restore(&mut changed, &state);
        assert_eq!(changed, file(asset("00")));
    }
}
