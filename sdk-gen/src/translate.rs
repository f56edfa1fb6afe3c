//! Translating paths between Terraform's and Pulumi's names.

use denobridge_core::cty::{Path, PathStep};
use thiserror::Error;

use crate::names::{Field, ObjectNames, Shape};
use crate::path::{PropertyPath, PropertyStep};

/// Why a Pulumi path leads nowhere in a schema.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TranslateError {
    /// There is no such property.
    #[error("there is no property {property:?} at {}", place(.at))]
    UnknownProperty {
        /// The name that was looked for.
        property: String,
        /// The part that exists.
        at: PropertyPath,
    },
    /// The step is of the wrong kind: an index into an object, a name in an array, or any step into a plain value.
    #[error("{} is {is}, which has no part {part}", place(.at))]
    NoSuchPart {
        /// The part that exists.
        at: PropertyPath,
        /// What it is.
        is: &'static str,
        /// The step that was asked for.
        part: String,
    },
    /// A pattern stands for several paths, of which Terraform has no notion.
    #[error("the path goes through a `*` at {}", place(.at))]
    Pattern {
        /// The part before the `*`.
        at: PropertyPath,
    },
}

fn place(path: &PropertyPath) -> String {
    if path.is_root() { "the top level".to_owned() } else { format!("`{path}`") }
}

