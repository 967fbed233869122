//! The fair class (docs/model/fair-class.md): shares, slices, preemption, groups, and delayed
//! dequeue.

use schedscope_engine::account::report::Metrics;
use schedscope_engine::kernel::config::{Fair, Preempt, RtThrottle, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::run::Options;
use schedscope_engine::setup::{GroupSpec, Policy, Setup, TaskSpec};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{costless, fair, forever, hog, pause, task, work};
use crate::support::judge::{Written, judge, written};
use crate::support::{MS, US, machine, run};

const LONG: u64 = 3_600_000 * MS;
/// How far a share may be off by rounding to ticks at the end of a run.
const ROUNDING: f64 = 0.02;

fn both() -> [(Version, Fair); 2] {
    [(Version::V5_4, Fair::Cfs), (Version::V6_6, Fair::Eevdf)]
}

/// The whole run, judged.
fn play(setup: &Setup) -> Written {
    let written = written(&mut run(setup, Options::EVERYTHING, 64));
    judge(setup, &written).expect("the trace keeps the laws");
    written
}

fn nice(nice: i8) -> Policy {
    Policy::Fair { nice }
}

fn ran(metrics: &Metrics, name: &str) -> u64 {
    metrics.tasks[name].run_ns
}

/// The part of the time of both that the first has had.
fn part(metrics: &Metrics, one: &str, other: &str) -> f64 {
    let (one, other) = (ran(metrics, one) as f64, ran(metrics, other) as f64);
    one / (one + other)
}

fn near(value: f64, expected: f64) -> bool {
    (value - expected).abs() < ROUNDING
}

/// Times between switches on CPU 0, the start-up left out.
fn stints(written: &Written) -> Vec<u64> {
    let switches: Vec<u64> = written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::SchedSwitch && row.cpu == 0)
        .map(|row| row.time)
        .collect();
    switches.windows(2).skip(4).map(|pair| pair[1] - pair[0]).collect()
}

fn group(path: &str, parent: u32, weight: u32) -> GroupSpec {
    GroupSpec { path: path.to_owned(), parent, weight, bandwidth: None }
}

#[test]
fn two_hogs_share_a_cpu_by_the_weights_of_their_nice_values() {
    for (version, rule) in both() {
        for (strong, weak, expected) in
            [(0, 0, 0.5), (0, 5, 1024.0 / 1359.0), (-10, 0, 9548.0 / 10572.0), (19, 19, 0.5)]
        {
            let mut setup = costless(version, 4, 4_000 * MS);
            assert_eq!(setup.kernel.fair, rule);
            setup.tasks = vec![
                task("strong", nice(strong), &[0], 0, hog(LONG)),
                task("weak", nice(weak), &[0], 0, hog(LONG)),
            ];
            let metrics = play(&setup).report.metrics;
            let share = part(&metrics, "strong.0", "weak.0");
            assert!(
                near(share, expected),
                "{rule:?} nice {strong} against {weak}: {share} of {expected}"
            );
        }
    }
}

#[test]
fn cfs_slices_are_the_latency_divided_among_the_hogs_and_seen_at_the_tick() {
    // 1 CPU: 6 ms, 4 CPUs: 18 ms, 8 CPUs: 24 ms; with many hogs each keeps the least granularity.
    for (cpus, hogs, ms) in [(1, 2, 3), (4, 2, 9), (8, 2, 12), (8, 4, 6), (8, 12, 3)] {
        let mut setup = costless(Version::V5_4, cpus, 2_000 * MS);
        setup.tasks = (0..hogs)
            .map(|index| task(&format!("hog{index}"), fair(), &[0], 0, hog(LONG)))
            .collect();
        let stints = stints(&play(&setup));
        let sound = |ns: &u64| (ms * MS..=(ms + 1) * MS).contains(ns);
        assert!(
            stints.len() > 20
                && stints.iter().filter(|ns| sound(ns)).count() * 10 >= stints.len() * 9,
            "{cpus} {hogs}: {stints:?}"
        );
    }
}

