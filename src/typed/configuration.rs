//! The provider's configuration: what the package's own schema has, `permissions`, and how Deno runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::{Path, Type, Value};
use denobridge_core::planning::{empty_block, mark_sensitive};
use denobridge_core::schema::{Attribute, Block, Nesting, Schema};
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::ConfigureContext;
use denobridge_framework::provider::Configured;
use denobridge_framework::schema::{SchemaKind, is_reserved};
use denobridge_sdk_gen::native::{self, Level};

use super::advice::Adviser;
use super::component::PackageData;
use super::error::SchemaFault;
use super::names::camel_case;
use super::permissions::{Grant, effective};
use super::schema::{
    Place, Property, Role, attribute, markdown, object_with_defaults, only_given, read_object, script_object,
};
use super::validation::{self, Checker};
use super::{ScriptPackage, TypedError};
use crate::deno::Permissions;
use crate::scripted::{Runtime, Settings, permissions_schema, provider_schema};

/// The attribute that grants permissions.
const PERMISSIONS: &str = "permissions";
/// The attribute for how Deno runs.
const DENO: &str = "deno";

/// The configuration of a package's provider.
pub(super) struct Configuration {
    package: ScriptPackage,
    /// What Terraform calls the provider.
    provider: String,
    schema: Schema,
    /// What scripts get, by the package's own schema.
    properties: Vec<Property>,
    checker: Option<Checker>,
}

impl Configuration {
    /// Reads the package's schema for it. `provider` is what types begin with in Terraform.
    pub fn read(package: &ScriptPackage, provider: &str) -> Result<Self, TypedError> {
        let place = Place::new("denobridge.json", "config");
        let (mut properties, checker) = match &package.config {
            Some(schema) => {
                let properties = read_object(schema, &place)?;
                let checker = Checker::new(schema, &properties, &place)?;
                (properties, Some(checker))
            }
            None => (Vec::new(), None),
        };
        let mut names: BTreeMap<Arc<str>, Arc<str>> = BTreeMap::new();
        for property in &mut properties {
            let is_ours = [PERMISSIONS, DENO].contains(&&*property.terraform);
            if is_ours || is_reserved(SchemaKind::Provider, &property.terraform) {
                property.prefix_in_terraform(provider);
            }
            if is_ours || !native::is_property_name(Level::Provider, &property.script) {
                property.prefix_in_pulumi(&camel_case(provider));
            }
            if let Some(other) = names.insert(Arc::clone(&property.terraform), Arc::clone(&property.script)) {
                let (other, name) = (other.to_string(), property.terraform.to_string());
                return Err(place.inside(&property.script).fault(SchemaFault::SameName { other, name }));
            }
        }
        let schema = schema(package, &properties);
        Ok(Self { package: package.clone(), provider: provider.to_owned(), schema, properties, checker })
    }

    /// The schema.
    pub fn schema(&self) -> Schema {
        self.schema.clone()
    }

    /// What is wrong with a configuration, as far as it is known.
    pub fn validate(&self, config: &Value) -> Diagnostics {
        self.checked(&self.filled(config)).1
    }

    /// A schema may require what it has a default for.
    fn filled(&self, config: &Value) -> Value {
        object_with_defaults(&self.properties, config)
    }

    /// What a configuration with its defaults says, and what is wrong with it.
    fn checked(&self, config: &Value) -> (Option<Settings>, Diagnostics) {
        let given = script_object(&self.properties, config, &|_| true);
        let problems: Vec<_> = self.checker.iter().flat_map(|checker| checker.check(&given)).collect();
        let mut diagnostics = validation::diagnostics(&problems);
        let settings = Settings::read(&self.generic(config)).map_err(|error| diagnostics.push(in_deno(error))).ok();
        (settings, diagnostics)
    }

    /// The scripts with this configuration.
    pub fn configure(&self, runtime: &Runtime, context: &ConfigureContext) -> Configured {
        let config = self.filled(&context.config);
        let (settings, mut diagnostics) = self.checked(&config);
        let Some(mut settings) = settings.filter(|_| !diagnostics.has_errors()) else {
            return Configured { data: None, diagnostics };
        };
        let grants = config.attribute(PERMISSIONS);
        let is_known = grants.is_none_or(Value::is_wholly_known);
        // A script that is asked with less than it will have fails for no reason.
        settings.is_unknown |= !is_known;
        let grant = grant(grants);
        let adviser = Adviser::new(&self.package, &self.provider, grant.clone());
        diagnostics.extend(adviser.refused().filter(|_| is_known));
        let deny = list(grants, "deny");
        let permissions = self.package.scripts.iter().map(|script| {
            let allow = effective(&script.asks, &grant).granted;
            (script.file.clone(), Permissions { all: false, allow, deny: deny.clone() })
        });
        let permissions = permissions.collect();
        let mut scripts = runtime.scripts(settings, context.call.log_sink());
        scripts.owner = Some(Arc::new(adviser));
        let data = PackageData { scripts: Arc::new(scripts), permissions };
        Configured { data: Some(Arc::new(data)), diagnostics }
    }