/// Where a walk has come to.
#[derive(Clone, Copy)]
enum Place<'n> {
    Object(&'n ObjectNames),
    Value(&'n Shape),
    /// A list or set whose only element stands for it under Pulumi.
    Flattened(&'n Shape),
}

impl<'n> Place<'n> {
    fn of_field(field: &'n Field) -> Self {
        match field.shape.element() {
            Some(element) if field.flattened => Self::Flattened(element),
            _ => Self::of_shape(&field.shape),
        }
    }

    fn of_shape(shape: &'n Shape) -> Self {
        match shape {
            Shape::Object(names) => Self::Object(names),
            other => Self::Value(other),
        }
    }

    /// The step in Pulumi's terms (`None`: there is none to make) and where it leads; `None` where it leads nowhere.
    fn to_pulumi(self, step: &PathStep) -> Option<(Option<PropertyStep>, Self)> {
        let index = |position: &i64| usize::try_from(*position).ok();
        match (self, step) {
            (Self::Flattened(element), PathStep::Index(_) | PathStep::Element(_)) => {
                Some((None, Self::of_shape(element)))
            }
            (Self::Object(names), PathStep::Attribute(name) | PathStep::Key(name)) => {
                let field = names.by_terraform(name)?;
                Some((Some(PropertyStep::Name(field.pulumi.clone())), Self::of_field(field)))
            }
            (Self::Value(shape), PathStep::Attribute(name) | PathStep::Key(name)) => {
                let inside = match shape {
                    Shape::Map(element) => Self::of_shape(element),
                    Shape::Dynamic => self,
                    _ => return None,
                };
                Some((Some(PropertyStep::Name(name.clone())), inside))
            }
            (Self::Value(shape), PathStep::Index(position)) => {
                let position = index(position)?;
                let inside = match shape {
                    Shape::List(element) | Shape::Set(element) => Self::of_shape(element),
                    Shape::Tuple(elements) => Self::of_shape(elements.get(position)?),
                    Shape::Dynamic => self,
                    _ => return None,
                };
                Some((Some(PropertyStep::Index(position)), inside))
            }
            _ => None,
        }
    }

    fn describe(self) -> &'static str {
        match self {
            Self::Object(_) => "an object",
            Self::Flattened(_) => "a single value",
            Self::Value(shape) => match shape {
                Shape::String => "a string",
                Shape::Number => "a number",
                Shape::Bool => "a boolean",
                Shape::Dynamic => "any value",
                Shape::List(_) | Shape::Set(_) | Shape::Tuple(_) => "an array",
                Shape::Map(_) => "a map",
                Shape::Object(_) => "an object",
            },
        }
    }
}

impl ObjectNames {
    /// A Terraform path in Pulumi's names. It ends before the first step that Pulumi has no form for or the schema does
    /// not know, so what comes back is at or above the place that was meant; messages can always be given a path.
    ///
    /// An element of a set is such a step: its position is known only to who holds the value. Replace it by an index
    /// into the set's canonical order beforehand to get past it.
    #[must_use]
    pub fn to_pulumi(&self, path: &Path) -> PropertyPath {
        let mut translated = PropertyPath::root();
        let mut place = Place::Object(self);
        for step in path.steps() {
            let Some((step, inside)) = place.to_pulumi(step) else { break };
            if let Some(step) = step {
                translated.push(step);
            }
            place = inside;
        }
        translated
    }

    /// A Pulumi path in Terraform's names. Positions in sets come back as indexes, which find nothing until they are
    /// replaced by the element at that position of the set's canonical order.
    ///
    /// # Errors
    /// The schema has no such place, or the path is a pattern.
    pub fn to_terraform(&self, path: &PropertyPath) -> Result<Path, TranslateError> {
        let mut translated = Path::root();
        let mut place = Place::Object(self);
        for (position, step) in path.steps().iter().enumerate() {
            let at = || path.steps().iter().take(position).cloned().collect::<PropertyPath>();
            if let Place::Flattened(element) = place {
                translated.push(PathStep::Index(0));
                place = Place::of_shape(element);
            }
            let (step, inside) = match (place, step) {
                (
                    Place::Value(Shape::List(_) | Shape::Set(_) | Shape::Tuple(_) | Shape::Map(_)),
                    PropertyStep::Name(name),
                ) if &**name == "*" => {
                    return Err(TranslateError::Pattern { at: at() });
                }
                (Place::Object(names), PropertyStep::Name(name)) => {
                    let field = names
                        .by_pulumi(name)
                        .ok_or_else(|| TranslateError::UnknownProperty { property: name.to_string(), at: at() })?;
                    (PathStep::Attribute(field.terraform.clone()), Place::of_field(field))
                }
                (Place::Value(Shape::Map(element)), PropertyStep::Name(name)) => {
                    (PathStep::Key(name.clone()), Place::of_shape(element))
                }
                (Place::Value(Shape::Dynamic), PropertyStep::Name(name)) => (PathStep::Attribute(name.clone()), place),
                (Place::Value(shape), PropertyStep::Index(index)) if let Some(element) = element_at(shape, *index) => {
                    let index = i64::try_from(*index).unwrap_or(i64::MAX);
                    (PathStep::Index(index), Place::of_shape(element))
                }
                (place, step) => {
                    let part = [step.clone()].into_iter().collect::<PropertyPath>().to_string();
                    return Err(TranslateError::NoSuchPart { at: at(), is: place.describe(), part });
                }
            };
            translated.push(step);
            place = inside;
        }
        Ok(translated)
    }
}

fn element_at(shape: &Shape, index: usize) -> Option<&Shape> {
    match shape {
        Shape::List(element) | Shape::Set(element) => Some(element),
        Shape::Tuple(elements) => elements.get(index),
        Shape::Dynamic => Some(shape),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use denobridge_core::cty::Type;
    use denobridge_core::schema::Nesting;

    use super::*;
    use crate::names::Source;

    fn field(name: &str, shape: Shape) -> Field {
        Field {
            terraform: name.into(),
            pulumi: name.to_uppercase().into(),
            script: name.into(),
            ty: Type::Dynamic,
            shape,
            source: Source::Block(Nesting::List),
            required: false,
            optional: true,
            computed: false,
            sensitive: false,
            write_only: false,
            flattened: true,
            kept_empty: false,
            is_id: false,
            annotations: None,
        }
    }

    /// A list of at most one object, which under Pulumi is the object itself.
    fn flattened() -> ObjectNames {
        let inside = ObjectNames::new(vec![Field { flattened: false, ..field("size", Shape::Number) }]);
        ObjectNames::new(vec![field("disk", Shape::List(Arc::new(Shape::Object(Arc::new(inside)))))])
    }

    #[test]
    fn a_flattened_list_has_no_step_of_its_own() {
        let names = flattened();
        let size = Path::root().attribute("disk").index(0).attribute("size");
        assert_eq!(names.to_pulumi(&size).to_string(), "DISK.SIZE");
        assert_eq!(names.to_terraform(&"DISK.SIZE".parse().unwrap()).unwrap(), size);
        // The whole list and its only element are one thing under Pulumi.
        assert_eq!(names.to_pulumi(&Path::root().attribute("disk").index(0)).to_string(), "DISK");
        assert_eq!(names.to_terraform(&"DISK".parse().unwrap()).unwrap(), Path::root().attribute("disk"));
        assert!(names.to_terraform(&"DISK[0]".parse().unwrap()).is_err());
    }
}
