//! Integrations that the configuration of the embedded provider names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_trait::async_trait;
use denobridge_core::cty::{Path as ValuePath, Value};
use denobridge_core::provider::{ConfigureProviderRequest, ConfigureProviderResponse, GetProviderSchemaRequest, Layer};
use denobridge_core::{Call, CallError, Diagnostic, Provider};
use denobridge_integrations::configuration::VARIABLE;
use denobridge_integrations::protocol::HostKind;

use super::Integrations;

/// The setting of the embedded provider.
pub(crate) const SETTING: &str = "integrations";

/// The integrations of each file that a provider of this process has named.
pub(crate) struct NamedFiles {
    kind: HostKind,
    /// Whether the user's environment names a file, or none: then no other counts.
    is_decided: bool,
    opened: Mutex<BTreeMap<PathBuf, Arc<Integrations>>>,
}

impl NamedFiles {
    pub(crate) fn new(kind: HostKind) -> Self {
        Self { kind, is_decided: std::env::var_os(VARIABLE).is_some(), opened: Mutex::default() }
    }

    fn open(&self, file: &Path) -> Arc<Integrations> {
        let file = std::env::current_dir().unwrap_or_default().join(file);
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(opened.entry(file.clone()).or_insert_with(|| Integrations::of(self.kind, Ok(file))))
    }

    /// All that there are by now.
    pub(crate) fn all(&self) -> Vec<Arc<Integrations>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
}

/// A provider about which the integrations are asked that its configuration names, and if it names none, those of the process.
pub(crate) struct Named {
    files: Arc<NamedFiles>,
    address: String,
    /// Without any integrations.
    provider: Arc<dyn Provider>,
    /// With those of the process, if it has any.
    otherwise: Arc<dyn Provider>,
    /// With those of the file that was named first.
    chosen: OnceLock<(String, Arc<dyn Provider>)>,
}

impl Named {
    pub(crate) fn new(
        files: Arc<NamedFiles>,
        address: &str,
        provider: Arc<dyn Provider>,
        otherwise: Arc<dyn Provider>,
    ) -> Self {
        Self { files, address: address.to_owned(), provider, otherwise, chosen: OnceLock::new() }
    }

    /// Lets the file that the configuration names be in force.
    fn choose(&self, config: &Value) -> Result<(), Diagnostic> {
        let Some(value) = config.attribute(SETTING).filter(|value| !value.is_null()) else { return Ok(()) };
        let refused =
            |summary: &str, detail: String| Diagnostic::error(summary, detail).at(ValuePath::root().attribute(SETTING));
        let Some(file) = value.as_str() else {
            let detail = "Which integrations are asked must be known before anything is planned. Name a file that exists \
                          already.";
            return Err(refused("The file of integrations is not known yet", detail.to_owned()));
        };
        if self.files.is_decided {
            return Ok(());
        }
        let open =
            || (file.to_owned(), self.files.open(Path::new(file)).around(Arc::clone(&self.provider), &self.address));
        let (chosen, _) = self.chosen.get_or_init(open);
        match chosen == file {
            true => Ok(()),
            false => Err(refused(
                "The file of integrations has changed",
                format!(
                    "This provider was configured with {chosen} before, and asks those integrations until it ends."
                ),
            )),
        }
    }
}

#[async_trait]
impl Layer for Named {
    fn inner(&self) -> &dyn Provider {
        self.chosen.get().map_or(&*self.otherwise, |(_, provider)| &**provider)
    }

    async fn configure_provider(
        &self,
        call: &Call,
        request: ConfigureProviderRequest,
    ) -> Result<ConfigureProviderResponse, CallError> {
        let schema = self.provider.get_provider_schema(call, GetProviderSchemaRequest {}).await?.schema;
        // What does not fit the schema is refused by the provider itself.
        if let Ok(config) = request.config.decode(&schema.provider.implied_type())
            && let Err(diagnostic) = self.choose(&config)
        {
            return Ok(ConfigureProviderResponse { diagnostics: diagnostic.into() });
        }
        self.inner().configure_provider(call, request).await
    }
}
