//! Rows. A row shows three degrees of care: `values` are seen by everybody, `sensitive_values` are stored and not shown,
//! `secrets` are written to the database and stored nowhere else.

use std::collections::BTreeMap;

use denobridge_framework::prelude::*;
use rusqlite::types::Value as Cell;
use rusqlite::{Connection, OptionalExtension as _, params_from_iter};

use crate::cells;
use crate::database::{DatabaseError, connected, has_table, quoted, transaction};

/// A row of a table. It is imported as `TABLE/NUMBER`, or as `TABLE/NUMBER:COLUMN,COLUMN` with the values of these columns:
/// no other is read, since nobody says yet which of them hold secrets.
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
    /// Values by column: text, numbers, bools (stored as 1 and 0) and null. Other columns are left alone.
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

/// What tells rows apart.
#[derive(Model)]
pub(crate) struct RowIdentity {
    /// The table.
    #[tf(required)]
    pub table: String,
    /// The value of the table's `id` column.
    #[tf(required)]
    pub number: i64,
}

/// The resource `sqlite_row`.
pub(crate) struct Rows;

#[resource]
impl Resource for Rows {
    type Model = Row;
    type Identity = RowIdentity;

    async fn create(&self, context: &Context, plan: Planned<'_, Self>) -> Outcome<Row> {
        let table = plan.state.table.need("table")?.clone();
        let (columns, cells): (Vec<String>, Vec<Cell>) = plan.config.cells()?.into_iter().unzip();
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
        let (table, number) = now.state.place()?;
        let found = connected(context, move |database| stored(database, &table, number)).await?;
        let Some(found) = found else { return Ok(None) };
        let written = now.state.values.as_entries().into_iter().flatten();
        let values: Vec<_> = written
            .filter_map(|(column, written)| {
                Some((column.to_string(), cells::value(found.get(&**column)?, Some(written))))
            })
            .collect();
        let sensitive_values = now.state.sensitive_values.map(|hidden| {
            let columns = hidden.into_inner().into_keys();
            let texts = columns.filter_map(|column| {
                let text = cells::text(found.get(&column)?)?;
                Some((column, text))
            });
            Secret::new(texts.collect())
        });
        Ok(Some(Row { values: Value::object(values), sensitive_values, ..now.state }))
    }

    async fn update(&self, context: &Context, change: Change<'_, Self>) -> Outcome<Row> {
        let (table, number) = change.prior.place()?;
        let mut cells = change.config.cells()?;
        // A column that the configuration no longer names becomes what it was before anybody set it.
        for column in change.prior.cells()?.into_keys() {
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
        let (table, number) = gone.prior.place()?;
        let deleted = transaction(context, move |database| {
            if has_table(database, &table)? {
                database.execute(&format!("DELETE FROM {} WHERE id = ?1", quoted(&table)), [number])?;
            }
            Ok(())
        });
        deleted.await
    }

    async fn import(&self, context: &Context, sought: Sought<'_, Self, &str>) -> Result<Row, Failure> {
        let (table, number, columns) = parsed(sought.by).ok_or_else(|| {
            let wanted = "write it as TABLE/NUMBER, or as TABLE/NUMBER:COLUMN,COLUMN with columns to read";
            DatabaseError::Refused(format!("\"{}\" is no id of a row: {wanted}", sought.by))
        })?;
        existing(context, table, number, columns).await
    }

    async fn import_by_identity(
        &self,
        context: &Context,
        sought: Sought<'_, Self, RowIdentity>,
    ) -> Result<Row, Failure> {
        existing(context, sought.by.table, sought.by.number, Vec::new()).await
    }
}

impl Row {
    /// A row that nobody has described, with the values of `columns`; `None` when there is none of that number.
    pub(crate) fn existing(
        database: &Connection,
        table: &str,
        number: i64,
        columns: &[String],
    ) -> Result<Option<Self>, DatabaseError> {
        let Some(found) = stored(database, table, number)? else { return Ok(None) };
        let value = |column: &String| match found.get(column) {
            Some(cell) => Ok((column.clone(), cells::value(cell, None))),
            None => Err(DatabaseError::Refused(format!("the table {table} has no column {column}"))),
        };
        let values = columns.iter().map(value).collect::<Result<Vec<_>, _>>()?;
        Ok(Some(Self {
            id: format!("{table}/{number}").into(),
            table: table.into(),
            number: number.into(),
            values: Value::object(values),
            sensitive_values: Tf::Null,
            secrets: Tf::Null,
            secrets_version: Tf::Null,
        }))
    }

    fn place(&self) -> Result<(String, i64), Failure> {
        Ok((self.table.need("table")?.clone(), *self.number.need("number")?))
    }

    /// What to write, by column.
    fn cells(&self) -> Result<BTreeMap<String, Cell>, DatabaseError> {
        let mut cells = BTreeMap::new();
        for (column, value) in self.values.as_entries().into_iter().flatten() {
            cells.insert(column.to_string(), cells::cell(column, value)?);
        }
        for hidden in [&self.sensitive_values, &self.secrets].into_iter().filter_map(Tf::known) {
            cells.extend(hidden.expose().iter().map(|(column, text)| (column.clone(), Cell::Text(text.clone()))));
        }
        Ok(cells)
    }
}

/// What an import is told: the table, the row's number, and the columns to read.
fn parsed(id: &str) -> Option<(String, i64, Vec<String>)> {
    let (table, row) = id.split_once('/')?;
    let (number, columns) = row.split_once(':').unwrap_or((row, ""));
    let columns = columns.split(',').filter(|column| !column.is_empty());
    Some((table.to_owned(), number.parse().ok()?, columns.map(str::to_owned).collect()))
}

async fn existing(context: &Context, table: String, number: i64, columns: Vec<String>) -> Result<Row, Failure> {
    let found = connected(context, move |database| {
        let gone = || DatabaseError::Refused(format!("there is no row {number} in the table {table}"));
        Row::existing(database, &table, number, &columns)?.ok_or_else(gone)
    });
    found.await
}

/// Everything that a row holds, by column; `None` when it is not there.
fn stored(database: &Connection, table: &str, number: i64) -> Result<Option<BTreeMap<String, Cell>>, DatabaseError> {
    if !has_table(database, table)? {
        return Ok(None);
    }
    let mut query = database.prepare(&format!("SELECT * FROM {} WHERE id = ?1", quoted(table)))?;
    let columns: Vec<String> = query.column_names().map(str::to_owned).collect();
    let cells = query
        .query_row([number], |row| (0..columns.len()).map(|index| row.get(index)).collect::<Result<Vec<Cell>, _>>());
    Ok(cells.optional()?.map(|cells| columns.into_iter().zip(cells).collect()))
}
