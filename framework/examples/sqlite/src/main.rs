//! A provider over an SQLite database file, with a component of every kind: what a provider for a real service looks
//! like. Read `provider` first, then any component; `database` and `cells` are all that is about SQLite itself.

mod backup;
mod cells;
mod database;
mod functions;
mod list;
mod provider;
mod query;
mod row;
mod states;
mod table;
#[cfg(test)]
mod tests;
mod token;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let provider = denobridge_framework::explained(provider::provider());
    if denobridge_pulumi::started_as_plugin() {
        return Ok(denobridge_pulumi::plugin("sqlite", "1.0.0").serve(provider).await?);
    }
    Ok(denobridge_terraform::serve(provider, "example.com/demo/sqlite").await?)
}
