//! Where the words of a script go: its stderr, its stray output, and our own remarks about it.

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Command lines, starts and ends of processes, and what scripts write to stderr without a level.
    Debug,
    /// Progress that belongs to no call, and what scripts say at this level.
    Info,
    /// Something that the script should not have done and that was got over, and what scripts say at this level.
    Warning,
    /// What scripts say at this level. That an operation failed is told by its error.
    Error,
}

/// Tells the level of each line that a script writes for people.
///
/// A line may start with a priority in the form that systemd's daemons use: `<3>` for an error, `<4>` for a warning, `<5>`
/// and `<6>` for information, `<7>` for debugging. The authoring library starts what `console.*` prints so. The further
/// lines of what was printed at once carry none: indented ones and closing brackets go with the line before them.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    last: Option<LogLevel>,
}

impl Levels {
    /// The level of the next line, and the line without its priority.
    pub(crate) fn of<'line>(&mut self, line: &'line str) -> (LogLevel, &'line str) {
        let (level, text) = match priority(line) {
            Some((level, text)) => (Some(level), text),
            None if line.starts_with([' ', '\t', '}', ']', ')']) => (self.last, line),
            None => (None, line),
        };
        self.last = level;
        (level.unwrap_or(LogLevel::Debug), text)
    }
}

fn priority(line: &str) -> Option<(LogLevel, &str)> {
    let (digit, text) = line.strip_prefix('<')?.split_once('>')?;
    let level = match digit {
        "0" | "1" | "2" | "3" => LogLevel::Error,
        "4" => LogLevel::Warning,
        "5" | "6" => LogLevel::Info,
        "7" => LogLevel::Debug,
        _ => return None,
    };
    Some((level, text.strip_prefix(' ').unwrap_or(text)))
}

/// Takes the log lines of scripts, for a provider as a whole or for one call. Called from several tasks, so it must not block.
pub trait LogSink: Send + Sync + 'static {
    /// One line, without its line end. `script` is the script as the user wrote it.
    fn log(&self, level: LogLevel, script: &str, message: &str);
}

/// Drops every line.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLog;

impl LogSink for NoLog {
    fn log(&self, _: LogLevel, _: &str, _: &str) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_their_level_and_what_belongs_to_them_goes_with_it() {
        let mut levels = Levels::default();
        let lines = [
            ("<4>careful {", LogLevel::Warning, "careful {"),
            ("  a: 1", LogLevel::Warning, "  a: 1"),
            ("}", LogLevel::Warning, "}"),
            ("of Deno itself", LogLevel::Debug, "of Deno itself"),
            ("    at a.ts:1:1", LogLevel::Debug, "    at a.ts:1:1"),
            ("<3> { b: 2 }", LogLevel::Error, "{ b: 2 }"),
            ("<6>", LogLevel::Info, ""),
            ("<7>x", LogLevel::Debug, "x"),
            ("<p>no priority</p>", LogLevel::Debug, "<p>no priority</p>"),
            ("<42>", LogLevel::Debug, "<42>"),
        ];
        for (line, level, text) in lines {
            assert_eq!(levels.of(line), (level, text), "{line}");
        }
    }
}
