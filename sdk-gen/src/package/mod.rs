//! The package schema, as Pulumi's engine and SDK generators read it.

use std::sync::Arc;

use denobridge_core::schema::ProviderSchema;

use crate::error::SchemaError;
use crate::names::{PackageNames, build_component, build_provider};
use crate::native::{ComponentKind, component_name};
use crate::options::PackageOptions;

/// A Pulumi package: its schema and the names that the door translates with.
#[derive(Clone, Debug, PartialEq)]
pub struct Package {
    /// The package schema, which GetSchema answers as JSON text.
    pub schema: serde_json::Value,
    /// The names.
    pub names: Arc<PackageNames>,
}

/// Makes the package of a provider.
///
/// # Errors
/// The schema has names that clash or that Pulumi does not allow, or the options are not usable.
pub fn generate(schema: &ProviderSchema, options: &PackageOptions) -> Result<Package, SchemaError> {
    let prefix = options.type_prefix.as_deref().unwrap_or(&options.name);
    let mut components = Vec::new();
    for (type_name, resource) in &schema.resources {
        let kind = ComponentKind::Resource;
        let name = options
            .component_names
            .get(&(kind, type_name.to_string()))
            .cloned()
            .unwrap_or_else(|| component_name(kind, type_name, prefix));
        let token = format!("{}:index:{name}", options.name);
        components.push(build_component(kind, type_name, token.into(), resource)?);
    }
    let names = PackageNames::new(options.name.as_str().into(), build_provider(&schema.provider)?, components);
    Ok(Package { schema: serde_json::Value::Null, names: Arc::new(names) })
}
