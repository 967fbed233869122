//! `schedscope explain`: the parts of one wake-up's latency, in the form of `rtla timerlat -a`; the
//! shares end in 100.00 %.

mod detail;

use clap::Args;
use schedscope_engine::account::unfinished::OpenWait;
use schedscope_engine::run::Options;
use schedscope_engine::trace::catalogue::CAUSES;
use schedscope_engine::trace::columns::Wakes;
use schedscope_runs::execute::Watch;
use schedscope_runs::numbers::{natural, percent, shares, us};
use schedscope_runs::{Failure, Side};
use schedscope_scenario::units::time_text;
use schedscope_scenario::{Prepared, nearest};

use crate::changes::Changes;
use crate::execute::{execute, say_limit};
use crate::interrupt::is_asked;
use crate::remarks;
use crate::results;
use crate::target::find;
use crate::variant::OfVariant;
use crate::waits;
use detail::Details;

/// More segments than this are summed by cause instead of being listed one by one.
const SEGMENTS_LISTED: usize = 40;
/// Most kinds of tasks that the error for an unknown kind names.
const KINDS_NAMED: usize = 12;
/// Causes that a second look says more about.
const IRQ_DELAY: u8 = 0;
const RQ_LOCK_SPIN: u8 = 6;

/// Arguments of `explain`.
#[derive(Args)]
pub struct Arguments {
    /// A shipped scenario, a file, or a link
    scenario: String,
    #[command(flatten)]
    of: OfVariant,
    #[command(flatten)]
    changes: Changes,
    /// The N worst wake-ups, the worst first
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    worst: u32,
    /// Only this task (`cyclictest.12`) or this kind of task (`cyclictest`)
    #[arg(long, value_name = "TASK", allow_hyphen_values = true)]
    task: Option<String>,
    /// The task's K-th wake-up, from 0, instead of the worst
    #[arg(
        long,
        value_name = "K",
        requires = "task",
        conflicts_with = "worst",
        allow_negative_numbers = true
    )]
    nth: Option<u32>,
}

/// One wake-up, finished or not.
#[derive(Clone, Debug)]
struct Wake {
    task: u32,
    nth: u32,
    cpu: u16,
    due: u64,
    latency: u64,
    segments: Vec<(u8, u64)>,
    /// For a wake-up that is not over: the cause of its wait, and the place.
    open: Option<(String, String)>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = find(&arguments.scenario)?;
    let side = arguments.of.side(&target, &arguments.changes)?;
    let wanted = wanted_tasks(arguments, &side.prepared)?;
    let keep = if arguments.nth.is_some() { 1 } else { arguments.worst as usize };
    remarks::note(&side.prepared.meta.notes);
    let mut kept: Vec<Wake> = Vec::new();
    let mut first_segment = 0;
    let limits = arguments.changes.limits();
    let watch = Watch { window: Options::EVERYTHING, wakes: false, limits, waits: true };
    let outcome = execute(&side, watch, &mut |_, wakes| {
        collect(&wakes, &mut first_segment, &mut kept, keep, |task, nth| {
            wanted[task as usize] && arguments.nth.is_none_or(|wanted| wanted == nth)
        });
        Ok(())
    })?;
    let asked = |wait: &&OpenWait| {
        wanted[wait.task as usize] && (arguments.nth.is_none() || arguments.nth == wait.nth)
    };
    let end = outcome.report.simulated_ns;
    let waits =
        || outcome.open.iter().filter(asked).map(|wait| unfinished(wait, end, &side.prepared));
    let is_preempted =
        |wake: &Wake| wake.open.as_ref().is_some_and(|(what, _)| what == "preempted");
    waits().filter(|wake| !is_preempted(wake)).for_each(|wake| keep_worst(wake, &mut kept, keep));
    if kept.is_empty() {
        waits().for_each(|wake| keep_worst(wake, &mut kept, keep));
    }
    if kept.is_empty() {
        let what = arguments.task.as_ref().map_or_else(
            || "no measured wake-up".to_owned(),
            |task| format!("no measured wake-up of {task}"),
        );
        let nth = arguments
            .nth
            .map_or_else(String::new, |nth| format!(" with number {nth} (they count from 0)"));
        let nothing = format!(
            "nothing to explain: {what}{nth} ended in {} or was under way then",
            time_text(end)
        );
        let Some(limit) = &outcome.limit else { return Err(Failure::usage(nothing)) };
        remarks::say(&format!("stopped: {limit}; {nothing}"));
        return outcome.end();
    }
    let details = look_again(&side, watch, &kept, end)?;
    let unlooked = details.is_none().then(|| {
        remarks::say(
            "stopped: shares of locks and timer slack are missing, because the second run was \
                ended",
        )
    });
    let details = details.unwrap_or_else(|| Details::of(&kept));
    let text: Vec<String> = kept
        .iter()
        .enumerate()
        .map(|(at, wake)| waterfall(wake, &side.prepared, &details, at))
        .collect();
    say_limit(&outcome, "");
    results::print(&format!(
        "{}: {}\n\n{}",
        side.prepared.meta.slug,
        side.headline(),
        text.join("\n")
    ))?;
    unlooked.map_or_else(|| outcome.end(), |()| Err(Failure::Limited))
}

