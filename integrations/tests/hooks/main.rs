//! What integrations are asked about a provider, and what becomes of what they say, with real processes.
// clippy does not see that helpers are part of tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(unix)]

mod bed;
#[path = "../support/mod.rs"]
mod support;
mod wrapper;

use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::provider::*;
use denobridge_core::{Call, Diagnostics, DynamicValue, Provider};
use denobridge_integrations::configuration::{FailMode, Program, Values};
use denobridge_integrations::protocol::HostKind;
use denobridge_integrations::run::RunFolder;
use serde_json::{Value as Json, json};

use bed::{Bed, Store, asked, hard, made, new, pulumi_call, pulumi_call_of, told, ty};
use support::Fake;

#[tokio::test]
async fn m15_m16_m17_m18_every_procedure_is_asked_about_before_and_after_with_what_it_does() {
    let fake = Fake::new(json!({}));
    let bed = Bed::new(&[&fake]);
    bed.configure(false).await;
    bed.read(made("a")).await;
    bed.plan(None, Some(new("a"))).await;
    bed.plan(Some(made("a")), Some(made("a"))).await;
    bed.plan(Some(made("a")), Some(made("a").with_attribute("place", Value::string("roof")))).await;
    bed.plan(Some(made("a")), Some(made("b"))).await;
    // The second half of the replacement, which Terraform asks for with the same configuration.
    bed.plan(None, Some(made("b"))).await;
    bed.plan(Some(made("a")), None).await;
    bed.finish().await;
    assert_eq!(
        asked(&fake),
        [
            "init_stage_start",
            "init_stage_complete",
            "plan_stage_start",
            "pre_refresh_resource",
            "post_refresh_resource",
            "pre_plan_resource",
            "post_plan_resource create",
            "pre_plan_resource",
            "post_plan_resource no-op",
            "pre_plan_resource",
            "post_plan_resource update",
            "pre_plan_resource",
            "post_plan_resource replace",
            "pre_plan_resource",
            "post_plan_resource delete",
            "plan_stage_complete",
        ]
    );
    let fake = Fake::new(json!({}));
    let bed = Bed::new(&[&fake]);
    bed.configure(true).await;
    bed.apply(None, Some(new("a"))).await;
    bed.apply(Some(made("a")), Some(made("a"))).await;
    bed.apply(Some(made("a")), None).await;
    bed.finish().await;
    let expected = ["apply_stage_start", "pre_apply_resource create", "post_apply_resource create"];
    assert_eq!(asked(&fake)[2..5], expected);
    let expected = ["update", "delete"]
        .map(|action| [format!("pre_apply_resource {action}"), format!("post_apply_resource {action}")]);
    assert_eq!(asked(&fake)[5..9], expected.concat());
    assert_eq!(asked(&fake)[9..], ["apply_stage_complete"]);
}

#[tokio::test]
async fn m17_drift_is_told_and_a_read_after_an_import_is_none() {
    let fake = Fake::new(json!({}));
    let bed = Bed::new(&[&fake]);
    bed.configure(false).await;
    bed.read(made("a")).await;
    let request =
        ImportResourceStateRequest { type_name: "store_thing".into(), id: "id-7".into(), ..Default::default() };
    let imported = bed.provider.import_resource_state(&Call::new(), request).await.unwrap();
    let found = imported.imported_resources[0].state.decode(&ty()).unwrap();
    bed.read(found).await;
    bed.finish().await;
    let after: Vec<Json> =
        fake.received().into_iter().filter(|line| line["method"] == "post_refresh_resource").collect();
    assert_eq!((&after[0]["params"]["drift"], &after[0]["params"]["import"]), (&json!(["place"]), &json!(false)));
    assert_eq!((&after[1]["params"]["drift"], &after[1]["params"]["import"]), (&json!([]), &json!(true)));
}

