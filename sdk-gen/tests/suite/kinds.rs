//! Components that are not resources: what they are in a package, and what they are called.

use std::sync::Arc;

use denobridge_core::cty::{ObjectType, Type};
use denobridge_core::schema::{
    Attribute, Description, FunctionParameter, FunctionSignature, IdentityAttribute, IdentitySchema, Nesting,
    ProviderSchema,
};
use denobridge_sdk_gen::{ComponentKind, Package, Returns, generate};
use serde_json::{Value as Json, json};

use crate::support::{acme, acme_options, block, computed, optional, required, schema};

fn sensitive(attribute: Attribute) -> Attribute {
    Attribute { sensitive: true, ..attribute }
}

fn parameter(name: &str, ty: Type) -> FunctionParameter {
    let description = Description::from(format!("The {name}.").as_str());
    FunctionParameter { name: name.into(), ty, allow_null: false, allow_unknown: false, description }
}

fn nullable(name: &str, ty: Type) -> FunctionParameter {
    FunctionParameter { allow_null: true, ..parameter(name, ty) }
}

fn signature(parameters: Vec<FunctionParameter>, returns: Type) -> FunctionSignature {
    FunctionSignature {
        parameters,
        variadic: None,
        returns,
        summary: String::new(),
        description: Description::default(),
        deprecation: None,
    }
}

/// A provider called `acme` with one component of every kind.
fn every_kind() -> ProviderSchema {
    let mut provider = acme(
        vec![
            computed("id", Type::String),
            required("thing_name", Type::String),
            Attribute { write_only: true, ..optional("pass_word", Type::String) },
        ],
        vec![],
    );
    let mut data = schema(
        vec![
            required("zone_name", Type::String),
            optional("id", Type::String),
            computed("found_at", Type::String),
            sensitive(computed("secret_key", Type::String)),
        ],
        vec![block("a_filter", Nesting::List, vec![required("filter_value", Type::String)])],
    );
    data.block.description = Description::from("A zone that exists.");
    data.block.deprecation = Some("Use another.".to_owned());
    provider.data_sources = [("acme_zone".into(), data)].into();
    let token = schema(vec![required("for_whom", Type::String), computed("access_token", Type::String)], vec![]);
    provider.ephemeral_resources = [("acme_token".into(), token)].into();
    let restart = schema(vec![optional("server_id", Type::String), optional("triggers", Type::String)], vec![]);
    provider.actions = [("acme_restart".into(), restart)].into();
    let list = schema(vec![optional("zone_name", Type::String), optional("limit", Type::Number)], vec![]);
    provider.list_resources = [("acme_thing".into(), list)].into();
    let identity = IdentityAttribute {
        name: "thing_id".into(),
        ty: Type::String,
        required_for_import: true,
        optional_for_import: false,
        description: String::new(),
    };
    provider.identities = [("acme_thing".into(), IdentitySchema { version: 0, attributes: vec![identity] })].into();
    provider.functions = functions();
    provider
}

fn functions() -> std::collections::BTreeMap<Arc<str>, FunctionSignature> {
    let options = Type::Object(Arc::new(ObjectType {
        attributes: [("with_zone".into(), Type::Bool), ("kept_as".into(), Type::String)].into(),
        optional: ["kept_as".into()].into(),
    }));
    let parts = Type::object([("zone_name", Type::String), ("numbers", Type::list(Type::Number))]);
    let join = FunctionSignature {
        variadic: Some(parameter("other_parts", Type::String)),
        summary: "Joins parts.".to_owned(),
        description: Description::from("With a slash between them."),
        ..signature(vec![parameter("first_part", Type::String), nullable("second_part", Type::String)], Type::String)
    };
    let parse = FunctionSignature {
        summary: "Takes an id apart.".to_owned(),
        description: Description::from("Takes an id apart. It has to be one."),
        deprecation: Some(String::new()),
        ..signature(vec![parameter("full_id", Type::String), parameter("options", options)], parts)
    };
    let out_of_order = signature(vec![nullable("a", Type::Dynamic), parameter("b", Type::Number)], Type::Dynamic);
    [
        ("join_id".into(), join),
        ("parse_id".into(), parse),
        ("pick".into(), out_of_order),
        ("apply".into(), signature(vec![parameter("function", Type::String)], Type::String)),
        ("now".into(), signature(vec![], Type::map(Type::Number))),
    ]
    .into()
}

