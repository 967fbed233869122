//! CFS bandwidth control: the run time that a group gets and loses, and the tasks that wait for it
//! (docs/model/bandwidth.md; Chiluk 2019).

use schedscope_engine::ids::{CpuId, GroupId};
use schedscope_engine::kernel::config::{Bandwidth, BandwidthPreset, Preempt, SiloReturn, Version};
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{Amount, Object, Op, Quota, Setup};
use schedscope_engine::trace::catalogue::Kind;
use schedscope_engine::trace::codes::SlackTimer;

use crate::support::build::{forever, hog, object, once, pause, work};
use crate::support::quota::{ERAS, fibtest, group_of, machine, member, quota, slack};
use crate::support::{MS, US, run};

#[test]
fn the_eras_of_these_tests_are_every_rung_that_changes_a_mechanism() {
    let since = Version::LADDER.iter().skip_while(|version| **version < Version::V3_2);
    let mut last = None;
    let changes = since.filter(|version| {
        last.replace(Bandwidth::of_version(**version)) != Some(Bandwidth::of_version(**version))
    });
    assert_eq!(changes.copied().collect::<Vec<Version>>(), ERAS);
}

#[test]
fn a_hog_gets_its_quota_in_the_long_run_and_overruns_to_its_next_tick_in_every_era() {
    for version in ERAS {
        for hz in [100, 250, 1000] {
            let mut setup = machine(
                2,
                Bandwidth::of_version(version),
                &[(0, quota(10 * MS, 37 * MS + 437 * US))],
            );
            setup.kernel.hz = hz;
            setup.duration_ns = 5_000 * MS;
            setup.tasks.push(member(1, "hog", &[0], 0, hog(1 << 40)));
            let run = run(&setup, None, 1);
            let group = group_of(&run, "a");
            let tick = setup.kernel.tick_ns();
            // 51 quotas have been granted; at the end less than a tick is owed.
            assert!(
                (500 * MS..=510 * MS + tick).contains(&group.usage_ns),
                "{version:?} at {hz} Hz: {group:?}"
            );
            assert!(
                (10 * MS..=10 * MS + tick + 100 * US).contains(&group.max_period_usage_ns),
                "{version:?} at {hz} Hz: {group:?}"
            );
            assert!(
                group.nr_throttled * 100 >= group.nr_periods * 95 && group.nr_periods == 50,
                "{version:?} at {hz} Hz: {group:?}"
            );
            assert_eq!(group.double_spent_ns, 0, "one queue races nobody");
        }
    }
}

#[test]
fn a_task_that_changes_its_affinity_gets_its_quota_if_something_is_kept_or_tried_for() {
    for version in ERAS {
        for silo_return in
            [SiloReturn::Keep1ms, SiloReturn::Keep0, SiloReturn::V4, SiloReturn::SegallList]
        {
            let bandwidth = Bandwidth { silo_return, ..Bandwidth::of_version(version) };
            let mut setup = machine(2, bandwidth, &[(0, quota(10 * MS, 37 * MS + 437 * US))]);
            setup.duration_ns = 2_000 * MS;
            let may =
                |cpus: &[u32]| Op::SetCpus { cpus: cpus.iter().copied().map(CpuId::new).collect() };
            setup.tasks.push(member(
                1,
                "mover",
                &[0],
                0,
                forever(&[work(700 * US), may(&[0, 1]), work(700 * US), may(&[0])]),
            ));
            let run = run(&setup, None, 1);
            let group = group_of(&run, "a");
            let tick = setup.kernel.tick_ns();
            let gone = group.usage_ns + group.expired_ns + group.dropped_ns;
            // The change throttles the task's queue while the task runs, and a throttled queue asks
            // for nothing any more, not even to leave.
            let escapes = matches!(version, Version::V5_4 | Version::V5_7)
                && matches!(silo_return, SiloReturn::Keep0 | SiloReturn::V4);
            assert_eq!(escapes, gone > 210 * MS + tick, "{version:?}, {silo_return:?}: {group:?}");
            assert!(gone >= 200 * MS, "{version:?}, {silo_return:?}: {group:?}");
        }
    }
}

