//! The report of a run as a page: one file without anything from elsewhere, readable without scripts.

use std::fmt::Write as _;
use std::io::{self, BufRead};
use std::time::{Duration, UNIX_EPOCH};

use denobridge_core::calendar::date;

use super::story::{Answered, Story, Subject};

const STYLE: &str = include_str!("page.css");

/// The page of a report's lines.
///
/// # Errors
/// They cannot be read.
pub(super) fn of(lines: impl BufRead) -> io::Result<String> {
    let story = Story::read(lines)?;
    let mut page = String::with_capacity(64 << 10);
    let title = story.facts.iter().find(|(name, _)| *name == "id").map_or("", |(_, id)| id);
    // Writing to a text cannot fail.
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src \
         'unsafe-inline'\">\n<title>Run {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escaped(title)
    );
    head(&mut page, &story);
    stages(&mut page, &story);
    subjects(&mut page, &story);
    integrations(&mut page, &story);
    page.push_str("</body>\n</html>\n");
    Ok(page)
}

fn head(page: &mut String, story: &Story) {
    let denied = story.subjects.iter().flat_map(|subject| &subject.answers);
    let denied = denied.filter(|answer| is_denial(&answer.effect)).count();
    let verdict = match denied {
        0 => "<span class=\"good\">nothing denied</span>".to_owned(),
        count => format!("<span class=\"bad\">{count} denied</span>"),
    };
    let _ = write!(page, "<h1>What was planned and done</h1>\n<p class=\"verdict\">{verdict}</p>\n<dl>\n");
    for (name, value) in &story.facts {
        let _ = writeln!(page, "<dt>{name}</dt><dd>{}</dd>", escaped(value));
    }
    if let Some((first, last)) = story.times {
        let _ = writeln!(page, "<dt>begun</dt><dd>{}</dd>", moment(first));
        let _ = writeln!(page, "<dt>took</dt><dd>{}</dd>", duration((last - first) * 1e3));
    }
    page.push_str("</dl>\n");
}

fn stages(page: &mut String, story: &Story) {
    if story.stages.is_empty() {
        return;
    }
    page.push_str("<h2>Stages</h2>\n<table id=\"stages\">\n<tr><th>stage</th><th>provider</th><th>summary</th><th>took</th></tr>\n");
    for stage in &story.stages {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&stage.stage),
            escaped(&stage.provider),
            escaped(&stage.summary),
            duration(stage.milliseconds)
        );
    }
    page.push_str("</table>\n");
}

fn subjects(page: &mut String, story: &Story) {
    page.push_str(
        "<h2>Resources and stages</h2>\n<table id=\"resources\">\n<tr><th>resource</th><th>planned</th><th>done</th><th>provider took</th>\
         <th>what integrations said</th></tr>\n",
    );
    story.subjects.iter().for_each(|subject| row(page, subject));
    page.push_str("</table>\n");
}

fn row(page: &mut String, subject: &Subject) {
    let done = match &subject.applied {
        None => String::new(),
        Some(applied) if applied.failed => format!("<span class=\"bad\">{} failed</span>", escaped(&applied.action)),
        Some(applied) => format!("<span class=\"good\">{}</span>", escaped(&applied.action)),
    };
    let _ = write!(
        page,
        "<tr><td>{}</td><td>{}</td><td>{done}</td><td>{}</td><td>",
        escaped(&subject.name),
        escaped(subject.planned.as_deref().unwrap_or_default()),
        subject.milliseconds.map(duration).unwrap_or_default()
    );
    if !subject.drift.is_empty() {
        let _ = write!(page, "<p>drifted: {}</p>", escaped(&subject.drift.join(", ")));
    }
    for diagnostic in &subject.diagnostics {
        let _ = write!(page, "<p>the provider said: {}</p>", escaped(diagnostic));
    }
    let (worth, quiet): (Vec<_>, Vec<_>) = subject.answers.iter().partition(|answer| is_worth_a_word(answer));
    worth.iter().for_each(|answered| answer(page, answered));
    if !quiet.is_empty() {
        let _ = write!(page, "<details><summary>{} without objection</summary>", quiet.len());
        quiet.iter().for_each(|answered| answer(page, answered));
        page.push_str("</details>");
    }
    page.push_str("</td></tr>\n");
}

