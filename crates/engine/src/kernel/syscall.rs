//! The system calls of a workload: entry, the requested work, exit. Kernel mode, interrupts on.

/// Long system calls, sections with preemption or interrupts off.
pub mod kernel_work;
/// Writes from outside to a task or a group of the running kernel.
pub mod live;
/// Mutexes, conditions, barriers and the rest that tasks share.
pub mod objects;
/// sched_yield, sched_setscheduler, sched_setaffinity, migrate_disable.
pub mod setsched;

use super::frame::{Flow, Frame};
use crate::ids::{CpuId, TaskId};
use crate::kernel::core::schedule::Schedule;
use crate::kernel::core::task::TaskState;
use crate::kernel::hrtimer::{Timer, TimerKind};
use crate::kernel::syscall::kernel_work::KernelWork;
use crate::kernel::syscall::objects::call::{Deed, ObjectCall};
use crate::kernel::syscall::objects::fork::Fork;
use crate::kernel::syscall::setsched::{Change, Setsched};
use crate::rng::{Purpose, below};
use crate::sim::Sim;

/// Default timer slack of a fair task, in ns (docs/model/time.md#timer-slack, recalled); RT tasks
/// have none.
pub const TIMER_SLACK_NS: u32 = 50_000;

/// The task's request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// clock_nanosleep to this absolute time.
    SleepUntil(u64),
    /// Sleep this long from the moment the kernel arms the timer.
    SleepFor(u64),
    WaitDevice,
    /// Work in the kernel, also that of a page fault, which is no system call.
    Work(KernelWork),
    /// rseq_slice_yield().
    SliceYield,
    Object(Deed),
    /// Start that task.
    Fork(TaskId),
    /// A change of its own scheduling.
    Change(Change),
    /// Never come back.
    Exit,
}

/// Where a system call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Syscall {
    call: Call,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Enter,
    EndSlice,
    Block,
    Worked,
    Leave,
    End,
}

impl Syscall {
    /// About to enter the kernel.
    pub fn new(call: Call) -> Self {
        Self { call, step: Step::Enter }
    }
    /// Already blocked: the stack of a task that starts out asleep.
    pub fn blocked(call: Call) -> Self {
        Self { call, step: Step::Leave }
    }

    #[inline]
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Enter => {
                let ends_slice = !self.is_fault() && sim.has_slice_extension(cpu);
                self.step = if ends_slice { Step::EndSlice } else { Step::Block };
                let sleeps = matches!(self.call, Call::SleepUntil(_) | Call::SleepFor(_));
                sim.draw_costs(cpu);
                let costs = &sim.setup.machine.costs;
                let entry_ns = if sleeps { costs.syscall_entry_ns } else { costs.call_entry_ns };
                Flow::Spend(sim.cost(cpu, entry_ns))
            }
            Step::EndSlice => {
                self.step = Step::Block;
                let point = sim.leaves_slice_extension(cpu, self.call == Call::SliceYield);
                point.map_or(Flow::Again, |point| Flow::Call(Frame::Schedule(Schedule::at(point))))
            }
            Step::Block => self.block(sim, cpu),
            Step::Worked => {
                self.step = Step::Leave;
                let sleep =
                    sim.rqs[cpu].curr.and_then(|task| sim.task_mut(task).sleeps_after.take());
                sleep.map_or(Flow::Again, |ns| {
                    let due = sim.now.saturating_add(ns.max(1));
                    Self::sleep(sim, cpu, Some(due), TaskState::Sleeping)
                })
            }
            Step::Leave => {
                self.step = Step::End;
                let exit_ns = sim.cost(cpu, sim.setup.machine.costs.syscall_exit_ns);
                Flow::Spend(exit_ns)
            }
            Step::End => {
                let state = sim.cpu(cpu);
                state.returning = true;
                state.user_irq = self.is_fault();
                Flow::Done
            }
        }
    }

    fn is_fault(&self) -> bool {
        matches!(self.call, Call::Work(work) if work.is_fault())
    }

    fn block(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        self.step = Step::Leave;
        let due = match self.call {
            Call::Work(work) => {
                self.step = Step::Worked;
                return Flow::Call(Frame::KernelWork(work));
            }
            Call::Object(deed) => return Flow::Call(Frame::Object(ObjectCall::new(deed))),
            Call::Fork(child) => return Flow::Call(Frame::Fork(Fork::new(child))),
            Call::Change(change) => return Flow::Call(Frame::Setsched(Setsched::new(change))),
            Call::SliceYield => return Flow::Again,
            Call::SleepUntil(due) => Some(due),
            Call::SleepFor(ns) => Some(sim.now.saturating_add(ns)),
            Call::WaitDevice | Call::Exit => None,
        };
        let task = sim.rqs[cpu].curr.expect("a system call is made by the running task");
        if due.is_some_and(|due| due <= sim.now) {
            sim.missed_sleep(task);
            return Flow::Again;
        }
        Self::sleep(
            sim,
            cpu,
            due,
            if self.call == Call::Exit { TaskState::Dead } else { TaskState::Sleeping },
        )
    }

    fn sleep(sim: &mut Sim, cpu: CpuId, due: Option<u64>, state: TaskState) -> Flow {
        let task = sim.rqs[cpu].curr.expect("a system call is made by the running task");
        sim.end_in_vain(task);
        sim.task_mut(task).state = state;
        if let Some(due) = due {
            sim.arm_sleep(cpu, task, due);
        }
        sim.end_activation(task);
        Flow::Call(Frame::Schedule(Schedule::explicit()))
    }
}

impl Sim {
    /// Arms `task`'s sleep timer on `cpu`; a fair task's may be late by its slack.
    pub(crate) fn arm_sleep(&mut self, cpu: CpuId, task: TaskId, due: u64) {
        let slack_ns = match self.setup.machine.costs.timer_jitter_ns {
            _ if !self.task(task).policy.class().row().has_timer_slack => 0,
            0 => TIMER_SLACK_NS,
            jitter => below(
                self.setup.seed,
                Purpose::TimerJitter,
                u64::from(task),
                due,
                2 * u64::from(jitter),
            ) as u32,
        };
        let expiry = due.saturating_add(u64::from(slack_ns));
        self.task_mut(task).timer_on = cpu;
        self.cpu(cpu).timers.arm(Timer { expiry, kind: TimerKind::Task { task, slack_ns } });
        self.arm_device(cpu);
    }
}
