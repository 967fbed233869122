//! Which wake-up needs which interrupt (docs/model/wake-ups.md#wake-list,
//! docs/model/wake-ups.md#polling-idle), and a sleep that is over before it begins.

use schedscope_engine::account::report::Metrics;
use schedscope_engine::kernel::config::{
    IpiPollingElide, Kernel, Release, TtwuOnCpu, TtwuQueue, Version,
};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::Topology;
use schedscope_engine::named::Named;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{IdleKind, Setup};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{bare, cyclic, fifo, task};
use crate::support::judge::play;
use crate::support::{MS, US, run};

/// Two strong tasks take turns on two CPUs; the third's timer always goes off where one of them
/// runs, and wakes it on the other, idle CPU: 38 wake-ups, the first of them local.
fn wanderer(package: u32, idle: IdleKind) -> Setup {
    let mut setup = bare(2, CostsName::Qspin2s);
    setup.duration_ns = 20 * MS;
    setup.machine.topology = Topology::new(2, package);
    setup.machine.idle = idle;
    setup.tasks.push(task("early", fifo(90), &[0], 0, cyclic(MS, MS, 400 * US)));
    setup.tasks.push(task("late", fifo(90), &[1], 0, cyclic(1_500 * US, MS, 400 * US)));
    setup.tasks.push(task("wanderer", fifo(50), &[0, 1], 0, cyclic(1_250 * US, 500 * US, 20 * US)));
    setup
}

#[test]
fn a_wakeup_of_an_idle_cpu_is_one_ipi_if_it_halts_and_none_if_it_watches() {
    for idle in IdleKind::ALL {
        for (package, queue) in
            [(2, TtwuQueue::CrossLlc), (1, TtwuQueue::CrossLlc), (2, TtwuQueue::CrossLlcOrIdle)]
        {
            let mut setup = wanderer(package, *idle);
            setup.kernel.ttwu_queue = queue;
            let metrics = play(&setup).report.metrics;
            let (resched, call) = (metrics.ipi.reschedule, metrics.ipi.call_function);
            let remote = metrics.wakeups.remote_direct + metrics.wakeups.wake_list;
            let direct = package == 2 && queue == TtwuQueue::CrossLlc;
            assert_eq!(
                if direct { metrics.wakeups.wake_list } else { metrics.wakeups.remote_direct },
                0
            );
            assert!(remote >= 36, "{remote}");
            let (sent, elided) =
                (resched.sent + call.sent, resched.elided_polling + call.elided_polling);
            let expected = if *idle == IdleKind::Halt { (remote, 0) } else { (0, remote) };
            assert_eq!((sent, elided), expected, "{idle:?}, packages of {package}, {queue:?}");
        }
    }
}

#[test]
fn what_polling_saves_is_what_the_switch_says() {
    for (package, elide, saved) in [
        (2, IpiPollingElide::Off, false),
        (2, IpiPollingElide::ReschedOnly, true),
        (2, IpiPollingElide::ReschedAndCallfunc, true),
        (1, IpiPollingElide::Off, false),
        (1, IpiPollingElide::ReschedOnly, false),
        (1, IpiPollingElide::ReschedAndCallfunc, true),
    ] {
        let mut setup = wanderer(package, IdleKind::Poll);
        setup.kernel.ipi_polling_elide = elide;
        let metrics = play(&setup).report.metrics;
        let remote = metrics.wakeups.remote_direct + metrics.wakeups.wake_list;
        let sent = metrics.ipi.reschedule.sent + metrics.ipi.call_function.sent;
        assert_eq!(sent, if saved { 0 } else { remote }, "packages of {package}, {elide:?}");
    }
}

#[test]
fn every_wakeup_took_one_path() {
    for queue in TtwuQueue::ALL {
        let mut setup = wanderer(1, IdleKind::Halt);
        setup.kernel.ttwu_queue = *queue;
        let written = play(&setup);
        let paths = written.report.metrics.wakeups;
        let sum = paths.local + paths.remote_direct + paths.wake_list + paths.still_queued;
        assert_eq!(
            sum,
            written.rows.iter().filter(|row| row.kind == Kind::SchedWaking).count() as u64,
            "{queue:?}"
        );
        assert_eq!(paths.wake_list > 0, *queue != TtwuQueue::Off, "{queue:?}");
    }
}

#[test]
fn a_time_that_passes_on_the_way_into_the_kernel_is_a_sample_without_a_sleep() {
    // `start` to user code, the body, 300 of system call entry; then the next time has just passed.
    let mut setup = bare(1, CostsName::Qspin2s);
    setup.machine.idle = IdleKind::Poll;
    let start = 200 + 150 + 150 + 15 + 400 + 150 + 15 + 900 + 150;
    let body = 10 * US - start - 100;
    setup.tasks.push(task("measure", fifo(95), &[0], 0, cyclic(100 * US, 10 * US, body)));
    setup.duration_ns = 112 * US;
    let written = play(&setup);
    let wakes = &written.wakes;
    assert_eq!(wakes.due[..2], [100 * US, 110 * US]);
    // The body ends 100 before the due time, entry ends 200 after it, exit takes 150.
    assert_eq!(wakes.latency[..2], [start, 200 + 150]);
    assert_eq!(written.rows.iter().filter(|row| row.kind == Kind::SchedWaking).count(), 1);
}

