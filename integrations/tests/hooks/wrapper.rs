//! One engine for a whole run: provider processes ask the program around it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use denobridge_core::Diagnostic;
use denobridge_core::cty::Value;
use denobridge_integrations::configuration::FailMode;
use denobridge_integrations::protocol::HostKind;
use denobridge_integrations::run::HostProcess;
use denobridge_integrations::wrapper::{Endpoint, Stream, Wrapper, WrapperOptions};
use denobridge_integrations::{Engine, WithinOptions};
use serde_json::{Value as Json, json};

use super::bed::{Bed, Store, asked, engine_options, hard, made, new, told};
use super::support::{Fake, eventually};

const OTHER: &str = "registry.terraform.io/acme/other";

/// A run with a program around it.
struct Around<'f> {
    fakes: Vec<&'f Fake>,
    folder: Arc<tempfile::TempDir>,
    wrapper: Wrapper,
    said: Arc<Mutex<Vec<Diagnostic>>>,
}

impl<'f> Around<'f> {
    async fn new(fakes: &[&'f Fake], command: &str) -> Self {
        Self::reading(fakes, command, None).await
    }

    async fn reading(fakes: &[&'f Fake], command: &str, stream: Option<Arc<Stream>>) -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let said: Arc<Mutex<Vec<Diagnostic>>> = Arc::default();
        let heard = Arc::clone(&said);
        let wrapper = Wrapper::start(WrapperOptions {
            engine: engine_options(fakes, &folder),
            arguments: command.split(' ').skip(1).map(str::to_owned).collect(),
            token: "word".into(),
            tell: Arc::new(move |one| heard.lock().unwrap().push(one.clone())),
            stream: stream.map(|stream| (stream, Arc::new(|| {}) as _)),
        });
        Self { fakes: fakes.to_vec(), folder, wrapper: wrapper.await.unwrap(), said }
    }

    fn engine(&self, fakes: &[&Fake], kind: HostKind) -> Arc<Engine> {
        let options = engine_options(fakes, &self.folder);
        let endpoint = Endpoint::of(&options.run).unwrap().unwrap();
        let (configuration, run, host) = (options.configuration, options.run, HostProcess::of_process());
        let patience = Duration::from_secs(10);
        Engine::within(endpoint, WithinOptions { configuration, run, host, kind, patience })
    }

    /// A provider process of the run.
    fn process(&self, address: &str, kind: HostKind) -> Bed {
        let engine = self.engine(&self.fakes, kind);
        Bed::with(engine, address, Store::default(), Arc::clone(&self.folder), kind)
    }

    fn said(&self) -> Vec<String> {
        self.said.lock().unwrap().iter().map(|one| one.summary.clone()).collect()
    }
}

fn events(fake: &Fake) -> Vec<Json> {
    let events = fake.received().into_iter().filter(|line| line["params"].get("run").is_some());
    events.filter(|line| line["method"] != "initialize").collect()
}

fn params<'e>(events: &'e [Json], hook: &str) -> Vec<&'e Json> {
    events.iter().filter(|event| event["method"] == hook).map(|event| &event["params"]).collect()
}

