//! Where the life of a foreign provider's resource differs from that of one of ours, each with its reason. Everything
//! else in this folder is the same for both.

use crate::conventions::Conventions;

impl Conventions {
    /// A property that the schema does not have is passed over with a warning, rather than refused.
    ///
    /// The Go bridge passes it over in silence, so programs that have worked for years may have one: an SDK made for
    /// another version of the provider sends it.
    pub(crate) fn passes_over_unknown_properties(self) -> bool {
        self == Self::GoBridge
    }

    /// The old resource goes before the new one comes, unless that is known not to be needed.
    ///
    /// That is Terraform's order, for which our providers are written: with the other one, deleting the old resource
    /// would delete the new one if both have the same name. Stacks of the Go bridge have always had Pulumi's order, and
    /// may count on there being one of the two at all times.
    pub(crate) fn deletes_before_replacing(self) -> bool {
        self == Self::Own
    }

    /// What an import takes for inputs is cut down to what matters.
    ///
    /// A provider of the older kind has false, zero and empty text for all that nobody has set.
    pub(crate) fn imports_what_matters(self) -> bool {
        self == Self::GoBridge
    }

    /// The provider also gets settings that are not known yet, as under Terraform.
    ///
    /// Ours know what to do with them. Of foreign providers many take the placeholder for a value, or crash.
    pub(crate) fn configures_with_unknown_settings(self) -> bool {
        self == Self::Own
    }

    /// Names of attributes are translated between quotes too, in what the provider says.
    ///
    /// Ours quote names between backticks, as our scripts do; Go's providers use what `%q` writes.
    pub(crate) fn quotes_names_as_go_does(self) -> bool {
        self == Self::GoBridge
    }

    /// A changed default or computed value that the plan already knows is shown as a change of its own.
    ///
    /// The Go bridge lists it, and `replaceOnChanges` of existing programs may name it.
    pub(crate) fn shows_planned_defaults(self) -> bool {
        self == Self::GoBridge
    }

    /// An id that is a JSON object means the identity.
    ///
    /// Ours have ids that are JSON objects themselves: that of a script's resource may say with which permissions to run it.
    pub(crate) fn reads_identities_in_ids(self) -> bool {
        self == Self::GoBridge
    }
}
