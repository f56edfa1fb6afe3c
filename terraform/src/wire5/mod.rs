//! Protocol 5's messages where they differ from protocol 6's. Most are one type with theirs, so that the conversions of
//! `wire6` serve both; what is here narrows an answer that we give, and widens one that we get.

mod schema;
mod widen;

pub(crate) use schema::provider_schema;
pub(crate) use widen::provider_schema as widened_schema;

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

/// The same of a provider of protocol 5, in protocol 6's form.
pub(crate) fn widened_metadata(response: pb::get_metadata::Response) -> pb6::get_metadata::Response {
    pb6::get_metadata::Response {
        server_capabilities: response.server_capabilities,
        diagnostics: response.diagnostics,
        data_sources: response.data_sources,
        resources: response.resources,
        functions: response.functions,
        ephemeral_resources: response.ephemeral_resources,
        list_resources: response.list_resources,
        actions: response.actions,
        state_stores: Vec::new(),
    }
}
