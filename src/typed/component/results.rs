//! What data sources and ephemeral resources have in common: props in, a result out.

use denobridge_core::cty::Value;
use denobridge_core::planning::mark_sensitive;
use denobridge_core::schema::Schema;
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::Context;

use super::{Component, messages};
use crate::typed::schema::{Missing, object_with_defaults};
use crate::typed::validation;

impl Component {
    /// What is wrong with what is given for the props, as far as it is known. `config` has the component's attributes.
    pub fn check_props(&self, config: &Value) -> Diagnostics {
        self.check_filled(&self.filled(config))
    }

    /// The same for a configuration with its defaults: a schema may require what it has a default for.
    fn check_filled(&self, config: &Value) -> Diagnostics {
        let left_out = self.layout.left_out(config);
        let problems = self.props.as_ref().map(|checker| checker.check(&self.layout.props_of(config, &left_out)));
        let write_only = self.write_only.as_ref().map(|checker| checker.check(&self.layout.write_only_of(config)));
        let problems = [problems, write_only].into_iter().flatten().flatten();
        validation::diagnostics(&problems.collect::<Vec<_>>())
    }

    /// The configuration with the defaults of what it leaves out.
    fn filled(&self, config: &Value) -> Value {
        object_with_defaults(&self.layout.props, config)
    }

    /// What a user of the generic component would write, and the configuration with its defaults; or what is wrong with that.
    pub fn asked(
        &self,
        context: &Context,
        generic: &Schema,
        schema: &Schema,
        config: &Value,
    ) -> Result<(Value, Value), Diagnostics> {
        let config = self.filled(config);
        let wrong = self.check_filled(&config);
        if wrong.has_errors() {
            return Err(wrong);
        }
        let marked = mark_sensitive(&schema.block, &config);
        let props = self.layout.props_of(&marked, &self.layout.left_out(&config));
        Ok((self.script.object(context, generic, [("props", props)]), config))
    }

    /// The configuration with the result of the generic component, and what is wrong with that.
    pub fn with_result(&self, config: Value, result: &Value, method: &str) -> (Value, Option<Diagnostic>) {
        let nothing = Value::null(denobridge_core::cty::Type::Dynamic);
        let part = |name: &str| result.attribute(name).unwrap_or(&nothing);
        let left_out = self.layout.left_out(&config);
        let (object, misfits) =
            self.layout.with_answers(config, [part("result"), part("sensitive_result")], &left_out, Missing::Misfits);
        let misfits: Vec<_> = misfits.into_iter().map(as_result).collect();
        (object, messages::misfits(&misfits, &self.script.file, method, ""))
    }
}

/// What state is to a resource is the result to the others.
fn as_result(mut misfit: crate::typed::schema::Misfit) -> crate::typed::schema::Misfit {
    for (state, result) in [("state", "result"), ("sensitive_state", "sensitiveResult")] {
        if let Some(rest) = misfit.place.strip_prefix(state)
            && (rest.is_empty() || rest.starts_with(['.', '[']))
        {
            misfit.place = format!("{result}{rest}");
            break;
        }
    }
    misfit
}
