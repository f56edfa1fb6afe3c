//! One integration as a real process: its life, and what becomes of its faults. Tests are named after the items of
//! `docs/integrations/CHECKLIST.md`.
// clippy does not see that helpers are part of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(unix)]

mod support;

use std::sync::Arc;
use std::time::Duration;

use denobridge_core::call::LogLevel;
use denobridge_integrations::Hook;
use denobridge_integrations::configuration::{FailMode, Program};
use denobridge_integrations::process::{Failure, Limits};
use denobridge_integrations::protocol::{Action, Filter, ShutdownReason, Status};
use serde_json::{Value as Json, json};

use support::{FAKE, Fake, eventually, lives};

fn params() -> Arc<str> {
    r#"{"resource":{"type":"time_static"}}"#.into()
}

async fn plan(client: &denobridge_integrations::process::Client) -> Result<Status, Failure> {
    client.call(Hook::PrePlan, &params()).await.map(|result| result.status)
}

#[tokio::test]
async fn m07_m08_one_process_is_initialized_before_anything_else() {
    let fake = Fake::new(json!({"initialize": {"delay": 100}}));
    let client = fake.client();
    let calls = (0..20).map(|_| plan(&client));
    let results = futures::future::join_all(calls).await;
    assert!(results.iter().all(|result| *result == Ok(Status::Pass)), "{results:?}");
    let methods = fake.methods();
    assert_eq!(methods[..2], ["started", "initialize"]);
    assert_eq!(methods[2..], ["pre_plan_resource"; 20]);
    let received = fake.received();
    insta::assert_snapshot!(serde_json::to_string_pretty(&received[1]).unwrap());
    let ids: Vec<u64> = received[1..].iter().map(|line| line["id"].as_u64().unwrap()).collect();
    assert!(ids.is_sorted_by(|left, right| left < right), "{ids:?}");
}

#[tokio::test]
async fn m09_it_is_asked_at_hooks_that_are_configured_subscribed_and_available() {
    let subscribed = json!(["pre-plan", "post_plan_resource", "pre-invoke-action", "pre-destroy"]);
    let result = json!({"name": "x", "version": "1", "subscribed_hooks": subscribed, "future": true});
    let mut fake = Fake::new(json!({"initialize": {"result": result}}));
    fake.integration.hooks = Some([Hook::PrePlan, Hook::PreApply, Hook::PreInvokeAction].into());
    let client = fake.client();
    for hook in Hook::ALL {
        assert_eq!(client.wants(*hook, None, None).await, Ok(*hook == Hook::PrePlan), "{hook}");
    }
    assert_eq!(
        client.take_remarks(),
        ["the integration subscribes to hooks that this program does not know: `pre-destroy`. It is not asked there"]
    );
    assert_eq!(client.take_remarks(), Vec::<String>::new());
    let without = Fake::new(json!({"initialize": {"result": result}}));
    assert_eq!(without.client().wants(Hook::PostPlan, None, None).await, Ok(true), "all that it subscribed to");
}

#[tokio::test]
async fn its_filter_is_heeded() {
    let filter = Filter { types: Some(vec!["a".into()]), actions: Some(vec![Action::Delete]) };
    let result = json!({"name": "x", "version": "1", "subscribed_hooks": ["pre-apply"], "filter": filter});
    let fake = Fake::new(json!({"initialize": {"result": result}}));
    let client = fake.client();
    assert_eq!(client.wants(Hook::PreApply, Some("a"), Some(Action::Delete)).await, Ok(true));
    assert_eq!(client.wants(Hook::PreApply, Some("b"), Some(Action::Delete)).await, Ok(false));
    assert_eq!(client.wants(Hook::PreApply, Some("a"), Some(Action::Create)).await, Ok(false));
}

