//! When to renew, as scripts say it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use denobridge_core::Diagnostic;
use serde_json::Value as Json;

use super::super::answer::{Answer, Kind, WrongAnswer};
use super::super::call::ScriptCall;

/// Renewals are at least this far apart: Terraform renews at once, and again and again, what should have been renewed in
/// the past.
const SHORTEST: Duration = Duration::from_secs(1);

/// Numbers from here on are milliseconds, as in examples of the published contract. In seconds, it is the year 5138.
const MILLISECONDS: f64 = 1e11;

/// The time in an answer, and what there is to say about it.
pub(super) fn time(
    call: &ScriptCall<'_>,
    answer: &Answer,
) -> Result<(Option<SystemTime>, Option<Diagnostic>), WrongAnswer> {
    let Some(json) = answer.get("renewAt") else { return Ok((None, None)) };
    let Some(number) = json.as_f64() else {
        let (member, wanted) = ("renewAt".to_owned(), "a number of seconds since 1970");
        return Err(WrongAnswer::Member { member, wanted, found: Kind::of(json) });
    };
    let warning = (number >= MILLISECONDS).then(|| {
        let method = call.operation.method();
        let mut warning = call.failed(format_args!(
            "answered \"{method}\" with a `renewAt` of {json}, which are milliseconds and were taken as such.\n\nCorrect the \
             script: `renewAt` is in seconds since 1970."
        ));
        warning.severity = denobridge_core::Severity::Warning;
        warning.summary = "`renewAt` is in milliseconds".to_owned();
        warning
    });
    Ok((moment(json, SystemTime::now()), warning))
}

/// The moment that a number means. One that no clock will ever show is never.
fn moment(json: &Json, now: SystemTime) -> Option<SystemTime> {
    let number = json.as_f64()?;
    let seconds = if number >= MILLISECONDS { number / 1000.0 } else { number };
    let since = Duration::try_from_secs_f64(seconds.max(0.0)).ok()?;
    Some(UNIX_EPOCH.checked_add(since)?.max(now + SHORTEST))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn seconds_milliseconds_the_past_and_never() {
        let now = UNIX_EPOCH + Duration::from_secs(1_735_894_800);
        let after = |seconds| Some(now + Duration::from_secs(seconds));
        assert_eq!(moment(&json!(1_735_894_860), now), after(60));
        assert_eq!(moment(&json!(1_735_894_860_000_i64), now), after(60));
        assert_eq!(moment(&json!(1_735_894_860.5), now), after(60).map(|time| time + Duration::from_millis(500)));
        for past in [json!(0), json!(-5), json!(1_735_894_800)] {
            assert_eq!(moment(&past, now), after(1), "{past}");
        }
        assert_eq!(moment(&json!(1e300), now), None);
    }
}
