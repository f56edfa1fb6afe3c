//! What the provider's configuration says to scripts: `config` and `sensitive_config`, free in form, given once to each
//! process of a script that asks for them.

use std::sync::LazyLock;

use denobridge_core::cty::Value;
use denobridge_core::mask::Secrets;
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use super::call::attribute;
use super::values;
use crate::deno::Configuration;
use crate::files::hexadecimal;

/// The params of `configure`. What is not known yet is null, and `unknownPaths` says where, as in `modifyPlan`.
pub(super) fn for_scripts(provider: &Value) -> Configuration {
    let (open, secret) = (attribute(provider, "config"), attribute(provider, "sensitive_config"));
    let (config, mut unknown) = values::to_json_with_unknowns(open, "config");
    let (sensitive, unknown_secrets) = values::to_json_with_unknowns(secret, "sensitiveConfig");
    unknown.extend(unknown_secrets);
    let mut params = json!({ "config": config, "sensitiveConfig": sensitive });
    if let (Json::Object(members), false) = (&mut params, unknown.is_empty()) {
        members.insert("unknownPaths".to_owned(), json!(unknown));
    }
    let mut secrets = Secrets::default();
    secrets.add_all(secret);
    secrets.add_marked(open);
    Configuration { params, secrets }
}

/// Tells configurations apart without saying anything about them: the same one has another digest in another process.
pub(super) fn digest(configuration: &Configuration) -> String {
    static SALT: LazyLock<[u8; 16]> = LazyLock::new(rand::random);
    let hash = Sha256::new().chain_update(*SALT).chain_update(configuration.params.to_string()).finalize();
    hexadecimal(&hash)
}

#[cfg(test)]
mod tests {
    use denobridge_core::cty::{Marks, Type};

    use super::*;

    fn provider(config: Value, sensitive: Value) -> Value {
        Value::object([("config", config), ("sensitive_config", sensitive)])
    }

    #[test]
    fn both_parts_are_told_and_what_is_secret_is_known() {
        let token = Value::object([("token", Value::string("canary-1"))]);
        let marked = Value::string("canary-2").with_marks(Marks::SENSITIVE);
        let config = Value::object([("region", Value::string("eu")), ("key", marked)]);
        let configuration = for_scripts(&provider(config, token));
        assert_eq!(
            configuration.params,
            json!({ "config": { "region": "eu", "key": "canary-2" }, "sensitiveConfig": { "token": "canary-1" } })
        );
        assert_eq!(configuration.secrets.mask("canary-1, canary-2, eu"), "(sensitive), (sensitive), eu");
        assert!(!format!("{configuration:?}").contains("canary"));
    }

    #[test]
    fn nothing_is_null_and_the_unknown_is_named() {
        let nothing = for_scripts(&Value::object::<&str>([]));
        assert_eq!(nothing.params, Configuration::default().params);
        let unknown = Value::object([("token", Value::unknown(Type::String))]);
        let configuration = for_scripts(&provider(Value::null(Type::Dynamic), unknown));
        assert_eq!(
            configuration.params,
            json!({ "config": null, "sensitiveConfig": { "token": null }, "unknownPaths": [["sensitiveConfig", "token"]] })
        );
    }

    #[test]
    fn digests_differ_when_the_configuration_does() {
        let of = |text: &str| digest(&for_scripts(&provider(Value::string(text), Value::null(Type::Dynamic))));
        assert_eq!(of("a"), of("a"));
        assert_ne!(of("a"), of("b"));
    }
}
