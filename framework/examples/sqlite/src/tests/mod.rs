//! The provider in the embedded host, which does what Terraform core does and holds every answer to core's rules: a step
//! that breaks one fails its test. What a person sees of the real tools is in `tests/cases/framework/sqlite`.
#![allow(clippy::unwrap_used)]

mod others;
mod rows;
mod tables;

use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::provider::Layered;
use denobridge_core::provider::reencode::Reencode;
use denobridge_framework::host::{Converged, Host, HostOptions, ResourceHost, ResourceState};
use rusqlite::Connection;
use rusqlite::types::FromSql;

/// A configured provider over a new database.
struct Library {
    host: Host,
    folder: tempfile::TempDir,
}

impl Library {
    async fn new() -> Self {
        Self::with(&[]).await
    }

    /// With more in the provider's configuration.
    async fn with(settings: &[(&'static str, Value)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Encoded, as over Terraform's wire.
        let provider = Layered(Reencode::new(Arc::new(crate::provider::provider().unwrap())));
        let host = Host::start(Arc::new(provider), HostOptions::default()).await.unwrap();
        let file = [("file", text(&folder.path().join("library.db").to_string_lossy()))];
        host.configure(&Value::object(file.into_iter().chain(settings.iter().cloned()))).await.expect_ok();
        Self { host, folder }
    }

    fn database(&self) -> Connection {
        Connection::open(self.folder.path().join("library.db")).unwrap()
    }

    fn run(&self, statements: &str) {
        self.database().execute_batch(statements).unwrap();
    }

    /// The first value that a query finds.
    fn ask<T: FromSql>(&self, query: &str) -> T {
        self.database().query_row(query, [], |row| row.get(0)).unwrap()
    }
}

fn text(text: &str) -> Value {
    Value::string(text)
}

/// What became of an object, once no further change is needed.
async fn converged(host: &ResourceHost<'_>, written: &Value, prior: Option<&ResourceState>) -> Converged {
    host.converge(written, prior).await.expect_some()
}
