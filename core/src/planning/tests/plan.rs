use super::*;
use crate::cty::Marks;
use crate::planning::rules::plan_result;

fn check(schema: &Block, prior: &Value, config: &Value, planned: &Value) -> Vec<String> {
    shown(&plan_result(schema, prior, config, planned))
}

fn one(value: &Value) -> Value {
    object([("x", value.clone())])
}

#[test]
fn r2_existence() {
    let schema = block(plain_and_computed(), Vec::new());
    let null = Value::null(schema.implied_type());
    let some = item(text("a"), none());
    assert_eq!(check(&schema, &null, &some, &null), ["R2 planned for absence but config wants existence"]);
    assert_eq!(check(&schema, &some, &null, &some), ["R2 planned for existence but config wants absence"]);
    assert_eq!(check(&schema, &some, &null, &null), [""; 0]);
    assert_eq!(check(&schema, &null, &some, &some), [""; 0]);
}

#[test]
fn r3_attributes() {
    let (a, b, c) = (&text("a"), &text("b"), &text("c"));
    let (null, open) = (&none(), &unknown());
    let refined = &Value::unknown_refined(Type::String, crate::cty::Refinement::not_null());
    // flags, prior, config, planned, what is wrong
    let cases: &[(&str, &Value, &Value, &Value, &str)] = &[
        ("o", null, a, a, ""),
        ("o", a, b, b, ""),
        ("o", a, b, a, ""),
        ("o", null, a, b, r#"R3 x: planned value "b" does not match config value "a""#),
        ("o", a, b, c, r#"R3 x: planned value "c" does not match config value "b" nor prior value "a""#),
        ("o", a, null, null, ""),
        ("o", a, null, a, r#"R3 x: planned value "a" for a non-computed attribute"#),
        ("o", a, null, open, r#"R3 x: planned value unknown(string) for a non-computed attribute"#),
        ("o", null, a, open, r#"R3 x: planned value unknown(string) does not match config value "a""#),
        ("o", null, open, refined, ""),
        ("o", null, refined, open, ""),
        ("os", null, a, b, "R3 x: sensitive planned value does not match config value"),
        ("os", a, b, c, "R3 x: sensitive planned value does not match config value nor prior value"),
        ("os", null, null, c, "R3 x: sensitive planned value for a non-computed attribute"),
        ("oc", null, null, a, ""),
        ("oc", null, null, open, ""),
        ("oc", null, a, b, r#"R3 x: planned value "b" does not match config value "a""#),
        ("c", null, a, b, ""),
        ("c", a, null, open, ""),
        ("ow", null, a, null, ""),
        ("ow", null, a, a, "R6 x: planned value for write-only attribute is not null"),
    ];
    for (flags, prior, config, planned, wrong) in cases {
        let schema = block(vec![attribute("x", Type::String, flags)], Vec::new());
        let found = check(&schema, &one(prior), &one(config), &one(planned));
        let expected: Vec<&str> = (!wrong.is_empty()).then_some(*wrong).into_iter().collect();
        assert_eq!(found, expected, "{flags}: {prior:?} {config:?} {planned:?}");
    }
}

#[test]
fn r3_marked_values_are_never_shown() {
    let schema = block(vec![attribute("x", Type::String, "o")], Vec::new());
    let config = one(&text("hunter2").with_marks(Marks::SECRET));
    let found = check(&schema, &one(&none()), &config, &one(&text("other")));
    assert_eq!(found, ["R3 x: sensitive planned value does not match config value"]);
}

#[test]
fn r4_nested_attributes() {
    let one_item = |nesting, name| one(&items(nesting, [item(text(name), none())]));
    let two_items = |nesting| one(&items(nesting, [item(text("a"), none()), item(text("b"), none())]));
    for (nesting, place) in [(Nesting::List, "x[0]"), (Nesting::Map, "x[\"a\"]"), (Nesting::Single, "x")] {
        let schema = block(vec![nested("x", nesting, "o", plain_and_computed())], Vec::new());
        let prior = one(&Value::null(nesting.wrap(item_type())));
        let config = one_item(nesting, "a");
        let computed = one(&items(nesting, [item(text("a"), unknown())]));
        assert_eq!(check(&schema, &prior, &config, &computed), [""; 0], "{nesting:?}");
        let wrong = check(&schema, &prior, &config, &one_item(nesting, "z"));
        assert_eq!(wrong, [format!("R3 {place}.name: planned value \"z\" does not match config value \"a\"")]);
        let unknown = one(&Value::unknown(nesting.wrap(item_type())));
        assert_eq!(check(&schema, &prior, &config, &unknown), ["R4 x: planned unknown for configured value"]);
        assert_eq!(check(&schema, &prior, &config, &prior), ["R4 x: planned for absence but config wants existence"]);
        if nesting != Nesting::Single {
            let wrong = check(&schema, &prior, &config, &two_items(nesting));
            assert_eq!(wrong, ["R4 x: count in plan (2) disagrees with count in config (1)"]);
        }
    }
}

#[test]
fn r4_sets_by_possible_length() {
    let schema = block(vec![nested("x", Nesting::Set, "o", plain_and_computed())], Vec::new());
    let set = |items: Vec<Value>| one(&Value::set(item_type(), items));
    let config = set(vec![item(text("a"), none()), item(text("b"), none())]);
    let prior = one(&Value::null(Type::set(item_type())));
    let open = set(vec![item(text("a"), unknown()), item(text("b"), unknown())]);
    assert_eq!(check(&schema, &prior, &config, &open), [""; 0]);
    let fewer = set(vec![item(text("a"), none())]);
    assert_eq!(check(&schema, &prior, &config, &fewer), ["R4 x: count in plan (1) disagrees with count in config (2)"]);
}

#[test]
fn r4_map_keys() {
    let schema = block(vec![nested("x", Nesting::Map, "o", plain_and_computed())], Vec::new());
    let map = |key| one(&Value::map(item_type(), [(key, item(none(), none()))]));
    assert_eq!(
        check(&schema, &map("a"), &map("a"), &map("b")),
        [
            r#"R4 x: map key "b" from plan is not present in config"#,
            r#"R4 x: map key "a" from config is not present in plan"#
        ]
    );
}

#[test]
fn r5_blocks() {
    for (nesting, name) in [(Nesting::List, "list"), (Nesting::Set, "set"), (Nesting::Map, "map")] {
        let schema = block(Vec::new(), vec![nested_block("x", nesting, plain_and_computed())]);
        let ty = nesting.wrap(item_type());
        let config = one(&items(nesting, [item(text("a"), none())]));
        let prior = one(&items(nesting, []));
        let null = one(&Value::null(ty.clone()));
        let must = format!(
            "R5 x: attribute representing a {name} of nested blocks must be empty to indicate no blocks, not null"
        );
        assert_eq!(check(&schema, &prior, &config, &null), [must]);
        let open = one(&Value::unknown(ty));
        assert_eq!(check(&schema, &prior, &config, &open), ["R5 x: planned unknown value for non-computed block"]);
        assert_eq!(check(&schema, &prior, &open, &open), [""; 0]);
        assert_eq!(check(&schema, &prior, &open, &prior).len(), 1, "an unknown dynamic block cannot be planned");
        let element = one(&items(nesting, [Value::unknown(item_type())]));
        let found = check(&schema, &prior, &config, &element);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("element representing nested block must not be unknown itself"), "{found:?}");
        let computed = one(&items(nesting, [item(text("a"), unknown())]));
        assert_eq!(check(&schema, &prior, &config, &computed), [""; 0]);
    }
    let schema = block(Vec::new(), vec![nested_block("x", Nesting::List, plain_and_computed())]);
    let (none_there, one_there) = (one(&items(Nesting::List, [])), one(&items(Nesting::List, [item(none(), none())])));
    assert_eq!(
        check(&schema, &none_there, &one_there, &none_there),
        ["R5 x: block count in plan (0) disagrees with count in config (1)"]
    );
    let schema = block(Vec::new(), vec![nested_block("x", Nesting::Map, plain_and_computed())]);
    let map = |key| one(&Value::map(item_type(), [(key, item(none(), none()))]));
    assert_eq!(
        check(&schema, &map("a"), &map("a"), &map("b")),
        [
            r#"R5 x: block key "b" from plan is not present in config"#,
            r#"R5 x: block key "a" from config is not present in plan"#
        ]
    );
}

#[test]
fn r5_computed_blocks_are_free_when_left_out() {
    let mut blocks = nested_block("x", Nesting::List, plain_and_computed());
    blocks.block.computed = true;
    let schema = block(Vec::new(), vec![blocks]);
    let (null, open) = (one(&Value::null(Type::list(item_type()))), one(&Value::unknown(Type::list(item_type()))));
    let filled = one(&items(Nesting::List, [item(text("a"), none())]));
    assert_eq!(check(&schema, &null, &null, &filled), [""; 0]);
    assert_eq!(check(&schema, &null, &null, &open), [""; 0]);
    assert_eq!(check(&schema, &null, &filled, &open), ["R5 x: planned unknown value for configured block"]);
}

#[test]
fn sensitive_parts_of_blocks_are_never_shown() {
    let schema = block(Vec::new(), vec![nested_block("x", Nesting::List, vec![attribute("pin", Type::String, "os")])]);
    let ty = Type::object([("pin", Type::String)]);
    let planned = one(&Value::list(ty.clone(), [object([("pin", text("hunter2"))])]));
    let config = one(&Value::unknown(Type::list(ty)));
    let found = check(&schema, &config, &config, &planned);
    assert!(found.len() == 1 && !found[0].contains("hunter2") && found[0].contains("(sensitive)"), "{found:?}");
}
