//! Where figures and steps end: a sum that JavaScript could not hold, steps in which no time passes.

use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{Object, Op};

use crate::support::MS;
use crate::support::build::{bare, fifo, object, once, pause, task};
use crate::support::judge::play;

const FREE: CostsName = CostsName::Zero;

#[test]
fn a_sum_of_samples_stops_at_the_largest_whole_number_of_javascript() {
    let mut setup = bare(1, FREE);
    // A day with a tick a second.
    (setup.kernel.hz, setup.duration_ns) = (1, 86_400_000 * MS);
    let stamp = object(&mut setup, Object::Stamp);
    let ops: Vec<Op> = std::iter::once(pause(86_000_000 * MS)).chain((0..110).map(|_| Op::Sample { stamp })).collect();
    setup.tasks.push(task("a", fifo(10), &[0], 0, once(&ops)));
    let report = play(&setup).report;
    let (_, samples) = report.metrics.tool_samples.iter().next().expect("the samples of one stamp");
    assert_eq!((samples.count, samples.min_ns, samples.max_ns), (110, 86_000_000 * MS, 86_000_000 * MS));
    assert_eq!(samples.sum_ns, (1 << 53) - 1, "110 times 8.6e13 is more");
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
