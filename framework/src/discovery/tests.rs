//! F22 to F24: the same components marked, registered by hand, and found.

use std::sync::{Arc, Mutex};

use denobridge_core::Call;
use denobridge_core::call::{LogLevel, LogSink};
use denobridge_core::provider::{GetProviderSchemaRequest, GetProviderSchemaResponse, Provider};

use super::Marker;
use crate::hub::{Component, ComponentKind, Hub};
use crate::prelude::*;

/// One component of every kind, marked.
mod everything {
    use bytes::Bytes;

    use crate::prelude::*;

    /// A thing.
    #[derive(Model)]
    pub struct Thing {
        /// Its name.
        #[tf(required)]
        pub name: String,
        #[tf(computed)]
        pub id: Tf<String>,
    }

    #[derive(Model)]
    pub struct ThingIdentity {
        #[tf(required)]
        name: Tf<String>,
    }

    #[derive(Model)]
    pub struct Where {
        pub place: Option<String>,
    }

    #[derive(Default)]
    pub struct Things;

    #[resource(name = "all_thing")]
    impl Resource for Things {
        type Model = Thing;
        type Identity = ThingIdentity;

        async fn create(&self, _: &Context, plan: Planned<'_, Self>) -> Outcome<Thing> {
            Ok(plan.state)
        }

        async fn read(&self, _: &Context, now: Stored<'_, Self>) -> Result<Option<Thing>, Failure> {
            Ok(Some(now.state))
        }

        async fn delete(&self, _: &Context, _: Removed<'_, Self>) -> Result<(), Failure> {
            Ok(())
        }
    }

    #[data_source(name = "all_thing")]
    impl DataSource for Things {
        type Model = Thing;

        async fn read(&self, _: &Context, asked: Asked<'_, Thing>) -> Result<Thing, Failure> {
            Ok(asked.config)
        }
    }

    #[ephemeral_resource(name = "all_thing", new = Things::open())]
    impl EphemeralResource for Things {
        type Model = Thing;

        async fn open(&self, _: &Context, opening: Opening<'_, Self>) -> Result<Thing, Failure> {
            Ok(opening.config)
        }
    }

    impl Things {
        fn open() -> std::io::Result<Self> {
            Ok(Self)
        }
    }

    #[action(name = "all_thing", capability = "place", new = Things)]
    impl Action for Things {
        type Config = Where;

        async fn invoke(&self, _: &Context, _: Invocation<'_, Where>) -> Result<(), Failure> {
            Ok(())
        }
    }

    #[list_resource(name = "all_thing")]
    impl ListResource for Things {
        type Config = Where;
        type Resource = Self;

        async fn list(&self, _: &Context, _: Search<'_, Where, Self>) -> Result<(), Failure> {
            Ok(())
        }
    }

    #[capability(name = "place")]
    impl Capability for Things {
        type Settings = Where;
    }

    pub struct Store;

    #[state_store(name = "all_store")]
    impl StateStore for Store {
        type Config = Where;

        async fn configure(_: &Context, _: Asked<'_, Where>) -> Result<Self, Failure> {
            Ok(Self)
        }

        async fn read(&self, _: &Context, _: &str) -> Result<Option<Bytes>, Failure> {
            Ok(None)
        }

        async fn write(&self, _: &Context, _: &str, _: Bytes) -> Result<(), Failure> {
            Ok(())
        }

        async fn lock(&self, _: &Context, _: &str, _: &str) -> Result<String, Failure> {
            Ok("lock".to_owned())
        }

        async fn unlock(&self, _: &Context, _: &str, _: &str) -> Result<(), Failure> {
            Ok(())
        }

        async fn list(&self, _: &Context) -> Result<Vec<String>, Failure> {
            Ok(Vec::new())
        }

        async fn delete(&self, _: &Context, _: &str) -> Result<(), Failure> {
            Ok(())
        }
    }

    /// Upper case.
    #[function]
    pub fn upper(text: &str) -> String {
        text.to_uppercase()
    }
}

const EVERYTHING: &str = concat!(module_path!(), "::everything");

#[derive(Default)]
struct Lines(Mutex<Vec<(LogLevel, String)>>);

