//! A query as a data source.

use denobridge_framework::prelude::*;
use rusqlite::{Connection, params_from_iter};

use crate::cells;
use crate::database::{DatabaseError, connected};

/// What a query that only reads finds.
#[derive(Model)]
pub(crate) struct Query {
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

#[data_source]
impl DataSource for Queries {
    type Model = Query;

    async fn read(&self, context: &Context, asked: Asked<'_, Query>) -> Result<Query, Failure> {
        let query = asked.config;
        let (sql, parameters) = (query.sql.clone(), query.parameters.clone().unwrap_or_default());
        let rows = connected(context, move |database| rows(database, &sql, parameters)).await;
        Ok(Query { rows: rows.map_err(|failure| failure.at(Path::root().attribute("sql")))?, ..query })
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
            object.push((column.clone(), cells::value(&row.get(index)?, None)));
        }
        found.push(Value::object(object));
    }
    Ok(Value::tuple(found))
}
