//! `provider_installation`: where which provider comes from.

use std::collections::BTreeMap;
use std::path::PathBuf;

use reqwest::Url;

use super::document::{Body, Item, Value};
use crate::address::{DEFAULT_HOST, ProviderAddress, normal_hostname, normal_part};
use crate::environment::Environment;

/// What a `provider_installation` block says.
#[derive(Clone, Debug)]
pub(crate) struct Installation {
    /// In the order of the file; the first one that has a version is taken.
    pub(crate) methods: Vec<Method>,
    /// The file, for messages.
    pub(crate) file: String,
}

/// A place, and which providers may come from it.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(crate) place: Place,
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
}

/// A place that providers come from.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// The registry that the address names.
    Direct { download_retries: Option<u32> },
    /// A server with copies.
    NetworkMirror { url: Url, download_retries: Option<u32>, trusts_all_hashes: bool },
    /// A folder with copies.
    FilesystemMirror { folder: PathBuf },
    /// Something that this program does not know.
    Unsupported { kind: String },
}

impl Method {
    /// Whether a provider may come from here. What is excluded is, even when it is included too.
    pub(crate) fn serves(&self, address: &ProviderAddress) -> bool {
        let any_fits = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.fits(address));
        !any_fits(&self.exclude) && (self.include.is_empty() || any_fits(&self.include))
    }
}

/// A set of providers: `[HOSTNAME/]NAMESPACE/TYPE`, where `*` fits everything.
#[derive(Clone, Debug)]
struct Pattern {
    /// `None` fits everything.
    hostname: Option<String>,
    namespace: Option<String>,
    provider_type: Option<String>,
}

impl Pattern {
    fn parse(text: &str) -> Result<Self, String> {
        let fault = |reason: String| format!("{text:?} is no pattern of providers: {reason}");
        let parts: Vec<&str> = text.split('/').collect();
        let (hostname, namespace, provider_type) = match parts.as_slice() {
            [namespace, provider_type] => (DEFAULT_HOST, *namespace, *provider_type),
            [hostname, namespace, provider_type] => (*hostname, *namespace, *provider_type),
            _ => return Err(fault("a pattern is [HOSTNAME/]NAMESPACE/TYPE".to_owned())),
        };
        let part = |given: &str, what| (given != "*").then(|| normal_part(given, what)).transpose();
        let pattern = Self {
            hostname: (hostname != "*").then(|| normal_hostname(hostname)).transpose().map_err(fault)?,
            namespace: part(namespace, "namespace").map_err(fault)?,
            provider_type: part(provider_type, "type").map_err(fault)?,
        };
        let is_narrowed_left_to_right = (pattern.hostname.is_some() || pattern.namespace.is_none())
            && (pattern.namespace.is_some() || pattern.provider_type.is_none());
        if is_narrowed_left_to_right {
            Ok(pattern)
        } else {
            Err(fault("after a * there can be only further ones".to_owned()))
        }
    }

    fn fits(&self, address: &ProviderAddress) -> bool {
        let fits = |pattern: &Option<String>, part: &str| pattern.as_deref().is_none_or(|pattern| pattern == part);
        fits(&self.hostname, &address.hostname)
            && fits(&self.namespace, &address.namespace)
            && fits(&self.provider_type, &address.provider_type)
    }
}

/// Folders with providers that are being developed, by address.
pub(crate) type DevOverrides = BTreeMap<ProviderAddress, PathBuf>;

/// Reads the block.
pub(super) fn read(body: &Body, file: &str, environment: &Environment) -> Result<(Installation, DevOverrides), String> {
    let mut installation = Installation { methods: Vec::new(), file: file.to_owned() };
    let mut overrides = DevOverrides::new();
    for item in &body.items {
        let place = if item.line == 0 { String::new() } else { format!("line {}: ", item.line) };
        let fault = |reason: String| format!("{place}in the provider_installation block {reason}");
        for (kind, block) in methods(item).map_err(fault)? {
            if kind != "dev_overrides" {
                installation.methods.push(method(kind, block, environment).map_err(fault)?);
            } else if installation.methods.is_empty() {
                overrides.extend(dev_overrides(block, environment).map_err(fault)?);
            } else {
                return Err(fault("dev_overrides must come before all other methods".to_owned()));
            }
        }
    }
    Ok((installation, overrides))
}

fn methods(item: &Item) -> Result<Vec<(&str, &Body)>, String> {
    let [kind] = item.keys.as_slice() else {
        return Err(format!("{:?} has labels, and methods have none", item.keys.join(" ")));
    };
    if !matches!(item.value, Value::Body(_) | Value::List(_)) {
        return Err(format!("{kind:?} is no block"));
    }
    Ok(item.value.bodies().into_iter().map(|body| (kind.as_str(), body)).collect())
}

fn method(kind: &str, block: &Body, environment: &Environment) -> Result<Method, String> {
    let patterns = |name| block.texts(name)?.into_iter().map(Pattern::parse).collect::<Result<Vec<_>, String>>();
    let required = |name| block.text(name)?.ok_or_else(|| format!("{kind} needs {name:?}"));
    let place = match kind {
        "direct" => Place::Direct { download_retries: block.number("download_retry_count")? },
        "network_mirror" => Place::NetworkMirror {
            url: mirror_url(required("url")?)?,
            download_retries: block.number("download_retry_count")?,
            trusts_all_hashes: block.flag("trust_all_hashes")?,
        },
        "filesystem_mirror" => Place::FilesystemMirror { folder: environment.resolve(required("path")?) },
        // OpenTofu's; told when a provider would come from there, since others may not.
        "oci_mirror" => Place::Unsupported { kind: kind.to_owned() },
        _ => return Err(format!("{kind:?} is no method of installation")),
    };
    Ok(Method { place, include: patterns("include")?, exclude: patterns("exclude")? })
}

