use super::*;
use serde_json::json;

/// The frames of `output`, which must not depend on how the pipe cuts it.
fn frames(output: &str) -> Vec<Frame> {
    let read = |size: usize| {
        let mut framer = Framer::new(1 << 20).awaiting(|value| value["id"] == 1);
        let mut frames: Vec<Frame> = output.as_bytes().chunks(size).flat_map(|piece| framer.push(piece)).collect();
        frames.extend(framer.finish());
        frames
    };
    let whole = read(output.len().max(1));
    for size in [1, 2, 3, 7, 64] {
        assert_eq!(read(size), whole, "cut every {size} bytes");
    }
    whole
}

fn stray(text: &str) -> Frame {
    Frame::Stray(text.into())
}

fn broken(frame: &Frame) -> (&str, &str) {
    match frame {
        Frame::Broken { line, reason, .. } => (line, reason),
        other => panic!("not broken: {other:?}"),
    }
}

#[test]
fn one_a_line_several_a_line_and_pretty_printed() {
    let output = "\n{\"id\":1}\r\n\n{\"id\":2} {\"id\":3}{\"id\":\n 4,\n \"result\": {\n  \"a\": [1, -2.5e3, true, null, \"}\\\"\"]\n }\n}\n[{\"id\":5}]";
    let values = [
        json!({"id": 1}),
        json!({"id": 2}),
        json!({"id": 3}),
        json!({"id": 4, "result": {"a": [1, serde_json::from_str::<Value>("-2.5e3").unwrap(), true, null, "}\""]}}),
        json!([{"id": 5}]),
    ];
    assert_eq!(frames(output), values.map(Frame::Value));
}

#[test]
fn numbers_stay_exact() {
    let value = frames("{\"n\":0.1000000000000000055511151231257827,\"m\":123456789012345678901234567890}\n");
    let Frame::Value(value) = &value[0] else { panic!() };
    assert_eq!(value["n"].to_string(), "0.1000000000000000055511151231257827");
    assert_eq!(value["m"].to_string(), "123456789012345678901234567890");
}

#[test]
fn stray_lines_before_between_and_after() {
    let output = "hello\n[INFO] starting\n{\"id\":1}\nbetween {\n{\"id\":2} behind\nend";
    assert_eq!(
        frames(output),
        [
            stray("hello"),
            stray("[INFO] starting"),
            Frame::Value(json!({"id": 1})),
            stray("between {"),
            Frame::Value(json!({"id": 2})),
            stray("behind"),
            stray("end"),
        ]
    );
}

#[test]
fn printed_objects_are_stray() {
    assert_eq!(frames("{ a: 1 }\n{\"id\":1}\n"), [stray("{ a: 1 }"), Frame::Value(json!({"id": 1}))]);
    // Nothing that was printed may swallow the answer after it.
    assert_eq!(frames("{\n{\"id\":1}\n"), [stray("{"), Frame::Value(json!({"id": 1}))]);
    assert_eq!(
        frames("{\n  a: {\n    b: 1\n  }\n}\n{\"id\":1}\n"),
        [stray("{"), stray("a: {"), stray("b: 1"), stray("}"), stray("}"), Frame::Value(json!({"id": 1}))]
    );
}

#[test]
fn an_answer_behind_text_without_a_line_end() {
    let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {"a": "b"}});
    assert_eq!(frames(&format!("Loading... {answer}\n")), [stray("Loading..."), Frame::Value(answer)]);
}

#[test]
fn half_a_value_keeps_no_answer_that_somebody_waits_for() {
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"id":"x"}}"#;
    let value = || Frame::Value(serde_json::from_str(answer).unwrap());
    for before in ["{\"a\":", "[", "{\"jsonrpc\":\"2.0\"", "{\"id\":7,\"result\":{", "[1,"] {
        assert_eq!(frames(&format!("{before}\n{answer}\n")), [stray(before), value()], "{before}");
        assert_eq!(frames(&format!("{before}\n{answer}")), [stray(before), value()], "{before}, at the end");
        assert_eq!(frames(&format!("{before}{answer}\n")), [stray(before), value()], "{before}, on the same line");
    }
    let pretty = format!("{{\n  \"a\": [\n{answer}\r\nafter\n");
    assert_eq!(frames(&pretty), [stray("{"), stray("  \"a\": ["), value(), stray("after")]);
    // What nobody waits for may be part of a value.
    let part = "[{\"id\":1},\n{\"jsonrpc\":\"2.0\",\"id\":2}\n]";
    assert_eq!(frames(part), [Frame::Value(serde_json::from_str(part).unwrap())]);
}

#[test]
fn a_line_inside_an_answer_is_named() {
    let frames = frames("{\n  \"jsonrpc\": \"2.0\",\nDEBUG: here\n  \"id\": 1}\n{\"id\":2}\n");
    assert_eq!(broken(&frames[0]), ("DEBUG: here", "key must be a string"));
    assert_eq!(frames.last(), Some(&Frame::Value(json!({"id": 2}))));
}

#[test]
fn damaged_answers() {
    let line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{undefined}}";
    assert_eq!(broken(&frames(&format!("{line}\n"))[0]), (line, "key must be a string"));
    let line = "{\"id\":1,\"result\":01}";
    assert_eq!(broken(&frames(&format!("{line}\n"))[0]), (line, "invalid number"));
    let line = "{\"id\":1,\"result\":\"two\nlines\"}";
    assert_eq!(broken(&frames(&format!("{line}\n"))[0]).0, "{\"id\":1,\"result\":\"…");
    let line = "{\"id\":1,\"result\":{\"a\":";
    assert_eq!(broken(&frames(line)[0]), (line, "it ends before the message is complete"));
    let line = format!("{{\"id\":1,\"result\":[{}1,]}}", "1,".repeat(5000));
    let frames = frames(&line);
    assert_eq!(broken(&frames[0]).0, format!("…{}1,]}}", "1,".repeat(39)));
}

