//! The kinds of components that the Go bridge does not offer: ephemeral resources, actions and list resources. They become
//! what they are for scripts: `openX` and `listX` are functions, `XAction` a resource that runs.
//!
//! No name that the Go bridge gives is taken: a component whose name is there already gets a number.

use std::collections::BTreeSet;
use std::sync::Arc;

use denobridge_core::schema::{ProviderSchema, Schema};

use super::BridgedOptions;
use super::fields::Builder;
use super::module::{Module, deprecation, described};
use super::naming::{component_token, pascal};
use super::tokens::Tokens;
use super::types::Side;
use super::writer::{Context, Place, Writer, required};
use crate::error::SchemaError;
use crate::names::{ComponentNames, Field, ResourceId, Returns, own_inputs};
use crate::native::{self, ComponentKind};
use crate::package::docs::Docs;
use crate::package::own_description;
use crate::package::spec::{FunctionSpec, ObjectTypeSpec, Properties, ResourceSpec, ReturnSpec, TypeSpec};

/// All components of these kinds, with what each adds to the package.
pub(super) fn components(
    schema: &ProviderSchema,
    options: &BridgedOptions,
    tokens: &Tokens,
    builder: &Builder<'_>,
    context: Context<'_>,
) -> Result<Vec<(Arc<ComponentNames>, Module)>, SchemaError> {
    let known = tokens.resources.values().chain(tokens.data_sources.values()).chain(tokens.functions.values());
    let mut taken: BTreeSet<String> = known.map(|name| name.to_lowercase()).collect();
    let kinds = [
        (ComponentKind::EphemeralResource, &schema.ephemeral_resources),
        (ComponentKind::Action, &schema.actions),
        (ComponentKind::ListResource, &schema.list_resources),
    ];
    let mut components = Vec::new();
    for (kind, of_kind) in kinds {
        for (type_name, component) in of_kind.iter().filter(|(type_name, _)| options.offers(type_name)) {
            let name = free_name(&name_of(kind, type_name, &tokens.prefix), &mut taken);
            let names = names(kind, type_name, &name, component, schema, builder, context.package)?;
            let module = module(context, &name, &names, component);
            components.push((names, module));
        }
    }
    Ok(components)
}

fn name_of(kind: ComponentKind, type_name: &str, prefix: &str) -> String {
    let rest = type_name.strip_prefix(prefix).filter(|rest| !rest.is_empty()).unwrap_or(type_name);
    let name = pascal(rest);
    match kind {
        ComponentKind::EphemeralResource => format!("open{name}"),
        ComponentKind::ListResource => format!("list{name}"),
        _ => format!("{name}Action"),
    }
}

fn free_name(name: &str, taken: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}V{number}"));
    let free = std::iter::once(name.to_owned()).chain(numbered).find(|name| taken.insert(name.to_lowercase()));
    free.unwrap_or_else(|| name.to_owned())
}

fn names(
    kind: ComponentKind,
    type_name: &Arc<str>,
    name: &str,
    component: &Schema,
    all: &ProviderSchema,
    builder: &Builder<'_>,
    package: &str,
) -> Result<Arc<ComponentNames>, SchemaError> {
    let place = format!("{kind} {type_name}");
    let fields = builder.of_kind(kind, &component.block, &place)?;
    let returns = match kind {
        ComponentKind::ListResource => Returns::Object(builder.list_result(type_name, all, &place)?),
        _ => Returns::Fields,
    };
    let token = component_token(package, name).into();
    let (type_name, own, parameters) = (Arc::clone(type_name), own_inputs(kind), Arc::default());
    let id = ResourceId::Absent;
    Ok(Arc::new(ComponentNames { kind, token, type_name, fields, own, parameters, returns, id }))
}

fn module(context: Context<'_>, name: &str, names: &ComponentNames, schema: &Schema) -> Module {
    let (fields, docs) = (&*names.fields, Docs::Block(&schema.block));
    let mut writer = Writer::new(context, "index");
    writer.objects.visit(name, fields.fields().filter(|field| field.is_input()), docs, Side::Input);
    writer.objects.visit(name, fields.fields().filter(|field| field.is_output()), docs, Side::Output);
    if let Returns::Object(result) = &names.returns {
        writer.objects.visit(name, result.fields(), Docs::None, Side::Output);
    }
    let mut inputs = writer.properties(name, fields, docs, Place::TopLevel, Field::is_input);
    inputs.extend(own_properties(&writer, names));
    let required_inputs = required(fields, Side::Input, Field::is_input);
    let (description, deprecation_message) =
        (described(context, &schema.block.description.text), deprecation(context, &schema.block));
    let token = names.token.to_string();
    let mut module = Module { types: writer.types(), ..Module::default() };
    if names.kind == ComponentKind::Action {
        let mut properties = writer.properties(name, fields, docs, Place::TopLevel, Field::is_output);
        properties.extend(own_properties(&writer, names));
        let required = required(fields, Side::Output, Field::is_output);
        let spec = ResourceSpec {
            description,
            properties,
            required,
            input_properties: inputs,
            required_inputs,
            deprecation_message,
            ..ResourceSpec::default()
        };
        module.resources.insert(token, spec);
    } else {
        let inputs = ObjectTypeSpec { properties: inputs, required: required_inputs, ..ObjectTypeSpec::default() };
        let spec = FunctionSpec {
            description,
            inputs: Some(inputs).filter(|inputs| !inputs.properties.is_empty()),
            outputs: Some(ReturnSpec::Object(outputs(&writer, name, names, docs))),
            deprecation_message,
            ..FunctionSpec::default()
        };
        module.functions.insert(token, spec);
    }
    module
}

fn outputs(writer: &Writer<'_, '_>, name: &str, names: &ComponentNames, docs: Docs<'_>) -> ObjectTypeSpec {
    let (fields, docs) = match &names.returns {
        Returns::Object(result) => (result, Docs::None),
        _ => (&names.fields, docs),
    };
    let mut properties = writer.properties(name, fields, docs, Place::TopLevel, Field::is_output);
    if names.kind == ComponentKind::EphemeralResource {
        // What was opened is a secret, whatever the schema says of it, apart from what the program has said.
        for field in fields.fields().filter(|field| !field.is_input()) {
            properties.entry(field.pulumi.to_string()).and_modify(|property| property.secret = true);
        }
    }
    ObjectTypeSpec {
        properties,
        required: required(fields, Side::Output, Field::is_output),
        ..ObjectTypeSpec::default()
    }
}

/// The inputs that a component has in Pulumi only.
fn own_properties(writer: &Writer<'_, '_>, names: &ComponentNames) -> Properties {
    let mut own = writer.properties("", &names.own, Docs::None, Place::TopLevel, |_| true);
    for (name, property) in &mut own {
        property.description = own_description(name);
        if name == native::LIMIT {
            property.ty = TypeSpec::integer();
        }
    }
    own
}
