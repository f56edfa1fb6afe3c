//! The tasks of one process: writing its input, reading its two outputs, and waiting for its end.

use super::super::error::{Begun, Exit, ScriptErrorKind};
use super::super::frames::{Frame, Framer};
use super::super::log::Levels;
use super::super::message;
use super::super::script_log::ScriptLog;
use super::super::stderr::Lines;
use super::input::Input;
use super::shared::Shared;
use crate::children::Spawned;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{ChildStderr, ChildStdout};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The size of a pipe on Linux.
const CHUNK: usize = 64 << 10;
/// How long a script may live on after it has closed its output; nothing can come from it.
const SILENT: Duration = Duration::from_secs(1);
/// How long to read on after the process has ended. Only a descendant that left the group can hold the pipes open.
const DRAIN: Duration = Duration::from_secs(1);

/// How many times standard error is read before standard output gets a turn, whatever comes.
const IN_A_ROW: u32 = 16;

/// Sets a spawned process to work.
/// `messages` says whether its standard output is messages, or lines for the log.
pub(super) fn attach(mut spawned: Spawned, log: ScriptLog, longest_message: usize, messages: bool) -> Arc<Shared> {
    let (input, drain) = Input::new(spawned.child.stdin.take());
    tokio::spawn(drain);
    let shared = Arc::new(Shared::new(log, input));
    let (stdout, stderr) = (spawned.child.stdout.take(), spawned.child.stderr.take());
    let output = match messages {
        true => Output::messages(&shared, longest_message),
        false => Output::Lines(LogLines::default()),
    };
    let (closed, stdout_closed) = oneshot::channel();
    let reading = tokio::spawn(read(stdout, stderr, output, Arc::clone(&shared), closed));
    tokio::spawn(supervise(spawned, Arc::clone(&shared), reading, stdout_closed));
    shared
}

/// Reads both outputs to their ends, and drops `open` at the end of standard output.
///
/// Standard error is looked at first, so that what a script has written before its answer is in the log before the call has
/// ended: by then it would be taken for that of the next call.
async fn read(
    mut stdout: Option<ChildStdout>,
    mut stderr: Option<ChildStderr>,
    mut output: Output,
    shared: Arc<Shared>,
    open: oneshot::Sender<()>,
) {
    let (mut open, mut errors, mut in_a_row) = (Some(open), LogLines::default(), 0);
    let (mut chunk, mut error_chunk) = (vec![0; CHUNK], vec![0; CHUNK]);
    loop {
        tokio::select! {
            biased;
            count = next(&mut stderr, &mut error_chunk), if stderr.is_some() && in_a_row < IN_A_ROW => {
                in_a_row += 1;
                errors.take(&error_chunk[..count], &shared);
                if count == 0 {
                    stderr = None;
                }
            }
            count = next(&mut stdout, &mut chunk), if stdout.is_some() => {
                in_a_row = 0;
                output.take(&chunk[..count], &shared);
                if count == 0 {
                    stdout = None;
                    open = None;
                }
            }
            () = std::future::ready(()), if in_a_row > 0 => in_a_row = 0,
            else => break,
        }
    }
    drop(open);
}

/// Reads once. Nothing is the end, as is an error.
async fn next(output: &mut Option<impl AsyncRead + Unpin>, chunk: &mut [u8]) -> usize {
    match output {
        Some(output) => output.read(chunk).await.unwrap_or(0),
        None => std::future::pending().await,
    }
}

/// What a script writes to its standard output.
enum Output {
    Messages { framer: Framer, longest: usize },
    Lines(LogLines),
}

impl Output {
    fn messages(shared: &Arc<Shared>, longest: usize) -> Self {
        let awaiting = Arc::clone(shared);
        Self::Messages { framer: Framer::new(longest).awaiting(move |value| awaiting.awaits(value)), longest }
    }

    /// Takes the next bytes; none are the end.
    fn take(&mut self, bytes: &[u8], shared: &Shared) {
        let (framer, longest) = match self {
            Self::Messages { framer, longest } => (framer, *longest),
            Self::Lines(lines) => return lines.take(bytes, shared),
        };
        if !bytes.is_empty() {
            framer.push(bytes).into_iter().for_each(|frame| take(frame, shared, longest));
            shared.set_unfinished(begun(framer));
            return;
        }
        // Kept before `finish`, so that an answer cut by the process's end is told as just that.
        let cut = begun(framer);
        let mut frames = framer.finish();
        if cut.is_some() {
            frames.retain(|frame| !matches!(frame, Frame::Broken { .. }));
        }
        shared.set_unfinished(cut);
        frames.into_iter().for_each(|frame| take(frame, shared, longest));
    }
}

fn begun(framer: &Framer) -> Option<Box<Begun>> {
    framer.unfinished().map(|excerpt| Box::new(Begun { excerpt, object: framer.unfinished_object() }))
}

fn take(frame: Frame, shared: &Shared, longest_message: usize) {
    match frame {
        Frame::Value(value) => message::messages(value).into_iter().for_each(|message| shared.message(message)),
        Frame::Stray(line) => shared.stray(&line),
        Frame::Broken { line, reason, head, object } => shared.broken(&line, reason, &head, object),
        Frame::TooLarge { object } => {
            shared
                .fail_all(|_, _| ScriptErrorKind::TooLarge { limit: longest_message, object: object.map(Into::into) });
            shared.kill();
        }
    }
}

/// What is for people.
#[derive(Default)]
struct LogLines {
    lines: Lines,
    levels: Levels,
}

impl LogLines {
    /// Takes the next bytes; none are the end.
    fn take(&mut self, bytes: &[u8], shared: &Shared) {
        let lines = if bytes.is_empty() { self.lines.finish().into_iter().collect() } else { self.lines.push(bytes) };
        for line in lines {
            let (level, text) = self.levels.of(&line);
            shared.stderr_line(level, text);
        }
    }
}

/// Owns the process: kills it when asked, reaps it in any case, then tells whoever still waits.
async fn supervise(
    spawned: Spawned,
    shared: Arc<Shared>,
    mut reading: JoinHandle<()>,
    mut stdout_closed: oneshot::Receiver<()>,
) {
    let Spawned { mut child, group, .. } = spawned;
    let mut output_open = true;
    let mut silence = std::pin::pin!(tokio::time::sleep(Duration::MAX));
    let status = loop {
        tokio::select! {
            status = child.wait() => break status,
            () = shared.kill_asked() => group.kill(),
            _ = &mut stdout_closed, if output_open => {
                output_open = false;
                silence.as_mut().reset(tokio::time::Instant::now() + SILENT);
            }
            () = &mut silence, if !output_open => {
                shared.fail_all(|output, _| ScriptErrorKind::OutputClosed { output });
                group.kill();
                break child.wait().await;
            }
        }
    };
    // Whatever the script has started ends with it.
    drop(group);
    let _ = tokio::time::timeout(DRAIN, &mut reading).await;
    reading.abort();
    shared.set_ended(status.map_or(Exit { code: None, signal: None }, Exit::from));
}
