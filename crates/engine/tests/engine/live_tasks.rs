//! Writes to tasks and groups of a running kernel: each takes the kernel's own path, from that
//! instant on.

use schedscope_engine::ids::{CpuId, TaskId};
use schedscope_engine::kernel::config::{Kernel, Preempt, Version};
use schedscope_engine::kernel::core::preempt::Point;
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{GroupSpec, Op, Policy, Program, Setup, TaskSpec};
use schedscope_engine::trace::catalogue::{Kind, NONE, POINT, POINT_TAKEN};

use crate::support::build::{bare, cyclic, fair, fifo, forever, hog, once, pause, task, work};
use crate::support::judge::{Row, Written, written};
use crate::support::random::case;
use crate::support::{MS, US};

fn options() -> Options {
    Options {
        window: Options::EVERYTHING,
        check_every: 1,
        max_records: 500_000,
        ..Options::default()
    }
}

/// Runs to `at`, makes the change, runs to the end; every law is looked at on the way.
fn changed(setup: &Setup, at: u64, change: impl FnOnce(&mut Run) -> bool) -> Written {
    let mut run =
        Run::new(&setup.clone().with_all_stoppers(), options()).expect("the setup is sound");
    assert_eq!(run.advance(at, u64::MAX), Progress::Running);
    assert!(change(&mut run), "the kernel takes it");
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    written(&mut run)
}

fn of_version(version: Version, tasks: Vec<TaskSpec>) -> Setup {
    let mut setup = bare(2, CostsName::Qspin2s);
    setup.kernel = Kernel { load_balance: false, ..Kernel::of_version(version, 2) };
    setup.tasks = tasks;
    setup
}

fn first(written: &Written, fits: impl Fn(&Row) -> bool) -> Option<&Row> {
    written.rows.iter().find(|row| fits(row))
}

fn runs_on(written: &Written, task: u32, from: u64) -> Vec<u32> {
    let mut on: Vec<u32> = written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::SchedSwitch && row.b == task && row.time >= from)
        .map(|row| row.cpu)
        .collect();
    on.dedup();
    on
}

fn count(written: &Written, kind: Kind) -> usize {
    written.rows.iter().filter(|row| row.kind == kind).count()
}

/// `who` runs or waits on CPU 0 beside a stronger one that comes at 1 ms.
fn pair(version: Version, policy: Policy) -> Setup {
    of_version(
        version,
        vec![
            task("who", policy, &[0], 10 * US, hog(6 * MS)),
            task("strong", fifo(90), &[0], MS, hog(4 * MS)),
        ],
    )
}

#[test]
fn a_running_task_that_may_not_stay_is_moved_by_its_cpus_stopper_at_once() {
    for version in [Version::V2_6_25, Version::V3_19, Version::V5_10, Version::V6_12] {
        for policy in [fair(), fifo(50)] {
            let written = changed(&pair(version, policy), 500 * US, |run| {
                run.change("tasks.\"who.0\".cpus", "1")
            });
            let write =
                first(&written, |row| row.kind == Kind::LiveChange).expect("it is recorded");
            assert!(
                (write.a, write.b) == (0, 0) && write.time < 520 * US,
                "{version:?}: {write:?}"
            );
            let stop =
                first(&written, |row| row.kind == Kind::StopWork).expect("the stopper is asked");
            assert_eq!((stop.cpu, stop.a, stop.b), (0, 0, 1), "{version:?}");
            assert_eq!(runs_on(&written, 0, 500 * US), [1], "{version:?}: it goes on elsewhere");
            assert_eq!(
                count(&written, Kind::SchedWaking),
                3,
                "{version:?}: two starts and the stopper; it did not sleep"
            );
        }
    }
}

#[test]
fn a_task_that_yields_while_it_is_to_be_moved_is_moved_once() {
    let program = forever(&[work(2 * US), Op::Yield]);
    let mut setup = of_version(Version::V6_12, vec![task("who", fifo(50), &[0], 10 * US, program)]);
    setup.kernel.preempt = Preempt::None;
    for ns in (0..5 * US).step_by(100) {
        let written = changed(&setup, 500 * US + ns, |run| {
            run.set_affinity(TaskId::new(0), CpuMask::one(CpuId::new(1)))
        });
        assert_eq!(count(&written, Kind::StopWork), 1, "{ns} ns after 500 us");
        assert_eq!(runs_on(&written, 0, 0).last(), Some(&1), "{ns} ns after 500 us");
    }
}

