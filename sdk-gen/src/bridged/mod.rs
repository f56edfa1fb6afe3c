//! The naming policy for foreign providers: the package that the Go dynamic bridge makes of the same provider, so that
//! SDKs and stacks made with it keep working, plus [`Repair`]s of what it loses.
//!
//! | what | rule |
//! |---|---|
//! | property | camel case; lists and sets in the plural, unless the plural is an attribute of its own |
//! | block of one object at most | the object by itself |
//! | `id`, `urn`, `pulumi` of a resource | renamed, except an `id` that is a computed string: that is the Pulumi id |
//! | token | `package:index/name:Name`, for data sources `package:index/getName:getName` |
//! | object type | the name of what it is in, then the property, in the singular for arrays |
//!
//! Each rule has its module: [`inflect`] plurals, [`naming`] names, [`tokens`] components, [`kinds`] those that the Go bridge
//! does not offer, [`fields`] the tables, [`types`] object types, [`text`] and [`references`] descriptions, [`writer`] and
//! [`module`] the schema, [`mapping()`] what `pulumi convert` is told.

mod fields;
mod inflect;
mod kinds;
mod mapping;
mod module;
mod naming;
mod package;
mod references;
mod repairs;
mod text;
mod tokens;
mod types;
mod writer;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use denobridge_core::schema::ProviderSchema;

use self::fields::Builder;
pub use self::mapping::{mapped_provider, mapping};
use self::module::Module;
pub use self::package::unparameterized;
use self::references::References;
pub use self::repairs::{Repair, Repairs};
use self::tokens::Tokens;
use self::writer::Context;
use crate::error::SchemaError;
use crate::languages;
use crate::names::{ComponentNames, ObjectNames, PackageNames, ResourceId, Returns};
use crate::native::ComponentKind;
use crate::options::BasePlugin;
use crate::package::{Package, PackageSchema};

/// How a foreign provider becomes a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgedOptions {
    /// The provider's name: the last part of its address, or of its binary's name.
    pub provider: String,
    /// The provider's version, three numbers; `0.0.0` where nobody knows it.
    pub version: String,
    /// The first part of its address after the host: who publishes it. `None` for a binary of the user's.
    pub namespace: Option<String>,
    /// The package is called this rather than what the provider is called.
    pub package: Option<String>,
    /// Terraform names of the resources, data sources and functions that the package offers; empty means all. Names that
    /// the provider does not have are no error.
    pub includes: BTreeSet<String>,
    /// Those that it does not offer.
    pub excludes: BTreeSet<String>,
    /// The plugin that serves the package and what makes it do so.
    pub parameterization: Option<BasePlugin>,
    /// What is done better than the Go bridge does it.
    pub repairs: Repairs,
}

impl BridgedOptions {
    /// Everything that a provider has, with all repairs.
    #[must_use]
    pub fn new(provider: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            provider: provider.into(),
            version: version.into(),
            namespace: None,
            package: None,
            includes: BTreeSet::new(),
            excludes: BTreeSet::new(),
            parameterization: None,
            repairs: Repairs::all(),
        }
    }

    /// What the package is called.
    #[must_use]
    pub fn package_name(&self) -> &str {
        self.package.as_deref().unwrap_or(&self.provider)
    }

    /// Whether the package has the component of that Terraform name.
    fn offers(&self, name: &str) -> bool {
        !self.excludes.contains(name) && (self.includes.is_empty() || self.includes.contains(name))
    }
}

