//! The pages of a provider that has something of everything. What they must look like is in `tests/documentation/docs`: read
//! the difference after `UPDATE_DOCS=1 cargo test -p denobridge-framework --test documentation`.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::{GetProviderSchemaRequest, GetProviderSchemaResponse};
use denobridge_core::schema::{
    Annotations, Attribute, Block, Description, DescriptionKind, FunctionParameter, FunctionSignature,
    IdentityAttribute, IdentitySchema, NestedBlock, Nesting, ProviderSchema, Schema,
};
use denobridge_core::{Call, CallError, Provider};
use denobridge_framework::documentation::{self, Documentation, PageKind, Sources};

struct SchemaOnly(Arc<ProviderSchema>);

#[async_trait]
impl Provider for SchemaOnly {
    async fn get_provider_schema(
        &self,
        _: &Call,
        _: GetProviderSchemaRequest,
    ) -> Result<GetProviderSchemaResponse, CallError> {
        Ok(GetProviderSchemaResponse { schema: Arc::clone(&self.0), ..Default::default() })
    }
}

fn markdown(text: &str) -> Description {
    Description { text: text.to_owned(), kind: DescriptionKind::Markdown }
}

fn required(name: &str, ty: Type, description: &str) -> Attribute {
    Attribute { required: true, description: description.into(), ..Attribute::new(name, ty) }
}

fn optional(name: &str, ty: Type, description: &str) -> Attribute {
    Attribute { optional: true, description: description.into(), ..Attribute::new(name, ty) }
}

fn computed(name: &str, ty: Type, description: &str) -> Attribute {
    Attribute { computed: true, description: description.into(), ..Attribute::new(name, ty) }
}

fn annotated(attribute: Attribute, annotations: Annotations) -> Attribute {
    Attribute { annotations: Some(Arc::new(annotations)), ..attribute }
}

fn block(description: &str, attributes: Vec<Attribute>, blocks: Vec<NestedBlock>) -> Block {
    Block { attributes, blocks, description: markdown(description), ..Block::default() }
}

fn schema(block: Block) -> Schema {
    Schema { version: 0, block }
}

fn nested(name: &str, nesting: Nesting, (min_items, max_items): (u64, u64), block: Block) -> NestedBlock {
    NestedBlock { name: name.into(), nesting, block, min_items, max_items }
}

fn server() -> Schema {
    let address =
        Type::object([("host", Type::String), ("ports", Type::list(Type::object([("number", Type::Number)])))]);
    let size = annotated(
        Attribute { computed: true, ..optional("size", Type::String, "How big it is.") },
        Annotations {
            enum_values: vec![Value::string("small"), Value::string("large")],
            default: Some(Value::string("small")),
            replaces: true,
            ..Annotations::default()
        },
    );
    let password = Attribute {
        sensitive: true,
        write_only: true,
        ..optional("password", Type::String, "The first password of the administrator.")
    };
    let disks = Attribute {
        optional: true,
        description: "Disks, in the order in which they are attached.".into(),
        ..Attribute::nested(
            "disks",
            Nesting::List,
            vec![
                required("gigabytes", Type::Number, "Its size."),
                Attribute {
                    computed: true,
                    ..Attribute::nested("usage", Nesting::Single, vec![computed("used", Type::Number, "")])
                },
                optional("labels", Type::map(Type::String), ""),
            ],
        )
    };
    let zone =
        Attribute { deprecation: Some("use `region`".to_owned()), ..optional("zone", Type::String, "Where it is.") };
    let tags = required("tags", Type::set(Type::String), "What it is for:\n\n- `web`\n- `database`\n\nAt least one.");
    let rule = block(
        "Lets traffic in.",
        vec![required("port", Type::Number, "")],
        vec![nested("source", Nesting::Set, (0, 0), block("", vec![optional("cidr", Type::String, "")], vec![]))],
    );
    let status = block("What it is doing.", vec![computed("state", Type::String, "")], vec![]);
    let attributes = vec![
        size,
        password,
        disks,
        zone,
        tags,
        required("name", Type::String, "What it is called."),
        Attribute { computed: true, ..Attribute::new("id", Type::String) },
        computed("addresses", Type::list(address), "Where it can be reached."),
        computed("anything", Type::Dynamic, ""),
        computed("pair", Type::tuple([Type::String, Type::Bool]), ""),
    ];
    let blocks = vec![
        nested("rule", Nesting::List, (1, 4), rule),
        nested("timeouts", Nesting::Single, (0, 0), block("", vec![optional("create", Type::String, "")], vec![])),
        nested("status", Nesting::List, (0, 0), status),
    ];
    schema(block(
        "A **server**. See [the guide](https://example.com/guide).\n\nIt starts at once, as `running`.",
        attributes,
        blocks,
    ))
}

