//! Every way in which a script can be bad, with the exact message that the user gets.

use super::error::ScriptError;
use super::testing::Bench;
use super::{CallOptions, Limits, LogLevel, ScriptSpec};
use serde_json::{Value, json};
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
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn deno_missing() {
    let bench = Bench::new(limits());
    let mut spec = bench.script("");
    spec.deno = "/nonexistent/deno".into();
    let outcome = run(bench, spec, "create").await;
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn syntax_error() {
    insta::assert_snapshot!(run_raw("const x: = 1;\n").await.message(), @"");
}

#[tokio::test]
async fn uncaught_throw() {
    insta::assert_snapshot!(run_raw("throw new Error(\"no luck\");\n").await.message(), @"");
}

#[tokio::test]
async fn ends_at_once() {
    insta::assert_snapshot!(run_raw("console.log(\"done\");\n").await.message(), @"");
}

#[tokio::test]
async fn unknown_permission() {
    let bench = Bench::new(limits());
    let mut spec = bench.script("");
    spec.permissions.allow.push("fly".into());
    let outcome = run(bench, spec, "create").await;
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn http_script_is_recognised() {
    let outcome = run_raw("export default { fetch: () => new Response(\"\") };\n").await;
    assert!(outcome.result.as_ref().unwrap_err().is_http_script(), "{}", outcome.message());
}

#[tokio::test]
async fn not_healthy() {
    let bench = Bench::new(limits());
    let spec = bench.raw_script(&include_str!("testdata/server.ts").replace("{ ok: true }", "{ ok: \"yes\" }"));
    let outcome = run(bench, spec, "create").await;
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn no_health_in_time() {
    let bench = Bench::new(Limits { start: Duration::from_millis(700), ..limits() });
    let spec = bench.raw_script("console.error(\"waiting\");\nsetInterval(() => {}, 1000);\n");
    let outcome = run(bench, spec, "create").await;
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn throw_inside_a_method() {
    let outcome = run_case("case \"create\": throw new Error(\"disk full\");").await;
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn error_with_code_and_data() {
    let outcome = run_case("case \"create\": throw { code: 7, message: \"quota\", data: { used: 3 } };").await;
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn internal_error_of_the_library() {
    let outcome = run_case(
        "case \"create\":
           send({ id, error: { code: -32603, message: \"Internal error\" } });
           await sleep(20);
           console.error(\"uncaught error\", new Error(\"disk full\"));
           return send;",
    )
    .await;
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn method_not_implemented() {
    let outcome = run_case("").await;
    assert!(outcome.result.as_ref().unwrap_err().is_method_not_found());
    insta::assert_snapshot!(outcome.message(), @"");
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
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn noise_before_and_between_is_ignored_with_a_warning() {
    let bench = Bench::new(limits());
    let server = include_str!("testdata/server.ts")
        .replace("/* CASES */", "case \"create\": console.log(\"creating\"); console.log({ a: 1 }); return 1;");
    let spec = bench.raw_script(&format!("console.log(\"hello\");\n{server}"));
    let outcome = run(bench, spec, "create").await;
    assert_eq!(*outcome.result.as_ref().unwrap(), json!(1));
    insta::assert_snapshot!(outcome.warnings().join("\n"), @"");
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
    insta::assert_snapshot!(outcome.message(), @"");
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
    insta::assert_snapshot!(outcome.message(), @"");
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
    insta::assert_snapshot!(outcome.message(), @"");
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
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn unfinished_answer() {
    let bench = Bench::new(Limits { call: Some(Duration::from_millis(300)), ..limits() });
    let spec = bench.script("case \"create\": write('{\"id\":1,\"result\":{\"a\":'); return send;");
    let outcome = run(bench, spec, "create").await;
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn exit_in_mid_call() {
    let outcome =
        run_case("case \"create\": console.error(\"giving up\"); write('{\"id\":1,\"result\":{\"a\":'); Deno.exit(3);")
            .await;
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn output_closed() {
    let outcome = run_case("case \"create\": Deno.stdout.close(); return send;").await;
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn permission_denied_in_an_answer() {
    let outcome = run_case("case \"create\": Deno.writeTextFileSync(\"/etc/hosts\", \"\");").await;
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn permission_denied_behind_an_internal_error() {
    let outcome = run_case(
        "case \"create\":
           try { await fetch(\"https://example.com\"); } catch (error) { console.error(\"uncaught error\", error); }
           throw { code: -32603, message: \"Internal error\" };",
    )
    .await;
    insta::assert_snapshot!(outcome.message(), @"");
}

#[tokio::test]
async fn permission_denied_at_the_start() {
    insta::assert_snapshot!(run_raw("Deno.readTextFileSync(\"/etc/hosts\");\n").await.message(), @"");
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
    let options = CallOptions { secrets: vec!["hunter2!".into()], ..CallOptions::default() };
    let error = bench.pool.call(&spec, "create", &json!({ "password": "hunter2!" }), &options).await.unwrap_err();
    bench.pool.shutdown().await;
    insta::assert_snapshot!(error.to_string(), @"");
    for level in [LogLevel::Debug, LogLevel::Info, LogLevel::Warning] {
        assert!(bench.log.at(level).iter().all(|line| !line.contains("hunter2")));
    }
    assert!(bench.log.at(LogLevel::Debug).iter().any(|line| line.ends_with("debug (sensitive value)")));
}
