//! What all that keep files for others have in common.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

/// Writes a file that others may be reading: aside, in its folder, which must be there, and renamed.
pub(crate) fn write_aside(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut aside = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    aside.write_all(content)?;
    aside.persist(path).map(drop).map_err(|error| error.error)
}

/// Bytes in lower case, as sums are written.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text never fails.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
