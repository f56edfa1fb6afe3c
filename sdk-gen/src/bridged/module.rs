//! One module of the package: what it offers and the types of that; and how modules become one package.

use std::collections::BTreeMap;

use denobridge_core::schema::{Block, FunctionSignature};

use super::naming::component_token;
use super::types::Side;
use super::writer::{Context, FunctionTypes, Place, Writer, required};
use super::{Repair, text};
use crate::error::SchemaError;
use crate::names::{ComponentNames, Field, Returns};
use crate::package::docs::Docs;
use crate::package::spec::{
    ComplexTypeSpec, FunctionSpec, ObjectTypeSpec, PackageSpec, PropertySpec, ResourceSpec, ReturnSpec, TypeSpec,
};

/// What a module adds to the package.
#[derive(Default)]
pub(super) struct Module {
    pub(super) types: BTreeMap<String, ObjectTypeSpec>,
    pub(super) resources: BTreeMap<String, ResourceSpec>,
    pub(super) functions: BTreeMap<String, FunctionSpec>,
}

/// A resource called `name`.
pub(super) fn resource(context: Context<'_>, name: &str, names: &ComponentNames, block: &Block) -> Module {
    let (fields, docs) = (&*names.fields, Docs::Block(block));
    let mut writer = Writer::new(context, "index");
    writer.objects.visit(name, fields.fields().filter(|field| is_input(field)), docs, Side::Input);
    writer.objects.visit(name, fields.fields(), docs, Side::Output);
    writer.objects.visit(name, fields.fields(), docs, Side::Input);
    let is_property = |field: &Field| &*field.pulumi != "id";
    let is_input = |field: &Field| is_property(field) && is_input(field);
    let properties = writer.properties(name, fields, docs, Place::TopLevel, is_property);
    let spec = ResourceSpec {
        description: described(context, &block.description.text),
        required: required(fields, Side::Output, is_property),
        input_properties: writer.properties(name, fields, docs, Place::TopLevel, is_input),
        required_inputs: required(fields, Side::Input, is_input),
        state_inputs: Some(ObjectTypeSpec {
            description: format!("Input properties used for looking up and filtering {name} resources.\n"),
            properties: properties.clone(),
            ..ObjectTypeSpec::default()
        }),
        properties,
        deprecation_message: deprecation(context, block),
        ..ResourceSpec::default()
    };
    Module { types: writer.types(), resources: [(names.token.to_string(), spec)].into(), ..Module::default() }
}

/// A data source called `name`.
pub(super) fn data_source(context: Context<'_>, name: &str, names: &ComponentNames, block: &Block) -> Module {
    let (fields, docs) = (&*names.fields, Docs::Block(block));
    let mut writer = Writer::new(context, "index");
    writer.objects.visit(name, fields.fields().filter(|field| is_input(field)), docs, Side::Input);
    writer.objects.visit(name, fields.fields(), docs, Side::Output);
    let object = |what: &str, side, keep: fn(&Field) -> bool| ObjectTypeSpec {
        description: format!("A collection of {what} {name}.\n"),
        properties: writer.properties(name, fields, docs, Place::DataSource, keep),
        required: required(fields, side, keep),
        ..ObjectTypeSpec::default()
    };
    let inputs = object("arguments for invoking", Side::Input, is_input);
    let outputs = object("values returned by", Side::Output, |_| true);
    let spec = FunctionSpec {
        description: described(context, &block.description.text),
        inputs: Some(inputs).filter(|inputs| !inputs.properties.is_empty()),
        outputs: Some(outputs).filter(|outputs| !outputs.properties.is_empty()).map(ReturnSpec::Object),
        deprecation_message: deprecation(context, block),
        ..FunctionSpec::default()
    };
    Module { types: writer.types(), functions: [(names.token.to_string(), spec)].into(), ..Module::default() }
}

