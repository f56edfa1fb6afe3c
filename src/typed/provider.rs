//! The provider of a package of scripts.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::Provider;
use denobridge_core::schema::{Block, Schema};
use denobridge_framework::ProviderBuilder;
use denobridge_sdk_gen::{ComponentKind, native};

use super::advice::Adviser;
use super::component::{
    Component, ComponentName, FunctionScripts, Layout, Outline, Script, TypedAction, TypedDataSource, TypedEphemeral,
    TypedFunction, TypedList, TypedResource, checker, kind_name,
};
use super::configuration::Configuration;
use super::names::snake_case;
use super::package::PackageScript;
use super::permissions::Grant;
use super::schema::{Place, markdown, only_given};
use super::{Kind, ScriptPackage, TypedError, deprecation};
use crate::scripted::{CallScript, ScriptedOptions};

/// The provider of a package: a component for each script that says what it is.
///
/// # Errors
/// A script's schema cannot be one of Terraform's, or two scripts are the same component. The error names the files.
pub fn provider(package: &ScriptPackage, options: ScriptedOptions) -> Result<Arc<dyn Provider>, TypedError> {
    let prefix = type_prefix(package)?;
    let configuration = Arc::new(Configuration::read(package, &prefix)?);
    let ScriptedOptions { runtime, deno } = options;
    let adviser = Adviser::new(package, &prefix, Grant::default()).of_functions();
    let functions = Arc::new(CallScript::new(runtime.clone(), deno).owned_by(Arc::new(adviser)));
    let validated = Arc::clone(&configuration);
    let builder = ProviderBuilder::new(&prefix)
        .config_schema(configuration.schema())
        .validate(move |config| validated.validate(config))
        .configure(move |context| {
            let (configuration, runtime) = (Arc::clone(&configuration), runtime.clone());
            async move { configuration.configure(&runtime, &context) }
        });
    let mut parts = Parts { package, prefix: &prefix, functions, names: Names::default(), builder };
    for script in &package.scripts {
        parts = parts.with(script)?;
    }
    Ok(Arc::new(parts.builder.build()?))
}

/// What types of a package begin with in Terraform: its name with underscores for dashes.
///
/// # Errors
/// The package has no name that Terraform takes.
pub fn type_prefix(package: &ScriptPackage) -> Result<String, TypedError> {
    let is_plain = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit() || character == '-';
    let name = &package.name;
    let fits = name.starts_with(|first: char| first.is_ascii_lowercase()) && name.chars().all(is_plain);
    let prefix = snake_case(name).filter(|_| fits && !name.ends_with('-') && !name.contains("--"));
    prefix.ok_or_else(|| TypedError::PackageName { name: name.clone() })
}

/// What the components of a package are called in Pulumi, by kind and name in Terraform: what
/// [`denobridge_sdk_gen::PackageOptions::component_names`] takes.
///
/// # Errors
/// As [`provider`]: a script has no name that both tools take.
pub fn component_names(package: &ScriptPackage) -> Result<BTreeMap<(ComponentKind, String), String>, TypedError> {
    let prefix = type_prefix(package)?;
    let mut names = BTreeMap::new();
    for script in &package.scripts {
        if script.description.kind == Kind::Function {
            let functions = script.description.functions.keys();
            let kind = ComponentKind::Function;
            names.extend(
                functions.filter_map(|name| Some(((kind, snake_case(name)?), native::free_name(kind, name.clone())))),
            );
            continue;
        }
        let name = ComponentName::new(&script.file, &script.description, &prefix)?;
        if script.description.list.is_some() {
            let list = name.list();
            names.insert((list.kind, list.terraform), list.pulumi);
        }
        names.insert((name.kind, name.terraform), name.pulumi);
    }
    Ok(names)
}

/// Which file has which name.
#[derive(Default)]
struct Names<'p>(BTreeMap<(ComponentKind, String), &'p str>);

impl<'p> Names<'p> {
    fn take(&mut self, kind: ComponentKind, name: &str, file: &'p str) -> Result<(), TypedError> {
        match self.0.insert((kind, name.to_owned()), file) {
            None => Ok(()),
            Some(first) => Err(TypedError::SameName {
                first: first.to_owned(),
                second: file.to_owned(),
                kind: kind_name(kind),
                name: name.to_owned(),
            }),
        }
    }
}

