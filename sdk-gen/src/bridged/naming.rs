//! Names of properties, types and components as the Go bridge forms them.

use std::collections::BTreeSet;

use super::inflect;

/// The Pulumi name of an attribute or block. `plural_of` holds all names at that level where the value is an array, so
/// that the name is made plural unless the plural is a name of its own.
pub(super) fn property_name(terraform: &str, plural_of: Option<&BTreeSet<&str>>) -> String {
    // An attribute of an old provider ends in a colon.
    let name = terraform.strip_suffix(':').unwrap_or(terraform);
    match plural_of {
        Some(taken) => {
            let plural = inflect::plural(name);
            if taken.contains(plural.as_str()) { camel(name) } else { camel(&plural) }
        }
        None => camel(name),
    }
}

/// `write_only_props` → `writeOnlyProps`. Underscores at the start stay and so does one at the end; only ASCII letters
/// change their case.
pub(super) fn camel(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut started = false;
    let mut upper = false;
    for character in name.chars() {
        if character == '_' && started {
            upper = true;
            continue;
        }
        started |= character != '_';
        out.push(if upper { character.to_ascii_uppercase() } else { character });
        upper = false;
    }
    if name.ends_with('_') {
        out.push('_');
    }
    out
}

/// What a component is called: `my_web-server` → `MyWebServer`, `3des` → `ThreeDes`.
pub(super) fn pascal(name: &str) -> String {
    spell_first_digit(&upper_first(&words(name)))
}

/// What a function is called: the same with a small first letter where the name has one.
pub(super) fn function_name(name: &str) -> String {
    spell_first_digit(&words(name))
}

fn words(name: &str) -> String {
    join(&join(name, '_'), '-')
}

/// Takes separators out; what follows one is upper case.
fn join(name: &str, separator: char) -> String {
    match name.split_once(separator) {
        None => name.to_owned(),
        Some((before, after)) => format!("{before}{}", join(&upper_first(after), separator)),
    }
}

fn spell_first_digit(name: &str) -> String {
    const DIGITS: [&str; 10] = ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
    let mut characters = name.chars();
    match characters.next().and_then(|first| DIGITS.get(first.to_digit(10)? as usize)) {
        Some(word) => format!("{word}{}", upper_first(characters.as_str())),
        None => name.to_owned(),
    }
}

/// The first character in upper case.
pub(super) fn upper_first(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// The first character in lower case, which is how the module of a token is called.
pub(super) fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}

/// The first letter of each word in upper case, with Unicode's idea of a word: hyphens and other signs separate words;
/// underscores do not, nor do full stops and colons inside.
pub(super) fn title(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_word = false;
    for character in text.chars() {
        let joins = in_word && matches!(character, '.' | ':' | '\'');
        if character.is_alphabetic() && !in_word {
            out.extend(character.to_uppercase());
            in_word = true;
        } else {
            out.push(character);
            in_word = in_word && (joins || character == '_' || character.is_alphanumeric());
        }
    }
    out
}

/// The name of the type of an object: the name of what it is in, then the property that holds it, in the singular if
/// that is an array.
pub(super) fn type_name(parent: &str, property: &str, is_array: bool) -> String {
    if is_array {
        format!("{parent}{}", title(&inflect::singular(property)))
    } else {
        format!("{parent}{}", title(property))
    }
}

/// The token of a resource, data source or function.
pub(super) fn component_token(package: &str, name: &str) -> String {
    format!("{package}:index/{}:{name}", lower_first(name))
}

/// The token of a type.
pub(super) fn type_token(package: &str, module: &str, name: &str) -> String {
    format!("{package}:{module}/{name}:{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camel_case_of_properties() {
        let cases = [
            ("_foo_bar", "_fooBar"),
            ("sha_256", "sha256"),
            ("secret_b64", "secretB64"),
            ("out_", "out_"),
            ("a__b", "aB"),
            ("a-b_c", "a-bC"),
            ("acl_über", "aclüber"),
        ];
        for (name, expected) in cases {
            assert_eq!(camel(name), expected, "{name}");
        }
        assert_eq!(property_name("role_arn:", None), "roleArn");
    }

    #[test]
    fn a_plural_that_is_taken_is_not_formed() {
        let taken = |names: &[&'static str]| names.iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(property_name("security_group", Some(&taken(&["security_group"]))), "securityGroups");
        let both = taken(&["security_group", "security_groups"]);
        assert_eq!(property_name("security_group", Some(&both)), "securityGroup");
        assert_eq!(property_name("security_groups", Some(&both)), "securityGroups");
    }

    #[test]
    fn names_of_components() {
        let cases = [("index", "Index"), ("my-token", "MyToken"), ("3des", "ThreeDes"), ("9", "Nine"), ("_a__b", "AB")];
        for (name, expected) in cases {
            assert_eq!(pascal(name), expected, "{name}");
        }
        assert_eq!(function_name("rfc3339_parse"), "rfc3339Parse");
        assert_eq!(component_token("p", "MyToken"), "p:index/myToken:MyToken");
    }

    /// Answers of `golang.org/x/text/cases` with `NoLower`.
    #[test]
    fn titles_are_those_of_the_go_library() {
        let cases = [
            ("fooBar", "FooBar"),
            ("my-prop", "My-Prop"),
            ("_foo", "_Foo"),
            ("3d", "3D"),
            ("a.b", "A.b"),
            ("a:b", "A:b"),
            ("3des-foo", "3Des-Foo"),
            ("x_y", "X_y"),
            ("$ref", "$Ref"),
            ("a$b", "A$B"),
            ("foo9bar", "Foo9bar"),
        ];
        for (name, expected) in cases {
            assert_eq!(title(name), expected, "{name}");
        }
    }

    /// Names in packages that the Go bridge has made of providers whose schemas are not at hand (random 3.3.0, b2 0.8.9,
    /// bunnynet 0.5.1, databricks 1.50.0, alz 0.11.1), a fact in each line: the token of a component; the name of an array;
    /// what the object in a property is called (its parent, the property, how it is in there, its name).
    const OF_THE_GO_BRIDGE: &str = include_str!("../../tests/go-bridge-names.txt");

    /// The Terraform name that is the nearest to that of a property.
    fn snake(name: &str) -> String {
        name.chars().fold(String::new(), |mut snake, character| {
            if character.is_ascii_uppercase() {
                snake.push('_');
            }
            snake.push(character.to_ascii_lowercase());
            snake
        })
    }

    #[test]
    fn names_are_those_of_packages_of_the_go_bridge() {
        let mut seen = [0; 3];
        for line in OF_THE_GO_BRIDGE.lines() {
            match line.split('\t').collect::<Vec<_>>()[..] {
                ["component", token] => {
                    let (package, name) = (token.split(':').next().unwrap(), token.rsplit(':').next().unwrap());
                    assert_eq!(component_token(package, name), token);
                    seen[0] += 1;
                }
                // A plural stays as it is, whether the provider or the Go bridge has formed it.
                ["array", name] => {
                    assert_eq!(property_name(&snake(name), Some(&BTreeSet::new())), name);
                    seen[1] += 1;
                }
                ["type", parent, property, held, name] => {
                    assert_eq!(type_name(parent, property, held == "array"), name, "{parent}.{property}");
                    seen[2] += 1;
                }
                _ => panic!("{line}"),
            }
        }
        assert_eq!(seen, [185, 165, 806]);
    }
}
