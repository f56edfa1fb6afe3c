use super::*;

#[tokio::test]
async fn a_creation_is_validated_and_planned() {
    let (step, asked) = with(Fake::default(), async |resource| resource.plan(&config("a"), None).await).await;
    let plan = step.value.unwrap();
    assert_eq!((plan.action, plan.after), (Action::Create, thing("a", Value::unknown(Type::String))));
    assert_eq!(asked, [r#"validate "a""#, r#"plan nothing to "a""#]);
}

#[tokio::test]
async fn nothing_and_an_update() {
    let (actions, _) = with(Fake::default(), async |resource| {
        let mut actions = Vec::new();
        for name in ["a", "b"] {
            actions.push(resource.plan(&config(name), Some(&state("a", "1"))).await.value.unwrap().action);
        }
        actions
    })
    .await;
    assert_eq!(actions, [Action::NoOp, Action::Update]);
}

#[tokio::test]
async fn r8_a_replacement_is_planned_twice() {
    let (step, asked) =
        with(replacing(), async |resource| resource.plan(&config("b"), Some(&state("a", "1"))).await).await;
    let plan = step.value.unwrap();
    assert_eq!(plan.action, Action::Replace);
    assert_eq!(plan.after, thing("b", Value::unknown(Type::String)), "the new object's id is not the old one's");
    assert_eq!(plan.private, Bytes::from_static(b"p++"), "private data of the first leg goes into the second");
    assert_eq!(asked, [r#"validate "b""#, r#"plan "a" to "b""#, r#"plan nothing to "b""#]);
}

#[tokio::test]
async fn a_tainted_object_is_replaced() {
    let tainted = ResourceState { tainted: true, ..state("a", "1") };
    let (step, asked) = with(Fake::default(), async |resource| resource.plan(&config("a"), Some(&tainted)).await).await;
    assert_eq!(step.value.unwrap().action, Action::Replace);
    assert_eq!(asked, [r#"validate "a""#, r#"plan nothing to "a""#]);
}

#[tokio::test]
async fn an_invalid_plan_is_refused_by_its_rule() {
    type Broken = fn(PlanResourceChangeResponse) -> PlanResourceChangeResponse;
    let cases: [(Broken, Rule); 6] = [
        (
            |r| PlanResourceChangeResponse { planned_state: thing("z", Value::null(Type::String)).into(), ..r },
            Rule::PlanAttribute,
        ),
        (|r| PlanResourceChangeResponse { planned_state: Value::null(Type::Dynamic).into(), ..r }, Rule::PlanExistence),
        (|r| PlanResourceChangeResponse { planned_state: Value::string("x").into(), ..r }, Rule::Conformance),
        (|r| PlanResourceChangeResponse { deferred: Some(Deferred::Unknown), ..r }, Rule::Deferral),
        (
            |r| {
                let planned = decoded(&r.planned_state).with_attribute("key", Value::string("s"));
                PlanResourceChangeResponse { planned_state: planned.into(), ..r }
            },
            Rule::WriteOnly,
        ),
        (
            |r| PlanResourceChangeResponse { requires_replace: vec![Path::root().attribute("nowhere")], ..r },
            Rule::RequiresReplacePath,
        ),
    ];
    for (broken, rule) in cases {
        let fake = Fake { plan: Box::new(move |_, response| broken(response)), ..Fake::default() };
        let (step, _) = with(fake, async |resource| resource.plan(&config("b"), Some(&state("a", "1"))).await).await;
        assert!(step.value.is_none(), "{rule:?}");
        assert_eq!(rules_of(&step.report), [rule]);
        let text = &step.report.diagnostics.errors().next().unwrap().detail;
        assert!(text.contains("fake_thing.x") && text.contains(rule.code()), "{text}");
    }
}

/// What a failed expectation shows: who broke which rule where, and what was asked and answered, without secrets.
#[tokio::test]
async fn a_report_says_what_a_person_needs() {
    let fake = Fake {
        plan: Box::new(|_, response| PlanResourceChangeResponse {
            planned_state: thing("z", Value::null(Type::String)).with_attribute("pin", Value::string("1234")).into(),
            ..response
        }),
        ..Fake::default()
    };
    let secret = config("a").with_attribute("pin", Value::string("1234"));
    let (step, _) = with(fake, async |resource| resource.plan(&secret, None).await).await;
    assert_eq!(
        step.report.to_string(),
        r#"error: Provider produced invalid plan (at name)
  fake_thing.x: name: planned value "z" does not match config value "a".
  This is a mistake in the provider (rule R3), not in the configuration.
ValidateResourceConfig fake_thing
  -> config: {"id": null(string), "key": null(string), "name": "a", "pin": (sensitive)}
PlanResourceChange fake_thing
  -> prior state: nothing
  -> config: {"id": null(string), "key": null(string), "name": "a", "pin": (sensitive)}
  -> proposed new state: {"id": null(string), "key": null(string), "name": "a", "pin": (sensitive)}
  <- planned state: {"id": null(string), "key": null(string), "name": "z", "pin": (sensitive)}
  breaks R3: name: planned value "z" does not match config value "a"
"#
    );
}

#[tokio::test]
async fn expectations_fail_when_the_step_went_otherwise() {
    let (plans, _) = with(replacing(), async |resource| {
        [resource.plan(&config("b"), None).await, resource.plan(&config("b"), None).await]
    })
    .await;
    let outcome = |expect: fn(Step<Option<Plan>>)| {
        let step = plans[0].clone();
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| expect(step))).is_ok()
    };
    assert!(outcome(|step| drop(step.expect_ok())) && outcome(|step| drop(step.expect_some())));
    assert!(!outcome(Step::expect_none) && !outcome(|step| drop(step.expect_error("wrong"))));
    assert!(!outcome(|step| drop(step.expect_violation(Rule::PlanAttribute))));
    let mut broken = plans[1].clone();
    broken.report.broken("x", vec![Violation::new(Rule::PlanAttribute, Path::root(), "wrong")]);
    let outcome = |expect: fn(Step<Option<Plan>>)| {
        let step = broken.clone();
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| expect(step))).is_ok()
    };
    assert!(!outcome(|step| drop(step.expect_ok())) && !outcome(Step::expect_none));
    assert!(outcome(|step| drop(step.expect_error("wrong"))) && !outcome(|step| drop(step.expect_error("right"))));
    assert!(outcome(|step| drop(step.expect_violation(Rule::PlanAttribute))));
    assert!(!outcome(|step| drop(step.expect_violation(Rule::PlanBlock))));
}

#[tokio::test]
async fn the_old_sdk_is_tolerated() {
    let fake = Fake {
        plan: Box::new(|_, response| PlanResourceChangeResponse {
            planned_state: thing("z", Value::null(Type::String)).into(),
            legacy_type_system: true,
            ..response
        }),
        ..Fake::default()
    };
    let (step, _) = with(fake, async |resource| resource.plan(&config("a"), None).await).await;
    assert!(!step.report.failed() && step.value.is_some());
}

#[tokio::test]
async fn destroy_plans_are_asked_for_only_by_who_wants_them() {
    for plan_destroy in [false, true] {
        let fake = Fake { plan_destroy, ..Fake::default() };
        let (step, asked) = with(fake, async |resource| resource.plan_destroy(&state("a", "1")).await).await;
        assert_eq!(step.value.unwrap().action, Action::Delete);
        assert_eq!(asked.len(), usize::from(plan_destroy));
    }
}

#[tokio::test]
async fn a_provider_without_an_answer_is_an_error() {
    struct Dead;
    #[async_trait]
    impl Provider for Dead {}
    let diagnostics = Host::start(Arc::new(Dead), HostOptions::default()).await.err().unwrap();
    assert!(diagnostics.errors().next().unwrap().detail.contains("does not implement GetProviderSchema"));
}

#[tokio::test]
async fn observers_see_marked_values() {
    #[derive(Default)]
    struct Seen(Mutex<Vec<String>>);
    impl Observer for Seen {
        fn answered(&self, exchange: &Exchange) {
            self.0.lock().unwrap().push(format!("{exchange:?}"));
        }
    }
    let seen = Arc::new(Seen::default());
    let options = HostOptions { observer: Arc::clone(&seen) as _, ..HostOptions::default() };
    let host = Host::start(Arc::new(Fake::default()), options).await.unwrap();
    let resource = host.resource("fake_thing", "x").unwrap();
    let secret =
        config("a").with_attribute("pin", Value::string("hunter2")).with_attribute("key", Value::string("hunter3"));
    let plan = resource.plan(&secret, None).await.value.unwrap();
    let applied = resource.apply(&plan, &secret).await;
    assert!(!applied.report.failed(), "{:?}", applied.report);
    let seen = seen.0.lock().unwrap().join("\n");
    assert!(seen.contains("ApplyResourceChange") && seen.contains("(sensitive)"));
    assert!(!seen.contains("hunter"), "{seen}");
}
