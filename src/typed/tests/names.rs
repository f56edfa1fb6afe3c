//! Names that tools keep for themselves, and names that meet.

use std::collections::BTreeMap;

use denobridge_core::schema::{Attribute, AttributeType};
use denobridge_sdk_gen::{PackageOptions, generate};
use serde_json::{Value as Json, json};

use super::{PackageScript, package, script, served};
use crate::typed::{ScriptPackage, component_names, type_prefix};

fn scripts(given: &[(&str, Json)]) -> Vec<PackageScript> {
    given.iter().map(|(file, description)| script(file, &format!("/p/{file}"), &[], description.clone())).collect()
}

fn refused(given: &[(&str, Json)]) -> String {
    served(&package(scripts(given))).err().map(|error| error.to_string()).unwrap_or_default()
}

async fn schema(given: &[(&str, Json)]) -> std::sync::Arc<denobridge_core::schema::ProviderSchema> {
    let provider = served(&package(scripts(given))).unwrap_or_else(|error| panic!("{error}"));
    let host = denobridge_framework::host::Host::start(provider, Default::default()).await.unwrap();
    std::sync::Arc::clone(host.schema())
}

/// The package schema of Pulumi, which is made of Terraform's.
async fn pulumi_schema(package: &ScriptPackage) -> Json {
    let provider = served(package).unwrap_or_else(|error| panic!("{error}"));
    let host = denobridge_framework::host::Host::start(provider, Default::default()).await.unwrap();
    let options = PackageOptions {
        name: package.name.clone(),
        version: package.version.clone(),
        type_prefix: Some(type_prefix(package).unwrap()),
        component_names: component_names(package).unwrap(),
        ..PackageOptions::default()
    };
    generate(host.schema(), &options).unwrap_or_else(|error| panic!("{error}")).schema.to_value()
}

fn keys(object: &Json) -> Vec<&str> {
    object.as_object().map(|members| members.keys().map(String::as_str).collect()).unwrap_or_default()
}

fn pulumi_names<'a>(attributes: impl Iterator<Item = &'a Attribute>) -> BTreeMap<&'a str, &'a str> {
    let name =
        |attribute: &'a Attribute| Some((&*attribute.name, &**attribute.annotations.as_ref()?.pulumi_name.as_ref()?));
    attributes.filter_map(name).collect()
}

#[tokio::test]
async fn a_name_that_a_tool_keeps_gets_the_components_in_front_there() {
    let description = json!({
        "kind": "resource",
        "name": "DiskImage",
        "props": { "properties": {
            "id": { "type": "string" }, "count": {}, "pulumi": {}, "__secret": {}, "name": {}, "items": {},
            "get": {}, "constructor": {}, "getProvider": {}, "str": {}, "opts": {}, "file name": {},
        } },
        "state": { "properties": { "urn": { "type": "string" }, "forEach": {} } },
        "writeOnlyProps": { "properties": { "writeOnlyPropsVersion": { "type": "string" } } },
    });
    let given = [("a.ts", description)];
    let schema = schema(&given).await;
    let expected = [
        ("__secret", "diskImageSecret"),
        ("constructor", "diskImageConstructor"),
        ("disk_image_count", "count"),
        ("disk_image_for_each", "forEach"),
        ("disk_image_id", "diskImageId"),
        ("disk_image_write_only_props_version", "diskImageWriteOnlyPropsVersion"),
        ("file_name", "diskImageFileName"),
        ("get", "diskImageGet"),
        ("get_provider", "diskImageGetProvider"),
        ("items", "items"),
        ("name", "name"),
        ("opts", "diskImageOpts"),
        ("pulumi", "diskImagePulumi"),
        ("str", "diskImageStr"),
        ("urn", "diskImageUrn"),
    ];
    let attributes = &schema.resources["infra_disk_image"].block.attributes;
    assert_eq!(pulumi_names(attributes.iter()), BTreeMap::from(expected));
    let pulumi = pulumi_schema(&package(scripts(&given))).await;
    let resource = &pulumi["resources"]["infra:index:DiskImage"];
    assert!(resource["inputProperties"]["diskImageGet"].is_object(), "{resource}");
}

