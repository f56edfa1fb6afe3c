//! The package schema that comes out.

use std::sync::Arc;

use denobridge_core::cty::{Number, ObjectType, Type, Value};
use denobridge_core::schema::{Annotations, Attribute, Block, Description, FunctionSignature, Nesting, ProviderSchema};
use denobridge_sdk_gen::{ComponentKind, PackageOptions, SchemaError, generate};
use serde_json::json;

use crate::support::{acme, acme_options, block, computed, optional, required, scripted, scripted_options};

fn annotated(attribute: Attribute, annotations: Annotations) -> Attribute {
    Attribute { annotations: Some(Arc::new(annotations)), ..attribute }
}

fn pretty(schema: &serde_json::Value) -> String {
    format!("{schema:#}")
}

#[test]
fn scripted_provider() {
    let package = generate(&scripted(), &scripted_options()).unwrap();
    insta::assert_snapshot!(pretty(&package.schema.to_value()));
}

#[test]
fn a_package_is_the_same_text_every_time() {
    let first = generate(&scripted(), &scripted_options()).unwrap().schema;
    assert_eq!(first, generate(&scripted(), &scripted_options()).unwrap().schema);
}

#[test]
fn defaults_that_every_language_can_say_are_said_of_inputs() {
    let with = |name: &str, ty: Type, default: Value, more: Annotations| {
        let given = Attribute { computed: true, ..optional(name, ty) };
        annotated(given, Annotations { default: Some(default), ..more })
    };
    let whole = || Annotations { whole_number: true, ..Annotations::default() };
    let one_of = |word: &str| Annotations { enum_values: vec![Value::string(word)], ..Annotations::default() };
    let none = Annotations::default;
    let text = || Value::list(Type::String, [Value::string("a")]);
    let attributes = vec![
        with("text", Type::String, Value::string("red"), none()),
        with("flag", Type::Bool, Value::bool(true), none()),
        with("ratio", Type::Number, Value::number("0.5".parse::<Number>().unwrap()), none()),
        with("count_of", Type::Number, Value::number(3), whole()),
        // What no language, or not every one, can say.
        with("large", Type::Number, Value::number(i64::from(i32::MAX) + 1), whole()),
        with("exact", Type::Number, Value::number("0.12345678901234567890123".parse::<Number>().unwrap()), none()),
        with("list", Type::list(Type::String), text(), none()),
        with("allowed", Type::String, Value::string("low"), one_of("low")),
        Attribute { sensitive: true, ..with("secret", Type::String, Value::string("x"), none()) },
    ];
    let package = generate(&acme(attributes, vec![]), &acme_options()).unwrap();
    let thing = &package.schema.to_value()["resources"]["acme:index:Thing"];
    let defaults = |properties: &serde_json::Value| -> serde_json::Value {
        let all = properties.as_object().into_iter().flatten();
        all.filter_map(|(name, property)| Some((name.clone(), property.get("default")?.clone()))).collect()
    };
    let expected = json!({ "countOf": 3, "flag": true, "ratio": 0.5, "text": "red" });
    assert_eq!(defaults(&thing["inputProperties"]), expected);
    assert_eq!(defaults(&thing["properties"]), json!({}));
}

#[test]
fn primitive_results_are_in_objects_where_that_is_asked_for() {
    let signature = |returns| FunctionSignature {
        parameters: vec![],
        variadic: None,
        returns,
        summary: String::new(),
        description: Description::default(),
        deprecation: None,
    };
    let functions = [("label", Type::String), ("labels", Type::list(Type::String)), ("any", Type::Dynamic)];
    let schema = ProviderSchema {
        functions: functions.map(|(name, ty)| (name.into(), signature(ty))).into(),
        ..ProviderSchema::default()
    };
    let options = PackageOptions { primitive_results_in_objects: true, ..acme_options() };
    let functions = generate(&schema, &options).unwrap().schema.to_value()["functions"].clone();
    assert_eq!(functions["acme:index:label"]["outputs"]["properties"], json!({ "result": { "type": "string" } }));
    assert_eq!(functions["acme:index:labels"]["outputs"]["type"], "array");
    assert_eq!(functions["acme:index:any"]["outputs"]["properties"], json!(null));
}

