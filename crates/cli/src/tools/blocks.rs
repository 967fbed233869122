//! Turns a finished run into the input of each tool's printer; `None` if the scenario has no such
//! tool.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use schedscope_engine::account::report::{TaskMetrics, ToolSamples};
use schedscope_engine::setup::{Program, TaskSpec};
use schedscope_engine::trace::columns::{ACTIVATIONS_MAX, Activation};

use schedscope_formats::cyclictest;
use schedscope_formats::events::pid;

use super::{Ran, burst_sleep, fibtest, hackbench, kernbench, pipe, rt_migrate, schbench};

pub fn cyclictest(ran: &Ran<'_>) -> Option<String> {
    let thread = |(id, task): (usize, &TaskSpec)| match task.program {
        Program::Cyclictest { interval_ns, .. } => Some(cyclictest::Thread {
            id: pid(id as u32) as usize,
            priority: ran.prepared.meta.tasks[id].priority,
            interval_us: interval_ns / 1_000,
            cpu: cyclictest::samples::pinned(&task.cpus),
            latencies_ns: ran.latencies.of(id),
        }),
        _ => None,
    };
    let threads: Vec<_> = ran.prepared.setup.tasks.iter().enumerate().filter_map(thread).collect();
    let break_us = ran.number("workload.cyclictest.breaktrace");
    let broken = ran.latencies.broken.map(|(task, us)| (pid(task as u32) as usize, us));
    let options = cyclictest::Options { break_us, broken, ..ran.cyclictest };
    (!threads.is_empty()).then(|| cyclictest::text(&threads, options))
}

pub fn rt_migrate(ran: &Ran<'_>) -> Option<String> {
    let tasks = ran.tasks("rt_migrate_test");
    if tasks.is_empty() {
        return None;
    }
    let rows: Vec<_> =
        ran.metrics("rt_migrate_test").into_iter().map(|task| &task.activations).collect();
    // All records of an iteration have the parent's stamp. The thread that comes last to the
    // barrier does not sleep and has no record.
    let mut by_stamp: BTreeMap<u64, Vec<rt_migrate::Record>> = BTreeMap::new();
    rows.iter()
        .flat_map(|rows| rows.iter())
        .for_each(|row| by_stamp.entry(row.due_ns).or_default().push(rt_migrate::Record::of(row)));
    let stamps = by_stamp.len();
    let iterations: Vec<Vec<rt_migrate::Record>> =
        by_stamp.into_values().filter(|records| records.len() == rows.len()).collect();
    if iterations.is_empty() {
        return Some(super::UNFINISHED.to_owned());
    }
    let options = rt_migrate::Options {
        parent: ran.tasks("rt_migrate_main").first().copied().unwrap_or(0),
        tasks: tasks.iter().map(|task| (*task, ran.prepared.meta.tasks[*task].priority)).collect(),
        max_err_us: ran.time_ns("workload.rt_migrate_test.max_err") / 1_000,
        check: ran.flag("workload.rt_migrate_test.check"),
    };
    let mut text = rt_migrate::text(&iterations, &options);
    if iterations.len() < stamps {
        let _ = writeln!(
            text,
            " ({} iterations lack a row of some thread and are not judged)",
            stamps - iterations.len()
        );
    }
    if rows.iter().any(|rows| rows.len() >= ACTIVATIONS_MAX) {
        let _ =
            writeln!(text, " (only the first {ACTIVATIONS_MAX} iterations are kept and judged)");
    }
    Some(text)
}

pub fn hackbench(ran: &Ran<'_>) -> Option<String> {
    ran.knob("workload.hackbench.groups")?;
    Some(hackbench::text(&hackbench::Run {
        groups: ran.number("workload.hackbench.groups"),
        fds: ran.number("workload.hackbench.fds"),
        loops: ran.number("workload.hackbench.loops"),
        datasize: ran.number("workload.hackbench.datasize"),
        elapsed_ns: ran.elapsed_ns("hackbench_main"),
    }))
}

pub fn schbench(ran: &Ran<'_>) -> Option<String> {
    let workers = ran.metrics("schbench_worker");
    let samples = |since| ran.samples("schbench_worker", since).map(of_report).unwrap_or_default();
    (!workers.is_empty()).then(|| {
        schbench::text(&schbench::Run {
            runtime_ns: ran.report.simulated_ns,
            wakeup: samples("wakeup"),
            request: samples("request"),
            requests: workers.iter().map(|worker| worker.loops).sum(),
            rps: ran.rps.to_vec(),
            sched_delay_ns: ["schbench_message", "schbench_worker"]
                .map(|kind| sched_delay_ns(&ran.metrics(kind))),
        })
    })
}

