//! Where two mechanisms meet: a restart within a period, a child throttled at its parent's door, a
//! queue emptied by throttling, a clock that has not ticked for a second.

use schedscope_engine::run::{Options, Progress, Report, Run};
use schedscope_engine::setup::Setup;
use schedscope_scenario::prepare;
use serde_json::json;

use crate::support::{self, finish};

const MS: u64 = 1_000_000;

/// A scenario of these parts, as text: in a task's program the order of the keys counts.
fn scenario(machine: &str, kernel: &str, cgroups: &str, tasks: &str, duration: &str) -> String {
    format!(
        r#"{{ "schema": 1, "title": "turning point", "source": "test", "seed": 1,
            "duration": "{duration}",
              "machine": {machine}, "kernel": {kernel}, "cgroups": {cgroups},
              "workload": {{ "tasks": {tasks} }} }}"#
    )
}

fn kernel(version: &str) -> String {
    format!(r#"{{ "version": "{version}", "hz": 1000 }}"#)
}

fn setup_of(scenario: &str) -> Setup {
    prepare("test", scenario, &[]).unwrap().setup
}

fn run(scenario: &str) -> Report {
    finish(&setup_of(scenario))
}

/// 4.18 to 5.3: the deadline moves with every restart, so what is returned before the next refill
/// is still of its period.
#[test]
fn a_group_that_wakes_within_the_period_in_which_its_timer_stopped_may_return_what_it_took() {
    for version in ["4.18", "4.19", "5.4"] {
        let report = run(&scenario(
            r#"{ "cpus": 2, "costs": "modern_2s_qspin" }"#,
            &kernel(version),
            r#"{ "a": { "cpu_max": "20000 100000", "period_phase": "50ms" } }"#,
            r#"{ "t": { "loop": 1, "cpus": "0", "taskgroup": "/a", "run0": 2000, "sleep0": 167000,
                "run1": 2000, "sleep1": 5000,
                        "run2": 2000, "sleep2": 5000, "run3": 2000 } }"#,
            "400ms",
        ));
        assert_eq!(report.metrics.groups["a"].dropped_ns, 0, "{version}");
    }
}

/// The quota's own write has begun a period: what the first one gives out can be returned in it.
#[test]
fn nothing_of_the_first_period_is_too_old_to_return() {
    for bandwidth in ["4.18", "4.19", "keep0", "chiluk_v4"] {
        for phase in ["10ms", "50ms", "90ms"] {
            let set = [
                ("kernel.bandwidth", json!(bandwidth)),
                ("cgroups.fibtest.period_phase", json!(phase)),
                ("duration", json!("95ms")),
            ];
            let dropped = support::run("quota-stranded", &set).metrics.groups["fibtest"].dropped_ns;
            assert_eq!(dropped, 0, "{bandwidth}, first refill at {phase}");
        }
    }
}

/// The climb of an enqueue ends at the child that is throttled there: no queue above is reached, so
/// none of them draws.
#[test]
fn a_child_throttled_at_its_enqueue_takes_nothing_of_its_parents_quota() {
    let report = run(&scenario(
        r#"{ "cpus": 4, "costs": "modern_2s_qspin" }"#,
        &kernel("6.1"),
        r#"{ "p": { "cpu_max": "20000 100000", "period_phase": "50ms" },
            "p/c": { "cpu_max": "1000 100000", "period_phase": "49ms" } }"#,
        r#"{ "hog": { "cpus": "0", "taskgroup": "/p/c", "loop": -1, "run": 1000 },
             "t": { "instance": 3, "delay": 10000, "cpus": "1-3", "taskgroup": "/p/c", "loop": -1,
                 "run": 100, "sleep": 3000 } }"#,
        "40ms",
    ));
    let parent = report.metrics.groups["p"];
    assert_eq!((parent.nr_throttled, parent.throttled_ns), (0, 0));
    // Only the hog's CPU has run anything of the group; what is left of its slice above 1 ms has
    // gone back.
    assert!(
        parent.silo_ns <= MS as i64 && parent.pool_ns > 15 * MS,
        "{} ns on CPUs, {} in the pool",
        parent.silo_ns,
        parent.pool_ns
    );
}

