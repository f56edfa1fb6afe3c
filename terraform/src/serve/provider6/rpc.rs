//! The procedures of `tfplugin6.Provider`, each in three steps: find the component, ask the provider, convert the answer.

use denobridge_core::provider::{GetMetadataRequest, StopProviderRequest, WriteStateBytesRequest};
use denobridge_core::{Diagnostic, Diagnostics};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};
use tonic::{Request, Response, Status, Streaming, async_trait};

use super::streams::{guarded, up_to_completion};
use super::{ProviderService, without_objections};
use crate::proto::tfplugin6 as pb;
use crate::wire6::{self, ComponentKind};

/// Asks the provider: `ask!(self.read_resource(request))`.
macro_rules! ask {
    ($self:ident.$method:ident($request:expr)) => {{
        let request = $request;
        $self.ask(move |provider, call| async move { provider.$method(&call, request).await })
    }};
}

/// The answer of a procedure whose steps may end early with diagnostics: `answer!(module, { steps })`.
macro_rules! answer {
    ($message:ident, $steps:block) => {{
        let answered: Result<pb::$message::Response, Diagnostics> = async { Ok($steps) }.await;
        // Some responses have nothing but diagnostics.
        #[allow(clippy::needless_update)]
        Ok(Response::new(answered.unwrap_or_else(|messages| pb::$message::Response {
            diagnostics: wire6::diagnostics(messages),
            ..Default::default()
        })))
    }};
}

/// The answer of a procedure that says nothing but diagnostics about one component.
macro_rules! diagnose {
    ($self:ident, $message:ident, $kind:ident($name:ident), $request:ident) => {
        answer!($message, {
            let request = $request.into_inner();
            $self.component(ComponentKind::$kind, &request.$name).await?;
            let response = ask!($self.$message(request.into())).await?;
            pb::$message::Response { diagnostics: wire6::diagnostics(response.diagnostics) }
        })
    };
}

/// The answer of a procedure that checks configuration. Without it the provider has no objections.
macro_rules! validate {
    ($self:ident, $message:ident, $kind:ident($name:ident), $request:ident) => {
        answer!($message, {
            let request = $request.into_inner();
            $self.component(ComponentKind::$kind, &request.$name).await?;
            let response = without_objections(ask!($self.$message(request.into())).await)?;
            pb::$message::Response { diagnostics: wire6::diagnostics(response.diagnostics) }
        })
    };
}

/// The answer of a procedure that converts by a function of the same name and the component.
macro_rules! convert {
    ($self:ident, $message:ident, $kind:ident($name:ident), $request:ident) => {
        answer!($message, {
            let request = $request.into_inner();
            let component = $self.component(ComponentKind::$kind, &request.$name).await?;
            wire6::$message(ask!($self.$message(request.into())).await?, &component)
        })
    };
}

type Events<T> = BoxStream<'static, Result<T, Status>>;

#[async_trait]
impl pb::provider_server::Provider for ProviderService {
    async fn get_metadata(
        &self,
        _: Request<pb::get_metadata::Request>,
    ) -> Result<Response<pb::get_metadata::Response>, Status> {
        answer!(get_metadata, {
            match ask!(self.get_metadata(GetMetadataRequest::default())).await {
                Ok(response) => wire6::get_metadata(response),
                Err(failure) if failure.is_unimplemented() => {
                    wire6::get_metadata(wire6::metadata_of(&*self.schema().await?))
                }
                Err(failure) => Err(failure)?,
            }
        })
    }

    async fn get_provider_schema(
        &self,
        _: Request<pb::get_provider_schema::Request>,
    ) -> Result<Response<pb::get_provider_schema::Response>, Status> {
        Ok(Response::new(self.protocol_6_schema().await))
    }

    async fn get_resource_identity_schemas(
        &self,
        _: Request<pb::get_resource_identity_schemas::Request>,
    ) -> Result<Response<pb::get_resource_identity_schemas::Response>, Status> {
        answer!(get_resource_identity_schemas, {
            pb::get_resource_identity_schemas::Response {
                identity_schemas: wire6::identity_schemas(&self.schema().await?.schema.identities),
                diagnostics: Vec::new(),
            }
        })
    }

    async fn validate_provider_config(
        &self,
        request: Request<pb::validate_provider_config::Request>,
    ) -> Result<Response<pb::validate_provider_config::Response>, Status> {
        answer!(validate_provider_config, {
            let response = without_objections(ask!(self.validate_provider_config(request.into_inner().into())).await)?;
            pb::validate_provider_config::Response { diagnostics: wire6::diagnostics(response.diagnostics) }
        })
    }

