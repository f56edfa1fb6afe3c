//! Tests of the hooks.
