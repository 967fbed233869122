//! What a task changes about itself in the scheduler: sched_yield, sched_setscheduler, sched_setaffinity, migrate_disable.

use super::frame::{Flow, Frame};
use super::preempt::Point;
use super::prio::Balance;
use super::schedule::Schedule;
use super::task::TaskState;
use crate::machine::hrtimer::{Timer, TimerKind};
use crate::machine::topology::CpuMask;
use crate::setup::{Op, Policy, Program};
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// The change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// To the end of its list.
    Yield,
    /// Another policy or priority.
    Policy(Policy),
    /// The affinity named by this op of its program.
    Cpus { phase: u32, op: u32 },
    /// Whether it may leave its CPU.
    Migration { disabled: bool },
}

/// Where the change is: own run-queue lock held, interrupts off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setsched {
    change: Change,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Enter,
    Locked,
    Apply,
    Callback { wanted: Option<Balance> },
    Unlock,
    End,
}

impl Setsched {
    /// About to take the own run queue's lock.
    pub fn new(change: Change) -> Self {
        Self { change, step: Step::Enter }
    }

    /// Next step on `cpu`.
    pub fn step(&mut self, sim: &mut Sim, cpu: u32) -> Flow {
        let Some(task) = sim.rqs[cpu as usize].curr else { return Flow::Done };
        match self.step {
            Step::Enter => {
                sim.irq_disable(cpu);
                self.step = Step::Locked;
                Flow::Lock(cpu)
            }
            Step::Locked => {
                self.step = Step::Apply;
                Flow::Spend(u64::from(sim.setup.machine.costs.sched_change_ns))
            }
            Step::Apply => {
                let wanted = self.apply(sim, cpu, task);
                self.step = Step::Callback { wanted };
                Flow::Again
            }
            Step::Callback { wanted } => {
                self.step = Step::Unlock;
                if self.change == Change::Yield { Flow::Again } else { sim.balance_callback(cpu, wanted) }
            }
            Step::Unlock => self.unlock(sim, cpu, task),
            Step::End => Flow::Done,
        }
    }

    fn apply(&self, sim: &mut Sim, cpu: u32, task: u32) -> Option<Balance> {
        match self.change {
            Change::Yield => sim.yield_task(cpu, task),
            Change::Policy(policy) => {
                sim.task_mut(task).policy = policy;
                sim.task_mut(task).rr_ticks = 0;
                let prio = sim.effective_prio(task);
                return sim.set_prio(cpu, task, prio);
            }
            Change::Cpus { phase, op } => {
                let may_stay = sim.named_cpus(task, phase, op).is_some_and(|cpus| cpus.has(cpu));
                // A task that may not leave its CPU cannot give it up either: EBUSY.
                if let Some(cpus) = sim.named_cpus(task, phase, op).filter(|_| may_stay || !sim.task(task).sync.migrate_disabled) {
                    sim.resettle(cpu, task, true, |task| {
                        task.cpus = cpus;
                        task.movable = cpus.count() > 1 && !task.sync.migrate_disabled;
                    });
                }
            }
            Change::Migration { disabled } => {
                sim.resettle(cpu, task, true, |task| {
                    task.sync.migrate_disabled = disabled;
                    task.movable = task.cpus.count() > 1 && !disabled;
                });
                sim.emit(Kind::MigrateDisable, cpu, task, u32::from(disabled));
            }
        }
        None
    }

    /// A yield schedules; a task on a CPU it may no longer use goes off it with interrupts still disabled.
    fn unlock(&mut self, sim: &mut Sim, cpu: u32, task: u32) -> Flow {
        self.step = Step::End;
        sim.unlock(cpu, cpu);
        if !sim.task(task).cpus.has(cpu) {
            sim.leave_cpu(cpu, task);
            return Flow::Call(Frame::Schedule(Schedule::irqs_off()));
        }
        sim.irq_enable(cpu);
        if self.change == Change::Yield { Flow::Call(Frame::Schedule(Schedule::new(Point::Explicit))) } else { Flow::Done }
    }
}

impl Sim {
    fn named_cpus(&self, task: u32, phase: u32, op: u32) -> Option<CpuMask> {
        let Program::Ops { phases, .. } = &self.setup.tasks[task as usize].program else { return None };
        match phases.get(phase as usize)?.ops.get(op as usize)? {
            Op::SetCpus { cpus } => Some(*cpus),
            _ => None,
        }
    }

    /// yield_task: an RT task to its list's tail, a fair one is passed over once.
    fn yield_task(&mut self, cpu: u32, task: u32) {
        if self.task(task).is_rt() {
            let prio = self.task(task).prio;
            let mut active = std::mem::take(&mut self.rqs[cpu as usize].rt.active);
            active.retain(|other| *other != task);
            let at = active.partition_point(|other| self.task(*other).prio <= prio);
            active.insert(at, task);
            self.rqs[cpu as usize].rt.active = active;
        } else {
            self.update_curr(cpu, cpu);
            self.rqs[cpu as usize].fair.skip = Some(task);
        }
    }

    /// The caller of sched_setaffinity sleeps until the migration thread has moved it. That thread is stood for by a timer that
    /// expires at once: the wake-up then places the task where it may run.
    fn leave_cpu(&mut self, cpu: u32, task: u32) {
        self.task_mut(task).state = TaskState::Sleeping;
        self.task_mut(task).sync.unsampled = true;
        let expiry = self.now;
        self.cpu(cpu).timers.arm(Timer { expiry, kind: TimerKind::Task { task, slack_ns: 0 } });
        self.arm_device(cpu);
    }
}
