//! try_to_wake_up(): choose a CPU, then enqueue there directly or through its wake-list
//! (docs/model/wake-ups.md#try-to-wake-up).
//!
//! p->pi_lock is no lock object here: a sleeping task has one waker at a time, so no CPU could wait
//! for that lock. Up to 2.6.39 the run-queue lock of the task's last CPU had its role
//! (docs/model/wake-ups.md#try-to-wake-up): a wake-up that moves a task takes two run-queue locks
//! there, one after the other.

use super::task::TaskState;
use crate::account::latency::Phase;
use crate::ids::{CpuId, TaskId};
use crate::kernel::config::{TtwuOnCpu, TtwuQueue};
use crate::kernel::fair::{Enqueue, WakeFlags};
use crate::kernel::frame::{Flow, Frame};
use crate::kernel::rt::push::Push;
use crate::machine::ipi::{CALL_FUNCTION_SINGLE, RESCHEDULE};
use crate::machine::spinlock::LockId;
use crate::machine::topology::Distance;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// Where try_to_wake_up(task) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ttwu {
    task: TaskId,
    target: CpuId,
    flags: WakeFlags,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Old,
    OnCpu,
    Locked,
    /// The lock and the work after it were one piece.
    Worked,
    Activate,
    Unlock,
    StillQueued,
}

impl Ttwu {
    /// About to wake `task`.
    pub fn new(task: TaskId) -> Self {
        Self { task, target: CpuId::FIRST, flags: WakeFlags::Ttwu, step: Step::Start }
    }

    /// About to wake `task`; the waker will sleep soon.
    pub fn sync(task: TaskId) -> Self {
        Self { flags: WakeFlags::Sync, ..Self::new(task) }
    }

    /// The task to wake.
    pub fn task(&self) -> TaskId {
        self.task
    }

