//! What of a schema is in the messages, and where.

use denobridge_core::cty::{Value, json};
use denobridge_core::provider::ServerCapabilities;
use denobridge_core::schema::{Annotations, IdentityAttribute, ProviderSchema};
use denobridge_core::{Diagnostics, DynamicValue};
use prost::Message;

use super::*;
use crate::proto::tfplugin5;
use crate::wire5;
use crate::wire6::host;

fn flagged(name: &str, flag: impl FnOnce(&mut Attribute)) -> pb::schema::Attribute {
    let mut flagged = Attribute::new(name, Type::list(Type::Number));
    flag(&mut flagged);
    attribute(&flagged)
}

#[test]
fn every_flag_of_an_attribute_reaches_its_own_field() {
    let plain = pb::schema::Attribute {
        name: "a".to_owned(),
        r#type: "[\"list\",\"number\"]".into(),
        ..pb::schema::Attribute::default()
    };
    assert_eq!(flagged("a", |_| {}), plain);
    let expect = |change: fn(&mut pb::schema::Attribute)| {
        let mut expected = plain.clone();
        change(&mut expected);
        expected
    };
    assert_eq!(flagged("a", |a| a.required = true), expect(|a| a.required = true));
    assert_eq!(flagged("a", |a| a.optional = true), expect(|a| a.optional = true));
    assert_eq!(flagged("a", |a| a.computed = true), expect(|a| a.computed = true));
    assert_eq!(flagged("a", |a| a.sensitive = true), expect(|a| a.sensitive = true));
    assert_eq!(flagged("a", |a| a.write_only = true), expect(|a| a.write_only = true));
    assert_eq!(flagged("a", |a| a.deprecation = Some(String::new())), expect(|a| a.deprecated = true));
    let message = expect(|a| {
        a.deprecated = true;
        a.deprecation_message = "use b".to_owned();
    });
    assert_eq!(flagged("a", |a| a.deprecation = Some("use b".to_owned())), message);
    let markdown = || Description { text: "*x*".to_owned(), kind: DescriptionKind::Markdown };
    let described = expect(|a| {
        a.description = "*x*".to_owned();
        a.set_description_kind(pb::StringKind::Markdown);
    });
    assert_eq!(flagged("a", |a| a.description = markdown()), described);
    // Annotations are not for the wire.
    let annotations = Annotations { replaces: true, ..Annotations::default() };
    assert_eq!(flagged("a", |a| a.annotations = Some(Arc::new(annotations))), plain);
}

