//! What the programs of the generators must show when the engine plays them
//! (docs/model/programs.md).

use schedscope_engine::account::report::{Metrics, TaskMetrics};
use serde_json::{Value, json};

use crate::support::{is_long, run};

const US: u64 = 1_000;

/// A preemption model on a kernel that has it: the series of Arora 2023 was written for 6.6, lazy
/// came with 6.13.
fn model(name: &str) -> [(&'static str, Value); 2] {
    [
        ("kernel.version", json!(if name == "lazy" { "6.13" } else { "6.6" })),
        ("kernel.preempt", json!(name)),
    ]
}

fn of_kind<'m>(metrics: &'m Metrics, kind: &str) -> Vec<&'m TaskMetrics> {
    let of_kind = |name: &str| name.rsplit_once('.').is_some_and(|(of, _)| of == kind);
    metrics.tasks.iter().filter(|(name, _)| of_kind(name)).map(|(_, task)| task).collect()
}

// ---- hackbench: docs/model/programs.md#hackbench
// ------------------------------------------------------------------------------------------

#[test]
fn hackbench_passes_every_message_of_every_sender_to_every_receiver() {
    for (groups, fds, loops, pipe) in
        [(1_u64, 20_u64, 10_u64, false), (2, 20, 20, true), (3, 7, 5, false)]
    {
        let set = [
            ("workload.hackbench.groups", json!(groups)),
            ("workload.hackbench.fds", json!(fds)),
            ("workload.hackbench.loops", json!(loops)),
            ("workload.hackbench.pipe", json!(pipe)),
        ];
        let report = run("hackbench", &set);
        // A receiver's round reads one message; getting ready and leaving are a round each.
        let receivers = of_kind(&report.metrics, "hackbench_receiver");
        let read: u64 = receivers.iter().map(|receiver| receiver.loops - 2).sum();
        assert_eq!((receivers.len() as u64, read), (groups * fds, groups * fds * fds * loops));
        assert_eq!(report.metrics.tool_samples["hackbench_main.elapsed"].count, 1, "it ended");
    }
}

// ---- schbench: docs/model/programs.md#schbench
// --------------------------------------------------------------------------------------

#[test]
fn every_schbench_request_has_a_wake_up_before_it() {
    for (messages, workers) in [(1_u64, 16_u64), (2, 8), (8, 16)] {
        let set = [
            ("workload.schbench.message_threads", json!(messages)),
            ("workload.schbench.workers", json!(workers)),
            ("machine.cpus", json!(160)),
            ("duration", json!("500ms")),
        ];
        let report = run("schbench", &set);
        let samples = &report.metrics.tool_samples;
        let (wakeups, requests) =
            (samples["schbench_worker.wakeup"].count, samples["schbench_worker.request"].count);
        let rounds: u64 =
            of_kind(&report.metrics, "schbench_worker").iter().map(|worker| worker.loops).sum();
        assert!(
            wakeups >= requests && wakeups - requests <= messages * workers,
            "{wakeups} {requests}"
        );
        assert_eq!(requests, rounds, "a request is a round of its worker");
        let expected = messages * workers * 500_000 / 17_050;
        assert!(requests.abs_diff(expected) <= expected / 10, "{requests}, about {expected}");
    }
}

/// Arora 2023's schbench: with one message thread of 16 workers and with eight.
#[test]
fn the_preemption_model_does_not_change_schbenchs_median() {
    for (groups, cpus) in [(1, 32), (8, 256)] {
        let set = [
            ("workload.schbench.message_threads", json!(groups)),
            ("machine.cpus", json!(cpus)),
            ("duration", json!("1s")),
        ];
        let p50 = |name: &str| {
            let report = run("schbench", &[&model(name)[..], &set].concat());
            report.metrics.tool_samples["schbench_worker.wakeup"].p50_ns
        };
        let none = p50("none");
        for name in ["full", "lazy", "rfc2023-none", "rfc2023-full"] {
            assert!(
                p50(name).abs_diff(none) <= US,
                "{groups} x 16, {name}: {} against {none}",
                p50(name)
            );
        }
    }
}

