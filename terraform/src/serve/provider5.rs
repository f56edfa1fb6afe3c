//! The procedures of `tfplugin5.Provider`. Nearly all have protocol 6's messages under another package, and are answered by
//! their namesakes there.

use tonic::{Request, Response, Status, async_trait};

use super::provider6::ProviderService;
use crate::proto::tfplugin5::{self as pb, provider_server::Provider};
use crate::proto::tfplugin6::{self as pb6, provider_server::Provider as Provider6};
use crate::wire5;

#[async_trait]
impl Provider for ProviderService {
    async fn get_metadata(
        &self,
        request: Request<pb6::get_metadata::Request>,
    ) -> Result<Response<pb::get_metadata::Response>, Status> {
        Ok(Provider6::get_metadata(self, request).await?.map(wire5::get_metadata))
    }

    async fn get_schema(
        &self,
        _: Request<pb6::get_provider_schema::Request>,
    ) -> Result<Response<pb::get_provider_schema::Response>, Status> {
        Ok(Response::new(self.protocol_5_schema().await))
    }

    async fn prepare_provider_config(
        &self,
        request: Request<pb6::validate_provider_config::Request>,
    ) -> Result<Response<pb::prepare_provider_config::Response>, Status> {
        // Providers no longer change their configuration before it is used; hosts expect it back all the same.
        let prepared_config = request.get_ref().config.clone();
        let checked = Provider6::validate_provider_config(self, request).await?.into_inner();
        Ok(Response::new(pb::prepare_provider_config::Response { prepared_config, diagnostics: checked.diagnostics }))
    }

    async fn validate_resource_type_config(
        &self,
        request: Request<pb6::validate_resource_config::Request>,
    ) -> Result<Response<pb6::validate_resource_config::Response>, Status> {
        Provider6::validate_resource_config(self, request).await
    }

    async fn validate_data_source_config(
        &self,
        request: Request<pb6::validate_data_resource_config::Request>,
    ) -> Result<Response<pb6::validate_data_resource_config::Response>, Status> {
        Provider6::validate_data_resource_config(self, request).await
    }

    async fn upgrade_resource_state(
        &self,
        request: Request<pb6::upgrade_resource_state::Request>,
    ) -> Result<Response<pb6::upgrade_resource_state::Response>, Status> {
        Provider6::upgrade_resource_state(self, request).await
    }

    async fn upgrade_resource_identity(
        &self,
        request: Request<pb6::upgrade_resource_identity::Request>,
    ) -> Result<Response<pb6::upgrade_resource_identity::Response>, Status> {
        Provider6::upgrade_resource_identity(self, request).await
    }

    async fn configure(
        &self,
        request: Request<pb6::configure_provider::Request>,
    ) -> Result<Response<pb6::configure_provider::Response>, Status> {
        Provider6::configure_provider(self, request).await
    }

    async fn read_resource(
        &self,
        request: Request<pb6::read_resource::Request>,
    ) -> Result<Response<pb6::read_resource::Response>, Status> {
        Provider6::read_resource(self, request).await
    }

    async fn plan_resource_change(
        &self,
        request: Request<pb6::plan_resource_change::Request>,
    ) -> Result<Response<pb6::plan_resource_change::Response>, Status> {
        Provider6::plan_resource_change(self, request).await
    }

    async fn apply_resource_change(
        &self,
        request: Request<pb6::apply_resource_change::Request>,
    ) -> Result<Response<pb6::apply_resource_change::Response>, Status> {
        Provider6::apply_resource_change(self, request).await
    }

    async fn import_resource_state(
        &self,
        request: Request<pb6::import_resource_state::Request>,
    ) -> Result<Response<pb6::import_resource_state::Response>, Status> {
        Provider6::import_resource_state(self, request).await
    }

    async fn move_resource_state(
        &self,
        request: Request<pb6::move_resource_state::Request>,
    ) -> Result<Response<pb6::move_resource_state::Response>, Status> {
        Provider6::move_resource_state(self, request).await
    }

