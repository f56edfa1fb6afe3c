//! The proposed new state: the configuration merged into the prior state, which core sends with every plan request so
//! that a provider starts from "nothing changes that nobody asked for".
//!
//! The branches are those of Terraform core's `objchange.ProposedNew` (1.17), its peculiarities included: providers are
//! written against what core really sends.

use super::compare::{elements, member, same_value, with_elements};
use super::empty::empty_block;
use crate::cty::{PathStep, Type, Value, ValueKind};
use crate::schema::{Attribute, AttributeType, Block, NestedBlock, NestedObject, Nesting};

/// Merges a configuration into a prior state, both values of `block`.
///
/// - An attribute that the configuration sets is the configuration's, unknown included.
/// - A computed attribute that the configuration leaves out keeps its prior value; unless it is an optional nested
///   attribute whose prior value holds something that only a configuration can have put there: then somebody has
///   removed it from the configuration, and it is null.
/// - Every other attribute is null where the configuration leaves it out.
/// - Nested blocks and nested attributes are merged one by one: lists by position, maps by key, sets with the first
///   prior element that differs from the configured one in nothing but what the provider computed.
///
/// Both null gives null. A prior state of null is taken as an empty block. Computed blocks are the caller's affair
/// ([`super::unset_computed_blocks`]). Marks of the configuration stay on what comes from it.
#[must_use]
pub fn proposed_new_state(block: &Block, prior: &Value, config: &Value) -> Value {
    if config.is_null() && prior.is_null() {
        return prior.clone();
    }
    if config.is_null() || !config.is_known() {
        return if prior.is_null() { empty_block(block) } else { prior.clone() };
    }
    let empty;
    let prior = if prior.is_null() {
        empty = empty_block(block);
        &empty
    } else {
        prior
    };
    let attributes = proposed_attributes(&block.attributes, prior, config);
    let blocks = block.blocks.iter().map(|nested| {
        let prior = member(prior, &nested.name, || nested.implied_type());
        let config = member(config, &nested.name, || nested.implied_type());
        (nested.name.clone(), proposed_nested_block(nested, &prior, &config))
    });
    Value::object(attributes.into_iter().chain(blocks)).with_marks(config.marks())
}

fn proposed_attributes(attributes: &[Attribute], prior: &Value, config: &Value) -> Vec<(std::sync::Arc<str>, Value)> {
    attributes
        .iter()
        .map(|attribute| {
            let prior = member(prior, &attribute.name, || attribute.implied_type());
            let config = member(config, &attribute.name, || attribute.implied_type());
            (attribute.name.clone(), proposed_attribute(attribute, prior, config))
        })
        .collect()
}

fn proposed_attribute(attribute: &Attribute, prior: Value, config: Value) -> Value {
    if attribute.computed && config.is_null() {
        return if was_configured(attribute, &prior) { config } else { prior };
    }
    match &attribute.ty {
        AttributeType::Plain(_) => config,
        AttributeType::Nested(nested) => proposed_nested_attribute(nested, &prior, &config),
    }
}

/// Whether the prior value of an optional nested attribute holds anything that the provider cannot have computed.
fn was_configured(attribute: &Attribute, prior: &Value) -> bool {
    let AttributeType::Nested(nested) = &attribute.ty else { return false };
    attribute.optional && holds_configured_part(nested, prior)
}

fn holds_configured_part(nested: &NestedObject, value: &Value) -> bool {
    objects(nested.nesting, value).into_iter().any(|object| {
        nested.attributes.iter().any(|attribute| match object.attribute(&attribute.name) {
            None => false,
            Some(value) if value.is_null() => false,
            Some(_) if !attribute.computed => true,
            Some(value) => match &attribute.ty {
                AttributeType::Plain(_) => false,
                AttributeType::Nested(inner) => holds_configured_part(inner, value),
            },
        })
    })
}

/// The objects that a nested value consists of.
fn objects(nesting: Nesting, value: &Value) -> Vec<&Value> {
    match nesting {
        Nesting::Single | Nesting::Group => vec![value],
        Nesting::List | Nesting::Set | Nesting::Map => value.children().collect(),
    }
}

fn proposed_nested_block(nested: &NestedBlock, prior: &Value, config: &Value) -> Value {
    // An unknown block stands for a dynamic block whose number is not known yet.
    if !config.is_known() {
        return config.clone();
    }
    let content = Content::Block(&nested.block);
    match nested.nesting {
        Nesting::Single if config.is_null() => config.clone(),
        Nesting::Single | Nesting::Group => proposed_new_state(&nested.block, prior, config),
        Nesting::List => proposed_list(content, prior, config),
        Nesting::Map => proposed_map(content, prior, config),
        Nesting::Set => proposed_set(content, prior, config),
    }
}

fn proposed_nested_attribute(nested: &NestedObject, prior: &Value, config: &Value) -> Value {
    if !config.is_known() || config.is_null() {
        return config.clone();
    }
    let content = Content::Object(nested);
    match nested.nesting {
        Nesting::Single | Nesting::Group => content.proposed(prior, config),
        Nesting::List => proposed_list(content, prior, config),
        Nesting::Map => proposed_map(content, prior, config),
        Nesting::Set => proposed_set(content, prior, config),
    }
}

