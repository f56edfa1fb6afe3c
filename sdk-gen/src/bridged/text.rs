//! The Markdown of descriptions as the Go bridge cleans it up: notes become quotations, links that lead nowhere from
//! Pulumi's documentation lose their target, and names in code become alternatives, one per language.

use super::references::References;

/// Cleans a description. Code blocks are left alone.
pub(super) fn clean(text: &str, references: &References) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((start, end)) = code_block(rest) {
        let (before, after) = rest.split_at(end);
        let (prose, code) = before.split_at(start);
        out.push_str(&clean_prose(prose, references));
        out.push_str(code);
        rest = after;
    }
    out.push_str(&clean_prose(rest, references));
    out.trim().to_owned()
}

/// A description as the schema has it inside object types: every line ended, without a blank last line.
pub(super) fn lines(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let text = match text.rsplit_once('\n') {
        Some((before, last)) if last.trim().is_empty() => before,
        _ => text,
    };
    format!("{text}\n")
}

fn clean_prose(text: &str, references: &References) -> String {
    if text.is_empty() {
        return String::new();
    }
    let text = text.replace("-> ", "> ").replace("~> ", "> ").replace("!> ", "> ");
    let text = ["\n(Required)\n", "\n(Optional)\n"]
        .iter()
        .fold(text.as_str(), |text, prefix| text.strip_prefix(prefix).unwrap_or(text));
    references.rewrite(&links(&footers(text)))
}

/// The first fenced code block: its start and its end. Its fence has to be the last thing on its line.
fn code_block(text: &str) -> Option<(usize, usize)> {
    const FENCE: &str = "```";
    let mut from = 0;
    while let Some(start) = text.get(from..)?.find(FENCE).map(|at| from + at) {
        let opened = start + FENCE.len();
        let line_end = text.get(opened..)?.find('\n').map_or(text.len(), |at| opened + at);
        let mut inside = line_end;
        while let Some(closing) = text.get(inside..)?.find(FENCE).map(|at| inside + at) {
            let after = closing + FENCE.len();
            if let Some(end) = blank_line_end(text, after) {
                return Some((start, end));
            }
            inside = closing + 1;
        }
        from = start + 1;
    }
    None
}

/// The last end of a line that only blanks separate from `from`.
fn blank_line_end(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r', '\x0c']).len();
    if blank == rest.len() {
        return Some(text.len());
    }
    rest.get(..blank)?.rfind('\n').map(|at| from + at)
}

/// `[1]: /docs/providers/aws/index.html` leads to Terraform's site.
fn footers(text: &str) -> String {
    const PATH: &str = "]: /docs/providers/";
    let mut parts = text.split(PATH);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let number = out.trim_end_matches(|digit: char| ('1'..='9').contains(&digit));
        let path = |character: char| matches!(character, 'a'..='z' | '1'..='9' | '_' | '/');
        let page = part.trim_start_matches(path).strip_prefix('.');
        let is_page = page.is_some_and(|end| end.starts_with(|character: char| character.is_ascii_lowercase()))
            && part.starts_with(|first| path(first) && first != '/');
        let is_footer = number.len() < out.len() && number.ends_with('[') && is_page;
        out.push_str(if is_footer { "]: https://www.terraform.io/docs/providers/" } else { PATH });
        out.push_str(part);
    }
    out
}

/// `[text](target)`: absolute targets stay, those from the root lead to Terraform's site, others are dropped.
fn links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        let (before, from) = rest.split_at(start);
        out.push_str(before);
        match link(from) {
            Some((label, target, after)) => {
                if target.starts_with("http") {
                    out.push_str(&from[..from.len() - after.len()]);
                } else if target.starts_with('/') {
                    out.push_str(&format!("[{label}](https://www.terraform.io{target})"));
                } else {
                    out.push_str(label);
                }
                rest = after;
            }
            None => {
                out.push('[');
                rest = &from[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The label and the target of the link that the text starts with, and what comes after it.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let (label, rest) = text.strip_prefix('[')?.split_once(']')?;
    let (target, after) = rest.strip_prefix('(')?.split_once(')')?;
    Some((label, target, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        clean(text, &References::default())
    }

    #[test]
    fn links_and_notes() {
        let cases = [
            ("~> **NOTE** x", "> **NOTE** x"),
            (
                "see [a](https://x.y/z) and [b](/docs/b)",
                "see [a](https://x.y/z) and [b](https://www.terraform.io/docs/b)",
            ),
            ("see [a](#b) and [c](d.html).", "see a and c."),
            ("[not a link] [a](b)", "[not a link] a"),
            ("[1]: /docs/providers/aws/d/x.html", "[1]: https://www.terraform.io/docs/providers/aws/d/x.html"),
            ("[a]: /docs/providers/aws/d/x.html", "[a]: /docs/providers/aws/d/x.html"),
        ];
        for (text, expected) in cases {
            assert_eq!(cleaned(text), expected);
        }
    }

    #[test]
    fn code_blocks_stay_as_they_are() {
        let text = "-> a\n```hcl\n-> b [x](y)\n```\n-> c";
        assert_eq!(cleaned(text), "> a\n```hcl\n-> b [x](y)\n```\n> c");
        // A fence in the middle of a line closes nothing.
        assert_eq!(cleaned("``` a ``` -> b"), "``` a ``` > b");
    }

    #[test]
    fn lines_are_ended() {
        assert_eq!(lines("a\nb"), "a\nb\n");
        assert_eq!(lines("a\n  "), "a\n");
        assert_eq!(lines(""), "");
    }
}
