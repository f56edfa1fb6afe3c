//! Text from integrations, made fit to be shown: it is never interpreted, and cannot play tricks on a terminal.

use std::iter::Peekable;
use std::str::Chars;

use crate::protocol::HookResult;

/// The most characters of one line.
const CHARACTERS: usize = 2000;

/// The most lines of one result.
const LINES: usize = 20;

/// What the user is told by a result: `message` and then `messages`, each as one line, without what only a terminal
/// understands, at most 2,000 characters long. Of more than 20 the last is how many there were.
#[must_use]
pub fn lines(result: &HookResult) -> Vec<String> {
    let given = result.message.iter().chain(result.messages.iter().flatten());
    let mut lines: Vec<String> = given.map(|text| one_line(text, CHARACTERS)).filter(|line| !line.is_empty()).collect();
    if lines.len() > LINES {
        let more = lines.len() - (LINES - 1);
        lines.truncate(LINES - 1);
        lines.push(format!("… and {more} more lines"));
    }
    lines
}

/// The text as one line of at most so many characters: line breaks and tabs become spaces, other control characters and
/// sequences for terminals go.
pub(super) fn one_line(text: &str, longest: usize) -> String {
    let mut line = String::with_capacity(text.len().min(4 * longest));
    let mut count = 0;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let character = match character {
            '\u{1b}' => {
                skip_sequence(&mut characters);
                continue;
            }
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
            other if is_hidden(other) => continue,
            other => other,
        };
        if character == ' ' && (line.is_empty() || line.ends_with(' ')) {
            continue;
        }
        if count == longest {
            line.push('…');
            break;
        }
        line.push(character);
        count += 1;
    }
    line.truncate(line.trim_end().len());
    line
}

/// Skips what a terminal takes as one with an escape character: parameters up to a final letter, the text of a title or a
/// link, or a single character.
fn skip_sequence(characters: &mut Peekable<Chars<'_>>) {
    match characters.next() {
        Some('[') => while characters.next().is_some_and(|character| !matches!(character, '@'..='~')) {},
        Some(']') => {
            while let Some(character) = characters.next().filter(|character| *character != '\u{7}') {
                if character == '\u{1b}' && characters.next_if_eq(&'\\').is_some() {
                    break;
                }
            }
        }
        _ => {}
    }
}

/// Control characters, and those that change the direction of the text around them.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Status;

    fn result(message: Option<&str>, messages: &[&str]) -> HookResult {
        let messages = (!messages.is_empty()).then(|| messages.iter().map(|text| (*text).to_owned()).collect());
        HookResult { status: Status::Warn, message: message.map(str::to_owned), messages, metadata: None, action: None }
    }

    #[test]
    fn m23_both_forms_of_messages_merge_into_single_lines() {
        assert_eq!(lines(&result(None, &[])), Vec::<String>::new());
        assert_eq!(
            lines(&result(Some(" first\n  and\tmore "), &["second", "", " \r\n"])),
            ["first and more", "second"]
        );
    }

    #[test]
    fn what_a_terminal_would_act_on_is_gone() {
        let tricks = "a\u{1b}[31;1mred\u{1b}[0m\u{7}\u{0}b\u{202e}c\u{9b}2J\u{1b}7d";
        assert_eq!(one_line(tricks, CHARACTERS), "aredbc2Jd");
        let links = "\u{1b}]8;;http://evil\u{1b}\\text\u{1b}]8;;\u{7} more";
        assert_eq!(one_line(links, CHARACTERS), "text more");
        assert_eq!(one_line("\u{1b}[", CHARACTERS), "");
        assert_eq!(one_line("\u{1b}", CHARACTERS), "");
    }

    #[test]
    fn length_and_number_are_bounded() {
        let long = "ä".repeat(CHARACTERS + 1);
        assert_eq!(one_line(&long, CHARACTERS), "ä".repeat(CHARACTERS) + "…");
        assert_eq!(one_line(&long[..2 * CHARACTERS], CHARACTERS), long[..2 * CHARACTERS]);
        let many = vec!["x"; 25];
        let lines = lines(&result(None, &many));
        assert_eq!((lines.len(), lines[18].as_str(), lines[19].as_str()), (20, "x", "… and 6 more lines"));
        assert_eq!(super::lines(&result(None, &many[..20])), vec!["x"; 20]);
    }
}
