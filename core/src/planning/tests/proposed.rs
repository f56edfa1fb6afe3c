use super::*;
use crate::planning::{empty_block, proposed_new_state, unset_computed_blocks};

fn in_one(name: &str, value: Value) -> Value {
    object([(name, value)])
}

#[test]
fn existence() {
    let schema = block(plain_and_computed(), vec![nested_block("list", Nesting::List, plain_and_computed())]);
    let null = Value::null(schema.implied_type());
    assert_eq!(proposed_new_state(&schema, &null, &null), null);
    let prior = empty_block(&schema).with_attribute("name", text("n"));
    assert_eq!(proposed_new_state(&schema, &prior, &null), prior);
    let config = empty_block(&schema).with_attribute("name", text("n"));
    assert_eq!(proposed_new_state(&schema, &null, &config), config);
}

#[test]
fn attributes_come_from_config_unless_computed_and_unset() {
    let schema = block(plain_and_computed(), Vec::new());
    let cases = [
        (item(text("old"), text("1")), item(text("new"), none()), item(text("new"), text("1"))),
        (item(text("old"), text("1")), item(none(), text("2")), item(none(), text("2"))),
        (item(text("old"), text("1")), item(unknown(), unknown()), item(unknown(), unknown())),
        (item(text("old"), none()), item(text("old"), none()), item(text("old"), none())),
    ];
    for (prior, config, expected) in cases {
        assert_eq!(proposed_new_state(&schema, &prior, &config), expected, "{prior:?} and {config:?}");
    }
}

#[test]
fn collections_are_merged_element_by_element() {
    for nesting in [Nesting::List, Nesting::Set, Nesting::Map] {
        let as_blocks = block(Vec::new(), vec![nested_block("x", nesting, plain_and_computed())]);
        let as_attribute = block(vec![nested("x", nesting, "o", plain_and_computed())], Vec::new());
        for schema in [as_blocks, as_attribute] {
            let prior = in_one("x", items(nesting, [item(text("a"), text("1")), item(text("b"), text("2"))]));
            let config = in_one(
                "x",
                items(nesting, [item(text("a"), none()), item(text("b"), none()), item(text("c"), none())]),
            );
            let expected =
                items(nesting, [item(text("a"), text("1")), item(text("b"), text("2")), item(text("c"), none())]);
            assert_eq!(proposed_new_state(&schema, &prior, &config), in_one("x", expected), "{nesting:?}");
        }
    }
}

#[test]
fn lists_go_by_position_and_sets_by_likeness() {
    let prior = [item(text("a"), text("1")), item(text("b"), text("2"))];
    let config = [item(text("b"), none()), item(text("a"), none())];
    let schema = |nesting| block(vec![nested("x", nesting, "o", plain_and_computed())], Vec::new());
    let proposed = |nesting: Nesting| {
        let (prior, config) = (items(nesting, prior.clone()), items(nesting, config.clone()));
        proposed_new_state(&schema(nesting), &in_one("x", prior), &in_one("x", config))
    };
    let swapped = [item(text("b"), text("1")), item(text("a"), text("2"))];
    assert_eq!(proposed(Nesting::List), in_one("x", items(Nesting::List, swapped)));
    assert_eq!(proposed(Nesting::Set), in_one("x", items(Nesting::Set, prior.clone())));
}

#[test]
fn a_changed_set_element_finds_no_prior() {
    let schema = block(vec![nested("x", Nesting::Set, "o", plain_and_computed())], Vec::new());
    let prior = in_one("x", items(Nesting::Set, [item(text("a"), text("1"))]));
    for config in [item(text("b"), none()), item(text("a"), text("9"))] {
        let config = in_one("x", items(Nesting::Set, [config]));
        assert_eq!(proposed_new_state(&schema, &prior, &config), config);
    }
}

#[test]
fn a_prior_set_element_is_used_once() {
    let schema = block(vec![nested("x", Nesting::Set, "o", plain_and_computed())], Vec::new());
    let prior = in_one("x", items(Nesting::Set, [item(text("a"), text("1"))]));
    // Both configured elements could have become the prior one.
    let config = in_one("x", items(Nesting::Set, [item(text("a"), text("1")), item(text("a"), none())]));
    let expected = items(Nesting::Set, [item(text("a"), text("1")), item(text("a"), none())]);
    let proposed = proposed_new_state(&schema, &prior, &config);
    assert_eq!(proposed.attribute("x").map(|set| set.children().count()), Some(2), "{proposed:?} not {expected:?}");
}

