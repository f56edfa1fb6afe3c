//! F5: what a program adds to the framework from outside: something around every procedure of a provider, and a kind of
//! component of its own.
#![allow(clippy::unwrap_used)]

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use denobridge_core::provider::{Around, GetProviderSchemaRequest, PROCEDURES, Provider, Surrounded};
use denobridge_core::{Call, CallError};
use denobridge_framework::host::{Host, HostOptions};
use denobridge_framework::hub::{Component, ComponentKind, Hub, HubError, Registered};
use denobridge_framework::prelude::*;
use denobridge_framework::{BuildError, Composite};

/// A switch is on or off.
#[derive(Model)]
struct Position {
    #[tf(computed)]
    on: Tf<bool>,
}

/// The program's own kind: whoever has switches implements this and nothing of the framework.
trait Switch: Send + Sync + 'static {
    fn is_on(&self) -> bool;
    fn turn(&self);
}

/// What makes a switch a composite: a data source to look at it, and an action that turns it.
struct Wired<S>(Arc<S>);

impl<S: Switch> Composite for Wired<S> {
    fn kind(&self) -> &'static str {
        "switch"
    }

    fn parts(&self, name: &str) -> Vec<(Arc<str>, Component)> {
        let (look, turn) = (Look(Arc::clone(&self.0)), Turn(Arc::clone(&self.0)));
        vec![(name.into(), Component::data_source(look)), (format!("{name}_turn").into(), Component::action(turn))]
    }
}

struct Look<S>(Arc<S>);

impl<S: Switch> DataSource for Look<S> {
    type Model = Position;

    async fn read(&self, _: &Context, _: Asked<'_, Position>) -> Result<Position, Failure> {
        Ok(Position { on: self.0.is_on().into() })
    }
}

#[derive(Model)]
struct Nothing {}

struct Turn<S>(Arc<S>);

impl<S: Switch> Action for Turn<S> {
    type Config = Nothing;

    async fn invoke(&self, _: &Context, _: Invocation<'_, Nothing>) -> Result<(), Failure> {
        self.0.turn();
        Ok(())
    }
}

/// Registering a switch reads like registering what the framework knows.
trait Switches {
    fn add_switch<S: Switch>(self, name: &str, switch: S) -> Self;
}

impl Switches for ProviderBuilder {
    fn add_switch<S: Switch>(self, name: &str, switch: S) -> Self {
        self.component(name, wired(switch))
    }
}

fn wired<S: Switch>(switch: S) -> Box<dyn Composite> {
    Box::new(Wired(Arc::new(switch)))
}

#[derive(Default)]
struct Lamp(Mutex<bool>);

impl Switch for Lamp {
    fn is_on(&self) -> bool {
        *self.0.lock().unwrap()
    }

    fn turn(&self) {
        let mut on = self.0.lock().unwrap();
        *on = !*on;
    }
}

async fn host(provider: impl Provider + 'static) -> Host {
    Host::start(Arc::new(provider), HostOptions::default()).await.unwrap()
}

#[tokio::test]
async fn f5_a_kind_of_ones_own_is_served_as_its_parts() {
    let host = host(ProviderBuilder::new("demo").add_switch("demo_lamp", Lamp::default()).build().unwrap()).await;
    let is_on = || async {
        let lamp = host.data_source("demo_lamp", "one").unwrap();
        let config = lamp.config(&Value::object::<&str>([])).unwrap();
        lamp.read(&config).await.expect_some().attribute("on").cloned().unwrap()
    };
    assert_eq!(is_on().await, Value::bool(false));
    let turn = host.action("demo_lamp_turn", "one").unwrap();
    let config = turn.config(&Value::object::<&str>([])).unwrap();
    turn.invoke(&config).await.expect_ok();
    assert_eq!(is_on().await, Value::bool(true));
    host.metadata().await.expect_some();
}

#[test]
fn f5_a_kind_of_ones_own_is_registered_like_any_other() {
    const SWITCH: ComponentKind = ComponentKind::Composite("switch");
    let hub = Hub::strict();
    let lamp: Arc<dyn Composite> = wired(Lamp::default()).into();
    assert_eq!(hub.register("demo_lamp", Arc::clone(&lamp)), Ok(Registered::Added));
    assert_eq!(hub.register("demo_lamp", lamp), Ok(Registered::Unchanged));
    let other = hub.register("demo_lamp", wired(Lamp::default())).unwrap_err();
    assert_eq!(other, HubError::Taken { kind: SWITCH, name: "demo_lamp".into() });
    assert_eq!(other.to_string(), "another switch is already registered as demo_lamp");
    assert!(hub.get(SWITCH, "demo_lamp").is_some());
    assert_eq!(hub.list(Some(SWITCH)).len(), 1);
    assert!(hub.list(Some(ComponentKind::Composite("dial"))).is_empty(), "nobody knows that kind");
}

