//! Typed components as components of a provider or a hub.

use std::sync::Arc;

use super::{
    Action, Capability, DataSource, EphemeralResource, Function, ListResource, Resource, StateStore, action,
    capability, data_source, ephemeral_resource, function, list_resource, resource, state_store,
};
use crate::hub::Component;
use crate::provider::ProviderBuilder;

macro_rules! kinds {
    ($($(#[$doc:meta])* $add:ident, $make:ident($kind:ident);)*) => {
        /// Typed components, for [`crate::Hub::register`] and [`ProviderBuilder::component_of`].
        impl Component {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $make<C: $kind>(component: C) -> Self {
                    Self::$kind(Arc::new($make::Bridge(component)))
                }
            )*

            /// A function made by `#[function]`.
            #[must_use]
            pub fn function<F: Function>() -> Self {
                Self::Function(Arc::new(function::Bridge::<F>::default()))
            }

            /// A state store.
            #[must_use]
            pub fn state_store<S: StateStore>() -> Self {
                Self::StateStore(Arc::new(state_store::Bridge::<S>::default()))
            }
        }

        /// Typed components.
        impl ProviderBuilder {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $add<C: $kind>(self, name: impl Into<Arc<str>>, component: C) -> Self {
                    self.component(name, Component::$make(component))
                }
            )*

            /// A function made by `#[function]`, under the name that it has there.
            #[must_use]
            pub fn add_function<F: Function>(self) -> Self {
                self.component(F::NAME, Component::function::<F>())
            }

            /// A state store under Terraform's name for it.
            #[must_use]
            pub fn add_state_store<S: StateStore>(self, name: impl Into<Arc<str>>) -> Self {
                self.component(name, Component::state_store::<S>())
            }
        }
    };
}

kinds! {
    /// A managed resource, under Terraform's name for it such as `example_thing`.
    add_resource, resource(Resource);
    /// A data source, under Terraform's name for it.
    add_data_source, data_source(DataSource);
    /// An ephemeral resource, under Terraform's name for it.
    add_ephemeral_resource, ephemeral_resource(EphemeralResource);
    /// An action, under Terraform's name for it.
    add_action, action(Action);
    /// A list resource, under the name of the managed resource whose objects it finds.
    add_list_resource, list_resource(ListResource);
    /// A capability, whose name is for messages and for [`ProviderBuilder::component_of`].
    add_capability, capability(Capability);
}
