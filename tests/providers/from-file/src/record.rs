//! A layer that writes down every request as a line of JSON, so that what two hosts asked can be compared.
//!
//! Values are shown as their types say: unknown is `{"$": "unknown"}`, what was not sent at all `{"$": "absent"}`, what
//! cannot be read `{"$": "unreadable: …"}`, a dynamic value `{"$type": …, "value": …}`, long text only its length.

use std::fs::File;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use denobridge_core::cty::{Type, Value, ValueKind, type_json};
use denobridge_core::provider::*;
use denobridge_core::schema::{ProviderSchema, Schema};
use denobridge_core::{Call, CallError, DynamicValue, Provider};
use serde_json::{Map, Value as Json, json};

/// Longest text that is written down as it is, in bytes.
const LONGEST_TEXT: usize = 1000;

/// The layer.
pub struct Recorded {
    /// The provider inside.
    pub inner: Arc<dyn Provider>,
    /// What it serves: values are read by it.
    pub schema: Arc<ProviderSchema>,
    /// Where lines go.
    pub file: Option<Mutex<File>>,
    /// End the process when a value was not sent.
    pub crash_on_absent_values: bool,
}

/// One request in the making.
struct Entry(Map<String, Json>);

impl Recorded {
    fn entry(&self, procedure: &str) -> Entry {
        Entry(Map::from_iter([("procedure".to_owned(), json!(procedure))]))
    }

    fn write(&self, entry: Entry) {
        let absent = entry.0.iter().find(|(_, value)| value.get("$").is_some_and(|what| what == "absent"));
        if let (Some((name, _)), true) = (absent, self.crash_on_absent_values) {
            let procedure = &entry.0["procedure"];
            crate::faults::panic(&format!("runtime error: {procedure} came without its {name}"));
        }
        let Some(file) = &self.file else { return };
        let line = Json::Object(entry.0).to_string() + "\n";
        // A case that misses a line fails by itself.
        let _ = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
    }
}

impl Entry {
    fn with(mut self, name: &str, value: Json) -> Self {
        self.0.insert(name.to_owned(), value);
        self
    }

    fn of(self, type_name: &str) -> Self {
        self.with("type", json!(type_name))
    }

    fn value(self, name: &str, value: &DynamicValue, schema: Option<&Schema>) -> Self {
        let ty = schema.map_or(Type::Dynamic, Schema::implied_type);
        self.with(name, decoded(value, &ty))
    }

    fn private(self, private: &Bytes) -> Self {
        let text = String::from_utf8_lossy(private);
        self.with("private", serde_json::from_slice(private).unwrap_or_else(|_| json!(text)))
    }

    fn raw(self, name: &str, state: &RawState) -> Self {
        let json = serde_json::from_slice(&state.json).unwrap_or_else(|_| json!({"$": "unreadable"}));
        let entry = self.with(name, json);
        if state.flatmap.is_empty() { entry } else { entry.with("flatmap", json!(state.flatmap)) }
    }

    fn identity(self, name: &str, identity: Option<&DynamicValue>, ty: Option<Type>) -> Self {
        match identity {
            Some(identity) => self.with(name, decoded(identity, &ty.unwrap_or(Type::Dynamic))),
            None => self,
        }
    }

    fn capabilities(self, capabilities: ClientCapabilities) -> Self {
        let allowed = [
            (capabilities.write_only_attributes_allowed, "write_only_attributes"),
            (capabilities.deferral_allowed, "deferral"),
        ];
        let allowed: Vec<&str> = allowed.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
        self.with("client_can", json!(allowed))
    }
}

fn decoded(value: &DynamicValue, ty: &Type) -> Json {
    if matches!(value, DynamicValue::Absent) {
        return json!({"$": "absent"});
    }
    match value.decode(ty) {
        Ok(value) => shown(&value, ty),
        Err(error) => json!({"$": format!("unreadable: {error}")}),
    }
}