    /// The configuration that the generic provider would have.
    fn generic(&self, config: &Value) -> Value {
        let nothing = empty_block(&provider_schema().block);
        let generic = match config.attribute(DENO) {
            Some(deno) if !deno.is_known() => nothing.with_attribute("deno_binary_path", Value::unknown(Type::String)),
            Some(deno) => deno
                .as_entries()
                .into_iter()
                .flatten()
                .fold(nothing, |generic, (name, value)| generic.with_attribute(Arc::clone(name), value.clone())),
            None => nothing,
        };
        if self.package.config.is_none() {
            return generic;
        }
        let marked = mark_sensitive(&self.schema.block, config);
        let is_secret = |property: &Property| property.facts.sensitive;
        let secret = script_object(&self.properties, &marked, &is_secret);
        let is_nothing = secret.as_entries().is_some_and(BTreeMap::is_empty);
        let secret = if is_nothing { Value::null(Type::Dynamic) } else { secret };
        generic
            .with_attribute("config", script_object(&self.properties, &marked, &|property| !is_secret(property)))
            .with_attribute("sensitive_config", secret)
    }
}

fn schema(package: &ScriptPackage, properties: &[Property]) -> Schema {
    let asks: Vec<String> = package
        .scripts
        .iter()
        .filter(|script| !script.asks.is_empty())
        .map(|script| {
            let flags: Vec<String> = script.asks.iter().map(|flag| format!("`{flag}`")).collect();
            format!("{} for `{}`", flags.join(", "), script.file)
        })
        .collect();
    let asks = match asks.is_empty() {
        true => "It asks for none.".to_owned(),
        false => format!("It asks for {}.", asks.join("; ")),
    };
    let text = format!(
        "Which of the permissions that the package asks for its scripts are in force: none that is not granted here. {asks}"
    );
    let optional =
        |attribute: Attribute, text: &str| Attribute { optional: true, description: markdown(Some(text)), ..attribute };
    let texts = [
        ("all", "Grants all that the package asks for, and no more."),
        ("allow", "What is granted of what is asked for: `env` grants any `env=…`."),
        ("deny", "Permissions that no script gets, whatever it asks for."),
    ];
    let permissions = permissions_schema().into_iter().map(|attribute| {
        let text = texts.iter().find(|(name, _)| **name == *attribute.name).map(|(_, text)| *text).unwrap_or_default();
        optional(attribute, text)
    });
    let deno = provider_schema().block.attributes.into_iter();
    let deno = deno.filter(|attribute| !matches!(&*attribute.name, "config" | "sensitive_config"));
    let own = [
        optional(Attribute::nested(PERMISSIONS, Nesting::Single, permissions.collect()), &text),
        optional(Attribute::nested(DENO, Nesting::Single, deno.collect()), "How Deno runs the scripts."),
    ];
    let attributes = properties.iter().map(|property| only_given(attribute(property, Role::Given)));
    let description = markdown(package.description.as_deref());
    Schema { version: 0, block: Block { attributes: attributes.chain(own).collect(), description, ..Block::default() } }
}

/// What is wrong with a setting of the generic provider is wrong inside of `deno`.
fn in_deno(diagnostic: Diagnostic) -> Diagnostic {
    let inside = Path::root().attribute(DENO);
    let attribute = diagnostic.attribute.steps().iter().cloned().fold(inside, Path::then);
    Diagnostic { attribute, ..diagnostic }
}

fn grant(permissions: Option<&Value>) -> Grant {
    let all = permissions.and_then(|given| given.attribute("all")).and_then(Value::as_bool).unwrap_or(false);
    Grant { all, allow: list(permissions, "allow") }
}

fn list(permissions: Option<&Value>, name: &str) -> Vec<String> {
    let items = permissions.and_then(|given| given.attribute(name)).and_then(Value::as_elements).unwrap_or_default();
    items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}
