//! Gaps of the sources that shipped workloads do not close; see docs/model/known-gaps.md. Each test
//! fails when its gap closes.

use schedscope_scenario::{knobs, prepare};
use serde_json::{Value, json};

use crate::support::run;

const US: u64 = 1_000;

#[test]
fn no_workload_stands_for_stress_ng_so_the_2024_series_percentiles_have_nothing_to_be_compared_with()
 {
    assert!(
        knobs().iter().all(|knob| !knob.path.contains("stress_ng")),
        "the 2024 series' stress-ng figures can be measured now"
    );
}

#[test]
fn schbench_has_no_think_time_as_it_had_before_2023() {
    assert!(
        knobs().iter().all(|knob| !knob.path.starts_with("workload.schbench.think")),
        "the older program can be played now"
    );
}

#[test]
fn options_of_the_tools_and_the_kernel_that_are_not_offered_are_refused_by_their_names_with_the_reason()
 {
    let refused = |slug: &str, group: &str, names: &[&str]| {
        let text = std::fs::read_to_string(format!(
            "{}/../../scenarios/{slug}/scenario.json",
            env!("CARGO_MANIFEST_DIR")
        ))
        .unwrap();
        for name in names {
            let path = format!("{group}.{name}");
            let by_flag = prepare(slug, &text, &[(path.clone(), json!(1))]).unwrap_err();
            let mut stated: Value = serde_json::from_str(&text).unwrap();
            group.split('.').fold(&mut stated, |node, key| &mut node[key])[*name] = json!(1);
            let in_file = prepare(slug, &stated.to_string(), &[]).unwrap_err();
            for error in [by_flag, in_file] {
                assert!(
                    error.path == path && error.message.starts_with("is not modelled: "),
                    "{error:?}"
                );
                assert!(
                    error.suggestion.is_none() && error.expected.is_some(),
                    "no slip of the finger: {error:?}"
                );
            }
        }
    };
    const SCHBENCH: [&str; 9] = [
        "message_cpus",
        "worker_cpus",
        "pin",
        "auto_rps",
        "rps",
        "pipe",
        "warmuptime",
        "intervaltime",
        "zerotime",
    ];
    refused("schbench", "workload.schbench", &SCHBENCH);
    refused("hackbench", "workload.hackbench", &["threads", "inet"]);
    refused("rt-pull-herd", "workload.cyclictest", &["secaligned"]);
    refused(
        "kernbench-switches",
        "workload.kernbench",
        &["runs", "skip_half", "skip_optimal", "skip_max"],
    );
    refused("rt-migrate", "kernel", &["latency_warn_ms", "resched_latency_warn_ms"]);
}

#[test]
fn locks_that_are_not_offered_are_refused_by_their_names() {
    let text = std::fs::read_to_string(format!(
        "{}/../../scenarios/rt-migrate/scenario.json",
        env!("CARGO_MANIFEST_DIR")
    ))
    .unwrap();
    for lock in ["tas", "pv_qspinlock"] {
        let error = prepare("rt-migrate", &text, &[("kernel.spinlock".to_owned(), json!(lock))])
            .unwrap_err();
        assert_eq!(
            (error.path.as_str(), error.message),
            ("kernel.spinlock", format!("\"{lock}\" is not modelled"))
        );
        assert!(error.expected.unwrap().contains("qspinlock"));
    }
}

/// Recalled (docs/model/preemption.md#preempt_rt): from 6.13 PREEMPT_RT can be lazy for the fair
/// class.
#[test]
fn preempt_rt_never_asks_lazily() {
    let set = [
        ("kernel.version", json!("6.13")),
        ("kernel.preempt", json!("rt")),
        ("workload.kernbench.load", json!("optimal")),
    ];
    let resched = run("kernbench-switches", &set).metrics.resched;
    assert!(resched.now_set > 1_000);
    assert_eq!(resched.lazy_set, 0, "rt can be lazy now");
}

/// Rostedt 2007, before: a delayed thread starts 20 000 + 20..100 us after the parent's stamp.
#[test]
fn most_threads_that_passive_balancing_delays_start_too_soon_after_20_ms() {
    let (mut soon, mut late) = (0, 0);
    for seed in 1..=10 {
        let report = run(
            "rt-migrate",
            &[("kernel.rt_balance", json!("passive_2624")), ("seed", json!(seed))],
        );
        for thread in 1..5 {
            for row in &report.metrics.tasks[&format!("rt_migrate_test.{thread}")].activations {
                let delay = row.start_ns - row.due_ns;
                soon += u32::from((20_000 * US..20_020 * US).contains(&delay));
                late += u32::from((20_020 * US..=20_100 * US).contains(&delay));
            }
        }
    }
    println!(
        "delayed threads: {soon} start 20 000 + 0..20 us after the stamp, {late} 20 000 + 20..100 \
            us"
    );
    assert!(soon > late, "most are as late as Rostedt 2007's: {late} against {soon}");
}
