use std::sync::Arc;

use super::*;
use denobridge_core::cty::Type;
use denobridge_core::schema::{Annotations, Attribute, NestedBlock, Nesting};

fn attribute(name: &str, ty: Type, change: impl FnOnce(&mut Attribute)) -> Attribute {
    let mut attribute = Attribute::new(name, ty);
    change(&mut attribute);
    attribute
}

/// A thing with a name that replaces, a secret, a computed id and serial, and rules that get a computed handle each.
fn block() -> Block {
    let replaces = Arc::new(Annotations { replaces: true, ..Annotations::default() });
    let rule = vec![
        attribute("port", Type::Number, |a| a.required = true),
        attribute("handle", Type::String, |a| a.computed = true),
    ];
    let attributes = vec![
        attribute("name", Type::String, |a| (a.required, a.annotations) = (true, Some(replaces))),
        attribute("size", Type::Number, |a| (a.optional, a.computed) = (true, true)),
        attribute("secret", Type::String, |a| (a.optional, a.write_only) = (true, true)),
        attribute("id", Type::String, |a| a.computed = true),
        attribute("serial", Type::Number, |a| a.computed = true),
        Attribute { optional: true, ..Attribute::nested("rules", Nesting::List, rule) },
    ];
    Block { attributes, ..Block::default() }
}

fn rules() -> Rules {
    Rules::new(&block(), vec![PlanModifier::KeepState(Path::root().attribute("id"))])
}

fn null() -> Value {
    Value::null(block().implied_type())
}

fn rule(port: i32, handle: Option<&str>) -> Value {
    let handle = handle.map_or_else(|| Value::null(Type::String), Value::string);
    Value::object([("port", Value::number(port)), ("handle", handle)])
}

fn thing(name: &str, size: Option<i32>, computed: bool, rules: Vec<Value>) -> Value {
    let known = |value: Value| if computed { value } else { Value::null(value.ty()) };
    Value::object([
        ("name", Value::string(name)),
        ("size", size.map_or_else(|| Value::null(Type::Number), Value::number)),
        ("secret", Value::null(Type::String)),
        ("id", known(Value::string("id-1"))),
        ("serial", known(Value::number(7))),
        ("rules", Value::list(rule(0, Some("")).ty(), rules)),
    ])
}

fn start(config: Value, prior: Value, proposed: Value) -> PlanEdit {
    PlanEdit::start(&rules(), PlanInput { config, prior, proposed, private: PrivateData::default() })
}

fn unknown(edit: &PlanEdit) -> Vec<String> {
    denobridge_core::planning::unknown_paths(edit.planned()).iter().map(ToString::to_string).collect()
}

fn replacing(edit: PlanEdit) -> Vec<String> {
    edit.finish().1.iter().map(ToString::to_string).collect()
}

#[test]
fn of_a_new_object_everything_computed_is_unknown_and_nothing_write_only_is_kept() {
    let config = thing("a", None, false, vec![rule(80, None)]).with_attribute("secret", Value::string("s"));
    let edit = start(config.clone(), null(), config);
    assert_eq!(edit.kind(), PlanKind::Create);
    assert_eq!(unknown(&edit), ["id", "rules[0].handle", "serial", "size"]);
    assert!(edit.planned().attribute("secret").is_some_and(Value::is_null));
    assert!(replacing(edit).is_empty());
}

#[test]
fn without_a_change_nothing_is_unknown() {
    let prior = thing("a", Some(3), true, vec![rule(80, Some("h"))]);
    let edit = start(thing("a", None, false, vec![rule(80, None)]), prior.clone(), prior.clone());
    assert!(!edit.has_changes());
    assert_eq!(edit.planned(), &prior);
}

#[test]
fn a_change_makes_computed_attributes_unknown_but_for_those_that_stay() {
    let prior = thing("a", Some(3), true, vec![rule(80, Some("h"))]);
    let config = thing("a", Some(4), false, vec![rule(80, None)]);
    let proposed = thing("a", Some(4), true, vec![rule(80, Some("h"))]);
    let edit = start(config, prior, proposed);
    assert_eq!(edit.kind(), PlanKind::Update);
    assert_eq!(unknown(&edit), ["rules[0].handle", "serial"]);
    assert_eq!(edit.planned().attribute("id"), Some(&Value::string("id-1")));
    assert!(replacing(edit).is_empty());
}

