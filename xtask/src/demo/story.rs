//! The life of one file, the same under every host, and the checks after each step.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// What a host says it would do to the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    None,
    /// Make it.
    Create,
    /// Change it in place.
    Update,
    /// Remove it and make another.
    Replace,
}

/// The properties of the script: a file as it should be.
#[derive(Clone)]
pub struct Wanted {
    /// Where the file is; another place means another file.
    pub path: PathBuf,
    /// Its whole content.
    pub content: String,
    /// Its permission bits in octal, as the script takes them.
    pub mode: String,
}

impl Wanted {
    /// As the script's `props`.
    pub fn props(&self) -> Value {
        json!({ "path": self.path, "content": self.content, "mode": self.mode })
    }
}

/// One of the programs that can manage a script.
pub trait Host {
    /// The folder in which the managed files go.
    fn folder(&self) -> &Path;
    /// What it would do now, having looked at the real file.
    fn plan(&mut self, wanted: &Wanted) -> Result<Change>;
    /// Does it.
    fn apply(&mut self, wanted: &Wanted) -> Result<()>;
    /// What the script answered about the file, as it is in the host's state; none when nothing is managed.
    fn state(&mut self) -> Result<Option<Value>>;
    /// Drops the resource from its state without touching the file, then takes the file over by its id.
    fn forget_and_import(&mut self, wanted: &Wanted) -> Result<()>;
    /// Removes everything it manages.
    fn destroy(&mut self) -> Result<()>;
}

/// The part of a command line that says what is done: the words before the first option or name.
pub fn subcommand(arguments: &[&str]) -> String {
    let is_word = |argument: &&&str| argument.chars().all(|c| c.is_ascii_lowercase());
    arguments.iter().take_while(is_word).copied().collect::<Vec<_>>().join(" ")
}

/// Takes a file through its life.
pub fn tell(host: &mut dyn Host) -> Result<()> {
    let first = host.folder().join("first.txt");
    let mut wanted = Wanted { path: first.clone(), content: "hello\n".to_owned(), mode: "0644".to_owned() };

    step("create");
    change(host, &wanted, Change::Create)?;
    expect_plan(host, &wanted, Change::None)?;

    step("change in place");
    wanted.content = "hello again\n".to_owned();
    wanted.mode = "0600".to_owned();
    change(host, &wanted, Change::Update)?;

    step("change that replaces");
    wanted.path = host.folder().join("second.txt");
    change(host, &wanted, Change::Replace)?;
    expect_absent(&first)?;

    step("drift: somebody edits the file");
    std::fs::write(&wanted.path, "edited by hand\n").context("cannot edit the file behind the host's back")?;
    change(host, &wanted, Change::Update)?;

    step("drift: somebody removes the file");
    std::fs::remove_file(&wanted.path).context("cannot remove the file behind the host's back")?;
    change(host, &wanted, Change::Create)?;

    step("forget, then import by id");
    host.forget_and_import(&wanted)?;
    expect_file(host, &wanted)?;
    expect_plan(host, &wanted, Change::None)?;

    step("destroy");
    host.destroy()?;
    expect_absent(&wanted.path)?;
    ensure!(host.state()?.is_none(), "the state still holds the file");
    Ok(())
}

fn step(title: &str) {
    println!("  {title}");
}

fn change(host: &mut dyn Host, wanted: &Wanted, expected: Change) -> Result<()> {
    expect_plan(host, wanted, expected)?;
    host.apply(wanted)?;
    expect_file(host, wanted)
}

fn expect_plan(host: &mut dyn Host, wanted: &Wanted, expected: Change) -> Result<()> {
    let planned = host.plan(wanted)?;
    ensure!(planned == expected, "planned {planned:?}, where {expected:?} is right");
    println!("    ✓ plan: {planned:?}");
    Ok(())
}

/// The file is as wanted, and the host's state knows what is really in it.
fn expect_file(host: &mut dyn Host, wanted: &Wanted) -> Result<()> {
    let shown = wanted.path.display();
    let content = std::fs::read_to_string(&wanted.path).with_context(|| format!("{shown} should be there"))?;
    ensure!(content == wanted.content, "{shown} holds {content:?}, where {:?} is right", wanted.content);
    expect_mode(wanted)?;
    let state = host.state()?.context("the state holds nothing about the file")?;
    let digest: String = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
    ensure!(state["digest"] == digest, "the state has the digest {}, where {digest} is right", state["digest"]);
    let file_name = wanted.path.file_name().unwrap_or_default().to_string_lossy();
    println!(
        "    ✓ on disk: {file_name} holds {content:?}, mode {}, SHA-256 {}… as in the state",
        wanted.mode,
        &digest[..8]
    );
    Ok(())
}

#[cfg(unix)]
fn expect_mode(wanted: &Wanted) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(&wanted.path)?.permissions().mode() & 0o7777;
    let found = format!("{mode:04o}");
    ensure!(found == wanted.mode, "{} has mode {found}, where {} is right", wanted.path.display(), wanted.mode);
    Ok(())
}

#[cfg(not(unix))]
fn expect_mode(_wanted: &Wanted) -> Result<()> {
    Ok(())
}

fn expect_absent(path: &Path) -> Result<()> {
    ensure!(!path.exists(), "{} should be gone", path.display());
    println!("    ✓ on disk: {} is gone", path.file_name().unwrap_or_default().to_string_lossy());
    Ok(())
}