#[tokio::test]
async fn inside_of_others_names_that_pulumi_keeps_have_a_word_behind_them() {
    let members = json!({ "properties": {
        "constructor": { "type": "string" }, "items": { "type": "string" }, "id": { "type": "string" },
        "pulumi": { "type": "string" }, "count": { "type": "string" }, "__x": { "type": "string" },
    } });
    let given = [("disk.ts", json!({ "kind": "resource", "props": { "properties": { "part": members } } }))];
    let schema = schema(&given).await;
    let part = schema.resources["infra_disk"].block.attribute("part").unwrap();
    let AttributeType::Nested(nested) = &part.ty else { panic!("{part:?}") };
    let expected = [
        ("__x", "xValue"),
        ("constructor", "constructorValue"),
        ("count", "count"),
        ("id", "id"),
        ("items", "itemsValue"),
        ("pulumi", "pulumiValue"),
    ];
    assert_eq!(pulumi_names(nested.attributes.iter()), BTreeMap::from(expected));
    let pulumi = pulumi_schema(&package(scripts(&given))).await;
    let names = keys(&pulumi["types"]["infra:index:DiskPart"]["properties"]);
    assert_eq!(names, ["constructorValue", "count", "id", "itemsValue", "pulumiValue", "xValue"]);
}

#[tokio::test]
async fn settings_have_the_packages_name_in_front_where_a_tool_keeps_theirs() {
    let text = json!({ "type": "string" });
    let names = ["class", "source", "version", "permissions", "endpoint", "pluginDownloadURL"];
    let properties: serde_json::Map<_, _> = names.iter().map(|name| ((*name).to_owned(), text.clone())).collect();
    let package = ScriptPackage {
        config: Some(json!({ "properties": properties })),
        ..package(scripts(&[("a.ts", json!({ "kind": "resource" }))]))
    };
    let host = denobridge_framework::host::Host::start(served(&package).unwrap(), Default::default()).await.unwrap();
    let expected = [
        ("class", "infraClass"),
        ("endpoint", "endpoint"),
        ("infra_permissions", "infraPermissions"),
        ("infra_source", "source"),
        ("infra_version", "infraVersion"),
        ("plugin_download_url", "infraPluginDownloadURL"),
    ];
    assert_eq!(pulumi_names(host.schema().provider.block.attributes.iter()), BTreeMap::from(expected));
    let pulumi = pulumi_schema(&package).await;
    assert!(pulumi["config"]["variables"]["infraClass"].is_object(), "{}", pulumi["config"]);
}

#[tokio::test]
async fn scripts_called_like_what_every_sdk_has_are_called_what_they_are() {
    let data = json!({ "kind": "datasource", "props": { "properties": { "opts": { "type": "string" } } } });
    let signature = json!({ "parameters": [], "returns": { "type": "string" } });
    let functions = json!({ "delete": signature, "list": signature, "label": signature });
    let given = [
        ("config.ts", json!({ "kind": "resource" })),
        ("provider.ts", json!({ "kind": "resource" })),
        ("zone.ts", data),
        ("names.ts", json!({ "kind": "function", "functions": functions })),
    ];
    let schema = schema(&given).await;
    assert_eq!(schema.resources.keys().map(|name| &**name).collect::<Vec<_>>(), ["infra_config", "infra_provider"]);
    let pulumi = pulumi_schema(&package(scripts(&given))).await;
    assert_eq!(keys(&pulumi["resources"]), ["infra:index:ConfigResource", "infra:index:ProviderResource"]);
    let functions =
        ["infra:index:deleteFunction", "infra:index:getZone", "infra:index:label", "infra:index:listFunction"];
    assert_eq!(keys(&pulumi["functions"]), functions);
    assert_eq!(keys(&pulumi["functions"]["infra:index:getZone"]["inputs"]["properties"]), ["zoneOpts"]);
}

