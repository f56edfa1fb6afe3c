//! Archives of one program each, that come out the same for the same program.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Executable by all, as it will be unpacked.
const MODE: u32 = 0o755;

/// A zip with the program under `name`.
pub fn zip(archive: &Path, name: &str, program: &Path) -> Result<()> {
    let mut zip = zip::ZipWriter::new(create(archive)?);
    // Without a time of its own, an entry has the first that zip knows.
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default())
        .unix_permissions(MODE);
    zip.start_file(name, options)?;
    std::io::copy(&mut open(program)?, &mut zip)?;
    zip.finish()?.flush().with_context(|| format!("cannot write {}", archive.display()))
}

/// A compressed tar with the program under `name`.
pub fn tar_gz(archive: &Path, name: &str, program: &Path) -> Result<()> {
    let compressed = GzEncoder::new(create(archive)?, Compression::best());
    let mut tar = tar::Builder::new(compressed);
    let mut header = tar::Header::new_gnu();
    header.set_size(program.metadata().with_context(|| format!("cannot read {}", program.display()))?.len());
    header.set_mode(MODE);
    header.set_mtime(0);
    tar.append_data(&mut header, name, open(program)?)?;
    tar.into_inner()?.finish()?.flush().with_context(|| format!("cannot write {}", archive.display()))
}

fn create(file: &Path) -> Result<BufWriter<File>> {
    Ok(BufWriter::new(File::create_new(file).with_context(|| format!("cannot create {}", file.display()))?))
}

fn open(file: &Path) -> Result<BufReader<File>> {
    Ok(BufReader::new(File::open(file).with_context(|| format!("cannot read {}", file.display()))?))
}