/// A function called `name` with these parameters.
pub(super) fn function(
    context: Context<'_>,
    name: &str,
    parameters: &[Field],
    returns: &Returns,
    signature: &FunctionSignature,
) -> Result<Module, SchemaError> {
    let mut types = FunctionTypes { package: context.package, types: BTreeMap::new() };
    let mut inputs = ObjectTypeSpec::default();
    let documented = signature.parameters.iter().chain(&signature.variadic);
    for (field, parameter) in parameters.iter().zip(documented) {
        let ty = types.ty(&super::fields::function_type_name(name, &field.pulumi), &field.shape)?;
        let description = text::lines(&parameter.description.text);
        inputs.properties.insert(field.pulumi.to_string(), PropertySpec { ty, description, ..PropertySpec::default() });
        if field.required {
            inputs.required.push(field.pulumi.to_string());
        }
    }
    let result = format!("{name}Result");
    let outputs = match returns {
        Returns::Object(table) => ReturnSpec::Object(types.object(&result, table)?),
        Returns::Value(field) => ReturnSpec::Value(types.ty(&result, &field.shape)?),
        Returns::Fields => ReturnSpec::Value(TypeSpec::any()),
    };
    let texts = [signature.summary.as_str(), &signature.description.text];
    let texts: Vec<_> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    let spec = FunctionSpec {
        description: text::lines(&texts.join("\n\n")),
        inputs: Some(inputs).filter(|inputs| !inputs.properties.is_empty()),
        multi_argument_inputs: parameters.iter().map(|field| field.pulumi.to_string()).collect(),
        outputs: Some(outputs),
        deprecation_message: signature.deprecation.clone().filter(|text| !text.is_empty()),
    };
    let functions = [(component_token(context.package, name), spec)].into();
    Ok(Module { types: types.types, functions, ..Module::default() })
}

fn is_input(field: &Field) -> bool {
    field.optional || field.required
}

/// What a component is for, which only we say.
pub(super) fn described(context: Context<'_>, text: &str) -> String {
    if context.repairs.contains(Repair::Descriptions) { text::lines(&context.describe(text)) } else { String::new() }
}

pub(super) fn deprecation(context: Context<'_>, block: &Block) -> Option<String> {
    let said = context.repairs.contains(Repair::Deprecations);
    said.then(|| context.deprecation(block.deprecation.as_deref())).flatten()
}

/// Puts modules together. Where two have different types of one name, the later one takes the name; the earlier one's is
/// lost, or numbered if the repair is on.
pub(super) fn assemble(mut modules: Vec<Module>, distinct: bool, spec: &mut PackageSpec) {
    if distinct {
        number_types(&mut modules);
    }
    for module in modules {
        let types = module.types.into_iter().map(|(token, object)| (token, ComplexTypeSpec::Object(object)));
        spec.types.extend(types);
        spec.resources.extend(module.resources);
        spec.functions.extend(module.functions);
    }
}

/// Gives types that later modules would overwrite names of their own.
fn number_types(modules: &mut [Module]) {
    // Which module has the type of that token.
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for index in (0..modules.len()).rev() {
        let (earlier, later) = modules.split_at_mut(index + 1);
        let Some(module) = earlier.last_mut() else { continue };
        let others = |token: &str| {
            let owner = taken.get(token)?.checked_sub(index + 1)?;
            later.get(owner)?.types.get(token)
        };
        // A type that is renamed changes those that refer to it, which may then be different ones as well.
        loop {
            let clash = module
                .types
                .iter()
                .find(|(token, object)| others(token).is_some_and(|other| !other.has_shape_of(object)));
            let Some(token) = clash.map(|(token, _)| token.clone()) else { break };
            let free = (2..).map(|number| numbered(&token, number));
            let free = free.into_iter().find(|free| !taken.contains_key(free) && !module.types.contains_key(free));
            module.rename(&token, &free.unwrap_or_default());
        }
        taken.extend(module.types.keys().map(|token| (token.clone(), index)));
    }
}

/// `p:index/Foo:Foo` → `p:index/FooV2:FooV2`.
fn numbered(token: &str, number: usize) -> String {
    let (module, name) = token.rsplit_once(':').unwrap_or(("", token));
    let module = module.strip_suffix(name).unwrap_or(module);
    format!("{module}{name}V{number}:{name}V{number}")
}

impl Module {
    fn rename(&mut self, from: &str, to: &str) {
        if let Some(object) = self.types.remove(from) {
            self.types.insert(to.to_owned(), object);
        }
        let (from, to) = (TypeSpec::named(from), TypeSpec::named(to));
        let mut rename = |ty: &mut TypeSpec| ty.replace(&from, &to);
        self.types.values_mut().for_each(|object| object.for_each_type(&mut rename));
        self.resources.values_mut().for_each(|resource| resource.for_each_type(&mut rename));
        self.functions.values_mut().for_each(|function| function.for_each_type(&mut rename));
    }
}
