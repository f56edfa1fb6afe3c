use super::*;

#[tokio::test]
async fn r13_read() {
    type Answer = fn() -> Value;
    let cases: [(Answer, Option<&str>, Vec<Rule>); 4] = [
        (|| thing("drifted", Value::string("1")), Some("drifted"), vec![]),
        (|| Value::null(schema().implied_type()), None, vec![]),
        (|| thing("a", Value::unknown(Type::String)), Some("a"), vec![Rule::ReadResult]),
        (|| Value::string("x"), Some("a"), vec![Rule::Conformance]),
    ];
    for (answer, expected, broken) in cases {
        let fake = Fake {
            read: Box::new(move |_, response| ReadResourceResponse { new_state: answer().into(), ..response }),
            ..Fake::default()
        };
        let (step, _) = with(fake, async |resource| resource.refresh(&state("a", "1")).await).await;
        assert_eq!(rules_of(&step.report), broken);
        let name = step.value.as_ref().and_then(|found| found.value.attribute("name")?.as_str());
        assert_eq!(name, expected);
    }
}

#[tokio::test]
async fn r13_import_is_read_at_once() {
    let imported = |value: Value| ImportResourceStateResponse {
        imported_resources: vec![ImportedResource {
            type_name: "fake_thing".into(),
            state: value.into(),
            ..ImportedResource::default()
        }],
        ..ImportResourceStateResponse::default()
    };
    let fake = Fake { import: imported(thing("a", Value::string("7"))), ..Fake::default() };
    let (step, asked) = with(fake, async |resource| resource.import("7").await).await;
    assert_eq!(step.value.unwrap().value, thing("a", Value::string("7")));
    assert_eq!(asked, ["import 7", r#"read "a""#]);

    let fake = Fake {
        import: imported(thing("a", Value::string("7"))),
        read: Box::new(|_, response| ReadResourceResponse { new_state: Default::default(), ..response }),
        ..Fake::default()
    };
    let (step, _) = with(fake, async |resource| resource.import("7").await).await;
    assert_eq!(step.report.diagnostics.errors().next().unwrap().summary, "Cannot import non-existent remote object");

    let (step, _) = with(Fake::default(), async |resource| resource.import("7").await).await;
    assert_eq!(rules_of(&step.report), [Rule::Import], "nothing was found");
}

#[tokio::test]
async fn a_state_is_stored_and_loaded_through_an_upgrade() {
    let original = ResourceState { tainted: true, ..state("a", "1") };
    let ((stored, loaded), asked) = with(Fake::default(), async |resource| {
        let stored = resource.store(&original).unwrap();
        let json = serde_json::to_string(&stored).unwrap();
        let read: StoredState = serde_json::from_str(&json).unwrap();
        (json, resource.load(&read).await)
    })
    .await;
    assert_eq!(
        stored,
        r#"{"type":"fake_thing","schema_version":2,"attributes":{"id":"1","key":null,"name":"a","pin":null},"private":"cA==","tainted":true}"#
    );
    assert!(!loaded.report.failed(), "{:?}", loaded.report.diagnostics);
    assert_eq!(loaded.value, Some(original));
    assert_eq!(asked, ["upgrade from 2"], "core asks also at the same version");
}

#[tokio::test]
async fn r14_states_of_other_types_and_newer_versions_are_refused() {
    let (errors, asked) = with(Fake::default(), async |resource| {
        let stored = resource.store(&state("a", "1")).unwrap();
        let newer = StoredState { schema_version: 3, ..stored.clone() };
        let other = StoredState { type_name: "fake_other".to_owned(), ..stored };
        let mut errors = Vec::new();
        for stored in [newer, other] {
            let step = resource.load(&stored).await;
            errors.push(step.report.diagnostics.errors().next().unwrap().detail.clone());
        }
        errors
    })
    .await;
    assert!(errors[0].contains("newer version of the provider"), "{errors:?}");
    assert!(errors[1].contains("the state of a fake_other, not of a fake_thing"), "{errors:?}");
    assert!(asked.is_empty());
}

#[tokio::test]
async fn configurations_are_checked_before_anything_is_asked() {
    let (errors, _) = with(Fake::default(), async |resource| {
        let written = Value::object([("id", Value::string("mine")), ("nmae", Value::string("a"))]);
        resource.config(&written).unwrap_err()
    })
    .await;
    let summaries: Vec<_> = errors.iter().map(|error| error.summary.as_str()).collect();
    assert_eq!(summaries, ["Value for a read-only attribute", "Unsupported argument"]);
}
