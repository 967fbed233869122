//! Runs a shipped scenario and writes it in a format of the registry.

use std::path::Path;

use schedscope_engine::run::{Options, Progress, Report, Run as Simulation};
use schedscope_engine::trace::columns::Columns;
use schedscope_formats::figures::BETWEEN;
use schedscope_formats::{End, Figures, Maker, Run, RunWriter, Side, Title, named};
use schedscope_scenario::{Prepared, prepare};
use serde_json::Value;

/// Herds, interrupts, quotas, programs that yield and fork, mutexes that lend priority, lazy flags,
/// several kernels; how long each runs, and its model of preemption.
pub const SCENARIOS: [(&str, &str, &str); 9] = [
    ("rt-pull-herd", "20ms", "full"),
    ("rt-migrate", "200ms", "full"),
    ("quota-pinned", "20ms", "none"),
    ("lazy-or-now", "20ms", "lazy"),
    ("nohz-kick", "20ms", "full"),
    ("priority-inheritance", "20ms", "full"),
    ("hackbench", "20ms", "voluntary"),
    ("kernbench-switches", "20ms", "full"),
    ("softirq-live-lock", "20ms", "full"),
];

/// A whole run.
pub const WHOLE: (u64, u64) = (0, u64::MAX);

/// What was written, and what the run itself says.
#[derive(Debug)]
pub struct Written {
    pub bytes: Vec<u8>,
    pub report: Report,
    pub rows: Columns,
    /// The task of each sample of a latency, and its ns, as the engine's own list has them.
    pub samples: Vec<(u32, u64)>,
    /// What the writer says that this file has not.
    pub lost: Vec<String>,
}

impl Written {
    /// The bytes as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap()
    }
}

/// One of [`SCENARIOS`].
pub fn prepared(slug: &str) -> Prepared {
    let (_, duration, preempt) = SCENARIOS.iter().find(|(known, ..)| *known == slug).unwrap();
    shipped(slug, &[("duration", *duration), ("kernel.preempt", *preempt)])
}

/// A shipped scenario with these changes.
pub fn shipped(slug: &str, set: &[(&str, &str)]) -> Prepared {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../scenarios")
        .join(slug)
        .join("scenario.json");
    let text = std::fs::read_to_string(file).unwrap();
    let set: Vec<(String, Value)> =
        set.iter().map(|(path, value)| ((*path).to_owned(), (*value).into())).collect();
    prepare(slug, &text, &set).unwrap()
}

/// A scenario of this text.
pub fn made(text: &str) -> Prepared {
    prepare("made", text, &[]).unwrap()
}

/// Three threads on one CPU that yield and never sleep.
pub const YIELDING: &str = r#"{"schema": 1, "title": "yielding", "source": "a test", "seed": 1,
    "duration": "2ms", "machine": {"cpus": 1, "costs": "modern_2s_qspin"},
    "kernel": {"version": "6.12", "hz": 1000}, "workload": {"tasks": {"y": {"instance": 3,
    "policy": "SCHED_FIFO", "priority": 5, "loop": -1, "run": 100, "yield": ""}}}}"#;

/// A group whose pool holds 6 s.
pub const LARGE_POOL: &str = r#"{"schema": 1, "title": "t", "source": "x", "seed": 1, "duration":
"300ms", "machine": {"cpus":
    64, "costs": "modern_2s_qspin"}, "kernel": {"version": "6.12", "hz": 1000}, "cgroups": {"app":
    {"cpu_max": "6000000 100000"}}, "workload": {"tasks": {"w": {"instance": 8, "loop": -1, "run":
    1000, "taskgroup": "/app"}}}}"#;

/// The run as a writer takes it.
pub fn described(prepared: &Prepared, window: (u64, u64)) -> Run {
    let title = Title {
        scenario: prepared.meta.slug.clone(),
        kernel: prepared.meta.kernel.clone(),
        replay: prepared.meta.replay.clone(),
    };
    let writes = prepared.live.iter().map(|write| (write.path.clone(), write.value.clone()));
    let writes = writes.collect();
    Run { setup: prepared.setup.clone(), title, side: Side::A, window, writes }
}

