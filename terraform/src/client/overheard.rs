//! What a provider has told of its schema to a host between which and the provider we stand, as it stood on the wire.
//!
//! It is decoded only if somebody wants to know: a schema may have megabytes.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use prost::Message as _;

use crate::proto::{tfplugin5 as pb5, tfplugin6 as pb};
use crate::wire5;

/// The last answers, until they are decoded.
#[derive(Default)]
pub(crate) struct Overheard {
    schema: Mutex<Option<Bytes>>,
    identities: Mutex<Option<Bytes>>,
}

impl Overheard {
    /// The answer to GetProviderSchema, or GetSchema in protocol 5.
    pub(crate) fn put_schema(&self, answer: Bytes) {
        *lock(&self.schema) = Some(answer);
    }

    /// The answer to GetResourceIdentitySchemas.
    pub(crate) fn put_identities(&self, answer: Bytes) {
        *lock(&self.identities) = Some(answer);
    }

    /// The schema, if it was told and is one.
    pub(super) fn schema(&self, protocol: u32) -> Option<pb::get_provider_schema::Response> {
        let answer = lock(&self.schema).take()?;
        if protocol == 5 {
            pb5::get_provider_schema::Response::decode(answer).ok().map(wire5::widened_schema)
        } else {
            pb::get_provider_schema::Response::decode(answer).ok()
        }
    }

    /// The identities, if they were told.
    pub(super) fn identities(&self) -> Option<pb::get_resource_identity_schemas::Response> {
        pb::get_resource_identity_schemas::Response::decode(lock(&self.identities).take()?).ok()
    }
}

fn lock(answer: &Mutex<Option<Bytes>>) -> MutexGuard<'_, Option<Bytes>> {
    // Whatever has panicked, an answer is there or not.
    answer.lock().unwrap_or_else(PoisonError::into_inner)
}