/// Tokens may go to a mirror, so that it must be protected by TLS. Addresses of its documents are relative to it, so that
/// it must end as a folder.
fn mirror_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| url.scheme() == "https" && url.has_host());
    let mut url = url.ok_or_else(|| format!("the url {text:?} of a network_mirror does not begin with https://"))?;
    if !url.path().ends_with('/') {
        let folder = format!("{}/", url.path());
        url.set_path(&folder);
    }
    Ok(url)
}

fn dev_overrides(block: &Body, environment: &Environment) -> Result<DevOverrides, String> {
    let entry = |item: &Item| match (item.keys.as_slice(), &item.value) {
        ([address], Value::Text(folder)) => {
            let address = ProviderAddress::parse(address).map_err(|error| error.to_string())?;
            Ok((address, environment.resolve(folder)))
        }
        _ => Err(format!("{:?} is no folder for a provider", item.keys.join(" "))),
    };
    block.items.iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::super::document;
    use super::*;
    use std::path::Path;

    fn installation(text: &str) -> Result<(Installation, DevOverrides), String> {
        let body = document::read(Path::new("x"), text).unwrap();
        read(body.blocks("provider_installation")[0], "x", &Environment::new([], "/work"))
    }

    fn serves(method: &str, address: &str) -> bool {
        let (read, _) = installation(&format!("provider_installation {{ direct {{ {method} }} }}")).unwrap();
        read.methods[0].serves(&ProviderAddress::parse(address).unwrap())
    }

    #[test]
    fn patterns_say_what_comes_from_a_place() {
        for (method, address, fits) in [
            ("", "a/b", true),
            (r#"include = ["a/*"]"#, "a/b", true),
            (r#"include = ["a/*"]"#, "other.example/a/b", false),
            (r#"include = ["A/B"]"#, "a/b", true),
            (r#"include = ["other.example/*/*"]"#, "other.example/a/b", true),
            (r#"include = ["*/*/*"] exclude = ["a/b"]"#, "a/b", false),
            (r#"include = ["*/*/*"] exclude = ["a/b"]"#, "a/c", true),
            (r#"include = ["a/b"] exclude = ["a/*"]"#, "a/b", false),
            (r#"exclude = ["a/*"]"#, "c/b", true),
        ] {
            assert_eq!(serves(method, address), fits, "{method} {address}");
        }
    }

    #[test]
    fn methods_keep_their_order_and_overrides_their_folders() {
        let (read, overrides) = installation(
            r#"provider_installation {
                 dev_overrides { "a/b" = "../bin" }
                 filesystem_mirror { path = "mirror" }
                 network_mirror { url = "https://m.example/x" trust_all_hashes = true download_retry_count = 5 }
                 oci_mirror { repository_template = "x" }
                 direct {}
               }"#,
        )
        .unwrap();
        let places: Vec<_> = read.methods.iter().map(|method| format!("{:?}", method.place)).collect();
        assert_eq!(places[0], r#"FilesystemMirror { folder: "/work/mirror" }"#);
        assert!(
            places[1].contains(r#"path: "/x/""#) && places[1].contains("download_retries: Some(5)"),
            "{}",
            places[1]
        );
        assert_eq!(places[2], r#"Unsupported { kind: "oci_mirror" }"#);
        assert_eq!(places[3], "Direct { download_retries: None }");
        assert_eq!(overrides[&ProviderAddress::parse("a/b").unwrap()], Path::new("/work/../bin"));
    }

    #[test]
    fn json_says_the_same() {
        let json = r#"{"provider_installation": {"dev_overrides": {"a/b": "/bin"},
            "filesystem_mirror": [{"path": "/one"}, {"path": "/two", "include": ["a/*"]}]}}"#;
        let (read, overrides) = installation(json).unwrap();
        assert_eq!(read.methods.len(), 2);
        assert_eq!(overrides.len(), 1);
    }

    #[test]
    fn what_cannot_be_meant_is_told() {
        for (methods, told) in [
            (
                "network_mirror { url = \"http://m/\" }",
                "the url \"http://m/\" of a network_mirror does not begin with https://",
            ),
            ("filesystem_mirror {}", "filesystem_mirror needs \"path\""),
            ("direct { include = \"a/*\" }", "\"include\" must be a list of texts"),
            (
                "direct { include = [\"*/b\"] }",
                "\"*/b\" is no pattern of providers: after a * there can be only further ones",
            ),
            (
                "direct { include = [\"*/a/b\"] }",
                "\"*/a/b\" is no pattern of providers: after a * there can be only further ones",
            ),
            (
                "direct { include = [\"a\"] }",
                "\"a\" is no pattern of providers: a pattern is [HOSTNAME/]NAMESPACE/TYPE",
            ),
            ("directly {}", "\"directly\" is no method of installation"),
            ("direct {}\ndev_overrides {}", "dev_overrides must come before all other methods"),
            ("direct \"a\" {}", "\"direct a\" has labels, and methods have none"),
            ("direct = 1", "\"direct\" is no block"),
            ("dev_overrides { \"a/b\" = 1 }", "\"a/b\" is no folder for a provider"),
        ] {
            let error = installation(&format!("provider_installation {{\n{methods}\n}}")).unwrap_err();
            let line = 1 + 1 + methods.matches('\n').count();
            assert_eq!(error, format!("line {line}: in the provider_installation block {told}"));
        }
    }
}
