//! The way to a script's standard input. Whoever has a line writes it, so that a call need not wait for another task to get
//! its turn; what the pipe does not take at once is left to that task, which [`Input::drain`] is.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::sync::mpsc;

/// Takes whole lines, so that a call that is given up never leaves half a message behind. The input ends when the last clone
/// is dropped.
#[derive(Clone)]
pub(super) struct Input {
    queue: mpsc::UnboundedSender<Vec<u8>>,
    /// How many lines are left to the task. Only while there are none may others write.
    waiting: Arc<AtomicUsize>,
    direct: direct::Pipe,
}

impl Input {
    /// The way into a pipe, and what must be polled until it ends.
    pub(super) fn new(stdin: Option<ChildStdin>) -> (Self, impl Future<Output = ()> + Send + use<>) {
        let (queue, lines) = mpsc::unbounded_channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let direct = direct::Pipe::of(stdin.as_ref());
        (Self { queue, waiting: Arc::clone(&waiting), direct }, Self::drain(stdin, lines, waiting))
    }

    async fn drain(stdin: Option<ChildStdin>, mut lines: mpsc::UnboundedReceiver<Vec<u8>>, waiting: Arc<AtomicUsize>) {
        let Some(mut stdin) = stdin else { return };
        while let Some(line) = lines.recv().await {
            // The script does not read any more; what that means shows when its process or its output ends.
            if stdin.write_all(&line).await.is_err() || stdin.flush().await.is_err() {
                return;
            }
            waiting.fetch_sub(1, Ordering::Release);
        }
    }

    /// Writes a line, now or later. Nobody is told when the script no longer reads: its process or its output ends then, and
    /// whoever waits for an answer is told that.
    pub(super) fn send(&self, mut line: Vec<u8>) {
        let mut turn = self.direct.turn();
        if self.waiting.load(Ordering::Acquire) == 0 {
            let written = turn.write(&line);
            if written == line.len() {
                return;
            }
            line.drain(..written);
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // An error means that the task has ended because the script does not read any more.
        let _ = self.queue.send(line);
    }
}

/// Writing without waiting, where the pipe of a child is set up for it.
#[cfg(unix)]
mod direct {
    use std::os::fd::{AsFd, OwnedFd};
    use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
    use tokio::process::ChildStdin;

    /// A second handle to the pipe, which shares the first one's mode: writes do not block.
    #[derive(Clone)]
    pub(super) struct Pipe(Arc<Mutex<Option<OwnedFd>>>);

    /// One line at a time.
    pub(super) struct Turn<'p>(MutexGuard<'p, Option<OwnedFd>>);

    impl Pipe {
        pub(super) fn of(stdin: Option<&ChildStdin>) -> Self {
            // Without a second handle, the task writes everything.
            Self(Arc::new(Mutex::new(stdin.and_then(|stdin| stdin.as_fd().try_clone_to_owned().ok()))))
        }

        pub(super) fn turn(&self) -> Turn<'_> {
            Turn(self.0.lock().unwrap_or_else(PoisonError::into_inner))
        }
    }

    impl Turn<'_> {
        /// How much of the line the pipe has taken; whatever is wrong with it, the task will find out.
        pub(super) fn write(&mut self, line: &[u8]) -> usize {
            self.0.as_ref().and_then(|pipe| rustix::io::write(pipe, line).ok()).unwrap_or(0)
        }
    }
}

#[cfg(not(unix))]
mod direct {
    use tokio::process::ChildStdin;

    #[derive(Clone)]
    pub(super) struct Pipe;

    pub(super) struct Turn;

    impl Pipe {
        pub(super) fn of(_: Option<&ChildStdin>) -> Self {
            Self
        }

        pub(super) fn turn(&self) -> Turn {
            Turn
        }
    }

    impl Turn {
        pub(super) fn write(&mut self, _: &[u8]) -> usize {
            0
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Stdio;
    use tokio::io::AsyncReadExt;

    #[tokio::test]
    async fn lines_arrive_whole_and_in_order_whoever_writes_them() {
        let mut command = tokio::process::Command::new("cat");
        let mut cat = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, drain) = Input::new(cat.stdin.take());
        tokio::spawn(drain);
        // Far more than a pipe holds, while nobody reads: the first lines go straight in, the rest is left to the task.
        let lines: Vec<String> = (0..40).map(|index| format!("{index}:{}\n", "x".repeat(30_000))).collect();
        lines.iter().for_each(|line| input.send(line.clone().into_bytes()));
        assert!(input.waiting.load(Ordering::Relaxed) > 0);
        let mut text = String::new();
        let mut stdout = cat.stdout.take().unwrap();
        let read = async {
            let mut piece = vec![0; 1 << 20];
            while text.len() < lines.concat().len() {
                let count = stdout.read(&mut piece).await.unwrap();
                text.push_str(std::str::from_utf8(&piece[..count]).unwrap());
            }
            input.send(b"last\n".to_vec());
            drop(input);
            stdout.read_to_string(&mut text).await.unwrap();
        };
        read.await;
        assert_eq!(text, lines.concat() + "last\n");
        assert!(cat.wait().await.unwrap().success(), "its input has ended");
    }
}
