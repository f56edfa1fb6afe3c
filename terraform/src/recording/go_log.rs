//! The logs of the Go bridge, as `PULUMI_TF_DEBUG_GRPC` makes it write them: entries of `name`, `request` in protobuf's text
//! form and `response` as Go's `encoding/json` has the generated structs, each with `,` and a line end behind it; by hand
//! they become an array, which is read too.

use bytes::Bytes;
use prost::Message as _;
use prost_reflect::{DeserializeOptions, DynamicMessage, Kind, MessageDescriptor};
use serde_json::{Map, Value as Json};

use super::messages::method;

/// One call of a log.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The protocol's name of the procedure.
    pub procedure: String,
    /// What was asked, encoded.
    pub request: Bytes,
    /// What was answered, encoded; or the error that there was instead.
    pub answer: Result<Bytes, String>,
}

/// A whole log.
#[derive(Clone, Debug)]
pub struct Log {
    /// Which protocol the provider speaks: 5 or 6.
    pub protocol: u32,
    /// The calls in order.
    pub entries: Vec<Entry>,
}

/// Procedures that have these names in protocol 5 only.
const ONLY_IN_5: [&str; 5] =
    ["GetSchema", "PrepareProviderConfig", "Configure", "ValidateResourceTypeConfig", "ValidateDataSourceConfig"];

/// What is asked by which function of the Go bridge. A log names the function above the one that sends the request: for a
/// provider of protocol 5, which the Go bridge converts, that is called like the procedure; for one of protocol 6 it is the
/// one that needs the answer.
const ASKED_BY: [(&str, &str); 12] = [
    ("validateProviderConfig", "ValidateProviderConfig"),
    ("ConfigureWithContext", "ConfigureProvider"),
    ("validateResourceConfig", "ValidateResourceConfig"),
    ("upgradeResourceState", "UpgradeResourceState"),
    ("readResource", "ReadResource"),
    ("importResource", "ImportResourceState"),
    ("plan", "PlanResourceChange"),
    ("CreateWithContext", "ApplyResourceChange"),
    ("UpdateWithContext", "ApplyResourceChange"),
    ("DeleteWithContext", "ApplyResourceChange"),
    ("validateDataResourceConfig", "ValidateDataResourceConfig"),
    ("readDataSource", "ReadDataSource"),
];

/// The procedure that a function of the Go bridge asks for, by the function's whole name.
fn procedure(name: &str) -> &str {
    let function = name.rsplit('.').next().unwrap_or(name);
    // Functions without a name are `func1`, `func2`; only the schema is asked for by one, which keeps it.
    let number = function.strip_prefix("func");
    if number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())) {
        return "GetProviderSchema";
    }
    ASKED_BY.iter().find(|(asks, _)| *asks == function).map_or(function, |(_, procedure)| procedure)
}

/// Reads a log.
///
/// # Errors
/// It is none; says which entry is not understood, and why.
pub fn read(text: &str) -> Result<Log, String> {
    let text = text.trim().trim_end_matches(',');
    let array = if text.starts_with('[') { text.to_owned() } else { format!("[{text}]") };
    let raw: Vec<Json> = serde_json::from_str(&array).map_err(|error| format!("this is no log: {error}"))?;
    let named = |entry: &Json| entry["name"].as_str().map(|name| procedure(name).to_owned());
    let names: Option<Vec<String>> = raw.iter().map(named).collect();
    let names = names.ok_or("this is no log of the Go bridge: an entry has no `name`")?;
    let protocol = if names.iter().any(|name| ONLY_IN_5.contains(&name.as_str())) { 5 } else { 6 };
    let entries = raw.iter().zip(names).enumerate().map(|(index, (json, name))| {
        entry(protocol, &name, json).map_err(|error| format!("entry {} ({name}): {error}", index + 1))
    });
    Ok(Log { protocol, entries: entries.collect::<Result<_, _>>()? })
}

fn entry(protocol: u32, procedure: &str, json: &Json) -> Result<Entry, String> {
    let method = method(protocol, procedure)?;
    let request = json["request"].as_str().ok_or("it has no `request`")?;
    let request = DynamicMessage::parse_text_format(method.input(), request)
        .map_err(|error| format!("its request is not protobuf text: {error}"))?;
    let errors: Vec<&str> = json["error"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let answer = match json.get("response") {
        Some(response) if errors.is_empty() && !response.is_null() => Ok(response_message(response, &method.output())?),
        _ => Err(errors.join("\n")),
    };
    Ok(Entry { procedure: procedure.to_owned(), request: request.encode_to_vec().into(), answer })
}

fn response_message(response: &Json, descriptor: &MessageDescriptor) -> Result<Bytes, String> {
    // Older logs have the JSON as text.
    let response = match response {
        Json::String(text) => {
            serde_json::from_str(text).map_err(|error| format!("its response is not JSON: {error}"))?
        }
        other => other.clone(),
    };
    // What the protocol does not have any more is of no use to anybody.
    let options = DeserializeOptions::new().deny_unknown_fields(false);
    let json = of_go(response, descriptor);
    let message = DynamicMessage::deserialize_with_options(descriptor.clone(), json, &options);
    let message = message.map_err(|error| format!("its response is not understood: {error}"))?;
    Ok(message.encode_to_vec().into())
}

/// Protobuf's JSON of what Go's `encoding/json` wrote. They only differ in alternatives: Go has a member for the choice, by
/// its name in capitals, and in it one for what was chosen.
fn of_go(json: Json, descriptor: &MessageDescriptor) -> Json {
    let Json::Object(members) = json else { return json };
    let mut plain = Map::new();
    for (name, member) in members {
        let choice = descriptor.oneofs().find(|choice| in_capitals(choice.name()) == name);
        match (choice, member) {
            (Some(choice), Json::Object(chosen)) => {
                for (name, member) in chosen {
                    if let Some(field) = choice.fields().find(|field| in_capitals(field.name()) == name) {
                        plain.insert(field.name().to_owned(), inside(member, &field.kind()));
                    }
                }
            }
            (_, member) => {
                let kind = descriptor.get_field_by_name(&name).map(|field| field.kind());
                plain.insert(name, kind.map_or(member.clone(), |kind| inside(member, &kind)));
            }
        }
    }
    Json::Object(plain)
}

fn inside(json: Json, kind: &Kind) -> Json {
    let Kind::Message(descriptor) = kind else { return json };
    match json {
        Json::Array(items) => items.into_iter().map(|item| inside(item, kind)).collect(),
        Json::Object(entries) if descriptor.is_map_entry() => {
            let kind = descriptor.map_entry_value_field().kind();
            Json::Object(entries.into_iter().map(|(key, value)| (key, inside(value, &kind))).collect())
        }
        other => of_go(other, descriptor),
    }
}

fn in_capitals(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    });
    words.collect()
}
