use super::*;
use crate::cty::Path;
use crate::planning::{Action, decide_action};

fn schema() -> Block {
    let mut attributes = plain_and_computed();
    attributes.push(attribute("key", Type::String, "ow"));
    attributes.push(attribute("list", Type::list(Type::String), "o"));
    block(attributes, Vec::new())
}

fn state(name: Value, list: &[&str]) -> Value {
    object([
        ("name", name),
        ("id", text("1")),
        ("key", none()),
        ("list", Value::list(Type::String, list.iter().map(|item| text(item)))),
    ])
}

#[test]
fn the_action_follows_from_the_states() {
    let (null, a) = (Value::null(schema().implied_type()), state(text("a"), &[]));
    let cases = [
        (&null, &null, Action::NoOp),
        (&null, &a, Action::Create),
        (&a, &null, Action::Delete),
        (&a, &a, Action::NoOp),
        (&a, &state(text("b"), &[]), Action::Update),
        (&a, &state(unknown(), &[]), Action::Update),
    ];
    for (prior, planned, action) in cases {
        assert_eq!(decide_action(&schema(), prior, planned, &[]).action, action, "{prior:?} to {planned:?}");
    }
}

#[test]
fn r7_paths_count_where_something_changes_or_cannot_be_compared() {
    let name = Path::root().attribute("name");
    let key = Path::root().attribute("key");
    let second = Path::root().attribute("list").index(1);
    let prior = state(text("a"), &["x"]);
    let decide = |planned: Value, path: &Path| decide_action(&schema(), &prior, &planned, std::slice::from_ref(path));
    assert_eq!(decide(state(text("b"), &["x"]), &name).action, Action::Replace);
    assert_eq!(decide(state(unknown(), &["x"]), &name).action, Action::Replace);
    assert_eq!(decide(state(text("a"), &["x"]), &name).action, Action::NoOp, "nothing changes");
    assert_eq!(decide(state(text("a"), &["y"]), &name).action, Action::Update, "something else changes");
    assert_eq!(decide(state(text("a"), &["x"]), &key).action, Action::Replace, "write-only");
    assert_eq!(decide(state(text("a"), &["x", "y"]), &second).action, Action::Replace, "the element is new");
    let null = Value::null(schema().implied_type());
    let create = decide_action(&schema(), &null, &prior, &[Path::root().attribute("nowhere")]);
    assert_eq!((create.action, create.violations.len()), (Action::Create, 0), "ignored on create");
}

#[test]
fn r7_paths_must_exist() {
    let prior = state(text("a"), &["x"]);
    let path = Path::root().attribute("list").index(1);
    let decision = decide_action(&schema(), &prior, &prior, &[path]);
    assert_eq!(
        shown(&decision.violations),
        [r#"R7 list[1]: "requires replacement" was indicated for an attribute path that does not exist"#]
    );
}

#[test]
fn a_path_is_listed_once() {
    let name = Path::root().attribute("name");
    let decision =
        decide_action(&schema(), &state(text("a"), &[]), &state(text("b"), &[]), &[name.clone(), name.clone()]);
    assert_eq!(decision.requires_replace, [name]);
}