#[test]
fn expiry_strands_quota_and_its_removal_does_not_whatever_the_phase() {
    for phase in [1, 13, 29, 41, 57, 73, 99] {
        let phase_ns = phase * MS + 300 * US;
        let of = |version| {
            group_of(
                &run(&fibtest(8, Bandwidth::of_version(version), 10, phase_ns, 3 * US), None, 64),
                "a",
            )
        };
        let (seq, none) = (of(Version::V4_19), of(Version::V5_4));
        let used = seq.usage_ns * 100 / seq.entitled_ns;
        assert!((45..=90).contains(&used), "{used} % used with expiry, phase {phase} ms: {seq:?}");
        assert!(
            (490 * MS..=515 * MS).contains(&none.usage_ns),
            "without, phase {phase} ms: {none:?}"
        );
        assert!(seq.expired_ns + seq.dropped_ns > 50 * MS, "{seq:?}");
        for group in [seq, none] {
            assert!(
                group.nr_throttled * 100 >= group.nr_periods * 95,
                "nr_throttled tells the two apart: {group:?}"
            );
        }
    }
}

#[test]
fn a_larger_quota_loses_a_smaller_share_to_expiry() {
    let used = |quota_ms| {
        let group = group_of(
            &run(
                &fibtest(
                    8,
                    Bandwidth::of_version(Version::V4_19),
                    quota_ms,
                    37 * MS + 300 * US,
                    3 * US,
                ),
                None,
                64,
            ),
            "a",
        );
        group.usage_ns * 1_000 / group.entitled_ns
    };
    let shares: Vec<u64> = [10, 20, 40, 80].into_iter().map(used).collect();
    assert!(shares.is_sorted_by(|less, more| less < more), "{shares:?}");
}

#[test]
fn only_a_copied_pool_is_spent_twice() {
    for hz in [100, 250, 1000] {
        for version in ERAS {
            let mut setup =
                fibtest(16, Bandwidth::of_version(version), 50, 37 * MS + 300 * US, 5 * US);
            setup.kernel.hz = hz;
            let group = group_of(&run(&setup, None, 64), "a");
            let copies = (Version::V3_17..Version::V5_7).contains(&version);
            assert!(copies || group.double_spent_ns == 0, "{version:?} at {hz} Hz: {group:?}");
        }
        let mut setup = fibtest(
            16,
            Bandwidth::of_preset(BandwidthPreset::SegallList),
            50,
            37 * MS + 300 * US,
            5 * US,
        );
        setup.kernel.hz = hz;
        let run = run(&setup, None, 64);
        let group = group_of(&run, "a");
        assert!(hz == 1000 || group.double_spent_ns > 50 * MS, "at {hz} Hz: {group:?}");
        let found = run.report().findings.iter().any(|finding| finding.kind == "double_spend");
        assert_eq!(found, group.double_spent_ns > 0, "a finding says so");
    }
}

#[test]
fn a_slack_distribution_that_is_never_subtracted_is_spent_twice_whole() {
    // Tasks that hold a slice and then sleep give the slack timer something to hand to hogs with
    // debts.
    let of = |preset: Option<BandwidthPreset>| {
        let bandwidth = preset.map_or(Bandwidth::of_version(Version::V5_4), Bandwidth::of_preset);
        group_of(&run(&slack(bandwidth), None, 64), "a")
    };
    let (never, always) = (of(Some(BandwidthPreset::ChilukV1V2V5)), of(None));
    assert!(
        never.double_spent_ns > 2 * always.double_spent_ns + 10 * MS,
        "{never:?} against {always:?}"
    );
}

#[test]
fn a_child_is_held_by_the_smaller_of_two_quotas_and_by_both_lists() {
    for (outer, inner) in [(10, 30), (30, 10)] {
        let groups = [
            (0, quota(outer * MS, 37 * MS + 437 * US)),
            (1, quota(inner * MS, 61 * MS + 137 * US)),
        ];
        let mut setup = machine(4, Bandwidth::of_version(Version::V6_1), &groups);
        setup.duration_ns = 5_000 * MS;
        for cpu in 0..3 {
            setup.tasks.push(member(2, &format!("hog{cpu}"), &[cpu], 0, hog(1 << 40)));
        }
        let run = run(&setup, None, 1);
        let (parent, child) = (group_of(&run, "a"), group_of(&run, "b"));
        assert_eq!(parent.usage_ns, child.usage_ns, "both are charged the same");
        assert!((490 * MS..=520 * MS).contains(&child.usage_ns), "{outer} over {inner}: {child:?}");
    }
}

