//! Whatever the schema and whatever the state: what is written reads back the same.

use denobridge_core::cty::Type;
use denobridge_core::schema::{Attribute, NestedBlock, Nesting};
use proptest::prelude::*;

use super::*;
use crate::property_value::wire;
use crate::state::go_bridge::delta::Delta;
use crate::translate::tests as values;

/// Names that are translated in different ways, no two of them to the same.
const NAMES: [&str; 10] =
    ["id", "foo_bar", "status", "timeouts", "replace", "_lead", "sha_256", "size", "value", "security_group"];

fn any_names(most: usize) -> impl Strategy<Value = Vec<&'static str>> {
    proptest::sample::subsequence(NAMES.to_vec(), 0..=most)
}

/// Any type; elements of collections must be of one type, so there is nothing dynamic inside them.
fn any_type(dynamic: bool) -> BoxedStrategy<Type> {
    let leaf = prop_oneof![
        3 => Just(Type::String),
        3 => Just(Type::Number),
        1 => Just(Type::Bool),
        u32::from(dynamic) * 2 => Just(Type::Dynamic),
    ];
    let fixed = prop_oneof![Just(Type::String), Just(Type::Number), Just(Type::Bool)];
    let element = fixed.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(Type::list),
            inner.clone().prop_map(Type::set),
            inner.clone().prop_map(Type::map),
            any_object(inner),
        ]
    });
    let collection = prop_oneof![
        element.clone().prop_map(Type::list),
        element.clone().prop_map(Type::set),
        element.clone().prop_map(Type::map),
        any_object(element.clone()),
        any_object(leaf.clone().boxed()),
        proptest::collection::vec(element, 1..3).prop_map(Type::tuple),
    ];
    prop_oneof![leaf, collection].boxed()
}

fn any_object(member: impl Strategy<Value = Type> + Clone + 'static) -> BoxedStrategy<Type> {
    any_names(3)
        .prop_flat_map(move |names| {
            let members: Vec<_> = names.into_iter().map(|name| (Just(name), member.clone())).collect();
            members.prop_map(Type::object)
        })
        .boxed()
}

fn any_attribute(name: &'static str) -> BoxedStrategy<Attribute> {
    let nesting = prop_oneof![Just(Nesting::Single), Just(Nesting::List), Just(Nesting::Set), Just(Nesting::Map)];
    let nested = (nesting, any_names(3)).prop_flat_map(move |(nesting, members)| {
        let dynamic = nesting == Nesting::Single;
        let members: Vec<_> = members
            .into_iter()
            .map(|name| any_type(dynamic).prop_map(move |ty| Attribute { optional: true, ..Attribute::new(name, ty) }))
            .collect();
        members.prop_map(move |members| Attribute::nested(name, nesting, members))
    });
    let plain = any_type(true).prop_map(move |ty| Attribute::new(name, ty));
    (prop_oneof![3 => plain.boxed(), 1 => nested.boxed()], any::<[bool; 3]>())
        .prop_map(|(attribute, [optional, computed, sensitive])| Attribute {
            optional,
            computed,
            sensitive,
            ..attribute
        })
        .boxed()
}

fn any_block(depth: u32) -> BoxedStrategy<Block> {
    let most: usize = if depth == 0 { 0 } else { 3 };
    (any_names(6), 0..=most)
        .prop_flat_map(move |(names, blocks)| {
            let (blocks, attributes) = names.split_at(blocks.min(names.len()));
            let attributes: Vec<_> = attributes.iter().map(|name| any_attribute(name)).collect();
            let blocks: Vec<_> = blocks.iter().map(|name| any_nested_block(name, depth)).collect();
            (attributes, blocks)
        })
        .prop_map(|(attributes, blocks)| Block { attributes, blocks, ..Block::default() })
        .boxed()
}

fn any_nested_block(name: &'static str, depth: u32) -> BoxedStrategy<NestedBlock> {
    let nesting = prop_oneof![
        Just(Nesting::Single),
        Just(Nesting::Group),
        Just(Nesting::List),
        Just(Nesting::Set),
        Just(Nesting::Map),
    ];
    (nesting, any_block(depth - 1), 0..2_u64)
        .prop_filter("what is in a set or map is of one type", |(nesting, block, _)| {
            !matches!(nesting, Nesting::Set | Nesting::Map) || !block.implied_type().has_dynamic()
        })
        .prop_map(move |(nesting, block, max_items)| NestedBlock {
            name: name.into(),
            nesting,
            block,
            min_items: 0,
            max_items,
        })
        .boxed()
}

