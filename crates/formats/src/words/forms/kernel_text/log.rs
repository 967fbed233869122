//! Lines of the kernel's log (dmesg, journalctl).

use schedscope_engine::kernel::config::Version;
use serde_json::{Map, json};

use super::super::uname;
use crate::words::amounts::quoted;
use crate::words::case::{Case, Note, Program};
use crate::words::cpus::{CPUS_MAX, CpuList};
use crate::words::getopt::whole;
use crate::words::paste::Piece;

/// Lines that name CPUs: what precedes the list, and the knob.
const LISTS: &[(&str, &str)] = &[
    ("NO_HZ: Full dynticks CPUs:", "kernel.nohz_full"),
    ("rcu: Offload RCU callbacks from CPUs:", "workload.rcu.nocbs"),
    ("Offload RCU callbacks from CPUs:", "workload.rcu.nocbs"),
];
const THROTTLED: &str = "sched: RT throttling activated";
const LIMIT: &str = "kernel.sched_rt_runtime_us";
/// Lines that say something and set nothing, and what they mean.
const MEANINGS: &[(&str, &str)] = &[
    (
        "sched: DL replenish lagged too much",
        "A task of SCHED_DEADLINE got its run time far too late; SCHED_DEADLINE is not simulated.",
    ),
    (
        "soft lockup - CPU#",
        "A CPU stayed in the kernel for 20 s or more without a switch of tasks; why is in the \
         stack below that line.",
    ),
    (
        "self-detected stall on CPU",
        "A CPU passed no quiescent state of RCU for 21 s or more: it did not switch, or its tick \
         did not come.",
    ),
    (
        "detected stalls on CPUs/tasks",
        "CPUs or tasks passed no quiescent state of RCU for 21 s or more.",
    ),
    (
        "blocked for more than",
        "A task slept without a signal being able to wake it for that long; what it waited for is \
         in the stack below, and it need not be the scheduler.",
    ),
    (
        "NOHZ tick-stop error",
        "A CPU went idle with softirqs pending: they ran at the next interrupt only.",
    ),
    (
        "hrtimer: interrupt took",
        "An interrupt of timers took that long: nothing else ran on that CPU meanwhile.",
    ),
    (
        "perf: interrupt took too long",
        "Sampling by perf took too long, and the kernel sampled less often from then on.",
    ),
    (
        "clocksource: timekeeping watchdog",
        "The kernel gave up a clock; times of before and after are hard to compare.",
    ),
];

pub(super) fn read(text: &str, case: &mut Case) -> Option<Note> {
    let text = without_stamp(text);
    if text.starts_with("Linux version ") {
        let piece = Piece::Text { line: 0, text: text.to_owned() };
        return (uname::FORM.read)(&piece, case);
    }
    for (begin, of) in LISTS {
        if let Some((_, rest)) = text.split_once(begin) {
            let list = rest.trim().trim_end_matches('.');
            let cpus = CpuList::read(list)?;
            case.list(of, cpus);
            return Some(Note::used(format!("{of} is {list}")));
        }
    }
    machine(text, case).or_else(|| preempt(text, case)).or_else(|| meaning(text, case))
}

/// The line without `[  157.924835] [name]`, which the log puts before it.
fn without_stamp(text: &str) -> &str {
    let mut text = text;
    while let Some(rest) = text.strip_prefix('[') {
        let Some((_, rest)) = rest.split_once(']') else { break };
        text = rest.trim_start();
    }
    text.split_once(" kernel: ").map_or(text, |(_, rest)| rest.trim_start())
}

/// `smp: Brought up 1 node, 8 CPUs`.
fn machine(text: &str, case: &mut Case) -> Option<Note> {
    let rest = text.strip_prefix("smp: Brought up ")?;
    let count = rest.split(", ").nth(1)?.split_whitespace().next()?;
    let cpus = whole(count).filter(|cpus| (1..=u64::from(CPUS_MAX)).contains(cpus))?;
    case.cpus = u32::try_from(cpus).ok();
    Some(Note::used(format!("a machine of {cpus} CPUs")))
}

/// `Dynamic Preempt: full`.
fn preempt(text: &str, case: &mut Case) -> Option<Note> {
    let (_, model) = text.split_once("Dynamic Preempt:")?;
    let model = model.trim();
    Some(match super::config::model(model, "Dynamic Preempt", case) {
        Some(words) => Note::used(words),
        None => Note::left_out(format!(
            "there is no model {} of preempt=; expected none, voluntary, full or lazy",
            quoted(model)
        )),
    })
}

fn meaning(text: &str, case: &mut Case) -> Option<Note> {
    if text.contains(THROTTLED) {
        // The line comes once after each boot.
        case.throttled = true;
        return Some(Note::used("real-time tasks used up their share of time, once or more often"));
    }
    let (_, means) = MEANINGS.iter().find(|(words, _)| text.contains(words))?;
    if !case.says.iter().any(|said| said == means) {
        case.says.push((*means).to_owned());
    }
    Some(Note::left_out(format!("a remark of the kernel: {}", quoted(text))))
}

/// Whether real-time tasks are limited as a whole in this release: from 6.12 on a server gives fair
/// tasks their time, and the line comes of groups alone.
fn has_limit(case: &Case) -> bool {
    let release = case.settings.get("kernel.version").and_then(|set| Version::read(&set.name));
    let server = Version::read("6.12").expect("a release").version;
    release.is_none_or(|spelling| spelling.version < server)
}

pub(super) fn settled(case: &mut Case) {
    if !case.throttled {
        return;
    }
    case.says.push(
        "RT throttling activated: real-time tasks of a CPU ran for their whole share of a period, \
         950 ms of every second unless sched_rt_runtime_us says otherwise, and then had to let \
         others run until the period's end. The line comes once after a boot, however often it \
         happens, and does not say which task it was."
            .to_owned(),
    );
    if !has_limit(case) {
        case.says.push(
            "From 6.12 on only groups of real-time tasks are throttled so; a server gives fair \
             tasks their time otherwise."
                .to_owned(),
        );
    }
    if has_limit(case) && !case.settings.contains_key(LIMIT) {
        case.set(LIMIT, json!(950_000), Some(json!("-1")), "RT throttling");
    }
    if case.programs.is_empty() && case.file.is_none() {
        let mut task = Map::new();
        for (key, value) in [
            ("policy", json!("SCHED_FIFO")),
            ("priority", json!(50)),
            ("loop", json!(-1)),
            ("run", json!(100_000)),
        ] {
            task.insert(key.to_owned(), value);
        }
        case.assumed.push(
            "A task of SCHED_FIFO 50 computes without a pause: such a task is what the line needs."
                .to_owned(),
        );
        let name = "computing".to_owned();
        let figure = Some(format!("tasks.{name}.*.user_ns"));
        let run_us = 3_000_000;
        case.programs.push(Program::Task { name, task, on_each: false, figure, run_us });
    }
}
