//! Where values come from.

use anyhow::{Context as _, Result, bail};
use denobridge_core::cty::{PathStep, Type, Value, ValueKind, convert};
use denobridge_core::schema::{Block, Nesting};
use denobridge_framework::PrivateData;
use serde_json::Value as Json;

use crate::cloud::Cloud;
use crate::format::{AttributeSpec, BlockSpec, Rule};
use crate::schema::parse_value;

/// What rules refer to.
pub struct Scope<'s> {
    /// Counters.
    pub cloud: &'s Cloud,
    /// The object's private data.
    pub private: &'s PrivateData,
    /// The object as a whole.
    pub root: Value,
}

impl Scope<'_> {
    /// The value that a rule comes to, as type `ty`, for an attribute of `object`.
    ///
    /// # Errors
    /// The rule refers to what is not there, or its value is of another type.
    pub fn value(&self, rule: &Rule, ty: &Type, object: &Value) -> Result<Value> {
        let found = match rule {
            Rule::Constant(json) => return parse_value(json, ty),
            Rule::Null => return Ok(Value::null(ty.clone())),
            Rule::Copy(name) => self.attribute(name, object)?.clone(),
            Rule::Text(text) => Value::string(self.text(text, object)?),
            Rule::Counter(name) => Value::number(i64::try_from(self.cloud.count(&self.text(name, object)?))?),
            Rule::Bytes(length) => Value::string("x".repeat(*length)),
            Rule::Private(key) => match self.private.get::<Json>(key)? {
                Some(json) => return parse_value(&json, ty),
                None => return Ok(Value::null(ty.clone())),
            },
        };
        convert::convert(&found, ty).with_context(|| format!("a value is not {ty}"))
    }

    /// Text with the values of attributes in it.
    ///
    /// # Errors
    /// An attribute is not there, or is no text, number or bool.
    pub fn text(&self, text: &str, object: &Value) -> Result<String> {
        let mut done = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').with_context(|| format!("{text:?} has no closing brace"))?;
            let value = convert::convert(self.attribute(name, object)?, &Type::String)?;
            done += before;
            done += value.as_str().unwrap_or("null");
            rest = after;
        }
        Ok(done + rest)
    }

    /// The attribute of that name, of the object or else of the whole.
    fn attribute<'v>(&'v self, name: &str, object: &'v Value) -> Result<&'v Value> {
        let found = object.attribute(name).or_else(|| self.root.attribute(name));
        found.with_context(|| format!("a rule refers to {name:?}, which is not there"))
    }

    /// The object with every unknown attribute set as its rule says.
    ///
    /// # Errors
    /// A rule does not work; the attribute is named.
    pub fn completed(&self, spec: &BlockSpec, block: &Block, object: &Value) -> Result<Value> {
        if object.as_entries().is_none() {
            return Ok(object.clone());
        }
        let mut done = self.attributes(&spec.attributes, object)?;
        for nested in &block.blocks {
            let (Some(inner), Some(nested_spec)) = (object.attribute(&nested.name), spec.blocks.get(&*nested.name))
            else {
                continue;
            };
            let inner =
                each(nested.nesting, inner, &|object| self.completed(&nested_spec.schema, &nested.block, object))?;
            done = done.with_attribute(nested.name.clone(), inner);
        }
        Ok(done)
    }

    fn attributes(&self, specs: &std::collections::BTreeMap<String, AttributeSpec>, object: &Value) -> Result<Value> {
        let mut done = object.clone();
        if object.as_entries().is_none() {
            return Ok(done);
        }
        for (name, spec) in specs {
            let Some(value) = object.attribute(name) else { continue };
            let settled = match &spec.nested {
                _ if !value.is_known() => {
                    let rule = spec.value.as_ref().unwrap_or(&Rule::Null);
                    self.value(rule, &value.ty(), &done).with_context(|| format!("attribute {name}"))?
                }
                Some(nested) => {
                    let nesting = crate::schema::nesting(nested.nesting);
                    each(nesting, value, &|object| self.attributes(&nested.attributes, object))?
                }
                None => continue,
            };
            done = done.with_attribute(name.as_str(), settled);
        }
        Ok(done)
    }
}

/// The value with every object in it changed.
fn each(nesting: Nesting, value: &Value, change: &dyn Fn(&Value) -> Result<Value>) -> Result<Value> {
    Ok(match (nesting, value.kind()) {
        (_, ValueKind::Null(_) | ValueKind::Unknown(..)) => value.clone(),
        (Nesting::Single | Nesting::Group, _) => change(value)?,
        (_, ValueKind::List(ty, items)) => Value::list(ty.clone(), changed(items, change)?),
        (_, ValueKind::Set(ty, items)) => Value::set(ty.clone(), changed(items, change)?),
        (_, ValueKind::Tuple(items)) => Value::tuple(changed(items, change)?),
        (_, ValueKind::Map(ty, entries)) => {
            let entries: Result<Vec<_>> = entries.iter().map(|(key, item)| Ok((key.clone(), change(item)?))).collect();
            Value::map(ty.clone(), entries?)
        }
        (_, ValueKind::Object(entries)) => {
            let entries: Result<Vec<_>> = entries.iter().map(|(key, item)| Ok((key.clone(), change(item)?))).collect();
            Value::object(entries?)
        }
        _ => bail!("{} is no collection of objects", value.ty()),
    })
}

fn changed(items: &[Value], change: &dyn Fn(&Value) -> Result<Value>) -> Result<Vec<Value>> {
    items.iter().map(change).collect()
}

/// A path as the framework has it.
pub fn path(steps: &[crate::format::Step]) -> denobridge_core::cty::Path {
    use crate::format::Step;
    steps
        .iter()
        .map(|step| match step {
            Step::Attribute(name) => PathStep::Attribute(name.as_str().into()),
            Step::Index(index) => PathStep::Index(*index),
            Step::Key(key) => PathStep::Key(key.as_str().into()),
        })
        .collect()
}
