//! The most general type that several types convert to, as go-cty finds it.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::convert::{Mode, convertible};
use super::{ObjectType, Type};

/// Finds the type; `unsafe_conversions` allows those that may fail for some values. There is none of no types.
#[must_use]
pub fn unify(types: &[Type], unsafe_conversions: bool) -> Option<Type> {
    unify_in(types.iter(), if unsafe_conversions { Mode::Unsafe } else { Mode::Safe })
}

/// As [`unify`]. Repeated types are looked at once, since the time grows with the square of their number.
pub(super) fn unify_in<'t>(types: impl Iterator<Item = &'t Type>, mode: Mode) -> Option<Type> {
    let mut seen = BTreeSet::new();
    let types: Vec<&Type> = types.filter(|ty| seen.insert(*ty)).collect();
    if types.is_empty() {
        return None;
    }
    match unify_kind(&types, mode) {
        Attempt::Settled(result) => result,
        Attempt::Open => most_general_of(&types, mode),
    }
}

/// What came of building a type from types of one kind.
enum Attempt {
    /// This is the answer, or there is none.
    Settled(Option<Type>),
    /// Look for the answer among the given types.
    Open,
}

impl Attempt {
    /// A type that was found is the answer; otherwise the search goes on.
    fn if_found(found: Option<Type>) -> Self {
        found.map_or(Self::Open, |ty| Self::Settled(Some(ty)))
    }
}

/// Types of one kind, or of two that often stand for each other, unify to a type that need not be among them.
fn unify_kind(types: &[&Type], mode: Mode) -> Attempt {
    let count = |is: fn(&Type) -> bool| types.iter().filter(|ty| is(ty)).count();
    let maps = count(|ty| matches!(ty, Type::Map(_)));
    let lists = count(|ty| matches!(ty, Type::List(_)));
    let sets = count(|ty| matches!(ty, Type::Set(_)));
    let objects = count(|ty| matches!(ty, Type::Object(_)));
    let tuples = count(|ty| matches!(ty, Type::Tuple(_)));
    let dynamics = count(|ty| matches!(ty, Type::Dynamic));
    let only = |kinds: usize| kinds + dynamics == types.len();
    // Once the dynamic ones are known, anything may come out.
    let or_dynamic =
        |unify: &dyn Fn() -> Option<Type>| Attempt::Settled(if dynamics > 0 { Some(Type::Dynamic) } else { unify() });
    if maps > 0 && only(maps) {
        or_dynamic(&|| collections(Type::map, types, mode))
    } else if maps > 0 && only(maps + objects) {
        Attempt::if_found(with_structures_as(types, |ty| matches!(ty, Type::Object(_)), objects_to_map, mode))
    } else if lists > 0 && only(lists) {
        or_dynamic(&|| collections(Type::list, types, mode))
    } else if lists > 0 && only(lists + tuples) {
        Attempt::if_found(with_structures_as(types, |ty| matches!(ty, Type::Tuple(_)), tuples_to_list, mode))
    } else if sets > 0 && only(sets) {
        or_dynamic(&|| collections(Type::set, types, mode))
    } else if objects > 0 && only(objects) {
        or_dynamic(&|| unify_objects(types, mode))
    } else if tuples > 0 && only(tuples) {
        or_dynamic(&|| unify_tuples(types, mode))
    } else if objects > 0 && tuples > 0 {
        Attempt::Settled(None)
    } else {
        Attempt::Open
    }
}

/// The type if all the others convert to it.
fn if_all_convert(types: &[&Type], ty: Type, mode: Mode) -> Option<Type> {
    types.iter().all(|given| convertible(given, &ty, mode)).then_some(ty)
}

fn collections(collection: fn(Type) -> Type, types: &[&Type], mode: Mode) -> Option<Type> {
    let element = unify_in(types.iter().filter_map(|ty| ty.element()), mode)?;
    if_all_convert(types, collection(element), mode)
}

/// Unifies the structures among the types to a collection first, then that collection with the rest. `None` if a step
/// fails or leads elsewhere.
fn with_structures_as(
    types: &[&Type],
    is_structure: fn(&Type) -> bool,
    to_collection: fn(&[&Type], Mode) -> Option<Type>,
    mode: Mode,
) -> Option<Type> {
    let structures: Vec<&Type> = types.iter().copied().filter(|ty| is_structure(ty)).collect();
    let collection = to_collection(&structures, mode)?;
    let replaced = types.iter().map(|ty| if is_structure(ty) { &collection } else { *ty });
    let unified = unify_in(replaced, mode)?;
    (std::mem::discriminant(&unified) == std::mem::discriminant(&collection)).then_some(unified)
}

/// Objects with the same attribute names unify attribute by attribute, others to a map.
fn unify_objects(types: &[&Type], mode: Mode) -> Option<Type> {
    let objects: Vec<&ObjectType> = types.iter().filter_map(|ty| ty.as_object()).collect();
    let (first, rest) = objects.split_first()?;
    if rest.iter().any(|object| !object.attributes.keys().eq(first.attributes.keys())) {
        return objects_to_map(types, mode);
    }
    let mut attributes = Vec::with_capacity(first.attributes.len());
    for name in first.attributes.keys() {
        let across = objects.iter().filter_map(|object| object.attributes.get(name));
        // Attributes that do not unify by name do not unify all together either.
        attributes.push((Arc::clone(name), unify_in(across, mode)?));
    }
    if_all_convert(types, Type::object(attributes), mode).or_else(|| objects_to_map(types, mode))
}

