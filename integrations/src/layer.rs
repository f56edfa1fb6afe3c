//! The hooks as a layer at the seam: for a provider in this process, and for a foreign one under Pulumi.

use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::provider::*;
use denobridge_core::{Call, CallError, Diagnostics, Provider};
use futures::StreamExt as _;
use tokio::sync::OnceCell;

use crate::hooks::{Hooks, plan_of_deletion};

/// A provider about which integrations are asked.
pub struct Integrated {
    inner: Arc<dyn Provider>,
    hooks: Arc<Hooks>,
    /// Whether the provider plans deletions itself; known with its schema.
    plans_deletions: OnceCell<bool>,
}

impl Integrated {
    /// Asks `hooks` about what `inner` is to do.
    #[must_use]
    pub fn new(inner: Arc<dyn Provider>, hooks: Arc<Hooks>) -> Self {
        Self { inner, hooks, plans_deletions: OnceCell::new() }
    }

    /// Makes sure that the provider's schema is known: a host that has it already does not ask for it.
    async fn learn(&self, call: &Call) -> bool {
        let learned = self.plans_deletions.get_or_try_init(|| async {
            let answer = self.inner.get_provider_schema(call, GetProviderSchemaRequest {}).await?;
            self.hooks.learn_schema(&answer);
            Ok::<_, CallError>(answer.server_capabilities.plan_destroy)
        });
        // Without a schema the hooks refuse for whoever is hard.
        learned.await.is_ok_and(|plans| *plans)
    }
}

#[async_trait]
impl Layer for Integrated {
    fn inner(&self) -> &dyn Provider {
        &*self.inner
    }

    async fn get_metadata(&self, call: &Call, request: GetMetadataRequest) -> Result<GetMetadataResponse, CallError> {
        let mut answer = self.inner.get_metadata(call, request).await?;
        answer.server_capabilities.plan_destroy |= self.hooks.wants_plans_of_deletions();
        Ok(answer)
    }

    async fn get_provider_schema(
        &self,
        call: &Call,
        request: GetProviderSchemaRequest,
    ) -> Result<GetProviderSchemaResponse, CallError> {
        let mut answer = self.inner.get_provider_schema(call, request).await?;
        self.hooks.learn_schema(&answer);
        let _ = self.plans_deletions.set(answer.server_capabilities.plan_destroy);
        answer.server_capabilities.plan_destroy |= self.hooks.wants_plans_of_deletions();
        Ok(answer)
    }

    async fn configure_provider(
        &self,
        call: &Call,
        request: ConfigureProviderRequest,
    ) -> Result<ConfigureProviderResponse, CallError> {
        let _under_way = self.hooks.engine().begin(call);
        self.learn(call).await;
        let said = match self.hooks.before_configure(call, &request).await {
            Ok(said) => said,
            Err(diagnostics) => return Ok(ConfigureProviderResponse { diagnostics }),
        };
        let mut answer = self.inner.configure_provider(call, request.clone()).await;
        let said = self.hooks.after_configure(call, &request, said, answer.as_ref()).await;
        add(&mut answer, said, |answer| &mut answer.diagnostics);
        answer
    }

    async fn stop_provider(
        &self,
        call: &Call,
        request: StopProviderRequest,
    ) -> Result<StopProviderResponse, CallError> {
        self.hooks.stop();
        self.inner.stop_provider(call, request).await
    }

    async fn read_resource(
        &self,
        call: &Call,
        request: ReadResourceRequest,
    ) -> Result<ReadResourceResponse, CallError> {
        let _under_way = self.hooks.engine().begin(call);
        self.learn(call).await;
        let refreshing = match self.hooks.before_refresh(call, &request).await {
            Ok(refreshing) => refreshing,
            Err(diagnostics) => return Ok(ReadResourceResponse { diagnostics, ..Default::default() }),
        };
        let mut answer = self.inner.read_resource(call, request).await;
        let said = self.hooks.after_refresh(call, refreshing, answer.as_ref()).await;
        add(&mut answer, said, |answer| &mut answer.diagnostics);
        answer
    }

    async fn import_resource_state(
        &self,
        call: &Call,
        request: ImportResourceStateRequest,
    ) -> Result<ImportResourceStateResponse, CallError> {
        let answer = self.inner.import_resource_state(call, request).await?;
        self.hooks.after_import(&answer);
        Ok(answer)
    }

