//! What happened in a run, put together from the lines of its report.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead};

use serde_json::Value as Json;

/// What happened in a run.
#[derive(Debug, Default)]
pub(super) struct Story {
    /// Facts of the run: name and value.
    pub(super) facts: Vec<(&'static str, String)>,
    /// When the first and the last line were written, in seconds since 1970.
    pub(super) times: Option<(f64, f64)>,
    pub(super) stages: Vec<StageLine>,
    /// In the order in which they first came up.
    pub(super) subjects: Vec<Subject>,
    /// Where each of them is.
    places: HashMap<String, usize>,
    pub(super) integrations: BTreeMap<String, Tally>,
}

/// A stage that has come to its end.
#[derive(Debug)]
pub(super) struct StageLine {
    pub(super) stage: String,
    pub(super) provider: String,
    pub(super) summary: String,
    pub(super) milliseconds: f64,
}

/// An instance, or a stage, that integrations were asked about.
#[derive(Debug, Default)]
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) planned: Option<String>,
    pub(super) applied: Option<Applied>,
    /// What differed from the stored state.
    pub(super) drift: Vec<String>,
    /// What the provider said.
    pub(super) diagnostics: Vec<String>,
    /// How long the provider took for all of it, if it was asked.
    pub(super) milliseconds: Option<f64>,
    pub(super) answers: Vec<Answered>,
}

/// What was made of a plan.
#[derive(Debug)]
pub(super) struct Applied {
    pub(super) action: String,
    pub(super) failed: bool,
}

/// What an integration has answered.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) hook: String,
    pub(super) integration: String,
    pub(super) effect: String,
    pub(super) messages: Vec<String>,
    pub(super) metadata: Option<String>,
    pub(super) milliseconds: f64,
}

/// All answers of one integration.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) asked: u64,
    pub(super) spoke: u64,
    pub(super) unanswered: u64,
    pub(super) times: Vec<f64>,
}

impl Story {
    /// Reads the lines, one at a time. One that is none, such as the last of a process that was killed, is passed over.
    ///
    /// # Errors
    /// They cannot be read.
    pub(super) fn read(lines: impl BufRead) -> io::Result<Self> {
        let mut story = Self::default();
        for line in lines.split(b'\n') {
            if let Ok(line) = serde_json::from_slice::<Json>(&line?) {
                story.take(&line);
            }
        }
        Ok(story)
    }

    fn take(&mut self, line: &Json) {
        if let Some(time) = line["time"].as_f64() {
            let (first, last) = self.times.unwrap_or((time, time));
            self.times = Some((first.min(time), last.max(time)));
        }
        match line["kind"].as_str() {
            Some("event") => self.event(line),
            Some("answer") => self.answer(line),
            _ => {}
        }
    }

    fn event(&mut self, line: &Json) {
        let (params, hook) = (&line["params"], text(&line["hook"]));
        if self.facts.is_empty() {
            self.facts = facts(&params["run"]);
        }
        if let Some(stage) = hook.strip_suffix("_stage_complete") {
            if stage != "init" {
                self.stages.push(StageLine {
                    stage: stage.to_owned(),
                    // A stage of a whole run is of all of them.
                    provider: params["run"]["provider"]["address"].as_str().unwrap_or("all").to_owned(),
                    summary: text(&params["summary"]),
                    milliseconds: params["duration_ms"].as_f64().unwrap_or_default(),
                });
            }
            return;
        }
        if params.get("resource").is_none() {
            return;
        }
        let diagnostics = params["diagnostics"].as_array().cloned().unwrap_or_default();
        let subject = self.subject(&text(&line["subject"]));
        if let Some(took) = params["duration_ms"].as_f64() {
            subject.milliseconds = Some(subject.milliseconds.unwrap_or_default() + took);
        }
        let failed = diagnostics.iter().any(|one| one["severity"] == "error");
        subject.diagnostics.extend(diagnostics.iter().map(|one| text(&one["summary"])));
        match hook.as_str() {
            "post_plan_resource" => subject.planned = params["action"].as_str().map(str::to_owned),
            "post_apply_resource" => subject.applied = Some(Applied { action: text(&params["action"]), failed }),
            "post_invoke_action" => subject.applied = Some(Applied { action: "invoke".to_owned(), failed }),
            "post_refresh_resource" => {
                subject.drift = params["drift"].as_array().into_iter().flatten().map(text).collect();
            }
            _ => {}
        }
    }

    fn answer(&mut self, line: &Json) {
        let answered = Answered {
            hook: text(&line["hook"]),
            integration: text(&line["integration"]),
            effect: text(&line["effect"]),
            messages: line["messages"].as_array().into_iter().flatten().map(text).collect(),
            metadata: line.get("metadata").map(ToString::to_string),
            milliseconds: line["duration_ms"].as_f64().unwrap_or_default(),
        };
        let tally = self.integrations.entry(answered.integration.clone()).or_default();
        tally.asked += 1;
        tally.spoke += u64::from(answered.effect != "noted");
        tally.unanswered += u64::from(line["status"].is_null());
        tally.times.push(answered.milliseconds);
        self.subject(&text(&line["subject"])).answers.push(answered);
    }

    fn subject(&mut self, name: &str) -> &mut Subject {
        let index = match self.places.get(name) {
            Some(index) => *index,
            None => {
                self.subjects.push(Subject { name: name.to_owned(), ..Subject::default() });
                self.places.insert(name.to_owned(), self.subjects.len() - 1);
                self.subjects.len() - 1
            }
        };
        &mut self.subjects[index]
    }
}

impl Tally {
    /// The median and the longest time of an answer, in milliseconds.
    pub(super) fn median_and_longest(&self) -> (f64, f64) {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        (times.get(times.len() / 2).copied().unwrap_or_default(), times.last().copied().unwrap_or_default())
    }
}

fn facts(run: &Json) -> Vec<(&'static str, String)> {
    let names = ["id", "host", "operation", "project", "workspace"];
    let facts = names.into_iter().map(|name| (name, text(&run[name])));
    facts.filter(|(_, value)| !value.is_empty()).collect()
}

/// A text as it is, nothing for what is no text.
fn text(json: &Json) -> String {
    json.as_str().unwrap_or_default().to_owned()
}
