use std::path::Path;

use insta::{assert_debug_snapshot, assert_snapshot};
use proptest::prelude::*;
use serde_json::json;

use super::*;

/// The example of the proposal for Terraform, as it stands there.
const PROPOSED: &str = r#"
terraform {
  integrations {
    integration "cost_estimator" {
      command = ["node", "./bin/cost-estimator.js"]
      hooks   = ["post-plan", "plan-stage-complete"]
      timeout = "2s"
      env     = { NODE_ENV = "production" }
      scope   = {
        providers = ["aws", "google"]   # optional; empty = all providers
      }
    }

    integration "naming_policy" {
      command = ["/usr/local/bin/policyd"]
      hooks   = ["pre-plan", "pre-apply"]
      fail_mode = "hard"                 # hard|soft (soft = warn only)
    }
  }
}
"#;

const EVERYTHING_IN_TOML: &str = r#"
report = "reports"

[[integration]]
name = "policy"
script = "policy.ts"
permissions = ["read=rules.json"]
hooks = ["pre-plan", "post_plan_resource"]
timeout = "1m30s"
give_up_after = 5
fail_mode = "hard"
scope.providers = ["random", "hashicorp/time"]
env = { MODE = "ci" }
inherit_env = ["PATH"]
values = "full"
attributes = ["tags", "network.name"]
dynamic = "omit"
replan_events = true

[integration.settings]
rules = "rules.json"
limits = { most = 3, share = 0.5, strict = true, since = 2024-01-02 }

[[integration]]
name = "audit"
command = ["audit", "--file", "audit.jsonl"]
"#;

const EVERYTHING_IN_JSON: &str = r#"{
  "report": "reports",
  "integration": [
    {
      "name": "policy",
      "script": "policy.ts",
      "permissions": ["read=rules.json"],
      "hooks": ["pre-plan", "post_plan_resource"],
      "timeout": "1m30s",
      "give_up_after": 5,
      "fail_mode": "hard",
      "scope": { "providers": ["random", "hashicorp/time"] },
      "env": { "MODE": "ci" },
      "inherit_env": ["PATH"],
      "values": "full",
      "attributes": ["tags", "network.name"],
      "dynamic": "omit",
      "replan_events": true,
      "settings": {
        "rules": "rules.json",
        "limits": { "most": 3, "share": 0.5, "strict": true, "since": "2024-01-02" }
      }
    },
    { "name": "audit", "command": ["audit", "--file", "audit.jsonl"], "timeout": null }
  ]
}"#;

const EVERYTHING_IN_HCL: &str = r#"
report = "reports"

integration "policy" {
  script        = "policy.ts"
  permissions   = ["read=rules.json"]
  hooks         = ["pre-plan", "post_plan_resource"]
  timeout       = "1m30s"
  give_up_after = 5
  fail_mode     = "hard"
  inherit_env   = ["PATH"]
  values        = "full"
  attributes    = ["tags", "network.name"]
  dynamic       = "omit"
  replan_events = true
  env           = { MODE = "ci" }

  scope {
    providers = ["random", "hashicorp/time"]
  }

  settings {
    rules  = "rules.json"
    limits = { "most" = 3, share : 0.5, strict = true, since = "2024-01-02" }
  }
}

integration "audit" {
  command = ["audit", "--file", "audit.jsonl"]
  timeout = null
}
"#;

fn read(name: &str, text: &str) -> Result<Configuration, ConfigurationErrors> {
    Configuration::parse(Path::new(name), text)
}

/// Everything that is wrong with a text.
fn errors(name: &str, text: &str) -> String {
    read(name, text).unwrap_err().to_string()
}

