//! What the hosts of the benches measure with.

pub mod account;
pub mod load;
