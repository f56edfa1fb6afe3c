//! Asks the service what the engine asked, without an engine.

use std::sync::Arc;

use prost::Message;
use serde_json::Value as Json;
use tonic::{Request, Response, Status};

use super::messages;
use crate::instances::Instance;
use crate::package::PackageSource;
use crate::proto::pulumirpc::resource_provider_server::ResourceProvider as _;
use crate::server::Options;
use crate::service::{Service, Shared};

/// A provider instance that is asked from a recording.
pub struct Player(Instance);

impl Player {
    /// An instance that serves packages from there. Its log goes nowhere.
    #[must_use]
    pub fn new(options: Options, source: Arc<dyn PackageSource>) -> Self {
        // Without an engine there is nobody who would have to be told.
        let options = Options { engine_address: Some(String::new()), ..options };
        Self(Instance(Arc::new(Shared::new(options, source))))
    }

    /// The answer to a recorded request, as it would be recorded, or the error that there is instead. `None`: the procedure
    /// is about the connection to the engine and has no answer of its own.
    ///
    /// # Errors
    /// The request is none of that procedure.
    pub async fn play(&self, procedure: &str, request: &Json) -> Result<Option<Result<Json, Json>>, String> {
        let bytes = messages::request_from_json(procedure, request)?;
        macro_rules! ask {
            ($method:ident) => {
                answer(procedure, Service.$method(self.request(&bytes)?).await)?
            };
        }
        Ok(Some(match procedure {
            "Parameterize" => ask!(parameterize),
            "GetSchema" => ask!(get_schema),
            "CheckConfig" => ask!(check_config),
            "DiffConfig" => ask!(diff_config),
            "Configure" => ask!(configure),
            "Check" => ask!(check),
            "Diff" => ask!(diff),
            "Create" => ask!(create),
            "Read" => ask!(read),
            "Update" => ask!(update),
            "Delete" => ask!(delete),
            "Invoke" => ask!(invoke),
            "Call" => ask!(call),
            "GetMapping" => ask!(get_mapping),
            "GetMappings" => ask!(get_mappings),
            _ => return Ok(None),
        }))
    }

    fn request<Q: Message + Default>(&self, bytes: &[u8]) -> Result<Request<Q>, String> {
        let mut request = Request::new(Q::decode(bytes).map_err(|error| error.to_string())?);
        request.extensions_mut().insert(self.0.clone());
        Ok(request)
    }
}

fn answer(procedure: &str, answer: Result<Response<impl Message>, Status>) -> Result<Result<Json, Json>, String> {
    Ok(match answer {
        Ok(response) => Ok(messages::response_to_json(procedure, &response.into_inner().encode_to_vec())?),
        Err(status) => Err(messages::status_to_json(&status)),
    })
}
