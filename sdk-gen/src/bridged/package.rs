//! The parts of the package schema that are about the package as a whole.

use serde_json::{Value, json};

use denobridge_core::schema::Block;

use super::BridgedOptions;
use super::module::Module;
use super::types::Side;
use super::writer::{Context, Place, Writer, required};
use crate::error::SchemaError;
use crate::names::{Field, ObjectNames};
use crate::package::docs::Docs;
use crate::package::spec::{
    ConfigSpec, FunctionSpec, MetadataSpec, ObjectTypeSpec, PackageSpec, Properties, PropertySpec, ResourceSpec,
    ReturnSpec, TypeSpec,
};
use crate::package::{PackageSchema, check_package, parameterization_spec};

/// Everything that does not depend on the provider's schema.
pub(super) fn package_spec(options: &BridgedOptions) -> Result<PackageSpec, SchemaError> {
    let package = options.package_name();
    let version = check_package(package, &options.version)?;
    if let Some(base) = &options.parameterization {
        check_package(&base.name, &base.version)?;
    }
    let description = format!("A Pulumi provider dynamically bridged from {}.", options.provider);
    let source = |namespace: &str, name: &str| format!("https://github.com/{namespace}/terraform-provider-{name}");
    let repository = options.namespace.as_deref().map(|namespace| source(namespace, &options.provider));
    let upstream = source(options.namespace.as_deref().unwrap_or("terraform-providers"), package);
    let language = languages(package, version.major, &description, &readme(options, &upstream));
    Ok(PackageSpec {
        name: package.to_owned(),
        version: options.version.clone(),
        attribution: format!("This Pulumi package is based on the [`{package}` Terraform Provider]({upstream})."),
        repository: repository.unwrap_or_default(),
        publisher: options.namespace.clone().unwrap_or_default(),
        parameterization: options.parameterization.as_ref().map(parameterization_spec),
        description,
        language,
        ..bare_spec(package)
    })
}

/// What both kinds of package have.
fn bare_spec(package: &str) -> PackageSpec {
    PackageSpec {
        meta: Some(MetadataSpec { module_format: Some("(.*)(?:/[^/]*)"), support_pack: false }),
        functions: [(terraform_config_token(package), terraform_config(package))].into(),
        ..PackageSpec::default()
    }
}

/// The package of the plugin before it is told which provider to be, which the Go plugin describes so.
///
/// # Errors
/// The schema has no JSON form.
pub fn unparameterized(name: &str, version: &str) -> Result<PackageSchema, SchemaError> {
    let repository = "https://github.com/pulumi/pulumi-terraform-provider";
    let spec = PackageSpec {
        name: name.to_owned(),
        display_name: "Any Terraform Provider".to_owned(),
        version: version.to_owned(),
        description: "Use any Terraform provider with Pulumi".to_owned(),
        keywords: vec!["category/utility".to_owned()],
        license: "Apache-2.0".to_owned(),
        repository: repository.to_owned(),
        logo_url: "https://raw.githubusercontent.com/pulumi/pulumi-terraform-provider/main/assets/logo.png".to_owned(),
        ..bare_spec(name)
    };
    PackageSchema::of(name, &spec)
}

fn languages(package: &str, major: u64, description: &str, readme: &str) -> Value {
    let version = if major > 1 { format!("v{major}/") } else { String::new() };
    json!({
        "csharp": {"compatibility": "tfbridge20", "liftSingleValueMethodReturns": true, "respectSchemaVersion": true},
        "go": {
            "importBasePath": format!("github.com/pulumi/pulumi-terraform-provider/sdks/go/{package}/{version}{package}"),
            "rootPackageName": package,
            "liftSingleValueMethodReturns": true,
            "generateExtraInputTypes": true,
            "respectSchemaVersion": true,
        },
        "java": {"basePackage": "", "buildFiles": "", "gradleNexusPublishPluginVersion": "", "gradleTest": ""},
        "nodejs": {
            "packageDescription": description,
            "readme": readme,
            "compatibility": "tfbridge20",
            "disableUnionOutputTypes": true,
            "liftSingleValueMethodReturns": true,
            "respectSchemaVersion": true,
        },
        "python": {
            "readme": readme,
            "compatibility": "tfbridge20",
            "respectSchemaVersion": true,
            "pyproject": {"enabled": true},
        },
    })
}

