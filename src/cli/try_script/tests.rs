//! The command with a real script in a real Deno. What it shows is kept in snapshots, with the folder and times taken out.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use clap::Parser;
use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;

use super::{Arguments, Printer, Style, run_with};
use crate::children::{Watcher, WatcherProgram};
use crate::deno::testing::deno;
use crate::scripted::Runtime;

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    arguments: Arguments,
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A folder with the script of these tests in it.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("note.ts"), include_str!("testdata/note.ts")).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn props(&self, name: &str, text: &str) -> Json {
        json!({ "path": self.path(name), "text": text })
    }

    /// Runs the command; whether all was well, and what it showed.
    async fn run(&self, arguments: &[&str]) -> (bool, String) {
        self.run_until(&CancellationToken::new(), arguments).await
    }

    async fn run_until(&self, stop: &CancellationToken, arguments: &[&str]) -> (bool, String) {
        let (script, deno) = (self.path("note.ts"), deno());
        let fixed = ["try", &script, "--deno", deno.to_str().unwrap(), "--config-file", "/dev/null"];
        let arguments = CommandLine::parse_from(fixed.iter().chain(arguments)).arguments;
        let shown = Shared::default();
        let printer = Arc::new(Printer::new(Box::new(shown.clone()), Style::PLAIN, arguments.verbose));
        // A test program is no watcher.
        let runtime = Runtime::with_watcher(Watcher::new(WatcherProgram::None));
        let good = run_with(&arguments, &printer, stop, &runtime).await;
        let shown = String::from_utf8(shown.0.lock().unwrap().clone()).unwrap();
        if shown.contains("→ create ") {
            assert!(shown.contains("  │ writing "), "the script's own words are missing in\n{shown}");
        }
        (good, self.cleaned(&shown))
    }

    /// Without what differs from run to run.
    fn cleaned(&self, shown: &str) -> String {
        let shown = shown.replace(self.0.path().to_str().unwrap(), "FOLDER");
        let times = regex::Regex::new(r"\(\d+ ms\)").unwrap();
        let shown = times.replace_all(&shown, "(N ms)");
        // Log lines come by another pipe than answers: their place among them is not certain.
        let kept = shown.lines().filter(|line| !line.starts_with("  │ "));
        kept.collect::<Vec<_>>().join("\n")
    }

    /// Runs a step with a state file.
    async fn step(&self, props: &Json, more: &[&str]) -> (bool, String) {
        let (props, state) = (props.to_string(), self.path("state.json"));
        let fixed = ["--allow", "read,write", "--state", &state, "--props", &props];
        self.run(&fixed.iter().chain(more).copied().collect::<Vec<_>>()).await
    }
}

fn plan_of(shown: &str) -> &str {
    shown.lines().find_map(|line| line.strip_prefix("plan: ")).unwrap_or_else(|| panic!("no plan in\n{shown}"))
}

#[tokio::test]
async fn the_whole_life_of_a_script() {
    let desk = Desk::new();
    let versions =
        [desk.props("a", "one"), desk.props("a", "two"), desk.props("b", "two")].map(|props| props.to_string());
    let (good, shown) = desk
        .run(&["--allow", "read,write", "--props", &versions[0], "--then", &versions[1], "--then", &versions[2]])
        .await;
    insta::assert_snapshot!(shown);
    assert!(good);
    assert!(!Path::new(&desk.path("a")).exists() && !Path::new(&desk.path("b")).exists());
}

#[tokio::test]
async fn a_read_that_differs_is_found() {
    let desk = Desk::new();
    let mut props = desk.props("a", "one");
    props["mischief"] = json!("drift");
    let (good, shown) = desk.run(&["--allow", "read,write", "--props", &props.to_string()]).await;
    insta::assert_snapshot!(shown);
    assert!(!good);
    assert!(!Path::new(&desk.path("a")).exists(), "what was made is deleted also when something went wrong");
}

#[tokio::test]
async fn a_creation_that_fails_halfway_is_cleaned_up() {
    let desk = Desk::new();
    let mut props = desk.props("a", "one");
    props["mischief"] = json!("half");
    let (good, shown) = desk.run(&["--allow", "read,write", "--props", &props.to_string()]).await;
    insta::assert_snapshot!(shown);
    assert!(!good);
    assert!(!Path::new(&desk.path("a")).exists());
}

#[tokio::test]
async fn a_throw_and_a_missing_permission_are_told() {
    let desk = Desk::new();
    let mut props = desk.props("a", "one");
    let (good, shown) = desk.run(&["--allow", "read", "--props", &props.to_string()]).await;
    insta::assert_snapshot!("a_missing_permission", shown);
    assert!(!good);
    props["mischief"] = json!("throw");
    let (good, shown) = desk.run(&["--allow-all", "--props", &props.to_string()]).await;
    insta::assert_snapshot!("a_throw", shown);
    assert!(!good);
}

