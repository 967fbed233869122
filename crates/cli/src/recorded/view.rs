//! `schedscope record-view`: what a recording holds, what it lacks, and what its tasks did.

use clap::Args;
use schedscope_formats::recording::{Coverage, Missed, Recording, Sums, sums};
use schedscope_runs::Failure;
use schedscope_runs::numbers::{counted, percent, table, time};
use serde_json::{Value, json};

use super::file;
use crate::results;

/// Arguments of `record-view`.
#[derive(Args)]
pub struct Arguments {
    /// A recording of a real machine: ftrace text, trace.dat, perf script, Perfetto
    file: String,
    /// How many tasks are printed, those with the most CPU time first
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    tasks: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let recording = file::read(&arguments.file)?;
    let (sums, missed) = sums(&recording);
    let mut all: Vec<(u32, Sums)> = (0..).zip(sums).collect();
    all.sort_by_key(|(_, sums)| std::cmp::Reverse(sums.ran_ns));
    if arguments.json {
        return results::print_json(&results::as_json(&object(&recording, &all, missed))?);
    }
    let head = file::head(&recording, &arguments.file);
    let shown = &all[..all.len().min(arguments.tasks as usize)];
    let left = all.len() - shown.len();
    let more = match left {
        0 => String::new(),
        _ => format!("{}: --tasks N\n", counted(left as u64, "more task")),
    };
    results::print(&format!(
        "{head}\n\n{}{}\n{}{more}",
        coverage(&recording.coverage),
        file::lacks(missed).map_or_else(String::new, |lacks| format!("{lacks}\n")),
        tasks(&recording, shown)
    ))
}

fn coverage(coverage: &Coverage) -> String {
    let named = |counts: &std::collections::BTreeMap<String, u64>| {
        let each = counts.iter().map(|(name, count)| format!("{name} {count}"));
        each.collect::<Vec<_>>().join(", ")
    };
    let mut text = format!("events: {}\n", named(&coverage.events));
    if !coverage.others.is_empty() {
        text += &format!("not needed here: {}\n", named(&coverage.others));
    }
    for (sort, unread) in &coverage.unread {
        let what = counted(unread.count, sort);
        text +=
            &format!("not understood: {what}, the first at {}: {}\n", unread.place, unread.what);
    }
    for (cpu, lost) in &coverage.lost {
        let many = lost.map_or_else(|| "events".to_owned(), |lost| counted(lost, "event"));
        text += &format!("lost by the kernel: {many} of CPU {cpu}\n");
    }
    if let Some(damage) = &coverage.damage {
        text += &format!("damaged at {}: {}; what was whole is read\n", damage.place, damage.why);
    }
    if coverage.beyond > 0 {
        text += &format!("not kept: {} beyond the most\n", counted(coverage.beyond, "event"));
    }
    text
}

const HEAD: [&str; 9] =
    ["task", "pid", "priority", "CPU time", "switches", "moves", "wake-ups", "p99", "worst"];

fn tasks(recording: &Recording, all: &[(u32, Sums)]) -> String {
    let span = recording.span_ns().max(1);
    let row = |(index, sums): &(u32, Sums)| {
        let task = &recording.tasks[*index as usize];
        let share = percent(sums.ran_ns.saturating_mul(10_000) / span);
        let of = |part: u64| sums.latency_ns(part).map_or_else(|| "-".to_owned(), time);
        vec![
            task.comm.clone(),
            task.pid.to_string(),
            task.prio.words(),
            format!("{} ({share} %)", time(sums.ran_ns)),
            sums.switches.to_string(),
            sums.moves.to_string(),
            sums.latencies.len().to_string(),
            of(9_900),
            of(10_000),
        ]
    };
    let head = HEAD.map(str::to_owned).to_vec();
    table(&std::iter::once(head).chain(all.iter().map(row)).collect::<Vec<_>>())
}

/// Times in ns.
fn object(recording: &Recording, all: &[(u32, Sums)], missed: Missed) -> Value {
    let Coverage { events, others, unread, lost, damage, clock, kernel, .. } = &recording.coverage;
    let unread = unread.iter().map(|(sort, unread)| {
        json!({ "sort": sort, "count": unread.count, "place": unread.place, "what": unread.what })
    });
    let lost = lost.iter().map(|(cpu, lost)| json!({ "cpu": cpu, "events": lost }));
    let tasks = all.iter().map(|(index, sums)| {
        let task = &recording.tasks[*index as usize];
        json!({
            "comm": task.comm, "pid": task.pid, "priority": task.prio.words(),
            "ran_ns": sums.ran_ns, "switches": sums.switches, "moves": sums.moves,
            "preempted_ns": sums.preempted_ns,
            "wakeups": sums.latencies.len(),
            "latency": {
                "p50_ns": sums.latency_ns(5_000), "p99_ns": sums.latency_ns(9_900),
                "max_ns": sums.latency_ns(10_000),
            },
        })
    });
    json!({
        "schema": "schedscope.recording/1",
        "cpus": recording.cpus,
        "span_ns": recording.span_ns(),
        "kernel": kernel,
        "clock": clock,
        "events": events,
        "others": others,
        "unread": unread.collect::<Vec<_>>(),
        "lost": lost.collect::<Vec<_>>(),
        "damage": damage.as_ref().map(|damage| json!({ "place": damage.place, "why": damage.why })),
        "missed": { "switches": missed.switches, "waits": missed.waits },
        "missing": recording.coverage.missing(),
        "tasks": tasks.collect::<Vec<_>>(),
    })
}
