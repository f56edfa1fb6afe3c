//! An action of a package.

use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::schema::Schema;
use denobridge_framework::Context;
use denobridge_framework::erased::{ErasedAction, Progress};

use super::Component;
use crate::scripted::ScriptAction;

/// An action of a package.
pub(in crate::typed) struct TypedAction {
    pub component: Component,
    pub schema: Schema,
}

#[async_trait]
impl ErasedAction for TypedAction {
    fn schema(&self) -> Schema {
        self.schema.clone()
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        self.component.check_props(config)
    }

    async fn invoke(&self, context: &Context, config: Value, progress: &Progress) -> Diagnostics {
        let component = &self.component;
        let (asked, _) = match component.asked(context, &ScriptAction.schema(), &self.schema, &config) {
            Ok(asked) => asked,
            Err(wrong) => return wrong,
        };
        let context = component.script.context(context);
        component.layout.diagnostics(ScriptAction.invoke(&context, asked, progress).await)
    }
}