    /// Next step on `cpu`, the waker's.
    #[inline]
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Start => self.start(sim, cpu),
            Step::Old => self.old_locked(sim, cpu),
            Step::OnCpu => {
                if sim.task(self.task).on_cpu {
                    return Flow::Block;
                }
                self.select(sim, cpu)
            }
            Step::Locked => {
                sim.update_rq_clock(self.target);
                self.step = Step::Activate;
                Flow::Spend(sim.ttwu_ns(cpu, self.target))
            }
            Step::Worked => {
                sim.update_rq_clock_before(self.target, sim.ttwu_ns(cpu, self.target));
                sim.count_pieces(1);
                self.step = Step::Activate;
                self.step(sim, cpu)
            }
            Step::Activate => {
                self.step = Step::Unlock;
                let how = match self.flags {
                    WakeFlags::Sync => Enqueue::Sync,
                    WakeFlags::Fork | WakeFlags::Ttwu => Enqueue::Wakeup,
                };
                if sim.activate(cpu, self.target, self.task, how) {
                    Flow::Call(Frame::Push(Push::new(self.target)))
                } else {
                    Flow::Again
                }
            }
            Step::Unlock => {
                sim.unlock(cpu, LockId::rq(self.target));
                Flow::Done
            }
            Step::StillQueued => self.still_queued(sim, cpu),
        }
    }

    /// See [`Sim::take_apart`]; the work ends at `until`.
    pub(crate) fn take_apart(&mut self, sim: &mut Sim, cpu: CpuId, until: u64) {
        if self.step == Step::Worked {
            let locked = until - sim.ttwu_ns(cpu, self.target);
            self.step = Step::Locked;
            if sim.piece_is_over(cpu, locked) {
                sim.rqs[self.target].clock = locked;
                self.step = Step::Activate;
            }
        }
    }

    fn start(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let task = sim.task(self.task);
        if task.state != TaskState::Sleeping {
            return Flow::Done;
        }
        let (from, on_rq, on_cpu, delayed) = (task.cpu, task.on_rq, task.on_cpu, task.se.delayed);
        sim.emit(Kind::SchedWaking, cpu, self.task.raw(), from.raw());
        sim.wake_waking(self.task, cpu);
        if sim.kernel().ttwu_on_cpu().locks_old_cpu() {
            self.target = from;
            self.step = Step::Old;
            return Flow::Lock(LockId::rq(from));
        }
        if on_rq && from == cpu {
            // The task is the interrupted one itself, on its way to sleep: no lock needed
            // (docs/model/wake-ups.md#try-to-wake-up).
            sim.task_mut(self.task).state = TaskState::Runnable;
            sim.ledger.wakeups.still_queued += 1;
            sim.emit(Kind::SchedWakeup, cpu, self.task.raw(), cpu.raw());
            sim.wake_phase(self.task, Phase::Switching, cpu);
            return Flow::Done;
        }
        if on_rq || delayed {
            self.target = from;
            self.step = Step::StillQueued;
            return Flow::Lock(LockId::rq(from));
        }
        sim.task_mut(self.task).state = TaskState::Waking;
        if on_cpu && !sim.wakelist_wanted_on_cpu(cpu, from, self.task) {
            sim.task_mut(self.task).on_cpu_waiter = Some(cpu);
            self.step = Step::OnCpu;
            return Flow::Block;
        }
        if on_cpu {
            sim.queue_wakelist(cpu, from, self.task);
            return Flow::Done;
        }
        self.select(sim, cpu)
    }

    /// task_rq_lock() of old: while the CPU it slept on switches away from the task, that lock is
    /// held; a task found in the middle of it, where balancing released the lock, stays where it
    /// is.
    fn old_locked(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let task = sim.task(self.task);
        if task.on_rq || task.se.delayed {
            return self.still_queued(sim, cpu);
        }
        let old = self.target;
        let found = if task.on_cpu { old } else { sim.select_task_rq(self.task, cpu, self.flags) };
        sim.task_mut(self.task).state = TaskState::Waking;
        sim.set_task_cpu(cpu, self.task, found);
        if found == old {
            sim.count_wakeup(cpu, old);
            sim.update_rq_clock(old);
            self.step = Step::Activate;
            return Flow::Spend(sim.ttwu_ns(cpu, old));
        }
        sim.unlock(cpu, LockId::rq(old));
        self.place(sim, cpu, found)
    }

    /// The task was about to sleep but is still on its rq: with that lock held, it need not be
    /// enqueued.
    fn still_queued(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        if sim.task(self.task).se.delayed {
            // ttwu_runnable(): it never left its queue, so it is not moved (6.12 on).
            sim.ledger.wakeups.still_queued += 1;
            sim.update_rq_clock(self.target);
            self.step = Step::Activate;
            return Flow::Spend(sim.ttwu_ns(cpu, self.target));
        }
        if sim.task(self.task).on_rq {
            sim.task_mut(self.task).state = TaskState::Runnable;
            sim.ledger.wakeups.still_queued += 1;
            sim.emit(Kind::SchedWakeup, cpu, self.task.raw(), self.target.raw());
            sim.wake_phase(self.task, Phase::Queued, self.target);
            self.step = Step::Unlock;
            return Flow::Again;
        }
        sim.unlock(cpu, LockId::rq(self.target));
        sim.task_mut(self.task).state = TaskState::Waking;
        sim.task_mut(self.task).on_cpu_waiter = Some(cpu);
        self.step = Step::OnCpu;
        Flow::Again
    }

    fn select(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        sim.task_mut(self.task).on_cpu_waiter = None;
        let found = sim.select_task_rq(self.task, cpu, self.flags);
        sim.set_task_cpu(cpu, self.task, found);
        self.place(sim, cpu, found)
    }

    fn place(&mut self, sim: &mut Sim, cpu: CpuId, target: CpuId) -> Flow {
        self.target = target;
        if sim.wakelist_wanted(cpu, target, self.task) {
            sim.queue_wakelist(cpu, target, self.task);
            return Flow::Done;
        }
        sim.count_wakeup(cpu, target);
        let one = sim.works_with_rq(cpu, LockId::rq(target), sim.ttwu_ns(cpu, target));
        self.step = if one { Step::Worked } else { Step::Locked };
        Flow::Lock(LockId::rq(target))
    }
}

impl Sim {
    fn count_wakeup(&mut self, cpu: CpuId, target: CpuId) {
        let paths = &mut self.ledger.wakeups;
        let path = if target == cpu { &mut paths.local } else { &mut paths.remote_direct };
        *path += 1;
    }

    /// try_to_wake_up()'s section with the rq lock held, ns.
    pub(crate) fn ttwu_ns(&self, waker: CpuId, target: CpuId) -> u64 {
        let machine = &self.setup.machine;
        let ns = match machine.topology.distance(waker, target) {
            Distance::Same => machine.costs.ttwu_local_ns,
            Distance::Llc => machine.costs.ttwu_remote_llc_ns,
            Distance::Cross => machine.costs.ttwu_remote_cross_ns,
        };
        self.cost(waker, ns)
    }

    /// Moves a task that is on no run queue to `target`.
    pub(crate) fn set_task_cpu(&mut self, cpu: CpuId, task: TaskId, target: CpuId) {
        let from = self.task(task).cpu;
        if from != target {
            self.law(!self.task(task).on_cpu, || {
                format!("task {task} changes to cpu {target} while cpu {from} is not done with it")
            });
            self.migrate_task_rq(task, from, target);
            self.task_mut(task).cpu = target;
            self.note_roaming_moved(task);
            self.ledger.migrations += 1;
            self.emit(Kind::MigrateTask, cpu, task.raw(), target.raw());
        }
    }

