//! Which attributes a component has, and where in what its script gets and answers each of them is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use denobridge_core::cty::{Type, Value};
use denobridge_core::schema::{Annotations, Attribute};
use denobridge_framework::schema::{SchemaKind, is_reserved};
use denobridge_sdk_gen::{ComponentKind, native};
use serde_json::Value as Json;

use super::ComponentName;
use crate::typed::TypedError;
use crate::typed::error::SchemaFault;
use crate::typed::schema::{
    Misfit, Missing, Place, Property, Role, attribute, convert_part, markdown, member, read_object, script_object,
};

/// The attribute of resources that shows that their write-only props have changed, which nothing else could.
pub(in crate::typed) const SECRETS_VERSION: &str = "write_only_props_version";

/// The schemas of a component.
pub(in crate::typed) struct Outline<'s> {
    /// The script.
    pub file: &'s str,
    /// What it is called.
    pub name: &'s ComponentName,
    /// The schema of each part, with the member of the description that it is.
    pub props: (&'static str, Option<&'s Json>),
    pub write_only: Option<&'s Json>,
    pub state: Option<&'s Json>,
    pub sensitive_state: Option<&'s Json>,
}

/// The attributes of a component, by the part that they belong to.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::typed) struct Layout {
    pub props: Vec<Property>,
    pub write_only: Vec<Property>,
    pub state: Vec<Property>,
    pub sensitive: Vec<Property>,
    kind: ComponentKind,
}

/// The props, by Terraform's names, that the program has not given although they have a value: the script's own.
pub(in crate::typed) type LeftOut = BTreeSet<String>;

