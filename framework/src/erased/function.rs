//! A function.

use std::future::Future;

use async_trait::async_trait;
use denobridge_core::cty::Value;
use denobridge_core::provider::FunctionError;
use denobridge_core::schema::FunctionSignature;

use crate::context::Context;

/// A function: the same arguments always give the same result, and nothing changes anywhere. It works before the provider
/// is configured, so it must not need [`Context::provider_data`].
#[async_trait]
pub trait ErasedFunction: Send + Sync {
    /// Parameters and result. Asked for once.
    fn signature(&self) -> FunctionSignature;

    /// Computes the result. `arguments` are in order and of the parameters' types, variadic ones at the end.
    async fn call(&self, context: &Context, arguments: Vec<Value>) -> Result<Value, FunctionError>;
}

/// An error about one argument, counted from 0; variadic ones count on.
#[must_use]
pub fn argument_error(argument: usize, text: impl Into<String>) -> FunctionError {
    FunctionError { text: text.into(), argument: i64::try_from(argument).ok() }
}

/// A function made of a closure.
pub fn function<F>(signature: FunctionSignature, body: F) -> Box<dyn ErasedFunction>
where
    F: Fn(Vec<Value>) -> Result<Value, FunctionError> + Send + Sync + 'static,
{
    async_function(signature, move |arguments| std::future::ready(body(arguments)))
}

/// A function made of a closure that has to wait for something.
pub fn async_function<F, R>(signature: FunctionSignature, body: F) -> Box<dyn ErasedFunction>
where
    F: Fn(Vec<Value>) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Value, FunctionError>> + Send + 'static,
{
    Box::new(Closure { signature, body })
}

struct Closure<F> {
    signature: FunctionSignature,
    body: F,
}

#[async_trait]
impl<F, R> ErasedFunction for Closure<F>
where
    F: Fn(Vec<Value>) -> R + Send + Sync,
    R: Future<Output = Result<Value, FunctionError>> + Send,
{
    fn signature(&self) -> FunctionSignature {
        self.signature.clone()
    }

    async fn call(&self, _: &Context, arguments: Vec<Value>) -> Result<Value, FunctionError> {
        (self.body)(arguments).await
    }
}
