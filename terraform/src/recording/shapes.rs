//! Which type the values in a message have: the provider's schema tells it by what the message is about.

use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::mark_sensitive;
use denobridge_core::schema::{Block, ProviderSchema, Schema};

/// What a message is about.
#[derive(Clone, Copy)]
pub(super) struct About<'a> {
    pub schema: &'a ProviderSchema,
    /// The protocol's name of the procedure, in either protocol.
    pub procedure: &'a str,
    /// The component's type name, or the function's name; empty for the provider.
    pub name: &'a str,
}

/// What the schema says of a value.
pub(super) enum Shape<'a> {
    Component(&'a Schema),
    Plain(Type),
}

impl Shape<'_> {
    pub fn ty(&self) -> Type {
        match self {
            Self::Component(schema) => schema.implied_type(),
            Self::Plain(ty) => ty.clone(),
        }
    }

    pub fn block(&self) -> Option<&Block> {
        match self {
            Self::Component(schema) => Some(&schema.block),
            Self::Plain(_) => None,
        }
    }

    /// The value with what the schema calls secret marked.
    pub fn marked(&self, value: Value) -> Value {
        self.block().map_or_else(|| value.clone(), |block| mark_sensitive(block, &value))
    }
}

impl<'a> About<'a> {
    /// The shape of the value in that field; for fields with several, of the one at `index`.
    pub fn shape(&self, field: &str, index: usize) -> Option<Shape<'a>> {
        let plain = |ty: &Type| Some(Shape::Plain(ty.clone()));
        match field {
            "provider_meta" => self.schema.provider_meta.as_ref().map(Shape::Component),
            "identity_data" => {
                let identity = self.schema.identities.get(self.name)?;
                Some(Shape::Plain(identity.implied_type()))
            }
            "include_resource_object" => plain(&Type::Bool),
            "limit" => plain(&Type::Number),
            "arguments" => {
                let signature = self.schema.functions.get(self.name)?;
                plain(&signature.parameters.get(index).or(signature.variadic.as_ref())?.ty)
            }
            "result" if self.procedure == "CallFunction" => plain(&self.schema.functions.get(self.name)?.returns),
            "resource_object" => self.schema.resources.get(self.name).map(Shape::Component),
            _ => self.component().map(Shape::Component),
        }
    }

    fn component(&self) -> Option<&'a Schema> {
        let Self { schema, procedure, name } = *self;
        match procedure {
            "ValidateProviderConfig" | "PrepareProviderConfig" | "ConfigureProvider" | "Configure" => {
                Some(&schema.provider)
            }
            _ if procedure.contains("Data") => schema.data_sources.get(name),
            _ if procedure.contains("Ephemeral") => schema.ephemeral_resources.get(name),
            _ if procedure.contains("ListResource") => schema.list_resources.get(name),
            _ if procedure.contains("Action") => schema.actions.get(name),
            _ if procedure.contains("StateStore") => schema.state_stores.get(name),
            _ => schema.resources.get(name),
        }
    }
}
