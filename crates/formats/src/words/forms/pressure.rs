//! Pressure stall information of CPUs: which share of the time tasks waited for a CPU. It says no
//! limit and no count, so that it makes no scenario by itself.

use crate::words::amounts;
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::quantity;
use crate::words::{marks::unwrapped, paste::Piece};

use super::folders::group_name;

pub(super) const FORM: Form = Form {
    name: "pressure",
    title: "cpu.pressure",
    example: "cpu.max 50000 100000\nsome avg10=58.43 avg60=57.45 avg300=57.33 total=27907960587\n\
              full avg10=58.12 avg60=57.28 avg300=57.17 total=27494547488",
    read,
};

/// Files of the whole machine.
const SYSTEM: &str = "/proc/pressure/";

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some(pipeline) = piece.pipeline() {
        let words = unwrapped(&pipeline[0].words);
        let file = words.iter().skip(1).find(|word| word.contains("pressure"))?;
        let prints = matches!(words[0].as_str(), "cat" | "head" | "tail" | "grep" | "more");
        return prints.then(|| {
            case.printed = vec![file.clone()];
            Note::left_out("prints what the next lines say")
        });
    }
    let text = piece.text()?;
    let (path, line) = match text.split_once(':') {
        Some((path, rest)) if path.contains("pressure") => (Some(path), rest.trim()),
        _ => (None, text),
    };
    let mut words = line.split_whitespace();
    let kind = words.next().filter(|kind| matches!(*kind, "some" | "full"))?;
    let mut values = words.map(|word| word.split_once('='));
    let mut value = |name: &str| {
        let (key, value) = values.next()??;
        (key == name).then(|| quantity::decimal(value).or_else(|| value.parse().ok())).flatten()
    };
    let shares = [value("avg10")?, value("avg60")?, value("avg300")?];
    let total_us = value("total").filter(|us: &f64| us.is_finite());
    if shares.iter().any(|share| !(0.0..=100.0).contains(share)) {
        return Some(Note::left_out("no share of the time is below 0 or above 100 %"));
    }
    let file = path.map(str::to_owned).or_else(|| case.printed.last().cloned());
    let file = file.unwrap_or_default();
    if ["memory", "io", "irq"].iter().any(|of| {
        file.ends_with(&format!("{of}.pressure")) || file.ends_with(&format!("{SYSTEM}{of}"))
    }) {
        return Some(Note::left_out("not of CPUs: what waits here waits for something else"));
    }
    Some(says(kind, shares, total_us, &file, case))
}

fn says(kind: &str, shares: [f64; 3], total_us: Option<f64>, file: &str, case: &mut Case) -> Note {
    let [now, minute, _] = shares;
    let is_system = file.starts_with(SYSTEM);
    let who = match file.rsplit_once('/') {
        _ if is_system => "the machine".to_owned(),
        Some((folder, _)) => group_name(folder).map_or_else(
            || "the group".to_owned(),
            |name| format!("the group {}", amounts::quoted(name)),
        ),
        None => "the group".to_owned(),
    };
    let in_all =
        total_us.map_or_else(String::new, |us| format!(", {} in all so far", amounts::time(us)));
    match kind {
        "full" if is_system => {
            case.say(
                "“full” of CPUs has no meaning for the whole machine: a CPU that is short runs a \
                 task. The kernel prints 0.",
            );
            return Note::left_out("not defined for CPUs of the whole machine");
        }
        "full" => {
            case.say(format!(
                "In {now} % of the last 10 s, and {minute} % of the last minute, no task of {who} \
                 ran although some wanted to{in_all}: all were throttled, or others had the CPUs."
            ));
        }
        _ => case.say(format!(
            "In {now} % of the last 10 s, and {minute} % of the last minute, at least one task of \
             {who} waited for a CPU{in_all}."
        )),
    }
    case.open.has_pressure = true;
    Note::used(format!("{kind}: {now} % of the time"))
}

/// What an answer needs beside pressure and averages.
pub(super) fn settled(case: &mut Case) {
    let has_limit = case.groups.all.iter().any(|group| group.quota_us.is_some());
    let has_counters = case.groups.all.iter().any(|group| !group.counters.is_empty());
    if has_limit && has_counters {
        return;
    }
    if case.open.has_pressure {
        case.ask(
            "The limit and cpu.stat of the group: pressure does not say whether a quota made the \
             tasks wait, or other tasks did.",
        );
    }
    if case.open.has_averages {
        case.ask(
            "The limit and the counters: the container's resources, and cpu.stat of its group \
             twice, a minute apart.",
        );
    }
}
