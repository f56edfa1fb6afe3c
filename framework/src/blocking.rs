//! Running code that blocks.

use denobridge_core::Diagnostic;

/// Runs code that blocks (a database driver, file access, a long computation) on a thread of its own, so that other
/// requests go on meanwhile. A panic in it becomes the handler's. The code runs to its end even if nobody waits for it any
/// more.
///
/// # Errors
/// The process ends and starts no more work.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Diagnostic> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => Ok(result),
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(Diagnostic::error("The operation was not started", "The provider is shutting down.")),
        },
    }
}
