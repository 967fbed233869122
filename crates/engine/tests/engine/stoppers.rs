//! Stoppers: the running task moves when the waiting one may not (5.11 on), and when a task gives
//! up its CPU.

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Kernel, Preempt, RtBalance, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::{CpuMask, Topology};
use schedscope_engine::named::Named;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{IdleKind, Op, Phase, Program, Rounds, Setup};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{bare, fair, fifo, forever, hog, once, pause, task, work};
use crate::support::judge::{Row, Written, judge, written};
use crate::support::random::Dice;
use crate::support::{MS, US};

const PUSH: u32 = 0;
const MIGRATE: u32 = 1;
const BALANCE: u32 = 2;
/// Tasks of [`bound`].
const BOUND: u32 = 0;
const STRONG: u32 = 2;

/// A run with every law checked at every event and the trace judged.
fn play(setup: &Setup) -> Written {
    let options = Options {
        window: Options::EVERYTHING,
        check_every: 1,
        max_records: 500_000,
        ..Options::default()
    };
    let mut run = Run::new(setup, options).expect("the setup is sound");
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished, "seed {}", setup.seed);
    let written = written(&mut run);
    assert_eq!(judge(setup, &written), Ok(()), "seed {}", setup.seed);
    written
}

fn works(written: &Written, kind: u32) -> Vec<&Row> {
    written.rows.iter().filter(|row| row.kind == Kind::StopWork && row.b == kind).collect()
}

/// When `task` was first switched in from `from` on.
fn runs_from(written: &Written, task: u32, from: u64) -> Option<(u64, u32)> {
    let mut rows = written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::SchedSwitch && row.b == task && row.time >= from);
    rows.next().map(|row| (row.time, row.cpu))
}

/// On CPU 0 a task that may not migrate waits behind a stronger one that may; CPU 1 has nothing to
/// do from 300 us on.
fn bound(version: Version, push_ipi: bool) -> Setup {
    let mut setup = bare(2, CostsName::Qspin2s);
    setup.kernel = Kernel { rt_push_ipi: push_ipi, ..Kernel::of_version(version, 2) };
    setup.tasks = vec![
        task(
            "bound",
            fifo(50),
            &[0, 1],
            10 * US,
            once(&[Op::MigrateDisable, work(400 * US), Op::MigrateEnable]),
        ),
        task("other", fifo(90), &[1], 0, hog(300 * US)),
        task("strong", fifo(80), &[0, 1], 100 * US, hog(2 * MS)),
    ];
    setup
}

#[test]
fn what_runs_makes_room_for_a_waiter_that_may_not_migrate() {
    for push_ipi in [true, false] {
        for version in [Version::V5_14, Version::V6_1, Version::V6_12, Version::V7_0] {
            let name = format!("{}, RT_PUSH_IPI {push_ipi}", version);
            let written = play(&bound(version, push_ipi));
            let pushed = works(&written, PUSH);
            assert_eq!(
                pushed.iter().map(|row| (row.cpu, row.a)).collect::<Vec<_>>(),
                [(0, STRONG)],
                "{name}"
            );
            let since = pushed[0].time;
            assert!(
                (300 * US..330 * US).contains(&since),
                "{name}: CPU 1 is free at 300 us, asked at {since}"
            );
            let moved = written
                .rows
                .iter()
                .find(|row| row.kind == Kind::MigrateTask && row.a == STRONG)
                .expect("it moves");
            assert_eq!((moved.cpu, moved.b), (0, 1), "{name}: by its own CPU's stopper");
            let bound = runs_from(&written, BOUND, since).expect("the waiter runs");
            assert!(
                bound.0 < since + 20 * US && bound.1 == 0,
                "{name}: it runs at once where it was: {bound:?}"
            );
            let strong = runs_from(&written, STRONG, since).expect("what ran goes on");
            assert!(strong.0 < since + 20 * US && strong.1 == 1, "{name}: {strong:?}");
        }
    }
}

#[test]
fn before_5_11_the_waiter_waits_until_its_cpu_is_free() {
    for push_ipi in [true, false] {
        let old = bound(Version::V5_10, push_ipi);
        let without = Kernel { push_running: false, ..bound(Version::V6_1, push_ipi).kernel };
        for setup in [old.clone(), Setup { kernel: without, ..old }] {
            let written = play(&setup);
            assert!(works(&written, PUSH).is_empty());
            assert!(
                runs_from(&written, BOUND, 200 * US).expect("in the end").0 > 2 * MS,
                "strong runs 2 ms from 100 us on"
            );
        }
    }
}

#[test]
fn a_plain_push_leaves_what_runs_alone() {
    // CPU 1 is idle when the strong task preempts the bound one: no CPU asks for a push after the
    // switch.
    let mut setup = bound(Version::V6_1, true);
    setup.tasks[1] = task("other", fifo(90), &[1], 0, hog(US));
    let written = play(&setup);
    assert!(works(&written, PUSH).is_empty());
    assert!(runs_from(&written, BOUND, 200 * US).expect("in the end").0 > 2 * MS);
}