#[test]
fn a_waiting_task_is_moved_without_the_stopper_from_3_18_on() {
    for (version, stopped) in
        [(Version::V3_16, 1), (Version::V3_19, 0), (Version::V5_10, 0), (Version::V6_12, 0)]
    {
        for policy in [fair(), fifo(50)] {
            let mut setup = pair(version, policy);
            setup.kernel.rt_push_ipi = false;
            let written = changed(&setup, 2 * MS, |run| {
                run.set_affinity(TaskId::new(0), CpuMask::one(CpuId::new(1)))
            });
            assert_eq!(count(&written, Kind::StopWork), stopped, "{version:?} {policy:?}");
            let moved = first(&written, |row| row.kind == Kind::MigrateTask && row.a == 0)
                .expect("it is moved");
            assert!(moved.b == 1 && moved.time < 2 * MS + 50 * US, "{version:?}: {moved:?}");
            assert_eq!(runs_on(&written, 0, 2 * MS), [1], "{version:?}");
        }
    }
}

#[test]
fn a_sleeping_task_takes_its_new_affinity_at_its_next_wake_up() {
    let setup =
        of_version(Version::V6_12, vec![task("who", fifo(50), &[0], 0, cyclic(MS, MS, 20 * US))]);
    let written = changed(&setup, 3 * MS + 500 * US, |run| {
        run.set_affinity(TaskId::new(0), CpuMask::one(CpuId::new(1)))
    });
    assert_eq!(runs_on(&written, 0, 0), [0, 1]);
    let moved = first(&written, |row| row.kind == Kind::MigrateTask).expect("it moves");
    assert!(moved.time >= 4 * MS, "not before it is woken: {moved:?}");
    assert_eq!(count(&written, Kind::StopWork), 0);
}

#[test]
fn who_may_not_migrate_leaves_when_that_is_over() {
    let program = once(&[Op::MigrateDisable, work(3 * MS), Op::MigrateEnable, work(MS)]);
    let setup = of_version(Version::V6_12, vec![task("who", fair(), &[0, 1], 10 * US, program)]);
    let written = changed(&setup, MS, |run| {
        let on = run.sim().task(TaskId::new(0)).cpu;
        run.set_affinity(TaskId::new(0), CpuMask::one(CpuId::new(1 - on.raw())))
    });
    let moved = first(&written, |row| row.kind == Kind::MigrateTask && row.a == 0)
        .expect("it moves in the end");
    assert!((3 * MS..3 * MS + 100 * US).contains(&moved.time), "{moved:?}");
}

#[test]
fn a_priority_that_is_raised_preempts_and_one_that_is_lowered_gives_way() {
    for version in [Version::V2_6_25, Version::V3_19, Version::V5_10, Version::V6_12] {
        let raised = changed(&pair(version, fifo(50)), 2 * MS, |run| {
            run.change("tasks.\"who.0\".policy", "SCHED_FIFO 95")
        });
        let back =
            first(&raised, |row| row.kind == Kind::SchedSwitch && row.b == 0 && row.time > 2 * MS)
                .expect("it runs");
        assert!(back.time < 2 * MS + 30 * US, "{version:?}: {back:?}");
        let flagged = first(&raised, |row| row.kind == Kind::NeedResched && row.time > 2 * MS)
            .expect("it is asked for");
        assert!(flagged.time <= back.time);

        let lowered = changed(&pair(version, fifo(50)), 2 * MS, |run| {
            run.set_scheduler(TaskId::new(1), fifo(40))
        });
        let back =
            first(&lowered, |row| row.kind == Kind::SchedSwitch && row.b == 0 && row.time > 2 * MS)
                .expect("it runs");
        assert!(back.time < 2 * MS + 30 * US, "{version:?}: {back:?}");
    }
}

/// CPU time of the two hogs on CPU 0 after `at`, ns.
fn shares(written: &Written, at: u64) -> [u64; 2] {
    let mut ran = [0, 0];
    let mut since: Option<(u32, u64)> = None;
    for row in written.rows.iter().filter(|row| row.kind == Kind::SchedSwitch && row.cpu == 0) {
        if let Some((task, from)) = since.filter(|(task, _)| *task < 2) {
            ran[task as usize] += row.time.saturating_sub(from.max(at));
        }
        since = (row.b != NONE).then_some((row.b, row.time));
    }
    ran
}

fn two_hogs(version: Version) -> Setup {
    let forever = || forever(&[work(100 * MS)]);
    let mut setup = of_version(
        version,
        vec![task("one", fair(), &[0], 0, forever()), task("two", fair(), &[0], 0, forever())],
    );
    setup.duration_ns = 2_000 * MS;
    setup
}

