//! Whether a schema is one that Terraform accepts: its own rules at load time, and those that keep it from crashing later.

use std::collections::BTreeSet;

use denobridge_core::cty::{Path, PathStep, Type};
use denobridge_core::limits::MAX_DEPTH;
use denobridge_core::schema::{Attribute, AttributeType, Block, IdentitySchema, NestedBlock, Nesting, Schema};

use super::fault::{SchemaFault, SchemaProblem};

/// What kind of component a schema is of: some rules differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaKind {
    /// A provider's own configuration.
    Provider,
    /// A managed resource.
    Resource,
    /// A data source, ephemeral resource, list resource or action.
    Other,
}

/// Names that mean something to Terraform at the root of a resource, data source or action.
const RESERVED: [&str; 7] = ["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"];

/// Names that mean something to Terraform in a provider block, or are to.
const RESERVED_FOR_PROVIDERS: [&str; 6] = ["alias", "count", "depends_on", "for_each", "source", "version"];

/// Whether Terraform keeps the name for itself at the root of such a component's block, so that no attribute can have it.
#[must_use]
pub fn is_reserved(kind: SchemaKind, name: &str) -> bool {
    let names: &[&str] = match kind {
        SchemaKind::Provider => &RESERVED_FOR_PROVIDERS,
        SchemaKind::Resource | SchemaKind::Other => &RESERVED,
    };
    names.contains(&name)
}

/// Everything that is wrong with a schema, each with its full path. `component` says whose schema it is.
#[must_use]
pub fn check(component: &str, kind: SchemaKind, schema: &Schema) -> Vec<SchemaProblem> {
    let mut checker = Checker { component, kind, path: Path::root(), within: Within::default(), problems: Vec::new() };
    if schema.version < 0 {
        checker.found(SchemaFault::NegativeVersion(schema.version));
    }
    checker.block(&schema.block);
    checker.problems
}

/// Everything that is wrong with an identity's schema.
#[must_use]
pub fn check_identity(component: &str, schema: &IdentitySchema) -> Vec<SchemaProblem> {
    let kind = SchemaKind::Other;
    let mut checker = Checker { component, kind, path: Path::root(), within: Within::default(), problems: Vec::new() };
    if schema.version < 0 {
        checker.found(SchemaFault::NegativeVersion(schema.version));
    }
    let mut names = BTreeSet::new();
    for attribute in &schema.attributes {
        checker.at(&attribute.name, |checker| {
            if !is_identifier(&attribute.name) {
                checker.found(SchemaFault::Name);
            }
            if !names.insert(&attribute.name) {
                checker.found(SchemaFault::Duplicate);
            }
            let fits = match &attribute.ty {
                Type::List(element) => element.is_primitive(),
                ty => ty.is_primitive(),
            };
            if !fits {
                checker.found(SchemaFault::IdentityType(attribute.ty.clone()));
            }
            if attribute.required_for_import == attribute.optional_for_import {
                checker.found(SchemaFault::IdentityFlag);
            }
        });
    }
    checker.problems
}

/// What surrounds the part that is looked at.
#[derive(Clone, Copy, Default)]
struct Within {
    collection: bool,
    set: bool,
    depth: usize,
}

impl Within {
    fn nested(self, nesting: Nesting) -> Self {
        Self {
            collection: self.collection || matches!(nesting, Nesting::List | Nesting::Set | Nesting::Map),
            set: self.set || nesting == Nesting::Set,
            // A level for the collection and one for the object.
            depth: self.depth + 2,
        }
    }
}

struct Checker<'c> {
    component: &'c str,
    kind: SchemaKind,
    path: Path,
    within: Within,
    problems: Vec<SchemaProblem>,
}

