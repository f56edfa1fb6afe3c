//! For tests only: a Terraform provider whose schema and replies come from a JSON file. `tests/providers/README.md` says
//! what can be in the file; [`format`] is its form.
//!
//! Environment:
//!
//! - `FROM_FILE_PROVIDER`: the file; by itself `provider.json` beside the program, under the name that it was called by.
//! - `FROM_FILE_PROTOCOL`: 5 or 6, in place of what the file says.
//! - `FROM_FILE_CLOUD`: the folder in which objects and counters are; without it none are kept.
//! - `FROM_FILE_REQUESTS`: the file that gets a line of JSON for every request.

mod cloud;
mod faults;
mod format;
mod others;
mod record;
mod replies;
mod resource;
mod rules;
mod schema;
#[cfg(test)]
mod tests;

use std::env;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result, bail};
use denobridge_core::Provider;
use denobridge_core::provider::{Layered, Surrounded};
use denobridge_core::schema::ProviderSchema;
use denobridge_framework::ProviderBuilder;
use denobridge_framework::provider::{ConfigureContext, Configured};
use denobridge_terraform::{Protocol, ServeOptions, refuse_direct_start, serve, started_by_host};

use cloud::Cloud;
use faults::{Empty, Faults, Faulty};
use format::{ProviderFile, Reply};
use record::Recorded;

#[tokio::main]
async fn main() -> ExitCode {
    let program = env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let called = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if !started_by_host() {
        return refuse_direct_start(&called);
    }
    match run(&program, &called).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{called}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(program: &Path, called: &str) -> Result<()> {
    let path = match env::var_os("FROM_FILE_PROVIDER") {
        Some(path) => PathBuf::from(path),
        None => program.with_file_name("provider.json"),
    };
    let file = read(&path)?;
    let name = called.strip_prefix("terraform-provider-").unwrap_or(called);
    let protocol = match env::var("FROM_FILE_PROTOCOL").ok().as_deref().unwrap_or(&file.protocol.to_string()) {
        "5" => Protocol::V5,
        "6" => Protocol::V6,
        other => bail!("there is no protocol {other}"),
    };
    let cloud = Arc::new(Cloud::new(env::var_os("FROM_FILE_CLOUD").map(PathBuf::from)));
    let faults = Arc::new(Faults { specs: file.faults.clone(), cloud: Arc::clone(&cloud) });
    let crash_on_absent_values = file.crash_on_absent_values;
    let provider = provider(name, file, cloud).with_context(|| path.display().to_string())?;
    let schema = schema_of(&provider).await?;
    let inner: Arc<dyn Provider> = Arc::new(provider);
    let inner = Arc::new(Layered(Empty { inner, faults: Arc::clone(&faults) }));
    let inner = Arc::new(Surrounded(Faulty { inner, faults: Arc::clone(&faults) }));
    let requests = match env::var_os("FROM_FILE_REQUESTS") {
        Some(path) => Some(Mutex::new(OpenOptions::new().create(true).append(true).open(path)?)),
        None => None,
    };
    let recorded = Layered(Recorded { inner, schema, file: requests, crash_on_absent_values });
    let options = ServeOptions::new(format!("example.com/reports/{name}")).with_protocols([protocol]);
    let options = options.with_statuses(Arc::new(move |procedure: &str| faults.status(procedure)));
    Ok(serve(Arc::new(recorded), options).await?)
}

fn read(path: &Path) -> Result<ProviderFile> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    parse(&text).with_context(|| path.display().to_string())
}

fn parse(text: &str) -> Result<ProviderFile> {
    Ok(serde_json::from_str(text)?)
}

/// The provider that the file describes.
fn provider(name: &str, file: ProviderFile, cloud: Arc<Cloud>) -> Result<impl Provider + use<>> {
    let config = schema::schema(0, &file.config).context("config")?;
    let mut builder = ProviderBuilder::new(name).config_schema(config);
    builder = checking(builder, file.validate, file.configure, &cloud);
    for (type_name, spec) in file.resources {
        let spec = Arc::new(spec);
        for copy in 1..=spec.copies + 1 {
            let name = if copy == 1 { type_name.clone() } else { format!("{type_name}_{copy}") };
            let resource = resource::Resource::new(Arc::clone(&spec), Arc::clone(&cloud));
            builder = builder.resource(name, Box::new(resource.with_context(|| type_name.clone())?));
        }
    }
    for (type_name, spec) in file.data_sources {
        let source = others::DataSource::new(spec, Arc::clone(&cloud)).with_context(|| type_name.clone())?;
        builder = builder.data_source(type_name, Box::new(source));
    }
    for (type_name, spec) in file.ephemeral_resources {
        let ephemeral = others::EphemeralResource::new(spec, Arc::clone(&cloud)).with_context(|| type_name.clone())?;
        builder = builder.ephemeral_resource(type_name, Box::new(ephemeral));
    }
    for (name, spec) in file.functions {
        let function = others::function(&name, spec, Arc::clone(&cloud)).with_context(|| name.clone())?;
        builder = builder.function(name, function);
    }
    Ok(builder.build()?)
}

fn checking(
    builder: ProviderBuilder,
    validate: Vec<Reply>,
    configure: Vec<Reply>,
    cloud: &Arc<Cloud>,
) -> ProviderBuilder {
    let validated = Arc::clone(cloud);
    let builder = builder
        .validate(move |config| replies::said(replies::chosen(&validated, "validate the provider", &validate, config)));
    let (configured, configure) = (Arc::clone(cloud), Arc::new(configure));
    builder.configure(move |context: ConfigureContext| {
        let (cloud, configure) = (Arc::clone(&configured), Arc::clone(&configure));
        async move {
            let reply = replies::given(&cloud, "configure the provider", &configure, &context.config).await;
            Configured { data: None, diagnostics: replies::said(reply) }
        }
    })
}

async fn schema_of(provider: &impl Provider) -> Result<Arc<ProviderSchema>> {
    let answer = provider.get_provider_schema(&denobridge_core::Call::new(), Default::default()).await?;
    Ok(answer.schema)
}
