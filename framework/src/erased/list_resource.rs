//! A list resource.

use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::schema::Schema;
use tokio::sync::mpsc;

use crate::context::Context;
use crate::schema::SchemaProblem;

/// A list resource: finds existing objects of the managed resource of the same name, which must have an identity.
#[async_trait]
pub trait ErasedListResource: Send + Sync {
    /// The schema of what restricts the search. Asked for once.
    fn schema(&self) -> Schema;

    /// What is wrong with the component beyond what its schema shows; see [`super::ErasedResource::schema_problems`].
    fn schema_problems(&self, component: &str, schema: &Schema) -> Vec<SchemaProblem> {
        let _ = (component, schema);
        Vec::new()
    }

    /// Checks a configuration beyond what the schema says; see [`super::ErasedResource::validate`].
    async fn validate(&self, context: &Context, config: &Value) -> Diagnostics {
        let _ = (context, config);
        Diagnostics::new()
    }

    /// Finds objects and hands over each as it is found. What it returns is about the search as a whole.
    async fn list(&self, context: &Context, query: ListQuery, found: &Found) -> Diagnostics;
}

/// What is searched for.
#[derive(Clone, Debug, PartialEq)]
pub struct ListQuery {
    /// The configuration.
    pub config: Value,
    /// Whether whole objects are wanted.
    pub include_object: bool,
    /// How many at most; the server passes on no more than that anyway.
    pub limit: i64,
}

/// One object that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Its identity, wholly known.
    pub identity: Value,
    /// What people call it.
    pub display_name: String,
    /// The whole object, where it is wanted.
    pub object: Option<Value>,
    /// What there is to say about it.
    pub diagnostics: Diagnostics,
}

/// Takes what was found.
#[derive(Clone, Debug)]
pub struct Found(pub(crate) mpsc::Sender<Listed>);

impl Found {
    /// Takes what a component finds, for another that stands before it. When the receiver is gone, no more is wanted.
    #[must_use]
    pub fn channel() -> (Self, mpsc::Receiver<Listed>) {
        let (sender, receiver) = mpsc::channel(1);
        (Self(sender), receiver)
    }

    /// Hands over one object and waits until it is taken. `false` when no more are wanted, and the search can end.
    pub async fn push(&self, listed: Listed) -> bool {
        self.0.send(listed).await.is_ok()
    }
}
