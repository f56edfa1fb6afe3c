//! Archives that come out the same, byte by byte, for the same files.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

/// A file of an archive.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its path in the archive, with `/`.
    pub name: String,
    /// What is in it.
    pub content: Content,
    /// Whether it is a program.
    pub is_program: bool,
}

/// What is in a file of an archive.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// The same as in that file.
    File(PathBuf),
    /// This.
    Bytes(Vec<u8>),
}

impl Entry {
    /// How large it is, and what is in it.
    fn open(&self) -> io::Result<(u64, Box<dyn Read + '_>)> {
        match &self.content {
            Content::Bytes(bytes) => Ok((bytes.len() as u64, Box::new(bytes.as_slice()))),
            Content::File(path) => {
                let failed = |error: io::Error| {
                    io::Error::new(error.kind(), format!("{} cannot be read: {error}", path.display()))
                };
                let file = File::open(path).map_err(failed)?;
                Ok((file.metadata().map_err(failed)?.len(), Box::new(BufReader::new(file))))
            }
        }
    }

    fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// Writes a zip.
pub(super) fn zip(archive: &Path, entries: &[Entry]) -> io::Result<()> {
    let mut zip = zip::ZipWriter::new(create(archive)?);
    for entry in entries {
        // Without a time of its own, an entry has the first that zip knows.
        let options = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .last_modified_time(zip::DateTime::default())
            .unix_permissions(entry.mode());
        zip.start_file(&entry.name, options)?;
        io::copy(&mut entry.open()?.1, &mut zip)?;
    }
    zip.finish()?.flush()
}

/// Writes a compressed tar.
pub(super) fn tar_gz(archive: &Path, entries: &[Entry]) -> io::Result<()> {
    let mut tar = tar::Builder::new(GzEncoder::new(create(archive)?, Compression::best()));
    for entry in entries {
        let (size, content) = entry.open()?;
        let mut header = tar::Header::new_gnu();
        header.set_size(size);
        header.set_mode(entry.mode());
        header.set_mtime(0);
        tar.append_data(&mut header, &entry.name, content)?;
    }
    tar.into_inner()?.finish()?.flush()
}

fn create(file: &Path) -> io::Result<BufWriter<File>> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    Ok(BufWriter::new(File::create_new(file)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_of_the_same_are_the_same() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        std::fs::write(path("program"), "program").unwrap();
        let entries = [
            Entry { name: "program".to_owned(), content: Content::File(path("program")), is_program: true },
            Entry { name: "a/b.ts".to_owned(), content: Content::Bytes(b"script".to_vec()), is_program: false },
        ];
        for (make, name) in [(zip as fn(&Path, &[Entry]) -> io::Result<()>, "zip"), (tar_gz, "tar")] {
            let written = ["1", "2"].map(|number| {
                let archive = path(&format!("{name}{number}"));
                make(&archive, &entries).unwrap();
                std::fs::read(archive).unwrap()
            });
            assert_eq!(written[0], written[1], "{name}");
        }
        let missing = Entry { content: Content::File(path("none")), ..entries[0].clone() };
        let error = zip(&path("fails"), &[missing]).unwrap_err().to_string();
        assert!(error.contains("none cannot be read"), "{error}");
    }
}
