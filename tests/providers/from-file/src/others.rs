//! Data sources, ephemeral resources and functions.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result};
use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::FunctionError;
use denobridge_core::schema::{Description, FunctionParameter, FunctionSignature, Schema};
use denobridge_framework::erased::{
    DataRead, ErasedDataSource, ErasedEphemeralResource, ErasedFunction, Opened, Renewed, async_function,
};
use denobridge_framework::{Context, PrivateData};

use crate::cloud::Cloud;
use crate::format::{BlockSpec, DataSourceSpec, EphemeralResourceSpec, FunctionSpec, ParameterSpec, Reply};
use crate::replies::{changed, fault, given, remember, said};
use crate::rules::Scope;
use crate::schema;

/// What a configuration becomes when everything that it leaves out is filled in.
struct Filled {
    spec: Arc<BlockSpec>,
    schema: Schema,
    ty: Type,
}

impl Filled {
    fn new(spec: BlockSpec) -> Result<Self> {
        let schema = schema::schema(0, &spec)?;
        Ok(Self { ty: schema.implied_type(), spec: Arc::new(spec), schema })
    }

    fn value(&self, cloud: &Cloud, reply: Option<&Reply>, config: &Value, private: &PrivateData) -> Result<Value> {
        let scope = Scope { cloud, private, root: config.clone() };
        let mut value = config.clone();
        // What may be computed and is not configured is as good as unknown.
        for attribute in self.schema.block.attributes.iter().filter(|attribute| attribute.computed) {
            if value.attribute(&attribute.name).is_some_and(Value::is_null) {
                value = value.with_attribute(attribute.name.clone(), Value::unknown(attribute.implied_type()));
            }
        }
        let value = scope.completed(&self.spec, &self.schema.block, &value)?;
        changed(reply, &scope, &self.ty, value)
    }
}

/// A data source of the file.
pub struct DataSource {
    filled: Filled,
    validate: Vec<Reply>,
    read: Vec<Reply>,
    cloud: Arc<Cloud>,
}

impl DataSource {
    /// The data source that `spec` describes.
    ///
    /// # Errors
    /// Its schema makes no sense.
    pub fn new(spec: DataSourceSpec, cloud: Arc<Cloud>) -> Result<Self> {
        Ok(Self { filled: Filled::new(spec.schema)?, validate: spec.validate, read: spec.read, cloud })
    }
}

#[async_trait]
impl ErasedDataSource for DataSource {
    fn schema(&self) -> Schema {
        self.filled.schema.clone()
    }

    async fn validate(&self, context: &Context, config: &Value) -> Diagnostics {
        said(given(&self.cloud, &format!("validate {}", context.type_name()), &self.validate, config).await)
    }

    async fn read(&self, context: &Context, config: Value) -> DataRead {
        let reply = given(&self.cloud, &format!("read {}", context.type_name()), &self.read, &config).await;
        let diagnostics = said(reply);
        if diagnostics.has_errors() {
            return DataRead::failed(diagnostics);
        }
        match self.filled.value(&self.cloud, reply, &config, &PrivateData::default()) {
            Ok(state) => DataRead { state: Some(state), diagnostics, deferred: None },
            Err(error) => DataRead::failed(fault(&error)),
        }
    }
}

/// An ephemeral resource of the file.
pub struct EphemeralResource {
    filled: Filled,
    renew_after: Option<Duration>,
    open: Vec<Reply>,
    renew: Vec<Reply>,
    close: Vec<Reply>,
    cloud: Arc<Cloud>,
}

impl EphemeralResource {
    /// The ephemeral resource that `spec` describes.
    ///
    /// # Errors
    /// Its schema makes no sense.
    pub fn new(spec: EphemeralResourceSpec, cloud: Arc<Cloud>) -> Result<Self> {
        let renew_after = spec.renew_after_ms.map(Duration::from_millis);
        let EphemeralResourceSpec { schema, open, renew, close, .. } = spec;
        Ok(Self { filled: Filled::new(schema)?, renew_after, open, renew, close, cloud })
    }

