//! Kinds of components that a program adds by itself.
//!
//! Terraform knows resources, data sources and so on, and no others. A kind of one's own is several of these under one
//! roof, made by one rule: a table that is a resource, a data source that looks it up, and a list of those there are.
//! It is registered like any other component, found in the hub by its kind, and served as its parts.
//!
//! ```
//! use std::sync::Arc;
//!
//! use denobridge_framework::Composite;
//! use denobridge_framework::hub::{Component, ComponentKind, Hub};
//! use denobridge_framework::prelude::*;
//!
//! #[derive(Model)]
//! struct Setting {
//!     #[tf(computed)]
//!     value: Tf<String>,
//! }
//!
//! /// A value that never changes, as something to look up and as something to open.
//! struct Constant(&'static str);
//!
//! struct Lookup(&'static str);
//!
//! impl DataSource for Lookup {
//!     type Model = Setting;
//!
//!     async fn read(&self, _: &Context, _: Asked<'_, Setting>) -> Result<Setting, Failure> {
//!         Ok(Setting { value: self.0.into() })
//!     }
//! }
//!
//! #[ephemeral_resource]
//! impl EphemeralResource for Lookup {
//!     type Model = Setting;
//!
//!     async fn open(&self, _: &Context, _: Opening<'_, Self>) -> Result<Setting, Failure> {
//!         Ok(Setting { value: self.0.into() })
//!     }
//! }
//!
//! impl Composite for Constant {
//!     fn kind(&self) -> &'static str {
//!         "constant"
//!     }
//!
//!     fn parts(&self, name: &str) -> Vec<(Arc<str>, Component)> {
//!         let (looked_up, opened) = (Component::data_source(Lookup(self.0)), Component::ephemeral_resource(Lookup(self.0)));
//!         vec![(name.into(), looked_up), (name.into(), opened)]
//!     }
//! }
//!
//! let constant: Box<dyn Composite> = Box::new(Constant("42"));
//! let hub = Arc::new(Hub::new());
//! hub.register("demo_answer", constant).unwrap();
//! assert!(hub.get(ComponentKind::Composite("constant"), "demo_answer").is_some());
//! let provider = ProviderBuilder::new("demo").hub(hub).build().unwrap();
//! # let _ = provider;
//! ```

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::guard::message_of;
use crate::hub::{Component, Registration};

/// A component of a kind of the program's own.
pub trait Composite: Send + Sync {
    /// What people call the kind, in the singular: `table`.
    fn kind(&self) -> &'static str;

    /// What it is made of: components of Terraform's kinds with their names, which begin with `name` if they are to be
    /// recognised. Asked whenever the provider is put together, and must answer the same each time. If the composite belongs
    /// to a capability, so do they.
    fn parts(&self, name: &str) -> Vec<(Arc<str>, Component)>;
}

/// A composite that could not be taken apart, and why.
pub(crate) struct Broken {
    pub component: String,
    pub reason: String,
}

/// The components with every composite replaced by its parts.
pub(crate) fn taken_apart(components: &[(Arc<str>, Registration)]) -> (Vec<(Arc<str>, Registration)>, Vec<Broken>) {
    let (mut whole, mut broken) = (Vec::new(), Vec::new());
    for (name, registration) in components {
        let Component::Composite(composite) = &registration.component else {
            whole.push((Arc::clone(name), registration.clone()));
            continue;
        };
        match parts(&**composite, name) {
            Ok(parts) => whole.extend(parts.into_iter().map(|(name, component)| {
                (name, Registration { component, capability: registration.capability.clone() })
            })),
            Err(reason) => broken.push(Broken { component: format!("{} {name}", composite.kind()), reason }),
        }
    }
    (whole, broken)
}

fn parts(composite: &dyn Composite, name: &str) -> Result<Vec<(Arc<str>, Component)>, String> {
    let parts = catch_unwind(AssertUnwindSafe(|| composite.parts(name)))
        .map_err(|panic| format!("it panicked while describing itself: {}", message_of(&*panic)))?;
    match parts.iter().find(|(_, part)| matches!(part, Component::Composite(_))) {
        Some((part, inner)) => {
            Err(format!("its part {part} is a {}, which is no kind of Terraform's", inner.kind().name()))
        }
        None => Ok(parts),
    }
}
