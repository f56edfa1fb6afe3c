//! Messages as gRPC frames them: a byte that says whether it is compressed, the length in four, and the message.

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use denobridge_core::limits::MAX_MESSAGE_BYTES;
use tonic::Status;

/// What stands before a message.
const PREFIX: usize = 5;

/// A message in its frame, and `more` behind it. In Protocol Buffers that is one message: lists are added to, and members that
/// are messages are merged.
pub(super) fn framed(message: &[u8], more: &[u8]) -> Result<Bytes, Status> {
    let length = message.len() + more.len();
    let prefix = u32::try_from(length).map_err(|_| Status::resource_exhausted("the message is too large"))?;
    let mut frame = BytesMut::with_capacity(PREFIX + length);
    frame.put_u8(0);
    frame.put_u32(prefix);
    frame.put_slice(message);
    frame.put_slice(more);
    Ok(frame.freeze())
}

/// Frames of a stream, of which the end of the last may not be there yet.
#[derive(Default)]
pub(super) struct Frames(BytesMut);

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// All of it, as it came.
    pub bytes: Bytes,
    /// The message in it.
    pub message: Bytes,
}

impl Frames {
    /// Adds what came next.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Whether nothing is left over.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next frame, once all of it is there.
    ///
    /// # Errors
    /// It is compressed, which nobody does who was not asked to, or too large.
    pub(super) fn next(&mut self) -> Result<Option<Frame>, Status> {
        let Some(mut prefix) = self.0.get(..PREFIX) else { return Ok(None) };
        if prefix.get_u8() != 0 {
            return Err(Status::unimplemented("compressed messages are not understood here"));
        }
        let length = prefix.get_u32() as usize;
        if length > MAX_MESSAGE_BYTES {
            let limit = MAX_MESSAGE_BYTES >> 20;
            return Err(Status::resource_exhausted(format!("the message is larger than {limit} MiB")));
        }
        if self.0.len() < PREFIX + length {
            return Ok(None);
        }
        let bytes = self.0.split_to(PREFIX + length).freeze();
        let message = bytes.slice(PREFIX..);
        Ok(Some(Frame { bytes, message }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_out_as_they_went_in_however_they_are_cut() {
        let first = framed(b"one", b"").unwrap();
        let second = framed(b"two", b" and more").unwrap();
        let all = [first.as_ref(), &second].concat();
        for cut in 0..all.len() {
            let mut frames = Frames::default();
            let mut found = Vec::new();
            for part in [&all[..cut], &all[cut..]] {
                frames.push(part);
                while let Some(frame) = frames.next().unwrap() {
                    found.push(frame);
                }
            }
            assert!(frames.is_empty());
            let messages: Vec<&[u8]> = found.iter().map(|frame| &*frame.message).collect();
            assert_eq!(messages, [b"one".as_slice(), b"two and more"]);
            assert_eq!(found[1].bytes, second);
        }
    }

    #[test]
    fn what_is_compressed_or_too_large_is_refused_before_it_is_there() {
        for (prefix, code) in [
            ([1, 0, 0, 0, 1], tonic::Code::Unimplemented),
            ([0, 0xff, 0xff, 0xff, 0xff], tonic::Code::ResourceExhausted),
        ] {
            let mut frames = Frames::default();
            frames.push(&prefix);
            assert_eq!(frames.next().unwrap_err().code(), code);
        }
    }
}