fn shown(value: &Value, ty: &Type) -> Json {
    if *ty == Type::Dynamic && value.ty() != Type::Dynamic {
        let ty = value.ty();
        let text: Json = serde_json::from_slice(&type_json::encode(&ty)).unwrap_or(Json::Null);
        return json!({"$type": text, "value": shown(value, &ty)});
    }
    match (value.kind(), ty) {
        (ValueKind::Null(_), _) => Json::Null,
        (ValueKind::Unknown(..), _) => json!({"$": "unknown"}),
        (ValueKind::Bool(value), _) => json!(value),
        (ValueKind::String(text), _) if text.len() > LONGEST_TEXT => json!(format!("({} bytes)", text.len())),
        (ValueKind::String(text), _) => json!(&**text),
        (ValueKind::Number(number), _) => serde_json::from_str(&number.to_string()).unwrap_or(Json::Null),
        (ValueKind::List(_, items) | ValueKind::Set(_, items), Type::List(ty) | Type::Set(ty)) => {
            items.iter().map(|item| shown(item, ty)).collect()
        }
        (ValueKind::Tuple(items), Type::Tuple(types)) => {
            items.iter().zip(types.iter()).map(|(item, ty)| shown(item, ty)).collect()
        }
        (ValueKind::Map(_, entries), Type::Map(ty)) => {
            Json::Object(entries.iter().map(|(key, item)| (key.to_string(), shown(item, ty))).collect())
        }
        (ValueKind::Object(entries), Type::Object(object)) => {
            let one = |(name, item): (&Arc<str>, &Value)| {
                let ty = object.attributes.get(name).unwrap_or(&Type::Dynamic);
                (name.to_string(), shown(item, ty))
            };
            Json::Object(entries.iter().map(one).collect())
        }
        _ => json!({"$": format!("unreadable: a {} where {ty} belongs", value.ty())}),
    }
}

#[async_trait]
impl Layer for Recorded {
    fn inner(&self) -> &dyn Provider {
        &*self.inner
    }

    async fn validate_provider_config(
        &self,
        call: &Call,
        request: ValidateProviderConfigRequest,
    ) -> Result<ValidateProviderConfigResponse, CallError> {
        let entry = self.entry("ValidateProviderConfig");
        self.write(entry.value("config", &request.config, Some(&self.schema.provider)));
        self.inner.validate_provider_config(call, request).await
    }

    async fn configure_provider(
        &self,
        call: &Call,
        request: ConfigureProviderRequest,
    ) -> Result<ConfigureProviderResponse, CallError> {
        let entry = self.entry("ConfigureProvider").value("config", &request.config, Some(&self.schema.provider));
        let entry = entry.with("terraform_version", json!(request.terraform_version));
        self.write(entry.capabilities(request.client_capabilities));
        self.inner.configure_provider(call, request).await
    }

    async fn stop_provider(
        &self,
        call: &Call,
        request: StopProviderRequest,
    ) -> Result<StopProviderResponse, CallError> {
        self.write(self.entry("StopProvider"));
        self.inner.stop_provider(call, request).await
    }

    async fn validate_resource_config(
        &self,
        call: &Call,
        request: ValidateResourceConfigRequest,
    ) -> Result<ValidateResourceConfigResponse, CallError> {
        let schema = self.schema.resources.get(&request.type_name);
        let entry = self.entry("ValidateResourceConfig").of(&request.type_name);
        self.write(entry.value("config", &request.config, schema).capabilities(request.client_capabilities));
        self.inner.validate_resource_config(call, request).await
    }

    async fn upgrade_resource_state(
        &self,
        call: &Call,
        request: UpgradeResourceStateRequest,
    ) -> Result<UpgradeResourceStateResponse, CallError> {
        let entry = self.entry("UpgradeResourceState").of(&request.type_name);
        self.write(entry.with("version", json!(request.version)).raw("stored", &request.raw_state));
        self.inner.upgrade_resource_state(call, request).await
    }

    async fn upgrade_resource_identity(
        &self,
        call: &Call,
        request: UpgradeResourceIdentityRequest,
    ) -> Result<UpgradeResourceIdentityResponse, CallError> {
        let entry = self.entry("UpgradeResourceIdentity").of(&request.type_name);
        self.write(entry.with("version", json!(request.version)).raw("stored", &request.raw_identity));
        self.inner.upgrade_resource_identity(call, request).await
    }

    async fn read_resource(
        &self,
        call: &Call,
        request: ReadResourceRequest,
    ) -> Result<ReadResourceResponse, CallError> {
        let schema = self.schema.resources.get(&request.type_name);
        let entry = self.entry("ReadResource").of(&request.type_name).value("state", &request.current_state, schema);
        let entry = entry.identity("identity", request.current_identity.as_ref(), self.identity(&request.type_name));
        self.write(entry.private(&request.private).capabilities(request.client_capabilities));
        self.inner.read_resource(call, request).await
    }

    async fn plan_resource_change(
        &self,
        call: &Call,
        request: PlanResourceChangeRequest,
    ) -> Result<PlanResourceChangeResponse, CallError> {
        let schema = self.schema.resources.get(&request.type_name);
        let entry = self.entry("PlanResourceChange").of(&request.type_name).value("config", &request.config, schema);
        let entry = entry.value("prior", &request.prior_state, schema);
        let entry = entry.value("proposed", &request.proposed_new_state, schema);
        let entry = entry.identity("identity", request.prior_identity.as_ref(), self.identity(&request.type_name));
        self.write(entry.private(&request.prior_private).capabilities(request.client_capabilities));
        self.inner.plan_resource_change(call, request).await
    }

