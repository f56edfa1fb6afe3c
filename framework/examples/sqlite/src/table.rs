//! Tables. A table is renamed and gets and loses columns in place; a column that becomes another one is a new table.

use std::collections::BTreeMap;

use denobridge_framework::erased::MoveSource;
use denobridge_framework::prelude::*;
use rusqlite::Connection;

use crate::database::{DatabaseError, connected, has_table, quoted, transaction};

/// A table. It has an integer primary key `id` beside its columns.
#[derive(Model)]
pub(crate) struct Table {
    /// The table's name.
    #[tf(computed, keep)]
    id: Tf<String>,
    /// The table's name; another one renames it.
    #[tf(required, check = "allowed")]
    name: Tf<String>,
    /// The columns by name.
    #[tf(required)]
    columns: Tf<BTreeMap<String, Column>>,
}

/// A column.
#[derive(Model, Clone, PartialEq)]
pub(crate) struct Column {
    /// What it holds.
    #[tf(required, name = "type", one_of = ["text", "integer", "real", "blob"])]
    kind: Tf<String>,
    /// Whether a row must have a value here.
    required: Tf<bool>,
    /// What a row has that says nothing.
    default: Tf<String>,
}

/// A table as version 0 of the schema had it: its columns were texts such as `pages integer`.
#[derive(Model)]
struct FirstTable {
    #[tf(required)]
    name: String,
    #[tf(required)]
    columns: Vec<String>,
}

/// A `terraform_data` that stands for a table which a command of its own made.
#[derive(Model)]
struct HandMade {
    /// The table's name.
    input: Value,
}

fn allowed(name: &str) -> Result<(), &'static str> {
    let fine = !name.is_empty() && !name.starts_with("sqlite_") && !name.contains(['/', '\0']);
    if fine { Ok(()) } else { Err("must not be empty, begin with \"sqlite_\" or contain a slash") }
}

/// The resource `sqlite_table`.
pub(crate) struct Tables;

#[resource]
impl Resource for Tables {
    type Model = Table;

    const VERSION: i64 = 1;

    async fn modify_plan(&self, _: &Context, plan: &mut Planning<'_, Table>) -> Result<(), Failure> {
        let Some(state) = plan.state()? else { return Ok(()) };
        if let Some(name) = state.name.known() {
            plan.set("id", name.clone())?;
        }
        let prior = plan.prior()?.and_then(|prior| prior.columns.into_known()).unwrap_or_default();
        let planned = state.columns.into_known().unwrap_or_default();
        let other = planned.iter().filter(|(name, column)| prior.get(*name).is_some_and(|before| before != *column));
        for (name, _) in other {
            plan.replace(Path::root().attribute("columns").key(name.as_str()));
        }
        Ok(())
    }

    async fn create(&self, context: &Context, plan: Planned<'_, Self>) -> Outcome<Table> {
        let name = plan.state.name.need("name")?.clone();
        let mut parts = vec!["\"id\" INTEGER PRIMARY KEY".to_owned()];
        for (column, definition) in plan.state.columns.need("columns")? {
            parts.push(defined(column, definition)?);
        }
        let statement = format!("CREATE TABLE {} ({})", quoted(&name), parts.join(", "));
        transaction(context, move |database| Ok(database.execute_batch(&statement)?)).await?;
        Ok(Table { id: name.into(), ..plan.state })
    }

    async fn read(&self, context: &Context, now: Stored<'_, Self>) -> Result<Option<Table>, Failure> {
        // An import knows the id alone.
        let name = now.state.name.known().or(now.state.id.known()).cloned().unwrap_or_default();
        let written = now.state.columns.into_known().unwrap_or_default();
        let sought = name.clone();
        let found = connected(context, move |database| columns(database, &sought, &written)).await?;
        Ok(found.map(|columns| Table { id: name.clone().into(), name: name.into(), columns: columns.into() }))
    }