fn answer(page: &mut String, answered: &Answered) {
    let class = match answered.effect.as_str() {
        "noted" => "quiet",
        effect if is_denial(effect) => "bad",
        _ => "warned",
    };
    let _ = write!(
        page,
        "<p class=\"{class}\"><b>{}</b> {} at {} ({})",
        escaped(&answered.integration),
        escaped(&answered.effect),
        escaped(&answered.hook.replace('_', " ")),
        duration(answered.milliseconds)
    );
    for message in &answered.messages {
        let _ = write!(page, "<br>{}", escaped(message));
    }
    if let Some(metadata) = &answered.metadata {
        let _ = write!(page, "<br><code>{}</code>", escaped(metadata));
    }
    page.push_str("</p>");
}

fn integrations(page: &mut String, story: &Story) {
    if story.integrations.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Integrations</h2>\n<table id=\"integrations\">\n<tr><th>integration</th><th>asked</th><th>objected</th>\
         <th>not answered</th><th>median answer</th><th>longest</th></tr>\n",
    );
    for (name, tally) in &story.integrations {
        let (median, longest) = tally.median_and_longest();
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(name),
            tally.asked,
            tally.spoke,
            tally.unanswered,
            duration(median),
            duration(longest)
        );
    }
    page.push_str("</table>\n");
}

fn is_denial(effect: &str) -> bool {
    effect.contains("denied") || effect == "failed"
}

/// Whether it is shown at once: what had an effect, and what the user may want to read.
fn is_worth_a_word(answer: &Answered) -> bool {
    answer.effect != "noted" || answer.metadata.is_some()
}

fn duration(milliseconds: f64) -> String {
    if milliseconds >= 1000.0 { format!("{:.1} s", milliseconds / 1e3) } else { format!("{milliseconds:.1} ms") }
}

/// A moment as RFC 3339 writes it, in UTC.
fn moment(seconds: f64) -> String {
    let time = UNIX_EPOCH + Duration::try_from_secs_f64(seconds).unwrap_or_default();
    let days = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (days, rest) = (days / 86_400, days % 86_400);
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", rest / 3600, rest / 60 % 60, rest % 60)
}

/// Text as it may stand in a page, wherever that is.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_dates() {
        assert_eq!(moment(0.0), "1970-01-01 00:00:00 UTC");
        assert_eq!(moment(951_782_399.0), "2000-02-28 23:59:59 UTC");
        assert_eq!(moment(951_782_400.0), "2000-02-29 00:00:00 UTC");
        assert_eq!(moment(1_795_907_212.87), "2026-11-28 23:06:52 UTC");
    }

    #[test]
    fn m29_the_page_says_what_was_planned_and_who_denied_it() {
        let run = r#"{"id":"1-2","host":"terraform","operation":"apply","provider":{"address":"acme/store"}}"#;
        let lines = [
            format!(r#"{{"kind":"event","time":100.0,"hook":"post_plan_resource","subject":"thing <a>","params":{{"run":{run},"resource":{{}},"action":"create","duration_ms":12}}}}"#),
            r#"{"kind":"answer","time":100.5,"hook":"post_plan_resource","subject":"thing <a>","integration":"policy","status":"fail","effect":"denied","messages":["no & never"],"duration_ms":0.5}"#.to_owned(),
            format!(r#"{{"kind":"event","time":101.0,"hook":"plan_stage_complete","subject":"plan-stage-complete","params":{{"run":{run},"summary":"1 to create","duration_ms":1500}}}}"#),
            r#"{"kind":"answer","time":102,"hook":"post"#.to_owned(),
        ];
        insta::assert_snapshot!(of(lines.join("\n").as_bytes()).unwrap().split_once("<body>").unwrap().1);
    }
}