fn objects_to_map(types: &[&Type], mode: Mode) -> Option<Type> {
    let attributes = types.iter().filter_map(|ty| ty.as_object()).flat_map(|object| object.attributes.values());
    if_all_convert(types, Type::map(unify_in(attributes, mode)?), mode)
}

/// Tuples of the same length unify element by element, others to a list.
fn unify_tuples(types: &[&Type], mode: Mode) -> Option<Type> {
    let tuples: Vec<&[Type]> = types.iter().filter_map(|ty| tuple_elements(ty)).collect();
    let (first, rest) = tuples.split_first()?;
    if rest.iter().any(|tuple| tuple.len() != first.len()) {
        return tuples_to_list(types, mode);
    }
    let mut elements = Vec::with_capacity(first.len());
    for index in 0..first.len() {
        elements.push(unify_in(tuples.iter().filter_map(|tuple| tuple.get(index)), mode)?);
    }
    if_all_convert(types, Type::tuple(elements), mode).or_else(|| tuples_to_list(types, mode))
}

fn tuples_to_list(types: &[&Type], mode: Mode) -> Option<Type> {
    let elements = types.iter().filter_map(|ty| tuple_elements(ty)).flatten();
    if_all_convert(types, Type::list(unify_in(elements, mode)?), mode)
}

fn tuple_elements(ty: &Type) -> Option<&[Type]> {
    match ty {
        Type::Tuple(elements) => Some(elements),
        _ => None,
    }
}

/// The first of the given types, more general ones before others, that all convert to.
fn most_general_of(types: &[&Type], mode: Mode) -> Option<Type> {
    let candidates = by_generality(types);
    candidates.into_iter().find_map(|candidate| if_all_convert(types, candidate.clone(), mode))
}

/// The types in topological order of "more general than", otherwise in the given order.
fn by_generality<'t>(types: &[&'t Type]) -> Vec<&'t Type> {
    let mut less_general: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
    let mut waits_for = vec![0_usize; types.len()];
    for left in 0..types.len() {
        for right in left + 1..types.len() {
            match generality(types[left], types[right]) {
                Ordering::Less => {
                    less_general[left].push(right);
                    waits_for[right] += 1;
                }
                Ordering::Greater => {
                    less_general[right].push(left);
                    waits_for[left] += 1;
                }
                Ordering::Equal => {}
            }
        }
    }
    let mut order: Vec<usize> = (0..types.len()).filter(|index| waits_for[*index] == 0).collect();
    let mut next = 0;
    while let Some(&index) = order.get(next) {
        next += 1;
        for &other in &less_general[index] {
            waits_for[other] -= 1;
            if waits_for[other] == 0 {
                order.push(other);
            }
        }
    }
    order.into_iter().map(|index| types[index]).collect()
}

/// Which of two types is preferred as the more general one (`Less`: the left). `Equal` also where nothing can be said.
fn generality(left: &Type, right: &Type) -> Ordering {
    use Type::{Dynamic, List, Map, Object, Set, String, Tuple};
    match (left, right) {
        (Dynamic, Dynamic) => Ordering::Equal,
        // Everything converts to dynamic, but the hope is that it will turn out to be the same as its neighbours.
        (_, Dynamic) => Ordering::Less,
        (Dynamic, _) => Ordering::Greater,
        (String, String) => Ordering::Equal,
        (String, right) if right.is_primitive() => Ordering::Less,
        (left, String) if left.is_primitive() => Ordering::Greater,
        (List(left), List(right)) | (Set(left), Set(right)) | (Map(left), Map(right)) => generality(left, right),
        (List(_), Tuple(_)) | (Map(_), Object(_)) | (Tuple(_) | List(_), Set(_)) => Ordering::Less,
        (Tuple(_), List(_)) | (Object(_), Map(_)) | (Set(_), Tuple(_) | List(_)) => Ordering::Greater,
        (Object(left), Object(right)) if left.attributes.keys().eq(right.attributes.keys()) => {
            generality_of_parts(left.attributes.values().zip(right.attributes.values()))
        }
        (Tuple(left), Tuple(right)) if left.len() == right.len() => generality_of_parts(left.iter().zip(right.iter())),
        _ => Ordering::Equal,
    }
}

/// A structure is more general if some parts are and none is less so.
fn generality_of_parts<'t>(parts: impl Iterator<Item = (&'t Type, &'t Type)>) -> Ordering {
    let mut all = Ordering::Equal;
    for (left, right) in parts {
        match (all, generality(left, right)) {
            (Ordering::Equal, part) => all = part,
            (all, part) if part == Ordering::Equal || part == all => {}
            _ => return Ordering::Equal,
        }
    }
    all
}