#[test]
fn eevdf_slices_are_the_base_slice_rounded_up_to_ticks() {
    // 0.75 or 0.70 ms times 1, 3 or 4. The model's ticks are exact: a slice of 3.0 ms ends with the
    // third (decisions 0012).
    for (version, cpus, hz, us) in [
        (Version::V6_6, 1, 1000, 1000),
        (Version::V6_6, 4, 1000, 3000),
        (Version::V6_13, 8, 1000, 3000),
        (Version::V6_18, 8, 250, 4000),
    ] {
        let mut setup = costless(version, cpus, 1_000 * MS);
        setup.machine = machine(cpus, CostsName::Qspin2s);
        (setup.kernel.hz, setup.kernel.preempt) = (hz, Preempt::Full);
        setup.tasks = ["one", "two"].map(|name| task(name, fair(), &[0], 0, hog(LONG))).to_vec();
        let mut stints = stints(&play(&setup));
        stints.sort_unstable();
        let median = stints[stints.len() / 2];
        assert!(median.abs_diff(us * US) < 20 * US, "{version:?} {cpus} {hz}: {median} ns");
    }
}

#[test]
fn a_sleeper_preempts_a_cfs_hog_that_is_more_than_a_granularity_ahead_and_no_other() {
    // 1 CPU: the granularity is 1 ms, a sleeper's credit 3 ms. A task that works for 5 ms and naps
    // for 200 us is never behind at all.
    for (body, nap, preempts) in
        [(100 * US, 20 * MS, true), (100 * US, 200 * US, true), (5 * MS, 200 * US, false)]
    {
        let mut setup = costless(Version::V5_4, 1, 500 * MS);
        setup.kernel.hz = 100;
        setup.tasks = vec![
            task("hog", fair(), &[0], 0, hog(LONG)),
            task("napper", fair(), &[0], 0, forever(&[work(body), pause(nap)])),
        ];
        let metrics = play(&setup).report.metrics;
        let latency = &metrics.latency["napper"];
        let late = latency.p90_ns > 500 * US;
        assert_eq!(late, !preempts, "naps of {nap} ns: p90 {} ns", latency.p90_ns);
    }
}

#[test]
fn groups_share_by_their_weight_however_many_tasks_they_have() {
    for (version, rule) in both() {
        let mut setup = costless(version, 4, 6_000 * MS);
        setup.groups.extend([
            group("few", 0, 2048),
            group("many", 0, 1024),
            group("many/inner", 2, 1024),
        ]);
        let inside =
            |name: &str, group| TaskSpec { group, ..task(name, fair(), &[0], 0, hog(LONG)) };
        setup.tasks = vec![
            inside("few", 1),
            inside("many1", 2),
            inside("many2", 2),
            inside("inner1", 3),
            inside("inner2", 3),
        ];
        let metrics = play(&setup).report.metrics;
        let total: u64 = setup.tasks.iter().map(|task| ran(&metrics, &task.name)).sum();
        let share = |name: &str| ran(&metrics, name) as f64 / total as f64;
        assert!(near(share("few.0"), 2.0 / 3.0), "{rule:?}: {}", share("few.0"));
        // The inner group is one of three equals in its parent.
        for (name, expected) in [
            ("many1.0", 1.0 / 9.0),
            ("many2.0", 1.0 / 9.0),
            ("inner1.0", 1.0 / 18.0),
            ("inner2.0", 1.0 / 18.0),
        ] {
            assert!(near(share(name), expected), "{rule:?} {name}: {}", share(name));
        }
    }
}

#[test]
fn a_group_weighs_on_each_cpu_what_part_of_its_load_lies_there() {
    for (version, rule) in both() {
        let mut setup = costless(version, 4, 4_000 * MS);
        setup.groups.push(group("wide", 0, 1024));
        let wide =
            |name: &str, cpu| TaskSpec { group: 1, ..task(name, fair(), &[cpu], 0, hog(LONG)) };
        setup.tasks = vec![
            task("alone", fair(), &[0], 0, hog(LONG)),
            wide("here", 0),
            wide("there", 1),
            wide("far", 2),
            wide("away", 3),
        ];
        let metrics = play(&setup).report.metrics;
        // A quarter of the group's shares against a whole task: 256 to 1024.
        let share = part(&metrics, "here.0", "alone.0");
        assert!(near(share, 0.2), "{rule:?}: {share}");
    }
}

