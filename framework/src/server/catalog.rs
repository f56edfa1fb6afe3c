//! What a provider consists of, put together once: components by kind with their schemas, and the one schema that is
//! served.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use denobridge_core::cty::Type;
use denobridge_core::planning::empty_block;
use denobridge_core::provider::ServerCapabilities;
use denobridge_core::schema::{FunctionSignature, IdentitySchema, ProviderSchema, Schema};
use denobridge_core::{Diagnostic, Diagnostics};

use super::signature;
use crate::composite::{Broken, taken_apart};
use crate::erased::{
    ErasedAction, ErasedCapability, ErasedDataSource, ErasedEphemeralResource, ErasedFunction, ErasedListResource,
    ErasedResource, ErasedStateStore, MoveSource, StateUpgrades,
};
use crate::guard::message_of;
use crate::hub::{Component, ComponentKind, Registration};
use crate::plan::Rules;
use crate::provider::BuildError;
use crate::schema::{SchemaKind, SchemaProblem, check, check_identity};

/// A component with what is worth computing once.
pub(crate) struct Entry<C: ?Sized> {
    pub component: Arc<C>,
    pub schema: Schema,
    pub ty: Type,
    pub capability: Option<Arc<str>>,
}

/// A managed resource likewise.
pub(crate) struct Registered {
    pub resource: Arc<dyn ErasedResource>,
    pub schema: Schema,
    pub ty: Type,
    pub rules: Rules,
    pub identity: Option<Identity>,
    pub upgrades: StateUpgrades,
    pub move_sources: Vec<MoveSource>,
    pub capability: Option<Arc<str>>,
}

/// The identity of a resource's objects.
pub(crate) struct Identity {
    pub schema: IdentitySchema,
    pub ty: Type,
}

/// A function likewise.
pub(crate) struct Function {
    pub function: Arc<dyn ErasedFunction>,
    pub signature: FunctionSignature,
    pub capability: Option<Arc<str>>,
}

type ByName<T> = BTreeMap<Arc<str>, T>;

/// Everything.
#[derive(Default)]
pub(crate) struct Catalog {
    pub schema: Arc<ProviderSchema>,
    pub config_type: Option<Type>,
    pub server_capabilities: ServerCapabilities,
    /// What was left out, and why.
    pub diagnostics: Diagnostics,
    pub resources: ByName<Registered>,
    pub data_sources: ByName<Entry<dyn ErasedDataSource>>,
    pub functions: ByName<Function>,
    pub ephemeral_resources: ByName<Entry<dyn ErasedEphemeralResource>>,
    pub actions: ByName<Entry<dyn ErasedAction>>,
    pub list_resources: ByName<Entry<dyn ErasedListResource>>,
    pub state_stores: ByName<Entry<dyn ErasedStateStore>>,
    pub capabilities: ByName<Arc<dyn ErasedCapability>>,
}

/// The provider's own parts, which do not change.
#[derive(Clone)]
pub(crate) struct Parts {
    pub name: String,
    pub config_schema: Schema,
    pub meta_schema: Option<Schema>,
    pub components: Vec<(Arc<str>, Registration)>,
}

/// Why a component is not in the catalog.
enum Fault {
    Schema(Vec<SchemaProblem>),
    Other(String),
}

/// Puts a catalog together from the provider's own components, which must all be without fault, and those of its hub, of
/// which faulty ones are left out with a warning.
pub(crate) fn assemble(parts: &Parts, hub: &[(Arc<str>, Registration)]) -> Result<Catalog, BuildError> {
    let (components, broken) = taken_apart(&parts.components);
    if let Some(Broken { component, reason }) = broken.into_iter().next() {
        return Err(BuildError::Component { provider: parts.name.clone(), component, reason });
    }
    let (hub, broken) = taken_apart(hub);
    let mut catalog = assemble_parts(&Parts { components, ..parts.clone() }, &hub)?;
    let left_out = broken.into_iter().map(|broken| left_out(&broken.component, &Fault::Other(broken.reason)));
    catalog.diagnostics.extend(left_out);
    Ok(catalog)
}

