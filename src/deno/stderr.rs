//! A script's standard error: read as long as the process lives, whatever is written there, because a full pipe would
//! stop the script. Lines go to the log; the last of them are kept for errors.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use tokio::sync::Notify;

/// Longer lines reach the log in pieces of this size.
const PIECE: usize = 16 << 10;
const TAIL_LINES: usize = 64;
const TAIL_BYTES: usize = 16 << 10;

/// Cuts bytes into lines, long ones into pieces, and takes out what only a terminal understands.
#[derive(Default)]
pub(crate) struct Lines {
    rest: Vec<u8>,
}

impl Lines {
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let mut part = part;
            while self.rest.len() + part.len() > PIECE {
                let (now, later) = part.split_at(PIECE - self.rest.len());
                self.rest.extend_from_slice(now);
                lines.extend(self.take());
                part = later;
            }
            self.rest.extend_from_slice(part);
            if part.ends_with(b"\n") {
                lines.extend(self.take());
            }
        }
        lines
    }

    /// What is left when the output has ended.
    pub(crate) fn finish(&mut self) -> Option<String> {
        self.take()
    }

    fn take(&mut self) -> Option<String> {
        let line = without_colours(String::from_utf8_lossy(&self.rest).trim_end());
        self.rest.clear();
        (!line.is_empty()).then_some(line)
    }
}

/// Deno colours its errors even when they go into a pipe.
fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut parts = line.split("\u{1b}[");
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        // Parameters and intermediate characters, then one final character from `@` to `~`.
        let end = part.find(|character| matches!(character, '@'..='~')).map_or(part.len(), |index| index + 1);
        plain.push_str(&part[end..]);
    }
    plain.trim_end().to_owned()
}

/// The last lines, within bounds of number and size.
#[derive(Default)]
pub(crate) struct Tail {
    lines: Mutex<Kept>,
    added: Notify,
}

#[derive(Default)]
struct Kept {
    lines: VecDeque<String>,
    bytes: usize,
    /// How many lines there have ever been.
    total: u64,
}

impl Tail {
    pub(crate) fn push(&self, line: String) {
        let mut kept = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes += line.len();
        kept.lines.push_back(line);
        kept.total += 1;
        while kept.lines.len() > TAIL_LINES || (kept.bytes > TAIL_BYTES && kept.lines.len() > 1) {
            let oldest = kept.lines.pop_front().unwrap_or_default();
            kept.bytes -= oldest.len();
        }
        drop(kept);
        self.added.notify_waiters();
    }

    /// The mark that [`since`](Self::since) takes.
    pub(crate) fn mark(&self) -> u64 {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).total
    }

    /// The kept lines that came after the mark.
    pub(crate) fn since(&self, mark: u64) -> Vec<String> {
        let kept = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let new = usize::try_from(kept.total - mark).unwrap_or(usize::MAX);
        let skip = kept.lines.len().saturating_sub(new);
        kept.lines.iter().skip(skip).cloned().collect()
    }

    pub(crate) fn all(&self) -> Vec<String> {
        self.since(0)
    }

    /// Waits for a line that fits, among those after the mark and those to come.
    pub(crate) async fn find_since<T>(&self, mark: u64, fits: impl Fn(&str) -> Option<T>) -> T {
        loop {
            let added = self.added.notified();
            tokio::pin!(added);
            // Registered before looking, so that no line comes between the look and the wait.
            added.as_mut().enable();
            if let Some(found) = self.since(mark).iter().find_map(|line| fits(line)) {
                return found;
            }
            added.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_length() {
        let mut lines = Lines::default();
        assert_eq!(lines.push(b"a\r\n\nb"), ["a"]);
        assert_eq!(lines.push(b"c\nd"), ["bc"]);
        assert_eq!(lines.finish(), Some("d".into()));
        let pieces = lines.push(&[b'x'; 100_000]);
        assert_eq!(pieces.iter().map(String::len).collect::<Vec<_>>(), [PIECE; 6]);
        assert_eq!(lines.push(b"\n").iter().map(String::len).sum::<usize>(), 100_000 - 6 * PIECE);
    }

    #[test]
    fn colours_are_taken_out() {
        assert_eq!(without_colours("\u{1b}[0m\u{1b}[1m\u{1b}[38;5;245merror\u{1b}[0m: x"), "error: x");
        assert_eq!(without_colours("cut \u{1b}[38"), "cut");
    }

    #[test]
    fn the_tail_is_bounded_and_knows_what_is_new() {
        let tail = Tail::default();
        for number in 0..100 {
            tail.push(number.to_string());
        }
        let mark = tail.mark();
        assert_eq!(tail.all().len(), TAIL_LINES);
        assert!(tail.since(mark).is_empty());
        tail.push("new".into());
        assert_eq!(tail.since(mark), ["new"]);
        for _ in 0..10 {
            tail.push("y".repeat(5000));
        }
        assert_eq!(tail.all().len(), 3);
        tail.push("z".repeat(50_000));
        assert_eq!(tail.all().len(), 1);
    }
}
