//! One page: front matter, and the sections of its kind.

use denobridge_core::schema::{Description, DescriptionKind};

use super::sources::Example;
use super::{Content, Documentation, Page, PageKind, Problem, Subject, function, plain, schema};

/// In the front matter of every generated page: pages that people wrote are never removed.
pub(super) const MARK: &str = "# Generated from the provider's schema. Changes are lost; write them into the schema.";

/// The page on `subject`, with what is wrong with its examples added to `problems`.
pub(super) fn page(documentation: &Documentation, subject: &Subject<'_>, problems: &mut Vec<Problem>) -> Page {
    let writer = PageWriter { documentation, subject };
    let mut sections = vec![writer.front_matter(), writer.title()];
    sections.extend(writer.deprecation());
    sections.extend(writer.description());
    sections.extend(writer.examples(problems));
    match subject.content {
        Content::Schema(content) => sections.push(schema::markdown(&content.block)),
        Content::Function(signature) => sections.push(function::markdown(subject.name, signature)),
    }
    if subject.kind == PageKind::Resource {
        sections.extend(writer.import(problems));
    }
    let sections: Vec<&str> = sections.iter().map(|section| section.trim_end()).collect();
    Page {
        path: subject.kind.page_path(&documentation.provider, subject.name),
        text: format!("{}\n", sections.join("\n\n")),
    }
}

struct PageWriter<'p> {
    documentation: &'p Documentation,
    subject: &'p Subject<'p>,
}

impl PageWriter<'_> {
    fn front_matter(&self) -> String {
        let Self { documentation, subject } = self;
        let kind = subject.kind;
        let title = match kind {
            PageKind::Provider => format!("{} Provider", subject.name),
            _ => format!("{} {} - terraform-provider-{}", subject.name, kind.title(), documentation.provider),
        };
        let key = (kind, subject.name.to_owned());
        let subcategory = documentation.subcategories.get(&key).map_or("", String::as_str);
        let mut lines = vec!["---".to_owned(), MARK.to_owned(), format!("page_title: {}", quoted(&title))];
        // The page of the provider is in no category.
        if kind != PageKind::Provider {
            lines.push(format!("subcategory: {}", quoted(subcategory)));
        }
        lines.push(format!("description: {}", block_text(&self.summary())));
        lines.push("---".to_owned());
        lines.join("\n")
    }

    /// The description for lists and search results.
    fn summary(&self) -> String {
        match self.subject.content {
            Content::Schema(schema) => as_plain(&schema.block.description),
            Content::Function(signature) if signature.summary.trim().is_empty() => as_plain(&signature.description),
            Content::Function(signature) => signature.summary.trim().to_owned(),
        }
    }

    fn title(&self) -> String {
        let (name, title) = (self.subject.name, self.subject.kind.title());
        match self.subject.kind {
            PageKind::Provider => format!("# {name} Provider"),
            PageKind::Function => format!("# function: {name}"),
            _ => format!("# {name} ({title})"),
        }
    }

    fn deprecation(&self) -> Option<String> {
        let instead = self.subject.content.deprecation()?.trim();
        // A callout, in the registry's own Markdown.
        Some(if instead.is_empty() { "~> **Deprecated**".to_owned() } else { format!("~> **Deprecated:** {instead}") })
    }

    fn description(&self) -> Option<String> {
        let text = match self.subject.content {
            Content::Schema(schema) => schema.block.description.text.trim(),
            Content::Function(signature) => match signature.description.text.trim() {
                "" => signature.summary.trim(),
                text => text,
            },
        };
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn examples(&self, problems: &mut Vec<Problem>) -> Option<String> {
        let examples = self.documentation.sources.examples(self.subject.kind, self.subject.name);
        let blocks: Vec<String> = examples.iter().filter_map(|example| code("terraform", example, problems)).collect();
        (!blocks.is_empty()).then(|| format!("## Example Usage\n\n{}", blocks.join("\n\n")))
    }

    fn import(&self, problems: &mut Vec<Problem>) -> Option<String> {
        let folder = self.subject.kind.example_folder(self.subject.name);
        let source = |file: &str| self.documentation.sources.get(&format!("{folder}{file}"));
        let mut ways = Vec::new();
        if let Some(example) = source("import-by-identity.tf") {
            ways.extend(self.import_by_identity(&example, problems));
        }
        if let Some(block) = source("import-by-string-id.tf").and_then(|file| code("terraform", &file, problems)) {
            ways.push(format!(
                "With an [`import` block]({ABOUT_IMPORT}) and an id (Terraform 1.5 or later):\n\n{block}"
            ));
        }
        if let Some(block) = source("import.sh").and_then(|file| code("shell", &file, problems)) {
            ways.push(format!("With [`terraform import`]({ABOUT_IMPORT_COMMAND}):\n\n{block}"));
        }
        (!ways.is_empty()).then(|| format!("## Import\n\n{}", ways.join("\n\n")))
    }

    fn import_by_identity(&self, example: &Example<'_>, problems: &mut Vec<Problem>) -> Option<String> {
        let Some(identity) = self.documentation.schema.identities.get(self.subject.name) else {
            let resource = self.subject.name.to_owned();
            problems.push(Problem::NoIdentity { path: example.path.to_owned(), resource });
            return None;
        };
        let block = code("terraform", example, problems)?;
        let attributes = schema::identity_markdown(identity);
        let head = format!("With an [`import` block]({ABOUT_IMPORT}) and an identity (Terraform 1.12 or later):");
        Some(format!("{head}\n\n{block}\n\n{}", attributes.trim_end()))
    }
}

const ABOUT_IMPORT: &str = "https://developer.hashicorp.com/terraform/language/import";
const ABOUT_IMPORT_COMMAND: &str = "https://developer.hashicorp.com/terraform/cli/commands/import";

fn code(language: &str, example: &Example<'_>, problems: &mut Vec<Problem>) -> Option<String> {
    let text = example.text.trim();
    if text.is_empty() {
        problems.push(Problem::EmptyExample { path: example.path.to_owned() });
        return None;
    }
    Some(format!("```{language}\n{text}\n```"))
}

fn as_plain(description: &Description) -> String {
    match description.kind {
        DescriptionKind::Plain => description.text.trim().to_owned(),
        DescriptionKind::Markdown => plain::plain(&description.text),
    }
}

/// A text in YAML's double quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A text of any number of lines as YAML: a literal block, in which nothing has a meaning.
fn block_text(text: &str) -> String {
    if text.is_empty() {
        return "\"\"".to_owned();
    }
    let lines: Vec<String> = text.lines().map(|line| format!("  {line}").trim_end().to_owned()).collect();
    format!("|-\n{}", lines.join("\n"))
}
