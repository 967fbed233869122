//! Each law that is judged on the whole state speaks when the state is damaged.

use crate::check::damage::{Damage, all_are_caught};
use crate::ids::{CPU0, CPU1, CpuId, TaskId};
use std::sync::Arc;

use crate::kernel::config::{Kernel, Version};
use crate::kernel::core::schedule::Schedule;
use crate::kernel::core::stop::Work;
use crate::kernel::fair::Enqueue;
use crate::kernel::hrtimer::{Timer, TimerKind};
use crate::kernel::irq::Irq;
use crate::machine::costs::{Costs, CostsName};
use crate::machine::spinlock::LockId;
use crate::machine::topology::{CpuMask, Topology};
use crate::setup::{GroupSpec, IdleKind, Machine, Policy, Program, Setup, TaskSpec, Until};
use crate::sim::Sim;
use crate::trace::columns::Log;

/// Two CPUs; tasks 0 and 1 run, task 2 waits behind task 0 and may move.
pub(crate) fn busy() -> Sim {
    let hog = |name: &str, rt_priority, cpus: &[u32]| TaskSpec {
        kind: name.to_owned(),
        name: name.to_owned(),
        policy: Policy::Fifo { rt_priority },
        cpus: cpus.iter().copied().map(CpuId::new).collect::<CpuMask>(),
        start_ns: u64::from(99 - rt_priority),
        measured: true,
        group: 0,
        slice_ns: None,
        forked: false,
        program: Program::Cyclictest {
            first_due_ns: 1 + u64::from(99 - rt_priority),
            interval_ns: 1 << 40,
            body_ns: 1 << 40,
            extra_ns: 0,
            until: Until::default(),
        },
    };
    let costs_name = CostsName::Qspin2s;
    let machine = Machine {
        topology: Topology::new(2, 2),
        costs_name,
        costs: Costs::preset(costs_name),
        idle: IdleKind::Halt,
        polls_from_boot: false,
        domains: Vec::new(),
    };
    let tasks = vec![hog("a", 90, &[0]), hog("b", 90, &[1]), hog("c", 50, &[0, 1])];
    let setup = Setup {
        seed: 1,
        duration_ns: 1_000_000,
        machine,
        kernel: Kernel::of_version(Version::parse("3.19").unwrap(), 2),
        tasks,
        objects: Vec::new(),
        timers: Vec::new(),
        quantiles: Vec::new(),
        noise: None,
        softirq: None,
        hw_noise: [None; 2],
        device_irq: None,
        rcu: None,
        groups: vec![GroupSpec::root()],
    };
    let log = Log::new(None, 3, 0);
    let mut sim = Sim::new(Arc::new(setup), log);
    while sim.step(100_000) {
        assert_eq!(sim.check_laws(), Ok(()));
    }
    assert_eq!(
        (sim.rqs[CPU0].curr, sim.rqs[CPU1].curr, sim.rqs[CPU0].rt.pushable()),
        (Some(TaskId::new(0)), Some(TaskId::new(1)), &[TaskId::new(2)][..])
    );
    assert_eq!(sim.check_quiescent(), Ok(()));
    sim
}

fn acquire_lock_0(sim: &mut Sim, cpu: CpuId) {
    let machine = &sim.setup.machine;
    sim.locks[LockId::rq(CPU0)].acquire(cpu, &machine.costs, &machine.topology);
}

fn release_lock_0(sim: &mut Sim) {
    let (machine, kind) = (&sim.setup.machine, sim.setup.kernel.spinlock);
    sim.locks[LockId::rq(CPU0)].release(&machine.costs, &machine.topology, kind);
}