fn assemble_parts(parts: &Parts, hub: &[(Arc<str>, Registration)]) -> Result<Catalog, BuildError> {
    let mut catalog = Catalog::default();
    let mut schema = ProviderSchema {
        provider: merged_settings(parts, hub)?,
        provider_meta: parts.meta_schema.clone(),
        ..ProviderSchema::default()
    };
    let mut problems = check("provider configuration", SchemaKind::Provider, &schema.provider);
    for (from_hub, (name, registration)) in
        parts.components.iter().map(|own| (false, own)).chain(hub.iter().map(|hub| (true, hub)))
    {
        let kind = registration.component.kind();
        let component = format!("{} {name}", kind.name());
        if let Some(capability) = &registration.capability
            && !capabilities(parts, hub).any(|(known, _)| known == capability)
        {
            let (provider, capability) = (parts.name.clone(), capability.to_string());
            return Err(BuildError::UnknownCapability { provider, component, capability });
        }
        if catalog.has(kind, name) {
            return Err(BuildError::Duplicate {
                provider: parts.name.clone(),
                kind: kind.name(),
                name: name.to_string(),
            });
        }
        // A component's own description of itself is its code too, and may panic.
        let added = catch_unwind(AssertUnwindSafe(|| catalog.add(&mut schema, &component, name, registration)));
        let fault = match added {
            Ok(Ok(())) => continue,
            Ok(Err(fault)) => fault,
            Err(panic) => Fault::Other(format!("it panicked while describing itself: {}", message_of(&*panic))),
        };
        match fault {
            fault if from_hub => catalog.diagnostics.push(left_out(&component, &fault)),
            Fault::Schema(found) => problems.extend(found),
            Fault::Other(reason) => {
                return Err(BuildError::Component { provider: parts.name.clone(), component, reason });
            }
        }
    }
    if !problems.is_empty() {
        return Err(BuildError::Schema { provider: parts.name.clone(), problems });
    }
    catalog.check_lists(parts, &mut schema)?;
    catalog.server_capabilities = ServerCapabilities {
        plan_destroy: true,
        get_provider_schema_optional: true,
        move_resource_state: catalog.resources.values().any(|entry| !entry.move_sources.is_empty()),
        generate_resource_config: catalog.resources.values().any(|entry| entry.resource.generates_config()),
    };
    catalog.config_type = Some(schema.provider.implied_type());
    catalog.schema = Arc::new(schema);
    Ok(catalog)
}

fn left_out(component: &str, fault: &Fault) -> Diagnostic {
    let reason = match fault {
        Fault::Schema(problems) => problems.iter().map(|problem| format!("\n  - {problem}")).collect(),
        Fault::Other(reason) => format!(" {reason}"),
    };
    Diagnostic::warning(
        format!("The {component} is not available"),
        format!("The provider leaves it out because it is faulty:{reason}\n\nPlease report this to its developers."),
    )
}

fn capabilities<'p>(
    parts: &'p Parts,
    hub: &'p [(Arc<str>, Registration)],
) -> impl Iterator<Item = (&'p Arc<str>, &'p Arc<dyn ErasedCapability>)> {
    parts.components.iter().chain(hub).filter_map(|(name, registration)| match &registration.component {
        Component::Capability(capability) => Some((name, capability)),
        _ => None,
    })
}

/// The provider's configuration with the settings of every capability.
fn merged_settings(parts: &Parts, hub: &[(Arc<str>, Registration)]) -> Result<Schema, BuildError> {
    let mut merged = parts.config_schema.clone();
    let mut owners: BTreeMap<Arc<str>, String> = BTreeMap::new();
    let own = merged.block.attributes.iter().map(|attribute| &attribute.name);
    for name in own.chain(merged.block.blocks.iter().map(|nested| &nested.name)) {
        owners.insert(Arc::clone(name), "the provider itself".to_owned());
    }
    for (capability, component) in capabilities(parts, hub) {
        let settings = catch_unwind(AssertUnwindSafe(|| component.settings())).map_err(|panic| {
            let reason = format!("it panicked while describing itself: {}", message_of(&*panic));
            BuildError::Component {
                provider: parts.name.clone(),
                component: format!("capability {capability}"),
                reason,
            }
        })?;
        let names = settings.attributes.iter().map(|attribute| &attribute.name);
        for name in names.chain(settings.blocks.iter().map(|nested| &nested.name)) {
            let owner = format!("the capability {capability}");
            if let Some(other) = owners.insert(Arc::clone(name), owner.clone()) {
                let (provider, setting) = (parts.name.clone(), name.to_string());
                return Err(BuildError::SettingClash { provider, setting, owners: [other, owner] });
            }
        }
        merged.block.attributes.extend(settings.attributes);
        merged.block.blocks.extend(settings.blocks);
    }
    Ok(merged)
}

impl Catalog {
    fn has(&self, kind: ComponentKind, name: &str) -> bool {
        match kind {
            ComponentKind::Resource => self.resources.contains_key(name),
            ComponentKind::DataSource => self.data_sources.contains_key(name),
            ComponentKind::Function => self.functions.contains_key(name),
            ComponentKind::EphemeralResource => self.ephemeral_resources.contains_key(name),
            ComponentKind::Action => self.actions.contains_key(name),
            ComponentKind::ListResource => self.list_resources.contains_key(name),
            ComponentKind::StateStore => self.state_stores.contains_key(name),
            ComponentKind::Capability => self.capabilities.contains_key(name),
            // What it was made of is looked for instead.
            ComponentKind::Composite(_) => false,
        }
    }

