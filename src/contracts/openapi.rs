//! The older contract, of scripts that answer HTTP requests, as an OpenAPI document.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::http_types::{
    Create, Created, Delete, Failure, Health, ModifyPlan, Opened, PlanChanges, Progress, Read, Renewed, Update, Updated,
};
use super::types::{ConfigureParams, Nothing, PropsParams};
use crate::typed::Description;

/// The document.
pub fn document() -> Value {
    let mut paths = Paths::new();
    paths.health();
    paths.add::<ConfigureParams>(
        "/configure",
        "Tells a script that asks for it what the provider's configuration says",
        |answers| {
            answers.nothing("204", "It will do");
        },
    );
    paths.add::<Nothing>("/schema", "Says what the script is, for typed packages", |answers| {
        answers.json::<Description>("200", "This is what it is");
        answers.nothing("404", "It does not say");
    });
    paths.add::<Create>("/create", "Makes an object", |answers| {
        answers.json::<Created>("200", "It was made");
    });
    paths.add::<Read>("/read", "Looks at an object, or something up", |answers| {
        answers.json::<Value>(
            "200",
            "An object as it is, as `props` and `state`, or `exists: false`; for a data source the result itself",
        );
    });
    paths.add::<Update>("/update", "Changes an object", |answers| {
        answers.json::<Updated>("200", "It was changed");
        answers.nothing("204", "It was changed, and its state was not");
        answers.json::<Failure>("422", "It has to be replaced");
    });
    paths.add::<Delete>("/delete", "Removes an object", |answers| answers.nothing("204", "It is gone"));
    paths.add::<ModifyPlan>("/modify-plan", "Looks at a change before it is made", |answers| {
        answers.json::<PlanChanges>("200", "Something is to be said of it");
        answers.nothing("204", "Nothing is");
        answers.nothing("404", "The script does not look at changes");
    });
    paths.add::<PropsParams>("/open", "Opens what lasts as long as a run", |answers| {
        answers.json::<Opened>("200", "It is open");
    });
    paths.add::<Value>("/renew", "Keeps it open for longer", |answers| {
        answers.json::<Renewed>("200", "It is open for longer");
        answers.nothing("404", "It cannot be renewed");
    });
    paths.add::<Value>("/close", "Called when nobody needs it any more", |answers| {
        answers.nothing("204", "It is closed");
        answers.nothing("404", "It needs no closing");
    });
    paths.add::<PropsParams>("/invoke", "Does something", |answers| {
        answers.content::<Progress>("200", "It is done when the body ends", "application/jsonl");
    });
    let description = "Served by a script's default export with the method `fetch`, as for `deno serve`.";
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Contract of a script over HTTP",
            "version": env!("CARGO_PKG_VERSION"),
            "description": description,
        },
        "paths": paths.paths,
        "components": { "schemas": paths.generator.take_definitions(true) },
    })
}

struct Paths {
    generator: SchemaGenerator,
    paths: Map<String, Value>,
}

struct Answers<'p> {
    generator: &'p mut SchemaGenerator,
    answers: Map<String, Value>,
}

impl Paths {
    fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        Self { generator: settings.into_generator(), paths: Map::new() }
    }

    fn health(&mut self) {
        let schema = self.generator.subschema_for::<Health>();
        let content = json!({ "application/json": { "schema": schema } });
        let ready = json!({ "description": "The script is ready, and says more of itself", "content": content });
        let answers = json!({ "200": ready, "204": { "description": "The script is ready" } });
        let get = json!({ "get": { "summary": "Asked until the script is ready", "responses": answers } });
        self.paths.insert("/health".to_owned(), get);
    }

    /// A path, with its body and what it may answer.
    fn add<B: JsonSchema>(&mut self, path: &str, summary: &str, answer: impl FnOnce(&mut Answers<'_>)) {
        let body = self.generator.subschema_for::<B>();
        let mut answers = Answers { generator: &mut self.generator, answers: Map::new() };
        answer(&mut answers);
        answers.json::<Failure>("4XX", "The request cannot be done");
        answers.json::<Failure>("5XX", "It has failed");
        let post = json!({ "post": {
            "summary": summary,
            "requestBody": { "required": true, "content": { "application/json": { "schema": body } } },
            "responses": answers.answers,
        } });
        self.paths.insert(path.to_owned(), post);
    }
}

impl Answers<'_> {
    fn json<T: JsonSchema>(&mut self, status: &str, description: &str) {
        self.content::<T>(status, description, "application/json");
    }

    fn content<T: JsonSchema>(&mut self, status: &str, description: &str, media_type: &str) {
        let schema = self.generator.subschema_for::<T>();
        let answer = json!({ "description": description, "content": { media_type: { "schema": schema } } });
        self.answers.insert(status.to_owned(), answer);
    }

    fn nothing(&mut self, status: &str, description: &str) {
        self.answers.insert(status.to_owned(), json!({ "description": description }));
    }
}
