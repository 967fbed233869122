//! What changed between two releases.

use schedscope_engine::kernel::config::{Known, Since, Version};
use serde::Serialize;

use super::rows::{TableRow, table_rows};
use super::texts::{Text, text_of};
use super::unmodelled::unmodelled_rows;

/// A row in which two releases differ.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The path where a scenario may state the row; else the row's own name.
    pub name: String,
    /// Whether the model has it.
    pub modelled: bool,
    /// What the older and the newer release have.
    pub values: [Valued; 2],
    /// The changes that made the difference, oldest first.
    pub steps: Vec<Step>,
}

/// A release's value of a row.
#[derive(Clone, Debug, Serialize)]
pub struct Valued {
    pub value: String,
    /// `read`, `recalled`, or `from` the release that it is taken from.
    pub known: String,
}

/// One change.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// The first mainline release that has it.
    pub release: Version,
    /// The first release of each stable branch that took it in, as far as is known.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub stable: &'static [Version],
    /// Commit or reading.
    pub source: &'static str,
    /// What changed, a sentence.
    pub says: &'static str,
    /// What one sees of it, a sentence; empty where nothing is to be seen.
    pub seen: &'static str,
    /// The command that takes it back on a running kernel; empty where there is none.
    pub back: &'static str,
}

/// All rows: those of the table of kernels, then the changes that the model lacks.
pub fn all_rows() -> Vec<TableRow> {
    table_rows().into_iter().chain(unmodelled_rows()).collect()
}

/// Where the newer of two releases differs from the older one, in the order of the table.
pub fn between(one: Version, other: Version) -> Vec<Difference> {
    let releases = [one.min(other), one.max(other)];
    all_rows().iter().filter_map(|row| difference(row, releases)).collect()
}

fn difference(row: &TableRow, releases: [Version; 2]) -> Option<Difference> {
    let [(old, _), (new, _)] = releases.map(|release| row.at(release));
    if row.values[old].0 == row.values[new].0 {
        return None;
    }
    // A stable release may be older by its number, and have a change that the newer one lacks.
    let steps = old.min(new) + 1..=old.max(new);
    Some(Difference {
        name: row.name.clone(),
        modelled: row.modelled,
        values: releases.map(|release| {
            let (at, known) = row.at(release);
            Valued { value: row.values[at].0.clone(), known: known_words(known) }
        }),
        steps: steps.map(|at| step(row, at)).collect(),
    })
}

/// `read`, `recalled`, or the release that the value is taken from.
pub fn known_words(known: Known) -> String {
    match known {
        Known::Read => "read".to_owned(),
        Known::Recalled => "recalled".to_owned(),
        Known::Neighbour(of) => format!("from {of}"),
    }
}

/// The change that brought the row's value at a place, which is not the first.
pub fn step(row: &TableRow, at: usize) -> Step {
    let Since { release, stable } = row.since[at];
    let Text { says, seen, back } = text_of(&row.name, release);
    Step { release, stable, source: row.sources[at], says, seen, back }
}