#[tokio::test]
async fn m19_a_stage_that_ends_tells_what_was_counted() {
    let fake = Fake::new(json!({}));
    let bed = Bed::new(&[&fake]);
    bed.configure(false).await;
    bed.plan(None, Some(new("a"))).await;
    bed.plan(None, Some(new("b"))).await;
    bed.plan(Some(made("a")), Some(made("b"))).await;
    bed.plan(Some(made("c")), None).await;
    bed.finish().await;
    let end = fake.received().into_iter().find(|line| line["method"] == "plan_stage_complete").unwrap();
    let counts = json!({"create": 2, "update": 0, "replace": 1, "delete": 1, "no_op": 0, "read": 0, "failed": 0});
    assert_eq!(end["params"]["counts"], counts);
    assert_eq!(end["params"]["summary"], "2 to create, 1 to replace, 1 to delete");
    assert_eq!(end["params"]["workspace"], "default");
    assert_eq!(fake.received().last().unwrap()["params"], json!({"reason": "complete"}));
}

#[tokio::test]
async fn m20_m41_what_has_failed_is_told_with_what_the_provider_said_without_secrets() {
    let fake = Fake::new(json!({}));
    let store = Store { broken: true, ..Store::default() };
    let bed = Bed::of(&[&fake], store, Arc::new(tempfile::tempdir().unwrap()));
    bed.configure(true).await;
    bed.apply(None, Some(new("a"))).await;
    bed.finish().await;
    let after = fake.received().into_iter().find(|line| line["method"] == "post_apply_resource").unwrap();
    let expected = json!([{"severity": "error", "summary": "no room", "detail": "for (sensitive)", "attribute": ""}]);
    assert_eq!(after["params"]["diagnostics"], expected);
    let end = fake.received().into_iter().find(|line| line["method"] == "apply_stage_complete").unwrap();
    assert_eq!(end["params"]["summary"], "1 failed");
}

#[tokio::test]
async fn m22_what_integrations_say_changes_no_request_and_no_plan() {
    let says = json!({"result": {"status": "warn", "message": "hm", "planned_state": {"name": "x"}}});
    let fake = Fake::new(json!({"pre_plan_resource": says, "post_plan_resource": says}));
    let (with, without) = (Bed::new(&[&fake]), Bed::new(&[]));
    let mut answer = with.plan(None, Some(new("a"))).await;
    assert_eq!(std::mem::take(&mut answer.diagnostics).len(), 2);
    assert_eq!(answer, without.plan(None, Some(new("a"))).await);
    assert_eq!(*with.store.plans.lock().unwrap(), *without.store.plans.lock().unwrap());
    with.finish().await;
}

#[tokio::test]
async fn m25_what_is_denied_before_it_happens_does_not_happen() {
    let no = json!({"result": {"status": "fail", "message": "no", "messages": ["really\nnot"]}});
    let fake = hard(json!({"pre_apply_resource": no}));
    let bed = Bed::new(&[&fake]);
    bed.configure(true).await;
    let answer = bed.apply(None, Some(new("a"))).await;
    assert_eq!(told(&answer.diagnostics), ["error [fake] store_thing a: no | really not"]);
    assert_eq!(answer.new_state, DynamicValue::Absent);
    assert_eq!(*bed.store.asked.lock().unwrap(), ["configure"]);
    bed.finish().await;
}

#[tokio::test]
async fn m26_what_has_happened_stays_whatever_is_said_of_it() {
    let no = json!({"result": {"status": "fail", "message": "no"}});
    let fake = hard(json!({"post_apply_resource": no, "post_plan_resource": no}));
    let bed = Bed::new(&[&fake]);
    bed.configure(false).await;
    let plan = bed.plan(None, Some(new("a"))).await;
    assert_eq!(told(&plan.diagnostics), ["error [fake] store_thing a: no | "]);
    let applied = bed.apply(None, Some(new("a"))).await;
    assert_eq!(told(&applied.diagnostics), ["warning [fake] store_thing a: no | "]);
    assert_eq!(applied.new_state.decode(&ty()).unwrap().attribute("id").unwrap().as_str(), Some("id-1"));
    bed.finish().await;
}

