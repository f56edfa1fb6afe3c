use super::*;
use crate::planning::conform_config;

fn problems(schema: &Block, value: &Value) -> Vec<String> {
    conform_config(schema, value).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn absent_attributes_become_null_and_values_are_converted() {
    let schema = block(
        vec![
            attribute("name", Type::String, "r"),
            attribute("count", Type::Number, "o"),
            attribute("tags", Type::list(Type::String), "o"),
            attribute("id", Type::String, "c"),
            attribute("any", Type::Dynamic, "o"),
        ],
        vec![nested_block("list", Nesting::List, plain_and_computed())],
    );
    let any = object([("k", Value::tuple([Value::number(1), text("x")]))]);
    let written = object([
        ("name", Value::number(5)),
        ("tags", Value::tuple([text("a"), Value::bool(true)])),
        ("any", any.clone()),
        ("list", Value::tuple([object([("name", text("n"))])])),
    ]);
    let expected = object([
        ("name", text("5")),
        ("count", Value::null(Type::Number)),
        ("tags", Value::list(Type::String, [text("a"), text("true")])),
        ("id", none()),
        ("any", any),
        ("list", items(Nesting::List, [item(text("n"), none())])),
    ]);
    let config = conform_config(&schema, &written).unwrap();
    assert_eq!(config, expected);
    assert!(crate::planning::rules::object_conforms(&schema, &config).is_empty());
}

#[test]
fn everything_that_is_wrong_is_reported_with_its_place() {
    let mut many = nested_block("nic", Nesting::List, vec![attribute("port", Type::Number, "r")]);
    many.min_items = 1;
    many.max_items = 2;
    let schema = block(
        vec![
            attribute("path", Type::String, "r"),
            attribute("id", Type::String, "c"),
            nested("permissions", Nesting::Single, "o", vec![attribute("all", Type::Bool, "o")]),
        ],
        vec![many],
    );
    let nic = |port: Value| object([("port", port)]);
    let written = object([
        ("id", text("x")),
        ("permissions", object([("all", text("maybe")), ("alow", Value::bool(true))])),
        ("nic", Value::tuple([nic(Value::number(1)), nic(text("http")), object([])])),
        ("props", text("p")),
    ]);
    let found = problems(&schema, &written);
    let expected = [
        r#"path: the argument "path" is required, but it is not set"#,
        r#"id: "id" is decided by the provider and cannot be set"#,
        r#"permissions.all: inappropriate value for attribute "all""#,
        r#"permissions.alow: an argument named "alow" is not expected here"#,
        r#"nic[1].port: inappropriate value for attribute "port""#,
        r#"nic[2].port: the argument "port" is required, but it is not set"#,
        r#"nic: no more than 2 "nic" blocks are allowed, but there are 3"#,
        r#"props: an argument named "props" is not expected here"#,
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found} does not start with {expected}");
    }
    assert!(problems(&schema, &object([("path", text("p"))]))[0].contains("at least 1 \"nic\" blocks are required"));
}

#[test]
fn required_null_is_missing_and_wrong_shapes_are_named() {
    let schema = block(vec![attribute("path", Type::String, "r")], Vec::new());
    assert_eq!(problems(&schema, &object([("path", none())])).len(), 1);
    assert_eq!(problems(&schema, &text("x")), ["an object is required, but this is a string"]);
    let blocks = block(Vec::new(), vec![nested_block("x", Nesting::Map, plain_and_computed())]);
    let found = problems(&blocks, &object([("x", text("y"))]));
    assert_eq!(found, [r#"x: inappropriate value for "x": a map is required, not a string"#]);
}

#[test]
fn unknown_values_and_marks_pass() {
    let schema = block(
        vec![attribute("path", Type::String, "r"), nested("n", Nesting::List, "o", plain_and_computed())],
        Vec::new(),
    );
    let secret = text("s").with_marks(crate::cty::Marks::SECRET);
    let written = object([("path", secret.clone()), ("n", Value::unknown(Type::Dynamic))]);
    let config = conform_config(&schema, &written).unwrap();
    assert_eq!(config, object([("path", secret), ("n", Value::unknown(Type::list(item_type())))]));
}