    async fn update(&self, context: &Context, change: Change<'_, Self>) -> Outcome<Table> {
        let (before, name) = (change.prior.name.need("name")?.clone(), change.state.name.need("name")?.clone());
        let (old, new) = (change.prior.columns.need("columns")?, change.state.columns.need("columns")?);
        let mut statements = Vec::new();
        if before != name {
            statements.push(format!("ALTER TABLE {} RENAME TO {}", quoted(&before), quoted(&name)));
        }
        for column in old.keys().filter(|column| !new.contains_key(*column)) {
            statements.push(format!("ALTER TABLE {} DROP COLUMN {}", quoted(&name), quoted(column)));
        }
        for (column, definition) in new.iter().filter(|(column, _)| !old.contains_key(*column)) {
            statements.push(format!("ALTER TABLE {} ADD COLUMN {}", quoted(&name), defined(column, definition)?));
        }
        transaction(context, move |database| Ok(database.execute_batch(&statements.join(";"))?)).await?;
        Ok(Table { id: name.into(), ..change.state })
    }

    async fn delete(&self, context: &Context, gone: Removed<'_, Self>) -> Result<(), Failure> {
        let statement = format!("DROP TABLE IF EXISTS {}", quoted(gone.prior.name.need("name")?));
        transaction(context, move |database| Ok(database.execute_batch(&statement)?)).await
    }

    fn moves(&self) -> Moves<Table> {
        Moves::default().from_model(MoveSource::of_type("terraform_data"), |old: HandMade| {
            let Some(name) = old.input.as_str() else {
                let detail = "The input of the terraform_data must be the table's name.";
                return Err(Failure::new("The table cannot be taken over", detail));
            };
            // A read follows, which finds the columns.
            Ok(Table { id: name.into(), name: name.into(), columns: Tf::Null })
        })
    }

    fn upgrades(&self) -> Upgrades {
        Upgrades::default().step(0, |old: FirstTable| {
            let columns = old.columns.iter().filter_map(|column| column.split_once(' ')).map(|(name, kind)| {
                let column = Column { kind: kind.into(), required: Tf::Null, default: Tf::Null };
                (name.to_owned(), column)
            });
            let columns: BTreeMap<String, Column> = columns.collect();
            Ok(Table { id: old.name.clone().into(), name: old.name.into(), columns: columns.into() })
        })
    }
}

fn defined(name: &str, column: &Column) -> Result<String, Failure> {
    let mut text = format!("{} {}", quoted(name), column.kind.need("type")?.to_uppercase());
    if column.required.known() == Some(&true) {
        text.push_str(" NOT NULL");
    }
    if let Some(default) = column.default.known() {
        text.push_str(&format!(" DEFAULT '{}'", default.replace('\'', "''")));
    }
    Ok(text)
}

/// The columns of a table as they are, except for `id`; nothing when there is no such table.
fn columns(
    database: &Connection,
    table: &str,
    written: &BTreeMap<String, Column>,
) -> Result<Option<BTreeMap<String, Column>>, DatabaseError> {
    if !has_table(database, table)? {
        return Ok(None);
    }
    let mut query = database.prepare("SELECT name, lower(type), \"notnull\", dflt_value FROM pragma_table_info(?1)")?;
    let rows = query.query_map([table], |row| {
        let (name, kind, required): (String, String, bool) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let default: Option<String> = row.get(3)?;
        // "Not required" may be said or not said, and only the configuration knows.
        let said = written.get(&name).map(|column| column.required.clone()).unwrap_or_default();
        let required = if required || said.known() == Some(&true) { Tf::Known(required) } else { said };
        Ok((name, Column { kind: kind.into(), required, default: default.map(unquoted).into() }))
    })?;
    let mut columns = rows.collect::<Result<BTreeMap<_, _>, _>>()?;
    columns.remove("id");
    Ok(Some(columns))
}

fn unquoted(literal: String) -> String {
    match literal.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        Some(text) => text.replace("''", "'"),
        None => literal,
    }
}