#[test]
fn annotated_attributes_replace_where_they_differ() {
    let prior = thing("a", Some(3), true, vec![]);
    let edit = start(thing("b", None, false, vec![]), prior, thing("b", Some(3), true, vec![]));
    assert_eq!(replacing(edit), ["name"]);
}

#[test]
fn what_requires_replacement_is_sorted_and_said_once() {
    let prior = thing("a", Some(3), true, vec![]);
    let mut edit = start(thing("b", None, false, vec![]), prior, thing("b", Some(3), true, vec![]));
    for name in ["size", "name", "id", "size"] {
        edit.require_replace(Path::root().attribute(name));
    }
    assert_eq!(replacing(edit), ["id", "name", "size"]);
}

#[test]
fn a_resource_can_see_a_change_that_nobody_else_sees_and_take_one_back() {
    let prior = thing("a", Some(3), true, vec![]);
    let mut edit = start(thing("a", Some(3), false, vec![]), prior.clone(), prior.clone());
    edit.expect_changes();
    assert_eq!(unknown(&edit), ["serial"]);
    edit.set("serial", Value::number(8));
    assert_eq!(edit.planned().attribute("serial"), Some(&Value::number(8)));
    assert!(edit.has_changes());
    edit.keep_prior();
    assert!(!edit.has_changes());
}

#[test]
fn a_deletion_plans_null() {
    let mut edit = start(null(), thing("a", Some(3), true, vec![]), null());
    assert_eq!(edit.kind(), PlanKind::Delete);
    edit.expect_changes();
    assert!(edit.finish().0.is_null());
}

#[test]
fn what_is_computed_in_an_element_of_a_set_is_unknown_until_it_has_a_value() {
    let parts = vec![
        attribute("port", Type::Number, |a| a.required = true),
        attribute("handle", Type::String, |a| a.computed = true),
    ];
    let rules = Attribute { optional: true, ..Attribute::nested("rules", Nesting::Set, parts) };
    let block = Block { attributes: vec![rules], ..Block::default() };
    let of = |items: Vec<Value>| Value::object([("rules", Value::set(rule_type(), items))]);
    let input = PlanInput {
        config: of(vec![rule(80, None), rule(81, None)]),
        prior: of(vec![rule(80, Some("h"))]),
        proposed: of(vec![rule(80, Some("h")), rule(81, None)]),
        private: PrivateData::default(),
    };
    let edit = PlanEdit::start(&Rules::new(&block, Vec::new()), input);
    let open = |port: Value| Value::object([("port", port), ("handle", Value::unknown(Type::String))]);
    let new = open(Value::number(81));
    assert_eq!(edit.planned(), &of(vec![rule(80, Some("h")), new]));
    // Once it is known, the other element may be the one that was there before.
    let unknown = |handle| Value::object([("port", Value::unknown(Type::Number)), ("handle", handle)]);
    let null = || Value::null(Type::String);
    let input = PlanInput {
        config: of(vec![rule(80, None), unknown(null())]),
        prior: of(vec![rule(80, Some("h"))]),
        proposed: of(vec![rule(80, Some("h")), unknown(null())]),
        private: PrivateData::default(),
    };
    let edit = PlanEdit::start(&Rules::new(&block, Vec::new()), input);
    assert_eq!(edit.planned(), &of(vec![open(Value::number(80)), open(Value::unknown(Type::Number))]));
    // One that is not known at all is planned with all of its parts.
    let config = of(vec![rule(80, None), Value::unknown(rule_type())]);
    let input =
        PlanInput { config: config.clone(), prior: of(vec![]), proposed: config, private: PrivateData::default() };
    let edit = PlanEdit::start(&Rules::new(&block, Vec::new()), input);
    assert_eq!(edit.planned(), &of(vec![open(Value::number(80)), open(Value::unknown(Type::Number))]));
}

