//! The signature and the arguments of a function.

use denobridge_core::schema::{FunctionParameter, FunctionSignature};

use super::types;

/// The sections on signature and arguments.
pub(super) fn markdown(name: &str, signature: &FunctionSignature) -> String {
    let mut text = format!("## Signature\n\n```text\n{}\n```\n", line(name, signature));
    if signature.parameters.is_empty() && signature.variadic.is_none() {
        return text;
    }
    text.push_str("\n## Arguments\n\n");
    for parameter in &signature.parameters {
        text.push_str(&argument(parameter, ""));
    }
    if let Some(variadic) = &signature.variadic {
        text.push_str(&argument(variadic, "Variadic, "));
    }
    text
}

fn line(name: &str, signature: &FunctionSignature) -> String {
    let positional = signature.parameters.iter().map(|parameter| (parameter, ""));
    let parameters: Vec<String> = positional
        .chain(signature.variadic.iter().map(|variadic| (variadic, "...")))
        .map(|(parameter, dots)| format!("{} {}{dots}", parameter.name, types::in_signature(&parameter.ty)))
        .collect();
    format!("{name}({}) {}", parameters.join(", "), types::in_signature(&signature.returns))
}

fn argument(parameter: &FunctionParameter, variadic: &str) -> String {
    let nullable = if parameter.allow_null { ", Nullable" } else { "" };
    let ty = types::in_words(&parameter.ty);
    let head = format!("1. `{}` ({variadic}{ty}{nullable})", parameter.name);
    format!("{}\n", super::schema::with_description(head, &parameter.description.text))
}
