//! Which of the permissions that a package asks for its scripts are in force: those that its consumer grants.
//!
//! Both sides write Deno's flags without `--allow-`: `env` is for all variables, `env=HOME,PATH` for two.

use std::fmt;

/// What the provider's configuration grants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Grant {
    /// All that is asked for.
    pub all: bool,
    /// What is granted of what is asked for.
    pub allow: Vec<String>,
}

/// What a script asks for, divided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effective {
    /// What is in force.
    pub granted: Vec<String>,
    /// What is not, or not as a whole.
    pub refused: Vec<String>,
}

/// One permission for one target.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Flag<'t> {
    name: &'t str,
    /// `None` for all targets.
    target: Option<&'t str>,
}

impl fmt::Display for Flag<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.target {
            Some(target) => write!(f, "{}={target}", self.name),
            None => f.write_str(self.name),
        }
    }
}

/// Stands for every permission, in a request as in a grant.
const ALL: &str = "all";

/// What of the requests is in force. A grant that is narrower than a request gives what it says; the request is then also
/// among those that are refused.
pub(super) fn effective(asks: &[String], grant: &Grant) -> Effective {
    let allowed: Vec<Flag<'_>> = grant.allow.iter().flat_map(|entry| flags(entry)).collect();
    let mut effective = Effective::default();
    for ask in asks.iter().flat_map(|entry| flags(entry)) {
        if grant.all || allowed.iter().any(|flag| covers(flag, &ask)) {
            add(&mut effective.granted, &ask);
            continue;
        }
        allowed.iter().filter(|flag| covers(&ask, flag)).for_each(|flag| add(&mut effective.granted, flag));
        add(&mut effective.refused, &ask);
    }
    effective
}

fn add(found: &mut Vec<String>, flag: &Flag<'_>) {
    let flag = flag.to_string();
    if !found.contains(&flag) {
        found.push(flag);
    }
}

/// The permissions that an entry names: Deno separates targets by commas.
fn flags(entry: &str) -> Vec<Flag<'_>> {
    let entry = entry.trim();
    match entry.split_once('=') {
        _ if entry.is_empty() => Vec::new(),
        None => vec![Flag { name: entry, target: None }],
        Some((name, targets)) => {
            let targets = targets.split(',').filter(|target| !target.is_empty());
            targets.map(|target| Flag { name, target: Some(target) }).collect()
        }
    }
}

/// Whether whoever has `flag` has `other` too.
fn covers(flag: &Flag<'_>, other: &Flag<'_>) -> bool {
    if flag.name == ALL && flag.target.is_none() {
        return true;
    }
    if flag.name != other.name {
        return false;
    }
    match (flag.target, other.target) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(target), Some(other)) => target == other || covers_target(flag.name, target, other),
    }
}

fn covers_target(name: &str, target: &str, other: &str) -> bool {
    match name {
        "read" | "write" => covers_path(target, other),
        "net" | "import" => covers_host(target, other),
        "env" => target.strip_suffix('*').is_some_and(|prefix| other.starts_with(prefix)),
        _ => false,
    }
}

/// A folder is permitted with what is in it. What leads out of a folder again is compared as a whole only.
fn covers_path(folder: &str, path: &str) -> bool {
    let parts = |path: &str| -> Vec<String> {
        path.split(['/', '\\']).filter(|part| !matches!(*part, "" | ".")).map(str::to_owned).collect()
    };
    let is_absolute = |path: &str| path.starts_with(['/', '\\']) || path.get(1..2) == Some(":");
    let (outer, inner) = (parts(folder), parts(path));
    let leads_out = outer.iter().chain(&inner).any(|part| part == "..");
    is_absolute(folder) == is_absolute(path) && !leads_out && inner.starts_with(&outer)
}

/// A host is permitted with all of its ports.
fn covers_host(host: &str, other: &str) -> bool {
    let port = other.strip_prefix(host).and_then(|rest| rest.strip_prefix(':'));
    port.is_some_and(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        text.split_ascii_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn what_is_asked_for_and_granted_is_in_force() {
        // Asked for, granted; in force, refused.
        let cases = [
            ("read=/srv write=/srv", "", "", "read=/srv write=/srv"),
            ("read=/srv write=/srv", "read=/srv", "read=/srv", "write=/srv"),
            ("env=HOME env=PATH", "env", "env=HOME env=PATH", ""),
            ("env=HOME,PATH", "env=PATH", "env=PATH", "env=HOME"),
            ("env=AWS_KEY", "env=AWS_*", "env=AWS_KEY", ""),
            ("env=AWS_*", "env=AWS_KEY", "env=AWS_KEY", "env=AWS_*"),
            ("read", "read=/srv read=/tmp", "read=/srv read=/tmp", "read"),
            ("read=/srv/data", "read=/srv", "read=/srv/data", ""),
            ("read=/srv", "read=/srv/data", "read=/srv/data", "read=/srv"),
            ("read=/srvother", "read=/srv", "", "read=/srvother"),
            ("read=/srv/../etc", "read=/srv", "", "read=/srv/../etc"),
            ("read=srv/data", "read=./srv", "read=srv/data", ""),
            ("read=srv", "read=/", "", "read=srv"),
            (r"read=C:\data\a", r"read=C:\data", r"read=C:\data\a", ""),
            ("net=example.com:443", "net=example.com", "net=example.com:443", ""),
            ("net=example.com", "net=example.com:443", "net=example.com:443", "net=example.com"),
            ("net=example.com.evil", "net=example.com", "", "net=example.com.evil"),
            ("run=git", "run=gi", "", "run=git"),
            ("all", "read", "read", "all"),
            ("all", "all", "all", ""),
            ("run=git ffi", "all", "run=git ffi", ""),
            ("", "read write", "", ""),
            ("read=/srv", "write=/srv net", "", "read=/srv"),
        ];
        for (asks, allow, granted, refused) in cases {
            let found = effective(&list(asks), &Grant { all: false, allow: list(allow) });
            let expected = Effective { granted: list(granted), refused: list(refused) };
            assert_eq!(found, expected, "asks for {asks}, granted {allow}");
        }
    }

    #[test]
    fn all_is_all_that_is_asked_for_and_no_more() {
        let found = effective(&list("read=/srv env"), &Grant { all: true, allow: list("net") });
        assert_eq!(found, Effective { granted: list("read=/srv env"), refused: vec![] });
        assert_eq!(effective(&[], &Grant { all: true, allow: vec![] }), Effective::default());
    }
}
