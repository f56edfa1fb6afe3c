//! Create: plan from nothing, and carry it out unless this is a preview.

use super::Operation;
use crate::assets;
use crate::errors::Failure;
use crate::lifecycle::plan::Applied;
use crate::property_value::PropertyMap;

impl Operation {
    pub(crate) async fn create(&self, inputs: PropertyMap) -> Result<Applied, Failure> {
        if self.is_action() {
            return self.create_action(inputs).await;
        }
        self.learn(&[&inputs]);
        let mut loaded = inputs.clone();
        assets::load(&mut loaded).await?;
        let nothing = self.nothing()?;
        let config = self.config_over(loaded, &nothing.value, &[])?;
        let plan = self.plan(nothing, config).await?;
        if self.is_preview() {
            let id = self.own_id(&plan.planned).unwrap_or_default();
            return Ok(Applied { id, outputs: self.previewed(&plan), left_out: Vec::new() });
        }
        self.apply(plan, &inputs).await
    }
}
