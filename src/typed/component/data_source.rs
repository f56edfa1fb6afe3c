//! A data source of a package.

use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::schema::Schema;
use denobridge_framework::Context;
use denobridge_framework::erased::{DataRead, ErasedDataSource};

use super::Component;
use crate::scripted::ScriptDataSource;

/// A data source of a package.
pub(in crate::typed) struct TypedDataSource {
    pub component: Component,
    pub schema: Schema,
}

#[async_trait]
impl ErasedDataSource for TypedDataSource {
    fn schema(&self) -> Schema {
        self.schema.clone()
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        self.component.check_props(config)
    }

    async fn read(&self, context: &Context, config: Value) -> DataRead {
        let component = &self.component;
        let (asked, config) = match component.asked(context, &ScriptDataSource.schema(), &self.schema, &config) {
            Ok(asked) => asked,
            Err(wrong) => return DataRead::failed(wrong),
        };
        let DataRead { state, deferred, diagnostics } =
            ScriptDataSource.read(&component.script.context(context), asked).await;
        let mut diagnostics = component.layout.diagnostics(diagnostics);
        let state = state.and_then(|result| {
            let (state, problem) = component.with_result(config, &result, "read");
            let fits = problem.is_none();
            diagnostics.extend(problem);
            fits.then_some(state)
        });
        DataRead { state, deferred, diagnostics }
    }
}
