//! `schedscope explain`: where the time of one wake-up went, in the manner of `rtla timerlat -a`, ending in 100.00 %.

use clap::Args;
use schedscope_engine::run::Options;
use schedscope_engine::trace::catalogue::CAUSES;
use schedscope_engine::trace::columns::Wakes;
use schedscope_scenario::Prepared;
use schedscope_scenario::units::time_text;

use crate::Changes;
use crate::execute::{Watch, execute};
use crate::failure::Failure;
use crate::numbers::{percent, shares, us};
use crate::run::base;
use crate::target::Target;

/// More segments than this are summed by cause instead of being listed one by one.
const SEGMENTS_LISTED: usize = 40;

/// Arguments of `explain`.
#[derive(Args)]
pub struct Arguments {
    /// A shipped scenario, a file, or a link
    scenario: String,
    #[command(flatten)]
    changes: Changes,
    /// The N latest wake-ups, worst first
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    worst: u32,
    /// Only this task (`cyclictest.12`) or this kind of task (`cyclictest`)
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// The task's K-th wake-up, from 0, instead of the worst
    #[arg(long, value_name = "K", requires = "task", conflicts_with = "worst")]
    nth: Option<u32>,
}

/// One finished wake-up.
#[derive(Clone, Debug)]
struct Wake {
    task: u32,
    nth: u32,
    cpu: u16,
    due: u64,
    latency: u64,
    segments: Vec<(u8, u64)>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = Target::find(&arguments.scenario)?;
    let side = base(&target, &arguments.changes)?;
    let wanted = wanted_tasks(arguments, &side.prepared)?;
    let keep = if arguments.nth.is_some() { 1 } else { arguments.worst as usize };
    side.print_notes();
    let mut kept: Vec<Wake> = Vec::new();
    let mut first_segment = 0;
    let watch = Watch { window: Options::EVERYTHING, max_records: arguments.changes.max_records };
    let outcome = execute(&side.prepared, &side.replay, watch, &mut |_, wakes| {
        collect(&wakes, &mut first_segment, &mut kept, keep, |task, nth| {
            wanted[task as usize] && arguments.nth.is_none_or(|wanted| wanted == nth)
        });
        Ok(())
    })?;
    if kept.is_empty() {
        let what = arguments.nth.map_or_else(|| "no such wake-up".to_owned(), |nth| format!("no wake-up {nth}"));
        eprintln!("note: {what} finished in {} of machine time", time_text(outcome.report.simulated_ns));
        return outcome.end().and(Err(Failure::usage("nothing to explain")));
    }
    let text: Vec<String> = kept.iter().map(|wake| waterfall(wake, &side.prepared)).collect();
    crate::print(&text.join("\n"))?;
    outcome.end()
}

fn wanted_tasks(arguments: &Arguments, prepared: &Prepared) -> Result<Vec<bool>, Failure> {
    let tasks = &prepared.meta.tasks;
    let Some(name) = &arguments.task else { return Ok(vec![true; tasks.len()]) };
    let exact = tasks.iter().any(|task| task.name == *name);
    let wanted: Vec<bool> = tasks.iter().map(|task| task.name == *name || (!exact && task.kind == *name)).collect();
    match wanted.iter().filter(|wanted| **wanted).count() {
        0 => Err(Failure::usage(format!("there is no task \"{name}\"; the first is {}", tasks.first().map_or("none", |task| &task.name)))),
        count if count > 1 && arguments.nth.is_some() => {
            Err(Failure::usage(format!("--nth needs one task, such as {name}.0; \"{name}\" is {count}")))
        }
        _ => Ok(wanted),
    }
}

/// Keeps the `keep` latest of the wanted wake-ups, worst first; of two alike the earlier.
fn collect(wakes: &Wakes, first_segment: &mut usize, kept: &mut Vec<Wake>, keep: usize, wanted: impl Fn(u32, u32) -> bool) {
    let mut start = 0;
    for row in 0..wakes.task.len() {
        let end = wakes.segments_end[row] as usize - *first_segment;
        let (from, latency) = (start, wakes.latency[row]);
        start = end;
        let full = kept.len() == keep && kept.last().is_some_and(|last| last.latency >= latency);
        if full || !wanted(wakes.task[row], wakes.nth[row]) {
            continue;
        }
        let segments = (from..end).map(|at| (wakes.segment_cause[at], u64::from(wakes.segment_ns[at]))).collect();
        let wake = Wake { task: wakes.task[row], nth: wakes.nth[row], cpu: wakes.cpu[row], due: wakes.due[row], latency, segments };
        let place = kept.partition_point(|other| other.latency >= latency);
        kept.insert(place, wake);
        kept.truncate(keep);
    }
    *first_segment += wakes.segment_ns.len();
}