#[test]
fn a_damaged_state_is_caught() {
    all_are_caught(
        busy,
        Sim::check_laws,
        &[
            ("owns lock 0 with interrupts on", |sim| acquire_lock_0(sim, CPU1)),
            ("does not know it owns lock 0", |sim| {
                acquire_lock_0(sim, CPU1);
                sim.cpus[CPU1].hw.irq_disable(0);
            }),
            ("queues for lock 0 but does not spin", |sim| {
                [CPU1, CPU0].into_iter().for_each(|cpu| acquire_lock_0(sim, cpu));
                sim.cpus[CPU1].hw.irq_disable(0);
                sim.cpus[CPU1].hw.hold(LockId::rq(CPU0));
            }),
            ("is queued on cpu 1, not its own", |sim| {
                sim.rqs[CPU1].rt.damaged().0.push(TaskId::new(2))
            }),
            ("is queued 0 times", |sim| {
                sim.rqs[CPU0].rt.damaged().0.retain(|task| *task != TaskId::new(2));
                *sim.rqs[CPU0].damaged_nr_running() -= 1;
            }),
            ("works at a pace of 74 %, not 100", |sim| sim.cpus[CPU0].hw.work(sim.now, 74)),
            ("runs on 2 CPUs", |sim| sim.rqs[CPU1].curr = Some(TaskId::new(0))),
            ("without on_cpu", |sim| sim.tasks[TaskId::new(0)].on_cpu = false),
            ("is on a wake-list but not waking", |sim| {
                sim.cpus[CPU1].wakelist.push(TaskId::new(2))
            }),
            ("counts 3 tasks and queues 2", |sim| *sim.rqs[CPU0].damaged_nr_running() += 1),
            ("out of order", |sim| sim.rqs[CPU0].rt.damaged().0.reverse()),
            ("the running task 0 is pushable", |sim| {
                sim.rqs[CPU0].rt.damaged().1.insert(0, TaskId::new(0))
            }),
            ("pinned task 2 is pushable", |sim| sim.tasks[TaskId::new(2)].migratory = false),
            ("its definition says true", |sim| *sim.rqs[CPU0].rt.damaged().3 = false),
            ("rto_mask disagrees", |sim| sim.rd_mut(CPU0).damaged_rto().0.clear(CPU0)),
            ("rto_count is 2", |sim| *sim.rd_mut(CPU0).damaged_rto().1 = 2),
            ("highest_prio is not", |sim| sim.tasks[TaskId::new(2)].prio += 1),
            ("cpupri is stale", |sim| assert!(sim.rd_mut(CPU0).cpupri.set(CPU1, 4).is_some())),
            ("a CPU of another one in rto_mask", |sim| sim.rd_mut(CPU0).span.clear(CPU0)),
            ("its push work is queued 2 times", |sim| sim.rqs[CPU1].rt.chain.queued = 2),
            ("a push chain that is over goes on", |sim| sim.rqs[CPU1].rt.chain.restart = true),
            ("3 IPIs of the RT push chain", |sim| sim.rd_mut(CPU0).rto.in_flight = 3),
            ("sent, 0 accounted for", |sim| {
                sim.ledger.ipi[1] =
                    crate::account::metrics::IpiCounts { sent: 7, ..Default::default() }
            }),
            ("with interrupts on", |sim| sim.cpus[CPU0].hw.enter_hardirq(0)),
            ("nobody will run its expired timers", |sim| {
                sim.cpus[CPU1].timers.arm(Timer {
                    expiry: 1,
                    kind: TimerKind::Task { task: TaskId::new(2), slack_ns: 0 },
                });
                assert!(sim.cpus[CPU1].timers.fire(2).is_some());
            }),
            ("the hang guard holds its timers for ever", |sim| {
                sim.cpus[CPU1].hrtimer_hang = Some(sim.now);
                sim.queue.clear(1);
            }),
            ("leaves an interrupt pending", |sim| assert!(sim.cpus[CPU0].hw.lines.raise(3, 5))),
            ("accounts for", |sim| sim.cpus[CPU0].damaged_times()[0] += 1),
            ("cpu 1 has a timer of a task that looks for it elsewhere", |sim| {
                sim.cpus[CPU1].timers.arm(Timer {
                    expiry: 1 << 41,
                    kind: TimerKind::Task { task: TaskId::new(2), slack_ns: 0 },
                });
            }),
        ],
    );
}

#[test]
fn a_damaged_hand_off_is_caught() {
    all_are_caught(
        busy,
        Sim::check_laws,
        &[
            ("lock 0 and cpu 1 disagree about the hand-off", |sim| {
                acquire_lock_0(sim, CPU1);
                sim.cpus[CPU1].hw.irq_disable(0);
                sim.cpus[CPU1].hw.spin_for(LockId::rq(CPU0), 0);
            }),
            ("lock 0 is free but awaited", |sim| {
                [CPU1, CPU0].into_iter().for_each(|cpu| acquire_lock_0(sim, cpu));
                // The first release chooses CPU 0, which has not noticed when the second release
                // comes.
                (0..2).for_each(|_| release_lock_0(sim));
            }),
            ("cpu 0 works while it spins", |sim| {
                [CPU1, CPU0].into_iter().for_each(|cpu| acquire_lock_0(sim, cpu));
                [CPU0, CPU1].into_iter().for_each(|cpu| sim.cpus[cpu].hw.irq_disable(0));
                sim.cpus[CPU1].hw.hold(LockId::rq(CPU0));
                sim.cpus[CPU0].hw.spin_for(LockId::rq(CPU0), 0);
            }),
        ],
    );
}

