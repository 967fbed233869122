//! CPUQuota= of systemd, a share of one CPU in percent, with CPUQuotaPeriodSec= and CPUWeight=
//! beside it: in a unit's file, in a drop-in, as `systemctl show` prints it, in `systemctl
//! set-property`, behind `systemd-run -p`.

use crate::words::amounts::{self, quoted};
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::group::Group;
use crate::words::limit::{LEAST_US, PERIOD_US};
use crate::words::open::Unit;
use crate::words::quantity;
use crate::words::{marks::unwrapped, paste::Piece};

pub(super) const FORM: Form = Form {
    name: "systemd",
    title: "CPUQuota= of systemd",
    example: "CPUQuota=150%\nCPUQuotaPeriodSec=10ms\nCPUWeight=50",
    read,
};

/// Settings that are read.
const READ: &[&str] = &[
    "AllowedCPUs",
    "CPUQuota",
    "CPUQuotaPerSecUSec",
    "CPUQuotaPeriodSec",
    "CPUQuotaPeriodUSec",
    "CPUSchedulingPolicy",
    "CPUWeight",
];
/// Settings of scheduling and memory that the scenario has nothing like.
const LEFT_OUT: &[&str] = &[
    "AllowedMemoryNodes",
    "CPUAffinity",
    "CPUSchedulingPriority",
    "CPUSchedulingResetOnFork",
    "CPUShares",
    "NUMAMask",
    "NUMAPolicy",
    "Nice",
    "StartupAllowedCPUs",
    "StartupCPUShares",
    "StartupCPUWeight",
];
/// Settings whose value is a list, in which 0 is a CPU.
const LISTS: &[&str] = &["CPUAffinity", "StartupAllowedCPUs", "NUMAMask", "AllowedMemoryNodes"];
/// What `systemctl show` prints of a setting that was never made.
const UNSET: &[&str] =
    &["", "0", "no", "n/a", "[not set]", "[not", "infinity", "18446744073709551615"];
/// Endings of the names of units.
const UNITS: &[&str] = &[".service", ".slice", ".scope", ".socket", ".mount", ".swap"];
/// Units of a text that are looked at.
const UNITS_MAX: usize = 500;

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some(pipeline) = piece.pipeline() {
        return command(unwrapped(&pipeline[0].words), case);
    }
    let text = piece.text()?;
    if let Some(path) = text.strip_prefix("# /") {
        let name = path.split('/').find_map(unit_name)?;
        turn_to(Some(name), case);
        return Some(Note::left_out(format!("names the file of {name}")));
    }
    let is_section = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if let Some(section) = is_section {
        let is_known = matches!(section, "Unit" | "Service" | "Slice" | "Scope" | "Install");
        return is_known.then(|| {
            begin(section, case);
            Note::left_out("a part of a unit's file")
        });
    }
    settings(text, case)
}

/// `systemctl set-property UNIT KEY=VALUE…`, `systemd-run -p KEY=VALUE COMMAND`.
fn command(words: &[String], case: &mut Case) -> Option<Note> {
    let (program, rest) = words.split_first()?;
    match program.rsplit('/').next()? {
        "systemctl" => {
            let bare = || rest.iter().filter(|word| !word.starts_with('-'));
            match bare().next().map(String::as_str)? {
                "set-property" => {
                    let name = bare().nth(1).map(String::as_str);
                    let pairs = bare().skip(2).filter_map(|word| word.split_once('='));
                    Some(assign(name, pairs, case))
                }
                "show" | "cat" | "status" | "edit" => {
                    let name = bare().skip(1).find_map(|name| unit_name(name));
                    if name.is_some() {
                        turn_to(name, case);
                    }
                    Some(Note::left_out("prints what the next lines say"))
                }
                "daemon-reload" | "restart" | "start" => Some(Note::left_out("sets no limit")),
                _ => None,
            }
        }
        "systemd-run" | "systemd-nspawn" => {
            let mut pairs = Vec::new();
            let mut name = None;
            let mut at = 0;
            while let Some(word) = rest.get(at).filter(|word| word.starts_with('-')) {
                let next = rest.get(at + 1).map_or("", String::as_str);
                let (option, value) = match word.split_once('=') {
                    Some((option, value)) if option.starts_with("--") => (option, Some(value)),
                    _ if word.starts_with("-p") && word.len() > 2 => ("-p", Some(&word[2..])),
                    _ => (word.as_str(), None),
                };
                let takes = matches!(
                    option,
                    "-p" | "--property"
                        | "--unit"
                        | "-u"
                        | "--slice"
                        | "-E"
                        | "--uid"
                        | "-D"
                        | "--directory"
                        | "-H"
                        | "-M"
                );
                let value = value.or(takes.then_some(next));
                at += 1 + usize::from(takes && value == Some(next) && !word.contains(next));
                match (option, value) {
                    ("-p" | "--property", Some(pair)) => pairs.extend(pair.split_once('=')),
                    ("--unit" | "-u", value) => name = value,
                    _ => {}
                }
            }
            Some(assign(name, pairs.into_iter(), case))
        }
        _ => None,
    }
}