#[tokio::test]
async fn m10_what_does_not_start_is_told_once_and_not_asked_any_more() {
    let version = json!({"name": "x", "version": "1", "subscribed_hooks": [], "protocol_version": 2});
    let mut absent = Fake::new(json!({}));
    absent.integration.program = Program::Command(vec!["/nonexistent/program".into()]);
    let mut silent = Fake::new(json!({"initialize": {"silent": true, "stderr": "loading"}})).timeout(1500);
    silent.limits.start = Duration::from_millis(100);
    let mut told = Vec::new();
    for fake in [
        Fake::new(json!({"initialize": {"result": version}})),
        absent,
        silent,
        Fake::new(json!({"initialize": {"stderr": "no licence\nin /etc", "die": 3}})),
        Fake::new(json!({"initialize": {"error": {"code": -32000, "message": "no licence"}}})),
        Fake::new(json!({"initialize": {"line": "Policy daemon 1.2 ready"}})),
    ] {
        let client = fake.client();
        let failure = client.wants(Hook::PrePlan, None, None).await.unwrap_err();
        told.push(failure.to_string());
        let because = Arc::new(failure);
        assert_eq!(plan(&client).await, Err(Failure::Disabled { because: Arc::clone(&because) }));
        assert_eq!(client.wants(Hook::PreApply, None, None).await, Err(Failure::Disabled { because }));
        for process in fake.processes() {
            eventually("the process is gone", || !lives(process)).await;
        }
        assert!(fake.processes().len() <= 1, "it is not started again");
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[tokio::test]
async fn m10_of_those_who_wait_for_a_start_one_is_told_why_it_failed() {
    let fake = Fake::new(json!({"initialize": {"delay": 50, "error": {"code": 1, "message": "no"}}}));
    let client = fake.client();
    let results = futures::future::join_all((0..5).map(|_| client.wants(Hook::PrePlan, None, None))).await;
    let disabled = results.iter().filter(|result| matches!(result, Err(Failure::Disabled { .. }))).count();
    assert_eq!(disabled, 4, "{results:?}");
}

#[tokio::test]
async fn m11_it_is_started_when_it_is_needed() {
    let mut fake = Fake::new(json!({}));
    fake.integration.hooks = Some([Hook::PreApply].into());
    let client = fake.client();
    assert_eq!(client.wants(Hook::PrePlan, None, None).await, Ok(false));
    assert!(!client.is_started());
    client.shutdown(ShutdownReason::Complete).await;
    assert_eq!(fake.methods(), Vec::<String>::new());
    let client = fake.client();
    assert_eq!(client.wants(Hook::PreApply, None, None).await, Ok(true));
    assert!(client.is_started());
}

#[tokio::test]
async fn m12_it_is_told_that_it_is_over_and_ends_with_what_it_has_started() {
    let fake = Fake::new(json!({"initialize": {"fork": true}}));
    let client = fake.client();
    plan(&client).await.unwrap();
    client.shutdown(ShutdownReason::Interrupted).await;
    assert_eq!(fake.received().last().unwrap()["params"], json!({"reason": "interrupted"}));
    // It holds the streams open.
    eventually("what it has started is gone, too", || !lives(fake.processes()[0])).await;
    assert!(fake.log.has("has ended (exit status: 0)"), "{:?}", fake.log.lines());
    assert_eq!(plan(&client).await, Err(Failure::ShutDown));
    client.shutdown(ShutdownReason::Complete).await;
    assert_eq!(fake.methods(), ["started", "initialize", "pre_plan_resource", "shutdown"]);
}

#[tokio::test]
async fn m12_one_that_refuses_to_end_is_asked_and_then_killed() {
    let limits = Limits::default();
    assert!(limits.grace + limits.termination < Duration::from_secs(3), "a stubborn child is gone within 3 s");
    let limits = Limits { grace: Duration::from_millis(200), termination: Duration::from_millis(100), ..limits };
    for (trap, how) in [("", "SIGTERM"), ("trap '' TERM; ", "SIGKILL")] {
        let mut fake = Fake::new(json!({"shutdown": {"stay": true}}));
        let Program::Command(words) = &mut fake.integration.program else { panic!() };
        let behaviour = words[1].clone();
        *words = ["sh", "-c", &format!("{trap}exec \"$0\" \"$1\""), FAKE, &behaviour].map(str::to_owned).into();
        fake.limits = limits.clone();
        let client = fake.client();
        plan(&client).await.unwrap();
        client.shutdown(ShutdownReason::Complete).await;
        assert!(!lives(fake.processes()[0]));
        let expected = if how == "SIGTERM" { "(signal: 15 (SIGTERM))" } else { "did not end when it was asked to" };
        assert!(fake.log.has(expected), "{:?}", fake.log.lines());
    }
}

#[tokio::test]
async fn m13_it_ends_when_nobody_needs_it() {
    let fake = Fake::new(json!({"initialize": {"fork": true}, "pre_apply_resource": {"silent": true}}));
    let client = fake.client();
    plan(&client).await.unwrap();
    drop(client);
    eventually("the group is gone", || !lives(fake.processes()[0])).await;

    let fake = Fake::new(json!({"initialize": {"silent": true}}));
    let client = fake.client();
    let starting = tokio::spawn({
        let client = Arc::clone(&client);
        async move { client.wants(Hook::PrePlan, None, None).await }
    });
    eventually("it is starting", || fake.methods().len() == 2).await;
    client.shutdown(ShutdownReason::Interrupted).await;
    assert_eq!(starting.await.unwrap(), Err(Failure::ShutDown));
    eventually("the group is gone", || !lives(fake.processes()[0])).await;
}

#[tokio::test]
async fn m31_a_late_answer_is_discarded_and_the_next_call_gets_its_own() {
    let late = json!({"delay": 1500, "result": {"status": "fail"}});
    let fake = Fake::new(json!({"pre_plan_resource": [late, {"result": {"status": "warn"}}]})).timeout(1000);
    let client = fake.client();
    let failure = plan(&client).await.unwrap_err();
    assert_eq!(
        failure.to_string(),
        "the integration did not answer `pre_plan_resource` within 1 s. Its `timeout` says how long it may take"
    );
    assert_eq!(plan(&client).await, Ok(Status::Warn));
    eventually("it answers late", || fake.log.has("answered call 2 when nobody waited for it any more")).await;
    assert_eq!(plan(&client).await, Ok(Status::Warn));
    let cancel = fake.received().into_iter().find(|line| line["method"] == "cancel").unwrap();
    assert_eq!(cancel, json!({"jsonrpc": "2.0", "method": "cancel", "params": {"id": 2}}));
}

/// A line that is no message before the answer to `initialize` is told as what it is, whether it comes before the call was
/// written or behind it, and whatever comes after it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m33_what_is_written_before_the_first_answer_is_told_as_what_it_is() {
    let answers = format!("echo ready; read a; echo '{READY}'; exec cat > /dev/null");
    for script in
        ["echo ready; exec cat > /dev/null", "read a; echo ready; exec cat > /dev/null", "echo ready", &answers]
    {
        for round in 0..10 {
            let mut fake = Fake::new(json!({})).timeout(300);
            fake.limits.start = Duration::from_secs(5);
            fake.integration.program = Program::Command(["sh", "-c", script].map(str::to_owned).into());
            let failure = fake.client().start().await.unwrap_err().to_string();
            assert!(failure.ends_with("what belongs to standard error: ready"), "{script} ({round}): {failure}");
        }
    }
}

#[tokio::test]
async fn m31_a_soft_integration_that_is_always_late_is_not_asked_any_more() {
    let silent = json!({"pre_plan_resource": {"silent": true}});
    let mut fake = Fake::new(silent.clone()).timeout(100);
    fake.integration.give_up_after = 2;
    let client = fake.client();
    let late = Failure::Timeout { method: "pre_plan_resource", limit: Duration::from_millis(100) };
    client.start().await.unwrap();
    for expected in [&late, &late] {
        assert_eq!(plan(&client).await.as_ref(), Err(expected));
    }
    let told = plan(&client).await.unwrap_err();
    assert!(told.is_lasting());
    assert_eq!(
        told.to_string(),
        "the integration is not asked any more in this run: the integration did not answer 2 calls in a row within 0.1 s \
         each. Its `timeout` says how long it may take, its `give_up_after` how often it may take longer"
    );
    assert_eq!(client.call(Hook::PreApply, &params()).await.unwrap_err(), told, "at no hook");
    let asked = fake.methods().iter().filter(|method| *method == "pre_plan_resource").count();
    assert_eq!((asked, fake.processes().len()), (2, 1));
    assert!(lives(fake.processes()[0]));
    client.shutdown(ShutdownReason::Complete).await;
    assert_eq!(fake.methods().last().unwrap(), "shutdown", "it is told that it is over, as any other");
    assert!(!lives(fake.processes()[0]));

    // Whoever answers in between goes on, and so do hard ones and those of whom the file says so.
    let now_and_then = json!({"pre_plan_resource": [{"silent": true}, {}, {"silent": true}, {}]});
    let mut patient = Fake::new(silent.clone()).timeout(100);
    patient.integration.give_up_after = 0;
    let mut hard = Fake::new(silent).timeout(100);
    hard.integration.fail_mode = FailMode::Hard;
    let mut sometimes = Fake::new(now_and_then).timeout(300);
    sometimes.integration.give_up_after = 2;
    for fake in [patient, hard, sometimes] {
        let client = fake.client();
        client.start().await.unwrap();
        for _ in 0..4 {
            let answered = plan(&client).await;
            assert!(matches!(answered, Ok(_) | Err(Failure::Timeout { .. })), "{answered:?}");
        }
    }
}

#[tokio::test]
async fn m31_a_call_that_its_caller_gives_up_is_cancelled() {
    let fake = Fake::new(json!({"pre_plan_resource": {"silent": true}}));
    let client = fake.client();
    let call = tokio::time::timeout(Duration::from_millis(300), plan(&client)).await;
    assert!(call.is_err());
    eventually("it is told", || fake.methods().contains(&"cancel".to_owned())).await;
}

#[tokio::test]
async fn m31_one_that_does_not_read_holds_up_nobody_beyond_the_limit() {
    let mut fake = Fake::new(json!({"pre_plan_resource": {"stop_reading": true}})).timeout(200);
    fake.integration.give_up_after = 0;
    let client = fake.client();
    let large: Arc<str> = format!("{{\"x\":\"{}\"}}", "x".repeat(1 << 20)).into();
    let calls = (0..40).map(|_| client.call(Hook::PrePlan, &large));
    let results = futures::future::join_all(calls).await;
    assert!(results.iter().all(|result| matches!(result, Err(Failure::Timeout { .. }))), "{results:?}");
    assert!(Arc::strong_count(&large) <= 2, "nothing waits to be written but what has been begun");
    client.shutdown(ShutdownReason::Complete).await;
    assert!(!lives(fake.processes()[0]));
}

#[tokio::test]
async fn m32_one_that_dies_on_its_first_call_is_started_again() {
    let fake = Fake::new(json!({"pre_plan_resource": [{"die": 1}, {}]}));
    let client = fake.client();
    assert_eq!(plan(&client).await, Ok(Status::Pass));
    let life = ["started", "initialize", "pre_plan_resource"];
    assert_eq!(fake.methods(), [life, life].concat());
}

#[tokio::test]
async fn m32_one_that_always_dies_is_given_up_after_two_restarts() {
    let fake = Fake::new(json!({"pre_plan_resource": {"stderr": "panic: \u{1b}[1mno rules\u{1b}[0m", "die": 70}}));
    let client = fake.client();
    let failure = plan(&client).await.unwrap_err();
    let next = plan(&client).await.unwrap_err();
    assert_eq!(fake.processes().len(), 3);
    let last = plan(&client).await.unwrap_err();
    assert!(matches!(last, Failure::Disabled { .. }));
    insta::assert_snapshot!(format!("{failure}\n{next}\n{last}"));
}

#[tokio::test]
async fn m32_one_that_ends_between_calls_is_started_again() {
    let fake = Fake::new(json!({"pre_plan_resource": {"line": "{\"id\":$id,\"result\":{\"status\":\"pass\"}}"}}));
    let client = fake.client();
    assert_eq!(plan(&client).await, Ok(Status::Pass));
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(fake.processes()[0]), nix::sys::signal::SIGKILL).unwrap();
    eventually("its end is noticed", || fake.log.has("SIGKILL")).await;
    assert_eq!(plan(&client).await, Ok(Status::Pass));
    assert_eq!(fake.processes().len(), 2);
}