/// Runs the scenario once more for details that the parts of these wake-ups lack; `None` after
/// Ctrl-C.
fn look_again(
    side: &Side,
    watch: Watch,
    kept: &[Wake],
    end: u64,
) -> Result<Option<Details>, Failure> {
    let mut details = Details::of(kept);
    if !kept.iter().any(|wake| {
        wake.segments.iter().any(|(cause, _)| [IRQ_DELAY, RQ_LOCK_SPIN].contains(cause))
    }) {
        return Ok(Some(details));
    }
    if !is_asked() {
        execute(side, watch, &mut |rows, _| {
            details.rows(&rows);
            Ok(())
        })?;
    }
    details.end(end);
    Ok((!is_asked()).then_some(details))
}

/// A wait that the end of the run cut off, as a wake-up that is as late as it is by then.
fn unfinished(wait: &OpenWait, end: u64, prepared: &Prepared) -> Wake {
    Wake {
        task: wait.task,
        nth: wait.nth.unwrap_or(0),
        cpu: u16::try_from(wait.cpu).unwrap_or(u16::MAX),
        due: wait.due,
        latency: waits::age(wait, end),
        segments: wait.segments.clone(),
        open: Some((waits::what(wait), waits::place(wait, prepared))),
    }
}

fn wanted_tasks(arguments: &Arguments, prepared: &Prepared) -> Result<Vec<bool>, Failure> {
    let tasks = &prepared.meta.tasks;
    let Some(name) = &arguments.task else { return Ok(vec![true; tasks.len()]) };
    let exact = tasks.iter().any(|task| task.name == *name);
    let wanted: Vec<bool> =
        tasks.iter().map(|task| task.name == *name || (!exact && task.kind == *name)).collect();
    match wanted.iter().filter(|wanted| **wanted).count() {
        0 => Err(Failure::usage(no_task(name, prepared))),
        count if count > 1 && arguments.nth.is_some() => Err(Failure::usage(format!(
            "--nth needs one task, such as {name}.0; \"{name}\" is {count}"
        ))),
        _ => Ok(wanted),
    }
}