#[test]
fn names_that_meet_are_refused_with_both_places() {
    let resource = json!({ "kind": "resource" });
    let data = json!({ "kind": "datasource" });
    assert_eq!(
        refused(&[("a/bucket.ts", resource.clone()), ("b/bucket.ts", resource)]),
        "a/bucket.ts and b/bucket.ts are both the resource \"infra_bucket\". Give one of them another `name`."
    );
    assert_eq!(
        refused(&[("get_zone.ts", data.clone()), ("zone.ts", data)]),
        "get_zone.ts and zone.ts are both the data source \"infra_zone\". Give one of them another `name`."
    );
    let function = json!({ "kind": "function", "functions": { "slug": { "parameters": [], "returns": {} } } });
    assert_eq!(
        refused(&[("a.ts", function.clone()), ("b.ts", function)]),
        "a.ts and b.ts are both the function \"slug\". Give one of them another `name`."
    );
    let part = |props: Json, more: Json| {
        let mut description = json!({ "kind": "resource", "props": { "properties": props } });
        description.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        refused(&[("a.ts", description)])
    };
    let text = json!({ "type": "string" });
    assert_eq!(
        part(json!({ "maxSize": text }), json!({ "state": { "properties": { "max_size": text } } })),
        "a.ts: state.max_size: it is \"max_size\" in Terraform, and so is \"props.maxSize\". Rename one of them"
    );
    assert_eq!(
        part(json!({ "size": text }), json!({ "state": { "properties": { "size": { "type": "integer" } } } })),
        "a.ts: state.size: it is also props.size, with another type. Give both the same type, or rename one of them"
    );
    assert_eq!(
        part(json!({ "size": text }), json!({ "writeOnlyProps": { "properties": { "size": text } } })),
        "a.ts: writeOnlyProps.size: it is also in props. A name may be in one of them only"
    );
    assert!(
        part(json!({}), json!({ "writeOnlyProps": { "properties": { "key": { "x-replaces": true } } } }))
            .starts_with("a.ts: writeOnlyProps.key: `x-replaces` cannot be for a write-only property")
    );
}

#[tokio::test]
async fn pulumi_has_the_names_of_scripts_and_whole_numbers() {
    let given = [
        (
            "bucket.ts",
            json!({
                "kind": "resource",
                "props": { "properties": { "maxSize": { "type": "integer" }, "kind": { "enum": ["a", "b"] }, "URLPath": { "type": "string" } } },
                "list": { "properties": {} },
            }),
        ),
        ("get_zone.ts", json!({ "kind": "datasource", "state": { "properties": { "id": { "type": "string" } } } })),
        ("open_lease.ts", json!({ "kind": "ephemeral" })),
        ("restart.ts", json!({ "kind": "action", "props": { "properties": { "triggers": { "type": "string" } } } })),
        (
            "text.ts",
            json!({ "kind": "function", "functions": { "parseID": { "parameters": [], "returns": { "type": "string" } } } }),
        ),
    ];
    let spec = pulumi_schema(&package(scripts(&given))).await;
    let inputs = &spec["resources"]["infra:index:Bucket"]["inputProperties"];
    assert_eq!(inputs["maxSize"]["type"], "integer");
    assert_eq!(inputs["kind"]["$ref"], "#/types/infra:index:BucketKind");
    assert_eq!(inputs["URLPath"]["type"], "string");
    assert!(spec["resources"]["infra:index:RestartAction"]["inputProperties"]["restartTriggers"].is_object());
    let functions: Vec<&String> = spec["functions"].as_object().unwrap().keys().collect();
    assert_eq!(
        functions,
        ["infra:index:getZone", "infra:index:listBucket", "infra:index:openLease", "infra:index:parseID"]
    );
}

#[test]
fn a_package_must_have_a_name_that_both_tools_take() {
    for (name, expected) in
        [("my-infra", Some("my_infra")), ("a1", Some("a1")), ("My", None), ("a--b", None), ("-a", None), ("a_b", None)]
    {
        let package = crate::typed::ScriptPackage { name: name.to_owned(), ..package(Vec::new()) };
        assert_eq!(type_prefix(&package).ok().as_deref(), expected, "{name}");
    }
}
