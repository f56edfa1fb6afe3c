//! Rows. A row shows three degrees of care: `values` are seen by everybody, `sensitive_values` are stored and not shown,
//! `secrets` are written to the database and stored nowhere else.

use std::collections::BTreeMap;

use denobridge_core::cty::Type;
use denobridge_framework::prelude::*;
use rusqlite::types::Value as Cell;
use rusqlite::{Connection, OptionalExtension as _, params_from_iter};

use crate::cells;
use crate::database::{DatabaseError, connected, has_table, quoted, transaction};

/// A row of a table.
#[derive(Model)]
pub(crate) struct Row {
    /// The table and the row's number in it, such as `books/1`.
    #[tf(computed, keep)]
    id: Tf<String>,
    /// The table.
    #[tf(required, replace)]
    table: Tf<String>,
    /// The value of the table's `id` column.
    #[tf(computed, keep)]
    number: Tf<i64>,
    /// Values by column: text, numbers, bools (stored as 1 and 0) and null. Other columns are left alone. An import reads
    /// all columns, also those that a configuration would keep from being seen.
    #[tf(required)]
    values: Value,
    /// More values by column, which are not shown.
    sensitive_values: Tf<Secret<BTreeMap<String, String>>>,
    /// More values by column, which are written to the database and not stored in the state.
    #[tf(write_only)]
    secrets: Tf<Secret<BTreeMap<String, String>>>,
    /// Change it to write `secrets` again.
    secrets_version: Tf<i64>,
}

/// The resource `sqlite_row`.
pub(crate) struct Rows;

#[resource]
impl Resource for Rows {
    type Model = Row;

    async fn create(&self, context: &Context, plan: Planned<'_, Self>) -> Outcome<Row> {
        let table = plan.state.table.need("table")?.clone();
        let (columns, cells): (Vec<String>, Vec<Cell>) = cells_of(&plan.config)?.into_iter().unzip();
        let statement = if columns.is_empty() {
            format!("INSERT INTO {} DEFAULT VALUES", quoted(&table))
        } else {
            let names: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
            let places = vec!["?"; columns.len()].join(", ");
            format!("INSERT INTO {} ({}) VALUES ({places})", quoted(&table), names.join(", "))
        };
        let number = transaction(context, move |database| {
            database.execute(&statement, params_from_iter(cells))?;
            Ok(database.last_insert_rowid())
        });
        let number = number.await?;
        Ok(Row { id: format!("{table}/{number}").into(), number: number.into(), ..plan.state })
    }

    async fn read(&self, context: &Context, now: Stored<'_, Self>) -> Result<Option<Row>, Failure> {
        let (table, number) = place(now.state.id.need("id")?)?;
        let (values, sensitive) = (now.state.values.clone(), now.state.sensitive_values.clone());
        let sought = table.clone();
        let found = connected(context, move |database| found(database, &sought, number, &values, sensitive)).await?;
        Ok(found.map(|(values, sensitive_values)| Row {
            table: table.into(),
            number: number.into(),
            values,
            sensitive_values,
            ..now.state
        }))
    }

    async fn update(&self, context: &Context, change: Change<'_, Self>) -> Outcome<Row> {
        let (table, number) = place(change.prior.id.need("id")?)?;
        let mut cells = cells_of(&change.config)?;
        // A column that the configuration no longer names becomes what it was before anybody set it.
        for column in cells_of(&change.prior)?.into_keys() {
            cells.entry(column).or_insert(Cell::Null);
        }
        let (columns, cells): (Vec<String>, Vec<Cell>) = cells.into_iter().unzip();
        let changes: Vec<String> = columns.iter().map(|column| format!("{} = ?", quoted(column))).collect();
        if !changes.is_empty() {
            let statement = format!("UPDATE {} SET {} WHERE id = {number}", quoted(&table), changes.join(", "));
            let changed =
                transaction(context, move |database| match database.execute(&statement, params_from_iter(cells))? {
                    0 => Err(DatabaseError::Refused(format!(
                        "there is no row {number} in {table} any more; refresh and plan again"
                    ))),
                    _ => Ok(()),
                });
            changed.await?;
        }
        Ok(change.state)
    }

    async fn delete(&self, context: &Context, gone: Removed<'_, Self>) -> Result<(), Failure> {
        let (table, number) = place(gone.prior.id.need("id")?)?;
        let deleted = transaction(context, move |database| {
            if has_table(database, &table)? {
                database.execute(&format!("DELETE FROM {} WHERE id = ?1", quoted(&table)), [number])?;
            }
            Ok(())
        });
        Ok(deleted.await?)
    }
}

/// The table and number in an id such as `books/1`.
fn place(id: &str) -> Result<(String, i64), DatabaseError> {
    let parts = id.rsplit_once('/').and_then(|(table, number)| Some((table.to_owned(), number.parse().ok()?)));
    parts.ok_or_else(|| DatabaseError::Refused(format!("\"{id}\" is no id of a row: write it as TABLE/NUMBER")))
}

/// What to write, by column.
fn cells_of(row: &Row) -> Result<BTreeMap<String, Cell>, DatabaseError> {
    let mut cells = BTreeMap::new();
    for (column, value) in row.values.as_entries().into_iter().flatten() {
        cells.insert(column.to_string(), cells::cell(column, value)?);
    }
    for hidden in [&row.sensitive_values, &row.secrets].into_iter().filter_map(Tf::known) {
        cells.extend(hidden.expose().iter().map(|(column, text)| (column.clone(), Cell::Text(text.clone()))));
    }
    Ok(cells)
}

type Seen = (Value, Tf<Secret<BTreeMap<String, String>>>);

/// The values of a row as they are, of the columns that were written; of all when nothing is known of the row but its id.
fn found(
    database: &Connection,
    table: &str,
    number: i64,
    written: &Value,
    sensitive: Tf<Secret<BTreeMap<String, String>>>,
) -> Result<Option<Seen>, DatabaseError> {
    if !has_table(database, table)? {
        return Ok(None);
    }
    let mut query = database.prepare(&format!("SELECT * FROM {} WHERE id = ?1", quoted(table)))?;
    let columns: Vec<String> = query.column_names().map(str::to_owned).collect();
    let values = query.query_row([number], |row| {
        let read = |(index, column): (usize, &String)| {
            let before = written.attribute(column);
            Ok::<_, rusqlite::Error>((column.clone(), cells::value(row.get_ref(index)?, before)))
        };
        columns.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()
    });
    let Some(values) = values.optional()? else { return Ok(None) };
    let mut all = BTreeMap::new();
    for (column, value) in values {
        all.insert(column, value?);
    }
    let sensitive = sensitive.map(|hidden| {
        let now = hidden.into_inner().into_keys().filter_map(|column| {
            let text = all.get(&column).filter(|value| !value.is_null()).map(text)?;
            Some((column, text))
        });
        Secret::new(now.collect())
    });
    all.retain(|column, _| if written.is_null() { column != "id" } else { written.attribute(column).is_some() });
    Ok(Some((Value::object(all), sensitive)))
}

fn text(value: &Value) -> String {
    match denobridge_core::cty::convert::convert(value, &Type::String) {
        Ok(converted) => converted.as_str().unwrap_or_default().to_owned(),
        Err(_) => String::new(),
    }
}
