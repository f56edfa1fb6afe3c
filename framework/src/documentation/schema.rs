//! The section on a schema: what must, may and cannot be set, and below it what nested attributes and blocks hold.

use std::fmt::Write as _;

use denobridge_core::cty::{ObjectType, Type, json};
use denobridge_core::schema::{
    Annotations, Attribute, AttributeType, Block, IdentityAttribute, IdentitySchema, NestedBlock, Nesting,
};

use super::types;

const ABOUT_WRITE_ONLY: &str =
    "https://developer.hashicorp.com/terraform/language/resources/ephemeral#write-only-arguments";

/// The section on the schema of a component.
pub(super) fn markdown(block: &Block) -> String {
    let mut writer = Writer { text: "## Schema\n\n".to_owned() };
    writer.children(&[], block.attributes.iter().map(Child::Attribute).chain(block.blocks.iter().map(Child::Block)));
    let text = writer.text.trim_end();
    format!("{text}\n")
}

/// The section on what an `import` block's `identity` takes.
pub(super) fn identity_markdown(identity: &IdentitySchema) -> String {
    let mut text = "### Identity Schema\n".to_owned();
    let required = |attribute: &&IdentityAttribute| attribute.required_for_import;
    let optional = |attribute: &&IdentityAttribute| !attribute.required_for_import;
    let mut attributes: Vec<&IdentityAttribute> = identity.attributes.iter().collect();
    attributes.sort_by(|one, other| one.name.cmp(&other.name));
    for (heading, members) in [
        ("Required", attributes.iter().copied().filter(required).collect::<Vec<_>>()),
        ("Optional", attributes.iter().copied().filter(optional).collect()),
    ] {
        if !members.is_empty() {
            let _ = write!(text, "\n#### {heading}\n\n");
        }
        for attribute in members {
            let head = format!("- `{}` ({})", attribute.name, types::in_words(&attribute.ty));
            let _ = writeln!(text, "{}", with_description(head, &attribute.description));
        }
    }
    text
}

/// `head`, and after it the description, whose further lines are indented so that they stay in the same list item.
pub(super) fn with_description(head: String, description: &str) -> String {
    let mut text = head;
    for (index, line) in description.trim().lines().enumerate() {
        let is_flush = !line.starts_with([' ', '\t']) && !line.trim().is_empty();
        text.push_str(match index {
            0 => " ",
            _ if is_flush => "\n  ",
            _ => "\n",
        });
        text.push_str(line.trim_end());
    }
    text
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Required,
    Optional,
    ReadOnly,
}

impl Section {
    fn title(self) -> &'static str {
        match self {
            Self::Required => "Required",
            Self::Optional => "Optional",
            Self::ReadOnly => "Read-Only",
        }
    }

    /// An attribute without any flag is optional: that is what the framework makes of it.
    fn of(attribute: &Attribute, is_root: bool) -> Self {
        if attribute.required {
            Self::Required
        } else if is_root && is_undescribed_id(attribute) || attribute.computed && !attribute.optional {
            Self::ReadOnly
        } else {
            Self::Optional
        }
    }

    fn of_block(block: &NestedBlock) -> Self {
        if block.min_items > 0 {
            Self::Required
        } else if block.block.computed || !is_empty(&block.block) && is_read_only(&block.block) {
            Self::ReadOnly
        } else {
            Self::Optional
        }
    }
}

/// Older SDKs give every resource an `id` that configurations could set and never do.
fn is_undescribed_id(attribute: &Attribute) -> bool {
    &*attribute.name == "id" && attribute.description.text.trim().is_empty()
}

fn is_empty(block: &Block) -> bool {
    block.attributes.is_empty() && block.blocks.is_empty()
}

fn is_read_only(block: &Block) -> bool {
    block.attributes.iter().all(|attribute| Section::of(attribute, false) == Section::ReadOnly)
        && block.blocks.iter().all(|nested| Section::of_block(nested) == Section::ReadOnly)
}

fn has_write_only(block: &Block) -> bool {
    block.attributes.iter().any(|attribute| attribute.write_only)
        || block.blocks.iter().any(|nested| has_write_only(&nested.block))
}