/// Lines of a unit: settings, several of them in one line where a command was cut.
fn settings(text: &str, case: &mut Case) -> Option<Note> {
    let (key, value) = text.split_once('=')?;
    let key = key.trim();
    let is_word = (3..=40).contains(&key.len()) && key.bytes().all(|s| s.is_ascii_alphanumeric());
    if !is_word || !key.starts_with(|sign: char| sign.is_ascii_uppercase()) {
        return None;
    }
    if key == "Id" {
        turn_to(Some(value.trim()), case);
        return Some(Note::left_out("names the unit"));
    }
    if key == "Slice" && case.open.unit.is_some() {
        assign(None, std::iter::once((key, value)), case);
        return Some(Note::left_out("the group around the unit, where the text has that too"));
    }
    let is_known = READ.contains(&key) || LEFT_OUT.contains(&key);
    if !is_known {
        return (!case.open.units.is_empty())
            .then(|| Note::left_out(format!("{key}= says nothing of CPU time here")));
    }
    let rest = value.split_whitespace().filter(|word| {
        word.split_once('=').is_some_and(|(key, _)| READ.contains(&key) || LEFT_OUT.contains(&key))
    });
    let more: Vec<(&str, &str)> = rest.filter_map(|word| word.split_once('=')).collect();
    let first = if more.is_empty() {
        value.trim()
    } else {
        value.split_whitespace().next().filter(|word| !word.contains('=')).unwrap_or_default()
    };
    Some(assign(None, std::iter::once((key, first)).chain(more), case))
}

/// Settings of a unit; the last of each counts.
fn assign<'t>(
    name: Option<&str>,
    pairs: impl Iterator<Item = (&'t str, &'t str)>,
    case: &mut Case,
) -> Note {
    if name.is_some() || case.open.unit.is_none() {
        turn_to(name, case);
    }
    let (mut used, mut left) = (Vec::new(), Vec::new());
    for (key, value) in pairs {
        let value = value.trim().trim_matches(['"', '\'']);
        if READ.contains(&key) {
            used.push(format!("{key}="));
        } else {
            left.push(format!("{key}="));
        }
        if let Some(unit) = case.open.unit.and_then(|at| case.open.units.get_mut(at)) {
            unit.settings.insert(key.to_owned(), value.to_owned());
        }
    }
    if used.is_empty() {
        let left =
            if left.is_empty() { "sets no CPU time".to_owned() } else { amounts::listed(&left) };
        return Note::left_out(format!("{left}: nothing like it here"));
    }
    Note::used(format!("{} of a unit", amounts::listed(&used)))
}

