//! Shows where a message is damaged without showing what is in it.
//!
//! The values of an answer may be secrets that nobody has marked yet, so texts and numbers are left out, member names and
//! very short ones apart: what is wrong shows in the structure. Behind the damage nobody knows what is a text and what stands
//! between two. There nothing is shown from the next quote on; and if the damage follows a text, whose end may be a quote
//! inside of it, nothing at all.

use super::text;

/// How much is shown on each side of the damage.
const AROUND: usize = 80;
/// Texts of up to this length are shown, quotes included: `"2.0"`, and ids.
const SHORT_TEXT: usize = 5;
/// Numbers of up to this length are shown.
const SHORT_NUMBER: usize = 3;

/// The part of `line` around the index `at`, where it stops being JSON, with dots where something is left out.
pub(super) fn around(line: &[u8], at: usize) -> String {
    let (shown, at) = Shown::of(line, at);
    window(&shown, at.saturating_sub(AROUND), at + AROUND)
}

/// The beginning of a message that is JSON up to the index `at`.
pub(super) fn beginning(head: &[u8], at: usize) -> String {
    window(&Shown::of(head, at).0, 0, 2 * AROUND)
}

/// The index behind a text that begins at `start`: behind its closing quote, or the end of the line.
pub(super) fn end_of_text(line: &[u8], start: usize) -> usize {
    let mut escaped = false;
    let close = line[start + 1..].iter().position(|byte| {
        let closes = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        closes
    });
    close.map_or(line.len(), |index| start + 1 + index + 1)
}

fn window(shown: &str, start: usize, end: usize) -> String {
    let boundary =
        |index: usize| (0..=index.min(shown.len())).rfind(|index| shown.is_char_boundary(*index)).unwrap_or(0);
    let (start, end) = (boundary(start), boundary(end));
    let dots = |cut: bool| if cut { "…" } else { "" };
    format!("{}{}{}", dots(start > 0), shown[start..end].trim(), dots(end < shown.len()))
}

/// What of a line may be shown.
#[derive(Default)]
struct Shown {
    kept: String,
    /// Whether the last token is a text.
    after_text: bool,
}

impl Shown {
    /// And where the index `at` is in it.
    fn of(line: &[u8], at: usize) -> (String, usize) {
        let at = at.min(line.len());
        let mut shown = Self::default();
        let mut index = 0;
        while index < at {
            let before = shown.kept.len();
            index = shown.sound(line, index, at);
            if index > at {
                // The damage is in this token.
                if !shown.after_text {
                    shown.in_doubt(line, index);
                }
                return (shown.kept, before);
            }
        }
        let shown_at = shown.kept.len();
        shown.in_doubt(line, at);
        (shown.kept, shown_at)
    }

    /// Adds the token at `index`, before the damage, and returns the index behind it.
    fn sound(&mut self, line: &[u8], index: usize, at: usize) -> usize {
        if line[index] != b'"' {
            let next = end_of_word(line, index);
            self.word(&line[index..next]);
            return next;
        }
        let next = end_of_text(line, index);
        let is_whole = next <= at && next > index + 1 && line[next - 1] == b'"';
        let is_name = is_whole && line[next..at].trim_ascii_start().first() == Some(&b':');
        match (is_whole, is_name || next - index <= SHORT_TEXT) {
            (true, true) => self.kept.push_str(&text(&line[index..next])),
            (true, false) => self.kept.push_str("\"…\""),
            (false, _) => self.kept.push_str("\"…"),
        }
        self.after_text = true;
        next
    }

    /// Adds what follows the damage, as far as it is certain to be in no text.
    fn in_doubt(&mut self, line: &[u8], at: usize) {
        if self.after_text && at < line.len() {
            return self.kept.push('…');
        }
        let mut index = at;
        while index < line.len() {
            let is_apostrophe = index > at && line[index - 1].is_ascii_alphanumeric();
            match line[index] {
                quote @ b'"' => return self.kept.extend([char::from(quote), '…']),
                quote @ (b'\'' | b'`') if !is_apostrophe => return self.kept.extend([char::from(quote), '…']),
                _ => {}
            }
            let next = end_of_word(line, index);
            self.word(&line[index..next]);
            index = next;
        }
    }

    fn word(&mut self, word: &[u8]) {
        let is_number = word.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-');
        if is_number && word.len() > SHORT_NUMBER {
            self.kept.push('…');
        } else {
            self.kept.push_str(&String::from_utf8_lossy(word));
        }
        self.after_text &= word.trim_ascii().is_empty();
    }
}

/// The index behind a number, a word, or else a single character that starts at `start`.
fn end_of_word(line: &[u8], start: usize) -> usize {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b'-' | b'+' | b'.' | b'_');
    start + line[start..].iter().take_while(|byte| is_part(byte)).count().max(1)
}
