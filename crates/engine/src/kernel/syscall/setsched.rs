//! Calls by which a task changes its own scheduling: sched_yield, sched_setscheduler,
//! sched_setaffinity, migrate_disable.

use crate::ids::{CpuId, Id, TaskId};
use crate::kernel::core::prio::Balance;
use crate::kernel::core::schedule::Schedule;
use crate::kernel::core::stop::Work;
use crate::kernel::core::task::TaskState;
use crate::kernel::core::wakeup::Ttwu;
use crate::kernel::frame::{Flow, Frame};
use crate::machine::spinlock::LockId;
use crate::machine::topology::CpuMask;
use crate::setup::{Op, Policy, Program};
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// To the end of its list.
    Yield,
    /// Another policy or priority.
    Policy(Policy),
    /// The affinity named by this op of its program.
    Cpus { phase: u32, op: u32 },
    /// Whether the task may leave its CPU.
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
    Queued,
    Wait,
    End,
}

impl Setsched {
    /// About to take the own run queue's lock.
    pub fn new(change: Change) -> Self {
        Self { change, step: Step::Enter }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let Some(task) = sim.rqs[cpu].curr else { return Flow::Done };
        match self.step {
            Step::Enter => {
                sim.irq_disable(cpu);
                self.step = Step::Locked;
                Flow::Lock(LockId::rq(cpu))
            }
            Step::Locked if self.moves() && sim.task(task).sync.moving => {
                // Another change of the task's CPUs came first, and a stopper is about to move the
                // task.
                sim.unlock(cpu, LockId::rq(cpu));
                sim.irq_enable(cpu);
                sim.await_move(task);
                self.step = Step::Enter;
                Flow::Call(Frame::Schedule(Schedule::explicit()))
            }
            Step::Locked => {
                self.step = Step::Apply;
                Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.sched_change_ns))
            }
            Step::Apply => {
                let wanted = self.apply(sim, cpu, task);
                self.step = Step::Callback { wanted };
                Flow::Again
            }
            Step::Callback { wanted } => {
                self.step = Step::Unlock;
                if self.change == Change::Yield {
                    Flow::Again
                } else {
                    sim.balance_callback(cpu, wanted)
                }
            }
            Step::Unlock => self.unlock(sim, cpu, task),
            Step::Queued => {
                sim.irq_enable(cpu);
                self.step = Step::Wait;
                // preempt_enable() in affine_move_task, cond_resched() in stop_one_cpu before: the
                // stopper runs at once.
                let due = sim.cpu(cpu).need_resched.is_some();
                if due { Flow::Call(Frame::Schedule(Schedule::explicit())) } else { Flow::Again }
            }
            Step::Wait if sim.task(task).sync.moving => {
                // wait_for_completion(&pending->done)
                sim.await_move(task);
                Flow::Call(Frame::Schedule(Schedule::explicit()))
            }
            Step::Wait | Step::End => Flow::Done,
        }
    }

    /// Whether the change concerns the CPUs that the task may run on.
    fn moves(&self) -> bool {
        matches!(self.change, Change::Cpus { .. } | Change::Migration { .. })
    }

    fn apply(&self, sim: &mut Sim, cpu: CpuId, task: TaskId) -> Option<Balance> {
        match self.change {
            Change::Yield => sim.yield_task(cpu, task),
            Change::Policy(policy) => return sim.set_policy(cpu, task, policy),
            Change::Cpus { phase, op } => {
                let may_stay = sim.named_cpus(task, phase, op).is_some_and(|cpus| cpus.has(cpu));
                // A task that may not leave its CPU cannot give it up either: EBUSY.
                if let Some(cpus) = sim
                    .named_cpus(task, phase, op)
                    .filter(|_| may_stay || !sim.task(task).sync.migrate_disabled)
                {
                    let running = sim.kernel().pushes_running();
                    // The last mask that was written counts.
                    sim.task_mut(task).sync.cpus_later = None;
                    sim.resettle(cpu, task, (true, true), |task| {
                        task.set_affinity(cpus, task.sync.migrate_disabled, running)
                    });
                }
            }
            Change::Migration { disabled } => {
                let running = sim.kernel().pushes_running();
                let later = if disabled { None } else { sim.task_mut(task).sync.cpus_later.take() };
                sim.resettle(cpu, task, (true, true), |task| {
                    task.set_affinity(later.unwrap_or(task.cpus), disabled, running)
                });
                sim.emit(Kind::MigrateDisable, cpu, task.raw(), u32::from(disabled));
            }
        }
        None
    }

    /// A yield schedules; a task that has changed where it may run, and may no longer run here,
    /// wakes that CPU's stopper, interrupts still off, and waits for it.
    fn unlock(&mut self, sim: &mut Sim, cpu: CpuId, task: TaskId) -> Flow {
        self.step = Step::End;
        // One that a writer has asked to be moved may come by here for something else.
        let stopper = if self.moves() { sim.affine_move(cpu, task) } else { None };
        sim.unlock(cpu, LockId::rq(cpu));
        if let Some(stopper) = stopper {
            self.step = Step::Queued;
            return Flow::Call(Frame::Ttwu(Ttwu::new(stopper)));
        }
        sim.irq_enable(cpu);
        if self.change == Change::Yield {
            Flow::Call(Frame::Schedule(Schedule::explicit()))
        } else {
            Flow::Done
        }
    }
}

impl Sim {
    fn named_cpus(&self, task: TaskId, phase: u32, op: u32) -> Option<CpuMask> {
        let Program::Ops { phases, .. } = &self.setup.tasks[task.place()].program else {
            return None;
        };
        let op = phases.get(phase as usize)?.ops.get(op as usize)?;
        if let Op::SetCpus { cpus } = op { Some(*cpus) } else { None }
    }

    /// `task` sleeps until the stopper has moved it; that is no sample.
    fn await_move(&mut self, task: TaskId) {
        let task = self.task_mut(task);
        task.state = TaskState::Sleeping;
        (task.sync.unsampled, task.sync.awaits_move) = (true, true);
    }

    /// stop_one_cpu(migration_cpu_stop): asks the stopper of `rq`, whose lock is held, to move
    /// `task`, if that may not stay there; the stopper to be woken. `cpu` executes.
    pub(in crate::kernel) fn move_off(
        &mut self,
        cpu: CpuId,
        rq: CpuId,
        task: TaskId,
    ) -> Option<TaskId> {
        let cpus = self.task(task).cpus;
        if cpus.has(rq) {
            return None;
        }
        let to = self.pick_in(&cpus, cpu)?;
        self.task_mut(task).sync.moving = true;
        self.queue_stop_work(rq, Work::Migrate { task, to })
    }

    /// affine_move_task(): hands the stopper of `cpu` its work after `task`, which runs here, has
    /// changed its CPUs or enabled its migration. Returns the stopper to wake for it.
    fn affine_move(&mut self, cpu: CpuId, task: TaskId) -> Option<TaskId> {
        if !self.task(task).cpus.has(cpu) {
            return self.move_off(cpu, cpu, task);
        }
        let due =
            self.task(task).movable && std::mem::take(&mut self.task_mut(task).sync.push_later);
        if due { self.push_running(cpu) } else { None }
    }
}
