//! What the components of a provider are called in Pulumi.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use denobridge_core::schema::ProviderSchema;

use super::naming::{component_token, function_name, pascal};
use super::{BridgedOptions, Repair};
use crate::error::SchemaError;
use crate::native::ComponentKind;

/// The Pulumi names of the components that the package offers, by Terraform name: the last parts of their tokens.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    /// What the names of resources and data sources begin with.
    pub(super) prefix: String,
    pub(super) resources: BTreeMap<Arc<str>, String>,
    pub(super) data_sources: BTreeMap<Arc<str>, String>,
    pub(super) functions: BTreeMap<Arc<str>, String>,
}

/// Names everything.
pub(super) fn compute(schema: &ProviderSchema, options: &BridgedOptions) -> Result<Tokens, SchemaError> {
    let prefix = prefix(schema, options);
    let offered = |name: &&Arc<str>| options.offers(name);
    let mut resources = distinct(schema.resources.keys().filter(offered), ComponentKind::Resource, &prefix, options)?;
    rename_provider(schema, options, &prefix, &mut resources)?;
    let data_sources =
        distinct(schema.data_sources.keys().filter(offered), ComponentKind::DataSource, &prefix, options)?;
    let functions: BTreeMap<_, _> =
        schema.functions.keys().filter(offered).map(|name| (Arc::clone(name), function_name(name))).collect();
    for (function, name) in &functions {
        if let Some((source, _)) = data_sources.iter().find(|(_, other)| *other == name) {
            let token = component_token(options.package_name(), name);
            let (first, second) = (format!("the data source {source}"), format!("the function {function}"));
            return Err(SchemaError::TokenCollision { first, second, token });
        }
    }
    Ok(Tokens { prefix, resources, data_sources, functions })
}

/// The first word of the names of all resources, if it is one word; otherwise the name of the package. Names of one word
/// do not count, and what the package leaves out does.
fn prefix(schema: &ProviderSchema, options: &BridgedOptions) -> String {
    let common = common_word(schema.resources.keys());
    // Without resources the Go bridge takes the name of the package, although that may have been chosen by the user.
    let common = common.or_else(|| {
        let repaired = options.repairs.contains(Repair::ForeignPrefixes) && schema.resources.is_empty();
        repaired.then(|| common_word(schema.data_sources.keys()))?
    });
    common.unwrap_or_else(|| options.package_name().to_owned())
}

/// The first word of names that have several, if it is one for all.
pub(super) fn common_word<'n>(names: impl Iterator<Item = &'n Arc<str>>) -> Option<String> {
    let words: BTreeSet<&str> = names.filter_map(|name| name.split_once('_')).map(|(word, _)| word).collect();
    match words.len() {
        1 => words.first().filter(|word| !word.is_empty()).map(|word| (*word).to_owned()),
        _ => None,
    }
}

/// The name of a resource, or of a data source after `get`.
fn name_of(type_name: &str, prefix: &str, options: &BridgedOptions) -> Result<String, SchemaError> {
    match type_name.strip_prefix(prefix) {
        Some("") => Ok(pascal(type_name)),
        Some(rest) => Ok(pascal(rest)),
        None if options.repairs.contains(Repair::ForeignPrefixes) => Ok(pascal(type_name)),
        None => Err(SchemaError::MissingPrefix { type_name: type_name.to_owned(), prefix: prefix.to_owned() }),
    }
}

/// Names in the order of Terraform's; where two differ in the case of letters at most, later ones get `V2`, `V3`, ….
fn distinct<'n>(
    type_names: impl Iterator<Item = &'n Arc<str>>,
    kind: ComponentKind,
    prefix: &str,
    options: &BridgedOptions,
) -> Result<BTreeMap<Arc<str>, String>, SchemaError> {
    let mut next_variant: BTreeMap<String, usize> = BTreeMap::new();
    let mut names = BTreeMap::new();
    for type_name in type_names {
        let name = name_of(type_name, prefix, options)?;
        let name = if kind == ComponentKind::DataSource { format!("get{name}") } else { name };
        let mut unique = name.clone();
        if let Some(first) = next_variant.get(&name.to_lowercase()).copied() {
            let mut variant = first;
            while next_variant.contains_key(&format!("{name}V{variant}").to_lowercase()) {
                variant += 1;
            }
            unique = format!("{name}V{variant}");
            next_variant.insert(name.to_lowercase(), variant + 1);
        }
        next_variant.insert(unique.to_lowercase(), 2);
        names.insert(Arc::clone(type_name), unique);
    }
    Ok(names)
}

