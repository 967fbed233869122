//! `schedscope list`: the shipped scenarios with the question that each answers, every knob, or
//! every format of files.

use std::path::Path;

use clap::Args;
use schedscope_formats::{By, Content, FORMATS, Format};
use schedscope_runs::Failure;
use schedscope_runs::target::scenarios_folder;
use schedscope_scenario::{Knob, Source, expectation, knobs, shipped};
use serde_json::{Value, json};

use crate::results;

/// Arguments of `list`.
#[derive(Args)]
pub struct Arguments {
    /// Every knob with its values, default, source and when it applies
    #[arg(long)]
    knobs: bool,
    /// Every format of files with what it carries, what it loses, and who writes it
    #[arg(long, conflicts_with = "knobs")]
    formats: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.knobs {
        return if arguments.json {
            results::print_json(&results::as_json(knobs())?)
        } else {
            results::print(&knobs().iter().map(knob_text).collect::<String>())
        };
    }
    if arguments.formats {
        return if arguments.json {
            results::print_json(&formats()?)
        } else {
            results::print(&FORMATS.iter().map(|format| format_text(format)).collect::<String>())
        };
    }
    if arguments.json {
        return results::print_json(&scenarios()?);
    }
    let entries = shipped(&scenarios_folder()?).map_err(Failure::usage)?;
    let width = entries.iter().map(|entry| entry.slug.len()).max().unwrap_or(0);
    let line = |entry: &schedscope_scenario::ScenarioEntry| {
        format!("{:width$}  {}{}\n", entry.slug, entry.title, in_brackets(&entry.source))
    };
    results::print(&entries.iter().map(line).collect::<String>())
}

/// The shipped scenarios with their stories, as JSON.
///
/// # Errors
/// There are none, or one cannot be read.
pub fn scenarios() -> Result<String, Failure> {
    let folder = scenarios_folder()?;
    let entries = shipped(&folder).map_err(Failure::usage)?.into_iter();
    let told: Vec<Told> =
        entries.map(|entry| Told { story: story(&folder, &entry.slug), entry }).collect();
    results::as_json(&told)
}

/// Every format of files, as JSON.
///
/// # Errors
/// None in practice: rows of a table are always JSON.
pub fn formats() -> Result<String, Failure> {
    results::as_json(&FORMATS.iter().map(|format| format_json(format)).collect::<Vec<_>>())
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

/// One line: the name that `--to` takes, and what it is.
pub fn format_line(format: &Format) -> String {
    let contents: Vec<&str> = format.contents.iter().map(|content| content.what.words()).collect();
    let Format { name, title, extension, .. } = format;
    format!("{name:15} {title}, .{extension}: {}\n", contents.join("; "))
}

fn format_text(format: &Format) -> String {
    let content = |content: &Content| {
        let by: Vec<&str> = content.by().iter().map(|by| by.words()).collect();
        format!("{} ({})", content.what.words(), by.join(", "))
    };
    let contents: Vec<String> = format.contents.iter().map(content).collect();
    format!(
        "{}  [{}, .{}, {}]\n  writes: {}\n  carries: {}\n  loses: {}\n\n",
        format.name,
        format.title,
        format.extension,
        format.media_type,
        contents.join("; "),
        format.carries,
        format.loses
    )
}

fn format_json(format: &Format) -> Value {
    let content = |content: &Content| {
        let by: Vec<&str> = content.by().iter().map(|by: &By| by.words()).collect();
        json!({ "what": content.what.name(), "by": by })
    };
    json!({
        "name": format.name,
        "title": format.title,
        "extension": format.extension,
        "media_type": format.media_type,
        "contents": format.contents.iter().map(content).collect::<Vec<_>>(),
        "carries": format.carries,
        "loses": format.loses,
    })
}
