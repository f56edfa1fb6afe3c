//! End to end with the real tools: one folder per case under `tests/cases/`, its steps in `steps.sh`, what a person then
//! sees in `expected.txt`.
//!
//! A case runs in a copy of its folder. `tests/support/steps.sh` says what a step may use. What it prints is brought to a
//! form without times, ports and folders and compared line by line. `UPDATE_EXPECT=1` writes what was seen instead; read
//! the difference before you commit it.
//!
//! Every case runs a second time with each value at the seam encoded and decoded again (`re-encoded`), which shows that
//! nothing relies on what the wire does not carry.
//!
//! What cases record of the traffic with scripts is held against the contracts' documents, and what integrations are told
//! against the schema of their protocol.
//!
//! Cases under `framework/NAME/` are about the example provider NAME of `framework/examples/`, which is built for them and
//! is a plugin of both tools under that name. Those run once: re-encoding is the embedded provider's. So do those under `try/`, which
//! call scripts without it, and `install/`, in which it is only put in its place.
//!
//! Cases under `bridged/`, and those under `tests/reports/`, called `reports/NAME`, are about providers of others under our
//! bridge; they run once too. So do those under `tests/peers/`, called `peers/NAME`, in which the Go bridge takes our place, or
//! more is needed than every machine has (`cargo xtask peers` builds it and runs them), and those under `tests/opentofu/`, called
//! `opentofu/NAME` (`cargo xtask opentofu`).

#[path = "support/harness.rs"]
mod harness;
#[path = "support/http_traffic.rs"]
mod http_traffic;
#[path = "support/integrations_report.rs"]
mod integrations_report;
#[path = "support/json_schema.rs"]
mod json_schema;
#[path = "support/kinds_plugin.rs"]
mod kinds_plugin;
#[path = "support/tools.rs"]
mod tools;
#[path = "support/traffic.rs"]
mod traffic;

use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};

/// How many of the slowest cases are named after a run.
const SLOWEST: usize = 20;

fn main() -> ExitCode {
    let program = std::env::args_os().next();
    if denobridge_pulumi::plugin_name(program.as_deref()).as_deref() == Some(kinds_plugin::NAME) {
        return kinds_plugin::run();
    }
    let arguments = Arguments::from_args();
    let harness = match harness::Harness::prepare() {
        Ok(harness) => Arc::new(harness),
        Err(error) => {
            eprintln!("end-to-end tests cannot run: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    let took = Arc::new(Mutex::new(Vec::new()));
    let mut trials = Vec::new();
    for case in harness.cases() {
        for mode in [harness::Mode::Plain, harness::Mode::Reencoded] {
            if mode == harness::Mode::Reencoded && !case.is_about_the_embedded_provider() {
                continue;
            }
            let (harness, case, took) = (Arc::clone(&harness), case.clone(), Arc::clone(&took));
            let name = format!("{}{}", case.name, mode.suffix());
            trials.push(Trial::test(name.clone(), move || {
                let began = Instant::now();
                let outcome = harness.run(&case, mode).map_err(|error| format!("{error:#}").into());
                took.lock().unwrap_or_else(PoisonError::into_inner).push((began.elapsed(), name));
                outcome
            }));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    print_slowest(&mut took.lock().unwrap_or_else(PoisonError::into_inner));
    conclusion.exit_code()
}

/// Says what took longest, of more cases than one looks at by name: the suite is to stay short.
fn print_slowest(took: &mut [(Duration, String)]) {
    if took.len() < 2 * SLOWEST {
        return;
    }
    took.sort_by(|one, other| other.cmp(one));
    println!("the slowest:");
    for (time, name) in &took[..SLOWEST] {
        println!("{:>7.1} s  {name}", time.as_secs_f64());
    }
    println!();
}
