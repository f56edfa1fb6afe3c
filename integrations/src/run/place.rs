//! Where a run takes place: workspace or stack, and project.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::protocol::HostKind;

/// Where a run takes place, as far as a provider can tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Terraform's workspace. Pulumi's stack is in each URN.
    pub workspace: Option<Arc<str>>,
    /// The name of the root module's folder, or of Pulumi's project.
    pub project: Option<Arc<str>>,
    /// Where Terraform keeps the state of this workspace, if it keeps it in a local file.
    pub state_file: Option<PathBuf>,
}

impl Place {
    /// The place of a process that works in `directory`, with the variables of its environment.
    #[must_use]
    pub fn of(kind: HostKind, directory: &Path, variable: impl Fn(&str) -> Option<String>) -> Self {
        let folder = directory.file_name().map(|name| name.to_string_lossy().into());
        match kind {
            HostKind::Pulumi => Self {
                workspace: variable("PULUMI_STACK").map(Into::into),
                project: variable("PULUMI_PROJECT").map(Into::into).or(folder),
                state_file: None,
            },
            HostKind::Terraform => {
                let data = directory.join(variable("TF_DATA_DIR").unwrap_or_else(|| ".terraform".to_owned()));
                let selected = std::fs::read_to_string(data.join("environment")).ok();
                let workspace = variable("TF_WORKSPACE")
                    .or_else(|| selected.map(|name| name.trim().to_owned()))
                    .filter(|name| !name.is_empty())
                    .unwrap_or_else(|| "default".to_owned());
                let state_file = match workspace.as_str() {
                    "default" => directory.join("terraform.tfstate"),
                    name => directory.join("terraform.tfstate.d").join(name).join("terraform.tfstate"),
                };
                Self {
                    workspace: Some(workspace.into()),
                    project: folder,
                    state_file: Some(state_file).filter(|file| file.is_file()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terraforms_workspace_is_the_variables_or_the_selected_or_the_default() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("network");
        std::fs::create_dir_all(root.join(".terraform")).unwrap();
        std::fs::create_dir_all(root.join("terraform.tfstate.d/stage")).unwrap();
        std::fs::write(root.join("terraform.tfstate.d/stage/terraform.tfstate"), "{}").unwrap();
        let of = |variable: Option<&str>| {
            let variable = variable.map(str::to_owned);
            Place::of(HostKind::Terraform, &root, |name| variable.clone().filter(|_| name == "TF_WORKSPACE"))
        };
        assert_eq!(of(None).workspace.as_deref(), Some("default"));
        assert_eq!(of(None).state_file, None);
        std::fs::write(root.join(".terraform/environment"), "stage").unwrap();
        assert_eq!(of(None).workspace.as_deref(), Some("stage"));
        assert_eq!(of(None).state_file, Some(root.join("terraform.tfstate.d/stage/terraform.tfstate")));
        assert_eq!(of(Some("prod")).workspace.as_deref(), Some("prod"));
        assert_eq!(of(None).project.as_deref(), Some("network"));
    }

    #[test]
    fn pulumi_says_it_in_its_environment() {
        let place =
            Place::of(HostKind::Pulumi, Path::new("/x/y"), |name| (name == "PULUMI_PROJECT").then(|| "shop".into()));
        assert_eq!((place.project.as_deref(), place.workspace), (Some("shop"), None));
    }
}
