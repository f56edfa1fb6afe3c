//! An ephemeral resource of a package.

use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::schema::Schema;
use denobridge_framework::erased::{ErasedEphemeralResource, Opened, Renewed};
use denobridge_framework::{Context, PrivateData};

use super::Component;
use crate::scripted::ScriptEphemeral;

/// An ephemeral resource of a package.
pub(in crate::typed) struct TypedEphemeral {
    pub component: Component,
    pub schema: Schema,
}

#[async_trait]
impl ErasedEphemeralResource for TypedEphemeral {
    fn schema(&self) -> Schema {
        self.schema.clone()
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        self.component.check_props(config)
    }

    async fn open(&self, context: &Context, config: Value, private: &mut PrivateData) -> Opened {
        let component = &self.component;
        let (asked, config) = match component.asked(context, &ScriptEphemeral.schema(), &self.schema, &config) {
            Ok(asked) => asked,
            Err(wrong) => return Opened { diagnostics: wrong, ..Opened::default() },
        };
        let context = component.script.context(context);
        let opened = ScriptEphemeral.open(&context, asked, private).await;
        let mut diagnostics = component.layout.diagnostics(opened.diagnostics);
        let Some(result) = opened.result else { return Opened { diagnostics, result: None, ..opened } };
        let (result, problem) = component.with_result(config, &result, "open");
        let Some(problem) = problem else { return Opened { diagnostics, result: Some(result), ..opened } };
        // It is open, and nobody will close what was never handed out.
        diagnostics.push(problem);
        diagnostics.extend(component.layout.diagnostics(ScriptEphemeral.close(&context, private).await));
        Opened { diagnostics, ..Opened::default() }
    }

    async fn renew(&self, context: &Context, private: &mut PrivateData) -> Renewed {
        let renewed = ScriptEphemeral.renew(&self.component.script.context(context), private).await;
        Renewed { diagnostics: self.component.layout.diagnostics(renewed.diagnostics), ..renewed }
    }

    async fn close(&self, context: &Context, private: &PrivateData) -> Diagnostics {
        let closed = ScriptEphemeral.close(&self.component.script.context(context), private).await;
        self.component.layout.diagnostics(closed)
    }
}
