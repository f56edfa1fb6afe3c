//! What is refused, and in which words.

use std::sync::Arc;

use denobridge_core::cty::Type;
use denobridge_core::schema::{Annotations, Attribute, Nesting, ProviderSchema};
use denobridge_sdk_gen::{ComponentKind, generate};

use crate::support::{acme, acme_options, block, computed, optional, schema};

fn refusal(schema: &ProviderSchema) -> String {
    generate(schema, &acme_options()).unwrap_err().to_string()
}

fn named(name: &str, pulumi: Option<&str>, script: Option<&str>) -> Attribute {
    let annotations = Annotations {
        pulumi_name: pulumi.map(Into::into),
        script_name: script.map(Into::into),
        ..Annotations::default()
    };
    Attribute { annotations: Some(Arc::new(annotations)), ..optional(name, Type::String) }
}

#[test]
fn two_attributes_with_one_name() {
    let schema = acme(vec![optional("sha_256", Type::String), optional("sha256", Type::String)], vec![]);
    insta::assert_snapshot!(refusal(&schema), @r#"resource acme_thing: "sha256" and "sha_256" would both be called "sha256" in Pulumi programs; give one of them a name of its own"#);
}

#[test]
fn names_that_differ_in_case_only() {
    let schema = acme(vec![optional("foo_bar", Type::String), optional("foobar", Type::String)], vec![]);
    insta::assert_snapshot!(refusal(&schema), @r#"resource acme_thing: "foo_bar" and "foobar" would both be called "foobar" in Pulumi programs; give one of them a name of its own"#);
}

#[test]
fn two_script_names() {
    let schema = acme(vec![named("first", None, Some("same")), named("second", None, Some("same"))], vec![]);
    insta::assert_snapshot!(refusal(&schema), @r#"resource acme_thing: "first" and "second" would both be called "same" in scripts; give one of them a name of its own"#);
}

#[test]
fn an_attribute_and_a_block() {
    let schema = acme(vec![optional("rule", Type::String)], vec![block("rule", Nesting::List, vec![])]);
    insta::assert_snapshot!(refusal(&schema), @r#"resource acme_thing: "rule" and "rule" would both be called "rule" in Terraform; give one of them a name of its own"#);
}

#[test]
fn deep_inside() {
    let inner = Type::object([("a_b", Type::String), ("a__b", Type::String)]);
    let schema = acme(vec![], vec![block("rule", Nesting::List, vec![optional("items", Type::list(inner))])]);
    insta::assert_snapshot!(refusal(&schema), @r#"resource acme_thing, rule.items.*: "a__b" and "a_b" would both be called "aB" in Pulumi programs; give one of them a name of its own"#);
}

#[test]
fn a_name_of_its_own_resolves_a_collision() {
    let schema = acme(vec![named("sha_256", Some("digest"), Some("digest")), optional("sha256", Type::String)], vec![]);
    let package = generate(&schema, &acme_options()).unwrap();
    let fields = &package.names.resource("acme:index:Thing").unwrap().fields;
    assert_eq!(&*fields.by_pulumi("digest").unwrap().terraform, "sha_256");
    assert_eq!(&*fields.by_script("digest").unwrap().terraform, "sha_256");
    assert_eq!(&*fields.by_pulumi("sha256").unwrap().terraform, "sha256");
}

#[test]
fn reserved_names_asked_for() {
    insta::assert_snapshot!(refusal(&acme(vec![named("a", Some("urn"), None)], vec![])), @r#"resource acme_thing: "a" cannot be called "urn" in Pulumi programs, the name is reserved; choose another"#);
    let nested = Attribute::nested("outer", Nesting::Single, vec![named("a", Some("pulumi"), None)]);
    insta::assert_snapshot!(refusal(&acme(vec![nested], vec![])), @r#"resource acme_thing, outer: "a" cannot be called "pulumi" in Pulumi programs, the name is reserved; choose another"#);
}

#[test]
fn a_renamed_reserved_name_can_collide_too() {
    let schema = acme(vec![optional("urn", Type::String), optional("urn_value", Type::String)], vec![]);
    insta::assert_snapshot!(refusal(&schema), @r#"resource acme_thing: "urn" and "urn_value" would both be called "urnValue" in Pulumi programs; give one of them a name of its own"#);
}

#[test]
fn names_that_pulumi_does_not_allow() {
    insta::assert_snapshot!(refusal(&acme(vec![optional("_1", Type::String)], vec![])), @r#"resource acme_thing: "_1" cannot be called "_1" in Pulumi programs: it needs at least one ASCII letter; choose another name"#);
    insta::assert_snapshot!(refusal(&acme(vec![optional("__meta", Type::String)], vec![])), @r#"resource acme_thing: "__meta" cannot be called "__meta" in Pulumi programs: names that start with two underscores hold the engine's and the provider's own records; choose another name"#);
    insta::assert_snapshot!(refusal(&acme(vec![named("a", Some("a b"), None)], vec![])), @r#"resource acme_thing: "a" cannot be called "a b" in Pulumi programs: it contains a space or a character that cannot be printed; choose another name"#);
}

#[test]
fn resources_whose_tokens_differ_in_case_only() {
    let resources = ["acme_web_server", "acme_webserver"].map(|name| (name.into(), schema(vec![], vec![]))).into();
    let schema = ProviderSchema { resources, ..ProviderSchema::default() };
    insta::assert_snapshot!(refusal(&schema), @r#"the resource acme_web_server and the resource acme_webserver would both have the Pulumi token "acme:index:Webserver"; give one of them a name of its own"#);
}

#[test]
fn invalid_resource_names() {
    let cases = [
        ("acme_3des", r#"cannot be called "3des" in Pulumi: it has to start with an ASCII letter"#),
        ("acme_größe", r#"cannot be called "Größe" in Pulumi: only ASCII letters, digits and underscores are allowed"#),
    ];
    for (name, expected) in cases {
        let schema =
            ProviderSchema { resources: [(name.into(), schema(vec![], vec![]))].into(), ..ProviderSchema::default() };
        let expected = format!("the resource {name:?} {expected}; give it a name in the package options");
        assert_eq!(refusal(&schema), expected);
        let mut options = acme_options();
        options.component_names.insert((ComponentKind::Resource, name.to_owned()), "Other".to_owned());
        assert!(generate(&schema, &options).unwrap().names.resource("acme:index:Other").is_some());
    }
}

#[test]
fn types_of_two_resources_with_one_token() {
    let inner = |name: &str| Attribute { optional: true, ..Attribute::nested(name, Nesting::Single, vec![]) };
    let schema = ProviderSchema {
        resources: [
            ("acme_foo".into(), schema(vec![inner("bar_baz")], vec![])),
            ("acme_foo_bar".into(), schema(vec![inner("baz")], vec![])),
        ]
        .into(),
        ..ProviderSchema::default()
    };
    insta::assert_snapshot!(refusal(&schema), @r#"resource acme_foo, bar_baz and resource acme_foo_bar, baz would both have the Pulumi token "acme:index:FooBarBaz"; give one of them a name of its own"#);
}

#[test]
fn too_deep() {
    let deep = (0..200).fold(computed("leaf", Type::String), |inner, _| Attribute {
        optional: true,
        ..Attribute::nested("level", Nesting::Single, vec![inner])
    });
    let message = refusal(&acme(vec![deep], vec![]));
    assert!(message.ends_with("the schema is nested more than 128 levels deep"), "{message}");
}
