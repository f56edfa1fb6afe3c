//! A provider of every kind of component as a plugin: every procedure over the real socket, with mutual TLS, as it should go
//! and with faults.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(unix)]

mod faults;
mod procedures;
mod secrets;
mod support;
mod tap;
