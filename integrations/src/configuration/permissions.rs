//! What a script's permissions look like. What they allow is known to whoever starts scripts.

use serde_json::Value as Json;

/// How no permissions are written.
pub(super) const NONE: &str = "none";

/// Whether these are permissions: `"all"`, `"none"`, a list of what is allowed, or a table with `all`, `allow` and `deny`.
pub(super) fn are_well_formed(permissions: &Json) -> bool {
    match permissions {
        Json::String(word) => word == "all" || word == NONE,
        Json::Array(_) => are_entries(permissions),
        Json::Object(members) => members.iter().all(|(name, value)| match name.as_str() {
            "all" => value.is_boolean(),
            "allow" | "deny" => are_entries(value),
            _ => false,
        }),
        _ => false,
    }
}

/// Permissions of Deno without the dashes: `read`, `net=example.com:443`.
fn are_entries(value: &Json) -> bool {
    let is_entry = |entry: &Json| entry.as_str().is_some_and(|entry| !entry.is_empty() && !entry.starts_with('-'));
    value.as_array().is_some_and(|entries| entries.iter().all(is_entry))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn m01_permissions_come_in_four_forms() {
        for good in [
            json!("all"),
            json!("none"),
            json!(["read", "net=example.com:443"]),
            json!({ "all": true, "deny": ["net"] }),
            json!({ "allow": [] }),
        ] {
            assert!(are_well_formed(&good), "{good}");
        }
        for bad in [
            json!("some"),
            json!(true),
            json!([1]),
            json!(["--allow-net"]),
            json!([""]),
            json!({ "all": 1 }),
            json!({ "allowed": ["net"] }),
            json!({ "allow": "net" }),
        ] {
            assert!(!are_well_formed(&bad), "{bad}");
        }
    }
}