#[tokio::test]
async fn a_state_file_step_by_step() {
    let desk = Desk::new();
    let (one, two) = (desk.props("a", "one"), desk.props("a", "two"));
    let file = desk.path("a");
    let (good, shown) = desk.step(&one, &["--plan"]).await;
    assert!(good && plan_of(&shown) == "create" && !Path::new(&file).exists(), "{shown}");
    assert!(!Path::new(&desk.path("state.json")).exists(), "a plan stores nothing");
    let (good, shown) = desk.step(&one, &[]).await;
    assert!(good && std::fs::read_to_string(&file).unwrap() == "one", "{shown}");
    let (good, shown) = desk.step(&one, &[]).await;
    assert!(good && plan_of(&shown) == "no change", "{shown}");
    let (good, shown) = desk.step(&two, &[]).await;
    assert!(good && plan_of(&shown) == "update" && std::fs::read_to_string(&file).unwrap() == "two", "{shown}");
    std::fs::write(&file, "edited").unwrap();
    let (good, shown) = desk.step(&two, &["--refresh"]).await;
    assert!(good && shown.contains(r#"~ props.text = "two" -> "edited""#), "{shown}");
    let (good, shown) = desk.step(&two, &[]).await;
    assert!(good && plan_of(&shown) == "update" && std::fs::read_to_string(&file).unwrap() == "two", "{shown}");
    let (good, shown) = desk.step(&desk.props("b", "two"), &[]).await;
    assert!(good && plan_of(&shown) == "replace" && !Path::new(&file).exists(), "{shown}");
    std::fs::remove_file(desk.path("b")).unwrap();
    let (good, shown) = desk.step(&desk.props("b", "two"), &[]).await;
    assert!(good && shown.contains("the object is gone") && plan_of(&shown) == "create", "{shown}");
    let (good, shown) = desk.step(&two, &["--destroy"]).await;
    assert!(good && !Path::new(&desk.path("b")).exists(), "{shown}");
    assert!(!Path::new(&desk.path("state.json")).exists());
    let (good, shown) = desk.step(&two, &["--destroy"]).await;
    assert!(good && shown.contains("there is nothing to delete"), "{shown}");
}

#[tokio::test]
async fn an_import_is_followed_by_no_change() {
    let desk = Desk::new();
    let file = desk.path("a");
    std::fs::write(&file, "one").unwrap();
    let props = desk.props("a", "one");
    let (good, shown) = desk.step(&props, &["--import", &file]).await;
    assert!(good && shown.contains("✓ imported"), "{shown}");
    let (good, shown) = desk.step(&props, &["--plan"]).await;
    assert!(good && plan_of(&shown) == "no change", "{shown}");
    let (good, shown) = desk.step(&props, &["--import", &file]).await;
    assert!(!good && shown.contains("already holds an object"), "{shown}");
}

#[tokio::test]
async fn an_object_that_failed_halfway_stays_in_the_state_and_is_replaced() {
    let desk = Desk::new();
    let mut props = desk.props("a", "one");
    props["mischief"] = json!("half");
    let (good, shown) = desk.step(&props, &[]).await;
    assert!(!good && Path::new(&desk.path("state.json")).exists(), "{shown}");
    let (good, shown) = desk.step(&desk.props("a", "one"), &["--plan"]).await;
    assert!(good && plan_of(&shown) == "replace" && shown.contains("not created to the end"), "{shown}");
}

#[tokio::test]
async fn an_interruption_ends_the_running_call_and_keeps_the_state() {
    let desk = Desk::new();
    let (good, _) = desk.step(&desk.props("a", "one"), &[]).await;
    assert!(good);
    let before = std::fs::read(desk.path("state.json")).unwrap();
    let mut props = desk.props("b", "two");
    props["mischief"] = json!("slow");
    let (props, state, stop) = (props.to_string(), desk.path("other.json"), CancellationToken::new());
    let interrupt = async {
        while !Path::new(&desk.path("b")).exists() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        stop.cancel();
    };
    let arguments = ["--allow", "read,write", "--state", &state, "--props", &props];
    let started = std::time::Instant::now();
    let ((good, shown), ()) = tokio::join!(desk.run_until(&stop, &arguments), interrupt);
    assert!(!good && shown.contains("cancel"), "{shown}");
    assert!(started.elapsed().as_secs() < 30, "the call was waited for");
    assert_eq!(std::fs::read(desk.path("state.json")).unwrap(), before);
}

#[tokio::test]
async fn secrets_are_never_shown() {
    let desk = Desk::new();
    let props = desk.props("a", "one").to_string();
    let secret = r#"{"pin":"canary-8471"}"#;
    let (good, shown) =
        desk.run(&["--allow", "read,write", "--props", &props, "--write-only-props", secret, "--verbose"]).await;
    assert!(good && shown.contains("(sensitive)"), "{shown}");
    assert!(!shown.contains("canary"), "{shown}");
}

#[tokio::test]
async fn wrong_arguments_are_told_before_anything_is_run() {
    let desk = Desk::new();
    let cases: [(&[&str], &str); 4] = [
        (&["--props", "{"], "--props: not JSON"),
        (&["--props", "[1]"], "--props: a JSON object is required"),
        (&["--props-file", "nowhere.json"], "cannot read --props-file nowhere.json"),
        (&["--allow", "wrte"], "\"wrte\" is not a Deno permission"),
    ];
    for (arguments, expected) in cases {
        let (good, shown) = desk.run(arguments).await;
        assert!(!good && shown.contains(expected), "{arguments:?}: {shown}");
    }
}
