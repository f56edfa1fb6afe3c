//! A plan in the making, with types.

use std::marker::PhantomData;

use denobridge_core::cty::{Path, Value};

use crate::model::{Model, ModelError, ToValue};
use crate::plan::{PlanEdit, PlanKind};
use crate::typed::diff::{FieldChange, changes};
use crate::typed::digits::Given;
use crate::typed::failure::Failure;

/// A plan for a resource to change, after everything that the framework does: defaults, what is not known yet, what requires
/// replacement.
pub struct Planning<'p, M> {
    edit: &'p mut PlanEdit,
    model: PhantomData<fn() -> M>,
}

impl<'p, M: Model> Planning<'p, M> {
    pub(super) fn new(edit: &'p mut PlanEdit) -> Self {
        Self { edit, model: PhantomData }
    }

    /// What the plan is for; deletions too.
    #[must_use]
    pub fn kind(&self) -> PlanKind {
        self.edit.kind()
    }

    /// The configuration, write-only attributes included; `None` for a deletion.
    ///
    /// # Errors
    /// Parts of it are not known yet and the model has no room for that.
    pub fn config(&self) -> Result<Option<M>, ModelError> {
        read(self.edit.config())
    }

    /// The state before; `None` for a creation.
    ///
    /// # Errors
    /// The model has no room for it, such as a null that an import left.
    pub fn prior(&self) -> Result<Option<M>, ModelError> {
        read(self.edit.prior())
    }

    /// The state after, as far as known; `None` for a deletion.
    ///
    /// # Errors
    /// As [`Planning::config`].
    pub fn state(&self) -> Result<Option<M>, ModelError> {
        read(self.edit.planned())
    }

    /// The attributes and blocks that would change.
    #[must_use]
    pub fn changes(&self) -> Vec<FieldChange> {
        changes(self.edit.prior(), self.edit.planned())
    }

    /// Whether anything would change.
    #[must_use]
    pub fn has_changes(&self) -> bool {
        self.edit.has_changes()
    }

    /// Plans a value for an attribute that the provider computes.
    ///
    /// # Errors
    /// The model has no such attribute, or it is of another type.
    #[allow(clippy::needless_pass_by_value)] // reads as an assignment
    pub fn set(&mut self, attribute: &str, value: impl ToValue) -> Result<(), Failure> {
        let (value, ty) = (value.to_value(), M::ty());
        let wanted = ty.as_object().and_then(|object| object.attributes.get(attribute));
        match wanted {
            Some(wanted) if value.ty().conforms_to(wanted) => {
                // Parts of it may be what the model has held of the plan.
                let value = match self.state() {
                    Ok(Some(state)) => Given::to(self.edit.planned(), &state).complete_attribute(attribute, value),
                    _ => value,
                };
                self.edit.set(attribute, value);
                Ok(())
            }
            Some(wanted) => {
                let error = ModelError::mismatch(&value, wanted.clone());
                Err(error.within(denobridge_core::cty::PathStep::Attribute(attribute.into())).into())
            }
            None => Err(Failure::new(
                "The provider planned an attribute that does not exist",
                format!(
                    "The model {} has no attribute \"{attribute}\". Please report this to its developers.",
                    M::NAME
                ),
            )),
        }
    }

    /// Plans that an attribute which the provider computes is not known until apply.
    ///
    /// # Errors
    /// The model has no such attribute.
    pub fn unknown(&mut self, attribute: &str) -> Result<(), Failure> {
        let ty = M::ty();
        let wanted = ty.as_object().and_then(|object| object.attributes.get(attribute)).cloned();
        self.set(attribute, Value::unknown(wanted.unwrap_or(denobridge_core::cty::Type::Dynamic)))
    }

    /// A change of this part cannot be made in place.
    pub fn replace(&mut self, path: Path) {
        self.edit.require_replace(path);
    }

    /// The plan without its types.
    pub fn untyped(&mut self) -> &mut PlanEdit {
        self.edit
    }
}

fn read<M: Model>(value: &Value) -> Result<Option<M>, ModelError> {
    if value.is_null() { Ok(None) } else { M::from_value(value).map(Some) }
}
