//! Writes from outside the simulation to a task or a group of the running kernel:
//! sched_setaffinity(), sched_setscheduler() and set_user_nice(), cpu.weight, a signal that ends a
//! sleep.
//!
//! ```text
//!   Run::write ─► timer of the CPU the task is on ─► interrupt: task_rq_lock ─ dequeue, change, enqueue ─ stopper, push or pull
//! ```
//! The simulation has no writer task, so the write is an interrupt with the cost of the change. A
//! write waits while its task is between two queues or waits for a stopper, as task_rq_lock() and
//! affine_move_task() wait.

use std::sync::Arc;

use crate::ids::{CpuId, GroupId, Id, TaskId};
use crate::kernel::core::double_lock::DoubleLocking;
use crate::kernel::core::prio::{Balance, PiWalk};
use crate::kernel::core::task::{Task, TaskState};
use crate::kernel::core::wakeup::Ttwu;
use crate::kernel::fair::Enqueue;
use crate::kernel::frame::{Flow, Frame};
use crate::kernel::hrtimer::{Timer, TimerKind};
use crate::machine::spinlock::LockId;
use crate::machine::topology::{CpuMask, Distance};
use crate::setup::Policy;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;
use crate::trace::codes::LiveWrite;

/// How long a write waits for a task that is on its way, before it looks again, ns.
const RETRY_NS: u64 = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// sched_setaffinity().
    Cpus { task: TaskId, cpus: CpuMask },
    /// sched_setscheduler(), or set_user_nice().
    Policy { task: TaskId, policy: Policy },
    /// A signal ends the task's sleep before its timer does.
    Wake { task: TaskId },
    /// cpu.weight, in shares.
    Weight { group: GroupId, shares: u32 },
}

impl Write {
    /// The task whose place or policy it changes.
    fn task_changed(self) -> Option<TaskId> {
        match self {
            Self::Cpus { task, .. } | Self::Policy { task, .. } => Some(task),
            Self::Wake { .. } | Self::Weight { .. } => None,
        }
    }

    /// The code in column `b` of [`Kind::LiveChange`].
    fn code(self) -> LiveWrite {
        match self {
            Self::Cpus { .. } => LiveWrite::Affinity,
            Self::Policy { .. } => LiveWrite::Policy,
            Self::Weight { .. } => LiveWrite::Weight,
            Self::Wake { .. } => LiveWrite::Signal,
        }
    }
}

/// The writes to a run, in order.
#[derive(Clone, Debug, Default)]
pub struct Writes {
    all: Vec<Write>,
    /// Changes of tasks that are not made yet, by number: the next one to the same task waits, or
    /// it would be undone by the earlier.
    open: Vec<u32>,
}

impl Writes {
    fn add(&mut self, write: Write) -> u32 {
        let nth = self.all.len() as u32;
        self.all.push(write);
        if write.task_changed().is_some() {
            self.open.push(nth);
        }
        nth
    }

    fn get(&self, nth: u32) -> Option<Write> {
        self.all.get(nth as usize).copied()
    }

    fn retire(&mut self, nth: u32) {
        self.open.retain(|other| *other != nth);
    }

    /// Whether a change of `task` that was written before `nth` is not made yet.
    fn has_earlier(&self, nth: u32, task: TaskId) -> bool {
        self.open
            .iter()
            .any(|other| *other < nth && self.all[*other as usize].task_changed() == Some(task))
    }
}

/// Where the write with this number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveChange {
    nth: u32,
    /// Where a task that waits goes; the CPU whose queue has its turn.
    target: CpuId,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Locked,
    Both,
    Apply { moves: bool },
    Callback { wanted: Option<Balance>, stopper: Option<TaskId> },
    Unlock { stopper: Option<TaskId> },
    Inherit,
    NextQueue,
    QueueLocked,
    End,
}

impl LiveChange {
    /// About to carry out write `nth`.
    pub fn new(nth: u32) -> Self {
        Self { nth, target: CpuId::FIRST, step: Step::Start }
    }

    /// The stopper it has given work and is about to wake.
    pub fn stopper(&self) -> Option<TaskId> {
        match self.step {
            Step::Callback { stopper, .. } | Step::Unlock { stopper } => stopper,
            Step::Start
            | Step::Locked
            | Step::Both
            | Step::Apply { .. }
            | Step::Inherit
            | Step::NextQueue
            | Step::QueueLocked
            | Step::End => None,
        }
    }

