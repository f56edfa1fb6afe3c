//! From a document to integrations. Whatever is wrong is noted, and the rest is read all the same, so that all of it is told
//! at once.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value as Json};

use super::document::{Kind, Member, Table, Value};
use super::error::{Fault, Faults};
use super::{
    Configuration, DEFAULT_GIVE_UP_AFTER, DEFAULT_TIMEOUT, Dynamic, Environment, FailMode, Integration,
    MAXIMUM_TIMEOUT, Program, Values, duration, permissions, scope,
};
use crate::Hook;

/// What a file can have.
const OF_FILE: &[&str] = &["integration", "report"];

/// What an integration can have.
const OF_INTEGRATION: &[&str] = &[
    "name",
    "command",
    "script",
    "permissions",
    "hooks",
    "timeout",
    "give_up_after",
    "fail_mode",
    "scope",
    "env",
    "inherit_env",
    "values",
    "attributes",
    "dynamic",
    "replan_events",
    "settings",
];

/// What a scope can have.
const OF_SCOPE: &[&str] = &["providers"];

/// Reads a document; `directory` is that of its file.
pub(super) fn decode(table: &Table, directory: &Path, faults: &mut Faults) -> Configuration {
    let mut configuration = Configuration::default();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for member in &table.members {
        match member.key.as_str() {
            "integration" => {
                for value in list(member, "integration", faults) {
                    let integration = decode_integration(value, directory, &mut names, faults);
                    configuration.integrations.extend(integration.map(Arc::new));
                }
            }
            "report" => configuration.report = text(member, "report", faults).map(|report| directory.join(report)),
            _ => unknown(member, "the file", OF_FILE, faults),
        }
    }
    configuration
}

/// One without a usable name or program is read for its other faults only. `names` has those that there were before, with
/// their lines.
fn decode_integration(
    value: &Value,
    directory: &Path,
    names: &mut BTreeMap<String, usize>,
    faults: &mut Faults,
) -> Option<Integration> {
    let Kind::Table(table) = &value.kind else {
        faults.add_type(value.line, "an integration", "a table", value);
        return None;
    };
    let (name, line) = decode_name(table, value.line, faults);
    if let Some(name) = name {
        match names.entry(name.to_owned()) {
            Entry::Vacant(place) => {
                place.insert(line);
            }
            Entry::Occupied(first) => {
                faults.add(line, Fault::DuplicateName { name: name.to_owned(), first: *first.get() });
            }
        }
    }
    let called = name.map_or_else(|| "this integration".to_owned(), |name| format!("{name:?}"));
    let mut decoder = Decoder { called, faults };
    let mut integration = Integration {
        name: name.unwrap_or_default().into(),
        program: Program::Command(Vec::new()),
        directory: directory.to_owned(),
        hooks: None,
        timeout: DEFAULT_TIMEOUT,
        give_up_after: DEFAULT_GIVE_UP_AFTER,
        environment: Environment::default(),
        providers: Vec::new(),
        fail_mode: FailMode::default(),
        values: Values::default(),
        attributes: None,
        dynamic: Dynamic::default(),
        replan_events: false,
        settings: Map::new(),
    };
    for member in &table.members {
        decoder.decode_member(member, &mut integration);
    }
    integration.program = decoder.decode_program(table, line)?;
    name.map(|_| integration)
}

fn decode_name<'t>(table: &'t Table, line: usize, faults: &mut Faults) -> (Option<&'t str>, usize) {
    let Some(member) = table.members.iter().find(|member| member.key == "name") else {
        faults.add(line, Fault::NoName);
        return (None, line);
    };
    let Kind::Text(name) = &member.value.kind else {
        faults.add_type(member.line, "the name", "text", &member.value);
        return (None, member.line);
    };
    let is_usable = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() || name.len() > 64 || !name.chars().all(is_usable) {
        faults.add(member.line, Fault::BadName(name.clone()));
        return (None, member.line);
    }
    (Some(name), member.line)
}

struct Decoder<'f> {
    /// What the integration is called in messages.
    called: String,
    faults: &'f mut Faults,
}

impl Faults {
    /// A value of another type than is needed; nothing where something was told of it already.
    fn add_type(&mut self, line: usize, what: impl Into<String>, expected: &'static str, found: &Value) {
        if found.kind != Kind::Refused {
            self.add(line, Fault::Type { what: what.into(), expected, found: found.described() });
        }
    }
}

