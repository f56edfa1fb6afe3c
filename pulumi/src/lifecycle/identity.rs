//! Import by identity: by the attributes that tell an object from all others, rather than by one text.
//!
//! Under Pulumi an import has nothing but an id. For a foreign provider, an id that is a JSON object means the identity,
//! where the resource has one: `pulumi import aws:index/bucket:Bucket name '{"account": "1", "bucket": "b"}'`. The names are
//! Terraform's or in camel case.

use std::sync::Arc;

use denobridge_core::DynamicValue;
use denobridge_core::cty::{Value, convert, json};
use denobridge_core::schema::IdentitySchema;
use serde_json::{Map, Value as Json};

use super::Operation;
use crate::errors::Failure;
use crate::translate::similar;

impl Operation {
    /// The identity that an id means; `None` where it is an id like any other.
    pub(super) fn identity(&self, id: &str) -> Result<Option<DynamicValue>, Failure> {
        let Some(schema) = self.package.schema.identities.get(&self.type_name) else { return Ok(None) };
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
