//! RT throttling and the fair server (docs/model/bandwidth.md#rt-throttling,
//! docs/model/bandwidth.md#fair-server): the time left for a fair task beside a SCHED_FIFO hog.

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Kernel, Release, RtBalance, RtThrottle, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::Setup;
use schedscope_engine::trace::catalogue::{CAUSES, Kind, NONE};

use crate::support::build::{bare, cyclic, fair, fifo, hog, task};
use crate::support::judge::{Row, Written, judge, written};
use crate::support::{MS, US, run};

const SECOND: u64 = 1_000 * MS;
const LONG: u64 = 3_600 * SECOND;

/// A FIFO hog pinned on each of the first `hogs` CPUs, a fair hog on every CPU.
fn hogged(cpus: u32, hogs: u32, throttle: RtThrottle, seconds: u64) -> Setup {
    let mut setup = bare(cpus, CostsName::Qspin2s);
    setup.kernel.rt_throttle = throttle;
    setup.duration_ns = seconds * SECOND;
    for cpu in 0..cpus {
        if cpu < hogs {
            setup.tasks.push(task(&format!("hog{cpu}"), fifo(50), &[cpu], 0, hog(LONG)));
        }
        setup.tasks.push(task(&format!("fair{cpu}"), fair(), &[cpu], 0, hog(LONG)));
    }
    setup
}

fn play(setup: &Setup) -> Written {
    let written = written(&mut run(setup, Options::EVERYTHING, 16));
    judge(setup, &written).expect("the trace keeps the laws");
    written
}

/// RT time of `cpu` in each aligned second, by the switches.
fn rt_per_second(setup: &Setup, rows: &[Row], cpu: u32) -> Vec<u64> {
    let mut sums = vec![0; (setup.duration_ns / SECOND) as usize];
    let mut running = None;
    let mut since = 0;
    let mut charge = |from: u64, to: u64, task: Option<u32>| {
        let rt = task.is_some_and(|task| setup.tasks[task as usize].policy.prio() < 100);
        for (second, sum) in sums.iter_mut().enumerate().filter(|_| rt) {
            let (start, end) = (second as u64 * SECOND, (second as u64 + 1) * SECOND);
            *sum += to.min(end).saturating_sub(from.max(start));
        }
    };
    for row in rows.iter().filter(|row| row.kind == Kind::SchedSwitch && row.cpu == cpu) {
        charge(since, row.time, running);
        (running, since) = ((row.b != NONE).then_some(row.b), row.time);
    }
    charge(since, setup.duration_ns, running);
    sums
}

fn ran(written: &Written, task: &str) -> u64 {
    written.report.metrics.tasks[task].run_ns
}

fn about(ns: u64, expected: u64, slack: u64) -> bool {
    ns.abs_diff(expected) <= slack
}

#[test]
fn without_sharing_a_hog_leaves_50_ms_of_every_second() {
    for (hz, cpus) in [(1000, 1), (250, 2), (100, 1)] {
        let mut setup = hogged(cpus, 1, RtThrottle::NoShare, 4);
        setup.kernel.hz = hz;
        let written = play(&setup);
        let tick = setup.kernel.tick_ns();
        // A tick notices each second's throttle, and the excess is taken off the next second's
        // runtime.
        for (second, rt) in rt_per_second(&setup, &written.rows, 0).into_iter().enumerate() {
            assert!(about(rt, 950 * MS, tick + 100 * US), "{hz} Hz, second {second}: {rt}");
        }
        assert!(
            about(ran(&written, "fair0.0"), 200 * MS, tick + 100 * US),
            "{hz} Hz: {}",
            ran(&written, "fair0.0")
        );
        assert_eq!(written.report.findings[0].kind, "rt_throttling_activated");
        let throttles = written.rows.iter().filter(|row| row.kind == Kind::RtThrottle).count();
        assert_eq!(throttles, 4);
    }
}

#[test]
fn with_sharing_a_hog_takes_all_until_its_peers_have_nothing_to_lend() {
    // One hog of two: it borrows 475, capped at 50, and has the whole period: nothing is left.
    let written = play(&hogged(2, 1, RtThrottle::Share, 3));
    assert_eq!(ran(&written, "fair0.0"), 0);
    assert!(ran(&written, "fair1.0") > 2_990 * MS);
    // Hogs everywhere: at the tick that throttles the first hog, the other CPUs have a tick of run
    // time that is not charged yet, and lend it; then nothing is left.
    let written = play(&hogged(4, 4, RtThrottle::Share, 3));
    for cpu in 0..4 {
        let left = ran(&written, &format!("fair{cpu}.0"));
        assert!(about(left, 150 * MS, 3 * MS), "cpu {cpu}: {left}");
    }
    // Alone on its machine there is no peer.
    let written = play(&hogged(1, 1, RtThrottle::Share, 2));
    assert!(about(ran(&written, "fair0.0"), 100 * MS, 2 * MS));
}

