//! Schemas, and what of them protocol 5 cannot say.

use std::collections::BTreeMap;

use denobridge_core::{Diagnostic, Diagnostics};

use crate::proto::{tfplugin5 as pb, tfplugin6 as pb6};
use crate::wire6;

/// The whole schema in protocol 5's form.
///
/// Each attribute or block that needs protocol 6 becomes an error that names it. State stores are left out without a word:
/// a configuration for a host of protocol 5 has no way to name one.
pub(crate) fn provider_schema(offered: pb6::get_provider_schema::Response) -> pb::get_provider_schema::Response {
    let mut narrowing = Narrowing::default();
    let mut diagnostics = offered.diagnostics;
    let actions = offered.action_schemas.into_iter().map(|(name, action)| {
        let schema = action.schema.map(|schema| narrowing.schema(schema, &format!("action {name:?}")));
        (name, pb::ActionSchema { schema })
    });
    let action_schemas = actions.collect();
    let response = pb::get_provider_schema::Response {
        provider: offered.provider.map(|schema| narrowing.schema(schema, "provider configuration")),
        provider_meta: offered.provider_meta.map(|schema| narrowing.schema(schema, "provider metadata")),
        resource_schemas: narrowing.schemas(offered.resource_schemas, "resource type"),
        data_source_schemas: narrowing.schemas(offered.data_source_schemas, "data source"),
        ephemeral_resource_schemas: narrowing.schemas(offered.ephemeral_resource_schemas, "ephemeral resource type"),
        list_resource_schemas: narrowing.schemas(offered.list_resource_schemas, "list resource type"),
        action_schemas,
        functions: offered.functions,
        server_capabilities: offered.server_capabilities,
        diagnostics: Vec::new(),
    };
    diagnostics.extend(wire6::diagnostics(narrowing.misfits));
    pb::get_provider_schema::Response { diagnostics, ..response }
}

/// Collects what does not fit, so that the user learns all of it at once.
#[derive(Default)]
struct Narrowing {
    misfits: Diagnostics,
}

impl Narrowing {
    fn misfit(&mut self, what: &str, name: &str, place: &str) {
        let detail = format!(
            "{what} {name:?} of the {place} cannot be said in protocol 5, the newest that this host and the provider \
             have in common. Terraform from version 1.0 on and OpenTofu speak protocol 6."
        );
        self.misfits.push(Diagnostic::error("Provider needs protocol 6", detail));
    }

    fn schemas(&mut self, schemas: BTreeMap<String, pb6::Schema>, kind: &str) -> BTreeMap<String, pb::Schema> {
        schemas
            .into_iter()
            .map(|(name, schema)| {
                let place = format!("{kind} {name:?}");
                (name, self.schema(schema, &place))
            })
            .collect()
    }

    fn schema(&mut self, schema: pb6::Schema, place: &str) -> pb::Schema {
        let block = schema.block.map(|block| self.block(block, "", place));
        pb::Schema { version: schema.version, block }
    }

    /// `within` is the path to the block, with a dot at its end.
    fn block(&mut self, block: pb6::schema::Block, within: &str, place: &str) -> pb::schema::Block {
        let attributes = block.attributes.into_iter().map(|attribute| self.attribute(attribute, within, place));
        let attributes = attributes.collect();
        let block_types = block.block_types.into_iter().map(|nested| self.nested_block(nested, within, place));
        pb::schema::Block {
            version: block.version,
            attributes,
            block_types: block_types.collect(),
            description: block.description,
            description_kind: block.description_kind,
            deprecated: block.deprecated,
            deprecation_message: block.deprecation_message,
        }
    }

    fn nested_block(&mut self, nested: pb6::schema::NestedBlock, within: &str, place: &str) -> pb::schema::NestedBlock {
        let path = format!("{within}{}", nested.type_name);
        let block = nested.block.map(|block| {
            if block.computed {
                self.misfit("The computed block", &path, place);
            }
            self.block(block, &format!("{path}."), place)
        });
        pb::schema::NestedBlock {
            type_name: nested.type_name,
            block,
            // The numbers are the same in both protocols.
            nesting: nested.nesting,
            min_items: nested.min_items,
            max_items: nested.max_items,
        }
    }

