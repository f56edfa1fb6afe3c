//! What components are called.

use denobridge_sdk_gen::{ComponentKind, native};

use crate::typed::names::{camel_case, pascal_case, snake_case};
use crate::typed::{Description, Kind, TypedError};

/// The names of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::typed) struct ComponentName {
    /// What it is.
    pub kind: ComponentKind,
    /// Its type in Terraform: `infra_storage_bucket`.
    pub terraform: String,
    /// The last part of its token in Pulumi: `StorageBucket`, `getZone`.
    pub pulumi: String,
    /// What it is, in Pascal case: `StorageBucket`, `Zone`.
    pub noun: String,
}

impl ComponentName {
    /// The names of a script's component. `prefix` is what types of the package begin with in Terraform.
    pub fn new(file: &str, description: &Description, prefix: &str) -> Result<Self, TypedError> {
        let (kind, verb) = match description.kind {
            Kind::Resource => (ComponentKind::Resource, None),
            Kind::Datasource => (ComponentKind::DataSource, Some("Get")),
            Kind::Ephemeral => (ComponentKind::EphemeralResource, Some("Open")),
            Kind::Action => (ComponentKind::Action, None),
            Kind::Function => (ComponentKind::Function, None),
        };
        let given = description.name.as_deref().unwrap_or_else(|| stem(file));
        let name = pascal_case(given);
        let noun = verb.and_then(|verb| without_verb(&name, verb)).unwrap_or(&name).to_owned();
        let wrong = || TypedError::Name { file: file.to_owned(), kind: kind_name(kind), name: given.to_owned() };
        let begins = noun.starts_with(|first: char| first.is_ascii_alphabetic());
        let snake = snake_case(&noun).filter(|_| begins && given.is_ascii()).ok_or_else(wrong)?;
        let pulumi = match kind {
            ComponentKind::DataSource => format!("get{noun}"),
            ComponentKind::EphemeralResource => format!("open{noun}"),
            ComponentKind::ListResource => format!("list{noun}"),
            ComponentKind::Action if noun.ends_with("Action") => noun.clone(),
            ComponentKind::Action => format!("{noun}Action"),
            ComponentKind::Resource | ComponentKind::Function => noun.clone(),
        };
        let pulumi = native::free_name(kind, pulumi);
        Ok(Self { kind, terraform: format!("{prefix}_{snake}"), pulumi, noun })
    }

    /// The names of the list of a resource.
    pub fn list(&self) -> Self {
        let (kind, pulumi) = (ComponentKind::ListResource, format!("list{}", self.noun));
        Self { kind, pulumi, ..self.clone() }
    }

    /// What stands before a name that one of the tools keeps for itself: in Terraform, and in Pulumi.
    pub fn prefixes(&self) -> (String, String) {
        let snake = snake_case(&self.noun).unwrap_or_default();
        let camel = camel_case(&snake);
        (snake, camel)
    }
}

/// What a kind is called in messages.
pub(in crate::typed) fn kind_name(kind: ComponentKind) -> &'static str {
    match kind {
        ComponentKind::Resource => "resource",
        ComponentKind::DataSource => "data source",
        ComponentKind::EphemeralResource => "ephemeral resource",
        ComponentKind::Function => "function",
        ComponentKind::Action => "action",
        ComponentKind::ListResource => "list resource",
    }
}

/// The name of a file without its folders and endings.
fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.split('.').next().unwrap_or(name)
}

/// `GetZone` is called `Zone`; `Getaway` and `Get` stay what they are.
fn without_verb<'n>(name: &'n str, verb: &str) -> Option<&'n str> {
    name.strip_prefix(verb).filter(|rest| rest.starts_with(|first: char| first.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(file: &str, kind: Kind, name: Option<&str>) -> Option<(String, String)> {
        let mut description: Description = serde_json::from_value(serde_json::json!({ "kind": "resource" })).unwrap();
        (description.kind, description.name) = (kind, name.map(str::to_owned));
        let name = ComponentName::new(file, &description, "my_infra").ok()?;
        Some((name.terraform, name.pulumi))
    }

    #[test]
    fn components_are_called_by_their_name_or_file() {
        let cases = [
            ("bucket.ts", Kind::Resource, None, "my_infra_bucket", "Bucket"),
            ("storage/web-server.mts", Kind::Resource, None, "my_infra_web_server", "WebServer"),
            ("a.ts", Kind::Resource, Some("DNSRecord"), "my_infra_dns_record", "DNSRecord"),
            ("get_zone.ts", Kind::Datasource, None, "my_infra_zone", "getZone"),
            ("zone.ts", Kind::Datasource, None, "my_infra_zone", "getZone"),
            ("getaway.ts", Kind::Datasource, None, "my_infra_getaway", "getGetaway"),
            ("get.ts", Kind::Datasource, None, "my_infra_get", "getGet"),
            ("a.ts", Kind::Datasource, Some("getZone"), "my_infra_zone", "getZone"),
            ("open_session.ts", Kind::Ephemeral, None, "my_infra_session", "openSession"),
            ("get_bucket.ts", Kind::Resource, None, "my_infra_get_bucket", "GetBucket"),
            ("restart.ts", Kind::Action, None, "my_infra_restart", "RestartAction"),
            ("restart_action.ts", Kind::Action, None, "my_infra_restart_action", "RestartAction"),
            ("provider.ts", Kind::Resource, None, "my_infra_provider", "ProviderResource"),
            ("config.ts", Kind::Resource, None, "my_infra_config", "ConfigResource"),
            ("config.ts", Kind::Datasource, None, "my_infra_config", "getConfig"),
        ];
        for (file, kind, given, terraform, pulumi) in cases {
            let found = name(file, kind, given);
            assert_eq!(found, Some((terraform.to_owned(), pulumi.to_owned())), "{file} {given:?}");
        }
    }

    #[test]
    fn what_cannot_be_a_name_is_refused() {
        for given in ["9lives", "größe", ""] {
            assert_eq!(name("a.ts", Kind::Resource, Some(given)), None, "{given:?}");
        }
    }
}
