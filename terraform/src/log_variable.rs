//! The variable that a level for one provider's log is in.

/// For what a provider itself writes; its name follows.
const OF_PROVIDERS: &str = "TF_LOG_PROVIDER_";

/// The variable for the log of that provider: `TF_LOG_PROVIDER_MY_CLOUD` for `my-cloud`.
pub(crate) fn of_provider(name: &str) -> String {
    format!("{OF_PROVIDERS}{}", name.to_uppercase().replace('-', "_"))
}