    fn attribute(&mut self, attribute: pb6::schema::Attribute, within: &str, place: &str) -> pb::schema::Attribute {
        if attribute.nested_type.is_some() {
            self.misfit("The attribute with attributes of its own", &format!("{within}{}", attribute.name), place);
        }
        pb::schema::Attribute {
            name: attribute.name,
            r#type: attribute.r#type,
            description: attribute.description,
            required: attribute.required,
            optional: attribute.optional,
            computed: attribute.computed,
            sensitive: attribute.sensitive,
            description_kind: attribute.description_kind,
            deprecated: attribute.deprecated,
            write_only: attribute.write_only,
            deprecation_message: attribute.deprecation_message,
        }
    }
}

#[cfg(test)]
mod tests {
    use prost::Message as _;

    use super::*;

    fn resource(block: pb6::schema::Block) -> pb6::get_provider_schema::Response {
        let schema = pb6::Schema { version: 3, block: Some(block) };
        let resource_schemas = [("tiny_note".to_owned(), schema)].into();
        pb6::get_provider_schema::Response { resource_schemas, ..Default::default() }
    }

    fn nested(name: &str, block: pb6::schema::Block) -> pb6::schema::NestedBlock {
        let nesting = pb6::schema::nested_block::NestingMode::Group.into();
        let type_name = name.to_owned();
        pb6::schema::NestedBlock { type_name, block: Some(block), nesting, min_items: 1, max_items: 2 }
    }

    fn full_attribute() -> pb6::schema::Attribute {
        pb6::schema::Attribute {
            name: "a".to_owned(),
            r#type: "\"string\"".into(),
            nested_type: None,
            description: "what".to_owned(),
            required: true,
            optional: true,
            computed: true,
            sensitive: true,
            description_kind: pb6::StringKind::Markdown.into(),
            deprecated: true,
            write_only: true,
            deprecation_message: "old".to_owned(),
        }
    }

    #[test]
    fn every_flag_reaches_its_field_of_protocol_5() {
        let content = pb6::schema::Block { attributes: vec![full_attribute()], ..Default::default() };
        let root = pb6::schema::Block {
            block_types: vec![nested("b", content)],
            description: "root".to_owned(),
            description_kind: pb6::StringKind::Markdown.into(),
            deprecated: true,
            deprecation_message: "gone".to_owned(),
            ..Default::default()
        };
        let narrowed = provider_schema(resource(root));
        assert_eq!(narrowed.diagnostics, []);
        let schema = &narrowed.resource_schemas["tiny_note"];
        let block = schema.block.as_ref().unwrap();
        assert_eq!((schema.version, block.deprecated, block.deprecation_message.as_str()), (3, true, "gone"));
        let nested = &block.block_types[0];
        assert_eq!(nested.nesting(), pb::schema::nested_block::NestingMode::Group);
        assert_eq!((nested.min_items, nested.max_items), (1, 2));
        let attribute = &nested.block.as_ref().unwrap().attributes[0];
        // Every field is set, so the encoding has each number once; 10 and 11 are what differs from protocol 6.
        assert!(attribute.write_only && attribute.sensitive && attribute.deprecated);
        assert_eq!(attribute.encode_to_vec()[attribute.encoded_len() - 7..], [0x50, 1, 0x5a, 3, b'o', b'l', b'd']);
    }

    #[test]
    fn what_needs_protocol_6_is_named_with_its_path() {
        let object = pb6::schema::Attribute {
            name: "rules".to_owned(),
            nested_type: Some(pb6::schema::Object::default()),
            ..Default::default()
        };
        let inner = pb6::schema::Block { attributes: vec![object], computed: true, ..Default::default() };
        let outer = pb6::schema::Block { block_types: vec![nested("inner", inner)], ..Default::default() };
        let root = pb6::schema::Block { block_types: vec![nested("outer", outer)], ..Default::default() };
        let narrowed = provider_schema(resource(root));
        let said: Vec<_> =
            narrowed.diagnostics.iter().map(|said| said.detail.split(" cannot").next().unwrap()).collect();
        let expected = [
            "The computed block \"outer.inner\" of the resource type \"tiny_note\"",
            "The attribute with attributes of its own \"outer.inner.rules\" of the resource type \"tiny_note\"",
        ];
        assert_eq!(said, expected);
        assert!(narrowed.diagnostics.iter().all(|said| said.severity() == pb6::diagnostic::Severity::Error));
    }
}
