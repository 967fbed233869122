//! Bandwidth control of 7.2: the charge that uses up a queue's run time throttles it
//! (docs/model/bandwidth.md#throttling-at-the-charge).

use schedscope_engine::kernel::config::{Bandwidth, Preempt, Version};
use schedscope_engine::run::Options;
use schedscope_engine::setup::Setup;
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{forever, hog, pause, work};
use crate::support::judge::{judge, written};
use crate::support::quota::{group_of, machine, member, quota};
use crate::support::{MS, US, run};

fn of(release: &str) -> Bandwidth {
    Bandwidth::of_version(Version::parse(release).expect("a release"))
}

/// `hogs` on CPU 0 in a group that may run 50 of 100 ms, for 2 s, at 1000 Hz.
fn hogs(bandwidth: Bandwidth, hogs: u32) -> Setup {
    let mut setup = machine(1, bandwidth, &[(0, quota(50 * MS, 37 * MS + 437 * US))]);
    (setup.kernel.preempt, setup.kernel.hz) = (Preempt::Full, 1000);
    setup.duration_ns = 2_000 * MS;
    let member = |at: u32| member(1, &format!("hog{at}"), &[0], 0, hog(1 << 40));
    setup.tasks.extend((0..hogs).map(member));
    setup
}

/// Usage in ns, periods with a stop, and how often a queue was throttled, a need_resched flag was
/// set, a switch was made.
fn books(setup: &Setup) -> (u64, u64, [usize; 3]) {
    let mut run = run(setup, Options::EVERYTHING, 1);
    let group = group_of(&run, "a");
    let written = written(&mut run);
    judge(setup, &written).expect("the trace keeps the laws");
    let count = |kind| written.rows.iter().filter(|row| row.kind == kind).count();
    let counts = [Kind::BwThrottle, Kind::NeedResched, Kind::SchedSwitch].map(count);
    (group.usage_ns, group.nr_throttled, counts)
}

/// The tick finds the silo empty. To 7.1 its charge asks for a pick, which throttles the queue and
/// picks the hog again, for its way to user code. From 7.2 on the charge throttles: a flag less for
/// each stop. A lone hog is picked again, so the switches are as many.
#[test]
fn a_hog_stops_without_another_pick_from_7_2_on() {
    let (before, since) = (books(&hogs(of("7.1"), 1)), books(&hogs(of("7.2"), 1)));
    // A pass through schedule() is a part of the usage, 0.8 us.
    assert!((10 * US..20 * US).contains(&(before.0 - since.0)), "{before:?} {since:?}");
    assert_eq!(before.1, since.1, "as many stops");
    let ([stops, before, switches], since) = (before.2, since.2);
    assert_eq!(since, [stops, before - stops, switches], "{before} flags before");
    assert_eq!(stops, 20, "the last period has not ended");
}

/// The stop of one hog is a switch to the other, which stops too.
#[test]
fn hogs_of_one_cpu_stop_one_after_the_other_at_the_same_usage_from_7_2_on() {
    let (before, since) = (books(&hogs(of("7.1"), 2)), books(&hogs(of("7.2"), 2)));
    assert!(before.0.abs_diff(since.0) < MS, "{before:?} {since:?}");
    assert_eq!(before.1, since.1);
    assert!(since.2[1] < before.2[1] && since.2[2] <= before.2[2], "{before:?} {since:?}");
}

/// 8 CPUs that work and sleep under a quota of 30 ms, distributed while some still run.
#[test]
fn a_group_gets_the_same_quota_whether_charges_or_picks_throttle() {
    let usage = |release: &str| {
        let groups = [(0, quota(30 * MS, 61 * MS + 137 * US)), (1, quota(20 * MS, 5 * MS))];
        let mut setup = machine(8, of(release), &groups);
        setup.duration_ns = 2_000 * MS;
        for cpu in 0..8 {
            let naps = forever(&[work(700 * US), pause(2 * MS)]);
            setup.tasks.push(member(2, &format!("naps{cpu}"), &[cpu], 0, naps));
            setup.tasks.push(member(1, &format!("hog{cpu}"), &[cpu], 0, hog(1 << 40)));
        }
        let mut run = run(&setup, Options::EVERYTHING, 1);
        let usage = group_of(&run, "a").usage_ns;
        judge(&setup, &written(&mut run)).expect("the trace keeps the laws");
        usage
    };
    let (before, since) = (usage("7.1"), usage("7.2"));
    assert!(before.abs_diff(since) < 10 * MS, "{before} {since}");
    assert!((580 * MS..=640 * MS).contains(&since), "{since}");
}
