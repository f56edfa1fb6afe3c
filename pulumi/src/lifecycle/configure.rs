//! The provider's own configuration: CheckConfig, DiffConfig, Configure.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use denobridge_core::cty::Value;
use denobridge_core::planning;
use denobridge_core::provider::ConfigureProviderRequest;
use denobridge_sdk_gen::{Field, ObjectNames, PropertyPath, PropertyStep, Shape};
use prost_types::value::Kind;
use prost_types::{ListValue, Value as WireValue};
use serde_json::Value as Json;

use super::check::{Checked, failure, secret_inputs};
use super::detailed_diff::{Change, DetailedDiff};
use super::{CAPABILITIES, Operation};
use crate::assets;
use crate::errors::{Failure, MissingSetting};
use crate::property_value::{PropertyMap, PropertyValue, wire};
use crate::proto::Struct;
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
        self.learn(&[&given]);
        let (config, errors) = self.provider_config(&given).await?;
        let mut failures: Vec<_> = errors.iter().map(|error| failure(&error.path(), &error.to_string())).collect();
        let unreadable: BTreeSet<_> = failures.iter().map(|failure| failure.property.clone()).collect();
        let missing = self.missing(&config);
        let missing = missing.iter().filter(|field| !unreadable.contains(&*field.pulumi));
        failures.extend(missing.map(|field| {
            let name = &field.pulumi;
            let reason = if self.is_default_provider() {
                format!("the setting is required; try `pulumi config set {}:{name} VALUE`", self.package.served.name)
            } else {
                "the setting is required; set it where the program makes the provider".to_owned()
            };
            CheckFailure { property: name.to_string(), reason }
        }));
        if failures.is_empty() {
            let checked = Checked { config, own: Value::object::<&str>([]) };
            failures.extend(self.told(&self.validate(&checked).await?).into_iter().map(|told| self.located(told)));
        }
        Ok((secret_settings(given, self.fields()), failures))
    }

    /// What the provider says of a setting, with the place where the user has written it.
    fn located(&self, failure: CheckFailure) -> CheckFailure {
        let CheckFailure { property, reason } = failure;
        let place = match &*property {
            "" if self.is_default_provider() => format!("settings `{}:…`", self.package.served.name),
            "" => return CheckFailure { property, reason },
            name if self.is_default_provider() => {
                format!("see `pulumi config get {}:{name}`", self.package.served.name)
            }
            name => format!("argument `{name}` of the provider {:?}", self.subject.name),
        };
        CheckFailure { reason: format!("{reason} ({place})"), property }
    }

    /// Whether this is the instance that resources get by themselves, whose settings are those of the stack.
    fn is_default_provider(&self) -> bool {
        self.subject.name == "default" || self.subject.name.starts_with("default_")
    }

    /// Gives the provider its settings. This may be the first that is heard of them: a refresh or destroy takes them
    /// from the state and checks nothing.
    pub(crate) async fn configure(&self, given: PropertyMap) -> Result<(), Failure> {
        self.learn(&[&given]);
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
        let unknown = !config.is_wholly_known() && !self.conventions().configures_with_unknown_settings();
        self.package.settings_unknown.store(unknown, Ordering::Relaxed);
        if unknown {
            return Ok(());
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
            if self.is_engines_setting(name, value) {
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
        // Secrets in JSON text are none of the text's.
        self.learn(&[&settings]);
        assets::load(&mut settings).await?;
        let (config, untranslated) = self.config(&settings);
        errors.extend(untranslated);
        let block = &self.package.schema.provider.block;
        Ok((planning::unset_computed_blocks(block, &config), errors))
    }

    /// Whether a setting is the engine's affair. A provider may have a `version` of its own, which can only be told from
    /// that of the package by its value.
    fn is_engines_setting(&self, name: &str, value: &PropertyValue) -> bool {
        let package_version = || {
            matches!(value.plain(), PropertyValue::String(text) if *text == self.package.served.version)
                || value.is_null()
        };
        ENGINE_SETTINGS.contains(&name)
            && (name != "version" || self.fields().by_pulumi(name).is_none() || package_version())
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
        let change = match (present(old, name), present(new, name)) {
            (None, Some(_)) => Change::Add,
            (Some(_), None) => Change::Delete,
            (Some(before), Some(after)) if !same_setting(&before, &after) => Change::Update,
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

/// Whether two settings mean the same, of which one may be JSON text and the other not.
fn same_setting(before: &PropertyValue, after: &PropertyValue) -> bool {
    let structure = |value: &PropertyValue| match value {
        PropertyValue::String(text) if text.starts_with(['[', '{']) => {
            from_json_text(text).map_or_else(|_| value.clone(), |value| value.without_secrets())
        }
        other => other.clone(),
    };
    let is_text = |value: &PropertyValue| matches!(value, PropertyValue::String(_));
    before == after || ((is_text(before) || is_text(after)) && structure(before) == structure(after))
}

/// Settings with what the schema calls sensitive as secrets. One that is JSON text with something sensitive or secret
/// inside is a secret as a whole.
fn secret_settings(settings: PropertyMap, names: &ObjectNames) -> PropertyMap {
    let holds_secret = |name: &str, text: &str| {
        let Some(field) = names.by_pulumi(name) else { return false };
        let Ok(value) = native_form(&text.into(), &field.shape) else { return false };
        let inside = secret_inputs(PropertyMap::from([(name.to_owned(), value)]), names);
        inside.values().any(PropertyValue::contains_secret)
    };
    let settings = settings.into_iter().map(|(name, value)| {
        let secret = matches!(&value, PropertyValue::String(text) if holds_secret(&name, text));
        if secret { (name, value.into_secret()) } else { (name, value) }
    });
    secret_inputs(settings.collect(), names)
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
        Json::Object(entries) => Kind::StructValue(prost_types::Struct {
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

    #[test]
    fn the_form_of_a_setting_is_no_difference() {
        let native = PropertyValue::Object(settings(&[("a", PropertyValue::Bool(true))]));
        let of = |value: PropertyValue| settings(&[("nested", value)]);
        assert_eq!(diff_config(&of(native.clone()), &of(r#"{"a": true}"#.into())), DiffResponse::default());
        assert_eq!(diff_config(&of(r#"{"a":true}"#.into()), &of(r#"{ "a": true }"#.into())), DiffResponse::default());
        assert_eq!(diff_config(&of(native), &of(r#"{"a": false}"#.into())).diffs, ["nested"]);
    }
}
