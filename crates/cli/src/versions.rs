//! `schedscope versions`: what the table of kernels knows of a release, and what changed in the
//! scheduler between two.

use clap::Args;
use schedscope_engine::kernel::config::row::Counts;
use schedscope_engine::kernel::config::{Known, Version, newest_up_to};
use schedscope_runs::Failure;
use schedscope_scenario::versions::{TableRow, all_rows, known_words, step};
use serde_json::{Value, json};

use self::lines::lines;
use crate::results;

mod between;
mod lines;

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
        Some(other) => between::print(arguments.one, other, arguments.json),
        None => show(arguments.one, arguments.json),
    }
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
        .map(|row| lines(2, 4, &format!("{}: {}", row.name, row.doc)))
        .collect();
    if !lacking.is_empty() {
        text.push_str("\nIn this release, and not modelled here:\n");
        text.extend(lacking);
    }
    results::print(&text)
}

fn as_value(row: &TableRow, version: Version) -> Value {
    let (at, known) = row.at(version);
    let change = (at > 0).then(|| step(row, at, version));
    json!({
        "name": row.name, "modelled": row.modelled, "doc": row.doc,
        "value": row.values[at].0, "known": known_words(known), "change": change,
    })
}

/// How many of the rows are read, recalled and taken from a neighbour.
fn knowledge(rows: &[TableRow], version: Version) -> String {
    let modelled = rows.iter().filter(|row| row.modelled);
    let Counts { read, recalled, neighbours } =
        Counts::of(modelled.clone().map(|row| row.at(version).1));
    format!(
        "of {} rows {read} are read, {recalled} recalled, {neighbours} taken from a neighbour",
        modelled.count()
    )
}
