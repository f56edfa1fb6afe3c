//! Where a type that is one of several is told to SDKs as such, and where it is any type, because Python could not use it.
//!
//! Every language but Python takes and returns what the schema says (or any type: Go knows no unions). Pulumi's library for
//! Python (`pulumi` 3.272) reduces what the annotations say to one type, by which it then takes values apart:
//!
//! | annotation | is reduced to | a text or a number | an object | a list |
//! |---|---|---|---|---|
//! | `Union[str, float]` | itself | is passed | – | – |
//! | `Union[str, Mapping[str, Any]]` | `str`: taken for an input and its dictionary | is passed | given: is passed; coming back: `AssertionError` | – |
//! | `Union[str, Sequence[str]]` | itself | is passed | – | either way: `AssertionError`, "Expected 'list'" |
//! | `Any` | nothing | is passed | is passed | is passed |
//!
//! So what is given is one of several types unless one of them is a list, and what comes back unless one of them is a list or
//! an object. Nothing is lost that is not checked: values are validated before anything runs, whoever wrote them.
//!
//! There is one type for what is given and for what comes back of an object, which is two where only the latter has to
//! change. Arguments of functions are passed as they are at the top, where nothing has to change.
//!
//! Source: `unwrap_type` in `_types.py`, `translate_output_properties`, `serialize_property` and `_get_list_element_type` in
//! `runtime/rpc.py`. What comes of it is shown by `tests/languages/programs/infra.py`.

use std::collections::{BTreeMap, BTreeSet};

use crate::package::spec::{ComplexTypeSpec, ObjectTypeSpec, PackageSpec, PropertySpec, ReturnSpec, TypeSpec};

/// Behind the name of a type that comes back otherwise than it is given. No class that generators make by themselves ends so.
const RETURNED: &str = "Returned";

/// Which way values go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Given,
    Returned,
}

/// Makes any type of what is one of several where Python could not use it.
pub(crate) fn widen(spec: &mut PackageSpec) {
    let types = std::mem::take(&mut spec.types);
    let mut widening = Widening { types: &types, twins: BTreeMap::new() };
    let given = widening.reached(types_of(spec, Way::Given));
    let returned = widening.reached(types_of(spec, Way::Returned));
    widening.twins = widening.twins(given.intersection(&returned));
    for resource in spec.resources.values_mut() {
        widening.properties(resource.properties.values_mut(), Way::Returned);
        widening.properties(resource.input_properties.values_mut(), Way::Given);
        let state = resource.state_inputs.iter_mut().flat_map(|state| state.properties.values_mut());
        widening.properties(state, Way::Given);
    }
    for function in spec.functions.values_mut() {
        match &mut function.outputs {
            Some(ReturnSpec::Object(object)) => widening.properties(object.properties.values_mut(), Way::Returned),
            Some(ReturnSpec::Value(ty)) => widening.widen(ty, Way::Returned),
            None => {}
        }
    }
    for (token, ty) in &types {
        let way = if given.contains(token) { Way::Given } else { Way::Returned };
        spec.types.insert(token.clone(), widening.complex(ty, way));
        if let Some(twin) = widening.twins.get(token) {
            spec.types.insert(twin.clone(), widening.complex(ty, Way::Returned));
        }
    }
}

/// The types of everything that is given, or that comes back.
fn types_of(spec: &PackageSpec, way: Way) -> Vec<&TypeSpec> {
    let mut properties: Vec<&PropertySpec> = Vec::new();
    let mut values = Vec::new();
    if way == Way::Given {
        properties.extend(spec.config.variables.values());
        properties.extend(spec.provider.input_properties.values());
    }
    for resource in spec.resources.values() {
        match way {
            Way::Given => {
                properties.extend(resource.input_properties.values());
                properties.extend(resource.state_inputs.iter().flat_map(|state| state.properties.values()));
            }
            Way::Returned => properties.extend(resource.properties.values()),
        }
    }
    for function in spec.functions.values() {
        match (way, &function.outputs) {
            (Way::Given, _) => properties.extend(function.inputs.iter().flat_map(|inputs| inputs.properties.values())),
            (Way::Returned, Some(ReturnSpec::Object(object))) => properties.extend(object.properties.values()),
            (Way::Returned, Some(ReturnSpec::Value(ty))) => values.push(ty),
            (Way::Returned, None) => {}
        }
    }
    values.extend(properties.into_iter().map(|property| &property.ty));
    values
}

