//! What changed between two releases.

use schedscope_engine::kernel::config::row::Counts;
use schedscope_engine::kernel::config::{Known, Since, Version, newest_up_to};
use serde::Serialize;

use super::rows::{TableRow, table_rows};
use super::texts::Part;
use super::unmodelled::unmodelled_rows;

/// A row in which two releases differ.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The path where a scenario may state the row; else the row's own name.
    pub name: String,
    pub part: Part,
    /// Whether the model has it.
    pub modelled: bool,
    /// What the older and the newer release have.
    pub values: [Valued; 2],
    /// Whether the older release, a stable one, took in changes that the newer one lacks.
    pub is_lost: bool,
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
    /// The release in which it came to the branch that has it: a stable one, or `release`.
    pub came: Version,
    /// The first release of each stable branch that took it in, as far as is known.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub stable: &'static [Version],
    /// What the row was before the change, and what the change made it.
    pub values: [String; 2],
    /// Commit or reading.
    pub source: &'static str,
    /// What changed, a sentence.
    pub says: &'static str,
    /// What one sees of it, a sentence; empty where nothing is to be seen.
    pub seen: &'static str,
    /// The command that takes it back on a running kernel; empty where there is none.
    pub back: String,
}

/// The release that a text begins with.
///
/// # Errors
/// There is no such release; the error names the newest below it.
pub fn release(text: &str) -> Result<Version, String> {
    let near = |near: Version| format!("; the newest below it is {near}");
    Version::read(text).map(|read| read.version).ok_or_else(|| {
        format!(
            "there is no such release: one from 2.6.24 to 7.3 is needed, as uname -r prints it{}",
            newest_up_to(text).map_or_else(String::new, near)
        )
    })
}

/// All rows: those of the table of kernels, then the changes that the model lacks.
pub fn all_rows() -> Vec<TableRow> {
    table_rows().into_iter().chain(unmodelled_rows()).collect()
}

/// How well the table of kernels knows `version`: how many rows are known, recalled and taken
/// from a neighbour, and how many changes up to it the model lacks.
pub fn knowledge(version: Version) -> String {
    let rows = all_rows();
    let (modelled, lacking): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.modelled);
    let Counts { read, recalled, neighbours } =
        Counts::of(modelled.iter().map(|row| row.at(version).1));
    let lacks = match lacking.iter().filter(|row| has_change(row, version)).count() {
        0 => String::new(),
        1 => "; a change that it has is not modelled".to_owned(),
        many => format!("; {many} changes that it has are not modelled"),
    };
    format!(
        "of {} rows {read} are known (read, or by their commits), {recalled} recalled, \
            {neighbours} taken from a neighbour{lacks}",
        modelled.len()
    )
}

/// Whether `version` has the change that the model lacks: each step of such a row turns it on or
/// off.
pub fn has_change(row: &TableRow, version: Version) -> bool {
    row.at(version).0 % 2 == 1
}

/// Where the newer of two releases differs from the older one: by part of the scheduler, and in
/// each part by the release that brought the first change.
pub fn between(one: Version, other: Version) -> Vec<Difference> {
    let releases = [one.min(other), one.max(other)];
    let mut differences: Vec<_> =
        all_rows().iter().filter_map(|row| difference(row, releases)).collect();
    differences.sort_by_key(|difference| {
        (difference.part, difference.steps.first().map(|step| step.came))
    });
    differences
}

fn difference(row: &TableRow, releases: [Version; 2]) -> Option<Difference> {
    let [(old, _), (new, _)] = releases.map(|release| row.at(release));
    if row.values[old].0 == row.values[new].0 {
        return None;
    }
    let is_lost = old > new;
    let places = old.min(new) + 1..=old.max(new);
    let changes: Vec<usize> = places.filter(|at| is_change(row, *at, releases)).collect();
    let running = releases[usize::from(!is_lost)];
    let mut steps: Vec<Step> = changes.iter().map(|at| step(row, *at, running)).collect();
    // An older change than the last one is not in force any more, so no command takes it back.
    let last = if is_lost { None } else { steps.len().checked_sub(1) };
    for (at, step) in steps.iter_mut().enumerate() {
        if Some(at) != last {
            step.back.clear();
        }
    }
    Some(Difference {
        name: row.name.clone(),
        part: changes.iter().find_map(|at| row.texts[*at]).map(|text| text.part)?,
        modelled: row.modelled,
        values: releases.map(|release| {
            let (at, known) = row.at(release);
            Valued { value: row.values[at].0.clone(), known: known_words(known) }
        }),
        is_lost,
        steps,
    })
}

/// Whether a row's place is a change on the way between two releases: not a value as before, and
/// not a patch that was only posted.
fn is_change(row: &TableRow, at: usize, releases: [Version; 2]) -> bool {
    let release = row.since[at].release;
    row.texts[at].is_some() && (!release.is_posted() || releases.contains(&release))
}

/// `read`, `recalled`, or the release that the value is taken from.
pub fn known_words(known: Known) -> String {
    match known {
        Known::Read => "read".to_owned(),
        Known::Recalled => "recalled".to_owned(),
        Known::Neighbour(of) => format!("from {of}"),
    }
}

/// The change that brought the row's value at a place, with the command for a kernel of the release
/// `running`. The first place is no change, and has no texts.
pub fn step(row: &TableRow, at: usize, running: Version) -> Step {
    let Since { release, stable } = row.since[at];
    let text = row.texts[at];
    let ported = stable.iter().find(|stable| stable.is_of_branch(running));
    Step {
        release,
        came: *ported.unwrap_or(&release),
        stable,
        values: [place_before(row, at), at].map(|at| row.values[at].0.clone()),
        source: row.sources[at],
        says: text.map_or("", |text| text.says),
        seen: text.map_or("", |text| text.seen),
        back: text.map_or_else(String::new, |text| command_of(text.back, running)),
    }
}

/// The place whose value a change replaced: what a posted series has is no release's, unless the
/// change is of one.
fn place_before(row: &TableRow, at: usize) -> usize {
    let posted = |at: &usize| row.since[*at].release.is_posted();
    (0..at).rev().find(|before| posted(&at) || !posted(before)).unwrap_or(0)
}

/// A command with the path that `running` has: before 5.13 debugfs had sched_features.
fn command_of(back: &str, running: Version) -> String {
    let [old, new] = ["/sys/kernel/debug/sched_features", "/sys/kernel/debug/sched/features"];
    if running < Version::of("5.13") { back.replace(new, old) } else { back.to_owned() }
}
