//! Programs that act on tasks: fork, policy, affinity, migration; and kernel work and calls.

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Kernel, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::run::Report;
use schedscope_engine::setup::{
    Amount, NEVER, Object, ObjectSpec, Op, Phase, Policy, Program, Room, Rounds, Section, Setup,
};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::US;
use crate::support::build::{bare, fair, fifo, hog, object, once, pause, task, work};
use crate::support::judge::{ended, play};

const FREE: CostsName = CostsName::Zero;

fn report(setup: &Setup) -> Report {
    play(setup).report
}

#[test]
fn a_forked_task_begins_when_it_is_forked_and_again_once_it_has_ended() {
    let mut setup = bare(2, FREE);
    setup.tasks.push(task(
        "child",
        fifo(5),
        &[0, 1],
        NEVER,
        once(&[work(30 * US), pause(10 * US)]),
    ));
    let fork = Op::Fork { task: 0 };
    setup.tasks.push(task(
        "parent",
        fifo(10),
        &[0],
        20 * US,
        once(&[fork.clone(), work(10 * US), fork.clone(), work(70 * US), fork]),
    ));
    let written = play(&setup);
    let born: Vec<(u64, u32)> = written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::WakeupNew)
        .map(|row| (row.time, row.b))
        .collect();
    assert_eq!(born, [(20 * US, 1), (100 * US, 1)], "not while it lives");
    assert_eq!(written.report.metrics.tasks["child.0"].run_ns, 60 * US + 2);
    assert_eq!(written.report.metrics.tasks["child.0"].wakeups, 2, "its starts are no samples");
}

#[test]
fn a_task_that_lowers_itself_is_preempted_and_one_that_raises_itself_is_not() {
    let mut setup = bare(1, FREE);
    let weaken = Op::SetPolicy { policy: fifo(5) };
    setup.tasks.push(task("a", fifo(20), &[0], 0, once(&[work(10 * US), weaken, work(10 * US)])));
    setup.tasks.push(task(
        "b",
        fifo(10),
        &[0],
        US,
        once(&[work(10 * US), Op::SetPolicy { policy: fifo(30) }, work(10 * US)]),
    ));
    setup.tasks.push(task("c", fifo(20), &[0], 15 * US, hog(10 * US)));
    let written = play(&setup);
    let ends = ["a.0", "b.0", "c.0"].map(|name| ended(&written, &setup, name));
    assert_eq!(ends, [50, 40, 25], "b from 10, c at 15 for 10, b raises itself after 10 of work");
    assert_eq!(written.rows.iter().filter(|row| row.kind == Kind::PiSetprio).count(), 0);
}

#[test]
fn a_task_that_leaves_the_rt_class_makes_room_and_its_cpu_pulls() {
    let mut setup = bare(2, FREE);
    setup.kernel = Kernel::of_version(Version::V3_19, 2);
    setup.tasks.push(task(
        "a",
        fifo(20),
        &[0],
        0,
        once(&[work(20 * US), Op::SetPolicy { policy: fair() }, work(10 * US)]),
    ));
    setup.tasks.push(task("b", fifo(30), &[1], 0, hog(100 * US)));
    setup.tasks.push(task("waits", fifo(10), &[0, 1], 5 * US, hog(10 * US)));
    let written = play(&setup);
    assert_eq!(["waits.0", "a.0"].map(|name| ended(&written, &setup, name)), [30, 40]);
}

#[test]
fn an_affinity_that_excludes_its_cpu_moves_the_task_and_a_wider_one_does_not() {
    let mut setup = bare(2, FREE);
    let to = |cpu: u32| Op::SetCpus { cpus: CpuMask::one(CpuId::new(cpu)) };
    setup.tasks.push(task(
        "a",
        fifo(20),
        &[0],
        0,
        once(&[
            work(10 * US),
            to(1),
            work(10 * US),
            Op::SetCpus { cpus: CpuMask::first(2) },
            work(10 * US),
        ]),
    ));
    let written = play(&setup);
    let on: Vec<u32> = written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::SchedSwitch && row.b == 0)
        .map(|row| row.cpu)
        .collect();
    assert_eq!(on, [0, 1]);
    assert_eq!(ended(&written, &setup, "a.0"), 30);
    assert!(written.report.metrics.latency.is_empty(), "the move is no sample");
}

#[test]
fn a_task_with_migration_disabled_is_not_taken_away() {
    let mut setup = bare(2, FREE);
    let pinned = [Op::MigrateDisable, work(50 * US), Op::MigrateEnable, work(10 * US)];
    setup.tasks.push(task("a", fifo(10), &[0, 1], 0, once(&pinned)));
    setup.tasks.push(task("strong", fifo(20), &[0], 10 * US, hog(100 * US)));
    let written = play(&setup);
    assert_eq!(ended(&written, &setup, "a.0"), 160, "it waits although CPU 1 idles");
    assert_eq!(written.rows.iter().filter(|row| row.kind == Kind::MigrateDisable).count(), 2);
}

