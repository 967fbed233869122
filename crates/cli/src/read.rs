//! `schedscope read`: what a pasted text says, line by line, and the scenario that it comes to.

mod page;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Parser};
use schedscope_fit::{Inquiry, object};
use schedscope_formats::words::{FORMS, Reading};
use schedscope_runs::{Failure, Target, pasted as runs};

use crate::answer;
use crate::compare;
use crate::explain;
use crate::new_file::NewFile;
use crate::pasted::Pasted;
use crate::remarks;
use crate::results;

/// Arguments of `read`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pasted: Pasted,
    /// Write the scenario that the text comes to into this file
    #[arg(long, value_name = "OUT.json")]
    scenario: Option<PathBuf>,
    #[command(flatten)]
    on: On,
    /// Print JSON
    #[arg(long, conflicts_with_all = ["run", "explain", "limit"])]
    json: bool,
}

/// What follows the reading.
#[derive(Args)]
struct On {
    /// Go on: compare the scenario's first two variants, as `compare` does
    #[arg(long)]
    run: bool,
    /// Go on: explain the worst wake-up of its run, as `explain` does
    #[arg(long)]
    explain: bool,
    /// Go on: what the throttled group needs, as `answer` does
    #[arg(long)]
    limit: bool,
}

/// The arguments of another command, as if it were called with a scenario alone.
#[derive(Parser)]
struct Only<A: Args> {
    #[command(flatten)]
    arguments: A,
}

fn only<A: Args>(command: &str) -> A {
    Only::<A>::parse_from([command, "pasted"]).arguments
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut inquiry = arguments.pasted.fitted()?;
    let made = inquiry.made();
    let reading = inquiry.reading();
    if let Some(text) = &made.text {
        remarks::note(&runs::check(text)?);
    }
    if let Some(path) = &arguments.scenario {
        let Some(text) = &made.text else { return Err(without_scenario(reading)) };
        let mut file = NewFile::create(path, "--scenario")?;
        file.write_all(text.as_bytes())
            .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())))?;
        file.keep()?;
    }
    if arguments.json {
        return results::print_json(&results::as_json(&object::read(&inquiry))?);
    }
    results::print(&page::page(&inquiry, &made.assumed))?;
    if made.text.is_none() {
        let is_known =
            !(reading.says.is_empty() && reading.asks.is_empty() && reading.doubts.is_empty());
        return if is_known { Ok(()) } else { Err(nothing_known()) };
    }
    match &arguments.scenario {
        Some(path) => remarks::say(&format!("schedscope compare {} runs it", path.display())),
        None => remarks::say(
            "--scenario OUT.json writes the scenario; --run, --explain and --limit go on with it",
        ),
    }
    go_on(&arguments.on, &made.text.unwrap_or_default(), &mut inquiry)
}

fn go_on(on: &On, text: &str, inquiry: &mut Inquiry) -> Result<(), Failure> {
    let target = || Target::of_text("pasted", text.to_owned());
    if on.run {
        results::print("\n")?;
        compare::of(target(), &only("compare"))?;
    }
    if on.explain {
        results::print("\n")?;
        explain::of(target(), &only("explain"))?;
    }
    if on.limit {
        results::print("\n")?;
        answer::print(inquiry)?;
    }
    Ok(())
}

/// Why a text that was read comes to no scenario.
fn without_scenario(reading: &Reading) -> Failure {
    match reading.doubts.iter().chain(&reading.asks).next() {
        Some(why) => Failure::usage(format!("the text comes to no scenario: {why}")),
        None => nothing_known(),
    }
}

fn nothing_known() -> Failure {
    let forms: Vec<String> =
        FORMS.iter().map(|form| format!("{}: {}", form.title, form.example)).collect();
    Failure::usage(format!(
        "no line of the text is used\n  expected: one of these forms\n    {}",
        forms.join("\n    ")
    ))
}
