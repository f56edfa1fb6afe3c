//! F47: whatever a schema and its configurations are, what the framework plans and returns keeps all of core's rules.
//!
//! Schemas with attributes, nested attributes and nested blocks of every mode come out of a number; so do configurations,
//! with unknown parts that become known between plan and apply. A resource that only fills in what is unknown goes through
//! its life in the embedded host, which holds every answer to the rules.

use std::collections::BTreeSet;
use std::sync::Arc;

use denobridge_core::cty::ValueKind;
use denobridge_core::planning::{Action, conform_config};
use denobridge_core::schema::{Annotations, AttributeType, NestedBlock, NestedObject, Nesting};
use proptest::prelude::*;

use super::*;
use crate::host::{Host, HostOptions};

/// A source of choices: the same number makes the same choices.
#[derive(Clone)]
struct Dice {
    state: u64,
    /// Whether configurations show what is behind their unknown parts.
    reveals: bool,
}

/// Where an attribute stands, which restricts what it may be.
#[derive(Clone, Copy, Default)]
struct Place {
    /// Inside of a list, set or map: nothing dynamic.
    in_collection: bool,
    /// Inside of a set: nothing write-only, and no defaults.
    in_set: bool,
}

impl Place {
    fn inside(self, nesting: Nesting) -> Self {
        Self {
            in_collection: self.in_collection || !matches!(nesting, Nesting::Single | Nesting::Group),
            in_set: self.in_set || nesting == Nesting::Set,
        }
    }
}

impl Dice {
    fn new(seed: u64) -> Self {
        Self { state: seed.max(1), reveals: false }
    }