fn join() -> FunctionSignature {
    let parameter = |name: &str, ty, allow_null, description: &str| FunctionParameter {
        name: name.into(),
        ty,
        allow_null,
        allow_unknown: false,
        description: description.into(),
    };
    FunctionSignature {
        parameters: vec![
            parameter("separator", Type::String, true, "What goes between."),
            parameter("options", Type::object([("trim", Type::Bool)]), false, ""),
        ],
        variadic: Some(parameter("parts", Type::list(Type::String), false, "What is joined.")),
        returns: Type::String,
        summary: "Joins names".to_owned(),
        description: markdown("Joins names as *the service* writes them."),
        deprecation: None,
    }
}

fn provider() -> ProviderSchema {
    let token = Attribute { sensitive: true, ..required("token", Type::String, "The key of the account.") };
    let region = || required("region", Type::String, "Where to look.");
    let old =
        Block { deprecation: Some("Use `cloud_server`.".to_owned()), ..block("An older server.", vec![], vec![]) };
    let identity = IdentitySchema {
        version: 0,
        attributes: vec![
            IdentityAttribute {
                name: "region".into(),
                ty: Type::String,
                required_for_import: false,
                optional_for_import: true,
                description: "The provider's, where there is none.".to_owned(),
            },
            IdentityAttribute {
                name: "id".into(),
                ty: Type::Number,
                required_for_import: true,
                optional_for_import: false,
                description: String::new(),
            },
        ],
    };
    ProviderSchema {
        provider: schema(block("Servers in the *cloud*.", vec![token], vec![])),
        resources: [("cloud_server".into(), server()), ("cloud_old".into(), schema(old))].into(),
        identities: [("cloud_server".into(), identity)].into(),
        data_sources: [(
            "cloud_image".into(),
            schema(block("An image.", vec![required("id", Type::String, ""), region()], vec![])),
        )]
        .into(),
        ephemeral_resources: [("cloud_token".into(), schema(block("A token.", vec![region()], vec![])))].into(),
        list_resources: [("cloud_server".into(), schema(block("All servers.", vec![region()], vec![])))].into(),
        state_stores: [("cloud_bucket".into(), schema(block("", vec![region()], vec![])))].into(),
        actions: [("cloud_reboot".into(), schema(block("Restarts a server.", vec![region()], vec![])))].into(),
        functions: [("join".into(), join())].into(),
        ..ProviderSchema::default()
    }
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation"))
}

#[tokio::test]
async fn f66_pages_are_written_from_schemas() {
    documentation::keep_current(&SchemaOnly(Arc::new(provider())), "cloud", root()).await.unwrap();
}

#[test]
fn f66_categories_and_deprecated_components_are_the_authors_choice() {
    let generated = Documentation::new("cloud", Arc::new(provider()))
        .with_sources(Sources::read(root()).unwrap())
        .with_subcategory(PageKind::Resource, "cloud_server", "Virtual \"machines\"")
        .without_deprecated()
        .generate();
    assert_eq!(generated.problems, []);
    let page = |path: &str| generated.pages.iter().find(|page| page.path == path);
    assert!(page("docs/resources/server.md").unwrap().text.contains("\nsubcategory: \"Virtual \\\"machines\\\"\"\n"));
    assert!(page("docs/resources/old.md").is_none());
}
