//! What an integration and we agree on when it has been initialized: the hooks that it is asked at.

use serde::Deserialize;
use serde_json::Value as Json;

use super::failure::Failure;
use super::incoming::{RpcError, excerpt};
use crate::Hook;
use crate::configuration::Integration;
use crate::protocol::{Action, Filter, Initialize, Initialized, PROTOCOL_VERSION};

/// The hooks that an integration is asked at, and what about.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Agreement {
    hooks: Hooks,
    filter: Filter,
    /// Names among its subscriptions that we do not know.
    pub(super) unknown: Vec<String>,
}

/// A set of hooks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hooks(u32);

impl Hooks {
    pub(super) fn insert(&mut self, hook: Hook) {
        self.0 |= 1 << hook as u32;
    }

    pub(super) fn contains(self, hook: Hook) -> bool {
        self.0 & (1 << hook as u32) != 0
    }

    /// The hooks at which the configuration lets an integration be asked, and which there are.
    pub(super) fn possible(integration: &Integration, hello: &Initialize) -> Self {
        let configured = |hook: &Hook| integration.hooks.as_ref().is_none_or(|hooks| hooks.contains(hook));
        hello.available_hooks.iter().copied().filter(configured).collect()
    }
}

impl FromIterator<Hook> for Hooks {
    fn from_iter<I: IntoIterator<Item = Hook>>(hooks: I) -> Self {
        let mut set = Self::default();
        hooks.into_iter().for_each(|hook| set.insert(hook));
        set
    }
}

impl Agreement {
    /// What comes of the answer to `initialize`.
    ///
    /// # Errors
    /// It is of another version, refuses, or does not answer what it was asked.
    pub(super) fn of(answer: Result<Json, RpcError>, possible: Hooks) -> Result<Self, Failure> {
        let answer = answer.map_err(|error| Failure::Refused { reason: error.text().into() })?;
        // Not part of the answer, but whoever speaks another version may say so.
        let version =
            answer.get("protocol_version").filter(|version| version.as_u64() != Some(PROTOCOL_VERSION.into()));
        if let Some(version) = version.filter(|version| !version.is_null()) {
            return Err(Failure::Version { theirs: excerpt(version.to_string().as_bytes()).into() });
        }
        let initialized = Initialized::deserialize(&answer).map_err(|error| {
            let what = format!("its answer to `initialize` is not one: {}", excerpt(error.to_string().as_bytes()));
            Failure::Protocol { what: what.into() }
        })?;
        let (mut hooks, mut unknown) = (Hooks::default(), Vec::new());
        for name in &initialized.subscribed_hooks {
            match Hook::parse(name) {
                Some(hook) if possible.contains(hook) => hooks.insert(hook),
                Some(_) => {}
                None => unknown.push(excerpt(name.as_bytes())),
            }
        }
        Ok(Self { hooks, filter: initialized.filter.unwrap_or_default(), unknown })
    }

    /// Whether it wants to be asked at this hook about this type and action.
    pub(super) fn wants(&self, hook: Hook, type_name: Option<&str>, action: Option<Action>) -> bool {
        let type_fits = match (&self.filter.types, type_name) {
            (Some(types), Some(name)) => types.iter().any(|wanted| wanted == name),
            _ => true,
        };
        let action_fits = match (&self.filter.actions, action) {
            (Some(actions), Some(action)) => actions.contains(&action),
            _ => true,
        };
        self.hooks.contains(hook) && type_fits && action_fits
    }
}

/// A remark on subscriptions that we do not know.
pub(super) fn remark_on(unknown: &[String]) -> Option<String> {
    let names = unknown.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let (first, rest) = names.split_first()?;
    let names = rest.iter().fold(first.clone(), |names, name| names + ", " + name);
    Some(format!("the integration subscribes to hooks that this program does not know: {names}. It is not asked there"))
}

/// A remark on a hook at which it is not asked any more.
pub(super) fn remark_on_dropped(hook: Hook) -> String {
    format!(
        "the integration subscribed to `{hook}` and does not know `{}`. It is not asked there any more",
        hook.method()
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn agreed(subscribed: &Json, possible: &[Hook]) -> Agreement {
        let answer = json!({"name": "x", "version": "1", "subscribed_hooks": subscribed});
        Agreement::of(Ok(answer), possible.iter().copied().collect()).unwrap()
    }

    fn asked(agreement: &Agreement) -> Vec<Hook> {
        Hook::ALL.iter().copied().filter(|hook| agreement.wants(*hook, Some("t"), None)).collect()
    }

    #[test]
    fn m09_effective_hooks_are_subscribed_and_possible_in_either_spelling() {
        let subscribed = json!(["pre-plan", "post_plan_resource", "post-apply", "pre-destroy"]);
        let agreement = agreed(&subscribed, &[Hook::PrePlan, Hook::PostPlan, Hook::PreApply]);
        assert_eq!(asked(&agreement), [Hook::PrePlan, Hook::PostPlan]);
        assert_eq!(agreement.unknown, ["pre-destroy"]);
        assert_eq!(asked(&agreed(&json!([]), Hook::ALL)), []);
        let all = json!(Hook::ALL.iter().map(|hook| hook.configured()).collect::<Vec<_>>());
        assert_eq!(asked(&agreed(&all, Hook::ALL)), Hook::ALL);
    }

    #[test]
    fn a_filter_restricts_only_what_it_names() {
        let answer = |filter| json!({"name": "x", "version": "1", "subscribed_hooks": ["pre-apply"], "filter": filter});
        let wants = |filter, type_name, action| {
            let possible = [Hook::PreApply].into_iter().collect();
            Agreement::of(Ok(answer(filter)), possible).unwrap().wants(Hook::PreApply, type_name, action)
        };
        let types = json!({"types": ["a", "b"]});
        assert!(wants(types.clone(), Some("b"), Some(Action::Create)));
        assert!(!wants(types.clone(), Some("c"), None));
        assert!(wants(types, None, None));
        let actions = json!({"actions": ["delete", "no-op"]});
        assert!(wants(actions.clone(), Some("c"), Some(Action::NoOp)));
        assert!(!wants(actions.clone(), Some("c"), Some(Action::Create)));
        assert!(wants(actions, Some("c"), None));
        assert!(wants(Json::Null, Some("c"), Some(Action::Create)));
        assert!(!wants(json!({"types": []}), Some("c"), None));
    }

    #[test]
    fn m10_answers_that_are_none() {
        let failure = |answer| Agreement::of(answer, Hooks::default()).unwrap_err().to_string();
        let error = RpcError { code: -32000, message: "no licence".into() };
        let told = [
            failure(Ok(json!({"name": "x", "version": "1", "subscribed_hooks": [], "protocol_version": 2}))),
            failure(Ok(json!({"name": "x", "version": "1", "subscribed_hooks": [], "protocol_version": "1.0"}))),
            failure(Ok(json!({"name": "x", "version": 1, "subscribed_hooks": []}))),
            failure(Ok(json!({"name": "x", "version": "1"}))),
            failure(Ok(Json::Null)),
            failure(Err(error)),
        ];
        insta::assert_snapshot!(told.join("\n"));
    }
}
