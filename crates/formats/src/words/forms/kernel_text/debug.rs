//! /sys/kernel/debug/sched/debug: the release, sizes, and queues at an instant.

use super::super::{sysctl, uname};
use crate::words::amounts::{decimal, quoted};
use crate::words::case::{Case, Fate, Note};
use crate::words::table::{Kind, Table};

/// Headings of its parts.
const PARTS: &[&str] = &["cpu#", "cfs_rq[", "rt_rq[", "dl_rq[", "runnable tasks:", "sysctl_sched"];

pub(super) fn read(text: &str, case: &mut Case) -> Option<Note> {
    if let Some((_, rest)) = text.split_once("Sched Debug Version: ") {
        let release = rest.split(", ").nth(1)?.split_whitespace().next()?;
        case.tables.push(Table::new(Kind::SchedDebug, Vec::new()));
        let said = uname::release_said(release, case)?;
        return Some(match case.settings.contains_key("kernel.version") {
            true => Note::used(said),
            false => Note::left_out(said),
        });
    }
    let is_inside = case.tables.iter().any(|table| table.kind == Kind::SchedDebug);
    if PARTS.iter().any(|part| text.starts_with(part)) {
        return (is_inside || text.starts_with("cfs_rq[")).then(|| {
            Note::left_out(format!("{}: queues at one instant are left out", quoted(text)))
        });
    }
    if !is_inside {
        return None;
    }
    const STATES: &[&str] = &["S", "R", "D", "I", "T", "X", "Z", ">R", "task"];
    if text.split_whitespace().next().is_some_and(|word| STATES.contains(&word)) {
        return Some(Note::left_out("a task of a queue at one instant"));
    }
    let (name, value) = text.split_once(':').map(|(name, value)| (name.trim(), value.trim()))?;
    if name == ".sysctl_sched_base_slice" || name == ".sysctl_sched_min_granularity" {
        return size(name, value, case);
    }
    let is_line = name.starts_with('.')
        || matches!(name, "ktime" | "sched_clk" | "cpu_clk" | "jiffies" | "sched_clock_stable()");
    is_line.then(|| Note::new(Fate::LeftOut, format!("{name}: a figure at one instant")))
}

/// `.sysctl_sched_base_slice : 3.000000`: ms of the machine.
fn size(name: &str, value: &str, case: &mut Case) -> Option<Note> {
    let ms = decimal(value)?;
    if name.ends_with("min_granularity") {
        return Some(Note::left_out(format!(
            "the least granularity is {ms} ms: CFS has that of its release here"
        )));
    }
    let ns = (ms * 1e6).round();
    sysctl::of_debugfs("base_slice_ns", &format!("{ns}"), case)
}

pub(super) fn said(table: &Table, case: &mut Case) {
    if table.kind == Kind::SchedDebug {
        case.says.push(
            "Queues of one instant do not say how long tasks wait: a recording of sched_switch and \
             sched_wakeup does."
                .to_owned(),
        );
    }
}