/// Neighbours with one cause as one; if there are still too many, one sum per cause in order of appearance.
fn merged(segments: &[(u8, u64)]) -> (Vec<(u8, u64)>, bool) {
    let mut merged: Vec<(u8, u64)> = Vec::new();
    for (cause, ns) in segments {
        match merged.last_mut() {
            Some((last, sum)) if last == cause => *sum += ns,
            _ => merged.push((*cause, *ns)),
        }
    }
    if merged.len() <= SEGMENTS_LISTED {
        return (merged, false);
    }
    let mut sums: Vec<(u8, u64)> = Vec::new();
    for (cause, ns) in merged {
        match sums.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, sum)) => *sum += ns,
            None => sums.push((cause, ns)),
        }
    }
    (sums, true)
}

fn waterfall(wake: &Wake, prepared: &Prepared) -> String {
    let task = &prepared.meta.tasks[wake.task as usize];
    let (segments, summed) = merged(&wake.segments);
    let total: u64 = segments.iter().map(|(_, ns)| ns).sum();
    let mut text = format!(
        "## {} wake-up {} was {} us late: due at {}, ran on CPU {} ({} {})\n",
        task.name,
        wake.nth,
        us(wake.latency),
        time_text(wake.due),
        wake.cpu,
        task.policy,
        task.priority
    );
    text.push_str(if summed { "   (one line per cause, in order of first appearance)\n" } else { "   (in order of time)\n" });
    let shares = shares(&segments.iter().map(|(_, ns)| *ns).collect::<Vec<_>>());
    for ((cause, ns), share) in segments.iter().zip(&shares) {
        text.push_str(&line(&cause_words(*cause), *ns, *share));
    }
    text.push_str(&line("Unattributed:", wake.latency.saturating_sub(total), 0));
    text.push_str(&format!("{}\n", "-".repeat(78)));
    text.push_str(&line("Thread latency:", wake.latency, if wake.latency == 0 { 10_000 } else { shares.iter().sum() }));
    text
}

/// rtla's words where it has any, then ours.
fn cause_words(cause: u8) -> String {
    match CAUSES.get(usize::from(cause)) {
        Some((name, "", _)) => format!("{name}:"),
        Some((name, rtla, _)) => format!("{rtla} [{name}]:"),
        None => "unknown:".to_owned(),
    }
}

fn line(words: &str, ns: u64, share: u64) -> String {
    format!("  {words:<48}{:>14} us  ({:>6} %)\n", us(ns), percent(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wakes(latencies: &[u64]) -> Wakes {
        let rows = latencies.len();
        Wakes {
            task: vec![0; rows],
            nth: (0..rows as u32).collect(),
            cpu: vec![0; rows],
            due: vec![0; rows],
            latency: latencies.to_vec(),
            segments_end: (1..=rows as u32).collect(),
            segment_cause: vec![2; rows],
            segment_ns: latencies.iter().map(|ns| *ns as u32).collect(),
        }
    }

    #[test]
    fn the_worst_are_kept_in_order_and_the_earlier_of_equals_wins() {
        let (mut kept, mut first) = (Vec::new(), 0);
        collect(&wakes(&[5, 9, 7, 9]), &mut first, &mut kept, 3, |_, _| true);
        let order: Vec<(u64, u32)> = kept.iter().map(|wake| (wake.latency, wake.nth)).collect();
        assert_eq!(order, [(9, 1), (9, 3), (7, 2)]);
        assert!(kept.iter().all(|wake| wake.segments == [(2, wake.latency)]));
    }

    #[test]
    fn neighbours_merge_and_long_lists_are_summed() {
        assert_eq!(merged(&[(2, 5), (2, 6), (3, 1), (2, 4)]), (vec![(2, 11), (3, 1), (2, 4)], false));
        let long: Vec<(u8, u64)> = (0..100).map(|at| (at % 2, 1)).collect();
        assert_eq!(merged(&long), (vec![(0, 50), (1, 50)], true));
    }
}