    fn renew_at(&self) -> Option<SystemTime> {
        Some(SystemTime::now() + self.renew_after?)
    }

    async fn reply(&self, context: &Context, operation: &str, replies: &[Reply]) -> Diagnostics {
        let operation = format!("{operation} {}", context.type_name());
        said(given(&self.cloud, &operation, replies, &Value::null(Type::Dynamic)).await)
    }
}

#[async_trait]
impl ErasedEphemeralResource for EphemeralResource {
    fn schema(&self) -> Schema {
        self.filled.schema.clone()
    }

    async fn open(&self, context: &Context, config: Value, private: &mut PrivateData) -> Opened {
        let reply = given(&self.cloud, &format!("open {}", context.type_name()), &self.open, &config).await;
        let mut opened = Opened { renew_at: self.renew_at(), diagnostics: said(reply), ..Opened::default() };
        if !opened.diagnostics.has_errors() {
            let done = remember(reply, private).and_then(|()| self.filled.value(&self.cloud, reply, &config, private));
            match done {
                Ok(result) => opened.result = Some(result),
                Err(error) => opened.diagnostics.push(fault(&error)),
            }
        }
        opened
    }

    async fn renew(&self, context: &Context, _: &mut PrivateData) -> Renewed {
        let diagnostics = self.reply(context, "renew", &self.renew).await;
        Renewed { renew_at: self.renew_at(), diagnostics }
    }

    async fn close(&self, context: &Context, _: &PrivateData) -> Diagnostics {
        self.reply(context, "close", &self.close).await
    }
}

/// A function of the file.
///
/// # Errors
/// Its signature makes no sense.
pub fn function(name: &str, spec: FunctionSpec, cloud: Arc<Cloud>) -> Result<Box<dyn ErasedFunction>> {
    let parameters: Result<Vec<_>> = spec.parameters.iter().map(parameter).collect();
    let signature = FunctionSignature {
        parameters: parameters?,
        variadic: spec.variadic.as_ref().map(parameter).transpose()?,
        returns: schema::parse_type(&spec.returns)?,
        summary: spec.description.clone(),
        description: spec.description.as_str().into(),
        deprecation: None,
    };
    let (operation, returns, spec) = (format!("call {name}"), signature.returns.clone(), Arc::new(spec));
    Ok(async_function(signature, move |arguments| {
        let answer = called(&operation, &spec, &cloud, &returns, arguments);
        async move { answer }
    }))
}

fn called(
    operation: &str,
    spec: &FunctionSpec,
    cloud: &Cloud,
    returns: &Type,
    arguments: Vec<Value>,
) -> Result<Value, FunctionError> {
    let all = Value::tuple(arguments.clone());
    let mut arguments = arguments.into_iter();
    let mut named: Vec<(String, Value)> =
        spec.parameters.iter().map(|parameter| parameter.name.clone()).zip(arguments.by_ref()).collect();
    if let Some(variadic) = &spec.variadic {
        named.push((variadic.name.clone(), Value::tuple(arguments)));
    }
    named.push(("arguments".to_owned(), all));
    let named = Value::object(named);
    let call = cloud.call(operation);
    if let Some(error) = spec.errors.iter().find(|error| cloud.meets(&error.when, call, &named)) {
        return Err(FunctionError { text: error.text.clone(), argument: error.argument });
    }
    let scope = Scope { cloud, private: &PrivateData::default(), root: named.clone() };
    scope
        .value(&spec.result, returns, &named)
        .map_err(|error| FunctionError { text: format!("the provider's file is wrong: {error:#}"), argument: None })
}

fn parameter(spec: &ParameterSpec) -> Result<FunctionParameter> {
    Ok(FunctionParameter {
        name: spec.name.as_str().into(),
        ty: schema::parse_type(&spec.ty).with_context(|| format!("parameter {}", spec.name))?,
        allow_null: spec.allow_null,
        allow_unknown: spec.allow_unknown,
        description: Description::from(spec.description.as_str()),
    })
}
