//! F65: a schema that is written by hand is held to the model, whatever the component.

use denobridge_core::schema::Schema;

use super::*;
use crate::schema::{SchemaFault, number, resource as any_schema};
use crate::typed::tests::Thing;

/// A component of every kind that has a schema, whose schema its model knows nothing of.
struct Other;

fn other() -> Schema {
    any_schema([number("size")]).build()
}

impl DataSource for Other {
    type Model = User;

    fn schema(&self) -> Schema {
        other()
    }

    async fn read(&self, _: &Context, asked: Asked<'_, User>) -> Result<User, Failure> {
        Ok(asked.config)
    }
}

#[ephemeral_resource]
impl EphemeralResource for Other {
    type Model = User;

    fn schema(&self) -> Schema {
        other()
    }

    async fn open(&self, _: &Context, opening: Opening<'_, Self>) -> Result<User, Failure> {
        Ok(opening.config)
    }
}

impl Action for Other {
    type Config = User;

    fn schema(&self) -> Schema {
        other()
    }

    async fn invoke(&self, _: &Context, _: Invocation<'_, User>) -> Result<(), Failure> {
        Ok(())
    }
}

impl ListResource for Other {
    type Config = User;
    type Resource = Homes;

    fn schema(&self) -> Schema {
        other()
    }

    async fn list(&self, _: &Context, _: Search<'_, User, Homes>) -> Result<(), Failure> {
        Ok(())
    }
}

impl StateStore for Other {
    type Config = Thing;

    fn schema() -> Schema {
        other()
    }

    async fn configure(_: &Context, _: Asked<'_, Thing>) -> Result<Self, Failure> {
        Ok(Self)
    }

    async fn read(&self, _: &Context, _: &str) -> Result<Option<Bytes>, Failure> {
        Ok(None)
    }

    async fn write(&self, _: &Context, _: &str, _: Bytes) -> Result<(), Failure> {
        Ok(())
    }

    async fn lock(&self, _: &Context, _: &str, _: &str) -> Result<String, Failure> {
        Ok(String::new())
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

#[test]
fn f65_every_kind_is_held_to_its_model() {
    for (component, model, fields) in [
        (Component::data_source(Other), "User", ["name", "home"]),
        (Component::ephemeral_resource(Other), "User", ["name", "home"]),
        (Component::action(Other), "User", ["name", "home"]),
        (Component::list_resource(Other), "User", ["name", "home"]),
        (Component::state_store::<Other>(), "Thing", ["id", "name"]),
    ] {
        let kind = component.kind().name();
        let error = ProviderBuilder::new("test").component("test_other", component).build().err().unwrap();
        let BuildError::Schema { problems, .. } = &error else { panic!("{kind}: {error}") };
        let told: Vec<_> = problems.iter().map(|problem| (problem.path.to_string(), problem.fault.clone())).collect();
        let missing = fields.map(|field| (field.to_owned(), SchemaFault::NotInSchema { model }));
        let expected = [vec![("size".to_owned(), SchemaFault::NotInModel { model })], missing.to_vec()].concat();
        assert_eq!(told, expected, "{kind}");
        assert_eq!(problems[0].component, format!("{kind} test_other"));
    }
}
