//! The collector with a real Deno.

use std::fs;
use std::path::{Path, PathBuf};

use denobridge_core::Call;
use serde_json::json;

use super::*;
use crate::children::WatcherProgram;
use crate::deno::{DenoSource, testing};
use crate::typed::Kind;

/// A folder of scripts, a cache, and a Deno whose starts are counted.
struct Bench {
    place: tempfile::TempDir,
    deno: PathBuf,
    limit: Duration,
}

impl Bench {
    fn new(files: &[(&str, &str)]) -> Self {
        let place = tempfile::tempdir().unwrap();
        let deno = place.path().join("counted-deno");
        let starts = place.path().join("starts");
        let script =
            format!("#!/bin/sh\necho \"$*\" >> '{}'\nexec '{}' \"$@\"\n", starts.display(), testing::deno().display());
        fs::write(&deno, script).unwrap();
        #[cfg(unix)]
        fs::set_permissions(&deno, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let bench = Self { place, deno, limit: Duration::from_secs(60) };
        bench.write("deno.json", &json!({ "imports": { "sdk": sdk() } }).to_string());
        files.iter().for_each(|(name, text)| bench.write(name, text));
        bench
    }

    fn folder(&self) -> PathBuf {
        self.place.path().join("infra")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The starts to ask scripts, apart from those that ask Deno for its version.
    fn starts(&self) -> Vec<String> {
        let mut starts = self.all_starts();
        starts.retain(|arguments| arguments != "--version");
        starts
    }

    fn all_starts(&self) -> Vec<String> {
        let text = fs::read_to_string(self.place.path().join("starts")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn collector(&self) -> Collector {
        Collector::new(CollectorOptions {
            deno: Search { source: DenoSource::from_environment(self.deno.to_str()), ..Search::from_environment() }
                .into(),
            cache: Some(self.place.path().join("cache")),
            limit: self.limit,
            watcher: Watcher::new(WatcherProgram::None),
        })
    }

    async fn collect(&self, files: &[&str]) -> Vec<Outcome> {
        let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
        let collected = self.collector().collect(&Call::new(), &self.folder(), None, &files).await.unwrap();
        assert!(collected.iter().map(|script| &script.file).eq(&files));
        collected.into_iter().map(|script| script.outcome).collect()
    }
}

fn sdk() -> String {
    Url::from_file_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("script-sdk/mod.ts")).unwrap().into()
}

fn described(outcome: &Outcome) -> &Description {
    match outcome {
        Outcome::Described(description) => description,
        other => panic!("{other:?}"),
    }
}

fn failure(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Failed(message) => message,
        other => panic!("{other:?}"),
    }
}

const ACTION: &str = r#"
import { ActionProvider } from "sdk";
console.log("loading");
export default new ActionProvider({ invoke() {} }, {
  name: "Act",
  schema: { props: { type: "object", properties: { size: { type: "integer", default: 12345678901234567 } } } },
});
"#;

/// A script without the library, which answers as `ANSWER` says.
fn by_hand(answer: &str) -> String {
    format!(
        r#"
        const answers: Record<string, unknown> = {{ health: {{ result: {{ ok: true }} }}, schema: {answer} }};
        for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {{
          const {{ id, method }} = JSON.parse(text);
          console.log(JSON.stringify({{ jsonrpc: "2.0", id, ...answers[method] as object }}, null, 2));
        }}
        "#
    )
}

#[tokio::test]
async fn scripts_of_every_make_are_told_apart_in_one_process() {
    let bench = Bench::new(&[
        ("action.ts", ACTION),
        ("bare.ts", "import { ActionProvider } from 'sdk';\nnew ActionProvider({ invoke() {} });"),
        ("hand.ts", &by_hand(r#"{ result: { kind: "datasource", state: { type: "object" } } }"#)),
        ("hand_bare.ts", &by_hand("{ error: { code: -32601, message: 'none' } }")),
        ("helper.ts", "export { default as action } from './action.ts';"),
        ("served.ts", "export default { fetch: () => new Response('{}') };"),
        (
            "served_described.ts",
            r#"export default { fetch(request: Request) {
              return new URL(request.url).pathname === "/schema" ? Response.json({ kind: "action" }) : new Response();
            } };"#,
        ),
        ("tool.ts", "Deno.exit(0);"),
    ]);
    let files =
        ["helper.ts", "action.ts", "bare.ts", "hand.ts", "hand_bare.ts", "served.ts", "served_described.ts", "tool.ts"];
    let found = bench.collect(&files).await;
    assert_eq!(found[0], Outcome::NotAScript, "it imports a script, and is none");
    let action = described(&found[1]);
    assert_eq!((action.kind, action.name.as_deref()), (Kind::Action, Some("Act")));
    assert_eq!(action.props.as_ref().unwrap()["properties"]["size"]["type"], "integer");
    assert_eq!(found[2], Outcome::Undescribed);
    assert_eq!(described(&found[3]).kind, Kind::Datasource);
    assert_eq!((&found[4], &found[5]), (&Outcome::Undescribed, &Outcome::Undescribed));
    assert_eq!(described(&found[6]).kind, Kind::Action);
    assert_eq!(found[7], Outcome::NotAScript);
    assert_eq!(bench.starts(), ["run -q --no-prompt -"]);
}

#[tokio::test]
async fn what_is_wrong_with_one_script_is_its_own_affair() {
    let mut bench = Bench::new(&[
        ("exits.ts", "Deno.exit(3);"),
        ("good.ts", ACTION),
        ("imports.ts", "import 'https://example.com/a.ts';"),
        ("late.ts", "await new Promise((resolve) => setTimeout(resolve, 1_000_000));"),
        ("missing.ts", "import './nowhere.ts';"),
        ("reads.ts", "Deno.readTextFileSync('/etc/hosts');"),
        ("sick.ts", &by_hand("{}").replace("{ ok: true }", "{ ok: false }")),
        ("syntax.ts", "const = 1;"),
        ("throws.ts", "\nthrow new TypeError('no such thing');"),
        ("throws_later.ts", "setTimeout(() => { throw new Error('late'); }); await new Promise(() => {});"),
        (
            "two.ts",
            "import { ActionProvider } from 'sdk';\nfor (let i = 0; i < 2; i++) new ActionProvider({ invoke() {} });",
        ),
        ("wrong.ts", &by_hand("{ result: { kind: 'bucket' } }")),
    ]);
    bench.limit = Duration::from_secs(8);
    let files = [
        "exits.ts",
        "imports.ts",
        "late.ts",
        "missing.ts",
        "reads.ts",
        "sick.ts",
        "syntax.ts",
        "throws.ts",
        "throws_later.ts",
        "two.ts",
        "wrong.ts",
        "good.ts",
    ];
    let found = bench.collect(&files).await;
    assert_eq!(described(&found[11]).kind, Kind::Action);
    let place = Url::from_file_path(bench.folder()).unwrap();
    let told = files.iter().zip(&found).take(11);
    let told =
        told.map(|(file, outcome)| format!("{file}: {}\n", failure(outcome).replace(place.as_str(), "file:///FOLDER")));
    insta::assert_snapshot!(told.collect::<String>());
}

#[tokio::test]
async fn a_script_that_keeps_deno_busy_costs_another_start() {
    let mut bench = Bench::new(&[("busy.ts", "for (;;);"), ("good.ts", ACTION)]);
    bench.limit = Duration::from_secs(8);
    let found = bench.collect(&["busy.ts", "good.ts"]).await;
    assert!(
        failure(&found[0])
            .starts_with("it did not say what it is within 8s (environment variable DENOBRIDGE_DESCRIBE_")
    );
    assert_eq!(described(&found[1]).kind, Kind::Action);
    assert_eq!(bench.starts().len(), 2);
}

#[tokio::test]
async fn a_hundred_scripts_are_one_start_and_none_when_they_are_known() {
    let names: Vec<String> = (0..100).map(|number| format!("script{number}.ts")).collect();
    let bench = Bench::new(&names.iter().map(|name| (name.as_str(), ACTION)).collect::<Vec<_>>());
    let files: Vec<&str> = names.iter().map(String::as_str).collect();
    let first = bench.collect(&files).await;
    assert_eq!(first.iter().map(described).count(), 100);
    assert_eq!(bench.starts().len(), 1);
    let cold = bench.all_starts();
    assert_eq!(bench.collect(&files).await, first);
    assert_eq!(bench.all_starts(), cold, "known");
    bench.write("script7.ts", &ACTION.replace("\"Act\"", "\"Other\""));
    assert_eq!(described(&bench.collect(&files).await[7]).name.as_deref(), Some("Other"));
    assert_eq!(bench.starts().len(), 2, "changed");
}

#[tokio::test]
async fn failures_are_asked_for_again() {
    let bench = Bench::new(&[("a.ts", "import './later.ts';")]);
    failure(&bench.collect(&["a.ts"]).await[0]);
    bench.write("later.ts", "");
    assert_eq!(bench.collect(&["a.ts"]).await, [Outcome::NotAScript]);
}

#[tokio::test]
async fn a_folder_with_a_configuration_of_its_own_is_asked_with_that() {
    let bench = Bench::new(&[
        ("a.ts", "import 'one';"),
        ("inner/b.ts", "import 'two';"),
        ("inner/deno.json", r#"{ "imports": { "two": "../empty.ts" } }"#),
        ("empty.ts", ""),
    ]);
    bench.write("deno.json", r#"{ "imports": { "one": "./empty.ts" } }"#);
    assert_eq!(bench.collect(&["a.ts", "inner/b.ts"]).await, [Outcome::NotAScript, Outcome::NotAScript]);
    assert_eq!(bench.starts().len(), 2);
}

#[tokio::test]
async fn a_configuration_that_is_wrong_is_said_once() {
    let bench = Bench::new(&[("a.ts", "")]);
    bench.write("deno.json", "{");
    let files = ["a.ts".to_owned()];
    let error = bench.collector().collect(&Call::new(), &bench.folder(), None, &files).await.unwrap_err();
    assert!(matches!(&error, CollectError::Ended { .. }), "{error}");
    assert!(error.to_string().contains("deno.json"), "{error}");
}

#[tokio::test]
async fn scripts_that_are_elsewhere_are_asked_by_their_addresses() {
    let bench = Bench::new(&[]);
    let server = testing::server::Server::start(|asked| match asked.path.as_str() {
        "/a.ts" => testing::server::Reply::Text(200, "import './b.ts';".to_owned()),
        "/b.ts" => testing::server::Reply::Text(200, String::new()),
        _ => testing::server::Reply::Text(404, String::new()),
    })
    .await;
    let addresses = [format!("{}/a.ts", server.address), format!("{}/none.ts", server.address)];
    let found = bench.collector().collect_remote(&Call::new(), None, &addresses).await.unwrap();
    assert_eq!(found[0].outcome, Outcome::NotAScript);
    assert!(failure(&found[1].outcome).contains("none.ts"), "{found:?}");
}

#[tokio::test]
async fn who_gives_up_is_not_kept_waiting() {
    let bench = Bench::new(&[("late.ts", "await new Promise((resolve) => setTimeout(resolve, 1_000_000));")]);
    let call = Call::new();
    let (collector, files) = (bench.collector(), ["late.ts".to_owned()]);
    let folder = bench.folder();
    let (outcome, ()) = tokio::join!(collector.collect(&call, &folder, None, &files), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        call.cancellation().cancel();
    });
    assert!(matches!(outcome, Err(CollectError::Cancelled)));
}
