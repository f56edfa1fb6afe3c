//! Names that say that what they name is a secret, for values without a schema that could say it.

/// Words that name secrets, as they stand when a name is taken apart.
const WORDS: [&[&str]; 11] = [
    &["password"],
    &["passwd"],
    &["secret"],
    &["token"],
    &["private", "key"],
    &["privatekey"],
    &["credential"],
    &["api", "key"],
    &["apikey"],
    &["connection", "string"],
    &["connectionstring"],
];

/// Whether a name has one of [`WORDS`] in it, in the singular or plural and however the name is put together: `db_password`,
/// `clientSecret` and `API-KEYS` have, `passwordless` and `tokenizer` do not.
pub(super) fn names_a_secret(name: &str) -> bool {
    let segments = segments(name);
    WORDS.iter().any(|words| segments.windows(words.len()).any(|found| is_spelled(found, words)))
}

fn is_spelled(found: &[String], words: &[&str]) -> bool {
    let Some(((last, before), (last_word, words_before))) = found.split_last().zip(words.split_last()) else {
        return false;
    };
    before == words_before && (last == last_word || last.strip_suffix('s') == Some(last_word))
}

/// The words of a name in lower case: between what is neither letter nor digit, and where capitals begin one.
fn segments(name: &str) -> Vec<String> {
    let mut segments = vec![String::new()];
    let characters: Vec<char> = name.chars().collect();
    for (at, character) in characters.iter().enumerate() {
        let previous = at.checked_sub(1).and_then(|before| characters.get(before));
        if !character.is_alphanumeric() || begins_word(previous, *character, characters.get(at + 1)) {
            segments.push(String::new());
        }
        if let Some(segment) = segments.last_mut().filter(|_| character.is_alphanumeric()) {
            segment.extend(character.to_lowercase());
        }
    }
    segments.retain(|segment| !segment.is_empty());
    segments
}

/// In `apiKey` the capital begins a word, and in `APIKey` the last one of several.
fn begins_word(previous: Option<&char>, character: char, next: Option<&char>) -> bool {
    character.is_uppercase()
        && previous.is_some_and(|previous| {
            previous.is_lowercase()
                || previous.is_numeric()
                || (previous.is_uppercase() && next.is_some_and(|next| next.is_lowercase()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_named_by_whole_words_however_they_are_joined() {
        for name in [
            "password",
            "PASSWORD",
            "db_password",
            "db-passwd.old",
            "clientSecret",
            "secrets",
            "access_token",
            "apiTokens",
            "private_key",
            "privateKeyPem",
            "PRIVATE_KEY",
            "api_key",
            "APIKey",
            "apikey",
            "my-Api-Keys",
            "credentials",
            "connection_string",
            "ConnectionString",
            "oauth2Token",
        ] {
            assert!(names_a_secret(name), "{name}");
        }
        for name in ["passwordless", "tokenizer", "secretary", "key", "api", "private_network_key_id", "keyPrivate", ""]
        {
            assert!(!names_a_secret(name), "{name}");
        }
    }

    #[test]
    fn words_end_where_capitals_begin() {
        assert_eq!(segments("myHTTPServer2Key_x"), ["my", "http", "server2", "key", "x"]);
        assert_eq!(segments("ÜberKey"), ["über", "key"]);
    }
}