    async fn configure_provider(
        &self,
        request: Request<pb::configure_provider::Request>,
    ) -> Result<Response<pb::configure_provider::Response>, Status> {
        answer!(configure_provider, {
            self.begin_configuration()?;
            let response = ask!(self.configure_provider(request.into_inner().into())).await?;
            pb::configure_provider::Response { diagnostics: wire6::diagnostics(response.diagnostics) }
        })
    }

    async fn stop_provider(
        &self,
        _: Request<pb::stop_provider::Request>,
    ) -> Result<Response<pb::stop_provider::Response>, Status> {
        self.cancel_running();
        let error = match ask!(self.stop_provider(StopProviderRequest::default())).await {
            Ok(response) => response.error,
            // Cancelling the calls is then all that stopping means.
            Err(failure) if failure.is_unimplemented() => String::new(),
            Err(failure) => {
                Diagnostics::from(failure).iter().map(|message| message.detail.clone()).collect::<Vec<_>>().join("\n")
            }
        };
        Ok(Response::new(pb::stop_provider::Response { error }))
    }

    async fn validate_resource_config(
        &self,
        request: Request<pb::validate_resource_config::Request>,
    ) -> Result<Response<pb::validate_resource_config::Response>, Status> {
        validate!(self, validate_resource_config, Resource(type_name), request)
    }

    async fn upgrade_resource_state(
        &self,
        request: Request<pb::upgrade_resource_state::Request>,
    ) -> Result<Response<pb::upgrade_resource_state::Response>, Status> {
        convert!(self, upgrade_resource_state, Resource(type_name), request)
    }

    async fn upgrade_resource_identity(
        &self,
        request: Request<pb::upgrade_resource_identity::Request>,
    ) -> Result<Response<pb::upgrade_resource_identity::Response>, Status> {
        convert!(self, upgrade_resource_identity, Resource(type_name), request)
    }

    async fn read_resource(
        &self,
        request: Request<pb::read_resource::Request>,
    ) -> Result<Response<pb::read_resource::Response>, Status> {
        convert!(self, read_resource, Resource(type_name), request)
    }

    async fn plan_resource_change(
        &self,
        request: Request<pb::plan_resource_change::Request>,
    ) -> Result<Response<pb::plan_resource_change::Response>, Status> {
        convert!(self, plan_resource_change, Resource(type_name), request)
    }

    async fn apply_resource_change(
        &self,
        request: Request<pb::apply_resource_change::Request>,
    ) -> Result<Response<pb::apply_resource_change::Response>, Status> {
        convert!(self, apply_resource_change, Resource(type_name), request)
    }

    async fn import_resource_state(
        &self,
        request: Request<pb::import_resource_state::Request>,
    ) -> Result<Response<pb::import_resource_state::Response>, Status> {
        answer!(import_resource_state, {
            let request = request.into_inner();
            self.component(ComponentKind::Resource, &request.type_name).await?;
            let response = ask!(self.import_resource_state(request.into())).await?;
            let offered = self.schema().await?;
            wire6::import_resource_state(response, |type_name| {
                self.components.find(&offered.schema, ComponentKind::Resource, type_name)
            })
        })
    }

    async fn generate_resource_config(
        &self,
        request: Request<pb::generate_resource_config::Request>,
    ) -> Result<Response<pb::generate_resource_config::Response>, Status> {
        convert!(self, generate_resource_config, Resource(type_name), request)
    }

    async fn move_resource_state(
        &self,
        request: Request<pb::move_resource_state::Request>,
    ) -> Result<Response<pb::move_resource_state::Response>, Status> {
        convert!(self, move_resource_state, Resource(target_type_name), request)
    }

    async fn validate_data_resource_config(
        &self,
        request: Request<pb::validate_data_resource_config::Request>,
    ) -> Result<Response<pb::validate_data_resource_config::Response>, Status> {
        validate!(self, validate_data_resource_config, DataSource(type_name), request)
    }

    async fn read_data_source(
        &self,
        request: Request<pb::read_data_source::Request>,
    ) -> Result<Response<pb::read_data_source::Response>, Status> {
        convert!(self, read_data_source, DataSource(type_name), request)
    }

