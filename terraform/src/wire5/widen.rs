//! The schema of a provider of protocol 5, in protocol 6's form. All that protocol 5 can say has a place there.

use std::collections::BTreeMap;

use crate::proto::{tfplugin5 as pb, tfplugin6 as pb6};

/// The whole schema.
pub(crate) fn provider_schema(offered: pb::get_provider_schema::Response) -> pb6::get_provider_schema::Response {
    let action = |action: pb::ActionSchema| pb6::ActionSchema { schema: action.schema.map(schema) };
    pb6::get_provider_schema::Response {
        provider: offered.provider.map(schema),
        provider_meta: offered.provider_meta.map(schema),
        resource_schemas: schemas(offered.resource_schemas),
        data_source_schemas: schemas(offered.data_source_schemas),
        ephemeral_resource_schemas: schemas(offered.ephemeral_resource_schemas),
        list_resource_schemas: schemas(offered.list_resource_schemas),
        state_store_schemas: BTreeMap::new(),
        action_schemas: offered.action_schemas.into_iter().map(|(name, found)| (name, action(found))).collect(),
        functions: offered.functions,
        server_capabilities: offered.server_capabilities,
        diagnostics: offered.diagnostics,
    }
}

fn schemas(schemas: BTreeMap<String, pb::Schema>) -> BTreeMap<String, pb6::Schema> {
    schemas.into_iter().map(|(name, found)| (name, schema(found))).collect()
}

fn schema(schema: pb::Schema) -> pb6::Schema {
    pb6::Schema { version: schema.version, block: schema.block.map(block) }
}

fn block(block: pb::schema::Block) -> pb6::schema::Block {
    pb6::schema::Block {
        version: block.version,
        attributes: block.attributes.into_iter().map(attribute).collect(),
        block_types: block.block_types.into_iter().map(nested_block).collect(),
        description: block.description,
        description_kind: block.description_kind,
        deprecated: block.deprecated,
        deprecation_message: block.deprecation_message,
        computed: false,
    }
}

fn nested_block(nested: pb::schema::NestedBlock) -> pb6::schema::NestedBlock {
    pb6::schema::NestedBlock {
        type_name: nested.type_name,
        block: nested.block.map(block),
        // The numbers are the same in both protocols.
        nesting: nested.nesting,
        min_items: nested.min_items,
        max_items: nested.max_items,
    }
}

fn attribute(attribute: pb::schema::Attribute) -> pb6::schema::Attribute {
    pb6::schema::Attribute {
        name: attribute.name,
        r#type: attribute.r#type,
        nested_type: None,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_narrowed_comes_back_the_same() {
        let attribute = pb6::schema::Attribute {
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
        };
        let inner = pb6::schema::Block { attributes: vec![attribute], ..Default::default() };
        let nested = pb6::schema::NestedBlock {
            type_name: "b".to_owned(),
            block: Some(inner),
            nesting: pb6::schema::nested_block::NestingMode::Set.into(),
            min_items: 1,
            max_items: 2,
        };
        let root = pb6::schema::Block {
            block_types: vec![nested],
            description: "root".to_owned(),
            deprecated: true,
            deprecation_message: "gone".to_owned(),
            ..Default::default()
        };
        let schema = || pb6::Schema { version: 3, block: Some(root.clone()) };
        let named = || BTreeMap::from([("tiny_note".to_owned(), schema())]);
        let offered = pb6::get_provider_schema::Response {
            provider: Some(schema()),
            provider_meta: Some(schema()),
            resource_schemas: named(),
            data_source_schemas: named(),
            ephemeral_resource_schemas: named(),
            list_resource_schemas: named(),
            action_schemas: [("act".to_owned(), pb6::ActionSchema { schema: Some(schema()) })].into(),
            ..Default::default()
        };
        assert_eq!(provider_schema(super::super::provider_schema(offered.clone())), offered);
    }
}