#[test]
fn values_of_a_damaged_answer_are_not_shown() {
    let line = r#"{"jsonrpc":"2.0","id":"1","result":{"key": "very \"secret\"","other":"hidden",oops} "more" "#;
    let frames = frames(line);
    let shown = r#"{"jsonrpc":"2.0","id":"1","result":{"key": "…","other":"…",oops} "…"#;
    assert_eq!(broken(&frames[0]).0, shown);
    for (line, shown) in [
        // A quote that is not escaped ends the text too early, and from there on texts and what is between them change places.
        (r#"{"id":1,"result":{"t":"some "quoted" text","x":1,"key":"SECRET"}}"#, r#"{"id":1,"result":{"t":"…"…"#),
        (r#"{"id":1,"result":{"t":"a":"SECRET"}}"#, r#"{"id":1,"result":{"t":"a"…"#),
        (r#"{"id":1,"result":{"t":"a","b", "SECRET"}}"#, r#"{"id":1,"result":{"t":"a","b"…"#),
        (
            r#"{"id":1,"result":{"pin":123456,"n":[12,,7654321,'SECRET']}}"#,
            r#"{"id":1,"result":{"pin":…,"n":[12,,…,'…"#,
        ),
        (r#"{"id":1,"result":{"pin":0123456}}"#, r#"{"id":1,"result":{"pin":…}}"#),
        (r#"{"id":1,"result":{"k":"SEC\xRET","other":true}}"#, r#"{"id":1,"result":{"k":"…"#),
        ("{\"id\":1,\"result\":\"SEC\tRET\"}", r#"{"id":1,"result":"…"#),
        (r#"{"id":1,"result":{can't: 'SECRET'}}"#, r#"{"id":1,"result":{can't: '…"#),
    ] {
        assert_eq!(broken(&self::frames(&format!("{line}\n"))[0]).0, shown);
    }
    let mut framer = Framer::new(1 << 20);
    framer.push(br#"{"id":1,"result":{"password":"hunter2"#);
    assert_eq!(framer.unfinished().unwrap(), r#"{"id":1,"result":{"password":"…"#);
}

#[test]
fn nesting_beyond_the_limit_is_no_overflow_and_loses_nothing_around_it() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let mut framer = Framer::new(1 << 20);
    let frames = framer.push(format!("{{\"id\":1,\"result\":{{\"state\":{deep},\"id\":\"x\"}}}}\n").as_bytes());
    let Frame::Value(value) = &frames[0] else { panic!("{frames:?}") };
    assert_eq!((&value["id"], &value["result"]["id"]), (&json!(1), &json!("x")));
}

#[test]
fn the_object_of_a_damaged_answer_is_found() {
    let object = |output: &str| match frames(output).swap_remove(0) {
        Frame::Broken { object, .. } => object,
        other => panic!("{other:?}"),
    };
    let found = Some("x".to_owned());
    assert_eq!(object("{\"id\":1,\"result\":{\"id\":\"x\",\"state\":\nnoise\n\"a\"}}\n"), found);
    assert_eq!(object("{\"id\":1,\"result\":{\"id\":\"x\",\"state\":01}}\n"), found);
    assert_eq!(object("{\"id\":1,\"result\":{\"state\":01,\"id\":\"x\"}}\n"), None);
    let mut framer = Framer::new(1000);
    framer.push(b"{\"id\":1,\"result\":{\"id\":\"x\",\"state\":[");
    assert_eq!(framer.unfinished_object(), found);
    assert_eq!(framer.push("1,".repeat(1000).as_bytes()), [Frame::TooLarge { object: found }]);
}

#[test]
fn long_stray_lines_come_in_pieces_and_hide_no_answer() {
    let mut framer = Framer::new(1 << 20);
    let output = format!("{}{}\n", "x".repeat(100_000), json!({"jsonrpc": "2.0", "id": 1}));
    let mut frames = Vec::new();
    for piece in output.as_bytes().chunks(1000) {
        frames.extend(framer.push(piece));
        assert!(framer.buffer.len() <= STRAY_PIECE + 2000);
    }
    assert_eq!(frames.pop(), Some(Frame::Value(json!({"jsonrpc": "2.0", "id": 1}))));
    let length: usize = frames.iter().map(|frame| if let Frame::Stray(text) = frame { text.len() } else { 0 }).sum();
    assert_eq!(length, 100_000);
}

#[test]
fn too_large_is_said_once_and_the_rest_is_dropped() {
    let mut framer = Framer::new(1000);
    assert_eq!(
        framer.push(format!("{{\"id\":1,\"result\":\"{}", "x".repeat(2000)).as_bytes()),
        [Frame::TooLarge { object: None }]
    );
    assert_eq!(framer.push(b"\"}\n{\"id\":2}\n"), []);
    assert!(framer.buffer.is_empty());
}

#[test]
fn no_bytes_can_panic_it() {
    // A small generator of nasty input: pieces of JSON in every order, cut everywhere.
    let pieces: [&[u8]; 14] =
        [b"{", b"}", b"[", b"]", b"\"id\"", b":", b",", b"1", b"\n", b" ", b"\\", b"\"", b"\xFF", b"{\"jsonrpc\""];
    let mut seed = 7u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) as usize
    };
    for _ in 0..20_000 {
        let mut framer = Framer::new(64).awaiting(|_| true);
        for _ in 0..next() % 30 {
            framer.push(pieces[next() % pieces.len()]);
            framer.unfinished();
        }
        framer.finish();
    }
}
