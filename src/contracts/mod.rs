//! The two contracts with scripts, as documents: OpenRPC for scripts on standard input and output, one for each kind of
//! script, and OpenAPI for those that answer HTTP requests. They are for people who write scripts without the authoring
//! library, and for tools.
//!
//! What is in them comes from the types of [`types`] and their comments; `denobridge contract` prints them, and
//! `docs/reference` has them as files. Recorded traffic of the end-to-end cases is held against them, so that they say what
//! is really sent.

pub mod http_types;
mod openapi;
mod openrpc;
pub mod types;

use serde_json::Value;

/// A kind of script, and the contract that it fulfils.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Contract {
    /// Objects with a life of their own.
    Resource,
    /// Looking something up.
    Datasource,
    /// What lasts as long as a run.
    Ephemeral,
    /// What is done and leaves nothing to keep.
    Action,
    /// Results that follow from their arguments alone.
    Function,
    /// Scripts of any kind that answer HTTP requests.
    Http,
}

impl Contract {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Resource, Self::Datasource, Self::Ephemeral, Self::Action, Self::Function, Self::Http];

    /// The name of the file that holds the document, in `docs/reference`.
    #[must_use]
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Resource => "resource.openrpc.json",
            Self::Datasource => "datasource.openrpc.json",
            Self::Ephemeral => "ephemeral.openrpc.json",
            Self::Action => "action.openrpc.json",
            Self::Function => "function.openrpc.json",
            Self::Http => "http.openapi.json",
        }
    }

    /// The document: OpenRPC 1.3, or OpenAPI 3.1.
    #[must_use]
    pub fn document(self) -> Value {
        match self {
            Self::Http => openapi::document(),
            other => openrpc::document(other),
        }
    }

    /// The document as text, with a line end.
    #[must_use]
    pub fn text(self) -> String {
        format!("{:#}\n", self.document())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_documents_in_docs_are_up_to_date() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference");
        for contract in Contract::ALL {
            let (file, text) = (folder.join(contract.file_name()), contract.text());
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(&file, &text).unwrap();
            }
            let committed = std::fs::read_to_string(&file).unwrap_or_default();
            assert!(committed == text, "{} is not what the types say: set UPDATE_EXPECT=1", file.display());
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn check(part: &Value, document: &Value) {
            match part {
                Value::Object(members) => {
                    if let Some(Value::String(reference)) = members.get("$ref") {
                        let pointer = reference.strip_prefix('#').unwrap_or_default();
                        assert!(document.pointer(pointer).is_some(), "{reference}");
                    }
                    members.values().for_each(|member| check(member, document));
                }
                Value::Array(items) => items.iter().for_each(|item| check(item, document)),
                _ => {}
            }
        }
        for contract in Contract::ALL {
            let document = contract.document();
            check(&document, &document);
        }
    }
}
