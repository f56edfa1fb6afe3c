//! Wire types of Terraform's plugin protocol, generated from `proto/`. Public only for this crate's own tests: the doors
//! convert them by hand and no other crate sees them.

/// Package `tfplugin5`: the provider service of the older protocol. What has the same form in both is declared in
/// [`tfplugin6`] only.
#[allow(missing_docs, clippy::all, rust_2018_idioms)]
pub mod tfplugin5 {
    tonic::include_proto!("tfplugin5");
}

/// Package `tfplugin6`: the provider service.
#[allow(missing_docs, clippy::all, rust_2018_idioms)]
pub mod tfplugin6 {
    tonic::include_proto!("tfplugin6");
}

/// Package `plugin`: what go-plugin expects beside the provider service.
#[allow(missing_docs, clippy::all, rust_2018_idioms)]
pub mod plugin {
    tonic::include_proto!("plugin");
}

/// Package `grpc.health.v1`.
#[allow(missing_docs, clippy::all, rust_2018_idioms)]
pub mod health {
    tonic::include_proto!("grpc.health.v1");
}
