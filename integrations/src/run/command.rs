//! What the user asked for, as the host's command line says it.

use crate::protocol::Operation;

/// What a host was asked to do, if its arguments say so.
pub(crate) fn operation_of(arguments: &[String]) -> Operation {
    let words = || arguments.iter().map(String::as_str).filter(|argument| !argument.starts_with('-'));
    let has = |flag: &str| {
        // Flags of Terraform may have one hyphen or two.
        arguments.iter().any(|argument| argument.trim_start_matches('-') == flag && argument.starts_with('-'))
    };
    match words().find_map(named) {
        _ if has("destroy") => Operation::Destroy,
        _ if has("refresh-only") => Operation::Refresh,
        Some(operation) => operation,
        None => Operation::Unknown,
    }
}

/// Whether a host is a Terraform, or one of its kind, that was asked to test: it plans and applies as often as its files say.
pub(crate) fn is_test(program: &str, arguments: &[String]) -> bool {
    let command = arguments.iter().find(|argument| !argument.starts_with('-'));
    ["terraform", "tofu"].iter().any(|name| program.starts_with(name))
        && command.is_some_and(|command| command == "test")
}

fn named(word: &str) -> Option<Operation> {
    Some(match word {
        "plan" | "preview" | "pre" => Operation::Plan,
        "apply" | "up" | "update" => Operation::Apply,
        "refresh" => Operation::Refresh,
        "destroy" | "down" => Operation::Destroy,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_flags_say_what_is_to_be_done() {
        let of = |line: &str| {
            let arguments: Vec<String> = line.split(' ').skip(1).map(str::to_owned).collect();
            operation_of(&arguments)
        };
        assert_eq!(of("terraform plan -out p"), Operation::Plan);
        assert_eq!(of("terraform -chdir=x apply -auto-approve"), Operation::Apply);
        assert_eq!(of("terraform apply -destroy"), Operation::Destroy);
        assert_eq!(of("/bin/tofu plan --refresh-only"), Operation::Refresh);
        assert_eq!(of("pulumi up --yes"), Operation::Apply);
        assert_eq!(of("pulumi preview"), Operation::Plan);
        assert_eq!(of("pulumi destroy -y"), Operation::Destroy);
        assert_eq!(of("terraform import a b"), Operation::Unknown);
        let tests = |program, words: &[&str]| {
            is_test(program, &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
        };
        assert!(tests("terraform", &["-chdir=x", "test", "-verbose"]) && tests("tofu", &["test"]));
        assert!(!tests("terraform", &["plan", "test"]) && !tests("terraform", &[]) && !tests("cargo", &["test"]));
        assert_eq!(of(""), Operation::Unknown);
    }
}
