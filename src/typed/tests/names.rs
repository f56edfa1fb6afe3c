//! Names that tools keep for themselves, and names that meet.

use std::collections::BTreeMap;

use denobridge_sdk_gen::{PackageOptions, generate};
use serde_json::{Value as Json, json};

use super::{PackageScript, package, script, served};
use crate::typed::{component_names, type_prefix};

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

#[tokio::test]
async fn names_that_tools_keep_get_the_components_in_front() {
    let description = json!({
        "kind": "resource",
        "name": "DiskImage",
        "props": { "properties": { "id": { "type": "string" }, "count": {}, "pulumi": {}, "__secret": {}, "name": {} } },
        "state": { "properties": { "urn": { "type": "string" }, "forEach": {} } },
        "writeOnlyProps": { "properties": { "writeOnlyPropsVersion": { "type": "string" } } },
    });
    let schema = schema(&[("a.ts", description)]).await;
    let names: BTreeMap<String, String> = schema.resources["infra_disk_image"]
        .block
        .attributes
        .iter()
        .filter_map(|attribute| {
            let pulumi = attribute.annotations.as_ref()?.pulumi_name.as_ref()?;
            Some((attribute.name.to_string(), pulumi.to_string()))
        })
        .collect();
    let expected = [
        ("disk_image_count", "diskImageCount"),
        ("disk_image_for_each", "diskImageForEach"),
        ("disk_image_id", "diskImageId"),
        ("disk_image_pulumi", "diskImagePulumi"),
        ("disk_image_secret", "diskImageSecret"),
        ("disk_image_urn", "diskImageUrn"),
        ("disk_image_write_only_props_version", "diskImageWriteOnlyPropsVersion"),
        ("name", "name"),
    ];
    let expected = expected.map(|(terraform, pulumi)| (terraform.to_owned(), pulumi.to_owned()));
    assert_eq!(names, BTreeMap::from(expected));
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
    let package = package(scripts(&given));
    let options = PackageOptions {
        name: package.name.clone(),
        version: package.version.clone(),
        type_prefix: Some(type_prefix(&package).unwrap()),
        component_names: component_names(&package).unwrap(),
        ..PackageOptions::default()
    };
    let generated = generate(&*schema(&given).await, &options).unwrap();
    let spec: Json = generated.schema;
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
