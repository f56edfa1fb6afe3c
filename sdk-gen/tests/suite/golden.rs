//! Packages that are hard on languages: `cargo xtask languages` makes SDKs of them and has those compiled. They are the
//! input of `examples/schemas.rs` too, so nothing here is of this test program alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::{Type, Value};
use denobridge_core::schema::{
    Annotations, Attribute, Block, Description, FunctionParameter, FunctionSignature, NestedBlock, Nesting,
    ProviderSchema, Schema,
};
use denobridge_sdk_gen::{Package, PackageOptions, SchemaError, generate};

/// Words that mean something to a language or to Pulumi. Each is the name of a package (but for `pulumi`, which no package
/// can have), a resource, a function and a property.
pub const WORDS: [&str; 9] = ["class", "import", "self", "type", "id", "urn", "provider", "version", "pulumi"];

/// Further names of properties that some SDK has a member or parameter of its own for, or that look like a class.
pub const MEMBERS: [&str; 53] = [
    "async",
    "await",
    "bool",
    "build",
    "builder",
    "config",
    "constructor",
    "copy",
    "default",
    "delete",
    "dict",
    "element_type",
    "empty",
    "equals",
    "exec",
    "exists",
    "float",
    "from",
    "function",
    "get",
    "get_class",
    "get_hash_code",
    "get_provider",
    "get_type",
    "int",
    "isinstance",
    "items",
    "keys",
    "list",
    "new",
    "none",
    "null",
    "opts",
    "outputs",
    "parent",
    "pop",
    "print",
    "property",
    "pulumi_resource_name",
    "resource_name",
    "sequence",
    "setdefault",
    "str",
    "super",
    "sys",
    "thing",
    "to_string",
    "translate_output_property",
    "type_error",
    "update",
    "values",
    "warnings",
    "with",
];

/// A package whose name has dashes, and in which everything is called by one of [`WORDS`].
pub fn reserved_words() -> Result<Package, SchemaError> {
    let everything = WORDS.iter().chain(&MEMBERS).map(|name| optional(name, Type::String));
    // SDKs warn of it.
    let old = Attribute { deprecation: Some("Use another.".into()), ..optional("old", Type::String) };
    let everything: Vec<Attribute> = everything.chain([old]).collect();
    let nested =
        |name: &str, nesting| Attribute { optional: true, ..Attribute::nested(name, nesting, everything.clone()) };
    let mut thing = everything.clone();
    thing.push(nested("nested", Nesting::Single));
    thing.push(nested("several", Nesting::List));
    thing.push(nested("by_name", Nesting::Map));
    let thing = schema(thing);
    let resources =
        WORDS.iter().map(|word| (format!("words_{word}").into(), schema(vec![optional(word, Type::String)])));
    let one = |name: &str| BTreeMap::from([(Arc::from(name), thing.clone())]);
    let provider = ProviderSchema {
        provider: schema(WORDS.iter().map(|word| optional(word, Type::String)).collect()),
        resources: resources.chain(one("words_thing")).collect(),
        data_sources: one("words_thing"),
        ephemeral_resources: one("words_thing"),
        actions: one("words_thing"),
        list_resources: one("words_thing"),
        functions: ["delete", "new"].map(function).into(),
        ..ProviderSchema::default()
    };
    generate(&provider, &options("reserved-words", "words"))
}

/// A package that is called by a word itself, and so are its function and its properties.
pub fn named(word: &str) -> Result<Package, SchemaError> {
    let provider = ProviderSchema {
        provider: schema(vec![optional(word, Type::String)]),
        resources: [(format!("{word}_thing").into(), schema(vec![optional(word, Type::String)]))].into(),
        functions: [function(word)].into(),
        ..ProviderSchema::default()
    };
    generate(&provider, &options(word, word))
}

/// A package with a property for everything that a schema says of one.
pub fn values() -> Result<Package, SchemaError> {
    let described = |attribute: Attribute, text: &str| Attribute { description: Description::from(text), ..attribute };
    let annotated =
        |attribute: Attribute, annotations| Attribute { annotations: Some(Arc::new(annotations)), ..attribute };
    let words = |words: &[&str]| words.iter().map(|word| Value::string(*word)).collect();
    let member = vec![
        required("name", Type::String),
        annotated(
            optional("mode", Type::String),
            Annotations { enum_values: words(&["read", "read-write"]), ..Annotations::default() },
        ),
    ];
    let setting = vec![
        annotated(
            required("level", Type::String),
            Annotations {
                enum_values: words(&["low", "high", "class", "*"]),
                replaces: true,
                ..Annotations::default()
            },
        ),
        annotated(
            optional("source", Type::Dynamic),
            Annotations { union_of: vec![Type::String, Type::list(Type::String)], ..Annotations::default() },
        ),
        annotated(
            optional("place", Type::Dynamic),
            Annotations {
                union_of: vec![Type::String, Type::object([("city", Type::String)])],
                ..Annotations::default()
            },
        ),
        annotated(
            Attribute { computed: true, ..described(optional("colour", Type::String), "What it looks like.") },
            Annotations { default: Some(Value::string("red")), ..Annotations::default() },
        ),
        Attribute { deprecation: Some("Use colour.".into()), ..optional("color", Type::String) },
        Attribute { sensitive: true, ..optional("token", Type::String) },
        Attribute { write_only: true, ..optional("password", Type::String) },
        Attribute { optional: true, ..Attribute::nested("members", Nesting::List, member) },
        optional("ratio", Type::Number),
        Attribute { computed: true, ..Attribute::new("size", Type::Number) },
        Attribute { computed: true, ..Attribute::new("id", Type::String) },
    ];
    let setting = Schema {
        block: Block { description: Description::from("A setting of every kind."), ..schema(setting).block },
        version: 0,
    };
    let provider =
        ProviderSchema { resources: [("values_setting".into(), setting)].into(), ..ProviderSchema::default() };
    generate(&provider, &options("values", "values"))
}

fn function(name: &str) -> (Arc<str>, FunctionSignature) {
    let parameter = |name: &str| FunctionParameter {
        name: name.into(),
        ty: Type::String,
        allow_null: false,
        allow_unknown: false,
        description: Description::default(),
    };
    let signature = FunctionSignature {
        parameters: vec![parameter(name), parameter("other")],
        variadic: None,
        returns: Type::String,
        summary: String::new(),
        description: Description::default(),
        deprecation: None,
    };
    (name.into(), signature)
}

fn options(name: &str, prefix: &str) -> PackageOptions {
    PackageOptions {
        name: name.to_owned(),
        version: "1.2.3".to_owned(),
        type_prefix: Some(prefix.to_owned()),
        ..PackageOptions::default()
    }
}

fn required(name: &str, ty: Type) -> Attribute {
    Attribute { required: true, ..Attribute::new(name, ty) }
}

fn optional(name: &str, ty: Type) -> Attribute {
    Attribute { optional: true, ..Attribute::new(name, ty) }
}

fn schema(attributes: Vec<Attribute>) -> Schema {
    let blocks: Vec<NestedBlock> = Vec::new();
    Schema { version: 0, block: Block { attributes, blocks, ..Block::default() } }
}
