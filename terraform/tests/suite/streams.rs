//! Answers that come in parts.

use denobridge_core::cty::{Type, Value};
use denobridge_terraform::proto::tfplugin6 as pb;
use futures::TryStreamExt as _;
use pb::invoke_action::event::Type as Event;

use super::support::{PROGRAM, Plugin, note_type, texts, value};

#[tokio::test]
async fn listed_resources_have_identities_and_whole_objects_on_demand() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut provider = plugin.provider().await;
    for include_resource_object in [false, true] {
        let request = pb::list_resource::Request {
            type_name: "tiny_note".to_owned(),
            include_resource_object,
            limit: 1,
            ..Default::default()
        };
        let events: Vec<_> = provider.list_resource(request).await.unwrap().into_inner().try_collect().await.unwrap();
        assert_eq!(events.len(), 1);
        let identity = events[0].identity.clone().unwrap().identity_data;
        let expected = Value::object([("path", Value::string("a.txt"))]);
        assert_eq!(value(identity, &Type::object([("path", Type::String)])), expected);
        let object = events[0].resource_object.clone().map(|object| value(Some(object), &note_type()));
        let id = object.as_ref().and_then(|object| object.attribute("id")).and_then(Value::as_str);
        assert_eq!(id, include_resource_object.then_some("a.txt"));
    }
    let request = pb::list_resource::Request { type_name: "tiny_other".to_owned(), ..Default::default() };
    let events: Vec<_> = provider.list_resource(request).await.unwrap().into_inner().try_collect().await.unwrap();
    assert_eq!(events[0].diagnostic[0].summary, "List resource type not found");
}

/// Progress texts, then the messages of the completion.
async fn invoke(plugin: &Plugin, action: &str) -> (Vec<String>, Vec<pb::Diagnostic>) {
    let request = pb::invoke_action::Request { action_type: action.to_owned(), ..Default::default() };
    let events = plugin.provider().await.invoke_action(request).await.unwrap().into_inner();
    let mut events: Vec<_> = events.map_ok(|event| event.r#type.unwrap()).try_collect().await.unwrap();
    let Some(Event::Completed(completed)) = events.pop() else { panic!("the last event is not the completion") };
    let progress = events.into_iter().map(|event| match event {
        Event::Progress(progress) => progress.message,
        Event::Completed(_) => panic!("an event after the completion"),
    });
    (progress.collect(), completed.diagnostics)
}

#[tokio::test]
async fn an_action_tells_its_progress_and_always_completes() {
    let plugin = Plugin::start(PROGRAM).await;
    let (progress, said) = invoke(&plugin, "tiny_ring").await;
    assert_eq!((progress, said), (vec!["ding".to_owned(), "dong".to_owned()], vec![]));
    let (progress, said) = invoke(&plugin, "tiny_mute").await;
    assert_eq!((progress.len(), said[0].summary.as_str()), (2, "Action ended without a result"));
    let (progress, said) = invoke(&plugin, "tiny_crash").await;
    assert_eq!((progress.len(), said[0].summary.as_str()), (2, "The provider panicked"));
    assert!(said[0].detail.ends_with("It said: the bell broke"));
    let (progress, said) = invoke(&plugin, "tiny_other").await;
    assert_eq!(progress, Vec::<String>::new());
    assert_eq!(texts(&said), [("ERROR", "Action type not found", "This provider has no action type \"tiny_other\".")]);
}

#[tokio::test]
async fn a_state_is_written_and_read_in_chunks() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut provider = plugin.provider().await;
    let names = || ("tiny_store".to_owned(), "default".to_owned());
    let (type_name, state_id) = names();
    let chunk = |bytes: &'static str, start: i64, meta| pb::write_state_bytes::RequestChunk {
        meta,
        bytes: bytes.into(),
        total_length: 6,
        range: Some(pb::StateByteRange { start, end: start + bytes.len() as i64 - 1 }),
    };
    let meta = pb::RequestChunkMeta { type_name, state_id };
    let chunks = futures::stream::iter([chunk("abc", 0, Some(meta)), chunk("def", 3, None)]);
    let written = provider.write_state_bytes(chunks).await.unwrap().into_inner();
    assert_eq!(texts(&written.diagnostics), []);

    let (type_name, state_id) = names();
    let stored =
        provider.get_states(pb::get_states::Request { type_name: type_name.clone() }).await.unwrap().into_inner();
    assert_eq!(stored.state_ids, ["default"]);
    let read = pb::read_state_bytes::Request { type_name: type_name.clone(), state_id };
    let chunks: Vec<_> = provider.read_state_bytes(read).await.unwrap().into_inner().try_collect().await.unwrap();
    let parts: Vec<_> = chunks
        .into_iter()
        .map(|chunk| (chunk.bytes, chunk.total_length, chunk.range.map(|range| (range.start, range.end))))
        .collect();
    assert_eq!(parts, [("abcd".into(), 6, Some((0, 3))), ("ef".into(), 6, Some((4, 5)))]);

    let read = pb::read_state_bytes::Request { type_name, state_id: "other".to_owned() };
    let chunks: Vec<_> = provider.read_state_bytes(read).await.unwrap().into_inner().try_collect().await.unwrap();
    assert_eq!(texts(&chunks[0].diagnostics), [("ERROR", "No such state", "other")]);
}
