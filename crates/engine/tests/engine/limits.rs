//! Limits of figures and steps: a sum that JavaScript could not hold, steps in which no time
//! passes.

use schedscope_engine::account::metrics::SAMPLE_NS_MAX;
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{Object, Op, SERIES_MAX};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::MS;
use crate::support::build::{bare, fifo, object, once, pause, task, work};
use crate::support::judge::play;
use crate::support::samples::sample;

const FREE: CostsName = CostsName::Zero;

#[test]
fn a_sum_of_samples_stops_at_the_largest_whole_number_of_javascript() {
    let mut setup = bare(1, FREE);
    // A day with a tick a second.
    (setup.kernel.hz, setup.duration_ns) = (1, 86_400_000 * MS);
    let stamp = object(&mut setup, Object::Stamp);
    let ops: Vec<Op> = std::iter::once(pause(86_000_000 * MS))
        .chain((0..110).map(|_| Op::Sample { stamp }))
        .collect();
    setup.tasks.push(task("a", fifo(10), &[0], 0, once(&ops)));
    let report = play(&setup).report;
    let (_, samples) = report.metrics.tool_samples.iter().next().expect("the samples of one stamp");
    assert_eq!(
        (samples.count, samples.min_ns, samples.max_ns),
        (110, 86_000_000 * MS, 86_000_000 * MS)
    );
    assert_eq!(samples.sum_ns, (1 << 53) - 1, "110 times 8.6e13 is more");
}

#[test]
fn a_row_tells_a_sample_of_hours_exactly_and_one_of_a_day_as_the_longest_there_is() {
    for (ns, told) in [
        (4_294_967_296, 4_294_967_296),
        (7_200_000 * MS + 1, 7_200_000 * MS + 1),
        (86_000_000 * MS, SAMPLE_NS_MAX),
    ] {
        let mut setup = bare(1, FREE);
        (setup.kernel.hz, setup.duration_ns) = (1, 86_400_000 * MS);
        let stamp = object(&mut setup, Object::Stamp);
        setup.tasks.push(task("a", fifo(10), &[0], 0, once(&[pause(ns), Op::Sample { stamp }])));
        let rows = play(&setup).rows;
        let found: Vec<_> = rows
            .iter()
            .filter(|row| row.kind == Kind::ToolSample)
            .map(|row| sample(&setup, row))
            .collect();
        assert_eq!(found, [Some((0, "a.object0".to_owned(), told))]);
    }
}

#[test]
fn a_kind_of_task_has_as_many_series_as_a_row_can_tell_apart_and_no_more() {
    let of = |count: usize| {
        let mut setup = bare(1, FREE);
        let ops: Vec<Op> =
            (0..count).map(|_| Op::Sample { stamp: object(&mut setup, Object::Stamp) }).collect();
        setup.tasks.push(task("a", fifo(10), &[0], 0, once(&ops)));
        setup
    };
    let full = of(SERIES_MAX);
    assert_eq!(play(&full).report.metrics.tool_samples.len(), SERIES_MAX);
    assert!(of(SERIES_MAX + 1).check().expect_err("one too many").contains("128 things"));
}

#[test]
fn steps_without_end_in_which_no_time_passes_end_the_run_with_a_fault() {
    let mut setup = bare(1, FREE);
    setup.tasks.push(task("a", fifo(10), &[0], 0, once(&vec![Op::Yield; 800_000])));
    let mut run = Run::new(&setup, Options::default()).expect("a sound machine");
    let Progress::Fault(fault) = run.advance(u64::MAX, u64::MAX) else { panic!("no time passes") };
    assert!(fault.contains("cpu 0 takes 4000000 steps and no time passes"), "{fault}");
    assert!(!run.report().complete);
}

#[test]
fn a_run_that_stops_within_its_last_instant_is_not_complete() {
    let mut setup = bare(2, FREE);
    // Both CPUs tick at the last instant.
    setup.duration_ns = 10 * MS;
    for cpu in 0..2 {
        setup.tasks.push(task(&format!("a{cpu}"), fifo(10), &[cpu], 0, once(&[work(20 * MS)])));
    }
    let ended = |max_records: u64, new_records: u64| {
        let options = Options { max_records, ..Options::default() };
        let mut run = Run::new(&setup, options).expect("a sound machine");
        let progress = run.advance(u64::MAX, new_records);
        let report = run.report();
        assert_eq!(report.complete, progress == Progress::Finished, "{progress:?}");
        assert_eq!(report.limit.is_some(), progress == Progress::Limit, "{progress:?}");
        (report.simulated_ns, report.records)
    };
    let (end, all) = ended(u64::MAX, u64::MAX);
    assert_eq!(ended(all - 1, u64::MAX).0, end, "the limit is met in the last instant");
    assert_eq!(ended(u64::MAX, all - 1).0, end, "a pause, too");
}