#[tokio::test]
async fn m32_a_restart_takes_no_longer_than_the_call_may() {
    let fake = Fake::new(json!({"initialize": [{}, {"silent": true}], "pre_plan_resource": {"die": 1}})).timeout(2000);
    let failure = plan(&fake.client()).await.unwrap_err();
    assert!(matches!(failure, Failure::Crashed { restarts: 1, .. }), "{failure:?}");
}

#[tokio::test]
async fn m33_what_is_no_answer_fails_the_call_and_nothing_else() {
    let mut told = Vec::new();
    for step in [
        json!({"line": "[{\"id\":$id,\"result\":{\"status\":\"pass\"}}]"}),
        json!({"line": "{\"id\":$id,"}),
        json!({"line": "checking…"}),
        json!({"id": 4711}),
        json!({"id": "x"}),
        json!({"result": {"status": "maybe"}}),
        json!({"result": {"status": "pass", "action": "explode"}}),
        json!({"result": "pass"}),
        json!({"result": null}),
        json!({"error": {"code": -32000, "message": "rules\nare broken"}}),
    ] {
        let fake = Fake::new(json!({"pre_plan_resource": [step, {}]}));
        let client = fake.client();
        told.push(plan(&client).await.unwrap_err().to_string());
        assert_eq!(plan(&client).await, Ok(Status::Pass), "the same process goes on");
        assert_eq!(fake.processes().len(), 1);
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[tokio::test]
async fn m33_one_that_writes_an_oversize_line_is_started_again() {
    let mut fake = Fake::new(json!({"pre_plan_resource": [{"oversize": 300_000}, {}]}));
    fake.limits.line = 100_000;
    let client = fake.client();
    let failure = plan(&client).await.unwrap_err();
    assert!(failure.to_string().contains("a line of more than 100000 bytes, which begins with xxx"), "{failure}");
    assert_eq!(plan(&client).await, Ok(Status::Pass));
    assert_eq!(fake.processes().len(), 2);
    let long: Arc<str> = "x".repeat(100_000).into();
    let failure = client.call(Hook::PrePlan, &long).await.unwrap_err();
    assert_eq!(
        failure.to_string(),
        "`pre_plan_resource` was not sent: it takes 100083 bytes, and a line may have 100000"
    );
}

#[tokio::test]
async fn m33_one_that_floods_standard_output_is_ended() {
    let flood = json!({"stream": "stdout", "line": "noise", "times": 1_000_000});
    let fake = Fake::new(json!({"pre_plan_resource": [{"flood": flood}, {}]}));
    let client = fake.client();
    assert!(matches!(plan(&client).await, Err(Failure::Protocol { .. })));
    eventually("it is ended", || fake.log.has("was ended since it wrote too many lines that are no messages")).await;
    assert_eq!(plan(&client).await, Ok(Status::Pass));
    assert_eq!(fake.processes().len(), 2);
}

#[tokio::test]
async fn a_flood_of_its_log_is_cut() {
    for (stream, line) in [
        ("stderr", "noise".to_owned()),
        ("stdout", json!({"method": "log", "params": {"level": "info", "message": "noise"}}).to_string()),
    ] {
        let flood = json!({"stream": stream, "line": line, "times": 50_000});
        let mut fake = Fake::new(json!({"pre_plan_resource": {"flood": flood}}));
        (fake.limits.log_burst, fake.limits.log_rate) = (20, 1);
        let client = fake.client();
        assert_eq!(plan(&client).await, Ok(Status::Pass), "its answer comes all the same");
        client.shutdown(ShutdownReason::Complete).await;
        let lines = fake.log.lines();
        assert!(lines.len() < 100, "{stream}: {} lines", lines.len());
        assert!(lines.contains(&"integration.fake: noise".to_owned()), "{stream}: {lines:?}");
    }
}

#[tokio::test]
async fn what_it_logs_goes_to_the_log_as_single_lines() {
    let step = json!({"stderr": "one\u{1b}[1m\ntwo", "log": {"level": "WARN", "message": "three\nfour"}});
    let fake = Fake::new(json!({"pre_plan_resource": step}));
    let client = fake.client();
    plan(&client).await.unwrap();
    client.shutdown(ShutdownReason::Complete).await;
    assert!(
        fake.log
            .at(LogLevel::Debug)
            .starts_with(&["integration.fake: one", "integration.fake: two"].map(str::to_owned))
    );
    assert_eq!(fake.log.at(LogLevel::Warn), ["integration.fake: three four"]);
}

#[tokio::test]
async fn m34_a_hook_that_it_does_not_know_after_all_is_dropped() {
    let unknown = json!({"error": {"code": -32601, "message": "what?"}});
    let fake = Fake::new(json!({"pre_plan_resource": unknown}));
    let client = fake.client();
    assert_eq!(client.wants(Hook::PrePlan, None, None).await, Ok(true));
    assert_eq!(futures::future::join(plan(&client), plan(&client)).await, (Ok(Status::Pass), Ok(Status::Pass)));
    assert_eq!(client.wants(Hook::PrePlan, None, None).await, Ok(false));
    assert_eq!(client.wants(Hook::PreApply, None, None).await, Ok(true));
    assert_eq!(
        client.take_remarks(),
        [
            "the integration subscribed to `pre-plan` and does not know `pre_plan_resource`. It is not asked there any more"
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m35_two_thousand_calls_at_once_have_sixteen_places() {
    let mut fake = Fake::new(json!({"*": {"delay": 1}}));
    // Counting the times takes the fake longer, the more there have been.
    let Program::Command(words) = &mut fake.integration.program else { panic!() };
    words[1] = json!({"on": {"post_plan_resource": {"delay": 1}}}).to_string();
    let client = fake.client();
    let params = params();
    let results = futures::future::join_all((0..2000).map(|_| client.call(Hook::PostPlan, &params))).await;
    let most = |result: Result<denobridge_integrations::protocol::HookResult, Failure>| {
        result.unwrap().metadata.unwrap()["in_flight"].as_u64().unwrap()
    };
    let most = results.into_iter().map(most).max().unwrap();
    assert!((2..=16).contains(&most), "{most}");
    client.shutdown(ShutdownReason::Complete).await;
}

#[tokio::test]
async fn m30_answers_may_come_in_any_order() {
    let slow = json!({"delay": 1000, "result": {"status": "fail"}});
    let fake = Fake::new(json!({"pre_plan_resource": slow, "pre_apply_resource": {"result": {"status": "warn"}}}));
    let client = fake.client();
    client.wants(Hook::PrePlan, None, None).await.unwrap();
    let order = std::sync::Mutex::new(Vec::new());
    let one = |hook| {
        let (client, order) = (&client, &order);
        async move {
            let status = client.call(hook, &params()).await.unwrap().status;
            order.lock().unwrap().push(status);
        }
    };
    futures::future::join(one(Hook::PrePlan), one(Hook::PreApply)).await;
    assert_eq!(*order.lock().unwrap(), [Status::Warn, Status::Fail]);
}

fn noise(seed: &mut u64) -> Vec<u8> {
    let mut next = || {
        // The generator of Marsaglia, which needs no library.
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        *seed
    };
    let pieces: [&[u8]; 16] = [
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"id\":",
        b"\"result\":",
        b"\"error\":",
        b"\"status\":\"pass\"",
        b"\"method\":\"log\"",
        b",",
        b"1",
        b"null",
        b"\xff\xfe",
        b"\x00\x1b[",
        b"\"",
        b"\\u0000",
    ];
    (0..next() % 30).flat_map(|_| pieces[usize::try_from(next() % 16).unwrap()].to_vec()).collect()
}

#[tokio::test]
async fn m33_random_lines_neither_stop_nor_break_anything() {
    let folder = tempfile::tempdir().unwrap();
    let mut seed = 88_172_645_463_325_252;
    for round in 0..10 {
        let mut text: Vec<u8> = (0..60).flat_map(|_| [noise(&mut seed), b"\n".to_vec()].concat()).collect();
        text.retain(|byte| *byte != 0 || round % 2 == 0);
        let file = folder.path().join(format!("{round}"));
        std::fs::write(&file, text).unwrap();
        let mut fake = Fake::new(json!({})).timeout(300);
        let script = format!("read a; echo '{READY}'; read b; cat {}; exec cat > /dev/null", file.display());
        fake.integration.program = Program::Command(vec!["sh".into(), "-c".into(), script]);
        fake.limits.grace = Duration::from_millis(100);
        let client = fake.client();
        for _ in 0..3 {
            // Whatever comes of it, it comes.
            let _ = plan(&client).await;
        }
        client.shutdown(ShutdownReason::Complete).await;
    }
}

/// An answer to `initialize`.
const READY: &str = r#"{"id":1,"result":{"name":"x","version":"1","subscribed_hooks":["pre-plan"]}}"#;

#[tokio::test]
async fn unknown_members_are_ignored() {
    let result = json!({"status": "warn", "message": "a", "messages": ["b"], "metadata": {"k": [1]}, "later": {}});
    let fake = Fake::new(json!({"pre_plan_resource": {"result": result}}));
    let result = fake.client().call(Hook::PrePlan, &params()).await.unwrap();
    assert_eq!(denobridge_integrations::process::lines(&result), ["a", "b"]);
    assert_eq!(result.metadata.map(Json::Object), Some(json!({"k": [1]})));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m36_calls_one_after_the_other_are_cheap() {
    let mut fake = Fake::new(json!({}));
    let Program::Command(words) = &mut fake.integration.program else { panic!() };
    words.truncate(1);
    let client = fake.client();
    let params: Arc<str> = format!("{{\"x\":\"{}\"}}", "x".repeat(2000)).into();
    let mut times = Vec::new();
    for _ in 0..1000 {
        let began = std::time::Instant::now();
        client.call(Hook::PrePlan, &params).await.unwrap();
        times.push(began.elapsed());
    }
    times.sort_unstable();
    // How long is shown by `cargo xtask bench integrations`; here only that nothing waits for a clock.
    println!("median {:?}, the slowest of twenty {:?}", times[500], times[950]);
    assert!(times[500] < Duration::from_millis(50), "{:?}", times[500]);
}
