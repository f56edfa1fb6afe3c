//! Runs the cases of `tests/cases/` and `tests/reports/`, those of `tests/peers/` where the peers are there, those of
//! `tests/browser/` where a browser is, and those of `tests/opentofu/` where OpenTofu is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::{env, fs};

use anyhow::{Context as _, Result, bail};
use regex::Regex;

use denobridge::plugins::GO_PLUGIN_NAMES;

use crate::tools::{copy, link, tool};
use crate::traffic::{Answers, Documents};

/// What cases need besides our own program.
const PROGRAMS: [&str; 4] =
    ["terraform-provider-minimal", "terraform-provider-sqlite", "loopback-registry", "terraform-provider-from-file"];

/// Names the OpenTofu for the cases that need it; without it they do not run.
const OPENTOFU: &str = "DENOBRIDGE_TEST_OPENTOFU";

/// Whether values cross the seam as they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Plain,
    Reencoded,
}

impl Mode {
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Reencoded => " (re-encoded)",
        }
    }
}

/// One folder with a `steps.sh`.
#[derive(Clone)]
pub struct Case {
    /// `terraform/life_cycle`.
    pub name: String,
    folder: PathBuf,
}

impl Case {
    /// The provider of `framework/examples/` that the case is about: `sqlite` for `framework/sqlite/life_cycle`.
    pub fn example(&self) -> Option<&str> {
        self.name.strip_prefix("framework/")?.split('/').next()
    }

    /// Whether what matters in the case crosses the seam of the embedded provider.
    pub fn is_about_the_embedded_provider(&self) -> bool {
        let is_about_something_else = self.example().is_some()
            || self.is_bridged()
            || self.is_report()
            || self.is_about_peers()
            || self.name.starts_with("try/")
            || self.name.starts_with("examples/try")
            || self.name.starts_with("install/");
        !is_about_something_else
    }

    /// Whether the case is one of `tests/peers/`: the Go bridge takes our place in it.
    pub fn is_about_peers(&self) -> bool {
        self.name.starts_with("peers/")
    }

    /// Whether the case is one of `tests/reports/`.
    pub fn is_report(&self) -> bool {
        self.name.starts_with("reports/")
    }

    /// Whether it is about the providers of others.
    pub fn is_bridged(&self) -> bool {
        ["bridged/", "integrations/", "opentofu/"].iter().any(|prefix| self.name.starts_with(prefix))
    }
}

/// What all cases share: the tools, and one folder of programs that stands first on PATH.
pub struct Harness {
    project: PathBuf,
    /// Whether the other programs of the workspace are built.
    is_built: Mutex<bool>,
    /// What is linked already.
    linked: Mutex<BTreeSet<String>>,
    programs: tempfile::TempDir,
    /// Where the peers' plugins are; none: their cases do not run.
    peers: Option<PathBuf>,
    filters: Vec<(Regex, &'static str)>,
}

impl Harness {
    pub fn prepare() -> Result<Self> {
        let project = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let programs = tempfile::tempdir()?;
        let binary = Path::new(env!("CARGO_BIN_EXE_denobridge"));
        for name in ["denobridge", "terraform-provider-denobridge", "pulumi-resource-denobridge"] {
            link(binary, &programs.path().join(name))?;
        }
        for plugin in GO_PLUGIN_NAMES {
            link(binary, &programs.path().join(format!("pulumi-resource-{plugin}")))?;
        }
        link(&env::current_exe()?, &programs.path().join(format!("pulumi-resource-{}", crate::kinds_plugin::NAME)))?;
        for (name, variable) in [
            ("deno", "DENOBRIDGE_TEST_DENO"),
            ("terraform", "DENOBRIDGE_TEST_TERRAFORM"),
            ("pulumi", "DENOBRIDGE_TEST_PULUMI"),
        ] {
            link(&tool(&project, name, variable)?, &programs.path().join(name))?;
        }
        let language_host = tool(&project, "pulumi-language-yaml", "DENOBRIDGE_TEST_PULUMI_LANGUAGE_YAML")?;
        link(&language_host, &programs.path().join("pulumi-language-yaml"))?;
        if env::var_os(OPENTOFU).is_some() {
            link(&tool(&project, "tofu", OPENTOFU)?, &programs.path().join("tofu"))?;
        }
        let terraform_configuration = format!(
            "provider_installation {{\n  dev_overrides {{\n    \"brad-jones/denobridge\" = {0:?}\n    \"example.com/demo/minimal\" = {0:?}\n    \"example.com/demo/sqlite\" = {0:?}\n  }}\n  direct {{}}\n}}\n",
            programs.path()
        );
        fs::write(programs.path().join("terraform.rc"), terraform_configuration)?;
        let peers = env::var_os("DENOBRIDGE_TEST_PEERS").map(PathBuf::from);
        Ok(Self { project, is_built: Mutex::default(), linked: Mutex::default(), programs, peers, filters: filters()? })
    }

