//! Translation held to its laws: what goes to Pulumi comes back the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::{Marks, Number, Type, Value, ValueKind};
use denobridge_core::schema::{Attribute, Block, NestedBlock, Nesting, ProviderSchema, Schema};
use denobridge_sdk_gen::{ObjectNames, PackageOptions, generate};
use proptest::prelude::*;

use super::{align, inputs, outputs};
use crate::property_value::{Output, PropertyMap, PropertyValue, ResourceReference, ResourceReferenceId};
use crate::{Conventions, state};

fn attribute(name: &str, ty: Type) -> Attribute {
    Attribute { optional: true, ..Attribute::new(name, ty) }
}

/// The name table of a block.
fn names(block: Block) -> Arc<ObjectNames> {
    let schema = ProviderSchema {
        resources: BTreeMap::from([("p_r".into(), Schema { version: 0, block })]),
        ..ProviderSchema::default()
    };
    let options = PackageOptions { name: "p".to_owned(), version: "1.0.0".to_owned(), ..PackageOptions::default() };
    let package = generate(&schema, &options).expect("a package");
    Arc::clone(&package.names.resource("p:index:R").expect("the resource").fields)
}

fn nested(name: &str, nesting: Nesting, attributes: Vec<Attribute>) -> NestedBlock {
    let block = Block { attributes, ..Block::default() };
    NestedBlock { name: name.into(), nesting, block, min_items: 0, max_items: 0 }
}

/// One of everything.
fn everything() -> Block {
    let object = Type::object([("inner_name", Type::String), ("count", Type::Number)]);
    Block {
        attributes: vec![
            attribute("some_text", Type::String),
            attribute("some_number", Type::Number),
            attribute("some_bool", Type::Bool),
            attribute("a_list", Type::list(Type::String)),
            attribute("a_set", Type::set(Type::Number)),
            attribute("a_map", Type::map(object.clone())),
            attribute("an_object", object.clone()),
            attribute("a_tuple", Type::tuple([Type::String, object])),
            attribute("any_thing", Type::Dynamic),
            Attribute { sensitive: true, ..attribute("hidden", Type::Dynamic) },
        ],
        blocks: vec![
            nested("one_block", Nesting::Single, vec![attribute("in_one", Type::Bool)]),
            nested("group_block", Nesting::Group, vec![attribute("in_group", Type::Bool)]),
            nested("list_block", Nesting::List, vec![attribute("in_list", Type::Number)]),
            nested("set_block", Nesting::Set, vec![attribute("in_set", Type::String)]),
            nested("map_block", Nesting::Map, vec![attribute("in_map", Type::String)]),
            nested("open_block", Nesting::List, vec![attribute("in_open", Type::Dynamic)]),
        ],
        ..Block::default()
    }
}

/// Numbers that doubles hold, and some that they do not.
fn any_number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        (any::<i32>(), 0..12_i32).prop_map(|(digits, scale)| format!("{digits}e-{scale}").parse().expect("a number")),
        Just("123456789012345678901234567890.5".parse().expect("a number")),
        Just("1e400".parse().expect("a number")),
    ]
}

pub(crate) fn any_of(ty: &Type) -> BoxedStrategy<Value> {
    let null = Just(Value::null(ty.clone()));
    let known = match ty {
        Type::String => "[a-z/~é]{0,4}".prop_map(Value::string).boxed(),
        Type::Number => any_number().prop_map(Value::number).boxed(),
        Type::Bool => any::<bool>().prop_map(Value::bool).boxed(),
        Type::Dynamic => any_dynamic(),
        Type::List(element) => {
            let element = (**element).clone();
            proptest::collection::vec(any_of(&element), 0..3)
                .prop_map(move |items| Value::list(element.clone(), items))
                .boxed()
        }
        Type::Set(element) => {
            let element = (**element).clone();
            // Elements that differ in digits which no double holds fall together on the wire.
            let items = proptest::collection::vec(any::<i16>(), 0..3);
            let of_number = element == Type::Number;
            let set = move |items: Vec<i16>| {
                let items = items.into_iter().map(|item| {
                    if of_number {
                        Value::number(i64::from(item))
                    } else {
                        Value::object([("in_set", Value::string(item.to_string()))])
                    }
                });
                Value::set(element.clone(), items)
            };
            items.prop_map(set).boxed()
        }
        Type::Map(element) => {
            let element = (**element).clone();
            proptest::collection::btree_map("[a-z./~]{0,3}", any_of(&element), 0..3)
                .prop_map(move |entries| Value::map(element.clone(), entries))
                .boxed()
        }
        Type::Object(object) => {
            let parts: Vec<_> =
                object.attributes.iter().map(|(name, ty)| (Just(Arc::clone(name)), any_of(ty))).collect();
            parts.prop_map(Value::object).boxed()
        }
        Type::Tuple(elements) => {
            let parts: Vec<_> = elements.iter().map(any_of).collect();
            parts.prop_map(Value::tuple).boxed()
        }
    };
    prop_oneof![1 => null, 4 => known].boxed()
}