    async fn validate_ephemeral_resource_config(
        &self,
        request: Request<pb::validate_ephemeral_resource_config::Request>,
    ) -> Result<Response<pb::validate_ephemeral_resource_config::Response>, Status> {
        validate!(self, validate_ephemeral_resource_config, EphemeralResource(type_name), request)
    }

    async fn open_ephemeral_resource(
        &self,
        request: Request<pb::open_ephemeral_resource::Request>,
    ) -> Result<Response<pb::open_ephemeral_resource::Response>, Status> {
        convert!(self, open_ephemeral_resource, EphemeralResource(type_name), request)
    }

    async fn renew_ephemeral_resource(
        &self,
        request: Request<pb::renew_ephemeral_resource::Request>,
    ) -> Result<Response<pb::renew_ephemeral_resource::Response>, Status> {
        convert!(self, renew_ephemeral_resource, EphemeralResource(type_name), request)
    }

    async fn close_ephemeral_resource(
        &self,
        request: Request<pb::close_ephemeral_resource::Request>,
    ) -> Result<Response<pb::close_ephemeral_resource::Response>, Status> {
        diagnose!(self, close_ephemeral_resource, EphemeralResource(type_name), request)
    }

    async fn get_functions(
        &self,
        _: Request<pb::get_functions::Request>,
    ) -> Result<Response<pb::get_functions::Response>, Status> {
        answer!(get_functions, {
            pb::get_functions::Response {
                functions: wire6::functions(&self.schema().await?.schema.functions),
                diagnostics: Vec::new(),
            }
        })
    }

    async fn call_function(
        &self,
        request: Request<pb::call_function::Request>,
    ) -> Result<Response<pb::call_function::Response>, Status> {
        let request = request.into_inner();
        let called: Result<pb::call_function::Response, Diagnostics> = async {
            let offered = self.schema().await?;
            let Some(signature) = offered.schema.functions.get(request.name.as_str()) else {
                let detail = format!("This provider has no function {:?}.", request.name);
                return Err(Diagnostic::error("Function not found", detail).into());
            };
            Ok(wire6::call_function(ask!(self.call_function(request.into())).await?, &signature.returns))
        }
        .await;
        Ok(Response::new(called.unwrap_or_else(Into::into)))
    }

    async fn validate_list_resource_config(
        &self,
        request: Request<pb::validate_list_resource_config::Request>,
    ) -> Result<Response<pb::validate_list_resource_config::Response>, Status> {
        validate!(self, validate_list_resource_config, ListResource(type_name), request)
    }

    type ListResourceStream = Events<pb::list_resource::Event>;

    async fn list_resource(
        &self,
        request: Request<pb::list_resource::Request>,
    ) -> Result<Response<Self::ListResourceStream>, Status> {
        let request = request.into_inner();
        let failed =
            |messages| pb::list_resource::Event { diagnostic: wire6::diagnostics(messages), ..Default::default() };
        let begun: Result<_, Diagnostics> = async {
            self.component(ComponentKind::ListResource, &request.type_name).await?;
            // What is listed are managed resources of the same name.
            let resource = self.component(ComponentKind::Resource, &request.type_name).await?;
            let request = request.into();
            let asked = self
                .ask_for_stream(|provider, call| async move { provider.list_resource(&call, request).await })
                .await?;
            Ok((resource, asked))
        }
        .await;
        let events = match begun {
            Err(messages) => stream::iter([failed(messages)]).boxed(),
            Ok((resource, (response, guard))) => guarded(response.events, guard)
                .map(move |event| match event {
                    Ok(event) => wire6::list_resource_event(event, &resource),
                    Err(messages) => failed(messages),
                })
                .boxed(),
        };
        Ok(Response::new(events.map(Ok).boxed()))
    }

    async fn validate_action_config(
        &self,
        request: Request<pb::validate_action_config::Request>,
    ) -> Result<Response<pb::validate_action_config::Response>, Status> {
        validate!(self, validate_action_config, Action(action_type), request)
    }

    async fn plan_action(
        &self,
        request: Request<pb::plan_action::Request>,
    ) -> Result<Response<pb::plan_action::Response>, Status> {
        answer!(plan_action, {
            let request = request.into_inner();
            self.component(ComponentKind::Action, &request.action_type).await?;
            ask!(self.plan_action(request.into())).await?.into()
        })
    }

    type InvokeActionStream = Events<pb::invoke_action::Event>;