    async fn generate_resource_config(
        &self,
        request: Request<pb6::generate_resource_config::Request>,
    ) -> Result<Response<pb6::generate_resource_config::Response>, Status> {
        Provider6::generate_resource_config(self, request).await
    }

    async fn read_data_source(
        &self,
        request: Request<pb6::read_data_source::Request>,
    ) -> Result<Response<pb6::read_data_source::Response>, Status> {
        Provider6::read_data_source(self, request).await
    }

    async fn get_resource_identity_schemas(
        &self,
        request: Request<pb6::get_resource_identity_schemas::Request>,
    ) -> Result<Response<pb6::get_resource_identity_schemas::Response>, Status> {
        Provider6::get_resource_identity_schemas(self, request).await
    }

    async fn validate_ephemeral_resource_config(
        &self,
        request: Request<pb6::validate_ephemeral_resource_config::Request>,
    ) -> Result<Response<pb6::validate_ephemeral_resource_config::Response>, Status> {
        Provider6::validate_ephemeral_resource_config(self, request).await
    }

    async fn open_ephemeral_resource(
        &self,
        request: Request<pb6::open_ephemeral_resource::Request>,
    ) -> Result<Response<pb6::open_ephemeral_resource::Response>, Status> {
        Provider6::open_ephemeral_resource(self, request).await
    }

    async fn renew_ephemeral_resource(
        &self,
        request: Request<pb6::renew_ephemeral_resource::Request>,
    ) -> Result<Response<pb6::renew_ephemeral_resource::Response>, Status> {
        Provider6::renew_ephemeral_resource(self, request).await
    }

    async fn close_ephemeral_resource(
        &self,
        request: Request<pb6::close_ephemeral_resource::Request>,
    ) -> Result<Response<pb6::close_ephemeral_resource::Response>, Status> {
        Provider6::close_ephemeral_resource(self, request).await
    }

    async fn get_functions(
        &self,
        request: Request<pb6::get_functions::Request>,
    ) -> Result<Response<pb6::get_functions::Response>, Status> {
        Provider6::get_functions(self, request).await
    }

    async fn call_function(
        &self,
        request: Request<pb6::call_function::Request>,
    ) -> Result<Response<pb6::call_function::Response>, Status> {
        Provider6::call_function(self, request).await
    }

    async fn validate_list_resource_config(
        &self,
        request: Request<pb6::validate_list_resource_config::Request>,
    ) -> Result<Response<pb6::validate_list_resource_config::Response>, Status> {
        Provider6::validate_list_resource_config(self, request).await
    }

    async fn validate_action_config(
        &self,
        request: Request<pb6::validate_action_config::Request>,
    ) -> Result<Response<pb6::validate_action_config::Response>, Status> {
        Provider6::validate_action_config(self, request).await
    }

    async fn plan_action(
        &self,
        request: Request<pb6::plan_action::Request>,
    ) -> Result<Response<pb6::plan_action::Response>, Status> {
        Provider6::plan_action(self, request).await
    }

    async fn stop(
        &self,
        request: Request<pb6::stop_provider::Request>,
    ) -> Result<Response<pb6::stop_provider::Response>, Status> {
        Provider6::stop_provider(self, request).await
    }

    type ListResourceStream = <Self as Provider6>::ListResourceStream;

    async fn list_resource(
        &self,
        request: Request<pb6::list_resource::Request>,
    ) -> Result<Response<<Self as Provider>::ListResourceStream>, Status> {
        Provider6::list_resource(self, request).await
    }

    type InvokeActionStream = <Self as Provider6>::InvokeActionStream;

    async fn invoke_action(
        &self,
        request: Request<pb6::invoke_action::Request>,
    ) -> Result<Response<<Self as Provider>::InvokeActionStream>, Status> {
        Provider6::invoke_action(self, request).await
    }
}
