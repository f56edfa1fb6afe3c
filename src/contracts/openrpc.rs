//! The contract of scripts on standard input and output, as OpenRPC documents.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::Contract;
use super::types::*;
use crate::typed::Description;

/// The methods of a kind of script.
pub fn document(contract: Contract) -> Value {
    let mut methods = Methods::new();
    methods.call::<HealthParams, Health>("health", "Called first in every process.");
    methods.optional::<ConfigureParams, Ignored>(
        "configure",
        "Called once in a process whose `health` answered `configure: true`, before any other method.",
    );
    methods.optional::<Nothing, Description>(
        "schema",
        "Says what the script is, for typed packages. Called without `configure`, in a process without permissions.",
    );
    match contract {
        Contract::Resource => resource(&mut methods),
        Contract::Datasource => methods.call::<PropsParams, Data>("read", "Looks something up."),
        Contract::Ephemeral => {
            methods.call::<PropsParams, Opened>("open", "Opens what lasts as long as a run.");
            methods.optional::<PrivateParams, OrNull<Renewed>>("renew", "Keeps it open for longer.");
            methods.optional::<PrivateParams, OrNull<Done>>("close", "Called when nobody needs it any more.");
        }
        Contract::Action => methods.call::<PropsParams, OrNull<Done>>("invoke", "Does it."),
        Contract::Function => methods.call::<CallParams, Data>("call", "Calls one of the script's functions."),
        Contract::Http => {}
    }
    methods.notification::<CancelParams>(
        "$/cancelRequest",
        "Nobody waits for a call any more. Only sent to a script whose `health` answered `cancel: true`.",
        "bridge to script",
    );
    methods.notification::<ProgressParams>("invokeProgress", "How far a call is.", "script to bridge");
    methods.call::<Nothing, Ignored>("shutdown", "Called last: the process is to end.");
    let title = format!("Contract of a script: {}", name(contract));
    json!({
        "openrpc": "1.3.2",
        "info": {
            "title": title,
            "version": env!("CARGO_PKG_VERSION"),
            "description": "JSON-RPC 2.0 over standard input and output, one message a line. A member of an answer that is \
                            `null` counts as left out. Unknown members of an answer are passed over.",
        },
        "methods": methods.methods,
        "components": { "schemas": methods.generator.take_definitions(true) },
    })
}

fn name(contract: Contract) -> &'static str {
    match contract {
        Contract::Resource => "resource",
        Contract::Datasource => "data source",
        Contract::Ephemeral => "ephemeral resource",
        Contract::Action => "action",
        Contract::Function => "functions",
        Contract::Http => "HTTP",
    }
}

fn resource(methods: &mut Methods) {
    methods.call::<CreateParams, Created>("create", "Makes an object.");
    methods.call::<ReadParams, Found>("read", "Looks at an object as it really is.");
    methods.call::<UpdateParams, Updated>("update", "Changes an object.");
    methods.call::<DeleteParams, OrNull<Done>>("delete", "Removes an object.");
    methods.optional::<ModifyPlanParams, OrNull<PlanChanges>>("modifyPlan", "Looks at a change before it is made.");
    methods.optional::<ListParams, Page>("list", "Finds objects that exist.");
}

struct Methods {
    generator: SchemaGenerator,
    methods: Vec<Value>,
}

impl Methods {
    fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        Self { generator: settings.into_generator(), methods: Vec::new() }
    }

    /// A method that every script of the kind has.
    fn call<P: JsonSchema, R: JsonSchema>(&mut self, name: &str, summary: &str) {
        let result = self.generator.subschema_for::<R>();
        let result = json!({ "name": format!("{name}Result"), "schema": result });
        self.add::<P>(name, summary, [("result", result)]);
    }

    /// A method that a script may leave out, by answering that there is none.
    fn optional<P: JsonSchema, R: JsonSchema>(&mut self, name: &str, summary: &str) {
        self.call::<P, R>(name, &format!("{summary} May be left out."));
        if let Some(Value::Object(method)) = self.methods.last_mut() {
            method.insert("errors".to_owned(), json!([{ "code": -32601, "message": "Method not found" }]));
        }
    }

    /// A message without an answer.
    fn notification<P: JsonSchema>(&mut self, name: &str, summary: &str, direction: &str) {
        self.add::<P>(name, summary, [("x-direction", json!(direction))]);
    }

    fn add<P: JsonSchema>(&mut self, name: &str, summary: &str, more: [(&str, Value); 1]) {
        // The members of the params are the params by name, so they are no schema of their own.
        let params = P::json_schema(&mut self.generator).to_value();
        let required = params["required"].as_array().cloned().unwrap_or_default();
        let members = params["properties"].as_object().cloned().unwrap_or_default();
        let params: Vec<Value> = members
            .into_iter()
            .map(
                |(name, schema)| json!({ "required": required.contains(&json!(name)), "name": name, "schema": schema }),
            )
            .collect();
        let mut method = Map::new();
        method.insert("name".to_owned(), json!(name));
        method.insert("summary".to_owned(), json!(summary));
        method.insert("paramStructure".to_owned(), json!("by-name"));
        method.insert("params".to_owned(), json!(params));
        method.extend(more.map(|(name, value)| (name.to_owned(), value)));
        self.methods.push(Value::Object(method));
    }
}
