use std::path::PathBuf;
use std::sync::Arc;

use denobridge_core::cty::{Type, Value};
use denobridge_core::schema::{Annotations, Attribute, Block, ProviderSchema, Schema};

use super::plain::plain;
use super::*;

fn provider() -> Arc<ProviderSchema> {
    let name = Attribute { required: true, ..Attribute::new("name", Type::String) };
    let thing = Schema { version: 0, block: Block { attributes: vec![name], ..Block::default() } };
    Arc::new(ProviderSchema { resources: [("some_thing".into(), thing)].into(), ..ProviderSchema::default() })
}

fn generate(sources: &[(&str, &str)]) -> Generated {
    let mut files = Sources::default();
    for (path, text) in sources {
        files.add(*path, *text);
    }
    Documentation::new("some", provider()).with_sources(files).generate()
}

fn paths(generated: &Generated) -> Vec<&str> {
    generated.pages.iter().map(|page| page.path.as_str()).collect()
}

#[test]
fn markdown_loses_its_marks_and_nothing_else() {
    for (markdown, expected) in [
        ("# A title\n\nA **bold** word, `code * _x_`, and _more_.", "A title\nA bold word, code * _x_, and more."),
        ("See [the *guide*](https://example.com/a) or [below](#b).", "See the guide https://example.com/a or below."),
        ("![picture](a.png)left", "left"),
        ("names_with_marks, 2 * 3, *.example.com", "names_with_marks, 2 * 3, *.example.com"),
        (r"\*not bold\* and a [bracket]", "*not bold* and a [bracket]"),
        ("> quoted\n\n```sh\nrun --all *\n```\nend", "quoted\nrun --all *\nend"),
        ("`unclosed and [open](", "`unclosed and [open]("),
    ] {
        assert_eq!(plain(markdown), expected);
    }
}

#[test]
fn examples_are_shown_by_name_and_those_of_nothing_are_told() {
    let generated = generate(&[
        ("examples/resources/some_thing/resource.tf", "first\n"),
        ("examples/resources/some_thing/resource_b.tf", "second\n"),
        ("examples/resources/some_thing/main.tf", "not an example"),
        ("examples/resources/some_thing/module/resource.tf", "not an example"),
        ("examples/resources/some_other/resource.tf", "gone"),
        ("examples/demo/main.tf", "something else"),
    ]);
    let text = &generated.pages[1].text;
    assert!(
        text.contains("## Example Usage\n\n```terraform\nfirst\n```\n\n```terraform\nsecond\n```\n\n## Schema"),
        "{text}"
    );
    assert!(!text.contains("not an example"));
    let path = "examples/resources/some_other/resource.tf".to_owned();
    assert_eq!(generated.problems, [Problem::ExampleOfNothing { path }]);
}

#[test]
fn an_example_must_say_something_and_fit_the_resource() {
    let identity = "examples/resources/some_thing/import-by-identity.tf";
    let empty = "examples/resources/some_thing/resource.tf";
    let generated = generate(&[(identity, "import {}"), (empty, " \n")]);
    let expected = [
        Problem::EmptyExample { path: empty.to_owned() },
        Problem::NoIdentity { path: identity.to_owned(), resource: "some_thing".to_owned() },
    ];
    assert_eq!(generated.problems, expected);
    assert!(!generated.pages[1].text.contains("## Import"));
}

#[test]
fn a_page_that_somebody_wrote_takes_the_place_of_the_generated_one() {
    let generated = generate(&[("templates/resources/thing.md", "mine"), ("templates/guides/start.md", "guide")]);
    assert_eq!(paths(&generated), ["docs/guides/start.md", "docs/index.md", "docs/resources/thing.md"]);
    assert_eq!(generated.pages[2].text, "mine");
}

#[test]
fn the_default_of_a_secret_is_not_shown() {
    let annotations = Annotations { default: Some(Value::string("hunter2")), ..Annotations::default() };
    let key = Attribute {
        optional: true,
        sensitive: true,
        annotations: Some(Arc::new(annotations)),
        ..Attribute::new("key", Type::String)
    };
    let text = schema::markdown(&Block { attributes: vec![key], ..Block::default() });
    assert_eq!(text, "## Schema\n\n### Optional\n\n- `key` (String, Sensitive)\n");
}

#[test]
fn pages_that_the_registry_would_not_show_are_told() {
    let page = |number: usize, size: usize| Page { path: format!("docs/{number}.md"), text: "x".repeat(size) };
    let mut pages: Vec<Page> = (0..MOST_PAGES).map(|number| page(number, 1)).collect();
    pages[3] = page(3, LARGEST_PAGE - 1);
    assert_eq!(problem::beyond_the_registry(&pages), []);
    pages.push(page(MOST_PAGES, LARGEST_PAGE));
    let path = format!("docs/{MOST_PAGES}.md");
    let expected =
        [Problem::PageTooLarge { path, size: LARGEST_PAGE }, Problem::TooManyPages { count: MOST_PAGES + 1 }];
    assert_eq!(problem::beyond_the_registry(&pages), expected);
}

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("denobridge-documentation-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_is_on_disk_is_compared_and_only_generated_pages_are_removed() {
    let folder = Folder::new("disk");
    let pages = generate(&[]).pages;
    let expected = ["docs/index.md: missing", "docs/resources/thing.md: missing"].map(str::to_owned).to_vec();
    assert_eq!(check(&folder.0, &pages), Err(Error::NotCurrent { differences: expected }));

    write(&folder.0, &pages).unwrap();
    assert_eq!(check(&folder.0, &pages), Ok(()));
    let resources = folder.0.join("docs/resources");
    let page = std::fs::read_to_string(resources.join("thing.md")).unwrap();
    std::fs::write(resources.join("old.md"), &page).unwrap();
    std::fs::write(resources.join("written.md"), "by somebody").unwrap();
    std::fs::write(resources.join("thing.md"), page.replace("# some_thing", "# something")).unwrap();
    let expected =
        ["docs/resources/thing.md: differs from line 8", "docs/resources/old.md: documents nothing"].map(str::to_owned);
    assert_eq!(check(&folder.0, &pages), Err(Error::NotCurrent { differences: expected.to_vec() }));

    write(&folder.0, &pages).unwrap();
    assert_eq!(check(&folder.0, &pages), Ok(()));
    assert!(resources.join("written.md").exists() && !resources.join("old.md").exists());
}

#[test]
fn line_ends_of_windows_make_no_difference() {
    let folder = Folder::new("line-ends");
    let pages = generate(&[]).pages;
    for page in &pages {
        let path = folder.0.join(&page.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, page.text.replace('\n', "\r\n")).unwrap();
    }
    assert_eq!(check(&folder.0, &pages), Ok(()));
    let example = folder.0.join("examples/provider");
    std::fs::create_dir_all(&example).unwrap();
    std::fs::write(example.join("provider.tf"), "a\r\nb\r\n").unwrap();
    let sources = Sources::read(&folder.0).unwrap();
    assert_eq!(sources.get("examples/provider/provider.tf").unwrap().text, "a\nb\n");
}
