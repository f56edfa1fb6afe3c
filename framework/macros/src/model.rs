//! The derive for models.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields, Ident, Result, Type};

use crate::field::{Nesting, Options};

struct Field<'f> {
    ident: &'f Ident,
    ty: &'f Type,
    name: String,
    options: Options,
}

pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    if let Some(parameter) = input.generics.params.first() {
        return Err(Error::new(parameter.span(), "a model has one schema, so it cannot have parameters"));
    }
    let fields = fields(input)?;
    let options = Options::read(&input.attrs, true)?;
    let ident = &input.ident;
    let promises = fields.iter().map(promises);
    let values = values(ident, &fields);
    let definition = definition(ident, &fields, &options);
    Ok(quote! {
        const _: () = {
            use ::denobridge_framework::model::{Checks, Model, ModelError, ModelValue, Shape, ToValue, support};
            use support::denobridge_core::cty::{Type, Value};
            use support::denobridge_core::schema::Nesting;

            #(#promises)*
            #values
            #definition
        };
    })
}

fn fields(input: &DeriveInput) -> Result<Vec<Field<'_>>> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(input.span(), "only structs can be models"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new(input.span(), "a model needs named fields: their names are those of its attributes"));
    };
    let mut read = Vec::new();
    for field in &fields.named {
        let Some(ident) = &field.ident else { continue };
        let options = Options::read(&field.attrs, false)?;
        options.refuse_contradictions(ident.span())?;
        let name = options.name.clone().unwrap_or_else(|| ident.unraw().to_string());
        read.push(Field { ident, ty: &field.ty, name, options });
    }
    Ok(read)
}