#[test]
fn f5_parts_are_held_to_the_rules_of_their_kinds() {
    let twice = ProviderBuilder::new("demo").add_switch("demo_lamp", Lamp::default());
    let twice = twice.add_data_source("demo_lamp", Look(Arc::new(Lamp::default()))).build().err().unwrap();
    assert_eq!(twice.to_string(), "provider demo: two data sources are called demo_lamp");
    let homeless = ProviderBuilder::new("demo").component_of("power", "demo_lamp", wired(Lamp::default()));
    let homeless = homeless.build().err().unwrap();
    assert!(matches!(homeless, BuildError::UnknownCapability { .. }), "{homeless}");
}

type Parts = fn(&str) -> Vec<(Arc<str>, Component)>;

/// A composite that cannot be taken apart.
struct Broken(Parts);

impl Composite for Broken {
    fn kind(&self) -> &'static str {
        "puzzle"
    }

    fn parts(&self, name: &str) -> Vec<(Arc<str>, Component)> {
        (self.0)(name)
    }
}

#[tokio::test]
async fn f5_what_cannot_be_taken_apart_is_told_and_the_others_are_served() {
    let panics: Parts = |_| panic!("a piece is missing");
    let nests: Parts = |name| vec![(name.into(), wired(Lamp::default()).into())];
    for (parts, reason) in [
        (panics, "it panicked while describing itself: a piece is missing"),
        (nests, "its part demo_puzzle is a switch, which is no kind of Terraform's"),
    ] {
        let puzzle = || -> Box<dyn Composite> { Box::new(Broken(parts)) };
        let refused = ProviderBuilder::new("demo").component("demo_puzzle", puzzle()).build().err().unwrap();
        assert_eq!(refused.to_string(), format!("provider demo: puzzle demo_puzzle: {reason}"));

        let hub = Hub::new();
        hub.register("demo_puzzle", puzzle()).unwrap();
        hub.register("demo_lamp", wired(Lamp::default())).unwrap();
        let provider = ProviderBuilder::new("demo").hub(Arc::new(hub)).build().unwrap();
        let served = provider.get_provider_schema(&Call::new(), GetProviderSchemaRequest::default()).await.unwrap();
        assert_eq!(served.schema.data_sources.keys().map(|name| &**name).collect::<Vec<_>>(), ["demo_lamp"]);
        let warning = served.diagnostics.iter().next().unwrap();
        assert_eq!(warning.summary, "The puzzle demo_puzzle is not available");
        assert!(warning.detail.contains(reason), "{}", warning.detail);
    }
}

/// Writes down every procedure, and answers none of those that are locked.
struct Watch<P> {
    inner: P,
    seen: Arc<Mutex<Vec<&'static str>>>,
    locked: &'static [&'static str],
}

impl<P: Provider> Around for Watch<P> {
    fn inner(&self) -> &dyn Provider {
        &self.inner
    }

    async fn around<T: Send>(
        &self,
        procedure: &'static str,
        _: &Call,
        answer: impl Future<Output = Result<T, CallError>> + Send,
    ) -> Result<T, CallError> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).push(procedure);
        match self.locked.contains(&procedure) {
            true => Err(CallError::Internal { message: "locked".to_owned() }),
            false => answer.await,
        }
    }
}

macro_rules! each_procedure {
    ($provider:expr; $($method:ident),*) => {
        $(let _ = $provider.$method(&Call::new(), Default::default()).await;)*
    };
}

#[tokio::test]
async fn f5_a_layer_is_around_every_procedure() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let inner = ProviderBuilder::new("demo").add_switch("demo_lamp", Lamp::default()).build().unwrap();
    let watched = Surrounded(Watch { inner, seen: Arc::clone(&seen), locked: &["ReadDataSource"] });
    each_procedure!(watched;
        get_metadata, get_provider_schema, upgrade_resource_identity, validate_provider_config, configure_provider,
        stop_provider, validate_resource_config, upgrade_resource_state, read_resource, plan_resource_change,
        apply_resource_change, import_resource_state, generate_resource_config, move_resource_state,
        validate_data_resource_config, read_data_source, validate_ephemeral_resource_config, open_ephemeral_resource,
        renew_ephemeral_resource, close_ephemeral_resource, call_function, validate_list_resource_config, list_resource,
        validate_action_config, plan_action, invoke_action, validate_state_store_config, configure_state_store,
        read_state_bytes, lock_state, unlock_state, get_states, delete_state
    );
    // The one request that has no empty form: it carries a stream.
    let write = denobridge_core::provider::WriteStateBytesRequest {
        type_name: "demo_store".into(),
        state_id: "a".to_owned(),
        chunks: Box::pin(futures::stream::empty()),
    };
    let _ = watched.write_state_bytes(&Call::new(), write).await;
    let mut all = PROCEDURES.to_vec();
    let mut called = seen.lock().unwrap().clone();
    all.sort_unstable();
    called.sort_unstable();
    assert_eq!(called, all);
    let refused = watched.read_data_source(&Call::new(), Default::default()).await.unwrap_err();
    assert_eq!(refused, CallError::Internal { message: "locked".to_owned() });
}
