//! perf's pipe bench on one CPU under every preemption model (docs/model/programs.md#perf-pipe).

use schedscope_engine::account::report::Metrics;
use schedscope_engine::kernel::core::preempt::Point;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::trace::catalogue::Kind;
use schedscope_scenario::prepare;
use serde_json::{Value, json};

/// The shipped bench on one CPU: its metrics, and at which points how many preemptions were taken,
/// by the points' numbers.
fn on_one_cpu(version: &str, preempt: &str) -> (Metrics, [u64; 6]) {
    on_one_cpu_at(version, preempt, &[])
}

fn on_one_cpu_at(version: &str, preempt: &str, more: &[(&str, Value)]) -> (Metrics, [u64; 6]) {
    let path =
        format!("{}/../../scenarios/pipe-across-models/scenario.json", env!("CARGO_MANIFEST_DIR"));
    // PREEMPT_RT turns the wake-list off by default, which is another switch's doing.
    let set: [(&str, Value); 4] = [
        ("workload.pipe.cpus", json!("one")),
        ("kernel.version", json!(version)),
        ("kernel.preempt", json!(preempt)),
        ("kernel.ttwu_queue", json!("cross_llc_or_idle")),
    ];
    let set: Vec<_> =
        set.iter().chain(more).map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
    let prepared =
        prepare("pipe-across-models", &std::fs::read_to_string(path).unwrap(), &set).unwrap();
    let mut run =
        Run::new(&prepared.setup, Options { window: Options::EVERYTHING, ..Options::default() })
            .unwrap();
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    let trace = run.take_trace();
    let mut taken = [0; 6];
    for row in 0..trace.time.len() {
        if trace.kind[row] == Kind::PreemptPoint as u8 && trace.a[row] >> 8 == 1 {
            taken[(trace.a[row] & 255) as usize] += 1;
        }
    }
    let metrics = run.report().metrics;
    println!(
        "{version} {preempt}: {} ns, {taken:?}, wake-ups {} ns",
        elapsed(&metrics),
        metrics.latency["pipe"].p50_ns
    );
    (metrics, taken)
}

fn elapsed(metrics: &Metrics) -> u64 {
    metrics.tool_samples["pipe.elapsed"].max_ns
}

/// EEVDF lets the woken end go first as often as its lag says so: in about a third of the round
/// trips under 6.6.
#[test]
fn where_kernel_code_is_preempted_the_woken_end_need_not_wait_for_the_way_out_of_the_wakers_system_call()
 {
    let (full, _) = on_one_cpu("6.6", "full");
    let wait = full.latency["pipe"].p50_ns;
    let (at_exit, at_enable) = (Point::ReturnToUser as usize, Point::PreemptEnable as usize);
    for model in ["none", "voluntary", "rfc2023-none", "rfc2023-voluntary"] {
        let (metrics, taken) = on_one_cpu("6.6", model);
        assert!(
            (2_900..=3_600).contains(&taken[at_exit]) && taken[at_enable] == 0,
            "{model}: {taken:?}"
        );
        let own = metrics.latency["pipe"].p50_ns;
        assert!(own.abs_diff(wait) * 50 < wait, "{model}: most wake-ups preempt nobody: {own}");
        // One CPU does all the work, whatever the order: a round trip costs a switch more or less.
        assert!(elapsed(&metrics).abs_diff(elapsed(&full)) * 25 < elapsed(&full), "{model}");
    }
    for model in ["full", "rfc2023-full", "rt"] {
        let (metrics, taken) = on_one_cpu("6.6", model);
        assert!(
            (2_900..=3_600).contains(&taken[at_enable]) && taken[at_exit] == 0,
            "{model}: {taken:?}"
        );
        assert!(metrics.latency["pipe"].p50_ns.abs_diff(wait) * 50 < wait, "{model}");
    }
}

/// enqueue_task_fair() of 6.12 leads a task that sleeps on its queue straight to
/// requeue_delayed_entity(), before the running one is charged: it is still ahead of that one's
/// share and keeps its place. Charged for the comparison, the waker has then had more.
#[test]
fn from_6_12_on_the_end_that_sleeps_on_its_queue_preempts_its_waker_once_in_every_round_trip() {
    for model in ["none", "lazy", "full", "rt"] {
        let (_, taken) = on_one_cpu("6.13", model);
        let all = taken.iter().sum::<u64>();
        assert!((9_900..=10_100).contains(&all), "{model}: {taken:?}");
    }
}

/// The queue's clock is read when a wake-up has got the queue's lock: what the wake-up takes under
/// it is charged after the comparison, and before the waker sleeps. If that is most of what it
/// does, it sleeps ahead of the other, who goes on when it wakes it in turn.
#[test]
fn a_waker_is_compared_with_whom_it_wakes_before_it_pays_for_the_wake_up() {
    let costs = [
        ("machine.costs.ttwu_local_ns", json!(2_000)),
        ("machine.costs.spread_milli", json!(0)),
        ("machine.costs.timer_late_ns", json!(0)),
    ];
    let (dear, _) = on_one_cpu_at("6.6", "full", &costs);
    assert!(dear.resched.now_set < 200, "the ticks', and nobody else's: {}", dear.resched.now_set);
}

#[test]
fn cfs_lets_the_waker_go_on_so_nothing_is_preempted_in_any_model() {
    let models = ["none", "voluntary", "full", "rt"].map(|model| on_one_cpu("6.1", model));
    for (metrics, taken) in &models {
        assert_eq!(*taken, [0; 6]);
        assert_eq!(elapsed(metrics), elapsed(&models[0].0));
    }
}
