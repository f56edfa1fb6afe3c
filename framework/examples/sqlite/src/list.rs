//! A search for rows, as a list resource.

use denobridge_framework::prelude::*;
use rusqlite::Connection;

use crate::database::{DatabaseError, connected, quoted};
use crate::row::{Row, RowIdentity, Rows};

/// The rows of a table.
#[derive(Model, Clone)]
pub(crate) struct RowSearch {
    /// The table.
    #[tf(required)]
    table: String,
    /// The columns whose values are wanted. No other is read, since any may hold a secret.
    columns: Option<Vec<String>>,
}

/// The list resource `sqlite_row`.
pub(crate) struct RowList;

#[list_resource]
impl ListResource for RowList {
    type Config = RowSearch;
    type Resource = Rows;

    async fn list(&self, context: &Context, search: Search<'_, RowSearch, Rows>) -> Result<(), Failure> {
        let (config, limit) = (search.config.clone(), search.limit);
        for (number, row) in connected(context, move |database| rows(database, &config, limit)).await? {
            let table = search.config.table.clone();
            let find = Find::new(RowIdentity { table, number }, format!("{}/{number}", search.config.table));
            let find = if search.include_object { find.with_object(row) } else { find };
            if !search.finds.push(find).await {
                break;
            }
        }
        Ok(())
    }
}

fn rows(database: &Connection, search: &RowSearch, limit: i64) -> Result<Vec<(i64, Row)>, DatabaseError> {
    let columns = search.columns.as_deref().unwrap_or_default();
    let mut numbers = database.prepare(&format!("SELECT id FROM {} ORDER BY id LIMIT ?1", quoted(&search.table)))?;
    let mut found = Vec::new();
    for number in numbers.query_map([limit], |row| row.get(0))? {
        let number = number?;
        let row = Row::existing(database, &search.table, number, columns)?;
        found.extend(row.map(|row| (number, row)));
    }
    Ok(found)
}