#[test]
fn unthrottling_by_ipi_leaves_the_timer_with_less_to_do() {
    let of = |version| {
        let mut setup =
            machine(32, Bandwidth::of_version(version), &[(0, quota(40 * MS, 37 * MS + 437 * US))]);
        setup.duration_ns = 2_000 * MS;
        setup
            .tasks
            .extend((0..32).map(|cpu| member(1, &format!("hog{cpu}"), &[cpu], 0, hog(1 << 40))));
        let run = run(&setup, None, 64);
        let metrics = run.report().metrics;
        // Idle balancing calls functions too.
        let kicks = metrics.ipi.nohz_kick.as_ref().map_or(0, |kick| kick.sent + kick.polling);
        (
            metrics.rq_lock.irq_off_max_ns,
            metrics.ipi.call_function.sent + metrics.ipi.call_function.elided_polling - kicks,
            metrics.groups["a"].usage_ns,
        )
    };
    let (walked, asked) = (of(Version::V6_1), of(Version::V6_3));
    assert!(walked.0 > 2 * asked.0, "interrupts off for {} and {} ns", walked.0, asked.0);
    assert!(walked.1 == 0 && asked.1 > 200, "{} and {} function calls", walked.1, asked.1);
    assert!(walked.2.abs_diff(asked.2) < 100 * MS, "and the same run time: {walked:?}, {asked:?}");
}

#[test]
fn a_write_lets_everybody_go_and_the_books_still_close() {
    let mut setup =
        machine(4, Bandwidth::of_version(Version::V6_1), &[(0, quota(4 * MS, 90 * MS))]);
    setup.duration_ns = 500 * MS;
    setup.tasks.extend((0..4).map(|cpu| member(1, &format!("hog{cpu}"), &[cpu], 0, hog(1 << 40))));
    let mut run =
        Run::new(&setup, Options { check_every: 1, ..Options::default() }).expect("valid");
    assert_eq!(run.advance(50 * MS, u64::MAX), Progress::Running);
    assert_eq!(group_of(&run, "a").throttled_ns, 0, "all are throttled, and none has been let go");
    assert!(
        !run.set_cpu_max(GroupId::new(1), Quota { quota_ns: Some(1), ..quota(0, 1) })
            && !run.set_cpu_max(GroupId::new(0), quota(10 * MS, 1))
    );
    assert!(run.set_cpu_max(GroupId::new(1), Quota { quota_ns: None, ..quota(0, 1) }));
    assert_eq!(run.advance(60 * MS, u64::MAX), Progress::Running);
    let unlimited = group_of(&run, "a");
    assert!(unlimited.throttled_ns > 150 * MS && unlimited.usage_ns > 30 * MS, "{unlimited:?}");
    assert!(run.set_cpu_max(GroupId::new(1), quota(20 * MS, 1)));
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    let last = group_of(&run, "a");
    assert!(last.nr_throttled >= 3 && last.adjusted_ns != 0, "{last:?}");
}

#[test]
fn slack_is_never_armed_within_7_ms_of_a_refill_and_at_most_once_in_5_ms() {
    let mut run = run(&slack(Bandwidth::of_version(Version::V5_4)), Options::EVERYTHING, 64);
    let trace = run.take_trace();
    let (mut armed, mut refills) = (Vec::new(), Vec::new());
    for row in 0..trace.time.len() {
        if trace.kind[row] == Kind::BwSlack as u8 && trace.b[row] == SlackTimer::Armed as u32 {
            armed.push(trace.time[row]);
        }
        if trace.kind[row] == Kind::BwRefill as u8 {
            refills.push(trace.time[row]);
        }
    }
    assert!(armed.len() > 20, "{}", armed.len());
    assert!(armed.windows(2).all(|pair| pair[1] - pair[0] >= 5 * MS));
    assert!(
        armed
            .iter()
            .all(|at| refills.iter().all(|refill| refill < at || refill - at >= 7 * MS - 100 * US))
    );
}

#[test]
fn the_timer_of_a_quiet_group_fires_twice_and_stops() {
    let mut setup =
        machine(2, Bandwidth::of_version(Version::V5_4), &[(0, quota(10 * MS, 20 * MS))]);
    setup.duration_ns = 1_000 * MS;
    setup.tasks.push(member(1, "once", &[0], 0, hog(MS)));
    let run = run(&setup, None, 1);
    let group = group_of(&run, "a");
    assert_eq!((group.nr_periods, group.nr_throttled, group.usage_ns / MS), (2, 0, 1), "{group:?}");
}

