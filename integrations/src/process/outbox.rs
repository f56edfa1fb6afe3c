//! The way to a child's standard input: a queue, and the task that writes it. What waits in it can be taken back, so that a
//! child that does not read keeps nothing of calls that are given up.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::{AsyncWrite, AsyncWriteExt, BufWriter};
use tokio::sync::Notify;

/// The size of a pipe on Linux.
const CHUNK: usize = 64 << 10;

/// Messages that wait to be written.
#[derive(Default)]
pub(super) struct Outbox {
    queue: Mutex<Queue>,
    changed: Notify,
}

#[derive(Default)]
struct Queue {
    messages: VecDeque<Message>,
    closed: bool,
}

/// One line.
struct Message {
    /// The call that it is; none for a notification.
    call: Option<u64>,
    /// All that comes before the params.
    head: String,
    params: Arc<str>,
}

/// What the writer finds.
enum Next {
    Message(Message),
    Nothing,
    End,
}

impl Outbox {
    /// Adds a call.
    pub(super) fn call(&self, id: u64, method: &str, params: Arc<str>) {
        self.add(Message { call: Some(id), head: head(id, method), params });
    }

    /// Tells the child that nobody waits for the call any more; a call that has not been written is taken back instead.
    pub(super) fn give_up(&self, id: u64) {
        let mut queue = self.lock();
        if let Some(index) = queue.messages.iter().position(|message| message.call == Some(id)) {
            queue.messages.remove(index);
            return;
        }
        drop(queue);
        let head = r#"{"jsonrpc":"2.0","method":"cancel","params":"#.to_owned();
        self.add(Message { call: None, head, params: format!("{{\"id\":{id}}}").into() });
    }

    /// Ends the child's input when what is in the queue has been written.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_one();
    }

    fn add(&self, message: Message) {
        let mut queue = self.lock();
        if !queue.closed {
            queue.messages.push_back(message);
            drop(queue);
            self.changed.notify_one();
        }
    }

    fn next(&self) -> Next {
        let mut queue = self.lock();
        match queue.messages.pop_front() {
            Some(message) => Next::Message(message),
            None if queue.closed => Next::End,
            None => Next::Nothing,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what is in the queue until it is closed.
    ///
    /// # Errors
    /// The child has closed its input.
    pub(super) async fn write(&self, input: impl AsyncWrite + Unpin) -> io::Result<()> {
        let mut input = BufWriter::with_capacity(CHUNK, input);
        loop {
            match self.next() {
                Next::Message(message) => {
                    input.write_all(message.head.as_bytes()).await?;
                    input.write_all(message.params.as_bytes()).await?;
                    input.write_all(b"}\n").await?;
                }
                Next::Nothing => {
                    input.flush().await?;
                    self.changed.notified().await;
                }
                Next::End => return input.shutdown().await,
            }
        }
    }
}

/// How many bytes a call's line has beside its params.
pub(super) fn overhead(method: &str) -> usize {
    head(u64::MAX, method).len() + "}\n".len()
}

fn head(id: u64, method: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_given_up_before_it_is_written_is_not_sent() {
        let outbox = Outbox::default();
        outbox.call(1, "a", "{}".into());
        outbox.call(2, "b", "[1]".into());
        outbox.call(3, "c", "{}".into());
        outbox.give_up(2);
        outbox.give_up(9);
        outbox.close();
        outbox.call(4, "d", "{}".into());
        let mut written = Vec::new();
        outbox.write(&mut written).await.unwrap();
        let expected = [
            r#"{"jsonrpc":"2.0","id":1,"method":"a","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":"c","params":{}}"#,
            r#"{"jsonrpc":"2.0","method":"cancel","params":{"id":9}}"#,
            "",
        ];
        assert_eq!(String::from_utf8(written).unwrap(), expected.join("\n"));
    }

    #[tokio::test]
    async fn a_child_that_does_not_read_keeps_nothing_of_calls_that_are_given_up() {
        let outbox = Outbox::default();
        let (input, _unread) = tokio::io::duplex(10);
        let params: Arc<str> = "x".repeat(2 * CHUNK).into();
        let use_it = async {
            for id in 0..1000 {
                outbox.call(id, "a", Arc::clone(&params));
                tokio::task::yield_now().await;
                outbox.give_up(id);
            }
        };
        tokio::select! {
            biased;
            () = use_it => {}
            _ = outbox.write(input) => panic!("there is no room for so much"),
        }
        // One that is being written, or has been taken for it.
        assert!(Arc::strong_count(&params) <= 2, "{}", Arc::strong_count(&params));
        assert!(outbox.lock().messages.len() <= 1);
    }
}
