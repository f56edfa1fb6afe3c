//! Times as Go writes them: `2s`, `500ms`, `1m30s`.

use std::time::Duration;

use thiserror::Error;

/// Why a text is no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadDuration {
    /// It is something else.
    #[error("is no time; write it like \"2s\", \"500ms\" or \"1m30s\"")]
    Form,
    /// A number without a unit, or with one that we do not know.
    #[error("needs a unit after each number: ms, s, m or h")]
    Unit,
    /// No time at all.
    #[error("must be more than nothing")]
    Zero,
    /// More than can be counted.
    #[error("is too long")]
    TooLong,
}

/// Reads a time: numbers, which may have a fraction, each with its unit.
pub(super) fn parse(text: &str) -> Result<Duration, BadDuration> {
    let mut total = Duration::ZERO;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(BadDuration::Form);
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        if !number.starts_with(|c: char| c.is_ascii_digit()) || number.ends_with('.') {
            return Err(BadDuration::Form);
        }
        let number: f64 = number.parse().map_err(|_| BadDuration::Form)?;
        let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        let seconds = match unit {
            "ms" => number / 1_000.0,
            "s" => number,
            "m" => number * 60.0,
            "h" => number * 3_600.0,
            _ => return Err(BadDuration::Unit),
        };
        let part = Duration::try_from_secs_f64(seconds).map_err(|_| BadDuration::TooLong)?;
        total = total.checked_add(part).ok_or(BadDuration::TooLong)?;
        rest = after;
    }
    if total.is_zero() { Err(BadDuration::Zero) } else { Ok(total) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m01_times_are_written_as_go_writes_them() {
        let milliseconds = |text| parse(text).map(|time| time.as_millis());
        assert_eq!(milliseconds("2s"), Ok(2_000));
        assert_eq!(milliseconds("500ms"), Ok(500));
        assert_eq!(milliseconds("1m30s"), Ok(90_000));
        assert_eq!(milliseconds("1.5s"), Ok(1_500));
        assert_eq!(milliseconds("1h"), Ok(3_600_000));
    }

    #[test]
    fn m02_what_is_no_time_is_told() {
        for (text, reason) in [
            ("", BadDuration::Form),
            ("soon", BadDuration::Form),
            ("-1s", BadDuration::Form),
            ("1 s", BadDuration::Unit),
            ("1.s", BadDuration::Form),
            ("1.2.3s", BadDuration::Form),
            (".5s", BadDuration::Form),
            ("2", BadDuration::Unit),
            ("2d", BadDuration::Unit),
            ("0s", BadDuration::Zero),
            ("99999999999999999999h", BadDuration::TooLong),
        ] {
            assert_eq!(parse(text), Err(reason), "{text:?}");
        }
    }
}
