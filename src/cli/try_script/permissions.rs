//! Deno permissions as they are written on the command line.

/// The names of Deno's permissions.
const NAMES: [&str; 8] = ["read", "write", "net", "env", "run", "sys", "ffi", "import"];

/// Reads the values of `--allow` or `--deny`, each a list such as `read,net=example.com,deno.land,env=HOME`.
///
/// A comma separates permissions and also the values of one permission. A piece that is the name of a permission, by itself
/// or before `=`, begins a new one; every other piece belongs to the one before.
pub(super) fn parse(option: &str, lists: &[String]) -> Result<Vec<String>, String> {
    let mut permissions: Vec<String> = Vec::new();
    for list in lists {
        let mut in_values = false;
        for piece in list.split(',').filter(|piece| !piece.is_empty()) {
            let name = piece.split('=').next().unwrap_or_default();
            if NAMES.contains(&name) {
                in_values = piece.contains('=');
                permissions.push(piece.to_owned());
            } else if let (true, Some(last)) = (in_values, permissions.last_mut()) {
                last.push(',');
                last.push_str(piece);
            } else {
                let hint = if name == "all" && option == "--allow" { " (did you mean --allow-all?)" } else { "" };
                return Err(format!(
                    "{option} {list}: {piece:?} is not a Deno permission{hint}; the permissions are {}, each with \
                     values after \"=\" if you like (net=example.com)",
                    NAMES.join(", ")
                ));
            }
        }
    }
    Ok(permissions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(list: &str) -> Result<Vec<String>, String> {
        parse("--allow", &[list.to_owned()])
    }

    #[test]
    fn commas_separate_permissions_and_values() {
        assert_eq!(parsed("read,write").unwrap(), ["read", "write"]);
        assert_eq!(
            parsed("read,net=example.com,deno.land:443,env=HOME").unwrap(),
            ["read", "net=example.com,deno.land:443", "env=HOME"]
        );
        assert_eq!(parse("--deny", &["read".into(), "net".into()]).unwrap(), ["read", "net"]);
    }

    #[test]
    fn unknown_names_are_refused() {
        assert!(parsed("wrte").unwrap_err().contains("\"wrte\" is not a Deno permission; the permissions are read"));
        assert!(parsed("all").unwrap_err().contains("--allow-all"));
        assert!(parsed("read,/tmp").is_err(), "read has no values here");
    }
}