#[tokio::test]
async fn m27_after_a_halt_nothing_further_begins_in_the_run() {
    let fake =
        hard(json!({"post_apply_resource": {"result": {"status": "pass", "action": "halt", "message": "stop"}}}));
    let other = Fake::new(json!({}));
    let bed = Bed::new(&[&fake]);
    bed.configure(true).await;
    bed.apply(None, Some(new("a"))).await;
    let halted = bed.apply(None, Some(new("b"))).await;
    let expected = "error [fake] store_thing b: not begun, since this integration has halted the run | It said: stop";
    assert_eq!(told(&halted.diagnostics), [expected]);
    // Another provider of the same run, which has not heard of that integration.
    let neighbour = Bed::of(&[&other], Store::default(), Arc::clone(&bed.folder));
    assert_eq!(told(&neighbour.plan(None, Some(new("c"))).await.diagnostics).len(), 1);
    bed.finish().await;
    neighbour.finish().await;
}

#[tokio::test]
async fn m27_a_soft_integration_cannot_halt() {
    let stop = json!({"result": {"status": "fail", "action": "halt", "message": "stop"}});
    let fake = Fake::new(json!({"pre_apply_resource": stop, "post_apply_resource": stop}));
    let bed = Bed::new(&[&fake]);
    bed.configure(true).await;
    let applied = bed.apply(None, Some(new("a"))).await;
    assert_eq!(
        told(&applied.diagnostics),
        ["warning [fake] store_thing a: stop | ", "warning [fake] store_thing a: stop (2) | "]
    );
    assert!(told(&bed.apply(None, Some(new("b"))).await.diagnostics).iter().all(|line| line.starts_with("warning")));
    bed.finish().await;
}

#[tokio::test]
async fn m28_no_two_warnings_have_the_same_summary() {
    let fake = Fake::new(json!({"post_plan_resource": {"result": {"status": "warn", "message": "expensive"}}}));
    let bed = Bed::new(&[&fake]);
    let mut summaries = std::collections::BTreeSet::new();
    for index in 0..10 {
        for name in ["same".to_owned(), format!("n{index}")] {
            summaries.extend(told(&bed.plan(None, Some(new(&name))).await.diagnostics));
        }
    }
    assert_eq!(summaries.len(), 20, "{summaries:#?}");
    bed.finish().await;
}

#[tokio::test]
async fn m04_integrations_are_heard_in_the_order_of_the_file() {
    let says = |name: &str, delay: u64| {
        let result = json!({"status": "warn", "message": name});
        let mut fake = Fake::new(json!({"pre_plan_resource": {"delay": delay, "result": result}}));
        fake.integration.name = name.into();
        fake
    };
    let fakes = [says("slow", 300), says("slower", 150), says("quick", 0)];
    let bed = Bed::new(&fakes.each_ref());
    let answer = bed.plan(None, Some(new("a"))).await;
    let expected = ["slow", "slower", "quick"].map(|name| format!("warning [{name}] store_thing a: {name} | "));
    assert_eq!(told(&answer.diagnostics), expected);
    bed.finish().await;
}

#[tokio::test]
async fn m11_nothing_is_started_for_schemas_and_validation() {
    let fake = Fake::new(json!({}));
    let bed = Bed::new(&[&fake]);
    bed.provider.get_provider_schema(&Call::new(), GetProviderSchemaRequest {}).await.unwrap();
    let request = ValidateResourceConfigRequest { type_name: "store_thing".into(), ..Default::default() };
    bed.provider.validate_resource_config(&Call::new(), request).await.unwrap();
    bed.finish().await;
    assert!(fake.methods().is_empty(), "{:?}", fake.methods());
}

#[tokio::test]
async fn m03_events_of_other_providers_start_nothing() {
    let mut fake = Fake::new(json!({}));
    fake.integration.providers = vec!["aws".into()];
    let bed = Bed::new(&[&fake]);
    bed.configure(false).await;
    bed.plan(None, Some(new("a"))).await;
    bed.finish().await;
    assert!(fake.methods().is_empty(), "{:?}", fake.methods());
}

