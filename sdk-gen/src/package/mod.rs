//! The package schema, as Pulumi's engine and SDK generators read it.

mod defaults;
pub(crate) mod docs;
mod functions;
pub(crate) mod spec;
mod text;
mod types;

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use denobridge_core::schema::{ProviderSchema, Schema};
use serde_json::{Value, json};

use self::docs::Docs;
use self::spec::{
    BaseProviderSpec, ConfigSpec, MetadataSpec, PackageSpec, ParameterizationSpec, Properties, ResourceSpec, TypeSpec,
};
use self::types::{Side, TypeWriter};
use crate::error::SchemaError;
use crate::languages::{self, Helpers};
use crate::names::{ComponentNames, Field, ObjectNames, PackageNames, build_component, build_function, build_provider};
use crate::native::{self, ComponentKind};
use crate::options::{BasePlugin, PackageOptions};

pub use self::text::PackageSchema;

/// A Pulumi package: its schema and the names that the door translates with.
#[derive(Clone, Debug, PartialEq)]
pub struct Package {
    /// The package schema.
    pub schema: PackageSchema,
    /// The names.
    pub names: Arc<PackageNames>,
}

/// Makes the package of a provider.
///
/// # Errors
/// The schema has names that clash or that Pulumi does not allow, or the options are not usable.
pub fn generate(schema: &ProviderSchema, options: &PackageOptions) -> Result<Package, SchemaError> {
    check_options(options)?;
    let mut types = TypeWriter::new(&options.name);
    let mut spec = package_spec(options);

    let provider = build_provider(&schema.provider)?;
    spec.provider = provider_spec(&provider, &schema.provider, &mut types)?;
    spec.config = ConfigSpec {
        variables: spec.provider.input_properties.clone(),
        required: spec.provider.required_inputs.clone(),
    };

    let components = components(schema, options, &mut spec, &mut types)?;
    unique_tokens(&components)?;
    unique_classes(&components)?;
    spec.types = types.finish();
    languages::unions::widen(&mut spec);
    languages::dotnet::rename_members(&mut spec);

    let schema = PackageSchema::of(&options.name, &spec)?;
    let names = PackageNames::new(options.name.as_str().into(), provider, components);
    Ok(Package { schema, names: Arc::new(names) })
}

/// Adds everything that the package offers to its specification. What comes back are the names.
fn components(
    schema: &ProviderSchema,
    options: &PackageOptions,
    spec: &mut PackageSpec,
    types: &mut TypeWriter<'_>,
) -> Result<Vec<Arc<ComponentNames>>, SchemaError> {
    let mut components = Vec::new();
    let kinds = [
        (ComponentKind::Resource, &schema.resources),
        (ComponentKind::DataSource, &schema.data_sources),
        (ComponentKind::EphemeralResource, &schema.ephemeral_resources),
        (ComponentKind::Action, &schema.actions),
        (ComponentKind::ListResource, &schema.list_resources),
    ];
    for (kind, of_kind) in kinds.into_iter().filter(|(kind, _)| !options.without.contains(kind)) {
        for (type_name, component) in of_kind {
            let name = component_name(kind, type_name, options)?;
            let token = native::token(&options.name, &name);
            let names = build_component(kind, type_name, token.as_str().into(), component, schema)?;
            if kind.is_resource() {
                spec.resources.insert(token, resource_spec(&name, &names, component, types)?);
            } else {
                spec.functions.insert(token, functions::of_schema(&name, &names, component, types)?);
            }
            components.push(names);
        }
    }
    if !options.without.contains(&ComponentKind::Function) {
        for (function, signature) in &schema.functions {
            let name = component_name(ComponentKind::Function, function, options)?;
            let token = native::token(&options.name, &name);
            let names = build_function(function, token.as_str().into(), signature)?;
            let mut function = functions::of_signature(&name, &names, signature, types)?;
            if options.primitive_results_in_objects {
                functions::put_primitive_result_in_object(&mut function);
            }
            spec.functions.insert(token, function);
            components.push(names);
        }
    }
    Ok(components)
}

