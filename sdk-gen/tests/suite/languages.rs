//! Names that languages leave to packages. What generators for TypeScript, Python and Go make of the same packages is compiled
//! by `cargo xtask languages`; those for .NET and Java cannot be had there, so their rules are held against the schemas here.

use std::collections::BTreeSet;

use denobridge_core::cty::Type;
use denobridge_core::schema::{Annotations, Attribute, Description, FunctionSignature, Nesting, ProviderSchema};
use denobridge_sdk_gen::{ComponentKind, Package, generate};
use serde_json::Value;

use crate::golden;
use crate::support::{acme, acme_options, optional, schema};

fn golden_packages() -> Vec<Package> {
    let named = golden::WORDS.into_iter().filter(|word| *word != "pulumi").map(golden::named);
    named.chain([golden::reserved_words(), golden::values()]).map(|package| package.unwrap()).collect()
}

/// The classes that SDKs for .NET have: what each is called, what other members it has, and its properties.
fn classes(schema: &Value) -> Vec<(String, &'static str, &Value)> {
    let provider = &schema["provider"];
    let mut classes = vec![
        ("Config".to_owned(), "", &schema["config"]["variables"]),
        ("Provider".to_owned(), "", &provider["properties"]),
        ("ProviderArgs".to_owned(), "Empty", &provider["inputProperties"]),
    ];
    for (token, one) in schema["resources"].as_object().into_iter().flatten() {
        classes.push((name(token), "Get", &one["properties"]));
        classes.push((format!("{}Args", name(token)), "Empty", &one["inputProperties"]));
    }
    for (token, one) in schema["functions"].as_object().into_iter().flatten() {
        let arguments = &one["inputs"]["properties"];
        classes.extend(["Args", "InvokeArgs"].map(|end| (format!("{}{end}", name(token)), "Empty", arguments)));
        classes.push((format!("{}Result", name(token)), "", &one["outputs"]["properties"]));
    }
    for (token, one) in schema["types"].as_object().into_iter().flatten() {
        let members = &one["properties"];
        classes.push((format!("{}Args", name(token)), "Empty", members));
        classes.extend(["", "Result"].map(|end| (format!("{}{end}", name(token)), "", members)));
    }
    classes
}

fn name(token: &str) -> String {
    title(token.rsplit(':').next().unwrap())
}

fn title(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}

/// What a property is called in .NET.
fn dotnet_member(name: &str, property: &Value) -> String {
    let given = property["language"]["csharp"]["name"].as_str().map(str::to_owned);
    given.unwrap_or_else(|| name.split('-').map(title).collect())
}

#[test]
fn no_member_is_called_like_its_class_in_dotnet() {
    for package in golden_packages() {
        let schema = package.schema.to_value();
        for (class, other, properties) in classes(&schema) {
            let mut members = BTreeSet::from([other.to_owned()]);
            for (name, property) in properties.as_object().into_iter().flatten() {
                let member = dotnet_member(name, property);
                assert_ne!(member, class, "{}", package.names.package);
                assert!(members.insert(member), "{name} of {class} in {}", package.names.package);
            }
        }
    }
}

/// Java's generator writes every class into a file of its name, so two that differ in case only are one on many machines.
#[test]
fn no_two_classes_of_java_differ_in_case_only() {
    for package in golden_packages() {
        let schema = package.schema.to_value();
        for part in [&["resources", "functions"][..], &["types"]] {
            let mut seen = BTreeSet::new();
            for (token, _) in part.iter().flat_map(|part| schema[part].as_object().into_iter().flatten()) {
                assert!(seen.insert(name(token).to_lowercase()), "{token}");
            }
        }
    }
}

