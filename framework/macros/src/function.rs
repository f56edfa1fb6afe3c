//! A function of a provider out of a Rust function.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Error, FnArg, Ident, ItemFn, Pat, PatType, Result, ReturnType, Type};

use crate::arguments::Arguments;
use crate::field::documentation;

/// How a parameter takes its argument.
enum Way {
    /// `context: &Context`, which is no parameter of the function that users see.
    Context,
    /// By value.
    Value(Box<Type>),
    /// `&str`, or a reference to anything else.
    Reference(Box<Type>),
    /// `&[T]` at the end: all further arguments.
    Rest(Box<Type>),
}

struct Parameter {
    ident: Ident,
    name: String,
    description: String,
    way: Way,
}

pub fn expand(arguments: &Arguments, mut function: ItemFn) -> Result<TokenStream> {
    arguments.only(&["name", "summary", "deprecated", "capability"])?;
    if let Some(parameter) = function.sig.generics.params.first() {
        return Err(Error::new(
            parameter.span(),
            "a function of a provider has one signature, so it cannot have parameters",
        ));
    }
    let parameters = parameters(&mut function)?;
    let ident = &function.sig.ident;
    let name = arguments.name.as_ref().map_or_else(|| ident.unraw().to_string(), syn::LitStr::value);
    let signature = signature(arguments, &function, &parameters);
    let body = body(&function, &parameters);
    let visibility = &function.vis;
    let documentation = format!("The function `{name}` of a provider, for `add_function`.");
    let marker = arguments.marker(
        "Function",
        &name,
        &quote!(::core::result::Result::Ok(::denobridge_framework::hub::Component::function::<#ident>())),
    );
    Ok(quote! {
        #function

        #[doc = #documentation]
        #[allow(non_camel_case_types)]
        #visibility struct #ident {}

        impl ::denobridge_framework::typed::Function for #ident {
            const NAME: &'static str = #name;

            fn signature() -> ::denobridge_framework::typed::support::FunctionSignature {
                use ::denobridge_framework::typed::support;
                #signature
            }

            async fn call(
                context: &::denobridge_framework::Context,
                arguments: ::std::vec::Vec<::denobridge_framework::typed::support::Value>,
            ) -> ::core::result::Result<
                ::denobridge_framework::typed::support::Value,
                ::denobridge_framework::typed::FunctionFailure,
            > {
                use ::denobridge_framework::typed::support;
                let _ = context;
                #body
            }
        }

        #marker
    })
}

/// What the parameters are. Takes their documentation away, which the compiler does not allow there.
fn parameters(function: &mut ItemFn) -> Result<Vec<Parameter>> {
    let last = function.sig.inputs.len().saturating_sub(1);
    let mut read = Vec::new();
    for (position, input) in function.sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(PatType { attrs, pat, ty, .. }) = input else {
            return Err(Error::new(input.span(), "a function of a provider has no `self`"));
        };
        let way = way(ty, position == last);
        if matches!(way, Way::Context) && position > 0 {
            return Err(Error::new(ty.span(), "the context comes first"));
        }
        let description = documentation(attrs).text;
        attrs.retain(|attribute| !attribute.path().is_ident("doc"));
        let ident = match &**pat {
            Pat::Ident(pattern) => pattern.ident.unraw(),
            Pat::Wild(_) if matches!(way, Way::Context) => format_ident!("context"),
            _ => return Err(Error::new(pat.span(), "a parameter needs a name, which users see")),
        };
        // An underscore says that the body does not use it; users see the name without.
        let name = ident.to_string().trim_start_matches('_').to_owned();
        read.push(Parameter { ident, name, description, way });
    }
    Ok(read)
}