#[test]
fn m01_the_proposals_example_is_read_field_by_field() {
    let mut configuration = read("/project/integrations.hcl", PROPOSED).unwrap();
    for integration in &mut configuration.integrations {
        // On Windows it has a drive.
        assert!(integration.directory.ends_with("project"));
        Arc::make_mut(integration).directory = "project".into();
    }
    assert_debug_snapshot!(configuration);
    let bare = PROPOSED.trim().trim_start_matches("terraform {").trim_end_matches('}');
    assert_eq!(read("p/a.hcl", bare), read("p/b.hcl", PROPOSED), "without the outer block");
}

#[test]
fn m01_the_three_syntaxes_say_the_same() {
    let configuration = read("p/i.toml", EVERYTHING_IN_TOML).unwrap();
    assert_eq!(read("p/i.json", EVERYTHING_IN_JSON).unwrap(), configuration);
    assert_eq!(read("p/i.hcl", EVERYTHING_IN_HCL).unwrap(), configuration);

    assert!(configuration.report.as_deref().unwrap().ends_with("p/reports"), "from the file's folder");
    let [policy, audit] = configuration.integrations.as_slice() else { panic!("{configuration:?}") };
    let permissions = json!(["read=rules.json"]);
    assert_eq!(policy.program, Program::Script { script: "policy.ts".into(), permissions });
    assert_eq!(policy.hooks, Some([Hook::PrePlan, Hook::PostPlan].into()));
    assert_eq!((policy.timeout, policy.give_up_after), (Duration::from_secs(90), 5));
    assert_eq!((policy.fail_mode, policy.values, policy.dynamic), (FailMode::Hard, Values::Full, Dynamic::Omit));
    assert_eq!(policy.providers, ["random", "hashicorp/time"]);
    assert_eq!(policy.environment.set, [("MODE".to_owned(), "ci".to_owned())].into());
    assert_eq!(policy.environment.only, Some(vec!["PATH".to_owned()]));
    assert_eq!(policy.attributes, Some(vec!["tags".to_owned(), "network.name".to_owned()]));
    assert!(policy.replan_events);
    let limits = json!({ "most": 3, "share": 0.5, "strict": true, "since": "2024-01-02" });
    assert_eq!(json!(policy.settings), json!({ "rules": "rules.json", "limits": limits }));

    assert_eq!(&*audit.name, "audit");
    assert_eq!((audit.timeout, audit.fail_mode, audit.values), (DEFAULT_TIMEOUT, FailMode::Soft, Values::Redacted));
    assert_eq!(audit.give_up_after, DEFAULT_GIVE_UP_AFTER);
    assert_eq!((&audit.hooks, &audit.attributes, audit.replan_events), (&None, &None, false));
}

#[test]
fn m01_a_script_without_permissions_has_none() {
    let configuration = read("i.toml", "[[integration]]\nname = \"a\"\nscript = \"a.ts\"\n").unwrap();
    let permissions = json!("none");
    assert_eq!(configuration.integrations[0].program, Program::Script { script: "a.ts".into(), permissions });
}

#[test]
fn m02_everything_that_is_wrong_in_toml_is_told_with_its_line() {
    let text = r#"
reports = "r"

[[integration]]
name = "a b"
command = []
hooks = ["pre-plan", "pre-destroy"]
timeout = "soon"
fail_mode = "firm"

[[integration]]
name = "twice"
command = ["x"]
script = "x.ts"
timout = "2s"

[[integration]]
name = "twice"
command = ["x"]
permissions = "all"
scope = { providers = ["a b"], types = [] }
env = { A = 1, "B=" = "b" }
hooks = []

[[integration]]
command = "x"
values = "some"
dynamic = 3
replan_events = "yes"
timeout = "2h"
settings = 5

[[integration]]
name = "neither"
give_up_after = "3"

[[integration]]
name = "twice"
command = [""]

[[integration]]
name = "script"
script = "x.ts"
permissions = { allow = "net" }
timeout = "10"
give_up_after = 1.5
attributes = ["a", 1]
"#;
    assert_snapshot!(errors("integrations.toml", text));
}

