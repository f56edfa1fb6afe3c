//! Licences and origins of everything in the dependency graph, against the same `deny.toml` that `cargo deny` reads. Done here
//! from `cargo metadata`, so that it needs neither a tool nor the network; advisories, which need a database, are left to
//! `cargo deny check advisories` where that is installed.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use spdx::{Expression, ParseMode};

use crate::process;
use crate::project::Project;

/// What `deny.toml` allows, as far as it is read here.
struct Policy {
    licences: Vec<String>,
    /// Package name and a licence that is allowed to it alone.
    exceptions: Vec<(String, String)>,
    banned: Vec<String>,
    registries: Vec<String>,
}

/// Fails with a list of every package that breaks the policy.
pub fn check(project: &Project) -> Result<()> {
    let path = project.path("deny.toml");
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let policy = Policy::parse(&text).with_context(|| path.display().to_string())?;
    let metadata =
        process::capture(project.cargo().args(["metadata", "--format-version", "1", "--locked"]))?.success()?;
    let metadata: Value = serde_json::from_str(&metadata).context("cargo metadata printed no JSON")?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let built = built_packages(project)?;
    let name_and_version =
        |package: &Value| Some(format!("{} v{}", package["name"].as_str()?, package["version"].as_str()?));
    let is_built = |package: &&Value| name_and_version(package).is_some_and(|package| built.contains(&package));
    let packages: Vec<&Value> = packages.iter().filter(is_built).collect();
    ensure!(packages.len() == built.len(), "cargo tree and cargo metadata know different packages");
    let offences: BTreeSet<String> = packages.iter().flat_map(|package| offences(&policy, package)).collect();
    if !offences.is_empty() {
        let list: Vec<String> = offences.into_iter().collect();
        bail!("against deny.toml:\n  {}", list.join("\n  "));
    }
    println!("{} packages: licences and origins are as deny.toml allows", packages.len());
    Ok(())
}

/// Name and version of everything that is built for any platform. `cargo metadata` also lists what optional features that
/// nobody switches on would bring.
fn built_packages(project: &Project) -> Result<BTreeSet<String>> {
    let mut tree = project.cargo();
    tree.args(["tree", "--workspace", "--locked", "--target", "all", "--edges", "normal,build,dev"]);
    let tree = process::capture(tree.args(["--prefix", "none", "--format", "{p}"]))?.success()?;
    let first_words = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    Ok(tree.lines().filter(|line| !line.is_empty()).map(first_words).collect())
}

impl Policy {
    fn parse(text: &str) -> Result<Self> {
        let document: toml::Table = text.parse()?;
        let strings = |section: &str, key: &str| -> Vec<String> {
            let list = document.get(section).and_then(|s| s.get(key)).and_then(toml::Value::as_array);
            list.into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned)).collect()
        };
        let tables = |section: &str, key: &str| -> Vec<toml::Value> {
            let list = document.get(section).and_then(|s| s.get(key)).and_then(toml::Value::as_array);
            list.cloned().unwrap_or_default()
        };
        let name = |table: &toml::Value| table.get("crate").and_then(toml::Value::as_str).map(str::to_owned);
        let mut exceptions = Vec::new();
        for exception in tables("licenses", "exceptions") {
            let package = name(&exception).context("an exception without `crate`")?;
            let allowed = exception.get("allow").and_then(toml::Value::as_array);
            let allowed = allowed.into_iter().flatten().filter_map(toml::Value::as_str);
            exceptions.extend(allowed.map(|licence| (package.clone(), licence.to_owned())));
        }
        let banned = tables("bans", "deny").iter().filter_map(name).collect();
        Ok(Self {
            licences: strings("licenses", "allow"),
            exceptions,
            banned,
            registries: strings("sources", "allow-registry"),
        })
    }

    fn allows(&self, package: &str, licence: &str) -> bool {
        let exceptional = |(to, which): &(String, String)| to == package && which == licence;
        self.licences.iter().any(|allowed| allowed == licence) || self.exceptions.iter().any(exceptional)
    }
}

fn offences(policy: &Policy, package: &Value) -> Vec<String> {
    let text = |key: &str| package[key].as_str().unwrap_or_default();
    let (name, version, licence) = (text("name"), text("version"), text("license"));
    let mut found = Vec::new();
    if policy.banned.iter().any(|banned| banned == name) {
        found.push(format!("{name} {version} is banned"));
    }
    // No source: a member of this workspace.
    if let Some(source) = package["source"].as_str()
        && !policy.registries.iter().any(|registry| source.trim_start_matches("registry+") == registry)
    {
        found.push(format!("{name} {version} comes from {source}"));
    }
    match Expression::parse_mode(licence, ParseMode::LAX) {
        Ok(expression) => {
            if !expression.evaluate(|wanted| policy.allows(name, &wanted.to_string())) {
                found.push(format!("{name} {version} has the licence {licence}"));
            }
        }
        Err(_) => found.push(format!("{name} {version} names no licence in SPDX form: {licence:?}")),
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn policy() -> Policy {
        let text = r#"
            [licenses]
            allow = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"]
            exceptions = [{ crate = "special", allow = ["CC0-1.0"] }]
            [bans]
            deny = [{ crate = "openssl-sys", reason = "one TLS library" }]
            [sources]
            allow-registry = ["https://registry.example/index"]
        "#;
        Policy::parse(text).unwrap()
    }

    fn offences_of(name: &str, licence: &str, source: Option<&str>) -> Vec<String> {
        offences(&policy(), &json!({ "name": name, "version": "1.0.0", "license": licence, "source": source }))
    }

    #[test]
    fn expressions_are_evaluated() {
        assert!(offences_of("a", "MIT OR GPL-3.0-only", None).is_empty());
        assert!(offences_of("a", "MIT/Apache-2.0", None).is_empty());
        assert!(offences_of("a", "Apache-2.0 WITH LLVM-exception", None).is_empty());
        assert_eq!(offences_of("a", "MIT AND GPL-3.0-only", None).len(), 1);
        assert_eq!(offences_of("a", "", None).len(), 1);
    }

    #[test]
    fn an_exception_is_for_one_package() {
        assert!(offences_of("special", "CC0-1.0", None).is_empty());
        assert_eq!(offences_of("other", "CC0-1.0", None), ["other 1.0.0 has the licence CC0-1.0"]);
    }

    #[test]
    fn bans_and_origins_are_checked() {
        assert_eq!(offences_of("openssl-sys", "MIT", None), ["openssl-sys 1.0.0 is banned"]);
        assert!(offences_of("a", "MIT", Some("registry+https://registry.example/index")).is_empty());
        let from_git = offences_of("a", "MIT", Some("git+https://git.example/a#0123"));
        assert_eq!(from_git, ["a 1.0.0 comes from git+https://git.example/a#0123"]);
    }
}
