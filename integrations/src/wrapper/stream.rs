//! What Terraform says of a run on its standard output, with `-json`: the exact addresses of what it is doing.
//!
//! A provider is told types, values and ids, and no address. Terraform writes that it begins with an object before it calls the
//! provider, so what it has said by then is enough: by type and id, or, of what has no id yet, where only one object of that type
//! is begun and not taken by another call. Where it could be one of several there is no address: nothing here is a guess.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::Value as Json;
use tokio::sync::Notify;

use crate::protocol::{Action, PlannedChange};

/// An address that Terraform has said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    pub(super) address: Arc<str>,
    pub(super) name: Arc<str>,
    pub(super) module: Option<Arc<str>>,
}

/// Everything that was said so far.
#[derive(Default)]
pub struct Stream {
    told: Mutex<Told>,
    summarized: Notify,
}

#[derive(Default)]
struct Told {
    /// By type and id; none where two objects have the same.
    by_id: HashMap<(String, String), Option<Located>>,
    /// What is begun and not done, by address and what is done with it, and whether a call has taken it.
    begun: BTreeMap<(String, String), Begun>,
    planned: Vec<PlannedChange>,
    is_planned: bool,
}

struct Begun {
    type_name: String,
    located: Located,
    is_taken: bool,
}

/// A line, as far as it matters here. Others are of no interest, and neither is what else is in it.
#[derive(Deserialize)]
struct Line {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    hook: Option<HookLine>,
    #[serde(default)]
    change: Option<HookLine>,
    #[serde(default)]
    changes: Option<Json>,
}

#[derive(Deserialize)]
struct HookLine {
    resource: ResourceLine,
    #[serde(default)]
    action: String,
    #[serde(default)]
    id_key: String,
    #[serde(default)]
    id_value: String,
}

#[derive(Deserialize)]
struct ResourceLine {
    addr: String,
    #[serde(default)]
    module: String,
    resource_type: String,
    resource_name: String,
}

impl Stream {
    /// Takes a line of the output. What is no line of that kind is passed over.
    pub fn take(&self, line: &[u8]) {
        let Ok(line) = serde_json::from_slice::<Line>(line) else { return };
        let mut told = self.told();
        match (line.kind.as_str(), line.hook, line.change) {
            ("refresh_start" | "refresh_complete", Some(hook), _) => told.has_id(&hook),
            ("apply_start", Some(hook), _) => told.begin(hook),
            ("apply_complete" | "apply_errored", Some(hook), _) => told.end(&hook),
            ("planned_change", _, Some(change)) => told.plan(&change),
            ("change_summary", ..) if line.changes.is_some_and(|changes| changes["operation"] == "plan") => {
                told.is_planned = true;
                self.summarized.notify_one();
            }
            _ => {}
        }
    }

    /// Waits for the next plan to be summed up.
    pub(super) async fn summarized(&self) {
        self.summarized.notified().await;
    }

    /// What is planned, if it was summed up.
    pub(super) fn changes(&self) -> Option<Vec<PlannedChange>> {
        let told = self.told();
        told.is_planned.then(|| told.planned.clone())
    }