#[tokio::test]
async fn a_refused_plan_binds_the_apply_of_the_same_run() {
    let fake = hard(json!({"plan_stage_complete": {"result": {"status": "fail", "message": "over budget"}}}));
    let plan = Bed::new(&[&fake]);
    plan.configure(false).await;
    plan.plan(None, Some(new("a"))).await;
    plan.finish().await;
    let apply = Bed::of(&[&fake], Store::default(), Arc::clone(&plan.folder));
    let expected = "error [fake] apply: not begun, since this integration refuses what was planned | over budget";
    assert_eq!(told(&apply.configure(true).await), [expected]);
    assert!(apply.store.asked.lock().unwrap().is_empty());
    apply.finish().await;
}

#[tokio::test]
async fn a_host_that_does_not_say_that_it_applies_is_found_out_by_its_first_change() {
    let fake = hard(json!({"plan_stage_complete": {"result": {"status": "fail", "message": "over budget"}}}));
    let bed = Bed::new(&[&fake]);
    bed.configure(false).await;
    bed.finish().await;
    let apply = Bed::of(&[&fake], Store::default(), Arc::clone(&bed.folder));
    apply.configure(false).await;
    assert!(told(&apply.apply(None, Some(new("a"))).await.diagnostics)[0].contains("over budget"));
    apply.finish().await;
}

#[tokio::test]
async fn data_sources_and_actions_have_hooks_of_their_own() {
    use futures::StreamExt as _;
    let fake = Fake::new(json!({"post_invoke_action": {"result": {"status": "warn", "message": "late"}}}));
    let bed = Bed::new(&[&fake]);
    bed.configure(true).await;
    let config = DynamicValue::from(new("a"));
    let request =
        ReadDataSourceRequest { type_name: "store_thing".into(), config: config.clone(), ..Default::default() };
    bed.provider.read_data_source(&Call::new(), request).await.unwrap();
    let request = InvokeActionRequest { type_name: "store_count".into(), config, ..Default::default() };
    let events: Vec<_> = bed.provider.invoke_action(&Call::new(), request).await.unwrap().events.collect().await;
    let [InvokeActionEvent::Progress(_), InvokeActionEvent::Completed(diagnostics)] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!(told(diagnostics), ["warning [fake] store_count a: late | "]);
    bed.finish().await;
    let expected = ["pre_read_data_source", "post_read_data_source", "pre_invoke_action", "post_invoke_action"];
    assert_eq!(asked(&fake)[3..7], expected);
}

#[tokio::test]
async fn m29_m43_the_report_has_every_event_and_answer_and_no_secret() {
    let metadata = json!({"monthly": 12});
    let too_large = json!({"x": "y".repeat(20_000)});
    let fake = Fake::new(json!({
        "pre_plan_resource": {"result": {"status": "pass", "metadata": metadata}},
        "post_plan_resource": {"result": {"status": "warn", "message": "big", "metadata": too_large}},
    }));
    let bed = Bed::new(&[&fake]);
    bed.configure(false).await;
    let answer = bed.plan(None, Some(new("a"))).await;
    assert_eq!(told(&answer.diagnostics), ["warning [fake] store_thing a: big | "], "the result counts nevertheless");
    bed.finish().await;
    let report = bed.report();
    let of = |kind: &str, hook: &str| {
        let found = report.iter().find(|line| line["kind"] == kind && line["hook"] == hook);
        found.unwrap_or_else(|| panic!("{kind} {hook}")).clone()
    };
    assert_eq!(of("event", "pre_plan_resource")["params"]["proposed_state"]["name"], "a");
    let answer = of("answer", "pre_plan_resource");
    let said = ["run", "subject", "integration", "status", "effect"].map(|name| answer[name].as_str().unwrap());
    assert_eq!(said, ["run-1", "store_thing a", "fake", "pass", "noted"]);
    assert_eq!(answer["metadata"], json!({"monthly": 12}));
    assert_eq!(of("answer", "post_plan_resource").get("metadata"), None);
    assert!(!format!("{report:?}{:?}", fake.received()).contains("hunter2"));
}

