//! Every way in which a script can be bad, with the exact message that the user gets.

use super::error::ScriptError;
use super::testing::Bench;
use super::{CallOptions, Limits, LogLevel, ScriptSpec};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

struct Outcome {
    bench: Bench,
    result: Result<Value, ScriptError>,
}

fn limits() -> Limits {
    Limits { call: Some(Duration::from_secs(20)), ..Limits::default() }
}

async fn run(bench: Bench, spec: ScriptSpec, method: &str) -> Outcome {
    let result = bench.pool.call(&spec, method, &json!({}), &CallOptions::default()).await;
    // However it went, nothing is left in the pool that a next call would trip over.
    bench.pool.shutdown().await;
    Outcome { bench, result }
}

async fn run_raw(text: &str) -> Outcome {
    let bench = Bench::new(limits());
    let spec = bench.raw_script(text);
    run(bench, spec, "create").await
}

async fn run_case(cases: &str) -> Outcome {
    let bench = Bench::new(limits());
    let spec = bench.script(cases);
    run(bench, spec, "create").await
}

impl Outcome {
    fn message(&self) -> String {
        let folder = self.bench.folder.path().to_str().unwrap();
        self.result.as_ref().unwrap_err().to_string().replace(folder, "DIR")
    }

    fn warnings(&self) -> Vec<String> {
        self.bench.log.at(LogLevel::Warning)
    }
}

#[tokio::test]
async fn script_missing() {
    let bench = Bench::new(limits());
    let spec = bench.spec();
    let outcome = run(bench, spec, "create").await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts does not exist: There is no file DIR/script.ts.

    Check `path`: a relative one starts from the working directory.
    "#);
}

#[tokio::test]
async fn deno_missing() {
    let bench = Bench::new(limits());
    let mut spec = bench.script("");
    spec.deno = Path::new("/nonexistent/deno").into();
    let outcome = run(bench, spec, "create").await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts did not start: Could not run /nonexistent/deno: No such file or directory (os error 2).

    Check `deno_binary_path`; it must be a Deno 2 for this machine.
    "#);
}