    async fn plan_resource_change(
        &self,
        call: &Call,
        request: PlanResourceChangeRequest,
    ) -> Result<PlanResourceChangeResponse, CallError> {
        let _under_way = self.hooks.engine().begin(call);
        let plans_deletions = self.learn(call).await;
        let planning = match self.hooks.before_plan(call, &request).await {
            Ok(planning) => planning,
            Err(diagnostics) => return Ok(PlanResourceChangeResponse { diagnostics, ..Default::default() }),
        };
        let is_deletion = request.proposed_new_state.is_null() && !request.prior_state.is_null();
        let mut answer = match is_deletion && !plans_deletions {
            true => Ok(plan_of_deletion(&request)),
            false => self.inner.plan_resource_change(call, request.clone()).await,
        };
        let said = self.hooks.after_plan(call, &request, planning, answer.as_ref()).await;
        add(&mut answer, said, |answer| &mut answer.diagnostics);
        answer
    }

    async fn apply_resource_change(
        &self,
        call: &Call,
        request: ApplyResourceChangeRequest,
    ) -> Result<ApplyResourceChangeResponse, CallError> {
        let _under_way = self.hooks.engine().begin(call);
        self.learn(call).await;
        let applying = match self.hooks.before_apply(call, &request).await {
            Ok(applying) => applying,
            // Without a state, hosts keep what they have: Terraform the state and the private data, Pulumi its outputs.
            Err(diagnostics) => return Ok(ApplyResourceChangeResponse { diagnostics, ..Default::default() }),
        };
        let mut answer = self.inner.apply_resource_change(call, request).await;
        let said = self.hooks.after_apply(call, applying, answer.as_ref()).await;
        add(&mut answer, said, |answer| &mut answer.diagnostics);
        answer
    }

    async fn read_data_source(
        &self,
        call: &Call,
        request: ReadDataSourceRequest,
    ) -> Result<ReadDataSourceResponse, CallError> {
        let _under_way = self.hooks.engine().begin(call);
        self.learn(call).await;
        let reading = match self.hooks.before_read(call, &request).await {
            Ok(reading) => reading,
            Err(diagnostics) => return Ok(ReadDataSourceResponse { diagnostics, ..Default::default() }),
        };
        let mut answer = self.inner.read_data_source(call, request).await;
        let said = self.hooks.after_read(call, reading, answer.as_ref()).await;
        add(&mut answer, said, |answer| &mut answer.diagnostics);
        answer
    }

    async fn open_ephemeral_resource(
        &self,
        call: &Call,
        request: OpenEphemeralResourceRequest,
    ) -> Result<OpenEphemeralResourceResponse, CallError> {
        let _under_way = self.hooks.engine().begin(call);
        self.learn(call).await;
        let opening = match self.hooks.before_open(call, &request).await {
            Ok(opening) => opening,
            Err(diagnostics) => return Ok(OpenEphemeralResourceResponse { diagnostics, ..Default::default() }),
        };
        let mut answer = self.inner.open_ephemeral_resource(call, request).await;
        let said = self.hooks.after_open(call, opening, answer.as_ref()).await;
        add(&mut answer, said, |answer| &mut answer.diagnostics);
        answer
    }

    async fn invoke_action(
        &self,
        call: &Call,
        request: InvokeActionRequest,
    ) -> Result<InvokeActionResponse, CallError> {
        let under_way = self.hooks.engine().begin(call);
        self.learn(call).await;
        let invoking = match self.hooks.before_invoke(call, &request).await {
            Ok(invoking) => invoking,
            Err(diagnostics) => {
                let end = InvokeActionEvent::Completed(diagnostics);
                return Ok(InvokeActionResponse { events: futures::stream::once(async { end }).boxed() });
            }
        };
        let answer = self.inner.invoke_action(call, request).await?;
        let (hooks, call) = (Arc::clone(&self.hooks), call.clone());
        // Nothing is said of an action whose stream ends without saying how it went: nobody could be told.
        let events = answer.events.scan(Some(invoking), move |invoking, event| {
            let _until_its_stream_ends = &under_way;
            let (hooks, call) = (Arc::clone(&hooks), call.clone());
            let invoking = match event {
                InvokeActionEvent::Completed(_) => invoking.take(),
                InvokeActionEvent::Progress(_) => None,
            };
            async move {
                Some(match (event, invoking) {
                    (InvokeActionEvent::Completed(mut diagnostics), Some(invoking)) => {
                        diagnostics.extend(hooks.after_invoke(&call, invoking, &diagnostics).await);
                        InvokeActionEvent::Completed(diagnostics)
                    }
                    (event, _) => event,
                })
            }
        });
        Ok(InvokeActionResponse { events: events.boxed() })
    }
}

/// Adds what integrations have said to an answer, if there is one.
fn add<T>(answer: &mut Result<T, CallError>, said: Diagnostics, diagnostics: impl Fn(&mut T) -> &mut Diagnostics) {
    if let Ok(answer) = answer {
        diagnostics(answer).extend(said);
    }
}
