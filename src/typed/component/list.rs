//! The list of a resource of a package.

use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::schema::Schema;
use denobridge_framework::Context;
use denobridge_framework::erased::{ErasedListResource, Found, ListQuery, Listed};

use super::resource::{self, TypedResource};
use super::{Component, messages};
use crate::scripted::ScriptList;

/// The list of a resource of a package.
pub(in crate::typed) struct TypedList {
    /// What is searched for.
    pub component: Component,
    pub schema: Schema,
    /// The resource whose objects are found.
    pub resource: Arc<TypedResource>,
}

#[async_trait]
impl ErasedListResource for TypedList {
    fn schema(&self) -> Schema {
        self.schema.clone()
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        self.component.check_props(config)
    }

    async fn list(&self, context: &Context, query: ListQuery, found: &Found) -> Diagnostics {
        let component = &self.component;
        let (asked, _) = match component.asked(context, &ScriptList.schema(), &self.schema, &query.config) {
            Ok(asked) => asked,
            Err(wrong) => return wrong,
        };
        let context = component.script.context(context);
        let (generic, mut objects) = Found::channel();
        let search = async move { ScriptList.list(&context, ListQuery { config: asked, ..query }, &generic).await };
        let hand_over = async move {
            while let Some(listed) = objects.recv().await {
                if !found.push(self.translated(listed)).await {
                    // Dropping our end tells the search that no more is wanted.
                    break;
                }
            }
        };
        let (diagnostics, ()) = tokio::join!(search, hand_over);
        component.layout.diagnostics(diagnostics)
    }
}

impl TypedList {
    fn translated(&self, listed: Listed) -> Listed {
        let mut diagnostics = self.resource.component.layout.diagnostics(listed.diagnostics);
        let object = listed.object.map(|object| {
            let (object, misfits) = self.resource.object_of(&object);
            diagnostics.extend(messages::misfits(&misfits, &self.component.script.file, "list", ""));
            object
        });
        Listed { identity: resource::identity_of(&listed.identity), object, diagnostics, ..listed }
    }
}