    /// All cases in order of name.
    pub fn cases(&self) -> Vec<Case> {
        let mut cases = Vec::new();
        let peers = self.peers.is_some().then_some(("tests/peers", "peers/"));
        let browser = env::var_os("DENOBRIDGE_TEST_CHROMIUM").map(|_| ("tests/browser", "browser/"));
        let opentofu = env::var_os(OPENTOFU).map(|_| ("tests/opentofu", "opentofu/"));
        let always = [("tests/cases", ""), ("tests/reports", "reports/")];
        for (root, prefix) in always.into_iter().chain(peers).chain(browser).chain(opentofu) {
            let root = self.project.join(root);
            let mut open = vec![root.clone()];
            while let Some(folder) = open.pop() {
                let Ok(entries) = fs::read_dir(&folder) else { continue };
                for entry in entries.flatten().filter(|entry| entry.path().is_dir()) {
                    open.push(entry.path());
                }
                if folder.join("steps.sh").is_file() {
                    let name = folder.strip_prefix(&root).unwrap_or(&folder).to_string_lossy().replace('\\', "/");
                    cases.push(Case { name: format!("{prefix}{name}"), folder });
                }
            }
        }
        cases.sort_by(|left, right| left.name.cmp(&right.name));
        cases
    }

    /// Makes the example provider of that name a plugin for both tools, once.
    fn example(&self, name: &str) -> Result<()> {
        let mut linked = self.linked.lock().unwrap_or_else(PoisonError::into_inner);
        if !linked.contains(name) {
            self.build()?;
            let binary = built_binary(&format!("terraform-provider-{name}"))?;
            for plugin in ["terraform-provider", "pulumi-resource"] {
                link(&binary, &self.programs.path().join(format!("{plugin}-{name}")))?;
            }
            linked.insert(name.to_owned());
        }
        Ok(())
    }

    /// Puts what cases about providers of others need on PATH, once: providers, and a registry.
    fn foreign_providers(&self) -> Result<()> {
        let mut linked = self.linked.lock().unwrap_or_else(PoisonError::into_inner);
        if linked.contains("loopback-registry") {
            return Ok(());
        }
        self.build()?;
        link(&built_binary("loopback-registry")?, &self.programs.path().join("loopback-registry"))?;
        for name in ["time", "everything", "classic"] {
            let variable = format!("DENOBRIDGE_TEST_TERRAFORM_PROVIDER_{}", name.to_uppercase());
            let name = format!("terraform-provider-{name}");
            let file = tool(&self.project, &name, &variable)?;
            link(&file, &self.programs.path().join(name))?;
        }
        linked.insert("loopback-registry".to_owned());
        Ok(())
    }

    /// The provider that reports are shown with.
    fn provider_from_file(&self) -> Result<PathBuf> {
        self.build()?;
        built_binary("terraform-provider-from-file")
    }