/// Arora 2023's schbench: within 3 us, with one message thread of 16 workers and with eight. The
/// thread's machine has a CPU for each of them.
#[test]
fn the_preemption_model_does_not_change_schbenchs_99_9_percent_either() {
    // Eight of them in `npm run test:long` alone.
    for groups in [1, 8].into_iter().take(if is_long() { 2 } else { 1 }) {
        let p999 = |name: &str| {
            let set = [
                ("workload.schbench.message_threads", json!(groups)),
                ("machine.cpus", json!(256)),
                ("duration", json!("4s")),
            ];
            let report = run("schbench", &[&model(name)[..], &set].concat());
            report.metrics.tool_samples["schbench_worker.wakeup"].p999_ns
        };
        let none = p999("none");
        for name in ["full", "lazy", "rfc2023-none", "rfc2023-full"] {
            assert!(
                p999(name).abs_diff(none) <= 3 * US,
                "{groups} x 16, {name}: {} against {none}",
                p999(name)
            );
        }
    }
}

#[test]
fn workers_that_share_cpus_contend_for_the_locks_of_those_cpus_unless_told_not_to() {
    let spin = |locking: bool| {
        let set = [
            ("machine.cpus", json!(2)),
            ("workload.schbench.locking", json!(locking)),
            ("duration", json!("1s")),
        ];
        of_kind(&run("schbench", &set).metrics, "schbench_worker")
            .iter()
            .map(|worker| worker.spin_ns)
            .sum::<u64>()
    };
    assert!(spin(true) > 0);
    assert_eq!(spin(false), 0);
}

// ---- perf bench sched pipe: docs/model/programs.md#perf-pipe; on one CPU: pipe.rs
// -------------------------------------------------------------------------

const MODELS: [&str; 8] = [
    "none",
    "voluntary",
    "full",
    "lazy",
    "rfc2023-none",
    "rfc2023-voluntary",
    "rfc2023-full",
    "rt",
];

fn pipe_ns(name: &str) -> u64 {
    // PREEMPT_RT turns the wake-list off by default, which is another switch's doing.
    let report = run(
        "pipe-across-models",
        &[&model(name)[..], &[("kernel.ttwu_queue", json!("cross_llc_or_idle"))]].concat(),
    );
    let wakeups: u64 = of_kind(&report.metrics, "pipe").iter().map(|task| task.wakeups).sum();
    assert!((19_998..=20_002).contains(&wakeups), "{name}: two wake-ups a round trip, {wakeups}");
    report.metrics.tool_samples["pipe.elapsed"].max_ns
}

#[test]
fn on_two_idle_cpus_a_round_trip_costs_the_same_in_every_model() {
    let times = MODELS.map(pipe_ns);
    let (least, most) = (times.iter().min().unwrap(), times.iter().max().unwrap());
    assert!((most - least) * 100 < *least, "{times:?}");
}

// ---- kernbench: docs/model/programs.md#kernbench
// --------------------------------------------------------------------------------

/// What kernbench prints of make and its compilers: involuntary switches; then ns on the wall, in
/// user mode and in the kernel.
fn kernbench(name: &str, load: &str, seed: u64, more: &[(&str, Value)]) -> (u64, [u64; 3]) {
    let set = [("workload.kernbench.load", json!(load)), ("seed", json!(seed))];
    let report = run("kernbench-switches", &[&model(name)[..], &set, more].concat());
    let elapsed = &report.metrics.tool_samples["make.elapsed"];
    assert_eq!(elapsed.count, 1, "{name} {load}: make ended");
    let tasks = [of_kind(&report.metrics, "make"), of_kind(&report.metrics, "cc")].concat();
    let sum = |of: fn(&TaskMetrics) -> u64| tasks.iter().map(|task| of(task)).sum();
    let user = sum(|task| task.user_ns);
    (sum(|task| task.involuntary_switches), [elapsed.max_ns, user, sum(|task| task.run_ns) - user])
}

fn switches(name: &str, load: &str, seed: u64, more: &[(&str, Value)]) -> u64 {
    kernbench(name, load, seed, more).0
}

#[test]
fn at_half_load_make_switches_no_more_often_with_the_series() {
    for seed in [1, 2, 3] {
        let at = |model: &str| switches(model, "half", seed, &[]);
        assert!(at("rfc2023-none") <= at("none"), "{seed}: {} {}", at("rfc2023-none"), at("none"));
    }
}