    /// Next step on `cpu`, interrupts off.
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let Some(write) = sim.writes.get(self.nth) else { return Flow::Done };
        match write {
            Write::Cpus { task, .. } | Write::Policy { task, .. } => {
                self.step_task(sim, cpu, write, task)
            }
            Write::Wake { task } => self.step_wake(sim, cpu, write, task),
            Write::Weight { group, shares } => self.step_weight(sim, cpu, write, (group, shares)),
        }
    }

    fn step_task(&mut self, sim: &mut Sim, cpu: CpuId, write: Write, task: TaskId) -> Flow {
        match self.step {
            Step::Start if sim.task(task).state == TaskState::Dead => {
                sim.writes.retire(self.nth);
                Flow::Done
            }
            Step::Start if !sim.is_settled(task, cpu) || sim.writes.has_earlier(self.nth, task) => {
                sim.try_again(self.nth, task)
            }
            Step::Start => {
                self.step = Step::Locked;
                Flow::Lock(LockId::rq(cpu))
            }
            Step::Locked if !sim.is_settled(task, cpu) => self.give_up(sim, cpu, task),
            Step::Locked => {
                sim.update_rq_clock(cpu);
                let moves = sim.move_of_waiter(write, cpu);
                self.target = moves.unwrap_or(cpu);
                self.step = if moves.is_some() { Step::Both } else { Step::Apply { moves: false } };
                match moves {
                    Some(target) => Flow::Call(Frame::DoubleLock(DoubleLocking::new(cpu, target))),
                    None => Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.sched_change_ns)),
                }
            }
            Step::Both if !sim.is_settled(task, cpu) || !sim.waits_on(task, cpu) => {
                sim.unlock(cpu, LockId::rq(self.target));
                self.step = Step::Locked;
                Flow::Again
            }
            Step::Both => {
                self.step = Step::Apply { moves: true };
                let costs = &sim.setup.machine.costs;
                let near = sim.setup.machine.topology.distance(cpu, self.target) != Distance::Cross;
                let moves = if near { costs.push_llc_ns } else { costs.push_cross_ns };
                Flow::Spend(sim.cost(cpu, costs.sched_change_ns + moves))
            }
            // A waker does not take this lock before it has chosen a queue.
            Step::Apply { moves: false } if !sim.is_settled(task, cpu) => {
                self.give_up(sim, cpu, task)
            }
            Step::Apply { moves } => self.apply(sim, cpu, write, moves),
            Step::Callback { wanted, stopper } => {
                self.step = Step::Unlock { stopper };
                sim.balance_callback(cpu, wanted)
            }
            Step::Unlock { stopper } => {
                self.step = Step::Inherit;
                sim.unlock(cpu, LockId::rq(cpu));
                stopper.map_or(Flow::Again, |stopper| Flow::Call(Frame::Ttwu(Ttwu::new(stopper))))
            }
            Step::Inherit => {
                self.step = Step::End;
                // rt_mutex_adjust_pi(): the owner of the mutex that the task waits for inherits
                // too.
                Flow::Call(Frame::PiWalk(PiWalk::behind(task)))
            }
            Step::End | Step::NextQueue | Step::QueueLocked => Flow::Done,
        }
    }

    fn give_up(&mut self, sim: &mut Sim, cpu: CpuId, task: TaskId) -> Flow {
        sim.unlock(cpu, LockId::rq(cpu));
        sim.try_again(self.nth, task)
    }

    fn apply(&mut self, sim: &mut Sim, cpu: CpuId, write: Write, moves: bool) -> Flow {
        sim.note_write(cpu, write);
        sim.writes.retire(self.nth);
        let (wanted, stopper) = match write {
            Write::Policy { task, policy } => (sim.set_policy(cpu, task, policy), None),
            Write::Cpus { task, cpus } => {
                sim.write_cpus(cpu, task, cpus);
                if moves {
                    sim.move_task(cpu, task, self.target);
                    sim.check_preempt_curr(cpu, self.target, task, Enqueue::Moved);
                    sim.unlock(cpu, LockId::rq(self.target));
                }
                // One that runs where it no longer may is taken off by the stopper.
                let queued_here = sim.task(task).cpu == cpu && sim.task(task).on_rq;
                (None, if queued_here { sim.move_off(cpu, cpu, task) } else { None })
            }
            Write::Wake { .. } | Write::Weight { .. } => (None, None),
        };
        self.step = Step::Callback { wanted, stopper };
        Flow::Again
    }

    /// complete_signal(): the sleep's timer is taken away, and the task woken.
    fn step_wake(&mut self, sim: &mut Sim, cpu: CpuId, write: Write, task: TaskId) -> Flow {
        if self.step != Step::Start {
            return Flow::Done;
        }
        self.step = Step::End;
        if !sim.cancel_sleep(task) {
            return Flow::Done;
        }
        sim.note_write(cpu, write);
        let now = sim.now;
        sim.wake_due(task, cpu, now);
        Flow::Call(Frame::Ttwu(Ttwu::new(task)))
    }

    /// sched_group_set_shares(): queue by queue, the group's entity and those above it get their
    /// new weights.
    fn step_weight(
        &mut self,
        sim: &mut Sim,
        cpu: CpuId,
        write: Write,
        (group, shares): (GroupId, u32),
    ) -> Flow {
        match self.step {
            Step::Start => {
                Arc::make_mut(&mut sim.setup).groups[group.place()].weight = shares;
                sim.note_write(cpu, write);
                self.step = Step::NextQueue;
                Flow::Again
            }
            Step::NextQueue if self.target == sim.rqs.ids().end() => Flow::Done,
            Step::NextQueue => {
                self.step = Step::QueueLocked;
                Flow::Lock(LockId::rq(self.target))
            }
            Step::QueueLocked
            | Step::Locked
            | Step::Both
            | Step::Apply { .. }
            | Step::Callback { .. }
            | Step::Unlock { .. }
            | Step::Inherit
            | Step::End => {
                sim.reweight_above(cpu, self.target, group);
                // The new weights may put another task first.
                sim.refresh(self.target);
                sim.unlock(cpu, LockId::rq(self.target));
                self.target = self.target.next();
                self.step = Step::NextQueue;
                Flow::Again
            }
        }
    }
}

