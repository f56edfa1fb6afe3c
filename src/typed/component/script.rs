//! The script of a component as the generic components know it.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::empty_block;
use denobridge_core::schema::Schema;
use denobridge_framework::Context;

use crate::deno::Permissions;
use crate::scripted::Scripts;

/// A script of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::typed) struct Script {
    /// Its path in the package.
    pub file: String,
    /// Where Deno finds it.
    pub location: String,
    /// The Deno configuration that it is run with.
    pub config_file: Option<String>,
}

/// What components get from the configured provider.
pub(in crate::typed) struct PackageData {
    /// What runs the scripts.
    pub scripts: Arc<Scripts>,
    /// What each file may do.
    pub permissions: BTreeMap<String, Permissions>,
}

impl Script {
    /// The circumstances of an operation as the generic component expects them.
    pub fn context(&self, context: &Context) -> Context {
        let data = context.provider_data::<PackageData>();
        context.clone().with_provider_data(data.map(|data| Arc::clone(&data.scripts) as _))
    }

    /// What a user of the generic component with this schema would write: which script it is, and `members`.
    pub fn object<'m>(
        &self,
        context: &Context,
        schema: &Schema,
        members: impl IntoIterator<Item = (&'m str, Value)>,
    ) -> Value {
        let text = |text: Option<&String>| text.map_or_else(|| Value::null(Type::String), Value::string);
        let data = context.provider_data::<PackageData>();
        let permissions = data.and_then(|data| data.permissions.get(&self.file).cloned()).unwrap_or_default();
        // The location is the package's affair: it is told anew each time and kept in no state.
        let own = [
            ("path", Value::string(&self.location)),
            ("config_file", text(self.config_file.as_ref())),
            ("permissions", permissions_value(&permissions)),
        ];
        let nothing = empty_block(&schema.block);
        own.into_iter().chain(members).fold(nothing, |object, (name, value)| object.with_attribute(name, value))
    }
}

fn permissions_value(permissions: &Permissions) -> Value {
    let list = |entries: &[String]| Value::list(Type::String, entries.iter().map(Value::string));
    Value::object([
        ("all", Value::bool(permissions.all)),
        ("allow", list(&permissions.allow)),
        ("deny", list(&permissions.deny)),
    ])
}
