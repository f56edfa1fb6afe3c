//! Running terraform with providers from folders, independent of the user's own settings.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::process;

/// A CLI configuration in which the given provider addresses are served from folders, and nothing is downloaded.
pub fn cli_configuration(overrides: &[(&str, &Path)]) -> String {
    let lines =
        overrides.iter().map(|(address, folder)| format!("    {} = {}\n", quote(address), quote(&folder.display())));
    format!("provider_installation {{\n  dev_overrides {{\n{}  }}\n}}\n", lines.collect::<String>())
}

/// Makes a terraform command depend on nothing of the user's own settings.
pub fn isolate(command: &mut Command, cli_configuration: &Path) {
    process::forget_variables(command, &["TF_"]);
    command.env("TF_CLI_CONFIG_FILE", cli_configuration).env("CHECKPOINT_DISABLE", "1").env("TF_IN_AUTOMATION", "1");
}

/// A string literal of Terraform's language: JSON's, with templates switched off.
pub fn quote(text: &dyn ToString) -> String {
    Value::String(text.to_string()).to_string().replace("${", "$${").replace("%{", "%%{")
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn templates_are_switched_off() {
        assert_eq!(quote(&"a \"b\"\n${c} %{d}"), r#""a \"b\"\n$${c} %%{d}""#);
    }
}
