//! What becomes of answers, and what of metadata is kept.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::metadata::Metadata;
use super::outcome::{Effect, Place, effect};
use crate::Hook;
use crate::configuration::{FailMode, Integration, Program};
use crate::process::Failure;
use crate::protocol::{HookResult, RequestedAction, Status};

fn integration(fail_mode: FailMode) -> Integration {
    Integration { fail_mode, ..Integration::new("fake", Program::Command(vec!["fake".into()]), "") }
}

fn said(status: Status, action: Option<RequestedAction>) -> Result<HookResult, Failure> {
    Ok(HookResult { status, message: None, messages: None, metadata: None, action })
}

/// The table of `docs/integrations/protocol.md`: for each of pass, warn, fail, halt and a fault, what becomes of it.
#[test]
fn m24_m26_the_table_of_effects() {
    use Effect::{Denied, DeniedAndHalt, Error, Noted, Verdict, Warning, WarningAndHalt};
    let answers = [
        said(Status::Pass, None),
        said(Status::Warn, None),
        said(Status::Fail, None),
        said(Status::Pass, Some(RequestedAction::Halt)),
        Err(Failure::ShutDown),
    ];
    let soft = [Noted, Warning, Warning, Warning, Warning];
    let table = [
        (FailMode::Soft, Hook::PrePlan, soft),
        (FailMode::Soft, Hook::PostPlan, soft),
        (FailMode::Soft, Hook::PostApply, soft),
        (FailMode::Soft, Hook::PlanStageComplete, [Noted; 5]),
        (FailMode::Hard, Hook::PrePlan, [Noted, Warning, DeniedAndHalt, DeniedAndHalt, Denied]),
        (FailMode::Hard, Hook::ApplyStageStart, [Noted, Warning, DeniedAndHalt, DeniedAndHalt, Denied]),
        (FailMode::Hard, Hook::PostPlan, [Noted, Warning, Error, Error, Error]),
        (FailMode::Hard, Hook::PostRefresh, [Noted, Warning, Error, Error, Error]),
        (FailMode::Hard, Hook::PostApply, [Noted, Warning, WarningAndHalt, WarningAndHalt, WarningAndHalt]),
        (FailMode::Hard, Hook::PostInvokeAction, [Noted, Warning, WarningAndHalt, WarningAndHalt, WarningAndHalt]),
        (FailMode::Hard, Hook::PlanStageComplete, [Noted, Noted, Verdict, Verdict, Verdict]),
        (FailMode::Hard, Hook::ApplyStageComplete, [Noted, Noted, Verdict, Verdict, Noted]),
    ];
    for (fail_mode, hook, expected) in table {
        let integration = integration(fail_mode);
        let effects = answers.each_ref().map(|answer| effect(&integration, Place::of(hook), answer));
        assert_eq!(effects, expected, "{fail_mode:?} {hook}");
    }
}

#[test]
fn m43_metadata_has_limits() {
    let refused = |metadata: Json| {
        let Json::Object(metadata) = metadata else { panic!("no object") };
        Metadata::default().keep(&"fake".into(), Some(&metadata)).1
    };
    assert_eq!(refused(json!({"cost.monthly_delta-1": {"a": [1]}})), None);
    assert!(refused(json!({"Cost": 1})).unwrap().contains("\"Cost\" is no key"));
    assert!(refused(json!({"": 1})).is_some());
    assert!(refused(json!({"k".repeat(65): 1})).is_some());
    let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    assert_eq!(refused(json!({"a": nested(7)})), None);
    assert!(refused(json!({"a": nested(8)})).unwrap().contains("8 levels"));
    assert!(refused(json!({"a": "x".repeat(17_000)})).unwrap().contains("16384"));
}

#[test]
fn m43_all_metadata_of_an_integration_has_a_limit() {
    let metadata = Map::from_iter([("a".to_owned(), json!("x".repeat(16_000)))]);
    let (all, name): (_, Arc<str>) = (Metadata::default(), "fake".into());
    let kept = (0..100).filter(|_| all.keep(&name, Some(&metadata)).0.is_some()).count();
    assert_eq!(kept, (1 << 20) / 16_008);
    assert!(all.keep(&"other".into(), Some(&metadata)).0.is_some());
}