#[test]
fn a_member_called_like_its_class_keeps_its_name_elsewhere() {
    let package = generate(&acme(vec![optional("thing", Type::String)], vec![]), &acme_options()).unwrap();
    let properties = &package.schema.to_value()["resources"]["acme:index:Thing"];
    assert_eq!(properties["properties"]["thing"]["language"]["csharp"]["name"], "ThingValue");
    assert_eq!(properties["inputProperties"]["thing"]["language"], Value::Null, "arguments are another class");
    let taken = vec![optional("thing", Type::String), optional("thing_value", Type::String)];
    let package = generate(&acme(taken, vec![]), &acme_options()).unwrap();
    let properties = &package.schema.to_value()["resources"]["acme:index:Thing"]["properties"];
    assert_eq!(properties["thing"]["language"]["csharp"]["name"], "ThingValueValue");
}

#[test]
fn properties_that_resources_have_already_are_renamed_both_ways() {
    let names = ["constructor", "get", "get_provider", "id", "urn"].map(|name| optional(name, Type::String));
    let package = generate(&acme(names.into(), vec![]), &acme_options()).unwrap();
    let fields = &package.names.resource("acme:index:Thing").unwrap().fields;
    let pairs: Vec<_> = fields.properties().map(|field| (&*field.terraform, &*field.pulumi, &*field.script)).collect();
    insta::assert_debug_snapshot!(pairs);
}

#[test]
fn names_that_sdks_for_python_use_are_renamed_where_they_are_used() {
    let names =
        ["str", "opts", "dict", "isinstance", "super", "resource_name", "exists", "items", "values", "warnings"];
    let everything: Vec<_> = names.iter().map(|name| optional(name, Type::String)).collect();
    let nested = Attribute { optional: true, ..Attribute::nested("part", Nesting::Single, everything.clone()) };
    let of = |more| schema(everything.iter().cloned().chain(more).collect(), vec![]);
    let provider = ProviderSchema {
        provider: of(None),
        resources: [("acme_thing".into(), of(Some(nested)))].into(),
        data_sources: [("acme_thing".into(), of(None))].into(),
        ..ProviderSchema::default()
    };
    let schema = generate(&provider, &acme_options()).unwrap().schema.to_value();
    let renamed = |properties: &Value| -> Vec<String> {
        let all = properties.as_object().into_iter().flatten();
        all.filter_map(|(name, _)| name.strip_suffix("Value").map(str::to_owned)).collect()
    };
    assert_eq!(
        renamed(&schema["config"]["variables"]),
        ["isinstance", "opts", "resourceName", "str", "super", "warnings"]
    );
    let resource = &schema["resources"]["acme:index:Thing"]["inputProperties"];
    assert_eq!(renamed(resource), ["exists", "isinstance", "opts", "resourceName", "str", "super", "warnings"]);
    let data_source = &schema["functions"]["acme:index:getThing"]["inputs"]["properties"];
    assert_eq!(renamed(data_source), ["dict", "isinstance", "opts", "str"]);
    assert_eq!(renamed(&schema["types"]["acme:index:ThingPart"]["properties"]), ["items", "str", "values", "warnings"]);
}

