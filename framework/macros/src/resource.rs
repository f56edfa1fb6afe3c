//! What can be told from an `impl Resource`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Error, ImplItem, ItemImpl, Result, parse_quote};

pub fn expand(arguments: &TokenStream, mut item: ItemImpl) -> Result<TokenStream> {
    if !arguments.is_empty() {
        return Err(Error::new_spanned(arguments, "this attribute takes no arguments"));
    }
    let of_trait = item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
    if of_trait.is_none_or(|segment| segment.ident != "Resource") {
        return Err(Error::new_spanned(&item.self_ty, "this attribute goes on an `impl Resource for …`"));
    }
    let has = |name: &str| {
        item.items.iter().any(|item| match item {
            ImplItem::Const(item) => item.ident == name,
            ImplItem::Fn(item) => item.sig.ident == name,
            ImplItem::Type(item) => item.ident == name,
            _ => false,
        })
    };
    let (updates, generates) = (has("update"), has("generate_config"));
    let filled: [(&str, ImplItem); 4] = [
        (
            "Private",
            parse_quote!(
                type Private = ();
            ),
        ),
        (
            "Identity",
            parse_quote!(
                type Identity = ();
            ),
        ),
        ("UPDATES", parse_quote!(const UPDATES: bool = #updates;)),
        ("GENERATES_CONFIG", parse_quote!(const GENERATES_CONFIG: bool = #generates;)),
    ];
    let missing: Vec<ImplItem> = filled.into_iter().filter(|(name, _)| !has(name)).map(|(_, item)| item).collect();
    item.items.extend(missing);
    Ok(quote!(#item).into_token_stream())
}
