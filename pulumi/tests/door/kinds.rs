//! Data sources, ephemeral resources, lists, functions and actions, by a provider that is written with the framework.

use std::sync::Arc;
use std::time::Duration;

use denobridge_pulumi::proto::Struct;
use denobridge_pulumi::proto::pulumirpc::diff_response::DiffChanges;
use denobridge_pulumi::proto::pulumirpc::*;
use denobridge_pulumi::{PackageSource, plugin};
use serde_json::{Value as Json, json};
use tonic::{Response, Status};

use crate::kinds_provider::{Journal, provider};
use crate::support::{Door, UNKNOWN, json_of, object, secret, without_meta};

const GREET: &str = "urn:pulumi:dev::project::kinds:index:GreetAction::hello";

struct Kinds {
    door: Door,
    journal: Arc<Journal>,
}

impl Kinds {
    async fn open() -> Self {
        let journal = Journal::from_environment();
        let provider = provider(&journal).expect("builds");
        let source: Arc<dyn PackageSource> = Arc::new(plugin("kinds", "1.2.3").source(provider));
        let mut door = Door::serve(source).await;
        let args = Some(object(json!({})));
        let urn = Some("urn:pulumi:dev::project::pulumi:providers:kinds::default".to_owned());
        door.client.configure(ConfigureRequest { args, urn, ..Default::default() }).await.expect("configures");
        Self { door, journal }
    }

    async fn invoke_with(&mut self, function: &str, args: Json, preview: bool) -> Result<InvokeResponse, Status> {
        let request = InvokeRequest { tok: format!("kinds:index:{function}"), args: Some(object(args)), preview };
        self.door.client.invoke(request).await.map(Response::into_inner)
    }

