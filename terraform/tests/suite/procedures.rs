//! Calls and answers.

use denobridge_core::cty::{Type, Value};
use denobridge_terraform::proto::tfplugin6 as pb;
use tonic::Code;

use super::support::{PROGRAM, Plugin, note, note_type, soon, texts, value, wire};

#[tokio::test]
async fn every_procedure_of_a_plain_kind_is_implemented() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut provider = plugin.provider().await;
    macro_rules! implemented {
        ($($procedure:ident)*) => {
            $(if let Err(status) = provider.$procedure(pb::$procedure::Request::default()).await {
                panic!("{}: {status}", stringify!($procedure));
            })*
        };
    }
    implemented!(
        get_metadata get_provider_schema get_resource_identity_schemas validate_provider_config
        validate_resource_config validate_data_resource_config upgrade_resource_state upgrade_resource_identity
        configure_provider read_resource plan_resource_change apply_resource_change import_resource_state
        move_resource_state read_data_source generate_resource_config validate_ephemeral_resource_config
        open_ephemeral_resource renew_ephemeral_resource close_ephemeral_resource list_resource
        validate_list_resource_config get_functions call_function validate_action_config plan_action invoke_action
        validate_state_store_config configure_state_store read_state_bytes lock_state unlock_state get_states
        delete_state stop_provider
    );
    let channel = plugin.connect().await;
    let mut grpc = tonic::client::Grpc::new(channel);
    grpc.ready().await.unwrap();
    let path = tonic::codegen::http::uri::PathAndQuery::from_static("/tfplugin6.Nobody/Nothing");
    let codec = tonic_prost::ProstCodec::<pb::stop_provider::Request, pb::stop_provider::Response>::default();
    let status = grpc.unary(tonic::Request::new(pb::stop_provider::Request {}), path, codec).await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
}

#[tokio::test]
async fn a_request_about_nothing_known_is_answered_with_diagnostics() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut provider = plugin.provider().await;
    let mut validate = async |type_name: &str| {
        let request = pb::validate_resource_config::Request { type_name: type_name.to_owned(), ..Default::default() };
        provider.validate_resource_config(request).await.unwrap().into_inner().diagnostics
    };
    let said = validate("").await;
    assert_eq!(texts(&said), [("ERROR", "Invalid request", "The request names no resource type.")]);
    let said = validate("tiny_other").await;
    let expected = "This provider has no resource type \"tiny_other\".";
    assert_eq!(texts(&said), [("ERROR", "Resource type not found", expected)]);

    let request = pb::read_data_source::Request { type_name: "tiny_other".to_owned(), ..Default::default() };
    let said = provider.read_data_source(request).await.unwrap().into_inner();
    let expected = "This provider has no data source \"tiny_other\".";
    assert_eq!(texts(&said.diagnostics), [("ERROR", "Data source not found", expected)]);
}

#[tokio::test]
async fn a_panic_is_an_answer_and_the_process_lives_on() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut provider = plugin.provider().await;
    let mut request = pb::validate_resource_config::Request { type_name: "tiny_bomb".to_owned(), ..Default::default() };
    let said = provider.validate_resource_config(request.clone()).await.unwrap().into_inner().diagnostics;
    assert_eq!(said[0].summary, "The provider panicked");
    assert!(said[0].detail.ends_with("It said: the bomb went off"), "{}", said[0].detail);
    request.type_name = "tiny_note".to_owned();
    let said = provider.validate_resource_config(request).await.unwrap().into_inner().diagnostics;
    assert!(said.is_empty(), "{said:?}");
    let stderr = plugin.stderr_to_end().await;
    assert!(stderr.starts_with("panic: in a call, whose answer says what it was\n\nat "), "{stderr}");
}

#[tokio::test]
async fn a_resource_goes_through_plan_and_apply() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut provider = plugin.provider().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("note.txt");
    let proposed = note(path.to_str().unwrap(), "hello");
    let plan = pb::plan_resource_change::Request {
        type_name: "tiny_note".to_owned(),
        proposed_new_state: wire(&proposed),
        prior_private: "kept".into(),
        ..Default::default()
    };
    let planned = provider.plan_resource_change(plan).await.unwrap().into_inner();
    assert_eq!(texts(&planned.diagnostics), []);
    assert_eq!(planned.planned_private, "kept");
    assert_eq!(value(planned.planned_state.clone(), &note_type()), proposed);

    let apply = pb::apply_resource_change::Request {
        type_name: "tiny_note".to_owned(),
        planned_state: planned.planned_state,
        ..Default::default()
    };
    let applied = provider.apply_resource_change(apply).await.unwrap().into_inner();
    assert_eq!(texts(&applied.diagnostics), []);
    let state = value(applied.new_state.clone(), &note_type());
    assert_eq!(state.attribute("id").and_then(Value::as_str), path.to_str());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "hello");

    let moved = note(folder.path().join("other.txt").to_str().unwrap(), "hello");
    let plan = pb::plan_resource_change::Request {
        type_name: "tiny_note".to_owned(),
        prior_state: applied.new_state,
        proposed_new_state: wire(&moved),
        ..Default::default()
    };
    let planned = provider.plan_resource_change(plan).await.unwrap().into_inner();
    let step = pb::attribute_path::Step {
        selector: Some(pb::attribute_path::step::Selector::AttributeName("path".to_owned())),
    };
    assert_eq!(planned.requires_replace, [pb::AttributePath { steps: vec![step] }]);
}

