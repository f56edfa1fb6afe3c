//! Discovery: components that say themselves that they belong to a provider.
//!
//! An attribute with a name on a component's `impl` (and every `#[function]`) leaves a marker in the program. A provider
//! that discovers makes and registers what is marked, in its own crate and in those that are linked with it:
//!
//! ```
//! use denobridge_framework::prelude::*;
//!
//! #[derive(Model)]
//! struct Host {
//!     #[tf(required)]
//!     name: String,
//!     #[tf(computed)]
//!     address: Tf<String>,
//! }
//!
//! #[derive(Default)]
//! struct Hosts;
//!
//! #[data_source(name = "net_host")]
//! impl DataSource for Hosts {
//!     type Model = Host;
//!
//!     async fn read(&self, _: &Context, asked: Asked<'_, Host>) -> Result<Host, Failure> {
//!         Ok(Host { address: "127.0.0.1".into(), ..asked.config })
//!     }
//! }
//!
//! let provider = ProviderBuilder::new("net").discover().build().unwrap();
//! # let _ = provider;
//! ```
//!
//! What cannot be made is left out with a warning, and the rest is served. To be sure what a provider consists of, register
//! by hand (`add_data_source` and its kin), which is what providers do that are not large. Without the feature `discovery`
//! markers cost nothing and nothing is found.

use std::panic::catch_unwind;

use denobridge_core::Diagnostic;
use denobridge_core::call::{LogLevel, LogSink};

use crate::guard::message_of;
use crate::hub::{Component, ComponentKind, Hub, Registered, Registration};

#[cfg(feature = "discovery")]
#[doc(hidden)]
pub use inventory;

/// That something in the program is a component. Left by the attributes.
pub struct Marker {
    kind: ComponentKind,
    name: &'static str,
    capability: Option<&'static str>,
    module: &'static str,
    make: fn() -> Result<Component, String>,
}

/// What tells markers apart: kind, name, module.
pub(crate) type MarkerKey = (ComponentKind, &'static str, &'static str);

impl Marker {
    /// A component of that name, marked in that module, and how it is made.
    #[must_use]
    pub const fn new(
        kind: ComponentKind,
        name: &'static str,
        module: &'static str,
        make: fn() -> Result<Component, String>,
    ) -> Self {
        Self { kind, name, capability: None, module, make }
    }

    /// The same as part of a capability.
    #[must_use]
    pub const fn of_capability(mut self, capability: &'static str) -> Self {
        self.capability = Some(capability);
        self
    }

    fn key(&self) -> MarkerKey {
        (self.kind, self.name, self.module)
    }

    fn is_within(&self, module: &str) -> bool {
        module.is_empty()
            || self.module.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    }

    fn register(&self, hub: &Hub) -> Result<Registered, String> {
        if self.name.is_empty() {
            return Err("it has no name".to_owned());
        }
        let component = catch_unwind(self.make)
            .unwrap_or_else(|panic| Err(format!("it panicked while it was made: {}", message_of(&*panic))))?;
        let registration = Registration { component, capability: self.capability.map(Into::into) };
        hub.add(self.name.into(), registration).map_err(|error| error.to_string())
    }
}

#[cfg(feature = "discovery")]
inventory::collect!(Marker);

/// Leaves a marker in the program.
#[cfg(feature = "discovery")]
#[doc(hidden)]
#[macro_export]
macro_rules! mark {
    ($marker:expr) => {
        $crate::discovery::inventory::submit! { $marker }
    };
}

/// Leaves nothing.
#[cfg(not(feature = "discovery"))]
#[doc(hidden)]
#[macro_export]
macro_rules! mark {
    ($marker:expr) => {};
}

/// What a discovery came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discovery {
    /// What was registered, such as `data source net_host`.
    pub added: Vec<String>,
    /// What an earlier discovery of the hub had looked at.
    pub known: usize,
    /// What could not be registered, and why. The provider's schema comes with these as warnings.
    pub left_out: Vec<(String, String)>,
}

impl Discovery {
    /// Tells of each component at debug, and of their number at info.
    pub fn log(&self, log: &dyn LogSink) {
        for component in &self.added {
            log.log(LogLevel::Debug, "discovery", "found a component", &[("component", component)]);
        }
        for (component, reason) in &self.left_out {
            log.log(
                LogLevel::Warn,
                "discovery",
                "left out a component",
                &[("component", component), ("reason", reason)],
            );
        }
        let counts = [self.added.len(), self.known, self.left_out.len()].map(|count| count.to_string());
        let fields = [("added", &*counts[0]), ("known", &*counts[1]), ("left_out", &*counts[2])];
        log.log(LogLevel::Info, "discovery", "discovered components", &fields);
    }
}

impl Hub {
    /// Registers what is marked within a module or crate (`module_path!()`); with "", everything in the program. What has
    /// been looked at before is left alone, and one that does not work does not keep the others away.
    pub fn discover(&self, module: &str) -> Discovery {
        self.discover_among(markers(), module)
    }

    pub(crate) fn discover_among<'m>(&self, markers: impl IntoIterator<Item = &'m Marker>, module: &str) -> Discovery {
        let mut wanted: Vec<&Marker> = markers.into_iter().filter(|marker| marker.is_within(module)).collect();
        // The linker gives them in any order; what is told and which of two same names counts must not depend on it.
        wanted.sort_by_key(|marker| marker.key());
        let mut discovery = Discovery::default();
        for marker in wanted {
            let component = format!("{} {}", marker.kind.name(), marker.name);
            if !self.first_time(marker.key()) {
                discovery.known += 1;
                continue;
            }
            match marker.register(self) {
                Ok(_) => discovery.added.push(component),
                Err(reason) => {
                    self.warn(Diagnostic::warning(
                        format!("The {component} is not available"),
                        format!(
                            "It is marked in {}, but {reason}.\n\nPlease report this to the provider's developers.",
                            marker.module
                        ),
                    ));
                    discovery.left_out.push((component, reason));
                }
            }
        }
        discovery
    }
}

#[cfg(feature = "discovery")]
fn markers() -> impl Iterator<Item = &'static Marker> {
    inventory::iter::<Marker>.into_iter()
}

#[cfg(not(feature = "discovery"))]
fn markers() -> impl Iterator<Item = &'static Marker> {
    std::iter::empty()
}

#[cfg(test)]
#[cfg(feature = "discovery")]
mod tests;
