//! Whether a schema written by hand and the model that holds its values agree.

use std::sync::Arc;

use denobridge_core::cty::{Path, PathStep, Type};
use denobridge_core::schema::{Attribute, AttributeType, Block, Schema};

use crate::model::Model;
use crate::schema::{SchemaFault, SchemaProblem};

/// Everything in which `schema` and the model `M` disagree, each with its path.
pub(super) fn disagreements<M: Model>(component: &str, schema: &Schema) -> Vec<SchemaProblem> {
    let mut found = Found { component, model: M::NAME, path: Path::root(), problems: Vec::new() };
    found.blocks(&schema.block, &M::definition().build());
    found.problems
}

struct Found<'c> {
    component: &'c str,
    model: &'static str,
    path: Path,
    problems: Vec<SchemaProblem>,
}

impl Found<'_> {
    fn at(&mut self, name: &Arc<str>, look: impl FnOnce(&mut Self)) {
        self.path.push(PathStep::Attribute(Arc::clone(name)));
        look(self);
        self.path.pop();
    }

    fn add(&mut self, fault: SchemaFault) {
        self.problems.push(SchemaProblem { component: self.component.to_owned(), path: self.path.clone(), fault });
    }

    fn types(&mut self, schema: Type, held: Type) {
        if schema != held {
            self.add(SchemaFault::ModelType { model: self.model, schema, held });
        }
    }

    fn blocks(&mut self, schema: &Block, held: &Block) {
        self.attributes(&schema.attributes, &held.attributes, &|name| held.nested_block(name).is_some());
        for nested in &schema.blocks {
            self.at(&nested.name, |found| match held.nested_block(&nested.name) {
                Some(held) if held.nesting == nested.nesting => found.blocks(&nested.block, &held.block),
                Some(held) => found.types(nested.implied_type(), held.implied_type()),
                None => match held.attribute(&nested.name) {
                    Some(held) => found.types(nested.implied_type(), held.implied_type()),
                    None => found.add(SchemaFault::NotInModel { model: found.model }),
                },
            });
        }
        let missing = held
            .blocks
            .iter()
            .filter(|held| schema.nested_block(&held.name).is_none() && schema.attribute(&held.name).is_none());
        for held in missing {
            self.at(&held.name, |found| found.add(SchemaFault::NotInSchema { model: found.model }));
        }
        let missing = held
            .attributes
            .iter()
            .filter(|held| schema.attribute(&held.name).is_none() && schema.nested_block(&held.name).is_none());
        for held in missing {
            self.at(&held.name, |found| found.add(SchemaFault::NotInSchema { model: found.model }));
        }
    }

    fn attributes(&mut self, schema: &[Attribute], held: &[Attribute], is_block: &dyn Fn(&str) -> bool) {
        for attribute in schema {
            let other = held.iter().find(|held| held.name == attribute.name);
            self.at(&attribute.name, |found| match (other, &attribute.ty) {
                (Some(held), AttributeType::Nested(nested)) => match &held.ty {
                    AttributeType::Nested(inner) if inner.nesting == nested.nesting => {
                        found.attributes(&nested.attributes, &inner.attributes, &|_| false);
                        found.missing(&nested.attributes, &inner.attributes);
                    }
                    _ => found.types(nested.implied_type(), held.implied_type()),
                },
                (Some(held), AttributeType::Plain(_)) => found.types(attribute.implied_type(), held.implied_type()),
                (None, _) if is_block(&attribute.name) => {}
                (None, _) => found.add(SchemaFault::NotInModel { model: found.model }),
            });
        }
    }

    fn missing(&mut self, schema: &[Attribute], held: &[Attribute]) {
        for held in held.iter().filter(|held| schema.iter().all(|attribute| attribute.name != held.name)) {
            self.at(&held.name, |found| found.add(SchemaFault::NotInSchema { model: found.model }));
        }
    }
}
