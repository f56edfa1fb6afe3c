//! A hub: where components are registered before a provider is made of them.
//!
//! Macros, discovery and code that makes components at run time (from scripts, say) all meet here. There is one hub for
//! the process, and any number of private ones. A hub takes components until a provider that was built on it serves its
//! schema; from then on hosts rely on that schema, and registering is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use denobridge_core::{Diagnostic, Diagnostics};
use thiserror::Error;

use crate::composite::Composite;
use crate::discovery::MarkerKey;
use crate::erased::{
    ErasedAction, ErasedCapability, ErasedDataSource, ErasedEphemeralResource, ErasedFunction, ErasedListResource,
    ErasedResource, ErasedStateStore,
};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident($component:ident) $name:literal;)*) => {
        /// The kinds of components.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ComponentKind {
            $($(#[$doc])* $kind,)*
            /// A kind of the program's own, with what people call it; see [`Composite`].
            Composite(&'static str),
        }

        impl ComponentKind {
            /// What people call it: `data source`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                    Self::Composite(name) => name,
                }
            }
        }

        /// A component of any kind.
        #[derive(Clone)]
        pub enum Component {
            $($(#[$doc])* $kind(Arc<dyn $component>),)*
            /// A component of a kind of the program's own.
            Composite(Arc<dyn Composite>),
        }

        impl Component {
            /// Its kind.
            #[must_use]
            pub fn kind(&self) -> ComponentKind {
                match self {
                    $(Self::$kind(_) => ComponentKind::$kind,)*
                    Self::Composite(composite) => ComponentKind::Composite(composite.kind()),
                }
            }

            /// Whether both are one and the same component, not just alike.
            #[must_use]
            pub fn is(&self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$kind(this), Self::$kind(other)) => same(this, other),)*
                    (Self::Composite(this), Self::Composite(other)) => same(this, other),
                    _ => false,
                }
            }
        }

        $(into_component!($component as $kind);)*
        into_component!(Composite as Composite);
    };
}

macro_rules! into_component {
    ($component:ident as $kind:ident) => {
        impl From<Arc<dyn $component>> for Component {
            fn from(component: Arc<dyn $component>) -> Self {
                Self::$kind(component)
            }
        }

        impl From<Box<dyn $component>> for Component {
            fn from(component: Box<dyn $component>) -> Self {
                Self::$kind(component.into())
            }
        }
    };
}

fn same<C: ?Sized>(this: &Arc<C>, other: &Arc<C>) -> bool {
    std::ptr::addr_eq(Arc::as_ptr(this), Arc::as_ptr(other))
}

kinds! {
    /// A managed resource.
    Resource(ErasedResource) "resource";
    /// A data source.
    DataSource(ErasedDataSource) "data source";
    /// A function.
    Function(ErasedFunction) "function";
    /// An ephemeral resource.
    EphemeralResource(ErasedEphemeralResource) "ephemeral resource";
    /// An action.
    Action(ErasedAction) "action";
    /// A list resource.
    ListResource(ErasedListResource) "list resource";
    /// A state store.
    StateStore(ErasedStateStore) "state store";
    /// A capability.
    Capability(ErasedCapability) "capability";
}

impl std::fmt::Debug for Component {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind().name())
    }
}

/// A component with the capability that it belongs to.
#[derive(Clone, Debug)]
pub struct Registration {
    /// The component.
    pub component: Component,
    /// The name of its capability, if it belongs to one.
    pub capability: Option<Arc<str>>,
}

/// What registering came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registered {
    /// There was none of that kind and name.
    Added,
    /// This very component was there already.
    Unchanged,
    /// It took the place of another; the provider's schema comes with a warning about it.
    Replaced,
}

/// Why a component cannot be registered.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum HubError {
    /// Another component has the name, and the hub is strict.
    #[error("another {} is already registered as {name}", kind.name())]
    Taken {
        /// The kind.
        kind: ComponentKind,
        /// The name.
        name: Arc<str>,
    },
    /// The schema has been served.
    #[error(
        "the {} {name} was registered after the provider's schema was served; register it before the provider starts",
        kind.name()
    )]
    TooLate {
        /// The kind.
        kind: ComponentKind,
        /// The name.
        name: Arc<str>,
    },
}

