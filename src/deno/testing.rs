//! What the tests of this module share.

pub(crate) mod server;

use super::log::{LogLevel, LogSink};
use super::{DenoSource, Limits, Pool, PoolOptions, ScriptSpec};
use crate::children::{Watcher, WatcherProgram};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The Deno that tests run: DENOBRIDGE_TEST_DENO, or `deno` on PATH, or what `cargo xtask tools` has put into the project.
pub(crate) fn deno() -> PathBuf {
    let given = std::env::var("DENOBRIDGE_TEST_DENO").ok();
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools/bin/deno");
    DenoSource { configured: given, variable: None, search_path: std::env::var_os("PATH") }
        .find()
        .or_else(|error| if installed.is_file() { Ok(installed) } else { Err(error) })
        .unwrap_or_else(|error| {
            panic!("{error}: run `cargo xtask tools`, or set DENOBRIDGE_TEST_DENO to the path of a Deno 2")
        })
}

/// Keeps every line.
#[derive(Default)]
pub(crate) struct Recorded(Mutex<Vec<(LogLevel, String)>>);

impl LogSink for Recorded {
    fn log(&self, level: LogLevel, script: &str, message: &str) {
        self.0.lock().unwrap().push((level, format!("{script}: {message}")));
    }
}

impl Recorded {
    pub(crate) fn at(&self, level: LogLevel) -> Vec<String> {
        self.0.lock().unwrap().iter().filter(|line| line.0 == level).map(|line| line.1.clone()).collect()
    }
}

/// A folder with one script in it, and a pool to run it.
pub(crate) struct Bench {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) pool: Pool,
    pub(crate) log: Arc<Recorded>,
}

impl Bench {
    pub(crate) fn new(limits: Limits) -> Self {
        let log = Arc::new(Recorded::default());
        // A test program is no watcher; that one is tested by a program of its own.
        let watcher = Watcher::new(WatcherProgram::None);
        let pool = Pool::new(PoolOptions { limits, log: log.clone(), watcher, configuration: Arc::default() });
        Self { folder: tempfile::tempdir().unwrap(), pool, log }
    }

    /// Writes the script: the reading of messages, with `cases` in the switch over their methods.
    pub(crate) fn script(&self, cases: &str) -> ScriptSpec {
        self.raw_script(&include_str!("testdata/server.ts").replace("/* CASES */", cases))
    }

    pub(crate) fn raw_script(&self, text: &str) -> ScriptSpec {
        let path = self.folder.path().join("script.ts");
        std::fs::write(path, text).unwrap();
        self.spec()
    }

    pub(crate) fn spec(&self) -> ScriptSpec {
        ScriptSpec { working_directory: Some(self.folder.path().into()), ..ScriptSpec::new(deno(), "script.ts") }
    }
}
