//! Asking again: after half a second, then after twice as long each time, and not at the same moment as everybody else.

use std::time::Duration;

use rand::Rng as _;

use super::error::FetchError;
use crate::limits::Limits;

/// A host that wants us to wait longer than this is given up.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Does something until it works, cannot work, or was tried often enough.
pub(super) async fn repeat<T, F>(limits: &Limits, retries: u32, mut attempt: impl FnMut() -> F) -> Result<T, FetchError>
where
    F: Future<Output = Result<T, FetchError>>,
{
    let mut pause = limits.first_pause;
    for _ in 0..retries {
        let error = match attempt().await {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        let Some(asked_for) = error.repeatable() else { return Err(error) };
        let wait = asked_for.unwrap_or_default().max(pause.mul_f32(rand::rng().random_range(0.75..1.25)));
        if wait > LONGEST_PAUSE {
            return Err(error);
        }
        tokio::time::sleep(wait).await;
        pause *= 2;
    }
    attempt().await
}
