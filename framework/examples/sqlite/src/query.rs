//! A query as a data source.

use async_trait::async_trait;
use denobridge_core::schema::Schema;
use denobridge_framework::erased::{DataRead, ErasedDataSource};
use denobridge_framework::prelude::*;
use rusqlite::{Connection, params_from_iter};

use crate::cells;
use crate::database::{DatabaseError, connected};

/// What a query that only reads finds.
#[derive(Model)]
struct Query {
    /// A statement that changes nothing.
    #[tf(required)]
    sql: String,
    /// What stands for each `?` in it.
    parameters: Option<Vec<String>>,
    /// The rows: objects with the values by column.
    #[tf(computed)]
    rows: Value,
}

/// The data source `sqlite_query`.
pub(crate) struct Queries;

#[async_trait]
impl ErasedDataSource for Queries {
    fn schema(&self) -> Schema {
        Query::schema(0)
    }

    async fn read(&self, context: &Context, config: Value) -> DataRead {
        let Query { sql, parameters, .. } = match Query::from_value(&config) {
            Ok(query) => query,
            Err(error) => return DataRead::failed(error.to_diagnostic()),
        };
        let found = connected(context, move |database| rows(database, &sql, parameters.unwrap_or_default())).await;
        match found {
            Ok(rows) => DataRead::of(config.with_attribute("rows", rows)),
            Err(error) => {
                let diagnostic = Diagnostic::error("The query failed", format!("SQLite: {error}."));
                DataRead::failed(diagnostic.at(Path::root().attribute("sql")))
            }
        }
    }
}

fn rows(database: &Connection, sql: &str, parameters: Vec<String>) -> Result<Value, DatabaseError> {
    let mut query = database.prepare(sql)?;
    if !query.readonly() {
        return Err(DatabaseError::Refused(
            "the statement would change the database, and queries only read".to_owned(),
        ));
    }
    let columns: Vec<String> = query.column_names().map(str::to_owned).collect();
    let mut rows = query.query(params_from_iter(parameters))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let mut object = Vec::new();
        for (index, column) in columns.iter().enumerate() {
            object.push((column.clone(), cells::value(row.get_ref(index)?, None)?));
        }
        found.push(Value::object(object));
    }
    Ok(Value::tuple(found))
}