    /// A number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        // xorshift64*, which is good enough for choices.
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        (self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % bound
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    fn ty(&mut self, place: Place) -> Type {
        match self.below(if place.in_collection { 8 } else { 9 }) {
            0 | 1 => Type::String,
            2 => Type::Number,
            3 => Type::Bool,
            4 => Type::list(Type::String),
            5 => Type::set(Type::Number),
            6 => Type::map(Type::Bool),
            7 => Type::object([("x", Type::String), ("y", Type::list(Type::Number))]),
            _ => Type::Dynamic,
        }
    }

    fn attributes(&mut self, depth: u32, place: Place) -> Vec<Attribute> {
        let count = 1 + self.below(3);
        (0..count).map(|index| self.attribute(&format!("a{index}"), depth, place)).collect()
    }

    fn attribute(&mut self, name: &str, depth: u32, place: Place) -> Attribute {
        if depth > 0 && self.below(3) == 0 {
            let nesting = self.of(&[Nesting::Single, Nesting::List, Nesting::Set, Nesting::Map]);
            let mut nested = Attribute::nested(name, nesting, self.attributes(depth - 1, place.inside(nesting)));
            self.flags(&mut nested);
            if nested.optional && nested.computed {
                computed_inside(&mut nested);
            }
            return nested;
        }
        let mut attribute = Attribute::new(name, self.ty(place));
        match self.below(8) {
            0 if !place.in_set => (attribute.optional, attribute.write_only) = (true, true),
            1 => (attribute.optional, attribute.sensitive) = (true, true),
            // Two elements of a set may be the same but for a default, and core does not take it if one of them goes.
            2 if !place.in_set => {
                (attribute.optional, attribute.computed) = (true, true);
                let default = self.known(&attribute.implied_type());
                attribute.annotations =
                    Some(Arc::new(Annotations { default: Some(default), ..Annotations::default() }));
            }
            3 => {
                attribute.computed = true;
                attribute.annotations = Some(Arc::new(Annotations { keeps_state: true, ..Annotations::default() }));
            }
            4 => {
                attribute.optional = true;
                attribute.annotations = Some(Arc::new(Annotations { replaces: true, ..Annotations::default() }));
            }
            _ => self.flags(&mut attribute),
        }
        attribute
    }

    fn flags(&mut self, attribute: &mut Attribute) {
        (attribute.required, attribute.optional, attribute.computed) =
            self.of(&[(true, false, false), (false, true, false), (false, true, true), (false, false, true)]);
    }

    fn block(&mut self, depth: u32, place: Place) -> Block {
        let attributes = self.attributes(1, place);
        let count = if depth == 0 { 0 } else { self.below(3) };
        let blocks = (0..count).map(|index| self.nested_block(&format!("b{index}"), depth - 1, place)).collect();
        Block { attributes, blocks, ..Block::default() }
    }

    fn nested_block(&mut self, name: &str, depth: u32, place: Place) -> NestedBlock {
        let nesting = self.of(&[Nesting::Single, Nesting::Group, Nesting::List, Nesting::Set, Nesting::Map]);
        let block = self.block(depth, place.inside(nesting));
        let (min_items, max_items) = match nesting {
            Nesting::List | Nesting::Set => (self.below(2), self.of(&[0, 3])),
            Nesting::Single => self.of(&[(0, 0), (1, 1)]),
            Nesting::Group | Nesting::Map => (0, 0),
        };
        NestedBlock { name: name.into(), nesting, block, min_items, max_items }
    }

    /// A known value of a type.
    fn known(&mut self, ty: &Type) -> Value {
        let count = self.below(3);
        match ty {
            Type::String => Value::string(self.of(&["", "a", "b", "é"])),
            Type::Number => Value::number(self.of(&[0_i64, 1, -7])),
            Type::Bool => Value::bool(self.below(2) == 0),
            Type::List(element) => Value::list((**element).clone(), (0..count).map(|_| self.known(element))),
            Type::Set(element) => {
                let items: Vec<_> = (0..count).map(|_| self.known(element)).collect();
                Value::set((**element).clone(), items)
            }
            Type::Map(element) => {
                let entries: Vec<_> = (0..count).map(|index| (format!("k{index}"), self.known(element))).collect();
                Value::map((**element).clone(), entries)
            }
            Type::Object(object) => {
                let attributes: Vec<_> =
                    object.attributes.iter().map(|(name, ty)| (name.clone(), self.known(ty))).collect();
                Value::object(attributes)
            }
            Type::Tuple(types) => Value::tuple(types.iter().map(|ty| self.known(ty)).collect::<Vec<_>>()),
            Type::Dynamic => {
                let ty = self.ty(Place { in_collection: true, ..Place::default() });
                self.known(&ty)
            }
        }
    }

    /// A configuration with unknown parts here and there, and the same when they are known.
    fn configs(&mut self, block: &Block) -> (Value, Value) {
        let mut again = Self { reveals: true, ..self.clone() };
        (self.config(block), again.config(block))
    }

    fn config(&mut self, block: &Block) -> Value {
        let mut content = self.configured(&block.attributes);
        for nested in &block.blocks {
            let value = self.configured_blocks(nested);
            content.push((nested.name.clone(), value));
        }
        Value::object(content)
    }

    fn configured(&mut self, attributes: &[Attribute]) -> Vec<(Arc<str>, Value)> {
        attributes.iter().map(|attribute| (attribute.name.clone(), self.configured_attribute(attribute))).collect()
    }

    fn configured_attribute(&mut self, attribute: &Attribute) -> Value {
        let ty = attribute.implied_type();
        let only_computed = attribute.computed && !attribute.optional;
        if only_computed || (!attribute.required && self.below(3) == 0) {
            return Value::null(ty);
        }
        if self.below(8) == 0 {
            let mut apart = Self { state: self.below(u64::from(u32::MAX)) + 1, reveals: true };
            return if self.reveals { apart.set_attribute(attribute) } else { Value::unknown(ty) };
        }
        self.set_attribute(attribute)
    }

    fn set_attribute(&mut self, attribute: &Attribute) -> Value {
        match &attribute.ty {
            AttributeType::Plain(ty) => self.known(ty),
            AttributeType::Nested(nested) => self.nested_objects(nested),
        }
    }

    fn nested_objects(&mut self, nested: &NestedObject) -> Value {
        let count = self.below(3);
        let mut object = || Value::object(self.configured(&nested.attributes));
        collected(nested.nesting, nested.object_type(), count, &mut object)
    }

    fn configured_blocks(&mut self, nested: &NestedBlock) -> Value {
        let ty = nested.block.implied_type();
        if nested.nesting == Nesting::Single && nested.min_items == 0 && self.below(2) == 0 {
            return Value::null(ty);
        }
        let count = nested.min_items + self.below(3);
        let mut object = || self.config(&nested.block);
        collected(nested.nesting, ty, count, &mut object)
    }
}

/// Makes everything inside of a nested attribute computed. Core takes objects that have other values for ones that a user
/// configured and has now removed, so a provider that makes them up is asked to remove them with every plan.
fn computed_inside(attribute: &mut Attribute) {
    if let AttributeType::Nested(nested) = &mut attribute.ty {
        for inner in &mut nested.attributes {
            (inner.required, inner.write_only) = (false, false);
            (inner.optional, inner.computed) = (inner.optional || !inner.computed, true);
            computed_inside(inner);
        }
    }
}

/// A configuration with a few parts taken out, or repeated where they are blocks, so that it may be none.
fn damaged(dice: &mut Dice, value: &Value) -> Value {
    match value.kind() {
        ValueKind::Object(attributes) => {
            let attributes: Vec<_> =
                attributes.iter().map(|(name, part)| (name.clone(), damaged(dice, part))).collect();
            Value::object(attributes)
        }
        ValueKind::List(ty, items) => {
            let mut items: Vec<_> = items.iter().map(|item| damaged(dice, item)).collect();
            match dice.below(6) {
                0 => items.clear(),
                1 => items = items.iter().cycle().take(items.len() * 4).cloned().collect(),
                _ => {}
            }
            Value::list(ty.clone(), items)
        }
        ValueKind::Set(ty, items) => {
            let items: Vec<_> = items.iter().map(|item| damaged(dice, item)).collect();
            Value::set(ty.clone(), if dice.below(6) == 0 { Vec::new() } else { items })
        }
        ValueKind::Map(ty, entries) => {
            let entries: Vec<_> = entries.iter().map(|(key, item)| (key.clone(), damaged(dice, item))).collect();
            Value::map(ty.clone(), entries)
        }
        _ if dice.below(8) == 0 => Value::null(value.ty()),
        _ => value.clone(),
    }
}

/// Objects in a nesting. In a set, equal ones fall together.
fn collected(nesting: Nesting, ty: Type, count: u64, object: &mut dyn FnMut() -> Value) -> Value {
    match nesting {
        Nesting::Single | Nesting::Group => object(),
        Nesting::List => Value::list(ty, (0..count).map(|_| object())),
        Nesting::Set => Value::set(ty, (0..count).map(|_| object()).collect::<Vec<_>>()),
        Nesting::Map => Value::map(ty, (0..count).map(|index| (format!("k{index}"), object())).collect::<Vec<_>>()),
    }
}

/// The value with everything known that was not.
fn settled(value: &Value) -> Value {
    match value.kind() {
        ValueKind::Unknown(ty, _) => Dice::new(7).known(ty),
        ValueKind::List(ty, items) => Value::list(ty.clone(), items.iter().map(settled)),
        ValueKind::Set(ty, items) => Value::set(ty.clone(), items.iter().map(settled).collect::<Vec<_>>()),
        ValueKind::Tuple(items) => Value::tuple(items.iter().map(settled)),
        ValueKind::Map(ty, entries) => {
            Value::map(ty.clone(), entries.iter().map(|(key, value)| (key.clone(), settled(value))))
        }
        ValueKind::Object(attributes) => {
            Value::object(attributes.iter().map(|(name, value)| (name.clone(), settled(value))))
        }
        _ => value.clone(),
    }
}

/// Whether there are sets of objects. Which prior element belongs to which configured one is a guess of core's that may be
/// wrong, so what is computed in them may be computed again.
fn object_sets(block: &Block) -> bool {
    fn in_attributes(attributes: &[Attribute]) -> bool {
        attributes.iter().any(|attribute| match &attribute.ty {
            AttributeType::Plain(_) => false,
            AttributeType::Nested(nested) => nested.nesting == Nesting::Set || in_attributes(&nested.attributes),
        })
    }
    let in_blocks = |nested: &NestedBlock| nested.nesting == Nesting::Set || object_sets(&nested.block);
    in_attributes(&block.attributes) || block.blocks.iter().any(in_blocks)
}

/// Fills in what is unknown and does nothing else.
struct Filling(Schema);

#[async_trait]
impl ErasedResource for Filling {
    fn schema(&self) -> Schema {
        self.0.clone()
    }