/// The error for an unknown task, with the nearest name and the kinds of tasks.
fn no_task(name: &str, prepared: &Prepared) -> String {
    let tasks = &prepared.meta.tasks;
    let mut kinds: Vec<&str> = tasks.iter().map(|task| task.kind.as_str()).collect();
    kinds.sort_by(|a, b| natural(a, b));
    kinds.dedup();
    // A number in the name asks for an instance; without one the kind is the likelier slip.
    let instances = tasks.iter().map(|task| task.name.as_str()).filter(|_| name.contains('.'));
    let near = nearest(name, kinds.iter().copied().chain(instances));
    let left = kinds.len().saturating_sub(KINDS_NAMED);
    let more = if left == 0 { String::new() } else { format!(" and {left} more") };
    kinds.truncate(KINDS_NAMED);
    let suggestion = near.map_or_else(String::new, |near| format!("\n  did you mean: {near}"));
    format!(
        "there is no task \"{name}\"\n  expected: a kind of task ({}{more}) or one of them, such \
            as {}{suggestion}",
        kinds.join(", "),
        tasks[0].name
    )
}

/// Keeps the `keep` latest of the wanted wake-ups, worst first; of two alike the earlier.
fn collect(
    wakes: &Wakes,
    first_segment: &mut usize,
    kept: &mut Vec<Wake>,
    keep: usize,
    wanted: impl Fn(u32, u32) -> bool,
) {
    let mut start = 0;
    for row in 0..wakes.task.len() {
        let end = wakes.segments_end[row] as usize - *first_segment;
        let (from, latency) = (start, wakes.latency[row]);
        start = end;
        if is_full(kept, keep, latency) || !wanted(wakes.task[row], wakes.nth[row]) {
            continue;
        }
        let segments = (from..end)
            .map(|at| (wakes.segment_cause[at], u64::from(wakes.segment_ns[at])))
            .collect();
        let (task, nth, cpu, due) =
            (wakes.task[row], wakes.nth[row], wakes.cpu[row], wakes.due[row]);
        keep_worst(Wake { task, nth, cpu, due, latency, segments, open: None }, kept, keep);
    }
    *first_segment += wakes.segment_ns.len();
}

fn is_full(kept: &[Wake], keep: usize, latency: u64) -> bool {
    kept.len() == keep && kept.last().is_some_and(|last| last.latency >= latency)
}

/// Puts one wake-up in its place.
fn keep_worst(wake: Wake, kept: &mut Vec<Wake>, keep: usize) {
    let place = kept.partition_point(|other| other.latency >= wake.latency);
    kept.insert(place, wake);
    kept.truncate(keep);
}

/// A line of the waterfall: a cause, its whole time, and the spans of machine time it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    cause: u8,
    ns: u64,
    spans: Vec<(u64, u64)>,
}

/// Neighbours with one cause as one; if there are still too many, or some have lost their order (a
/// mark of 0 ns says so), one part per cause in order of appearance.
fn merged(due: u64, segments: &[(u8, u64)]) -> (Vec<Part>, bool) {
    let mut merged: Vec<Part> = Vec::new();
    let mut now = due;
    let ordered = segments.iter().all(|(_, ns)| *ns > 0);
    for (cause, ns) in segments.iter().filter(|(_, ns)| *ns > 0) {
        let span = (now, now + ns);
        now = span.1;
        match merged.last_mut() {
            Some(last) if last.cause == *cause => {
                last.ns += ns;
                last.spans[0].1 = now;
            }
            _ => merged.push(Part { cause: *cause, ns: *ns, spans: vec![span] }),
        }
    }
    if ordered && merged.len() <= SEGMENTS_LISTED {
        return (merged, false);
    }
    let mut sums: Vec<Part> = Vec::new();
    for part in merged {
        match sums.iter_mut().find(|known| known.cause == part.cause) {
            Some(known) => {
                known.ns += part.ns;
                known.spans.extend(part.spans);
            }
            None => sums.push(part),
        }
    }
    if !ordered {
        // Which locks were waited for in between is not known any more.
        sums.iter_mut()
            .filter(|part| part.cause == RQ_LOCK_SPIN)
            .for_each(|part| part.spans.clear());
    }
    (sums, true)
}

