//! What names each language leaves to packages, in one place. The generators of SDKs repair part of it themselves (Python
//! writes `class_`, Java `class_`, Go `ID_`), some of it they do not look at, and then an SDK does not compile. Those are the
//! rules here.
//!
//! | rule | what breaks without it | where the rule comes from | what is done |
//! |---|---|---|---|
//! | [`is_taken_in_objects`] | TypeScript: `{}` is no object without properties any more | `Object.prototype` of ECMA-262 | native: the property ends in `Value` |
//! | [`is_taken_in_resources`] | TypeScript, Python: the class of every resource has members of its own | `Resource` and `CustomResource` of the SDKs | native: the property ends in `Value` |
//! | [`is_reserved_in_javascript`] | TypeScript: `export function import`, `export const class` | ECMA-262, reserved words; `tokenToFunctionName` and `genConfig` of the generator keep them | native: the function ends in `Function`, the setting of the provider in `Value` |
//! | [`python::is_taken`] | Python: classes and functions that call a builtin, or have a member or parameter, of that name | the generator, see there | native: the property ends in `Value` |
//! | [`python::is_used_by_functions`] | Python: a function of that name stands before the builtin that it calls | the generator, see there | native: the function ends in `Function` |
//! | [`unions`] | Python: a list cannot be given, and no list and no object comes back, where a type is one of several | Pulumi's library, see there | native: it is any type there |
//! | [`is_taken_by_packages`] | all: classes that every SDK has | `Provider`, `Config`, `Utilities` of the generators, name spaces `Inputs` and `Outputs` in .NET | native: the component ends in what it is |
//! | [`Helpers`] | all: the class of arguments of one is the class of another | the generators, see there | native: an error |
//! | [`is_keyword`] | TypeScript, Go, .NET, Java: parameters of functions that take their arguments by position | language specifications | such a function takes an object |
//! | [`dotnet`] | .NET: a member is called like its class or another member | CS0542, CS0102; the generator looks for neither | the schema names the member for .NET alone |
//! | [`namespaces`] | .NET: the name space of the package is a class of `Pulumi` | classes of the SDK | the schema names the name space for .NET alone |
//! | [`go_import_path`] | Go: `package import` | Go's specification; `goPackage` only drops dashes | native: the schema names another package for Go alone |
//!
//! The generators for .NET and Java are checked by rule only: nothing here compiles what they write.

pub(crate) mod dotnet;
mod helpers;
pub(crate) mod python;
pub(crate) mod unions;

use serde_json::{Value, json};

pub(crate) use helpers::Helpers;

/// Whether every object of JavaScript has a member of that name. Where a property has its name and another type, TypeScript
/// takes `{}` for no such object.
pub(crate) fn is_taken_in_objects(name: &str) -> bool {
    const MEMBERS: &str =
        "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf";
    MEMBERS.split_ascii_whitespace().any(|member| member == name)
}

/// Whether the class of a resource has a member of that name in some SDK: `getProvider` in TypeScript, the static `get` in
/// Python, where a property and a method cannot share a name.
pub(crate) fn is_taken_in_resources(name: &str) -> bool {
    matches!(name, "get" | "getProvider")
}

/// Whether TypeScript can export no function and no constant of that name: reserved words of ECMA-262, in strict mode, which modules are in.
pub(crate) fn is_reserved_in_javascript(name: &str) -> bool {
    const RESERVED: &str = "arguments await break case catch class const continue debugger default delete do else enum eval \
                            export extends false finally for function if implements import in instanceof interface let new \
                            null package private protected public return static super switch this throw true try typeof var \
                            void while with yield";
    RESERVED.split_ascii_whitespace().any(|word| word == name)
}

/// Whether SDKs have a class or module of that name beside what the package offers. `functions` of Java is a class too, but
/// it begins with the name of the package. Case does not count: files are called so.
pub(crate) fn is_taken_by_packages(name: &str) -> bool {
    const TAKEN: [&str; 8] =
        ["config", "index", "inputs", "outputs", "provider", "providerargs", "pulumi", "utilities"];
    TAKEN.contains(&name.to_ascii_lowercase().as_str())
}

/// Whether a parameter cannot be called so in one of the languages that SDKs are made for (TypeScript in strict mode,
/// Python, Go, C#, Java), as far as such a name can come out of camel case.
pub(crate) fn is_keyword(name: &str) -> bool {
    const KEYWORDS: &str = "abstract and arguments as assert async await base bool boolean break byte case catch chan char \
                            checked class const continue debugger decimal def default defer delegate delete do double \
                            elif else enum eval event except explicit export extends extern fallthrough false final \
                            finally fixed float for foreach from func function global go goto if implements implicit \
                            import in instanceof int interface internal is lambda let lock long map namespace native \
                            new nonlocal not null object operator opts or out override package params pass private \
                            protected public raise range readonly ref return sbyte sealed select short sizeof \
                            stackalloc static strictfp string struct super switch synchronized this throw throws \
                            transient true try type typeof uint ulong unchecked unsafe ushort using var virtual void \
                            volatile while with yield";
    KEYWORDS.split_ascii_whitespace().any(|keyword| keyword == name)
}

/// The name space of a package in .NET, where it may not be its name with a capital: `Pulumi` has a class of that name.
pub(crate) fn namespaces(package: &str) -> Option<Value> {
    const CLASSES: &str = "Alias Archive Asset Config Deployment Input Log Output Resource Stack Stash Union Urn";
    let name = dotnet_namespace(package);
    CLASSES.split_ascii_whitespace().any(|class| class == name).then(|| json!({package: format!("{name}Package")}))
}

/// Where the package is for Go, where it may not be called by its name: the last part is what it is called. The rest is what
/// the generator would say (`ExtractModulePath`).
pub(crate) fn go_import_path(package: &str) -> Option<String> {
    const REFUSED: &str = "break case chan const continue default defer else fallthrough for func go goto if import init \
                           interface internal main map package range return select struct switch type var vendor";
    let name = package.replace('-', "");
    let refused = REFUSED.split_ascii_whitespace().any(|word| word == name);
    refused.then(|| format!("example.com/pulumi-{package}/sdk/go/{name}package"))
}

fn dotnet_namespace(package: &str) -> String {
    package.split('-').map(title).collect()
}

/// What follows the last colon of a token.
pub(crate) fn last_part(token: &str) -> &str {
    token.rsplit(':').next().unwrap_or(token)
}

/// With a capital at the start.
pub(crate) fn title(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}
