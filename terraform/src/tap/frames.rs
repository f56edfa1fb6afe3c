//! Messages as gRPC frames them: a byte that says whether it is compressed, the length in four, and the message.

use std::io::Read as _;

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use denobridge_core::limits::MAX_MESSAGE_BYTES;
use flate2::read::MultiGzDecoder;
use http::HeaderMap;
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
    is_compressed: bool,
}

impl Frame {
    /// The message in it. What it is compressed with stands in the head of the request or answer.
    ///
    /// # Errors
    /// It is compressed in another way than everybody knows (gzip), is damaged, or too large once it is not compressed.
    pub(super) fn message(&self, head: &HeaderMap) -> Result<Bytes, Status> {
        let message = self.bytes.slice(PREFIX..);
        if !self.is_compressed {
            return Ok(message);
        }
        let encoding = head.get("grpc-encoding").and_then(|encoding| encoding.to_str().ok()).unwrap_or("identity");
        if encoding != "gzip" {
            let what = format!("messages that are compressed with {encoding} cannot be read here, only with gzip");
            return Err(Status::unimplemented(what));
        }
        let mut read = Vec::new();
        // One more than there may be, so that more is noticed.
        let mut decoder = MultiGzDecoder::new(&*message).take(MAX_MESSAGE_BYTES as u64 + 1);
        decoder.read_to_end(&mut read).map_err(|error| Status::internal(format!("the message is damaged: {error}")))?;
        if read.len() > MAX_MESSAGE_BYTES { Err(too_large()) } else { Ok(read.into()) }
    }
}

fn too_large() -> Status {
    Status::resource_exhausted(format!("the message is larger than {} MiB", MAX_MESSAGE_BYTES >> 20))
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
    /// It is too large, or none.
    pub(super) fn next(&mut self) -> Result<Option<Frame>, Status> {
        let Some(mut prefix) = self.0.get(..PREFIX) else { return Ok(None) };
        let flag = prefix.get_u8();
        if flag > 1 {
            return Err(Status::internal(format!("a message begins with {flag}, which means nothing")));
        }
        let length = prefix.get_u32() as usize;
        if length > MAX_MESSAGE_BYTES {
            return Err(too_large());
        }
        if self.0.len() < PREFIX + length {
            return Ok(None);
        }
        let bytes = self.0.split_to(PREFIX + length).freeze();
        Ok(Some(Frame { bytes, is_compressed: flag == 1 }))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

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
            let messages: Vec<Bytes> = found.iter().map(|frame| frame.message(&HeaderMap::new()).unwrap()).collect();
            assert_eq!(messages, [b"one".as_slice(), b"two and more"]);
            assert_eq!(found[1].bytes, second);
        }
    }

    #[test]
    fn what_is_no_frame_or_too_large_is_refused_before_it_is_there() {
        for (prefix, code) in
            [([2, 0, 0, 0, 1], tonic::Code::Internal), ([0, 0xff, 0xff, 0xff, 0xff], tonic::Code::ResourceExhausted)]
        {
            let mut frames = Frames::default();
            frames.push(&prefix);
            assert_eq!(frames.next().unwrap_err().code(), code);
        }
    }

    fn compressed(message: &[u8]) -> Frame {
        let mut encoder = flate2::write::GzEncoder::new(vec![1, 0, 0, 0, 0], flate2::Compression::fast());
        encoder.write_all(message).unwrap();
        let mut bytes = encoder.finish().unwrap();
        let length = u32::try_from(bytes.len() - PREFIX).unwrap().to_be_bytes();
        bytes[1..PREFIX].copy_from_slice(&length);
        let mut frames = Frames::default();
        frames.push(&bytes);
        frames.next().unwrap().unwrap()
    }

    fn encoded(name: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(http::HeaderName::from_static("grpc-encoding"), http::HeaderValue::from_static(name))])
    }

    #[test]
    fn what_is_compressed_is_read_from_a_copy_if_that_is_possible() {
        let frame = compressed(b"a message");
        assert_eq!(frame.message(&encoded("gzip")).unwrap(), b"a message".as_slice());
        let refused = frame.message(&encoded("zstd")).unwrap_err();
        assert_eq!(refused.code(), tonic::Code::Unimplemented);
        assert!(refused.message().contains("zstd"), "{refused:?}");
        assert_eq!(frame.message(&HeaderMap::new()).unwrap_err().code(), tonic::Code::Unimplemented);
        let damaged = Frame { bytes: frame.bytes.slice(..frame.bytes.len() - 4), is_compressed: true };
        assert_eq!(damaged.message(&encoded("gzip")).unwrap_err().code(), tonic::Code::Internal);
    }

    #[test]
    fn what_is_too_large_once_it_is_not_compressed_is_refused() {
        let frame = compressed(&vec![0; MAX_MESSAGE_BYTES + 1]);
        assert!(frame.bytes.len() < MAX_MESSAGE_BYTES / 100);
        assert_eq!(frame.message(&encoded("gzip")).unwrap_err().code(), tonic::Code::ResourceExhausted);
    }
}
