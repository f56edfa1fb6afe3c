//! Whether a function is one that Terraform accepts.

use std::collections::BTreeSet;

use denobridge_core::schema::FunctionSignature;

/// Names must be identifiers and those of parameters unique; Terraform refuses the whole provider otherwise.
pub(super) fn check(name: &str, signature: &FunctionSignature) -> Result<(), String> {
    if !is_identifier(name) {
        return Err(format!("the name {name:?} is not an identifier"));
    }
    let mut names = BTreeSet::new();
    for parameter in signature.parameters.iter().chain(&signature.variadic) {
        if !is_identifier(&parameter.name) {
            return Err(format!("the parameter name {:?} is not an identifier", parameter.name));
        }
        if !names.insert(&parameter.name) {
            return Err(format!("two parameters are called {:?}", parameter.name));
        }
    }
    Ok(())
}

fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && characters.all(|character| character.is_alphanumeric() || character == '_' || character == '-')
}
