//! Names after `--include` and `--exclude` that a provider does not have.
//!
//! The Go plugin passes over them, so they are no error; but a misspelt name would leave out what was wanted without a word.

use denobridge_core::Call;
use denobridge_core::call::LogLevel;
use denobridge_core::provider::{GetProviderSchemaRequest, Provider as _};
use denobridge_core::schema::ProviderSchema;
use denobridge_pulumi::similar;
use denobridge_terraform::ForeignProvider;

use super::View;

/// Warns of names that the provider does not have. Whatever else is wrong with its schema is told by who needs it.
pub(super) async fn warn(call: &Call, plugin: &str, provider: &ForeignProvider, view: &View) {
    if view.includes.is_empty() && view.excludes.is_empty() {
        return;
    }
    let Ok(answer) = provider.get_provider_schema(call, GetProviderSchemaRequest {}).await else { return };
    for notice in notices(&answer.schema, view) {
        call.log(LogLevel::Warn, plugin, &notice);
    }
}

fn notices(schema: &ProviderSchema, view: &View) -> Vec<String> {
    let known: Vec<&str> = [
        schema.resources.keys().map(|name| &**name).collect::<Vec<_>>(),
        schema.data_sources.keys().map(|name| &**name).collect(),
        schema.functions.keys().map(|name| &**name).collect(),
        schema.ephemeral_resources.keys().map(|name| &**name).collect(),
        schema.actions.keys().map(|name| &**name).collect(),
        schema.list_resources.keys().map(|name| &**name).collect(),
    ]
    .concat();
    let given = [("--include", &view.includes), ("--exclude", &view.excludes)];
    let named = given.into_iter().flat_map(|(option, names)| names.iter().map(move |name| (option, name)));
    let unknown = named.filter(|(_, name)| !known.contains(&name.as_str()));
    let notice = |(option, name): (&str, &String)| {
        let hint = similar(name, known.iter().copied()).map(|known| format!("; did you mean {known}?"));
        format!("{option} {name} has no effect: the provider has nothing of that name{}", hint.unwrap_or_default())
    };
    unknown.map(notice).collect()
}

#[cfg(test)]
mod tests {
    use denobridge_core::schema::Schema;

    use super::*;

    #[test]
    fn names_that_the_provider_does_not_have_are_told() {
        let mut schema = ProviderSchema::default();
        schema.resources.insert("time_static".into(), Schema::default());
        schema.data_sources.insert("time_zone".into(), Schema::default());
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let view = View {
            includes: names(&["time_static", "time_zone", "time_statik"]),
            excludes: names(&["other"]),
            ..View::default()
        };
        assert_eq!(
            notices(&schema, &view),
            [
                "--include time_statik has no effect: the provider has nothing of that name; did you mean time_static?",
                "--exclude other has no effect: the provider has nothing of that name"
            ]
        );
    }
}
