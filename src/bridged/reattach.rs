//! Providers that run already, under a debugger for example: found by a variable instead of being started.

use denobridge_registry::{Environment, ProviderAddress};
use denobridge_terraform::launch::{Reattach, parse_reattach};

/// The Go plugin's variable, and Terraform's. Both hold what a provider prints in its debug mode.
const VARIABLES: [&str; 2] = ["PULUMI_BRIDGE_REATTACH_PROVIDERS", "TF_REATTACH_PROVIDERS"];

/// Registries that publish the same providers: debug mode prints the one, and an address without a host means the other.
const PUBLIC_HOSTS: [&str; 2] = ["registry.opentofu.org", "registry.terraform.io"];

/// Where the provider of that address runs, if a variable says so. An error says which variable makes no sense, and why: a
/// single wrong entry is one for all, since the provider that it means would be started anew without a word.
pub(super) fn running(address: &ProviderAddress, environment: &Environment) -> Result<Option<Reattach>, String> {
    for variable in VARIABLES {
        let Some(text) = environment.variable(variable) else { continue };
        let entries = parse_reattach(text).map_err(|error| format!("{variable} cannot be used: {error}"))?;
        let mut found = None;
        for (source, reattach) in entries {
            let other =
                ProviderAddress::parse(&source).map_err(|error| format!("{variable} cannot be used: {error}"))?;
            if is_same(&other, address) {
                found = Some(reattach);
            }
        }
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The variables that say where providers run, for messages.
pub(super) fn variables() -> String {
    VARIABLES.join(" or ")
}

fn is_same(left: &ProviderAddress, right: &ProviderAddress) -> bool {
    let is_public = |address: &ProviderAddress| PUBLIC_HOSTS.contains(&address.hostname.as_str());
    let hosts = left.hostname == right.hostname || (is_public(left) && is_public(right));
    hosts && left.namespace == right.namespace && left.provider_type == right.provider_type
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(source: &str) -> String {
        format!(
            r#"{{"{source}":{{"Protocol":"grpc","ProtocolVersion":6,"Pid":1,"Test":true,"Addr":{{"Network":"tcp","String":"127.0.0.1:1"}}}}}}"#
        )
    }

    fn running(variable: &str, source: &str, address: &str) -> Result<bool, String> {
        let environment = Environment::new([(variable.to_owned(), entry(source))], "/work");
        super::running(&ProviderAddress::parse(address).unwrap(), &environment).map(|found| found.is_some())
    }

    #[test]
    fn a_provider_is_found_by_either_variable_and_by_its_address() {
        for (source, address, found) in [
            ("hashicorp/time", "time", true),
            ("registry.terraform.io/hashicorp/time", "hashicorp/Time", true),
            ("registry.example.com/hashicorp/time", "hashicorp/time", false),
            ("hashicorp/other", "hashicorp/time", false),
        ] {
            for variable in VARIABLES {
                assert_eq!(running(variable, source, address), Ok(found), "{source} {address}");
            }
        }
        assert_eq!(running("OTHER", "hashicorp/time", "hashicorp/time"), Ok(false));
    }

    #[test]
    fn a_wrong_entry_is_told() {
        let told = running(VARIABLES[0], "a/b/c/d", "hashicorp/time").unwrap_err();
        insta::assert_snapshot!(told, @r#"PULUMI_BRIDGE_REATTACH_PROVIDERS cannot be used: "a/b/c/d" is not the address of a provider: an address is [HOSTNAME/][NAMESPACE/]TYPE"#);
        let environment = Environment::new([(VARIABLES[1].to_owned(), "[".to_owned())], "/work");
        let told = super::running(&ProviderAddress::parse("a/b").unwrap(), &environment).unwrap_err();
        assert!(told.starts_with("TF_REATTACH_PROVIDERS cannot be used: it is not valid JSON"), "{told}");
    }
}