fn package() -> Package {
    generate(&every_kind(), &acme_options()).unwrap()
}

fn refusal(schema: &ProviderSchema) -> String {
    generate(schema, &acme_options()).unwrap_err().to_string()
}

#[test]
fn every_kind_has_its_place_in_the_package() {
    insta::assert_snapshot!(format!("{:#}", package().schema.to_value()));
}

#[test]
fn tokens_lead_to_components() {
    let names = package().names;
    let kind = |token: &str| names.component(token).unwrap().kind;
    assert_eq!(kind("acme:index:getZone"), ComponentKind::DataSource);
    assert_eq!(kind("acme:index:openToken"), ComponentKind::EphemeralResource);
    assert_eq!(kind("acme:index:RestartAction"), ComponentKind::Action);
    assert_eq!(kind("acme:index:listThing"), ComponentKind::ListResource);
    assert_eq!(kind("acme:index:joinId"), ComponentKind::Function);
    assert!(names.resource("acme:index:RestartAction").is_some(), "an action is a resource to the engine");
    assert!(names.resource("acme:index:getZone").is_none() && names.function("acme:index:getZone").is_some());
}

#[test]
fn the_table_renames_what_has_a_meaning_in_pulumi() {
    let names = package().names;
    let pulumi = |token: &str, terraform: &str| {
        names.component(token).unwrap().fields.by_terraform(terraform).unwrap().pulumi.to_string()
    };
    assert_eq!(pulumi("acme:index:RestartAction", "triggers"), "triggersValue");
    assert_eq!(pulumi("acme:index:listThing", "limit"), "limitValue");
    assert_eq!(pulumi("acme:index:getZone", "id"), "id", "functions have no id of their own");
}

#[test]
fn what_comes_back_has_a_table_too() {
    let names = package().names;
    let returns = |token: &str| names.component(token).unwrap().returns.clone();
    assert_eq!(returns("acme:index:getZone"), Returns::Fields);
    assert!(matches!(returns("acme:index:joinId"), Returns::Value(field) if field.ty == Type::String));
    assert!(matches!(returns("acme:index:parseId"), Returns::Object(fields) if fields.by_pulumi("zoneName").is_some()));
}

#[test]
fn arguments_go_by_position_where_languages_can_say_so() {
    let schema = package().schema.to_value();
    let positions = |name: &str| schema["functions"][format!("acme:index:{name}")]["multiArgumentInputs"].clone();
    assert_eq!(positions("joinId"), json!(["firstPart", "secondPart", "otherParts"]));
    assert_eq!(positions("pick"), Json::Null, "`b` cannot follow an `a` that may be left out");
    assert_eq!(positions("apply"), Json::Null, "`function` is a word of TypeScript");
}

#[test]
fn a_data_source_and_a_function_with_one_name() {
    let mut provider = every_kind();
    provider.functions.insert("get_zone".into(), signature(vec![], Type::String));
    insta::assert_snapshot!(refusal(&provider), @r#"the data source acme_zone and the function get_zone would both have the Pulumi token "acme:index:getZone"; give one of them a name of its own"#);
}

#[test]
fn an_action_and_a_resource_with_one_name() {
    let mut provider = every_kind();
    provider.resources.insert("acme_restart_action".into(), schema(vec![], vec![]));
    insta::assert_snapshot!(refusal(&provider), @r#"the resource acme_restart_action and the action acme_restart would both have the Pulumi token "acme:index:RestartAction"; give one of them a name of its own"#);
}

#[test]
fn two_parameters_with_one_name() {
    let mut provider = every_kind();
    let twice = signature(vec![parameter("a_b", Type::String), parameter("ab", Type::String)], Type::String);
    provider.functions.insert("twice".into(), twice);
    insta::assert_snapshot!(refusal(&provider), @r#"function twice: "a_b" and "ab" would both be called "ab" in Pulumi programs; give one of them a name of its own"#);
}