    /// Builds the programs that cases need besides our own, once, with the Cargo and into the folder of this build.
    ///
    /// All in one command, for the whole workspace and with a test beside them: so that dependencies have the same features as for
    /// `cargo test --workspace`, and none is compiled again.
    fn build(&self) -> Result<()> {
        let mut is_built = self.is_built.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_built {
            return Ok(());
        }
        let target = build_folder()?.parent().context("the build has no target folder")?;
        let mut build = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        build.args(["build", "--quiet", "--workspace", "--test", "bounded"]);
        build.args(PROGRAMS.into_iter().flat_map(|program| ["--bin", program]));
        build.arg("--target-dir").arg(target).current_dir(&self.project).stdin(Stdio::null());
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        let output = build.output().context("could not start cargo")?;
        if !output.status.success() {
            bail!("what cases need does not build:\n{}", String::from_utf8_lossy(&output.stderr));
        }
        *is_built = true;
        Ok(())
    }

    /// Runs one case and compares what it printed.
    pub fn run(&self, case: &Case, mode: Mode) -> Result<()> {
        if let Some(example) = case.example() {
            self.example(example)?;
        }
        if case.is_bridged() || case.is_about_peers() {
            self.foreign_providers()?;
        }
        let sandbox = tempfile::Builder::new().prefix("denobridge-case-").tempdir()?;
        // Tools print resolved paths, so the filters must know this one.
        let sandbox_path = sandbox.path().canonicalize()?;
        let work = sandbox_path.join("work");
        copy(&case.folder, &work)?;
        copy(&self.project.join("tests/scripts"), &sandbox_path.join("scripts"))?;
        let mut command = self.command(&work, &sandbox_path, mode)?;
        if case.is_report() {
            command.env("FROM_FILE", self.provider_from_file()?);
        }
        if let Some(peers) = &self.peers {
            command.env("PEERS", peers);
        }
        let output = command.output().context("could not start bash")?;
        let seen = self.normalise(&String::from_utf8_lossy(&output.stdout), &sandbox_path);
        let errors = self.normalise(&String::from_utf8_lossy(&output.stderr), &sandbox_path);
        if !output.status.success() {
            bail!("steps.sh ended with {}\n--- printed\n{seen}\n--- further output\n{errors}", output.status);
        }
        self.check_traffic(&sandbox_path)?;
        if reports_integrations(&work) && crate::integrations_report::check(&self.project, &work)? == 0 {
            bail!("nothing has been reported of integrations");
        }
        let expected_file = case.folder.join("expected.txt");
        let expected = fs::read_to_string(&expected_file).unwrap_or_default();
        if seen == expected {
            return Ok(());
        }
        if mode == Mode::Plain && env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&expected_file, &seen)?;
            return Ok(());
        }
        let difference = similar::TextDiff::from_lines(&expected, &seen);
        bail!(
            "{} differs:\n{}\n--- further output\n{errors}",
            expected_file.display(),
            difference.unified_diff().header("expected", "seen")
        );
    }

    /// Holds the traffic with scripts that a case has recorded against the contracts' documents.
    fn check_traffic(&self, sandbox: &Path) -> Result<()> {
        for entry in fs::read_dir(sandbox)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if !name.starts_with("json-rpc") {
                continue;
            }
            let answers = if name.contains("damaged") { Answers::WrongOnPurpose } else { Answers::Checked };
            let log = fs::read_to_string(sandbox.join(&name))?;
            let seen = Documents::read(&self.project)?.check(&log, answers).with_context(|| name.clone())?;
            if seen == 0 {
                bail!("{name} has no traffic with scripts in it");
            }
        }
        let file = sandbox.join("http-traffic.jsonl");
        if file.exists() { crate::http_traffic::check(&self.project, &fs::read_to_string(file)?) } else { Ok(()) }
    }

    fn command(&self, work: &Path, sandbox: &Path, mode: Mode) -> Result<Command> {
        let mut path = vec![self.programs.path().to_path_buf()];
        path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
        let backend = sandbox.join("backend");
        fs::create_dir_all(&backend)?;
        let mut command = Command::new("bash");
        command
            .arg("-c")
            .arg("set -uo pipefail; . \"$SUPPORT/steps.sh\"; . ./steps.sh")
            .current_dir(work)
            .stdin(Stdio::null())
            .env("PATH", env::join_paths(path)?)
            .env("PROJECT", &self.project)
            .env("SUPPORT", self.project.join("tests/support"))
            .env("SANDBOX", sandbox)
            .env("SCRIPTS", sandbox.join("scripts"))
            .env("PROGRAMS", self.programs.path())
            .env("TF_CLI_CONFIG_FILE", self.programs.path().join("terraform.rc"))
            .env("TF_IN_AUTOMATION", "1")
            .env("CHECKPOINT_DISABLE", "1")
            .env("PULUMI_HOME", sandbox.join("pulumi-home"))
            .env("PULUMI_BACKEND_URL", format!("file://{}", backend.display()))
            .env("PULUMI_CONFIG_PASSPHRASE", "correct horse battery staple")
            .env("PULUMI_SKIP_UPDATE_CHECK", "1")
            .env("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION", "1")
            .env("NO_COLOR", "1")
            .env_remove("RUST_BACKTRACE")
            .env("DENO_DIR", sandbox.join("deno-cache"))
            .env("DENO_NO_UPDATE_CHECK", "1")
            .env_remove("TF_LOG")
            .env_remove("DENOBRIDGE_REENCODE");
        if mode == Mode::Reencoded {
            command.env("DENOBRIDGE_REENCODE", "1");
        }
        Ok(command)
    }

    fn normalise(&self, text: &str, sandbox: &Path) -> String {
        let mut text = text.replace(&*sandbox.to_string_lossy(), "[DIR]");
        text = text.replace(&*self.programs.path().to_string_lossy(), "[PROGRAMS]");
        for (pattern, replacement) in &self.filters {
            text = pattern.replace_all(&text, *replacement).into_owned();
        }
        let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        while lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        lines.join("\n") + "\n"
    }
}

