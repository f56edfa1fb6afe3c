//! The provider's own configuration: CheckConfig, DiffConfig, Configure.

use std::collections::BTreeSet;

use denobridge_core::cty::Value;
use denobridge_core::planning;
use denobridge_core::provider::ConfigureProviderRequest;
use denobridge_sdk_gen::{Field, PropertyPath, PropertyStep, Shape};
use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value as WireValue};
use serde_json::Value as Json;

use super::check::{Checked, failure, secret_inputs};
use super::detailed_diff::{Change, DetailedDiff};
use super::{CAPABILITIES, Operation};
use crate::assets;
use crate::errors::{Failure, MissingSetting};
use crate::property_value::{PropertyMap, PropertyValue, wire};
use crate::proto::pulumirpc::diff_response::DiffChanges;
use crate::proto::pulumirpc::{CheckFailure, DiffResponse};
use crate::translate::{TranslateError, TranslateProblem};

/// Settings that every provider has and that are the engine's affair.
const ENGINE_SETTINGS: [&str; 4] = ["version", "pluginDownloadURL", "pluginChecksums", "parameterization"];

/// The version of Terraform that a provider is told it talks to: the first with all that the seam carries.
const TERRAFORM_VERSION: &str = "1.14.0";

impl Operation {
    /// Checks settings. They come back in the form in which they came.
    pub(crate) async fn check_config(&self, given: PropertyMap) -> Result<(PropertyMap, Vec<CheckFailure>), Failure> {
        let (config, errors) = self.provider_config(&given).await?;
        let mut failures: Vec<_> = errors.iter().map(|error| failure(&error.path(), &error.to_string())).collect();
        let unreadable: BTreeSet<_> = failures.iter().map(|failure| failure.property.clone()).collect();
        let missing = self.missing(&config);
        let missing = missing.iter().filter(|field| !unreadable.contains(&*field.pulumi));
        failures.extend(missing.map(|field| {
            let (package, name) = (&self.package.served.name, &field.pulumi);
            let reason = format!("the setting is required; try `pulumi config set {package}:{name} VALUE`");
            CheckFailure { property: name.to_string(), reason }
        }));
        if failures.is_empty() {
            let checked = Checked { config, own: Value::object::<&str>([]) };
            failures.extend(self.told(&self.validate(&checked).await?));
        }
        Ok((secret_inputs(given, self.fields()), failures))
    }

    /// Gives the provider its settings. This may be the first that is heard of them: a refresh or destroy takes them
    /// from the state and checks nothing.
    pub(crate) async fn configure(&self, given: PropertyMap) -> Result<(), Failure> {
        let (config, errors) = self.provider_config(&given).await?;
        if !errors.is_empty() {
            let reasons: Vec<_> = errors.iter().map(|error| format!("setting `{}`: {error}", error.path())).collect();
            return Err(self.failed(&reasons));
        }
        let missing = self.missing(&config);
        if !missing.is_empty() {
            let block = &self.package.schema.provider.block;
            let setting = |field: &&Field| MissingSetting {
                name: format!("{}:{}", self.package.served.name, field.pulumi),
                description: block
                    .attribute(&field.terraform)
                    .map(|attribute| attribute.description.text.clone())
                    .unwrap_or_default(),
            };
            return Err(Failure::MissingKeys(missing.iter().map(setting).collect()));
        }
        let request = ConfigureProviderRequest {
            terraform_version: TERRAFORM_VERSION.to_owned(),
            config: config.into(),
            client_capabilities: CAPABILITIES,
        };
        let answer = self.ask(|provider, call| provider.configure_provider(call, request)).await?;
        self.settle(&answer.diagnostics)
    }

    async fn provider_config(&self, given: &PropertyMap) -> Result<(Value, Vec<TranslateError>), Failure> {
        let mut settings = PropertyMap::new();
        let mut errors = Vec::new();
        for (name, value) in given {
            if ENGINE_SETTINGS.contains(&name.as_str()) {
                continue;
            }
            let value = match self.fields().by_pulumi(name) {
                Some(field) => native_form(value, &field.shape),
                None => Ok(value.clone()),
            };
            match value {
                Ok(value) => drop(settings.insert(name.clone(), value)),
                Err(problem) => errors.push(TranslateError::at_property(name, TranslateProblem::Setting(problem))),
            }
        }
        assets::load(&mut settings).await?;
        let (config, untranslated) = self.config(&settings);
        errors.extend(untranslated);
        let block = &self.package.schema.provider.block;
        Ok((planning::unset_computed_blocks(block, &config), errors))
    }

    /// Required settings that have no value.
    fn missing(&self, config: &Value) -> Vec<&Field> {
        let empty = |value: &Value| {
            value.is_null() || (value.is_known() && value.as_elements().is_some_and(<[Value]>::is_empty))
        };
        let fields = self.fields().fields().filter(|field| field.required);
        fields.filter(|field| config.attribute(&field.terraform).is_none_or(empty)).collect()
    }
}

