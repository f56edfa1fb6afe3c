//! What leaves, by rule.

use denobridge_core::cty::{Marks, Path, PathStep, Type, Value};
use denobridge_core::schema::{Attribute, Block, NestedBlock, Nesting};
use denobridge_core::{Diagnostic, Diagnostics};
use serde_json::json;

use super::*;
use crate::protocol::State;

mod properties;

const REDACTED: View<'static> = View { values: Values::Redacted, attributes: None, dynamic: Dynamic::Walk };

fn plain(name: &str, ty: Type) -> Attribute {
    Attribute { optional: true, ..Attribute::new(name, ty) }
}

fn sensitive(attribute: Attribute) -> Attribute {
    Attribute { sensitive: true, ..attribute }
}

fn block_of(attributes: impl IntoIterator<Item = Attribute>) -> Block {
    Block { attributes: attributes.into_iter().collect(), ..Block::default() }
}

fn nested(name: &str, nesting: Nesting, block: Block) -> NestedBlock {
    NestedBlock { name: name.into(), nesting, block, min_items: 0, max_items: 0 }
}

/// What is seen of a value of which everything was learned before, as it is in an operation.
fn seen(block: &Block, value: &Value, view: &View<'_>) -> State {
    let known = Known::default();
    known.learn(block, value);
    project(block, value, view, &known)
}

/// A user with a password, as an attribute or block of that name in every nesting.
fn users() -> (Block, Value) {
    let attributes = || [plain("name", Type::String), sensitive(plain("password", Type::String))];
    let modes = [
        ("single", Nesting::Single),
        ("group", Nesting::Group),
        ("list", Nesting::List),
        ("set", Nesting::Set),
        ("map", Nesting::Map),
    ];
    let block = Block {
        attributes: modes
            .iter()
            .filter(|(_, nesting)| *nesting != Nesting::Group)
            .map(|(name, nesting)| Attribute::nested(*name, *nesting, attributes().into()))
            .collect(),
        blocks: modes
            .iter()
            .map(|(name, nesting)| nested(&format!("{name}_block"), *nesting, block_of(attributes())))
            .collect(),
        ..Block::default()
    };
    let user = |name: &str| {
        let password = format!("canary of {name}");
        Value::object([("name", Value::string(name)), ("password", Value::string(password))])
    };
    let ty = user("x").ty();
    let members = modes.iter().flat_map(|(name, nesting)| {
        let value = match nesting {
            Nesting::Single | Nesting::Group => user("ann"),
            Nesting::List => Value::list(ty.clone(), [user("ann"), user("bob")]),
            Nesting::Set => Value::set(ty.clone(), [user("ann"), user("bob")]),
            Nesting::Map => Value::map(ty.clone(), [("one", user("ann")), ("two", user("bob"))]),
        };
        [(format!("{name}_block"), value.clone()), ((*name).to_owned(), value)]
    });
    let value = Value::object(members.filter(|(name, _)| name != "group"));
    (block, value)
}

#[test]
fn m37_sensitive_attributes_are_not_there_in_any_nesting() {
    let (block, value) = users();
    let state = seen(&block, &value, &REDACTED);
    insta::assert_json_snapshot!(json!({"value": state.value, "redacted": state.redacted}));
    assert!(state.unknown.is_empty());
}