/// Whether what integrations are told in a case is reported. It may have taken their configuration from another one.
fn reports_integrations(work: &Path) -> bool {
    let configuration = fs::read_to_string(work.join("integrations.toml"));
    configuration.is_ok_and(|text| text.starts_with("report = "))
}

/// Where the programs of this build are.
fn build_folder() -> Result<&'static Path> {
    Path::new(env!("CARGO_BIN_EXE_denobridge")).parent().context("the build has no folder")
}

fn built_binary(name: &str) -> Result<PathBuf> {
    Ok(build_folder()?.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
}

/// What differs from run to run without meaning anything.
fn filters() -> Result<Vec<(Regex, &'static str)>> {
    [
        // Pulumi's YAML host colours its errors whatever it is told.
        (r"\x1b\[[0-9;]*m", ""),
        (r"after [0-9]+(\.[0-9]+)?m?[0-9]*s", "after [TIME]"),
        (r"\([0-9]+(\.[0-9]+)?s\)", "([TIME])"),
        (r"Duration: [0-9ms]+", "Duration: [TIME]"),
        (r"\b[0-9]+(\.[0-9]+)? ?(ms|µs)\b", "[TIME]"),
        (r"(127\.0\.0\.1|localhost):[0-9]+", "$1:[PORT]"),
        // The ids of providers.
        (r"::[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "::[ID]"),
        // What is encrypted is so anew each time.
        (r#""ciphertext": "v1:[^"]+""#, r#""ciphertext": "[CIPHERTEXT]""#),
        (r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9]{2}:?[0-9]{2})", "[MOMENT]"),
    ]
    .into_iter()
    .map(|(pattern, replacement)| Ok((Regex::new(pattern)?, replacement)))
    .collect()
}