fn way(ty: &Type, last: bool) -> Way {
    let Type::Reference(reference) = ty else { return Way::Value(Box::new(ty.clone())) };
    match &*reference.elem {
        Type::Slice(slice) if last => Way::Rest(slice.elem.clone()),
        Type::Path(path) if path.path.segments.last().is_some_and(|segment| segment.ident == "Context") => Way::Context,
        Type::Path(path) if path.path.is_ident("str") => {
            Way::Reference(Box::new(syn::parse_quote!(::std::string::String)))
        }
        Type::Slice(slice) => {
            let element = &slice.elem;
            Way::Reference(Box::new(syn::parse_quote!(::std::vec::Vec<#element>)))
        }
        other => Way::Reference(Box::new(other.clone())),
    }
}

fn signature(arguments: &Arguments, function: &ItemFn, parameters: &[Parameter]) -> TokenStream {
    let returned = returned(&function.sig.output);
    let documentation = documentation(&function.attrs).text;
    let summary = match &arguments.summary {
        Some(summary) => summary.value(),
        // The first paragraph, on one line.
        None => documentation.split("\n\n").next().unwrap_or_default().replace('\n', " "),
    };
    let deprecation = match &arguments.deprecated {
        Some(text) => quote!(::core::option::Option::Some(::std::string::String::from(#text))),
        None => quote!(::core::option::Option::None),
    };
    let parameter = |parameter: &Parameter, ty: &Type| {
        let (name, description) = (&parameter.name, &parameter.description);
        quote!(support::parameter::<#ty>(#name, #description))
    };
    let positional = parameters.iter().filter_map(|given| match &given.way {
        Way::Value(ty) | Way::Reference(ty) => Some(parameter(given, ty)),
        Way::Context | Way::Rest(_) => None,
    });
    let variadic = parameters.iter().find_map(|given| match &given.way {
        Way::Rest(ty) => Some(parameter(given, ty)),
        _ => None,
    });
    let variadic = match variadic {
        Some(parameter) => quote!(::core::option::Option::Some(#parameter)),
        None => quote!(::core::option::Option::None),
    };
    quote! {
        support::FunctionSignature {
            parameters: ::std::vec![#(#positional),*],
            variadic: #variadic,
            summary: ::std::string::String::from(#summary),
            description: support::markdown(#documentation),
            deprecation: #deprecation,
            returns: support::returns::<#returned>(),
        }
    }
}

/// The `Result` that the function returns, or that stands for what it returns.
fn returned(output: &ReturnType) -> TokenStream {
    match output {
        ReturnType::Type(_, ty) if is_result(ty) => quote!(#ty),
        ReturnType::Type(_, ty) => {
            quote!(::core::result::Result<#ty, ::denobridge_framework::typed::FunctionFailure>)
        }
        ReturnType::Default => quote!(::core::result::Result<(), ::denobridge_framework::typed::FunctionFailure>),
    }
}

fn is_result(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|segment| segment.ident == "Result"))
}

fn body(function: &ItemFn, parameters: &[Parameter]) -> TokenStream {
    let ident = &function.sig.ident;
    let reads = parameters.iter().filter_map(|parameter| {
        let local = local(parameter);
        match &parameter.way {
            Way::Context => None,
            Way::Value(ty) | Way::Reference(ty) => Some(quote!(let #local: #ty = arguments.next()?;)),
            Way::Rest(ty) => Some(quote!(let #local: ::std::vec::Vec<#ty> = arguments.rest()?;)),
        }
    });
    let passes = parameters.iter().map(|parameter| {
        let local = local(parameter);
        match &parameter.way {
            Way::Context => quote!(context),
            Way::Value(_) => quote!(#local),
            Way::Reference(_) | Way::Rest(_) => quote!(&#local),
        }
    });
    let waits = function.sig.asyncness.map(|_| quote!(.await));
    let called = quote!(#ident(#(#passes),*)#waits);
    let outcome = match &function.sig.output {
        ReturnType::Type(_, ty) if is_result(ty) => called,
        _ => quote!(::core::result::Result::<_, ::denobridge_framework::typed::FunctionFailure>::Ok(#called)),
    };
    quote! {
        let mut arguments = support::Arguments::new(arguments);
        #(#reads)*
        let _ = &mut arguments;
        support::returned(#outcome)
    }
}

/// A name for the argument that nothing in the body hides.
fn local(parameter: &Parameter) -> Ident {
    format_ident!("argument_{}", parameter.ident)
}
