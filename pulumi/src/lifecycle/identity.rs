//! Identities: the attributes that tell an object from all others. A provider says them with each state, and gets them back
//! with it, for which they are kept in the state; and an object can be imported by them.
//!
//! Under Pulumi an import has nothing but an id. For a foreign provider, an id that is a JSON object means the identity,
//! where the resource has one: `pulumi import aws:index/bucket:Bucket name '{"account": "1", "bucket": "b"}'`. The names are
//! Terraform's or in camel case.

use std::sync::Arc;

use denobridge_core::DynamicValue;
use denobridge_core::cty::{Path, Value, convert, json};
use denobridge_core::planning::rules::{self, Rule, Violation};
use denobridge_core::provider::{RawState, UpgradeResourceIdentityRequest};
use denobridge_core::schema::IdentitySchema;
use serde_json::{Map, Value as Json};

use super::Operation;
use crate::errors::Failure;
use crate::state::KeptIdentity;
use crate::translate::similar;

impl Operation {
    fn identity_schema(&self) -> Option<&IdentitySchema> {
        self.package.schema.identities.get(&self.type_name)
    }

    /// The identity in an answer, and what is wrong with it. It `may_be_unknown` where the object does not exist yet.
    pub(super) fn identity_in(
        &self,
        answer: Option<&DynamicValue>,
        may_be_unknown: bool,
    ) -> (Option<Value>, Vec<Violation>) {
        let (Some(schema), Some(answer)) = (self.identity_schema(), answer) else { return (None, Vec::new()) };
        match answer.decode(&schema.implied_type()) {
            Ok(identity) => {
                let violations = rules::identity_result(schema, &identity, may_be_unknown);
                (Some(identity).filter(|identity| !identity.is_null() && violations.is_empty()), violations)
            }
            Err(error) => {
                let message = format!("the identity cannot be read: {error}");
                (None, vec![Violation::new(Rule::Identity, Path::root(), message)])
            }
        }
    }

    /// The same, where a wrong identity fails the operation.
    pub(super) fn required_identity(
        &self,
        answer: Option<&DynamicValue>,
        may_be_unknown: bool,
    ) -> Result<Option<Value>, Failure> {
        let (identity, violations) = self.identity_in(answer, may_be_unknown);
        self.require(&violations)?;
        Ok(identity)
    }

    /// An identity as it is kept in the state.
    pub(super) fn kept_identity(&self, identity: Option<&Value>) -> Option<KeptIdentity> {
        let (schema, identity) = (self.identity_schema()?, identity?);
        let raw = json::to_json(identity, &schema.implied_type()).ok()?;
        Some(KeptIdentity { schema_version: schema.version, raw })
    }

    /// An identity out of the state, brought to its current schema by the provider.
    pub(super) async fn stored_identity(&self, kept: Option<KeptIdentity>) -> Result<Option<Value>, Failure> {
        let (Some(schema), Some(kept)) = (self.identity_schema(), kept) else { return Ok(None) };
        if kept.schema_version == schema.version {
            let identity = json::from_json(&kept.raw, &schema.implied_type());
            return identity.map(Some).map_err(|error| {
                self.failed(&[format!(
                    "the identity in the stored state cannot be read: {error}; was the state edited by hand?"
                )])
            });
        }
        self.not_newer("the identity in the stored state", kept.schema_version, schema.version)?;
        let request = UpgradeResourceIdentityRequest {
            type_name: Arc::clone(&self.type_name),
            version: kept.schema_version,
            raw_identity: RawState { json: kept.raw.to_string().into(), ..RawState::default() },
        };
        let answer = self.ask(|provider, call| provider.upgrade_resource_identity(call, request)).await?;
        self.settle(&answer.diagnostics)?;
        self.required_identity(Some(&answer.upgraded_identity), false)
    }

    /// The identity that an id means; `None` where it is an id like any other.
    pub(super) fn identity(&self, id: &str) -> Result<Option<DynamicValue>, Failure> {
        let Some(schema) = self.identity_schema() else { return Ok(None) };
        if !self.package.served.conventions.reads_identities_in_ids() {
            return Ok(None);
        }
        let Ok(Json::Object(given)) = serde_json::from_str::<Json>(id) else { return Ok(None) };
        let value = identity_of(schema, given).map_err(|problem| {
            self.failed(&[format!("the id to import is a JSON object, and so should be an identity: {problem}")])
        })?;
        Ok(Some(value.into()))
    }
}

fn identity_of(schema: &IdentitySchema, mut given: Map<String, Json>) -> Result<Value, String> {
    let mut attributes = Vec::new();
    for attribute in &schema.attributes {
        let camel = camel_case(&attribute.name);
        let said = given.shift_remove(&*attribute.name).or_else(|| given.shift_remove(&camel));
        let value = match said.filter(|said| !said.is_null()) {
            Some(said) => json::from_json(&said, &attribute.ty)
                .ok()
                .or_else(|| convert::convert(&Value::string(said.as_str()?), &attribute.ty).ok())
                .ok_or_else(|| format!("`{}` must be a {}", attribute.name, attribute.ty))?,
            None if attribute.required_for_import => return Err(format!("`{}` is missing", attribute.name)),
            None => Value::null(attribute.ty.clone()),
        };
        attributes.push((Arc::clone(&attribute.name), value));
    }
    match given.keys().next() {
        None => Ok(Value::object(attributes)),
        Some(name) => {
            let known = schema.attributes.iter().map(|attribute| &*attribute.name);
            let hint = similar(name, known).map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
            Err(format!("there is no attribute `{name}` in it{hint}"))
        }
    }
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut name, word| {
        let mut letters = word.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
        name
    })
}