#[test]
fn a_peer_that_needs_most_of_its_own_lends_a_share_of_the_rest() {
    // CPU 1's RT task takes 930 of 1000 in each second: 20 are spare, half of it is lent the first
    // time round.
    let mut setup = hogged(2, 1, RtThrottle::Share, 4);
    setup.tasks.push(task("busy", fifo(50), &[1], 0, cyclic(MS, 10 * MS, 9_300 * US)));
    let written = play(&setup);
    let left = ran(&written, "fair0.0");
    assert!(left > 50 * MS && left < 200 * MS, "between nothing and 50 ms a second: {left}");
    let granted: Vec<u32> = written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::RtThrottle && row.cpu == 0)
        .map(|row| row.b)
        .collect();
    assert!(
        granted.iter().all(|us| *us > 950_000),
        "every time with something borrowed: {granted:?}"
    );
}

#[test]
fn runtime_is_borrowed_within_the_root_domain_only() {
    // Two halves, one with a hog on each of its CPUs: the idle half has runtime to spare, and lends
    // none of it across.
    let mut setup = hogged(4, 2, RtThrottle::Share, 3);
    setup.machine.domains = [[0, 1], [2, 3]]
        .iter()
        .map(|half| half.iter().copied().map(CpuId::new).collect())
        .collect();
    let written = play(&setup);
    for cpu in 0..2 {
        let left = ran(&written, &format!("fair{cpu}.0"));
        assert!(about(left, 150 * MS, 3 * MS), "cpu {cpu}: {left}");
    }
    // One machine: the other half lends, and nothing is left.
    setup.machine.domains = Vec::new();
    let written = play(&setup);
    assert_eq!((ran(&written, "fair0.0"), ran(&written, "fair1.0")), (0, 0));
}

#[test]
fn the_fair_server_gives_50_ms_a_second_and_only_to_those_who_starve() {
    let setup = hogged(1, 1, RtThrottle::DlServer, 4);
    let written = play(&setup);
    assert!(about(ran(&written, "fair0.0"), 200 * MS, 2 * MS), "{}", ran(&written, "fair0.0"));
    for (second, rt) in rt_per_second(&setup, &written.rows, 0).into_iter().enumerate() {
        assert!(about(rt, 950 * MS, 2 * MS), "second {second}: {rt}");
    }
    // Deferred to the point of no laxity: the first fair instruction comes 950 ms after the task
    // became runnable.
    let first = written
        .rows
        .iter()
        .find(|row| row.kind == Kind::SchedSwitch && row.b == 1)
        .expect("the fair task runs");
    assert!(about(first.time, 950 * MS, 100 * US), "{}", first.time);
    assert_eq!(written.report.findings, [], "6.12 has no throttling to activate");
    // A fair task that gets its 50 ms in the background keeps the server away.
    let mut setup = bare(1, CostsName::Qspin2s);
    setup.kernel.rt_throttle = RtThrottle::DlServer;
    setup.duration_ns = 4 * SECOND;
    setup.tasks.push(task("rt", fifo(50), &[0], 0, cyclic(MS, 10 * MS, 8 * MS)));
    setup.tasks.push(task("fair", fair(), &[0], 0, hog(LONG)));
    let written = play(&setup);
    let late = written.report.metrics.latency["rt"].max_ns;
    assert!(late < 10 * US, "the server never holds RT work up: {late}");
}

#[test]
fn a_push_of_2007_behind_each_switch_lets_the_fair_server_serve() {
    for costs in [CostsName::Zero, CostsName::Qspin2s] {
        let mut setup = hogged(1, 1, RtThrottle::DlServer, 4);
        setup.machine = bare(1, costs).machine;
        setup.kernel.rt_balance = RtBalance::Active2007First;
        setup.tasks.push(task("second", fifo(40), &[0], 0, hog(LONG)));
        let fair = ran(&play(&setup), "fair0.0");
        assert!(about(fair, 200 * MS, 2 * MS), "{costs:?}: {fair}");
    }
}

