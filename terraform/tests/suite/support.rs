//! The provider under test, and its values.

use denobridge_core::cty::{Type, Value};
pub use denobridge_raw_client::{COOKIE, ClientCertificate, LIMIT, Plugin, client, soon, texts, value, wire};

/// The provider under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_terraform-provider-tiny");

/// The type of the provider's resources.
pub fn note_type() -> Type {
    Type::object(["id", "path", "text"].map(|name| (name, Type::String)))
}

/// A resource that is to be created.
pub fn note(path: &str, text: &str) -> Value {
    Value::object([("id", Value::unknown(Type::String)), ("path", Value::string(path)), ("text", Value::string(text))])
}