#[test]
fn a_task_that_gives_up_its_cpu_is_moved_by_the_stopper_and_need_not_sleep() {
    let models = [Preempt::Full, Preempt::None, Preempt::Voluntary, Preempt::Lazy, Preempt::Rt];
    for (model, policy) in models.into_iter().flat_map(|model| [(model, fair()), (model, fifo(99))])
    {
        let mut setup = bare(2, CostsName::Qspin2s);
        setup.kernel = Kernel { preempt: model, ..Kernel::of_version(Version::V6_13, 2) };
        let program = once(&[
            work(50 * US),
            Op::SetCpus { cpus: CpuMask::one(CpuId::new(1)) },
            work(50 * US),
        ]);
        setup.tasks = vec![
            task("mover", policy, &[0], 10 * US, program),
            task("filler", fair(), &[0], 2 * MS, hog(US)),
            // A task of the greatest strength, behind the mover: the stopper still goes first.
            task("rival", fifo(99), &[0], if policy == fair() { 3 * MS } else { 15 * US }, hog(MS)),
        ];
        let written = play(&setup);
        let work = works(&written, MIGRATE);
        assert_eq!(
            work.iter().map(|row| (row.cpu, row.a)).collect::<Vec<_>>(),
            [(0, 0)],
            "{model:?}"
        );
        let count =
            |kind: Kind| written.rows.iter().filter(|row| row.kind == kind && row.a == 0).count();
        assert_eq!(count(Kind::SchedWaking), 1, "{model:?}: woken once, at its start");
        let next = written
            .rows
            .iter()
            .find(|row| row.kind == Kind::SchedSwitch && row.a == 0)
            .expect("it leaves");
        assert_eq!((next.cpu, next.b), (0, 3), "{model:?}: for migration.0");
        let back = runs_from(&written, 0, next.time).expect("it goes on");
        assert!(back.1 == 1 && back.0 < next.time + 20 * US, "{model:?}: {back:?}");
    }
}

#[test]
fn a_run_that_cannot_need_stoppers_has_none() {
    let mut setup = bare(2, CostsName::Zero);
    setup.tasks = vec![task("a", fifo(5), &[0, 1], 0, hog(MS))];
    assert_eq!(setup.clone().with_stoppers().tasks.len(), 1);
    setup.tasks.push(task("b", fifo(5), &[0, 1], 0, once(&[Op::MigrateDisable, work(US)])));
    let with = setup.with_stoppers();
    assert_eq!((with.tasks.len(), with.stopper(CpuId::new(1))), (4, Some(3)));
    assert_eq!(with.clone().with_stoppers().tasks.len(), 4, "once is enough");
    assert_eq!(with.check(), Ok(()));
    let mut unsound = with.clone();
    unsound.tasks.swap(1, 2);
    assert!(unsound.check().is_err());
}

#[test]
fn a_task_that_becomes_fair_on_its_way_is_balanced_by_the_stoppers_as_one_that_was_fair_from_the_start()
 {
    let all: Vec<u32> = (0..8).collect();
    for version in [Version::V5_4, Version::V6_1, Version::V6_12] {
        // Four tasks on the four CPUs of one cache, the other cache idle: nothing waits, so only a
        // stopper can move them.
        let mut setup = bare(8, CostsName::Zero);
        setup.machine.topology = Topology::new(8, 4);
        setup.machine.idle = IdleKind::Halt;
        setup.kernel = Kernel::of_version(version, 8);
        setup.duration_ns = 200 * MS;
        let becomes = once(&[work(100 * US), Op::SetPolicy { policy: fair() }, work(900 * MS)]);
        setup.tasks = (0..4)
            .map(|nth| task(&format!("t{nth}"), fifo(10), &all, 0, becomes.clone()))
            .collect();
        let written = play(&setup);
        assert!(!works(&written, BALANCE).is_empty(), "{version:?}");
        let to =
            written.rows.iter().filter(|row| row.kind == Kind::MigrateTask && row.b >= 4).count();
        assert_eq!(to, 2, "{version:?}: two and two");
    }
    // One that becomes an RT task asks for none, nor one that may run on one CPU only.
    let mut setup = bare(2, CostsName::Zero);
    setup.tasks =
        vec![task("a", fifo(5), &[0, 1], 0, once(&[Op::SetPolicy { policy: fifo(9) }, work(US)]))];
    assert!(setup.clone().with_stoppers().stopper(CpuId::new(0)).is_none());
    setup.tasks.push(task(
        "b",
        fifo(5),
        &[1],
        0,
        once(&[Op::SetPolicy { policy: fair() }, work(US)]),
    ));
    assert!(setup.with_stoppers().stopper(CpuId::new(0)).is_none());
}

