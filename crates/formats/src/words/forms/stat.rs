//! cpu.stat of either cgroup version, at one instant or at several; and the names that `head`,
//! `tail` and `grep` put before the lines of a file.

use crate::words::case::{Case, Note};
use crate::words::counters::{Counters, Field};
use crate::words::form::Form;
use crate::words::paste::Piece;

use super::cfs::group_name;

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
    ("cpuacct.usage", Field::Usage, 1_000.0),
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
/// A file's counters have at most so many digits.
const DIGITS_MAX: usize = 18;

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let text = piece.text()?;
    if let Some(path) = text.strip_prefix("==> ").and_then(|rest| rest.strip_suffix(" <==")) {
        let folder = path.rsplit_once('/').map(|(folder, _)| group_name(folder));
        case.groups.turn_to(folder);
        case.printed = vec![path.to_owned()];
        return Some(Note::left_out("names the file below"));
    }
    let (path, text) = match text.split_once(':') {
        Some((path, rest)) if path.ends_with("cpu.stat") => (Some(path), rest.trim()),
        _ => (None, text),
    };
    let mut words = text.split([' ', '\t', ':', '=']).filter(|word| !word.is_empty());
    let (name, value, rest) = (words.next()?, words.next()?, words.next());
    if rest.is_some() || value.len() > DIGITS_MAX || !value.bytes().all(|s| s.is_ascii_digit()) {
        return None;
    }
    if OTHERS.contains(&name) {
        return Some(Note::left_out(format!("{name} has no counterpart here")));
    }
    let (_, field, scale) = FIELDS.iter().find(|(known, ..)| *known == name)?;
    let group = match path.and_then(|path| path.rsplit_once('/')) {
        Some((folder, _)) => case.groups.named(group_name(folder)),
        None => case.groups.current(),
    };
    let value: f64 = value.parse().ok()?;
    Counters::add(&mut group.counters, *field, value / scale);
    let instant = match group.counters.len() {
        1 => String::new(),
        count => format!(", reading {count}"),
    };
    Some(Note::used(format!("{name} of the {}{instant}", group.who())))
}
