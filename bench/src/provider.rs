//! The provider that `cargo xtask bench framework` measures. Its twin, written with terraform-plugin-framework, is
//! `tests/tools/bench-provider/main.go`: the same schema and the same work, which is none.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::Arc;

use denobridge_framework::prelude::*;
use denobridge_terraform::{ServeOptions, refuse_direct_start, serve, started_by_host};

/// How many types of things there are.
const THING_TYPES: usize = 500;

/// Nothing.
#[derive(Model)]
struct Empty {}

/// A resource without attributes: what is measured is everything around it.
struct Empties;

#[resource]
impl Resource for Empties {
    type Model = Empty;

    async fn create(&self, _: &Context, plan: Planned<'_, Self>) -> Outcome<Empty> {
        Ok(plan.state)
    }

    async fn read(&self, _: &Context, now: Stored<'_, Self>) -> Result<Option<Empty>, Failure> {
        Ok(Some(now.state))
    }

    async fn update(&self, _: &Context, change: Change<'_, Self>) -> Outcome<Empty> {
        Ok(change.state)
    }

    async fn delete(&self, _: &Context, _: Removed<'_, Self>) -> Result<(), Failure> {
        Ok(())
    }
}

/// A thing.
#[derive(Model)]
struct Thing {
    /// Identifies it.
    #[tf(computed, keep)]
    id: Tf<String>,
    /// What it is called.
    #[tf(required)]
    name: Tf<String>,
    /// What it is for.
    description: Tf<String>,
    /// How big it is.
    size: Tf<i64>,
    /// Whether it is in use.
    enabled: Tf<bool>,
    /// Where it listens.
    ports: Tf<Vec<Tf<i64>>>,
    /// Who belongs to it.
    members: Tf<BTreeSet<String>>,
    /// What is said of it.
    tags: Tf<BTreeMap<String, Tf<String>>>,
    /// Where it is reached.
    endpoint: Tf<Endpoint>,
}

#[derive(Model)]
struct Endpoint {
    /// Its name.
    #[tf(required)]
    host: Tf<String>,
    /// Its port.
    port: Tf<i64>,
}

/// A resource of ordinary size.
struct Things;

#[resource]
impl Resource for Things {
    type Model = Thing;

    async fn create(&self, _: &Context, plan: Planned<'_, Self>) -> Outcome<Thing> {
        let id = plan.state.name.need("name")?.clone();
        Ok(Thing { id: id.into(), ..plan.state })
    }

    async fn read(&self, _: &Context, now: Stored<'_, Self>) -> Result<Option<Thing>, Failure> {
        Ok(Some(now.state))
    }

    async fn update(&self, _: &Context, change: Change<'_, Self>) -> Outcome<Thing> {
        Ok(change.state)
    }

    async fn delete(&self, _: &Context, _: Removed<'_, Self>) -> Result<(), Failure> {
        Ok(())
    }
}

fn provider() -> Result<impl denobridge_core::Provider, BuildError> {
    let mut builder = ProviderBuilder::new("bench").add_resource("bench_empty", Empties);
    for number in 0..THING_TYPES {
        builder = builder.add_resource(format!("bench_thing_{number:03}"), Things);
    }
    builder.build()
}

#[tokio::main]
async fn main() -> ExitCode {
    if !started_by_host() {
        return refuse_direct_start("terraform-provider-bench");
    }
    let provider = match provider() {
        Ok(provider) => Arc::new(provider),
        Err(error) => return failed(&error),
    };
    match serve(provider, ServeOptions::new("registry.terraform.io/denobridge/bench")).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

fn failed(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("{error}");
    ExitCode::FAILURE
}
