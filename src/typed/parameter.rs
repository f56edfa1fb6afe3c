//! The parameter of a typed package as it is kept in SDKs: JSON, by which another machine finds the same package again, and
//! is told when it is no longer the same.
//!
//! ```json
//! {"script":"./infra","denobridge":{"form":1,"name":"infra","version":"1.2.0","asks":{"bucket.ts":["read=/srv"]},"offer":"H4sI…"}}
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::offer::Offer;

/// The form that is written here. One of a later version of ours has a higher number.
const FORM: u32 = 1;

/// What an SDK keeps of a package.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScriptParameter {
    /// Where the package is: a path, relative to the project where that is possible, or a URL.
    pub script: String,
    /// All that is ours.
    pub denobridge: Kept,
}

/// What there was when the SDK was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    /// Which form this has.
    form: u32,
    /// What the package is called in programs, whatever it calls itself by now.
    pub name: String,
    /// Its version then.
    pub version: String,
    /// The permissions that it asked for then, by file. More are never in force.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub asks: BTreeMap<String, Vec<String>>,
    /// What was added to what the package asks for by whoever made the SDK.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    /// What programs can use, to say what has changed.
    pub offer: Offer,
    /// For a package that comes from elsewhere: what pins it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<Pin>,
}

/// What pins a package that comes from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// SHA-256 of `denobridge.json`, in hexadecimal digits; none for a single script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<String>,
    /// Deno's lock file over all modules that its scripts load.
    pub lock: String,
}

impl Kept {
    /// What is kept of a package that was just read.
    #[must_use]
    pub fn new(name: String, version: String) -> Self {
        Self { form: FORM, name, version, asks: BTreeMap::new(), allow: Vec::new(), offer: Offer::default(), pin: None }
    }
}

impl ScriptParameter {
    /// Whether the bytes are meant to be such a parameter, and none of a Terraform provider.
    #[must_use]
    pub fn is_one(parameter: &[u8]) -> bool {
        #[derive(Deserialize)]
        struct Peek {
            script: Option<serde_json::Value>,
        }
        serde_json::from_slice::<Peek>(parameter).is_ok_and(|peek| peek.script.is_some())
    }

    /// Reads what was written; an error says what is wrong with it.
    ///
    /// # Errors
    /// It is none, or was written by a later version.
    pub fn read(parameter: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Form {
            form: u32,
        }
        #[derive(Deserialize)]
        struct Outer {
            denobridge: Form,
        }
        let wrong = |error: serde_json::Error| format!("it is not the JSON that it should be: {error}");
        let Outer { denobridge: Form { form } } = serde_json::from_slice(parameter).map_err(wrong)?;
        if form != FORM {
            return Err(format!("it has the form {form}, of a later version of the plugin"));
        }
        serde_json::from_slice(parameter).map_err(wrong)
    }

    /// The bytes that SDKs keep.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        // Strings and maps of them always have a JSON form.
        serde_json::to_vec(self).unwrap_or_default()
    }
}