#[test]
fn m37_sensitive_attributes_are_not_there_as_a_whole_and_also_if_they_are_null() {
    let block = block_of([
        sensitive(plain("map", Type::map(Type::list(Type::String)))),
        sensitive(plain("dynamic", Type::Dynamic)),
        sensitive(Attribute::nested("nested", Nesting::List, vec![plain("inner", Type::String)])),
        sensitive(plain("null", Type::String)),
        sensitive(plain("unknown", Type::String)),
        plain("clear", Type::String),
    ]);
    let inner = Value::object([("inner", Value::string("canary"))]);
    let value = Value::object([
        ("map", Value::map(Type::list(Type::String), [("k", Value::list(Type::String, [Value::string("canary")]))])),
        ("dynamic", Value::object([("a", Value::string("canary"))])),
        ("nested", Value::list(inner.ty(), [inner])),
        ("null", Value::null(Type::String)),
        ("unknown", Value::unknown(Type::String)),
        ("clear", Value::string("x")),
    ]);
    let state = seen(&block, &value, &REDACTED);
    assert_eq!(state.value, json!({"clear": "x"}));
    assert_eq!(state.redacted, ["map", "dynamic", "nested", "null", "unknown"]);
    assert!(state.unknown.is_empty(), "that it is not known is a part of the secret");
}

#[test]
fn m38_write_only_attributes_are_in_no_view() {
    let write_only = Attribute { write_only: true, ..plain("token", Type::String) };
    let mut block = block_of([write_only.clone(), plain("copy", Type::String)]);
    block.blocks.push(nested("auth", Nesting::Set, block_of([write_only])));
    let auth = Value::object([("token", Value::string("canary-inner"))]);
    let value = Value::object([
        ("token", Value::string("canary")),
        ("copy", Value::string("the canary sings")),
        ("auth", Value::set(auth.ty(), [auth])),
    ]);
    for values in [Values::Redacted, Values::Full] {
        let state = seen(&block, &value, &View { values, ..REDACTED });
        assert_eq!(state.value, json!({"copy": "(sensitive)", "auth": [{}]}), "{values:?}");
        assert_eq!(state.redacted, ["token", "copy", "auth[0].token"], "{values:?}");
    }
}

#[test]
fn m38_what_is_never_sent_itself_is_nowhere_else_either() {
    let block = block_of([plain("url", Type::String), plain("private", Type::String), plain("pin", Type::Number)]);
    let provider = block_of([sensitive(plain("key", Type::String)), plain("region", Type::String)]);
    let config = Value::object([("key", Value::string("hunter2")), ("region", Value::string("somewhere"))]);
    let known = Known::default();
    known.learn_unseen(&provider, &config);
    known.learn_all(&Value::object([("pin", Value::number(123_456_i64))]));
    known.learn_text("private bytes");
    let value = Value::object([
        ("url", Value::string("https://me:hunter2@somewhere")),
        ("private", Value::string("private bytes")),
        ("pin", Value::number(123_456_i64)),
    ]);
    for values in [Values::Redacted, Values::Full] {
        let state = project(&block, &value, &View { values, ..REDACTED }, &known);
        assert_eq!(state.value, json!({"url": "(sensitive)", "private": "(sensitive)"}), "{values:?}");
        assert_eq!(state.redacted, ["url", "private", "pin"], "{values:?}");
    }
}

#[test]
fn m39_what_is_not_known_is_absent_and_listed() {
    let inner = || block_of([plain("a", Type::String), plain("b", Type::String)]);
    let pair = |a: Value| Value::object([("a", a), ("b", Value::string("b"))]);
    let (unknown, known) = (Value::unknown(Type::String), Value::string("a"));
    let ty = pair(known.clone()).ty();
    let mut block = block_of([
        plain("text", Type::String),
        plain("list", Type::list(Type::String)),
        plain("set", Type::set(Type::String)),
        plain("map", Type::map(Type::String)),
        plain("open", Type::Dynamic),
        Attribute::nested("nested", Nesting::Set, vec![plain("a", Type::String), plain("b", Type::String)]),
    ]);
    block.blocks = vec![nested("block", Nesting::List, inner()), nested("gone", Nesting::Single, inner())];
    let value = Value::object([
        ("text", unknown.clone()),
        ("list", Value::list(Type::String, [known.clone(), unknown.clone()])),
        ("set", Value::set(Type::String, [known.clone(), unknown.clone(), unknown.clone()])),
        ("map", Value::map(Type::String, [("k", unknown.clone()), ("l", known.clone())])),
        ("open", Value::tuple([unknown.clone(), known.clone()])),
        ("nested", Value::set(ty.clone(), [pair(unknown.clone())])),
        ("block", Value::list(ty.clone(), [pair(known), pair(unknown), Value::unknown(ty.clone())])),
        ("gone", Value::unknown(ty)),
    ]);
    let state = seen(&block, &value, &REDACTED);
    insta::assert_json_snapshot!(json!({"value": state.value, "unknown": state.unknown}));
    assert!(state.redacted.is_empty());
    let whole = seen(&block, &Value::unknown(block.implied_type()), &REDACTED);
    assert_eq!((whole.value, whole.unknown), (json!(null), vec![String::new()]));
}