/// A section: one of another type, or the head of a file below a section, begins another unit.
fn begin(section: &str, case: &mut Case) {
    let at = case.open.unit;
    // Files that are named may have drop-ins with the same sections.
    let unit = at.and_then(|at| case.open.units.get(at)).filter(|unit| unit.name.is_none());
    let was = unit.and_then(|unit| unit.section.clone());
    let is_type = matches!(section, "Service" | "Slice" | "Scope");
    let is_other = was.is_some_and(|was| section == "Unit" || is_type && was != section);
    if is_other && case.open.units.len() < UNITS_MAX {
        case.open.units.push(Unit::default());
        case.open.unit = Some(case.open.units.len() - 1);
    } else if is_type && at.is_none() {
        turn_to(None, case);
    }
    if let Some(unit) = case.open.unit.and_then(|at| case.open.units.get_mut(at))
        && is_type
    {
        unit.section = Some(section.to_owned());
    }
}

/// Lines without a name belong to this unit from here on.
fn turn_to(name: Option<&str>, case: &mut Case) {
    let units = &mut case.open.units;
    let known = units.iter().position(|unit| unit.name.as_deref() == name);
    case.open.unit = known.or_else(|| {
        (units.len() < UNITS_MAX).then(|| {
            units.push(Unit { name: name.map(str::to_owned), ..Unit::default() });
            units.len() - 1
        })
    });
}

/// `web.service` of `web.service` and of the folder of its drop-ins, `web.service.d`.
fn unit_name(word: &str) -> Option<&str> {
    let name = word.strip_suffix(".d").unwrap_or(word);
    UNITS.iter().any(|end| name.ends_with(end)).then_some(name)
}

/// The groups of the units.
pub(super) fn settled(case: &mut Case) {
    let units = std::mem::take(&mut case.open.units);
    let is_read = |unit: &&Unit| READ.iter().any(|key| unit.settings.contains_key(*key));
    let mut made: Vec<(&Unit, usize)> = Vec::new();
    for unit in units.iter().filter(is_read) {
        let index = case.groups.put(group(unit));
        made.push((unit, index));
    }
    for (unit, index) in &made {
        let Some(slice) = unit.settings.get("Slice") else { continue };
        let is_it = |other: &Unit| match &other.name {
            Some(name) => name == slice,
            None => other.section.as_deref() == Some("Slice"),
        };
        let around = made.iter().find(|(other, at)| at != index && is_it(other));
        case.groups.all[*index].inside = around.map(|(_, at)| *at);
    }
    case.open.unit = None;
}

fn group(unit: &Unit) -> Group {
    let mut group = Group { name: unit.name.clone(), kind: "unit", ..Group::default() };
    let who = group.who();
    match limit(unit) {
        Ok(limit) => {
            group.quota_us = Some(limit.map(|(quota_us, _)| quota_us));
            group.period_us = limit.map(|(_, period_us)| period_us);
            group.assume(match limit {
                Some(_) => format!("No slice above the {who} has a smaller limit."),
                None => format!("No slice above the {who} has a limit."),
            });
        }
        Err(wrong) => group.wrong = Some(format!("{wrong}.")),
    }
    let value = |key: &str| unit.settings.get(key).map(String::as_str);
    match value("CPUWeight").filter(|weight| !UNSET.contains(weight)) {
        None => {}
        Some("idle") => {
            group.remark("CPUWeight=idle is left out: the group would run only on idle CPUs.");
        }
        Some(text) => match quantity::count(text).filter(|weight| (1..=10_000).contains(weight)) {
            Some(weight) => {
                group.weight = Some(weight);
                group.remark(format!(
                    "CPUWeight={weight} sets cpu.weight {weight}: a weight counts only where \
                     groups compete for a CPU."
                ));
            }
            None => {
                group.wrong = Some(format!(
                    "CPUWeight is {}; expected a whole number from 1 to 10000, or idle.",
                    quoted(text)
                ));
            }
        },
    }
    if let Some(list) = value("AllowedCPUs") {
        // systemd parts them with spaces, too.
        group.on_cpus(&list.split_whitespace().collect::<Vec<_>>().join(","));
    }
    policy(unit, &mut group);
    left_out(unit, &mut group);
    group
}

