//! Project tasks, run as `cargo xtask TASK`. This file only reads the command line; each task has a module of its own.

mod bench;
mod browser;
mod checklist;
mod compat;
mod demo;
mod dist;
mod languages;
mod opentofu;
mod peers;
mod process;
mod project;
mod terraform;
mod test;
mod tools;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::project::Project;
use crate::tools::Tool;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Tasks of the denobridge project")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what the tests need into .tools/ (a second run finds everything there).
    Tools {
        /// Also build the Go bridge that the benches compare with.
        #[arg(long)]
        peers: bool,
    },
    /// Show one script managed by the embedded host, then by terraform and by pulumi where they are installed.
    Demo(demo::Options),
    /// Install the tools, check style and licences, build, and run every test.
    Test(test::Options),
    /// Run the tests that the checklists name; every item must be done and shown.
    Checklist(checklist::Options),
    /// Run the Go provider's configurations with our program in its place.
    Compat(compat::Options),
    /// Run OpenTofu with integrations around its providers. It is built from Go modules first, which takes minutes once.
    #[command(name = "opentofu")]
    OpenTofu(opentofu::Options),
    /// Run the cases in which the Go bridge takes our place and we take its, and those with the AWS provider. Both are had
    /// first, which takes minutes once.
    Peers(peers::Options),
    /// Look at the report of integrations in a real browser, Chromium, which must be installed.
    Browser,
    /// Make SDKs in every language, compile them and run programs that use them. Slow, so no part of `test`.
    Languages(languages::Options),
    /// Make the files that are published: archives, sums and signature, as each registry wants them.
    Dist(dist::Options),
    /// Measure against peers.
    Bench {
        #[command(subcommand)]
        bench: bench::Bench,
    },
}

fn main() -> ExitCode {
    // What went wrong is said for people: causes in order, no stack of this program.
    match perform(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
            eprintln!("\nerror: {}", causes.join("\n  because: "));
            ExitCode::FAILURE
        }
    }
}

fn perform(arguments: Arguments) -> Result<()> {
    let project = Project::locate();
    match arguments.task {
        Task::Tools { peers } => {
            let wanted: Vec<Tool> = Tool::for_tests().chain(peers.then_some(Tool::GoBridge)).collect();
            tools::install(&project, &wanted).map(drop)
        }
        Task::Demo(options) => demo::run(&project, &options),
        Task::Test(options) => test::run(&project, &options),
        Task::Checklist(options) => checklist::run(&project, &options),
        Task::Compat(options) => compat::run(&project, &options),
        Task::OpenTofu(options) => opentofu::run(&project, &options),
        Task::Peers(options) => peers::run(&project, &options),
        Task::Browser => browser::run(&project),
        Task::Languages(options) => languages::run(&project, &options),
        Task::Dist(options) => dist::run(&project, &options),
        Task::Bench { bench } => bench::run(&project, &bench),
    }
}
