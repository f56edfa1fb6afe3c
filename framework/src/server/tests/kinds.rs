//! Every kind of component, asked as a host asks it.

use bytes::Bytes;
use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::*;
use denobridge_core::{Call, DynamicValue, Provider};
use futures::StreamExt;

use super::fixtures::*;
use super::summaries;

const WAITING: ClientCapabilities = ClientCapabilities {
    deferral_allowed: true,
    write_only_attributes_allowed: true,
    store_planned_private: true,
    computed_blocks_allowed: true,
};

async fn read_data(does: &str, client_capabilities: ClientCapabilities, meta: DynamicValue) -> ReadDataSourceResponse {
    let request = ReadDataSourceRequest {
        type_name: "test_lookup".into(),
        config: config(does).into(),
        provider_meta: meta,
        client_capabilities,
    };
    provider().read_data_source(&Call::new(), request).await.unwrap()
}

fn id(value: &DynamicValue) -> Option<String> {
    let value = value.decode(&schema().implied_type()).unwrap();
    value.attribute("id")?.as_str().map(str::to_owned)
}

#[tokio::test]
async fn f15_a_data_source_reads_and_breaks_no_rule() {
    let none = ClientCapabilities::default();
    assert_eq!(id(&read_data("x", none, DynamicValue::Absent).await.state).as_deref(), Some("1"));
    for faulty in ["unknown", "null"] {
        let response = read_data(faulty, none, DynamicValue::Absent).await;
        assert!(response.state.is_null(), "{faulty}");
        assert_eq!(summaries(&response.diagnostics), ["The read of test_lookup failed"], "{faulty}");
    }
}

#[tokio::test]
async fn f46_provider_meta_reaches_the_component() {
    let meta = Value::object([("team", Value::string("a-team"))]);
    for (meta, expected) in [(meta.into(), "a-team"), (DynamicValue::Absent, "none")] {
        let response = read_data("meta", ClientCapabilities::default(), meta).await;
        assert_eq!(id(&response.state).as_deref(), Some(expected));
    }
}

#[tokio::test]
async fn f49_an_answer_is_put_off_only_where_the_host_can_wait() {
    let response = read_data("defer", WAITING, DynamicValue::Absent).await;
    assert_eq!(response.deferred, Some(Deferred::AbsentPrerequisite));
    assert!(!response.diagnostics.has_errors());
    let response = read_data("defer", ClientCapabilities::default(), DynamicValue::Absent).await;
    assert!(details(&response.diagnostics).contains("not allowed to do"), "{:?}", response.diagnostics);
}

async fn call(name: &str, arguments: Vec<DynamicValue>) -> Result<Value, FunctionError> {
    let request = CallFunctionRequest { name: name.into(), arguments };
    let response = provider().call_function(&Call::new(), request).await.unwrap();
    match response.error {
        Some(error) => Err(error),
        None => Ok(response.result.decode(&Type::String).unwrap()),
    }
}

fn text(text: &str) -> DynamicValue {
    Value::string(text).into()
}

fn number(number: i32) -> DynamicValue {
    Value::number(number).into()
}

#[tokio::test]
async fn f55_functions_work_unconfigured_with_sync_and_async_bodies() {
    for name in ["repeat", "repeat_later"] {
        assert_eq!(call(name, vec![text("ab"), number(2), text("rest")]).await, Ok(Value::string("abab")));
    }
}

#[tokio::test]
async fn f16_wrong_arguments_are_named_by_their_index() {
    let null = || DynamicValue::from(Value::null(Type::String));
    for (arguments, argument) in [
        (vec![text("a")], None),
        (vec![text("a"), text("x")], Some(1)),
        (vec![text("a"), DynamicValue::Json(Bytes::from_static(b"[]"))], Some(1)),
        (vec![null(), number(1)], Some(0)),
        (vec![text("a"), number(1), text("b"), null()], Some(3)),
        (vec![text("wrong rest"), number(1), text("b"), text("c")], Some(3)),
        (vec![text("number"), number(1)], None),
    ] {
        let shown = format!("{arguments:?}");
        assert_eq!(call("repeat", arguments).await.unwrap_err().argument, argument, "{shown}");
    }
}

