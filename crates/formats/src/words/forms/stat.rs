//! cpu.stat of either cgroup version, at one instant or at several; and the names that `head`,
//! `tail` and `grep` put before the lines of a file.

use crate::words::amounts;
use crate::words::case::{Case, Note};
use crate::words::counters::{Counters, Field};
use crate::words::form::Form;
use crate::words::paste::Piece;
use crate::words::quantity;

use super::clock;
use super::folders::{group_at, group_name};

pub(super) const FORM: Form = Form {
    name: "cpu_stat",
    title: "cpu.stat, once or twice, with the limit",
    example: "cpu.max 100000 100000\nusage_usec 81000000\nnr_periods 1000\nnr_throttled 100\n\
              throttled_usec 30000000",
    read,
};

/// A field by its name in the file, and how many of its units are 1 us.
const FIELDS: &[(&str, Field, f64)] = &[
    ("usage_usec", Field::Usage, 1.0),
    (USAGE, Field::Usage, 1_000.0),
    ("nr_periods", Field::Periods, 1.0),
    ("nr_throttled", Field::Throttled, 1.0),
    ("throttled_usec", Field::ThrottledTime, 1.0),
    ("throttled_time", Field::ThrottledTime, 1_000.0),
    ("nr_bursts", Field::Bursts, 1.0),
    ("burst_usec", Field::BurstTime, 1.0),
    ("burst_time", Field::BurstTime, 1_000.0),
];
/// Fields that the scenario has no use for.
const OTHERS: &[&str] = &[
    "user_usec",
    "system_usec",
    "nice_usec",
    "core_sched.force_idle_usec",
    "wait_sum",
    "current_bw",
];
/// The file of v1 that has the CPU time alone, ns.
pub(super) const USAGE: &str = "cpuacct.usage";
/// A file's counters have at most so many digits.
const DIGITS_MAX: usize = 18;

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let text = piece.text()?;
    if let Some(path) = text.strip_prefix("==> ").and_then(|rest| rest.strip_suffix(" <==")) {
        let folder = path.rsplit_once('/').and_then(|(folder, _)| group_name(folder));
        case.groups.turn_to(folder);
        case.printed = vec![path.to_owned()];
        return Some(Note::left_out("names the file below"));
    }
    let (path, text) = match text.split_once(':') {
        Some((path, rest)) if path.ends_with("cpu.stat") => (Some(path), rest.trim().to_owned()),
        Some((path, rest)) if path.ends_with(USAGE) => (Some(path), format!("{USAGE} {rest}")),
        _ => (None, text.to_owned()),
    };
    let (date, text) = clock::dated(&text);
    let pairs = pairs(text)?;
    if let Some(date) = date {
        clock::put(date, piece.line(), case);
    }
    let left = |name: &str| Note::left_out(format!("{name} has no counterpart here"));
    let mut said = Vec::new();
    for (name, value) in &pairs {
        if let Some((name, field, scale)) = FIELDS.iter().find(|(known, ..)| known == name) {
            said.push((*name, counted(path, *field, value / scale, case)));
        }
    }
    // The file whose lines these are was printed.
    if let Some(at) = case.printed.iter().position(|file| file.ends_with("cpu.stat")) {
        case.printed.drain(..=at);
    }
    let Some((_, whose)) = said.last() else { return pairs.first().map(|(name, _)| left(name)) };
    let names: Vec<String> = said.iter().map(|(name, _)| (*name).to_owned()).collect();
    Some(Note::used(format!("{} of the {whose}", amounts::listed(&names))))
}

/// Names and values of a line: one, or several in a row; none where a word is neither.
fn pairs(text: &str) -> Option<Vec<(&str, f64)>> {
    let words = text.split([' ', '\t', ':', '=', ';']).map(|word| word.trim_end_matches(','));
    let mut words = words.filter(|word| !word.is_empty()).peekable();
    let mut all = Vec::new();
    while let Some(name) = words.next() {
        if !OTHERS.contains(&name) && !FIELDS.iter().any(|(known, ..)| *known == name) {
            return None;
        }
        let mut value = words.next().and_then(quantity::grouped)?;
        // Thousands apart: `43 630 000`.
        let is_three = |word: &&str| word.len() == 3 && word.bytes().all(|s| s.is_ascii_digit());
        while let Some(more) = words.next_if(is_three) {
            value += more;
        }
        if value.len() > DIGITS_MAX {
            return None;
        }
        all.push((name, value.parse().ok()?));
    }
    (!all.is_empty()).then_some(all)
}

/// Adds a counter to the group of a file, or to the one that lines without a name belong to; who
/// that is.
pub(super) fn counted(path: Option<&str>, field: Field, value: f64, case: &mut Case) -> String {
    let group = group_at(path.and_then(|path| path.rsplit_once('/')).map(|(at, _)| at), case);
    Counters::add(&mut group.counters, field, value);
    match group.counters.len() {
        1 => group.who(),
        count => format!("{}, reading {count}", group.who()),
    }
}