#[derive(Clone, Copy)]
enum Child<'s> {
    Attribute(&'s Attribute),
    Block(&'s NestedBlock),
}

impl<'s> Child<'s> {
    fn name(self) -> &'s str {
        match self {
            Self::Attribute(attribute) => &attribute.name,
            Self::Block(block) => &block.name,
        }
    }

    fn section(self, is_root: bool) -> Section {
        match self {
            Self::Attribute(attribute) => Section::of(attribute, is_root),
            Self::Block(block) => Section::of_block(block),
        }
    }

    fn has_write_only(self) -> bool {
        match self {
            Self::Attribute(attribute) => attribute.write_only,
            Self::Block(block) => has_write_only(&block.block),
        }
    }

    /// What is listed below it.
    fn content(self) -> Option<Content<'s>> {
        match self {
            Self::Block(block) => Some(Content::Block(&block.block)),
            Self::Attribute(attribute) => match &attribute.ty {
                AttributeType::Nested(nested) => Some(Content::Attributes(&nested.attributes)),
                AttributeType::Plain(ty) => types::object_inside(ty).map(Content::Object),
            },
        }
    }

    fn anchor_prefix(self) -> &'static str {
        match self {
            Self::Attribute(_) => "nestedatt",
            Self::Block(_) => "nestedblock",
        }
    }
}

enum Content<'s> {
    Block(&'s Block),
    Attributes(&'s [Attribute]),
    Object(&'s ObjectType),
}

/// What is written below the section that refers to it.
struct Below<'s> {
    anchor: String,
    path: Vec<&'s str>,
    content: Content<'s>,
    section: Section,
}

impl<'s> Below<'s> {
    fn new(anchor_prefix: &str, parents: &[&'s str], name: &'s str, content: Content<'s>, section: Section) -> Self {
        let path: Vec<&str> = parents.iter().copied().chain([name]).collect();
        Self { anchor: format!("{anchor_prefix}--{}", path.join("--")), path, content, section }
    }

    fn link(&self) -> String {
        format!(" (see [below for nested schema](#{}))", self.anchor)
    }
}

struct Writer {
    text: String,
}

impl Writer {
    fn children<'s>(&mut self, parents: &[&'s str], children: impl Iterator<Item = Child<'s>>) {
        let is_root = parents.is_empty();
        let mut children: Vec<Child<'_>> = children.collect();
        children.sort_by_key(|child| child.name());
        let mut below = Vec::new();
        for section in [Section::Required, Section::Optional, Section::ReadOnly] {
            let members: Vec<Child<'_>> =
                children.iter().copied().filter(|child| child.section(is_root) == section).collect();
            if members.is_empty() {
                continue;
            }
            self.heading(section, is_root);
            if members.iter().any(|child| child.has_write_only()) {
                let _ = write!(
                    self.text,
                    "> **Note:** [write-only]({ABOUT_WRITE_ONLY}) needs Terraform 1.11 or later.\n\n"
                );
            }
            for child in members {
                let content = child.content();
                let nested =
                    content.map(|content| Below::new(child.anchor_prefix(), parents, child.name(), content, section));
                let link = nested.as_ref().map(Below::link).unwrap_or_default();
                let _ = writeln!(self.text, "{}{link}", item(child, is_root, section));
                below.extend(nested);
            }
            self.text.push('\n');
        }
        self.below(below);
    }

    fn heading(&mut self, section: Section, is_root: bool) {
        let title = section.title();
        let _ = if is_root { write!(self.text, "### {title}\n\n") } else { write!(self.text, "{title}:\n\n") };
    }

    fn below(&mut self, below: Vec<Below<'_>>) {
        for nested in below {
            let path = nested.path.join(".");
            let _ = write!(self.text, "<a id=\"{}\"></a>\n### Nested Schema for `{path}`\n\n", nested.anchor);
            match nested.content {
                Content::Block(block) => {
                    let blocks = block.blocks.iter().map(Child::Block);
                    self.children(&nested.path, block.attributes.iter().map(Child::Attribute).chain(blocks));
                }
                Content::Attributes(attributes) => {
                    self.children(&nested.path, attributes.iter().map(Child::Attribute));
                }
                Content::Object(object) => self.object(&nested.path, object, nested.section),
            }
        }
    }

    /// The attributes of an object type have no flags of their own: the section is that of the attribute that holds them.
    fn object<'s>(&mut self, parents: &[&'s str], object: &'s ObjectType, section: Section) {
        self.heading(section, false);
        let mut below = Vec::new();
        for (name, ty) in &object.attributes {
            let content = types::object_inside(ty).map(Content::Object);
            let nested = content.map(|content| Below::new("nestedobjatt", parents, name, content, section));
            let link = nested.as_ref().map(Below::link).unwrap_or_default();
            let _ = writeln!(self.text, "- `{name}` ({}){link}", types::in_words(ty));
            below.extend(nested);
        }
        self.text.push('\n');
        self.below(below);
    }
}