#[test]
fn sets_inside_set_elements_must_be_equal() {
    let inner = vec![attribute("tags", Type::set(Type::String), "oc"), attribute("name", Type::String, "o")];
    let schema = block(vec![nested("x", Nesting::Set, "o", inner.clone())], Vec::new());
    let ty = Type::object([("name", Type::String), ("tags", Type::set(Type::String))]);
    let element = |tags| object([("name", text("a")), ("tags", tags)]);
    let prior = in_one("x", Value::set(ty.clone(), [element(Value::set(Type::String, [text("t")]))]));
    let config = in_one("x", Value::set(ty, [element(Value::null(Type::set(Type::String)))]));
    assert_eq!(proposed_new_state(&schema, &prior, &config), config);
}

#[test]
fn an_optional_computed_nested_attribute_is_kept_only_if_it_is_all_computed() {
    let with = |inner: &str| {
        block(vec![nested("x", Nesting::Single, "oc", vec![attribute("name", Type::String, inner)])], vec![])
    };
    let prior = in_one("x", object([("name", text("a"))]));
    let config = in_one("x", Value::null(Type::object([("name", Type::String)])));
    assert_eq!(proposed_new_state(&with("oc"), &prior, &config), prior);
    assert_eq!(proposed_new_state(&with("o"), &prior, &config), config, "somebody removed it from the configuration");
}

#[test]
fn unknown_and_null_collections_stay() {
    let schema = block(
        vec![nested("attr", Nesting::List, "o", plain_and_computed())],
        vec![
            nested_block("blocks", Nesting::List, plain_and_computed()),
            nested_block("one", Nesting::Single, plain_and_computed()),
        ],
    );
    let list = |value| items(Nesting::List, [item(value, none())]);
    let prior = object([("attr", list(text("a"))), ("blocks", list(text("a"))), ("one", item(text("a"), text("1")))]);
    let config = object([
        ("attr", Value::null(Type::list(item_type()))),
        ("blocks", Value::unknown(Type::list(item_type()))),
        ("one", Value::null(item_type())),
    ]);
    assert_eq!(proposed_new_state(&schema, &prior, &config), config);
}

#[test]
fn blocks_with_dynamic_attributes_are_tuples_and_objects() {
    let content = vec![attribute("any", Type::Dynamic, "o"), attribute("id", Type::String, "oc")];
    let schema = block(
        Vec::new(),
        vec![nested_block("list", Nesting::List, content.clone()), nested_block("map", Nesting::Map, content)],
    );
    let element = |any: Value, id: Value| object([("any", any), ("id", id)]);
    let value = |id: fn() -> Value| {
        object([
            ("list", Value::tuple([element(text("s"), id()), element(Value::bool(true), id())])),
            ("map", object([("k", element(Value::number(1), id()))])),
        ])
    };
    assert_eq!(proposed_new_state(&schema, &value(|| text("1")), &value(none)), value(|| text("1")));
}

#[test]
fn marks_of_the_configuration_stay() {
    let schema = block(plain_and_computed(), Vec::new());
    let secret = text("s").with_marks(crate::cty::Marks::SECRET);
    let proposed = proposed_new_state(&schema, &item(text("s"), text("1")), &item(secret.clone(), none()));
    assert_eq!(proposed, item(secret, text("1")));
}

#[test]
fn computed_blocks_left_out_become_null() {
    let mut computed = nested_block("list", Nesting::List, plain_and_computed());
    computed.block.computed = true;
    let plain = nested_block("other", Nesting::List, plain_and_computed());
    let schema = block(Vec::new(), vec![computed, plain]);
    let empty = || items(Nesting::List, []);
    let sent = unset_computed_blocks(&schema, &object([("list", empty()), ("other", empty())]));
    assert_eq!(sent, object([("list", Value::null(Type::list(item_type()))), ("other", empty())]));
    let full = object([("list", items(Nesting::List, [item(text("a"), none())])), ("other", empty())]);
    assert_eq!(unset_computed_blocks(&schema, &full), full);
}

#[test]
fn values_of_other_shapes_are_survived() {
    let schema = block(plain_and_computed(), vec![nested_block("x", Nesting::Set, plain_and_computed())]);
    let odd =
        [text("t"), Value::tuple([]), Value::object::<&str>([]), Value::unknown(Type::Dynamic), in_one("x", text("y"))];
    for prior in &odd {
        for config in &odd {
            let _ = proposed_new_state(&schema, prior, config);
            let _ = unset_computed_blocks(&schema, config);
            let _ = crate::planning::mark_sensitive(&schema, config);
            let _ = crate::planning::rules::plan_result(&schema, prior, config, prior);
            let _ = crate::planning::rules::apply_result(&schema, prior, config);
        }
    }
}
