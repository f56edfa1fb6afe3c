//! The tables, both ways.

use std::sync::Arc;

use denobridge_core::cty::{Path, PathStep, Type, Value};
use denobridge_core::schema::{Attribute, Nesting, Schema};
use denobridge_sdk_gen::{
    ComponentKind, ObjectNames, PackageNames, PropertyPath, PropertyStep, ResourceId, Shape, Source, generate,
};
use proptest::prelude::*;

use crate::support::{acme, acme_options, block, computed, optional, required, schema, scripted, scripted_options};

const THING: &str = "acme:index:Thing";

fn thing(thing: Schema) -> (Arc<ObjectNames>, ResourceId) {
    let mut provider = acme(vec![], vec![]);
    provider.resources.insert("acme_thing".into(), thing);
    let names = generate(&provider, &acme_options()).unwrap().names;
    let component = names.resource(THING).unwrap();
    (Arc::clone(&component.fields), component.id)
}

fn scripted_names() -> Arc<PackageNames> {
    generate(&scripted(), &scripted_options()).unwrap().names
}

#[test]
fn the_scripted_resource() {
    let names = scripted_names();
    let script = names.resource("denobridge:index:Script").unwrap();
    assert_eq!(&*script.type_name, "denobridge_resource");
    assert_eq!(script.id, ResourceId::Computed);
    assert_eq!(
        names.token(ComponentKind::Resource, "denobridge_resource").map(|token| &**token),
        Some("denobridge:index:Script")
    );
    assert_eq!(names.token(ComponentKind::DataSource, "denobridge_resource"), None);

    let pairs: Vec<_> = script.fields.properties().map(|field| (&*field.terraform, &*field.pulumi)).collect();
    assert_eq!(
        pairs,
        [
            ("config_file", "configFile"),
            ("path", "path"),
            ("permissions", "permissions"),
            ("props", "props"),
            ("sensitive_state", "sensitiveState"),
            ("state", "state"),
            ("write_only_props", "writeOnlyProps"),
            ("write_only_props_version", "writeOnlyPropsVersion"),
        ]
    );
    assert!(script.fields.by_terraform("id").unwrap().is_id);
    let write_only = script.fields.by_script("writeOnlyProps").unwrap();
    assert!(write_only.is_input() && !write_only.is_output() && write_only.sensitive);
    assert_eq!(script.fields.object_type(), scripted().resources["denobridge_resource"].implied_type());
    assert_eq!(&*names.provider.by_pulumi("denoBinaryPath").unwrap().terraform, "deno_binary_path");
}

#[test]
fn where_the_id_comes_from() {
    let id = |attribute: Attribute| {
        let (fields, id) = thing(schema(vec![attribute], vec![]));
        let field = fields.by_terraform("id").unwrap();
        (id, field.pulumi.to_string(), field.is_id)
    };
    assert_eq!(id(computed("id", Type::String)), (ResourceId::Computed, "id".to_owned(), true));
    assert_eq!(id(required("id", Type::String)), (ResourceId::Property, "idValue".to_owned(), false));
    let both = Attribute { optional: true, ..computed("id", Type::String) };
    assert_eq!(id(both), (ResourceId::Property, "idValue".to_owned(), false));
    assert_eq!(id(computed("id", Type::Number)), (ResourceId::Absent, "idValue".to_owned(), false));
    let secret = Attribute { sensitive: true, ..computed("id", Type::String) };
    assert_eq!(id(secret), (ResourceId::Absent, "idValue".to_owned(), false));
    assert_eq!(thing(schema(vec![], vec![])).1, ResourceId::Absent);
}

#[test]
fn reserved_names_depend_on_the_level() {
    let attributes = || ["urn", "pulumi", "version", "id"].map(|name| optional(name, Type::String)).to_vec();
    let nested = Attribute { optional: true, ..Attribute::nested("inner", Nesting::Single, attributes()) };
    let mut provider = acme([attributes(), vec![nested]].concat(), vec![]);
    provider.provider = schema(attributes(), vec![]);
    let names = generate(&provider, &acme_options()).unwrap().names;

    let pulumi = |fields: &ObjectNames| {
        ["id", "pulumi", "urn", "version"].map(|name| fields.by_terraform(name).unwrap().pulumi.to_string())
    };
    let resource = &names.resource(THING).unwrap().fields;
    assert_eq!(pulumi(resource), ["idValue", "pulumiValue", "urnValue", "version"]);
    let Shape::Object(inner) = &resource.by_terraform("inner").unwrap().shape else { panic!("not an object") };
    assert_eq!(pulumi(inner), ["id", "pulumiValue", "urn", "version"]);
    assert_eq!(pulumi(&names.provider), ["idValue", "pulumiValue", "urnValue", "versionValue"]);
    // Scripts know none of Pulumi's reserved names.
    assert_eq!(&*resource.by_terraform("urn").unwrap().script, "urn");
}

