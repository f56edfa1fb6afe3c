//! Kinds of pages: where each goes, what it is called, and where its examples are.

/// What a page documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageKind {
    /// The provider and its configuration.
    Provider,
    /// A managed resource.
    Resource,
    /// A data source.
    DataSource,
    /// An ephemeral resource.
    EphemeralResource,
    /// A list resource.
    ListResource,
    /// An action.
    Action,
    /// A state store.
    StateStore,
    /// A function.
    Function,
}

impl PageKind {
    pub(super) const ALL: [Self; 8] = [
        Self::Provider,
        Self::Resource,
        Self::DataSource,
        Self::EphemeralResource,
        Self::ListResource,
        Self::Action,
        Self::StateStore,
        Self::Function,
    ];

    /// The folder below `docs/` and `examples/`. The provider's page is `docs/index.md` itself.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::Resource => "resources",
            Self::DataSource => "data-sources",
            Self::EphemeralResource => "ephemeral-resources",
            Self::ListResource => "list-resources",
            Self::Action => "actions",
            Self::StateStore => "state-stores",
            Self::Function => "functions",
        }
    }

    /// What titles call it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Provider => "Provider",
            Self::Resource => "Resource",
            Self::DataSource => "Data Source",
            Self::EphemeralResource => "Ephemeral Resource",
            Self::ListResource => "List Resource",
            Self::Action => "Action",
            Self::StateStore => "State Store",
            Self::Function => "function",
        }
    }

    /// How the names of its example files begin.
    pub(super) fn example_prefix(self) -> &'static str {
        let folder = self.folder();
        folder.strip_suffix('s').unwrap_or(folder)
    }

    /// How the names of its example files end.
    pub(super) fn example_suffix(self) -> &'static str {
        match self {
            Self::ListResource => ".tfquery.hcl",
            _ => ".tf",
        }
    }

    /// The path of the page, below the provider's folder. Names in paths go without the provider's, functions have none.
    pub(super) fn page_path(self, provider: &str, name: &str) -> String {
        if self == Self::Provider {
            return "docs/index.md".to_owned();
        }
        format!("docs/{}/{}.md", self.folder(), self.short_name(provider, name))
    }

    fn short_name<'n>(self, provider: &str, name: &'n str) -> &'n str {
        let without_provider = name.strip_prefix(provider).and_then(|rest| rest.strip_prefix('_'));
        match self {
            Self::Provider | Self::Function => name,
            _ => without_provider.unwrap_or(name),
        }
    }

    /// The folder of the component's examples, with a slash at its end.
    pub(super) fn example_folder(self, name: &str) -> String {
        match self {
            Self::Provider => "examples/provider/".to_owned(),
            _ => format!("examples/{}/{name}/", self.folder()),
        }
    }
}
