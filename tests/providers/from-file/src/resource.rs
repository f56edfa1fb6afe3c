//! A managed resource. Its objects are what was planned, with computed attributes as their rules say, and are kept in the
//! cloud; replies of the file come first.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use async_trait::async_trait;
use denobridge_core::cty::{Type, Value, json};
use denobridge_core::schema::{IdentitySchema, Schema};
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::erased::{Create, Delete, Import, ImportIdentity, ImportTarget, Read, StateUpgrades, Update};
use denobridge_framework::{Context, ErasedResource, Outcome, PlanEdit, PlanKind, PlanModifier, PrivateData};
use serde_json::Value as Json;

use crate::cloud::Cloud;
use crate::format::{Reply, ResourceSpec, UpgradeSpec};
use crate::replies::{changed, fault, given, remember, said};
use crate::rules::{Scope, path};
use crate::schema;

/// A resource of the file.
pub struct Resource {
    spec: Arc<ResourceSpec>,
    schema: Schema,
    ty: Type,
    identity: Option<IdentitySchema>,
    cloud: Arc<Cloud>,
}

impl Resource {
    /// The resource that `spec` describes.
    ///
    /// # Errors
    /// Its schema makes no sense.
    pub fn new(spec: Arc<ResourceSpec>, cloud: Arc<Cloud>) -> Result<Self> {
        let schema = schema::schema(spec.version, &spec.schema)?;
        let identity = schema::identity(&spec.identity)?;
        Ok(Self { ty: schema.implied_type(), spec, schema, identity, cloud })
    }

    fn scope<'s>(&'s self, private: &'s PrivateData, root: &Value) -> Scope<'s> {
        Scope { cloud: &self.cloud, private, root: root.clone() }
    }

    /// What the object is called; `None` where nothing tells.
    fn key(&self, object: &Value) -> Result<Option<String>> {
        let text = match &self.spec.key {
            _ if self.spec.stateless => return Ok(None),
            Some(text) => text,
            None if self.schema.block.attribute("id").is_some() => "{id}",
            None => return Ok(None),
        };
        let private = PrivateData::default();
        self.scope(&private, object).text(text, object).map(Some)
    }

    /// The object as it is after it was made or changed.
    fn made(&self, reply: Option<&Reply>, planned: &Value, config: &Value, private: &mut PrivateData) -> Result<Value> {
        remember(reply, private)?;
        // Rules may refer to what is not in the plan, such as write-only attributes.
        let scope = self.scope(private, config);
        let state = scope.completed(&self.spec.schema, &self.schema.block, planned)?;
        let state = changed(reply, &scope, &self.ty, state)?;
        Ok(denobridge_core::planning::write_only_nulled(&self.schema.block, &state))
    }

    fn keep(&self, type_name: &str, state: &Value) -> Result<()> {
        let Some(key) = self.key(state)? else { return Ok(()) };
        self.cloud.keep(type_name, &key, &json::to_json(state, &self.ty)?)
    }

    fn found(&self, type_name: &str, key: &str) -> Result<Option<Value>> {
        let Some(json) = self.cloud.object(type_name, key)? else { return Ok(None) };
        json::from_json(&json, &self.ty).map(Some).with_context(|| format!("the object {key} of {type_name}"))
    }

    async fn created(&self, context: &Context, request: Create<'_>) -> Result<Outcome> {
        let type_name = context.type_name();
        let reply = given(&self.cloud, &format!("create {type_name}"), &self.spec.create, &request.config).await;
        let diagnostics = said(reply);
        if reply.is_some_and(|reply| reply.gone) {
            return Ok(Outcome { state: None, diagnostics });
        }
        let state = self.made(reply, &request.planned, &request.config, request.private)?;
        let key = self.key(&state)?;
        if let Some(key) = key.filter(|key| matches!(self.cloud.object(type_name, key), Ok(Some(_)))) {
            let detail = format!("There is a {type_name} called {key:?} in the cloud.");
            return Ok(Outcome::failed(Diagnostic::error("The object exists already", detail)));
        }
        self.keep(type_name, &state)?;
        Ok(Outcome { state: Some(state), diagnostics })
    }

    async fn looked_at(&self, context: &Context, request: Read<'_>) -> Result<Outcome> {
        let type_name = context.type_name();
        let reply = given(&self.cloud, &format!("read {type_name}"), &self.spec.read, &request.state).await;
        let diagnostics = said(reply);
        if reply.is_some_and(|reply| reply.gone) {
            return Ok(Outcome { state: None, diagnostics });
        }
        let mut state = request.state;
        if self.cloud.keeps()
            && let Some(key) = self.key(&state)?
        {
            match self.found(type_name, &key)? {
                Some(found) => state = found,
                None => return Ok(Outcome { state: None, diagnostics }),
            }
        }
        remember(reply, request.private)?;
        let scope = self.scope(request.private, &state);
        let state = changed(reply, &scope, &self.ty, state.clone())?;
        Ok(Outcome { state: Some(state), diagnostics })
    }

    async fn updated(&self, context: &Context, request: Update<'_>) -> Result<Outcome> {
        let type_name = context.type_name();
        let reply = given(&self.cloud, &format!("update {type_name}"), &self.spec.update, &request.config).await;
        let diagnostics = said(reply);
        if reply.is_some_and(|reply| reply.unchanged) {
            return Ok(Outcome { state: Some(request.prior), diagnostics });
        }
        let state = self.made(reply, &request.planned, &request.config, request.private)?;
        if let Some(key) = self.key(&request.prior)? {
            self.cloud.remove(type_name, &key);
        }
        self.keep(type_name, &state)?;
        Ok(Outcome { state: Some(state), diagnostics })
    }

