//! Names that are made up for resources to which the program gives none.
//!
//! A name is made up once and kept from then on: Check gets the inputs of the last time. When a resource is replaced it gets
//! none, so that the new one has another name than the old one.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use denobridge_sdk_gen::Field;
use sha2::{Digest as _, Sha256};

use super::Operation;
use crate::property_value::{PropertyMap, PropertyValue};
use crate::proto::pulumirpc::check_request::autonaming_options::Mode;
use crate::proto::pulumirpc::{CheckFailure, CheckRequest};

/// Longest name that is made up. Providers that want shorter ones say so themselves.
const LONGEST_NAME: usize = 255;

/// Hexadecimal digits at the end of a name that is made up here.
const SUFFIX_LENGTH: usize = 7;

/// What Check is told for making up names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Naming {
    old_inputs: PropertyMap,
    seed: Vec<u8>,
    wish: Wish,
}

/// What the user's `pulumi:autonaming` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Wish {
    /// Nothing.
    #[default]
    Unsaid,
    /// This name.
    Name(String),
    /// No name.
    Disabled,
}

impl Naming {
    pub(crate) fn new(request: &CheckRequest, old_inputs: PropertyMap) -> Self {
        let wish = request.autonaming.as_ref().map_or(Wish::Unsaid, |options| match options.mode() {
            Mode::Disable => Wish::Disabled,
            Mode::Propose | Mode::Enforce => Wish::Name(options.proposed_name.clone()),
        });
        Self { old_inputs, seed: request.random_seed.clone(), wish }
    }
}

impl Operation {
    /// Puts made-up names into inputs that have none, and returns the properties that got one.
    ///
    /// # Errors
    /// A name is needed and must not or cannot be made up.
    pub(super) fn autoname(&self, inputs: &mut PropertyMap, naming: &Naming) -> Result<Vec<Arc<str>>, CheckFailure> {
        let mut named = Vec::new();
        for field in self.fields().fields().filter(|field| field.is_autonamed()) {
            if inputs.get(&*field.pulumi).is_some_and(|given| !given.is_null()) {
                continue;
            }
            match self.made_up_name(field, naming) {
                Ok(name) => {
                    inputs.insert(field.pulumi.to_string(), name);
                    named.push(Arc::clone(&field.pulumi));
                }
                // The provider may do without, or have its own way of naming.
                Err(_) if !field.required => {}
                Err(reason) => return Err(CheckFailure { property: field.pulumi.to_string(), reason }),
            }
        }
        Ok(named)
    }

    fn made_up_name(&self, field: &Field, naming: &Naming) -> Result<PropertyValue, String> {
        if let Some(kept) = naming.old_inputs.get(&*field.pulumi)
            && matches!(kept.plain(), PropertyValue::String(_))
        {
            return Ok(kept.clone());
        }
        let name = match &naming.wish {
            Wish::Disabled => {
                return Err(
                    "the program must set it, since `pulumi:autonaming` says that no names are made up".to_owned()
                );
            }
            Wish::Name(name) => name.clone(),
            Wish::Unsaid => format!("{}-{}", self.subject.name, suffix(&naming.seed, &self.subject.urn)),
        };
        if name.len() > LONGEST_NAME {
            let length = name.len();
            return Err(format!(
                "the program must set it: the name that would be made up has {length} characters, and the most are \
                 {LONGEST_NAME}"
            ));
        }
        Ok(PropertyValue::String(name))
    }

    /// Whether a name looks like one that was made up here, so that a new resource gets another one.
    pub(super) fn is_made_up(&self, name: &str) -> bool {
        let suffix = name.strip_prefix(&*self.subject.name).and_then(|rest| rest.strip_prefix('-'));
        let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
        suffix.is_some_and(|suffix| suffix.len() == SUFFIX_LENGTH && suffix.bytes().all(is_digit))
    }
}

/// The end of a name: the same for the same seed, which an update plan keeps, and any where there is none.
fn suffix(seed: &[u8], urn: &str) -> String {
    let digest = match seed {
        [] => format!("{:016x}", RandomState::new().hash_one(urn)),
        seed => Sha256::new()
            .chain_update(seed)
            .chain_update(urn)
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect(),
    };
    digest.chars().take(SUFFIX_LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suffix_follows_from_the_seed() {
        assert_eq!(suffix(b"seed", "urn:a"), suffix(b"seed", "urn:a"));
        assert_ne!(suffix(b"seed", "urn:a"), suffix(b"seed", "urn:b"));
        assert_ne!(suffix(b"seed", "urn:a"), suffix(b"other", "urn:a"));
        assert_eq!(suffix(&[], "urn:a").len(), SUFFIX_LENGTH);
    }
}
