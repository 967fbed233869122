//! Faults of quotas that Chiluk 2019 and the commits around it report
//! (docs/model/bandwidth.md#quota-pathologies), each with kernels that have the fault and kernels
//! that do not.

use schedscope_engine::kernel::config::{Bandwidth, Version};
use schedscope_engine::run::{Options, Run};
use schedscope_engine::setup::{Quota, Setup};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{cyclic, fifo, forever, hog, pause, task, work};
use crate::support::quota::{ERAS, group_of, machine, member, quota};
use crate::support::{MS, US, run};

/// A hog of each of `groups` groups on every CPU; group g is refilled at `phase(g)`.
fn hogs(
    cpus: u32,
    version: Version,
    groups: u32,
    quota_ns: u64,
    phase: impl Fn(u64) -> u64,
) -> Setup {
    let quotas: Vec<(u32, Quota)> =
        (0..groups).map(|group| (0, quota(quota_ns, phase(u64::from(group))))).collect();
    let mut setup = machine(cpus, Bandwidth::of_version(version), &quotas);
    setup.duration_ns = 500 * MS;
    for group in 1..=groups {
        setup.tasks.extend(
            (0..cpus)
                .map(|cpu| member(group, &format!("hog{group}.{cpu}"), &[cpu], 0, hog(1 << 40))),
        );
    }
    setup
}

fn irq_off_us(run: &Run) -> u64 {
    run.report().metrics.rq_lock.irq_off_max_ns / US
}

/// Starvation: a refill pays the debts of a few queues; with insertion at the head it is always the
/// same few that owe something anew.
#[test]
fn with_a_tiny_quota_queues_throttled_at_the_head_starve_those_that_wait_longest_and_at_the_tail_nobody_starves()
 {
    // The run times of 16 hogs in 10 s: the least, the most, and the number of hogs with less than
    // half of their share; 300 ms are available to all together.
    let shares = |version, phase_us: u64| {
        let mut setup = hogs(16, version, 1, 3 * MS, |_| phase_us * US);
        setup.duration_ns = 10_000 * MS;
        let ran: Vec<u64> = run(&setup, None, 512)
            .report()
            .metrics
            .tasks
            .values()
            .map(|task| task.run_ns)
            .collect();
        let (least, most) = (ran.iter().min(), ran.iter().max());
        (
            least.copied().unwrap_or(0),
            most.copied().unwrap_or(0),
            ran.iter().filter(|ran| **ran < 150 * MS / 16).count(),
        )
    };
    for phase_us in [20_300, 37_437, 60_700] {
        for version in [Version::V3_17, Version::V4_2, Version::V4_15, Version::V4_18] {
            let (least, most, starve) = shares(version, phase_us);
            assert!(
                starve >= 5 && least < MS && most > 30 * MS,
                "{version:?}, {phase_us} us: {starve} starve, {least} to {most}"
            );
        }
        for version in [
            Version::V3_2,
            Version::V3_16,
            Version::V4_19,
            Version::V5_4,
            Version::V5_8,
            Version::V6_1,
            Version::V6_18,
        ] {
            let (least, most, starve) = shares(version, phase_us);
            assert!(
                starve == 0 && least * 3 > most,
                "{version:?}, {phase_us} us: {starve} starve, {least} to {most}"
            );
        }
    }
    // Where the tick follows 0.1 ms after the refill, 16 debts of that size fit into 3 ms, and the
    // order decides nothing.
    for version in [Version::V3_17, Version::V4_19] {
        assert!(shares(version, 99_900).0 > 8 * MS, "{version:?}");
    }
}

/// Steps of each distribution of the group, and whether it was under way for how long, ns.
fn walks(setup: &Setup) -> Vec<(u64, u64)> {
    let mut run = run(setup, Options::EVERYTHING, 512);
    let trace = run.take_trace();
    let (mut walks, mut begun, mut steps) = (Vec::new(), 0, 0);
    for row in 0..trace.time.len() {
        match trace.kind[row] {
            kind if kind == Kind::BwDistBegin as u8 => (begun, steps) = (trace.time[row], 0),
            kind if kind == Kind::BwStep as u8 => steps += 1,
            kind if kind == Kind::BwDistEnd as u8 => walks.push((steps, trace.time[row] - begun)),
            _ => {}
        }
    }
    walks
}

