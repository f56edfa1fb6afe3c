//! What tells scripted objects apart: the script and what it calls the object, with what is needed to run it once more.
//!
//! An identity stays what it was when the object was made or imported, also when the resource's `path` or `permissions`
//! change later: Terraform expects the same one for the life of an object.

use std::sync::Arc;

use denobridge_core::cty::{Type, Value};
use denobridge_core::schema::{IdentityAttribute, IdentitySchema};

use super::super::call::attribute;

/// The attributes of `permissions` and their names in an identity, which is flat.
const PERMISSIONS: [(&str, &str); 3] = [("all", "allow_all"), ("allow", "allow"), ("deny", "deny")];

pub(super) fn schema() -> IdentitySchema {
    let part = |name: &str, ty: Type, required: bool, description: &str| IdentityAttribute {
        name: Arc::from(name),
        ty,
        required_for_import: required,
        optional_for_import: !required,
        description: description.to_owned(),
    };
    let strings = || Type::list(Type::String);
    IdentitySchema {
        version: 0,
        attributes: vec![
            part("path", Type::String, true, "The script that manages the object."),
            part("id", Type::String, true, "What the script calls the object."),
            part("config_file", Type::String, false, "The Deno configuration to run the script with."),
            part("transport", Type::String, false, "`transport` of the resource."),
            part("allow_all", Type::Bool, false, "`permissions.all` of the resource."),
            part("allow", strings(), false, "`permissions.allow` of the resource."),
            part("deny", strings(), false, "`permissions.deny` of the resource."),
        ],
    }
}

/// The identity of the object that `id` names, with the script of `object`.
pub(in crate::scripted) fn of(object: &Value, id: &Value) -> Value {
    let permissions = attribute(object, "permissions");
    let parts = schema().attributes.into_iter().map(|part| {
        let permission = PERMISSIONS.iter().find(|(_, name)| *part.name == **name);
        let value = match permission {
            Some((_, _)) if !permissions.is_known() => Value::unknown(part.ty.clone()),
            Some((name, _)) => attribute(permissions, name).clone(),
            None if *part.name == *"id" => id.clone(),
            None => attribute(object, &part.name).clone(),
        };
        let value = if value.is_null() { Value::null(part.ty) } else { value.without_marks_deep() };
        (part.name, value)
    });
    Value::object(parts)
}

/// The attributes of the resource that an identity gives.
pub(super) fn attributes(identity: &Value) -> Vec<(&'static str, Value)> {
    let given = |name: &str| Some(attribute(identity, name)).filter(|value| !value.is_null()).cloned();
    let mut found: Vec<(&'static str, Value)> =
        ["path", "id", "config_file", "transport"].into_iter().filter_map(|name| Some((name, given(name)?))).collect();
    if PERMISSIONS.iter().any(|(_, name)| given(name).is_some()) {
        let permissions = PERMISSIONS.map(|(name, flat)| (name, attribute(identity, flat).clone()));
        found.push(("permissions", Value::object(permissions)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_says_how_to_run_the_script_again() {
        let strings = |items: &[&str]| Value::list(Type::String, items.iter().map(Value::string).collect::<Vec<_>>());
        let permissions = Value::object([
            ("all", Value::null(Type::Bool)),
            ("allow", strings(&["read"])),
            ("deny", Value::null(Type::list(Type::String))),
        ]);
        let object = Value::object([("path", Value::string("a.ts")), ("permissions", permissions.clone())]);
        let identity = of(&object, &Value::string("x"));
        assert!(identity.ty().conforms_to(&schema().implied_type()), "{:?}", identity.ty());
        assert_eq!(
            attributes(&identity),
            [("path", Value::string("a.ts")), ("id", Value::string("x")), ("permissions", permissions)]
        );
    }

    #[test]
    fn what_is_not_known_yet_is_unknown() {
        let object = Value::object([
            ("path", Value::unknown(Type::String)),
            ("permissions", Value::unknown(Type::object([("all", Type::Bool)]))),
        ]);
        let identity = of(&object, &Value::unknown(Type::String));
        assert!(!attribute(&identity, "path").is_known() && !attribute(&identity, "allow").is_known());
        assert!(attribute(&identity, "config_file").is_null());
    }
}