    fn add(
        &mut self,
        served: &mut ProviderSchema,
        label: &str,
        name: &Arc<str>,
        registration: &Registration,
    ) -> Result<(), Fault> {
        let name = Arc::clone(name);
        macro_rules! entry {
            ($component:ident, $entries:ident) => {{
                let schema = $component.schema();
                let problems = $component.schema_problems(label, &schema);
                let entry = entry(label, Arc::clone($component), schema, problems, registration)?;
                served.$entries.insert(Arc::clone(&name), entry.schema.clone());
                self.$entries.insert(name, entry);
            }};
        }
        match &registration.component {
            Component::Resource(resource) => {
                let entry = resource_entry(label, resource, registration)?;
                served.resources.insert(Arc::clone(&name), entry.schema.clone());
                if let Some(identity) = &entry.identity {
                    served.identities.insert(Arc::clone(&name), identity.schema.clone());
                }
                self.resources.insert(name, entry);
            }
            Component::DataSource(component) => entry!(component, data_sources),
            Component::EphemeralResource(component) => entry!(component, ephemeral_resources),
            Component::Action(component) => entry!(component, actions),
            Component::ListResource(component) => entry!(component, list_resources),
            Component::StateStore(component) => entry!(component, state_stores),
            Component::Function(function) => {
                let signature = function.signature();
                signature::check(&name, &signature).map_err(Fault::Other)?;
                served.functions.insert(Arc::clone(&name), signature.clone());
                let capability = registration.capability.clone();
                self.functions.insert(name, Function { function: Arc::clone(function), signature, capability });
            }
            Component::Capability(capability) => {
                self.capabilities.insert(name, Arc::clone(capability));
            }
            // Taken apart before.
            Component::Composite(_) => {}
        }
        Ok(())
    }

    /// A list resource finds objects of a managed resource, by their identity.
    fn check_lists(&mut self, parts: &Parts, served: &mut ProviderSchema) -> Result<(), BuildError> {
        let without = |name: &&Arc<str>| self.resources.get(*name).is_none_or(|entry| entry.identity.is_none());
        let wrong: Vec<Arc<str>> = self.list_resources.keys().filter(without).cloned().collect();
        for name in wrong {
            let component = format!("list resource {name}");
            let reason = "there is no managed resource of that name with an identity".to_owned();
            let own = |(known, registration): &(Arc<str>, Registration)| {
                *known == name && registration.component.kind() == ComponentKind::ListResource
            };
            if parts.components.iter().any(own) {
                return Err(BuildError::Component { provider: parts.name.clone(), component, reason });
            }
            self.list_resources.remove(&name);
            served.list_resources.remove(&name);
            self.diagnostics.push(left_out(&component, &Fault::Other(reason)));
        }
        Ok(())
    }

    /// The settings that each capability misses while the provider is not configured.
    pub fn all_missing(&self) -> BTreeMap<Arc<str>, Vec<Arc<str>>> {
        let nothing = empty_block(&self.schema.provider.block);
        let missing = |(name, capability): (&Arc<str>, &Arc<dyn ErasedCapability>)| {
            (
                Arc::clone(name),
                catch_unwind(AssertUnwindSafe(|| capability.missing_settings(&nothing))).unwrap_or_default(),
            )
        };
        self.capabilities.iter().map(missing).collect()
    }
}

fn entry<C: ?Sized>(
    label: &str,
    component: Arc<C>,
    schema: Schema,
    of_component: Vec<SchemaProblem>,
    registration: &Registration,
) -> Result<Entry<C>, Fault> {
    let mut problems = check(label, SchemaKind::Other, &schema);
    problems.extend(of_component);
    if !problems.is_empty() {
        return Err(Fault::Schema(problems));
    }
    Ok(Entry { component, ty: schema.implied_type(), schema, capability: registration.capability.clone() })
}

fn resource_entry(
    label: &str,
    resource: &Arc<dyn ErasedResource>,
    registration: &Registration,
) -> Result<Registered, Fault> {
    let schema = resource.schema();
    let mut problems = check(label, SchemaKind::Resource, &schema);
    problems.extend(resource.schema_problems(label, &schema));
    let identity = resource.identity_schema();
    if let Some(identity) = &identity {
        problems.extend(check_identity(&format!("identity of {label}"), identity));
    }
    if !problems.is_empty() {
        return Err(Fault::Schema(problems));
    }
    let upgrades = resource.state_upgrades();
    if let Some(gap) = upgrades.gap(schema.version) {
        return Err(Fault::Other(format!("no step leads from version {gap} of its schema to the next")));
    }
    Ok(Registered {
        resource: Arc::clone(resource),
        rules: Rules::new(&schema.block, resource.plan_modifiers()),
        ty: schema.implied_type(),
        schema,
        identity: identity.map(|schema| Identity { ty: schema.implied_type(), schema }),
        upgrades,
        move_sources: resource.move_sources(),
        capability: registration.capability.clone(),
    })
}