fn item(child: Child<'_>, is_root: bool, section: Section) -> String {
    let (marks, description, deprecation) = match child {
        Child::Attribute(attribute) => {
            (attribute_marks(attribute), attribute_description(attribute, is_root), &attribute.deprecation)
        }
        Child::Block(block) => {
            (block_marks(block, section), block.block.description.text.trim().to_owned(), &block.block.deprecation)
        }
    };
    let head = format!("- `{}` ({})", child.name(), marks.join(", "));
    let mut text = with_description(head, &description);
    if let Some(instead) = deprecation.as_deref().map(str::trim).filter(|instead| !instead.is_empty()) {
        text.push_str(&with_description(" **Deprecated:**".to_owned(), instead));
    }
    text
}

fn attribute_marks(attribute: &Attribute) -> Vec<String> {
    let ty = match &attribute.ty {
        AttributeType::Plain(ty) => types::in_words(ty),
        AttributeType::Nested(nested) => format!("Attributes{}", nesting(nested.nesting)),
    };
    let write_only = format!("[Write-only]({ABOUT_WRITE_ONLY})");
    let flags = [
        (attribute.sensitive, "Sensitive"),
        (attribute.deprecation.is_some(), "Deprecated"),
        (attribute.write_only, write_only.as_str()),
    ];
    let flags = flags.into_iter().filter(|(set, _)| *set).map(|(_, mark)| mark.to_owned());
    [ty].into_iter().chain(flags).collect()
}

fn block_marks(block: &NestedBlock, section: Section) -> Vec<String> {
    let mut marks = vec![format!("Block{}", nesting(block.nesting))];
    match block.nesting {
        Nesting::Single | Nesting::Group => marks.push(
            match section {
                Section::Required => "Required",
                Section::Optional => "Optional",
                Section::ReadOnly => "Read-only",
            }
            .to_owned(),
        ),
        Nesting::List | Nesting::Set | Nesting::Map => {
            marks.extend((block.min_items > 0).then(|| format!("Min: {}", block.min_items)));
        }
    }
    marks.extend((block.max_items > 0).then(|| format!("Max: {}", block.max_items)));
    marks.extend(block.block.deprecation.is_some().then(|| "Deprecated".to_owned()));
    marks
}

fn nesting(nesting: Nesting) -> &'static str {
    match nesting {
        Nesting::Single | Nesting::Group => "",
        Nesting::List => " List",
        Nesting::Set => " Set",
        Nesting::Map => " Map",
    }
}

fn attribute_description(attribute: &Attribute, is_root: bool) -> String {
    let mut text = attribute.description.text.trim().to_owned();
    if is_root && is_undescribed_id(attribute) {
        text.push_str("Identifies the object.");
    }
    let known = attribute.annotations.iter().flat_map(|annotations| facts(annotations, attribute));
    for fact in known {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&fact);
    }
    text
}

/// What only our own schemas know of an attribute. A secret's default is not for documentation.
fn facts(annotations: &Annotations, attribute: &Attribute) -> Vec<String> {
    let literal = |value: &denobridge_core::cty::Value| {
        let json = json::to_json(value, &value.ty()).map(|json| json.to_string());
        json.map(|json| format!("`{json}`")).ok()
    };
    let ty = attribute.implied_type();
    let mut facts = Vec::new();
    let allowed: Vec<String> = annotations.enum_values.iter().filter_map(literal).collect();
    if !allowed.is_empty() {
        facts.push(format!("One of {}.", allowed.join(", ")));
    }
    let union: Vec<String> = annotations.union_of.iter().map(types::in_words).collect();
    if !union.is_empty() && ty == Type::Dynamic {
        facts.push(format!("One of the types {}.", union.join(", ")));
    }
    let default = annotations.default.as_ref().filter(|default| !attribute.sensitive && !default.is_null());
    facts.extend(default.and_then(literal).map(|default| format!("Default: {default}.")));
    if annotations.replaces {
        facts.push("A change replaces the resource.".to_owned());
    }
    facts
}