#[test]
fn nested_blocks_and_types() {
    let mut rule = block(
        "rule",
        Nesting::List,
        vec![
            required("from_port", Type::Number),
            computed("rule_id", Type::String),
            Attribute { write_only: true, ..required("pass_phrase", Type::String) },
        ],
    );
    rule.min_items = 1;
    rule.block.blocks = vec![block("match_label", Nesting::Map, vec![required("label_value", Type::String)])];
    rule.block.description = Description::from("A rule.");
    rule.block.deprecation = Some(String::new());
    let endpoint = Type::Object(Arc::new(ObjectType {
        attributes: [("host_name".into(), Type::String), ("port".into(), Type::Number)].into(),
        optional: ["port".into()].into(),
    }));
    let schema = acme(
        vec![
            required("end_points", Type::map(Type::list(endpoint.clone()))),
            computed("seen_at", Type::set(endpoint)),
            optional("pair", Type::tuple([Type::String, Type::object([("some_key", Type::Bool)]), Type::String])),
            optional("triple", Type::tuple([Type::Number, Type::Number, Type::Number])),
            optional("anything", Type::list(Type::Dynamic)),
        ],
        vec![
            rule,
            block("single_one", Nesting::Single, vec![optional("a", Type::String)]),
            block("group_one", Nesting::Group, vec![]),
            block("set_one", Nesting::Set, vec![optional("b", Type::Dynamic)]),
        ],
    );
    insta::assert_snapshot!(pretty(&generate(&schema, &acme_options()).unwrap().schema.to_value()));
}

#[test]
fn annotations_and_provider_configuration() {
    let mut schema = acme(
        vec![
            annotated(
                required("size", Type::String),
                Annotations {
                    enum_values: vec![Value::string("small"), Value::string("*/*"), Value::string("")],
                    replaces: true,
                    ..Annotations::default()
                },
            ),
            annotated(
                optional("level", Type::Number),
                Annotations { enum_values: vec![Value::number(1), Value::number(2)], ..Annotations::default() },
            ),
            annotated(
                optional("target", Type::Dynamic),
                Annotations {
                    union_of: vec![Type::String, Type::object([("some_key", Type::String)]), Type::list(Type::Number)],
                    ..Annotations::default()
                },
            ),
            annotated(required("name", Type::String), Annotations { autonamed: true, ..Annotations::default() }),
            Attribute { deprecation: Some("Use size.".to_owned()), ..optional("scale", Type::Number) },
            Attribute { computed: true, ..optional("zone", Type::String) },
        ],
        vec![],
    );
    schema.provider.block = Block {
        attributes: vec![
            required("api_url", Type::String),
            Attribute { sensitive: true, ..optional("api_token", Type::String) },
            optional("version", Type::Number),
            Attribute {
                required: true,
                ..Attribute::nested("retry", Nesting::Single, vec![required("max", Type::Number)])
            },
        ],
        ..Block::default()
    };
    insta::assert_snapshot!(pretty(&generate(&schema, &acme_options()).unwrap().schema.to_value()));
}

#[test]
fn descriptions_cannot_break_the_schema() {
    let text = "See {{% ref #/resources/x %}}, {{%/ref %}} and {{% example %}}.\n";
    let schema = acme(vec![Attribute { description: Description::from(text), ..optional("a", Type::String) }], vec![]);
    let package = generate(&schema, &acme_options()).unwrap();
    assert_eq!(
        package.schema.to_value()["resources"]["acme:index:Thing"]["inputProperties"]["a"]["description"],
        json!("See {{ % ref #/resources/x %}}, {{ %/ref %}} and {{% example %}}.")
    );
}

#[test]
fn enum_values_must_fit_the_attribute() {
    let with_values = |values| {
        let attribute =
            annotated(optional("level", Type::Number), Annotations { enum_values: values, ..Annotations::default() });
        generate(&acme(vec![attribute], vec![]), &acme_options()).unwrap_err().to_string()
    };
    insta::assert_snapshot!(with_values(vec![Value::number(1), Value::string("2")]), @"resource acme_thing, level: the allowed values are not usable: value 2 is not a number");
    insta::assert_snapshot!(with_values(vec![Value::null(Type::Number)]), @"resource acme_thing, level: the allowed values are not usable: value 1 is null or unknown");
    insta::assert_snapshot!(with_values(vec![Value::number(7), Value::number(7)]), @"resource acme_thing, level: the allowed values are not usable: value 2 is given twice");
}

#[test]
fn options_are_checked() {
    let refused = |change: fn(&mut denobridge_sdk_gen::PackageOptions)| {
        let mut options = scripted_options();
        change(&mut options);
        generate(&scripted(), &options).unwrap_err()
    };
    let error = refused(|options| options.name = "pulumi".to_owned());
    assert!(matches!(error, SchemaError::InvalidPackageName { .. }), "{error}");
    let error = refused(|options| options.name = "my package".to_owned());
    assert!(matches!(error, SchemaError::InvalidPackageName { .. }), "{error}");
    let error = refused(|options| options.version = "v1.0.0".to_owned());
    assert!(matches!(error, SchemaError::InvalidVersion { .. }), "{error}");
    let error = refused(|options| options.parameterization.as_mut().unwrap().version = "1.0".to_owned());
    assert!(matches!(error, SchemaError::InvalidVersion { .. }), "{error}");
}

#[test]
fn kinds_can_be_left_out() {
    let mut options = scripted_options();
    options.without = [ComponentKind::Resource].into();
    let package = generate(&scripted(), &options).unwrap();
    assert_eq!(package.schema.to_value()["resources"], serde_json::Value::Null);
    assert_eq!(package.names.components().len(), 0);
}
