//! `cargo xtask checklist`: what the checklists claim, shown by exactly the tests that they name. A name that no test has, a
//! test that fails and an item that is not done are errors.

mod document;
mod suite;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use clap::Args;

use self::document::{Item, Status};
use self::suite::{Outcome, Suite, TestId};
use crate::project::Project;
use crate::tools::{self, Tool};

/// The checklists of the project. One that is not there is left out.
const DOCUMENTS: [&str; 2] = ["framework/CHECKLIST.md", "docs/integrations/CHECKLIST.md"];

/// What to check.
#[derive(Args)]
pub struct Options {
    /// Check only these items, such as F12.
    items: Vec<String>,
    /// Check that the named tests exist, and run none.
    #[arg(long)]
    names: bool,
}

/// A checklist and where it is.
struct Checklist {
    path: &'static str,
    items: Vec<Item>,
}

/// Runs what the checklists name and prints a line for each item.
pub fn run(project: &Project, options: &Options) -> Result<()> {
    let checklists = read(project, &options.items)?;
    let suite = Suite::build(project)?;
    if options.names {
        return report_missing(&checklists, &suite);
    }
    let tools = tools::install(project, &Tool::for_tests().collect::<Vec<_>>())?;
    let wanted: BTreeSet<TestId> = checklists
        .iter()
        .flat_map(|checklist| &checklist.items)
        .flat_map(|item| &item.tests)
        .flat_map(|name| suite.find(name))
        .collect();
    let outcomes = suite.run(project, &tools, &wanted)?;
    let mut faulty = Vec::new();
    for checklist in &checklists {
        println!("\n{}", checklist.path);
        for item in &checklist.items {
            let verdict = Verdict::of(item, &suite, &outcomes);
            println!("  {:<6} {:<44} {verdict}", item.name, shortened(&item.what, 44));
            if !verdict.is_good() {
                faulty.push(item.name.as_str());
            }
        }
    }
    let count: usize = checklists.iter().map(|checklist| checklist.items.len()).sum();
    println!("\n{} of {count} items are done and shown by {} tests", count - faulty.len(), wanted.len());
    if !faulty.is_empty() {
        bail!("not shown: {}", faulty.join(", "));
    }
    Ok(())
}

/// Fails with every name in the checklists that no test has. Runs no test.
pub fn check_names(project: &Project) -> Result<()> {
    report_missing(&read(project, &[])?, &Suite::build(project)?)
}

fn report_missing(checklists: &[Checklist], suite: &Suite) -> Result<()> {
    let mut missing = Vec::new();
    let mut count = 0;
    for checklist in checklists {
        for (item, test) in checklist.items.iter().flat_map(|item| item.tests.iter().map(move |test| (item, test))) {
            count += 1;
            if suite.find(test).is_empty() {
                missing.push(format!("{}: {}: `{test}`", checklist.path, item.name));
            }
        }
    }
    if !missing.is_empty() {
        bail!("there are no tests of these names:\n  {}", missing.join("\n  "));
    }
    println!("{count} names in checklists are names of tests");
    Ok(())
}

fn read(project: &Project, wanted: &[String]) -> Result<Vec<Checklist>> {
    let mut checklists = Vec::new();
    for path in DOCUMENTS {
        let file = project.path(path);
        if !file.exists() {
            continue;
        }
        let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {path}"))?;
        let mut items = document::parse(&text).with_context(|| path.to_owned())?;
        items.retain(|item| wanted.is_empty() || wanted.contains(&item.name));
        checklists.push(Checklist { path, items });
    }
    let is_unknown = |name: &&String| !checklists.iter().flat_map(|list| &list.items).any(|item| item.name == **name);
    if let Some(unknown) = wanted.iter().find(is_unknown) {
        bail!("no checklist has an item {unknown}");
    }
    Ok(checklists)
}

/// What is to be said of one item.
struct Verdict {
    passed: usize,
    failed: Vec<String>,
    missing: Vec<String>,
    not_done: Option<String>,
}

impl Verdict {
    fn of(item: &Item, suite: &Suite, outcomes: &BTreeMap<TestId, Outcome>) -> Self {
        let mut verdict = Self { passed: 0, failed: Vec::new(), missing: Vec::new(), not_done: None };
        for name in &item.tests {
            let found = suite.find(name);
            if found.is_empty() {
                verdict.missing.push(name.clone());
            }
            for test in found {
                match outcomes.get(&test) {
                    Some(Outcome::Passed) => verdict.passed += 1,
                    Some(Outcome::Failed) | None => verdict.failed.push(test.1),
                }
            }
        }
        if let Status::NotDone(status) = &item.status {
            verdict.not_done = Some(status.clone());
        }
        verdict
    }

    fn is_good(&self) -> bool {
        self.failed.is_empty() && self.missing.is_empty() && self.not_done.is_none()
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        if self.passed > 0 || self.is_good() {
            parts.push(format!("{} passed", self.passed));
        }
        parts.extend(self.failed.iter().map(|test| format!("FAILED {test}")));
        parts.extend(self.missing.iter().map(|name| format!("NO TEST {name}")));
        parts.extend(self.not_done.iter().map(|status| format!("NOT DONE {status}")));
        out.write_str(&parts.join("; "))
    }
}

/// At most so many characters.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_says_everything_that_is_wrong() {
        let mut verdict = Verdict { passed: 2, failed: vec![], missing: vec![], not_done: None };
        assert!(verdict.is_good());
        assert_eq!(verdict.to_string(), "2 passed");
        verdict.failed.push("a::b".to_owned());
        verdict.missing.push("c".to_owned());
        verdict.not_done = Some("part: d".to_owned());
        assert!(!verdict.is_good());
        assert_eq!(verdict.to_string(), "2 passed; FAILED a::b; NO TEST c; NOT DONE part: d");
    }

    #[test]
    fn long_descriptions_are_cut() {
        assert_eq!(shortened("abc", 3), "abc");
        assert_eq!(shortened("abcd", 3), "ab…");
    }
}