/// Python could not use the rest; see the rule.
#[test]
fn what_is_one_of_several_is_told_where_python_can_use_it() {
    let one_of = |name: &str, union_of: &[Type]| {
        let annotations = Annotations { union_of: union_of.to_vec(), ..Annotations::default() };
        Attribute { annotations: Some(annotations.into()), ..optional(name, Type::Dynamic) }
    };
    let (object, list) = (Type::object([("a", Type::String)]), Type::list(Type::String));
    let attributes = || {
        vec![
            one_of("plain", &[Type::String, Type::Number]),
            one_of("or_object", &[Type::String, object.clone()]),
            one_of("or_list", &[Type::String, list.clone()]),
        ]
    };
    let nested =
        |name: &str, attributes| Attribute { optional: true, ..Attribute::nested(name, Nesting::List, attributes) };
    let deep = nested("deep", vec![nested("deeper", attributes())]);
    let plain = nested("plain_part", vec![one_of("plain", &[Type::String, Type::Bool])]);
    let package = generate(&acme(attributes().into_iter().chain([deep, plain]).collect(), vec![]), &acme_options());
    let schema = package.unwrap().schema.to_value();
    let any = |property: &Value| property["$ref"] == "pulumi.json#/Any";
    let precise = |property: &Value| property["oneOf"].as_array().is_some_and(|types| types.len() == 2);
    let thing = &schema["resources"]["acme:index:Thing"];
    let deeper = &schema["types"]["acme:index:ThingDeepDeeper"]["properties"];
    for given in [&thing["inputProperties"], deeper] {
        assert!(precise(&given["plain"]) && precise(&given["orObject"]) && any(&given["orList"]), "{given:#}");
    }
    let returned = &schema["types"]["acme:index:ThingDeepDeeperReturned"]["properties"];
    for returned in [&thing["properties"], returned] {
        let (object, list) = (&returned["orObject"], &returned["orList"]);
        assert!(precise(&returned["plain"]) && any(object) && any(list), "{returned:#}");
    }
    // Types that come back otherwise than they are given are two all the way, and only those.
    let items = |property: &Value| property["items"]["$ref"].clone();
    assert_eq!(items(&thing["inputProperties"]["deep"]), "#/types/acme:index:ThingDeep");
    assert_eq!(items(&thing["properties"]["deep"]), "#/types/acme:index:ThingDeepReturned");
    let inside = &schema["types"]["acme:index:ThingDeepReturned"]["properties"]["deeper"];
    assert_eq!(items(inside), "#/types/acme:index:ThingDeepDeeperReturned");
    assert_eq!(items(&thing["properties"]["plainPart"]), "#/types/acme:index:ThingPlainPart");
    assert_eq!(schema["types"].as_object().map(serde_json::Map::len), Some(5));
}

fn components(resources: &[&str], functions: &[&str]) -> ProviderSchema {
    let signature = FunctionSignature {
        parameters: vec![],
        variadic: None,
        returns: Type::String,
        summary: String::new(),
        description: Description::default(),
        deprecation: None,
    };
    ProviderSchema {
        resources: resources.iter().map(|name| (format!("acme_{name}").into(), schema(vec![], vec![]))).collect(),
        functions: functions.iter().map(|name| ((*name).into(), signature.clone())).collect(),
        ..ProviderSchema::default()
    }
}

#[test]
fn components_that_sdks_have_already_are_renamed() {
    let functions = ["import", "provider", "delete", "list", "parse"];
    let schema = components(&["provider", "config", "pulumi", "class"], &functions);
    let package = generate(&schema, &acme_options()).unwrap();
    let mut names: Vec<_> =
        package.names.components().map(|names| format!("{} -> {}", names.type_name, names.token)).collect();
    names.sort();
    insta::assert_debug_snapshot!(names);
    assert!(package.names.token(ComponentKind::Function, "import").is_some());
}

#[test]
fn components_called_like_a_class_of_another_are_refused() {
    let refusal = |schema| generate(&schema, &acme_options()).unwrap_err().to_string();
    insta::assert_snapshot!(refusal(components(&["bucket", "bucket_args"], &[])), @r#"the resource acme_bucket and the resource acme_bucket_args would both have the class "BucketArgs" in generated SDKs; give one of them a name of its own"#);
    insta::assert_snapshot!(refusal(components(&["parse_result"], &["parse"])), @r#"the resource acme_parse_result and the function parse would both have the class "ParseResult" in generated SDKs; give one of them a name of its own"#);
}

#[test]
fn packages_that_a_language_cannot_call_by_their_name() {
    let language = |name| golden::named(name).unwrap().schema.to_value()["language"].clone();
    assert_eq!(language("urn")["csharp"]["namespaces"]["urn"], "UrnPackage");
    assert_eq!(language("import")["go"]["importBasePath"], "example.com/pulumi-import/sdk/go/importpackage");
    assert_eq!(language("self")["csharp"].get("namespaces"), None);
    insta::assert_snapshot!(golden::named("pulumi").unwrap_err(), @r#"a Pulumi package cannot be called "pulumi": the name is reserved"#);
}
