//! Classes that SDKs have beside those that are called like a component.

use std::collections::BTreeMap;

use super::title;
use crate::error::SchemaError;

/// Who has which class, in any language. Case does not count, since classes are in files of their names.
#[derive(Default)]
pub(crate) struct Helpers(BTreeMap<String, String>);

/// Beside a resource `X`: arguments in every language, state in Go. (Go's generator looks itself for what is called like the
/// rest of what it makes, such as `XOutput` and `GetX`, and renames that.)
const OF_RESOURCES: [&str; 3] = ["", "Args", "State"];

/// Beside a function `x`: arguments and result in every language, `XOutput` in TypeScript and Go, `XInvokeArgs` in .NET,
/// `XPlainArgs` in Java, and outputs of arguments and results.
const OF_FUNCTIONS: [&str; 8] =
    ["", "Args", "Result", "Output", "OutputArgs", "ResultOutput", "InvokeArgs", "PlainArgs"];

impl Helpers {
    /// Takes the classes of a component that is called `name` in Pulumi and `what` in messages.
    pub(crate) fn take(&mut self, name: &str, is_resource: bool, what: &str) -> Result<(), SchemaError> {
        let ends: &[&str] = if is_resource { &OF_RESOURCES } else { &OF_FUNCTIONS };
        for end in ends {
            let class = format!("{}{end}", title(name));
            if let Some(first) = self.0.insert(class.to_lowercase(), what.to_owned()).filter(|first| first != what) {
                return Err(SchemaError::ClassCollision { first, second: what.to_owned(), class });
            }
        }
        Ok(())
    }
}