    async fn invoke_action(
        &self,
        request: Request<pb::invoke_action::Request>,
    ) -> Result<Response<Self::InvokeActionStream>, Status> {
        let request = request.into_inner();
        let begun: Result<_, Diagnostics> = async {
            self.component(ComponentKind::Action, &request.action_type).await?;
            let request = request.into();
            Ok(self
                .ask_for_stream(|provider, call| async move { provider.invoke_action(&call, request).await })
                .await?)
        }
        .await;
        let events = match begun {
            Err(messages) => stream::iter([wire6::completed(messages)]).boxed(),
            Ok((response, guard)) => up_to_completion(guarded(response.events, guard)),
        };
        Ok(Response::new(events.map(Ok).boxed()))
    }

    async fn validate_state_store_config(
        &self,
        request: Request<pb::validate_state_store_config::Request>,
    ) -> Result<Response<pb::validate_state_store_config::Response>, Status> {
        validate!(self, validate_state_store_config, StateStore(type_name), request)
    }

    async fn configure_state_store(
        &self,
        request: Request<pb::configure_state_store::Request>,
    ) -> Result<Response<pb::configure_state_store::Response>, Status> {
        answer!(configure_state_store, {
            let request = request.into_inner();
            self.component(ComponentKind::StateStore, &request.type_name).await?;
            ask!(self.configure_state_store(request.into())).await?.into()
        })
    }

    type ReadStateBytesStream = Events<pb::read_state_bytes::ResponseChunk>;

    async fn read_state_bytes(
        &self,
        request: Request<pb::read_state_bytes::Request>,
    ) -> Result<Response<Self::ReadStateBytesStream>, Status> {
        let request = request.into_inner();
        let begun: Result<_, Diagnostics> = async {
            self.component(ComponentKind::StateStore, &request.type_name).await?;
            let request = request.into();
            Ok(self
                .ask_for_stream(|provider, call| async move { provider.read_state_bytes(&call, request).await })
                .await?)
        }
        .await;
        let chunks = match begun {
            Err(messages) => stream::iter([Err(messages)]).boxed(),
            Ok((response, guard)) => {
                guarded(response.chunks, guard).map(|chunk| chunk.and_then(std::convert::identity)).boxed()
            }
        };
        Ok(Response::new(chunks.map(|chunk| Ok(wire6::read_state_chunk(chunk))).boxed()))
    }

    async fn write_state_bytes(
        &self,
        request: Request<Streaming<pb::write_state_bytes::RequestChunk>>,
    ) -> Result<Response<pb::write_state_bytes::Response>, Status> {
        let mut chunks = request.into_inner();
        let first = chunks.message().await?.ok_or_else(|| Status::invalid_argument("the stream has no chunk"))?;
        answer!(write_state_bytes, {
            let meta = first.meta.clone().unwrap_or_default();
            self.component(ComponentKind::StateStore, &meta.type_name).await?;
            let request = WriteStateBytesRequest {
                type_name: meta.type_name.into(),
                state_id: meta.state_id,
                chunks: wire6::written_chunks(first, chunks),
            };
            let response = ask!(self.write_state_bytes(request)).await?;
            pb::write_state_bytes::Response { diagnostics: wire6::diagnostics(response.diagnostics) }
        })
    }

    async fn lock_state(
        &self,
        request: Request<pb::lock_state::Request>,
    ) -> Result<Response<pb::lock_state::Response>, Status> {
        answer!(lock_state, {
            let request = request.into_inner();
            self.component(ComponentKind::StateStore, &request.type_name).await?;
            ask!(self.lock_state(request.into())).await?.into()
        })
    }

    async fn unlock_state(
        &self,
        request: Request<pb::unlock_state::Request>,
    ) -> Result<Response<pb::unlock_state::Response>, Status> {
        diagnose!(self, unlock_state, StateStore(type_name), request)
    }

    async fn get_states(
        &self,
        request: Request<pb::get_states::Request>,
    ) -> Result<Response<pb::get_states::Response>, Status> {
        answer!(get_states, {
            let request = request.into_inner();
            self.component(ComponentKind::StateStore, &request.type_name).await?;
            ask!(self.get_states(request.into())).await?.into()
        })
    }

    async fn delete_state(
        &self,
        request: Request<pb::delete_state::Request>,
    ) -> Result<Response<pb::delete_state::Response>, Status> {
        diagnose!(self, delete_state, StateStore(type_name), request)
    }
}
