//! Update: plan from the stored state, and carry it out unless this is a preview.

use denobridge_core::planning::Action;
use denobridge_sdk_gen::PropertyPath;

use super::Operation;
use crate::assets;
use crate::errors::Failure;
use crate::property_value::PropertyMap;

impl Operation {
    pub(crate) async fn update(
        &self,
        outputs: &PropertyMap,
        inputs: PropertyMap,
        ignored: &[PropertyPath],
    ) -> Result<PropertyMap, Failure> {
        if self.is_action() {
            return self.update_action(outputs, inputs).await.map(|applied| applied.outputs);
        }
        self.learn(&[outputs, &inputs]);
        let mut loaded = inputs.clone();
        assets::load(&mut loaded).await?;
        let prior = self.prior(outputs).await?;
        let config = self.config_over(loaded, &prior.value, ignored)?;
        let plan = self.plan(prior, config).await?;
        if plan.action == Action::Replace {
            let properties: Vec<_> =
                plan.requires_replace.iter().map(|path| format!("`{}`", self.fields().to_pulumi(path))).collect();
            return Err(self.failed(&[format!(
                "the provider now wants to replace the resource because of {}, although it did not say so when the \
                 change was planned; run the command again",
                properties.join(", ")
            )]));
        }
        if self.is_preview() {
            return Ok(self.previewed(&plan));
        }
        if plan.action == Action::NoOp && self.former_type(outputs).is_some() {
            return self.written_anew(&plan.prior, &plan.config);
        }
        // Also where nothing changes: the engine asks for that after a create that failed half-way.
        self.apply(plan, &inputs).await.map(|applied| applied.outputs)
    }
}