impl LogSink for Lines {
    fn enabled(&self, _: LogLevel) -> bool {
        true
    }

    fn log(&self, level: LogLevel, _: &str, message: &str, fields: &[(&str, &str)]) {
        self.0.lock().unwrap().push((level, format!("{message} {fields:?}")));
    }
}

async fn served(builder: ProviderBuilder, lines: &Arc<Lines>) -> GetProviderSchemaResponse {
    let call = Call::new().with_log(Arc::clone(lines) as Arc<dyn LogSink>);
    builder.build().unwrap().get_provider_schema(&call, GetProviderSchemaRequest::default()).await.unwrap()
}

#[tokio::test]
async fn f22_f23_marked_and_registered_by_hand_every_kind_is_the_same() {
    use everything::{Store, Things, upper};
    let lines = Arc::new(Lines::default());
    let found = served(ProviderBuilder::new("all").discover_in(EVERYTHING), &lines).await;
    let by_hand = ProviderBuilder::new("all")
        .add_resource("all_thing", Things)
        .add_data_source("all_thing", Things)
        .add_ephemeral_resource("all_thing", Things)
        .component_of("place", "all_thing", Component::action(Things))
        .add_list_resource("all_thing", Things)
        .add_state_store::<Store>("all_store")
        .add_capability("place", Things)
        .add_function::<upper>();
    let by_hand = served(by_hand, &Arc::default()).await;
    assert_eq!(found.diagnostics, by_hand.diagnostics);
    assert_eq!(found.schema, by_hand.schema);
    let schema = &found.schema;
    let counts = [
        schema.resources.len(),
        schema.data_sources.len(),
        schema.ephemeral_resources.len(),
        schema.actions.len(),
        schema.list_resources.len(),
        schema.state_stores.len(),
        schema.functions.len(),
        schema.provider.block.attributes.len(),
    ];
    assert_eq!(counts, [1; 8]);

    let lines = lines.0.lock().unwrap();
    let at = |level: LogLevel| lines.iter().filter(move |(of, _)| *of == level).map(|(_, line)| line.clone());
    assert_eq!(at(LogLevel::Debug).count(), 8, "{lines:?}");
    let total = r#"discovered components [("added", "8"), ("known", "0"), ("left_out", "0")]"#;
    assert_eq!(at(LogLevel::Info).collect::<Vec<_>>(), [total]);
}

#[test]
fn f24_discovering_twice_adds_nothing_and_modules_are_kept_apart() {
    let hub = Hub::new();
    assert_eq!(hub.discover(EVERYTHING).added.len(), 8);
    let again = hub.discover(EVERYTHING);
    assert_eq!((again.added.len(), again.known), (0, 8));
    assert_eq!(hub.list(None).len(), 8);
    assert_eq!(Hub::new().discover("denobridge_framework::discovery::tests::every").added.len(), 0);
}

#[tokio::test]
async fn f24_what_cannot_be_made_is_a_warning_and_the_others_are_served() {
    let make: fn() -> Result<Component, String> = || Ok(Component::data_source(everything::Things));
    let marked = |name: &'static str, make| Marker::new(ComponentKind::DataSource, name, "here", make);
    let markers = [
        marked("all_broken", || Err("the file is not there".to_owned())),
        marked("all_panics", || panic!("deliberate")),
        marked("", make),
        marked("all_whole", make),
    ];
    let hub = Arc::new(Hub::new());
    let found = hub.discover_among(&markers, "");
    assert_eq!(found.added, ["data source all_whole"]);
    assert_eq!(found.left_out.len(), 3);
    hub.discover_among(&markers, "");
    let served = served(ProviderBuilder::new("all").hub(hub), &Arc::default()).await;
    assert_eq!(served.schema.data_sources.keys().map(|name| &**name).collect::<Vec<_>>(), ["all_whole"]);
    let told: Vec<String> = served.diagnostics.into_iter().map(|warning| warning.detail).collect();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told.iter().any(|detail| detail.starts_with("It is marked in here, but the file is not there.")));
    assert!(told.iter().any(|detail| detail.contains("it panicked while it was made: deliberate")));
    assert!(told.iter().any(|detail| detail.contains("it has no name")));
}