#[test]
fn a_default_in_a_set_that_is_not_known_yet_is_not_promised() {
    let parts = vec![
        attribute("port", Type::Number, |a| a.required = true),
        attribute("handle", Type::String, |a| {
            (a.optional, a.computed) = (true, true);
            let annotations = Annotations { default: Some(Value::string("d")), ..Annotations::default() };
            a.annotations = Some(Arc::new(annotations));
        }),
        attribute("id", Type::String, |a| a.computed = true),
    ];
    let rules = Attribute { optional: true, ..Attribute::nested("rules", Nesting::Set, parts) };
    let block = Block { attributes: vec![rules], ..Block::default() };
    let rule = |port: Value, handle: Value, id: Value| Value::object([("port", port), ("handle", handle), ("id", id)]);
    let (null, text) = (|| Value::null(Type::String), Value::string);
    let of =
        |items: Vec<Value>| Value::object([("rules", Value::set(rule(Value::number(0), null(), null()).ty(), items))]);
    let before = rule(Value::number(80), text("before"), text("i"));
    // Core takes the element that was there before for this one, but may take it for the other once that is known.
    let other = rule(Value::unknown(Type::Number), null(), null());
    let input = PlanInput {
        config: of(vec![rule(Value::number(80), null(), null()), other.clone()]),
        prior: of(vec![before.clone()]),
        proposed: of(vec![before, other]),
        private: PrivateData::default(),
    };
    let edit = PlanEdit::start(&Rules::new(&block, Vec::new()), input);
    let unknown = || Value::unknown(Type::String);
    let planned = [Value::number(80), Value::unknown(Type::Number)].map(|port| rule(port, unknown(), unknown()));
    assert_eq!(edit.planned(), &of(planned.into()));
}

fn rule_type() -> Type {
    rule(0, Some("")).ty()
}

#[test]
fn what_replaces_does_so_while_what_it_is_in_is_unknown() {
    let replaces = Arc::new(Annotations { replaces: true, ..Annotations::default() });
    let size = attribute("size", Type::Number, |a| (a.optional, a.annotations) = (true, Some(replaces)));
    let disk = Attribute { optional: true, ..Attribute::nested("disk", Nesting::Single, vec![size]) };
    let block = Block { attributes: vec![disk], ..Block::default() };
    let disk_type = Type::object([("size", Type::Number)]);
    let with = |disk: Value| Value::object([("disk", disk)]);
    for (disk, expected) in [
        (Value::unknown(disk_type.clone()), vec!["disk.size"]),
        (Value::object([("size", Value::unknown(Type::Number))]), vec!["disk.size"]),
        (Value::object([("size", Value::number(2))]), vec!["disk.size"]),
        (Value::object([("size", Value::number(1))]), vec![]),
    ] {
        let input = PlanInput {
            config: with(disk.clone()),
            prior: with(Value::object([("size", Value::number(1))])),
            proposed: with(disk.clone()),
            private: PrivateData::default(),
        };
        let edit = PlanEdit::start(&Rules::new(&block, Vec::new()), input);
        assert_eq!(replacing(edit), expected, "{disk:?}");
    }
    // What is neither there nor was there is no reason to replace: core refuses a path to it.
    // What may come to be there is one.
    let (block, nothing) = (Rules::new(&block, Vec::new()), with(Value::null(disk_type.clone())));
    for (now, expected) in [(nothing.clone(), vec![]), (with(Value::unknown(disk_type)), vec!["disk.size"])] {
        let (config, prior, proposed) = (now.clone(), nothing.clone(), now);
        let mut edit = PlanEdit::start(&block, PlanInput { config, prior, proposed, private: PrivateData::default() });
        edit.expect_changes();
        assert_eq!(replacing(edit), expected);
    }
}

