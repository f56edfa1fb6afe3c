//! No secret leaves, whatever the schema and the value.

use denobridge_core::mask;
use denobridge_core::schema::{AttributeType, NestedObject};
use proptest::prelude::*;

use std::sync::Arc;

use super::*;

/// What each secret begins with, which nothing else does.
const CANARY: &str = "canary";

const SECRETS: [&str; 5] =
    ["canary-1", "canary \"two\"\n\twith lines", "canary/3+&?=ü", "canary{'4'}`\\", "canary\u{1b}5 and more"];

/// Schemas and values made from numbers that proptest chooses, so that a failure is one number.
struct Maker(u64);

impl Maker {
    /// The next number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        // Knuth's MMIX generator; its upper bits are the good ones.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn nesting(&mut self, limit: usize) -> Nesting {
        [Nesting::Single, Nesting::List, Nesting::Set, Nesting::Map, Nesting::Group][self.below(limit)]
    }

    fn ty(&mut self, depth: usize) -> Type {
        let kinds = if depth == 0 { 4 } else { 9 };
        match self.below(kinds) {
            0 => Type::String,
            1 => Type::Number,
            2 => Type::Bool,
            3 => Type::Dynamic,
            4 => Type::list(self.ty(depth - 1)),
            5 => Type::set(self.ty(depth - 1).without_dynamic()),
            6 => Type::map(self.ty(depth - 1)),
            7 => Type::tuple([self.ty(depth - 1), self.ty(depth - 1)]),
            _ => Type::object([("one", self.ty(depth - 1)), ("two", self.ty(depth - 1))]),
        }
    }

    fn attribute(&mut self, name: String, depth: usize) -> Attribute {
        let mut attribute = if depth > 0 && self.below(3) == 0 {
            let nesting = self.nesting(4);
            Attribute::nested(name, nesting, self.attributes(depth - 1))
        } else {
            Attribute::new(name, self.ty(depth))
        };
        (attribute.sensitive, attribute.write_only) = [(true, false), (false, true), (false, false)][self.below(3)];
        attribute
    }

    fn attributes(&mut self, depth: usize) -> Vec<Attribute> {
        (0..=self.below(4)).map(|number| self.attribute(format!("a{number}"), depth)).collect()
    }

    fn block(&mut self, depth: usize) -> Block {
        let attributes = self.attributes(depth);
        let blocks = if depth == 0 { 0 } else { self.below(3) };
        let blocks = (0..blocks).map(|number| nested(&format!("b{number}"), self.nesting(5), self.block(depth - 1)));
        Block { blocks: blocks.collect(), attributes, ..Block::default() }
    }

    fn block_value(&mut self, block: &Block) -> Value {
        let mut members: Vec<(Arc<str>, Value)> = Vec::new();
        for attribute in &block.attributes {
            members.push((Arc::clone(&attribute.name), self.attribute_value(attribute)));
        }
        for nested in &block.blocks {
            let ty = nested.block.implied_type();
            let value = self.nested_value(nested.nesting, &ty, &mut |maker| maker.block_value(&nested.block));
            members.push((Arc::clone(&nested.name), value));
        }
        Value::object(members)
    }

    fn attribute_value(&mut self, attribute: &Attribute) -> Value {
        match &attribute.ty {
            AttributeType::Plain(ty) => self.value(ty, 2),
            AttributeType::Nested(NestedObject { nesting, attributes }) => {
                let ty = block_of(attributes.clone()).implied_type();
                self.nested_value(*nesting, &ty, &mut |maker| {
                    Value::object(
                        attributes
                            .iter()
                            .map(|attribute| (Arc::clone(&attribute.name), maker.attribute_value(attribute)))
                            .collect::<Vec<_>>(),
                    )
                })
            }
        }
    }

    fn nested_value(&mut self, nesting: Nesting, ty: &Type, each: &mut dyn FnMut(&mut Self) -> Value) -> Value {
        let count = self.below(3);
        match nesting {
            Nesting::Single | Nesting::Group => each(self),
            Nesting::List => Value::list(ty.clone(), (0..count).map(|_| each(self)).collect::<Vec<_>>()),
            Nesting::Set => Value::set(ty.clone(), (0..count).map(|_| each(self)).collect::<Vec<_>>()),
            Nesting::Map => Value::map(ty.clone(), (0..count).map(|_| (self.text(), each(self))).collect::<Vec<_>>()),
        }
    }

    fn value(&mut self, ty: &Type, depth: usize) -> Value {
        let value = match (ty, self.below(8)) {
            (_, 0) => return Value::unknown(ty.clone()),
            (_, 1) => return Value::null(ty.clone()),
            (Type::Dynamic, _) => {
                let own = self.ty(depth.saturating_sub(1));
                return if own == Type::Dynamic { Value::string(self.text()) } else { self.value(&own, depth) };
            }
            (Type::String, _) => Value::string(self.text()),
            (Type::Number, _) => Value::number(self.below(100) as i64),
            (Type::Bool, _) => Value::bool(true),
            (Type::List(element), _) => Value::list((**element).clone(), [self.value(element, depth)]),
            (Type::Set(element), _) => {
                Value::set((**element).clone(), [self.value(element, depth), self.value(element, depth)])
            }
            (Type::Map(element), _) => {
                let entries = [(self.text(), self.value(element, depth)), (self.text(), self.value(element, depth))];
                Value::map((**element).clone(), entries)
            }
            (Type::Tuple(types), _) => Value::tuple(types.iter().map(|ty| self.value(ty, depth)).collect::<Vec<_>>()),
            (Type::Object(object), _) => {
                let attributes = object.attributes.iter();
                Value::object(
                    attributes.map(|(name, ty)| (Arc::clone(name), self.value(ty, depth))).collect::<Vec<_>>(),
                )
            }
        };
        if self.below(10) == 0 { value.with_marks(Marks::SECRET) } else { value }
    }

    /// A text with or without a secret in it, escaped or not.
    fn text(&mut self) -> String {
        let secret = SECRETS[self.below(SECRETS.len())];
        let mut forms: Vec<String> = mask::forms(secret).into_iter().collect();
        forms.retain(|form| form.starts_with(CANARY));
        let form = &forms[self.below(forms.len())];
        match self.below(7) {
            0 => secret.to_owned(),
            1 => format!("before{form}after"),
            2 => json!({"body": secret}).to_string(),
            3 => json!({"body": json!([secret]).to_string()}).to_string(),
            _ => format!("clear {}", self.below(1000)),
        }
    }
}

