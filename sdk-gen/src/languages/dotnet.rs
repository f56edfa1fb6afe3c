//! What .NET allows no member to be called: the name of its class (compiler error CS0542) and the name of another member
//! (CS0102). Its generator looks for neither, and takes another name from the schema, so the property stays what it is
//! everywhere else.
//!
//! Which classes there are: `genResource`, `genFunction`, `typeName` and `plainType.genInputType` in
//! `pulumi-language-dotnet/codegen/gen.go`.

use std::collections::BTreeSet;

use serde_json::json;

use super::{last_part, title};
use crate::package::spec::{ComplexTypeSpec, PackageSpec, Properties, ReturnSpec};

/// The method of every resource class that looks one up.
const GET: &str = "Get";

/// The member of every class of arguments that is one without any.
const EMPTY: &str = "Empty";

/// Gives every property a name of its own in .NET that could not have its name there.
pub(crate) fn rename_members(spec: &mut PackageSpec) {
    rename(&mut spec.config.variables, &["Config".to_owned()]);
    rename(&mut spec.provider.properties, &["Provider".to_owned()]);
    rename(&mut spec.provider.input_properties, &["ProviderArgs".to_owned(), EMPTY.to_owned()]);
    for (token, resource) in &mut spec.resources {
        let name = title(last_part(token));
        rename(&mut resource.properties, &[name.clone(), GET.to_owned()]);
        rename(&mut resource.input_properties, &[format!("{name}Args"), EMPTY.to_owned()]);
        if let Some(state) = &mut resource.state_inputs {
            rename(&mut state.properties, &[format!("{name}State"), EMPTY.to_owned()]);
        }
    }
    for (token, function) in &mut spec.functions {
        let name = title(last_part(token));
        if let Some(inputs) = &mut function.inputs {
            rename(&mut inputs.properties, &[format!("{name}Args"), format!("{name}InvokeArgs"), EMPTY.to_owned()]);
        }
        if let Some(ReturnSpec::Object(outputs)) = &mut function.outputs {
            rename(&mut outputs.properties, &[format!("{name}Result")]);
        }
    }
    for (token, ty) in &mut spec.types {
        let ComplexTypeSpec::Object(object) = ty else { continue };
        // One type is several classes: what is given, what is looked up by, what comes back, from a function too.
        let name = title(last_part(token));
        let mut taken: Vec<String> =
            ["Args", "GetArgs", "InputArgs", "Result"].map(|end| format!("{name}{end}")).into();
        taken.extend([name, EMPTY.to_owned()]);
        rename(&mut object.properties, &taken);
    }
}

/// Properties of one class whose own members are `taken`.
fn rename(properties: &mut Properties, taken: &[String]) {
    let members: BTreeSet<String> = properties.keys().map(|name| member(name)).collect();
    for (name, property) in properties.iter_mut() {
        let plain = member(name);
        if !taken.contains(&plain) {
            continue;
        }
        let mut free = format!("{plain}Value");
        while members.contains(&free) || taken.contains(&free) {
            free.push_str("Value");
        }
        property.language = Some(Box::new(json!({"csharp": {"name": free}})));
    }
}

/// What the generator calls a member of its own accord: `computePropertyNames`.
fn member(name: &str) -> String {
    name.split('-').map(title).collect()
}
