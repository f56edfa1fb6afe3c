//! Protocol 5's messages where they differ from protocol 6's. Most are one type with theirs, so that the conversions of
//! `wire6` serve both; what is here makes the narrower form of an answer that protocol 6 already has.

mod schema;

pub(crate) use schema::provider_schema;

use crate::proto::{tfplugin5 as pb, tfplugin6 as pb6};

/// Names of all components. State stores are left out: protocol 5 has none.
pub(crate) fn get_metadata(response: pb6::get_metadata::Response) -> pb::get_metadata::Response {
    pb::get_metadata::Response {
        server_capabilities: response.server_capabilities,
        diagnostics: response.diagnostics,
        data_sources: response.data_sources,
        resources: response.resources,
        functions: response.functions,
        ephemeral_resources: response.ephemeral_resources,
        list_resources: response.list_resources,
        actions: response.actions,
    }
}