#[test]
fn with_throttling_off_the_fair_task_starves() {
    let setup = hogged(1, 1, RtThrottle::Off, 3);
    assert_eq!(ran(&play(&setup), "fair0.0"), 0);
    let mut setup = hogged(1, 1, RtThrottle::NoShare, 3);
    setup.kernel.rt_runtime_ns = None;
    assert_eq!(ran(&play(&setup), "fair0.0"), 0);
}

#[test]
fn a_throttled_cpu_without_fair_work_idles_and_its_rt_wakeups_wait_for_the_period() {
    let mut setup = bare(1, CostsName::Qspin2s);
    setup.kernel.rt_throttle = RtThrottle::NoShare;
    setup.duration_ns = 2 * SECOND;
    setup.tasks.push(task("hog", fifo(50), &[0], 0, hog(LONG)));
    setup.tasks.push(task("late", fifo(90), &[0], 0, cyclic(970 * MS, 10 * SECOND, US)));
    let written = play(&setup);
    let (hog, late) = (ran(&written, "hog.0"), &written.report.metrics.latency["late"]);
    assert!(about(hog, 1_900 * MS, 2 * MS), "{hog}");
    // Woken at 970 ms into a throttled second: 30 ms to go, and nearly all of it has that cause.
    assert!(about(late.max_ns, 30 * MS, 50 * US), "{}", late.max_ns);
    let cause = late.causes_ns[CAUSES[11].0];
    assert!(cause > 29_900 * US && CAUSES[11].0 == "rt_throttled", "{cause}");
}

#[test]
fn the_sysctls_are_live() {
    let setup = hogged(1, 1, RtThrottle::NoShare, 4);
    let mut run = Run::new(&setup, Options { check_every: 16, ..Options::default() })
        .expect("the setup is valid");
    // Written while the CPU is throttled, less runtime would mean a debt of many periods.
    assert_eq!(run.advance(SECOND + 10 * MS, u64::MAX), Progress::Running);
    assert!(!run.set_rt_bandwidth(Some(2 * SECOND), SECOND), "more runtime than period is refused");
    assert!(run.set_rt_bandwidth(Some(100 * MS), SECOND));
    assert_eq!(run.advance(2 * SECOND + 10 * MS, u64::MAX), Progress::Running);
    let second = run.report().metrics.tasks["fair0.0"].run_ns;
    assert!(
        about(second, 950 * MS, 3 * MS),
        "50 ms in the first second, 900 in the next: {second}"
    );
    assert!(run.set_rt_bandwidth(None, SECOND));
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    let all = run.report().metrics.tasks["fair0.0"].run_ns;
    assert!(about(all, second, 3 * MS), "-1: nothing is throttled any more: {all}");
}

/// Commits ac086bc22997 (2.6.26) and 2586af1ac187 (5.10), 5f6bd380c7bd (6.12).
#[test]
fn runtime_is_borrowed_from_2_6_26_to_5_9_and_a_fair_server_replaces_the_throttle_in_6_12() {
    use RtThrottle::{DlServer, NoShare, Off, Share};
    let changes = [
        (Version::V2_6_24, Off),
        (Version::V2_6_25, NoShare),
        (Version::V3_2, Share),
        (Version::V5_8, Share),
        (Version::V5_10, NoShare),
        (Version::V6_6, NoShare),
        (Version::V6_12, DlServer),
        (Version::V7_0, DlServer),
    ];
    for (version, throttle) in changes {
        assert_eq!(Kernel::of_version(version, 1).rt_throttle, throttle, "{version:?}");
    }
}

/// When CPU 0 is first throttled: a FIFO task runs for 10 ms at each of `before`, and a hog from
/// `start_ns` on.
fn throttled_at(version: Version, before: &[u64], start_ns: u64) -> u64 {
    let mut setup = hogged(1, 0, RtThrottle::NoShare, 5);
    setup.kernel = Kernel { rt_throttle: RtThrottle::NoShare, ..Kernel::of_version(version, 1) };
    for ms in before {
        setup.tasks.push(task("burst", fifo(50), &[0], ms * MS, hog(10 * MS)));
    }
    setup.tasks.push(task("hog", fifo(50), &[0], start_ns, hog(LONG)));
    let written = play(&setup);
    written.rows.iter().find(|row| row.kind == Kind::RtThrottle).expect("a hog is throttled").time
}

/// Commit c3a990dc9fab (4.6): the first period begins with the first RT task.
#[test]
fn a_hog_from_half_a_second_on_is_throttled_after_950_ms_since_4_6_and_before_it_at_the_end_of_a_second_counted_from_boot()
 {
    for (version, at_ms) in [
        (Version::V3_19, 1_951),
        (Version::V4_2, 1_951),
        (Version::V4_15, 1_451),
        (Version::V6_1, 1_451),
    ] {
        let at = throttled_at(version, &[], 500 * MS);
        assert!(about(at, at_ms * MS, 100 * US), "{version:?}: {at}");
    }
}