#[test]
fn m40_values_of_open_type_lose_known_secrets_and_what_is_named_like_one() {
    let block = block_of([plain("props", Type::Dynamic), sensitive(plain("key", Type::String))]);
    let props = Value::object([
        ("url", Value::string("https://x/?key=canary-1")),
        ("db_password", Value::string("not known")),
        ("apiTokens", Value::tuple([Value::string("not known")])),
        ("canary-1 as a name", Value::bool(true)),
        ("deep", Value::tuple([Value::object([("secret", Value::null(Type::Dynamic)), ("n", Value::bool(true))])])),
        ("map", Value::map(Type::String, [("credentials", Value::string("not known")), ("x", Value::string("y"))])),
    ]);
    let value = Value::object([("props", props), ("key", Value::string("canary-1"))]);
    let state = seen(&block, &value, &REDACTED);
    insta::assert_json_snapshot!(json!({"value": state.value, "redacted": state.redacted}));

    let omitted = seen(&block, &value, &View { dynamic: Dynamic::Omit, ..REDACTED });
    assert_eq!((omitted.value, omitted.redacted), (json!({}), vec!["props".to_owned(), "key".to_owned()]));
    let full = seen(&block, &value, &View { values: Values::Full, ..REDACTED });
    assert_eq!(full.value["props"]["db_password"], "not known");
    assert_eq!(full.value["key"], "canary-1");

    // What is named like a secret is one wherever else it stands.
    let props = Value::object([("secret", Value::string("canary-2")), ("note", Value::string("it is canary-2"))]);
    let noted = Value::object([("props", props), ("key", Value::null(Type::String))]);
    assert!(!seen(&block, &noted, &REDACTED).value.to_string().contains("canary-2"));
}

#[test]
fn m40_secrets_of_pulumi_are_in_no_view() {
    let block =
        block_of([plain("props", Type::Dynamic), plain("set", Type::set(Type::String)), plain("x", Type::String)]);
    let secret = Value::object([
        ("4dabf18193072939515e22adb298388d", Value::string("1b47061264138c4ac30d75fd1eb44270")),
        ("value", Value::string("canary-1")),
    ]);
    let marked = Value::string("canary-2").with_marks(Marks::SECRET);
    let value = Value::object([
        ("props", Value::object([("a", secret), ("b", marked.clone()), ("c", Value::tuple([marked.clone()]))])),
        ("set", Value::set(Type::String, [marked, Value::string("other")])),
        ("x", Value::string("canary-1, canary-2")),
    ]);
    for values in [Values::Redacted, Values::Full] {
        let state = seen(&block, &value, &View { values, ..REDACTED });
        assert_eq!(state.value, json!({"props": {"c": [null]}, "x": "(sensitive)"}), "{values:?}");
        assert_eq!(state.redacted, ["props.a", "props.b", "props.c[0]", "set", "x"], "{values:?}");
    }
}

