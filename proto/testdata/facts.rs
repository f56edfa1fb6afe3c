//! Renders compiled descriptors as the facts that `record.py` records, and compares them. Shared by the protocol tests.

use std::collections::BTreeSet;

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto};

/// Compares what our `files` declare with a `record`. Every difference must be listed: `absent` are recorded facts that we
/// leave out, `newer` are facts of ours that the record does not know. Returns the differences that are not listed.
pub fn unexpected_differences(files: &[&str], record: &str, absent: &[&str], newer: &[&str]) -> Vec<String> {
    let ours = declared(files);
    let recorded: BTreeSet<String> = record.lines().map(str::to_owned).collect();
    let absent: BTreeSet<String> = absent.iter().map(|&fact| fact.to_owned()).collect();
    let newer: BTreeSet<String> = newer.iter().map(|&fact| fact.to_owned()).collect();

    let found_absent: BTreeSet<String> = recorded.difference(&ours).cloned().collect();
    let found_newer: BTreeSet<String> = ours.difference(&recorded).cloned().collect();
    let mut differences = Vec::new();
    differences.extend(found_absent.difference(&absent).map(|fact| format!("missing here: {fact}")));
    differences.extend(found_newer.difference(&newer).map(|fact| format!("only here: {fact}")));
    differences.extend(absent.difference(&found_absent).map(|fact| format!("listed as absent, but is not: {fact}")));
    differences.extend(newer.difference(&found_newer).map(|fact| format!("listed as newer, but is not: {fact}")));
    differences
}

/// What our `files` declare.
pub fn declared(files: &[&str]) -> BTreeSet<String> {
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../proto");
    let descriptors = protox::compile(files, [include]).expect("our protocol files compile");
    let files = descriptors.file.iter().filter(|file| !file.package().starts_with("google.protobuf"));
    files.flat_map(file_facts).collect()
}

fn file_facts(file: &FileDescriptorProto) -> Vec<String> {
    let scope = format!(".{}", file.package());
    let mut facts = Vec::new();
    for message in &file.message_type {
        message_facts(message, &scope, &mut facts);
    }
    for declared in &file.enum_type {
        enum_facts(declared, &scope, &mut facts);
    }
    for service in &file.service {
        for method in &service.method {
            let stream = |streams: bool| if streams { "stream " } else { "" };
            facts.push(format!(
                "method {scope}.{}.{}({}{}) -> {}{}",
                service.name(),
                method.name(),
                stream(method.client_streaming()),
                method.input_type(),
                stream(method.server_streaming()),
                method.output_type(),
            ));
        }
    }
    facts
}

fn message_facts(message: &DescriptorProto, scope: &str, facts: &mut Vec<String>) {
    let name = format!("{scope}.{}", message.name());
    let is_map = message.options.as_ref().is_some_and(|options| options.map_entry());
    facts.push(format!("message {name}{}", if is_map { " map" } else { "" }));
    facts.extend(message.field.iter().map(|field| field_fact(field, message, &name)));
    for declared in &message.enum_type {
        enum_facts(declared, &name, facts);
    }
    for nested in &message.nested_type {
        message_facts(nested, &name, facts);
    }
}

fn field_fact(field: &FieldDescriptorProto, message: &DescriptorProto, scope: &str) -> String {
    let kind = match field.r#type() {
        Type::Message | Type::Enum | Type::Group => field.type_name().to_owned(),
        scalar => scalar.as_str_name().trim_start_matches("TYPE_").to_lowercase(),
    };
    let label = match field.label() {
        _ if field.proto3_optional() => "presence",
        Label::Optional => "optional",
        Label::Required => "required",
        Label::Repeated => "repeated",
    };
    let oneof = match field.oneof_index {
        Some(index) if !field.proto3_optional() => {
            format!(" oneof={}", message.oneof_decl[usize::try_from(index).expect("an index")].name())
        }
        _ => String::new(),
    };
    format!("field {scope}.{} = {} {label} {kind}{oneof}", field.name(), field.number())
}

fn enum_facts(declared: &EnumDescriptorProto, scope: &str, facts: &mut Vec<String>) {
    let name = format!("{scope}.{}", declared.name());
    facts.push(format!("enum {name}"));
    facts.extend(declared.value.iter().map(|value| format!("value {name}.{} = {}", value.name(), value.number())));
}