fn check_options(options: &PackageOptions) -> Result<(), SchemaError> {
    check_package(&options.name, &options.version)?;
    if let Some(base) = &options.parameterization {
        check_package(&base.name, &base.version)?;
    }
    Ok(())
}

pub(crate) fn check_package(name: &str, version: &str) -> Result<semver::Version, SchemaError> {
    if let Some(problem) = native::package_name_problem(name) {
        return Err(SchemaError::InvalidPackageName { name: name.to_owned(), problem });
    }
    semver::Version::parse(version)
        .map_err(|_| SchemaError::InvalidVersion { package: name.to_owned(), version: version.to_owned() })
}

/// Everything that does not depend on the provider's schema.
fn package_spec(options: &PackageOptions) -> PackageSpec {
    let text = |option: &Option<String>| option.clone().unwrap_or_default();
    PackageSpec {
        name: options.name.clone(),
        display_name: text(&options.display_name),
        version: options.version.clone(),
        description: text(&options.description),
        keywords: options.keywords.clone(),
        homepage: text(&options.homepage),
        license: text(&options.license),
        repository: text(&options.repository),
        plugin_download_url: text(&options.plugin_download_url),
        publisher: text(&options.publisher),
        meta: Some(MetadataSpec { module_format: None, support_pack: true }),
        language: language_options(&options.name),
        parameterization: options.parameterization.as_ref().map(parameterization_spec),
        ..PackageSpec::default()
    }
}

/// What generators are told. SDKs carry the version of the package rather than that of the generator.
fn language_options(package: &str) -> Value {
    let mut options = json!({
        "csharp": {"respectSchemaVersion": true},
        "go": {"generateExtraInputTypes": true, "respectSchemaVersion": true},
        "nodejs": {"respectSchemaVersion": true},
        "python": {"pyproject": {"enabled": true}, "respectSchemaVersion": true},
    });
    if let Some(namespaces) = languages::namespaces(package) {
        options["csharp"]["namespaces"] = namespaces;
    }
    if let Some(path) = languages::go_import_path(package) {
        options["go"]["importBasePath"] = path.into();
    }
    options
}

pub(crate) fn parameterization_spec(base: &BasePlugin) -> ParameterizationSpec {
    ParameterizationSpec {
        base_provider: BaseProviderSpec { name: base.name.clone(), version: base.version.clone() },
        parameter: STANDARD.encode(&base.parameter),
    }
}

fn provider_spec(
    names: &ObjectNames,
    schema: &Schema,
    types: &mut TypeWriter<'_>,
) -> Result<ResourceSpec, SchemaError> {
    let inputs = types.root("Provider", "provider configuration", names, Docs::Block(&schema.block), Side::Input)?;
    let required_inputs = pulumi_names(names, |field| field.required);
    // Providers can show strings only.
    let properties: Properties =
        inputs.iter().filter(|(_, property)| property.ty.is_string()).map(|(k, v)| (k.clone(), v.clone())).collect();
    Ok(ResourceSpec {
        description: docs::description(&schema.block.description),
        required: required_inputs.iter().filter(|name| properties.contains_key(*name)).cloned().collect(),
        properties,
        input_properties: inputs,
        required_inputs,
        ..ResourceSpec::default()
    })
}

fn resource_spec(
    name: &str,
    names: &ComponentNames,
    schema: &Schema,
    types: &mut TypeWriter<'_>,
) -> Result<ResourceSpec, SchemaError> {
    let fields = &names.fields;
    let all = types.root(name, &place_of(names), fields, Docs::Block(&schema.block), Side::Input)?;
    let own = own_properties(names, types)?;
    let with_own = |keep| {
        let mut properties = select(fields, &all, keep);
        properties.extend(own.iter().map(|(name, property)| (name.clone(), property.clone())));
        properties
    };
    let mut input_properties = with_own(Field::is_input);
    defaults::add(&mut input_properties, fields);
    Ok(ResourceSpec {
        description: docs::description(&schema.block.description),
        properties: with_own(Field::is_output),
        required: pulumi_names(fields, |field| field.is_output() && (field.required || field.computed)),
        input_properties,
        required_inputs: pulumi_names(fields, |field| field.required && !field.is_autonamed()),
        deprecation_message: docs::deprecation(schema.block.deprecation.as_deref()),
        ..ResourceSpec::default()
    })
}

