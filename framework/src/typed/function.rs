//! A function, with types.
//!
//! ```
//! use denobridge_framework::prelude::*;
//!
//! /// Joins words with a separator.
//! #[function]
//! fn join(separator: String, words: &[String]) -> String {
//!     words.join(&separator)
//! }
//!
//! let provider = ProviderBuilder::new("text").add_function::<join>().build().unwrap();
//! # let _ = provider;
//! assert_eq!(join("-".to_owned(), &["a".to_owned(), "b".to_owned()]), "a-b");
//! ```

use std::error::Error;
use std::future::Future;
use std::marker::PhantomData;

use async_trait::async_trait;
use denobridge_core::cty::Value;
use denobridge_core::provider::FunctionError;
use denobridge_core::schema::FunctionSignature;

use super::failure::chain;
use crate::context::Context;
use crate::erased::{self, ErasedFunction};

/// A function: the same arguments always give the same result, and nothing changes anywhere. It works before the provider
/// is configured, so it must not need [`Context::data`].
///
/// Made by `#[function]` on a Rust function, whose signature says everything: see the attribute's documentation.
pub trait Function: Send + Sync + 'static {
    /// The name, as in `provider::example::name(…)`.
    const NAME: &'static str;

    /// Parameters and result.
    fn signature() -> FunctionSignature;

    /// Computes the result. `arguments` are in order and of the parameters' types, variadic ones at the end.
    fn call(context: &Context, arguments: Vec<Value>) -> impl Future<Output = Result<Value, FunctionFailure>> + Send;
}

/// Why a function has no result. Made from any error by `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionFailure(FunctionError);

impl FunctionFailure {
    /// A failure that is no argument's fault. A sentence, without secrets.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(FunctionError { text: text.into(), argument: None })
    }

    /// A failure that an argument caused, counted from 0; variadic ones count on. Terraform points at it.
    #[must_use]
    pub fn argument(index: usize, text: impl Into<String>) -> Self {
        Self(erased::argument_error(index, text))
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for FunctionFailure {
    fn from(error: E) -> Self {
        Self::new(chain(&error))
    }
}

impl From<FunctionFailure> for FunctionError {
    fn from(failure: FunctionFailure) -> Self {
        failure.0
    }
}

/// A typed function as the server sees it.
pub(super) struct Bridge<F>(PhantomData<fn() -> F>);

impl<F> Default for Bridge<F> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

#[async_trait]
impl<F: Function> ErasedFunction for Bridge<F> {
    fn signature(&self) -> FunctionSignature {
        F::signature()
    }

    async fn call(&self, context: &Context, arguments: Vec<Value>) -> Result<Value, FunctionError> {
        Ok(F::call(context, arguments).await?)
    }
}
