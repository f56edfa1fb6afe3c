//! The smallest provider worth having: notes, each a file in a directory. A plugin for Terraform and for Pulumi.
use denobridge_framework::prelude::*;
use std::{fs, io, path::PathBuf};

/// A note, kept as a file.
#[derive(Model)]
struct Note {
    #[tf(computed, keep)]
    id: Tf<String>,
    #[tf(required, replace, check = "plain")]
    title: Tf<String>,
    #[tf(default = "")]
    text: Tf<String>,
}

fn plain(title: &str) -> Result<(), &'static str> {
    if title.chars().all(char::is_alphanumeric) { Ok(()) } else { Err("must have only letters and digits") }
}

struct Notes(PathBuf);

#[resource]
impl Resource for Notes {
    type Model = Note;
    async fn create(&self, _: &Context, plan: Planned<'_, Self>) -> Outcome<Note> {
        let title = plan.state.title.need("title")?.clone();
        fs::create_dir_all(&self.0)?;
        fs::write(self.0.join(&title), plan.state.text.need("text")?)?;
        Ok(Note { id: title.into(), ..plan.state })
    }

    async fn read(&self, _: &Context, now: Stored<'_, Self>) -> Result<Option<Note>, Failure> {
        let id = now.state.id.need("id")?.clone();
        match fs::read_to_string(self.0.join(&id)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            text => Ok(Some(Note { title: id.clone().into(), id: id.into(), text: text?.into() })),
        }
    }

    async fn update(&self, context: &Context, change: Change<'_, Self>) -> Outcome<Note> {
        self.create(context, change.into()).await
    }

    async fn delete(&self, _: &Context, gone: Removed<'_, Self>) -> Result<(), Failure> {
        Ok(fs::remove_file(self.0.join(gone.prior.id.need("id")?))?)
    }
}

pub(crate) fn provider(directory: PathBuf) -> Result<impl denobridge_core::Provider, BuildError> {
    ProviderBuilder::new("minimal").add_resource("minimal_note", Notes(directory)).build()
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let provider = explained(provider("notes".into()));
    if denobridge_pulumi::started_as_plugin() {
        return Ok(denobridge_pulumi::plugin("minimal", "1.0.0").serve(provider).await?);
    }
    Ok(denobridge_terraform::serve(provider, "example.com/demo/minimal").await?)
}