#[test]
fn nested_attributes_have_a_nesting_instead_of_a_type() {
    use pb::schema::object::NestingMode;
    for (nesting, mode) in [
        (Nesting::Single, NestingMode::Single),
        (Nesting::List, NestingMode::List),
        (Nesting::Set, NestingMode::Set),
        (Nesting::Map, NestingMode::Map),
    ] {
        let nested = attribute(&Attribute::nested("n", nesting, vec![Attribute::new("x", Type::Bool)]));
        assert!(nested.r#type.is_empty());
        let object = nested.nested_type.unwrap();
        assert_eq!(object.nesting(), mode);
        assert_eq!(object.attributes[0].r#type, "\"bool\"");
    }
}

#[test]
fn blocks_keep_their_nesting_and_bounds() {
    use pb::schema::nested_block::NestingMode;
    for (nesting, mode) in [
        (Nesting::Single, NestingMode::Single),
        (Nesting::Group, NestingMode::Group),
        (Nesting::List, NestingMode::List),
        (Nesting::Set, NestingMode::Set),
        (Nesting::Map, NestingMode::Map),
    ] {
        let content = Block { computed: true, deprecation: Some("old".to_owned()), ..Block::default() };
        let nested = NestedBlock { name: "b".into(), nesting, block: content, min_items: 1, max_items: 3 };
        let wire = nested_block(&nested);
        assert_eq!((wire.type_name.as_str(), wire.nesting()), ("b", mode));
        assert_eq!((wire.min_items, wire.max_items), (1, 3));
        let content = wire.block.unwrap();
        assert!(content.computed && content.deprecated);
        assert_eq!(content.deprecation_message, "old");
    }
}

#[test]
fn a_function_has_parameters_and_a_result() {
    let parameter = |name: &str, allow_null, allow_unknown| FunctionParameter {
        name: name.into(),
        ty: Type::String,
        allow_null,
        allow_unknown,
        description: Description::from("what"),
    };
    let wire = function(&FunctionSignature {
        parameters: vec![parameter("a", true, false)],
        variadic: Some(parameter("rest", false, true)),
        returns: Type::Dynamic,
        summary: "short".to_owned(),
        description: Description::from("long"),
        deprecation: Some(String::new()),
    });
    let first = &wire.parameters[0];
    assert_eq!((first.name.as_str(), first.allow_null_value, first.allow_unknown_values), ("a", true, false));
    let rest = wire.variadic_parameter.unwrap();
    assert_eq!((rest.name.as_str(), rest.allow_null_value, rest.allow_unknown_values), ("rest", false, true));
    assert_eq!(wire.r#return.unwrap().r#type, "\"dynamic\"");
    assert_eq!((wire.summary.as_str(), wire.description.as_str()), ("short", "long"));
    assert!(!wire.deprecation_message.is_empty());
}

/// The fields of an encoded message by their numbers. Fields are varints or have a length before them; these do not repeat.
fn fields(mut encoded: &[u8]) -> BTreeMap<u64, Vec<u8>> {
    let mut fields = BTreeMap::new();
    while !encoded.is_empty() {
        let tag = prost::encoding::decode_varint(&mut encoded).unwrap();
        let number = prost::encoding::decode_varint(&mut encoded).unwrap();
        let content = match tag & 7 {
            0 => vec![u8::try_from(number).unwrap()],
            2 => encoded.split_off(..usize::try_from(number).unwrap()).unwrap().to_vec(),
            wire_type => panic!("wire type {wire_type}"),
        };
        assert_eq!(fields.insert(tag >> 3, content), None);
    }
    fields
}

/// A schema in protocol 6 and in protocol 5.
fn both(offered: ProviderSchema) -> (pb::get_provider_schema::Response, tfplugin5::get_provider_schema::Response) {
    let response = GetProviderSchemaResponse {
        schema: Arc::new(offered),
        server_capabilities: ServerCapabilities { plan_destroy: true, ..ServerCapabilities::default() },
        diagnostics: Diagnostics::new(),
    };
    (provider_schema(&response), wire5::provider_schema(provider_schema(&response)))
}

/// The fields of one attribute in protocol 6 and in protocol 5.
fn encoded(attribute: Attribute) -> [BTreeMap<u64, Vec<u8>>; 2] {
    let resource = Schema { version: 0, block: Block { attributes: vec![attribute], ..Block::default() } };
    let offered = ProviderSchema { resources: [("a_b".into(), resource)].into(), ..ProviderSchema::default() };
    let (six, five) = both(offered);
    let six = &six.resource_schemas["a_b"].block.as_ref().unwrap().attributes[0];
    let five = &five.resource_schemas["a_b"].block.as_ref().unwrap().attributes[0];
    [fields(&six.encode_to_vec()), fields(&five.encode_to_vec())]
}

#[test]
fn f26_every_flag_of_an_attribute_is_in_the_encoded_message() {
    type Flag = fn(&mut Attribute);
    /// A field's numbers in protocol 6 and in protocol 5, as the protocols declare them, and what is in it.
    type Field = ([u64; 2], &'static str);
    const SET: &str = "\x01";
    let flags: [(Flag, &[Field]); 9] = [
        (|_| {}, &[]),
        (|a| a.description = "what".into(), &[([3, 3], "what")]),
        (|a| a.required = true, &[([4, 4], SET)]),
        (|a| a.optional = true, &[([5, 5], SET)]),
        (|a| a.computed = true, &[([6, 6], SET)]),
        (|a| a.sensitive = true, &[([7, 7], SET)]),
        (|a| a.description.kind = DescriptionKind::Markdown, &[([8, 8], SET)]),
        (|a| a.write_only = true, &[([11, 10], SET)]),
        (|a| a.deprecation = Some("old".to_owned()), &[([9, 9], SET), ([12, 11], "old")]),
    ];
    for (flag, expected) in flags {
        let mut attribute = Attribute::new("a", Type::list(Type::Number));
        flag(&mut attribute);
        for (protocol, found) in encoded(attribute.clone()).into_iter().enumerate() {
            let always = [(1, "a"), (2, r#"["list","number"]"#)].into_iter();
            let expected = expected.iter().map(|(numbers, content)| (numbers[protocol], *content));
            let all = always.chain(expected).map(|(number, content)| (number, content.as_bytes().to_vec())).collect();
            assert_eq!(found, all, "{attribute:?}");
        }
    }
}

#[test]
fn f26_attributes_of_attributes_are_in_the_encoded_message() {
    let inner = Attribute { required: true, sensitive: true, ..Attribute::new("x", Type::String) };
    let [six, _] = encoded(Attribute::nested("a", Nesting::Set, vec![inner]));
    assert_eq!(six.keys().copied().collect::<Vec<_>>(), [1, 10], "no type, but a nested one");
    let object = fields(&six[&10]);
    assert_eq!(object[&3], [3], "nesting: a set");
    let inner = fields(&object[&1]);
    assert_eq!(
        (&*inner[&1], &*inner[&2], &*inner[&4], &*inner[&7]),
        (&b"x"[..], &b"\"string\""[..], &[1][..], &[1][..])
    );
}

/// Enough components of every kind that one out of order is noticed.
fn many() -> ProviderSchema {
    let block = |name: &str| {
        let attributes =
            ["b", "a", "c"].map(|attribute| Attribute { optional: true, ..Attribute::new(attribute, Type::String) });
        let nested = NestedBlock {
            name: "nested".into(),
            nesting: Nesting::List,
            block: Block { attributes: attributes.to_vec(), ..Block::default() },
            min_items: 0,
            max_items: 2,
        };
        Block { attributes: attributes.to_vec(), blocks: vec![nested], description: name.into(), ..Block::default() }
    };
    let names: Vec<String> = (0..40).map(|number| format!("many_{number}")).collect();
    let schemas = || names.iter().map(|name| (Arc::from(&**name), Schema { version: 1, block: block(name) })).collect();
    let function = |name: &str| FunctionSignature {
        parameters: Vec::new(),
        variadic: None,
        returns: Type::object([("b", Type::String), ("a", Type::Number)]),
        summary: name.to_owned(),
        description: Description::default(),
        deprecation: None,
    };
    ProviderSchema {
        provider: Schema { version: 0, block: block("provider") },
        resources: schemas(),
        data_sources: schemas(),
        ephemeral_resources: schemas(),
        list_resources: schemas(),
        state_stores: schemas(),
        actions: schemas(),
        functions: names.iter().map(|name| (Arc::from(&**name), function(name))).collect(),
        ..ProviderSchema::default()
    }
}

#[test]
fn f33_two_conversions_are_equal_to_the_last_byte() {
    let (six, five) = both(many());
    let (again_six, again_five) = both(many());
    assert_eq!(six.encode_to_vec(), again_six.encode_to_vec());
    assert_eq!(five.encode_to_vec(), again_five.encode_to_vec());
    // And what was decoded is encoded as it was: the order is the message's own.
    let bytes = six.encode_to_vec();
    assert_eq!(pb::get_provider_schema::Response::decode(&*bytes).unwrap().encode_to_vec(), bytes);
    let bytes = five.encode_to_vec();
    assert_eq!(tfplugin5::get_provider_schema::Response::decode(&*bytes).unwrap().encode_to_vec(), bytes);

    let identities = || {
        let part = |name: &str| IdentityAttribute {
            name: name.into(),
            ty: Type::String,
            required_for_import: true,
            optional_for_import: false,
            description: String::new(),
        };
        let schema = IdentitySchema { version: 0, attributes: vec![part("b"), part("a")] };
        let schemas = (0..40).map(|number| (format!("many_{number}").into(), schema.clone())).collect();
        let identity_schemas = identity_schemas(&schemas);
        let response = pb::get_resource_identity_schemas::Response { identity_schemas, diagnostics: Vec::new() };
        response.encode_to_vec()
    };
    assert_eq!(identities(), identities());
}

#[test]
fn f35_element_types_survive_schema_wire_and_value() {
    let ty = Type::list(Type::map(Type::set(Type::Number)));
    let attribute = Attribute { optional: true, ..Attribute::new("a", ty.clone()) };
    let resource = Schema { version: 0, block: Block { attributes: vec![attribute], ..Block::default() } };
    let (six, _) = both(ProviderSchema { resources: [("a_b".into(), resource)].into(), ..ProviderSchema::default() });
    let received = pb::get_provider_schema::Response::decode(&*six.encode_to_vec()).unwrap();
    let received = host::provider_schema(received, BTreeMap::new());
    assert_eq!(received.diagnostics, Diagnostics::new());
    let object = received.schema.resources["a_b"].implied_type();
    assert_eq!(object, Type::object([("a", ty)]));

    let set = Value::set(Type::Number, [Value::number(1), Value::number(2)]);
    let map = Value::map(Type::set(Type::Number), [("k", set), ("none", Value::set(Type::Number, []))]);
    let value = Value::object([(
        "a",
        Value::list(map.ty(), [map, Value::map(Type::set(Type::Number), Vec::<(&str, _)>::new())]),
    )]);
    let wire = DynamicValue::from(value.clone()).to_msgpack(&object).unwrap();
    assert_eq!(DynamicValue::MessagePack(wire).decode(&object).unwrap(), value);
    let json = json::to_json(&value, &object).unwrap();
    assert_eq!(json::from_json(&json, &object).unwrap(), value);
}
