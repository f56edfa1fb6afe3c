//! Fields of type `f64` under a host that compares all digits.

use std::sync::Arc;

use denobridge_core::cty::{Number, Type, Value};
use denobridge_core::planning::Action;

use super::done;
use crate::host::{Host, HostOptions};
use crate::prelude::*;

#[derive(Model)]
struct Price {
    #[tf(required)]
    price: f64,
    #[tf(computed)]
    doubled: Tf<f64>,
    rates: Option<Vec<Rate>>,
    #[tf(nested = "set")]
    limits: Option<Vec<Rate>>,
}

#[derive(Model)]
struct Rate {
    #[tf(required)]
    cost: f64,
    #[tf(computed)]
    note: Tf<String>,
}

/// Knows no more of a number than a double holds, as most services with a JSON interface.
struct Prices;

fn made(price: Price) -> Price {
    let noted = |rates: Option<Vec<Rate>>| {
        let one = |rate: Rate| Rate { note: "noted".into(), ..rate };
        rates.map(|rates| rates.into_iter().map(one).collect())
    };
    let doubled = (price.price * 2.0).into();
    Price { price: price.price, doubled, rates: noted(price.rates), limits: noted(price.limits) }
}

#[resource]
impl Resource for Prices {
    type Model = Price;
    const VERSION: i64 = 2;

    fn upgrades(&self) -> Upgrades {
        Upgrades::default().step(1, |old: Price| Ok(old))
    }

    async fn modify_plan(&self, _: &Context, plan: &mut Planning<'_, Price>) -> Result<(), Failure> {
        if let Some(price) = plan.state()?
            && price.rates.is_some()
        {
            plan.set("rates", made(price).rates)?;
        }
        Ok(())
    }

    async fn create(&self, _: &Context, plan: Planned<'_, Self>) -> Outcome<Price> {
        Ok(made(plan.state))
    }

    async fn read(&self, _: &Context, now: Stored<'_, Self>) -> Result<Option<Price>, Failure> {
        Ok(Some(now.state))
    }

    async fn update(&self, _: &Context, change: Change<'_, Self>) -> Outcome<Price> {
        Ok(made(change.state))
    }

    async fn delete(&self, _: &Context, _: Removed<'_, Self>) -> Result<(), Failure> {
        Ok(())
    }
}

struct Quotes;

#[ephemeral_resource]
impl EphemeralResource for Quotes {
    type Model = Price;

    async fn open(&self, _: &Context, opening: Opening<'_, Self>) -> Result<Price, Failure> {
        Ok(made(opening.config))
    }
}

async fn host() -> Host {
    let provider = ProviderBuilder::new("test").add_resource("test_price", Prices);
    let provider = provider.add_ephemeral_resource("test_quote", Quotes).build().unwrap();
    Host::start(Arc::new(provider), HostOptions::default()).await.unwrap()
}

/// What Terraform makes of `1 - 0.99`, shortened; a third; more than doubles have room for; and a whole number that is a double
/// and is printed as another one.
fn numbers() -> Vec<Value> {
    let third = format!("0.{}", "3".repeat(154));
    let whole = "340282346638528859811704183484516925440";
    let texts = ["0.010000000000000000000000000003", &third, "12345678901234567890.123", whole];
    texts.into_iter().map(|text| Value::number(text.parse::<Number>().unwrap())).collect()
}

fn priced(number: &Value) -> Value {
    let rate = Value::object([("cost", number.clone()), ("note", Value::null(Type::String))]);
    let rates = Value::list(rate.ty(), [rate.clone()]);
    Value::object([("price", number.clone()), ("rates", rates), ("limits", Value::set(rate.ty(), [rate]))])
}

/// The first of the elements of an attribute.
fn cost<'a>(value: &'a Value, attribute: &str) -> &'a Value {
    value.attribute(attribute).unwrap().as_elements().unwrap()[0].attribute("cost").unwrap()
}

#[tokio::test]
async fn a_double_keeps_the_digits_of_the_configuration() {
    let host = host().await;
    let price = host.resource("test_price", "one").unwrap();
    let mut before = None;
    for exact in numbers() {
        let config = price.config(&priced(&exact)).unwrap();
        let plan = done(price.plan(&config, before.as_ref()).await).unwrap();
        let made = done(price.apply(&plan, &config).await).unwrap();
        assert_eq!(made.value.attribute("price"), Some(&exact));
        assert_eq!((cost(&made.value, "rates"), cost(&made.value, "limits")), (&exact, &exact));
        let found = done(price.refresh(&made).await).unwrap();
        assert_eq!(found.value, made.value);
        assert_eq!(done(price.plan(&config, Some(&found)).await).unwrap().action, Action::NoOp, "{exact:?}");
        before = Some(found);
    }
}

#[tokio::test]
async fn an_upgrade_keeps_the_digits_of_what_stays() {
    let host = host().await;
    let price = host.resource("test_price", "one").unwrap();
    for exact in numbers() {
        let config = price.config(&priced(&exact)).unwrap();
        let plan = done(price.plan(&config, None).await).unwrap();
        let made = done(price.apply(&plan, &config).await).unwrap();
        // By a step between two models, and by the names of attributes.
        for schema_version in [1, 0] {
            let mut stored = price.store(&made).unwrap();
            stored.schema_version = schema_version;
            assert_eq!(done(price.load(&stored).await).unwrap().value, made.value);
        }
    }
}

#[tokio::test]
async fn an_ephemeral_result_keeps_the_digits_of_its_configuration() {
    let host = host().await;
    let quote = host.ephemeral_resource("test_quote", "one").unwrap();
    for exact in numbers() {
        let open = quote.open(&quote.config(&priced(&exact)).unwrap()).await.expect_some();
        assert_eq!(open.value.attribute("price"), Some(&exact));
    }
}
