//! What a package is called and what is said about it.

use std::collections::{BTreeMap, BTreeSet};

use crate::native::ComponentKind;

/// How a package is to be made. Texts that are `None` or empty are left out of the schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageOptions {
    /// The name of the Pulumi package.
    pub name: String,
    /// Its version: three numbers, as semantic versioning has it, without `v`.
    pub version: String,
    /// What type names start with, if not with the package name: `denobridge_resource` has the prefix `denobridge`.
    pub type_prefix: Option<String>,
    /// The name for people.
    pub display_name: Option<String>,
    /// What the package is for.
    pub description: Option<String>,
    /// Words to find it by.
    pub keywords: Vec<String>,
    /// Its home page.
    pub homepage: Option<String>,
    /// The licence, as an SPDX expression.
    pub license: Option<String>,
    /// Where its source is.
    pub repository: Option<String>,
    /// Who publishes it.
    pub publisher: Option<String>,
    /// Where the engine finds the plugin.
    pub plugin_download_url: Option<String>,
    /// The plugin that serves the package when told so by Parameterize; `None` when the plugin is the package itself.
    pub parameterization: Option<BasePlugin>,
    /// Pulumi names of components that are not to be called by the rule, by kind and Terraform name: the last part of
    /// the token, such as `Script`. Names of components that the provider does not have are no error, so that one set
    /// of options serves several versions of a provider.
    pub component_names: BTreeMap<(ComponentKind, String), String>,
    /// Functions that return a text, a number or a truth value return an object in programs, whose only member `result` is that.
    /// For packages that are had by a parameter: of those, Go's generator writes `return nil` for such functions, which does not
    /// compile.
    pub primitive_results_in_objects: bool,
    /// Kinds of components that the package does not offer.
    pub without: BTreeSet<ComponentKind>,
}

/// The plugin behind a parameterized package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasePlugin {
    /// Its name, as in `pulumi-resource-NAME`.
    pub name: String,
    /// Its version, as [`PackageOptions::version`].
    pub version: String,
    /// What the plugin is given to become the package again, on any machine.
    pub parameter: Vec<u8>,
}