#[tokio::test]
async fn f16_an_unknown_argument_gives_an_unknown_result() {
    let unknown = DynamicValue::from(Value::unknown(Type::String));
    assert!(!call("repeat", vec![unknown, number(1)]).await.unwrap().is_known());
}

async fn open(does: &str) -> OpenEphemeralResourceResponse {
    let request = OpenEphemeralResourceRequest {
        type_name: "test_token".into(),
        config: config(does).into(),
        ..Default::default()
    };
    provider().open_ephemeral_resource(&Call::new(), request).await.unwrap()
}

#[tokio::test]
async fn f18_an_ephemeral_resource_is_opened_renewed_and_closed() {
    let opened = open("x").await;
    assert_eq!(id(&opened.result).as_deref(), Some("1"));
    assert!(opened.renew_at.is_some());
    let request = RenewEphemeralResourceRequest { type_name: "test_token".into(), private: opened.private.clone() };
    let renewed = provider().renew_ephemeral_resource(&Call::new(), request).await.unwrap();
    assert!(renewed.renew_at.is_none() && renewed.diagnostics.is_empty());
    assert_ne!(renewed.private, opened.private, "private data go on from one call to the next");
    let request = CloseEphemeralResourceRequest { type_name: "test_token".into(), private: renewed.private };
    let closed = provider().close_ephemeral_resource(&Call::new(), request).await.unwrap();
    assert!(closed.diagnostics.is_empty());
}

#[tokio::test]
async fn f18_the_result_is_held_to_the_configuration() {
    let opened = open("other").await;
    assert!(opened.result.is_null());
    assert_eq!(summaries(&opened.diagnostics), ["The opening of test_token failed"]);
}

async fn list(does: &str, limit: i64, include_resource_object: bool) -> Vec<ListResourceEvent> {
    let config = Value::object([("does", Value::string(does))]).into();
    let request = ListResourceRequest { type_name: "test_object".into(), config, include_resource_object, limit };
    provider().list_resource(&Call::new(), request).await.unwrap().events.collect().await
}

#[tokio::test]
async fn f19_a_list_resource_streams_no_more_than_asked_for() {
    let events = list("x", 3, false).await;
    let names: Vec<&str> = events.iter().map(|event| event.display_name.as_str()).collect();
    assert_eq!(names, ["thing 0", "thing 1", "thing 2"]);
    assert!(events.iter().all(|event| event.resource_object.is_none() && event.diagnostics.is_empty()));
    let events = list("x", 0, true).await;
    assert_eq!(events.len(), 5);
    assert_eq!(id(events[4].resource_object.as_ref().unwrap()).as_deref(), Some("4"));
}

#[tokio::test]
async fn f19_messages_about_the_search_come_last_and_identities_are_checked() {
    let events = list("fail", 10, false).await;
    assert_eq!(events.len(), 6);
    assert_eq!(summaries(&events[5].diagnostics), ["The listing of test_object failed"]);
    assert!(list("no identity", 1, false).await[0].diagnostics.has_errors());
}

async fn invoke(does: &str) -> Vec<InvokeActionEvent> {
    let request =
        InvokeActionRequest { type_name: "test_reboot".into(), config: config(does).into(), ..Default::default() };
    provider().invoke_action(&Call::new(), request).await.unwrap().events.collect().await
}

#[tokio::test]
async fn f20_an_action_is_planned_and_tells_how_far_it_is() {
    for (does, client_capabilities, deferred, fails) in [
        ("x", WAITING, None, false),
        ("defer", WAITING, Some(Deferred::ProviderConfigUnknown), false),
        ("defer", ClientCapabilities::default(), Some(Deferred::ProviderConfigUnknown), true),
        ("defer wrongly", WAITING, Some(Deferred::AbsentPrerequisite), true),
    ] {
        let request =
            PlanActionRequest { type_name: "test_reboot".into(), config: config(does).into(), client_capabilities };
        let response = provider().plan_action(&Call::new(), request).await.unwrap();
        assert_eq!((response.deferred, response.diagnostics.has_errors()), (deferred, fails), "{does}");
    }
    let events = invoke("x").await;
    assert_eq!(events[0], InvokeActionEvent::Progress("one".to_owned()));
    assert_eq!(events[1], InvokeActionEvent::Progress("two (sensitive)".to_owned()), "F61: progress is masked too");
    assert_eq!(events[2], InvokeActionEvent::Completed(Default::default()));
    assert_eq!(events.len(), 3);
}

