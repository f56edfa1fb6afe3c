//! Reading MessagePack's own parts: numbers, text, and the headers of what has parts.

use crate::cty::failure::Failure;

/// A position in bytes. Every read fails at the end instead of going past it.
pub(super) struct Reader<'b> {
    bytes: &'b [u8],
}

/// A number as it was written.
pub(super) enum Numeral<'b> {
    Signed(i64),
    Unsigned(u64),
    Double(f64),
    Text(&'b str),
}

/// An extension value.
pub(super) struct Extension<'b> {
    pub(super) code: i8,
    pub(super) body: &'b [u8],
}

fn ended() -> Failure {
    Failure::new("the data ends early")
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The marker of the next item, not consumed.
    pub(super) fn peek(&self) -> Result<u8, Failure> {
        self.bytes.first().copied().ok_or_else(ended)
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], Failure> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or_else(ended)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Failure> {
        let (taken, rest) = self.bytes.split_first_chunk().ok_or_else(ended)?;
        self.bytes = rest;
        Ok(*taken)
    }

    fn marker(&mut self) -> Result<u8, Failure> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// A big-endian length of `size` bytes.
    fn length(&mut self, size: usize) -> Result<usize, Failure> {
        let bytes = self.take(size)?;
        Ok(bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)))
    }

    /// Consumes a nil if that is next.
    pub(super) fn take_nil(&mut self) -> bool {
        let found = self.bytes.first() == Some(&0xc0);
        if found {
            self.bytes = &self.bytes[1..];
        }
        found
    }

    pub(super) fn bool(&mut self) -> Result<bool, Failure> {
        match self.marker()? {
            0xc2 => Ok(false),
            0xc3 => Ok(true),
            _ => Err(Failure::new("a bool is required")),
        }
    }

    /// Text or bytes, which older encoders do not tell apart.
    pub(super) fn blob(&mut self, required: &'static str) -> Result<&'b [u8], Failure> {
        let length = match self.marker()? {
            marker @ 0xa0..=0xbf => usize::from(marker & 0x1f),
            0xc4 | 0xd9 => self.length(1)?,
            0xc5 | 0xda => self.length(2)?,
            0xc6 | 0xdb => self.length(4)?,
            _ => return Err(Failure::new(required)),
        };
        self.take(length)
    }

    pub(super) fn text(&mut self, required: &'static str) -> Result<&'b str, Failure> {
        std::str::from_utf8(self.blob(required)?).map_err(|_| Failure::new("text is not UTF-8"))
    }

    pub(super) fn numeral(&mut self) -> Result<Numeral<'b>, Failure> {
        let numeral = match self.peek()? {
            marker @ (0x00..=0x7f | 0xe0..=0xff) => {
                self.marker()?;
                Numeral::Signed(i64::from(marker.cast_signed()))
            }
            0xca => Numeral::Double(f64::from(f32::from_be_bytes(self.after_marker()?))),
            0xcb => Numeral::Double(f64::from_be_bytes(self.after_marker()?)),
            0xcc => Numeral::Unsigned(u8::from_be_bytes(self.after_marker()?).into()),
            0xcd => Numeral::Unsigned(u16::from_be_bytes(self.after_marker()?).into()),
            0xce => Numeral::Unsigned(u32::from_be_bytes(self.after_marker()?).into()),
            0xcf => Numeral::Unsigned(u64::from_be_bytes(self.after_marker()?)),
            0xd0 => Numeral::Signed(i8::from_be_bytes(self.after_marker()?).into()),
            0xd1 => Numeral::Signed(i16::from_be_bytes(self.after_marker()?).into()),
            0xd2 => Numeral::Signed(i32::from_be_bytes(self.after_marker()?).into()),
            0xd3 => Numeral::Signed(i64::from_be_bytes(self.after_marker()?)),
            _ => Numeral::Text(self.text("a number is required")?),
        };
        Ok(numeral)
    }

    fn after_marker<const N: usize>(&mut self) -> Result<[u8; N], Failure> {
        self.marker()?;
        self.array()
    }

    /// The length of an array whose items follow. No more items than bytes are left can be claimed.
    pub(super) fn array_length(&mut self, required: &'static str) -> Result<usize, Failure> {
        let length = match self.marker()? {
            marker @ 0x90..=0x9f => usize::from(marker & 0x0f),
            0xdc => self.length(2)?,
            0xdd => self.length(4)?,
            _ => return Err(Failure::new(required)),
        };
        if length > self.bytes.len() { Err(ended()) } else { Ok(length) }
    }

    /// The length of a map whose entries follow, each of two bytes at least.
    pub(super) fn map_length(&mut self, required: &'static str) -> Result<usize, Failure> {
        let length = match self.marker()? {
            marker @ 0x80..=0x8f => usize::from(marker & 0x0f),
            0xde => self.length(2)?,
            0xdf => self.length(4)?,
            _ => return Err(Failure::new(required)),
        };
        if length > self.bytes.len() / 2 { Err(ended()) } else { Ok(length) }
    }

    /// The next item if it is an extension value.
    pub(super) fn extension(&mut self) -> Result<Option<Extension<'b>>, Failure> {
        let marker = self.peek()?;
        if !matches!(marker, 0xc7..=0xc9 | 0xd4..=0xd8) {
            return Ok(None);
        }
        self.marker()?;
        let length = match marker {
            0xc7 => self.length(1)?,
            0xc8 => self.length(2)?,
            0xc9 => self.length(4)?,
            _ => 1 << (marker - 0xd4),
        };
        let code = self.marker()?.cast_signed();
        Ok(Some(Extension { code, body: self.take(length)? }))
    }
}
