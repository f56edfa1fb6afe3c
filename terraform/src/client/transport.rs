//! The procedures of both protocols under protocol 6's names.

use tonic::transport::Channel;
use tonic::{Status, Streaming};

use crate::proto::tfplugin5::{self as pb5, provider_client::ProviderClient as Client5};
use crate::proto::tfplugin6::{self as pb, provider_client::ProviderClient as Client6};
use crate::wire5;

/// A connection that speaks one of the protocols. Cloning a client is how several calls share it.
pub(crate) enum Transport {
    Five(Client5<Channel>),
    Six(Client6<Channel>),
}

/// Procedures whose messages are the same type in both protocols: their names in 6 and in 5.
macro_rules! shared {
    ($($six:ident / $five:ident;)*) => {
        impl Transport {
            $(
                pub(super) async fn $six(&self, request: pb::$six::Request) -> Result<pb::$six::Response, Status> {
                    let answer = match self {
                        Self::Six(client) => client.clone().$six(request).await,
                        Self::Five(client) => client.clone().$five(request).await,
                    };
                    Ok(answer?.into_inner())
                }
            )*
        }
    };
}

shared! {
    configure_provider / configure;
    validate_resource_config / validate_resource_type_config;
    upgrade_resource_state / upgrade_resource_state;
    upgrade_resource_identity / upgrade_resource_identity;
    read_resource / read_resource;
    plan_resource_change / plan_resource_change;
    apply_resource_change / apply_resource_change;
    import_resource_state / import_resource_state;
    generate_resource_config / generate_resource_config;
    move_resource_state / move_resource_state;
    validate_data_resource_config / validate_data_source_config;
    read_data_source / read_data_source;
    validate_ephemeral_resource_config / validate_ephemeral_resource_config;
    open_ephemeral_resource / open_ephemeral_resource;
    renew_ephemeral_resource / renew_ephemeral_resource;
    close_ephemeral_resource / close_ephemeral_resource;
    call_function / call_function;
    validate_list_resource_config / validate_list_resource_config;
    validate_action_config / validate_action_config;
    plan_action / plan_action;
    get_resource_identity_schemas / get_resource_identity_schemas;
    stop_provider / stop;
}

/// Procedures that protocol 5 does not have.
macro_rules! only_in_6 {
    ($($six:ident;)*) => {
        impl Transport {
            $(
                pub(super) async fn $six(&self, request: pb::$six::Request) -> Result<pb::$six::Response, Status> {
                    Ok(self.six(stringify!($six))?.$six(request).await?.into_inner())
                }
            )*
        }
    };
}

only_in_6! {
    validate_state_store_config;
    configure_state_store;
    lock_state;
    unlock_state;
    get_states;
    delete_state;
}

impl Transport {
    /// A connection of that protocol. Messages have no limit of ours: schemas of large providers pass 64 MiB, and the
    /// provider was chosen by the user.
    pub(super) fn new(protocol: u32, channel: Channel) -> Self {
        if protocol == 5 {
            Self::Five(Client5::new(channel).max_decoding_message_size(usize::MAX))
        } else {
            Self::Six(Client6::new(channel).max_decoding_message_size(usize::MAX))
        }
    }

    pub(super) fn protocol(&self) -> u32 {
        match self {
            Self::Five(_) => 5,
            Self::Six(_) => 6,
        }
    }

    fn six(&self, procedure: &str) -> Result<Client6<Channel>, Status> {
        match self {
            Self::Six(client) => Ok(client.clone()),
            Self::Five(_) => Err(Status::unimplemented(format!("protocol 5 has no {procedure}"))),
        }
    }

    pub(super) async fn get_metadata(&self) -> Result<pb::get_metadata::Response, Status> {
        let request = pb::get_metadata::Request {};
        Ok(match self {
            Self::Six(client) => client.clone().get_metadata(request).await?.into_inner(),
            Self::Five(client) => wire5::widened_metadata(client.clone().get_metadata(request).await?.into_inner()),
        })
    }

    pub(super) async fn get_provider_schema(&self) -> Result<pb::get_provider_schema::Response, Status> {
        let request = pb::get_provider_schema::Request {};
        Ok(match self {
            Self::Six(client) => client.clone().get_provider_schema(request).await?.into_inner(),
            Self::Five(client) => wire5::widened_schema(client.clone().get_schema(request).await?.into_inner()),
        })
    }

    pub(super) async fn validate_provider_config(
        &self,
        request: pb::validate_provider_config::Request,
    ) -> Result<pb::validate_provider_config::Response, Status> {
        Ok(match self {
            Self::Six(client) => client.clone().validate_provider_config(request).await?.into_inner(),
            Self::Five(client) => {
                // What the provider made of the configuration is not used, as in Terraform since 0.13.
                let pb5::prepare_provider_config::Response { diagnostics, .. } =
                    client.clone().prepare_provider_config(request).await?.into_inner();
                pb::validate_provider_config::Response { diagnostics }
            }
        })
    }

    pub(super) async fn list_resource(
        &self,
        request: pb::list_resource::Request,
    ) -> Result<Streaming<pb::list_resource::Event>, Status> {
        let answer = match self {
            Self::Six(client) => client.clone().list_resource(request).await,
            Self::Five(client) => client.clone().list_resource(request).await,
        };
        Ok(answer?.into_inner())
    }

    pub(super) async fn invoke_action(
        &self,
        request: pb::invoke_action::Request,
    ) -> Result<Streaming<pb::invoke_action::Event>, Status> {
        let answer = match self {
            Self::Six(client) => client.clone().invoke_action(request).await,
            Self::Five(client) => client.clone().invoke_action(request).await,
        };
        Ok(answer?.into_inner())
    }

    pub(super) async fn read_state_bytes(
        &self,
        request: pb::read_state_bytes::Request,
    ) -> Result<Streaming<pb::read_state_bytes::ResponseChunk>, Status> {
        Ok(self.six("read_state_bytes")?.read_state_bytes(request).await?.into_inner())
    }

    pub(super) async fn write_state_bytes(
        &self,
        chunks: impl futures::Stream<Item = pb::write_state_bytes::RequestChunk> + Send + 'static,
    ) -> Result<pb::write_state_bytes::Response, Status> {
        Ok(self.six("write_state_bytes")?.write_state_bytes(chunks).await?.into_inner())
    }
}
