//! What `perf sched timehist` and `perf sched latency` print, against a reckoning of its own from
//! the recording of the same run.

use std::collections::BTreeMap;

use schedscope_engine::trace::catalogue::NONE;

use crate::support::{SCENARIOS, prepared, written, written_in};
use crate::tracedat::{Record, read};

/// A stay on a CPU, ns; its begin is none for what ran when the recording began.
#[derive(Clone, Copy, Debug)]
struct Stay {
    cpu: u32,
    begin: Option<u64>,
    end: Option<u64>,
    /// Since when it could run before it came; none if that is not known.
    ready: Option<u64>,
    /// When its task left the CPU before.
    left: Option<u64>,
}

/// What a task does, one after the other.
#[derive(Clone, Copy, Debug)]
enum Step {
    Comes(u64, u32),
    Leaves(u64, u32, bool),
    Woken(u64),
}

/// Each task's steps; an idle task is that of its CPU.
fn steps(records: &[Record]) -> BTreeMap<(u32, u32), Vec<Step>> {
    let mut steps: BTreeMap<(u32, u32), Vec<Step>> = BTreeMap::new();
    for record in records {
        let (time, cpu) = (record.time, record.cpu);
        let key = |task: u32| (task, if task == NONE { cpu } else { 0 });
        let mut add = |task: u32, step: Step| steps.entry(key(task)).or_default().push(step);
        match record.event.as_str() {
            "sched_switch" => {
                let stays = record.number("prev_state") != 1;
                add(record.task("prev_pid"), Step::Leaves(time, cpu, stays));
                add(record.task("next_pid"), Step::Comes(time, cpu));
            }
            "sched_waking" | "sched_wakeup_new" => add(record.task("pid"), Step::Woken(time)),
            _ => {}
        }
    }
    steps
}

/// The stays of a task, found from behind: what it waited for is what lies between two of them.
fn stays(steps: &[Step]) -> Vec<Stay> {
    let leaves = |step: &Step| matches!(step, Step::Leaves(..));
    let mut stays = Vec::new();
    let mut until = 0;
    while until < steps.len() {
        let end = steps[until..].iter().position(leaves).map(|at| until + at);
        let part = &steps[until..end.unwrap_or(steps.len())];
        let before = until.checked_sub(1).map(|at| steps[at]);
        let comes = part.iter().position(|step| matches!(step, Step::Comes(..)));
        let waits = &part[..comes.unwrap_or(0)];
        let woken = waits.iter().find_map(|step| match step {
            Step::Woken(at) => Some(*at),
            _ => None,
        });
        let (left, preempted) = match before {
            Some(Step::Leaves(at, _, stays)) => (Some(at), stays.then_some(at)),
            _ => (None, None),
        };
        let (begin, came_to) = match comes.map(|at| part[at]) {
            Some(Step::Comes(at, cpu)) => (Some(at), Some(cpu)),
            _ => (None, None),
        };
        let (end_at, left_from) = match end.map(|at| steps[at]) {
            Some(Step::Leaves(at, cpu, _)) => (Some(at), Some(cpu)),
            _ => (None, None),
        };
        if let Some(cpu) = came_to.or(left_from) {
            stays.push(Stay { cpu, begin, end: end_at, ready: preempted.or(woken), left });
        }
        until = end.map_or(steps.len(), |end| end + 1);
    }
    stays
}

/// us in ms with three decimals.
fn ms(us: u64) -> String {
    format!("{}.{:03}", us / 1000, us % 1000)
}

#[test]
fn timehist_has_a_line_for_each_stay_with_its_wait_delay_and_time() {
    for (slug, ..) in SCENARIOS {
        let scenario = prepared(slug);
        let recording = read(&written("trace.dat", &scenario).bytes);
        let mut expected = Vec::new();
        for ((task, _), steps) in steps(&recording.records) {
            for stay in stays(&steps) {
                let Some(end) = stay.end else { continue };
                let since = |from: Option<u64>| match (from, stay.begin) {
                    (Some(from), Some(begin)) => (begin - from) / 1000,
                    _ => 0,
                };
                let run = stay.begin.map_or(0, |begin| (end - begin) / 1000);
                let name = match recording.names.get(&(u64::from(task) + 1000)) {
                    Some(name) if task != NONE => format!("{name}[{}]", task + 1000),
                    _ => "<idle>".to_owned(),
                };
                let stamp = format!("{}.{:06}", end / 1_000_000_000, end / 1000 % 1_000_000);
                expected.push(format!(
                    "{stamp} [{:04}] {name} {} {} {}",
                    stay.cpu,
                    ms(since(stay.left)),
                    ms(since(stay.ready)),
                    ms(run)
                ));
            }
        }
        let written = written("perf-timehist", &scenario);
        let lines = written.text().lines().skip(3);
        let mut lines: Vec<String> =
            lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        lines.sort();
        expected.sort();
        assert_eq!(lines.len() as u64, written.report.metrics.sched.context_switches, "{slug}");
        assert_eq!(lines, expected, "{slug}");
    }
}