    /// Enqueues `task` on the locked rq `target`, whose clock was read when the lock was had, lets
    /// it preempt, and says whether task_woken wants a push loop. A wake-list forgets which of its
    /// wake-ups are synchronous.
    pub(crate) fn activate(
        &mut self,
        cpu: CpuId,
        target: CpuId,
        task: TaskId,
        how: Enqueue,
    ) -> bool {
        self.end_idle_stamp(target);
        // A task that never left its queue comes back without enqueue_entity(), which would charge
        // the running task.
        if !self.task(task).se.delayed {
            self.update_fair_curr(cpu, target, task);
        }
        self.enqueue_task(target, task, how);
        if !self.kernel().nohz_full.is_empty() {
            self.full_tick_dependency(cpu, target);
        }
        self.task_mut(task).state = TaskState::Runnable;
        self.check_preempt_curr(cpu, target, task, how);
        self.emit(Kind::SchedWakeup, cpu, task.raw(), target.raw());
        self.wake_phase(task, Phase::Queued, target);
        self.task_woken_wants_push(target, task)
    }

    /// Whether the wake-up of `task` from `cpu` goes to `target`'s wake-list
    /// (docs/model/wake-ups.md#wake-list).
    fn wakelist_wanted(&self, cpu: CpuId, target: CpuId, task: TaskId) -> bool {
        let distance = self.setup.machine.topology.distance(cpu, target);
        if distance == Distance::Same {
            return false;
        }
        match self.kernel().ttwu_queue() {
            TtwuQueue::Off => false,
            TtwuQueue::AllRemote => true,
            TtwuQueue::CrossLlc => distance == Distance::Cross,
            TtwuQueue::CrossLlcCall => {
                distance == Distance::Cross && self.task(task).cpus.has(target)
            }
            TtwuQueue::CrossLlcOrIdle => {
                let allowed = self.task(task).cpus.has(target);
                let idle = || self.rqs[target].nr_running() == 0;
                let spared = self.task(task).class().row().is_kept_off_wake_lists;
                !(spared && self.kernel().stoppers_skip_wake_list())
                    && allowed
                    && (distance == Distance::Cross || (distance == Distance::Llc && idle()))
            }
        }
    }

    /// Whether the wake-list is wanted while `task` is still being switched out on `target`, see
    /// [`TtwuOnCpu`].
    fn wakelist_wanted_on_cpu(&self, cpu: CpuId, target: CpuId, task: TaskId) -> bool {
        let distance = self.setup.machine.topology.distance(cpu, target);
        match self.kernel().ttwu_on_cpu() {
            TtwuOnCpu::OldLock | TtwuOnCpu::Spin => false,
            TtwuOnCpu::WfOnCpu => {
                let alone = self.rqs[target].nr_running() <= 1;
                self.kernel().ttwu_queue().has_wakelist()
                    && self.task(task).cpus.has(target)
                    && (distance == Distance::Cross || alone)
            }
            TtwuOnCpu::AnyRule => self.wakelist_wanted(cpu, target, task),
        }
    }

    /// Puts `task` on `target`'s wake-list; only the first of a batch sends an IPI, and a polling
    /// CPU needs none.
    fn queue_wakelist(&mut self, cpu: CpuId, target: CpuId, task: TaskId) {
        let first = self.cpu(target).wakelist.is_empty();
        let vector = self.wakelist_vector();
        let listed = self.kernel().has_one_call_list() && vector == CALL_FUNCTION_SINGLE;
        self.ledger.wakeups.wake_list += 1;
        self.ledger.ipi[vector].elided_list += u64::from(!first && !listed);
        self.cpu(target).wakelist.push(task);
        self.emit(Kind::WakelistQueue, cpu, task.raw(), target.raw());
        self.wake_phase(task, Phase::Listed, target);
        if listed {
            self.call_single(cpu, target);
        } else if first {
            self.kick(cpu, target, vector, true);
        }
    }

    /// Whether wake-ups on `cpu`'s list are there for it to take; from 5.8 on those that came with
    /// the calls it has taken.
    pub(crate) fn has_wakeups(&self, cpu: CpuId) -> bool {
        let state = &self.cpus[cpu];
        let with_calls =
            self.kernel().has_one_call_list() && self.wakelist_vector() == CALL_FUNCTION_SINGLE;
        !state.draining.is_empty() || (!with_calls && !state.wakelist.is_empty())
    }

    /// The rule of the wake-list this kernel was compiled with.
    pub(crate) fn ttwu_rule(&self) -> TtwuQueue {
        self.ttwu_compiled.unwrap_or_else(|| self.kernel().ttwu_rule())
    }

    /// The IPI the wake-list travels on. The code that is compiled in decides: the bit may be
    /// written while messages are under way.
    pub(crate) fn wakelist_vector(&self) -> usize {
        if self.ttwu_rule().by_call() { CALL_FUNCTION_SINGLE } else { RESCHEDULE }
    }
}

#[cfg(test)]
mod tests;