/// A distribution that goes round: to 3.16 the refill's copy goes round while run time is left in
/// it and a queue waits. A task that is released and runs for microseconds waits again before the
/// walk comes round.
#[test]
fn to_3_16_one_refill_goes_round_its_queues_again_and_again_and_ends_when_its_copy_is_used_up() {
    // Two tasks a CPU take turns every few microseconds: a queue with 1 ns is throttled at their
    // next switch.
    let longest = |version, cpus: u32, quota_ms| {
        let mut setup = machine(
            cpus,
            Bandwidth::of_version(version),
            &[(0, quota(quota_ms * MS, 37 * MS + 437 * US))],
        );
        setup.duration_ns = 300 * MS;
        for (cpu, turn) in (0..cpus).flat_map(|cpu| [(cpu, 0), (cpu, 1)]) {
            setup.tasks.push(member(
                1,
                &format!("t{turn}.{cpu}"),
                &[cpu],
                0,
                forever(&[work(5 * US), pause(5 * US)]),
            ));
        }
        walks(&setup).into_iter().max().expect("it distributes")
    };
    for (cpus, visits, least_ns, twice) in
        [(32, 3_000, 3_900 * US, 190..=210), (64, 1_500, 1_900 * US, 180..=300)]
    {
        for version in [Version::V3_2, Version::V3_16] {
            let [one, two] = [20, 40].map(|quota_ms| longest(version, cpus, quota_ms));
            // Some 6 us of debt at a time, or 13 with 64: milliseconds with interrupts off for 20
            // ms of quota, and the more for 40.
            assert!(one.0 > visits && one.1 > least_ns, "{version:?}, {cpus} CPUs: {one:?}");
            assert!(
                twice.contains(&(two.0 * 100 / one.0)) && two.1 < 10 * MS,
                "{version:?}, {cpus} CPUs: {one:?} {two:?}"
            );
        }
        for version in [Version::V3_17, Version::V4_19, Version::V5_7, Version::V6_1] {
            let (visits, ns) = longest(version, cpus, 20);
            assert!(
                visits <= u64::from(cpus) && ns < 100 * US,
                "{version:?}, {cpus} CPUs: {visits} visits in {ns} ns"
            );
        }
    }
    // With fewer CPUs a round, and so the walk, is over before any queue waits again.
    assert!(longest(Version::V3_16, 16, 20).0 < 100);
}

/// A long walk: the timer's CPU works for every CPU of every group that is refilled at one instant.
#[test]
fn letting_go_of_all_queues_in_one_interrupt_grows_with_cpus_and_groups_and_each_cpu_letting_go_of_its_own_halves_it()
 {
    let irq_off = |version, cpus, groups| {
        irq_off_us(&run(&hogs(cpus, version, groups, 20 * MS, |_| 50 * MS + 300 * US), None, 512))
    };
    for version in [Version::V5_4, Version::V5_8, Version::V6_1, Version::V6_3, Version::V6_18] {
        let csd = Bandwidth::of_version(version).csd;
        // ns for each queue; CPUs that have run dry look for work elsewhere and contend for the
        // same locks.
        let each = if csd { 450..=550 } else { 1_200..=1_500 };
        for (cpus, groups) in [(8, 2), (16, 2), (16, 4), (32, 4), (64, 4), (32, 8)] {
            let us = irq_off(version, cpus, groups);
            let queues = u64::from(cpus * groups);
            assert!(
                each.contains(&(us * 1_000 / queues)),
                "{version:?}: {us} us for {groups} groups on {cpus} CPUs"
            );
        }
    }
}

#[test]
fn throttled_time_adds_up_over_cpus_and_passes_the_wall_clock() {
    for version in ERAS {
        let group =
            group_of(&run(&hogs(8, version, 1, 10 * MS, |_| 37 * MS + 437 * US), None, 64), "a");
        // 500 ms: eight hogs together get 60 ms of them, and are throttled for nearly all the rest.
        assert!((3_400 * MS..3_500 * MS).contains(&group.throttled_ns), "{version:?}: {group:?}");
    }
}

#[test]
fn groups_refilled_at_the_same_instant_hold_a_bystander_up_together_and_with_phases_of_their_own_one_by_one()
 {
    for version in [Version::V5_14, Version::V6_1, Version::V6_12] {
        let of = |apart: u64| {
            let mut setup =
                hogs(16, version, 8, 20 * MS, |group| 20 * MS + 300 * US + group * apart);
            setup.tasks.push(task("measures", fifo(90), &[0], 0, cyclic(MS, 100 * US, 2 * US)));
            let run = run(&setup, None, 512);
            (irq_off_us(&run), run.report().metrics.latency["measures"].max_ns / US)
        };
        let (together, apart) = (of(0), of(7 * MS));
        assert!(
            together.0 > 4 * apart.0 && together.1 > 4 * apart.1,
            "{version:?}: {together:?} and {apart:?} us"
        );
        // One after the other, a group costs about an eighth.
        assert!(apart.0 * 8 < together.0 * 2, "{version:?}: {together:?} and {apart:?} us");
    }
}
