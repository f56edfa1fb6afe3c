//! The rules of a schema in words.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value as Json;

/// The rule that is broken, to go on after the name of the property. `schema` is the document; names of what is
/// `sensitive` are not told.
pub(super) fn rule(error: &ValidationError<'_>, schema: &Json, sensitive: bool) -> String {
    match error.kind() {
        Kind::MinLength { limit } => format!("must have at least {}", count(*limit, "character")),
        Kind::MaxLength { limit } => format!("must have at most {}", count(*limit, "character")),
        Kind::Pattern { pattern } => format!("must match the pattern `{pattern}`"),
        Kind::Format { format } => format!("must be {}", of_format(format)),
        Kind::Minimum { limit } => format!("must be at least {limit}"),
        Kind::Maximum { limit } => format!("must be at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("must be more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}"),
        Kind::MinItems { limit } => format!("must have at least {}", count(*limit, "element")),
        Kind::MaxItems { limit } => format!("must have at most {}", count(*limit, "element")),
        Kind::AdditionalItems { limit } => format!("must have at most {}", count(*limit as u64, "element")),
        Kind::UnevaluatedItems { .. } => "has more elements than it may have".to_owned(),
        Kind::UniqueItems => "must not have an element twice".to_owned(),
        Kind::Contains => "lacks an element that it must have".to_owned(),
        Kind::MinProperties { limit } => format!("must have at least {}", entries(*limit)),
        Kind::MaxProperties { limit } => format!("must have at most {}", entries(*limit)),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected_names(unexpected, sensitive)
        }
        Kind::PropertyNames { error } => format!("has a name that {}", rule(error, schema, sensitive)),
        Kind::Required { property } => format!("must have `{}`", property.as_str().unwrap_or_default()),
        Kind::Type { kind } => format!("must be {}", of_types(kind)),
        Kind::Constant { expected_value } => format!("must be {expected_value}"),
        Kind::Enum { options } => format!("must be {}", one_of(options)),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => alternatives(error, schema),
        Kind::OneOfMultipleValid { .. } => "fits several of the alternatives, of which it must fit one".to_owned(),
        Kind::Not { .. } => "is what it must not be".to_owned(),
        Kind::FalseSchema => "must not be given".to_owned(),
        Kind::ContentEncoding { content_encoding } => format!("must be encoded as {content_encoding}"),
        Kind::ContentMediaType { content_media_type } => format!("must be of the media type {content_media_type}"),
        Kind::FromUtf8 { .. } => "must be encoded text".to_owned(),
        Kind::Custom { message, .. } => format!("is not allowed: {message}"),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "could not be checked: its pattern takes too long".to_owned()
        }
        Kind::Referencing(_) => "could not be checked: its schema refers to what is not there".to_owned(),
    }
}

fn count(limit: u64, what: &str) -> String {
    if limit == 1 { format!("1 {what}") } else { format!("{limit} {what}s") }
}

fn entries(limit: u64) -> String {
    if limit == 1 { "1 entry".to_owned() } else { format!("{limit} entries") }
}

fn unexpected_names(names: &[String], sensitive: bool) -> String {
    if sensitive {
        return "has a member that it must not have".to_owned();
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("must not have {}", names.join(", "))
}

fn of_format(format: &str) -> String {
    let known = match format {
        "email" | "idn-email" => "an e-mail address",
        "uri" | "iri" => "an absolute address, such as https://example.com",
        "uri-reference" | "iri-reference" => "an address",
        "date-time" => "a date with time, such as 2025-01-31T12:00:00Z",
        "date" => "a date, such as 2025-01-31",
        "time" => "a time with time zone, such as 12:00:00Z",
        "duration" => "a duration, such as PT1H",
        "uuid" => "a UUID",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        "hostname" | "idn-hostname" => "a host name",
        "regex" => "a regular expression",
        "json-pointer" => "a JSON pointer",
        other => return format!("of the format {other:?}"),
    };
    known.to_owned()
}

fn of_types(kind: &TypeKind) -> String {
    let names: Vec<String> = match kind {
        TypeKind::Single(single) => vec![single.to_string()],
        TypeKind::Multiple(set) => set.iter().map(|single| single.to_string()).collect(),
    };
    or(names.iter().map(|name| of_type(name).to_owned()).collect())
}

fn of_type(name: &str) -> &'static str {
    match name {
        "string" => "a string",
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        "array" => "a list",
        "object" => "an object",
        _ => "null",
    }
}

fn one_of(options: &Json) -> String {
    or(options.as_array().into_iter().flatten().map(Json::to_string).collect())
}

/// The alternatives, as far as their schemas can be found.
fn alternatives(error: &ValidationError<'_>, schema: &Json) -> String {
    let branches = schema.pointer(error.schema_path().as_str()).and_then(Json::as_array);
    let told: Vec<String> = branches.into_iter().flatten().map(|branch| described(branch, schema)).collect();
    if told.is_empty() || told.iter().any(String::is_empty) {
        return "fits none of the alternatives that the script's schema has for it".to_owned();
    }
    format!("must be {}", or(told))
}

/// A schema in a few words; empty where it cannot be told in so few.
fn described(branch: &Json, schema: &Json) -> String {
    if let Some(reference) = branch.get("$ref").and_then(Json::as_str) {
        let target = reference.strip_prefix('#').and_then(|pointer| schema.pointer(pointer));
        return target
            .filter(|target| target.get("$ref").is_none())
            .map(|target| described(target, schema))
            .unwrap_or_default();
    }
    if let Some(value) = branch.get("const") {
        return value.to_string();
    }
    if let Some(options) = branch.get("enum") {
        return one_of(options);
    }
    let Some(name) = branch.get("type").and_then(Json::as_str) else { return String::new() };
    let members = branch.get("properties").and_then(Json::as_object).filter(|members| !members.is_empty());
    match (name, members) {
        ("object", Some(members)) => {
            let told = members.iter().map(|(name, member)| match member.get("const") {
                Some(value) => format!("`{name}` {value}"),
                None => format!("`{name}`"),
            });
            format!("an object with {}", told.collect::<Vec<_>>().join(", "))
        }
        _ => of_type(name).to_owned(),
    }
}

fn or(mut parts: Vec<String>) -> String {
    match (parts.pop(), parts.is_empty()) {
        (Some(last), true) => last,
        (Some(last), false) => format!("{} or {last}", parts.join(", ")),
        (None, _) => "nothing".to_owned(),
    }
}