/// What settings have changed. Nothing here replaces the provider, which would replace all its resources.
pub(crate) fn diff_config(old: &PropertyMap, new: &PropertyMap) -> DiffResponse {
    let mut detailed = DetailedDiff::default();
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        if ENGINE_SETTINGS.contains(&name.as_str()) || name.starts_with("__") {
            continue;
        }
        let (before, after) = (present(old, name), present(new, name));
        let change = match (&before, &after) {
            (None, Some(_)) => Change::Add,
            (Some(_), None) => Change::Delete,
            _ if before != after => Change::Update,
            _ => continue,
        };
        let path: PropertyPath = [PropertyStep::Name(name.as_str().into())].into_iter().collect();
        detailed.add(path, change, false, true);
    }
    if detailed.is_empty() {
        // The engine compares the rest, such as the version, itself.
        return DiffResponse::default();
    }
    DiffResponse {
        diffs: detailed.properties(),
        changes: DiffChanges::DiffSome.into(),
        detailed_diff: detailed.into_wire(),
        has_detailed_diff: true,
        ..DiffResponse::default()
    }
}

fn present(settings: &PropertyMap, name: &str) -> Option<PropertyValue> {
    settings.get(name).filter(|value| !value.is_null()).map(PropertyValue::without_secrets)
}

/// A setting in its own form. Settings that are no strings come as JSON text from stack configuration and from some
/// languages, and as themselves from others; secrets may be inside the text.
fn native_form(value: &PropertyValue, shape: &Shape) -> Result<PropertyValue, &'static str> {
    match value {
        PropertyValue::Secret(inner) => native_form(inner, shape).map(PropertyValue::into_secret),
        PropertyValue::String(text) => match shape {
            Shape::String => Ok(value.clone()),
            // An empty setting is none.
            _ if text.is_empty() => Ok(PropertyValue::Null),
            // Numbers keep all their digits as text, which the translation reads.
            Shape::Number | Shape::Bool => Ok(value.clone()),
            Shape::Dynamic => Ok(from_json_text(text).unwrap_or_else(|_| value.clone())),
            _ => from_json_text(text),
        },
        other => Ok(other.clone()),
    }
}

fn from_json_text(text: &str) -> Result<PropertyValue, &'static str> {
    let json: Json = serde_json::from_str(text).map_err(|_| "it must be JSON, and the text is not valid JSON")?;
    let fields = std::iter::once(("value".to_owned(), to_wire(&json))).collect();
    let mut decoded = wire::decode(Some(Struct { fields })).map_err(|_| "it holds a value that cannot be read")?;
    Ok(decoded.remove("value").unwrap_or_default())
}

fn to_wire(json: &Json) -> WireValue {
    let kind = match json {
        Json::Null => Kind::NullValue(0),
        Json::Bool(value) => Kind::BoolValue(*value),
        Json::Number(number) => {
            number.as_f64().map_or_else(|| Kind::StringValue(number.to_string()), Kind::NumberValue)
        }
        Json::String(text) => Kind::StringValue(text.clone()),
        Json::Array(items) => Kind::ListValue(ListValue { values: items.iter().map(to_wire).collect() }),
        Json::Object(entries) => Kind::StructValue(Struct {
            fields: entries.iter().map(|(name, value)| (name.clone(), to_wire(value))).collect(),
        }),
    };
    WireValue { kind: Some(kind) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn settings(entries: &[(&str, PropertyValue)]) -> PropertyMap {
        entries.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    #[test]
    fn settings_come_as_themselves_or_as_json_text() {
        let list = Shape::List(Arc::new(Shape::String));
        let native = PropertyValue::Array(vec!["a".into()]);
        assert_eq!(native_form(&native, &list), Ok(native.clone()));
        assert_eq!(native_form(&r#"["a"]"#.into(), &list), Ok(native.clone()));
        let secret = format!(r#"[{{"{}":"1b47061264138c4ac30d75fd1eb44270","value":"a"}}]"#, wire::SIGNATURE_KEY);
        let expected = PropertyValue::Array(vec![PropertyValue::from("a").into_secret()]);
        assert_eq!(native_form(&secret.as_str().into(), &list), Ok(expected));
        assert_eq!(native_form(&"".into(), &list), Ok(PropertyValue::Null));
        assert!(native_form(&"[".into(), &list).is_err());
        assert_eq!(native_form(&"[".into(), &Shape::String), Ok("[".into()));
    }

    #[test]
    fn settings_never_replace_and_the_version_is_the_engines_affair() {
        let old = settings(&[("version", "1.0.0".into()), ("endpoint", "a".into())]);
        let new = settings(&[("version", "2.0.0".into()), ("endpoint", PropertyValue::from("a").into_secret())]);
        assert_eq!(diff_config(&old, &new), DiffResponse::default());
        let changed = diff_config(&old, &settings(&[("endpoint", "b".into())]));
        assert_eq!(changed.changes(), DiffChanges::DiffSome);
        assert!(changed.replaces.is_empty());
        assert_eq!(changed.diffs, ["endpoint"]);
    }
}
