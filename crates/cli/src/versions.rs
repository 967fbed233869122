//! `schedscope versions`: what the table of kernels knows of a release, and what changed in the
//! scheduler between two.

use clap::Args;
use schedscope_engine::kernel::config::{Known, Version, newest_up_to};
use schedscope_runs::Failure;
use schedscope_scenario::versions::{
    Difference, Step, TableRow, all_rows, between, known_words, step,
};
use serde_json::{Value, json};

use crate::results;

/// Arguments of `versions`.
#[derive(Args)]
pub struct Arguments {
    /// A release from 2.6.24 to 7.3, as `uname -r` prints it
    #[arg(value_name = "A", value_parser = release)]
    one: Version,
    /// Another one: what changed between the two
    #[arg(value_name = "B", value_parser = release)]
    other: Option<Version>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The release that a text begins with.
fn release(text: &str) -> Result<Version, String> {
    let near = |near: Version| format!("; the newest below it is {near}");
    Version::read(text).map(|read| read.version).ok_or_else(|| {
        format!(
            "there is no such release: one from 2.6.24 to 7.3 is needed, as uname -r prints it{}",
            newest_up_to(text).map_or_else(String::new, near)
        )
    })
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match arguments.other {
        Some(other) => compare(arguments.one, other, arguments.json),
        None => show(arguments.one, arguments.json),
    }
}

fn compare(one: Version, other: Version, as_json: bool) -> Result<(), Failure> {
    let [old, new] = [one.min(other), one.max(other)];
    let differences = between(old, new);
    if as_json {
        let all = json!({ "from": old, "to": new, "differences": differences });
        return results::print_json(&results::as_json(&all)?);
    }
    let [modelled, lacking] = [true, false]
        .map(|is_modelled| differences.iter().filter(move |each| each.modelled == is_modelled));
    let counts = [modelled.clone().count(), lacking.clone().count()];
    let mut text = format!("{old} to {new}: {}\n", counted(counts));
    text.extend(modelled.map(|each| difference_text(each, [old, new])));
    if counts[1] > 0 {
        text.push_str("\nKnown, and not modelled here:\n");
        text.extend(lacking.map(|each| difference_text(each, [old, new])));
    }
    results::print(&text)
}

fn counted([modelled, lacking]: [usize; 2]) -> String {
    match (modelled, lacking) {
        (0, 0) => "nothing that is known of the scheduler differs".to_owned(),
        (_, 0) => format!("{} of the scheduler", changes(modelled)),
        _ => format!(
            "{} of the scheduler, and {} that the model lacks",
            changes(modelled),
            changes(lacking)
        ),
    }
}

fn changes(count: usize) -> String {
    format!("{count} change{}", if count == 1 { "" } else { "s" })
}

fn difference_text(difference: &Difference, releases: [Version; 2]) -> String {
    let [from, to] = &difference.values;
    let mut text = format!("\n{}: {} -> {}\n", difference.name, from.value, to.value);
    for (valued, release) in difference.values.iter().zip(releases) {
        if valued.known != "read" {
            text.push_str(&format!("  the value of {release} is {}\n", sure(&valued.known)));
        }
    }
    text.extend(difference.steps.iter().map(step_text));
    text
}

/// How sure a value is that was not read.
fn sure(known: &str) -> String {
    match known.strip_prefix("from ") {
        Some(of) => format!("that of {of}: nobody looked at this one"),
        None => known.to_owned(),
    }
}

fn step_text(step: &Step) -> String {
    let mut text = format!("  {}{}: {}\n", step.release, ported(step), step.source);
    for (title, line) in [("", step.says), ("you see: ", step.seen), ("take it back: ", step.back)]
    {
        if !line.is_empty() {
            text.push_str(&format!("    {title}{line}\n"));
        }
    }
    text
}

fn ported(step: &Step) -> String {
    if step.stable.is_empty() {
        return String::new();
    }
    let stable: Vec<String> = step.stable.iter().map(Version::to_string).collect();
    format!(" and {}", stable.join(", "))
}

/// Every row of one release.
fn show(version: Version, as_json: bool) -> Result<(), Failure> {
    let rows = all_rows();
    if as_json {
        let all: Vec<Value> = rows.iter().map(|row| as_value(row, version)).collect();
        return results::print_json(&results::as_json(
            &json!({ "release": version, "rows": all }),
        )?);
    }
    let mut text = format!("{version}: {}\n\n", knowledge(&rows, version));
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    for row in rows.iter().filter(|row| row.modelled) {
        let (at, known) = row.at(version);
        let remark = match known {
            Known::Read => String::new(),
            known => format!("  ({})", known_words(known)),
        };
        text.push_str(&format!("{:width$}  {}{remark}\n", row.name, row.values[at].0));
    }
    let lacking: Vec<_> = rows
        .iter()
        .filter(|row| !row.modelled && row.at(version).0 % 2 == 1)
        .map(|row| format!("  {}: {}\n", row.name, row.doc))
        .collect();
    if !lacking.is_empty() {
        text.push_str("\nIn this release, and not modelled here:\n");
        text.extend(lacking);
    }
    results::print(&text)
}

fn as_value(row: &TableRow, version: Version) -> Value {
    let (at, known) = row.at(version);
    let change = (at > 0).then(|| step(row, at));
    json!({
        "name": row.name, "modelled": row.modelled, "doc": row.doc,
        "value": row.values[at].0, "known": known_words(known), "change": change,
    })
}

/// How many of the rows are read, recalled and taken from a neighbour.
fn knowledge(rows: &[TableRow], version: Version) -> String {
    let known: Vec<Known> =
        rows.iter().filter(|row| row.modelled).map(|row| row.at(version).1).collect();
    let count = |of: fn(&Known) -> bool| known.iter().filter(|known| of(known)).count();
    format!(
        "of {} rows {} are read, {} recalled, {} taken from a neighbour",
        known.len(),
        count(|known| *known == Known::Read),
        count(|known| *known == Known::Recalled),
        count(|known| matches!(known, Known::Neighbour(_)))
    )
}
