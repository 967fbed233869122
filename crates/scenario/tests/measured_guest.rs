//! The guest of `vm2_meas` against what was measured on one like it (docs/decisions/0022).

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use schedscope_engine::account::report::Metrics;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_scenario::prepare;
use serde_json::{Value, json};

/// A shipped scenario on two CPUs of the guest under 6.18.
fn on_the_guest(slug: &str, set: &[(&str, Value)]) -> Metrics {
    let path = format!("{}/../../scenarios/{slug}/scenario.json", env!("CARGO_MANIFEST_DIR"));
    let guest = [
        ("machine.cpus", json!(2)),
        ("machine.costs", json!("vm2_meas")),
        ("kernel.version", json!("6.18")),
        ("kernel.preempt", json!("none")),
        ("kernel.hz", json!(250)),
        ("duration", json!("5s")),
    ];
    let set = guest.into_iter().chain(set.iter().cloned()).map(|(path, value)| (path.to_owned(), value));
    let prepared = prepare(slug, &std::fs::read_to_string(path).unwrap(), &set.collect::<Vec<_>>()).unwrap();
    let mut run = Run::new(&prepared.setup, Options::default()).unwrap();
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    run.report().metrics
}

#[test]
fn an_operation_of_the_pipe_bench_on_one_cpu_takes_1_9_to_2_1_us() {
    let metrics = on_the_guest("pipe-across-models", &[("workload.pipe.cpus", json!("one"))]);
    let operation_ns = metrics.tool_samples["pipe.elapsed"].max_ns / 10_000;
    assert!((1_900..=2_100).contains(&operation_ns), "{operation_ns}");
}

/// Counted on a guest of the kind: 13 111 and 14 199 with sockets, 5440 with pipes. With sockets the model is 1.6 times as high: a known gap.
#[test]
fn hackbench_switches_at_most_1_7_times_as_often_as_a_guest_counts() {
    for (pipe, low, high) in [(false, 10_000, 23_000), (true, 2_300, 5_600)] {
        let set = [("workload.hackbench.groups", json!(10)), ("workload.hackbench.pipe", json!(pipe))];
        let switches = on_the_guest("hackbench", &set).sched.context_switches;
        assert!((low..high).contains(&switches), "pipe {pipe}: {switches}");
    }
}