fn any_dynamic() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        "[a-z]{0,3}".prop_map(Value::string),
        any_number().prop_map(Value::number),
        any::<bool>().prop_map(Value::bool),
        Just(Value::null(Type::Dynamic)),
        Just(Value::null(Type::String)),
    ];
    let collections = prop_oneof![
        any_of(&Type::list(Type::String)),
        any_of(&Type::map(Type::list(Type::Number))),
        any_of(&Type::set(Type::Number)),
    ];
    prop_oneof![leaf, collections]
        .prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::tuple),
                proptest::collection::btree_map("[a-z_A-Z]{1,3}", inner, 0..3).prop_map(|entries| {
                    Value::object(entries.into_iter().map(|(name, value)| (Arc::<str>::from(name), value)))
                }),
            ]
        })
        .boxed()
}

fn any_everything() -> impl Strategy<Value = Value> {
    let block = everything();
    let attributes = block
        .attributes
        .iter()
        .map(|attribute| (Just(Arc::clone(&attribute.name)), any_of(&attribute.implied_type()), any::<bool>()));
    let blocks = block.blocks.iter().map(|nested| {
        let content = nested.block.implied_type();
        let strategy = match nested.nesting {
            Nesting::Single => any_of(&content),
            Nesting::Group => any_of(&content).prop_filter("groups are never null", |value| !value.is_null()).boxed(),
            Nesting::List if content.has_dynamic() => {
                let element = any_of(&content).prop_filter("blocks are never null", |value| !value.is_null());
                proptest::collection::vec(element, 0..3).prop_map(Value::tuple).boxed()
            }
            nesting => any_of(&nesting.wrap(content))
                .prop_filter("blocks are never null", |value| {
                    !value.is_null() && value.children().all(|child| !child.is_null())
                })
                .boxed(),
        };
        (Just(Arc::clone(&nested.name)), strategy, Just(false))
    });
    let parts: Vec<_> = attributes
        .map(|(name, value, secret)| (name, value, secret.boxed()))
        .chain(blocks.map(|(name, value, secret)| (name, value, secret.boxed())))
        .collect();
    parts.prop_map(|parts| {
        Value::object(parts.into_iter().map(|(name, value, secret)| {
            // Nothing is no secret, and the door does not say so.
            let value = if secret && !value.is_null() { value.with_marks(Marks::SECRET) } else { value };
            (name, value)
        }))
    })
}

fn whole_nulls_untyped(value: &Value) -> Value {
    let open = value.attribute("any_thing").is_some_and(Value::is_null);
    let hidden = value.attribute("hidden").is_some_and(Value::is_null);
    let value =
        if open { value.clone().with_attribute("any_thing", Value::null(Type::Dynamic)) } else { value.clone() };
    if hidden { value.with_attribute("hidden", Value::null(Type::Dynamic)) } else { value }
}

fn hidden_marked(value: &Value) -> Value {
    match value.attribute("hidden") {
        Some(hidden) if !hidden.is_null() => {
            let hidden = hidden.clone().with_marks(Marks::SECRET);
            value.clone().with_attribute("hidden", hidden)
        }
        _ => value.clone(),
    }
}

proptest! {
    #[test]
    fn a_stored_state_reads_back_the_same(value in any_everything()) {
        let names = names(everything());
        let secret = names.fields().any(|field| {
            value.attribute(&field.terraform).is_some_and(|part| {
                !part.is_null() && (field.sensitive || !part.marks_deep().is_empty())
            })
        });
        let identity = state::KeptIdentity { schema_version: 1, raw: serde_json::json!({ "key": "k" }) };
        let kept = state::Kept {
            schema_version: 3,
            private: vec![1, 2].into(),
            private_is_secret: secret,
            identity: Some(identity),
        };
        let written = state::write(Conventions::Own, &value, &names, &kept).outputs;
        let read = state::read(Conventions::Own, &written, &names).expect("reads");
        prop_assert_eq!(read.problems, vec![]);
        prop_assert_eq!(read.kept, kept);
        // A null of the whole attribute has no type worth keeping; a sensitive attribute is always a secret.
        let expected = hidden_marked(&whole_nulls_untyped(&value));
        prop_assert!(read.value == expected, "{:?} is not {:?}", read.value.without_marks_deep(), expected.without_marks_deep());
    }

    #[test]
    fn aligned_inputs_are_the_state_they_came_from(value in any_everything()) {
        let names = names(everything());
        let value = value.without_marks_deep();
        let properties: PropertyMap = outputs::root(&value, &names)
            .into_iter()
            .map(|(name, value)| (name, value.without_secrets()))
            .collect();
        let (given, errors) = inputs::root(&properties, &names, inputs::Origin::Program);
        prop_assert_eq!(errors, vec![]);
        for field in names.fields() {
            let (given, prior) = (given.attribute(&field.terraform), value.attribute(&field.terraform));
            let (Some(given), Some(prior)) = (given, prior) else { panic!("all fields are there") };
            if !prior.is_null() {
                let aligned = align::with_prior(given, prior);
                prop_assert!(aligned == *prior, "{}: {aligned:?} is not {prior:?}", field.terraform);
            }
        }
    }

    #[test]
    fn marks_reach_every_place_that_has_them(value in any_dynamic(), marked in any_dynamic()) {
        let secret = marked.with_marks(Marks::SECRET);
        let result = align::with_marks_of(&value, &secret);
        prop_assert!(value.is_null() || result.marks().contains(Marks::SECRET));
        prop_assert_eq!(result.without_marks_deep(), value);
    }
}

