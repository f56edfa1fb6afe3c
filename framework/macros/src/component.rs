//! What can be told from the `impl` of a component's trait, and how discovery finds the component.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Error, ImplItem, ItemImpl, Result, parse_quote};

use crate::arguments::Arguments;

/// A kind of component that is an `impl` of a trait.
pub struct Kind {
    /// The trait, which is also what the kind is called in the hub.
    pub of_trait: &'static str,
    /// The constructor of `hub::Component`.
    pub make: &'static str,
    /// Associated types that are `()` where they are left out.
    pub nothing_unless_written: &'static [&'static str],
    /// Constants that say whether a method is written.
    pub written: &'static [(&'static str, &'static str)],
    /// Whether the provider is given a value, rather than the type, which makes its values itself.
    pub is_value: bool,
}

impl Kind {
    /// A kind of which nothing can be filled in.
    pub const fn plain(of_trait: &'static str, make: &'static str) -> Self {
        Self { of_trait, make, nothing_unless_written: &[], written: &[], is_value: true }
    }
}

pub fn expand(kind: &Kind, arguments: &Arguments, mut item: ItemImpl) -> Result<TokenStream> {
    arguments.only(if kind.is_value { &["name", "new", "capability"] } else { &["name", "capability"] })?;
    let of_trait = item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
    if of_trait.is_none_or(|segment| segment.ident != kind.of_trait) {
        let message = format!("this attribute goes on an `impl {} for …`", kind.of_trait);
        return Err(Error::new_spanned(&item.self_ty, message));
    }
    fill_in(kind, &mut item);
    let marker = marker(kind, arguments, &item)?;
    Ok(quote!(#item #marker))
}

fn fill_in(kind: &Kind, item: &mut ItemImpl) {
    let has = |name: &str| {
        item.items.iter().any(|item| match item {
            ImplItem::Const(item) => item.ident == name,
            ImplItem::Fn(item) => item.sig.ident == name,
            ImplItem::Type(item) => item.ident == name,
            _ => false,
        })
    };
    let types = kind.nothing_unless_written.iter().filter(|name| !has(name)).map(|name| {
        let name = format_ident!("{name}");
        parse_quote!(type #name = ();)
    });
    let constants = kind.written.iter().filter(|(name, _)| !has(name)).map(|(name, method)| {
        let (name, written) = (format_ident!("{name}"), has(method));
        parse_quote!(const #name: bool = #written;)
    });
    let missing: Vec<ImplItem> = types.chain(constants).collect();
    item.items.extend(missing);
}

fn marker(kind: &Kind, arguments: &Arguments, item: &ItemImpl) -> Result<TokenStream> {
    let (ty, make) = (&item.self_ty, format_ident!("{}", kind.make));
    let Some(name) = &arguments.name else {
        if arguments.new.is_some() || arguments.capability.is_some() {
            return Err(Error::new_spanned(
                ty,
                "without a name the component is not found, so nothing else means anything",
            ));
        }
        return Ok(TokenStream::new());
    };
    let component = quote!(::denobridge_framework::hub::Component);
    let made = if kind.is_value {
        let new = match &arguments.new {
            Some(new) => quote!(#new),
            None => quote!(<#ty as ::core::default::Default>::default()),
        };
        quote!(::denobridge_framework::typed::support::made::<#ty, _>(#new).map(#component::#make))
    } else {
        quote!(::core::result::Result::Ok(#component::#make::<#ty>()))
    };
    Ok(arguments.marker(kind.of_trait, &name.value(), &made))
}
