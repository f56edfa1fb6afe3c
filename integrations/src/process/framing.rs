//! Cuts what a child writes into lines, with a bound on what is kept.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// How much is read at once.
const CHUNK: usize = 16 << 10;

/// What is kept of the buffer once a long line is done.
const KEPT: usize = 64 << 10;

/// Bytes that have been read and not yet taken as lines.
pub(crate) struct Framing {
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// How far there is no line feed after `start`.
    searched: usize,
    longest: usize,
}

/// The next thing in what a child writes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'f> {
    /// A line, without its end; also the rest before the end of the output.
    Line(&'f [u8]),
    /// The first bytes of a line that is too long. What follows comes as the next piece.
    Cut(&'f [u8]),
    /// There is nothing more.
    End,
}

impl Framing {
    /// Lines of at most so many bytes.
    pub(crate) fn new(longest: usize) -> Self {
        Self { buffer: Vec::new(), start: 0, searched: 0, longest }
    }

    /// The next piece.
    ///
    /// # Errors
    /// What reading failed with.
    pub(crate) async fn next(&mut self, reader: &mut (impl AsyncRead + Unpin)) -> io::Result<Piece<'_>> {
        loop {
            let from = self.searched.max(self.start);
            if let Some(length) = self.buffer[from..].iter().position(|byte| *byte == b'\n') {
                let (start, end) = (self.start, from + length);
                if end - start > self.longest {
                    return Ok(self.cut());
                }
                self.start = end + 1;
                return Ok(Piece::Line(&self.buffer[start..end]));
            }
            self.searched = self.buffer.len();
            let waiting = self.buffer.len() - self.start;
            if waiting > self.longest {
                return Ok(self.cut());
            }
            self.make_room();
            if reader.read_buf(&mut self.buffer).await? == 0 {
                let start = std::mem::replace(&mut self.start, self.buffer.len());
                self.searched = self.start;
                return Ok(if waiting == 0 { Piece::End } else { Piece::Line(&self.buffer[start..]) });
            }
        }
    }

    fn cut(&mut self) -> Piece<'_> {
        let start = self.start;
        self.start += self.longest;
        Piece::Cut(&self.buffer[start..self.start])
    }

    /// Forgets what has been taken, and gives back what a long line needed.
    fn make_room(&mut self) {
        self.buffer.drain(..self.start);
        self.searched = self.searched.saturating_sub(self.start);
        self.start = 0;
        if self.buffer.len() < CHUNK && self.buffer.capacity() > KEPT {
            self.buffer.shrink_to(KEPT);
        }
        self.buffer.reserve(CHUNK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn pieces(mut input: &[u8], longest: usize) -> Vec<String> {
        let mut framing = Framing::new(longest);
        let mut pieces = Vec::new();
        loop {
            match framing.next(&mut input).await.unwrap() {
                Piece::Line(line) => pieces.push(String::from_utf8_lossy(line).into_owned()),
                Piece::Cut(line) => pieces.push(format!("{}…", String::from_utf8_lossy(line))),
                Piece::End => return pieces,
            }
        }
    }

    #[tokio::test]
    async fn lines_come_whole_and_long_ones_in_pieces() {
        assert_eq!(pieces(b"", 4).await, Vec::<String>::new());
        assert_eq!(pieces(b"a\n\nbcde\nf", 4).await, ["a", "", "bcde", "f"]);
        assert_eq!(pieces(b"abcdefghij\nk", 4).await, ["abcd…", "efgh…", "ij", "k"]);
        let long = vec![b'x'; 100_000];
        assert_eq!(pieces(&long, 200_000).await, [String::from_utf8(long.clone()).unwrap()]);
    }

    #[tokio::test]
    async fn memory_for_a_long_line_is_given_back() {
        let text = [vec![b'x'; 1 << 20], b"\nshort\n".to_vec()].concat();
        let (mut input, mut framing) = (text.as_slice(), Framing::new(2 << 20));
        while framing.next(&mut input).await.unwrap() != Piece::End {}
        assert!(framing.buffer.capacity() <= KEPT + CHUNK, "{}", framing.buffer.capacity());
    }

    #[tokio::test]
    async fn an_endless_line_takes_no_more_memory_than_it_may_have() {
        let (mut input, mut framing) = (tokio::io::repeat(b'x'), Framing::new(1 << 16));
        for _ in 0..1000 {
            assert!(matches!(framing.next(&mut input).await.unwrap(), Piece::Cut(_)));
        }
        assert!(framing.buffer.capacity() < 1 << 18, "{}", framing.buffer.capacity());
    }
}
