//! What can be said while settings of the provider are not known yet, so that it has not been configured.
//!
//! A preview of a new stack may take a setting, such as a token, from a resource that does not exist yet. The Pulumi engine
//! then asks nothing of the provider; other engines, and a process that several providers share, may.

use std::sync::atomic::Ordering;

use bytes::Bytes;
use denobridge_core::cty::Value;
use denobridge_core::planning::{Action, computed_unknown, decide_action, proposed_new_state, write_only_nulled};

use super::Operation;
use super::plan::Plan;
use super::prior::Prior;
use crate::errors::Failure;

impl Operation {
    /// Whether the provider cannot be asked yet.
    pub(crate) fn is_unconfigured(&self) -> bool {
        self.package.settings_unknown.load(Ordering::Relaxed)
    }

    /// Fails if the provider cannot be asked yet.
    pub(super) fn require_configured(&self) -> Result<(), Failure> {
        if self.is_unconfigured() {
            let reason = "settings of the provider are not known yet, so it cannot be asked";
            return Err(self.failed(&[reason.to_owned()]));
        }
        Ok(())
    }

    /// A plan without the provider: what the program sets is as it says, all that the provider may compute is unknown.
    pub(super) fn plan_unasked(&self, prior: Prior, config: Value) -> Result<Plan, Failure> {
        if !self.is_preview() {
            self.require_configured()?;
        }
        let block = &self.schema()?.block;
        let proposed = proposed_new_state(block, &Value::null(config.ty()), &config);
        let planned = write_only_nulled(block, &computed_unknown(block, &proposed));
        let action = match decide_action(block, &prior.value, &planned, &[]).action {
            // What has been computed once may be so again.
            Action::Replace => Action::Update,
            action => action,
        };
        let planned = self.marked(&planned, &config, &prior.value);
        Ok(Plan {
            prior,
            config,
            planned,
            action,
            requires_replace: Vec::new(),
            timeouts: None,
            private: Bytes::new(),
            identity: None,
            legacy: true,
        })
    }
}
