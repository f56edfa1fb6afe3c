//! Invoke: what is a function in Pulumi. Data sources are read, ephemeral resources opened, lists gathered and functions
//! called, each as Terraform core would do it.

mod data_source;
mod ephemeral;
mod function;
mod list;

use denobridge_core::cty::Value;
use denobridge_sdk_gen::{ComponentKind, Field, ObjectNames, Returns};

use super::Operation;
use crate::errors::Failure;
use crate::lease::Leases;
use crate::property_value::{PropertyMap, PropertyValue, wire};
use crate::proto::pulumirpc::CheckFailure;
use crate::translate::outputs;

/// The answer to a call.
#[derive(Debug)]
pub(crate) enum Answer {
    /// The result.
    Result(PropertyMap),
    /// What is wrong with the arguments.
    Refused(Vec<CheckFailure>),
}

impl Operation {
    /// Calls a function. What it opens is held by `leases`.
    pub(crate) async fn invoke(&self, arguments: &PropertyMap, leases: &Leases) -> Result<Answer, Failure> {
        self.learn(&[arguments]);
        if self.kind() == Some(ComponentKind::Function) {
            return self.call_function(arguments).await;
        }
        let checked = match self.checked(arguments).await? {
            Ok(checked) => checked,
            Err(failures) => return Ok(Answer::Refused(failures)),
        };
        if !checked.config.is_wholly_known() || !checked.own.is_wholly_known() {
            return self.not_yet();
        }
        if self.is_unconfigured() && self.is_preview() {
            return self.not_yet();
        }
        self.require_configured()?;
        let result = match self.kind() {
            Some(ComponentKind::DataSource) => self.read_data_source(checked.config).await?,
            Some(ComponentKind::EphemeralResource) => self.open(checked.config, leases).await?,
            Some(ComponentKind::ListResource) => match list::limit(&checked.own) {
                Ok(limit) => self.list(checked, limit).await?,
                Err(failure) => return Ok(Answer::Refused(vec![failure])),
            },
            _ => return Err(Failure::Bridge(format!("`{}` is no function", self.subject.token))),
        };
        self.answer(result)
    }

    /// The answer where arguments are not known yet. The engine calls no function then, but drops arguments that it does
    /// not know, and other callers may do otherwise.
    fn not_yet(&self) -> Result<Answer, Failure> {
        if !self.is_preview() {
            return Err(self.failed(&["it was called with values that are not known yet".to_owned()]));
        }
        let unknown = |field: &Field| (field.pulumi.to_string(), PropertyValue::Unknown);
        let of_all = |names: &ObjectNames| names.fields().filter(|field| !field.write_only).map(unknown).collect();
        Ok(Answer::Result(match self.component().map(|component| &component.returns) {
            Some(Returns::Object(names)) => of_all(names),
            Some(Returns::Value(field)) => PropertyMap::from([unknown(field)]),
            Some(Returns::Fields) | None => of_all(self.fields()),
        }))
    }

    /// A result in the form in which programs get it.
    fn answer(&self, result: PropertyMap) -> Result<Answer, Failure> {
        let result = outputs::for_programs(result);
        match result.iter().find(|(_, property)| property.nesting() > wire::MAX_NESTING) {
            None => Ok(Answer::Result(result)),
            Some((name, _)) => Err(self.failed(&[format!(
                "the output `{name}` is nested more than {} levels deep, which Pulumi cannot carry",
                wire::MAX_NESTING
            )])),
        }
    }

    /// The properties of a result that has the fields of its configuration, with what was secret in that.
    fn result_of(&self, value: &Value, config: &Value) -> PropertyMap {
        let marked = self.marked(value, config, &Value::null(config.ty()));
        outputs::root(&marked, self.fields())
    }
}