async fn store(does: &str, chunk_size: i64) -> (impl Provider, ConfigureStateStoreResponse) {
    let provider = provider();
    let config = config(does).into();
    let request = ConfigureStateStoreRequest { type_name: "test_store".into(), config, chunk_size };
    let response = provider.configure_state_store(&Call::new(), request).await.unwrap();
    (provider, response)
}

fn chunk(bytes: &'static str, start: i64, total_length: i64) -> StateChunk {
    let length = i64::try_from(bytes.len()).unwrap();
    StateChunk { bytes: Bytes::from_static(bytes.as_bytes()), total_length, start, end: start + length - 1 }
}

async fn write(provider: &impl Provider, chunks: Vec<StateChunk>) -> WriteStateBytesResponse {
    let chunks = futures::stream::iter(chunks).boxed();
    let request = WriteStateBytesRequest { type_name: "test_store".into(), state_id: "s".to_owned(), chunks };
    provider.write_state_bytes(&Call::new(), request).await.unwrap()
}

async fn read_state(provider: &impl Provider) -> Vec<StateChunk> {
    let request = ReadStateBytesRequest { type_name: "test_store".into(), state_id: "s".to_owned() };
    let response = provider.read_state_bytes(&Call::new(), request).await.unwrap();
    response.chunks.map(Result::unwrap).collect().await
}

#[tokio::test]
async fn f21_a_state_crosses_in_chunks_of_the_agreed_size() {
    let (provider, response) = store("x", 3).await;
    assert_eq!(response.chunk_size, 3);
    assert!(read_state(&provider).await.is_empty(), "there is no state yet");
    let written = write(&provider, vec![chunk("abc", 0, 5), chunk("de", 3, 5)]).await;
    assert!(written.diagnostics.is_empty());
    assert_eq!(read_state(&provider).await, [chunk("abc", 0, 5), chunk("de", 3, 5)]);
}

#[tokio::test]
async fn f21_part_of_a_state_never_replaces_the_whole() {
    let (provider, _) = store("x", 100).await;
    write(&provider, vec![chunk("whole", 0, 5)]).await;
    for broken in [
        vec![chunk("ab", 0, 3)],
        vec![chunk("ab", 0, 3), chunk("c", 1, 3)],
        vec![chunk("abcd", 0, 3)],
        vec![chunk("abc", 0, i64::MAX)],
        vec![chunk("abc", 0, -1)],
    ] {
        assert!(write(&provider, broken.clone()).await.diagnostics.has_errors(), "{broken:?}");
        assert_eq!(read_state(&provider).await, [chunk("whole", 0, 5)]);
    }
}

#[tokio::test]
async fn f21_states_are_locked_listed_and_deleted() {
    let (provider, _) = store("x", 0).await;
    let (type_name, state_id) = (std::sync::Arc::<str>::from("test_store"), "s".to_owned());
    write(&provider, vec![chunk("a", 0, 1)]).await;
    let request =
        LockStateRequest { type_name: type_name.clone(), state_id: state_id.clone(), operation: "apply".to_owned() };
    let locked = provider.lock_state(&Call::new(), request).await.unwrap();
    assert_eq!(locked.lock_id, "s for apply");
    let unlock = |lock_id| UnlockStateRequest { type_name: type_name.clone(), state_id: state_id.clone(), lock_id };
    assert!(provider.unlock_state(&Call::new(), unlock(locked.lock_id)).await.unwrap().diagnostics.is_empty());
    assert!(provider.unlock_state(&Call::new(), unlock(String::new())).await.unwrap().diagnostics.has_errors());
    let names = async || provider.get_states(&Call::new(), GetStatesRequest { type_name: type_name.clone() }).await;
    assert_eq!(names().await.unwrap().state_ids, ["s"]);
    let request = DeleteStateRequest { type_name: type_name.clone(), state_id };
    assert!(provider.delete_state(&Call::new(), request).await.unwrap().diagnostics.is_empty());
    assert!(names().await.unwrap().state_ids.is_empty());
}