/// Attributes and blocks in every nesting, each with a required `port` and a `size` that `change` makes what it is to be.
fn nested(change: impl Fn(&mut Attribute)) -> Block {
    let parts = || {
        let mut size = attribute("size", Type::Number, |a| (a.optional, a.computed) = (true, true));
        change(&mut size);
        vec![attribute("port", Type::Number, |a| a.required = true), size]
    };
    let nested = |name, nesting| Attribute { optional: true, ..Attribute::nested(name, nesting, parts()) };
    let attributes = vec![
        nested("one", Nesting::Single),
        nested("list", Nesting::List),
        nested("map", Nesting::Map),
        nested("set", Nesting::Set),
    ];
    let inner = Block { attributes: parts(), ..Block::default() };
    let block = |name: &str, nesting| NestedBlock {
        name: name.into(),
        nesting,
        block: inner.clone(),
        min_items: 0,
        max_items: 0,
    };
    let blocks = vec![block("disk", Nesting::List), block("rule", Nesting::Set), block("always", Nesting::Group)];
    Block { attributes: [parts(), attributes].concat(), blocks, ..Block::default() }
}

/// A value of such a block in which every size is that one.
fn sized(size: Option<i32>) -> Value {
    let size = size.map_or_else(|| Value::null(Type::Number), Value::number);
    let parts = || [("port", Value::number(80)), ("size", size.clone())];
    let part = || Value::object(parts());
    let several = || vec![part()];
    Value::object(parts().into_iter().chain([
        ("one", part()),
        ("list", Value::list(part().ty(), several())),
        ("map", Value::map(part().ty(), [("k", part())])),
        ("set", Value::set(part().ty(), several())),
        ("disk", Value::list(part().ty(), several())),
        ("rule", Value::set(part().ty(), several())),
        ("always", part()),
    ]))
}

#[test]
fn defaults_are_planned_wherever_the_configuration_says_nothing() {
    let default = |a: &mut Attribute| {
        let annotations = Annotations { default: Some(Value::number(5)), ..Annotations::default() };
        a.annotations = Some(Arc::new(annotations));
    };
    let plan = |config: Value, prior: Value, proposed: Value| {
        let input = PlanInput { config, prior, proposed, private: PrivateData::default() };
        PlanEdit::start(&Rules::new(&nested(default), Vec::new()), input)
    };
    let new = Value::null(sized(None).ty());
    assert_eq!(plan(sized(None), new.clone(), sized(None)).planned(), &sized(Some(5)));
    assert_eq!(plan(sized(Some(7)), new, sized(Some(7))).planned(), &sized(Some(7)));
    // What was there before does not stand in for the configuration: out of it again, the default counts.
    let edit = plan(sized(None), sized(Some(7)), sized(Some(7)));
    assert_eq!(edit.planned(), &sized(Some(5)));
    assert!(edit.has_changes());
    assert!(!plan(sized(None), sized(Some(5)), sized(Some(5))).has_changes());
}

#[test]
fn a_configuration_has_what_a_user_writes_and_nothing_else() {
    type Flag = fn(&mut Attribute);
    let flags: [(Flag, bool); 6] = [
        (|_| {}, true),
        (|a| a.computed = false, true),
        (|a| a.optional = false, false),
        (|a| (a.computed, a.write_only) = (false, true), false),
        (|a| (a.computed, a.deprecation) = (false, Some("old".to_owned())), false),
        (|a| (a.optional, a.computed, a.required, a.deprecation) = (false, false, true, Some("old".to_owned())), true),
    ];
    for (flag, written) in flags {
        let expected = if written { sized(Some(3)) } else { sized(None) };
        assert_eq!(config_of(&nested(flag), &sized(Some(3))), expected, "written: {written}");
    }
    // What is computed as a whole is left out as a whole, and what is not there stays so.
    let whole = Attribute { computed: true, ..Attribute::nested("whole", Nesting::List, vec![]) };
    let block = Block { attributes: vec![whole], ..Block::default() };
    let list = Value::list(Type::object::<&str>([]), [Value::object::<&str>([])]);
    let null = Value::null(list.ty());
    assert_eq!(config_of(&block, &Value::object([("whole", list)])), Value::object([("whole", null)]));
}