    /// The address of what a call is about: by its type and id, or by what is done with it.
    pub(super) fn locate(&self, type_name: &str, id: Option<&str>, action: Option<&str>) -> Option<Located> {
        let mut told = self.told();
        // An id of what is just being made says nothing of what had it before.
        if let Some(id) = id.filter(|_| action != Some("create"))
            && let Some(located) = told.by_id.get(&(type_name.to_owned(), id.to_owned()))
        {
            return located.clone();
        }
        let action = action?;
        let mut fitting = told
            .begun
            .iter_mut()
            .filter(|((_, doing), begun)| doing == action && begun.type_name == type_name && !begun.is_taken);
        let (_, only) = fitting.next()?;
        if fitting.next().is_some() {
            return None;
        }
        only.is_taken = true;
        Some(only.located.clone())
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Told {
    fn has_id(&mut self, hook: &HookLine) {
        // Another attribute may stand in for an id; a provider's id is the one of this name.
        if hook.id_key != "id" || hook.id_value.is_empty() {
            return;
        }
        let located = Located::from(&hook.resource);
        let known = self.by_id.entry((hook.resource.resource_type.clone(), hook.id_value.clone()));
        known
            .and_modify(|known| {
                if known.as_ref().is_some_and(|known| *known != located) {
                    *known = None;
                }
            })
            .or_insert(Some(located));
    }

    fn begin(&mut self, hook: HookLine) {
        self.has_id(&hook);
        let located = Located::from(&hook.resource);
        let begun = Begun { type_name: hook.resource.resource_type, located, is_taken: false };
        self.begun.insert((hook.resource.addr, hook.action), begun);
    }

    fn end(&mut self, hook: &HookLine) {
        self.begun.remove(&(hook.resource.addr.clone(), hook.action.clone()));
        self.has_id(hook);
    }

    fn plan(&mut self, change: &HookLine) {
        let action = match change.action.as_str() {
            "create" => Action::Create,
            "update" => Action::Update,
            "replace" => Action::Replace,
            "delete" => Action::Delete,
            // A read, a move, an import: nothing is changed.
            _ => return,
        };
        self.planned.push(PlannedChange { address: change.resource.addr.as_str().into(), action });
    }
}

impl From<&ResourceLine> for Located {
    fn from(resource: &ResourceLine) -> Self {
        Self {
            address: resource.addr.as_str().into(),
            name: resource.resource_name.as_str().into(),
            module: Some(resource.module.as_str()).filter(|module| !module.is_empty()).map(Into::into),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(kind: &str, address: &str, action: &str, id: &str) -> Vec<u8> {
        let module = address.rsplit_once(".t.").map(|(module, _)| module).unwrap_or_default();
        let resource = serde_json::json!({
            "addr": address, "module": module, "resource_type": "t", "resource_name": "a", "resource_key": null,
            "implied_provider": "t", "resource": "t.a",
        });
        let what = serde_json::json!({ "resource": resource, "action": action, "id_key": "id", "id_value": id });
        let member = if kind == "planned_change" { "change" } else { "hook" };
        serde_json::json!({ "@level": "info", "type": kind, member: what }).to_string().into_bytes()
    }

    fn address(located: Option<Located>) -> Option<String> {
        located.map(|located| located.address.to_string())
    }

    #[test]
    fn an_object_that_has_an_id_is_found_by_it_if_it_is_the_only_one() {
        let stream = Stream::default();
        stream.take(&line("refresh_start", "t.a", "", "1"));
        stream.take(&line("refresh_start", "module.m[0].t.a", "", "2"));
        assert_eq!(address(stream.locate("t", Some("1"), None)).as_deref(), Some("t.a"));
        let found = stream.locate("t", Some("2"), Some("update")).unwrap();
        assert_eq!(
            (&*found.address, found.module.as_deref(), &*found.name),
            ("module.m[0].t.a", Some("module.m[0]"), "a")
        );
        assert_eq!(stream.locate("other", Some("1"), None), None);
        stream.take(&line("apply_start", "t.b", "update", "1"));
        assert_eq!(stream.locate("t", Some("1"), Some("update")), None, "two objects have it");
    }

    #[test]
    fn what_has_no_id_is_found_only_where_it_is_the_only_one_that_is_begun() {
        let stream = Stream::default();
        assert_eq!(stream.locate("t", None, Some("create")), None);
        stream.take(&line("apply_start", "t.a", "create", ""));
        assert_eq!(stream.locate("t", None, Some("delete")), None);
        assert_eq!(address(stream.locate("t", None, Some("create"))).as_deref(), Some("t.a"));
        assert_eq!(stream.locate("t", None, Some("create")), None, "another call has taken it");
        stream.take(&line("apply_start", "t.b", "create", ""));
        stream.take(&line("apply_start", "t.c", "create", ""));
        assert_eq!(stream.locate("t", None, Some("create")), None, "it could be either");
        stream.take(&line("apply_complete", "t.b", "create", "9"));
        assert_eq!(address(stream.locate("t", None, Some("create"))).as_deref(), Some("t.c"));
        assert_eq!(address(stream.locate("t", Some("9"), None)).as_deref(), Some("t.b"));
    }

    #[test]
    fn planned_changes_are_told_when_they_are_summed_up() {
        let stream = Stream::default();
        stream.take(&line("planned_change", "t.a", "create", ""));
        stream.take(&line("planned_change", "t.b", "read", ""));
        stream.take(b"not json");
        stream.take(br#"{"type":"change_summary","changes":{"add":1,"operation":"apply"}}"#);
        assert_eq!(stream.changes(), None);
        stream.take(br#"{"type":"change_summary","changes":{"add":1,"operation":"plan"}}"#);
        assert_eq!(stream.changes(), Some(vec![PlannedChange { address: "t.a".into(), action: Action::Create }]));
    }
}