#[test]
fn blocks_of_every_nesting() {
    let nestings = [Nesting::Single, Nesting::Group, Nesting::List, Nesting::Set, Nesting::Map];
    for nesting in nestings {
        let attributes = vec![optional("some_name", Type::String), optional("any_thing", Type::Dynamic)];
        let (fields, _) = thing(schema(vec![], vec![block("my_block", nesting, attributes)]));
        let field = fields.by_pulumi("myBlock").unwrap();
        assert_eq!(field.source, Source::Block(nesting));
        let content = match (&field.shape, nesting) {
            (Shape::Object(names), Nesting::Single | Nesting::Group) => names,
            (Shape::List(element), Nesting::List)
            | (Shape::Set(element), Nesting::Set)
            | (Shape::Map(element), Nesting::Map) => match &**element {
                Shape::Object(names) => names,
                other => panic!("{other:?}"),
            },
            (other, _) => panic!("{nesting:?} gave {other:?}"),
        };
        assert_eq!(&*content.by_pulumi("someName").unwrap().terraform, "some_name");
        // The type follows Terraform, for which such lists and maps are decided by the value.
        let dynamic = matches!(nesting, Nesting::List | Nesting::Map);
        assert_eq!(field.ty == Type::Dynamic, dynamic, "{nesting:?}");
    }
}

fn nested() -> Arc<ObjectNames> {
    let port = Type::object([("port_number", Type::Number)]);
    let rule = block(
        "my_rule",
        Nesting::List,
        vec![
            optional("by_name", Type::map(port.clone())),
            optional("all_ports", Type::set(port)),
            optional("free_form", Type::Dynamic),
            optional("two_things", Type::tuple([Type::String, Type::object([("in_side", Type::Bool)])])),
        ],
    );
    thing(schema(vec![computed("id", Type::String)], vec![rule])).0
}

/// Each path in both notations.
fn pairs() -> Vec<(Path, &'static str)> {
    let rule = || Path::root().attribute("my_rule").index(0);
    vec![
        (Path::root(), ""),
        (Path::root().attribute("my_rule"), "myRule"),
        (rule(), "myRule[0]"),
        (rule().attribute("by_name").key("a_b.c").attribute("port_number"), "myRule[0].byName[\"a_b.c\"].portNumber"),
        (rule().attribute("by_name").key("a_b"), "myRule[0].byName.a_b"),
        (rule().attribute("by_name").key(""), "myRule[0].byName[\"\"]"),
        (rule().attribute("by_name").key("say \"hi\""), "myRule[0].byName[\"say \\\"hi\\\"\"]"),
        (rule().attribute("free_form").attribute("a_b").index(3).attribute("c_d"), "myRule[0].freeForm.a_b[3].c_d"),
        (rule().attribute("all_ports").index(1).attribute("port_number"), "myRule[0].allPorts[1].portNumber"),
        (rule().attribute("two_things").index(1).attribute("in_side"), "myRule[0].twoThings[1].inSide"),
    ]
}

#[test]
fn paths_both_ways() {
    let names = nested();
    for (terraform, pulumi) in pairs() {
        let translated = names.to_pulumi(&terraform);
        assert_eq!(translated.to_string(), pulumi);
        let parsed: PropertyPath = pulumi.parse().unwrap();
        assert_eq!(parsed, translated);
        assert_eq!(names.to_terraform(&parsed).unwrap(), terraform);
    }
}

#[test]
fn a_terraform_path_ends_where_pulumi_has_no_form_for_it() {
    let names = nested();
    let rule = Path::root().attribute("my_rule").index(0);
    let element = rule.clone().attribute("all_ports").then(PathStep::Element(Box::new(Value::bool(true))));
    assert_eq!(names.to_pulumi(&element.attribute("port_number")).to_string(), "myRule[0].allPorts");
    assert_eq!(names.to_pulumi(&rule.clone().attribute("not_there").index(0)).to_string(), "myRule[0]");
    assert_eq!(names.to_pulumi(&rule.clone().attribute("two_things").index(7)).to_string(), "myRule[0].twoThings");
    assert_eq!(names.to_pulumi(&Path::root().attribute("my_rule").index(-1)).to_string(), "myRule");
    // Map keys and object attributes are often mistaken for each other by providers.
    let mistaken = Path::root().key("my_rule").index(0).attribute("by_name").attribute("x");
    assert_eq!(names.to_pulumi(&mistaken).to_string(), "myRule[0].byName.x");
}

