//! Which providers an integration is asked about.

use super::Integration;

/// The registries whose providers go without a host in an address.
const DEFAULT_HOSTS: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];

impl Integration {
    /// Whether it is asked about a provider, given by its source address (`registry.terraform.io/hashicorp/random`).
    ///
    /// Without a scope it is asked about all. A name fits every provider that is called so; `namespace/name` fits those of
    /// the public registries, as in Terraform's own `required_providers`; with a host only that one fits.
    #[must_use]
    pub fn is_for(&self, provider: &str) -> bool {
        self.providers.is_empty() || self.providers.iter().any(|entry| fits(entry, provider))
    }
}

fn fits(entry: &str, provider: &str) -> bool {
    let (entry, provider) = (segments(entry), segments(provider));
    match (entry.as_slice(), provider.as_slice()) {
        ([name], [.., of]) => name == of,
        ([namespace, name], [host, of_namespace, of]) => {
            DEFAULT_HOSTS.contains(&host.as_str()) && namespace == of_namespace && name == of
        }
        (entry @ [_, _], provider @ [_, _]) | (entry @ [_, _, _], provider @ [_, _, _]) => entry == provider,
        ([host, namespace, name], [of_namespace, of]) => {
            DEFAULT_HOSTS.contains(&host.as_str()) && namespace == of_namespace && name == of
        }
        _ => false,
    }
}

/// Addresses are the same in capital letters.
fn segments(address: &str) -> Vec<String> {
    address.split('/').map(str::to_lowercase).collect()
}

/// Whether a text can be the name or the source address of a provider.
pub(super) fn is_provider(text: &str) -> bool {
    let is_segment = |segment: &str| {
        !segment.is_empty() && segment.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':'))
    };
    text.split('/').count() <= 3 && text.split('/').all(is_segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m03_a_provider_is_known_by_its_name_or_its_address() {
        let random = "registry.terraform.io/hashicorp/random";
        for entry in ["random", "Random", "hashicorp/random", random] {
            assert!(fits(entry, random), "{entry}");
        }
        for entry in ["rand", "hashicorp/time", "other/random", "example.com/hashicorp/random"] {
            assert!(!fits(entry, random), "{entry}");
        }
        assert!(fits("hashicorp/random", "registry.opentofu.org/hashicorp/random"), "OpenTofu's address of the same");
        assert!(!fits("hashicorp/random", "example.com/hashicorp/random"), "somebody else's hashicorp");
        assert!(fits("example.com/hashicorp/random", "example.com/hashicorp/random"));
        assert!(fits("hashicorp/random", "hashicorp/random") && fits(random, "hashicorp/random"));
        assert!(fits("denobridge", "denobridge") && !fits("a/denobridge", "denobridge"));
    }

    #[test]
    fn m02_what_cannot_be_a_provider_is_none() {
        assert!(is_provider("random") && is_provider("localhost:8080/a/b"));
        for text in ["", "a//b", "a/b/c/d", "a b", "/a", "https://a"] {
            assert!(!is_provider(text), "{text:?}");
        }
    }
}