/// A timer that stopped keeps the end of its period: a task that comes before that end continues
/// the period.
#[test]
fn a_period_timer_that_went_idle_keeps_its_periods_until_one_has_passed_unseen() {
    // A burst at 200 ms; the timer looks at 1 200 ms, finds no RT task and stops. Its next period
    // would have ended at 2 200 ms.
    for (version, start_ms, at_ms) in [
        (Version::V6_1, 1_500, 2_200 + 951),
        (Version::V6_1, 2_500, 2_500 + 951),
        (Version::V4_2, 1_500, 2_951),
        (Version::V4_2, 2_500, 3_951),
    ] {
        let at = throttled_at(version, &[200], start_ms * MS);
        assert!(about(at, at_ms * MS, MS + 100 * US), "{version:?}, hog from {start_ms} ms: {at}");
    }
}

/// Commit 9b58e976b3b3 (5.17): no period was under way, and the kernel starts none for a task that
/// already runs.
#[test]
fn a_limit_written_over_minus_one_throttled_a_running_hog_for_ever_until_5_17() {
    for (version, comes_back) in [(Version::V5_16, false), (Version::V6_1, true)] {
        let mut setup = hogged(1, 1, RtThrottle::NoShare, 6);
        setup.kernel.release = Release::of(version);
        setup.kernel.rt_runtime_ns = None;
        let mut run = Run::new(&setup, Options { check_every: 16, ..Options::default() })
            .expect("the setup is valid");
        assert_eq!(run.advance(SECOND, u64::MAX), Progress::Running);
        assert!(run.set_rt_bandwidth(Some(950 * MS), SECOND));
        assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
        let fair = run.report().metrics.tasks["fair0.0"].run_ns;
        assert_eq!(fair > 3 * SECOND, !comes_back, "{version:?}: the fair task ran for {fair} ns");
    }
}

/// And taking the limit away again leaves it throttled: there is no timer to bring it back, and
/// none starts without a limit. Every law is looked at after every event.
#[test]
fn a_limit_written_and_taken_away_before_5_17_leaves_a_hog_throttled_until_one_is_written_again() {
    let mut setup = hogged(1, 1, RtThrottle::NoShare, 1);
    setup.kernel.release = Release::of(Version::V5_10);
    setup.kernel.rt_runtime_ns = None;
    setup.tasks.push(task("late", fifo(50), &[0], 40 * MS, hog(MS)));
    setup.duration_ns = 100 * MS;
    let period = 10 * MS;
    let mut run = Run::new(&setup, Options { check_every: 1, ..Options::default() })
        .expect("the setup is valid");
    let mut fair_at = |ns: u64, write: Option<Option<u64>>| {
        run.advance(ns, u64::MAX);
        assert!(write.is_none_or(|runtime| run.set_rt_bandwidth(runtime, period)));
        let report = run.report();
        let findings = report.findings.iter().filter(|found| found.kind == "rt_throttled_for_good");
        (report.metrics.tasks["fair0.0"].run_ns, findings.count(), report.complete)
    };
    assert_eq!(fair_at(3 * MS, Some(Some(MS))), (0, 0, false));
    let (ran, found, _) = fair_at(12 * MS, Some(None));
    assert!(ran > 4 * MS && found == 1, "{ran} ns, {found} findings");
    // The RT task that comes at 40 ms waits with the hog, and starts no period.
    let (ran, found, _) = fair_at(50 * MS, Some(Some(MS)));
    assert!(ran > 40 * MS && found == 1, "{ran} ns, {found} findings");
    assert!(fair_at(100 * MS, None).2, "no law was broken");
}

#[test]
fn the_slice_of_round_robin_is_what_the_sysctl_says() {
    for ms in [10, 100] {
        let mut setup = bare(1, CostsName::Qspin2s);
        setup.kernel.rr_timeslice_ns = ms * MS;
        setup.duration_ns = 800 * MS;
        let policy = schedscope_engine::setup::Policy::RoundRobin { rt_priority: 10 };
        for name in ["a", "b"] {
            setup.tasks.push(task(name, policy, &[0], 0, hog(LONG)));
        }
        let switches =
            play(&setup).rows.iter().filter(|row| row.kind == Kind::SchedSwitch).count() as u64;
        assert!(switches.abs_diff(800 / ms) <= 2, "{ms} ms: {switches}");
    }
}