#[test]
fn pulumi_paths_that_lead_nowhere() {
    let names = nested();
    let refusal = |path: &str| names.to_terraform(&path.parse().unwrap()).unwrap_err().to_string();
    insta::assert_snapshot!(refusal("my_rule"), @r#"there is no property "my_rule" at the top level"#);
    insta::assert_snapshot!(refusal("myRule[0].ports"), @r#"there is no property "ports" at `myRule[0]`"#);
    insta::assert_snapshot!(refusal("myRule.byName"), @"`myRule` is an array, which has no part byName");
    insta::assert_snapshot!(refusal("myRule[*].byName"), @"the path goes through a `*` at `myRule`");
    insta::assert_snapshot!(refusal("myRule[0].byName.a.portNumber[\"b c\"]"), @r#"`myRule[0].byName.a.portNumber` is a number, which has no part ["b c"]"#);
    insta::assert_snapshot!(refusal("[0]"), @"the top level is an object, which has no part [0]");
}

/// Names as Terraform allows them, without leading underscores.
fn attribute_names() -> impl Strategy<Value = Vec<String>> {
    prop::collection::btree_set("[a-z][a-z0-9_]{0,12}", 1..20).prop_map(|names| names.into_iter().collect())
}

fn nested_types(names: &[String]) -> Type {
    Type::list(Type::object(names.iter().map(|name| (name.as_str(), Type::map(Type::String)))))
}

proptest! {
    /// Whatever the names, either the schema is refused or every name comes back from every language.
    #[test]
    fn every_name_comes_back(names in attribute_names()) {
        let mut attributes: Vec<_> = names.iter().map(|name| optional(name, Type::String)).collect();
        attributes.push(optional("zz_types", nested_types(&names)));
        let Ok(package) = generate(&acme(attributes, vec![]), &acme_options()) else { return Ok(()) };
        let fields = &package.names.resource(THING).unwrap().fields;
        for name in &names {
            let field = fields.by_terraform(name).unwrap();
            prop_assert_eq!(&*field.terraform, name.as_str());
            prop_assert_eq!(fields.by_pulumi(&field.pulumi), Some(field));
            prop_assert_eq!(fields.by_script(&field.script), Some(field));
            let path = Path::root().attribute("zz_types").index(2).attribute(name.as_str()).key("some_key.x");
            let translated = fields.to_pulumi(&path);
            prop_assert_eq!(translated.steps().len(), 4);
            prop_assert_eq!(fields.to_terraform(&translated).unwrap(), path);
        }
    }

    /// The notation loses nothing, unless the engine's grammar has no form for a key.
    #[test]
    fn notation_comes_back(steps in prop::collection::vec(prop_oneof![
        any::<u16>().prop_map(|index| PropertyStep::Index(index.into())),
        any::<String>().prop_map(|name| PropertyStep::Name(name.into())),
        "[a.\\[\\]\"\\\\ ]{0,5}".prop_map(|name| PropertyStep::Name(name.into())),
    ], 0..6)) {
        let path: PropertyPath = steps.iter().cloned().collect();
        let parsed: PropertyPath = path.to_string().parse().unwrap();
        let expressible = steps.iter().take_while(|step| match step {
            PropertyStep::Name(name) => !(name.ends_with('\\') && name.contains(['.', '['])),
            PropertyStep::Index(_) => true,
        });
        prop_assert_eq!(parsed, expressible.cloned().collect::<PropertyPath>());
    }

    /// No text makes the parser panic.
    #[test]
    fn any_text_is_parsed_or_refused(text in any::<String>()) {
        let _ = text.parse::<PropertyPath>();
    }
}

#[test]
fn patterns_contain_what_is_below_them() {
    let contains = |pattern: &str, path: &str| {
        pattern.parse::<PropertyPath>().unwrap().contains(&path.parse::<PropertyPath>().unwrap())
    };
    assert!(contains("props", "props.a.b"));
    assert!(contains("rules[*].name", "rules[3].name"));
    assert!(contains("tags[\"*\"]", "tags.a"));
    assert!(!contains("rules[*].name", "rules[3]"));
    assert!(!contains("props.a", "props.b"));
}
