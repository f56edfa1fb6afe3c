//! Names in the three worlds: a script's own, which Pulumi shares, and Terraform's.

/// The snake-case form of a name: `maxSize` → `max_size`, `HTTPServer` → `http_server`, `x-port` → `x_port`. `None` where
/// Terraform could not call anything so.
pub(crate) fn snake_case(name: &str) -> Option<String> {
    let characters: Vec<char> = name.chars().collect();
    let mut out = String::with_capacity(name.len() + 4);
    for (index, character) in characters.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| characters.get(index));
        let after = characters.get(index + 1);
        if character.is_ascii_uppercase() {
            let ends_word = before.is_some_and(|before| before.is_ascii_lowercase() || before.is_ascii_digit());
            let ends_acronym =
                before.is_some_and(char::is_ascii_uppercase) && after.is_some_and(char::is_ascii_lowercase);
            if (ends_word || ends_acronym) && !out.ends_with('_') {
                out.push('_');
            }
            out.push(character.to_ascii_lowercase());
        } else if character.is_ascii_lowercase() || character.is_ascii_digit() || *character == '_' {
            out.push(*character);
        } else if matches!(character, '-' | '.' | ' ' | '/') {
            out.push('_');
        } else {
            return None;
        }
    }
    let begins = out.starts_with(|first: char| first.is_ascii_lowercase() || first == '_');
    Some(out).filter(|out| begins && out.contains(|character: char| character.is_ascii_lowercase()))
}

/// The camel-case form of a name in snake case: `max_size` → `maxSize`.
pub(crate) fn camel_case(name: &str) -> String {
    let mut words = name.split('_').filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &capitalised(word))
}

/// A name in Pascal case, whatever the case it is in: `storage_bucket`, `storage-bucket` and `storageBucket` are
/// `StorageBucket`.
pub(crate) fn pascal_case(name: &str) -> String {
    name.split(|character: char| !character.is_ascii_alphanumeric()).map(capitalised).collect()
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(|first| first.to_ascii_uppercase().to_string() + characters.as_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_snake_case() {
        let cases = [
            ("maxSize", Some("max_size")),
            ("max_size", Some("max_size")),
            ("size", Some("size")),
            ("HTTPServer", Some("http_server")),
            ("serverURL", Some("server_url")),
            ("sha256Sum", Some("sha256_sum")),
            ("x-forwarded.for", Some("x_forwarded_for")),
            ("A", Some("a")),
            ("_private", Some("_private")),
            ("9lives", None),
            ("größe", None),
            ("_1", None),
            ("", None),
        ];
        for (name, expected) in cases {
            assert_eq!(snake_case(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn names_in_pascal_and_camel_case() {
        for name in ["storage_bucket", "storage-bucket", "storageBucket", "StorageBucket"] {
            assert_eq!(pascal_case(name), "StorageBucket", "{name}");
        }
        assert_eq!(camel_case("max_size_2"), "maxSize2");
    }
}
