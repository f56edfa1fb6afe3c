//! The identities of the records of [`crate::bridged_provider::Acme`].

use std::sync::Mutex;

use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::{UpgradeResourceIdentityRequest, UpgradeResourceIdentityResponse};
use denobridge_core::{Diagnostics, DynamicValue};
use serde_json::Value as Json;

use crate::bridged_provider::shown;
use crate::bridged_schema::schema;

/// The identities in requests, by procedure.
#[derive(Default)]
pub struct Identities(Mutex<Vec<(&'static str, Json)>>);

impl Identities {
    /// Notes down the one in a request, if there is one.
    pub fn note(&self, procedure: &'static str, given: Option<DynamicValue>) -> Option<DynamicValue> {
        let identity = given?;
        let value = identity.decode(&schema().identities["acme_record"].implied_type()).expect("conforms");
        self.0.lock().expect("lock").push((procedure, shown(&value)));
        Some(identity)
    }

    /// Those since the last time.
    pub fn taken(&self) -> Vec<(&'static str, Json)> {
        std::mem::take(&mut *self.0.lock().expect("lock"))
    }

    /// The identity that an object will have: the one that it has, else one that is not known yet.
    pub fn planned(&self, prior: Option<DynamicValue>, type_name: &str, proposed: &Value) -> Option<DynamicValue> {
        let known = self.note("plan", prior);
        let has_one = type_name == "acme_record" && !proposed.is_null();
        has_one.then(|| known.unwrap_or_else(|| identity(Value::unknown(Type::String))))
    }
}

/// The identity of a record.
pub fn identity(key: Value) -> DynamicValue {
    Value::object([("zone_name", Value::string("z")), ("key", key)]).into()
}

/// The identity of an object, if it is a record.
pub fn of_object(type_name: &str, object: &Value) -> Option<DynamicValue> {
    (type_name == "acme_record").then(|| identity(object.attribute("key").cloned().expect("a key")))
}

/// An identity of version 0, which had another name for the key, in its current form.
pub fn upgraded(request: &UpgradeResourceIdentityRequest) -> UpgradeResourceIdentityResponse {
    assert_eq!(request.version, 0);
    let stored: Json = serde_json::from_slice(&request.raw_identity.json).expect("JSON");
    let key = Value::string(stored["record_key"].as_str().expect("a key"));
    UpgradeResourceIdentityResponse { upgraded_identity: identity(key), diagnostics: Diagnostics::new() }
}