#[test]
fn a_task_that_is_where_it_should_not_be_is_caught() {
    all_are_caught(
        busy,
        Sim::check_laws,
        &[
            ("task 2 is runnable but queued nowhere", |sim| sim.dequeue_task(CPU0, TaskId::new(2))),
            ("task 2 is on cpu 0, which it may not use", |sim| {
                sim.tasks[TaskId::new(2)].cpus = CpuMask::one(CPU1)
            }),
            ("cpu 1: pushable task 2 is not queued", |sim| {
                sim.rqs[CPU1].rt.damaged().1.push(TaskId::new(2))
            }),
            ("cpu 0: 2 migratable tasks, counted 1", |sim| {
                sim.tasks[TaskId::new(0)].migratory = true
            }),
        ],
    );
}

#[test]
fn a_forbidden_deed_stops_the_run() {
    let deeds: &[(&str, Damage)] = &[
        ("releases lock 1, which it does not own", |sim| sim.unlock(CPU0, LockId::rq(CPU1))),
        ("without both locks", |sim| sim.move_task(CPU1, TaskId::new(2), CPU1)),
        ("while cpu 0 is not done with it", |sim| sim.set_task_cpu(CPU1, TaskId::new(0), CPU1)),
        ("enqueued on cpu 1 while it is queued", |sim| {
            sim.enqueue_task(CPU1, TaskId::new(2), Enqueue::Moved)
        }),
        ("task 0 is moved while cpu 0 is not done with it", |sim| {
            sim.move_task(CPU0, TaskId::new(0), CPU1)
        }),
        ("cpu 0 has no stopper", |sim| {
            sim.queue_stop_work(CPU0, Work::Balance { to: CPU1, to_home: false });
        }),
        ("cpu 0 runs user code without a task", |sim| {
            sim.rqs[CPU0].curr = None;
            sim.step_program(CPU0);
        }),
        ("cpu 0 left its idle state for no interrupt", |sim| {
            let mut irq = Irq::wake_up();
            (0..2).for_each(|_| _ = irq.step(sim, CPU0));
        }),
        ("cpu 0 schedules with preempt_count 1", |sim| {
            sim.cpus[CPU0].preempt_disable();
            Schedule::explicit().step(sim, CPU0);
        }),
        ("cpu 0 runs task 2, which another CPU is not done with", |sim| {
            sim.tasks[TaskId::new(2)].on_cpu = true;
            // Task 0 has done its work, and sleeps.
            sim.end_work_at(CPU0, sim.now);
            while sim.fault.is_none() && sim.step(1 << 30) {}
        }),
        ("time runs back to", |sim| {
            sim.now = 1 << 40;
            sim.step(u64::MAX);
        }),
        ("the waterfall of task 0 sums to", |sim| {
            sim.wake_waking(TaskId::new(0), CPU0);
            let wake = sim.tasks[TaskId::new(0)].wake.as_mut().expect("it is being woken");
            wake.stretches.add(0, 1);
            wake.measured = true;
            sim.first_user_instruction(CPU0);
        }),
    ];
    for (expected, deed) in deeds {
        let mut sim = busy();
        deed(&mut sim);
        let fault = sim.fault.clone().expect(expected);
        assert!(fault.contains(expected), "{fault:?} should say {expected:?}");
    }
}

#[test]
fn a_lost_wakeup_and_a_forgotten_home_are_caught_at_rest() {
    let mut sim = busy();
    sim.rqs[CPU0].curr = None;
    assert!(sim.check_quiescent().expect_err("task 0 waits").contains("idles, unflagged"));
    let mut sim = busy();
    *sim.rqs[CPU1].rt.damaged().2 = 80;
    assert!(
        sim.check_quiescent().expect_err("task 2 has a home").contains("runs something weaker")
    );
}