fn waterfall(wake: &Wake, prepared: &Prepared, details: &Details, at: usize) -> String {
    let task = &prepared.meta.tasks[wake.task as usize];
    let (parts, summed) = merged(wake.due, &wake.segments);
    let total: u64 = parts.iter().map(|part| part.ns).sum();
    let class = format!("({} {})", task.policy, task.priority);
    let (late, due) = (us(wake.latency), time_text(wake.due));
    let mut text = match &wake.open {
        None => format!(
            "## {} wake-up {} was {late} us late: due at {due}, ran on CPU {} {class}\n",
            task.name, wake.nth, wake.cpu
        ),
        Some((what, place)) => {
            format!(
                "## {}: {what}, {late} us late and still waiting at the end: due at {due}, {place} \
                    {class}\n",
                task.name
            )
        }
    };
    text.push_str(if summed {
        "   (one line per cause, in order of first appearance)\n"
    } else {
        "   (in order of time)\n"
    });
    let shares = shares(&parts.iter().map(|part| part.ns).collect::<Vec<_>>());
    for (part, share) in parts.iter().zip(&shares) {
        text.push_str(&line(&cause_words(part.cause), part.ns, *share));
        text.push_str(&inside(part, prepared, details, at));
    }
    text.push_str(&line("Unattributed:", wake.latency.saturating_sub(total), 0));
    text.push_str(&format!("{}\n", "-".repeat(78)));
    let title = if wake.open.is_some() { "Thread latency so far:" } else { "Thread latency:" };
    text.push_str(&line(
        title,
        wake.latency,
        if wake.latency == 0 { 10_000 } else { shares.iter().sum() },
    ));
    text
}

/// The details of a part: the locks waited for, the slack of the timer.
fn inside(part: &Part, prepared: &Prepared, details: &Details, at: usize) -> String {
    let sub = |words: &str, ns: u64| format!("      of which {words:<37}{:>14} us\n", us(ns));
    match part.cause {
        RQ_LOCK_SPIN => {
            let mut locks: Vec<(u32, u64)> = Vec::new();
            for (lock, ns) in part.spans.iter().flat_map(|(from, to)| details.locks(at, *from, *to))
            {
                match locks.iter_mut().find(|(known, _)| *known == lock) {
                    Some((_, sum)) => *sum += ns,
                    None => locks.push((lock, ns)),
                }
            }
            let name = |lock: u32| {
                prepared.meta.locks.get(lock as usize).map_or("a lock", |name| name.as_str())
            };
            let words = |lock: u32| {
                if name(lock).starts_with("rq ") {
                    format!("the lock of {}", name(lock))
                } else {
                    name(lock).to_owned()
                }
            };
            locks.iter().map(|(lock, ns)| sub(&words(*lock), *ns)).collect()
        }
        // The wait begins with the slack, if there is any.
        IRQ_DELAY if part.spans.first().is_some_and(|(from, _)| details.starts(at) == *from) => {
            let slack = details.slack_ns(at).min(part.ns);
            if slack == 0 { String::new() } else { sub("timer slack", slack) }
        }
        _ => String::new(),
    }
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
        let told = |segments: &[(u8, u64)]| {
            let (parts, summed) = merged(10, segments);
            (parts.iter().map(|part| (part.cause, part.ns)).collect::<Vec<_>>(), summed)
        };
        assert_eq!(told(&[(2, 5), (2, 6), (3, 1), (2, 4)]), (vec![(2, 11), (3, 1), (2, 4)], false));
        let long: Vec<(u8, u64)> = (0..100).map(|at| (at % 2, 1)).collect();
        assert_eq!(told(&long), (vec![(0, 50), (1, 50)], true));
        assert_eq!(
            told(&[(2, 5), (6, 0), (6, 3), (2, 9), (6, 0), (6, 1)]),
            (vec![(2, 14), (6, 4)], true),
            "some have lost their order"
        );
        assert_eq!(merged(10, &[(2, 5), (2, 6), (3, 1)]).0[1].spans, [(21, 22)]);
        assert_eq!(merged(10, &long).0[1].spans.len(), 50);
    }
}