#[test]
fn kernel_work_and_drawn_rounds_are_played() {
    let mut setup = bare(1, FREE);
    let kernel = Op::Kernel {
        section: Section::NoPreempt,
        ns: Amount::Fixed(20 * US),
        cond_resched: None,
        might_sleep: None,
    };
    let phase = Phase { rounds: Rounds::Drawn(Amount::Fixed(3)), ops: vec![kernel] };
    setup.tasks.push(task(
        "a",
        fair(),
        &[0],
        0,
        Program::Ops { loops: Some(2), phases: vec![phase] },
    ));
    let report = report(&setup);
    assert_eq!(
        (report.metrics.tasks["a.0"].loops, report.metrics.tasks["a.0"].run_ns),
        (6, 120 * US + 6)
    );
}

#[test]
fn what_points_nowhere_is_refused() {
    let mut setup = bare(1, FREE);
    let cond = object(&mut setup, Object::Cond);
    let bad = [
        Op::Lock { mutex: cond },
        Op::Wait { cond, mutex: cond },
        Op::Barrier { barrier: 9, measured: true, stamp: None },
        Op::Timer { timer: 0, period_ns: 1, absolute: false },
        Op::Fork { task: 0 },
        Op::Resume { task: 1 },
        Op::SetCpus { cpus: CpuMask::one(CpuId::new(1)) },
        Op::SetPolicy { policy: Policy::Fifo { rt_priority: 0 } },
    ];
    for op in bad {
        setup.tasks = vec![task("t", fair(), &[0], 0, once(std::slice::from_ref(&op)))];
        assert!(setup.check().is_err(), "{op:?}");
    }
    setup.tasks.clear();
    for bad in [
        Object::Barrier { parties: 0, drawn: false },
        Object::Queue { capacity: 1, filled: 2, closed_when_empty: false, room: Room::Message },
    ] {
        setup.objects = vec![ObjectSpec { name: "bad".to_owned(), object: bad }];
        assert!(setup.check().is_err(), "{bad:?}");
    }
}

#[test]
fn a_phase_until_an_instant_ends_with_the_round_that_passes_it() {
    let mut setup = bare(1, FREE);
    let until = Phase { rounds: Rounds::Until(100 * US), ops: vec![work(30 * US)] };
    let then = Phase { rounds: Rounds::Times(2), ops: vec![work(5 * US)] };
    setup.tasks.push(task(
        "t",
        fair(),
        &[0],
        50 * US,
        Program::Ops { loops: Some(2), phases: vec![until, then] },
    ));
    let written = play(&setup);
    // From 50 us (and its slack of 50): 130, 140; the second time the instant has passed, and one
    // round is played: 170, 180.
    let task = &written.report.metrics.tasks["t.0"];
    assert_eq!(
        (task.loops, ended(&written, &setup, "t.0")),
        (1 + 2 + 1 + 2, 180),
        "{}",
        task.run_ns
    );
}

#[test]
fn a_call_that_works_and_then_sleeps_does_both_before_it_returns() {
    for (share_milli, round_us) in [(1_000, 120), (0, 20)] {
        let mut setup = bare(1, FREE);
        let [ns, sleep] = [20, 100].map(|us| Amount::Fixed(us * US));
        let call =
            Op::KernelSleep { ns, cond_resched: None, might_sleep: None, share_milli, sleep };
        // A real-time task's timer has no slack.
        let phase = Phase { rounds: Rounds::Times(10), ops: vec![call] };
        setup.tasks.push(task(
            "a",
            fifo(10),
            &[0],
            0,
            Program::Ops { loops: Some(1), phases: vec![phase] },
        ));
        let written = play(&setup);
        assert_eq!(ended(&written, &setup, "a.0"), 10 * round_us, "{share_milli}");
        let told = &written.report.metrics.tasks["a.0"];
        assert_eq!(told.run_ns, 200 * US + 10, "{share_milli}: the work, and the jumps back");
        // The last is the task's end.
        assert_eq!(told.voluntary_switches, if share_milli == 0 { 1 } else { 11 });
    }
}

#[test]
fn as_many_calls_sleep_as_their_share_says() {
    let mut setup = bare(1, FREE);
    let [ns, sleep] = [Amount::Fixed(US); 2];
    let call =
        Op::KernelSleep { ns, cond_resched: None, might_sleep: None, share_milli: 300, sleep };
    let phase = Phase { rounds: Rounds::Times(2_000), ops: vec![call] };
    setup.tasks.push(task(
        "a",
        fifo(10),
        &[0],
        0,
        Program::Ops { loops: Some(1), phases: vec![phase] },
    ));
    let slept = report(&setup).metrics.tasks["a.0"].voluntary_switches - 1;
    assert!((540..=660).contains(&slept), "{slept} of 2000");
}
