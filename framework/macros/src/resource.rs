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
    let updates = has("update");
    let (has_private, has_updates) = (has("Private"), has("UPDATES"));
    if !has_private {
        item.items.push(parse_quote!(
            type Private = ();
        ));
    }
    if !has_updates {
        item.items.push(parse_quote!(const UPDATES: bool = #updates;));
    }
    Ok(quote!(#item).into_token_stream())
}