#[tokio::test]
async fn m10_m31_what_does_not_answer_is_a_warning_once_or_an_error_always() {
    let mut soft = Fake::new(json!({}));
    soft.integration.program = Program::Command(vec!["./is-not-there".into()]);
    let mut hard = Fake::new(json!({}));
    (hard.integration.program, hard.integration.fail_mode) = (soft.integration.program.clone(), FailMode::Hard);
    let bed = Bed::new(&[&soft]);
    let first = told(&bed.plan(None, Some(new("a"))).await.diagnostics);
    assert!(
        first.len() == 1 && first[0].starts_with("warning [fake] store_thing a: no answer to pre-plan:"),
        "{first:?}"
    );
    assert!(first[0].ends_with("goes on without it."), "{first:?}");
    assert_eq!(bed.plan(None, Some(new("b"))).await.diagnostics, Diagnostics::new());
    assert_eq!(*bed.store.asked.lock().unwrap(), ["plan", "plan"]);
    let bed = Bed::new(&[&hard]);
    for name in ["a", "b"] {
        let denied = told(&bed.plan(None, Some(new(name))).await.diagnostics);
        assert!(
            denied[0].starts_with(&format!("error [fake] store_thing {name}: no answer to pre-plan:")),
            "{denied:?}"
        );
    }
    assert!(bed.store.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn m31_a_silent_integration_is_a_warning_or_an_error_at_each_call() {
    let silent = json!({"pre_apply_resource": {"silent": true}, "post_apply_resource": {"silent": true}});
    for (mut fake, word) in [(Fake::new(silent.clone()), "warning"), (Fake::new(silent), "error")] {
        fake = fake.timeout(300);
        fake.integration.fail_mode = if word == "error" { FailMode::Hard } else { FailMode::Soft };
        let bed = Bed::new(&[&fake]);
        bed.configure(true).await;
        let told = told(&bed.apply(None, Some(new("a"))).await.diagnostics);
        let expected = format!("{word} [fake] store_thing a: no answer to pre-apply: ");
        assert!(told[0].starts_with(&expected) && told[0].contains("0.3 s"), "{told:?}");
        assert_eq!(bed.store.asked.lock().unwrap().contains(&"apply"), word == "warning");
        bed.finish().await;
    }
}

#[tokio::test]
async fn m31_one_that_is_always_late_is_told_and_then_told_to_be_left_out_once() {
    let silent = json!({"pre_plan_resource": {"silent": true}, "post_plan_resource": {"silent": true}});
    let fake = Fake::new(silent).timeout(300);
    let bed = Bed::new(&[&fake]);
    bed.configure(false).await;
    let mut said = Vec::new();
    for name in ["a", "b", "c"] {
        said.extend(told(&bed.plan(None, Some(new(name))).await.diagnostics));
    }
    // Before and after the first plan, and before the second.
    let late = |line: &String| line.contains("_plan_resource` within 0.3 s");
    assert!(said.len() == 4 && said[..3].iter().all(late), "{said:?}");
    assert!(said[3].contains("store_thing b") && said[3].contains("is not asked any more in this run"), "{said:?}");
    bed.finish().await;
}

#[tokio::test]
async fn m30_integrations_take_as_long_as_the_slowest_of_them() {
    let slow = json!({"pre_plan_resource": {"delay": 1000}});
    let fakes = [Fake::new(slow.clone()), Fake::new(slow.clone()), Fake::new(slow)];
    let bed = Bed::new(&fakes.each_ref());
    bed.configure(false).await;
    let began = std::time::Instant::now();
    bed.plan(None, Some(new("a"))).await;
    // One after the other they would take three seconds.
    assert!(began.elapsed() < std::time::Duration::from_millis(2500), "{:?}", began.elapsed());
    bed.finish().await;
}

#[tokio::test]
async fn plans_of_an_apply_are_asked_about_where_that_is_wanted() {
    let (quiet, mut eager) = (Fake::new(json!({})), Fake::new(json!({})));
    eager.integration.replan_events = true;
    let bed = Bed::new(&[&quiet, &eager]);
    bed.configure(true).await;
    bed.plan(None, Some(new("a"))).await;
    bed.apply(None, Some(new("a"))).await;
    bed.finish().await;
    let end = quiet.received().into_iter().find(|line| line["method"] == "apply_stage_complete").unwrap();
    assert_eq!(end["params"]["summary"], "1 created");
    let plans = |fake: &Fake| asked(fake).into_iter().filter(|event| event.contains("_plan_resource")).count();
    assert_eq!((plans(&quiet), plans(&eager)), (0, 2));
    let event = eager.received().into_iter().find(|line| line["method"] == "pre_plan_resource").unwrap();
    assert_eq!(
        (&event["params"]["run"]["phase"], &event["params"]["run"]["stage"]),
        (&json!("apply"), &json!("apply"))
    );
}

/// Pulumi asks for a diff, for a preview of the change, and plans once more to make it; its updates come after previews.
#[tokio::test]
async fn a_change_of_pulumis_is_planned_once_and_made_once() {
    let fake = Fake::new(json!({}));
    let bed = Bed::for_host(&[&fake], Store::default(), Arc::new(tempfile::tempdir().unwrap()), HostKind::Pulumi);
    let changed = made("a").with_attribute("place", Value::string("roof"));
    bed.configure(false).await;
    bed.pulumi("diff", true, changed.clone()).await;
    bed.pulumi("update", true, changed.clone()).await;
    bed.finish().await;
    assert_eq!(
        asked(&fake)[2..],
        ["plan_stage_start", "pre_plan_resource", "post_plan_resource update", "plan_stage_complete"]
    );
    let event = fake.received().into_iter().find(|line| line["method"] == "pre_plan_resource").unwrap();
    let resource = &event["params"]["resource"];
    let expected = json!(["store:index:Thing web", "urn", "web", "urn:pulumi:dev::shop::store:index:Thing::web"]);
    assert_eq!(json!([resource["address"], resource["address_source"], resource["name"], resource["urn"]]), expected);

    let update = Fake::new(json!({}));
    let bed = Bed::for_host(&[&update], Store::default(), Arc::clone(&bed.folder), HostKind::Pulumi);
    bed.configure(false).await;
    bed.pulumi("diff", true, changed.clone()).await;
    bed.pulumi("update", false, changed.clone()).await;
    bed.apply_in(&pulumi_call("update", false), Some(made("a")), Some(changed)).await;
    // What was not known in the preview is asked about when it is, once.
    let cellar = made("a").with_attribute("place", Value::string("cellar"));
    bed.pulumi("diff", true, cellar.clone()).await;
    bed.pulumi("diff", true, cellar).await;
    // A program may make what it has not shown in the preview.
    bed.plan_in(&pulumi_call_of("late", "create", false), None, Some(new("b"))).await;
    bed.finish().await;
    let expected = [
        "apply_stage_start",
        "pre_apply_resource update",
        "post_apply_resource update",
        "pre_plan_resource",
        "post_plan_resource update",
        "pre_plan_resource",
        "post_plan_resource create",
        "apply_stage_complete",
    ];
    assert_eq!(asked(&update)[2..], expected);
}

/// Without a preview the first change ends the plan, and what is planned after it is planned for the first time.
#[tokio::test]
async fn without_a_preview_of_pulumis_every_change_is_planned_before_it_is_made() {
    let fake = Fake::new(json!({}));
    let bed = Bed::for_host(&[&fake], Store::default(), Arc::new(tempfile::tempdir().unwrap()), HostKind::Pulumi);
    bed.configure(false).await;
    let create = pulumi_call_of("first", "create", false);
    bed.plan_in(&create, None, Some(new("b"))).await;
    bed.apply_in(&create, None, Some(new("b"))).await;
    let changed = made("a").with_attribute("place", Value::string("roof"));
    bed.pulumi("diff", true, changed.clone()).await;
    bed.pulumi("update", false, changed).await;
    bed.finish().await;
    let expected = [
        "plan_stage_start",
        "pre_plan_resource",
        "post_plan_resource create",
        "plan_stage_complete",
        "apply_stage_start",
        "pre_apply_resource create",
        "post_apply_resource create",
        "pre_plan_resource",
        "post_plan_resource update",
        "apply_stage_complete",
    ];
    assert_eq!(asked(&fake)[2..], expected);
}

/// A host may end a provider's process while it asks about the end of its plan. Only who is hard is waited for.
#[tokio::test]
async fn an_apply_is_denied_until_whoever_is_hard_has_answered_about_its_plan() {
    let silent = || json!({"plan_stage_complete": {"silent": true}});
    let never = hard(silent()).timeout(600_000);
    let (agreed, soft) = (hard(json!({})), Fake::new(silent()).timeout(600_000));
    for (fakes, is_denied) in [(vec![&never], true), (vec![&agreed, &soft], false)] {
        let bed = Bed::new(&fakes);
        bed.configure(false).await;
        let run = RunFolder::at(bed.folder.path().join("run"), "run-1").unwrap();
        let is_asked = || fakes[0].methods().contains(&"plan_stage_complete".to_owned());
        let cut_off = async {
            while !is_asked() || run.apply_denied().is_some() != is_denied {
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
        };
        tokio::select! {
            () = bed.hooks.finish() => panic!("somebody is silent"),
            () = cut_off => {}
        }
        assert_eq!(
            run.apply_denied().map(|verdict| verdict.integration),
            is_denied.then(|| never.integration.name.clone())
        );
    }
}

#[tokio::test]
async fn m41_what_an_integration_with_full_values_says_has_no_known_secret() {
    let mut fake = Fake::new(json!({"pre_plan_resource": {
        "log": {"level": "warn", "message": "saw hunter2-hunter2"},
        "result": {"status": "warn", "message": "it is hunter2-hunter2", "metadata": {"found": "hunter2-hunter2"}},
    }}));
    fake.integration.values = Values::Full;
    let bed = Bed::new(&[&fake]);
    let request = PlanResourceChangeRequest {
        type_name: "store_thing".into(),
        config: new("a").into(),
        proposed_new_state: new("a").into(),
        ..Default::default()
    };
    let log = Arc::new(support::Log::default());
    let call = Call::new().with_log(Arc::clone(&log) as _);
    let answer = bed.provider.plan_resource_change(&call, request).await.unwrap();
    bed.finish().await;
    assert!(format!("{:?}", fake.received()).contains("hunter2-hunter2"), "it sees full values");
    assert!(log.has("saw (sensitive)"), "{:?}", log.lines());
    assert!(told(&answer.diagnostics)[0].contains("it is (sensitive)"));
    let said = format!("{:?} {:?} {:?}", bed.report(), log.lines(), told(&answer.diagnostics));
    assert!(said.contains("\"found\": String(\"(sensitive)\")") && !said.contains("hunter2"), "{said}");
}

#[tokio::test]
async fn m42_who_sees_no_values_sees_no_id() {
    let mut fake = Fake::new(json!({}));
    fake.integration.values = Values::None;
    let bed = Bed::new(&[&fake]);
    bed.read(made("a")).await;
    bed.finish().await;
    let event = fake.received().into_iter().find(|line| line["method"] == "post_refresh_resource").unwrap();
    assert_eq!(event["params"]["resource"]["id"], Json::Null);
    assert!(!event.to_string().contains("id-1"), "{event}");
}

#[tokio::test]
async fn m14_an_interrupt_waits_for_no_integration_longer_than_a_shutdown_may_take() {
    let fake = hard(json!({"pre_apply_resource": {"silent": true}})).timeout(600_000);
    let bed = Bed::new(&[&fake]);
    bed.configure(true).await;
    let interrupt = async {
        while !fake.methods().contains(&"pre_apply_resource".to_owned()) {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        bed.provider.stop_provider(&Call::new(), StopProviderRequest {}).await.ok();
    };
    let (answer, ()) = tokio::join!(bed.apply(None, Some(new("a"))), interrupt);
    let expected =
        "error store_thing a: not begun, since the run was interrupted before all integrations had answered | ";
    assert_eq!(told(&answer.diagnostics), [expected]);
    assert_eq!(*bed.store.asked.lock().unwrap(), ["configure"]);
    bed.finish().await;
    assert_eq!(fake.received().last().unwrap()["params"], json!({"reason": "interrupted"}));
}
