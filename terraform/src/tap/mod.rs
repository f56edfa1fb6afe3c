//! Standing between a host and a provider: the host starts us in the provider's place, and we start the provider.
//!
//! Every call is passed on as it came, and so is its answer: head, messages and trailers, of procedures that we know and of
//! those that a later protocol may have. Nothing is decoded, but for the procedures that an [`Observer`] may want to look at.
//! Of these a copy is decoded, and an observer's layers are asked about it as they are asked anywhere else: around a provider
//! behind the seam. When they get to that provider, the original request goes out. What they make of its answer is not sent,
//! the original is, with the diagnostics behind it that they have added. A layer that does not get there answers itself.
//!
//! | what is asked | what becomes of it |
//! |---|---|
//! | ConfigureProvider, ReadResource, PlanResourceChange, ApplyResourceChange, ImportResourceState, ReadDataSource, OpenEphemeralResource, InvokeAction | layers are asked |
//! | GetProviderSchema, GetMetadata | passed on; that plans of deletions are wanted is added, if they are |
//! | StopProvider | passed on, and the observer is told |
//! | the end | the observer finishes, then the provider is asked to end, then the host is answered |
//! | everything else | passed on |

mod body;
mod frames;
mod observed;
mod passing;
mod relay;
mod wired;

use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::Provider;
use thiserror::Error;

use crate::launch::{self, Connected, LaunchError, LaunchOptions, Listener};
use crate::serve::{Door, ServeError};
use relay::Relay;

/// Who looks at what passes.
#[async_trait]
pub trait Observer: Send + Sync {
    /// The provider with the observer's layers around it. They may answer in its place and add diagnostics at the end of its
    /// answers; whatever else they change is not sent.
    fn mount(&self, provider: Arc<dyn Provider>) -> Arc<dyn Provider>;

    /// Whether the layers want to be asked for plans of deletions, which Terraform makes itself for a provider that does not
    /// say that it wants to make them. They must answer in the place of a provider that does not.
    fn wants_plans_of_deletions(&self) -> bool {
        false
    }

    /// The host wants running work to end soon.
    async fn stopping(&self) {}

    /// Nothing will be asked any more. The provider still runs; it is asked to end within [`FAREWELL_LIMIT`](crate::FAREWELL_LIMIT).
    async fn finish(&self) {}
}

/// Whom to stand before, and who looks.
pub struct TapOptions {
    /// The last part of the provider's source address, which names it in log settings (`TF_LOG_PROVIDER_RANDOM`).
    pub provider_type: String,
    /// How the provider is started. It writes to our standard error, and gets our environment.
    pub launch: LaunchOptions,
    /// Who looks; if nobody, nothing is looked at.
    pub observer: Option<Arc<dyn Observer>>,
}

/// Why nobody could stand between.
#[derive(Debug, Error)]
pub enum TapError {
    /// The host cannot be served.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The provider did not start.
    #[error(transparent)]
    Launch(#[from] LaunchError),
}

/// Stands between the host that started this process and a provider, until the host ends it.
///
/// The provider is started before the host is told anything: of one that does not start, the host sees what it wrote and that
/// we ended. The host is told the protocol version that the provider has chosen. Must run within a Tokio runtime.
///
/// # Errors
/// No host started this process, the provider does not start, or the server failed.
pub async fn tap(options: TapOptions) -> Result<(), TapError> {
    let TapOptions { provider_type, mut launch, observer } = options;
    let door = Door::open().await?;
    launch.listener = Listener::Host;
    if !door.offered().is_empty() {
        let offered: Vec<String> = door.offered().iter().map(u32::to_string).collect();
        launch.environment.push(("PLUGIN_PROTOCOL_VERSIONS".into(), offered.join(",").into()));
    }
    let Connected { protocol, channel, process } = launch::connect(&launch).await?;
    let foreign = wired::Wired::new(launch.name, protocol, channel, process, launch.stop_grace);
    let relay = Relay::new(foreign, observer, Door::log(&provider_type), door.ending().clone());
    let served = door.serve(protocol, relay.clone()).await;
    // Unless the host has asked for it.
    relay.close().await;
    Ok(served?)
}