/// What the elements of a collection are made of.
#[derive(Clone, Copy)]
enum Content<'s> {
    Block(&'s Block),
    Object(&'s NestedObject),
}

impl<'s> Content<'s> {
    fn proposed(self, prior: &Value, config: &Value) -> Value {
        match self {
            Self::Block(block) => proposed_new_state(block, prior, config),
            Self::Object(_) if config.is_null() => config.clone(),
            Self::Object(nested) => {
                Value::object(proposed_attributes(&nested.attributes, prior, config)).with_marks(config.marks())
            }
        }
    }

    fn attributes(self) -> &'s [Attribute] {
        match self {
            Self::Block(block) => &block.attributes,
            Self::Object(nested) => &nested.attributes,
        }
    }

    fn blocks(self) -> &'s [NestedBlock] {
        match self {
            Self::Block(block) => &block.blocks,
            Self::Object(_) => &[],
        }
    }
}

/// By position. An element without a prior one is taken as it is.
fn proposed_list(content: Content<'_>, prior: &Value, config: &Value) -> Value {
    let proposed = elements(config)
        .into_iter()
        .map(|(step, element)| match prior.step(&step) {
            _ if !prior.is_known() => content.proposed(&Value::unknown(element.ty()), element),
            Some(prior) => content.proposed(prior, element),
            None => element.clone(),
        })
        .collect();
    with_elements(config, proposed)
}

/// By key, in maps and in the objects that stand for maps of blocks with dynamic attributes.
fn proposed_map(content: Content<'_>, prior: &Value, config: &Value) -> Value {
    let prior_of = |step: &PathStep, element: &Value| {
        if !prior.is_known() {
            return Value::unknown(element.ty());
        }
        let (PathStep::Key(key) | PathStep::Attribute(key)) = step else { return Value::null(element.ty()) };
        let found = prior.as_entries().and_then(|entries| entries.get(key));
        found.cloned().unwrap_or_else(|| Value::null(element.ty()))
    };
    let proposed = elements(config)
        .into_iter()
        .map(|(step, element)| content.proposed(&prior_of(&step, element), element))
        .collect();
    with_elements(config, proposed)
}

/// By likeness: each prior element is used at most once, in the set's own order.
fn proposed_set(content: Content<'_>, prior: &Value, config: &Value) -> Value {
    let mut unused: Vec<Option<&Value>> = prior.children().map(Some).collect();
    let proposed = config
        .children()
        .map(|element| {
            let position = unused
                .iter()
                .position(|candidate| candidate.is_some_and(|candidate| may_have_become(content, element, candidate)));
            let prior = position.and_then(|position| unused.get_mut(position)).and_then(Option::take);
            match prior {
                Some(prior) => content.proposed(prior, element),
                None => content.proposed(&Value::null(element.ty()), element),
            }
        })
        .collect();
    with_elements(config, proposed)
}

/// Whether `prior` can be what a provider made of `config`: equal but for computed attributes that the configuration
/// leaves out. Only what the prior element holds is looked at. Sets inside must be equal, since there is no telling which
/// of their elements belong together.
fn may_have_become(content: Content<'_>, config: &Value, prior: &Value) -> bool {
    if same_value(config, prior) || prior.is_null() || !prior.is_known() {
        return true;
    }
    let attributes = content.attributes().iter().all(|attribute| {
        let Some(prior) = prior.attribute(&attribute.name) else { return true };
        let Some(config) = part_of(config, &PathStep::Attribute(attribute.name.clone()), prior) else { return false };
        match &attribute.ty {
            _ if same_value(&config, prior) => true,
            _ if is_set(&config) => false,
            AttributeType::Nested(nested) => {
                nested_may_have_become(nested.nesting, Content::Object(nested), &config, prior)
            }
            AttributeType::Plain(_) => attribute.computed && config.is_null(),
        }
    });
    attributes
        && content.blocks().iter().all(|nested| {
            let Some(prior) = prior.attribute(&nested.name) else { return true };
            let Some(config) = part_of(config, &PathStep::Attribute(nested.name.clone()), prior) else { return false };
            same_value(&config, prior)
                || (!is_set(&config)
                    && nested_may_have_become(nested.nesting, Content::Block(&nested.block), &config, prior))
        })
}

fn nested_may_have_become(nesting: Nesting, content: Content<'_>, config: &Value, prior: &Value) -> bool {
    match nesting {
        Nesting::Single | Nesting::Group => may_have_become(content, config, prior),
        Nesting::List | Nesting::Set | Nesting::Map => elements(prior).into_iter().all(|(step, prior)| {
            part_of(config, &step, prior).is_some_and(|config| may_have_become(content, &config, prior))
        }),
    }
}

/// The part of a configuration value that corresponds to a prior part; a part of something unknown is unknown.
fn part_of(config: &Value, step: &PathStep, prior: &Value) -> Option<Value> {
    if config.is_known() { config.step(step).cloned() } else { Some(Value::unknown(prior.ty())) }
}

fn is_set(value: &Value) -> bool {
    match value.kind() {
        ValueKind::Null(ty) | ValueKind::Unknown(ty, _) => matches!(ty, Type::Set(_)),
        ValueKind::Set(..) => true,
        _ => false,
    }
}