/// Makes the package of a foreign provider.
///
/// # Errors
/// The options are not usable, or the provider has names or types that have no place in a package; with all repairs on
/// that is next to nothing.
pub fn generate_bridged(schema: &ProviderSchema, options: &BridgedOptions) -> Result<Package, SchemaError> {
    let both: Vec<_> = options.includes.intersection(&options.excludes).cloned().collect();
    if !both.is_empty() {
        return Err(SchemaError::IncludedAndExcluded { tokens: both.join(", ") });
    }
    let tokens = tokens::compute(schema, options)?;
    let package = options.package_name();
    let builder = Builder { package, prefix: &tokens.prefix, repairs: &options.repairs };
    let references = references(package, &tokens);
    let context = Context { package, references: &references, repairs: &options.repairs };

    let provider = builder.configuration(&schema.provider.block, "provider configuration")?;
    let mut spec = package::package_spec(options)?;
    let config = package::configuration(context, &provider, &schema.provider.block, &mut spec);
    let mut collected = Collected { package, ..Collected::default() };
    collected.components(schema, &tokens, &builder, context)?;
    let Collected { modules, mut components, .. } = collected;
    // Of types with one name the last keeps it, which must not be one that the Go bridge does not have.
    let mut all = Vec::new();
    if options.repairs.contains(Repair::NewKinds) {
        let (names, modules): (Vec<_>, Vec<_>) =
            kinds::components(schema, options, &tokens, &builder, context)?.into_iter().unzip();
        components.extend(names);
        all.extend(modules);
    }
    all.push(config);
    let modules = all.into_iter().chain(modules.into_values().flatten());
    let own = package::provider(context, &provider, &schema.provider.block, &mut spec);
    let distinct = options.repairs.contains(Repair::DistinctTypes);
    module::assemble(modules.chain(std::iter::once(own)).collect(), distinct, &mut spec);

    if options.repairs.contains(Repair::DotnetMembers) {
        languages::dotnet::rename_members(&mut spec);
    }

    let schema = PackageSchema::of(package, &spec)?;
    let names = PackageNames::new(package.into(), provider, components);
    Ok(Package { schema, names: Arc::new(names) })
}

fn references(package: &str, tokens: &Tokens) -> References {
    let names = |names: &BTreeMap<Arc<str>, String>| {
        names.iter().map(|(type_name, name)| (type_name.to_string(), name.clone())).collect()
    };
    References {
        package: package.to_owned(),
        resources: names(&tokens.resources),
        data_sources: names(&tokens.data_sources),
    }
}

/// What the components of a provider come to.
#[derive(Default)]
struct Collected<'p> {
    package: &'p str,
    /// By the name of the module, which decides whose type counts where two have one name.
    modules: BTreeMap<String, Vec<Module>>,
    components: Vec<Arc<ComponentNames>>,
}

impl Collected<'_> {
    fn components(
        &mut self,
        schema: &ProviderSchema,
        tokens: &Tokens,
        builder: &Builder<'_>,
        context: Context<'_>,
    ) -> Result<(), SchemaError> {
        for (type_name, name) in &tokens.resources {
            let Some(resource) = schema.resources.get(type_name) else { continue };
            let place = format!("resource {type_name}");
            let (fields, id) = builder.resource(type_name, &resource.block, &place)?;
            let names = self.names(ComponentKind::Resource, type_name, name, fields, Returns::Fields, id);
            self.add(name, names.clone(), module::resource(context, name, &names, &resource.block));
        }
        for (type_name, name) in &tokens.data_sources {
            let Some(source) = schema.data_sources.get(type_name) else { continue };
            let fields = builder.block(&source.block, &format!("data source {type_name}"), 0)?;
            let names =
                self.names(ComponentKind::DataSource, type_name, name, fields, Returns::Fields, ResourceId::Absent);
            self.add(name, names.clone(), module::data_source(context, name, &names, &source.block));
        }
        for (function, name) in &tokens.functions {
            let Some(signature) = schema.functions.get(function) else { continue };
            let (parameters, returns) = builder.function(signature, &format!("function {function}"))?;
            let module = module::function(context, name, &parameters, &returns, signature)?;
            let order = parameters.iter().map(|field| Arc::clone(&field.terraform)).collect();
            let fields = Arc::new(ObjectNames::new(parameters));
            let names = self.names(ComponentKind::Function, function, name, fields, returns, ResourceId::Absent);
            self.add(name, Arc::new(ComponentNames { parameters: order, ..(*names).clone() }), module);
        }
        Ok(())
    }

    fn names(
        &self,
        kind: ComponentKind,
        type_name: &Arc<str>,
        name: &str,
        fields: Arc<ObjectNames>,
        returns: Returns,
        id: ResourceId,
    ) -> Arc<ComponentNames> {
        let token = naming::component_token(self.package, name).into();
        let (type_name, own) = (Arc::clone(type_name), Arc::default());
        let parameters = Arc::default();
        Arc::new(ComponentNames { kind, token, type_name, fields, own, parameters, returns, id })
    }

    fn add(&mut self, name: &str, names: Arc<ComponentNames>, module: Module) {
        self.modules.entry(naming::lower_first(name)).or_default().push(module);
        self.components.push(names);
    }
}