/// A provider in the making.
struct Parts<'p> {
    package: &'p ScriptPackage,
    prefix: &'p str,
    functions: FunctionScripts,
    names: Names<'p>,
    builder: ProviderBuilder,
}

impl<'p> Parts<'p> {
    fn with(mut self, script: &'p PackageScript) -> Result<Self, TypedError> {
        if script.description.kind == Kind::Function {
            return self.with_functions(script);
        }
        let name = ComponentName::new(&script.file, &script.description, self.prefix)?;
        self.names.take(name.kind, &name.terraform, &script.file)?;
        let component = self.component(script, &name)?;
        let schema = self.schema(script, &component.layout, i64::from(script.description.state_version));
        let type_name = name.terraform.as_str();
        self.builder = match script.description.kind {
            Kind::Resource => {
                let resource = Arc::new(TypedResource { component, schema });
                if let Some(list) = self.list(script, &name, &resource)? {
                    self.builder = self.builder.list_resource(type_name, Box::new(list));
                }
                self.builder.component(type_name, denobridge_framework::hub::Component::Resource(resource))
            }
            Kind::Datasource => self.builder.data_source(type_name, Box::new(TypedDataSource { component, schema })),
            Kind::Ephemeral => {
                self.builder.ephemeral_resource(type_name, Box::new(TypedEphemeral { component, schema }))
            }
            Kind::Action => self.builder.action(type_name, Box::new(TypedAction { component, schema })),
            Kind::Function => self.builder,
        };
        Ok(self)
    }

    fn with_functions(mut self, script: &'p PackageScript) -> Result<Self, TypedError> {
        for (name, described) in &script.description.functions {
            let scripts = Arc::clone(&self.functions);
            let (name, function) = TypedFunction::read(&script.file, &script.location, (name, described), scripts)?;
            self.names.take(ComponentKind::Function, &name, &script.file)?;
            self.builder = self.builder.function(name, Box::new(function));
        }
        Ok(self)
    }

    fn script(&self, script: &PackageScript) -> Arc<Script> {
        Arc::new(Script {
            file: script.file.clone(),
            location: script.location.clone(),
            config_file: self.package.config_file.clone(),
        })
    }

    fn component(&self, script: &PackageScript, name: &ComponentName) -> Result<Component, TypedError> {
        let description = &script.description;
        let is_resource = description.kind == Kind::Resource;
        let has_state = description.kind != Kind::Action;
        let outline = Outline {
            file: &script.file,
            name,
            props: ("props", description.props.as_ref()),
            write_only: description.write_only_props.as_ref().filter(|_| is_resource),
            state: description.state.as_ref().filter(|_| has_state),
            sensitive_state: description.sensitive_state.as_ref().filter(|_| has_state),
        };
        self.outlined(script, &outline)
    }

    fn outlined(&self, script: &PackageScript, outline: &Outline<'_>) -> Result<Component, TypedError> {
        let layout = Layout::read(outline)?;
        let (member, props) = outline.props;
        let place = |member| Place::new(&script.file, member);
        Ok(Component {
            script: self.script(script),
            props: checker(props, &layout.props, &place(member))?,
            write_only: checker(outline.write_only, &layout.write_only, &place("writeOnlyProps"))?,
            layout,
        })
    }

    fn list(
        &self,
        script: &PackageScript,
        name: &ComponentName,
        resource: &Arc<TypedResource>,
    ) -> Result<Option<TypedList>, TypedError> {
        let Some(list) = &script.description.list else { return Ok(None) };
        let name = name.list();
        let props = ("list", Some(list));
        let outline =
            Outline { file: &script.file, name: &name, props, write_only: None, state: None, sensitive_state: None };
        let component = self.outlined(script, &outline)?;
        let schema = self.schema(script, &component.layout, 0);
        Ok(Some(TypedList { component, schema, resource: Arc::clone(resource) }))
    }

    fn schema(&self, script: &PackageScript, layout: &Layout, version: i64) -> Schema {
        let description = markdown(script.description.description.as_deref());
        let deprecation = deprecation(script.description.deprecated.as_ref());
        let gives_back = !matches!(layout.kind(), ComponentKind::Action | ComponentKind::ListResource);
        let attributes = layout.attributes().into_iter();
        let attributes =
            attributes.map(|attribute| if gives_back { attribute } else { only_given(attribute) }).collect();
        Schema { version, block: Block { attributes, description, deprecation, ..Block::default() } }
    }
}