impl Checker<'_> {
    fn found(&mut self, fault: SchemaFault) {
        self.problems.push(SchemaProblem { component: self.component.to_owned(), path: self.path.clone(), fault });
    }

    fn found_if(&mut self, wrong: bool, fault: SchemaFault) {
        if wrong {
            self.found(fault);
        }
    }

    fn at(&mut self, name: &std::sync::Arc<str>, check: impl FnOnce(&mut Self)) {
        self.path.push(PathStep::Attribute(std::sync::Arc::clone(name)));
        check(self);
        self.path.pop();
    }

    fn inside(&mut self, nesting: Nesting, check: impl FnOnce(&mut Self)) {
        let around = self.within;
        self.within = around.nested(nesting);
        // Who nests deeper than this is told once, not at every leaf, and the walk ends.
        if self.within.depth > MAX_DEPTH {
            self.found(SchemaFault::TooDeep(MAX_DEPTH));
        } else {
            check(self);
        }
        self.within = around;
    }

    fn block(&mut self, block: &Block) {
        self.attributes(&block.attributes, &mut BTreeSet::new());
        let mut names: BTreeSet<&str> = block.attributes.iter().map(|attribute| &*attribute.name).collect();
        for nested in &block.blocks {
            self.at(&nested.name, |checker| {
                checker.found_if(!is_block_name(&nested.name), SchemaFault::Name);
                checker.found_if(!names.insert(&nested.name), SchemaFault::Duplicate);
                checker.reserved(&nested.name);
                checker.nested_block(nested);
            });
        }
    }

    fn attributes<'a>(&mut self, attributes: &'a [Attribute], names: &mut BTreeSet<&'a str>) {
        for attribute in attributes {
            self.at(&attribute.name, |checker| {
                checker.found_if(!is_identifier(&attribute.name), SchemaFault::Name);
                checker.found_if(!names.insert(&attribute.name), SchemaFault::Duplicate);
                checker.reserved(&attribute.name);
                checker.flags(attribute);
                checker.values(attribute);
                checker.attribute_type(attribute);
            });
        }
    }

    fn reserved(&mut self, name: &str) {
        self.found_if(self.path.steps().len() == 1 && is_reserved(self.kind, name), SchemaFault::Reserved);
    }

    fn flags(&mut self, attribute: &Attribute) {
        let Attribute { required, optional, computed, write_only, .. } = *attribute;
        self.found_if(!required && !optional && !computed, SchemaFault::NoFlag);
        self.found_if(required && optional, SchemaFault::RequiredAndOptional);
        self.found_if(required && computed, SchemaFault::RequiredAndComputed);
        self.found_if(write_only && computed, SchemaFault::WriteOnlyComputed);
        self.found_if(write_only && self.within.set, SchemaFault::WriteOnlyInSet);
        self.found_if(write_only && self.kind != SchemaKind::Resource, SchemaFault::WriteOnlyKind);
        let Some(annotations) = &attribute.annotations else { return };
        self.found_if(annotations.keeps_state && !computed, SchemaFault::KeepsWithoutComputed);
        if annotations.default.is_some() {
            self.found_if(required, SchemaFault::RequiredDefault);
            self.found_if(write_only, SchemaFault::WriteOnlyDefault);
            self.found_if(computed && !optional && !required, SchemaFault::ComputedOnlyDefault);
        }
    }

    fn values(&mut self, attribute: &Attribute) {
        let Some(annotations) = &attribute.annotations else { return };
        let wanted = attribute.implied_type();
        if let Some(default) = &annotations.default {
            self.found_if(default.is_null() || !default.is_wholly_known(), SchemaFault::DefaultNotKnown);
            let found = default.ty();
            if !found.conforms_to(&wanted) {
                self.found(SchemaFault::DefaultType { wanted: wanted.clone(), found });
            }
        }
        for value in &annotations.enum_values {
            let found = value.ty();
            if !found.conforms_to(&wanted) {
                self.found(SchemaFault::EnumType { wanted: wanted.clone(), found });
            }
        }
    }

    fn attribute_type(&mut self, attribute: &Attribute) {
        match &attribute.ty {
            AttributeType::Plain(ty) => {
                let depth = self.within.depth + ty.depth();
                self.found_if(depth > MAX_DEPTH, SchemaFault::TooDeep(MAX_DEPTH));
                let dynamic = dynamic_in_collection(ty) || (self.within.collection && ty.has_dynamic());
                self.found_if(dynamic, SchemaFault::DynamicInCollection);
            }
            AttributeType::Nested(nested) => {
                self.found_if(nested.nesting == Nesting::Group, SchemaFault::GroupAttribute);
                self.inside(nested.nesting, |checker| checker.attributes(&nested.attributes, &mut BTreeSet::new()));
            }
        }
    }

    fn nested_block(&mut self, nested: &NestedBlock) {
        let (min, max) = (nested.min_items, nested.max_items);
        match nested.nesting {
            Nesting::Single => self.found_if(min > 1 || max > 1 || min > max, SchemaFault::SingleItemBounds),
            Nesting::Group | Nesting::Map => self.found_if(min > 0 || max > 0, SchemaFault::ItemBoundsNotAllowed),
            Nesting::List | Nesting::Set => {
                self.found_if(max > 0 && min > max, SchemaFault::ItemBounds { min, max });
            }
        }
        if nested.block.computed {
            let wrong = min > 0 || nested.nesting == Nesting::Group || !all_computed(&nested.block);
            self.found_if(wrong, SchemaFault::ComputedBlock);
        }
        self.inside(nested.nesting, |checker| checker.block(&nested.block));
    }
}

fn all_computed(block: &Block) -> bool {
    block.attributes.iter().all(|attribute| attribute.computed)
        && block.blocks.iter().all(|nested| nested.block.computed)
}

/// Whether `dynamic` is anywhere inside a list, set or map.
fn dynamic_in_collection(ty: &Type) -> bool {
    match ty {
        Type::String | Type::Number | Type::Bool | Type::Dynamic => false,
        Type::List(element) | Type::Set(element) | Type::Map(element) => element.has_dynamic(),
        Type::Object(object) => object.attributes.values().any(dynamic_in_collection),
        Type::Tuple(elements) => elements.iter().any(dynamic_in_collection),
    }
}

fn is_block_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

fn is_identifier(name: &str) -> bool {
    is_block_name(name) && !name.starts_with(|first: char| first.is_ascii_digit())
}
