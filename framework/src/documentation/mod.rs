//! Markdown documentation of a provider, written from its schema, in the folder layout of the Terraform registry.
//!
//! [`Documentation::generate`] is pure: a [`ProviderSchema`] and the texts that people wrote ([`Sources`]: examples, pages of
//! their own) give pages. Any provider can be documented, also one that was not written with this framework.
//! [`keep_current`] is the one line for a provider's own tests:
//!
//! ```no_run
//! # async fn example(provider: &dyn denobridge_core::Provider) -> Result<(), denobridge_framework::documentation::Error> {
//! use denobridge_framework::documentation;
//!
//! // Fails when docs/ is not what the schema says; run with UPDATE_DOCS=1 it writes docs/ instead.
//! documentation::keep_current(provider, "example", env!("CARGO_MANIFEST_DIR")).await
//! # }
//! ```
//!
//! Paths, front matter, headings, anchors and marks are those of HashiCorp's `tfplugindocs` (terraform-plugin-docs 0.25), on
//! which links into the documentation and tools that read it rely. What only this framework's schemas know (defaults, allowed
//! values, replacement, the text of a deprecation) is told beside it.

mod folder;
mod function;
mod kind;
mod page;
mod plain;
mod problem;
mod schema;
mod sources;
#[cfg(test)]
mod tests;
mod types;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use denobridge_core::provider::GetProviderSchemaRequest;
use denobridge_core::schema::{FunctionSignature, ProviderSchema, Schema};
use denobridge_core::{Call, Provider};

pub use self::folder::{check, write};
pub use self::kind::PageKind;
pub use self::problem::{Error, Problem};
pub use self::sources::Sources;

/// The registry shows no page of this size or more, in bytes.
const LARGEST_PAGE: usize = 500_000;

/// The registry takes no more pages than this.
const MOST_PAGES: usize = 2_000;

/// Set to anything but the empty text, it makes [`keep_current`] write.
pub const UPDATE_VARIABLE: &str = "UPDATE_DOCS";

/// One file of the documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its path below the provider's folder, with slashes: `docs/resources/thing.md`.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// What came of generating.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// All pages, by path.
    pub pages: Vec<Page>,
    /// What is wrong with the sources or with the outcome. The pages are usable all the same.
    pub problems: Vec<Problem>,
}

/// The documentation of one provider, before it is written.
#[derive(Clone, Debug)]
pub struct Documentation {
    provider: String,
    schema: Arc<ProviderSchema>,
    sources: Sources,
    subcategories: BTreeMap<(PageKind, String), String>,
    with_deprecated: bool,
}

impl Documentation {
    /// Documents the provider that configurations call `provider` (`example`, whose resources are `example_…`).
    #[must_use]
    pub fn new(provider: impl Into<String>, schema: Arc<ProviderSchema>) -> Self {
        Self {
            provider: provider.into(),
            schema,
            sources: Sources::default(),
            subcategories: BTreeMap::new(),
            with_deprecated: true,
        }
    }

    /// Takes examples and pages from these files.
    #[must_use]
    pub fn with_sources(mut self, sources: Sources) -> Self {
        self.sources = sources;
        self
    }

    /// Lists a component under a heading of its own in the registry's navigation.
    #[must_use]
    pub fn with_subcategory(mut self, kind: PageKind, component: &str, subcategory: &str) -> Self {
        self.subcategories.insert((kind, component.to_owned()), subcategory.to_owned());
        self
    }

    /// Leaves out components that are deprecated as a whole.
    #[must_use]
    pub fn without_deprecated(mut self) -> Self {
        self.with_deprecated = false;
        self
    }

    /// All pages, one per component and one for the provider.
    #[must_use]
    pub fn generate(&self) -> Generated {
        let mut generated = Generated::default();
        let subjects = self.subjects();
        for subject in &subjects {
            generated.pages.push(page::page(self, subject, &mut generated.problems));
        }
        self.copy_pages_of_people(&mut generated.pages);
        generated.pages.sort_by(|one, other| one.path.cmp(&other.path));
        generated.problems.extend(self.sources.examples_of_nothing(&subjects));
        generated.problems.extend(problem::beyond_the_registry(&generated.pages));
        generated
    }

    fn subjects(&self) -> Vec<Subject<'_>> {
        let schema = &*self.schema;
        let provider =
            Subject { kind: PageKind::Provider, name: &self.provider, content: Content::Schema(&schema.provider) };
        let mut subjects = vec![provider];
        for (kind, components) in [
            (PageKind::Resource, &schema.resources),
            (PageKind::DataSource, &schema.data_sources),
            (PageKind::EphemeralResource, &schema.ephemeral_resources),
            (PageKind::ListResource, &schema.list_resources),
            (PageKind::Action, &schema.actions),
            (PageKind::StateStore, &schema.state_stores),
        ] {
            subjects.extend(components.iter().map(|(name, schema)| Subject {
                kind,
                name,
                content: Content::Schema(schema),
            }));
        }
        subjects.extend(schema.functions.iter().map(|(name, signature)| Subject {
            kind: PageKind::Function,
            name,
            content: Content::Function(signature),
        }));
        subjects.retain(|subject| self.with_deprecated || subject.content.deprecation().is_none());
        subjects
    }

    /// `templates/**/*.md` are copied, guides for instance; one with the path of a generated page takes its place.
    fn copy_pages_of_people(&self, pages: &mut Vec<Page>) {
        for (path, text) in self.sources.pages_of_people() {
            pages.retain(|page| page.path != path);
            pages.push(Page { path, text: text.to_owned() });
        }
    }
}

/// What one page is about.
struct Subject<'s> {
    kind: PageKind,
    /// The component's whole name; for the provider, the provider's.
    name: &'s str,
    content: Content<'s>,
}

enum Content<'s> {
    Schema(&'s Schema),
    Function(&'s FunctionSignature),
}

impl Content<'_> {
    fn deprecation(&self) -> Option<&str> {
        match self {
            Self::Schema(schema) => schema.block.deprecation.as_deref(),
            Self::Function(signature) => signature.deprecation.as_deref(),
        }
    }
}

/// Holds the documentation below `root` (`docs/`, from `examples/` and `templates/` beside it) to what the provider's schema
/// says. Where the environment has [`UPDATE_VARIABLE`], writes it instead.
///
/// # Errors
/// The provider tells no schema, files cannot be read or written, a source has a [`Problem`], or the documentation is not
/// current; then every page that differs is named.
pub async fn keep_current(provider: &dyn Provider, name: &str, root: impl AsRef<Path>) -> Result<(), Error> {
    let root = root.as_ref();
    let answer = provider.get_provider_schema(&Call::new(), GetProviderSchemaRequest::default()).await;
    let answer = answer.map_err(|error| Error::Schema { message: error.to_string() })?;
    if let Some(error) = answer.diagnostics.errors().next() {
        return Err(Error::Schema { message: format!("{}: {}", error.summary, error.detail) });
    }
    let generated = Documentation::new(name, answer.schema).with_sources(Sources::read(root)?).generate();
    if !generated.problems.is_empty() {
        return Err(Error::Problems { problems: generated.problems });
    }
    if std::env::var_os(UPDATE_VARIABLE).is_some_and(|value| !value.is_empty()) {
        write(root, &generated.pages)
    } else {
        check(root, &generated.pages)
    }
}
