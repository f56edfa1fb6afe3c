//! What is written in the parentheses of the attributes that register a component.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::Parser;
use syn::{Error, Expr, LitStr, Result};

/// Everything that such an attribute may say.
#[derive(Default)]
pub struct Arguments {
    pub name: Option<LitStr>,
    pub new: Option<Expr>,
    pub capability: Option<LitStr>,
    pub summary: Option<LitStr>,
    pub deprecated: Option<LitStr>,
    words: Vec<syn::Path>,
}

impl Arguments {
    pub fn read(tokens: proc_macro::TokenStream) -> Result<Self> {
        let mut arguments = Self::default();
        let parser = syn::meta::parser(|meta| {
            let word = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            match word.as_str() {
                "name" => arguments.name = Some(meta.value()?.parse()?),
                "new" => arguments.new = Some(meta.value()?.parse()?),
                "capability" => arguments.capability = Some(meta.value()?.parse()?),
                "summary" => arguments.summary = Some(meta.value()?.parse()?),
                "deprecated" => arguments.deprecated = Some(meta.value()?.parse()?),
                _ => return Err(meta.error("unknown word; see the documentation of the attribute")),
            }
            arguments.words.push(meta.path.clone());
            Ok(())
        });
        parser.parse(tokens)?;
        Ok(arguments)
    }

    /// Refuses words that mean nothing to this kind of component.
    pub fn only(&self, allowed: &[&str]) -> Result<()> {
        match self.words.iter().find(|word| !allowed.iter().any(|allowed| word.is_ident(allowed))) {
            Some(word) => Err(Error::new_spanned(word, format!("here, only {} mean something", allowed.join(", ")))),
            None => Ok(()),
        }
    }

    /// What makes the component known to discovery. `make` is an expression of type `Result<Component, String>`.
    pub fn marker(&self, kind: &str, name: &str, make: &TokenStream) -> TokenStream {
        let kind = format_ident!("{kind}");
        let capability = self.capability.iter().map(|capability| quote!(.of_capability(#capability)));
        quote! {
            ::denobridge_framework::mark! {
                ::denobridge_framework::discovery::Marker::new(
                    ::denobridge_framework::hub::ComponentKind::#kind,
                    #name,
                    ::core::module_path!(),
                    || #make,
                )
                #(#capability)*
            }
        }
    }
}