    async fn imported(&self, context: &Context, key: &str, private: &mut PrivateData) -> Result<Outcome> {
        let type_name = context.type_name();
        let reply =
            given(&self.cloud, &format!("import {type_name}"), &self.spec.import, &Value::null(Type::Dynamic)).await;
        let diagnostics = said(reply);
        let state = match self.found(type_name, key)? {
            Some(state) if !reply.is_some_and(|reply| reply.gone) => state,
            _ if diagnostics.has_errors() => return Ok(Outcome { state: None, diagnostics }),
            _ => {
                let detail = format!("There is no {type_name} called {key:?} in the cloud.");
                return Ok(Outcome::failed(Diagnostic::error("Cannot import what does not exist", detail)));
            }
        };
        remember(reply, private)?;
        let scope = self.scope(private, &state);
        let state = changed(reply, &scope, &self.ty, state.clone())?;
        Ok(Outcome { state: Some(state), diagnostics })
    }

    async fn planned(&self, context: &Context, plan: &mut PlanEdit) -> Result<Diagnostics> {
        if plan.kind() == PlanKind::Delete {
            return Ok(Diagnostics::new());
        }
        for (name, spec) in self.spec.schema.attributes.iter().filter(|(_, spec)| spec.planned) {
            let (Some(rule), Some(value)) = (&spec.value, plan.planned().attribute(name)) else { continue };
            if !value.is_known() {
                let value = self.scope(&plan.private, plan.config()).value(rule, &value.ty(), plan.planned())?;
                plan.set(name, value);
            }
        }
        let config = plan.config().clone();
        let reply = given(&self.cloud, &format!("plan {}", context.type_name()), &self.spec.plan, &config).await;
        remember(reply, &mut plan.private)?;
        let state = changed(reply, &self.scope(&plan.private, &config), &self.ty, plan.planned().clone())?;
        for name in reply.into_iter().flat_map(|reply| reply.set.keys()) {
            plan.set(name, state.attribute(name).cloned().unwrap_or(Value::null(Type::Dynamic)));
        }
        for steps in reply.into_iter().flat_map(|reply| &reply.replace) {
            plan.require_replace(path(steps));
        }
        Ok(said(reply))
    }
}

#[async_trait]
impl ErasedResource for Resource {
    fn schema(&self) -> Schema {
        self.schema.clone()
    }

    fn plan_modifiers(&self) -> Vec<PlanModifier> {
        Vec::new()
    }

    fn identity_schema(&self) -> Option<IdentitySchema> {
        self.identity.clone()
    }

    fn state_upgrades(&self) -> StateUpgrades {
        self.spec.upgrades.iter().fold(StateUpgrades::default(), |steps, (from, spec)| {
            let (from, spec) = (*from, spec.clone());
            steps.from_version(from, move |stored| upgraded(from, &spec, stored))
        })
    }

    async fn validate(&self, context: &Context, config: &Value) -> Diagnostics {
        said(given(&self.cloud, &format!("validate {}", context.type_name()), &self.spec.validate, config).await)
    }

    async fn modify_plan(&self, context: &Context, plan: &mut PlanEdit) -> Diagnostics {
        self.planned(context, plan).await.unwrap_or_else(|error| fault(&error).into())
    }

    async fn create(&self, context: &Context, request: Create<'_>) -> Outcome {
        self.created(context, request).await.unwrap_or_else(|error| Outcome::failed(fault(&error)))
    }

    async fn read(&self, context: &Context, request: Read<'_>) -> Outcome {
        self.looked_at(context, request).await.unwrap_or_else(|error| Outcome::failed(fault(&error)))
    }

    async fn update(&self, context: &Context, request: Update<'_>) -> Outcome {
        self.updated(context, request).await.unwrap_or_else(|error| Outcome::failed(fault(&error)))
    }

    async fn delete(&self, context: &Context, request: Delete<'_>) -> Diagnostics {
        let type_name = context.type_name();
        let reply = given(&self.cloud, &format!("delete {type_name}"), &self.spec.delete, &request.prior).await;
        let diagnostics = said(reply);
        if !diagnostics.has_errors() {
            match self.key(&request.prior) {
                Ok(Some(key)) => self.cloud.remove(type_name, &key),
                Ok(None) => {}
                Err(error) => return fault(&error).into(),
            }
        }
        diagnostics
    }

    async fn import(&self, context: &Context, request: Import<'_>) -> Outcome {
        let ImportTarget::Id(id) = request.target;
        self.imported(context, id, request.private).await.unwrap_or_else(|error| Outcome::failed(fault(&error)))
    }

    async fn import_by_identity(&self, context: &Context, request: ImportIdentity<'_>) -> Outcome {
        let imported = async {
            let key = self.key(&request.identity)?.context("an import needs a `key`")?;
            self.imported(context, &key, request.private).await
        };
        imported.await.unwrap_or_else(|error| Outcome::failed(fault(&error)))
    }
}

/// One step of the way from an older version of the stored form.
fn upgraded(from: i64, spec: &UpgradeSpec, stored: Json) -> Result<Json, Diagnostics> {
    let wrong =
        |detail: String| Diagnostics::from(Diagnostic::error("The stored state is not as it was written", detail));
    if let Some(expected) = &spec.expect
        && *expected != stored
    {
        return Err(wrong(format!("Version {from} wrote {expected}, but {stored} was sent.")));
    }
    let Json::Object(mut attributes) = stored else { return Err(wrong(format!("{stored} is no object."))) };
    for name in &spec.remove {
        attributes.remove(name);
    }
    for (old, new) in &spec.rename {
        let value = attributes.remove(old).ok_or_else(|| wrong(format!("There is no {old:?} in it.")))?;
        attributes.insert(new.clone(), value);
    }
    attributes.extend(spec.set.clone());
    Ok(Json::Object(attributes))
}