#[tokio::test]
async fn stopping_cancels_what_runs_and_keeps_what_exists() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut provider = plugin.provider().await;
    let apply = pb::apply_resource_change::Request {
        type_name: "tiny_slow".to_owned(),
        planned_state: wire(&note("x", "y")),
        ..Default::default()
    };
    for round in ["first", "second"] {
        let (mut other, request) = (provider.clone(), apply.clone());
        let running = tokio::spawn(async move { other.apply_resource_change(request).await });
        // The call must have arrived before the stop does.
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        assert!(!running.is_finished(), "{round}");
        let stopped = provider.stop_provider(pb::stop_provider::Request {}).await.unwrap().into_inner();
        assert_eq!(stopped.error, "");
        let applied = soon("the stopped call", running).await.unwrap().unwrap().into_inner();
        assert_eq!(texts(&applied.diagnostics), [("ERROR", "Stopped", "The resource exists in part.")], "{round}");
        let state = value(applied.new_state, &note_type());
        assert_eq!(state.attribute("id").and_then(Value::as_str), Some("half done"));
    }
}

#[tokio::test]
async fn functions_answer_with_a_result_or_one_error() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut provider = plugin.provider().await;
    let mut call = async |name: &str, argument: &str| {
        let arguments = wire(&Value::string(argument)).into_iter().collect();
        let request = pb::call_function::Request { name: name.to_owned(), arguments };
        provider.call_function(request).await.unwrap().into_inner()
    };
    assert_eq!(value(call("shout", "hé").await.result, &Type::String), Value::string("HÉ"));
    let failed = call("shout", "").await;
    let error = pb::FunctionError { text: "nothing to shout".to_owned(), function_argument: Some(0) };
    assert_eq!((failed.result, failed.error), (None, Some(error)));
    let unknown = call("whisper", "x").await.error.unwrap();
    assert_eq!(unknown.text, "This provider has no function \"whisper\"");
}

#[tokio::test]
async fn metadata_and_schema_agree() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut provider = plugin.provider().await;
    let schema = provider.get_provider_schema(pb::get_provider_schema::Request {}).await.unwrap().into_inner();
    let metadata = provider.get_metadata(pb::get_metadata::Request {}).await.unwrap().into_inner();
    let names: Vec<_> = metadata.resources.into_iter().map(|resource| resource.type_name).collect();
    assert_eq!(names, schema.resource_schemas.into_keys().collect::<Vec<_>>());
    let names: Vec<_> = metadata.actions.into_iter().map(|action| action.type_name).collect();
    assert_eq!(names, schema.action_schemas.into_keys().collect::<Vec<_>>());
    assert_eq!(metadata.server_capabilities, schema.server_capabilities);

    let attributes = &schema.data_source_schemas["tiny_length"].block.as_ref().unwrap().attributes;
    assert_eq!((attributes[0].name.as_str(), &attributes[0].r#type[..]), ("text", &b"\"string\""[..]));
    assert!(attributes[0].required && !attributes[0].computed);
    assert_eq!((attributes[1].name.as_str(), &attributes[1].r#type[..]), ("length", &b"\"number\""[..]));
    assert!(attributes[1].computed && !attributes[1].required);
}

#[tokio::test]
async fn messages_may_be_larger_than_grpc_allows_by_default() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut provider = plugin.provider().await;
    let plan = pb::plan_resource_change::Request {
        type_name: "tiny_note".to_owned(),
        proposed_new_state: wire(&note("x", &"x".repeat(20 << 20))),
        ..Default::default()
    };
    let planned = provider.plan_resource_change(plan).await.unwrap().into_inner();
    assert_eq!(texts(&planned.diagnostics), []);
    assert!(planned.planned_state.unwrap().msgpack.len() > 20 << 20);
}

#[tokio::test]
async fn an_ephemeral_resource_is_opened_renewed_and_closed() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut provider = plugin.provider().await;
    let ty = Type::object(["for", "token"].map(|name| (name, Type::String)));
    let config = Value::object([("for", Value::string("me")), ("token", Value::null(Type::String))]);
    let type_name = || "tiny_token".to_owned();
    let open =
        pb::open_ephemeral_resource::Request { type_name: type_name(), config: wire(&config), ..Default::default() };
    let opened = provider.open_ephemeral_resource(open).await.unwrap().into_inner();
    assert_eq!(value(opened.result, &ty).attribute("token"), Some(&Value::string("t0ken")));
    let renew_at = opened.renew_at.unwrap();
    assert_eq!((renew_at.seconds, renew_at.nanos), (1, 500_000_000));
    let renew = pb::renew_ephemeral_resource::Request { type_name: type_name(), private: opened.private.clone() };
    let renewed = provider.renew_ephemeral_resource(renew).await.unwrap().into_inner();
    assert_eq!((renewed.private, renewed.renew_at), (Some("opened".into()), None));
    let close = pb::close_ephemeral_resource::Request { type_name: type_name(), private: opened.private };
    assert_eq!(provider.close_ephemeral_resource(close).await.unwrap().into_inner().diagnostics, []);
}
