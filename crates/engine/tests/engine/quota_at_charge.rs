//! Bandwidth control of 7.2: the charge that uses up a queue's run time throttles it
//! (docs/model/bandwidth.md#throttling-at-the-charge).

use schedscope_engine::kernel::config::{Bandwidth, BandwidthPreset, Kernel, Preempt, Version};
use schedscope_engine::run::Options;
use schedscope_engine::setup::{Program, Setup, TaskSpec};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{forever, hog, pause, work};
use crate::support::judge::{Written, judge, written};
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

/// Members of a group that may run 10 of 100 ms, on CPU 0 at 1000 Hz: refills at 37.437 ms and
/// every 100 ms after.
fn small(release: &str, bandwidth: Bandwidth, programs: &[(&str, u64, Program)]) -> Setup {
    let mut setup = machine(1, bandwidth, &[(0, quota(10 * MS, 37 * MS + 437 * US))]);
    let kernel = Kernel::of_version(Version::parse(release).expect("a release"), 1);
    setup.kernel = Kernel { preempt: Preempt::Full, hz: 1000, bandwidth, ..kernel };
    setup.duration_ns = 1_000 * MS;
    let member = |(name, start, program): &(&str, u64, Program)| {
        member(1, name, &[0], *start, program.clone())
    };
    setup.tasks.extend(programs.iter().map(member));
    setup
}

/// 7.3, and the candidates of it in which a group's queue had no `curr`.
fn sides() -> [Bandwidth; 2] {
    [of("7.3"), Bandwidth::of_preset(BandwidthPreset::Escape73Rc)]
}

fn play(setup: &Setup) -> Written {
    let written = written(&mut run(setup, Options::EVERYTHING, 1));
    judge(setup, &written).expect("the trace keeps the laws");
    written
}

fn times(written: &Written, kind: Kind) -> Vec<u64> {
    written.rows.iter().filter(|row| row.kind == kind).map(|row| row.time).collect()
}

/// 11 quotas of 10 ms in 1 s, by the pool of the start and 10 refills: stops from 10 to 37 ms, and
/// 9 of 90 ms that end within the run. The escaped hog is throttled once, when the first quota is
/// used up, and runs on: no refill pays what it owes by then. It never stops, so the group's
/// throttled time is 0; its last tick is that of 999 ms. Whether groups have queues of their own
/// (5.4) or one (7.3) makes no difference.
#[test]
fn a_lone_hog_escapes_from_its_quota_where_the_charge_misses_it() {
    for release in ["5.4", "7.3"] {
        let books = sides().map(|bandwidth| {
            let setup = small(release, bandwidth, &[("hog", 0, hog(1 << 40))]);
            let mut run = run(&setup, Options::EVERYTHING, 1);
            let group = group_of(&run, "a");
            let throttled = times(&written(&mut run), Kind::BwThrottle).len();
            (group.usage_ns / MS, group.nr_throttled, group.throttled_ns / MS, throttled)
        });
        let [(fixed, stops, stopped, _), (used, unpaid, waited, throttled)] = books;
        assert!((110..113).contains(&fixed) && (826..846).contains(&stopped), "{books:?}");
        assert!((998..1_000).contains(&used), "{release}: {books:?}");
        assert_eq!((stops, unpaid, waited, throttled), (10, 10, 0, 1), "{release}");
    }
}

/// A task of no group wakes at 500 ms. The hog is picked after it, and stops: it owes 500 - 60 ms,
/// by the first pool and 5 refills, and a little, which 45 more refills pay, from 537 to 4937 ms.
#[test]
fn an_escaped_hog_stops_at_the_next_pick_and_pays_for_it() {
    for release in ["5.4", "7.3"] {
        let [_, escape] = sides();
        let mut setup = small(release, escape, &[("hog", 0, hog(1 << 40))]);
        setup.tasks.push(TaskSpec { group: 0, ..member(0, "alarm", &[0], 500 * MS, hog(MS)) });
        setup.duration_ns = 4_930 * MS;
        let before = group_of(&run(&setup, Options::EVERYTHING, 1), "a");
        assert!((500..505).contains(&(before.usage_ns / MS)), "{release}: {before:?}");
        setup.duration_ns = 4_950 * MS;
        let after = group_of(&run(&setup, Options::EVERYTHING, 1), "a");
        assert!((505..520).contains(&(after.usage_ns / MS)), "{release}: {after:?}");
        assert_eq!(after.throttled_ns / (10 * MS), 443, "{release}: {after:?}");
    }
}

/// With a sibling the escape lasts to the end of the slice: the other hog is picked, and stops, and
/// so does the first then. Without it the stop comes within the charge's own interrupt.
#[test]
fn an_escape_beside_a_sibling_ends_with_the_slice() {
    let hogs = [("a", 0, hog(1 << 40)), ("b", 0, hog(1 << 40))];
    for release in ["5.4", "7.3"] {
        let longest = sides().map(|bandwidth| {
            let written = play(&small(release, bandwidth, &hogs));
            let switches = times(&written, Kind::SchedSwitch);
            let stop = |at: u64| switches.iter().find(|time| **time >= at).map(|time| time - at);
            times(&written, Kind::BwThrottle).into_iter().filter_map(stop).max()
        });
        let [fixed, escaped] = longest.map(|longest| longest.expect("a stop"));
        assert!(fixed < 10 * US && (100 * US..4 * MS).contains(&escaped), "{release}: {longest:?}");
    }
}

/// Beside the 1 ns of joining: each of nine ticks finds the silo of 1 ns used up and takes what it
/// owes and 1 ns, and so does the charge of the sleep. A slice of 5 ms lasts for five ticks.
#[test]
fn takes_of_1_ns_make_each_tick_take_the_groups_lock() {
    let takes = sides().map(|bandwidth| {
        let mut setup = small("7.3", bandwidth, &[("hog", 0, hog(9 * MS))]);
        setup.duration_ns = 20 * MS;
        times(&play(&setup), Kind::BwTake).len()
    });
    assert_eq!(takes, [3, 11]);
}