impl Sim {
    /// Hands a write over to the CPU it concerns, which carries it out at once.
    pub(crate) fn hand_over(&mut self, write: Write) {
        let cpu = match write {
            Write::Cpus { task, .. } | Write::Policy { task, .. } | Write::Wake { task } => {
                self.task(task).cpu
            }
            Write::Weight { .. } => CpuId::FIRST,
        };
        let nth = self.writes.add(write);
        self.arm_write(cpu, nth, self.now);
    }

    fn arm_write(&mut self, cpu: CpuId, nth: u32, expiry: u64) {
        self.cpu(cpu).timers.arm(Timer { expiry, kind: TimerKind::LiveChange { nth } });
        self.arm_device(cpu);
    }

    fn try_again(&mut self, nth: u32, task: TaskId) -> Flow {
        let (cpu, expiry) = (self.task(task).cpu, self.now + RETRY_NS);
        self.arm_write(cpu, nth, expiry);
        Flow::Done
    }

    fn note_write(&mut self, cpu: CpuId, write: Write) {
        let of = match write {
            Write::Cpus { task, .. } | Write::Policy { task, .. } | Write::Wake { task } => {
                task.raw()
            }
            Write::Weight { group, .. } => group.raw(),
        };
        self.emit(Kind::LiveChange, cpu, of, write.code() as u32);
    }

    /// Whether the lock of `cpu` is that of the queue of `task`, and no CPU moves or wakes the
    /// task.
    fn is_settled(&self, task: TaskId, cpu: CpuId) -> bool {
        let state = self.task(task);
        state.cpu == cpu
            && state.state != TaskState::Waking
            && state.migrating.is_none()
            && !state.sync.moving
    }

    fn waits_on(&self, task: TaskId, cpu: CpuId) -> bool {
        let state = self.task(task);
        state.on_rq && !state.on_cpu && self.rqs[cpu].curr != Some(task)
    }

    /// move_queued_task(): where a task that waits on `cpu` goes at once, if it may not stay there.
    /// Up to 3.17 the stopper moved those too (commit a15b12ac36ad, 3.18, recalled).
    fn move_of_waiter(&mut self, write: Write, cpu: CpuId) -> Option<CpuId> {
        let Write::Cpus { task, cpus } = write else { return None };
        let goes =
            self.waits_on(task, cpu) && !cpus.has(cpu) && !self.task(task).sync.migrate_disabled;
        let at_once = goes && self.kernel().moves_waiter_at_once();
        if at_once { self.pick_in(&cpus, cpu) } else { None }
    }

    /// set_cpus_allowed_common(): a task keeps its place among its equals (ENQUEUE_RESTORE). One
    /// that may not migrate takes the change with it to its migrate_enable().
    fn write_cpus(&mut self, cpu: CpuId, task: TaskId, cpus: CpuMask) {
        if self.task(task).sync.migrate_disabled {
            self.task_mut(task).sync.cpus_later = Some(cpus);
            return;
        }
        let running = self.kernel().pushes_running();
        let place = self.rqs[cpu].rt.active().iter().position(|other| *other == task);
        self.resettle(cpu, task, (true, cpus.has(cpu)), |task| {
            task.set_affinity(cpus, false, running)
        });
        if let Some(place) = place {
            self.rqs[cpu].rt.restore(task, place);
        }
        self.refresh(cpu);
        self.watch_roaming();
    }

    /// Takes away the timer that `task` sleeps by; whether it sleeps by one that has not fired.
    fn cancel_sleep(&mut self, task: TaskId) -> bool {
        if !self.sleeps_by_timer(task) {
            return false;
        }
        let cpu = self.task(task).timer_on;
        self.take_apart(cpu);
        let armed = self.cpu(cpu).timers.cancel_sleep(task);
        if armed {
            self.arm_device(cpu);
        }
        armed
    }

    /// Whether `task` sleeps until a timer of its own wakes it.
    pub(crate) fn sleeps_by_timer(&self, task: TaskId) -> bool {
        let Task { state, timer_on, .. } = self.task(task);
        *state == TaskState::Sleeping && self.cpus[*timer_on].timers.sleeps(task)
    }
}
