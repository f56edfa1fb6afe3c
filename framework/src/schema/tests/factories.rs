//! F28: what each of the short functions makes, written out.

use denobridge_core::cty::type_json;
use denobridge_core::schema::{AttributeType, Block, NestedBlock};

use super::*;

/// An attribute with everything that a factory may have set: name, flags, and its type as the wire has it, or how it is
/// nested and what is in it.
fn shown(attribute: &Attribute) -> String {
    let ty = match &attribute.ty {
        AttributeType::Plain(ty) => String::from_utf8(type_json::encode(ty)).unwrap(),
        AttributeType::Nested(nested) => format!("{:?} of {}", nested.nesting, all(&nested.attributes)),
    };
    let bare = Attribute { ty: attribute.ty.clone(), ..Attribute::new(attribute.name.clone(), Type::Bool) };
    let flags = flags(attribute);
    let settled = Attribute { required: false, optional: false, computed: false, ..attribute.clone() };
    assert_eq!(settled, bare, "nothing else is set");
    format!("{} {flags} {ty}", attribute.name)
}

fn all(attributes: &[Attribute]) -> String {
    format!("({})", attributes.iter().map(shown).collect::<Vec<_>>().join(", "))
}

#[test]
fn f28_attribute_factories_have_their_types() {
    let inner = || [string("x").required(), number("y")];
    let goldens = [
        (string("a"), r#"a o "string""#),
        (number("a"), r#"a o "number""#),
        (bool("a"), r#"a o "bool""#),
        (dynamic("a"), r#"a o "dynamic""#),
        (list("a", Type::String), r#"a o ["list","string"]"#),
        (set("a", Type::Number), r#"a o ["set","number"]"#),
        (map("a", Type::Bool), r#"a o ["map","bool"]"#),
        (tuple("a", [Type::Bool, Type::list(Type::String)]), r#"a o ["tuple",["bool",["list","string"]]]"#),
        (object("a", [("y", Type::Number), ("x", Type::String)]), r#"a o ["object",{"x":"string","y":"number"}]"#),
        (attribute("a", Type::set(Type::Bool)), r#"a o ["set","bool"]"#),
        (nested_single("a", inner()), r#"a o Single of (x r "string", y o "number")"#),
        (nested_list("a", inner()), r#"a o List of (x r "string", y o "number")"#),
        (nested_set("a", inner()), r#"a o Set of (x r "string", y o "number")"#),
        (nested_map("a", inner()), r#"a o Map of (x r "string", y o "number")"#),
    ];
    for (definition, golden) in goldens {
        assert_eq!(shown(&definition.build()), golden);
    }
}

fn shown_block(nested: &NestedBlock) -> String {
    let NestedBlock { name, nesting, block, min_items, max_items } = nested;
    let content = Block { attributes: Vec::new(), blocks: Vec::new(), ..block.clone() };
    assert_eq!(content, Block::default(), "nothing else is set");
    let inner: Vec<String> = block.blocks.iter().map(shown_block).collect();
    format!("{name} {nesting:?} {min_items}..{max_items} {}[{}]", all(&block.attributes), inner.join(", "))
}

#[test]
fn f28_block_factories_have_their_nestings() {
    let inner = || [string("x").required()];
    let goldens = [
        (single_block("b", inner()), r#"b Single 0..0 (x r "string")[]"#),
        (single_block("b", inner()).at_least(1), r#"b Single 1..1 (x r "string")[]"#),
        (group_block("b", inner()), r#"b Group 0..0 (x r "string")[]"#),
        (list_block("b", inner()).at_least(1).at_most(3), r#"b List 1..3 (x r "string")[]"#),
        (set_block("b", inner()).at_most(2), r#"b Set 0..2 (x r "string")[]"#),
        (map_block("b", inner()), r#"b Map 0..0 (x r "string")[]"#),
        (list_block("b", []).block(set_block("c", inner())), r#"b List 0..0 ()[c Set 0..0 (x r "string")[]]"#),
    ];
    for (definition, golden) in goldens {
        assert_eq!(shown_block(&definition.build()), golden);
    }
}

#[test]
fn f28_schema_factories_have_a_root_and_a_version() {
    let attributes = || [string("x").required()];
    for definition in [resource(attributes()), data_source(attributes()), provider(attributes())] {
        let golden = Schema {
            version: 0,
            block: Block {
                attributes: vec![Attribute { required: true, ..Attribute::new("x", Type::String) }],
                ..Block::default()
            },
        };
        assert_eq!(definition.clone().build(), golden);
        assert_eq!(definition.version(3).build(), Schema { version: 3, ..golden });
    }
    let schema = identity([string("x").required().describe("What it is."), list("y", Type::Number)]);
    let told: Vec<String> = schema
        .attributes
        .iter()
        .map(|part| {
            let (needed, taken) = (part.required_for_import, part.optional_for_import);
            let ty = String::from_utf8(type_json::encode(&part.ty)).unwrap();
            format!("{} {ty} needed {needed}, taken {taken}, {:?}", part.name, part.description)
        })
        .collect();
    let golden = [
        r#"x "string" needed true, taken false, "What it is.""#,
        r#"y ["list","number"] needed false, taken true, """#,
    ];
    assert_eq!((schema.version, told.as_slice()), (0, golden.map(str::to_owned).as_slice()));
}