#[test]
fn the_most_of_a_period_counts_from_refill_to_refill_when_a_timer_starts_anew_or_its_period_is_written()
 {
    // The grid of the start has a refill at 450 ms, in the midst of the work: to 4.1 it has moved
    // to 445 + 100.
    let of = |version, written: Option<Quota>| {
        let mut setup = machine(1, Bandwidth::of_version(version), &[(0, quota(30 * MS, 50 * MS))]);
        setup.duration_ns = 600 * MS;
        setup.tasks.push(member(1, "once", &[0], 445 * MS, hog(10 * MS)));
        let mut run =
            Run::new(&setup, Options { check_every: 1, ..Options::default() }).expect("valid");
        assert_eq!(run.advance(30 * MS, u64::MAX), Progress::Running);
        assert!(written.is_none_or(|quota| run.set_cpu_max(GroupId::new(1), quota)));
        assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
        let group = group_of(&run, "a");
        assert_eq!(group.usage_ns / MS, 10, "{group:?}");
        group.max_period_usage_ns / MS
    };
    assert_eq!((of(Version::V4_1, None), of(Version::V5_4, None)), (10, 5));
    // Periods of 80 ms from 50 ms on have their refills at 370 and 450, of 90 at 410 and 500.
    let wider = |ms| Some(Quota { period_ns: ms * MS, ..quota(30 * MS, 1) });
    assert_eq!((of(Version::V5_4, wider(80)), of(Version::V5_4, wider(90))), (5, 10));
}

#[test]
fn a_period_too_short_for_its_callback_doubles_after_its_fourth_refill_and_before_it_until_5_8() {
    // Letting one queue go takes longer than the period of 1 ms: hogs are let go again and again in
    // one callback.
    let old_refills = |version, phase: u64| {
        let short = Quota { period_ns: MS, ..quota(MS, phase * US) };
        let mut setup = machine(4, Bandwidth::of_version(version), &[(0, short)]);
        setup.machine.costs.bw_unthrottle_ns = 2_500_000;
        setup.duration_ns = 40 * MS;
        setup
            .tasks
            .extend((1..4).map(|cpu| member(1, &format!("hog{cpu}"), &[cpu], 0, hog(1 << 40))));
        let mut run = run(&setup, Options::EVERYTHING, 1);
        let trace = run.take_trace();
        let refill = |row: &usize| trace.kind[*row] == Kind::BwRefill as u8;
        let doubled =
            (0..trace.time.len()).filter(refill).find(|row| trace.b[*row] as u64 == 2 * MS)?;
        let callback = |row: &usize| {
            trace.kind[*row] != Kind::IrqExit as u8 || trace.cpu[*row] != trace.cpu[doubled]
        };
        Some((0..doubled).rev().take_while(callback).filter(refill).count())
    };
    // Where in the period the first refill lies does not matter, but near half and whole periods,
    // where 5.4 does not double.
    for phase in [1, 100, 137, 300, 333, 437, 600, 700, 900, 950] {
        let found = [Version::V4_19, Version::V5_4, Version::V5_7, Version::V5_8, Version::V6_1]
            .map(|version| old_refills(version, phase));
        assert_eq!(found, [None, Some(3), Some(3), Some(4), Some(4)], "first refill at {phase} us");
    }
}

/// CPU 0 works 4 ms and then 8 ms in the kernel under a mutex, in a group that may run 5 of 100 ms;
/// CPU 1, without a quota, wants the mutex 5 ms later.
fn lock_holder(per_task: bool, in_user_mode: bool) -> Setup {
    let bandwidth = Bandwidth { per_task, ..Bandwidth::of_version(Version::V6_18) };
    let mut setup = machine(2, bandwidth, &[(0, quota(5 * MS, 50 * MS + 300 * US))]);
    setup.kernel.preempt = Preempt::Full;
    setup.duration_ns = 1_000 * MS;
    let mutex = object(&mut setup, Object::Mutex { pi: false });
    let locked = |ns| {
        let kernel = Op::KernelMutex { mutex, ns: Amount::Fixed(ns) };
        if in_user_mode {
            vec![Op::Lock { mutex }, work(ns), Op::Unlock { mutex }]
        } else {
            vec![kernel]
        }
    };
    setup.tasks.push(member(
        1,
        "holder",
        &[0],
        100 * MS,
        once(&[&[work(4 * MS)], &locked(8 * MS)[..], &[work(MS)]].concat()),
    ));
    let waits = [&locked(10 * US)[..], &[work(US), pause(500 * MS)]].concat();
    setup.tasks.push(member(0, "waiter", &[1], 105 * MS, once(&waits)));
    setup
}