/// Arora 2023's kernbench: the rows of `full`, and those of `none` at the optimal load, whose times
/// change as little.
#[test]
fn the_series_leaves_full_preemption_within_2_percent_in_everything_kernbench_prints_and_so_it_does_the_times_of_none()
 {
    for load in ["half", "optimal"] {
        for seed in [1, 2, 3] {
            let within = |what: &str, before: u64, after: u64| {
                assert!(
                    before > 0 && before.abs_diff(after) * 50 < before,
                    "{what}, {load}, seed {seed}: {before} {after}"
                );
            };
            let (full, full_series) =
                (kernbench("full", load, seed, &[]), kernbench("rfc2023-full", load, seed, &[]));
            let (none, none_series) =
                (kernbench("none", load, seed, &[]), kernbench("rfc2023-none", load, seed, &[]));
            within("switches, full", full.0, full_series.0);
            for (at, what) in ["wall", "utime", "stime"].into_iter().enumerate() {
                within(what, full.1[at], full_series.1[at]);
                within(what, none.1[at], none_series.1[at]);
            }
            assert!(
                load == "half" || none_series.0 * 100 >= none.0 * 92,
                "none, seed {seed}: {} {}",
                none.0,
                none_series.0
            );
        }
    }
}

#[test]
fn all_files_are_compiled_at_every_load() {
    for load in ["half", "optimal", "max"] {
        let report = run("kernbench-switches", &[("workload.kernbench.load", json!(load))]);
        assert_eq!(report.metrics.tool_samples["make.elapsed"].count, 1, "{load}");
        for task in of_kind(&report.metrics, "cc") {
            assert!(task.user_ns <= task.run_ns);
        }
    }
}

/// make with one job and a few short files: kernel time, switches that its compiler asked for, and
/// ns on the wall.
fn one_job(more: &[(&str, Value)]) -> [u64; 3] {
    let small = [
        ("workload.kernbench.files", json!(6)),
        ("workload.kernbench.jobs", json!(1)),
        ("workload.kernbench.rounds", json!(60)),
        ("workload.kernbench.kworker_period", json!("off")),
    ];
    let report = run("kernbench-switches", &[&model("none")[..], &small, more].concat());
    let elapsed = &report.metrics.tool_samples["make.elapsed"];
    assert_eq!(elapsed.count, 1, "make ended");
    let cc = of_kind(&report.metrics, "cc");
    let sum = |of: fn(&TaskMetrics) -> u64| cc.iter().map(|task| of(task)).sum();
    [sum(|task| task.run_ns - task.user_ns), sum(|task| task.voluntary_switches), elapsed.max_ns]
}

#[test]
fn kernbenchs_calls_work_as_long_and_sleep_as_often_and_as_long_as_stated() {
    let of = |share: u32, sleep: &str, work: &str| {
        one_job(&[
            ("workload.kernbench.sleeping_calls", json!(share)),
            ("workload.kernbench.call_sleep", json!(sleep)),
            ("workload.kernbench.call_work", json!(work)),
        ])
    };
    let within = |what: &str, figure: u64, wanted: u64| {
        assert!(figure.abs_diff(wanted) * 10 < wanted, "{what}: {figure}, not {wanted}")
    };
    // Each call draws, whether or not it sleeps: these make the same calls, while others work and
    // therefore draw more often.
    let ([_, few, _], [stime, all, wall]) =
        (of(1, "200us", "27500ns"), of(1_000, "200us", "27500ns"));
    let calls = all - few;
    assert!(calls > 200, "{calls}");
    within("half of them sleep", of(500, "200us", "27500ns")[1] - few, calls / 2);
    within("twice the sleep", of(1_000, "400us", "27500ns")[2] - wall, calls * 200_000);
    let [longer, switches, _] = of(1_000, "200us", "275us");
    within(
        "ten times the work of a call",
        longer / (switches - few) - stime / calls,
        275_000 - 27_500,
    );
}

#[test]
fn a_collectors_first_cycle_starts_one_period_after_the_run_whatever_the_seed() {
    for seed in [1, 2, 3] {
        let set = [
            ("seed", json!(seed)),
            ("workload.gc_burst.period", json!("70ms")),
            ("duration", json!("100ms")),
        ];
        let report = run("quota-boundary", &set);
        let main = &report.metrics.tasks["gc_main.0"];
        let [first] = main.activations.as_slice() else {
            panic!("one cycle has ended: {:?}", main.activations)
        };
        assert_eq!(first.due_ns, 70_000_000);
    }
}