/// The writer of one run in a format.
pub fn writer(format: &str, run: Run) -> Box<dyn RunWriter> {
    let format = named(format).unwrap();
    let Maker::Run(begin) = format.of_one_run().unwrap().maker else { panic!("{}", format.name) };
    begin(run)
}

/// Runs and writes a window of it, in chunks of so many records.
pub fn written_in(format: &str, prepared: &Prepared, window: (u64, u64), chunk: u64) -> Written {
    written_of(format, prepared, described(prepared, window), chunk)
}

/// Runs and writes what a writer is given, in chunks of so many records.
pub fn written_of(format: &str, prepared: &Prepared, run: Run, chunk: u64) -> Written {
    written_until(format, prepared, run, chunk, Options::default().max_records)
}

/// Runs and writes a run that a limit of records stops.
pub fn stopped(format: &str, prepared: &Prepared, max_records: u64) -> Written {
    let written =
        written_until(format, prepared, described(prepared, WHOLE), u64::MAX, max_records);
    assert!(!written.report.complete && written.report.simulated_ns < prepared.setup.duration_ns);
    written
}

fn written_until(
    format: &str,
    prepared: &Prepared,
    run: Run,
    chunk: u64,
    max_records: u64,
) -> Written {
    let mut writer = writer(format, run);
    let mut bytes = Vec::new();
    writer.begin(&mut bytes).unwrap();
    let options = Options { window: Options::EVERYTHING, max_records, ..Options::default() };
    let mut simulation = Simulation::new(&prepared.setup, options).unwrap();
    let mut rows = Columns::default();
    loop {
        let progress = simulation.advance_within(u64::MAX, chunk, u64::MAX);
        let next = simulation.take_trace();
        writer.rows(&next, &mut bytes).unwrap();
        rows.time.extend(next.time);
        rows.kind.extend(next.kind);
        rows.cpu.extend(next.cpu);
        rows.a.extend(next.a);
        rows.b.extend(next.b);
        match progress {
            Progress::Running => {}
            Progress::Finished | Progress::Limit => break,
            Progress::Fault(_) => panic!("{progress:?}"),
        }
    }
    let wakes = simulation.take_wakes();
    let samples = wakes.task.into_iter().zip(wakes.latency).collect();
    let report = simulation.report();
    writer.end(&end_of(&report), &mut bytes).unwrap();
    Written { bytes, report, rows, samples, lost: writer.lost() }
}

/// Runs and writes all of it.
pub fn written(format: &str, prepared: &Prepared) -> Written {
    written_in(format, prepared, WHOLE, u64::MAX)
}

/// A scenario that a format has a place for: not each has groups, or cyclictest.
pub fn suiting(format: &str) -> Prepared {
    let slugs = ["rt-pull-herd", "quota-pinned"].map(prepared);
    let takes = |prepared: &Prepared| {
        writer(format, described(prepared, WHOLE)).begin(&mut Vec::new()).is_ok()
    };
    slugs.into_iter().find(takes).unwrap()
}

/// The sentence with which a format refuses a run.
pub fn refusal(format: &str, prepared: &Prepared) -> String {
    let mut bytes = Vec::new();
    let error = writer(format, described(prepared, WHOLE)).begin(&mut bytes).unwrap_err();
    assert_eq!((error.kind(), bytes.len()), (std::io::ErrorKind::Unsupported, 0));
    error.to_string()
}

/// What a writer is given at the run's end.
pub fn end_of(report: &Report) -> End {
    End { ns: report.simulated_ns, figures: figures(report) }
}

/// The whole numbers of a report by their paths.
pub fn figures(report: &Report) -> Figures {
    fn add(path: &[&str], value: &Value, into: &mut Vec<(String, i64)>) {
        if let Value::Object(fields) = value {
            fields.iter().for_each(|(name, value)| add(&[path, &[name]].concat(), value, into));
        } else if let Some(number) = value.as_i64() {
            into.push((path.join(&BETWEEN.to_string()), number));
        }
    }
    let mut into = Vec::new();
    add(&[], &serde_json::to_value(&report.metrics).unwrap(), &mut into);
    into.into_iter().collect()
}