#[test]
fn timehist_has_the_columns_of_perf() {
    let written = written_in("perf-timehist", &prepared("rt-pull-herd"), (0, 11_000_000), u64::MAX);
    let mut lines = written.text().lines();
    let head =
        "           time    cpu  task name                       wait time  sch delay   run time
                        [tid/pid]                          (msec)     (msec)     (msec)
--------------- ------  ------------------------------  ---------  ---------  ---------";
    assert!(head.lines().eq(lines.by_ref().take(3)));
    let line = lines.find(|line| line.contains("rt_noise.")).unwrap();
    assert!(line.len() == 88 && line.ends_with(' '), "{line}");
}

#[test]
fn latency_has_the_delays_and_the_time_of_every_task() {
    for (slug, ..) in SCENARIOS {
        let scenario = prepared(slug);
        let recording = read(&written("trace.dat", &scenario).bytes);
        let written = written("perf-latency", &scenario);
        let mut lines = BTreeMap::new();
        for line in written.text().lines().filter(|line| line.contains("max start:")) {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            lines.insert(cells[0].to_owned(), cells[1..].join(" "));
        }
        let mut total = 0;
        for ((task, _), steps) in steps(&recording.records) {
            let came: Vec<(u64, u64)> = stays(&steps)
                .iter()
                .enumerate()
                .filter(|(nth, stay)| stay.ready.is_some() || *nth == 0)
                .filter_map(|(_, stay)| Some((stay.ready.or(stay.begin)?, stay.begin?)))
                .collect();
            if task == NONE || came.is_empty() {
                continue;
            }
            let name = &recording.names[&(u64::from(task) + 1000)];
            let line = lines.remove(&format!("{name}:{}", task + 1000));
            let line = line.unwrap_or_else(|| panic!("{slug}: no line of {name}"));
            let word = |after: &str| -> &str {
                line.split(after).nth(1).unwrap().split_whitespace().next().unwrap()
            };
            let mean =
                came.iter().map(|(ready, begin)| begin - ready).sum::<u64>() / came.len() as u64;
            let worst = came.iter().map(|(ready, begin)| begin - ready).max().unwrap();
            let printed = |ns: u64| format!("{:.3}", ns as f64 / 1e6);
            let run_ns = written.report.metrics.tasks[name].run_ns;
            assert!(line.starts_with(&format!("{} ms {} ", printed(run_ns), came.len())), "{line}");
            assert_eq!(
                (word("avg:"), word("max:")),
                (printed(mean).as_str(), printed(worst).as_str())
            );
            if let Some((ready, begin)) =
                came.iter().find(|(ready, begin)| *begin - *ready == worst)
            {
                let stamp =
                    |ns: &u64| format!("{}.{:06}", ns / 1_000_000_000, ns / 1000 % 1_000_000);
                let (ready, begin) = if worst == 0 { (0, 0) } else { (*ready, *begin) };
                assert_eq!(word("start:"), stamp(&ready), "{slug} {line}");
                assert_eq!(word("end:"), stamp(&begin), "{slug} {line}");
            }
            total += came.len();
        }
        assert!(lines.is_empty(), "{slug}: {lines:?}");
        let sum = written.text().lines().find(|line| line.contains("TOTAL:")).unwrap();
        assert_eq!(sum.split('|').nth(2).unwrap().trim(), total.to_string(), "{slug}");
    }
}

#[test]
fn latency_begins_with_the_task_that_waits_longest_on_average() {
    let written = written("perf-latency", &prepared("rt-pull-herd"));
    let text = written.text();
    let rule = |width: usize| format!(" {}", "-".repeat(width));
    assert!(text.starts_with(&format!("\n{}\n  Task                  |", rule(139))));
    assert!(text.ends_with(&format!("\n{}\n\n", rule(51))));
    let lines = text.lines().filter(|line| line.contains("avg:"));
    let means: Vec<f64> = lines
        .map(|line| line.split("avg:").nth(1).unwrap().split_whitespace().next().unwrap())
        .map(|mean| mean.parse().unwrap())
        .collect();
    assert!(means.len() > 40 && means[0] > means[means.len() - 1]);
    assert!(means.is_sorted_by(|a, b| a >= b), "{means:?}");
}
