//! cpu.pressure of groups in a report, computed by hand (docs/model/bandwidth.md#cpu-pressure).

use schedscope_engine::account::pressure::{CpuPressure, PressureLine};
use schedscope_engine::kernel::config::{Bandwidth, Kernel, Version};
use schedscope_engine::run::{Options, Run};
use schedscope_engine::setup::{GroupSpec, Quota, Setup};

use crate::support::MS;
use crate::support::build::hog;
use crate::support::quota::{group_of, machine, member, quota};

/// A quota of so many ms in 100 ms.
fn of_100_ms(ms: u64) -> Quota {
    quota(ms * MS, 37 * MS + 437_000)
}

/// Groups with these parents and quotas on a machine of this version, and hogs: group and CPU of
/// each.
fn setup(version: Version, cpus: u32, groups: &[(u32, Quota)], hogs: &[(u32, u32)]) -> Setup {
    let mut setup = machine(cpus, Bandwidth::of_version(version), groups);
    setup.kernel = Kernel { hz: 1000, ..Kernel::of_version(version, cpus) };
    setup.duration_ns = 10_000 * MS;
    for (number, (group, cpu)) in hogs.iter().enumerate() {
        setup.tasks.push(member(*group, &format!("hog{number}"), &[*cpu], 0, hog(1 << 40)));
    }
    setup
}

/// One group `a` with this quota and its hogs, at the end of the run.
fn alone(version: Version, quota: Option<Quota>, hogs: &[u32]) -> CpuPressure {
    let hogs: Vec<(u32, u32)> = hogs.iter().map(|cpu| (1, *cpu)).collect();
    let groups: Vec<(u32, Quota)> = quota.into_iter().map(|quota| (0, quota)).collect();
    let mut setup = setup(version, 2, &groups, &hogs);
    if groups.is_empty() {
        setup.groups.push(GroupSpec { path: "a".to_owned(), ..GroupSpec::root() });
    }
    pressure_at(&setup, setup.duration_ns)
}

fn pressure_at(setup: &Setup, ns: u64) -> CpuPressure {
    let mut run =
        Run::new(setup, Options { check_every: 64, ..Options::default() }).expect("a sound setup");
    run.advance(ns, u64::MAX);
    group_of(&run, "a").pressure.expect("a kernel with pressure")
}

/// Whole per cent of the run, some and full; a run's first and last period may be cut.
fn per_cent(pressure: CpuPressure) -> (u64, u64) {
    let whole = |line: PressureLine| (line.share_bp + 50) / 100;
    (whole(pressure.some), whole(pressure.full.expect("a kernel with the line full")))
}

const WITH_FULL: [Version; 4] = [Version::V5_14, Version::V6_3, Version::V6_6, Version::V6_18];

#[test]
fn a_hog_that_its_quota_stops_half_the_time_stalls_its_group_half_the_time_in_both_lines() {
    for version in WITH_FULL {
        let pressure = alone(version, Some(of_100_ms(50)), &[0]);
        assert_eq!(per_cent(pressure), (50, 50), "{version:?}");
        assert_eq!(Some(pressure.some), pressure.full, "{version:?}: nothing else waits");
    }
}

#[test]
fn two_hogs_on_two_cpus_that_share_100_ms_of_100_ms_wait_half_the_time() {
    for version in WITH_FULL {
        let pressure = alone(version, Some(of_100_ms(100)), &[0, 1]);
        assert_eq!(per_cent(pressure), (50, 50), "{version:?}");
    }
}

#[test]
fn of_two_hogs_on_one_cpu_one_always_waits_and_both_do_while_the_group_is_throttled() {
    for version in WITH_FULL {
        let pressure = alone(version, Some(of_100_ms(50)), &[0, 0]);
        assert_eq!(per_cent(pressure), (100, 50), "{version:?}");
    }
}

#[test]
fn of_two_hogs_without_a_limit_on_one_cpu_one_always_runs() {
    for version in WITH_FULL {
        assert_eq!(per_cent(alone(version, None, &[0, 0])), (100, 0), "{version:?}");
    }
}

#[test]
fn a_child_waits_for_its_parents_quota_as_its_parent_does() {
    let groups = [(0, of_100_ms(50)), (1, of_100_ms(90))];
    let setup = setup(Version::V6_12, 1, &groups, &[(2, 0)]);
    let mut run = Run::new(&setup, Options::default()).unwrap();
    run.advance(setup.duration_ns, u64::MAX);
    assert_eq!(group_of(&run, "a").pressure, group_of(&run, "b").pressure);
    assert_eq!(per_cent(group_of(&run, "b").pressure.unwrap()), (50, 50));
}

#[test]
fn an_older_kernel_has_what_it_prints() {
    let limited = Some(of_100_ms(50));
    let (knows, counts) =
        (alone(Version::V5_10, limited, &[0]), alone(Version::V5_4, limited, &[0]));
    assert!(knows.full.is_none() && counts.full.is_none(), "no line full before 5.13");
    assert_eq!((knows.some.share_bp + 50) / 100, 50);
    assert_eq!(counts.some.total_ns, 0, "a queue of one is no stall before 5.7");
}

#[test]
fn averages_are_0_before_their_first_period_ends_and_follow_the_kernels_integers_then() {
    let setup = setup(Version::V6_12, 1, &[(0, of_100_ms(50))], &[(1, 0)]);
    let at = |ns| pressure_at(&setup, ns).some;
    let averages = |line: PressureLine| [line.avg10_bp, line.avg60_bp, line.avg300_bp];
    // A period is 2 s and a tick of 1 ms.
    let before = at(2_000 * MS);
    assert_eq!(averages(before), [0; 3]);
    assert!(before.total_ns > 900 * MS, "{before:?}");
    let first = at(2_001 * MS);
    let sample = first.total_ns * 100 / (2_001 * MS);
    let bp = |decay: u64| (sample * 2048 * (2048 - decay)).div_ceil(2048) * 100 / 2048;
    assert_eq!(averages(first), [bp(1677), bp(1981), bp(2034)], "{first:?}");
    // The pool is full at 0 and again after 37 ms, so the first stop comes after 87 ms: 959 ms.
    assert_eq!(sample, 47, "{first:?}");
}

#[test]
fn a_group_on_a_kernel_without_pressure_has_no_figure() {
    let setup = setup(Version::V4_19, 1, &[(0, of_100_ms(50))], &[(1, 0)]);
    let mut run = Run::new(&setup, Options::default()).unwrap();
    run.advance(100 * MS, u64::MAX);
    assert_eq!(group_of(&run, "a").pressure, None);
}
