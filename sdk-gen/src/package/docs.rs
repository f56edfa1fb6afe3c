//! Descriptions and deprecations, which the name tables do not carry: they are found by walking the schema beside the
//! tables.

use denobridge_core::schema::{Attribute, AttributeType, Block, Description};

/// The part of the schema that documents one object level.
#[derive(Clone, Copy)]
pub(super) enum Docs<'s> {
    /// The attributes and nested blocks of a block.
    Block(&'s Block),
    /// Nested attributes.
    Attributes(&'s [Attribute]),
    /// Object types inside attribute types have no documentation.
    None,
}

/// What is said of one attribute or nested block, and where the documentation of what is inside it is.
pub(super) struct Entry<'s> {
    pub(super) description: String,
    pub(super) deprecation: Option<String>,
    pub(super) inside: Docs<'s>,
}

impl<'s> Docs<'s> {
    /// What is said of the attribute or block of that Terraform name.
    pub(super) fn entry(self, name: &str) -> Entry<'s> {
        let attributes = match self {
            Self::Block(block) => &block.attributes,
            Self::Attributes(attributes) => attributes,
            Self::None => return Entry { description: String::new(), deprecation: None, inside: Self::None },
        };
        if let Some(attribute) = attributes.iter().find(|attribute| &*attribute.name == name) {
            let inside = match &attribute.ty {
                AttributeType::Plain(_) => Self::None,
                AttributeType::Nested(nested) => Self::Attributes(&nested.attributes),
            };
            return Entry {
                description: description(&attribute.description),
                deprecation: deprecation(attribute.deprecation.as_deref()),
                inside,
            };
        }
        match self {
            Self::Block(block) if let Some(nested) = block.nested_block(name) => Entry {
                description: description(&nested.block.description),
                deprecation: deprecation(nested.block.deprecation.as_deref()),
                inside: Self::Block(&nested.block),
            },
            _ => Entry { description: String::new(), deprecation: None, inside: Self::None },
        }
    }
}

/// The text of a description. Pulumi reads descriptions as Markdown with short codes of its own, of which `ref` must
/// name something in the schema or the whole schema is refused; text that only looks like one is broken up.
pub(super) fn description(description: &Description) -> String {
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
pub(super) fn deprecation(message: Option<&str>) -> Option<String> {
    message.map(|text| if text.is_empty() { "Deprecated".to_owned() } else { text.to_owned() })
}
