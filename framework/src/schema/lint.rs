//! What is legal in a schema and worth changing all the same: descriptions that are missing, names that users will stumble
//! over.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::{Path, PathStep};
use denobridge_core::schema::{
    Attribute, AttributeType, Block, FunctionSignature, IdentitySchema, ProviderSchema, Schema,
};
use thiserror::Error;

/// One thing that is worth changing in the schema of a component.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{component}{}{path}: {advice}", if path.is_root() { "" } else { ", " })]
pub struct SchemaAdvice {
    /// Whose schema: `resource example_thing`.
    pub component: String,
    /// Which attribute, block or parameter, from the root: `disk.path`. Root for the component itself.
    pub path: Path,
    /// What is worth changing.
    pub advice: Advice,
}

/// What is worth changing.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Advice {
    /// Nothing for the documentation to say.
    #[error("it has no description")]
    NoDescription,
    /// Nothing for lists of functions to say.
    #[error("it has no summary")]
    NoSummary,
    /// A name from which Terraform concludes that another provider has the component.
    #[error("its name does not begin with \"{provider}_\", from which Terraform tells the provider it belongs to")]
    ForeignName {
        /// The provider's name in configurations.
        provider: String,
    },
    /// Underscores where no word is.
    #[error("its name begins or ends with an underscore, or has two in a row")]
    UntidyName,
    /// A version that stored states cannot be told from ones without a version by.
    #[error("the schema version is 0; counting from 1 tells stored states from ones that never had a version")]
    VersionZero,
}

/// Everything that is worth changing in a provider's schema, in order. `provider` is what configurations call it: `example`,
/// whose resources are `example_…`.
///
/// It is advice, and a provider works without following it; one that wants to be held to it has a test. Version 0 is what
/// most providers begin with, so leave that out if it is no concern:
///
/// ```
/// use denobridge_core::schema::ProviderSchema;
/// use denobridge_framework::schema::{Advice, lint, resource, string};
///
/// let thing = resource([string("name").required().describe("What people call it.")]).describe("A thing.").build();
/// let schema = ProviderSchema { resources: [("example_thing".into(), thing)].into(), ..ProviderSchema::default() };
/// let mut found = lint("example", &schema);
/// found.retain(|found| found.advice != Advice::VersionZero);
/// assert_eq!(found, []);
/// ```
#[must_use]
pub fn lint(provider: &str, schema: &ProviderSchema) -> Vec<SchemaAdvice> {
    let mut linter = Linter { provider, component: String::new(), path: Path::root(), found: Vec::new() };
    for (component, schema) in
        [("provider configuration", Some(&schema.provider)), ("provider_meta", schema.provider_meta.as_ref())]
    {
        let Some(schema) = schema.filter(|schema| !is_empty(&schema.block)) else { continue };
        component.clone_into(&mut linter.component);
        linter.block(&schema.block);
    }
    linter.components("resource", &schema.resources, |linter, schema| {
        linter.found_if(schema.version == 0, Advice::VersionZero);
    });
    linter.identities(&schema.identities);
    linter.components("data source", &schema.data_sources, |_, _| {});
    linter.components("ephemeral resource", &schema.ephemeral_resources, |_, _| {});
    linter.components("list resource", &schema.list_resources, |_, _| {});
    linter.components("state store", &schema.state_stores, |_, _| {});
    linter.components("action", &schema.actions, |_, _| {});
    linter.functions(&schema.functions);
    linter.found
}

fn is_empty(block: &Block) -> bool {
    block.attributes.is_empty() && block.blocks.is_empty()
}

struct Linter<'p> {
    provider: &'p str,
    component: String,
    path: Path,
    found: Vec<SchemaAdvice>,
}

impl Linter<'_> {
    fn found_if(&mut self, wrong: bool, advice: Advice) {
        if wrong {
            let (component, path) = (self.component.clone(), self.path.clone());
            self.found.push(SchemaAdvice { component, path, advice });
        }
    }

    /// Looks at what is called so, and at its name.
    fn at(&mut self, name: &Arc<str>, look: impl FnOnce(&mut Self)) {
        self.path.push(PathStep::Attribute(Arc::clone(name)));
        self.found_if(is_untidy(name), Advice::UntidyName);
        look(self);
        self.path.pop();
    }

    fn components(&mut self, kind: &str, components: &BTreeMap<Arc<str>, Schema>, more: fn(&mut Self, &Schema)) {
        for (name, schema) in components {
            self.component = format!("{kind} {name}");
            let own = name.strip_prefix(self.provider).is_some_and(|rest| rest.starts_with('_'));
            self.found_if(!own, Advice::ForeignName { provider: self.provider.to_owned() });
            self.found_if(is_untidy(name), Advice::UntidyName);
            more(self, schema);
            self.block(&schema.block);
        }
    }

    fn identities(&mut self, identities: &BTreeMap<Arc<str>, IdentitySchema>) {
        for (name, schema) in identities {
            self.component = format!("identity of resource {name}");
            for attribute in &schema.attributes {
                self.at(&attribute.name, |linter| linter.described(&attribute.description));
            }
        }
    }

    fn functions(&mut self, functions: &BTreeMap<Arc<str>, FunctionSignature>) {
        for (name, signature) in functions {
            self.component = format!("function {name}");
            self.found_if(is_untidy(name), Advice::UntidyName);
            self.found_if(is_blank(&signature.summary), Advice::NoSummary);
            self.described(&signature.description.text);
            for parameter in signature.parameters.iter().chain(&signature.variadic) {
                self.at(&parameter.name, |linter| linter.described(&parameter.description.text));
            }
        }
    }

    fn block(&mut self, block: &Block) {
        self.described(&block.description.text);
        self.attributes(&block.attributes);
        for nested in &block.blocks {
            self.at(&nested.name, |linter| linter.block(&nested.block));
        }
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.at(&attribute.name, |linter| {
                linter.described(&attribute.description.text);
                if let AttributeType::Nested(nested) = &attribute.ty {
                    linter.attributes(&nested.attributes);
                }
            });
        }
    }

    fn described(&mut self, text: &str) {
        self.found_if(is_blank(text), Advice::NoDescription);
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn is_untidy(name: &str) -> bool {
    name.starts_with('_') || name.ends_with('_') || name.contains("__")
}