/// From /proc/PID/schedstat of each thread: the time runnable divided by the times it got a CPU,
/// and the mean of all threads.
fn sched_delay_ns(threads: &[&TaskMetrics]) -> u64 {
    let of = |thread: &&TaskMetrics| {
        thread.ready_ns / (thread.involuntary_switches + thread.voluntary_switches).max(1)
    };
    threads.iter().map(of).sum::<u64>() / (threads.len() as u64).max(1)
}

fn of_report(samples: &ToolSamples) -> schbench::Samples {
    schbench::Samples {
        count: samples.count,
        percentiles_ns: [samples.p50_ns, samples.p90_ns, samples.p99_ns, samples.p999_ns],
        min_ns: samples.min_ns,
        max_ns: samples.max_ns,
    }
}

pub fn pipe(ran: &Ran<'_>) -> Option<String> {
    ran.knob("workload.pipe.loops")?;
    Some(pipe::text(&pipe::Run {
        loops: ran.number("workload.pipe.loops"),
        threaded: ran.flag("workload.pipe.threaded"),
        elapsed_ns: ran.elapsed_ns("pipe"),
    }))
}

pub fn kernbench(ran: &Ran<'_>) -> Option<String> {
    let load = ran.knob("workload.kernbench.load")?.as_str().unwrap_or_default();
    let stated = ran.knob("workload.kernbench.jobs").and_then(serde_json::Value::as_u64).is_some();
    let load = match load {
        _ if stated => "Custom",
        "half" => "Half",
        "optimal" => "Optimal",
        _ => "Maximal",
    };
    let tasks = [ran.metrics("make"), ran.metrics("cc")].concat();
    let user_ns = tasks.iter().map(|task| task.user_ns).sum();
    Some(kernbench::text(&kernbench::Run {
        load: load.to_owned(),
        jobs: ran.metrics("cc").len() as u64,
        elapsed_ns: ran.elapsed_ns("make"),
        user_ns,
        system_ns: tasks.iter().map(|task| task.run_ns).sum::<u64>() - user_ns,
        involuntary: tasks.iter().map(|task| task.involuntary_switches).sum(),
        voluntary: tasks.iter().map(|task| task.voluntary_switches).sum(),
    }))
}

pub fn fibtest(ran: &Ran<'_>) -> Option<String> {
    let group = ran.knob("workload.fibtest.group")?.as_str().unwrap_or_default();
    let per_us = ran.number("workload.fibtest.rate");
    let number =
        |name: &String| name.rsplit_once('.').and_then(|(_, number)| number.parse::<u64>().ok());
    let mut threads = BTreeMap::new();
    for (kind, fast) in [("fast", true), ("slow", false)] {
        for id in ran.tasks(kind) {
            let name = &ran.prepared.setup.tasks[id].name;
            let task = ran.report.metrics.tasks.get(name)?;
            // A slow thread makes 100 additions a wake; a fast one as many as its user time allows,
            // including the last one begun.
            threads.insert(
                number(name)?,
                if fast { task.user_ns / 1_000 * per_us } else { task.loops * 100 },
            );
        }
    }
    let stat = ran.report.metrics.groups.get(group);
    let text = fibtest::text(&fibtest::Run {
        iterations: threads.into_values().collect(),
        verbose: ran.flag("workload.fibtest.verbose"),
        group: stat.map(|stat| (stat.nr_throttled, stat.usage_ns / 1_000_000)),
    });
    let early = ran.report.simulated_ns < ran.time_ns("workload.fibtest.seconds");
    Some(if early { text + super::UNFINISHED } else { text })
}

pub fn burst_sleep(ran: &Ran<'_>) -> Option<String> {
    let rows = &ran.metrics("burst_sleep").first()?.activations;
    let burn = |row: &Activation| burst_sleep::Burn {
        start_ns: row.start_ns,
        end_ns: row.end_ns,
        cpu_ns: row.loops * LOOK_NS,
    };
    // The program wakes once more after its last sleep, to end.
    let burns = ran.number("workload.burst_sleep.iterations") as usize;
    Some(burst_sleep::text(&rows.iter().take(burns).map(burn).collect::<Vec<_>>()))
}

/// CPU time between two looks of the probe at the clock, each of which counts a loop.
const LOOK_NS: u64 = 1_000;
