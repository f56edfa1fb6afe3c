//! The compatibility cases: configurations and scripts as users of the Go provider have them, with our binary in its place
//! under real Terraform.
//!
//! A case is a folder of `tests/compat/denobridge`: `steps.sh`, what it runs, and `peer.txt`, what the Go provider did. A
//! step comes out as the peer's, or it is in the case's `ours.txt` with the reason why ours is better. `UPDATE_EXPECT=1`
//! writes the steps of `ours.txt` anew, keeping the reasons; a step without a reason fails.
//!
//! What scripts are sent and answer is recorded on the way and held against the contract's document.
//!
//! `DENOBRIDGE_COMPAT_OPENTOFU=PATH` runs the cases under that OpenTofu instead (`cargo xtask compat --opentofu`).

#[path = "support/compat_case.rs"]
mod compat_case;
#[path = "support/json_schema.rs"]
mod json_schema;
#[path = "support/tools.rs"]
mod tools;
#[path = "support/traffic.rs"]
mod traffic;
#[path = "support/transcript.rs"]
mod transcript;

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let runner = match compat_case::Runner::prepare() {
        Ok(runner) => Arc::new(runner),
        Err(error) => {
            eprintln!("the compatibility cases cannot run: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    let trials = runner.cases().into_iter().map(|case| {
        let runner = Arc::clone(&runner);
        Trial::test(case.clone(), move || runner.run(&case).map_err(|error| format!("{error:#}").into()))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