/// Commits e4a52bcb9a18 and 317f394160e9 (3.0), 518cd6234178 (3.3), 2ebb17717550 (5.8) and
/// f3dd3f674555 (6.0).
#[test]
fn the_rules_of_the_wake_list_change_with_3_0_3_3_5_8_and_6_0() {
    for version in Version::LADDER {
        let expected = match *version {
            Version::V2_6_24 | Version::V2_6_25 => (TtwuQueue::Off, TtwuOnCpu::OldLock),
            Version::V3_2 => (TtwuQueue::AllRemote, TtwuOnCpu::Spin),
            Version::V5_8 | Version::V5_10 | Version::V5_14 | Version::V5_16 => {
                (TtwuQueue::CrossLlcCall, TtwuOnCpu::WfOnCpu)
            }
            version if version >= Version::V6_1 => (TtwuQueue::CrossLlcOrIdle, TtwuOnCpu::AnyRule),
            _ => (TtwuQueue::CrossLlc, TtwuOnCpu::Spin),
        };
        let kernel = Kernel::of_version(*version, 2);
        assert_eq!((kernel.ttwu_queue, kernel.ttwu_on_cpu), expected, "{}", version);
    }
}

#[test]
fn an_idle_cpu_of_the_same_cache_is_woken_under_its_lock_from_3_3_to_5_19_and_by_its_list_before_and_after()
 {
    for (version, by_list, package) in [
        (Version::V3_2, true, 2),
        (Version::V3_16, false, 2),
        (Version::V5_7, false, 2),
        (Version::V5_8, false, 2),
        (Version::V5_16, false, 2),
        (Version::V6_1, true, 2),
        (Version::V3_2, true, 1),
        (Version::V5_7, true, 1),
        (Version::V5_8, true, 1),
        (Version::V5_16, true, 1),
        (Version::V6_1, true, 1),
    ] {
        let mut setup = wanderer(package, IdleKind::Halt);
        let of = Kernel::of_version(version, 2);
        (setup.kernel.ttwu_queue, setup.kernel.ttwu_on_cpu) = (of.ttwu_queue, of.ttwu_on_cpu);
        let paths = play(&setup).report.metrics.wakeups;
        assert!(paths.wake_list + paths.remote_direct > 30, "{version:?}: {paths:?}");
        assert_eq!(
            (paths.wake_list > 0, paths.remote_direct > 0),
            (by_list, !by_list),
            "{version:?}, {package} a package: {paths:?}"
        );
    }
}

#[test]
fn the_wake_list_is_turned_off_in_mid_run_and_what_is_under_way_still_arrives() {
    let rules = [
        (TtwuQueue::CrossLlc, Version::V4_15),
        (TtwuQueue::CrossLlcCall, Version::V5_10),
        (TtwuQueue::CrossLlcOrIdle, Version::V6_1),
    ];
    for (rule, version) in rules {
        let mut setup = wanderer(1, IdleKind::Halt);
        (setup.kernel.release, setup.kernel.ttwu_queue) = (Release::of(version), rule);
        let vector = |metrics: &Metrics| {
            if rule == TtwuQueue::CrossLlc {
                metrics.ipi.reschedule
            } else {
                metrics.ipi.call_function
            }
        };
        let base = play(&setup);
        let queued: Vec<u64> = base
            .rows
            .iter()
            .filter(|row| row.kind == Kind::WakelistQueue)
            .map(|row| row.time)
            .collect();
        let before = base.report.metrics.wakeups;
        assert!(queued.len() > 30 && before.remote_direct == 0, "{rule:?}: {before:?}");
        for (nth, time) in queued.iter().enumerate() {
            let mut run =
                Run::new(&setup, Options { check_every: 1, ..Options::default() }).unwrap();
            run.advance(*time, u64::MAX);
            let listed = run.report().metrics.wakeups.wake_list;
            assert_eq!(
                vector(&run.report().metrics).in_flight,
                1,
                "{rule:?}: message {nth} is under way"
            );
            assert!(run.set_ttwu_queue(TtwuQueue::Off));
            run.advance(time + 6 * MS, u64::MAX);
            assert_eq!(
                run.report().metrics.wakeups.wake_list,
                listed,
                "none is queued while it is off"
            );
            assert!(run.set_ttwu_queue(rule));
            assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
            let report = run.report();
            assert_eq!(
                report.metrics.latency["wanderer"].count,
                base.report.metrics.latency["wanderer"].count,
                "{rule:?}: no wake-up is lost"
            );
            assert_eq!(vector(&report.metrics).in_flight, 0);
        }
    }
}

#[test]
fn a_running_kernel_takes_only_the_rule_it_was_compiled_with() {
    let taken = |version: Version, boot: Option<TtwuQueue>| {
        let mut setup = wanderer(1, IdleKind::Halt);
        setup.kernel = Kernel::of_version(version, 2);
        setup.kernel.ttwu_queue = boot.unwrap_or(setup.kernel.ttwu_queue);
        let mut run = run(&setup, None, 1);
        TtwuQueue::ALL.iter().copied().filter(|rule| run.set_ttwu_queue(*rule)).collect::<Vec<_>>()
    };
    assert_eq!(taken(Version::V2_6_24, None), [], "there was no wake-list");
    assert_eq!(taken(Version::V4_15, None), [TtwuQueue::Off, TtwuQueue::CrossLlc]);
    assert_eq!(taken(Version::V5_10, None), [TtwuQueue::Off, TtwuQueue::CrossLlcCall]);
    assert_eq!(
        taken(Version::V6_1, Some(TtwuQueue::Off)),
        [TtwuQueue::Off, TtwuQueue::CrossLlcOrIdle],
        "booted with NO_TTWU_QUEUE"
    );
    assert_eq!(
        taken(Version::V6_1, Some(TtwuQueue::AllRemote)),
        [TtwuQueue::Off, TtwuQueue::AllRemote],
        "as the scenario states it"
    );
}