/// A small machine full of tasks that disable migration, change CPUs, sleep and work; `rests`: full
/// affinities, distinct priorities, and each ends in an endless loop.
fn crowd(seed: u64, rests: bool) -> Setup {
    let dice = &mut Dice::new(seed);
    let cpus = dice.between(2, 5) as u32;
    let mut setup = bare(cpus, dice.pick(CostsName::ALL));
    let version = dice.pick(&[
        Version::V4_15,
        Version::V5_10,
        Version::V5_14,
        Version::V6_1_192,
        Version::V6_12,
        Version::V7_0,
    ]);
    setup.kernel = Kernel::of_version(version, cpus);
    setup.kernel.rt_balance = dice.pick(&RtBalance::ALL[if rests { 3 } else { 0 }..]);
    setup.kernel.rt_push_ipi = setup.kernel.rt_balance.has_push_ipi_bit() && dice.chance(50);
    // If everything is free, a task that two stoppers hand to and fro never gets anywhere
    // (docs/develop/decisions/0011): no IPIs there. Such a run does not come to rest either as long
    // as the waiters' sections last.
    let endless =
        setup.kernel.rt_push_ipi && (rests || setup.machine.costs_name == CostsName::Zero);
    setup.kernel.push_running = dice.chance(75) && !endless;
    setup.kernel.preempt = dice.pick(Preempt::ALL);
    setup.seed = seed;
    setup.duration_ns = if rests { 3 * MS } else { MS };
    let all: Vec<u32> = (0..cpus).collect();
    for nth in 0..dice.between(3, 9) {
        let policy = if rests || dice.chance(80) { fifo(10 + nth as u8 * 5) } else { fair() };
        let mut ops = Vec::new();
        for _ in 0..dice.between(1, 5) {
            match dice.below(5) {
                0 | 1 => ops.extend([
                    Op::MigrateDisable,
                    work(dice.between(US, 60 * US)),
                    pause(dice.below(30 * US)),
                ]),
                2 if !rests => {
                    let mask: CpuMask =
                        all.iter().copied().filter(|_| dice.chance(50)).map(CpuId::new).collect();
                    ops.push(Op::SetCpus {
                        cpus: if mask.is_empty() { CpuMask::one(CpuId::new(0)) } else { mask },
                    });
                }
                3 => ops.extend([work(dice.between(US, 40 * US)), Op::MigrateEnable]),
                _ => ops.extend([work(dice.between(US, 40 * US)), pause(dice.below(60 * US))]),
            }
        }
        let program = if rests {
            let ending = Phase { rounds: Rounds::Endless, ops: vec![work(100 * US)] };
            Program::Ops {
                loops: None,
                phases: vec![
                    Phase { rounds: Rounds::Times(dice.between(1, 4) as u32), ops },
                    ending,
                ],
            }
        } else {
            ops.push(work(dice.between(US, 20 * US)));
            forever(&ops)
        };
        setup.tasks.push(task(&format!("t{nth}"), policy, &all, dice.below(50 * US), program));
    }
    setup
}

#[test]
fn crowds_of_movers_keep_every_law() {
    let (mut pushes, mut moves) = (0, 0);
    for seed in 0..300 {
        let written = play(&crowd(seed, false));
        pushes += works(&written, PUSH).len();
        moves += works(&written, MIGRATE).len();
    }
    assert!(
        pushes > 100 && moves > 300,
        "{pushes} pushes of running tasks, {moves} moves off a CPU"
    );
}

#[test]
fn at_rest_the_strongest_run_as_far_as_migration_allows() {
    let mut pushes = 0;
    for seed in 0..200 {
        let setup = crowd(seed, true);
        let options = Options {
            window: Options::EVERYTHING,
            check_every: 1,
            max_records: 500_000,
            ..Options::default()
        };
        let mut run = Run::new(&setup, options).expect("the setup is sound");
        assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished, "seed {seed}");
        assert_eq!(run.sim().check_quiescent(), Ok(()), "seed {seed}");
        let written = written(&mut run);
        assert_eq!(judge(&setup, &written), Ok(()), "seed {seed}");
        pushes += works(&written, PUSH).len();
    }
    assert!(pushes > 20, "{pushes} pushes of running tasks");
}

/// How often a stopper on another socket was woken through a wake-list.
fn listed(release: &str) -> usize {
    let mut setup = bound(Version::of(release), false);
    setup.machine.topology = Topology::new(2, 1);
    // Stoppers are numbered behind all other tasks.
    let first_stopper = setup.tasks.len() as u32;
    let written = play(&setup);
    assert!(!works(&written, PUSH).is_empty(), "{release}: a stopper was asked");
    let is_listed = |row: &&Row| row.kind == Kind::WakelistQueue && row.a >= first_stopper;
    written.rows.iter().filter(is_listed).count()
}

#[test]
fn no_stopper_is_woken_through_a_wake_list_from_6_16_on() {
    for (release, is_listed) in [
        ("6.1.192", true),
        ("6.12", true),
        ("6.12.38", true),
        ("6.12.39", false),
        ("6.15", true),
        ("6.16", false),
        ("7.3", false),
    ] {
        assert_eq!(listed(release) > 0, is_listed, "{release}");
    }
}