/// Whether `one` got `times` as much as `two`, to a fifth.
fn is_about([one, two]: [u64; 2], times: u64) -> bool {
    one > two * times * 4 / 5 && one < two * times * 6 / 5
}

#[test]
fn a_nice_value_shares_the_cpu_by_its_weight_from_that_instant_on() {
    for version in [Version::V3_19, Version::V5_10, Version::V6_6, Version::V6_12] {
        let even = changed(&two_hogs(version), 500 * MS, |run| {
            run.change("tasks.\"two.0\".policy", "SCHED_OTHER 0")
        });
        assert!(is_about(shares(&even, 500 * MS), 1), "{version:?}");
        // Nice 10 weighs 110 to the 1024 of nice 0.
        let written = changed(&two_hogs(version), 500 * MS, |run| {
            run.change("tasks.\"two.0\".policy", "SCHED_OTHER 10")
        });
        assert!(
            is_about(shares(&written, 500 * MS), 9),
            "{version:?}: {:?}",
            shares(&written, 500 * MS)
        );
    }
}

#[test]
fn a_groups_weight_shares_the_cpu_from_that_instant_on() {
    for version in [Version::V3_19, Version::V5_10, Version::V6_6, Version::V6_12] {
        let mut setup = two_hogs(version);
        for (task, path) in [(0, "a"), (1, "b")] {
            setup.groups.push(GroupSpec { path: path.to_owned(), ..GroupSpec::root() });
            setup.tasks[task].group = task as u32 + 1;
        }
        let written = changed(&setup, 500 * MS, |run| run.change("cgroups.a.cpu_weight", "400"));
        assert!(
            is_about(shares(&written, 520 * MS), 4),
            "{version:?}: {:?}",
            shares(&written, 520 * MS)
        );
    }
}

#[test]
fn a_signal_ends_a_sleep_and_the_timer_comes_no_more() {
    let program = once(&[work(10 * US), pause(5 * MS), work(10 * US), pause(MS), work(10 * US)]);
    for version in [Version::V2_6_25, Version::V6_12] {
        let setup = of_version(version, vec![task("who", fair(), &[0], 10 * US, program.clone())]);
        let written = changed(&setup, 2 * MS, |run| run.change("tasks.\"who.0\".wake", "signal"));
        let wakings: Vec<u64> = written
            .rows
            .iter()
            .filter(|row| row.kind == Kind::SchedWaking)
            .map(|row| row.time / MS)
            .collect();
        assert_eq!(wakings, [0, 2, 3], "{version:?}: its start, the signal, its next sleep");
        assert_eq!(count(&written, Kind::HrtimerExpire), 2, "{version:?}");
    }
}

#[test]
fn what_a_kernel_would_not_take_is_refused_and_changes_nothing() {
    let mut setup = of_version(
        Version::V6_12,
        vec![
            task("who", fair(), &[0], 10 * US, hog(MS)),
            task("cyc", fifo(9), &[1], 0, cyclic(MS, MS, US)),
        ],
    );
    setup.machine.domains = vec![CpuMask::one(CpuId::new(0)), CpuMask::one(CpuId::new(1))];
    let setup = setup.with_all_stoppers();
    let boot = || Run::new(&setup, options()).expect("sound");
    let mut run = boot();
    run.advance(500 * US, u64::MAX);
    for (path, value) in [
        ("tasks.\"who.0\".cpus", "1"),
        ("tasks.\"who.0\".cpus", "2-9"),
        ("tasks.\"who.0\".cpus", "3-1"),
        ("tasks.\"who.0\".cpus", ""),
        ("tasks.\"who.0\".policy", "SCHED_FIFO 100"),
        ("tasks.\"who.0\".policy", "SCHED_FIFO"),
        ("tasks.\"who.0\".policy", "SCHED_OTHER 20"),
        ("tasks.\"who.0\".policy", "SCHED_DEADLINE 1"),
        ("tasks.\"who.0\".wake", "signal"),
        ("tasks.\"cyc.0\".wake", "signal"),
        ("tasks.\"nobody.0\".cpus", "0"),
        ("tasks.\"migration.0\".cpus", "0"),
        ("tasks.\"migration.0\".policy", "SCHED_FIFO 1"),
        ("tasks.\"who.0\".colour", "0"),
        ("cgroups.nothing.cpu_weight", "100"),
        ("kernel.hz", "100"),
    ] {
        assert!(!run.change(path, value), "{path}={value}");
    }
    run.advance(u64::MAX, u64::MAX);
    let mut untouched = boot();
    untouched.advance(u64::MAX, u64::MAX);
    assert_eq!(run.report().digest, untouched.report().digest);
}

