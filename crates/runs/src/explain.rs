//! Where the time of late wake-ups went: the worst ones of a run, split into parts whose sum is the
//! latency.

pub mod detail;
mod meanwhile;
mod parts;
pub mod who;

use schedscope_engine::account::unfinished::OpenWait;
use schedscope_engine::run::Options;
use schedscope_engine::trace::columns::Wakes;
use schedscope_scenario::units::time_text;
use schedscope_scenario::{Prepared, nearest};

use crate::execute::{Limits, Outcome, Sink, Watch};
use crate::failure::Failure;
use crate::numbers::natural;
use crate::waits;
use detail::Details;
pub use parts::Part;
use parts::{IRQ_DELAY, RQ_LOCK_SPIN};

/// Most kinds of tasks that the error for an unknown kind names.
const KINDS_NAMED: usize = 12;

/// Which wake-ups are asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// That many, the latest first.
    pub worst: usize,
    /// Only this task (`cyclictest.12`) or this kind of task (`cyclictest`).
    pub task: Option<String>,
    /// The task's wake-up of that number, from 0, instead of the worst.
    pub nth: Option<u32>,
}

/// One wake-up, finished or not.
#[derive(Clone, Debug)]
pub struct Wake {
    /// Index of the task.
    pub task: u32,
    /// Counts the task's wake-ups from 0.
    pub nth: u32,
    /// Where it ran, or waits.
    pub cpu: u16,
    /// When the task should have run, ns.
    pub due: u64,
    /// ns from then to its first user instruction, or to the end of the run.
    pub latency: u64,
    /// Causes and their lengths in ns, laid end to end from `due`.
    pub segments: Vec<(u8, u64)>,
    /// For a wake-up that is not over: the cause of its wait, and the place.
    pub open: Option<(String, String)>,
}

/// The wake-ups that were asked for.
#[derive(Debug)]
pub struct Explained {
    /// The latest first.
    pub wakes: Vec<Wake>,
    /// What a second run says of them; none if that one was ended.
    pub details: Option<Details>,
    /// The run.
    pub outcome: Outcome,
}

/// Makes one run, and says whether it was let go on to its end.
pub type RunOnce<'r> = &'r mut dyn FnMut(Watch, Sink<'_>) -> Result<(Outcome, bool), Failure>;

/// Explains the wake-ups that are `asked` for, with one or two runs of `prepared`.
///
/// # Errors
/// There is no such task, or a run fails.
pub fn explain(
    prepared: &Prepared,
    asked: &Asked,
    limits: Limits,
    run: RunOnce<'_>,
) -> Result<Explained, Failure> {
    let wanted = wanted_tasks(asked, prepared)?;
    let keep = if asked.nth.is_some() { 1 } else { asked.worst };
    let mut kept: Vec<Wake> = Vec::new();
    let mut first_segment = 0;
    let watch = Watch { window: Options::EVERYTHING, wakes: false, limits, waits: true };
    let (outcome, went_on) = run(watch, &mut |_, wakes| {
        collect(&wakes, &mut first_segment, &mut kept, keep, |task, nth| {
            wanted[task as usize] && asked.nth.is_none_or(|wanted| wanted == nth)
        });
        Ok(())
    })?;
    let is_asked = |wait: &&OpenWait| {
        wanted[wait.task as usize] && (asked.nth.is_none() || asked.nth == wait.nth)
    };
    let end = outcome.report.simulated_ns;
    let waits = || outcome.open.iter().filter(is_asked).map(|wait| unfinished(wait, end, prepared));
    let is_preempted =
        |wake: &Wake| wake.open.as_ref().is_some_and(|(what, _)| what == "preempted");
    waits().filter(|wake| !is_preempted(wake)).for_each(|wake| keep_worst(wake, &mut kept, keep));
    if kept.is_empty() {
        waits().for_each(|wake| keep_worst(wake, &mut kept, keep));
    }
    let details = look_again(watch, &kept, end, went_on, run)?;
    Ok(Explained { wakes: kept, details, outcome })
}

impl Asked {
    /// Refuses what this scenario cannot have, before any run.
    ///
    /// # Errors
    /// There is no such task, or a number is asked of several.
    pub fn check(&self, prepared: &Prepared) -> Result<(), Failure> {
        wanted_tasks(self, prepared).map(drop)
    }

    /// Why there is nothing to explain in a run that ended at `end` ns.
    pub fn nothing(&self, end: u64) -> String {
        let what = self.task.as_ref().map_or_else(
            || "no measured wake-up".to_owned(),
            |task| format!("no measured wake-up of {task}"),
        );
        let nth = self
            .nth
            .map_or_else(String::new, |nth| format!(" with number {nth} (they count from 0)"));
        format!("nothing to explain: {what}{nth} ended in {} or was under way then", time_text(end))
    }
}

/// Runs the scenario once more for details that the parts of these wake-ups lack; `None` if a run
/// was ended.
fn look_again(
    watch: Watch,
    kept: &[Wake],
    end: u64,
    went_on: bool,
    run: RunOnce<'_>,
) -> Result<Option<Details>, Failure> {
    let mut details = Details::of(kept);
    if !kept.iter().any(|wake| {
        wake.segments
            .iter()
            .any(|(cause, _)| [IRQ_DELAY, RQ_LOCK_SPIN].contains(cause) || who::is_known(*cause))
    }) {
        return Ok(Some(details));
    }
    let again = went_on
        && run(watch, &mut |rows, _| {
            details.rows(&rows);
            Ok(())
        })?
        .1;
    details.end(end);
    Ok(again.then_some(details))
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

fn wanted_tasks(asked: &Asked, prepared: &Prepared) -> Result<Vec<bool>, Failure> {
    let tasks = &prepared.meta.tasks;
    let Some(name) = &asked.task else { return Ok(vec![true; tasks.len()]) };
    let exact = tasks.iter().any(|task| task.name == *name);
    let wanted: Vec<bool> =
        tasks.iter().map(|task| task.name == *name || (!exact && task.kind == *name)).collect();
    match wanted.iter().filter(|wanted| **wanted).count() {
        0 => Err(Failure::usage(no_task(name, prepared))),
        count if count > 1 && asked.nth.is_some() => Err(Failure::usage(format!(
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
}