#[tokio::test]
async fn syntax_error() {
    insta::assert_snapshot!(run_raw("const x: = 1;\n").await.message(), @r#"
    Script script.ts did not start: It ended with exit code 1 before it answered the first message, "health".

    Its standard error ends with:
      error: SyntaxError: Unexpected token `=`. Expected an identifier, void, yield, null, await, break, a string literal, a numeric literal, true, false, `, -, import, this, typeof, {, [, (
        |
      1 | const x: = 1;
        |          ~
          at file://DIR/script.ts:1:10
    "#);
}

#[tokio::test]
async fn uncaught_throw() {
    insta::assert_snapshot!(run_raw("throw new Error(\"no luck\");\n").await.message(), @r#"
    Script script.ts did not start: It ended with exit code 1 before it answered the first message, "health".

    Its standard error ends with:
      error: Uncaught (in promise) Error: no luck
      throw new Error("no luck");
            ^
          at file://DIR/script.ts:1:7
    "#);
}

#[tokio::test]
async fn ends_at_once() {
    insta::assert_snapshot!(run_raw("console.log(\"done\");\n").await.message(), @r#"
    Script script.ts did not start: It ended with exit code 0 before it answered the first message, "health".

    Beside answers, its standard output has:
      done

    A script must go on reading messages from its standard input until "shutdown".
    "#);
}

#[tokio::test]
async fn unknown_permission() {
    let bench = Bench::new(limits());
    let mut spec = bench.script("");
    spec.permissions.allow.push("fly".into());
    let outcome = run(bench, spec, "create").await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts did not start: It ended with exit code 1 before it answered the first message, "health".

    Its standard error ends with:
      error: unexpected argument '--allow-fly' found
        tip: a similar argument exists: '--allow-all'

    Check `permissions`: an entry is the name of a Deno permission without dashes, such as "read", "net=example.com:443" or "env=HOME".
    "#);
}

#[tokio::test]
async fn a_served_script_without_health() {
    let outcome = run_raw("export default { fetch: () => new Response(null, { status: 404 }) };\n").await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts did not start: It answered the first request, GET /health, with status 404 instead of 204.

    Let the script answer GET /health with status 204.
    "#);
}

#[tokio::test]
async fn not_healthy() {
    let bench = Bench::new(limits());
    let spec = bench.raw_script(&include_str!("testdata/server.ts").replace("{ ok: true }", "{ ok: \"yes\" }"));
    let outcome = run(bench, spec, "create").await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts did not start: It answered the first message, "health", with {"ok":"yes"} instead of {"ok": true}.

    Correct the script's "health" method.
    "#);
}

#[tokio::test]
async fn no_health_in_time() {
    let bench = Bench::new(Limits { start: Duration::from_millis(700), ..limits() });
    let spec = bench.raw_script("console.error(\"waiting\");\nsetInterval(() => {}, 1000);\n");
    let outcome = run(bench, spec, "create").await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts did not start: It did not answer the first message, "health", within 700ms.

    Its standard error ends with:
      waiting

    Check that the script reads messages from its standard input. If it only needs longer, raise `start_timeout` in the provider's `limits`.
    "#);
}

#[tokio::test]
async fn throw_inside_a_method() {
    let outcome = run_case("case \"create\": throw new Error(\"disk full\");").await;
    insta::assert_snapshot!(outcome.message(), @r#"Script script.ts reported an error: "create" failed: disk full (code -32000)"#);
}

#[tokio::test]
async fn error_with_code_and_data() {
    let outcome = run_case("case \"create\": throw { code: 7, message: \"quota\", data: { used: 3 } };").await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts reported an error: "create" failed: quota (code 7)
    It adds: {"used":3}
    "#);
}

#[tokio::test]
async fn internal_error_of_the_library() {
    let outcome = run_case(
        "case \"create\":
           send({ id, error: { code: -32603, message: \"Internal error\" } });
           await sleep(5);
           console.error(\"uncaught error\", new Error(\"disk full\"));
           return send;",
    )
    .await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts reported an error: "create" failed: Internal error (code -32603)
    Its standard error says: Error: disk full
    "#);
}

#[tokio::test]
async fn method_not_implemented() {
    let outcome = run_case("").await;
    assert!(outcome.result.as_ref().unwrap_err().is_method_not_found());
    insta::assert_snapshot!(outcome.message(), @r#"Script script.ts does not implement create: "create" failed: Method not found (code -32601)"#);
}

#[tokio::test]
async fn missing_result_and_text_id() {
    let outcome = run_case("case \"create\": send({ id: String(id) }); return send;").await;
    assert_eq!(outcome.result.unwrap(), Value::Null);
}

#[tokio::test]
async fn invalid_json() {
    let outcome =
        run_case("case \"create\": write('{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{id:1}}\\n'); return send;").await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts gave an answer that is not JSON: The answer to "create" stops being JSON on this line (key must be a string):
      {"jsonrpc":"2.0","id":1,"result":{id:1}}

    Write nothing but JSON-RPC messages to standard output; use console.error for everything else.
    "#);
}

#[tokio::test]
async fn noise_before_and_between_is_ignored_with_a_warning() {
    let bench = Bench::new(limits());
    let server = include_str!("testdata/server.ts")
        .replace("/* CASES */", "case \"create\": console.log(\"creating\"); console.log({ a: 1 }); return 1;");
    let spec = bench.raw_script(&format!("console.log(\"hello\");\n{server}"));
    let outcome = run(bench, spec, "create").await;
    assert_eq!(*outcome.result.as_ref().unwrap(), json!(1));
    insta::assert_snapshot!(outcome.warnings().join("\n"), @r#"
    script.ts: ignored a line on standard output that is no JSON-RPC message: hello
    script.ts: ignored a line on standard output that is no JSON-RPC message: creating
    script.ts: ignored a line on standard output that is no JSON-RPC message: { a: 1 }
    "#);
}

#[tokio::test]
async fn noise_inside_an_answer() {
    let outcome = run_case(
        "case \"create\":
           write('{\"jsonrpc\":\"2.0\",\"id\":1,');
           console.log(\"creating now\");
           write('\"result\":1}\\n');
           return send;",
    )
    .await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts gave an answer that is not JSON: The answer to "create" stops being JSON on this line (key must be a string):
      {"jsonrpc":"2.0","id":1,creating now

    Write nothing but JSON-RPC messages to standard output; use console.error for everything else.
    "#);
}

#[tokio::test]
async fn noise_on_a_line_inside_a_pretty_printed_answer() {
    let outcome = run_case(
        "case \"create\":
           write('{\\n  \"jsonrpc\": \"2.0\",\\n  \"id\": 1,\\n');
           console.log(\"creating now\");
           write('  \"result\": 1\\n}\\n');
           return send;",
    )
    .await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts gave an answer that is not JSON: The answer to "create" stops being JSON on this line (key must be a string):
      creating now

    Write nothing but JSON-RPC messages to standard output; use console.error for everything else.
    "#);
}

#[tokio::test]
async fn answer_of_ten_megabytes() {
    let outcome = run_case("case \"create\": return { text: \"x\".repeat(10 << 20), n: [1.10, \"é\"] };").await;
    let result = outcome.result.unwrap();
    assert_eq!(result["text"].as_str().unwrap().len(), 10 << 20);
    assert_eq!(result["n"][1], "é");
}

#[tokio::test]
async fn answer_beyond_the_limit() {
    let bench = Bench::new(Limits { message_bytes: 1 << 20, ..limits() });
    let spec = bench.script("case \"create\": return \"x\".repeat(2 << 20);");
    let outcome = run(bench, spec, "create").await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts gave an answer that is too large: The answer to "create" is longer than the limit of 1048576 bytes.

    Return less, or raise `max_message_bytes` in the provider's `limits`.
    "#);
}

#[tokio::test]
async fn long_lines_on_stderr_block_nothing() {
    let outcome = run_case("case \"create\": console.error(\"x\".repeat(1 << 20)); return 1;").await;
    assert_eq!(*outcome.result.as_ref().unwrap(), json!(1));
    let logged: usize =
        outcome.bench.log.at(LogLevel::Debug).iter().filter(|line| line.contains("xxx")).map(String::len).sum();
    assert!(logged > 1 << 20);
}

#[tokio::test]
async fn no_answer_in_time() {
    let bench = Bench::new(Limits { call: Some(Duration::from_millis(300)), ..limits() });
    let spec = bench.script("case \"create\": console.error(\"still at it\"); await sleep(60000);");
    let outcome = run(bench, spec, "create").await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts did not answer in time: "create" took longer than 300ms and was given up.

    Its standard error ends with:
      still at it

    If the script only needs longer, raise `call_timeout` in the provider's `limits`.
    "#);
}

#[tokio::test]
async fn unfinished_answer() {
    let bench = Bench::new(Limits { call: Some(Duration::from_millis(300)), ..limits() });
    let spec = bench.script("case \"create\": write('{\"id\":1,\"result\":{\"a\":'); return send;");
    let outcome = run(bench, spec, "create").await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts did not answer in time: "create" took longer than 300ms and was given up. Its answer was not complete:
      {"id":1,"result":{"a":

    If the script only needs longer, raise `call_timeout` in the provider's `limits`.
    "#);
}

#[tokio::test]
async fn exit_in_mid_call() {
    let outcome =
        run_case("case \"create\": console.error(\"giving up\"); write('{\"id\":1,\"result\":{\"a\":'); Deno.exit(3);")
            .await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts ended without an answer: It ended with exit code 3 during "create". Its answer was not complete:
      {"id":1,"result":{"a":

    Its standard error ends with:
      giving up
    "#);
}

#[cfg(unix)]
#[tokio::test]
async fn output_closed() {
    // A Deno script cannot really close its output, so a shell plays Deno: `sh run …` runs the file "run".
    let bench = Bench::new(limits());
    let mut spec = bench.script("");
    let answers = "read line; echo '{\"id\":0,\"result\":{\"ok\":true}}'; read line; exec 1>&-; sleep 60";
    std::fs::write(bench.folder.path().join("run"), answers).unwrap();
    spec.deno = Path::new("/bin/sh").into();
    let outcome = run(bench, spec, "create").await;
    insta::assert_snapshot!(outcome.message(), @r#"Script script.ts closed its output without an answer: It closed its standard output during "create" and went on running."#);
}

#[tokio::test]
async fn permission_denied_in_an_answer() {
    let outcome = run_case("case \"create\": Deno.writeTextFileSync(\"/etc/hosts\", \"\");").await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts lacks a permission: During "create": Requires write access to "/etc/hosts", run again with the --allow-write flag.

    If the script may do this, add "write=/etc/hosts" to `permissions.allow` (Deno's flag --allow-write=/etc/hosts).
    "#);
}

#[tokio::test]
async fn permission_denied_behind_an_internal_error() {
    let outcome = run_case(
        "case \"create\":
           try { await fetch(\"https://example.com\"); } catch (error) { console.error(\"uncaught error\", error); }
           throw { code: -32603, message: \"Internal error\" };",
    )
    .await;
    insta::assert_snapshot!(outcome.message(), @r#"
    Script script.ts lacks a permission: During "create": NotCapable: Requires net access to "example.com:443", run again with the --allow-net flag.

    If the script may do this, add "net=example.com:443" to `permissions.allow` (Deno's flag --allow-net=example.com:443).
    "#);
}

#[tokio::test]
async fn permission_denied_at_the_start() {
    insta::assert_snapshot!(run_raw("Deno.readTextFileSync(\"/etc/hosts\");\n").await.message(), @r#"
    Script script.ts lacks a permission: During its start: NotCapable: Requires read access to "/etc/hosts", run again with the --allow-read flag.

    If the script may do this, add "read=/etc/hosts" to `permissions.allow` (Deno's flag --allow-read=/etc/hosts).
    "#);
}

#[tokio::test]
async fn secrets_never_show() {
    let bench = Bench::new(limits());
    let spec = bench.script(
        "case \"create\":
           console.error(\"debug\", params.password);
           console.log(\"stray\", params.password);
           throw new Error(\"wrong password \" + params.password);",
    );
    let mut options = CallOptions::default();
    options.secrets.add_text("hunter2!");
    let error = bench.pool.call(&spec, "create", &json!({ "password": "hunter2!" }), &options).await.unwrap_err();
    bench.pool.shutdown().await;
    insta::assert_snapshot!(error.to_string(), @r#"Script script.ts reported an error: "create" failed: wrong password (sensitive) (code -32000)"#);
    for level in [LogLevel::Debug, LogLevel::Info, LogLevel::Warning] {
        assert!(bench.log.at(level).iter().all(|line| !line.contains("hunter2")));
    }
    assert!(bench.log.at(LogLevel::Debug).iter().any(|line| line.ends_with("debug (sensitive)")));
}

#[tokio::test]
async fn half_an_object_on_standard_output_keeps_no_answer_back() {
    for stray in ["{\"a\":", "{\"jsonrpc\":\"2.0\"", "{\"jsonrpc\":\"2.0\"}"] {
        let outcome = run_case(&format!("case \"create\": console.log('{stray}'); return {{ id: \"x\" }};")).await;
        assert_eq!(outcome.result.as_ref().unwrap(), &json!({ "id": "x" }), "{stray}");
        let warning = format!("script.ts: ignored a line on standard output that is no JSON-RPC message: {stray}");
        assert_eq!(outcome.warnings(), [warning]);
    }
}
