//! Wake-ups from any CPU at any instant: the races of try_to_wake_up with schedule() that local
//! timers cannot cause.

use crate::ids::{CpuId, TaskId};
use std::sync::Arc;

use crate::kernel::config::{DoubleLock, Kernel, TtwuOnCpu, TtwuQueue, Version};
use crate::kernel::core::task::TaskState;
use crate::kernel::frame::Frame;
use crate::machine::costs::{Costs, CostsName};
use crate::machine::ipi::DEVICE;
use crate::machine::topology::{CpuMask, Topology};
use crate::named::Named;
use crate::rng::{Purpose, draw};
use crate::setup::{GroupSpec, IdleKind, Machine, Policy, Program, Setup, TaskSpec};
use crate::sim::Sim;
use crate::trace::catalogue::Kind;
use crate::trace::columns::Log;

const CPUS: u32 = 5;
const TASKS: u32 = 9;

fn sim(
    seed: u64,
    ttwu_queue: TtwuQueue,
    (double_lock, ttwu_on_cpu): (DoubleLock, TtwuOnCpu),
    idle: IdleKind,
) -> Sim {
    let costs_name = CostsName::Ticket2012;
    let machine = Machine {
        topology: Topology::new(CPUS, 3),
        costs_name,
        costs: Costs::preset(costs_name),
        idle,
        polls_from_boot: false,
        domains: Vec::new(),
    };
    let tasks = (0..TASKS).map(|task| {
        let rt_priority = 40 + (task % 4) as u8;
        let cpus = if task % 3 == 0 {
            CpuMask::one(CpuId::new(task % CPUS))
        } else {
            CpuMask::first(CPUS)
        };
        let policy =
            if task == 8 { Policy::Fair { nice: 0 } } else { Policy::Fifo { rt_priority } };
        let program = Program::RtNoise { run_ns: 500 * u64::from(task) };
        TaskSpec {
            kind: "woken".to_owned(),
            name: format!("woken.{task}"),
            policy,
            cpus,
            start_ns: 0,
            measured: true,
            group: 0,
            slice_ns: None,
            forked: false,
            program,
        }
    });
    let kernel = Kernel::of_version(Version::parse("3.19").unwrap(), CPUS);
    let kernel = Kernel { ttwu_queue, double_lock, ttwu_on_cpu, ..kernel };
    let setup = Setup {
        seed,
        duration_ns: 1 << 40,
        machine,
        kernel,
        tasks: tasks.collect(),
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
    Sim::new(Arc::new(setup), Log::new(Some((0, u64::MAX)), 1, 0))
}

/// A device interrupt on `cpu` wakes `task`, as another CPU's system call would. One waker at a
/// time, as with pi_lock.
fn wake_from(sim: &mut Sim, cpu: CpuId, task: TaskId) -> bool {
    let wakes = |frame: &Frame| matches!(frame, Frame::Ttwu(ttwu) if ttwu.task == task);
    let asked = sim.cpus.iter().any(|other| {
        other.device_task == Some(task) || other.stack.iter().any(|entry| wakes(&entry.frame))
    });
    let asleep = sim.task(task).state == TaskState::Sleeping && sim.task(task).wake.is_none();
    if asked || !asleep || sim.cpus[cpu].device_task.is_some() {
        return false;
    }
    sim.cpu(cpu).device_task = Some(task);
    sim.raise(cpu, DEVICE);
    sim.interrupt(cpu);
    true
}

#[test]
fn wakeups_race_with_schedule_on_every_path_and_none_is_lost() {
    // Asked while the task was still queued, while it was off its queue but still on its CPU, and
    // asleep.
    let (mut queued, mut on_cpu, mut asleep) = (0, 0, 0);
    for (index, queue) in TtwuQueue::ALL.iter().enumerate() {
        for double_lock in DoubleLock::ALL
            .iter()
            .flat_map(|lock| [(*lock, TtwuOnCpu::OldLock), (*lock, TtwuOnCpu::Spin)])
        {
            for idle in IdleKind::ALL {
                let mut sim = sim(index as u64, *queue, double_lock, *idle);
                let mut woken = 0;
                for n in 0..6_000 {
                    let bits = draw(7, Purpose::NoiseGap, index as u64, n);
                    let (cpu, task) = (
                        CpuId::new((bits % u64::from(CPUS)) as u32),
                        TaskId::new((bits >> 20) as u32 % TASKS),
                    );
                    let (was_queued, was_on_cpu) = (sim.task(task).on_rq, sim.task(task).on_cpu);
                    let asked = (bits >> 50 < 4_000 || was_queued || was_on_cpu)
                        && wake_from(&mut sim, cpu, task);
                    if asked {
                        woken += 1;
                        let count = if was_queued {
                            &mut queued
                        } else if was_on_cpu {
                            &mut on_cpu
                        } else {
                            &mut asleep
                        };
                        *count += 1;
                    }
                    let until = sim.now + 700;
                    if !sim.step(until) {
                        sim.now = until;
                    }
                    assert_eq!(
                        sim.check_laws(),
                        Ok(()),
                        "{queue:?} {double_lock:?} {idle:?} step {n}"
                    );
                    assert_eq!(sim.fault, None, "{queue:?} {double_lock:?} {idle:?} step {n}");
                }
                let end = sim.now + 10_000_000;
                while sim.step(end) {}
                assert_eq!(
                    (sim.check_laws(), sim.fault.clone(), sim.check_quiescent()),
                    (Ok(()), None, Ok(()))
                );
                assert!(
                    sim.roaming.is_empty() && sim.cpus.iter().all(|cpu| cpu.watchers.is_empty()),
                    "no wake-up is watched for ever"
                );
                let finished: u64 = sim.tasks.iter().map(|task| task.stats.wakeups).sum();
                let rows = sim.log.take_trace().kind;
                let count =
                    |kind: Kind| rows.iter().filter(|row| **row == kind as u8).count() as u64;
                let all = (count(Kind::SchedWaking), count(Kind::SchedWakeup), finished);
                assert_eq!(
                    all,
                    (woken, woken, woken),
                    "{queue:?} {double_lock:?} {idle:?}: every wake-up reaches user code"
                );
            }
        }
    }
    assert!(queued > 20 && on_cpu > 20 && asleep > 500, "{queued} {on_cpu} {asleep}");
}
