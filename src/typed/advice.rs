//! What to do when a script of a package fails. Who uses the package names no script and no permissions of it; they grant
//! what the package asks for, or turn to who has made it.

use denobridge_core::Diagnostic;

use super::ScriptPackage;
use super::package::PackageScript;
use super::permissions::{Effective, Grant, effective};
use crate::deno::{ScriptError, ScriptErrorKind};
use crate::scripted::Owner;

/// A package, as far as advice about its scripts goes.
#[derive(Clone, Debug)]
pub(super) struct Adviser {
    package: String,
    /// What Terraform calls its provider.
    provider: String,
    /// Location, file and requests of each script.
    scripts: Vec<(String, String, Vec<String>)>,
    grant: Grant,
    /// Whether it is about functions, which have no permissions at all.
    of_functions: bool,
}

impl Adviser {
    pub fn new(package: &ScriptPackage, provider: &str, grant: Grant) -> Self {
        let script = |script: &PackageScript| (script.location.clone(), script.file.clone(), script.asks.clone());
        Self {
            package: package.name.clone(),
            provider: provider.to_owned(),
            scripts: package.scripts.iter().map(script).collect(),
            grant,
            of_functions: false,
        }
    }

    /// The same for functions.
    pub fn of_functions(self) -> Self {
        Self { of_functions: true, ..self }
    }

    /// A warning about what is asked for and not in force, if there is any.
    pub fn refused(&self) -> Option<Diagnostic> {
        let refused: Vec<(&str, Vec<String>)> = self
            .scripts
            .iter()
            .map(|(_, file, asks)| (file.as_str(), effective(asks, &self.grant).refused))
            .filter(|(_, refused)| !refused.is_empty())
            .collect();
        if refused.is_empty() {
            return None;
        }
        let list: String = refused.iter().map(|(file, flags)| format!("\n  - {file}: {}", flags.join(", "))).collect();
        let missing: Vec<String> = refused.into_iter().flat_map(|(_, flags)| flags).collect();
        let detail = format!(
            "Scripts of the package {} ask for permissions that its provider's configuration does not grant:{list}\n\n{}",
            self.package,
            self.how_to_grant(&missing)
        );
        Some(Diagnostic::warning("Permissions are asked for and not granted", detail))
    }

    /// The lines that grant these permissions too.
    fn how_to_grant(&self, missing: &[String]) -> String {
        let mut allow = self.grant.allow.clone();
        for flag in missing {
            if !allow.contains(flag) {
                allow.push(flag.clone());
            }
        }
        let quoted: Vec<String> = allow.iter().map(|flag| serde_json::Value::from(flag.as_str()).to_string()).collect();
        let (provider, package, list) = (&self.provider, &self.package, quoted.join(", "));
        format!(
            "To grant them, set in the configuration of the provider:\n  Terraform, in provider \"{provider}\": permissions = \
             {{ allow = [{list}] }}\n  Pulumi: pulumi config set {package}:permissions '{{\"allow\":[{}]}}'",
            quoted.join(",")
        )
    }

    fn denied(&self, script: &str, entry: &str) -> Option<String> {
        let (_, file, asks) = self.scripts.iter().find(|(location, ..)| location == script)?;
        if self.of_functions {
            return Some(
                "Functions run before the provider is configured and have no permissions: they can only compute. To look \
                 something up, a package needs a data source."
                    .to_owned(),
            );
        }
        let wanted = [entry.to_owned()];
        let Effective { granted, .. } = effective(&wanted, &Grant { all: false, allow: asks.clone() });
        // A target that is asked for only in part is one that the package has not thought of.
        if granted == wanted {
            let asked = format!("The package {} asks for it ({file}), and it is not granted.", self.package);
            return Some(format!("{asked} {}", self.how_to_grant(&wanted)));
        }
        Some(format!(
            "The package {} does not ask for it, so it cannot be granted. Its author has to add {entry:?} to `permissions` of \
             {file} in denobridge.json.",
            self.package
        ))
    }
}

impl Owner for Adviser {
    fn advice(&self, error: &ScriptError) -> Option<String> {
        match &error.kind {
            ScriptErrorKind::PermissionDenied { denied, .. } => self.denied(&error.script, &denied.allow_entry()),
            ScriptErrorKind::Missing { .. } => Some(format!(
                "It is a script of the package {}, which is not complete on this machine. Install the package again, or put \
                 its folder back.",
                self.package
            )),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adviser(allow: &[&str]) -> Adviser {
        let scripts = vec![
            ("/p/bucket.ts".to_owned(), "bucket.ts".to_owned(), vec!["read=/srv".to_owned(), "write=/srv".to_owned()]),
            ("/p/zone.ts".to_owned(), "zone.ts".to_owned(), vec![]),
        ];
        let allow = allow.iter().map(|flag| (*flag).to_owned()).collect();
        Adviser {
            package: "my-infra".to_owned(),
            provider: "my_infra".to_owned(),
            scripts,
            grant: Grant { all: false, allow },
            of_functions: false,
        }
    }

    #[test]
    fn what_is_not_granted_is_named_with_the_line_that_grants_it() {
        let warning = adviser(&["read"]).refused().unwrap();
        insta::assert_snapshot!(warning.detail, @r#"
        Scripts of the package my-infra ask for permissions that its provider's configuration does not grant:
          - bucket.ts: write=/srv

        To grant them, set in the configuration of the provider:
          Terraform, in provider "my_infra": permissions = { allow = ["read", "write=/srv"] }
          Pulumi: pulumi config set my-infra:permissions '{"allow":["read","write=/srv"]}'
        "#);
        assert_eq!(adviser(&["read", "write"]).refused(), None);
    }

    #[test]
    fn a_refusal_says_whether_granting_would_help() {
        let asked = adviser(&[]).denied("/p/bucket.ts", "write=/srv/a").unwrap();
        assert!(
            asked.starts_with("The package my-infra asks for it (bucket.ts), and it is not granted. To grant"),
            "{asked}"
        );
        assert!(asked.contains(r#"{ allow = ["write=/srv/a"] }"#), "{asked}");
        let not_asked = adviser(&[]).denied("/p/zone.ts", "env=HOME").unwrap();
        assert!(not_asked.contains(r#"has to add "env=HOME" to `permissions` of zone.ts"#), "{not_asked}");
        let function = adviser(&[]).of_functions().denied("/p/zone.ts", "env=HOME").unwrap();
        assert!(function.contains("have no permissions"), "{function}");
    }
}