/// The provider itself is the resource `Provider`, so a resource of that name gets another.
fn rename_provider(
    schema: &ProviderSchema,
    options: &BridgedOptions,
    prefix: &str,
    resources: &mut BTreeMap<Arc<str>, String>,
) -> Result<(), SchemaError> {
    let package = options.package_name();
    let Some(name) = resources.get_mut(format!("{prefix}_provider").as_str()).filter(|name| *name == "Provider") else {
        return Ok(());
    };
    let candidates = [
        format!("{prefix}_{package}_provider"),
        format!("{prefix}_provider_resource"),
        format!("{prefix}_{package}_provider_resource"),
    ];
    match candidates.iter().find(|candidate| !schema.resources.contains_key(candidate.as_str())) {
        Some(free) => {
            *name = name_of(free, prefix, options)?;
            Ok(())
        }
        None => Err(SchemaError::NoFreeName {
            place: format!("resource {prefix}_provider"),
            attribute: "Provider".to_owned(),
            tried: candidates.join(", "),
        }),
    }
}

#[cfg(test)]
mod tests {
    use denobridge_core::schema::Schema;

    use super::*;
    use crate::bridged::Repairs;

    fn schema(resources: &[&str], data_sources: &[&str]) -> ProviderSchema {
        let of = |names: &[&str]| names.iter().map(|name| ((*name).into(), Schema::default())).collect();
        ProviderSchema { resources: of(resources), data_sources: of(data_sources), ..ProviderSchema::default() }
    }

    fn options() -> BridgedOptions {
        BridgedOptions { repairs: Repairs::none(), ..BridgedOptions::new("test", "0.0.0") }
    }

    fn resources(names: &[&str]) -> Vec<String> {
        compute(&schema(names, &[]), &options()).unwrap().resources.into_values().collect()
    }

    #[test]
    fn tokens_of_the_test_provider() {
        assert_eq!(resources(&["test_index", "test_my-token"]), ["Index", "MyToken"]);
        assert_eq!(resources(&["test", "test_3des"]), ["Test", "ThreeDes"]);
        // The word that all share counts, not the name of the package.
        assert_eq!(resources(&["other_a", "other_b"]), ["A", "B"]);
    }

    #[test]
    fn names_that_differ_in_case_only_are_numbered() {
        // In the order of Terraform's names: `test_abC`, `test_a_bc`, `test_ab_c`.
        assert_eq!(resources(&["test_ab_c", "test_abC", "test_a_bc"]), ["ABc", "AbCV2", "AbCV3"]);
    }

    #[test]
    fn a_resource_called_provider_is_renamed() {
        assert_eq!(resources(&["test_provider"]), ["TestProvider"]);
        assert_eq!(resources(&["test_provider", "test_test_provider"]), ["ProviderResource", "TestProvider"]);
    }

    #[test]
    fn a_foreign_prefix_is_refused_or_kept() {
        let sources = schema(&[], &["acme_a", "acme_b"]);
        let error = compute(&sources, &options()).unwrap_err();
        assert!(matches!(error, SchemaError::MissingPrefix { .. }), "{error}");
        let repaired = BridgedOptions { repairs: Repairs::all(), ..options() };
        let tokens = compute(&sources, &repaired).unwrap();
        assert_eq!(tokens.data_sources.into_values().collect::<Vec<_>>(), ["getA", "getB"]);
    }

    #[test]
    fn filters_hold_for_every_kind() {
        let both = schema(&["test_a", "test_b"], &["test_a", "test_c"]);
        let filtered = |includes: &[&str], excludes: &[&str]| {
            let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            let options = BridgedOptions { includes: list(includes), excludes: list(excludes), ..options() };
            let tokens = compute(&both, &options).unwrap();
            tokens.resources.into_values().chain(tokens.data_sources.into_values()).collect::<Vec<_>>()
        };
        assert_eq!(filtered(&[], &[]), ["A", "B", "getA", "getC"]);
        assert_eq!(filtered(&["test_a"], &[]), ["A", "getA"]);
        assert_eq!(filtered(&[], &["test_a"]), ["B", "getC"]);
        assert_eq!(filtered(&["test_b", "no_such"], &["test_c"]), ["B"]);
    }
}
