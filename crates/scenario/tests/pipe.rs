//! perf's pipe bench on one CPU under every preemption model (spec G.5, L.9).

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use schedscope_engine::account::report::Metrics;
use schedscope_engine::kernel::preempt::Point;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::trace::catalogue::Kind;
use schedscope_scenario::prepare;
use serde_json::{Value, json};

/// The shipped bench on one CPU: its metrics, and at which points how many preemptions were taken, by the points' numbers.
fn on_one_cpu(version: &str, preempt: &str) -> (Metrics, [u64; 6]) {
    let path = format!("{}/../../scenarios/pipe-across-models/scenario.json", env!("CARGO_MANIFEST_DIR"));
    // PREEMPT_RT turns the wake-list off by default, which is another switch's doing.
    let set: [(&str, Value); 4] = [
        ("workload.pipe.cpus", json!("one")),
        ("kernel.version", json!(version)),
        ("kernel.preempt", json!(preempt)),
        ("kernel.ttwu_queue", json!("cross_llc_or_idle")),
    ];
    let set = set.map(|(path, value)| (path.to_owned(), value));
    let prepared = prepare("pipe-across-models", &std::fs::read_to_string(path).unwrap(), &set).unwrap();
    let mut run = Run::new(&prepared.setup, Options { window: Options::EVERYTHING, ..Options::default() }).unwrap();
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    let trace = run.take_trace();
    let mut taken = [0; 6];
    for row in 0..trace.time.len() {
        if trace.kind[row] == Kind::PreemptPoint as u8 && trace.a[row] >> 8 == 1 {
            taken[(trace.a[row] & 255) as usize] += 1;
        }
    }
    let metrics = run.report().metrics;
    println!("{version} {preempt}: {} ns, {taken:?}, wake-ups {} ns", elapsed(&metrics), metrics.latency["pipe"].p50_ns);
    (metrics, taken)
}

fn elapsed(metrics: &Metrics) -> u64 {
    metrics.tool_samples["pipe.elapsed"].max_ns
}

/// EEVDF lets the woken end go first, once in each of the 10 000 round trips.
#[test]
fn where_kernel_code_is_preempted_the_woken_end_need_not_wait_for_the_way_out_of_the_wakers_system_call() {
    // What is left of write() after the wake-up, in this preset.
    const SYSCALL_EXIT_NS: u64 = 150;
    let (full, _) = on_one_cpu("6.6", "full");
    let wait = full.latency["pipe"].p50_ns;
    for (version, model) in
        [("6.6", "none"), ("6.6", "voluntary"), ("6.6", "rfc2023-none"), ("6.6", "rfc2023-voluntary"), ("6.13", "none"), ("6.13", "lazy")]
    {
        let (metrics, taken) = on_one_cpu(version, model);
        assert!(taken[Point::ReturnToUser as usize] > 9_900 && taken[Point::PreemptEnable as usize] == 0, "{model}: {taken:?}");
        assert_eq!(metrics.latency["pipe"].p50_ns, wait + SYSCALL_EXIT_NS, "{model}");
        // The same CPU does all the work, whatever the order: a round trip costs no more.
        assert!(elapsed(&metrics).abs_diff(elapsed(&full)) * 1_000 < elapsed(&full), "{model}");
    }
    for (version, model) in [("6.6", "full"), ("6.6", "rfc2023-full"), ("6.6", "rt"), ("6.13", "full"), ("6.13", "rt")] {
        let (metrics, taken) = on_one_cpu(version, model);
        assert!(taken[Point::PreemptEnable as usize] > 9_900 && taken[Point::ReturnToUser as usize] == 0, "{model}: {taken:?}");
        assert_eq!(metrics.latency["pipe"].p50_ns, wait, "{model}");
    }
}

#[test]
fn cfs_lets_the_waker_go_on_so_nothing_is_preempted_in_any_model() {
    let models = ["none", "voluntary", "full", "rt"].map(|model| on_one_cpu("6.1", model));
    for (metrics, taken) in &models {
        assert_eq!(*taken, [0; 6]);
        assert_eq!(elapsed(metrics), elapsed(&models[0].0));
    }
}
