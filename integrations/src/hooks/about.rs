//! What a request is about, as integrations are told.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use denobridge_core::cty::{Type, Value};
use denobridge_core::schema::{Block, Schema};
use denobridge_core::{Call, DynamicValue};
use serde_json::Value as Json;

use super::Hooks;
use crate::engine::Label;
use crate::protocol::{AddressSource, HostKind, Resource, State};
use crate::redaction::{self, View};
use crate::state_file::{Address, Addresses};

/// What a request is about.
pub(super) struct About {
    pub(super) resource: Resource,
    pub(super) label: Label,
    /// Tells the request from every other of this provider.
    pub(super) number: u64,
    pub(super) component: Arc<Component>,
    /// Whether it repeats what was asked about in the plan.
    pub(super) repeated: bool,
}

impl About {
    pub(super) fn block(&self) -> &Block {
        &self.component.schema.block
    }

    pub(super) fn ty(&self) -> &Type {
        &self.component.ty
    }
}

/// A component with the type of its values.
pub(super) struct Component {
    pub(super) schema: Schema,
    pub(super) ty: Type,
}

/// Components of each kind that were asked about, by name: to make a type of a large schema takes a while.
#[derive(Default)]
pub(super) struct Components(Mutex<ByName>);

type ByName = HashMap<(ComponentKind, Arc<str>), Arc<Component>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ComponentKind {
    Resource,
    DataSource,
    Ephemeral,
    Action,
}

impl Hooks {
    /// A component of the provider, if its schema is known.
    pub(super) fn component(&self, kind: ComponentKind, name: &Arc<str>) -> Option<Arc<Component>> {
        let mut components = self.components.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(component) = components.get(&(kind, Arc::clone(name))) {
            return Some(Arc::clone(component));
        }
        let all = self.schema.get()?;
        let of_kind = match kind {
            ComponentKind::Resource => &all.resources,
            ComponentKind::DataSource => &all.data_sources,
            ComponentKind::Ephemeral => &all.ephemeral_resources,
            ComponentKind::Action => &all.actions,
        };
        let schema = of_kind.get(name)?.clone();
        let component = Arc::new(Component { ty: schema.implied_type(), schema });
        components.insert((kind, Arc::clone(name)), Arc::clone(&component));
        Some(component)
    }
}

impl Hooks {
    /// What a request is about. `values` are its states, that which says most first.
    pub(super) fn about(
        &self,
        call: &Call,
        type_name: &Arc<str>,
        component: Arc<Component>,
        values: &[&Value],
        identity: Option<Json>,
    ) -> About {
        let known = self.engine.known();
        let id = values.iter().find_map(|value| redaction::id(&component.schema.block, value, known));
        let urn = call.subject().filter(|subject| self.kind == HostKind::Pulumi && !subject.is_empty());
        let mut resource = Resource {
            type_name: Arc::clone(type_name),
            name: None,
            address: None,
            address_source: AddressSource::None,
            module_path: None,
            deposed_key: None,
            urn: urn.map(Into::into),
            id,
            identity,
            provider: Arc::clone(&self.provider.address),
        };
        if let Some((token, name)) = urn.and_then(type_and_name) {
            resource.name = Some(name.into());
            resource.address = Some(format!("{token} {name}").into());
            resource.address_source = AddressSource::Urn;
        } else if let Some(address) = resource.id.as_deref().and_then(|id| self.guess(type_name, id)) {
            resource.name = Some(address.name);
            resource.address = Some(address.address);
            resource.module_path = address.module;
            resource.address_source = AddressSource::State;
        }
        let label = match &resource.address {
            Some(address) => Label::address(address),
            None => Label::instance(type_name, resource.id.as_deref(), values, known),
        };
        let number = self.asked_about.fetch_add(1, Ordering::Relaxed) + 1;
        About { resource, label, number, component, repeated: false }
    }

    fn guess(&self, type_name: &str, id: &str) -> Option<Address> {
        let addresses = self.addresses.get_or_init(|| Addresses::read(self.place.state_file.as_deref()));
        addresses.find(type_name, id).cloned()
    }

    /// A state as a view lets it out.
    pub(super) fn state(&self, about: &About, value: &Value, view: &View<'_>) -> State {
        redaction::project(about.block(), value, view, self.engine.known())
    }

    /// What there is to tell of an identity.
    pub(super) fn identity(&self, type_name: &str, identity: Option<&DynamicValue>) -> Option<Json> {
        let ty = self.schema.get()?.identities.get(type_name)?.implied_type();
        let value = identity?.decode(&ty).ok()?;
        redaction::identity(&value, self.engine.known())
    }

    /// The state that came of something, null where nothing did or it cannot be read.
    pub(super) fn resulting(&self, about: &About, value: Option<&Value>, view: &View<'_>) -> State {
        value.map(|value| self.state(about, value, view)).unwrap_or_default()
    }

    /// The values of a request, whose secrets are known from now on. The error says why one of them cannot be read.
    pub(super) fn read<const N: usize>(
        &self,
        component: &Component,
        values: [&DynamicValue; N],
    ) -> Result<[Value; N], String> {
        let mut read = values.map(|_| Value::null(Type::Dynamic));
        for (read, value) in read.iter_mut().zip(values) {
            *read = value.decode(&component.ty).map_err(|error| error.to_string())?;
        }
        read.iter().for_each(|value| self.engine.known().learn(&component.schema.block, value));
        Ok(read)
    }
}

impl Hooks {
    /// Pulumi's stack is in every URN: `urn:pulumi:STACK::…`.
    pub(super) fn learn_stack(&self, call: &Call) {
        let urn = call.subject().filter(|_| self.kind == HostKind::Pulumi);
        let stack = urn.and_then(|urn| urn.strip_prefix("urn:pulumi:")?.split_once("::")).map(|(stack, _)| stack);
        if let Some(stack) = stack {
            let _ = self.stack.set(stack.into());
        }
    }
}

/// The type and the name in a URN: `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`.
fn type_and_name(urn: &str) -> Option<(&str, &str)> {
    let mut parts = urn.splitn(4, "::").skip(2);
    let (types, name) = (parts.next()?, parts.next()?);
    Some((types.rsplit('$').next().unwrap_or(types), name))
}

#[cfg(test)]
mod tests {
    use super::type_and_name;

    #[test]
    fn the_type_and_name_of_a_urn() {
        assert_eq!(type_and_name("urn:pulumi:dev::shop::a:b:C$d:e:F::web::1"), Some(("d:e:F", "web::1")));
        assert_eq!(type_and_name("urn:pulumi:dev::shop::d:e:F::web"), Some(("d:e:F", "web")));
        assert_eq!(type_and_name("aws_instance.web"), None);
    }
}
