//! Where a resource's objects come from: older versions of it, and other resources.

use std::sync::Arc;

use denobridge_core::cty::json;
use serde_json::Value as Json;

use super::by_name::value_of;
use crate::erased::{MoveSource, StateUpgrades};
use crate::model::Model;
use crate::typed::digits::Given;
use crate::typed::failure::Failure;

/// The steps from older versions of a stored form, one per version, each from a model to the next one's.
///
/// ```
/// use denobridge_framework::prelude::*;
///
/// /// The form of version 0.
/// #[derive(Model)]
/// struct First {
///     name: Option<String>,
/// }
///
/// /// The form of version 1.
/// #[derive(Model)]
/// struct Second {
///     names: Option<Vec<String>>,
/// }
///
/// let upgrades = Upgrades::default()
///     .step(0, |old: First| Ok(Second { names: old.name.map(|name| vec![name]) }));
/// # let _ = upgrades;
/// ```
#[derive(Clone, Debug, Default)]
pub struct Upgrades(pub(super) StateUpgrades);

impl Upgrades {
    /// Adds the step from version `from` to the one after it. Attributes that the older model does not have are dropped.
    #[must_use]
    pub fn step<Old: Model, New: Model>(
        self,
        from: i64,
        step: impl Fn(Old) -> Result<New, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self(self.0.from_version(from, move |stored| {
            let (old, given) = old_model::<Old>(stored).map_err(|reason| {
                let summary = format!("A state of schema version {from} cannot be read");
                Failure::new(summary, reason)
            })?;
            let new = given.complete(step(old)?.to_value());
            json::to_json(&new, &New::ty()).map_err(|error| {
                let summary = format!("The upgrade from schema version {from} left a state that cannot be stored");
                Failure::new(summary, format!("{error}.")).into_diagnostics()
            })
        }))
    }

    /// Adds a step that works on the stored JSON, for forms that no model describes.
    #[must_use]
    pub fn json_step(self, from: i64, step: impl Fn(Json) -> Result<Json, Failure> + Send + Sync + 'static) -> Self {
        Self(self.0.from_version(from, move |stored| Ok(step(stored)?)))
    }
}

/// Stored JSON as a model that may have fewer attributes, and what that was made of.
fn old_model<M: Model>(stored: Json) -> Result<(M, Given), String> {
    let value = value_of(stored, &M::ty()).map_err(|(reason, _)| format!("{reason}."))?;
    let model = M::from_value(&value).map_err(|error| format!("{error}."))?;
    let given = Given::to(&value, &model);
    Ok((model, given))
}

/// An object of another resource, as it comes over in a move.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The address of the provider that has it, such as `registry.terraform.io/hashicorp/aws`.
    pub provider_address: String,
    /// Its type there.
    pub type_name: String,
    /// The version of its schema there.
    pub schema_version: i64,
    /// Its state as stored.
    pub state: Json,
    /// Its identity as stored, if it has one.
    pub identity: Option<Json>,
}

type TakeOver<M> = Arc<dyn Fn(Moved) -> Result<M, Failure> + Send + Sync>;

/// The resources whose objects another one can take over.
///
/// ```
/// use denobridge_framework::erased::MoveSource;
/// use denobridge_framework::prelude::*;
///
/// /// What the other resource stores.
/// #[derive(Model)]
/// struct Old {
///     title: Option<String>,
/// }
///
/// #[derive(Model)]
/// struct Note {
///     name: Option<String>,
/// }
///
/// let moves: Moves<Note> =
///     Moves::default().from_model(MoveSource::of_type("old_note"), |old: Old| Ok(Note { name: old.title }));
/// # let _ = moves;
/// ```
#[derive(Clone)]
pub struct Moves<M>(Vec<(MoveSource, TakeOver<M>)>);

impl<M> Default for Moves<M> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<M> Moves<M> {
    /// Adds a resource, by the model of what it stores. Attributes that the model does not have are dropped.
    #[must_use]
    pub fn from_model<Old: Model>(
        self,
        source: MoveSource,
        take_over: impl Fn(Old) -> Result<M, Failure> + Send + Sync + 'static,
    ) -> Self {
        self.from_stored(source, move |moved| {
            let (old, _) = old_model(moved.state).map_err(|reason| {
                let summary = format!("The state of a {} cannot be read", moved.type_name);
                Failure::new(summary, reason)
            })?;
            take_over(old)
        })
    }

    /// Adds a resource, with everything that is known of the object.
    #[must_use]
    pub fn from_stored(
        mut self,
        source: MoveSource,
        take_over: impl Fn(Moved) -> Result<M, Failure> + Send + Sync + 'static,
    ) -> Self {
        self.0.push((source, Arc::new(take_over)));
        self
    }

    pub(super) fn sources(&self) -> Vec<MoveSource> {
        self.0.iter().map(|(source, _)| source.clone()).collect()
    }

    /// The object as one of this resource; `None` when it is not among the sources.
    pub(super) fn take_over(&self, moved: Moved) -> Option<Result<M, Failure>> {
        let fits = |source: &MoveSource| source.fits(&moved.type_name, &moved.provider_address, moved.schema_version);
        let (_, take_over) = self.0.iter().find(|(source, _)| fits(source))?;
        Some(take_over(moved))
    }
}
