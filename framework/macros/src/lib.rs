//! Derives and attributes of the provider framework. Use them through `denobridge_framework`, which the code they make refers to.

mod arguments;
mod component;
mod field;
mod function;
mod model;

use proc_macro::TokenStream;
use syn::{DeriveInput, ItemFn, ItemImpl, parse_macro_input};

use arguments::Arguments;
use component::Kind;

/// Makes a struct a model: the schema of a component, or of a block or nested attribute in one, and the reading and writing
/// of its values. Documentation comments become descriptions (Markdown).
///
/// On fields, `#[tf(…)]` with any of
///
/// | | |
/// |---|---|
/// | `required`, `optional`, `computed` | who sets it; none of them means optional |
/// | `default = …` | what is planned when the configuration says nothing; makes it optional and computed |
/// | `keep` | computed, and once known it stays known in plans |
/// | `replace` | a change replaces the object |
/// | `sensitive`, `write_only` | never shown; never stored |
/// | `check = "function"` | `fn(&T) -> Result<(), impl Display>`; may be given more than once. The message completes the sentence "*name* …" and must not quote a secret |
/// | `one_of = […]` | the only values allowed |
/// | `blocks = "list"` | nested blocks instead of an attribute: `list`, `set`, `map`, `single` or `group`, with `min` and `max` |
/// | `nested = "set"` | how models are nested where the Rust type does not say it: `list`, `set`, or `object` for a plain object type |
/// | `name = "…"` | the attribute's name where it is not the field's |
/// | `description = "…"` | a description in plain text |
/// | `deprecated = "…"` | that it should not be used, and what to use instead |
///
/// On the struct, `deprecated = "…"`, `description = "…"` and, for blocks that the provider may fill, `computed`.
#[proc_macro_derive(Model, attributes(tf))]
pub fn model(input: TokenStream) -> TokenStream {
    model::expand(&parse_macro_input!(input as DeriveInput)).unwrap_or_else(syn::Error::into_compile_error).into()
}

fn component(kind: &Kind, arguments: TokenStream, item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as ItemImpl);
    Arguments::read(arguments)
        .and_then(|arguments| component::expand(kind, &arguments, item))
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// On an `impl Resource`: fills in what can be told from it. `UPDATES` and `GENERATES_CONFIG` are whether it has an `update`
/// and a `generate_config`; `Private` and `Identity`, where they are left out, are `()`.
///
/// With `name = "…"`, Terraform's name for it, `ProviderBuilder::discover` finds it. Then also `new = …`, an expression that
/// makes it or a `Result` of it, where that is not its `Default`; and `capability = "…"` to which it belongs.
#[proc_macro_attribute]
pub fn resource(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let kind = Kind {
        nothing_unless_written: &["Private", "Identity"],
        written: &[("UPDATES", "update"), ("GENERATES_CONFIG", "generate_config")],
        ..Kind::plain("Resource", "resource")
    };
    component(&kind, arguments, item)
}

/// On an `impl DataSource`: with `name = "…"`, `ProviderBuilder::discover` finds it. The words are those of `#[resource]`.
#[proc_macro_attribute]
pub fn data_source(arguments: TokenStream, item: TokenStream) -> TokenStream {
    component(&Kind::plain("DataSource", "data_source"), arguments, item)
}

/// On an `impl EphemeralResource`: `Private`, where it is left out, is `()`. With `name = "…"`, `ProviderBuilder::discover`
/// finds it. The words are those of `#[resource]`.
#[proc_macro_attribute]
pub fn ephemeral_resource(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let kind = Kind { nothing_unless_written: &["Private"], ..Kind::plain("EphemeralResource", "ephemeral_resource") };
    component(&kind, arguments, item)
}

/// On an `impl Action`: with `name = "…"`, `ProviderBuilder::discover` finds it. The words are those of `#[resource]`.
#[proc_macro_attribute]
pub fn action(arguments: TokenStream, item: TokenStream) -> TokenStream {
    component(&Kind::plain("Action", "action"), arguments, item)
}

/// On an `impl ListResource`: with `name = "…"`, that of its managed resource, `ProviderBuilder::discover` finds it. The
/// words are those of `#[resource]`.
#[proc_macro_attribute]
pub fn list_resource(arguments: TokenStream, item: TokenStream) -> TokenStream {
    component(&Kind::plain("ListResource", "list_resource"), arguments, item)
}

/// On an `impl StateStore`: with `name = "…"`, `ProviderBuilder::discover` finds it. The words are those of `#[resource]`,
/// but for `new`: a state store is made by its `configure`.
#[proc_macro_attribute]
pub fn state_store(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let kind = Kind { is_value: false, ..Kind::plain("StateStore", "state_store") };
    component(&kind, arguments, item)
}

/// On an `impl Capability`: with `name = "…"`, `ProviderBuilder::discover` finds it. The words are those of `#[resource]`.
#[proc_macro_attribute]
pub fn capability(arguments: TokenStream, item: TokenStream) -> TokenStream {
    component(&Kind::plain("Capability", "capability"), arguments, item)
}

/// Makes a Rust function a function of a provider. Its signature says everything:
///
/// | | |
/// |---|---|
/// | name and documentation | those of the provider's function; the first paragraph is its summary |
/// | `text: String`, `text: &str`, … | a parameter; its type is one that a field of a model can have |
/// | `Option<T>` | null may be passed |
/// | `Tf<T>` | null and what is not known yet may be passed |
/// | `&[T]` at the end | takes all further arguments |
/// | `context: &Context` at the beginning | is no parameter: cancellation and log |
/// | documentation of a parameter | its description |
/// | `async` | may wait |
/// | `-> T`, `-> Result<T, FunctionFailure>` | the result |
///
/// In parentheses: `name = "…"` where it is not the Rust function's, `summary = "…"`, `deprecated = "…"`, and
/// `capability = "…"` to which it belongs.
///
/// The function stays callable as it is. A type of the same name stands for it in `add_function::<…>()`.
#[proc_macro_attribute]
pub fn function(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as ItemFn);
    Arguments::read(arguments)
        .and_then(|arguments| function::expand(&arguments, item))
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
