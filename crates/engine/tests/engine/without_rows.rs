//! A run without rows ([`Options::rows`]): the limits that end it, and the bytes that count towards
//! the limit of memory. The swarm shows that its figures are those of a run with rows.

use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::named::Named;
use schedscope_engine::run::{Limit, Options, Progress, Report, Run};
use schedscope_engine::setup::{Object, Op, Setup};
use schedscope_engine::trace::columns::Columns;

use crate::support::build::{bare, fifo, forever, object, task};
use crate::support::{MS, US, herd};

fn options(rows: bool) -> Options {
    Options { window: Options::EVERYTHING, rows, ..Options::default() }
}

/// A run of `setup` that a limit ended: the limit, the run, and its report.
fn stopped(setup: &Setup, options: Options) -> (Limit, Run, Report) {
    let mut run = Run::new(setup, options).expect("a sound machine");
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Limit);
    let report = run.report();
    (run.limit().expect("it is at a limit"), run, report)
}

fn text(report: &Report) -> String {
    serde_json::to_string(report).expect("a report is plain data")
}

#[test]
fn without_rows_the_limit_of_memory_comes_later_and_holds_wake_ups_and_samples_alone() {
    let setup = herd(4, 1, 5 * US, CostsName::Qspin2s);
    let within = |rows| stopped(&setup, Options { max_bytes: 200_000, ..options(rows) });
    let ((with, mut full, all), (without, mut bare, some)) = (within(true), within(false));
    assert_eq!((with, without), (Limit::Memory, Limit::Memory));
    assert!(some.simulated_ns > 2 * all.simulated_ns, "{} {}", some.simulated_ns, all.simulated_ns);
    assert!(!full.take_trace().time.is_empty() && bare.take_trace() == Columns::default());
    // Each wake-up is a sample and a row of its own, with segments.
    let (held, wakes) = (bare.held_bytes(), bare.take_wakes());
    let taken = 30 * wakes.task.len() as u64 + 5 * wakes.segment_ns.len() as u64;
    assert!(taken > 0 && held >= 200_000 && bare.held_bytes() == held - taken);
    assert_eq!(full.limit(), Some(Limit::Memory), "taking rows changes nothing in that");
}

/// Bytes held at the end by a caller that keeps everything it takes, and the number of records
/// written.
fn held_by_who_keeps_all(setup: &Setup, rows: bool) -> (u64, u64) {
    let options = Options { rows_stay: true, ..options(rows) };
    let mut run = Run::new(setup, options).expect("a sound machine");
    while run.advance(u64::MAX, 1_000) == Progress::Running {
        assert_eq!(run.take_trace().time.is_empty(), !rows);
        run.take_wakes();
    }
    (run.held_bytes(), run.records())
}

#[test]
fn rows_that_are_not_kept_do_not_count_where_who_takes_rows_keeps_them() {
    let setup = Setup { duration_ns: 10 * MS, ..herd(4, 1, 5 * US, CostsName::Qspin2s) };
    let ((with, records), (without, same)) =
        (held_by_who_keeps_all(&setup, true), held_by_who_keeps_all(&setup, false));
    assert_eq!((with - without, records), (19 * records, same), "a row is 19 bytes");
}

#[test]
fn the_limits_of_records_and_of_steps_end_a_run_without_rows_where_they_end_one_with_them() {
    let herd = herd(4, 1, 5 * US, CostsName::Qspin2s);
    let mut slivers = bare(1, CostsName::Qspin2s);
    slivers.duration_ns = 100 * MS;
    let stamp = object(&mut slivers, Object::Stamp);
    slivers.tasks.push(task("a", fifo(10), &[0], 0, forever(&[Op::Stamp { stamp }])));
    for (setup, limit) in [(&herd, Limit::Records), (&slivers, Limit::Steps)] {
        let within = |rows| stopped(setup, Options { max_records: 5_000, ..options(rows) });
        let ((with, _, all), (without, _, some)) = (within(true), within(false));
        assert_eq!((with, without), (limit, limit));
        assert!(!all.complete && all.limit == Some(limit.name()));
        assert_eq!(text(&all), text(&some));
    }
}
