//! The table of what became of each SDK, in `docs/reference/languages.md`.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail};

use super::Language;
use super::checks::{Checked, Outcome};
use crate::project::Project;

const DOCUMENT: &str = "docs/reference/languages.md";
/// The table is between these lines.
const BEGIN: &str = "<!-- Written by `cargo xtask languages --update`. -->\n";
const END: &str = "<!-- End of what is written. -->\n";

/// Shows the table.
pub fn print(results: &[Checked<'_>]) -> Result<()> {
    println!("{}", render(results));
    details(results)
}

/// Holds the table against the document's, or writes it there.
pub fn keep(project: &Project, results: &[Checked<'_>], update: bool) -> Result<()> {
    print(results)?;
    let path = project.path(DOCUMENT);
    let document = std::fs::read_to_string(&path).with_context(|| format!("cannot read {DOCUMENT}"))?;
    let (head, rest) = document.split_once(BEGIN).with_context(|| format!("{DOCUMENT} has no place for the table"))?;
    let (_, tail) = rest.split_once(END).with_context(|| format!("the table of {DOCUMENT} does not end"))?;
    let wanted = format!("{head}{BEGIN}\n{}\n{END}{tail}", render(results));
    if update {
        return std::fs::write(&path, wanted).with_context(|| format!("cannot write {DOCUMENT}"));
    }
    if wanted != document {
        bail!("the table in {DOCUMENT} is not what was found: `cargo xtask languages --update` writes it");
    }
    Ok(())
}

fn render(results: &[Checked<'_>]) -> String {
    let mut table = "| package | resources | functions | types | TypeScript | Python | Go | Java | YAML |\n\
                     |---|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for Checked { package, outcomes } in results {
        let cells: Vec<String> = Language::ALL.iter().filter_map(|language| outcomes.get(language).map(cell)).collect();
        let (resources, functions, types) = (package.resources, package.functions, package.types);
        let cells = cells.join(" | ");
        let _ = writeln!(table, "| `{}` | {resources} | {functions} | {types} | {cells} |", package.name);
    }
    table
}

fn cell(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Compiles => "compiles".to_owned(),
        Outcome::Written => "written".to_owned(),
        Outcome::Refused(_) => "**refused**".to_owned(),
        Outcome::Errors(errors) => format!("**{} errors**", errors.len()),
    }
}

/// Says what is wrong. Whether it is known is for the table to say.
fn details(results: &[Checked<'_>]) -> Result<()> {
    let mut wrong = 0;
    for Checked { package, outcomes } in results {
        for (language, outcome) in outcomes {
            let lines = match outcome {
                Outcome::Refused(words) => vec![words.clone()],
                Outcome::Errors(errors) => errors.iter().take(20).cloned().collect(),
                Outcome::Compiles | Outcome::Written => continue,
            };
            wrong += 1;
            println!("\n== {} in {}\n{}", package.name, language.name(), lines.join("\n"));
        }
    }
    println!("{wrong} SDKs are not in order; those of the table are known");
    Ok(())
}