fn any_of(ty: &Type) -> BoxedStrategy<Value> {
    let parts = |ty: &Type| proptest::collection::vec(any_of(ty), 0..3);
    let known = match ty {
        Type::List(element) => {
            let element = (**element).clone();
            parts(&element).prop_map(move |items| Value::list(element.clone(), items)).boxed()
        }
        Type::Set(element) => {
            let element = (**element).clone();
            parts(&element).prop_map(move |items| Value::set(element.clone(), items)).boxed()
        }
        Type::Map(element) => {
            let element = (**element).clone();
            proptest::collection::btree_map("[a-z.]{0,3}|replace", any_of(&element), 0..3)
                .prop_map(move |entries| Value::map(element.clone(), entries))
                .boxed()
        }
        Type::Object(object) => {
            let parts: Vec<_> =
                object.attributes.iter().map(|(name, ty)| (Just(Arc::clone(name)), any_of(ty))).collect();
            parts.prop_map(Value::object).boxed()
        }
        Type::Tuple(elements) => elements.iter().map(any_of).collect::<Vec<_>>().prop_map(Value::tuple).boxed(),
        leaf => return values::any_of(leaf),
    };
    prop_oneof![1 => Just(Value::null(ty.clone())), 5 => known].boxed()
}

/// A state of a block. Nested blocks are never null in it, but for single ones.
fn any_state(block: &Block) -> BoxedStrategy<Value> {
    let attributes =
        block.attributes.iter().map(|attribute| (Just(Arc::clone(&attribute.name)), any_of(&attribute.implied_type())));
    let blocks = block.blocks.iter().map(|nested| (Just(Arc::clone(&nested.name)), any_blocks(nested)));
    attributes.chain(blocks).collect::<Vec<_>>().prop_map(Value::object).boxed()
}

fn any_blocks(nested: &NestedBlock) -> BoxedStrategy<Value> {
    let ty = nested.block.implied_type();
    let most = if nested.max_items == 1 { 1 } else { 2 };
    let contents = proptest::collection::vec(any_state(&nested.block), 0..=most);
    match nested.nesting {
        Nesting::Group => any_state(&nested.block),
        Nesting::Single => prop_oneof![Just(Value::null(ty)), any_state(&nested.block)].boxed(),
        Nesting::List if ty.has_dynamic() => contents.prop_map(Value::tuple).boxed(),
        Nesting::List => contents.prop_map(move |items| Value::list(ty.clone(), items)).boxed(),
        Nesting::Set => contents.prop_map(move |items| Value::set(ty.clone(), items)).boxed(),
        Nesting::Map => contents
            .prop_map(move |items| {
                let entries = items.into_iter().enumerate().map(|(index, item)| (format!("k{index}"), item));
                Value::map(ty.clone(), entries)
            })
            .boxed(),
    }
}

fn any_resource() -> impl Strategy<Value = (Block, Value)> {
    any_block(2).prop_flat_map(|block| {
        let state = any_state(&block);
        (Just(block), state)
    })
}

/// Something like a delta, or like outputs.
fn any_property() -> impl Strategy<Value = PropertyValue> {
    let key = proptest::sample::select(vec![
        "obj", "map", "arr", "plu", "num", "replace", "raw", "text", "ps", "el", "i", "renamed", "ignored", "foo_bar",
        "0",
    ]);
    let leaf = prop_oneof![
        Just(PropertyValue::Null),
        Just(PropertyValue::Unknown),
        Just(PropertyValue::Number(1e300)),
        "[0-9x{]{0,2}".prop_map(PropertyValue::String),
    ];
    leaf.prop_recursive(6, 24, 3, move |inner| {
        let entries = proptest::collection::btree_map(key.clone().prop_map(str::to_owned), inner.clone(), 0..3);
        prop_oneof![
            4 => entries.prop_map(PropertyValue::Object),
            1 => proptest::collection::vec(inner.clone(), 0..3).prop_map(PropertyValue::Array),
            1 => inner.prop_map(PropertyValue::into_secret),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_is_stored_is_read_or_refused(delta in any_property(), output in any_property()) {
        let names = names(Block { attributes: vec![Attribute::new("foo_bar", Type::Dynamic)], ..Block::default() });
        let outputs = PropertyMap::from([
            (DELTA.to_owned(), PropertyValue::Object([("obj".to_owned(), delta)].into())),
            ("foo_bar".to_owned(), output),
        ]);
        if let Ok(stored) = super::read(GoBridge, &outputs, &names) {
            prop_assert!(serde_json::from_slice::<Json>(&stored.raw).is_ok());
        }
    }

    #[test]
    fn a_state_reads_back_the_same((block, value) in any_resource(), version in 0..3_i64, private in any::<Vec<u8>>()) {
        let names = names(block);
        let kept = Kept { schema_version: version, private: private.into(), ..Kept::default() };
        let written = write(GoBridge, &value, &names, &kept);
        prop_assert_eq!(written.left_out, Vec::<String>::new());
        // There is always a short way; the state as a whole is only for what nobody has thought of.
        prop_assert!(matches!(Delta::read(&written.outputs[DELTA]), Ok(Delta::Object(_))));
        let outputs = wire::decode(Some(wire::encode(&written.outputs))).expect("decodes");
        let stored = read(GoBridge, &outputs, &names).expect("reads");
        prop_assert_eq!(&stored.kept, &kept);
        let read = state(&stored, &names);
        prop_assert!(read == value, "{:?} is not {:?}", read, value);
        // Nobody has to know about secrets for that.
        let plain = outputs.iter().map(|(name, value)| (name.clone(), value.without_secrets())).collect();
        prop_assert_eq!(super::read(GoBridge, &plain, &names).expect("reads").raw, stored.raw);
    }
}
