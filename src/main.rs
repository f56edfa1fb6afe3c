//! Picks the role.
fn main() {}
