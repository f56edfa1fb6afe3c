//! The parameter as it is kept in SDKs: JSON, in the form and order of the Go plugin's.
//!
//! ```json
//! {"remote":{"url":"registry.opentofu.org/hashicorp/random","version":"3.6.3","hashes":["zh:…"]},"includes":["random_pet"]}
//! {"local":{"path":"./terraform-provider-mine"}}
//! ```
//!
//! `hashes` and `repairs` are ours; the Go plugin reads over them.

use denobridge_registry::PackageHash;
use denobridge_sdk_gen::{Repair, Repairs};
use serde::{Deserialize, Serialize};

use super::{View, Wanted, WantedProvider};

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Value {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    remote: Option<Remote>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    local: Option<Local>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    includes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    excludes: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    provider_name: String,
    /// Those that are on; all of them when nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repairs: Option<Vec<String>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Remote {
    #[serde(default)]
    url: String,
    #[serde(default)]
    version: String,
    /// Not typed: one in a scheme that a later version of ours writes says nothing to this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hashes: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Local {
    #[serde(default)]
    path: String,
}

/// What is to be kept of a provider, so that it is found again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Record {
    /// From a registry or a mirror.
    Remote {
        /// The whole address.
        address: String,
        /// The version.
        version: String,
        /// Its packages.
        hashes: Vec<PackageHash>,
    },
    /// A file.
    Local {
        /// Its path, relative to the project where that is possible.
        path: String,
    },
}

/// The parameter that leads to a provider that was found, seen in this way.
pub(super) fn write(record: &Record, view: &View) -> Vec<u8> {
    let (remote, local) = match record {
        Record::Remote { address, version, hashes } => {
            let hashes = hashes.iter().map(ToString::to_string).collect();
            (Some(Remote { url: address.clone(), version: version.clone(), hashes }), None)
        }
        Record::Local { path } => (None, Some(Local { path: path.clone() })),
    };
    let on = Repair::ALL.into_iter().filter(|repair| view.repairs.contains(*repair));
    let value = Value {
        remote,
        local,
        includes: view.includes.clone(),
        excludes: view.excludes.clone(),
        provider_name: view.package.clone().unwrap_or_default(),
        repairs: (view.repairs != Repairs::all()).then(|| on.map(|repair| repair.name().to_owned()).collect()),
    };
    // Strings in structs always have a JSON form.
    serde_json::to_vec(&value).unwrap_or_default()
}

/// What a parameter asks for; an error says what is wrong with it.
pub(super) fn read(parameter: &[u8]) -> Result<Wanted, String> {
    let value: Value =
        serde_json::from_slice(parameter).map_err(|error| format!("it is not the JSON that it should be: {error}"))?;
    let given = |text: &str, name: &str| match text {
        "" => Err(format!("{name:?} is empty")),
        _ => Ok(()),
    };
    let provider = match (value.remote, value.local) {
        (Some(remote), None) => {
            given(&remote.url, "remote.url")?;
            given(&remote.version, "remote.version")?;
            let hashes = remote.hashes.iter().filter_map(|hash| hash.parse().ok()).collect();
            WantedProvider::Remote { address: remote.url, versions: remote.version, hashes }
        }
        (None, Some(local)) => {
            given(&local.path, "local.path")?;
            WantedProvider::Local { path: local.path }
        }
        (Some(_), Some(_)) => return Err("it has both \"remote\" and \"local\"".to_owned()),
        (None, None) => return Err("it has neither \"remote\" nor \"local\"".to_owned()),
    };
    let repairs = value.repairs.map_or_else(|| Ok(Repairs::all()), |names| repairs_named(&names))?;
    let view = View {
        includes: value.includes,
        excludes: value.excludes,
        package: Some(value.provider_name).filter(|name| !name.is_empty()),
        repairs,
    };
    Ok(Wanted { provider, view })
}

