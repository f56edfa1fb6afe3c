//! A configuration file as it was written, whatever its syntax: values, each with the line that it begins on.

use std::path::Path;

use serde_json::{Map, Number, Value as Json};

use super::error::{Fault, Faults};
use super::{hcl, json, toml};

/// Values nested deeper than this are refused, before the stack is. Readers of the syntaxes have limits of their own.
const DEPTH: usize = 64;

/// A value, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Value {
    /// From 1.
    pub(super) line: usize,
    pub(super) kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Null,
    /// It cannot be read, which was told already.
    Refused,
    Flag(bool),
    Number(Number),
    Text(String),
    List(Vec<Value>),
    Table(Table),
}

/// Members in the order in which they were written, as far as the syntax has one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Table {
    pub(super) members: Vec<Member>,
}

/// A value with its name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Member {
    pub(super) key: String,
    /// Where the name stands.
    pub(super) line: usize,
    pub(super) value: Value,
}

/// The syntaxes, by the end of a file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Toml,
    Json,
    Hcl,
}

impl Syntax {
    /// The syntaxes, by the ends of names, in the order in which a folder is searched.
    pub(super) const ALL: [(&'static str, Self); 3] = [("toml", Self::Toml), ("json", Self::Json), ("hcl", Self::Hcl)];

    /// The one that a file's name ends in.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::ALL.iter().find(|(name, _)| extension.eq_ignore_ascii_case(name)).map(|(_, syntax)| *syntax)
    }

    /// Reads a file's text. Nothing comes of a text that does not follow the syntax.
    pub(super) fn read(self, text: &str, faults: &mut Faults) -> Option<Table> {
        match self {
            Self::Toml => toml::read(text, faults),
            Self::Json => json::read(text, faults),
            Self::Hcl => hcl::read(text, faults),
        }
    }
}

impl Value {
    /// As JSON, without what is null in tables: that is as if it were not there.
    pub(super) fn to_json(&self) -> Json {
        match &self.kind {
            Kind::Null | Kind::Refused => Json::Null,
            Kind::Flag(flag) => Json::Bool(*flag),
            Kind::Number(number) => Json::Number(number.clone()),
            Kind::Text(text) => Json::String(text.clone()),
            Kind::List(values) => values.iter().map(Self::to_json).collect(),
            Kind::Table(table) => Json::Object(table.to_json()),
        }
    }

    /// What it is, for people.
    pub(super) fn described(&self) -> &'static str {
        match self.kind {
            Kind::Null | Kind::Refused => "null",
            Kind::Flag(_) => "true or false",
            Kind::Number(_) => "a number",
            Kind::Text(_) => "text",
            Kind::List(_) => "a list",
            Kind::Table(_) => "a table",
        }
    }
}

impl Table {
    /// The members as JSON.
    pub(super) fn to_json(&self) -> Map<String, Json> {
        self.members.iter().map(|member| (member.key.clone(), member.value.to_json())).collect()
    }

    /// Adds a member; one whose name there is already is a fault.
    pub(super) fn add(&mut self, member: Member, faults: &mut Faults) {
        if let Some(first) = self.members.iter().find(|other| other.key == member.key) {
            let key = member.key.clone();
            faults.add(member.line, Fault::Repeated { key, first: first.line });
            return;
        }
        // Null is how JSON and HCL say that something is not said.
        if member.value.kind != Kind::Null {
            self.members.push(member);
        }
    }
}

/// Which lines the bytes of a text are on.
pub(super) struct Lines<'t> {
    text: &'t str,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { text }
    }

    /// The line, from 1, of the byte at an offset.
    pub(super) fn at(&self, offset: usize) -> usize {
        let before = self.text.as_bytes().get(..offset).unwrap_or(self.text.as_bytes());
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    }
}

/// How deep the reader of a syntax is in a document.
#[derive(Clone, Copy)]
pub(super) struct Depth(usize);

impl Depth {
    pub(super) const TOP: Self = Self(0);

    /// One level further in; none is left where it would be too deep, which is told.
    pub(super) fn further(self, line: usize, faults: &mut Faults) -> Option<Self> {
        if self.0 == DEPTH {
            faults.add(line, Fault::TooDeep { limit: DEPTH });
            return None;
        }
        Some(Self(self.0 + 1))
    }
}
