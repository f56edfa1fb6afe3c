//! F65: what a schema without fault could do better.

use denobridge_core::schema::{FunctionParameter, FunctionSignature, ProviderSchema};

use super::*;

fn signature(summary: &str, description: &str, of_parameter: &str) -> FunctionSignature {
    let parameter = |name: &str| FunctionParameter {
        name: name.into(),
        ty: Type::String,
        allow_null: false,
        allow_unknown: false,
        description: of_parameter.into(),
    };
    FunctionSignature {
        parameters: vec![parameter("text")],
        variadic: Some(parameter("rest")),
        returns: Type::String,
        summary: summary.to_owned(),
        description: description.into(),
        deprecation: None,
    }
}

fn described() -> ProviderSchema {
    let thing = || resource([string("name").required().describe("Its name.")]).describe("A thing.").version(1).build();
    let all = || [("demo_thing".into(), thing())].into();
    ProviderSchema {
        provider: provider([string("region").describe("Where.")]).describe("Demonstrates.").build(),
        provider_meta: None,
        resources: all(),
        identities: [("demo_thing".into(), identity([string("name").required().describe("Its name.")]))].into(),
        data_sources: all(),
        ephemeral_resources: all(),
        list_resources: all(),
        state_stores: all(),
        actions: all(),
        functions: [("shout".into(), signature("Upper case", "The text in upper case.", "A text."))].into(),
    }
}

fn told(schema: &ProviderSchema) -> Vec<String> {
    lint("demo", schema).iter().map(ToString::to_string).collect()
}

#[test]
fn f65_a_schema_that_says_everything_gets_no_advice() {
    assert_eq!(told(&described()), Vec::<String>::new());
    // A provider without settings has nothing to describe.
    assert_eq!(told(&ProviderSchema::default()), Vec::<String>::new());
}

#[test]
fn f65_missing_descriptions_are_told_with_their_paths() {
    let bare = resource([nested_list("rules", [string("port").describe(" ")])])
        .block(list_block("disk", [string("path")]))
        .describe("A thing.")
        .version(1)
        .build();
    let schema = ProviderSchema {
        provider: provider([string("region")]).build(),
        provider_meta: Some(provider([string("team").describe("Whose.")]).build()),
        resources: [("demo_thing".into(), bare)].into(),
        identities: [("demo_thing".into(), identity([string("name").required()]))].into(),
        functions: [("shout".into(), signature("", "", ""))].into(),
        ..ProviderSchema::default()
    };
    let none = "it has no description";
    let expected = [
        format!("provider configuration: {none}"),
        format!("provider configuration, region: {none}"),
        format!("provider_meta: {none}"),
        format!("resource demo_thing, rules: {none}"),
        format!("resource demo_thing, rules.port: {none}"),
        format!("resource demo_thing, disk: {none}"),
        format!("resource demo_thing, disk.path: {none}"),
        format!("identity of resource demo_thing, name: {none}"),
        "function shout: it has no summary".to_owned(),
        format!("function shout: {none}"),
        format!("function shout, text: {none}"),
        format!("function shout, rest: {none}"),
    ];
    assert_eq!(told(&schema), expected);
}

#[test]
fn f65_every_kind_of_component_is_looked_at() {
    let bare = || [("demo_thing".into(), resource([]).version(1).build())].into();
    let schema = ProviderSchema {
        resources: bare(),
        data_sources: bare(),
        ephemeral_resources: bare(),
        list_resources: bare(),
        state_stores: bare(),
        actions: bare(),
        ..ProviderSchema::default()
    };
    let kinds = ["resource", "data source", "ephemeral resource", "list resource", "state store", "action"];
    assert_eq!(told(&schema), kinds.map(|kind| format!("{kind} demo_thing: it has no description")));
}

#[test]
fn f65_names_and_versions_are_looked_at() {
    let named = |name: &str| {
        let schema = resource([string(name).describe("A part.")]).describe("A thing.").build();
        ProviderSchema { resources: [("demolition_thing".into(), schema)].into(), ..ProviderSchema::default() }
    };
    let advice = |name: &str| -> Vec<(String, Advice)> {
        lint("demo", &named(name)).into_iter().map(|found| (found.path.to_string(), found.advice)).collect()
    };
    let foreign = (String::new(), Advice::ForeignName { provider: "demo".to_owned() });
    let version = (String::new(), Advice::VersionZero);
    assert_eq!(advice("tidy_name"), [foreign.clone(), version.clone()]);
    for name in ["_name", "name_", "two__words"] {
        assert_eq!(advice(name), [foreign.clone(), version.clone(), (name.to_owned(), Advice::UntidyName)]);
    }
    let untidy = ProviderSchema {
        data_sources: [("demo__thing".into(), data_source([]).describe("A thing.").build())].into(),
        functions: [("shout_".into(), signature("Upper case", "The text in upper case.", "A text."))].into(),
        ..ProviderSchema::default()
    };
    let text = "its name begins or ends with an underscore, or has two in a row";
    assert_eq!(told(&untidy), [format!("data source demo__thing: {text}"), format!("function shout_: {text}")]);
}
