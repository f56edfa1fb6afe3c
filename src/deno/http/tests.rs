//! Scripts of the HTTP contract, served here and elsewhere.

use super::super::error::ScriptError;
use super::super::testing::server::{Reply, Server};
use super::super::testing::{Bench, deno};
use super::super::{CallOptions, Configuration, Limits, LogLevel, Pool, PoolOptions, ScriptSpec};
use super::contract::Request;
use super::{Remote, RemoteError, Transport};
use crate::children::{Watcher, WatcherProgram};
use denobridge_core::mask::Secrets;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

struct Served {
    bench: Bench,
    spec: ScriptSpec,
}

impl Served {
    fn new() -> Self {
        let bench = Bench::new(Limits { call: Some(Duration::from_secs(20)), ..Limits::default() });
        let spec = bench.raw_script(include_str!("../testdata/served.ts"));
        Self { bench, spec }
    }

    async fn call(&self, method: &str, params: Value) -> Result<Value, ScriptError> {
        self.bench.pool.call(&self.spec, method, &params, &CallOptions::default()).await
    }

    /// What the script was asked since the last time.
    async fn asked(&self) -> Vec<String> {
        let answer = self.call("asked", json!({})).await.unwrap();
        answer["result"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn every_method_of_the_life_cycle() {
    let served = Served::new();
    let nulls = json!({ "id": "k", "nextProps": { "key": "k" }, "currentProps": { "key": "k" },
        "currentState": { "made": true }, "currentSensitiveState": null });
    let mut answers = vec![
        served.call("create", json!({ "props": { "key": "k" } })).await.unwrap(),
        served.call("read", json!({ "id": "k", "props": null, "state": {}, "sensitiveState": null })).await.unwrap(),
        served.call("update", nulls.clone()).await.unwrap(),
        served.call("delete", json!({ "id": "k", "props": {}, "state": null, "sensitiveState": null })).await.unwrap(),
        served.call("read", json!({ "props": { "query": "q" } })).await.unwrap(),
        served.call("open", json!({ "props": {} })).await.unwrap(),
    ];
    let lines: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = Arc::clone(&lines);
    let progress =
        CallOptions { progress: Some(Arc::new(move |line| kept.lock().unwrap().push(line))), ..CallOptions::default() };
    let params = json!({ "props": {} });
    answers.push(served.bench.pool.call(&served.spec, "invoke", &params, &progress).await.unwrap());
    assert_eq!(*lines.lock().unwrap(), ["one", "two"]);
    let answers: Vec<String> = answers.iter().map(Value::to_string).collect();
    insta::assert_snapshot!(answers.join("\n"), @r#"
    {"id":"k","state":{"made":true}}
    {"props":null,"state":{"made":true}}
    {"state":{"made":true},"sensitiveState":null}
    {"done":true}
    {"result":["q"]}
    {"result":{"token":"t"},"renewAt":5,"privateData":{"lease":1}}
    {"done":true}
    "#);
    insta::assert_snapshot!(served.asked().await.join("\n"), @r#"
    POST /create {"props":{"key":"k"}}
    POST /read {"id":"k","props":null}
    POST /update {"id":"k","nextProps":{"key":"k"},"currentProps":{"key":"k"},"currentState":{"made":true}}
    POST /delete {"id":"k","props":{},"state":null}
    POST /read {"props":{"query":"q"}}
    POST /open {"props":{}}
    POST /invoke {"props":{}}
    "#);
    served.bench.pool.shutdown().await;
}

#[tokio::test]
async fn one_process_serves_all_calls_and_knows_that_it_serves() {
    let served = Served::new();
    let first = served.call("pid", json!({})).await.unwrap();
    assert_eq!((first["main"].clone(), served.call("pid", json!({})).await.unwrap()), (json!(true), first.clone()));
    // The start as a program that showed what it is left nothing behind.
    assert_eq!(served.bench.pool.process_count(), 1);
    let told = ScriptSpec { transport: Transport::Http, ..served.spec.clone() };
    let other = served.bench.pool.call(&told, "pid", &json!({}), &CallOptions::default()).await.unwrap();
    assert_ne!(other, first);
    served.bench.pool.shutdown().await;
    let id = first["pid"].as_i64().unwrap();
    assert!(!std::path::Path::new(&format!("/proc/{id}")).exists());
}

#[tokio::test]
async fn a_script_that_asks_is_told_the_configuration_before_anything_else() {
    let mut secrets = Secrets::default();
    secrets.add_text("canary-token");
    let params = json!({ "config": null, "sensitiveConfig": { "token": "canary-token" } });
    let configuration = Arc::new(Configuration { params, secrets });
    let script = |status: u16| {
        format!(
            "const told: any[] = [];
            export default {{ async fetch(request: Request) {{
              const path = new URL(request.url).pathname;
              if (path === \"/health\") return Response.json({{ configure: true }});
              told.push(path, await request.json());
              if (path === \"/configure\" && {status} !== 204) {{
                return Response.json({{ error: \"not with \" + told[1].sensitiveConfig.token }}, {{ status: {status} }});
              }}
              return path === \"/configure\" ? new Response(null, {{ status: 204 }}) : Response.json(told);
            }} }};"
        )
    };
    let mut served = Served::new();
    served.bench.pool = Pool::new(PoolOptions {
        log: served.bench.log.clone(),
        watcher: Watcher::new(WatcherProgram::None),
        configuration,
        ..PoolOptions::default()
    });
    served.spec = served.bench.raw_script(&script(204));
    let told = json!(["/configure", { "config": null, "sensitiveConfig": { "token": "canary-token" } }]);
    for further in [json!(["/look", {}]), json!(["/look", {}, "/look", {}])] {
        let expected: Vec<Value> =
            told.as_array().unwrap().iter().chain(further.as_array().unwrap()).cloned().collect();
        assert_eq!(served.call("look", json!({})).await.unwrap(), Value::from(expected));
    }
    served.spec = served.bench.raw_script(&script(500));
    let error = served.call("look", json!({})).await.unwrap_err().to_string();
    insta::assert_snapshot!(error, @r#"
    Script script.ts did not take the provider's configuration: "configure" failed: not with (sensitive) (code 500)

    The provider's `config` and `sensitive_config` are what scripts are configured with.
    "#);
    served.bench.pool.shutdown().await;
}

#[tokio::test]
async fn a_package_json_is_in_force_beside_a_deno_json() {
    let mut served = Served::new();
    let (beside, elsewhere) = (served.bench.folder.path().to_owned(), tempfile::tempdir().unwrap());
    let package = beside.join("node_modules/greet");
    std::fs::create_dir_all(&package).unwrap();
    std::fs::write(
        package.join("package.json"),
        r#"{ "name": "greet", "version": "1.0.0", "exports": "./index.mjs" }"#,
    )
    .unwrap();
    std::fs::write(package.join("index.mjs"), "export const greeting = \"hello\";").unwrap();
    std::fs::write(beside.join("package.json"), r#"{ "dependencies": { "greet": "1.0.0" } }"#).unwrap();
    std::fs::write(beside.join("deno.json"), "{}").unwrap();
    let script = "import { greeting } from \"greet\";
        export default { fetch: () => Response.json({ greeting }) };";
    served.spec = ScriptSpec {
        script: beside.join("script.ts").to_string_lossy().into_owned(),
        working_directory: Some(elsewhere.path().to_owned()),
        transport: Transport::Http,
        ..served.bench.raw_script(script)
    };
    assert_eq!(served.call("greet", json!({})).await.unwrap(), json!({ "greeting": "hello" }));
    served.bench.pool.shutdown().await;
}

#[tokio::test]
async fn the_configuration_beside_the_script_counts_and_not_that_of_the_working_directory() {
    let mut served = Served::new();
    let (beside, elsewhere) = (served.bench.folder.path().to_owned(), tempfile::tempdir().unwrap());
    for (folder, greeting) in [(&*beside, "hello"), (elsewhere.path(), "wrong")] {
        std::fs::write(folder.join("deno.json"), r#"{ "imports": { "greeting": "./greeting.ts" } }"#).unwrap();
        std::fs::write(folder.join("greeting.ts"), format!("export const greeting = {greeting:?};")).unwrap();
    }
    let script = "import { greeting } from \"greeting\";
        export default { fetch: () => Response.json({ greeting }) };";
    served.spec = ScriptSpec {
        script: beside.join("script.ts").to_string_lossy().into_owned(),
        working_directory: Some(elsewhere.path().to_owned()),
        ..served.bench.raw_script(script)
    };
    assert_eq!(served.call("greet", json!({})).await.unwrap(), json!({ "greeting": "hello" }));
    served.spec.config_file = Some("deno.json".into());
    assert_eq!(served.call("greet", json!({})).await.unwrap(), json!({ "greeting": "wrong" }), "it was asked for");
    served.bench.pool.shutdown().await;
}

#[tokio::test]
async fn told_that_it_speaks_json_rpc_such_a_script_fails() {
    let mut served = Served::new();
    served.spec.transport = Transport::JsonRpc;
    let error = served.call("create", json!({})).await.unwrap_err();
    insta::assert_snapshot!(error.to_string(), @r#"
    Script script.ts did not start: It ended with exit code 0 before it answered the first message, "health".

    Its standard error ends with:
      warning: Detected export default { fetch }, did you mean to run "deno serve"?

    The script is written for `deno serve`: set `transport` to "auto" or "http" where the script is used, or in the provider configuration.
    "#);
}

#[tokio::test]
async fn statuses_are_heeded() {
    let served = Served::new();
    let mut messages = Vec::new();
    for (path, method, answer) in [
        ("/create", "create", json!([500, { "error": "broken" }])),
        ("/update", "update", json!([422, { "error": "Cannot change the key" }])),
        ("/delete", "delete", json!([400])),
        ("/modify-plan", "modifyPlan", json!([500, { "error": "broken" }])),
        ("/read", "read", json!([404, "gone"])),
    ] {
        served.call("tell", json!({ path: answer })).await.unwrap();
        messages.push(served.call(method, json!({ "id": "k" })).await.unwrap_err().to_string());
    }
    insta::assert_snapshot!(messages.join("\n---\n"), @r#"
    Script script.ts reported an error: "create" failed: broken (code 500)
    ---
    Script script.ts reported an error: "update" failed: Cannot change the key
    This change cannot be made in place: the object has to be replaced. To have that planned, let "/modify-plan" answer `requiresReplacement: true`. (code 422)
    ---
    Script script.ts reported an error: "delete" failed: /delete answered with status 400 (code 400)
    ---
    Script script.ts reported an error: "modifyPlan" failed: broken (code 500)
    ---
    Script script.ts reported an error: "read" failed: gone (code 404)
    "#);
    // What is optional is not there, which is no error to the caller.
    served.call("tell", json!({})).await.unwrap();
    for method in ["modifyPlan", "renew", "close"] {
        assert!(served.call(method, json!({})).await.unwrap_err().is_method_not_found(), "{method}");
    }
    served.bench.pool.shutdown().await;
}

#[tokio::test]
async fn a_process_that_ends_during_a_call_fails_it_and_the_next_gets_another() {
    let served = Served::new();
    let error = served.call("exit", json!({})).await.unwrap_err().to_string();
    assert!(error.contains("ended with exit code 3 during \"exit\""), "{error}");
    served.call("pid", json!({})).await.unwrap();
    let short = CallOptions { time_limit: Some(Duration::from_millis(300)), ..CallOptions::default() };
    let error = served.bench.pool.call(&served.spec, "hang", &json!({}), &short).await.unwrap_err();
    assert!(error.to_string().contains("did not answer in time"), "{error}");
    served.call("pid", json!({})).await.unwrap();
    served.bench.pool.shutdown().await;
}

#[test]
fn parameters_that_the_contract_does_not_have_are_left_out() {
    let body = |method: &str, params: Value| Request::new(method, &params, &[]).body;
    assert_eq!(
        body(
            "modifyPlan",
            json!({ "id": null, "planType": "create", "nextProps": {}, "currentProps": null,
            "currentState": null, "currentSensitiveState": null })
        ),
        json!({ "id": "", "planType": "create", "nextProps": {} })
    );
    assert_eq!(
        body(
            "modifyPlan",
            json!({ "id": "k", "planType": "delete", "nextProps": null, "currentProps": {},
            "currentState": null, "currentSensitiveState": null })
        ),
        json!({ "id": "k", "planType": "delete", "currentProps": {}, "currentState": null })
    );
    let nothing_given = |method: &str, params: Value| Request::new(method, &params, &["props", "nextProps"]).body;
    assert_eq!(nothing_given("create", json!({ "props": {} })), json!({ "props": null }));
    assert_eq!(
        nothing_given("modifyPlan", json!({ "id": "k", "planType": "update", "nextProps": {}, "currentProps": {} })),
        json!({ "id": "k", "planType": "update", "currentProps": {} })
    );
    assert_eq!(body("close", json!({ "privateData": { "lease": 1 } })), json!({ "lease": 1 }));
    assert_eq!(body("renew", json!({})), Value::Null);
    assert_eq!(
        body("create", json!({ "props": {}, "writeOnlyProps": { "a": 1 } })),
        json!({ "props": {}, "writeOnlyProps": { "a": 1 } })
    );
}

#[test]
fn answers_become_those_of_the_other_contract() {
    let result = |method: &str, params: Value, status, body| Request::new(method, &params, &[]).result(status, body);
    let diagnostic = json!({ "severity": "warning", "summary": "s", "detail": "d", "propName": "color" });
    assert_eq!(
        result("modifyPlan", json!({}), 200, json!({ "requiresReplacement": true, "diagnostics": [diagnostic] })),
        json!({ "requiresReplacement": true, "diagnostics": [
            { "severity": "warning", "summary": "s", "detail": "d", "propPath": ["props", "color"] }] })
    );
    assert_eq!(result("modifyPlan", json!({}), 204, Value::Null), Value::Null);
    let current = json!({ "currentState": { "a": 1 }, "currentSensitiveState": { "b": 2 } });
    assert_eq!(
        result("update", current.clone(), 204, Value::Null),
        json!({ "state": { "a": 1 }, "sensitiveState": { "b": 2 } })
    );
    assert_eq!(result("update", current, 200, json!({ "state": { "a": 2 } })), json!({ "state": { "a": 2 } }));
    assert_eq!(result("renew", json!({}), 200, json!({ "private": 1 })), json!({ "privateData": 1 }));
}

fn remote_spec(server: &Server, token: Option<&str>) -> ScriptSpec {
    let remote = Remote::new(&format!("{}/scripts", server.address), token).unwrap();
    ScriptSpec {
        remote: Some(Arc::new(remote)),
        ..ScriptSpec::new(deno(), format!("{}/scripts/quote.ts", server.address))
    }
}

#[tokio::test]
async fn a_script_on_another_machine() {
    let server = Server::start(|asked| match (asked.path.as_str(), asked.authorization.as_deref()) {
        (_, Some("Bearer hunter2-token")) if asked.path.ends_with("/health") => Reply::Text(204, String::new()),
        ("/scripts/quote.ts/create", Some("Bearer hunter2-token")) => {
            Reply::Text(200, r#"{"id":"q","state":null}"#.into())
        }
        ("/scripts/quote.ts/delete", _) => Reply::Text(500, r#"{"error":"not with hunter2-token"}"#.into()),
        _ => Reply::Text(401, String::new()),
    })
    .await;
    let bench = Bench::new(Limits::default());
    let spec = remote_spec(&server, Some("hunter2-token"));
    let call = |spec, method| {
        let pool = &bench.pool;
        async move { pool.call(spec, method, &json!({ "props": {} }), &CallOptions::default()).await }
    };
    for _ in 0..2 {
        assert_eq!(call(&spec, "create").await.unwrap(), json!({ "id": "q", "state": null }));
    }
    assert_eq!(server.paths(), ["/scripts/quote.ts/health", "/scripts/quote.ts/create", "/scripts/quote.ts/create"]);
    let error = call(&spec, "delete").await.unwrap_err().to_string();
    assert!(error.contains("not with (sensitive)") && !error.contains("hunter2"), "{error}");
    assert_eq!(bench.pool.process_count(), 0);
    let uninvited = remote_spec(&server, None);
    let error =
        Bench::new(Limits::default()).pool.call(&uninvited, "create", &json!({}), &CallOptions::default()).await;
    insta::assert_snapshot!(error.unwrap_err().to_string().replace(&server.address, "SERVER"), @r#"
    Script SERVER/scripts/quote.ts refuses our token: Its address answered with status 401.

    Set `remote.token` in the provider configuration.
    "#);
    assert!(!format!("{spec:?}").contains("hunter2"));
    assert!(bench.log.at(LogLevel::Debug).iter().all(|line| !line.contains("hunter2")));
}

#[tokio::test]
async fn nobody_there_and_broken_answers() {
    let server = Server::start(|asked| match asked.path.as_str() {
        path if path.ends_with("/health") => Reply::Text(200, "fine".into()),
        path if path.ends_with("/create") => Reply::Text(200, r#"{"id":"made","state":{"#.into()),
        _ => Reply::Cut(b"{".to_vec()),
    })
    .await;
    let bench = Bench::new(Limits::default());
    let spec = remote_spec(&server, None);
    let error = bench.pool.call(&spec, "create", &json!({ "props": {} }), &CallOptions::default()).await.unwrap_err();
    assert_eq!(error.kind.object(), Some("made"), "{error}");
    assert!(error.to_string().contains("gave an answer that is not JSON"), "{error}");
    let error = bench.pool.call(&spec, "update", &json!({}), &CallOptions::default()).await.unwrap_err();
    assert!(error.to_string().contains("cannot be reached"), "{error}");
    drop(server);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let error = Bench::new(Limits::default()).pool.call(&spec, "create", &json!({}), &CallOptions::default()).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("cannot be reached") && error.contains("remote.url"), "{error}");
}

#[test]
fn only_what_is_below_the_address_is_remote() {
    let remote = Remote::new("https://host/scripts", None).unwrap();
    let is_remote = |script: &str| remote.endpoint(script).is_some();
    assert!(is_remote("https://host/scripts/a.ts") && is_remote("https://host:443/scripts/a/b?c=1"));
    for other in [
        "https://host/scripts-of-others/a.ts",
        "https://host/scripts/../a.ts",
        "http://host/scripts/a.ts",
        "https://host:444/scripts/a.ts",
        "https://other/scripts/a.ts",
        "scripts/a.ts",
        "https://host@other/scripts/a.ts",
    ] {
        assert!(!is_remote(other), "{other}");
    }
    assert_eq!(Remote::new("http://host/", None).unwrap_err(), RemoteError::NotPrivate);
    assert!(matches!(Remote::new("host", None), Err(RemoteError::Malformed(_))));
}
