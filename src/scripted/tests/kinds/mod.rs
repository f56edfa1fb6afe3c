//! The kinds beside the resource, each driven as Terraform core drives it: actions and list resources as core 1.14 does.

mod action;
mod data_source;
mod ephemeral;
mod function;
mod list;

use serde_json::{Value as Json, json};

use super::{Stage, value};

impl Stage {
    /// A configuration of any kind but the resource: this script and these props.
    fn asking(&self, props: &Json) -> denobridge_core::cty::Value {
        self.written(&[("props", value(props))])
    }
}

fn warning() -> Json {
    json!([{ "severity": "warning", "summary": "slow", "detail": "d" }])
}

fn error() -> Json {
    json!([{ "severity": "error", "summary": "broken", "detail": "d", "propPath": ["props", "n"] }])
}
