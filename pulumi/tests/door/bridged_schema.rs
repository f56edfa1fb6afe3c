//! The schema of the foreign provider.

use denobridge_core::cty::Type;
use denobridge_core::schema::{
    Attribute, Block, Description, FunctionParameter, FunctionSignature, IdentityAttribute, IdentitySchema,
    NestedBlock, Nesting, ProviderSchema, Schema,
};

fn attribute(name: &str, ty: Type, flags: &str) -> Attribute {
    let mut attribute = Attribute::new(name, ty);
    attribute.required = flags.contains('r');
    attribute.optional = flags.contains('o');
    attribute.computed = flags.contains('c');
    attribute.sensitive = flags.contains('s');
    attribute.write_only = flags.contains('w');
    attribute
}

fn block(name: &str, nesting: Nesting, max_items: u64, attributes: Vec<Attribute>) -> NestedBlock {
    let block = Block { attributes, ..Block::default() };
    NestedBlock { name: name.into(), nesting, block, min_items: 0, max_items }
}

fn schema_of(attributes: Vec<Attribute>, blocks: Vec<NestedBlock>) -> Schema {
    Schema { version: 0, block: Block { attributes, blocks, ..Block::default() } }
}

fn server() -> Schema {
    let attributes = vec![
        attribute("id", Type::String, "oc"),
        attribute("name", Type::String, "oc"),
        attribute("name_prefix", Type::String, "o"),
        attribute("size_gb", Type::Number, "o"),
        attribute("enabled", Type::Bool, "o"),
        attribute("note", Type::String, "o"),
        attribute("password", Type::String, "os"),
        attribute("token", Type::String, "cs"),
        attribute("key_wo", Type::String, "ow"),
        attribute("key_wo_version", Type::Number, "o"),
        attribute("serial", Type::Number, "c"),
        attribute("tag", Type::list(Type::String), "o"),
    ];
    let timeouts = ["create", "read", "update", "delete"].map(|name| attribute(name, Type::String, "o"));
    let rule = vec![attribute("port", Type::Number, "r"), attribute("rule_id", Type::String, "oc")];
    let blocks = vec![
        block("disk", Nesting::List, 1, vec![attribute("size_gb", Type::Number, "o")]),
        block("rule", Nesting::Set, 0, rule),
        block("label", Nesting::List, 0, vec![attribute("text", Type::String, "o")]),
        block("group", Nesting::Group, 0, vec![attribute("text", Type::String, "o")]),
        block("timeouts", Nesting::Single, 0, timeouts.into()),
    ];
    schema_of(attributes, blocks)
}

fn parameter(name: &str, ty: Type, allow_null: bool) -> FunctionParameter {
    FunctionParameter { name: name.into(), ty, allow_null, allow_unknown: false, description: Description::default() }
}

fn function(parameters: Vec<FunctionParameter>, variadic: Option<FunctionParameter>) -> FunctionSignature {
    FunctionSignature {
        parameters,
        variadic,
        returns: Type::String,
        summary: String::new(),
        description: Description::default(),
        deprecation: None,
    }
}

/// All of it.
pub fn schema() -> ProviderSchema {
    let nested = Type::object([("inner_text", Type::String), ("flag", Type::Bool)]);
    let settings = vec![
        attribute("end_point", Type::String, "r"),
        attribute("name", Type::String, "o"),
        attribute("credentials", nested, "o"),
        attribute("api_key", Type::String, "os"),
    ];
    let secrets = block(
        "vault",
        Nesting::List,
        1,
        vec![attribute("address", Type::String, "o"), attribute("secret_key", Type::String, "os")],
    );
    let identity_of = |name: &str, required| IdentityAttribute {
        name: name.into(),
        ty: Type::String,
        required_for_import: required,
        optional_for_import: !required,
        description: String::new(),
    };
    let identity =
        IdentitySchema { version: 1, attributes: vec![identity_of("zone_name", true), identity_of("key", false)] };
    let strings = |name: &str| parameter(name, Type::String, false);
    ProviderSchema {
        provider: schema_of(settings, vec![secrets]),
        resources: [
            ("acme_server".into(), server()),
            (
                "acme_record".into(),
                schema_of(vec![attribute("id", Type::Number, "c"), attribute("key", Type::String, "r")], vec![]),
            ),
            ("acme_label".into(), schema_of(vec![attribute("text", Type::String, "o")], vec![])),
        ]
        .into(),
        identities: [("acme_record".into(), identity)].into(),
        data_sources: [(
            "acme_zone".into(),
            schema_of(
                vec![
                    attribute("zone_name", Type::String, "r"),
                    attribute("record", Type::list(Type::String), "c"),
                    attribute("api_key", Type::String, "cs"),
                ],
                vec![],
            ),
        )]
        .into(),
        ephemeral_resources: [(
            "acme_login".into(),
            schema_of(
                vec![attribute("user_name", Type::String, "r"), attribute("pass_phrase", Type::String, "c")],
                vec![],
            ),
        )]
        .into(),
        actions: [("acme_reboot".into(), schema_of(vec![attribute("server_id", Type::String, "r")], vec![]))].into(),
        list_resources: [("acme_record".into(), schema_of(vec![attribute("zone_name", Type::String, "o")], vec![]))]
            .into(),
        functions: [
            ("join".into(), function(vec![strings("first")], Some(parameter("rest", Type::Dynamic, true)))),
            ("twins".into(), function(vec![strings("x"), strings("x"), strings("")], None)),
        ]
        .into(),
        ..ProviderSchema::default()
    }
}
