//! What `#[tf(…)]` says.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Error, Expr, ExprArray, ExprLit, Lit, LitInt, LitStr, Meta, Path, Result};

/// A description and how it is written.
#[derive(Default)]
pub struct Description {
    pub text: String,
    pub markdown: bool,
}

impl Description {
    /// The method of a definition that sets it; nothing when there is no text.
    pub fn call(&self) -> TokenStream {
        let text = &self.text;
        match (text.is_empty(), self.markdown) {
            (true, _) => TokenStream::new(),
            (false, true) => quote!(.markdown(#text)),
            (false, false) => quote!(.describe(#text)),
        }
    }
}

/// The names of the ways to nest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Nesting {
    List,
    Set,
    Map,
    Single,
    Group,
    Object,
}

impl Nesting {
    fn parse(text: &LitStr, allowed: &[(&str, Nesting)]) -> Result<Self> {
        let found = allowed.iter().find(|(name, _)| *name == text.value());
        found.map(|(_, nesting)| *nesting).ok_or_else(|| {
            let names: Vec<&str> = allowed.iter().map(|(name, _)| *name).collect();
            Error::new(text.span(), format!("must be one of: {}", names.join(", ")))
        })
    }

    /// The variant of `schema::Nesting`.
    pub fn variant(self) -> TokenStream {
        match self {
            Self::List => quote!(List),
            Self::Set => quote!(Set),
            Self::Map => quote!(Map),
            Self::Group => quote!(Group),
            Self::Single | Self::Object => quote!(Single),
        }
    }
}

/// Everything that a field's attributes say.
#[derive(Default)]
pub struct Options {
    pub name: Option<String>,
    pub required: bool,
    pub optional: bool,
    pub computed: bool,
    pub keep: bool,
    pub replace: bool,
    pub sensitive: bool,
    pub write_only: bool,
    pub default: Option<Expr>,
    pub checks: Vec<Path>,
    pub one_of: Option<ExprArray>,
    pub blocks: Option<Nesting>,
    pub nested: Option<Nesting>,
    pub min: Option<LitInt>,
    pub max: Option<LitInt>,
    pub description: Description,
    pub deprecated: Option<String>,
}

impl Options {
    /// Reads the attributes of a field or, with fewer words, of the struct.
    pub fn read(attributes: &[Attribute], of_struct: bool) -> Result<Self> {
        let mut options = Self { description: documentation(attributes), ..Self::default() };
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("tf")) {
            attribute.parse_nested_meta(|meta| {
                if of_struct { options.read_struct_word(&meta) } else { options.read_word(&meta) }
            })?;
        }
        Ok(options)
    }

    fn read_struct_word(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        match word(meta).as_str() {
            "computed" => self.computed = true,
            "description" => self.description = Description { text: text(meta)?.value(), markdown: false },
            "deprecated" => self.deprecated = Some(text(meta)?.value()),
            _ => return Err(meta.error("a model knows only computed, description and deprecated")),
        }
        Ok(())
    }

    fn read_word(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        match word(meta).as_str() {
            "required" => self.required = true,
            "optional" => self.optional = true,
            "computed" => self.computed = true,
            "keep" => self.keep = true,
            "replace" => self.replace = true,
            "sensitive" => self.sensitive = true,
            "write_only" => self.write_only = true,
            "default" => self.default = Some(meta.value()?.parse()?),
            "check" => self.checks.push(text(meta)?.parse()?),
            "one_of" => self.one_of = Some(meta.value()?.parse()?),
            "blocks" => self.blocks = Some(Nesting::parse(&text(meta)?, &BLOCKS)?),
            "nested" => self.nested = Some(Nesting::parse(&text(meta)?, &NESTED)?),
            "min" => self.min = Some(meta.value()?.parse()?),
            "max" => self.max = Some(meta.value()?.parse()?),
            "name" => self.name = Some(text(meta)?.value()),
            "description" => self.description = Description { text: text(meta)?.value(), markdown: false },
            "deprecated" => self.deprecated = Some(text(meta)?.value()),
            _ => return Err(meta.error("unknown word; see the documentation of the derive")),
        }
        Ok(())
    }

    /// What contradicts itself, told where it is written rather than when the provider starts.
    pub fn refuse_contradictions(&self, span: Span) -> Result<()> {
        let refuse = |message: &str| Err(Error::new(span, message));
        if self.blocks.is_some() {
            let flags = [self.required, self.optional, self.keep, self.replace, self.sensitive, self.write_only];
            if flags.contains(&true) || self.default.is_some() || self.one_of.is_some() || self.nested.is_some() {
                return refuse("blocks have no flags of attributes; use min and max to require them");
            }
            return Ok(());
        }
        if self.min.is_some() || self.max.is_some() {
            return refuse("only blocks have min and max");
        }
        if self.required && self.computed {
            return refuse("it cannot be both required and computed: the configuration decides, or the provider does");
        }
        if self.write_only && self.computed {
            return refuse("it cannot be both write_only and computed: nothing of it may be stored");
        }
        if self.default.is_some() {
            if self.required {
                return refuse("it is required, so its default would never be used");
            }
            if self.write_only {
                return refuse("it is write_only, and a default would be planned and stored");
            }
            if self.computed && !self.optional {
                return refuse(
                    "it is computed only, so there is no configuration for which its default could stand in",
                );
            }
        }
        if self.keep && !self.computed {
            return refuse("only what is computed can keep its state");
        }
        Ok(())
    }
}

const BLOCKS: [(&str, Nesting); 5] = [
    ("list", Nesting::List),
    ("set", Nesting::Set),
    ("map", Nesting::Map),
    ("single", Nesting::Single),
    ("group", Nesting::Group),
];

const NESTED: [(&str, Nesting); 3] = [("list", Nesting::List), ("set", Nesting::Set), ("object", Nesting::Object)];

fn word(meta: &ParseNestedMeta<'_>) -> String {
    meta.path.get_ident().map(ToString::to_string).unwrap_or_default()
}

fn text(meta: &ParseNestedMeta<'_>) -> Result<LitStr> {
    meta.value()?.parse()
}

/// The documentation comment, without the space that each line begins with.
pub fn documentation(attributes: &[Attribute]) -> Description {
    let lines: Vec<String> = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"))
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) => match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        })
        .map(|line| line.strip_prefix(' ').unwrap_or(&line).trim_end().to_owned())
        .collect();
    Description { text: lines.join("\n").trim().to_owned(), markdown: true }
}
