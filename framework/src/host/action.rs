//! One action.

use std::sync::Arc;

use denobridge_core::call::CallError;
use denobridge_core::cty::{Path, Value};
use denobridge_core::diagnostics::Diagnostics;
use denobridge_core::planning::rules::{self, Rule, Violation};
use denobridge_core::provider::{
    InvokeActionEvent, InvokeActionRequest, PlanActionRequest, ValidateActionConfigRequest,
};
use futures::{StreamExt as _, TryFutureExt as _};

use super::component::{Component, component_methods};
use super::{CAPABILITIES, Step};

/// One action of a [`super::Host`].
pub struct ActionHost<'h> {
    pub(super) component: Component<'h>,
}

/// All that an action told.
struct Told {
    progress: Vec<String>,
    diagnostics: Diagnostics,
    violations: Vec<Violation>,
}

impl ActionHost<'_> {
    component_methods!();

    /// Asks the provider whether it accepts a configuration.
    pub async fn validate(&self, config: &Value) -> Step<()> {
        let component = &self.component;
        let request =
            ValidateActionConfigRequest { type_name: Arc::clone(&component.type_name), config: config.clone().into() };
        let answer = component.host.provider.validate_action_config(&component.call, request);
        component.validated("ValidateActionConfig", config, answer.map_ok(|response| response.diagnostics)).await
    }

    /// Asks whether it could be done, once the provider has found the configuration valid.
    pub async fn plan(&self, config: &Value) -> Step<()> {
        let component = &self.component;
        let mut report = self.validate(config).await.report;
        if report.failed() {
            return Step { value: (), report };
        }
        let exchange = component.exchange("PlanAction").sent("config", component.marked(config));
        let request = PlanActionRequest {
            type_name: Arc::clone(&component.type_name),
            config: config.clone().into(),
            client_capabilities: CAPABILITIES,
        };
        let answer = component.host.provider.plan_action(&component.call, request);
        if let Some((exchange, response)) = component.ask(exchange, answer, &mut report).await {
            let violations = match response.diagnostics.has_errors() {
                true => Vec::new(),
                false => rules::deferral(CAPABILITIES.deferral_allowed, response.deferred),
            };
            component.answered(exchange, response.diagnostics, violations, &mut report);
        }
        Step { value: (), report }
    }

    /// Plans it with a configuration in which everything is known, and does it. The value is what it told on the way; the
    /// progress sink of [`super::HostOptions::call`] gets that as it is told. It must end once, and say nothing after its
    /// end (R19).
    pub async fn invoke(&self, config: &Value) -> Step<Vec<String>> {
        let component = &self.component;
        let mut report = self.plan(config).await.report;
        report.diagnostics.extend(component.not_known_yet(config));
        if report.failed() {
            return Step { value: Vec::new(), report };
        }
        let exchange = component.exchange("InvokeAction").sent("config", component.marked(config));
        let request = InvokeActionRequest {
            type_name: Arc::clone(&component.type_name),
            config: config.clone().into(),
            client_capabilities: CAPABILITIES,
        };
        let Some((exchange, told)) = component.ask(exchange, self.told(request), &mut report).await else {
            return Step { value: Vec::new(), report };
        };
        let exchange = told
            .progress
            .iter()
            .fold(exchange, |exchange, message| exchange.received("progress", Value::string(message)));
        component.answered(exchange, told.diagnostics, told.violations, &mut report);
        Step { value: told.progress, report }
    }

    async fn told(&self, request: InvokeActionRequest) -> Result<Told, CallError> {
        let component = &self.component;
        let response = component.host.provider.invoke_action(&component.call, request).await?;
        let mut events = response.events;
        let mut told = Told { progress: Vec::new(), diagnostics: Diagnostics::new(), violations: Vec::new() };
        let mut ended = false;
        let broken = |message: &str| Violation::new(Rule::Protocol, Path::root(), message);
        while let Some(event) = events.next().await {
            if ended {
                told.violations.push(broken("the action told something after its end"));
                break;
            }
            match event {
                InvokeActionEvent::Progress(message) => {
                    component.call.progress_sink().progress(&message);
                    told.progress.push(message);
                }
                InvokeActionEvent::Completed(diagnostics) => {
                    told.diagnostics = diagnostics;
                    ended = true;
                }
            }
        }
        if !ended {
            told.violations.push(broken("the action's stream ended without saying that the action did"));
        }
        Ok(told)
    }
}