#[test]
fn m41_diagnostics_and_paths_are_without_known_secrets() {
    let known = Known::default();
    known.learn_text("pass\"word");
    known.learn_text("short");
    let path = Path::root().attribute("props").key("pass\"word").index(2).attribute("x");
    let said: Diagnostics = [
        Diagnostic::error("refused pass\"word", r#"{"p":"pass\"word"} ?p=pass%22word for short"#).at(path.clone()),
        Diagnostic::warning("cGFzcyJ3b3Jk", "no secret"),
    ]
    .into_iter()
    .collect();
    insta::assert_json_snapshot!(diagnostics(&said, &known));
    assert_eq!(path_text(&path), r#"props["pass\"word"][2].x"#);
    assert_eq!(path_text(&Path::root().attribute("a").then(PathStep::Element(Box::new(Value::bool(true))))), "a[]");
    assert_eq!(path_text(&Path::root().attribute("a.b").attribute("")), r#"["a.b"][""]"#);
    let json = json!({"pass\"word": 1, "xpass\"word": ["pass\"word", 2]});
    assert_eq!(known.scrub_json(json), json!({"(sensitive)": 1, "x(sensitive)": ["(sensitive)", 2]}));
}

#[test]
fn m41_drift_names_what_differs_and_tells_no_values() {
    let (block, prior) = users();
    let bob = |password: &str| Value::object([("name", Value::string("bob")), ("password", Value::string(password))]);
    let elements = prior.attribute("list").and_then(Value::as_elements).unwrap();
    let changed = Value::list(bob("").ty(), [elements[0].clone(), bob("another"), bob("third")]);
    let new = prior
        .clone()
        .with_attribute("list", changed)
        .with_attribute("set", Value::set(bob("").ty(), [bob("")]))
        .with_attribute("map", Value::map(bob("").ty(), [("one", bob("canary of ann")), ("a canary of ann", bob(""))]))
        .with_attribute("single_block", Value::null(bob("").ty()));
    let known = Known::default();
    known.learn(&block, &prior);
    let paths = [
        "list[1].password",
        "list[2]",
        "set",
        r#"map["a (sensitive)"]"#,
        r#"map["one"].name"#,
        r#"map["two"]"#,
        "single_block",
    ];
    let mut found = drift(&block, &prior, &new, &known);
    found.sort_by_key(|path| paths.iter().position(|expected| expected == path));
    assert_eq!(found, paths);
    assert!(drift(&block, &prior, &prior, &known).is_empty());
    assert_eq!(drift(&block, &prior, &Value::null(prior.ty()), &known), [""]);
}

#[test]
fn m42_no_values_are_seen_or_only_those_of_some_attributes() {
    let (block, value) = users();
    let none = seen(&block, &value, &View { values: Values::None, ..REDACTED });
    assert_eq!(none.value, json!({}));
    assert!(none.redacted.contains(&"list".to_owned()) && none.redacted.contains(&"set_block".to_owned()));
    let absent = seen(&block, &Value::null(block.implied_type()), &View { values: Values::None, ..REDACTED });
    assert_eq!(absent, State::default());

    let attributes = ["list.name", "list.password", "map.one.name", "set"].map(str::to_owned);
    let some = seen(&block, &value, &View { attributes: Some(&attributes), ..REDACTED });
    insta::assert_json_snapshot!(json!({"value": some.value, "redacted": some.redacted}));
    let full = seen(&block, &value, &View { attributes: Some(&attributes), values: Values::Full, ..REDACTED });
    assert_eq!(full.value["list"][1], json!({"name": "bob", "password": "canary of bob"}));
    assert_eq!(full.value["map"], json!({"one": {"name": "ann"}, "two": {}}));
}

#[test]
fn m42_what_a_restricted_view_does_not_see_of_a_map_has_no_keys_either() {
    let block = block_of([plain("tags", Type::map(Type::String))]);
    let value =
        Value::object([("tags", Value::map(Type::String, [("a", Value::string("1")), ("b", Value::string("2"))]))]);
    let attributes = ["tags.a".to_owned()];
    let state = seen(&block, &value, &View { attributes: Some(&attributes), ..REDACTED });
    assert_eq!((state.value, state.redacted), (json!({"tags": {"a": "1"}}), vec!["tags".to_owned()]));
}

#[test]
fn ids_and_identities_are_told_unless_they_are_secret() {
    let known = Known::default();
    known.learn_text("secret-id");
    let block = |id: Attribute| block_of([id]);
    let state = |id: Value| Value::object([("id", id)]);
    let plain_block = block(plain("id", Type::String));
    assert_eq!(id(&plain_block, &state(Value::string("i-1")), &known).as_deref(), Some("i-1"));
    for hidden in
        [Value::string("x-secret-id"), Value::string("i").with_marks(Marks::SECRET), Value::unknown(Type::String)]
    {
        assert_eq!(id(&plain_block, &state(hidden), &known), None);
    }
    assert_eq!(id(&block(sensitive(plain("id", Type::String))), &state(Value::string("i-1")), &known), None);
    let told = identity(&Value::object([("id", Value::string("i-1")), ("key", Value::string("secret-id"))]), &known);
    assert_eq!(told, Some(json!({"id": "i-1", "key": "(sensitive)"})));
    assert_eq!(identity(&Value::null(Type::Dynamic), &known), None);
}

#[test]
fn numbers_are_exact_for_whoever_reads_them_as_doubles() {
    let texts = [
        "0",
        "-5",
        "0.1",
        "1.5",
        "9007199254740992",
        "9007199254740993",
        "-9007199254740993",
        "0.1000000000000000000001",
        "1e300",
        "1e-300",
        "123456789012345678901234567890.5",
    ];
    let numbers = texts.map(|text| Value::number(text.parse::<denobridge_core::cty::Number>().unwrap()));
    let block = block_of([plain("n", Type::list(Type::Number))]);
    let state = seen(&block, &Value::object([("n", Value::list(Type::Number, numbers))]), &REDACTED);
    insta::assert_snapshot!(state.value.to_string());
}

#[test]
fn what_is_not_of_its_schema_tells_nothing() {
    let (block, _) = users();
    let list = Value::list(Type::String, [Value::string("canary")]);
    let value = Value::object([("set", Value::string("canary")), ("map", list.clone()), ("single", list)]);
    let state = project(&block, &value, &REDACTED, &Known::default());
    assert_eq!(state.value, json!({"single": {}, "map": [{}]}));
}

#[test]
fn secrets_are_found_by_the_part_and_in_what_they_are_made_of() {
    let known = Known::default();
    let long: String = (0..1000).map(|number| format!("part {number}, ")).collect();
    known.learn_text(&long);
    known.learn_text("KEY START\n  abcdefgh\nxy\n");
    known.learn_text(r#"{"user": "annabel", "port": 123456}"#);
    for (text, scrubbed) in [
        (format!("<{long}>"), "<(sensitive)>"),
        ("the line abcdefgh of it".to_owned(), "the line (sensitive) of it"),
        ("annabel, user".to_owned(), "(sensitive), user"),
        ("short is clear".to_owned(), "short is clear"),
    ] {
        assert_eq!(known.scrub(&text), scrubbed);
    }
    known.learn_text("overlap-one");
    known.learn_text("one-after");
    assert_eq!(known.scrub("x overlap-one-after y"), "x (sensitive) y");
    assert_eq!(format!("{known:?}"), "Known(…)");
}

#[test]
fn beyond_what_can_be_remembered_nothing_is_shown() {
    let known = Known::default();
    let block = block_of([plain("a", Type::String)]);
    let value = Value::object([("a", Value::string("x"))]);
    for number in 0..=MAXIMUM_SECRETS {
        known.learn_text(&format!("secret {number}"));
    }
    assert!(known.is_full());
    assert_eq!(known.scrub("anything"), "(sensitive)");
    assert_eq!(project(&block, &value, &View { values: Values::Full, ..REDACTED }, &known).value, json!({}));
    assert_eq!(identity(&value, &known), None);
}
