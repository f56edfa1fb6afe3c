//! Foreign providers: what the Go dynamic bridge made of real ones is compared with what we make.

// Helpers of tests panic on recordings that cannot be read; the lint lets only the tests themselves do so.
#![allow(clippy::expect_used, clippy::panic)]

mod difference;
mod goldens;
mod pairs;
mod recorded;
mod repairs;
mod wire;
