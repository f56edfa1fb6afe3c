//! As much of JSON Schema as the contract's documents use. A keyword that is not known here is a problem too, so that none
//! is passed over.

use serde_json::Value as Json;

/// Keywords that say nothing about values.
const WORDS: [&str; 2] = ["description", "format"];

/// What a schema has against a value. References lead into `document`.
pub fn problem(value: &Json, schema: &Json, document: &Json) -> Option<String> {
    let keywords = match schema {
        Json::Object(keywords) => keywords,
        Json::Bool(true) | Json::Null => return None,
        other => return Some(format!("{other} is no schema")),
    };
    keywords.iter().filter(|(keyword, _)| !WORDS.contains(&keyword.as_str())).find_map(
        |(keyword, wanted)| match keyword.as_str() {
            "$ref" => match wanted.as_str().and_then(|reference| document.pointer(reference.trim_start_matches('#'))) {
                Some(schema) => problem(value, schema, document),
                None => Some(format!("{wanted} leads nowhere")),
            },
            "type" => wrong_if(!has_type(value, wanted), value, &format!("is not of type {wanted}")),
            "const" => wrong_if(value != wanted, value, &format!("is not {wanted}")),
            "enum" => wrong_if(!items(wanted).contains(value), value, &format!("is none of {wanted}")),
            "anyOf" | "oneOf" => {
                let fits = items(wanted).iter().any(|schema| problem(value, schema, document).is_none());
                wrong_if(!fits, value, &format!("fits none of {wanted}"))
            }
            "properties" => members(value).find_map(|(name, member)| {
                let problem = problem(member, wanted.get(name)?, document)?;
                Some(format!("{name}: {problem}"))
            }),
            "required" => items(wanted).iter().find_map(|name| {
                let missing = value.is_object() && value.get(name.as_str()?).is_none();
                wrong_if(missing, value, &format!("has no member {name}"))
            }),
            "additionalProperties" => {
                let known = keywords.get("properties");
                let unknown = |name: &str| known.is_none_or(|known| known.get(name).is_none());
                let stray = members(value).find(|(name, _)| *wanted == Json::Bool(false) && unknown(name));
                stray.map(|(name, _)| format!("the member {name} is not in the document"))
            }
            "items" => items(value).iter().find_map(|item| problem(item, wanted, document)),
            "minLength" => {
                let short =
                    value.as_str().is_some_and(|text| (text.chars().count() as u64) < wanted.as_u64().unwrap_or(0));
                wrong_if(short, value, "is too short")
            }
            "minimum" => wrong_if(value.as_f64() < wanted.as_f64() && value.is_number(), value, "is too small"),
            other => Some(format!("the keyword {other} is not known here")),
        },
    )
}

fn wrong_if(wrong: bool, value: &Json, what: &str) -> Option<String> {
    wrong.then(|| format!("{value} {what}"))
}

fn has_type(value: &Json, wanted: &Json) -> bool {
    let is = |name: &Json| match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        _ => false,
    };
    if wanted.is_array() { items(wanted).iter().any(is) } else { is(wanted) }
}

fn items(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn members(value: &Json) -> impl Iterator<Item = (&String, &Json)> {
    value.as_object().into_iter().flatten()
}
