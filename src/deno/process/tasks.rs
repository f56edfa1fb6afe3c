//! The tasks of one process: writing its input, reading its two outputs, and waiting for its end.

use super::super::error::{Begun, Exit, ScriptErrorKind};
use super::super::frames::{Frame, Framer};
use super::super::log::{Levels, ScriptLog};
use super::super::message;
use super::super::stderr::Lines;
use super::input::Input;
use super::shared::Shared;
use crate::children::Spawned;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::task::JoinHandle;

/// The size of a pipe on Linux.
const CHUNK: usize = 64 << 10;
/// How long a script may live on after it has closed its output; nothing can come from it.
const SILENT: Duration = Duration::from_secs(1);
/// How long to read on after the process has ended. Only a descendant that left the group can hold the pipes open.
const DRAIN: Duration = Duration::from_secs(1);

/// Sets a spawned process to work.
/// `messages` says whether its standard output is messages, or lines for the log.
pub(super) fn attach(mut spawned: Spawned, log: ScriptLog, longest_message: usize, messages: bool) -> Arc<Shared> {
    let (input, drain) = Input::new(spawned.child.stdin.take());
    tokio::spawn(drain);
    let shared = Arc::new(Shared::new(log, input));
    let stdout = spawned.child.stdout.take();
    let stdout = stdout.map(|stdout| match messages {
        true => tokio::spawn(read_stdout(stdout, Arc::clone(&shared), longest_message)),
        false => tokio::spawn(read_lines(stdout, Arc::clone(&shared))),
    });
    let stderr = spawned.child.stderr.take();
    let stderr = stderr.map(|stderr| tokio::spawn(read_lines(stderr, Arc::clone(&shared))));
    tokio::spawn(supervise(spawned, Arc::clone(&shared), stdout, stderr));
    shared
}

async fn read_stdout(mut stdout: impl AsyncRead + Unpin, shared: Arc<Shared>, longest_message: usize) {
    let awaiting = Arc::clone(&shared);
    let mut framer = Framer::new(longest_message).awaiting(move |value| awaiting.awaits(value));
    let mut chunk = vec![0; CHUNK];
    loop {
        let (frames, ended) = match stdout.read(&mut chunk).await {
            Ok(count) if count > 0 => (framer.push(&chunk[..count]), false),
            _ => {
                // Before `finish`, so that an answer cut by the process's end is told as just that.
                let unfinished = begun(&framer);
                let mut frames = framer.finish();
                frames.retain(|frame| unfinished.is_none() || !matches!(frame, Frame::Broken { .. }));
                shared.set_unfinished(unfinished);
                (frames, true)
            }
        };
        for frame in frames {
            take(frame, &shared, longest_message);
        }
        if ended {
            return;
        }
        shared.set_unfinished(begun(&framer));
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

/// Reads what is for people.
async fn read_lines(mut output: impl AsyncRead + Unpin, shared: Arc<Shared>) {
    let (mut lines, mut levels) = (Lines::default(), Levels::default());
    let mut take = |line: &String| {
        let (level, text) = levels.of(line);
        shared.stderr_line(level, text);
    };
    let mut chunk = vec![0; CHUNK];
    while let Ok(count @ 1..) = output.read(&mut chunk).await {
        lines.push(&chunk[..count]).iter().for_each(&mut take);
    }
    lines.finish().iter().for_each(take);
}

/// Owns the process: kills it when asked, reaps it in any case, then tells whoever still waits.
async fn supervise(
    spawned: Spawned,
    shared: Arc<Shared>,
    stdout: Option<JoinHandle<()>>,
    stderr: Option<JoinHandle<()>>,
) {
    let Spawned { mut child, group, .. } = spawned;
    let mut stdout = stdout.unwrap_or_else(|| tokio::spawn(async {}));
    let mut stderr = stderr.unwrap_or_else(|| tokio::spawn(async {}));
    let mut output_open = true;
    let mut silence = std::pin::pin!(tokio::time::sleep(Duration::MAX));
    let status = loop {
        tokio::select! {
            status = child.wait() => break status,
            () = shared.kill_asked() => group.kill(),
            _ = &mut stdout, if output_open => {
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
    let _ = tokio::time::timeout(DRAIN, async {
        if output_open {
            let _ = (&mut stdout).await;
        }
        let _ = (&mut stderr).await;
    })
    .await;
    stdout.abort();
    stderr.abort();
    shared.set_ended(status.map_or(Exit { code: None, signal: None }, Exit::from));
}