    async fn create(&self, _: &Context, request: Create<'_>) -> Outcome {
        Outcome::of(settled(&request.planned))
    }

    async fn read(&self, _: &Context, request: Read<'_>) -> Outcome {
        Outcome::of(request.state)
    }

    async fn update(&self, _: &Context, request: Update<'_>) -> Outcome {
        Outcome::of(settled(&request.planned))
    }

    async fn delete(&self, _: &Context, _: Delete<'_>) -> Diagnostics {
        Diagnostics::new()
    }
}

/// Creation, a plan of nothing, a change, deletion.
async fn life(mut dice: Dice) {
    let schema = Schema { version: 0, block: dice.block(2, Place::default()) };
    let provider = ProviderBuilder::new("random").resource("random_thing", Box::new(Filling(schema.clone()))).build();
    let host = Host::start(Arc::new(provider.unwrap()), HostOptions::default()).await.unwrap();
    let resource = host.resource("random_thing", "x").unwrap();
    let mut state = None;
    for _ in 0..2 {
        let (open, config) = dice.configs(&schema.block);
        let plan = resource.plan(&open, state.as_ref()).await.expect_some();
        let applied = resource.apply(&plan, &config).await.expect_some();
        let again = resource.plan(&config, Some(&applied)).await.expect_some();
        let write_only_replaces = again.action == Action::Replace;
        let settles = again.action == Action::NoOp || write_only_replaces || object_sets(&schema.block);
        assert!(settles, "{:?}\n{:?}\n{config:?}", applied.value, again.after);
        state = resource.refresh(&applied).await.expect_ok();
    }
    resource.destroy(&state.unwrap()).await.expect_none();
}

proptest! {
    // More cases for a long run: PROPTEST_CASES=50000.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn f30_f32_the_validator_and_core_agree_on_random_configurations(seed in 1..u64::MAX) {
        let mut dice = Dice::new(seed);
        let block = dice.block(2, Place::default());
        let config = dice.config(&block);
        prop_assert!(crate::validate::configuration(&block, &config).is_empty(), "{config:?}");
        let config = damaged(&mut dice, &config);
        let core = conform_config(&block, &config).err().unwrap_or_default();
        let ours = crate::validate::configuration(&block, &config);
        prop_assert_eq!(core.is_empty(), ours.is_empty(), "{:?}\n{:?}\n{:?}", config, core, ours);
        // Core counts the elements of sets, and the validator names them.
        if !object_sets(&block) {
            let core: BTreeSet<String> = core.iter().map(|problem| problem.path.to_string()).collect();
            let ours: BTreeSet<String> = ours.iter().map(|problem| problem.attribute.to_string()).collect();
            prop_assert_eq!(core, ours, "{:?}", config);
        }
    }

    #[test]
    fn f47_random_schemas_keep_the_rules(seed in 1..u64::MAX) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(life(Dice::new(seed)));
    }
}