#[test]
fn stoppers_that_nobody_needs_change_no_schedule() {
    let plain = (1..)
        .map(case)
        .map(|case| case.setup)
        .filter(|setup| setup.clone().with_stoppers().stopper(CpuId::new(0)).is_none());
    for setup in plain.take(60) {
        let digest = |setup: &Setup| {
            let mut run = Run::new(setup, Options::default()).expect("sound");
            run.advance(u64::MAX, u64::MAX);
            run.report().digest
        };
        assert_eq!(
            digest(&setup),
            digest(&setup.clone().with_all_stoppers()),
            "seed {}",
            setup.seed
        );
    }
}

#[test]
fn a_write_comes_after_all_that_happens_in_its_instant_wherever_the_run_was_paused() {
    let setup = crate::support::herd(8, 3, US, CostsName::Zero).with_all_stoppers();
    let digest = |steps: u64| {
        let mut run = Run::new(&setup, options()).expect("sound");
        while run.now() < MS {
            run.advance_within(MS, u64::MAX, steps);
        }
        assert!(
            run.change("tasks.\"cyclictest.3\".cpus", "0-3")
                && run.advance(u64::MAX, u64::MAX) == Progress::Finished
        );
        run.report().digest
    };
    let whole = digest(u64::MAX);
    assert_eq!(
        [1, 2, 3, 5, 7].map(digest),
        [whole.clone(), whole.clone(), whole.clone(), whole.clone(), whole]
    );
}

#[test]
fn a_snapshot_between_a_write_and_its_effect_replays_the_same_future() {
    let setup = pair(Version::V6_12, fair()).with_all_stoppers();
    let mut run = Run::new(&setup, options()).expect("sound");
    run.advance(500 * US, u64::MAX);
    assert!(run.set_affinity(TaskId::new(0), CpuMask::one(CpuId::new(1))));
    let snapshot = run.snapshot();
    run.take_trace();
    run.advance(u64::MAX, u64::MAX);
    let expected = (run.report().digest, run.take_trace());
    run.restore(&snapshot);
    run.advance(u64::MAX, u64::MAX);
    assert_eq!((run.report().digest, run.take_trace()), expected);
    assert!(matches!(setup.tasks[0].program, Program::Ops { .. }));
}

/// A thread on its way into sched_setaffinity() is written to under `none` and must leave CPU 0;
/// the kernel becomes `full` while the stopper moves it. An interrupt that waits on CPU 1 for
/// schedule() to end acts there at its own exit, not once the system call has had its lock.
#[test]
fn an_interrupt_that_waited_for_schedule_acts_at_its_exit_where_a_task_waited_for_its_stopper() {
    const CHANGE: u64 = 30 * US;
    let exit = POINT.put(Point::IrqExit as u32) | POINT_TAKEN.put(1);
    let mut acted = 0;
    for due in (94 * US..97 * US).step_by(20) {
        let both = Op::SetCpus { cpus: CpuMask::first(2) };
        let mut setup = of_version(
            Version::V6_1,
            vec![
                task("call", fifo(40), &[0], 0, once(&[both, work(MS)])),
                task("wakes", fifo(70), &[1], 0, cyclic(due, 9 * MS, 5 * US)),
            ],
        );
        setup.kernel.preempt = Preempt::DynamicNone;
        let costs = &mut setup.machine.costs;
        (costs.call_entry_ns, costs.sched_change_ns) = (60_000, CHANGE as u32);
        setup.duration_ns = 200 * US;
        let mut run = Run::new(&setup.with_all_stoppers(), options()).expect("the setup is sound");
        run.advance(20 * US, u64::MAX);
        assert!(run.set_affinity(TaskId::new(0), CpuMask::one(CpuId::new(1))));
        run.advance(95 * US, u64::MAX);
        assert!(run.set_preempt(Preempt::DynamicFull));
        assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
        let written = written(&mut run);
        let enters =
            first(&written, |row| row.kind == Kind::SchedSwitch && (row.cpu, row.b) == (1, 0));
        let acts =
            first(&written, |row| (row.kind, row.cpu, row.a) == (Kind::PreemptPoint, 1, exit));
        acted += usize::from(
            acts.zip(enters).is_some_and(|(acts, enters)| acts.time < enters.time + CHANGE),
        );
    }
    assert!(acted > 10, "{acted}");
}