#[test]
fn m02_everything_that_is_wrong_in_json_is_told_with_its_line() {
    let text = r#"{
  "integration": [
    {
      "name": "a",
      "command": ["x"],
      "timeout": "2s",
      "timeout": "3s",
      "hook": ["pre-plan"]
    },
    "b",
    { "name": "a",
      "command": [
        "x",
        7
      ]
    }
  ],
  "integrations": []
}"#;
    assert_snapshot!(errors("integrations.json", text));
}

#[test]
fn m02_everything_that_is_wrong_in_hcl_is_told_with_its_line() {
    let text = r#"
terraform {
  required_version = ">= 1.0"
  integrations "x" {}
  integrations {
    integration {}
    integration "a" {
      command = [var.program, "${1}"]
      timeout = 1 + 1
      env = { (name) = "x", PATH = pathexpand("~") }
      env "b" {}
    }
    integration "a" {
      command = ["x"]
      hooks   = ["post-plan", "plan-complete"]
    }
  }
}
provider "aws" {}
"#;
    assert_snapshot!(errors("integrations.hcl", text));
}

#[test]
fn m02_a_text_that_does_not_follow_its_syntax_is_told() {
    let texts = [
        ("a.toml", "[[integration]]\nname = \n"),
        ("a.json", "{\n  \"integration\": [,]\n}"),
        ("a.json", "[]"),
        ("a.json", ""),
        ("a.json", "// said\n{}"),
        ("a.hcl", "integration \"a\" {\n  command = [\n"),
        ("a.yaml", "integration: []"),
    ];
    assert_snapshot!(texts.map(|(name, text)| errors(name, text)).join("\n"));
    assert!(
        Configuration::read(Path::new("/nowhere/integrations.toml")).unwrap_err().to_string().contains("cannot read")
    );
}

#[test]
fn m02_values_that_are_nested_too_deeply_are_told() {
    let deep = |depth: usize| ("[".repeat(depth), "]".repeat(depth));
    for (name, before, after) in
        [("a.toml", "settings = ", ""), ("a.json", "{\"settings\":", "}"), ("a.hcl", "settings = ", "\n")]
    {
        for depth in [70, 20_000] {
            let (open, close) = deep(depth);
            let told = errors(name, &format!("{before}{open}{close}{after}"));
            assert!(told.contains("deep") || told.contains("depth") || told.contains("nest"), "{name}: {told}");
        }
    }
}

#[test]
fn m04_integrations_come_in_the_order_of_the_file() {
    let toml: String =
        ["c", "a", "b"].map(|name| format!("[[integration]]\nname = \"{name}\"\ncommand = [\"x\"]\n")).concat();
    let hcl: String =
        ["c", "a", "b"].map(|name| format!("integration \"{name}\" {{\n  command = [\"x\"]\n}}\n")).concat();
    for configuration in [read("i.toml", &toml), read("i.hcl", &hcl)] {
        let names: Vec<_> = configuration.unwrap().integrations.iter().map(|one| one.name.to_string()).collect();
        assert_eq!(names, ["c", "a", "b"]);
    }
}

#[test]
fn a_file_without_integrations_is_one() {
    for (name, text) in [("i.toml", ""), ("i.json", "{}"), ("i.hcl", ""), ("i.json", "\u{feff}{}")] {
        assert_eq!(read(name, text), Ok(Configuration::default()), "{name}");
    }
}

proptest! {
    /// Of whatever is in a file, in any syntax, the outcome is a configuration or a list of faults.
    #[test]
    fn m02_no_file_makes_us_fall(
        text in r#"([a-z"{}\[\]=,<\-\\#/*\n .0-9u$:é]|integration|name|command|timeout|env|scope|<<E\n|\$\{|"x"|\[\[)*"#,
        name in "a\\.(toml|json|hcl)",
    ) {
        if let Err(errors) = read(&name, &text) {
            prop_assert!(!errors.errors.is_empty());
        }
    }
}
