//! Schemas that several tests look at.

use denobridge_core::cty::Type;
use denobridge_core::schema::{Attribute, Block, Description, NestedBlock, Nesting, ProviderSchema, Schema};
use denobridge_sdk_gen::{BasePlugin, ComponentKind, PackageOptions};

pub fn required(name: &str, ty: Type) -> Attribute {
    Attribute { required: true, ..Attribute::new(name, ty) }
}

pub fn optional(name: &str, ty: Type) -> Attribute {
    Attribute { optional: true, ..Attribute::new(name, ty) }
}

pub fn computed(name: &str, ty: Type) -> Attribute {
    Attribute { computed: true, ..Attribute::new(name, ty) }
}

pub fn schema(attributes: Vec<Attribute>, blocks: Vec<NestedBlock>) -> Schema {
    Schema { version: 0, block: Block { attributes, blocks, ..Block::default() } }
}

pub fn block(name: &str, nesting: Nesting, attributes: Vec<Attribute>) -> NestedBlock {
    let block = Block { attributes, ..Block::default() };
    NestedBlock { name: name.into(), nesting, block, min_items: 0, max_items: 0 }
}

/// A provider called `acme` with one resource, `acme_thing`.
pub fn acme(attributes: Vec<Attribute>, blocks: Vec<NestedBlock>) -> ProviderSchema {
    let resources = [("acme_thing".into(), schema(attributes, blocks))].into();
    ProviderSchema { resources, ..ProviderSchema::default() }
}

pub fn acme_options() -> PackageOptions {
    PackageOptions { name: "acme".to_owned(), version: "1.2.3".to_owned(), ..PackageOptions::default() }
}

/// The schema of the provider that runs scripts.
pub fn scripted() -> ProviderSchema {
    let described = |attribute: Attribute, text: &str| Attribute { description: Description::from(text), ..attribute };
    let permissions = Attribute {
        optional: true,
        description: Description::from("What the script may do."),
        ..Attribute::nested(
            "permissions",
            Nesting::Single,
            vec![
                described(optional("all", Type::Bool), "Everything."),
                described(optional("allow", Type::list(Type::String)), "What it may do."),
                described(optional("deny", Type::list(Type::String)), "What it may not do."),
            ],
        )
    };
    let attributes = vec![
        described(required("path", Type::String), "The script: a file, or an address."),
        described(optional("props", Type::Dynamic), "What the script is given."),
        Attribute {
            write_only: true,
            ..described(optional("write_only_props", Type::Dynamic), "Given, never stored.")
        },
        computed("write_only_props_version", Type::Number),
        computed("state", Type::Dynamic),
        Attribute { sensitive: true, ..computed("sensitive_state", Type::Dynamic) },
        optional("config_file", Type::String),
        permissions,
        computed("id", Type::String),
    ];
    let mut resource = schema(attributes, Vec::new());
    resource.block.description = Description::from("A resource that a script manages.");
    ProviderSchema {
        provider: schema(
            vec![
                described(optional("deno_binary_path", Type::String), "Where Deno is."),
                described(optional("deno_version", Type::String), "Which Deno."),
            ],
            Vec::new(),
        ),
        resources: [("denobridge_resource".into(), resource)].into(),
        ..ProviderSchema::default()
    }
}

pub fn scripted_options() -> PackageOptions {
    let name = |kind, terraform: &str, pulumi: &str| ((kind, terraform.to_owned()), pulumi.to_owned());
    PackageOptions {
        name: "denobridge".to_owned(),
        version: "0.1.0".to_owned(),
        display_name: Some("Deno bridge".to_owned()),
        description: Some("Resources managed by scripts.".to_owned()),
        keywords: vec!["deno".to_owned(), "category/utility".to_owned()],
        license: Some("MIT OR Apache-2.0".to_owned()),
        component_names: [
            name(ComponentKind::Resource, "denobridge_resource", "Script"),
            name(ComponentKind::DataSource, "denobridge_datasource", "getScript"),
        ]
        .into(),
        parameterization: Some(BasePlugin {
            name: "denobridge".to_owned(),
            version: "0.1.0".to_owned(),
            parameter: b"{}".to_vec(),
        }),
        ..PackageOptions::default()
    }
}
