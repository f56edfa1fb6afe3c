//! Private data with a type.

use denobridge_core::Diagnostic;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::private::PrivateData;

/// What a provider remembers about an object without showing it. Anything that serde can write as JSON; `()` for nothing.
pub trait Private: Serialize + DeserializeOwned + Default + Send + Sync + 'static {}

impl<T: Serialize + DeserializeOwned + Default + Send + Sync + 'static> Private for T {}

/// The key under which the whole of it is kept.
const KEY: &str = "typed";

pub(super) fn load<P: Private>(data: &PrivateData, type_name: &str) -> Result<P, Diagnostic> {
    match data.get(KEY) {
        Ok(stored) => Ok(stored.unwrap_or_default()),
        Err(error) => {
            Err(Diagnostic::error(format!("The private data of a {type_name} cannot be read"), format!("{error}.")))
        }
    }
}

/// Writes it back, unless it is nothing and nothing was there.
pub(super) fn store<P: Private>(private: &P, data: &mut PrivateData, type_name: &str) -> Result<(), Diagnostic> {
    let unwritable = |reason: String| {
        Diagnostic::error(format!("The private data of a {type_name} cannot be stored"), format!("{reason}."))
    };
    let json = serde_json::to_value(private).map_err(|error| unwritable(error.to_string()))?;
    let before = data.get::<serde_json::Value>(KEY).ok().flatten();
    if before.as_ref() == Some(&json) || (before.is_none() && json.is_null()) {
        return Ok(());
    }
    data.set(KEY, &json).map_err(|error| unwritable(error.to_string()))
}