/// The repairs of these names; an error names one that there is not.
pub(super) fn repairs_named(names: &[String]) -> Result<Repairs, String> {
    let named = |name: &String| {
        let known = Repair::ALL.into_iter().find(|repair| repair.name() == name);
        known.ok_or_else(|| {
            let all: Vec<_> = Repair::ALL.into_iter().map(Repair::name).collect();
            format!("there is no repair {name:?}; there are {}", all.join(", "))
        })
    };
    names.iter().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(record: &Record, view: &View) -> String {
        String::from_utf8(write(record, view)).unwrap()
    }

    fn remote(hashes: &[&str]) -> Record {
        Record::Remote {
            address: "registry.opentofu.org/hashicorp/random".to_owned(),
            version: "3.3.0".to_owned(),
            hashes: hashes.iter().map(|hash| hash.parse().unwrap()).collect(),
        }
    }

    #[test]
    fn has_the_form_of_the_go_plugin_with_what_it_reads_over() {
        let local = Record::Local { path: "./bin/terraform-provider-x".to_owned() };
        let zip = format!("zh:{}", "0a".repeat(32));
        let view = View {
            includes: vec!["x_b".to_owned(), "x_a".to_owned()],
            excludes: vec!["x_c".to_owned()],
            package: Some("other".to_owned()),
            repairs: Repairs::from_iter([Repair::Tuples]),
        };
        let written = [
            text(&remote(&[]), &View::default()),
            text(&local, &View::default()),
            text(&remote(&[&zip]), &view),
            text(&local, &View { repairs: Repairs::none(), ..View::default() }),
        ];
        insta::assert_snapshot!(written.join("\n"), @r#"
        {"remote":{"url":"registry.opentofu.org/hashicorp/random","version":"3.3.0"}}
        {"local":{"path":"./bin/terraform-provider-x"}}
        {"remote":{"url":"registry.opentofu.org/hashicorp/random","version":"3.3.0","hashes":["zh:0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"]},"includes":["x_b","x_a"],"excludes":["x_c"],"providerName":"other","repairs":["tuples"]}
        {"local":{"path":"./bin/terraform-provider-x"},"repairs":[]}
        "#);
        let read = read(&write(&remote(&[&zip]), &view)).unwrap();
        assert_eq!(read.view, view);
        let hashes = vec![zip.parse().unwrap()];
        let (address, versions) = ("registry.opentofu.org/hashicorp/random".to_owned(), "3.3.0".to_owned());
        assert_eq!(read.provider, WantedProvider::Remote { address, versions, hashes });
    }

    #[test]
    fn what_is_unknown_is_read_over_and_what_is_wrong_is_told() {
        let newer = r#"{"remote":{"url":"a/b","version":"1.0.0","hashes":["h9:x"],"more":1},"even":"more"}"#;
        assert!(
            matches!(read(newer.as_bytes()).unwrap().provider, WantedProvider::Remote { hashes, .. } if hashes.is_empty())
        );
        let wrong = [
            "[",
            "{}",
            r#"{"remote":{"url":"a/b","version":"1.0.0"},"local":{"path":"x"}}"#,
            r#"{"remote":{"version":"1.0.0"}}"#,
            r#"{"remote":{"url":"a/b"}}"#,
            r#"{"local":{}}"#,
            r#"{"local":{"path":"x"},"repairs":["later"]}"#,
        ];
        let told = wrong.map(|text| read(text.as_bytes()).unwrap_err());
        insta::assert_snapshot!(told.join("\n"), @r#"
        it is not the JSON that it should be: EOF while parsing a list at line 1 column 1
        it has neither "remote" nor "local"
        it has both "remote" and "local"
        "remote.url" is empty
        "remote.version" is empty
        "local.path" is empty
        there is no repair "later"; there are tuples, dynamic-maps, descriptions, deprecations, distinct-types, resource-ids, foreign-prefixes, property-names, new-kinds, dotnet-members
        "#);
    }
}
