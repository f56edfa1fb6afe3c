//! What we do better than the Go bridge, each difference by name, so that every one can be switched off and counted.
//! `docs/reference/schema-repairs.md` gives the reason for each. No repair takes a property away or gives it another name.

use std::collections::BTreeSet;

/// One difference from the Go bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Repair {
    /// Tuples are arrays of anything; the Go bridge refuses the whole provider.
    Tuples,
    /// Maps of dynamic values are maps of anything rather than maps of strings.
    DynamicMaps,
    /// Resources and data sources say what they are for, and so do the arguments and results of data sources.
    Descriptions,
    /// Resources and data sources that are deprecated say so, and deprecations have the provider's words.
    Deprecations,
    /// Two objects of different shapes never share one type; the Go bridge lets one overwrite the other.
    DistinctTypes,
    /// An `id` that is a number, a bool or never computed is the Pulumi id of its resource, rather than `missing ID`.
    ResourceIds,
    /// Attributes of one object never share a property, and none has a name that makes Pulumi refuse the package.
    PropertyNames,
    /// Components that do not begin with the provider's prefix keep their whole name; the Go bridge refuses the provider.
    ForeignPrefixes,
    /// Ephemeral resources, actions and list resources are offered, as they are for scripts.
    NewKinds,
    /// Properties that .NET would call like their class have another name there.
    DotnetMembers,
}

impl Repair {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Tuples,
        Self::DynamicMaps,
        Self::Descriptions,
        Self::Deprecations,
        Self::DistinctTypes,
        Self::ResourceIds,
        Self::ForeignPrefixes,
        Self::PropertyNames,
        Self::NewKinds,
        Self::DotnetMembers,
    ];

    /// Its name in settings and documentation.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tuples => "tuples",
            Self::DynamicMaps => "dynamic-maps",
            Self::Descriptions => "descriptions",
            Self::Deprecations => "deprecations",
            Self::DistinctTypes => "distinct-types",
            Self::ResourceIds => "resource-ids",
            Self::ForeignPrefixes => "foreign-prefixes",
            Self::PropertyNames => "property-names",
            Self::NewKinds => "new-kinds",
            Self::DotnetMembers => "dotnet-members",
        }
    }
}

/// The repairs that are on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repairs(BTreeSet<Repair>);

impl Repairs {
    /// Every repair.
    #[must_use]
    pub fn all() -> Self {
        Self(Repair::ALL.into())
    }

    /// None: names, types and texts are the Go bridge's.
    #[must_use]
    pub fn none() -> Self {
        Self(BTreeSet::new())
    }

    /// Whether a repair is on.
    #[must_use]
    pub fn contains(&self, repair: Repair) -> bool {
        self.0.contains(&repair)
    }
}

impl Default for Repairs {
    fn default() -> Self {
        Self::all()
    }
}

impl FromIterator<Repair> for Repairs {
    fn from_iter<I: IntoIterator<Item = Repair>>(repairs: I) -> Self {
        Self(repairs.into_iter().collect())
    }
}
