//! The typed form of every kind but managed resources and functions: what reaches the component's own code, and what becomes
//! of its answers.

mod life;
mod parity;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::*;

use crate::host::{Host, HostOptions};
use crate::hub::Component;
use crate::prelude::*;

/// What is asked for, and what there is.
#[derive(Model)]
struct User {
    #[tf(required)]
    name: String,
    #[tf(computed)]
    home: Tf<String>,
}

fn named(name: &str) -> Value {
    Value::object([("name", Value::string(name))])
}

fn refuse(name: &str) -> Result<(), Failure> {
    if name == "bad" {
        return Err(Failure::new("No such name", "Choose another.").at(Path::root().attribute("name")));
    }
    Ok(())
}

/// Does what the name says, and warns of nothing when it is "quiet".
fn work(name: &str, warnings: &mut Diagnostics) -> Result<(), Failure> {
    match name {
        "fail" => return Err(std::io::Error::other("the disk is on fire").into()),
        "warn" => warnings.push(Diagnostic::warning("Slow", "It took long.")),
        _ => {}
    }
    Ok(())
}

/// Where the users are, as configuring the provider makes it.
struct Directory {
    endpoint: Option<String>,
}

/// A capability with two settings, one of which its components need.
struct Remote;

#[derive(Model)]
struct RemoteSettings {
    endpoint: Option<String>,
    region: Option<String>,
}

impl Capability for Remote {
    type Settings = RemoteSettings;

    fn validate(&self, settings: &RemoteSettings) -> Result<(), Failure> {
        match (&settings.endpoint, &settings.region) {
            (Some(endpoint), _) if !endpoint.starts_with("https:") => {
                Err(Failure::new("Not secure", "Use https.").at(Path::root().attribute("endpoint")))
            }
            _ => Ok(()),
        }
    }

    fn needed(&self) -> Vec<&'static str> {
        vec!["endpoint"]
    }
}

#[derive(Model)]
struct Own {
    prefix: Option<String>,
}

struct Users;

impl DataSource for Users {
    type Model = User;

    fn validate(&self, _: &Context, config: &User) -> Result<(), Failure> {
        refuse(&config.name)
    }

    async fn defer(&self, _: &Context, config: &User) -> Option<Deferred> {
        (config.name == "later").then_some(Deferred::AbsentPrerequisite)
    }

    async fn read(&self, context: &Context, asked: Asked<'_, User>) -> Result<User, Failure> {
        work(&asked.config.name, asked.warnings)?;
        let directory = context.data::<Directory>()?;
        let home = directory.endpoint.clone().unwrap_or_default() + "/" + &asked.config.name;
        Ok(User { home: home.into(), ..asked.config })
    }
}

struct Logins;

#[ephemeral_resource]
impl EphemeralResource for Logins {
    type Model = User;
    /// How often it was renewed.
    type Private = u32;

    fn validate(&self, _: &Context, config: &User) -> Result<(), Failure> {
        refuse(&config.name)
    }

    async fn defer(&self, _: &Context, config: &User) -> Option<Deferred> {
        (config.name == "later").then_some(Deferred::ProviderConfigUnknown)
    }

    async fn open(&self, _: &Context, opening: Opening<'_, Self>) -> Result<User, Failure> {
        work(&opening.config.name, opening.warnings)?;
        if opening.config.name != "short" {
            *opening.renew_at = Some(SystemTime::UNIX_EPOCH + Duration::from_secs(60));
        }
        *opening.private = 10;
        Ok(User { home: "/".into(), ..opening.config })
    }

    async fn renew(&self, _: &Context, renewing: Renewing<'_, Self>) -> Result<(), Failure> {
        *renewing.private += 1;
        match *renewing.private {
            11 => *renewing.renew_at = Some(SystemTime::UNIX_EPOCH + Duration::from_secs(120)),
            12 => renewing.warnings.push(Diagnostic::warning("Last time", "")),
            _ => return Err(Failure::new("Expired", "Log in again.")),
        }
        Ok(())
    }

    async fn close(&self, _: &Context, closing: Closing<'_, Self>) -> Result<(), Failure> {
        closing.warnings.push(Diagnostic::warning(format!("Renewed {} times", *closing.private - 10), ""));
        Ok(())
    }
}

struct Greeting;

#[derive(Model)]
struct Greeted {
    #[tf(required)]
    name: String,
}

impl Action for Greeting {
    type Config = Greeted;

    fn validate(&self, _: &Context, config: &Greeted) -> Result<(), Failure> {
        refuse(&config.name)
    }

    async fn defer(&self, _: &Context, config: &Greeted) -> bool {
        config.name == "later"
    }

    async fn plan(&self, _: &Context, asked: Asked<'_, Greeted>) -> Result<(), Failure> {
        if asked.config.name == "nobody" {
            return Err(Failure::new("Nobody is there", "Invite somebody."));
        }
        asked.warnings.push(Diagnostic::warning("Planned", asked.config.name));
        Ok(())
    }

