//! The standard output of a command that writes what it does as lines of JSON: copied on byte by byte as it comes, and read.
//!
//! What the command has written can be had at any moment, not only when it happens to be read: Terraform says that it begins with
//! an object before it calls the provider, so whoever is asked about that call finds it in the pipe. That needs reading without
//! waiting, so elsewhere than on Unix nothing is read, and standard output is the command's own.

use std::io;
use std::process::Command;
use std::sync::Arc;

use denobridge_integrations::wrapper::{Source, Stream};

#[cfg(unix)]
pub(super) use unix::Pipe;

#[cfg(unix)]
mod unix {
    use std::io::{ErrorKind, PipeReader, PipeWriter, Read as _, Write as _};
    use std::sync::{Mutex, PoisonError};

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

    use super::*;

    /// How much is read at once.
    const CHUNK: usize = 64 << 10;

    /// Longer lines are passed on and not understood.
    const LONGEST: usize = 16 << 20;

    /// The output of a command.
    pub(in super::super) struct Pipe {
        reader: Arc<PipeReader>,
        writer: Option<PipeWriter>,
        stream: Arc<Stream>,
        state: Arc<Mutex<State>>,
    }

    #[derive(Default)]
    struct State {
        /// A line of which the end has not come yet.
        line: Vec<u8>,
        /// Whether the line is too long.
        is_lost: bool,
        /// Whether nobody reads what we copy. The command goes on all the same: it may be in the middle of an apply.
        is_unheard: bool,
        /// Whether nothing comes any more.
        is_over: bool,
    }

    impl Pipe {
        /// A new pipe.
        pub(in super::super) fn new() -> io::Result<Option<Self>> {
            let (reader, writer) = io::pipe()?;
            fcntl_setfl(&reader, fcntl_getfl(&reader)? | OFlags::NONBLOCK)?;
            let (stream, state) = (Arc::default(), Arc::default());
            Ok(Some(Self { reader: Arc::new(reader), writer: Some(writer), stream, state }))
        }

        /// What is read, and how to read all that there is by now.
        pub(in super::super) fn source(&self) -> Source {
            let (reader, stream, state) = (Arc::clone(&self.reader), Arc::clone(&self.stream), Arc::clone(&self.state));
            (Arc::clone(&self.stream), Arc::new(move || read_all(&reader, &stream, &state)))
        }

        /// Makes it the standard output of the command.
        pub(in super::super) fn given_to(&mut self, command: &mut Command) {
            if let Some(writer) = self.writer.take() {
                command.stdout(writer);
            }
        }

        /// Copies what the command writes as it comes, until it ends, on a thread of its own.
        pub(in super::super) fn copy(&self) -> io::Result<()> {
            let (reader, state, (_, read)) = (Arc::clone(&self.reader), Arc::clone(&self.state), self.source());
            let copy = move || {
                while !state.lock().unwrap_or_else(PoisonError::into_inner).is_over {
                    // Whatever it says, reading says it better.
                    let _ = poll(&mut [PollFd::new(&*reader, PollFlags::IN)], None);
                    read();
                }
            };
            std::thread::Builder::new().name("output".into()).spawn(copy).map(drop)
        }
    }

    /// Copies and reads what there is.
    fn read_all(mut reader: &PipeReader, stream: &Stream, state: &Mutex<State>) {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut chunk = vec![0; CHUNK];
        while !state.is_over {
            match reader.read(&mut chunk) {
                Ok(0) => state.is_over = true,
                Ok(count) => {
                    let bytes = &chunk[..count];
                    let mut out = io::stdout().lock();
                    state.is_unheard = state.is_unheard || out.write_all(bytes).and_then(|()| out.flush()).is_err();
                    state.take(bytes, stream);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => state.is_over = true,
            }
        }
    }

    impl State {
        fn take(&mut self, bytes: &[u8], stream: &Stream) {
            for part in bytes.split_inclusive(|byte| *byte == b'\n') {
                if !self.is_lost {
                    self.line.extend_from_slice(part);
                }
                self.is_lost |= self.line.len() > LONGEST;
                if part.ends_with(b"\n") {
                    if !self.is_lost {
                        stream.take(&self.line);
                    }
                    self.line.clear();
                    self.is_lost = false;
                }
            }
        }
    }
}

/// Nothing is read.
#[cfg(not(unix))]
pub(super) struct Pipe;

#[cfg(not(unix))]
impl Pipe {
    /// There is none.
    #[allow(clippy::unnecessary_wraps)]
    pub(super) fn new() -> io::Result<Option<Self>> {
        Ok(None)
    }

    /// What is read.
    pub(super) fn source(&self) -> Source {
        (Arc::default(), Arc::new(|| {}))
    }

    /// The output is the command's own.
    pub(super) fn given_to(&mut self, _: &mut Command) {}

    /// Nothing is copied.
    #[allow(clippy::unnecessary_wraps)]
    pub(super) fn copy(&self) -> io::Result<()> {
        Ok(())
    }
}
