//! `schedscope read`: what a pasted text says, line by line, and the scenario that it comes to.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::PathBuf;

use clap::Args;
use schedscope_formats::words::{self, FORMS, Fate, Reading};
use schedscope_runs::numbers::counted;
use schedscope_runs::{Failure, Side, Target, Whose, inputs};
use serde_json::{Value, json};

use crate::new_file::NewFile;
use crate::remarks;
use crate::results;

/// Arguments of `read`.
#[derive(Args)]
pub struct Arguments {
    /// A file with the text; - for standard input
    file: PathBuf,
    /// Write the scenario that the text comes to into this file
    #[arg(long, value_name = "OUT.json")]
    scenario: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Bytes beyond those that are read, so that a text that is too long is seen to be.
const MORE: u64 = 1 << 20;

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let text = text_of(arguments)?;
    let reading = words::read(&text).map_err(|error| Failure::usage(error.to_string()))?;
    if reading.lines.iter().all(|line| line.notes.is_empty()) {
        return Err(Failure::usage("the text is empty\n  expected: what a person would paste"));
    }
    let scenario = reading.scenario.as_ref().map(file_text);
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
        return results::print_json(&results::as_json(&as_json(&reading))?);
    }
    results::print(&page(&reading))?;
    if reading.scenario.is_none() {
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

fn text_of(arguments: &Arguments) -> Result<String, Failure> {
    let name = arguments.file.display();
    let most = words::BYTES_MAX as u64 + MORE;
    let mut bytes = Vec::new();
    let read = if arguments.file.as_os_str() == "-" {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        File::open(&arguments.file).and_then(|file| {
            inputs::opened("the text", &file);
            file.take(most).read_to_end(&mut bytes)
        })
    };
    read.map_err(|error| Failure::usage(format!("cannot read {name}: {error}")))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
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

fn as_json(reading: &Reading) -> Value {
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
        "assumed": reading.assumed,
        "scenario": reading.scenario,
    })
}

fn page(reading: &Reading) -> String {
    let mut text = format!("{}\n\n", count(reading));
    let digits = reading.lines.len().to_string().len();
    for line in &reading.lines {
        for note in &line.notes {
            text += &format!("{:>digits$}  {:<14}  {}", line.number, note.fate.name(), note.words);
            if note.fate == Fate::NotUnderstood {
                text += &format!(": {}", shortened(line.text.trim()));
            }
            text.push('\n');
        }
    }
    for (title, sentences) in [
        ("says", &reading.says),
        ("cannot be", &reading.doubts),
        ("missing", &reading.asks),
        ("assumed", &reading.assumed),
    ] {
        if !sentences.is_empty() {
            text += &format!("\n{title}\n");
            sentences.iter().for_each(|sentence| text += &format!("  {sentence}\n"));
        }
    }
    text
}

/// `5 lines: 3 used, 1 left out, 1 not understood`.
fn count(reading: &Reading) -> String {
    let mut fates: BTreeMap<Fate, u64> = BTreeMap::new();
    let with_notes = reading.lines.iter().filter(|line| !line.notes.is_empty());
    let mut lines = 0;
    for line in with_notes {
        lines += 1;
        if let Some(best) = line.notes.iter().map(|note| note.fate).min() {
            *fates.entry(best).or_default() += 1;
        }
    }
    let parts: Vec<String> =
        fates.iter().map(|(fate, count)| format!("{count} {}", fate.name())).collect();
    format!("{}: {}", counted(lines, "line"), parts.join(", "))
}

const SHOWN_MAX: usize = 60;

fn shortened(text: &str) -> String {
    if text.chars().count() <= SHOWN_MAX {
        return text.to_owned();
    }
    text.chars().take(SHOWN_MAX).chain(['…']).collect()
}