struct Widening<'t> {
    /// The types of the package as they were.
    types: &'t BTreeMap<String, ComplexTypeSpec>,
    /// Types that are given, with the ones that come back in their place.
    twins: BTreeMap<String, String>,
}

impl Widening<'_> {
    fn object(&self, ty: &TypeSpec) -> Option<&ObjectTypeSpec> {
        match self.types.get(ty.token()?)? {
            ComplexTypeSpec::Object(object) => Some(object),
            ComplexTypeSpec::Enum(_) => None,
        }
    }

    /// The tokens of all that the types refer to.
    fn reached(&self, types: Vec<&TypeSpec>) -> BTreeSet<String> {
        let (mut reached, mut left) = (BTreeSet::new(), types);
        while let Some(ty) = left.pop() {
            left.extend(ty.parts());
            if let Some(token) = ty.token()
                && self.types.contains_key(token)
                && reached.insert(token.to_owned())
                && let Some(ComplexTypeSpec::Object(object)) = self.types.get(token)
            {
                left.extend(object.properties.values().map(|property| &property.ty));
            }
        }
        reached
    }

    /// Of types that go both ways, those that have to be two, with a free token for what comes back.
    fn twins<'a>(&self, both: impl Iterator<Item = &'a String>) -> BTreeMap<String, String> {
        let mut taken: BTreeSet<String> = self.types.keys().map(|token| token.to_lowercase()).collect();
        let differs = |token: &&String| {
            let inside = self.reached(vec![&TypeSpec::named(token)]);
            let objects = inside.iter().filter_map(|token| self.object(&TypeSpec::named(token)));
            let mut types = objects.flat_map(|object| object.properties.values()).map(|property| &property.ty);
            types.any(|ty| self.is_lost(ty, Way::Returned))
        };
        let twin = |token: &String| {
            let mut twin = format!("{token}{RETURNED}");
            while !taken.insert(twin.to_lowercase()) {
                twin.push_str(RETURNED);
            }
            (token.clone(), twin)
        };
        both.filter(differs).map(twin).collect()
    }

    /// Whether Python could not use all values of a type, apart from what it refers to.
    fn is_lost(&self, ty: &TypeSpec, way: Way) -> bool {
        let is_object = |ty: &TypeSpec| ty.is_map() || self.object(ty).is_some();
        ty.alternatives().iter().any(|one| one.is_array() || (way == Way::Returned && is_object(one)))
            || ty.parts().any(|part| self.is_lost(part, way))
    }

    fn widen(&self, ty: &mut TypeSpec, way: Way) {
        if let (Way::Returned, Some(twin)) = (way, ty.token().and_then(|token| self.twins.get(token))) {
            *ty = TypeSpec::named(twin);
        }
        if !ty.alternatives().is_empty() && self.is_lost(ty, way) {
            *ty = TypeSpec::any();
        }
        ty.parts_mut().for_each(|part| self.widen(part, way));
    }

    fn properties<'p>(&self, properties: impl Iterator<Item = &'p mut PropertySpec>, way: Way) {
        properties.for_each(|property| self.widen(&mut property.ty, way));
    }

    fn complex(&self, ty: &ComplexTypeSpec, way: Way) -> ComplexTypeSpec {
        let mut ty = ty.clone();
        if let ComplexTypeSpec::Object(object) = &mut ty {
            self.properties(object.properties.values_mut(), way);
        }
        ty
    }
}
