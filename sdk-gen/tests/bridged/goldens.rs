//! What the Go bridge said on other occasions.

use denobridge_sdk_gen::unparameterized;
use serde_json::Value;

use crate::difference::differences;

#[test]
fn the_plugin_before_it_is_a_provider() {
    let golden: Value = serde_json::from_str(include_str!("data/unparameterized.json")).unwrap();
    let ours = unparameterized("terraform-provider", "v0.0.0-dev").unwrap().to_value();
    assert_eq!(differences(&golden, &ours), Vec::<String>::new());
}
