//! Markdown as plain text, for the front matter: the registry shows it in search results and page previews.

/// Takes the marks of Markdown off: headings, emphasis, code, and links, whose target is kept where it leads elsewhere.
pub(super) fn plain(markdown: &str) -> String {
    let mut lines = Vec::new();
    let mut in_code = false;
    for line in markdown.trim().lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if in_code {
            lines.push(line.to_owned());
        } else if !line.trim().is_empty() {
            let text = line.trim_start_matches('#').trim_start_matches("> ");
            lines.push(without_marks(text.trim()));
        }
    }
    lines.join("\n")
}

fn without_marks(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(next) = rest.chars().next() {
        let marked = code(rest).or_else(|| link(rest)).or_else(|| escaped(rest));
        if let Some((plain, after)) = marked.or_else(|| emphasis(rest, text.chars().last())) {
            text.push_str(&plain);
            rest = after;
        } else {
            text.push(next);
            rest = rest.get(next.len_utf8()..).unwrap_or_default();
        }
    }
    text
}

/// What stands between backticks.
fn code(rest: &str) -> Option<(String, &str)> {
    let (inside, after) = rest.strip_prefix('`')?.split_once('`')?;
    Some((inside.to_owned(), after))
}

/// `[text](target)` as `text target`, without a target that is on the same site. Images vanish.
fn link(rest: &str) -> Option<(String, &str)> {
    let image = rest.strip_prefix('!');
    let (text, after) = image.unwrap_or(rest).strip_prefix('[')?.split_once("](")?;
    let (target, after) = after.split_once(')')?;
    let plain = match image {
        Some(_) => String::new(),
        None if target.contains("://") => format!("{} {target}", without_marks(text)),
        None => without_marks(text),
    };
    Some((plain, after))
}

/// A backslash before punctuation.
fn escaped(rest: &str) -> Option<(String, &str)> {
    let after = rest.strip_prefix('\\')?;
    let next = after.chars().next().filter(char::is_ascii_punctuation)?;
    Some((next.to_string(), after.get(1..)?))
}

/// What stands between two equal runs of stars or underscores. Underscores within words are part of names.
fn emphasis(rest: &str, before: Option<char>) -> Option<(String, &str)> {
    let mark = rest.chars().next().filter(|mark| matches!(mark, '*' | '_'))?;
    let opened = rest.trim_start_matches(mark);
    let run = rest.get(..rest.len() - opened.len())?;
    let (inside, after) = opened.split_once(run)?;
    let is_word = |side: Option<char>| side.is_some_and(char::is_alphanumeric);
    let within_words = mark == '_' && (is_word(before) || is_word(after.chars().next()));
    let touches = |text: &str| !text.is_empty() && text.trim() == text;
    (touches(inside) && !within_words).then(|| (without_marks(inside), after))
}
