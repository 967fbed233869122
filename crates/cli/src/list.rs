//! `schedscope list`: the shipped scenarios with the question that each answers, or every knob.

use std::path::Path;

use clap::Args;
use schedscope_scenario::{Knob, Source, expectation, knobs, shipped};

use crate::failure::Failure;
use crate::results;
use crate::target::scenarios_folder;

/// Arguments of `list`.
#[derive(Args)]
pub struct Arguments {
    /// Every knob with its values, default, source and when it applies
    #[arg(long)]
    knobs: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.knobs {
        return if arguments.json {
            results::print_json(&as_json(knobs())?)
        } else {
            results::print(&knobs().iter().map(knob_text).collect::<String>())
        };
    }
    let folder = scenarios_folder()?;
    let entries = shipped(&folder).map_err(Failure::usage)?;
    if arguments.json {
        let told: Vec<Told> = entries
            .into_iter()
            .map(|entry| Told { story: story(&folder, &entry.slug), entry })
            .collect();
        return results::print_json(&as_json(&told)?);
    }
    let width = entries.iter().map(|entry| entry.slug.len()).max().unwrap_or(0);
    let line = |entry: &schedscope_scenario::ScenarioEntry| {
        format!("{:width$}  {}{}\n", entry.slug, entry.title, in_brackets(&entry.source))
    };
    results::print(&entries.iter().map(line).collect::<String>())
}

/// "  (Rostedt 2015; commit b6366f048e0c)": by the short name, or the title where there is none.
fn in_brackets(sources: &[Source]) -> String {
    let name = |source: &Source| {
        if source.id.is_empty() { source.title.clone() } else { source.id.clone() }
    };
    let names: Vec<String> = sources.iter().map(name).collect();
    if names.is_empty() { String::new() } else { format!("  ({})", names.join("; ")) }
}

/// A scenario with its story.
#[derive(serde::Serialize)]
struct Told {
    #[serde(flatten)]
    entry: schedscope_scenario::ScenarioEntry,
    /// The scenario's README.md, Markdown; empty without one.
    story: String,
}

fn story(folder: &Path, slug: &str) -> String {
    std::fs::read_to_string(folder.join(slug).join("README.md")).unwrap_or_default()
}

fn as_json<T: serde::Serialize + ?Sized>(value: &T) -> Result<String, Failure> {
    serde_json::to_string_pretty(value)
        .map(|text| text + "\n")
        .map_err(|error| Failure::usage(error.to_string()))
}

fn knob_text(knob: &Knob) -> String {
    let applies = serde_json::to_value(knob.applies)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default();
    let mut text = format!(
        "{}  [{}]\n  {}\n  values: {}\n",
        knob.path,
        knob.label,
        knob.doc,
        expectation(knob)
    );
    for choice in &knob.choices {
        text.push_str(&format!("    {}: {}\n", choice.value, choice.doc));
    }
    text.push_str(&format!(
        "  default: {}; source: {}; applies: {applies}\n\n",
        knob.default, knob.source
    ));
    text
}
