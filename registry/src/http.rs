//! Asking hosts: tokens only for the hosts that they are for, repetitions, limits, and errors that name who was asked.

mod client;
mod error;
mod proxy;
mod retry;

pub(crate) use client::{Access, Document, Http};
pub use error::FetchError;
pub(crate) use error::shown;
