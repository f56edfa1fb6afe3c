//! The components of a provider and the types that their values have on the wire.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use denobridge_core::cty::Type;
use denobridge_core::schema::{ProviderSchema, Schema};

/// The kinds that requests name by type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ComponentKind {
    Resource,
    DataSource,
    EphemeralResource,
    ListResource,
    Action,
    StateStore,
}

impl ComponentKind {
    /// What people call it, with a capital for the start of a message.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Resource => "Resource type",
            Self::DataSource => "Data source",
            Self::EphemeralResource => "Ephemeral resource type",
            Self::ListResource => "List resource type",
            Self::Action => "Action type",
            Self::StateStore => "State store type",
        }
    }

    fn schema<'s>(self, offered: &'s ProviderSchema, type_name: &str) -> Option<&'s Schema> {
        match self {
            Self::Resource => offered.resources.get(type_name),
            Self::DataSource => offered.data_sources.get(type_name),
            Self::EphemeralResource => offered.ephemeral_resources.get(type_name),
            Self::ListResource => offered.list_resources.get(type_name),
            Self::Action => offered.actions.get(type_name),
            Self::StateStore => offered.state_stores.get(type_name),
        }
    }
}

/// The types of one component's values.
#[derive(Debug)]
pub(crate) struct Component {
    /// Configuration and state.
    pub ty: Type,
    /// Identity, where a resource has one.
    pub identity: Option<Type>,
}

/// What a request names.
type Key = (ComponentKind, Arc<str>);

/// Finds components by name and remembers their types: a schema's type is made of every attribute in it.
#[derive(Default)]
pub(crate) struct Components {
    known: RwLock<HashMap<Key, Arc<Component>>>,
}

impl Components {
    /// The component of that name; `None` when the provider does not offer it.
    pub(crate) fn find(
        &self,
        offered: &ProviderSchema,
        kind: ComponentKind,
        type_name: &str,
    ) -> Option<Arc<Component>> {
        let key = (kind, Arc::from(type_name));
        // A poisoned lock is still a valid map: nothing below can leave one half written.
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Some(Arc::clone(known));
        }
        let ty = kind.schema(offered, type_name)?.implied_type();
        let identity = match kind {
            ComponentKind::Resource => offered.identities.get(type_name).map(|schema| schema.implied_type()),
            _ => None,
        };
        let component = Arc::new(Component { ty, identity });
        self.known.write().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&component));
        Some(component)
    }
}