/// Among seven hogs, a task that works for 300 us and sleeps for 3 ms, with the kernel's slice and
/// with one of 100 us, in the innermost of these groups: p90 and maximum of its latency.
fn with_and_without_a_slice(version: Version, groups: &[GroupSpec]) -> [(u64, u64); 2] {
    [None, Some(100 * US)].map(|slice_ns| {
        let mut setup = costless(version, 8, 2_000 * MS);
        setup.groups.extend_from_slice(groups);
        setup.tasks =
            (0..7).map(|index| task(&format!("hog{index}"), fair(), &[0], 0, hog(LONG))).collect();
        let short = task("short", fair(), &[0], 0, forever(&[work(300 * US), pause(3 * MS)]));
        setup.tasks.push(TaskSpec { slice_ns, group: groups.len() as u32, ..short });
        let metrics = play(&setup).report.metrics;
        assert!(ran(&metrics, "short.0") < 2_000 * MS / 8, "it asks for less than its share");
        let latency = &metrics.latency["short"];
        (latency.p90_ns, latency.max_ns)
    })
}

#[test]
fn a_shorter_slice_is_served_sooner_under_eevdf_and_gets_no_more() {
    let [(_, kernels), (_, own)] = with_and_without_a_slice(Version::V6_6, &[]);
    assert!(own < kernels / 2, "it comes before hogs that are due later: {own} of {kernels}");
    // Delayed dequeue lets the task run off its debt, so it is eligible when it wakes;
    // PREEMPT_SHORT does the rest.
    let [(kernels, _), (own, worst)] = with_and_without_a_slice(Version::V6_12, &[]);
    assert!(
        kernels > MS && own <= 52 * US && worst <= 52 * US,
        "it preempts at once: {own} {worst} of {kernels}"
    );
}

#[test]
fn a_group_asks_for_the_shortest_slice_below_it_from_6_12_on() {
    let groups = [group("outer", 0, 1024), group("outer/inner", 1, 1024)];
    // Before 6.12 the two groups ask for the kernel's slice, and no entity outside them sees the
    // task's own.
    let [kernels, own] = with_and_without_a_slice(Version::V6_6, &groups);
    assert_eq!(kernels, own);
    // A group is not dequeued late as a task is, so it often wakes ahead of its share and cannot
    // preempt; but it is due sooner.
    let [(_, kernels), (_, own)] = with_and_without_a_slice(Version::V6_12, &groups);
    assert!(own < kernels / 2, "{own} of {kernels}");
}

#[test]
fn a_task_that_sleeps_ahead_of_its_share_stays_queued_from_6_12_on() {
    for (version, stays) in [(Version::V6_6, false), (Version::V6_12, true)] {
        let mut setup = costless(version, 2, 1_000 * MS);
        setup.kernel.rt_throttle = RtThrottle::Off;
        setup.tasks = vec![
            task("hog", fair(), &[0], 0, hog(LONG)),
            task("napper", fair(), &[0, 1], 0, forever(&[work(2 * MS), pause(20 * US)])),
        ];
        setup.tasks.push(task("other", fair(), &[1], 0, hog(LONG)));
        let written = play(&setup);
        let metrics = &written.report.metrics;
        let woken = metrics.wakeups.still_queued;
        assert_eq!(woken > 20, stays, "{version:?}: {woken} wake-ups found it queued");
    }
}

/// Hogs on one CPU of 2.6.24, at 1000 Hz. The latency of 20 ms is twice, three and four times as
/// long on 2, 4 and 8 CPUs; up to 5 hogs share it, 10 hogs have 4 ms each, four times as long. A
/// turn ends with the first tick after the slice.
#[test]
fn slices_of_2_6_24_are_parts_of_20_ms() {
    for (cpus, hogs, turn_ms) in [(2, 2, 21), (2, 3, 14), (4, 5, 13), (8, 10, 17)] {
        let mut setup = costless(Version::V2_6_24, cpus, 2_000 * MS);
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
        setup.tasks =
            names[..hogs].iter().map(|name| task(name, fair(), &[0], 0, hog(LONG))).collect();
        let written = play(&setup);
        let switches: Vec<u64> = written
            .rows
            .iter()
            .filter(|row| row.kind == Kind::SchedSwitch && row.cpu == 0)
            .map(|row| row.time)
            .collect();
        let at = switches.len() / 2;
        let turn = switches[at + 1] - switches[at];
        assert_eq!((turn + MS / 2) / MS, turn_ms, "{hogs} hogs on one of {cpus} CPUs");
    }
}