/// A policy of the unit's threads.
fn policy(unit: &Unit, group: &mut Group) {
    let name = match unit.settings.get("CPUSchedulingPolicy").map(String::as_str) {
        None | Some("" | "0" | "other") => return,
        Some("1") => "fifo",
        Some("2") => "rr",
        Some("3") => "batch",
        Some("5") => "idle",
        Some(name) => name,
    };
    let name = name.to_owned();
    if matches!(name.as_str(), "fifo" | "rr") {
        group.remark(format!(
            "CPUQuota does not limit real-time threads, and CPUSchedulingPolicy={name} starts the \
             threads of the {} as SCHED_{}. The scenario has fair threads: it shows only what the \
             limit does to threads that the unit makes fair.",
            group.who(),
            name.to_uppercase()
        ));
    } else {
        group.remark(format!(
            "CPUSchedulingPolicy={} is left out: the threads are SCHED_OTHER.",
            quoted(&name)
        ));
    }
}

fn left_out(unit: &Unit, group: &mut Group) {
    let is_stated = |key: &&&str| {
        unit.settings.get(**key).is_some_and(|value| {
            !UNSET.contains(&value.as_str()) || value == "0" && LISTS.contains(key)
        })
    };
    let left: Vec<String> =
        LEFT_OUT.iter().filter(is_stated).map(|key| format!("{key}=")).collect();
    if !left.is_empty() {
        group.remark(format!("Left out, with nothing like it here: {}.", amounts::listed(&left)));
    }
    let finer = unit.settings.get("CPUQuota").is_some_and(|quota| quota.contains('.'));
    if finer && group.wrong.is_none() {
        group.remark("Older versions of systemd take only a whole number of percent in CPUQuota=.");
    }
}

/// Quota and period; none: no limit. A sentence without its end where systemd would refuse it.
fn limit(unit: &Unit) -> Result<Option<(u64, u64)>, String> {
    let value = |key: &str| unit.settings.get(key).map(String::as_str).filter(|v| !v.is_empty());
    let stated = |key: &str| value(key).filter(|text| *text != "infinity" && *text != "[not set]");
    let per_second = match (value("CPUQuota"), stated("CPUQuotaPerSecUSec")) {
        (Some("infinity"), _) | (None, None) => return Ok(None),
        (Some(percent), _) => percent
            .strip_suffix('%')
            .filter(|number| number.split_once('.').is_none_or(|(_, part)| part.len() <= 2))
            .and_then(quantity::decimal)
            .filter(|percent| *percent > 0.0)
            .map(|percent| percent * 10_000.0)
            .ok_or_else(|| {
                format!(
                    "CPUQuota is {}; expected percent of one CPU such as 150%, with two decimals \
                     at most",
                    quoted(percent)
                )
            })?,
        (None, Some(shown)) => spans_us(shown)
            .filter(|us| *us > 0.0)
            .ok_or_else(|| format!("CPUQuotaPerSecUSec is {}; no time", quoted(shown)))?,
    };
    let period = stated("CPUQuotaPeriodSec").map(|text| (text, "s"));
    let period = period.or_else(|| stated("CPUQuotaPeriodUSec").map(|text| (text, "us")));
    let period_us = match period {
        None => PERIOD_US as f64,
        Some((text, bare)) => quantity::time_us(text, bare).ok_or_else(|| {
            format!("CPUQuotaPeriodSec is {}; expected a time such as 10ms", quoted(text))
        })?,
    };
    // The period grows until the quota is 1 ms, which is the least that the kernel takes, but not
    // above 1 s: systemd does so.
    let per_second = (per_second.round() as u64).max(1);
    let longest = 1_000_000;
    let shortest = (LEAST_US * 1_000_000 / per_second).max(LEAST_US);
    let period_us = (period_us.round() as u64).max(shortest).min(longest);
    let quota_us = (per_second.saturating_mul(period_us) / 1_000_000).max(LEAST_US);
    Ok(Some((quota_us, period_us)))
}

/// `1s 500ms`, in us.
fn spans_us(text: &str) -> Option<f64> {
    text.split_whitespace().map(|span| quantity::time_us(span, "us")).sum()
}