    async fn apply_resource_change(
        &self,
        call: &Call,
        request: ApplyResourceChangeRequest,
    ) -> Result<ApplyResourceChangeResponse, CallError> {
        let schema = self.schema.resources.get(&request.type_name);
        let entry = self.entry("ApplyResourceChange").of(&request.type_name).value("config", &request.config, schema);
        let entry = entry.value("prior", &request.prior_state, schema);
        let entry = entry.value("planned", &request.planned_state, schema);
        let entry = entry.identity("identity", request.planned_identity.as_ref(), self.identity(&request.type_name));
        self.write(entry.private(&request.planned_private));
        self.inner.apply_resource_change(call, request).await
    }

    async fn import_resource_state(
        &self,
        call: &Call,
        request: ImportResourceStateRequest,
    ) -> Result<ImportResourceStateResponse, CallError> {
        let entry = self.entry("ImportResourceState").of(&request.type_name).with("id", json!(request.id));
        let entry = entry.identity("identity", request.identity.as_ref(), self.identity(&request.type_name));
        self.write(entry.capabilities(request.client_capabilities));
        self.inner.import_resource_state(call, request).await
    }

    async fn validate_data_resource_config(
        &self,
        call: &Call,
        request: ValidateDataResourceConfigRequest,
    ) -> Result<ValidateDataResourceConfigResponse, CallError> {
        let schema = self.schema.data_sources.get(&request.type_name);
        let entry = self.entry("ValidateDataResourceConfig").of(&request.type_name);
        self.write(entry.value("config", &request.config, schema));
        self.inner.validate_data_resource_config(call, request).await
    }

    async fn read_data_source(
        &self,
        call: &Call,
        request: ReadDataSourceRequest,
    ) -> Result<ReadDataSourceResponse, CallError> {
        let schema = self.schema.data_sources.get(&request.type_name);
        let entry = self.entry("ReadDataSource").of(&request.type_name).value("config", &request.config, schema);
        self.write(entry.capabilities(request.client_capabilities));
        self.inner.read_data_source(call, request).await
    }

    async fn validate_ephemeral_resource_config(
        &self,
        call: &Call,
        request: ValidateEphemeralResourceConfigRequest,
    ) -> Result<ValidateEphemeralResourceConfigResponse, CallError> {
        let schema = self.schema.ephemeral_resources.get(&request.type_name);
        let entry = self.entry("ValidateEphemeralResourceConfig").of(&request.type_name);
        self.write(entry.value("config", &request.config, schema));
        self.inner.validate_ephemeral_resource_config(call, request).await
    }

    async fn open_ephemeral_resource(
        &self,
        call: &Call,
        request: OpenEphemeralResourceRequest,
    ) -> Result<OpenEphemeralResourceResponse, CallError> {
        let schema = self.schema.ephemeral_resources.get(&request.type_name);
        let entry = self.entry("OpenEphemeralResource").of(&request.type_name);
        self.write(entry.value("config", &request.config, schema).capabilities(request.client_capabilities));
        self.inner.open_ephemeral_resource(call, request).await
    }

    async fn renew_ephemeral_resource(
        &self,
        call: &Call,
        request: RenewEphemeralResourceRequest,
    ) -> Result<RenewEphemeralResourceResponse, CallError> {
        self.write(self.entry("RenewEphemeralResource").of(&request.type_name).private(&request.private));
        self.inner.renew_ephemeral_resource(call, request).await
    }

    async fn close_ephemeral_resource(
        &self,
        call: &Call,
        request: CloseEphemeralResourceRequest,
    ) -> Result<CloseEphemeralResourceResponse, CallError> {
        self.write(self.entry("CloseEphemeralResource").of(&request.type_name).private(&request.private));
        self.inner.close_ephemeral_resource(call, request).await
    }

    async fn call_function(
        &self,
        call: &Call,
        request: CallFunctionRequest,
    ) -> Result<CallFunctionResponse, CallError> {
        let signature = self.schema.functions.get(&request.name);
        let ty = |index: usize| {
            let signature = signature?;
            let parameter = signature.parameters.get(index).or(signature.variadic.as_ref())?;
            Some(parameter.ty.clone())
        };
        let arguments = request.arguments.iter().enumerate();
        let arguments: Vec<Json> =
            arguments.map(|(index, argument)| decoded(argument, &ty(index).unwrap_or(Type::Dynamic))).collect();
        self.write(self.entry("CallFunction").of(&request.name).with("arguments", json!(arguments)));
        self.inner.call_function(call, request).await
    }
}

impl Recorded {
    fn identity(&self, type_name: &str) -> Option<Type> {
        Some(self.schema.identities.get(type_name)?.implied_type())
    }
}
