//! Writing MessagePack's own parts, each in its shortest form.

/// Bytes being written.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
}

impl Writer {
    fn put<const N: usize>(&mut self, marker: u8, rest: [u8; N]) {
        self.bytes.push(marker);
        self.bytes.extend_from_slice(&rest);
    }

    pub(super) fn nil(&mut self) {
        self.bytes.push(0xc0);
    }

    pub(super) fn bool(&mut self, value: bool) {
        self.bytes.push(if value { 0xc3 } else { 0xc2 });
    }

    /// An integer; one that is not negative in an unsigned form, as Go's encoder does.
    pub(super) fn integer(&mut self, value: i64) {
        if let Ok(value) = u64::try_from(value) {
            return self.unsigned(value);
        }
        if value >= -32 {
            self.bytes.push((value as i8).cast_unsigned());
        } else if let Ok(value) = i8::try_from(value) {
            self.put(0xd0, value.to_be_bytes());
        } else if let Ok(value) = i16::try_from(value) {
            self.put(0xd1, value.to_be_bytes());
        } else if let Ok(value) = i32::try_from(value) {
            self.put(0xd2, value.to_be_bytes());
        } else {
            self.put(0xd3, value.to_be_bytes());
        }
    }

    pub(super) fn unsigned(&mut self, value: u64) {
        match value {
            0..=0x7f => self.bytes.push(value as u8),
            0x80..=0xff => self.put(0xcc, (value as u8).to_be_bytes()),
            0x100..=0xffff => self.put(0xcd, (value as u16).to_be_bytes()),
            0x1_0000..=0xffff_ffff => self.put(0xce, (value as u32).to_be_bytes()),
            _ => self.put(0xcf, value.to_be_bytes()),
        }
    }

    pub(super) fn double(&mut self, value: f64) {
        self.put(0xcb, value.to_be_bytes());
    }

    pub(super) fn text(&mut self, text: &str) {
        match text.len() {
            length @ 0..=31 => self.bytes.push(0xa0 | length as u8),
            length => self.length([0xd9, 0xda, 0xdb], length),
        }
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(super) fn blob(&mut self, bytes: &[u8]) {
        self.length([0xc4, 0xc5, 0xc6], bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn array_length(&mut self, length: usize) {
        match length {
            0..=15 => self.bytes.push(0x90 | length as u8),
            0x10..=0xffff => self.put(0xdc, (length as u16).to_be_bytes()),
            _ => self.put(0xdd, (length as u32).to_be_bytes()),
        }
    }

    pub(super) fn map_length(&mut self, length: usize) {
        match length {
            0..=15 => self.bytes.push(0x80 | length as u8),
            0x10..=0xffff => self.put(0xde, (length as u16).to_be_bytes()),
            _ => self.put(0xdf, (length as u32).to_be_bytes()),
        }
    }

    pub(super) fn extension(&mut self, code: u8, body: &[u8]) {
        match body.len() {
            1 => self.bytes.push(0xd4),
            2 => self.bytes.push(0xd5),
            4 => self.bytes.push(0xd6),
            8 => self.bytes.push(0xd7),
            16 => self.bytes.push(0xd8),
            length => self.length([0xc7, 0xc8, 0xc9], length),
        }
        self.bytes.push(code);
        self.bytes.extend_from_slice(body);
    }

    /// A marker, one for each width of length, and the length.
    fn length(&mut self, markers: [u8; 3], length: usize) {
        match length {
            0..=0xff => self.put(markers[0], (length as u8).to_be_bytes()),
            0x100..=0xffff => self.put(markers[1], (length as u16).to_be_bytes()),
            _ => self.put(markers[2], (length as u32).to_be_bytes()),
        }
    }
}