impl Decoder<'_> {
    fn decode_member(&mut self, member: &Member, integration: &mut Integration) {
        let what = format!("{} of {}", member.key, self.called);
        match member.key.as_str() {
            // Read by themselves.
            "name" | "command" | "script" | "permissions" => {}
            "hooks" => integration.hooks = self.decode_hooks(member, &what),
            "timeout" => integration.timeout = self.decode_timeout(member, &what),
            "give_up_after" => integration.give_up_after = self.decode_count(member, &what),
            "fail_mode" => {
                let choices = &[("soft", FailMode::Soft), ("hard", FailMode::Hard)];
                integration.fail_mode = choice(member, what, choices, &["soft", "hard"], self.faults);
            }
            "values" => {
                let choices = &[("none", Values::None), ("redacted", Values::Redacted), ("full", Values::Full)];
                integration.values = choice(member, what, choices, &["none", "redacted", "full"], self.faults);
            }
            "dynamic" => {
                let choices = &[("walk", Dynamic::Walk), ("omit", Dynamic::Omit)];
                integration.dynamic = choice(member, what, choices, &["walk", "omit"], self.faults);
            }
            "scope" => integration.providers = self.decode_scope(member, &what),
            "env" => integration.environment.set = self.decode_variables(member, &what),
            "inherit_env" => integration.environment.only = texts(member, &what, self.faults),
            "attributes" => integration.attributes = texts(member, &what, self.faults),
            "replan_events" => integration.replan_events = self.decode_flag(member, &what),
            "settings" => integration.settings = self.decode_settings(member, &what),
            _ => unknown(member, &self.called, OF_INTEGRATION, self.faults),
        }
    }

    fn decode_program(&mut self, table: &Table, line: usize) -> Option<Program> {
        let find = |key: &str| table.members.iter().find(|member| member.key == key);
        let permissions = find("permissions");
        match (find("command"), find("script")) {
            (None, None) => {
                self.faults.add(line, Fault::NoProgram(self.called.clone()));
                None
            }
            (Some(_), Some(script)) => {
                self.faults.add(script.line, Fault::TwoPrograms(self.called.clone()));
                None
            }
            (Some(command), None) => {
                if let Some(permissions) = permissions {
                    self.faults.add(permissions.line, Fault::PermissionsOfCommand(self.called.clone()));
                }
                let words = texts(command, &format!("command of {}", self.called), self.faults)?;
                let is_empty = words.first().is_none_or(String::is_empty);
                self.unless_empty(command, "command", is_empty).then_some(Program::Command(words))
            }
            (None, Some(member)) => {
                let script = text(member, &format!("script of {}", self.called), self.faults)?;
                let permissions = self.decode_permissions(permissions);
                let is_script = self.unless_empty(member, "script", script.is_empty());
                is_script.then_some(Program::Script { script, permissions })
            }
        }
    }

    fn unless_empty(&mut self, member: &Member, what: &'static str, is_empty: bool) -> bool {
        if is_empty {
            self.faults.add(member.line, Fault::EmptyProgram { integration: self.called.clone(), what });
        }
        !is_empty
    }

    /// Without a word a script may do nothing.
    fn decode_permissions(&mut self, member: Option<&Member>) -> Json {
        let Some(member) = member else { return Json::String(permissions::NONE.to_owned()) };
        let written = member.value.to_json();
        if !permissions::are_well_formed(&written) {
            self.faults.add(member.line, Fault::BadPermissions(self.called.clone()));
        }
        written
    }

    fn decode_hooks(&mut self, member: &Member, what: &str) -> Option<BTreeSet<Hook>> {
        let mut hooks = BTreeSet::new();
        let values = list(member, what, self.faults);
        for value in values {
            let Kind::Text(name) = &value.kind else {
                self.faults.add_type(value.line, format!("each of the {what}"), "text", value);
                continue;
            };
            match Hook::parse(name) {
                Some(hook) => {
                    hooks.insert(hook);
                }
                None => {
                    let fault = Fault::UnknownHook { integration: self.called.clone(), hook: name.clone() };
                    self.faults.add(value.line, fault);
                }
            }
        }
        if values.is_empty() && matches!(member.value.kind, Kind::List(_)) {
            let text = format!("{} has no hooks, so it would never be asked; leave hooks out for all", self.called);
            self.faults.add(member.line, Fault::EmptyList(text));
        }
        Some(hooks)
    }

    fn decode_timeout(&mut self, member: &Member, what: &str) -> Duration {
        let Some(text) = text(member, what, self.faults) else { return DEFAULT_TIMEOUT };
        let integration = self.called.clone();
        match duration::parse(&text) {
            Ok(timeout) if timeout <= MAXIMUM_TIMEOUT => return timeout,
            Ok(_) => self.faults.add(member.line, Fault::LongTimeout { integration }),
            Err(reason) => self.faults.add(member.line, Fault::BadDuration { integration, text, reason }),
        }
        DEFAULT_TIMEOUT
    }

    fn decode_count(&mut self, member: &Member, what: &str) -> u32 {
        let Kind::Number(number) = &member.value.kind else {
            self.faults.add_type(member.line, what, "a number", &member.value);
            return DEFAULT_GIVE_UP_AFTER;
        };
        number.as_u64().and_then(|number| number.try_into().ok()).unwrap_or_else(|| {
            self.faults.add(member.line, Fault::BadCount { what: what.to_owned(), found: number.to_string() });
            DEFAULT_GIVE_UP_AFTER
        })
    }

    fn decode_scope(&mut self, member: &Member, what: &str) -> Vec<String> {
        let mut providers = Vec::new();
        let Some(table) = self.table(member, what) else { return providers };
        for inner in &table.members {
            if inner.key != "providers" {
                unknown(inner, what, OF_SCOPE, self.faults);
                continue;
            }
            for provider in
                texts(inner, &format!("scope.providers of {}", self.called), self.faults).unwrap_or_default()
            {
                if scope::is_provider(&provider) {
                    providers.push(provider);
                } else {
                    let integration = self.called.clone();
                    self.faults.add(inner.value.line, Fault::BadProvider { integration, provider });
                }
            }
        }
        providers
    }

    fn decode_variables(&mut self, member: &Member, what: &str) -> BTreeMap<String, String> {
        let mut variables = BTreeMap::new();
        let Some(table) = self.table(member, what) else { return variables };
        for inner in &table.members {
            if inner.key.is_empty() || inner.key.contains(['=', '\0']) {
                self.faults.add(inner.line, Fault::BadVariable(inner.key.clone()));
            } else if let Some(value) = text(inner, &format!("{} in {what}", inner.key), self.faults) {
                variables.insert(inner.key.clone(), value);
            }
        }
        variables
    }

    fn decode_flag(&mut self, member: &Member, what: &str) -> bool {
        if let Kind::Flag(flag) = member.value.kind {
            return flag;
        }
        self.faults.add_type(member.line, what, "true or false", &member.value);
        false
    }

    fn decode_settings(&mut self, member: &Member, what: &str) -> Map<String, Json> {
        self.table(member, what).map(Table::to_json).unwrap_or_default()
    }

    fn table<'t>(&mut self, member: &'t Member, what: &str) -> Option<&'t Table> {
        if let Kind::Table(table) = &member.value.kind {
            return Some(table);
        }
        self.faults.add_type(member.line, what, "a table", &member.value);
        None
    }
}

