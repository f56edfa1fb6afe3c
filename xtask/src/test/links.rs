//! Links within the project's Markdown: the file must be there, and the heading in it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::scripts;
use crate::project::Project;

/// Fails with every link that leads nowhere.
pub fn check(project: &Project) -> Result<()> {
    let pages = scripts::files(project, &|name| name.ends_with(".md"))?;
    let mut broken = Vec::new();
    let mut count = 0;
    for page in &pages {
        let text = read(page)?;
        for link in links(&text).into_iter().filter(|link| is_ours(link)) {
            count += 1;
            if let Some(reason) = fault(page, &text, &link)? {
                let page = page.strip_prefix(project.root()).unwrap_or(page);
                broken.push(format!("{}: {link}: {reason}", page.display()));
            }
        }
    }
    if !broken.is_empty() {
        bail!("links that lead nowhere:\n  {}", broken.join("\n  "));
    }
    println!("{count} links in {} pages lead somewhere", pages.len());
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Whether a link stays within the project.
fn is_ours(link: &str) -> bool {
    !link.contains("://") && !link.starts_with("mailto:")
}

/// What is wrong with a link on a page.
fn fault(page: &Path, text: &str, link: &str) -> Result<Option<String>> {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target: PathBuf = match file {
        "" => page.to_path_buf(),
        _ => page.parent().unwrap_or(page).join(file),
    };
    if !target.exists() {
        return Ok(Some("there is no such file".to_owned()));
    }
    if anchor.is_empty() || target.extension().is_none_or(|extension| extension != "md") {
        return Ok(None);
    }
    let known = if file.is_empty() { anchors(text) } else { anchors(&read(&target)?) };
    Ok((!known.contains(anchor)).then(|| "there is no such heading".to_owned()))
}

/// The lines of a page outside of code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

/// The targets of all links, outside of code.
fn links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    for line in prose(text) {
        // Code within a line: every second part between backticks.
        let words: String =
            line.split('`').enumerate().map(|(index, part)| if index % 2 == 0 { part } else { "" }).collect();
        for after in words.split("](").skip(1) {
            let target = after.split_once(')').map_or(after, |(target, _)| target);
            links.extend(target.split(' ').next().map(str::to_owned));
        }
    }
    links
}

/// What a link can name on a page: headings, in the form that GitHub gives them, and anchors.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for line in prose(text) {
        if let Some(heading) = line.strip_prefix('#') {
            anchors.insert(slug(heading.trim_start_matches('#').trim()));
        }
        let ids = line.split("<a id=\"").skip(1).filter_map(|after| after.split_once('"'));
        anchors.extend(ids.map(|(id, _)| id.to_owned()));
    }
    anchors
}

fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_code_are_none() {
        let text = "[a](b.md) and `[c](d.md)` and ![e](f.png \"title\")\n```\n[g](h)\n```\n[i](#j)\n";
        assert_eq!(links(text), ["b.md", "f.png", "#j"]);
    }

    #[test]
    fn headings_and_anchors_can_be_named() {
        let text = "# One two\n## `code_x`: it's (this)\n<a id=\"nested--a\"></a>\n```\n# not one\n```\n";
        assert_eq!(anchors(text), ["code_x-its-this", "nested--a", "one-two"].map(str::to_owned).into());
    }

    #[test]
    fn a_link_needs_its_file_and_its_heading() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page.md");
        std::fs::write(folder.path().join("other.md"), "# Title\n").unwrap();
        let text = "# Here\n";
        let fault = |link: &str| fault(&page, text, link).unwrap();
        std::fs::write(&page, text).unwrap();
        for good in ["other.md", "other.md#title", "#here", "page.md#here", "."] {
            assert_eq!(fault(good), None, "{good}");
        }
        assert_eq!(fault("none.md").unwrap(), "there is no such file");
        assert_eq!(fault("other.md#here").unwrap(), "there is no such heading");
        assert_eq!(fault("#title").unwrap(), "there is no such heading");
        assert!(!is_ours("https://example.com/a.md") && is_ours("a.md"));
    }
}