/// A CPU whose last task is throttled looks at the others at once, as one whose last task sleeps
/// does; what has just run elsewhere it leaves there for a while.
#[test]
fn a_cpu_emptied_by_throttling_takes_a_waiting_task_within_a_few_ticks() {
    for version in ["5.4", "6.6", "6.12"] {
        let waiting = r#"{ "cpus": [1], "phases": { "p": { "cpus": [1], "run": 5000 },
            "q": { "cpus": [0, 1], "loop": -1, "run": 1000000 } } }"#;
        let tasks = format!(
            r#"{{ "capped": {{ "cpus": [0], "taskgroup": "/g", "loop": -1, "run": 1000000 }},
                "one": {waiting}, "other": {waiting},
                  "far": {{ "cpus": [2], "loop": -1, "run": 100000 }} }}"#
        );
        let scenario = scenario(
            r#"{ "cpus": 8, "costs": "modern_2s_qspin", "idle": "halt" }"#,
            &kernel(version),
            r#"{ "g": { "cpu_max": "20000 1000000", "period_phase": "900ms" } }"#,
            &tasks,
            "24ms",
        );
        assert_eq!(
            run(&scenario).metrics.sched.pulls,
            1,
            "{version}: the quota is used up by 21 ms"
        );
    }
}

/// docs/model/fair-class.md#cfs, docs/model/fair-class.md#eevdf: virtual time goes on without an
/// update of the run queue: a task that comes after a second of a lone hog is not owed that second.
#[test]
fn who_wakes_beside_a_hog_on_a_tickless_cpu_is_placed_at_the_present() {
    for version in ["5.4", "6.6", "6.12", "6.18"] {
        let share = |full: &str| {
            let scenario = scenario(
                r#"{ "cpus": 8, "costs": "modern_2s_qspin" }"#,
                &format!(r#"{{ "version": "{version}", "hz": 1000, "nohz_full": "{full}" }}"#),
                "{}",
                r#"{ "hog": { "cpus": [7], "loop": -1, "run": 1000000 },
                     "late": { "cpus": [7], "delay": 1000500, "loop": -1, "run": 1000000 } }"#,
                "1100ms",
            );
            run(&scenario).metrics.tasks["late.0"].run_ns / MS
        };
        let (with_tick, without) = (share("none"), share("7"));
        assert!((40..=60).contains(&with_tick), "{version}: {with_tick} of 100 ms");
        assert!(with_tick.abs_diff(without) <= 5, "{version}: {with_tick} and {without} ms");
    }
}

/// docs/model/fair-class.md#cfs: what a task ran before its nap is no part of its slice.
#[test]
fn under_cfs_a_task_has_a_whole_slice_again_after_a_nap() {
    let scenario = scenario(
        r#"{ "cpus": 1, "costs": "zero" }"#,
        &kernel("5.4"),
        "{}",
        r#"{ "a": { "cpus": [0], "delay": 30000, "loop": 1, "run": 3400, "sleep": 1000,
            "run1": 50000 },
             "b": { "cpus": [0], "loop": 1, "run": 20000, "sleep": 14550, "run1": 50000 } }"#,
        "37400us",
    );
    let ran = run(&scenario).metrics.tasks["a.0"].run_ns;
    assert!(ran >= 3_400_000 + 2_500_000, "it goes on from 34.5 ms to 37 ms at least: {ran} ns");
}

/// cfs_task_bw_constrained() asks for the quota of the moment, not of the start.
#[test]
fn a_quota_written_to_a_tickless_cpu_brings_its_tick_back_and_none_lets_it_go() {
    let scenario = scenario(
        r#"{ "cpus": 2, "costs": "modern_2s_qspin" }"#,
        r#"{ "version": "6.12", "hz": 1000, "nohz_full": "1" }"#,
        r#"{ "a": { "cpu_max": "max 100000", "period_phase": "50500us" } }"#,
        r#"{ "hog": { "cpus": "1", "taskgroup": "/a", "loop": -1, "run": 60000, "sleep": 1000 } }"#,
        "1s",
    );
    let mut run = Run::new(&setup_of(&scenario), Options::default()).unwrap();
    run.advance(200 * MS, u64::MAX);
    let (group, unlimited) = run.cpu_max("a").unwrap();
    assert!(run.set_cpu_max(group, unlimited.with_cpu_max("20000 100000").unwrap()));
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    let group = run.report().metrics.groups["a"];
    // Up to the write it ran freely; after it, a quota and a tick in each of eight periods.
    assert!(group.usage_ns <= (200 + 9 * 21) * MS, "{} ns", group.usage_ns);
}
