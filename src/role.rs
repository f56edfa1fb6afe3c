//! Which role this process plays: one binary, several names.

use std::ffi::OsStr;
use std::path::Path;

/// What the process was started as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// A Pulumi resource plugin, with the plugin name that it was called under (`denobridge`, `terraform-provider`).
    PulumiPlugin(String),
    /// A Terraform provider, started by Terraform.
    TerraformPlugin,
    /// A Terraform provider, started by a person: all it can do is say so.
    TerraformPluginHelp,
    /// The command line.
    CommandLine,
}

impl Role {
    /// Decides by the name the process was called under and by whether Terraform's cookie is in the environment.
    ///
    /// The name is taken as it is: a symbolic link is how one binary gets several names, so it is not followed. The first
    /// rule that fits wins; Pulumi's comes first since a Terraform that runs inside a Pulumi program hands its cookie down.
    #[must_use]
    pub fn of(program: Option<&OsStr>, cookie_present: bool) -> Self {
        if let Some(plugin) = denobridge_pulumi::plugin_name(program) {
            return Self::PulumiPlugin(plugin);
        }
        let name = program.map(Path::new).and_then(Path::file_name).map(OsStr::to_string_lossy).unwrap_or_default();
        if cookie_present {
            return Self::TerraformPlugin;
        }
        if name.starts_with("terraform-provider-") {
            return Self::TerraformPluginHelp;
        }
        Self::CommandLine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_and_the_cookie_decide() {
        let cases = [
            ("/usr/bin/pulumi-resource-denobridge", false, Role::PulumiPlugin("denobridge".to_owned())),
            ("pulumi-resource-denobridge.exe", true, Role::PulumiPlugin("denobridge".to_owned())),
            ("./terraform-provider-denobridge_v0.1.0", true, Role::TerraformPlugin),
            ("terraform-provider-denobridge", false, Role::TerraformPluginHelp),
            ("denobridge", true, Role::TerraformPlugin),
            ("denobridge", false, Role::CommandLine),
            ("", false, Role::CommandLine),
        ];
        for (program, cookie, role) in cases {
            assert_eq!(Role::of(Some(OsStr::new(program)), cookie), role, "{program} with cookie {cookie}");
        }
        assert_eq!(Role::of(None, false), Role::CommandLine);
    }
}
