//! The hooks: moments of an operation at which integrations are asked.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a hook is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// One instance of a resource, data source, ephemeral resource or action.
    Instance,
    /// A stage of the whole operation of one provider.
    Stage,
}

/// When a hook is asked, relative to what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// Before; what it is about can still be denied.
    Before,
    /// After; what happened has happened.
    After,
}

macro_rules! hooks {
    ($($(#[$doc:meta])* $variant:ident $method:literal $configured:literal $subject:ident $moment:ident;)*) => {
        /// A moment of an operation at which integrations are asked. Its name is a method of the protocol in snake case
        /// (`post_plan_resource`); in configuration files it is written in kebab case, without `resource` (`post-plan`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum Hook {
            $($(#[$doc])* #[serde(rename = $method)] $variant,)*
        }

        impl Hook {
            /// Every hook, in the order in which an operation gets to them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its name as a method of the protocol.
            #[must_use]
            pub fn method(self) -> &'static str {
                match self { $(Self::$variant => $method),* }
            }

            /// Its name in configuration files.
            #[must_use]
            pub fn configured(self) -> &'static str {
                match self { $(Self::$variant => $configured),* }
            }

            /// What it is about.
            #[must_use]
            pub fn subject(self) -> Subject {
                match self { $(Self::$variant => Subject::$subject),* }
            }

            /// Whether it comes before or after what it is about.
            #[must_use]
            pub fn moment(self) -> Moment {
                match self { $(Self::$variant => Moment::$moment),* }
            }
        }
    };
}

hooks! {
    /// The provider is about to be configured for an operation.
    InitStageStart "init_stage_start" "init-stage-start" Stage Before;
    /// The provider is configured.
    InitStageComplete "init_stage_complete" "init-stage-complete" Stage After;
    /// The first thing of a plan is about to happen.
    PlanStageStart "plan_stage_start" "plan-stage-start" Stage Before;
    /// The stored state of an instance is about to be compared with the real object.
    PreRefresh "pre_refresh_resource" "pre-refresh" Instance Before;
    /// It has been compared.
    PostRefresh "post_refresh_resource" "post-refresh" Instance After;
    /// A change of an instance is about to be planned.
    PrePlan "pre_plan_resource" "pre-plan" Instance Before;
    /// It is planned.
    PostPlan "post_plan_resource" "post-plan" Instance After;
    /// A data source is about to be read.
    PreReadDataSource "pre_read_data_source" "pre-read-data-source" Instance Before;
    /// It has been read.
    PostReadDataSource "post_read_data_source" "post-read-data-source" Instance After;
    /// An ephemeral resource is about to be opened.
    PreOpenEphemeral "pre_open_ephemeral" "pre-open-ephemeral" Instance Before;
    /// It is open.
    PostOpenEphemeral "post_open_ephemeral" "post-open-ephemeral" Instance After;
    /// All of a plan has happened.
    PlanStageComplete "plan_stage_complete" "plan-stage-complete" Stage After;
    /// The first thing of an apply is about to happen.
    ApplyStageStart "apply_stage_start" "apply-stage-start" Stage Before;
    /// A planned change is about to be made.
    PreApply "pre_apply_resource" "pre-apply" Instance Before;
    /// It has been made, or has failed.
    PostApply "post_apply_resource" "post-apply" Instance After;
    /// An action is about to run.
    PreInvokeAction "pre_invoke_action" "pre-invoke-action" Instance Before;
    /// It has run.
    PostInvokeAction "post_invoke_action" "post-invoke-action" Instance After;
    /// All of an apply has happened.
    ApplyStageComplete "apply_stage_complete" "apply-stage-complete" Stage After;
}

impl Hook {
    /// The hook that goes by `name`, in either spelling.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|hook| hook.method() == name || hook.configured() == name)
    }
}

impl fmt::Display for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.configured())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_goes_by_both_of_its_names_and_no_two_share_one() {
        for hook in Hook::ALL {
            assert_eq!(Hook::parse(hook.method()), Some(*hook));
            assert_eq!(Hook::parse(hook.configured()), Some(*hook));
        }
        assert_eq!(Hook::parse("pre-destroy"), None);
    }
}
