//! A package of what its scripts have said.

use std::collections::BTreeMap;

use denobridge_core::Call;
use denobridge_core::call::LogLevel;

use super::{FolderError, Manifest, Opened, Wishes, check_name, name_of};
use crate::typed::collect::{Collected, Outcome};
use crate::typed::{Description, Kind, PackageScript, ScriptPackage};

/// Who speaks in the log.
const MODULE: &str = "package";

/// The version of a package that has none of its own.
const NO_VERSION: &str = "0.0.0";

/// All that a package is made of beside what its scripts have said.
pub(crate) struct Assembly<'a> {
    /// Where it is, for messages.
    pub place: &'a str,
    /// What it says of itself.
    pub manifest: Manifest,
    /// What names it where it has no name of its own.
    pub stem: &'a str,
    /// Where Deno finds each script.
    pub locations: BTreeMap<String, String>,
    /// Deno's configuration for them.
    pub config_file: Option<String>,
    /// The files that must be scripts that describe themselves.
    pub named: Vec<String>,
}

impl Assembly<'_> {
    /// The package, of what was collected.
    pub(crate) fn package(
        self,
        call: &Call,
        collected: Vec<Collected>,
        wishes: &Wishes,
    ) -> Result<Opened, FolderError> {
        let scripts = self.scripts(call, collected, wishes)?;
        let package = ScriptPackage {
            name: self.name(wishes.name.as_deref())?,
            version: self.manifest.version.clone().unwrap_or_else(|| NO_VERSION.to_owned()),
            description: self.manifest.description.clone(),
            config: self.manifest.config.clone(),
            config_file: self.config_file,
            scripts,
        };
        Ok(Opened { package, manifest: self.manifest })
    }

    /// As it is wanted, as it calls itself, or as its folder is called.
    fn name(&self, wanted: Option<&str>) -> Result<String, FolderError> {
        let name = wanted.or(self.manifest.name.as_deref()).map_or_else(|| name_of(self.stem), str::to_owned);
        check_name(&name).map_err(|problem| FolderError::NoName { problem })?;
        Ok(name)
    }

    /// The scripts that describe themselves, with what is asked for each.
    fn scripts(
        &self,
        call: &Call,
        collected: Vec<Collected>,
        wishes: &Wishes,
    ) -> Result<Vec<PackageScript>, FolderError> {
        let level = if wishes.is_known { LogLevel::Debug } else { LogLevel::Info };
        let (mut scripts, mut problems, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for Collected { file, outcome } in collected {
            let why = match outcome {
                Outcome::Described(description) => {
                    scripts.push(self.script(file, *description, &wishes.allow));
                    continue;
                }
                Outcome::Failed(error) => {
                    problems.push(format!("{file}: {error}"));
                    continue;
                }
                Outcome::Undescribed => "has no method `schema`",
                Outcome::NotAScript => "is no script",
            };
            if self.named.contains(&file) {
                problems.push(format!("{file} {why}, so it cannot be part of a package"));
            } else {
                call.log(level, MODULE, &format!("{file} {why}, and is not part of the package"));
                others.push(format!("\n{file} {why}"));
            }
        }
        if !problems.is_empty() {
            return Err(FolderError::Scripts { problems });
        }
        if scripts.is_empty() {
            return Err(FolderError::Nothing { place: self.place.to_owned(), others });
        }
        scripts.sort_by(|left, right| left.file.cmp(&right.file));
        self.check_permissions(&scripts)?;
        Ok(scripts)
    }

    fn script(&self, file: String, description: Description, allow: &[String]) -> PackageScript {
        let mut asks = Vec::new();
        // Functions run without any permission.
        if description.kind != Kind::Function {
            asks = self.manifest.asks(&file);
            let more = allow.iter().filter(|entry| !asks.contains(entry)).cloned().collect::<Vec<_>>();
            asks.extend(more);
        }
        let location = self.locations.get(&file).cloned().unwrap_or_default();
        PackageScript { location, description, asks, file }
    }

    fn check_permissions(&self, scripts: &[PackageScript]) -> Result<(), FolderError> {
        let is_script = |file: &&String| scripts.iter().any(|script| script.file == **file);
        match self.manifest.files_with_permissions().find(|file| !is_script(file)) {
            None => Ok(()),
            Some(file) => Err(FolderError::PermissionsForNothing {
                file: file.clone(),
                scripts: scripts.iter().map(|script| script.file.clone()).collect(),
            }),
        }
    }
}