/// When the waiter's first user instruction after the mutex was, ms.
fn waiter_goes_on(setup: &Setup) -> u64 {
    let mut run = run(setup, Options::EVERYTHING, 1);
    let trace = run.take_trace();
    let off = |row: &usize| {
        trace.kind[*row] == Kind::SchedSwitch as u8 && trace.cpu[*row] == 1 && trace.a[*row] == 1
    };
    // The task leaves its CPU for the mutex, then to sleep.
    let at = (0..trace.time.len()).filter(off).nth(1).expect("it waits, then it sleeps");
    trace.time[at] / MS
}

#[test]
fn a_holder_of_a_kernel_mutex_without_quota_lets_nobody_wait_for_the_refill_if_tasks_stop_one_by_one()
 {
    // The refill is at 150.3 ms; 12 ms of 5 have to be worked off by three of them if the holder
    // leaves its CPU in the midst.
    let (by_queue, by_task) =
        (waiter_goes_on(&lock_holder(false, false)), waiter_goes_on(&lock_holder(true, false)));
    assert_eq!(by_task, 112, "it works on until it lets go of the mutex");
    assert!(by_queue >= 150, "{by_queue}");
    // The task has a debt of 7 ms then, and stops before its last user work.
    let books = group_of(&run(&lock_holder(true, false), None, 1), "a");
    assert!(books.max_period_usage_ns >= 12 * MS && books.nr_throttled >= 2, "{books:?}");
}

#[test]
fn a_mutex_held_in_user_mode_makes_others_wait_for_the_refill_either_way() {
    for per_task in [false, true] {
        let at = waiter_goes_on(&lock_holder(per_task, true));
        assert!(at >= 150, "{per_task}: {at}");
    }
}

#[test]
fn tasks_that_stop_one_by_one_get_the_same_quota() {
    for (cpus, quota_ms, burst_ns) in [(8, 10, 3 * US), (4, 50, 500 * US)] {
        let of = |per_task| {
            let bandwidth = Bandwidth { per_task, ..Bandwidth::of_version(Version::V6_18) };
            group_of(
                &run(&fibtest(cpus, bandwidth, quota_ms, 37 * MS + 300 * US, burst_ns), None, 16),
                "a",
            )
        };
        let (task, queue) = (of(true), of(false));
        assert!(task.usage_ns.abs_diff(queue.usage_ns) < 5 * MS, "{task:?} against {queue:?}");
        assert!(
            task.nr_throttled >= 49 && task.throttled_ns * 10 > queue.throttled_ns * 5,
            "{task:?} against {queue:?}"
        );
    }
}

#[test]
fn a_tree_of_quotas_holds_task_by_task_and_a_write_lets_all_go() {
    let groups = [
        (0, quota(10 * MS, 37 * MS + 437 * US)),
        (1, quota(30 * MS, 61 * MS + 137 * US)),
        (2, quota(20 * MS, 5 * MS + 137 * US)),
    ];
    let mut setup = machine(4, Bandwidth::of_version(Version::V6_18), &groups);
    setup.duration_ns = 1_000 * MS;
    for cpu in 0..4 {
        setup.tasks.push(member(3, &format!("hog{cpu}"), &[cpu], 0, hog(1 << 40)));
        setup.tasks.push(member(
            1 + cpu % 2,
            &format!("naps{cpu}"),
            &[cpu],
            0,
            forever(&[work(300 * US), pause(2 * MS)]),
        ));
    }
    let mut run =
        Run::new(&setup, Options { check_every: 1, ..Options::default() }).expect("valid");
    assert_eq!(run.advance(500 * MS, u64::MAX), Progress::Running);
    let usage = group_of(&run, "a").usage_ns;
    assert!((50 * MS..=66 * MS).contains(&usage), "{usage}");
    assert!(run.set_cpu_max(GroupId::new(1), Quota { quota_ns: None, ..quota(0, 1) }));
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    let after = group_of(&run, "a").usage_ns - usage;
    assert!(after > 90 * MS, "the child's 20 ms hold now: {after}");
}