fn unknown(member: &Member, within: &str, known: &'static [&'static str], faults: &mut Faults) {
    faults.add(member.line, Fault::UnknownKey { key: member.key.clone(), within: within.to_owned(), known });
}

fn text(member: &Member, what: &str, faults: &mut Faults) -> Option<String> {
    if let Kind::Text(text) = &member.value.kind {
        return Some(text.clone());
    }
    faults.add_type(member.line, what, "text", &member.value);
    None
}

/// The elements of a list; none of what is no list, which is told.
fn list<'t>(member: &'t Member, what: &str, faults: &mut Faults) -> &'t [Value] {
    if let Kind::List(values) = &member.value.kind {
        return values;
    }
    faults.add_type(member.line, what, "a list", &member.value);
    &[]
}

/// None when it is no list, or something in it is no text.
fn texts(member: &Member, what: &str, faults: &mut Faults) -> Option<Vec<String>> {
    let Kind::List(values) = &member.value.kind else {
        faults.add_type(member.line, what, "a list of texts", &member.value);
        return None;
    };
    let mut texts = Some(Vec::new());
    for value in values {
        if let Kind::Text(text) = &value.kind {
            texts.iter_mut().for_each(|texts| texts.push(text.clone()));
        } else {
            faults.add_type(value.line, format!("each of the {what}"), "text", value);
            texts = None;
        }
    }
    texts
}

fn choice<T: Copy + Default>(
    member: &Member,
    what: String,
    choices: &[(&str, T)],
    allowed: &'static [&'static str],
    faults: &mut Faults,
) -> T {
    let Some(found) = text(member, &what, faults) else { return T::default() };
    if let Some((_, chosen)) = choices.iter().find(|(name, _)| *name == found) {
        return *chosen;
    }
    faults.add(member.line, Fault::BadChoice { what, allowed, found });
    T::default()
}