    async fn invoke(&self, _: &Context, run: Invocation<'_, Greeted>) -> Result<(), Failure> {
        run.progress.report("hello");
        run.progress.report(run.config.name.clone());
        work(&run.config.name, run.warnings)
    }
}

/// A managed resource with an identity, to be listed.
struct Homes;

#[derive(Model)]
struct HomeIdentity {
    #[tf(required)]
    name: Tf<String>,
}

#[resource]
impl Resource for Homes {
    type Model = User;
    type Identity = HomeIdentity;

    async fn create(&self, _: &Context, plan: Planned<'_, Self>) -> super::super::Outcome<User> {
        Ok(User { home: "/new".into(), ..plan.state })
    }

    async fn read(&self, _: &Context, now: Stored<'_, Self>) -> Result<Option<User>, Failure> {
        Ok(Some(now.state))
    }

    async fn delete(&self, _: &Context, _: Removed<'_, Self>) -> Result<(), Failure> {
        Ok(())
    }
}

impl ListResource for Homes {
    type Config = Greeted;
    type Resource = Homes;

    fn validate(&self, _: &Context, config: &Greeted) -> Result<(), Failure> {
        refuse(&config.name)
    }

    async fn list(&self, _: &Context, search: Search<'_, Greeted, Homes>) -> Result<(), Failure> {
        for number in 0..4 {
            let name = format!("{}{number} of {}", search.config.name, search.limit);
            let find = Find::new(HomeIdentity { name: name.clone().into() }, format!("home {number}"));
            let home = User { name, home: "/".into() };
            let find = if search.include_object { find.with_object(home) } else { find };
            if !search.finds.push(find).await {
                return Ok(());
            }
        }
        work(&search.config.name, search.warnings)
    }
}

/// States in memory, once it is configured; locked states are those whose names are in `locks`.
struct Drawer {
    states: Mutex<BTreeMap<String, Bytes>>,
    locks: Mutex<BTreeMap<String, String>>,
}

impl StateStore for Drawer {
    type Config = Greeted;

    fn validate(_: &Context, config: &Greeted) -> Result<(), Failure> {
        refuse(&config.name)
    }

    async fn configure(_: &Context, asked: Asked<'_, Greeted>) -> Result<Self, Failure> {
        work(&asked.config.name, asked.warnings)?;
        Ok(Self { states: Mutex::default(), locks: Mutex::default() })
    }

    async fn read(&self, _: &Context, state_id: &str) -> Result<Option<Bytes>, Failure> {
        Ok(self.states.lock().unwrap().get(state_id).cloned())
    }

    async fn write(&self, _: &Context, state_id: &str, state: Bytes) -> Result<(), Failure> {
        if state_id == "full" {
            return Err(Failure::new("No room", "Empty the drawer."));
        }
        self.states.lock().unwrap().insert(state_id.to_owned(), state);
        Ok(())
    }

    async fn lock(&self, _: &Context, state_id: &str, operation: &str) -> Result<String, Failure> {
        match self.locks.lock().unwrap().insert(state_id.to_owned(), operation.to_owned()) {
            Some(holder) => Err(Failure::new("Locked", format!("By {holder}."))),
            None => Ok(format!("key of {state_id}")),
        }
    }

    async fn unlock(&self, _: &Context, state_id: &str, lock_id: &str) -> Result<(), Failure> {
        if lock_id != format!("key of {state_id}") {
            return Err(Failure::new("Wrong key", ""));
        }
        self.locks.lock().unwrap().remove(state_id);
        Ok(())
    }

    async fn list(&self, _: &Context) -> Result<Vec<String>, Failure> {
        Ok(self.states.lock().unwrap().keys().cloned().collect())
    }

    async fn delete(&self, _: &Context, state_id: &str) -> Result<(), Failure> {
        if state_id == "full" {
            return Err(Failure::new("Stuck", "Pull harder."));
        }
        self.states.lock().unwrap().remove(state_id);
        Ok(())
    }
}

fn provider() -> impl Provider {
    ProviderBuilder::new("test")
        .configured_by(|given: Configuration<Own>| async move {
            let settings = given.settings::<Remote>()?;
            let endpoint = settings.endpoint.map(|endpoint| endpoint + &given.config.prefix.unwrap_or_default());
            Ok(Directory { endpoint })
        })
        .add_capability("remote", Remote)
        .component_of("remote", "test_user", Component::data_source(Users))
        .add_ephemeral_resource("test_login", Logins)
        .add_action("test_greeting", Greeting)
        .add_resource("test_home", Homes)
        .add_list_resource("test_home", Homes)
        .add_state_store::<Drawer>("test_drawer")
        .build()
        .unwrap()
}

async fn host() -> Host {
    Host::start(Arc::new(provider()), HostOptions::default()).await.unwrap()
}