trait WithoutDynamic {
    fn without_dynamic(self) -> Self;
}

impl WithoutDynamic for Type {
    fn without_dynamic(self) -> Self {
        if self.has_dynamic() { Type::String } else { self }
    }
}

/// The schema has one attribute more, with all secrets in it.
fn with_secrets(mut block: Block, value: Value) -> (Block, Value) {
    block.attributes.push(sensitive(plain("all", Type::list(Type::String))));
    let all = Value::list(Type::String, SECRETS.map(Value::string));
    (block, value.with_attribute("all", all))
}

fn is_clear(text: &str) -> bool {
    !text.contains(CANARY)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn m37_m41_no_secret_leaves_from_any_position(seed: u64) {
        let mut maker = Maker(seed);
        let block = maker.block(3);
        let (prior, new) = (maker.block_value(&block), maker.block_value(&block));
        let ((block, prior), (_, new)) = (with_secrets(block.clone(), prior), with_secrets(block, new));
        let known = Known::default();
        known.learn(&block, &prior);
        known.learn(&block, &new);
        let state = project(&block, &new, &REDACTED, &known);
        let texts = [state.value.to_string(), state.redacted.join("\n"), state.unknown.join("\n")];
        prop_assert!(texts.iter().all(|text| is_clear(text)), "{texts:#?}");
        let paths = drift(&block, &prior, &new, &known).join("\n");
        prop_assert!(is_clear(&paths), "{paths}");
        let path = Path::root().attribute("a").key(maker.text());
        let said = Diagnostics::from(Diagnostic::error(maker.text(), maker.text()).at(path));
        let said = serde_json::to_string(&diagnostics(&said, &known)).unwrap();
        prop_assert!(is_clear(&said), "{said}");
    }

    #[test]
    fn m38_what_nobody_may_see_leaves_in_no_view(seed: u64) {
        let mut maker = Maker(seed);
        let block = maker.block(3);
        let value = maker.block_value(&block);
        let known = Known::default();
        known.learn(&block, &value);
        SECRETS.iter().for_each(|secret| known.learn_text(secret));
        let state = project(&block, &value, &View { values: Values::Full, ..REDACTED }, &known);
        prop_assert!(is_clear(&state.value.to_string()), "{}", state.value);
    }

    /// Where base64 begins and what stands around a secret does not hide it.
    #[test]
    fn m41_secrets_are_found_in_base64(secret in "[ -~]{6,40}", before in ".{0,7}", after in ".{0,7}") {
        use base64::Engine as _;
        prop_assume!(secret.trim().len() >= SHORTEST);
        let known = Known::default();
        known.learn_text(&secret);
        for engine in [base64::engine::general_purpose::STANDARD, base64::engine::general_purpose::URL_SAFE] {
            let encoded = engine.encode(format!("{before}{secret}{after}"));
            prop_assert!(known.scrub(&encoded).contains("(sensitive)"), "{encoded}");
        }
    }

    /// What is in no secret stays as it is.
    #[test]
    fn texts_without_secrets_stay(text in "[a-m ]{0,60}") {
        let known = Known::default();
        SECRETS.iter().for_each(|secret| known.learn_text(secret));
        prop_assume!(is_clear(&text));
        prop_assert_eq!(known.scrub(&text).into_owned(), text);
    }
}
