//! `cargo xtask browser`: the cases in which a page is looked at in a real browser.

use anyhow::{Context, Result};

use crate::process;
use crate::project::Project;
use crate::test;
use crate::tools::{self, Tool};

/// Names the browser, if it is not found by its usual names.
const VARIABLE: &str = "DENOBRIDGE_TEST_CHROMIUM";

/// What it is called on different systems.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Installs the tools and runs the cases.
pub fn run(project: &Project) -> Result<()> {
    let browser = match std::env::var_os(VARIABLE) {
        Some(browser) => browser,
        None => NAMES
            .iter()
            .find_map(|name| process::find_on_path(name))
            .with_context(|| {
                format!("no Chromium in PATH: install it (on Debian the package `chromium`), or name it in {VARIABLE}")
            })?
            .into(),
    };
    let wanted: Vec<Tool> = Tool::for_tests().collect();
    let tools = tools::install(project, &wanted)?;
    test::end_to_end(project, &tools, "browser/", (VARIABLE, browser))
}
