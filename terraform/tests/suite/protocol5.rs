//! Protocol 5, for hosts that have no newer one.

use denobridge_core::cty::{Type, Value};
use denobridge_terraform::proto::tfplugin5::{self as pb5, provider_client::ProviderClient};
use denobridge_terraform::proto::tfplugin6 as pb;
use futures::TryStreamExt as _;
use tonic::Code;
use tonic::transport::Channel;

use super::support::{PROGRAM, Plugin, note, note_type, soon, texts, value, wire};

/// The plugin as a host starts it that speaks protocol 5 only.
async fn start() -> (Plugin, ProviderClient<Channel>) {
    let plugin = Plugin::start_with(PROGRAM, &[("PLUGIN_PROTOCOL_VERSIONS", "5")]).await;
    assert_eq!(plugin.fields[1], "5");
    let client = ProviderClient::new(plugin.connect().await);
    (plugin, client)
}

#[tokio::test]
async fn the_highest_common_version_is_served_and_no_other() {
    for (offered, limited_to, chosen) in [("5,6", "", "6"), ("6,5", "", "6"), ("5", "", "5"), ("6,5", "5", "5")] {
        let plugin =
            Plugin::start_with(PROGRAM, &[("PLUGIN_PROTOCOL_VERSIONS", offered), ("TINY_PROTOCOL", limited_to)]).await;
        assert_eq!(plugin.fields[1], chosen, "{offered} {limited_to}");
        let schema = pb::get_provider_schema::Request {};
        let of_5 = ProviderClient::new(plugin.connect().await).get_schema(schema).await.err();
        let of_6 = plugin.provider().await.get_provider_schema(schema).await.err();
        let codes = [of_5, of_6].map(|refused| refused.map(|status| status.code()));
        let refused = Some(Code::Unimplemented);
        assert_eq!(codes, if chosen == "5" { [None, refused] } else { [refused, None] }, "{offered} {limited_to}");
    }
}

/// F4 for protocol 5: an answer from every procedure.
#[tokio::test]
async fn f4_every_procedure_of_protocol_5_is_implemented() {
    let (_plugin, mut provider) = start().await;
    macro_rules! implemented {
        ($($procedure:ident($message:ident))*) => {
            $(if let Err(status) = provider.$procedure(pb::$message::Request::default()).await {
                panic!("{}: {status}", stringify!($procedure));
            })*
        };
    }
    implemented!(
        get_metadata(get_metadata) get_schema(get_provider_schema)
        prepare_provider_config(validate_provider_config) validate_resource_type_config(validate_resource_config)
        validate_data_source_config(validate_data_resource_config) upgrade_resource_state(upgrade_resource_state)
        get_resource_identity_schemas(get_resource_identity_schemas)
        upgrade_resource_identity(upgrade_resource_identity) configure(configure_provider)
        read_resource(read_resource) plan_resource_change(plan_resource_change)
        apply_resource_change(apply_resource_change) import_resource_state(import_resource_state)
        move_resource_state(move_resource_state) read_data_source(read_data_source)
        generate_resource_config(generate_resource_config)
        validate_ephemeral_resource_config(validate_ephemeral_resource_config)
        open_ephemeral_resource(open_ephemeral_resource) renew_ephemeral_resource(renew_ephemeral_resource)
        close_ephemeral_resource(close_ephemeral_resource) list_resource(list_resource)
        validate_list_resource_config(validate_list_resource_config) get_functions(get_functions)
        call_function(call_function) validate_action_config(validate_action_config) plan_action(plan_action)
        invoke_action(invoke_action) stop(stop_provider)
    );
}

#[tokio::test]
async fn schema_and_metadata_have_everything_but_state_stores() {
    let (_plugin, mut provider) = start().await;
    let schema = provider.get_schema(pb::get_provider_schema::Request {}).await.unwrap().into_inner();
    assert_eq!(texts(&schema.diagnostics), []);
    let again = provider.get_schema(pb::get_provider_schema::Request {}).await.unwrap().into_inner();
    assert_eq!(schema, again);
    let endpoint = &schema.provider.as_ref().unwrap().block.as_ref().unwrap().block_types[0];
    assert_eq!(endpoint.nesting(), pb5::schema::nested_block::NestingMode::List);
    let metadata = provider.get_metadata(pb::get_metadata::Request {}).await.unwrap().into_inner();
    let names: Vec<_> = metadata.resources.into_iter().map(|resource| resource.type_name).collect();
    assert_eq!(names, schema.resource_schemas.into_keys().collect::<Vec<_>>());
    let names: Vec<_> = metadata.actions.into_iter().map(|action| action.type_name).collect();
    assert_eq!(names, schema.action_schemas.into_keys().collect::<Vec<_>>());
}

#[tokio::test]
async fn a_resource_goes_through_plan_and_apply() {
    let (_plugin, mut provider) = start().await;
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
    assert_eq!((texts(&planned.diagnostics), &planned.planned_private[..]), (vec![], &b"kept"[..]));
    let apply = pb::apply_resource_change::Request {
        type_name: "tiny_note".to_owned(),
        planned_state: planned.planned_state,
        ..Default::default()
    };
    let applied = provider.apply_resource_change(apply).await.unwrap().into_inner();
    assert_eq!(texts(&applied.diagnostics), []);
    let id = value(applied.new_state, &note_type());
    assert_eq!(id.attribute("id").and_then(Value::as_str), path.to_str());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "hello");
}

#[tokio::test]
async fn a_configuration_comes_back_as_it_was() {
    let (_plugin, mut provider) = start().await;
    let endpoints = Value::null(Type::list(Type::object([("url", Type::String)])));
    let config = wire(&Value::object([("endpoint", endpoints)]));
    let request = pb::validate_provider_config::Request { config: config.clone() };
    let prepared = provider.prepare_provider_config(request).await.unwrap().into_inner();
    assert_eq!((prepared.prepared_config, texts(&prepared.diagnostics)), (config, vec![]));
}

#[tokio::test]
async fn stopping_cancels_what_runs() {
    let (_plugin, mut provider) = start().await;
    let apply = pb::apply_resource_change::Request {
        type_name: "tiny_slow".to_owned(),
        planned_state: wire(&note("x", "y")),
        ..Default::default()
    };
    let mut other = provider.clone();
    let running = tokio::spawn(async move { other.apply_resource_change(apply).await });
    // The call must have arrived before the stop does.
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    provider.stop(pb::stop_provider::Request {}).await.unwrap();
    let applied = soon("the stopped call", running).await.unwrap().unwrap().into_inner();
    assert_eq!(texts(&applied.diagnostics), [("ERROR", "Stopped", "The resource exists in part.")]);
}

#[tokio::test]
async fn lists_and_actions_stream() {
    let (_plugin, mut provider) = start().await;
    let request = pb::list_resource::Request { type_name: "tiny_note".to_owned(), limit: 2, ..Default::default() };
    let events: Vec<_> = provider.list_resource(request).await.unwrap().into_inner().try_collect().await.unwrap();
    assert_eq!(events.iter().map(|event| event.display_name.as_str()).collect::<Vec<_>>(), ["a.txt", "b.txt"]);
    let request = pb::invoke_action::Request { action_type: "tiny_ring".to_owned(), ..Default::default() };
    let events: Vec<_> = provider.invoke_action(request).await.unwrap().into_inner().try_collect().await.unwrap();
    assert_eq!(events.len(), 3);
}
