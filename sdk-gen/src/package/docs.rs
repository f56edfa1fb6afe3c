//! Descriptions and deprecations, which the name tables do not carry: they are found by walking the schema beside the
//! tables.

use std::borrow::Cow;

use denobridge_core::schema::{Attribute, AttributeType, Block, Description};

/// The part of the schema that documents one object level.
#[derive(Clone, Copy)]
pub(crate) enum Docs<'s> {
    /// The attributes and nested blocks of a block.
    Block(&'s Block),
    /// Nested attributes.
    Attributes(&'s [Attribute]),
    /// Object types inside attribute types have no documentation.
    None,
}

/// What is said of one attribute or nested block, and where the documentation of what is inside it is.
pub(crate) struct Entry<'s> {
    pub(crate) description: Cow<'s, Description>,
    /// The provider's words on what is deprecated; they may be empty.
    pub(crate) deprecation: Option<&'s str>,
    pub(crate) inside: Docs<'s>,
}

impl<'s> Docs<'s> {
    /// What is said of the attribute or block of that Terraform name.
    pub(crate) fn find(self, name: &str) -> Entry<'s> {
        let attributes = match self {
            Self::Block(block) => &block.attributes,
            Self::Attributes(attributes) => attributes,
            Self::None => return Entry::nothing(),
        };
        if let Some(attribute) = attributes.iter().find(|attribute| &*attribute.name == name) {
            let inside = match &attribute.ty {
                AttributeType::Plain(_) => Self::None,
                AttributeType::Nested(nested) => Self::Attributes(&nested.attributes),
            };
            let description = Cow::Borrowed(&attribute.description);
            return Entry { description, deprecation: attribute.deprecation.as_deref(), inside };
        }
        match self {
            Self::Block(block) if let Some(nested) = block.nested_block(name) => Entry {
                description: Cow::Borrowed(&nested.block.description),
                deprecation: nested.block.deprecation.as_deref(),
                inside: Self::Block(&nested.block),
            },
            _ => Entry::nothing(),
        }
    }
}

impl Entry<'_> {
    fn nothing() -> Self {
        Self { description: Cow::default(), deprecation: None, inside: Docs::None }
    }
}

/// The text of a description. Pulumi reads descriptions as Markdown with short codes of its own, of which `ref` must
/// name something in the schema or the whole schema is refused; text that only looks like one is broken up.
pub(crate) fn description(description: &Description) -> String {
    let text = description.text.trim_end();
    let mut parts = text.split("{{%");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_reference = part.trim_start().trim_start_matches('/').starts_with("ref");
        out.push_str(if is_reference { "{{ %" } else { "{{%" });
        out.push_str(part);
    }
    out
}

/// The message of a deprecation. An empty message would mean "not deprecated" to Pulumi.
pub(crate) fn deprecation(message: Option<&str>) -> Option<String> {
    message.map(|text| if text.is_empty() { "Deprecated".to_owned() } else { text.to_owned() })
}