type Components = BTreeMap<(ComponentKind, Arc<str>), Registration>;

#[derive(Default)]
struct State {
    components: Components,
    warnings: Diagnostics,
    sealed: bool,
    /// Which marked components have been looked at.
    discovered: BTreeSet<MarkerKey>,
}

/// Components by kind and name.
#[derive(Default)]
pub struct Hub {
    strict: bool,
    state: Mutex<State>,
}

static PROCESS: LazyLock<Arc<Hub>> = LazyLock::new(Arc::default);

impl Hub {
    /// A private hub, in which the last component of a name counts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A private hub that refuses a second component of a name.
    #[must_use]
    pub fn strict() -> Self {
        Self { strict: true, state: Mutex::default() }
    }

    /// The hub of the process, to which macros register.
    #[must_use]
    pub fn process() -> &'static Arc<Hub> {
        &PROCESS
    }

    /// Registers a component.
    ///
    /// # Errors
    /// The name is taken and the hub strict, or the schema has been served.
    pub fn register(&self, name: impl Into<Arc<str>>, component: impl Into<Component>) -> Result<Registered, HubError> {
        self.add(name.into(), Registration { component: component.into(), capability: None })
    }

    /// Registers a component that belongs to a capability.
    ///
    /// # Errors
    /// As for [`Hub::register`]. That the capability exists is checked when the provider is made.
    pub fn register_in(
        &self,
        capability: impl Into<Arc<str>>,
        name: impl Into<Arc<str>>,
        component: impl Into<Component>,
    ) -> Result<Registered, HubError> {
        self.add(name.into(), Registration { component: component.into(), capability: Some(capability.into()) })
    }

    /// Whether this marked component has not been looked at yet; from now on it has.
    pub(crate) fn first_time(&self, marker: MarkerKey) -> bool {
        self.state().discovered.insert(marker)
    }

    /// What the provider's schema is to be accompanied by.
    pub(crate) fn warn(&self, warning: Diagnostic) {
        self.state().warnings.push(warning);
    }

    pub(crate) fn add(&self, name: Arc<str>, registration: Registration) -> Result<Registered, HubError> {
        let kind = registration.component.kind();
        let mut state = self.state();
        let existing = state.components.get(&(kind, Arc::clone(&name)));
        if existing.is_some_and(|existing| {
            existing.component.is(&registration.component) && existing.capability == registration.capability
        }) {
            return Ok(Registered::Unchanged);
        }
        if state.sealed {
            return Err(HubError::TooLate { kind, name });
        }
        let replaces = existing.is_some();
        if replaces && self.strict {
            return Err(HubError::Taken { kind, name });
        }
        if replaces {
            state.warnings.push(Diagnostic::warning(
                "A component was replaced",
                format!("The provider registered two {}s as {name}. The later one is in use.", kind.name()),
            ));
        }
        state.components.insert((kind, name), registration);
        Ok(if replaces { Registered::Replaced } else { Registered::Added })
    }

    /// The component of that kind and name.
    #[must_use]
    pub fn get(&self, kind: ComponentKind, name: &str) -> Option<Component> {
        self.state().components.get(&(kind, Arc::from(name))).map(|registration| registration.component.clone())
    }

    /// All components, or those of one kind.
    #[must_use]
    pub fn list(&self, kind: Option<ComponentKind>) -> BTreeMap<(ComponentKind, Arc<str>), Component> {
        let state = self.state();
        let wanted = state.components.iter().filter(|((found, _), _)| kind.is_none_or(|kind| kind == *found));
        wanted.map(|(key, registration)| (key.clone(), registration.component.clone())).collect()
    }

    /// What is registered, and what there is to say about it.
    pub(crate) fn contents(&self) -> (Vec<(Arc<str>, Registration)>, Diagnostics) {
        let state = self.state();
        let all = state.components.iter().map(|((_, name), registration)| (Arc::clone(name), registration.clone()));
        (all.collect(), state.warnings.clone())
    }

    /// Takes no more components.
    pub(crate) fn seal(&self) {
        self.state().sealed = true;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Hub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.state().components.keys()).finish()
    }
}
