//! What Python allows no member and no function to be called. Its generator repairs keywords (`class_`), and looks for
//! nothing else: what it writes uses builtins by their plain names, beside parameters and members that are called as a schema
//! says. Some of it is only a type checker's complaint; the rest fails when the SDK is imported, or used.
//!
//! | where | names | what breaks |
//! |---|---|---|
//! | everywhere | `str` | annotations such as `Mapping[str, …]`, which then are of the member |
//! | everywhere | `_builtins`, `_utilities` | the modules that classes and constructors use under these names |
//! | functions | `opts` | a parameter of every function: `SyntaxError` for the whole SDK |
//! | functions | `dict`, `isinstance`, `bool`, `float`, `int`, `list` | called by the function, and by the class of what it returns, where a parameter has the name |
//! | resources, actions, the provider | `opts`, `resource_name` | parameters of `__init__`, to which a class of arguments adds its members by name |
//! | resources, actions, the provider | `isinstance`, `super` | called by `__init__` |
//! | resources, actions, the provider | members of `CustomResource` and `ProviderResource` | the library calls them when a resource is registered |
//! | all but functions | `warnings` | the module that classes of arguments warn with where a deprecated property is given: `AttributeError` |
//! | resources, actions | `exists` | a method of every resource |
//! | nested objects | members of `dict` | what comes back is a `dict` |
//!
//! Source: `genResource`, `genFunction`, `genAwaitableType`, `genType` in `pkg/codegen/python/gen.go`.

use crate::native::Level;

/// The members of a `dict`.
const DICT: [&str; 11] =
    ["clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values"];

/// What functions and the classes of their results call.
const USED_BY_FUNCTIONS: [&str; 7] = ["bool", "dict", "float", "int", "isinstance", "list", "str"];

/// Modules that all classes use, as the generator imports them.
const MODULES: [&str; 2] = ["_builtins", "_utilities"];

/// The module that constructors of arguments and nested objects warn with. The name is taken whether they have something to
/// warn of or not, so that nothing gets another name because something else has become deprecated.
const WARNINGS: &str = "warnings";

/// The members of `CustomResource` and `ProviderResource` in `pulumi/resource.py`, but for `id` and `urn`.
const OF_RESOURCES: [&str; 5] = [
    "get_provider",
    "pulumi_resource_name",
    "pulumi_resource_type",
    "translate_input_property",
    "translate_output_property",
];

/// What constructors of resources have as parameters, or call.
const USED_BY_CONSTRUCTORS: [&str; 4] = ["isinstance", "opts", "resource_name", "super"];

/// Whether a property cannot have the name at that level.
pub(crate) fn is_taken(level: Level, name: &str) -> bool {
    let name = self::name(name);
    let is_in = |names: &[&str]| names.contains(&name.as_str());
    let is_used_by_resources = || name == WARNINGS || is_in(&USED_BY_CONSTRUCTORS) || is_in(&OF_RESOURCES);
    name == "str"
        || is_in(&MODULES)
        || match level {
            Level::Provider => is_used_by_resources(),
            Level::Resource | Level::Action => name == "exists" || is_used_by_resources(),
            Level::Function | Level::List => name == "opts" || is_in(&USED_BY_FUNCTIONS),
            Level::Nested => name == WARNINGS || is_in(&DICT),
        }
}

/// Whether a function cannot have the name: it would be called in place of the builtin.
pub(crate) fn is_used_by_functions(name: &str) -> bool {
    USED_BY_FUNCTIONS.contains(&self::name(name).as_str())
}

/// What a property or a function is called in Python, but for keywords (`PyName` in `pkg/codegen/python/python.go`): words of
/// small letters that underscores join. What follows an acronym belongs to it if it is a digit or an `s`.
pub(crate) fn name(name: &str) -> String {
    #[derive(PartialEq)]
    enum Last {
        Upper,
        Acronym,
        Other,
    }
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut last = Last::Other;
    for character in name.chars() {
        let upper = character.is_uppercase();
        match last {
            Last::Other if upper => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                last = Last::Upper;
            }
            Last::Upper | Last::Acronym if upper => last = Last::Acronym,
            Last::Acronym if !character.is_ascii_digit() && character != 's' => {
                let begun = word.pop();
                words.push(std::mem::take(&mut word));
                word.extend(begun);
                last = Last::Other;
            }
            _ => last = Last::Other,
        }
        word.extend(character.to_lowercase());
    }
    words.push(word);
    words.join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_python() {
        let cases = [
            ("resourceName", "resource_name"),
            ("STR", "str"),
            ("Items", "items"),
            ("setDefault", "set_default"),
            // Acronyms are words.
            ("getS3Bucket", "get_s3_bucket"),
            ("getSHA256Hash", "get_sha256_hash"),
            ("getHTTPServer", "get_http_server"),
        ];
        for (given, expected) in cases {
            assert_eq!(name(given), expected, "{given}");
        }
    }

    #[test]
    fn what_is_taken_depends_on_where() {
        let all = [Level::Provider, Level::Resource, Level::Action, Level::Function, Level::List, Level::Nested];
        let taken = |name| all.into_iter().filter(|level| is_taken(*level, name)).collect::<Vec<_>>();
        assert_eq!(taken("str"), all);
        assert_eq!(taken("_builtins"), all);
        assert_eq!(taken("opts"), all[..5]);
        assert_eq!(taken("isinstance"), all[..5]);
        assert_eq!(taken("resourceName"), all[..3]);
        assert_eq!(taken("super"), all[..3]);
        assert_eq!(taken("translateOutputProperty"), all[..3]);
        assert_eq!(taken("warnings"), [all[0], all[1], all[2], all[5]]);
        assert_eq!(taken("exists"), all[1..3]);
        assert_eq!(taken("dict"), all[3..5]);
        assert_eq!(taken("items"), all[5..]);
        assert_eq!(taken("setDefault"), []);
        assert!(is_used_by_functions("list"));
        assert!(!is_used_by_functions("opts"));
    }
}
