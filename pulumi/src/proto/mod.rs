//! Wire types of Pulumi's plugin protocol, generated from `proto/pulumi`. Nothing outside this crate sees them.

mod object;

pub use object::Struct;

/// Package `pulumirpc`: the provider and engine services.
#[allow(missing_docs, clippy::all, clippy::unwrap_used, rust_2018_idioms)]
pub mod pulumirpc {
    tonic::include_proto!("pulumirpc");
}

/// The structured gRPC error.
#[allow(missing_docs, clippy::all, rust_2018_idioms)]
pub mod google {
    /// Package `google.rpc`.
    pub mod rpc {
        tonic::include_proto!("google.rpc");
    }
}