fn readme(options: &BridgedOptions, upstream: &str) -> String {
    let package = options.package_name();
    let head = format!(
        "> This provider is a derived work of the [Terraform Provider]({upstream})\n\
         > distributed under [MPL 2.0](https://www.mozilla.org/en-US/MPL/2.0/). If you encounter a bug or missing feature,\n"
    );
    format!("{head}> please consult the source [`terraform-provider-{package}` repo]({upstream}/issues).")
}

fn terraform_config_token(package: &str) -> String {
    format!("pulumi:providers:{package}/terraformConfig")
}

/// A method of the provider that gives its configuration in Terraform's names.
fn terraform_config(package: &str) -> FunctionSpec {
    let property = |ty| PropertySpec { ty, ..PropertySpec::default() };
    FunctionSpec {
        description:
            "This function returns a Terraform config object with terraform-namecased keys,to be used with the \
                      Terraform Module Provider."
                .to_owned(),
        inputs: Some(ObjectTypeSpec {
            ty: terraform_config_token(package).into(),
            properties: [("__self__".to_owned(), property(TypeSpec::provider()))].into(),
            required: vec!["__self__".to_owned()],
            ..ObjectTypeSpec::default()
        }),
        outputs: Some(ReturnSpec::Object(ObjectTypeSpec {
            properties: [("result".to_owned(), property(TypeSpec::map(TypeSpec::any())))].into(),
            required: vec!["result".to_owned()],
            ..ObjectTypeSpec::default()
        })),
        ..FunctionSpec::default()
    }
}

/// The configuration of the provider that programs use without naming one. Its types are in a module of their own.
pub(super) fn configuration(
    context: Context<'_>,
    fields: &ObjectNames,
    block: &Block,
    spec: &mut PackageSpec,
) -> Module {
    let docs = Docs::Block(block);
    let mut writer = Writer::new(context, "config");
    for field in fields.fields() {
        let inside = docs.find(&field.terraform).inside;
        writer.objects.visit_shape(&field.pulumi, super::types::visible(field), inside, Side::Output);
    }
    let mut variables = Properties::new();
    for field in fields.fields() {
        let ty = writer.ty(&field.pulumi, super::types::visible(field));
        let property = context.property(field, &docs.find(&field.terraform), Place::TopLevel, ty);
        variables.insert(field.pulumi.to_string(), property);
    }
    spec.config = ConfigSpec { variables, required: required(fields, Side::Output, |_| true) };
    Module { types: writer.types(), ..Module::default() }
}

/// The provider as a resource.
pub(super) fn provider(context: Context<'_>, fields: &ObjectNames, block: &Block, spec: &mut PackageSpec) -> Module {
    let docs = Docs::Block(block);
    let is_input = |field: &Field| field.optional || field.required;
    let mut writer = Writer::new(context, "index");
    writer.objects.visit("Provider", fields.fields().filter(|field| is_input(field)), docs, Side::Input);
    let is_input = |field: &Field| is_input(field) && &*field.pulumi != "id";
    let properties = writer.properties("Provider", fields, docs, Place::TopLevel, is_input);
    let required = required(fields, Side::Input, is_input);
    let package = context.package;
    spec.provider = ResourceSpec {
        description: format!(
            "The provider type for the {package} package. By default, resources use package-wide configuration\n\
             settings, however an explicit `Provider` instance may be created and passed during resource\n\
             construction to achieve fine-grained programmatic control over provider settings. See the\n\
             [documentation](https://www.pulumi.com/docs/reference/programming-model/#providers) for more information.\n"
        ),
        properties: properties.clone(),
        required: required.clone(),
        input_properties: properties,
        required_inputs: required,
        methods: [("terraformConfig", terraform_config_token(package))].into(),
        ..ResourceSpec::default()
    };
    Module { types: writer.types(), ..Module::default() }
}
