//! Changing the case of names.

/// `write_only_props` → `writeOnlyProps`. Underscores at the start stay and so does one at the end; digits have no case,
/// so `sha_256` becomes `sha256`. Other characters are left alone.
pub(crate) fn camel_case(name: &str) -> String {
    let body = name.trim_start_matches('_');
    let mut out = String::with_capacity(name.len());
    out.extend(name.chars().take(name.chars().count() - body.chars().count()));
    let mut after_underscore = false;
    for character in body.chars() {
        if character == '_' {
            after_underscore = true;
        } else {
            out.push(if after_underscore { character.to_ascii_uppercase() } else { character });
            after_underscore = false;
        }
    }
    if after_underscore {
        out.push('_');
    }
    out
}

/// `web_server` → `WebServer`, `my-token` → `MyToken`.
pub(crate) fn pascal_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut upper = true;
    for character in name.chars() {
        if matches!(character, '_' | '-') {
            upper = true;
        } else {
            out.push(if upper { character.to_ascii_uppercase() } else { character });
            upper = false;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camel_case_of_terraform_names() {
        let cases = [
            ("write_only_props", "writeOnlyProps"),
            ("path", "path"),
            ("_foo_bar", "_fooBar"),
            ("__x", "__x"),
            ("sha_256", "sha256"),
            ("secret_b64", "secretB64"),
            ("out_", "out_"),
            ("out__", "out_"),
            ("a__b", "aB"),
            ("a-b_c", "a-bC"),
            ("alreadyCamel", "alreadyCamel"),
            ("_", "_"),
            ("", ""),
        ];
        for (name, expected) in cases {
            assert_eq!(camel_case(name), expected, "{name}");
        }
    }
}
