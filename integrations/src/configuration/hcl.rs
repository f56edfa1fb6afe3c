//! Configuration in HCL, in the grammar of the proposal for Terraform: `terraform { integrations { integration "name" { … } } }`.
//! The two outer blocks may be left out, since the file has nothing else.

use hcl_edit::expr::{Expression, Object, ObjectKey};
use hcl_edit::structure::{Block, Body, Structure};
use hcl_edit::template::{Element, HeredocTemplate};
use hcl_edit::{Number, Span};

use super::document::{Depth, Kind, Lines, Member, Table, Value};
use super::error::{Fault, Faults};

/// The blocks that may stand around integrations, from the outside.
const AROUND: [&str; 2] = ["terraform", "integrations"];

/// Reads a text into the form of the other syntaxes: a list `integration` of tables that have a `name`.
pub(super) fn read(text: &str, faults: &mut Faults) -> Option<Table> {
    let body = match hcl_edit::parser::parse_body(text) {
        Ok(body) => body,
        Err(error) => {
            faults.add(error.location().line(), Fault::Syntax(error.message().to_owned()));
            return None;
        }
    };
    let mut reader = Reader { lines: Lines::of(text), faults };
    let (mut table, mut integrations) = (Table::default(), Vec::new());
    reader.read_outer(&body, &AROUND, &mut table, &mut integrations);
    if let Some(first) = integrations.first() {
        let line = first.line;
        let value = Value { line, kind: Kind::List(integrations) };
        table.add(Member { key: "integration".to_owned(), line, value }, faults);
    }
    Some(table)
}

struct Reader<'t, 'f> {
    lines: Lines<'t>,
    faults: &'f mut Faults,
}

impl Reader<'_, '_> {
    fn line(&self, of: &impl Span) -> usize {
        self.lines.at(of.span().map_or(0, |span| span.start))
    }

    /// What stands around integrations. `around` are the blocks that may still be opened.
    fn read_outer(&mut self, body: &Body, around: &[&str], table: &mut Table, integrations: &mut Vec<Value>) {
        for structure in body {
            let block = match structure {
                Structure::Attribute(_) => {
                    self.read_structure(structure, Depth::TOP, table);
                    continue;
                }
                Structure::Block(block) => block,
            };
            match around.iter().position(|name| *name == block.ident.as_str()) {
                Some(_) if !block.labels.is_empty() => {
                    let fault = Fault::Labels("the blocks terraform and integrations have no labels");
                    self.faults.add(self.line(&block.ident), fault);
                }
                Some(index) => {
                    let further = around.get(index + 1..).unwrap_or_default();
                    self.read_outer(&block.body, further, table, integrations);
                }
                None if block.ident.as_str() == "integration" => integrations.extend(self.read_integration(block)),
                None => self.read_structure(structure, Depth::TOP, table),
            }
        }
    }

    fn read_integration(&mut self, block: &Block) -> Option<Value> {
        let line = self.line(&block.ident);
        let [label] = block.labels.as_slice() else {
            self.faults.add(line, Fault::Labels("an integration has one label, its name: integration \"name\" { … }"));
            return None;
        };
        let mut table = Table::default();
        let name = Value { line, kind: Kind::Text(label.as_str().to_owned()) };
        table.add(Member { key: "name".to_owned(), line, value: name }, self.faults);
        self.read_body(&block.body, Depth::TOP, &mut table);
        Some(Value { line, kind: Kind::Table(table) })
    }

    fn read_body(&mut self, body: &Body, depth: Depth, table: &mut Table) {
        for structure in body {
            self.read_structure(structure, depth, table);
        }
    }

