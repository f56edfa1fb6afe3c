//! Recognises Deno's refusals, to tell the user which permission to add.

/// A refusal by Deno's permission check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denied {
    /// The permission, such as `write`.
    pub permission: String,
    /// What it was wanted for: a path, a host with port, a variable's name. Deno does not always say.
    pub target: Option<String>,
}

impl Denied {
    /// Finds a refusal such as `NotCapable: Requires write access to "/a", run again with the --allow-write flag`
    /// (Deno 1 named the error `PermissionDenied`).
    pub(crate) fn find(text: &str) -> Option<Self> {
        let mut rest = text;
        while let Some(index) = rest.find("Requires ") {
            rest = &rest[index + "Requires ".len()..];
            if let Some(denied) = Self::read(rest) {
                return Some(denied);
            }
        }
        None
    }

    fn read(text: &str) -> Option<Self> {
        let (permission, after) = text.split_once(" access")?;
        if permission.is_empty() || !permission.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
            return None;
        }
        let flag = format!("--allow-{permission}");
        let (target, advice) = after.split_once(", run again with the")?;
        if !advice.trim_start().starts_with(&flag) {
            return None;
        }
        // Deno writes the target in quotes, or a placeholder such as <TMP> for a folder that it does not name.
        let target = target.strip_prefix(" to ").map(str::trim).and_then(|target| {
            Some(target.strip_prefix('"')?.strip_suffix('"')?.to_owned()).filter(|target| !target.is_empty())
        });
        Some(Self { permission: permission.to_owned(), target })
    }

    /// The entry for `permissions.allow`. Deno separates targets by commas and has no way to write one within a target: a
    /// file with a comma in its name is permitted with its folder.
    pub fn allow_entry(&self) -> String {
        let mut target = self.target.as_deref();
        while let Some(path) = target.filter(|path| path.contains(',')) {
            target = path.rsplit_once(['/', '\\']).map(|(folder, _)| folder).or(Some("."));
        }
        match target.map(|folder| if folder.is_empty() { "/" } else { folder }) {
            Some(target) => format!("{}={target}", self.permission),
            None => self.permission.clone(),
        }
    }

    /// Deno's flag for the same.
    pub fn flag(&self) -> String {
        format!("--allow-{}", self.allow_entry())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals() {
        let entry = |text: &str| Denied::find(text).map(|denied| denied.allow_entry());
        let refusal = |what: &str, name: &str| {
            format!("error: Uncaught NotCapable: Requires {name} access{what}, run again with the --allow-{name} flag")
        };
        assert_eq!(entry(&refusal(" to \"/a b\"", "write")).as_deref(), Some("write=/a b"));
        assert_eq!(entry(&refusal(" to \"example.com:443\"", "net")).as_deref(), Some("net=example.com:443"));
        let of_path = |path: &str| entry(&refusal(&format!(" to \"{path}\""), "write"));
        assert_eq!(of_path("c,o.txt").as_deref(), Some("write=."));
        assert_eq!(of_path("/a/c,d/o.txt").as_deref(), Some("write=/a"));
        assert_eq!(of_path("/c,d/o.txt").as_deref(), Some("write=/"));
        assert_eq!(entry(&refusal("", "env")).as_deref(), Some("env"));
        assert_eq!(entry(&refusal(" to <TMP>", "write")).as_deref(), Some("write"));
        assert_eq!(entry("Requires care. Requires write access to the building"), None);
        assert_eq!(entry("PermissionDenied: Permission denied (os error 13)"), None);
    }
}