/// What a field's type must be able to hold for its flags to be true, checked by the compiler.
fn promises(field: &Field<'_>) -> TokenStream {
    let Field { ty, name, options, .. } = field;
    let promise =
        |holds: TokenStream, message: String| quote_spanned!(ty.span()=> const _: () = assert!(#holds, #message););
    if let Some(nesting) = options.blocks {
        let around: u8 = match nesting {
            Nesting::Single | Nesting::Group | Nesting::Object => 0,
            Nesting::List | Nesting::Set | Nesting::Map => 1,
        };
        let optional = nesting == Nesting::Single && options.min.is_none();
        let models = promise(
            quote!(matches!(<#ty as ModelValue>::MODELS, Some(#around))),
            format!("`{name}`: blocks need a field of a model, or for list, set and map a collection of a model"),
        );
        let null = optional.then(|| {
            promise(
                quote!(<#ty as ModelValue>::HOLDS_NULL),
                format!("`{name}` may be absent: its type must be Option<_> or Tf<_>"),
            )
        });
        return quote!(#models #null);
    }
    let attribute = promise(
        quote!(!<#ty as ModelValue>::HAS_BLOCKS),
        format!("`{name}` holds a model with blocks, which can only be a block itself"),
    );
    let decided = options.required || options.default.is_some();
    let null = (!decided || options.write_only).then(|| {
        promise(
            quote!(<#ty as ModelValue>::HOLDS_NULL),
            format!("`{name}` may be null: its type must be Option<_> or Tf<_>"),
        )
    });
    let unknown = options.computed.then(|| {
        promise(
            quote!(<#ty as ModelValue>::HOLDS_UNKNOWN),
            format!("`{name}` is computed, so it is not known while planning: its type must be Tf<_>"),
        )
    });
    quote!(#attribute #null #unknown)
}

fn held(field: &Field<'_>) -> TokenStream {
    match field.options.blocks.or(field.options.nested) {
        None => quote!(support::As::Itself),
        Some(Nesting::Object) => quote!(support::As::Plain),
        Some(Nesting::List) => quote!(support::As::Nesting(Nesting::List)),
        Some(Nesting::Set) => quote!(support::As::Nesting(Nesting::Set)),
        Some(Nesting::Map | Nesting::Single | Nesting::Group) => quote!(support::As::Itself),
    }
}

/// Reading, writing and checking.
fn values(ident: &Ident, fields: &[Field<'_>]) -> TokenStream {
    let writes = fields.iter().map(|field| {
        let (name, field_ident, held) = (&field.name, field.ident, held(field));
        quote!((#name, support::write(&self.#field_ident, #held)))
    });
    let reads = fields.iter().map(|field| {
        let (name, field_ident) = (&field.name, field.ident);
        quote!(#field_ident: support::field(object, #name)?)
    });
    let checks = fields.iter().map(|field| {
        let (name, ty) = (&field.name, field.ty);
        let own = field.options.checks.iter().map(|check| {
            quote! {
                &|known: &<#ty as ModelValue>::Known| -> ::core::result::Result<(), ::std::string::String> {
                    #check(known).map_err(|reason| ::std::string::ToString::to_string(&reason))
                }
            }
        });
        quote!(support::check_field::<#ty>(value, #name, checks, &[#(#own),*]);)
    });
    let has_blocks = fields.iter().any(|field| field.options.blocks.is_some());
    quote! {
        impl ToValue for #ident {
            fn to_value(&self) -> Value {
                Value::object::<&'static str>([#(#writes),*])
            }
        }

        impl ModelValue for #ident {
            type Known = Self;

            const HAS_BLOCKS: bool = #has_blocks;
            const MODELS: ::core::option::Option<u8> = ::core::option::Option::Some(0);

            fn shape() -> Shape {
                Shape::Models(Nesting::Single, ::std::boxed::Box::new(<Self as Model>::definition()))
            }

            fn ty() -> Type {
                static TYPE: ::std::sync::OnceLock<Type> = ::std::sync::OnceLock::new();
                ::core::clone::Clone::clone(TYPE.get_or_init(|| Self::shape().ty()))
            }

            fn from_value(value: &Value) -> ::core::result::Result<Self, ModelError> {
                let object = support::object(value, Self::ty)?;
                let _ = object;
                ::core::result::Result::Ok(Self { #(#reads),* })
            }

            fn known(&self) -> ::core::option::Option<&Self> {
                ::core::option::Option::Some(self)
            }

            fn check(value: &Value, checks: &mut Checks) {
                let _ = (value, &checks);
                #(#checks)*
            }
        }
    }
}

fn definition(ident: &Ident, fields: &[Field<'_>], options: &Options) -> TokenStream {
    let attributes = fields.iter().filter(|field| field.options.blocks.is_none()).map(attribute);
    let blocks = fields.iter().filter(|field| field.options.blocks.is_some()).map(block);
    let name = ident.to_string();
    let description = options.description.call();
    let deprecated = options.deprecated.iter().map(|text| quote!(.deprecated(#text)));
    let computed = options.computed;
    quote! {
        impl Model for #ident {
            const NAME: &'static str = #name;

            fn definition() -> ::denobridge_framework::schema::BlockDefinition {
                let definition = ::denobridge_framework::schema::SchemaDefinition::default()
                    #description
                    #(#deprecated)*;
                ::denobridge_framework::schema::BlockDefinition {
                    attributes: ::std::vec![#(#attributes),*],
                    blocks: ::std::vec![#(#blocks),*],
                    computed: #computed,
                    ..definition.root
                }
            }
        }
    }
}

fn attribute(field: &Field<'_>) -> TokenStream {
    let (name, ty, options, held) = (&field.name, field.ty, &field.options, held(field));
    let flags = [
        (options.required, quote!(.required())),
        (options.optional, quote!(.optional())),
        (options.computed, quote!(.computed())),
        (options.keep, quote!(.keep())),
        (options.replace, quote!(.replace())),
        (options.sensitive, quote!(.sensitive())),
        (options.write_only, quote!(.write_only())),
    ];
    let flags = flags.into_iter().filter(|(set, _)| *set).map(|(_, call)| call);
    let default = options.default.iter().map(|value| quote!(.default(#value)));
    let one_of = options.one_of.iter().map(|values| quote!(.one_of(#values)));
    let description = options.description.call();
    let deprecated = options.deprecated.iter().map(|text| quote!(.deprecated(#text)));
    quote! {
        support::attribute::<#ty>(#name, #held) #(#flags)* #(#default)* #(#one_of)* #description #(#deprecated)*
    }
}

fn block(field: &Field<'_>) -> TokenStream {
    let (name, ty, options) = (&field.name, field.ty, &field.options);
    let nesting = options.blocks.map(Nesting::variant);
    let min = options.min.iter().map(|count| quote!(.at_least(#count)));
    let max = options.max.iter().map(|count| quote!(.at_most(#count)));
    let computed = options.computed.then(|| quote!(.computed()));
    let description = options.description.call();
    let deprecated = options.deprecated.iter().map(|text| quote!(.deprecated(#text)));
    quote! {
        support::block::<#ty>(#name, Nesting::#nesting) #(#min)* #(#max)* #computed #description #(#deprecated)*
    }
}
