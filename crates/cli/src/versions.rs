//! `schedscope versions`: what the table of kernels knows of a release, and what changed in the
//! scheduler between two.

use clap::Args;
use schedscope_engine::kernel::config::{Known, Version};
use schedscope_runs::Failure;
use schedscope_scenario::spelling_note;
pub use schedscope_scenario::versions::release as version;
use schedscope_scenario::versions::{TableRow, all_rows, has_change, knowledge, known_words, step};
use serde_json::{Value, json};

use crate::{remarks, results};
pub use between::step_text;
pub use lines::lines;

mod between;
mod lines;

/// Arguments of `versions`.
#[derive(Args)]
pub struct Arguments {
    /// A release from 2.6.24 to 7.3, as `uname -r` prints it
    #[arg(value_name = "A", value_parser = release)]
    one: Named,
    /// Another one: what changed between the two
    #[arg(value_name = "B", value_parser = release)]
    other: Option<Named>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A release, and how it was written.
#[derive(Clone)]
pub struct Named {
    version: Version,
    text: String,
}

impl Named {
    /// The release, after a remark on a name that says more than it.
    pub fn noted(&self) -> Version {
        remarks::note(spelling_note(&self.text));
        self.version
    }
}

/// Reads a release as `uname -r` prints it.
///
/// # Errors
/// There is no such release; the error names the newest below it.
pub fn release(text: &str) -> Result<Named, String> {
    version(text).map(|version| Named { version, text: text.to_owned() })
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { one, other, json } = arguments;
    let (one, other) = (one.noted(), other.as_ref().map(Named::noted));
    if other.is_some_and(|other| other < one) {
        remarks::say("note: the changes are those from the older release to the newer one");
    }
    if *json {
        return results::print_json(&as_json(one, other)?);
    }
    match other {
        Some(other) => between::print(one, other),
        None => show(one),
    }
}

/// What one release has, or what changed between two, as JSON.
///
/// # Errors
/// There are none.
pub fn as_json(one: Version, other: Option<Version>) -> Result<String, Failure> {
    match other {
        Some(other) => between::as_json(one, other),
        None => {
            let rows: Vec<Value> = all_rows().iter().map(|row| as_value(row, one)).collect();
            results::as_json(&json!({ "release": one, "rows": rows }))
        }
    }
}

/// Every row of one release.
fn show(version: Version) -> Result<(), Failure> {
    let rows = all_rows();
    let mut text = format!("{version}: {}\n\n", knowledge(version));
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
        .filter(|row| !row.modelled && has_change(row, version))
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