fn one(name: &str, property: PropertyValue) -> Result<Value, String> {
    let names = names(everything());
    let (value, errors) = inputs::root(&BTreeMap::from([(name.to_owned(), property)]), &names, inputs::Origin::Program);
    match errors.first() {
        Some(error) => Err(format!("{}: {error}", error.path())),
        None => {
            let field = names.by_pulumi(name).expect("a field");
            Ok(value.attribute(&field.terraform).expect("an attribute").clone())
        }
    }
}

fn object(entries: &[(&str, PropertyValue)]) -> PropertyValue {
    PropertyValue::Object(entries.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

#[test]
fn a_double_is_the_decimal_that_it_shows() {
    let tenth = one("someNumber", PropertyValue::Number(0.1)).expect("a number");
    assert_eq!(tenth, Value::number("0.1".parse::<Number>().expect("a number")));
    assert_eq!(one("someText", PropertyValue::Number(1e21)).expect("text"), Value::string("1000000000000000000000"));
    assert!(one("someNumber", PropertyValue::Number(f64::NAN)).is_err());
}

#[test]
fn secrets_and_unknowns_stay_where_they_are() {
    let inner = object(&[("innerName", PropertyValue::from("x").into_secret()), ("count", PropertyValue::Unknown)]);
    let value = one("anObject", inner).expect("an object");
    assert!(value.marks().is_empty());
    assert_eq!(value.attribute("inner_name").map(Value::marks), Some(Marks::SECRET));
    assert_eq!(value.attribute("count"), Some(&Value::unknown(Type::Number)));
    let output = PropertyValue::Output(Output { value: None, secret: true, dependencies: Vec::new() });
    let value = one("aList", output).expect("a list");
    assert_eq!(value, Value::unknown(Type::list(Type::String)).with_marks(Marks::SECRET));
}

#[test]
fn blocks_that_are_not_there_are_empty_and_unknown_blocks_unknown() {
    let (value, _) = inputs::root(&PropertyMap::new(), &names(everything()), inputs::Origin::Program);
    assert!(value.attribute("one_block").is_some_and(Value::is_null));
    assert_eq!(value.attribute("group_block"), Some(&Value::object([("in_group", Value::null(Type::Bool))])));
    assert!(
        matches!(value.attribute("set_block").map(Value::kind), Some(ValueKind::Set(_, items)) if items.is_empty())
    );
    assert_eq!(value.attribute("open_block"), Some(&Value::tuple([])));
    assert!(!one("listBlock", PropertyValue::Unknown).expect("unknown").is_known());
}

#[test]
fn a_resource_is_its_id() {
    let reference =
        |id| PropertyValue::Resource(ResourceReference { urn: "urn:x".to_owned(), id, ..Default::default() });
    assert_eq!(one("someText", reference(Some(ResourceReferenceId::Known("i".to_owned())))), Ok(Value::string("i")));
    assert_eq!(one("someText", reference(Some(ResourceReferenceId::Unknown))), Ok(Value::unknown(Type::String)));
    assert!(one("someText", reference(None)).is_err_and(|error| error.contains("a component resource")));
}

#[test]
fn errors_name_the_place_in_the_programs_words() {
    let wrong = PropertyValue::Array(vec!["a".into(), object(&[])]);
    assert_eq!(one("aList", wrong), Err("aList[1]: a string is required, but this is an object".to_owned()));
    let wrong = object(&[("k.dot", object(&[("inner_name", "x".into())]))]);
    let error = one("aMap", wrong).expect_err("refused");
    assert_eq!(
        error,
        "aMap[\"k.dot\"].inner_name: there is no such property; did you mean `innerName`? There are: count, innerName"
    );
    let short = PropertyValue::Array(vec!["a".into()]);
    assert_eq!(one("aTuple", short), Err("aTuple: an array of 2 elements is required, but this has 1".to_owned()));
}
