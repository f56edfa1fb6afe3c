//! The packages that are served to one provider instance, by name.
//!
//! There is one, or one more that was asked for by a parameter.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use denobridge_core::Call;
use tokio::sync::OnceCell;

use crate::errors::Failure;
use crate::package::{LoadedPackage, PackageSource, Parameter};

pub(crate) struct Packages {
    source: Arc<dyn PackageSource>,
    parameterized: Mutex<Parameterized>,
    /// The plugin's own package, which is there without being asked for.
    own: OnceCell<Arc<LoadedPackage>>,
}

#[derive(Default)]
struct Parameterized {
    by_name: BTreeMap<String, (Parameter, Arc<LoadedPackage>)>,
    latest: Option<String>,
}

impl Packages {
    pub(crate) fn new(source: Arc<dyn PackageSource>) -> Self {
        Self { source, parameterized: Mutex::default(), own: OnceCell::new() }
    }

    /// Serves the package that a parameter asks for, from now on.
    pub(crate) async fn parameterize(&self, call: &Call, parameter: Parameter) -> Result<Arc<LoadedPackage>, Failure> {
        // Asked for the same again: the same provider goes on, with what it has already started.
        let known = {
            let parameterized = self.lock();
            let mut known = parameterized.by_name.values();
            known.find(|(served, _)| *served == parameter).map(|(_, package)| Arc::clone(package))
        };
        let package = match known {
            Some(package) => package,
            None => Arc::new(LoadedPackage::load(call, self.source.resolve(call, parameter.clone()).await?).await?),
        };
        let name = package.served.name.clone();
        let mut parameterized = self.lock();
        parameterized.by_name.insert(name.clone(), (parameter, Arc::clone(&package)));
        parameterized.latest = Some(name);
        Ok(package)
    }

    /// The package of that name; without a name, the plugin's own.
    pub(crate) async fn named(&self, call: &Call, name: Option<&str>) -> Result<Arc<LoadedPackage>, Failure> {
        if let Some(name) = name
            && let Some((_, package)) = self.lock().by_name.get(name)
        {
            return Ok(Arc::clone(package));
        }
        let own = self.own(call).await?;
        match name {
            Some(name) if name != own.served.name => Err(Failure::InvalidRequest(format!(
                "this plugin process does not serve the package {name}; it serves {}",
                self.names(&own.served.name)
            ))),
            _ => Ok(own),
        }
    }

    /// The package that was asked for last, with a parameter.
    pub(crate) fn parameterized(&self) -> Option<Arc<LoadedPackage>> {
        let parameterized = self.lock();
        let latest = parameterized.latest.as_ref().and_then(|name| parameterized.by_name.get(name));
        latest.map(|(_, package)| Arc::clone(package))
    }

    /// The package that was asked for last; without any, the plugin's own.
    pub(crate) async fn latest(&self, call: &Call) -> Result<Arc<LoadedPackage>, Failure> {
        match self.parameterized() {
            Some(package) => Ok(package),
            None => self.own(call).await,
        }
    }

    /// All packages that are there by now.
    pub(crate) fn loaded(&self) -> Vec<Arc<LoadedPackage>> {
        let parameterized = self.lock();
        let packages = parameterized.by_name.values().map(|(_, package)| package);
        packages.chain(self.own.get()).cloned().collect()
    }

    async fn own(&self, call: &Call) -> Result<Arc<LoadedPackage>, Failure> {
        let load = async || {
            let served = self.source.resolve(call, Parameter::None).await?;
            Ok::<_, Failure>(Arc::new(LoadedPackage::load(call, served).await?))
        };
        self.own.get_or_try_init(load).await.cloned()
    }

    fn names(&self, own: &str) -> String {
        let parameterized = self.lock();
        let names = parameterized.by_name.keys().map(String::as_str);
        names.chain([own]).collect::<Vec<_>>().join(", ")
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Parameterized> {
        self.parameterized.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