    /// An attribute, or a block without labels, which is another way to write a table.
    fn read_structure(&mut self, structure: &Structure, depth: Depth, table: &mut Table) {
        let member = match structure {
            Structure::Attribute(attribute) => {
                let line = self.line(&attribute.key);
                Member { key: attribute.key.as_str().to_owned(), line, value: self.read_value(&attribute.value, depth) }
            }
            Structure::Block(block) => {
                let line = self.line(&block.ident);
                if !block.labels.is_empty() {
                    self.faults.add(line, Fault::Labels("only integrations have labels"));
                    return;
                }
                let Some(depth) = depth.further(line, self.faults) else { return };
                let mut inner = Table::default();
                self.read_body(&block.body, depth, &mut inner);
                let value = Value { line, kind: Kind::Table(inner) };
                Member { key: block.ident.as_str().to_owned(), line, value }
            }
        };
        table.add(member, self.faults);
    }

    fn read_value(&mut self, expression: &Expression, depth: Depth) -> Value {
        let line = self.line(expression);
        let Some(depth) = depth.further(line, self.faults) else { return Value { line, kind: Kind::Refused } };
        let kind = match expression {
            Expression::Null(_) => Kind::Null,
            Expression::Bool(flag) => Kind::Flag(*flag.value()),
            Expression::Number(number) => self.read_number(number.value(), line),
            Expression::String(text) => Kind::Text(text.value().clone()),
            Expression::Array(array) => {
                Kind::List(array.iter().map(|element| self.read_value(element, depth)).collect())
            }
            Expression::Object(object) => Kind::Table(self.read_object(object, depth)),
            Expression::HeredocTemplate(template) => match text_of(template) {
                Some(text) => Kind::Text(text),
                None => self.refuse("a text with ${…} in it", line),
            },
            Expression::StringTemplate(_) => self.refuse("a text with ${…} in it", line),
            Expression::UnaryOp(operation) => match (operation.operator.value().as_str(), &operation.expr) {
                ("-", Expression::Number(number)) => self.read_negative(number.value(), line),
                _ => self.refuse("an operation", line),
            },
            Expression::Parenthesis(inner) => return self.read_value(inner.inner(), depth),
            Expression::Variable(_) | Expression::Traversal(_) => self.refuse("a reference", line),
            Expression::FuncCall(_) => self.refuse("a call of a function", line),
            Expression::Conditional(_) | Expression::BinaryOp(_) => self.refuse("an operation", line),
            Expression::ForExpr(_) => self.refuse("a for expression", line),
        };
        Value { line, kind }
    }

    fn read_object(&mut self, object: &Object, depth: Depth) -> Table {
        let mut table = Table::default();
        for (key, value) in object {
            let (name, line) = match key {
                ObjectKey::Ident(name) => (name.as_str().to_owned(), self.line(name)),
                ObjectKey::Expression(Expression::String(name)) => (name.value().clone(), self.line(name)),
                ObjectKey::Expression(other) => {
                    self.refuse("a name that is not in quotes", self.line(other));
                    continue;
                }
            };
            let value = self.read_value(value.expr(), depth);
            table.add(Member { key: name, line, value }, self.faults);
        }
        table
    }

    fn refuse(&mut self, what: &'static str, line: usize) -> Kind {
        self.faults.add(line, Fault::NotLiteral(what));
        Kind::Refused
    }

    fn read_number(&mut self, number: &Number, line: usize) -> Kind {
        let whole = number.as_u64().map(Into::into).or_else(|| number.as_i64().map(Into::into));
        match whole.or_else(|| number.as_f64().and_then(serde_json::Number::from_f64)) {
            Some(number) => Kind::Number(number),
            None => {
                self.faults.add(line, Fault::Syntax(format!("the number {number} is none that can be sent on")));
                Kind::Refused
            }
        }
    }

    fn read_negative(&mut self, number: &Number, line: usize) -> Kind {
        self.read_number(&-*number, line)
    }
}

/// The text of a template without anything to fill in.
fn text_of(template: &HeredocTemplate) -> Option<String> {
    let mut template = template.clone();
    template.dedent();
    template.template.iter().map(|element| Element::as_literal(element).map(|text| text.value().as_str())).collect()
}
