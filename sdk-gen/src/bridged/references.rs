//! Names in the text of descriptions, which become the names that each language has for the same thing.

use std::collections::BTreeMap;

use super::naming::{camel, upper_first};
use crate::languages::python;

/// What the names in descriptions may mean.
#[derive(Debug, Default)]
pub(super) struct References {
    pub(super) package: String,
    /// The Pulumi names of the resources of the package, by Terraform name.
    pub(super) resources: BTreeMap<String, String>,
    /// The same of data sources.
    pub(super) data_sources: BTreeMap<String, String>,
}

/// A name as each language writes it, with the signs around it.
struct Spellings {
    dotnet: String,
    go: String,
    python: String,
    hcl: String,
    others: String,
}

impl References {
    /// Replaces what looks like a name in code: words that underscores join, between blanks, quotes, backquotes or
    /// brackets; or one word of small letters and digits between backquotes.
    pub(super) fn rewrite(&self, text: &str) -> String {
        if !text.contains(['`', '_']) {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let taken = match reference(rest) {
                Some((name, length)) => {
                    let whole = &rest[..length];
                    out.push_str(&self.spell(name, whole).span());
                    length
                }
                None => {
                    out.push(first);
                    first.len_utf8()
                }
            };
            rest = &rest[taken..];
        }
        out
    }

    /// `whole` is the name with the sign before and the sign after it.
    fn spell(&self, name: &str, whole: &str) -> Spellings {
        let (open, close) = whole.split_once(name).unwrap_or_default();
        let quoted = |text: &str| format!("{open}{text}{close}");
        if let Some(resource) = self.resources.get(name) {
            let others = quoted(&format!("{}.{resource}", self.package));
            let (go, python) = (quoted(resource), quoted(resource));
            return Spellings { dotnet: others.clone(), go, python, hcl: quoted(name), others };
        }
        if let Some(data_source) = self.data_sources.get(name) {
            let others = quoted(&format!("{}.{data_source}", self.package));
            let (go, python) = (quoted(data_source), quoted(&python::name(data_source)));
            return Spellings { dotnet: others.clone(), go, python, hcl: quoted(&format!("data.{name}")), others };
        }
        let property = camel(name);
        Spellings {
            dotnet: quoted(&upper_first(&property)),
            go: quoted(&property),
            python: whole.to_owned(),
            hcl: whole.to_owned(),
            others: quoted(&property),
        }
    }
}

impl Spellings {
    fn span(&self) -> String {
        let Self { dotnet, go, python, hcl, others } = self;
        format!(
            "<span pulumi-lang-nodejs=\"{others}\" pulumi-lang-dotnet=\"{dotnet}\" pulumi-lang-go=\"{go}\" \
             pulumi-lang-python=\"{python}\" pulumi-lang-yaml=\"{others}\" pulumi-lang-java=\"{others}\" \
             pulumi-lang-hcl=\"{hcl}\">{others}</span>"
        )
    }
}

/// The name that the text starts with, after a sign, and the length with the signs around it.
fn reference(text: &str) -> Option<(&str, usize)> {
    let blank = |character: char| matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0c');
    let open = text.chars().next().filter(|first| matches!(first, '"' | '`' | '[') || blank(*first))?;
    let inside = &text[1..];
    let end = inside.find(|character: char| !matches!(character, 'a'..='z' | '0'..='9' | '_'))?;
    let (name, after) = inside.split_at(end);
    let close = after.chars().next()?;
    let mut words = name.split('_');
    let joined = name.contains('_') && words.all(|word| !word.is_empty());
    let closes = matches!(close, '"' | '`' | ']') || blank(close);
    let code = open == '`' && close == '`' && !name.is_empty() && !name.contains('_');
    ((joined && closes) || code).then_some((name, end + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references() -> References {
        References {
            package: "acme".to_owned(),
            resources: [("acme_web_server".to_owned(), "WebServer".to_owned())].into(),
            data_sources: [("acme_ips".to_owned(), "getIPs".to_owned())].into(),
        }
    }

    fn of(language: &str, text: &str) -> String {
        let rewritten = references().rewrite(text);
        let (_, rest) = rewritten.split_once(&format!("{language}=\"")).unwrap();
        rest.split("\" pulumi").next().unwrap().split("\">").next().unwrap().to_owned()
    }

    #[test]
    fn names_are_spelled_for_each_language() {
        assert_eq!(of("nodejs", "a `foo_bar` b"), "`fooBar`");
        assert_eq!(of("dotnet", "a `foo_bar` b"), "`FooBar`");
        assert_eq!(of("python", "a `foo_bar` b"), "`foo_bar`");
        assert_eq!(of("go", "a `acme_web_server` b"), "`WebServer`");
        assert_eq!(of("nodejs", "a `acme_web_server` b"), "`acme.WebServer`");
        assert_eq!(of("hcl", "a `acme_ips` b"), "`data.acme_ips`");
        assert_eq!(of("python", "a `acme_ips` b"), "`get_ips`");
    }

    #[test]
    fn what_is_no_name_stays() {
        for text in ["a `Foo` b", "'foo_bar'", "`a__b`", "`_a`", "foo bar", "x_y"] {
            assert_eq!(references().rewrite(text), text);
        }
        assert!(references().rewrite("`443`").starts_with("<span"));
    }
}
