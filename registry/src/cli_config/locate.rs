//! Where the CLI configuration lies, by OpenTofu's rules: its own files first, then Terraform's.

use std::path::PathBuf;

use crate::environment::Environment;
use crate::platform::Platform;

/// Files to read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Locations {
    /// The file that a variable names. Then it is the only one, and should exist.
    pub(super) named: Option<PathBuf>,
    /// The user's file.
    pub(super) file: Option<PathBuf>,
    /// The folder whose `*.tfrc` and `*.tfrc.json` are read.
    pub(super) folder: Option<PathBuf>,
}

pub(super) fn locations(environment: &Environment) -> Locations {
    let named = environment.folder("TF_CLI_CONFIG_FILE").or_else(|| environment.folder("TERRAFORM_CONFIG"));
    if named.is_some() {
        return Locations { named, ..Locations::default() };
    }
    let (file, folder) = if cfg!(windows) { on_windows(environment) } else { on_unix(environment) };
    Locations { named: None, file, folder }
}

fn on_windows(environment: &Environment) -> (Option<PathBuf>, Option<PathBuf>) {
    let Some(folder) = environment.folder("APPDATA") else { return (None, None) };
    let file = [folder.join("tofu.rc"), folder.join("terraform.rc")].into_iter().find(|file| file.exists());
    (file, Some(folder.join("terraform.d")))
}

fn on_unix(environment: &Environment) -> (Option<PathBuf>, Option<PathBuf>) {
    let Some(home) = environment.home() else { return (None, None) };
    let xdg = environment.folder("XDG_CONFIG_HOME").map(|folder| folder.join("opentofu"));
    let files =
        [Some(home.join(".tofurc")), Some(home.join(".terraformrc")), xdg.as_ref().map(|xdg| xdg.join("tofurc"))];
    let file = files.into_iter().flatten().find(|file| file.exists());
    let folder = home.join(".terraform.d");
    let folder = if folder.exists() { folder } else { xdg.unwrap_or(folder) };
    (file, Some(folder))
}

/// Folders that are mirrors without being configured, when no `provider_installation` is: what Terraform calls implied
/// local mirrors.
pub(crate) fn implied_mirrors(environment: &Environment) -> Vec<PathBuf> {
    let mut folders = vec![environment.resolve("terraform.d/plugins")];
    let home = environment.home();
    if cfg!(windows) {
        if let Some(data) = environment.folder("APPDATA") {
            folders.push(data.join("terraform.d/plugins"));
            folders.push(data.join("HashiCorp/Terraform/plugins"));
        }
        return folders;
    }
    folders.extend(home.as_ref().map(|home| home.join(".terraform.d/plugins")));
    let data = environment.folder("XDG_DATA_HOME");
    folders.extend(data.as_ref().map(|data| data.join("opentofu/plugins")));
    if cfg!(target_os = "macos") {
        let library = "Library/Application Support/io.terraform/plugins";
        folders.extend(home.map(|home| home.join(library)));
        folders.push(PathBuf::from("/").join(library));
        return folders;
    }
    folders.extend(data.or_else(|| Some(home?.join(".local/share"))).map(|data| data.join("terraform/plugins")));
    let system = environment.variable("XDG_DATA_DIRS").unwrap_or("/usr/local/share:/usr/share");
    folders.extend(std::env::split_paths(system).map(|folder| folder.join("terraform/plugins")));
    folders
}

/// Folders that may have the program of a credentials helper. Terraform looks into those of plugins.
pub(super) fn helper_folders(environment: &Environment) -> Vec<PathBuf> {
    let roots = if cfg!(windows) {
        vec![environment.folder("APPDATA").map(|data| data.join("terraform.d"))]
    } else {
        let xdg = environment.folder("XDG_DATA_HOME").map(|data| data.join("opentofu"));
        vec![environment.home().map(|home| home.join(".terraform.d")), xdg]
    };
    let platform = Platform::current().to_string();
    let plugins = roots.into_iter().flatten().map(|root| root.join("plugins"));
    plugins.flat_map(|folder| [folder.join(&platform), folder]).collect()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn the_users_file_is_found_where_opentofu_looks_for_it() {
        let home = tempfile::tempdir().unwrap();
        let path = |name: &str| home.path().join(name);
        let home_folder = home.path();
        let variables = |more: &[(&str, &str)]| {
            let home = ("HOME".to_owned(), home.path().to_str().unwrap().to_owned());
            let xdg = ("XDG_CONFIG_HOME".to_owned(), path("xdg").to_str().unwrap().to_owned());
            let more = more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            Environment::new([home, xdg].into_iter().chain(more), home_folder)
        };
        std::fs::create_dir_all(path("xdg/opentofu")).unwrap();
        assert_eq!(locations(&variables(&[])).file, None);
        assert_eq!(locations(&variables(&[])).folder, Some(path("xdg/opentofu")));
        for name in ["xdg/opentofu/tofurc", ".terraformrc", ".tofurc"] {
            std::fs::write(path(name), "").unwrap();
            assert_eq!(locations(&variables(&[])).file, Some(path(name)));
        }
        std::fs::create_dir(path(".terraform.d")).unwrap();
        assert_eq!(locations(&variables(&[])).folder, Some(path(".terraform.d")));
        let named = locations(&variables(&[("TF_CLI_CONFIG_FILE", "my.tfrc")]));
        assert_eq!(named, Locations { named: Some(path("my.tfrc")), ..Locations::default() });
    }
}