#[tokio::test]
async fn m19_a_whole_run_has_one_of_each_stage_with_what_all_providers_have_counted() {
    let fake = Fake::new(json!({}));
    let around = Around::new(&[&fake], "terraform apply").await;
    let kind = HostKind::Terraform;
    let (one, other) = (around.process(super::bed::ADDRESS, kind), around.process(OTHER, kind));
    one.configure(false).await;
    other.configure(false).await;
    one.plan(None, Some(new("a"))).await;
    one.finish().await;
    other.plan(None, Some(new("b"))).await;
    other.finish().await;
    let (one, other) = (around.process(super::bed::ADDRESS, kind), around.process(OTHER, kind));
    one.configure(true).await;
    one.apply(None, Some(new("a"))).await;
    one.finish().await;
    other.configure(true).await;
    other.apply(None, Some(new("b"))).await;
    other.finish().await;
    assert!(!around.wrapper.finish().await);
    assert_eq!(fake.processes().len(), 1, "one process for the whole run");
    assert_eq!(
        asked(&fake),
        [
            "init_stage_start",
            "init_stage_complete",
            "plan_stage_start",
            "pre_plan_resource",
            "post_plan_resource create",
            "pre_plan_resource",
            "post_plan_resource create",
            "plan_stage_complete",
            "apply_stage_start",
            "pre_apply_resource create",
            "post_apply_resource create",
            "pre_apply_resource create",
            "post_apply_resource create",
            "apply_stage_complete",
        ]
    );
    let events = events(&fake);
    let numbers: Vec<u64> = events.iter().map(|event| event["params"]["run"]["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=14).collect::<Vec<_>>(), "one sequence");
    for hook in ["plan_stage_complete", "apply_stage_complete"] {
        let complete = params(&events, hook)[0];
        assert_eq!((&complete["counts"]["create"], &complete["run"]["provider"]), (&json!(2), &Json::Null));
        assert_eq!((&complete["operation"], &complete["run"]["id"]), (&json!("apply"), &json!("run-1")));
    }
    let providers = params(&events, "pre_apply_resource");
    let address = |event: &Json| event["run"]["provider"]["address"].clone();
    assert_eq!((address(providers[0]), address(providers[1])), (json!(super::bed::ADDRESS), json!(OTHER)));
}

#[tokio::test]
async fn m19_who_is_asked_about_one_provider_is_told_of_stages_when_that_one_begins() {
    let mut fake = Fake::new(json!({}));
    fake.integration.providers = vec!["other".into()];
    let around = Around::new(&[&fake], "terraform plan").await;
    let (one, other) =
        (around.process(super::bed::ADDRESS, HostKind::Terraform), around.process(OTHER, HostKind::Terraform));
    one.configure(false).await;
    one.plan(None, Some(new("a"))).await;
    assert!(fake.received().is_empty(), "nothing is started for others");
    other.configure(false).await;
    one.finish().await;
    other.finish().await;
    around.wrapper.finish().await;
    assert_eq!(asked(&fake), ["init_stage_start", "init_stage_complete", "plan_stage_start", "plan_stage_complete"]);
}

#[tokio::test]
async fn m19_a_plan_that_is_refused_is_refused_before_anything_of_the_apply() {
    let fake = hard(json!({"plan_stage_complete": {"result": {"status": "fail", "message": "over budget"}}}));
    let around = Around::new(&[&fake], "terraform apply").await;
    for address in [super::bed::ADDRESS, OTHER] {
        let plan = around.process(address, HostKind::Terraform);
        plan.configure(false).await;
        plan.plan(None, Some(new("a"))).await;
        plan.finish().await;
    }
    assert!(around.said().is_empty(), "the plan of all providers is not complete yet");
    for address in [super::bed::ADDRESS, OTHER] {
        let apply = around.process(address, HostKind::Terraform);
        let expected = "error [fake] apply: not begun, since this integration refuses what was planned | over budget";
        assert_eq!(told(&apply.configure(true).await), [expected]);
        assert!(apply.store.asked.lock().unwrap().is_empty());
        apply.finish().await;
    }
    assert_eq!(around.said(), ["[fake] plan-stage-complete: over budget"]);
    let (said, wrapper) = (Arc::clone(&around.said), around.wrapper);
    assert!(wrapper.finish().await, "the command must not succeed");
    assert_eq!(said.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn m19_a_plan_is_refused_also_when_the_provider_that_waits_for_it_goes() {
    let no = json!({"delay": 500, "result": {"status": "fail", "message": "over budget"}});
    let fake = hard(json!({"plan_stage_complete": no}));
    let around = Around::new(&[&fake], "terraform apply").await;
    let kind = HostKind::Terraform;
    let plan = around.process(super::bed::ADDRESS, kind);
    plan.configure(false).await;
    plan.plan(None, Some(new("a"))).await;
    plan.finish().await;
    let (one, other) = (around.process(super::bed::ADDRESS, kind), around.process(OTHER, kind));
    let waits = tokio::time::timeout(Duration::from_millis(100), one.configure(true)).await;
    assert!(waits.is_err(), "nobody has answered yet");
    one.finish().await;
    let said = told(&other.configure(true).await);
    assert!(said[0].contains("refuses what was planned"), "{said:?}");
    other.finish().await;
    assert!(around.wrapper.finish().await);
    assert_eq!(asked(&fake).iter().filter(|hook| *hook == "plan_stage_complete").count(), 1);
}

#[tokio::test]
async fn m19_a_refusal_at_a_start_holds_for_every_provider() {
    let fake = hard(json!({"plan_stage_start": {"result": {"status": "fail", "message": "not on fridays"}}}));
    let around = Around::new(&[&fake], "terraform plan").await;
    for address in [super::bed::ADDRESS, OTHER] {
        let plan = around.process(address, HostKind::Terraform);
        assert_eq!(told(&plan.configure(false).await), ["error [fake] plan-stage-start: not on fridays | "]);
        plan.finish().await;
    }
    around.wrapper.finish().await;
    assert_eq!(asked(&fake).iter().filter(|hook| *hook == "plan_stage_start").count(), 1);
}

#[tokio::test]
async fn m19_a_destroy_plans_twice_and_a_host_that_plans_again_to_apply_does_not() {
    for (command, passes) in [("terraform destroy", vec![1, 2]), ("tofu apply", vec![1])] {
        let fake = Fake::new(json!({}));
        let around = Around::new(&[&fake], command).await;
        for _ in 0..2 {
            let plan = around.process(super::bed::ADDRESS, HostKind::Terraform);
            plan.configure(false).await;
            plan.plan(None, Some(new("a"))).await;
            plan.finish().await;
        }
        around.wrapper.finish().await;
        let events = events(&fake);
        let complete = params(&events, "plan_stage_complete");
        let seen: Vec<(u64, u64)> = complete
            .iter()
            .map(|one| (one["run"]["pass"].as_u64().unwrap(), one["counts"]["create"].as_u64().unwrap()))
            .collect();
        assert_eq!(seen, passes.iter().map(|pass| (*pass, 1)).collect::<Vec<_>>(), "{command}");
    }
}

#[tokio::test]
async fn m19_the_preview_is_complete_when_pulumi_has_let_go_of_its_providers() {
    let fake = Fake::new(json!({}));
    let around = Around::new(&[&fake], "pulumi up").await;
    let (one, other) = (around.process(super::bed::ADDRESS, HostKind::Pulumi), around.process(OTHER, HostKind::Pulumi));
    one.configure(false).await;
    other.configure(false).await;
    // Pulumi says so at the end of every deployment; nobody has interrupted anything.
    one.hooks.engine().interrupt();
    one.finish().await;
    assert!(!asked(&fake).contains(&"plan_stage_complete".to_owned()));
    other.finish().await;
    eventually("the plan is complete", || asked(&fake).contains(&"plan_stage_complete".to_owned())).await;
    let update = around.process(super::bed::ADDRESS, HostKind::Pulumi);
    update.configure(false).await;
    update.finish().await;
    around.wrapper.finish().await;
    let stages = ["init_stage_start", "init_stage_complete", "plan_stage_start", "plan_stage_complete"];
    assert_eq!(asked(&fake), [&stages[..], &["apply_stage_start", "apply_stage_complete"]].concat());
    assert_eq!(fake.received().last().unwrap()["params"]["reason"], "complete");
}

#[tokio::test]
async fn what_is_secret_in_one_process_is_kept_out_of_what_integrations_say() {
    let mut fake = Fake::new(json!({"post_plan_resource": {"result": {
        "status": "warn", "message": "hunter2-hunter2 is short", "metadata": {"token": "hunter2-hunter2"} }}}));
    fake.integration.values = denobridge_integrations::configuration::Values::Full;
    let around = Around::new(&[&fake], "terraform plan").await;
    let plan = around.process(super::bed::ADDRESS, HostKind::Terraform);
    plan.configure(false).await;
    let answer = plan.plan(None, Some(new("a"))).await;
    let said = told(&answer.diagnostics);
    assert!(said.iter().any(|line| line.contains("(sensitive) is short")), "{said:?}");
    plan.finish().await;
    let folder = Arc::clone(&around.folder);
    around.wrapper.finish().await;
    let report = std::fs::read_to_string(folder.path().join("report/run-1.jsonl")).unwrap();
    assert!(!report.contains("hunter2") && report.contains("(sensitive)"), "{report}");
}

#[tokio::test]
async fn addresses_are_those_that_terraform_has_said() {
    let mut fake = Fake::new(json!({}));
    fake.integration.replan_events = true;
    let stream: Arc<Stream> = Arc::default();
    let around = Around::reading(&[&fake], "terraform apply -json", Some(Arc::clone(&stream))).await;
    let line = |kind: &str, address: &str, action: &str, id: &str| {
        let resource = json!({
            "addr": address, "module": "module.m", "resource_type": "store_thing", "resource_name": "web",
        });
        let hook = json!({"resource": resource, "action": action, "id_key": "id", "id_value": id});
        json!({"type": kind, "hook": hook}).to_string().into_bytes()
    };
    let apply = around.process(super::bed::ADDRESS, HostKind::Terraform);
    apply.configure(true).await;
    stream.take(&line("apply_start", "module.m.store_thing.web", "create", ""));
    // Terraform says nothing before it plans again, so this may be anything else.
    apply.plan(None, Some(new("z"))).await;
    apply.apply(None, Some(new("a"))).await;
    stream.take(&line("apply_complete", "module.m.store_thing.web", "create", "id-1"));
    stream.take(&line("apply_start", "module.m.store_thing.b", "create", ""));
    stream.take(&line("apply_start", "module.m.store_thing.c", "create", ""));
    apply.apply(None, Some(new("b"))).await;
    apply.apply(Some(made("a")), Some(made("a").with_attribute("place", Value::string("roof")))).await;
    apply.finish().await;
    around.wrapper.finish().await;
    let events = events(&fake);
    let about = |event: &Json| {
        let resource = &event["resource"];
        let text = |name: &str| resource[name].as_str().unwrap_or("-").to_owned();
        format!("{} {} {} {}", text("address"), text("name"), text("module_path"), text("address_source"))
    };
    let seen: Vec<String> = ["pre_apply_resource", "post_apply_resource"]
        .iter()
        .flat_map(|hook| params(&events, hook).into_iter().map(about).collect::<Vec<_>>())
        .collect();
    let found = "module.m.store_thing.web web module.m stream";
    // The second could be either of two, and stays so: that it then has the id of the first says nothing.
    assert_eq!(seen, [found, "- - - none", found, found, "- - - none", found]);
    assert_eq!(about(params(&events, "post_plan_resource")[0]), "- - - none");
}

#[tokio::test]
async fn when_the_program_around_is_gone_hard_integrations_deny_and_soft_ones_warn() {
    for fail_mode in [FailMode::Hard, FailMode::Soft] {
        let mut fake = Fake::new(json!({}));
        fake.integration.fail_mode = fail_mode;
        let around = Around::new(&[&fake], "terraform plan").await;
        let plan = around.process(super::bed::ADDRESS, HostKind::Terraform);
        plan.configure(false).await;
        let late = around.process(OTHER, HostKind::Terraform);
        around.wrapper.finish().await;
        let began = std::time::Instant::now();
        let first = told(&plan.plan(None, Some(new("a"))).await.diagnostics);
        let second = told(&late.configure(false).await);
        assert!(began.elapsed() < Duration::from_secs(5), "nothing waits for it");
        let word = if fail_mode == FailMode::Hard { "error" } else { "warning" };
        for said in [&first, &second] {
            assert!(said[0].starts_with(&format!("{word} [fake] ")), "{said:?}");
            assert!(said[0].contains("the program around this run (`denobridge run`)"), "{said:?}");
        }
        let planned = plan.store.asked.lock().unwrap().contains(&"plan");
        assert_eq!(planned, fail_mode == FailMode::Soft);
    }
}

#[tokio::test]
async fn who_has_read_another_configuration_is_not_answered() {
    let fake = hard(json!({}));
    let around = Around::new(&[&fake], "terraform plan").await;
    let mut changed = hard(json!({}));
    changed.integration.values = denobridge_integrations::configuration::Values::Full;
    let engine = around.engine(&[&changed], HostKind::Terraform);
    let plan =
        Bed::with(engine, super::bed::ADDRESS, Store::default(), Arc::clone(&around.folder), HostKind::Terraform);
    let said = told(&plan.configure(false).await);
    assert!(said[0].contains("another configuration"), "{said:?}");
    around.wrapper.finish().await;
    assert!(fake.received().is_empty());
}

#[tokio::test]
async fn a_program_around_that_says_nothing_counts_as_gone() {
    let fake = hard(json!({}));
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let options = engine_options(&[&fake], &folder);
    let socket = options.run.path().join("wrapper.sock");
    let _silent = tokio::net::UnixListener::bind(&socket).unwrap();
    let endpoint = json!({"place": {"unix": socket}, "token": "word"});
    std::fs::write(options.run.path().join("wrapper.json"), endpoint.to_string()).unwrap();
    let endpoint = Endpoint::of(&options.run).unwrap().unwrap();
    let (configuration, run, host) = (options.configuration, options.run, HostProcess::of_process());
    let (kind, patience) = (HostKind::Terraform, Duration::from_secs(1));
    let engine = Engine::within(endpoint, WithinOptions { configuration, run, host, kind, patience });
    let plan = Bed::with(engine, super::bed::ADDRESS, Store::default(), folder, kind);
    let said = told(&plan.configure(false).await);
    assert!(said[0].contains("it did not answer within 1 s; DENOBRIDGE_RUN_TIMEOUT says"), "{said:?}");
}
