use super::*;

/// Plans and applies.
async fn apply(fake: Fake, name: &str, prior: Option<ResourceState>) -> (Step<Option<ResourceState>>, Vec<String>) {
    with(fake, async |resource| {
        let plan = resource.plan(&config(name), prior.as_ref()).await.value.unwrap();
        resource.apply(&plan, &config(name)).await
    })
    .await
}

#[tokio::test]
async fn a_creation_is_planned_again_and_applied() {
    let (step, asked) = apply(Fake::default(), "a", None).await;
    let created = step.value.unwrap();
    assert_eq!(created.value, thing("a", Value::string("1")));
    assert_eq!((created.private, created.tainted), (Bytes::from_static(b"stored"), false));
    let twice = [r#"validate "a""#, r#"plan nothing to "a""#];
    let expected: Vec<&str> = twice.into_iter().chain(twice).chain([r#"apply nothing to "a" with "+""#]).collect();
    assert_eq!(asked, expected);
}

#[tokio::test]
async fn nothing_is_asked_where_nothing_is_to_do() {
    let (step, asked) = apply(Fake::default(), "a", Some(state("a", "1"))).await;
    assert_eq!(step.value, Some(state("a", "1")));
    assert_eq!(asked.len(), 2, "only the plan: {asked:?}");
}

#[tokio::test]
async fn a_replacement_deletes_and_then_creates() {
    let (step, asked) = apply(replacing(), "b", Some(state("a", "9"))).await;
    assert!(!step.report.failed(), "{:?}", step.report.diagnostics);
    assert_eq!(step.value.unwrap().value, thing("b", Value::string("1")));
    let applies: Vec<_> = asked.iter().filter(|line| line.starts_with("apply")).collect();
    assert_eq!(applies, [r#"apply "a" to nothing with "p++""#, r#"apply nothing to "b" with "+""#]);
}

#[tokio::test]
async fn r9_a_plan_that_changes_its_mind_is_refused() {
    let first = std::sync::atomic::AtomicBool::new(true);
    let fake = Fake {
        plan: Box::new(move |_, response| {
            let id = if first.swap(false, std::sync::atomic::Ordering::SeqCst) { "1" } else { "2" };
            PlanResourceChangeResponse { planned_state: thing("a", Value::string(id)).into(), ..response }
        }),
        ..Fake::default()
    };
    let (step, asked) = apply(fake, "a", None).await;
    assert_eq!((step.value, rules_of(&step.report)), (None, vec![Rule::FinalPlan]));
    assert!(!asked.iter().any(|line| line.starts_with("apply")));
}

#[tokio::test]
async fn r12_a_failed_creation_that_left_something_is_tainted() {
    let fake = Fake {
        apply: Box::new(|_, response| ApplyResourceChangeResponse { diagnostics: error("half done"), ..response }),
        ..Fake::default()
    };
    let (step, _) = apply(fake, "a", None).await;
    assert!(step.report.failed());
    let left = step.value.unwrap();
    assert!(left.tainted);
    assert_eq!(left.value, thing("a", Value::string("1")));
}

#[tokio::test]
async fn r12_a_failed_update_keeps_what_it_says_or_what_was() {
    for (answer, expected) in [(Some("half"), "half"), (None, "a")] {
        let fake = Fake {
            apply: Box::new(move |_, response| ApplyResourceChangeResponse {
                new_state: answer.map(|name| thing(name, Value::string("1")).into()).unwrap_or_default(),
                diagnostics: error("no"),
                ..response
            }),
            ..Fake::default()
        };
        let (step, _) = apply(fake, "b", Some(state("a", "1"))).await;
        let left = step.value.unwrap();
        assert_eq!((left.value, left.tainted), (thing(expected, Value::string("1")), false));
    }
}

#[tokio::test]
async fn r12_a_failed_deletion_keeps_the_object() {
    let fake = Fake {
        apply: Box::new(|request, response| ApplyResourceChangeResponse {
            new_state: request.prior_state.clone(),
            diagnostics: error("in use"),
            ..response
        }),
        ..Fake::default()
    };
    let (step, _) = with(fake, async |resource| resource.destroy(&state("a", "1")).await).await;
    assert_eq!(step.report.diagnostics.len(), 1, "nothing is said beside the provider's own error");
    assert_eq!(step.value.unwrap().value, state("a", "1").value);
}

#[tokio::test]
async fn r10_r11_wrong_results_are_errors_and_what_is_known_is_kept() {
    let cases = [
        (thing("z", Value::string("1")), Rule::AppliedAsPlanned, Some(thing("z", Value::string("1")))),
        (thing("a", Value::unknown(Type::String)), Rule::KnownAfterApply, Some(thing("a", Value::null(Type::String)))),
        (Value::null(schema().implied_type()), Rule::KnownAfterApply, None),
        (
            thing("a", Value::string("1")).with_attribute("key", Value::string("s")),
            Rule::WriteOnly,
            Some(thing("a", Value::string("1"))),
        ),
    ];
    for (answer, rule, kept) in cases {
        let fake = Fake {
            apply: Box::new(move |_, response| ApplyResourceChangeResponse {
                new_state: answer.clone().into(),
                ..response
            }),
            ..Fake::default()
        };
        let (step, _) = apply(fake, "a", None).await;
        assert_eq!(rules_of(&step.report), [rule]);
        assert_eq!(step.value.as_ref().map(|left| &left.value), kept.as_ref());
        assert!(step.value.is_none_or(|left| left.tainted), "a creation with a broken result is replaced");
    }
}

#[tokio::test]
async fn a_configuration_must_be_known_to_be_applied() {
    let (step, asked) = with(Fake::default(), async |resource| {
        let open = config("a").with_attribute("name", Value::unknown(Type::String));
        let plan = resource.plan(&open, None).await.value.unwrap();
        resource.apply(&plan, &open).await
    })
    .await;
    assert!(step.report.failed() && step.value.is_none());
    assert!(!asked.iter().any(|line| line.starts_with("apply")));
}

#[tokio::test]
async fn unknown_values_may_become_known() {
    let (step, _) = with(Fake::default(), async |resource| {
        let open = config("a").with_attribute("name", Value::unknown(Type::String));
        let plan = resource.plan(&open, None).await.value.unwrap();
        resource.apply(&plan, &config("a")).await
    })
    .await;
    assert_eq!(step.value.unwrap().value, thing("a", Value::string("1")));
}