impl Layout {
    /// Reads the schemas.
    pub fn read(outline: &Outline<'_>) -> Result<Self, TypedError> {
        let part = |member: &'static str, schema: Option<&Json>| match schema {
            Some(schema) => read_object(schema, &Place::new(outline.file, member)),
            None => Ok(Vec::new()),
        };
        let mut layout = Self {
            props: part(outline.props.0, outline.props.1)?,
            write_only: part("writeOnlyProps", outline.write_only)?,
            state: part("state", outline.state)?,
            sensitive: part("sensitiveState", outline.sensitive_state)?,
            kind: outline.name.kind,
        };
        layout.check(outline)?;
        layout.rename(outline);
        layout.check_names(outline)?;
        Ok(layout)
    }

    /// What it is the layout of.
    pub fn kind(&self) -> ComponentKind {
        self.kind
    }

    fn has_id(&self) -> bool {
        self.kind == ComponentKind::Resource
    }

    fn parts(&self, outline: &Outline<'_>) -> [(&'static str, &Vec<Property>); 4] {
        [
            (outline.props.0, &self.props),
            ("writeOnlyProps", &self.write_only),
            ("state", &self.state),
            ("sensitiveState", &self.sensitive),
        ]
    }

    /// A prop may also be state. No other two parts share a name.
    fn check(&self, outline: &Outline<'_>) -> Result<(), TypedError> {
        let parts = self.parts(outline);
        for (index, (member, properties)) in parts.iter().enumerate() {
            for property in *properties {
                let place = Place::new(outline.file, member).inside(&property.script);
                for (other, others) in parts.iter().take(index) {
                    let Some(same) = others.iter().find(|other| other.script == property.script) else { continue };
                    if *other != outline.props.0 || *member == "writeOnlyProps" {
                        return Err(place.fault(SchemaFault::Twice { other }));
                    }
                    if same.shape.ty() != property.shape.ty() {
                        let other = format!("{other}.{}", same.script);
                        return Err(place.fault(SchemaFault::TwoTypes { other }));
                    }
                }
                if *member == "writeOnlyProps" && property.facts.replaces {
                    return Err(place.fault(SchemaFault::ReplacingSecret));
                }
            }
        }
        Ok(())
    }

    /// A name that a tool keeps for itself gets the component's in front there, and one that we keep in both.
    fn rename(&mut self, outline: &Outline<'_>) {
        let (has_id, tracks_secrets) = (self.has_id(), self.tracks_secrets());
        let is_ours = |name: &str| (has_id && name == "id") || (tracks_secrets && name == SECRETS_VERSION);
        let prefixes = outline.name.prefixes();
        let properties =
            [&mut self.props, &mut self.write_only, &mut self.state, &mut self.sensitive].into_iter().flatten();
        for property in properties {
            let is_ours = is_ours(&property.terraform);
            if is_ours || is_reserved(SchemaKind::Other, &property.terraform) {
                property.prefix_in_terraform(&prefixes.0);
            }
            if is_ours || !native::is_property_name(self.kind.level(), &property.script) {
                property.prefix_in_pulumi(&prefixes.1);
            }
        }
    }

    /// Names that differ in scripts may be the same in Terraform.
    fn check_names(&self, outline: &Outline<'_>) -> Result<(), TypedError> {
        let mut names: BTreeMap<&str, (&str, &Property)> = BTreeMap::new();
        for (member, properties) in self.parts(outline) {
            for property in properties {
                match names.insert(&property.terraform, (member, property)) {
                    Some((first, other)) if other.script != property.script => {
                        let place = Place::new(outline.file, member).inside(&property.script);
                        let other = format!("{first}.{}", other.script);
                        let name = property.terraform.to_string();
                        return Err(place.fault(SchemaFault::SameName { other, name }));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// The attributes, in the order of the schemas.
    pub fn attributes(&self) -> Vec<Attribute> {
        let given = self.props.iter().map(|property| attribute(property, self.role(property)));
        let secret = self.write_only.iter().map(|property| attribute(property, Role::GivenOnce));
        let found = [(&self.state, false), (&self.sensitive, true)].into_iter().flat_map(|(properties, sensitive)| {
            let own = properties.iter().filter(|property| !is_in(&self.props, property));
            own.map(move |property| attribute(property, Role::Found { sensitive }))
        });
        given.chain(secret).chain(found).chain(self.own_attributes()).collect()
    }

    fn role(&self, property: &Property) -> Role {
        let sensitive = is_in(&self.sensitive, property);
        match sensitive || is_in(&self.state, property) {
            true => Role::GivenOrFound { sensitive },
            false => Role::Given,
        }
    }

    /// What every object has.
    fn own_attributes(&self) -> impl Iterator<Item = Attribute> {
        let id = self.has_id().then(|| Attribute {
            computed: true,
            description: markdown(Some("What the script calls the object.")),
            ..Attribute::new("id", Type::String)
        });
        let whole = Annotations { whole_number: true, ..Annotations::default() };
        let version = self.tracks_secrets().then(|| Attribute {
            computed: true,
            description: markdown(Some("Goes up by one whenever a write-only attribute has changed.")),
            annotations: Some(Arc::new(whole)),
            ..Attribute::new(SECRETS_VERSION, Type::Number)
        });
        id.into_iter().chain(version)
    }

    /// Whether changes of write-only props have to be noticed.
    pub fn tracks_secrets(&self) -> bool {
        self.has_id() && !self.write_only.is_empty()
    }

    /// The props that the script sets where the program does not.
    fn shared(&self) -> impl Iterator<Item = &Property> {
        let is_free = |property: &&Property| !property.must_be_given() && property.facts.default.is_none();
        self.props.iter().filter(is_free).filter(|property| self.role(property) != Role::Given)
    }

    /// The props that a configuration leaves to the script.
    pub fn left_out(&self, config: &Value) -> LeftOut {
        let left = self.shared().filter(|property| config.attribute(&property.terraform).is_none_or(Value::is_null));
        left.map(|property| property.terraform.to_string()).collect()
    }

    /// Those that an object which was only found has beside its props.
    pub fn left_out_of(&self, props: &Value) -> LeftOut {
        let left = self.shared().filter(|property| props.attribute(&property.script).is_none_or(Value::is_null));
        left.map(|property| property.terraform.to_string()).collect()
    }

    /// The props that the script gets for an object.
    pub fn props_of(&self, object: &Value, left_out: &LeftOut) -> Value {
        script_object(&self.props, object, &|property| !left_out.contains(&*property.terraform))
    }

    /// The write-only props of a configuration; null where none is given.
    pub fn write_only_of(&self, config: &Value) -> Value {
        let given = script_object(&self.write_only, config, &|_| true);
        let is_empty = given.as_entries().is_some_and(|members| members.values().all(Value::is_null));
        if is_empty { Value::null(Type::Dynamic) } else { given }
    }

    /// The state of an object as the script has answered it.
    pub fn state_of(&self, object: &Value) -> Value {
        found(&self.state, object)
    }

    /// The secret part of it.
    pub fn sensitive_state_of(&self, object: &Value) -> Value {
        found(&self.sensitive, object)
    }

    /// The object with what the script has answered, where the program has not given it. `answers` are the state and its
    /// secret part.
    pub fn with_answers(
        &self,
        object: Value,
        answers: [&Value; 2],
        left_out: &LeftOut,
        missing: Missing,
    ) -> (Value, Vec<Misfit>) {
        let mut misfits = Vec::new();
        let mut object = object;
        for ((member, properties), answer) in self.answered().into_iter().zip(answers) {
            for property in properties {
                if self.is_given(property, left_out) {
                    continue;
                }
                let value = convert_part(member, &mut misfits, |misfits| {
                    self::member(property, answer.attribute(&property.script), missing, misfits)
                });
                object = object.with_attribute(Arc::clone(&property.terraform), value);
            }
        }
        (object, misfits)
    }

    /// Whether the program has given a value, which then counts whatever the script answers.
    pub fn is_given(&self, property: &Property, left_out: &LeftOut) -> bool {
        is_in(&self.props, property) && !left_out.contains(&*property.terraform)
    }

    /// What the script answers, by the names of the generic attributes.
    pub fn answered(&self) -> [(&'static str, &Vec<Property>); 2] {
        [("state", &self.state), ("sensitive_state", &self.sensitive)]
    }
}

/// The members of an answer that attributes hold. Of what the script had answered nothing is null.
fn found(properties: &[Property], object: &Value) -> Value {
    match properties.is_empty() {
        true => Value::null(Type::Dynamic),
        false => script_object(properties, object, &|_| true),
    }
}

fn is_in(properties: &[Property], property: &Property) -> bool {
    properties.iter().any(|other| other.script == property.script)
}