    async fn invoke(&mut self, function: &str, args: Json) -> Json {
        let answer = self.invoke_with(function, args, false).await.expect("answers");
        assert!(answer.failures.is_empty(), "{:?}", answer.failures);
        json_of(&answer.r#return.expect("result"))
    }

    async fn refused(&mut self, function: &str, args: Json) -> Vec<(String, String)> {
        let answer = self.invoke_with(function, args, false).await.expect("answers");
        assert!(answer.r#return.is_none());
        answer.failures.into_iter().map(|failure| (failure.property, failure.reason)).collect()
    }

    async fn failed(&mut self, function: &str, args: Json) -> String {
        self.invoke_with(function, args, false).await.expect_err("fails").message().to_owned()
    }

    async fn create_action(&mut self, inputs: Json, preview: bool) -> Result<CreateResponse, Status> {
        let properties = Some(object(inputs));
        let request = CreateRequest { urn: GREET.to_owned(), properties, preview, ..CreateRequest::default() };
        self.door.client.create(request).await.map(Response::into_inner)
    }

    async fn update_action(&mut self, olds: &Struct, news: Json) -> Result<UpdateResponse, Status> {
        let (urn, olds, news) = (GREET.to_owned(), Some(olds.clone()), Some(object(news)));
        let request = UpdateRequest { id: "hello".to_owned(), urn, olds, news, ..UpdateRequest::default() };
        self.door.client.update(request).await.map(Response::into_inner)
    }

    async fn diff_action(&mut self, olds: &Struct, old_inputs: Json, news: Json) -> DiffResponse {
        let request = DiffRequest {
            urn: GREET.to_owned(),
            olds: Some(olds.clone()),
            old_inputs: Some(object(old_inputs)),
            news: Some(object(news)),
            ..DiffRequest::default()
        };
        self.door.client.diff(request).await.expect("diffs").into_inner()
    }
}

fn one(property: &str, reason: &str) -> Vec<(String, String)> {
    vec![(property.to_owned(), reason.to_owned())]
}

#[tokio::test]
async fn a_data_source_is_read_and_keeps_its_secrets() {
    let mut kinds = Kinds::open().await;
    let given = json!({ "theWord": "ab", "passPhrase": secret(json!("psst")) });
    assert_eq!(
        kinds.invoke("getWord", given).await,
        json!({
            "theWord": "ab",
            "passPhrase": secret(json!("psst")),
            "wordLength": 2,
            "allLetters": [{ "letterCode": 97, "asText": "a" }, { "letterCode": 98, "asText": "b" }],
            "secretMeaning": secret(json!("the meaning of ab")),
        })
    );
    // What was passed as a secret comes back as one.
    let secretly = kinds.invoke("getWord", json!({ "theWord": secret(json!("ab")) })).await;
    assert_eq!(secretly["theWord"], secret(json!("ab")));
    assert_eq!(secretly["wordLength"], 2);
}

#[tokio::test]
async fn wrong_arguments_are_named_as_programs_call_them() {
    let mut kinds = Kinds::open().await;
    let refused = kinds.refused("getWord", json!({ "theWord": "rude" })).await;
    assert_eq!(refused, one("theWord", "Rude word: mind `theWord`"));
    let refused = kinds.refused("getWord", json!({})).await;
    assert_eq!(refused, one("theWord", "the property is required, but it is not set"));
    let refused = kinds.refused("getWord", json!({ "the_word": "a", "theWord": "a" })).await;
    assert_eq!(
        refused,
        one("the_word", "there is no such property; did you mean `theWord`? There are: passPhrase, theWord")
    );
    let refused = kinds.refused("getWord", json!({ "theWord": "a", "wordLength": 1 })).await;
    assert_eq!(refused[0].0, "wordLength");
    let failure = kinds.failed("getWord", json!({ "theWord": "unheard" })).await;
    assert_eq!(failure, "provider kinds: getWord failed: Unknown word: nobody has heard it (property `theWord`)");
    let failure = kinds.failed("getNothing", json!({})).await;
    assert_eq!(failure, "the package kinds (version 1.2.3) has no function `kinds:index:getNothing`");
    kinds.invoke("getWord", json!({ "theWord": "odd" })).await;
    kinds.door.logged("Odd word: is it one? (property `theWord`)").await;
}

#[tokio::test]
async fn what_is_not_known_yet_gives_what_is_not_known_yet() {
    let mut kinds = Kinds::open().await;
    let answer = kinds.invoke_with("getWord", json!({ "theWord": UNKNOWN }), true).await.expect("answers");
    let result = json_of(&answer.r#return.expect("result"));
    assert_eq!((&result["theWord"], &result["secretMeaning"]), (&json!(UNKNOWN), &json!(UNKNOWN)));
    let answer = kinds.invoke_with("joinParts", json!({ "putBetween": "", "allParts": UNKNOWN }), true).await;
    assert_eq!(json_of(&answer.expect("answers").r#return.expect("result")), json!({ "result": UNKNOWN }));
    let answer = kinds.invoke_with("openToken", json!({ "ownerName": UNKNOWN }), true).await.expect("answers");
    assert_eq!(json_of(&answer.r#return.expect("result"))["accessToken"], UNKNOWN);
    assert!(kinds.journal.lines().is_empty());
    let failure = kinds.failed("getWord", json!({ "theWord": UNKNOWN })).await;
    assert!(failure.contains("not known yet"), "{failure}");
}

#[tokio::test]
async fn an_ephemeral_resource_is_held_renewed_and_closed() {
    let mut kinds = Kinds::open().await;
    let opened = kinds.invoke("openToken", json!({ "ownerName": "me", "renewAfter": 50 })).await;
    assert_eq!(opened, json!({ "ownerName": "me", "renewAfter": 50, "accessToken": secret(json!("token-of-me")) }));
    while kinds.journal.lines().len() < 2 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(kinds.journal.lines(), ["opened for me", "renewed for me"]);
    kinds.door.client.cancel(()).await.expect("cancels");
    assert_eq!(kinds.journal.lines().last().expect("line"), "closed for me after 1 renewals");
    kinds.door.client.cancel(()).await.expect("cancels");
    assert_eq!(kinds.journal.lines().len(), 3, "it is closed once");
}

#[tokio::test]
async fn what_was_opened_stays_open_until_what_runs_has_come_to_its_end() {
    let mut kinds = Kinds::open().await;
    kinds.invoke("openToken", json!({ "ownerName": "me" })).await;
    let mut client = kinds.door.client.clone();
    let properties = Some(object(json!({ "whoIsMet": "crowd" })));
    let request = CreateRequest { urn: GREET.to_owned(), properties, ..CreateRequest::default() };
    let running = tokio::spawn(async move { client.create(request).await });
    kinds.door.logged("waving at crowd").await;
    kinds.door.client.cancel(()).await.expect("cancels");
    let _ = running.await.expect("no panic");
    let lines = kinds.journal.lines();
    assert_eq!(lines[lines.len() - 2..], ["greeted crowd, \"\"", "closed for me after 0 renewals"]);
}

#[tokio::test]
async fn a_renewal_that_fails_is_told_and_not_repeated() {
    let mut kinds = Kinds::open().await;
    kinds.invoke("openToken", json!({ "ownerName": "unlucky", "renewAfter": 0 })).await;
    let line = kinds.door.logged("renewal failed").await;
    assert_eq!(line.message, "provider kinds: openToken: renewal failed: Not renewed: the `ownerName` has left");
    assert_eq!(line.severity(), LogSeverity::Warning);
    tokio::time::sleep(Duration::from_millis(1200)).await;
    kinds.door.client.cancel(()).await.expect("cancels");
    let line = kinds.door.logged("Left behind").await;
    assert_eq!(line.message, "provider kinds: openToken: Left behind: the `ownerName` has left a mess");
    let lines = kinds.journal.lines();
    assert_eq!(lines, ["opened for unlucky", "renewed for unlucky", "closed for unlucky after 1 renewals"]);
    let failure = kinds.failed("openToken", json!({ "ownerName": "nobody" })).await;
    assert_eq!(failure, "provider kinds: openToken failed: No owner: somebody has to own it");
}

#[tokio::test]
async fn a_list_is_gathered_up_to_its_limit() {
    let mut kinds = Kinds::open().await;
    let listed = kinds.invoke("listBox", json!({ "atLeast": 2 })).await;
    assert_eq!(
        listed,
        json!({ "results": [
            { "displayName": "Box of size 2", "identity": { "id": "box-2" } },
            { "displayName": "Box of size 3", "identity": { "id": "box-3" } },
        ] })
    );
    let listed = kinds.invoke("listBox", json!({ "limit": 1, "includeResource": true, "limitValue": "x" })).await;
    let resource = json!({ "id": "box-1", "innerSize": 1, "lockCode": "0000" });
    let found = json!([{ "displayName": "Box of size 1", "identity": { "id": "box-1" }, "resource": resource }]);
    // A secret anywhere in a result makes a secret of it.
    assert_eq!(listed, json!({ "results": secret(found) }));
    let refused = kinds.refused("listBox", json!({ "limit": 0 })).await;
    assert_eq!(refused, one("limit", "it must be a whole number of at least 1, and is 0"));
    let failure = kinds.failed("listBox", json!({ "atLeast": 10 })).await;
    assert!(failure.contains("Too large: there are no such boxes (property `atLeast`)"), "{failure}");
    let refused = kinds.refused("listBox", json!({ "limit": "many" })).await;
    assert_eq!(refused, one("limit", "a number is required, but the text is not one"));
}

#[tokio::test]
async fn functions_take_arguments_by_name() {
    let mut kinds = Kinds::open().await;
    let joined = kinds.invoke("joinParts", json!({ "putBetween": "-", "allParts": ["a", "b"] })).await;
    assert_eq!(joined, json!({ "result": "a-b" }));
    assert_eq!(kinds.invoke("joinParts", json!({ "putBetween": "-" })).await, json!({ "result": "" }));
    let split = kinds.invoke("splitId", json!({ "fullId": "eu/7" })).await;
    assert_eq!(split, json!({ "zoneName": "eu", "boxNumber": 7 }));
    let value = json!({ "snake_case": [1, "x", null] });
    assert_eq!(kinds.invoke("echo", json!({ "anyValue": value })).await, json!({ "result": value }));
    assert_eq!(kinds.invoke("echo", json!({})).await, json!({ "result": null }));
    let secretly = json!({ "putBetween": "-", "allParts": ["a", secret(json!("b"))] });
    assert_eq!(kinds.invoke("joinParts", secretly).await, json!({ "result": secret(json!("a-b")) }));
}

#[tokio::test]
async fn errors_of_functions_name_the_argument() {
    let mut kinds = Kinds::open().await;
    let refused = kinds.refused("joinParts", json!({ "putBetween": "-", "allParts": ["a", "bad"] })).await;
    assert_eq!(refused, one("allParts", "it must not be \"bad\" (at `allParts[1]`)"));
    let refused = kinds.refused("splitId", json!({ "fullId": "x" })).await;
    assert_eq!(refused, one("fullId", "`fullId` is ZONE/NUMBER"));
    let refused = kinds.refused("splitId", json!({})).await;
    assert_eq!(refused, one("fullId", "the argument is required, but it is not given"));
    let refused = kinds.refused("splitId", json!({ "fullId": "eu/7", "more": 1 })).await;
    assert_eq!(refused, one("more", "there is no such property; there are: fullId"));
    let refused = kinds.refused("joinParts", json!({ "putBetween": "-", "allParts": "a" })).await;
    assert_eq!(refused, one("allParts", "an array is required, but this is a string"));
}

#[tokio::test]
async fn functions_work_without_configuration() {
    let provider = provider(&Arc::default()).expect("builds");
    let mut door = Door::serve(Arc::new(plugin("kinds", "1.2.3").source(provider))).await;
    let args = Some(object(json!({ "fullId": "eu/7" })));
    let request = InvokeRequest { tok: "kinds:index:splitId".to_owned(), args, ..Default::default() };
    let answer = door.client.invoke(request).await.expect("answers").into_inner();
    assert_eq!(json_of(&answer.r#return.expect("result"))["boxNumber"], 7);
}

#[tokio::test]
async fn an_action_runs_on_create_and_never_in_a_preview() {
    let mut kinds = Kinds::open().await;
    let inputs = json!({ "whoIsMet": "Ada", "triggers": { "v": 1 }, "triggersValue": "own", "passWord": "pw" });
    let preview = kinds.create_action(inputs.clone(), true).await.expect("previews");
    assert_eq!(kinds.journal.lines(), ["planned to greet Ada"]);
    let expected = json!({
        "whoIsMet": "Ada", "triggers": { "v": 1 }, "triggersValue": "own", "passWord": secret(json!("pw"))
    });
    assert_eq!(json_of(&preview.properties.expect("outputs")), expected);
    let created = kinds.create_action(inputs, false).await.expect("runs");
    assert_eq!(created.id, "hello");
    assert_eq!(without_meta(&created.properties.expect("outputs")), expected);
    assert_eq!(kinds.journal.lines().last().expect("line"), "greeted Ada, \"own\"");
    let progress = kinds.door.logged("waving at Ada").await;
    assert!(progress.ephemeral && progress.urn == GREET, "progress goes into the resource's status: {progress:?}");
}

#[tokio::test]
async fn an_action_runs_again_when_its_triggers_change() {
    let mut kinds = Kinds::open().await;
    let first = json!({ "whoIsMet": "Ada", "triggers": [1] });
    let state = kinds.create_action(first.clone(), false).await.expect("runs").properties.expect("outputs");
    let runs = |kinds: &Kinds| kinds.journal.lines().iter().filter(|line| line.starts_with("greeted")).count();

    let diff = kinds.diff_action(&state, first.clone(), first.clone()).await;
    assert_eq!(diff.changes(), DiffChanges::DiffNone);
    let other = json!({ "whoIsMet": "Bob", "triggers": [1] });
    let diff = kinds.diff_action(&state, first.clone(), other.clone()).await;
    assert_eq!((diff.diffs, diff.replaces), (vec!["whoIsMet".to_owned()], vec![]));
    let state = kinds.update_action(&state, other.clone()).await.expect("records").properties.expect("outputs");
    assert_eq!(runs(&kinds), 1, "only triggers trigger");
    assert_eq!(json_of(&state)["whoIsMet"], "Bob");

    let again = json!({ "whoIsMet": "Bob", "triggers": [2] });
    let diff = kinds.diff_action(&state, other, again.clone()).await;
    assert_eq!((diff.diffs, diff.replaces), (vec!["triggers".to_owned()], vec![]));
    kinds.update_action(&state, again).await.expect("runs");
    assert_eq!(kinds.journal.lines().last().expect("line"), "greeted Bob, \"\"");
    assert_eq!(runs(&kinds), 2);
    // A trigger that is not known yet is one that has changed.
    let unknown = json!({ "whoIsMet": "Bob", "triggers": UNKNOWN });
    let diff = kinds.diff_action(&state, first, unknown).await;
    assert!(diff.diffs.contains(&"triggers".to_owned()));
}

#[tokio::test]
async fn an_action_that_fails_is_not_recorded() {
    let mut kinds = Kinds::open().await;
    let failing = json!({ "whoIsMet": "Ada", "fails": true, "triggers": 2 });
    let failure = kinds.create_action(failing.clone(), false).await.expect_err("fails");
    assert_eq!(
        failure.message(),
        "provider kinds: create of \"hello\" failed: \n- Not heard: shout (property `whoIsMet`)\n- The action is not \
         recorded as done: the next `pulumi up` runs it again."
    );
    assert!(failure.details().is_empty(), "nothing exists that would have to be kept");
    let good = json!({ "whoIsMet": "Ada", "triggers": 1 });
    let state = kinds.create_action(good, false).await.expect("runs").properties.expect("outputs");
    kinds.update_action(&state, failing).await.expect_err("fails");
    let failure = kinds.create_action(json!({ "whoIsMet": "stranger" }), true).await.expect_err("fails");
    assert!(failure.message().contains("A stranger: who is that? (property `whoIsMet`)"), "{}", failure.message());
}

#[tokio::test]
async fn the_rest_of_an_actions_life() {
    let mut kinds = Kinds::open().await;
    let inputs = json!({ "whoIsMet": "Ada", "triggers": 1 });
    let check =
        CheckRequest { urn: GREET.to_owned(), news: Some(object(json!({ "whoIsMet": "A B" }))), ..Default::default() };
    let failures = kinds.door.client.check(check).await.expect("checks").into_inner().failures;
    assert_eq!(
        (failures[0].property.as_str(), failures[0].reason.as_str()),
        ("whoIsMet", "Not a name: one word is enough")
    );
    let state = kinds.create_action(inputs.clone(), false).await.expect("runs").properties.expect("outputs");
    let before = kinds.journal.lines().len();
    let (id, urn) = ("hello".to_owned(), GREET.to_owned());
    let (properties, inputs) = (Some(state.clone()), Some(object(inputs)));
    let read = ReadRequest { id: id.clone(), urn: urn.clone(), properties, inputs, ..Default::default() };
    let read = kinds.door.client.read(read).await.expect("reads").into_inner();
    assert_eq!((read.id.as_str(), read.properties), ("hello", Some(state.clone())));
    let import = ReadRequest { id: id.clone(), urn: urn.clone(), ..Default::default() };
    let failure = kinds.door.client.read(import).await.expect_err("refuses");
    assert!(failure.message().contains("cannot be imported"), "{}", failure.message());
    let delete = DeleteRequest { id, urn, properties: Some(state), ..Default::default() };
    kinds.door.client.delete(delete).await.expect("forgets");
    assert_eq!(kinds.journal.lines().len(), before, "nothing was done");
}
