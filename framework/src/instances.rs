//! The objects that a provider works on: one operation at a time on each, and a record of what became of it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::SystemTime;

use denobridge_core::call::LogLevel;
use denobridge_core::cty::{Value, ValueKind};
use denobridge_core::{Call, Diagnostics};
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

/// Most records that are kept; the ones that have not changed for longest go first.
pub const MAX_RECORDS: usize = 10_000;

/// Where an object is in its life, as far as this process knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Nothing is known of it.
    #[default]
    Unknown,
    /// A change has been planned.
    Planned,
    /// It is being made.
    Creating,
    /// It is there.
    Created,
    /// It is being changed.
    Updating,
    /// It is being removed.
    Deleting,
    /// It is gone.
    Deleted,
    /// The last operation failed.
    Failed,
}

impl Phase {
    /// The word for it in logs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unknown => "UNKNOWN",
            Self::Planned => "PLANNED",
            Self::Creating => "CREATING",
            Self::Created => "CREATED",
            Self::Updating => "UPDATING",
            Self::Deleting => "DELETING",
            Self::Deleted => "DELETED",
            Self::Failed => "FAILED",
        }
    }
}

/// What became of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Where it is in its life.
    pub phase: Phase,
    /// The last operation on it: `creation`.
    pub operation: &'static str,
    /// When that was.
    pub changed: SystemTime,
    /// Why it failed, if it did. No secret is in it.
    pub error: Option<String>,
}

/// An object: its resource type, and what tells it from others of that type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    /// Terraform's name of the resource type.
    pub type_name: Arc<str>,
    /// Its identity, or else its `id`.
    pub key: String,
}

impl Instance {
    /// The object of that identity or, where there is none, with the `id` that its state has. `None` when neither tells,
    /// as of an object that is yet to be made.
    #[must_use]
    pub fn of(type_name: &Arc<str>, identity: Option<&Value>, state: &Value) -> Option<Self> {
        let identity = identity.filter(|identity| !identity.is_null() && identity.is_wholly_known());
        let key = match identity {
            Some(identity) => format!("{:?}", identity.clone().without_marks_deep()),
            None => {
                let id = state.attribute("id")?;
                if !matches!(id.kind(), ValueKind::String(_) | ValueKind::Number(_)) {
                    return None;
                }
                format!("{:?}", id.clone().without_marks_deep())
            }
        };
        Some(Self { type_name: Arc::clone(type_name), key })
    }
}

/// Lets one operation at a time work on an object.
#[derive(Default)]
pub(crate) struct Turns(Mutex<HashMap<Instance, Weak<Turn<()>>>>);

impl Turns {
    /// Waits until no other operation works on the object. Objects of one type do not wait for each other.
    pub async fn take(&self, instance: Option<&Instance>) -> Option<OwnedMutexGuard<()>> {
        let turn = {
            let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let instance = instance?;
            let turn = turns.get(instance).and_then(Weak::upgrade).unwrap_or_default();
            // Objects that nobody works on leave the table whenever it would grow.
            if turns.len() == turns.capacity() {
                turns.retain(|_, turn| turn.strong_count() > 0);
            }
            turns.insert(instance.clone(), Arc::downgrade(&turn));
            turn
        };
        Some(turn.lock_owned().await)
    }
}

/// Records of what became of objects. Give one to [`crate::ProviderBuilder::lifecycle`] to look into it.
#[derive(Default)]
pub struct Lifecycle(Mutex<Records>);

#[derive(Default)]
struct Records {
    by_instance: HashMap<Instance, (u64, Record)>,
    /// Changes in order; the ones of records that have changed since are passed over.
    order: VecDeque<(u64, Instance)>,
    next: u64,
}

impl Lifecycle {
    /// What became of an object; [`Phase::Unknown`] objects have no record.
    #[must_use]
    pub fn record(&self, instance: &Instance) -> Option<Record> {
        self.records().by_instance.get(instance).map(|(_, record)| record.clone())
    }

    pub(crate) fn change(
        &self,
        call: &Call,
        type_name: &str,
        instance: Option<&Instance>,
        operation: &'static str,
        phase: Phase,
        error: Option<String>,
    ) {
        let before = instance.and_then(|instance| self.record(instance)).map_or(Phase::Unknown, |record| record.phase);
        let log = call.log_sink();
        if log.enabled(LogLevel::Trace) {
            let message = format!("{type_name}: {} -> {}", before.name(), phase.name());
            let fields = [("operation", operation), ("error", error.as_deref().unwrap_or_default())];
            log.log(LogLevel::Trace, "lifecycle", &message, &fields[..if error.is_some() { 2 } else { 1 }]);
        }
        let Some(instance) = instance else { return };
        let record = Record { phase, operation, changed: SystemTime::now(), error };
        let mut records = self.records();
        let number = records.next;
        records.next += 1;
        records.by_instance.insert(instance.clone(), (number, record));
        records.order.push_back((number, instance.clone()));
        while records.by_instance.len() > MAX_RECORDS || records.order.len() > 2 * MAX_RECORDS {
            let Some((number, oldest)) = records.order.pop_front() else { break };
            if records.by_instance.get(&oldest).is_some_and(|(last, _)| *last == number) {
                records.by_instance.remove(&oldest);
            }
        }
    }

    /// Records how an operation ended.
    pub(crate) fn end(
        &self,
        call: &Call,
        type_name: &str,
        instance: Option<&Instance>,
        operation: &'static str,
        done: Phase,
        diagnostics: &Diagnostics,
    ) {
        let error = diagnostics.errors().next().map(|error| error.summary.clone());
        let phase = if error.is_some() { Phase::Failed } else { done };
        self.change(call, type_name, instance, operation, phase, error);
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(key: usize) -> Instance {
        Instance { type_name: "t".into(), key: key.to_string() }
    }

    #[test]
    fn f42_records_are_bounded_and_the_oldest_go() {
        let lifecycle = Lifecycle::default();
        let call = Call::new();
        for key in 0..=MAX_RECORDS {
            lifecycle.change(&call, "t", Some(&instance(key)), "read", Phase::Created, None);
            lifecycle.change(&call, "t", Some(&instance(1)), "read", Phase::Updating, None);
        }
        assert_eq!(lifecycle.record(&instance(0)), None);
        assert_eq!(lifecycle.record(&instance(1)).unwrap().phase, Phase::Updating);
        assert!(lifecycle.records().by_instance.len() <= MAX_RECORDS);
        assert!(lifecycle.records().order.len() <= 2 * MAX_RECORDS);
    }

    #[tokio::test]
    async fn f41_the_table_of_turns_does_not_grow_with_objects_that_are_done() {
        let turns = Turns::default();
        for key in 0..1000 {
            drop(turns.take(Some(&instance(key))).await);
        }
        assert!(turns.0.lock().unwrap().len() < 100);
    }
}
