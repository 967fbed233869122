//! `schedscope read`: what a pasted text says, line by line, and the scenario that it comes to.

mod page;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use schedscope_formats::words::{FORMS, Reading};
use schedscope_runs::{Failure, Side, Target, Whose};
use serde_json::{Value, json};

use crate::new_file::NewFile;
use crate::pasted::{self, Fit, Pasted};
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
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (reading, wish) = arguments.pasted.read()?;
    let fit = pasted::fit(&reading, wish)?;
    let scenario = fit.as_ref().map(|fit| &fit.scenario).or(reading.scenario.as_ref());
    let scenario = reading.scenario_text.clone().or_else(|| scenario.map(file_text));
    if let Some(text) = &scenario {
        check(text)?;
    }
    if let Some(path) = &arguments.scenario {
        let Some(text) = &scenario else { return Err(without_scenario(&reading)) };
        let mut file = NewFile::create(path, "--scenario")?;
        file.write_all(text.as_bytes())
            .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())))?;
        file.keep()?;
    }
    if arguments.json {
        return results::print_json(&results::as_json(&as_json(&reading, fit.as_ref()))?);
    }
    results::print(&page::page(&reading, fit.as_ref()))?;
    if scenario.is_none() {
        let is_known =
            !(reading.says.is_empty() && reading.asks.is_empty() && reading.doubts.is_empty());
        return if is_known { Ok(()) } else { Err(nothing_known()) };
    }
    match &arguments.scenario {
        Some(path) => remarks::say(&format!("schedscope compare {} runs it", path.display())),
        None => remarks::say("--scenario OUT.json writes the scenario, for run and compare"),
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

/// The scenario runs, as it is and in each variant: a reader that makes another one is at fault.
fn check(text: &str) -> Result<(), Failure> {
    let target = Target::of_text("pasted", text.to_owned());
    let base = Side::new(&target, &target.link_set(Whose::Both, &[]))?;
    remarks::note(&base.prepared.meta.notes);
    for variant in &target.document()?.presentation.variants {
        Side::new(&target, &variant.set)?;
    }
    Ok(())
}

/// Top-level keys as a person would lay them out.
const ORDER: [&str; 14] = [
    "schema", "title", "source", "seed", "duration", "machine", "kernel", "cgroups", "workload",
    "variants", "knobs", "labels", "headline", "steps",
];

fn file_text(scenario: &Value) -> String {
    let rows = ORDER.iter().filter_map(|key| {
        let value = serde_json::to_string_pretty(scenario.get(key)?).ok()?;
        Some(format!("  \"{key}\": {}", value.replace('\n', "\n  ")))
    });
    format!("{{\n{}\n}}\n", rows.collect::<Vec<_>>().join(",\n"))
}

fn as_json(reading: &Reading, fit: Option<&Fit>) -> Value {
    let lines = reading.lines.iter().map(|line| {
        let notes = line.notes.iter();
        let notes: Vec<Value> =
            notes.map(|note| json!({ "fate": note.fate.name(), "words": note.words })).collect();
        json!({ "line": line.number, "text": line.text, "notes": notes })
    });
    json!({
        "schema": "schedscope.read/1",
        "lines": lines.collect::<Vec<_>>(),
        "says": reading.says,
        "doubts": reading.doubts,
        "asks": reading.asks,
        "assumed": fit.map_or(&reading.assumed, |fit| &fit.assumed),
        "fit": fit.map(pasted::as_json),
        "scenario": fit.map(|fit| &fit.scenario).or(reading.scenario.as_ref()),
        "scenario_text": reading.scenario_text,
    })
}