/// What a component is called in messages.
fn place_of(names: &ComponentNames) -> String {
    format!("{} {}", names.kind, names.type_name)
}

/// Of all properties, those whose field `keep` picks.
fn select(fields: &ObjectNames, all: &Properties, keep: fn(&Field) -> bool) -> Properties {
    let kept = fields.properties().filter(|field| keep(field));
    kept.filter_map(|field| all.get_key_value(&*field.pulumi)).map(|(k, v)| (k.clone(), v.clone())).collect()
}

/// The inputs that a component has in Pulumi only.
fn own_properties(names: &ComponentNames, types: &mut TypeWriter<'_>) -> Result<Properties, SchemaError> {
    let mut own = types.root("", &place_of(names), &names.own, Docs::None, Side::Input)?;
    for (name, property) in &mut own {
        property.description = own_description(name);
        if name == native::LIMIT {
            property.ty = TypeSpec::integer();
        }
    }
    Ok(own)
}

/// What an input is for that a component has in Pulumi only.
pub(crate) fn own_description(name: &str) -> String {
    match name {
        native::TRIGGERS => {
            "Any value. The action runs when the resource is created, and again when this has changed.".to_owned()
        }
        native::INCLUDE_RESOURCE => "Whether to return whole objects, and not only their identities.".to_owned(),
        native::LIMIT => format!("How many objects to return at most. Default: {}.", native::DEFAULT_LIMIT),
        _ => String::new(),
    }
}

/// The sorted Pulumi names of the properties that `keep` picks.
fn pulumi_names(names: &ObjectNames, keep: impl Fn(&Field) -> bool) -> Vec<String> {
    let mut kept: Vec<_> =
        names.properties().filter(|field| keep(field)).map(|field| field.pulumi.to_string()).collect();
    kept.sort();
    kept
}

fn component_name(kind: ComponentKind, type_name: &str, options: &PackageOptions) -> Result<String, SchemaError> {
    let prefix = options.type_prefix.as_deref().unwrap_or(&options.name);
    let name = match options.component_names.get(&(kind, type_name.to_owned())) {
        Some(name) => name.clone(),
        None => native::component_name(kind, type_name, prefix),
    };
    match native::component_name_problem(&name) {
        Some(problem) => {
            Err(SchemaError::InvalidComponentName { kind, type_name: type_name.to_owned(), name, problem })
        }
        None => Ok(name),
    }
}

/// Resources and functions share one space of tokens, in which case does not count. (Types have their own, which
/// [`TypeWriter`] guards.)
fn unique_tokens(components: &[Arc<ComponentNames>]) -> Result<(), SchemaError> {
    let describe = |names: &ComponentNames| format!("the {}", place_of(names));
    let mut seen: BTreeMap<String, &ComponentNames> = BTreeMap::new();
    for names in components {
        if let Some(first) = seen.insert(names.token.to_lowercase(), names) {
            let (first, second) = (describe(first), describe(names));
            return Err(SchemaError::TokenCollision { first, second, token: names.token.to_string() });
        }
    }
    Ok(())
}

/// No component is called like a class that SDKs have for another one.
fn unique_classes(components: &[Arc<ComponentNames>]) -> Result<(), SchemaError> {
    let mut helpers = Helpers::default();
    for names in components {
        let what = format!("the {}", place_of(names));
        helpers.take(languages::last_part(&names.token), names.kind.is_resource(), &what)?;
    }
    Ok(())
}
