//! Changes of a task's priority: priority inheritance (rt_mutex_setprio), and the effect of a
//! change on the run queue.
//!
//! ```text
//!   strong ──waits for──► mutex a ──owned by──► middle ──waits for──► mutex b ──owned by──► weak      a walk sets all right
//! ```

use super::preempt::Why;
use super::task::Task;
use crate::ids::{CpuId, GroupId, ObjectId, TaskId};
use crate::kernel::class::{Class, Policy};
use crate::kernel::fair::Enqueue;
use crate::kernel::frame::{Flow, Frame};
use crate::kernel::rt::pull::Pull;
use crate::kernel::rt::push::Push;
use crate::machine::spinlock::LockId;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// The balancing that a change asks of a run queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balance {
    /// Something stronger elsewhere.
    Pull,
    /// A CPU for the waiting task.
    Push,
}

/// The walk that gives a task the priority it inherits, then the owner of the mutex that the task
/// waits for, and so on (rt_mutex_adjust_prio_chain). Interrupts are off throughout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PiWalk {
    task: TaskId,
    rq: CpuId,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Behind,
    Look,
    Locked,
    Set,
    Callback { wanted: Option<Balance> },
    Unlock,
}

impl PiWalk {
    /// About to look at `task`.
    pub fn new(task: TaskId) -> Self {
        Self { task, rq: CpuId::FIRST, step: Step::Look }
    }

    /// About to look at the owner of the mutex that `task` waits for, because the priority of
    /// `task` has changed.
    pub fn behind(task: TaskId) -> Self {
        Self { step: Step::Behind, ..Self::new(task) }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Behind => self.next(sim),
            Step::Look => {
                if sim.effective_prio(self.task) == sim.task(self.task).prio {
                    return Flow::Done;
                }
                self.rq = sim.task(self.task).cpu;
                self.step = Step::Locked;
                Flow::Lock(LockId::rq(self.rq))
            }
            // The task was moved while this CPU waited for the lock, or is being woken: a waker
            // does not take this lock before it has chosen a queue.
            Step::Locked | Step::Set if sim.task(self.task).cpu != self.rq => {
                sim.unlock(cpu, LockId::rq(self.rq));
                self.step = Step::Look;
                Flow::Again
            }
            Step::Locked => {
                self.step = Step::Set;
                Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.sched_change_ns))
            }
            Step::Set => {
                let prio = sim.effective_prio(self.task);
                let wanted = sim.set_prio(cpu, self.task, prio);
                sim.emit(Kind::PiSetprio, cpu, self.task.raw(), u32::from(prio));
                self.step = Step::Callback { wanted };
                Flow::Again
            }
            Step::Callback { wanted } => {
                self.step = Step::Unlock;
                sim.balance_callback(self.rq, wanted)
            }
            Step::Unlock => {
                sim.unlock(cpu, LockId::rq(self.rq));
                self.next(sim)
            }
        }
    }

    /// The place of the task among the waiters of its mutex, and the owner of that mutex.
    fn next(&mut self, sim: &mut Sim) -> Flow {
        let Some(mutex) = sim.blocked_on(self.task).filter(|mutex| sim.is_pi(*mutex)) else {
            return Flow::Done;
        };
        sim.replace_waiter(mutex, self.task);
        let Some(owner) = sim.object(mutex).owner() else { return Flow::Done };
        *self = Self::new(owner);
        Flow::Again
    }
}

impl Sim {
    /// The priority `task` should have: its own, or that of the strongest RT task that waits for a
    /// PI mutex of its. Fair waiters lend nothing: the kernel counts them all alike
    /// (docs/develop/decisions/0009-programs-and-objects.md).
    pub fn effective_prio(&self, task: TaskId) -> u8 {
        self.prio_under(task, self.task(task).policy)
    }

    fn prio_under(&self, task: TaskId, policy: Policy) -> u8 {
        let task = self.task(task);
        let first = |mutex: &ObjectId| {
            let waiter = self.task(self.objects[*mutex].waiters().first()?);
            waiter.row().has_rt_prio.then_some(waiter.prio)
        };
        let inherited = task.sync.owned.iter().filter_map(first).min();
        policy.prio().min(inherited.unwrap_or(u8::MAX))
    }

    /// Gives `task` another priority, with its run queue's lock held. Returns the balancing that
    /// the run queue should then do (docs/model/rt-balancing.md#when-rt-tasks-are-balanced).
    fn set_prio(&mut self, cpu: CpuId, task: TaskId, prio: u8) -> Option<Balance> {
        self.change_prio(cpu, task, prio, |task| task.prio = prio)
    }

    /// __sched_setscheduler(): `task` takes on another policy, with its run queue's lock held. The
    /// queue counts a queued task by its old policy, so the policy changes between dequeue and
    /// enqueue. Setting the present policy again changes nothing, not even the task's place. The
    /// rest of a SCHED_RR slice stays: only the fork and the slice's end set rt.time_slice.
    pub(in crate::kernel) fn set_policy(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        policy: Policy,
    ) -> Option<Balance> {
        if self.task(task).policy == policy {
            return None;
        }
        let prio = self.prio_under(task, policy);
        self.change_prio(cpu, task, prio, |task| (task.policy, task.prio) = (policy, prio))
    }

    fn change_prio(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        prio: u8,
        change: impl FnOnce(&mut Task),
    ) -> Option<Balance> {
        let old = self.task(task).prio;
        self.leave_crowd(task);
        // A priority that is lowered puts the task at the head of its new list (ENQUEUE_HEAD,
        // docs/model/rt-balancing.md#rt-queues).
        let (before, after) = (Class::of_prio(old), Class::of_prio(prio));
        self.resettle(cpu, task, (old < prio, before == after), change);
        let rq = self.task(task).cpu;
        let wanted = self.prio_changed(cpu, rq, task, old);
        self.refresh(rq);
        self.watch_roaming();
        wanted
    }

    /// Takes `task` off its queue, changes it, and puts it back: to the `head` of its equals or to
    /// the tail. One that sleeps there goes on doing so if it `stays`; from a change of its class
    /// on, or where it may not stay, it sleeps elsewhere (commit 98442f0ccd82, 6.12).
    pub(crate) fn resettle(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        (head, stays): (bool, bool),
        change: impl FnOnce(&mut Task),
    ) {
        let rq = self.task(task).cpu;
        self.update_curr(cpu, rq);
        let delayed = self.task(task).se.delayed && stays;
        if self.task(task).se.delayed && !stays {
            self.finish_delayed_dequeue(rq, self.level_of(task));
        }
        let before = self.before_change(rq, task);
        let queued = self.task(task).on_rq;
        let runs = self.rqs[rq].curr == Some(task);
        if queued {
            self.dequeue_task(rq, task);
        } else if delayed {
            self.dequeue_fair(rq, task);
        }
        if queued || delayed {
            self.keep_request(task);
        }
        // A task that has just gone to sleep may still run on its CPU until the switch.
        if runs {
            self.put_prev_task(rq, task);
        }
        change(self.task_mut(task));
        if runs {
            self.note_running_prio(rq);
        }
        self.after_change(rq, task, &before);
        if queued {
            self.requeue(rq, task, head);
        } else if delayed {
            self.enqueue_fair(rq, task, Enqueue::Moved);
            self.set_delayed(rq, self.level_of(task));
        }
        if runs {
            self.set_next_task(rq, Some(task), false);
            if self.task(task).row().under_cfs_bandwidth {
                self.account_put_back(rq, task);
            }
        }
    }

    /// Puts a changed task onto its queue: to the head of its equals or to the tail.
    fn requeue(&mut self, rq: CpuId, task: TaskId, head: bool) {
        self.enqueue_task(rq, task, Enqueue::Moved);
        match self.task(task).class() {
            Class::Rt if head => self.requeue_rt(rq, task, true),
            Class::Stop | Class::Rt | Class::Fair => {}
        }
    }

    /// switched_from, switched_to, prio_changed of the classes: asks for preemption.
    fn prio_changed(&mut self, cpu: CpuId, rq: CpuId, task: TaskId, old: u8) -> Option<Balance> {
        let (prio, queued) = (self.task(task).prio, self.task(task).on_rq);
        if !queued || prio == old {
            None
        } else if self.rqs[rq].curr == Some(task) {
            self.running_prio_changed(cpu, rq, old, prio)
        } else {
            self.waiting_prio_changed(cpu, rq, task, old)
        }
    }

    fn waiting_prio_changed(
        &mut self,
        cpu: CpuId,
        rq: CpuId,
        task: TaskId,
        old: u8,
    ) -> Option<Balance> {
        let (prio, before) = (self.task(task).prio, Class::of_prio(old));
        let class = Class::of_prio(prio);
        match class {
            // Nothing changes a stopper.
            Class::Stop => {}
            Class::Rt => {
                // Anything is stronger than idle.
                if self.rqs[rq].curr.is_none_or(|curr| prio < self.task(curr).prio) {
                    self.resched_curr(cpu, rq, Why::PrioChange);
                }
            }
            // switched_to_fair(), prio_changed_fair(): as if it had just woken.
            Class::Fair => {
                if before != class || !self.spares_alone(rq) {
                    self.check_preempt_curr(cpu, rq, task, Enqueue::Moved);
                }
            }
        }
        let joins =
            before != class && class.row().is_pushed_and_pulled && self.task(task).migratory;
        (joins && self.rqs[rq].rt.is_overloaded()).then_some(Balance::Push)
    }

    fn running_prio_changed(
        &mut self,
        cpu: CpuId,
        rq: CpuId,
        old: u8,
        prio: u8,
    ) -> Option<Balance> {
        let (before, class) = (Class::of_prio(old), Class::of_prio(prio));
        if class.row().under_rt_bandwidth && self.rqs[rq].rt_time.is_throttled() {
            // The task has joined a class that is throttled; the kernel sees that when it next
            // accounts (decisions 0009).
            self.resched_curr(cpu, rq, Why::RtRuntime);
        }
        let beaten = match class {
            Class::Stop => false,
            Class::Rt => self.rqs[rq].rt.highest_curr() < prio,
            // switched_to_fair() compares with no other task.
            Class::Fair => before != class || !self.spares_alone(rq),
        };
        if prio > old && beaten {
            self.resched_curr(cpu, rq, Why::PrioChange);
        }
        // Only a task that runs here lowers its own: another CPU never pulls for it. One that
        // leaves the class pulls if it was the last.
        let pulled = |class: Class| class.row().is_pushed_and_pulled;
        let pulls = pulled(class) || self.rqs[rq].rt.active().is_empty();
        (prio > old && pulled(before) && rq == cpu && pulls).then_some(Balance::Pull)
    }

    /// prio_changed_fair() asks for nothing where the root queue has one entity, be it a group of
    /// many tasks (commit 7c2e8bbd87db, 5.5, recalled; read in 6.1.192 and 6.12.117). Since 7.3 it
    /// has tasks alone.
    fn spares_alone(&self, rq: CpuId) -> bool {
        self.kernel().spares_one_entity() && self.queued_on(rq, GroupId::ROOT) == 1
    }

    /// The balance callbacks a change has queued, own run queue's lock held.
    pub(crate) fn balance_callback(&mut self, rq: CpuId, wanted: Option<Balance>) -> Flow {
        // post_schedule() does the push that the pick of schedule() asked for.
        let queued =
            !self.kernel().has_post_schedule() && std::mem::take(&mut self.rqs[rq].push_callback);
        match wanted.or(queued.then_some(Balance::Push)) {
            Some(Balance::Pull) => Flow::Call(Frame::Pull(Pull::callback(rq))),
            Some(Balance::Push) => Flow::Call(Frame::Push(Push::new(rq))),
            None => Flow::Again,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::invariants::tests::busy;
    use crate::ids::{CPU0, CPU1};

    #[test]
    fn a_task_that_its_waker_moves_meanwhile_changes_only_under_the_lock_of_its_new_queue() {
        let mut sim = busy();
        let task = TaskId::new(2);
        let (was, lock) = (sim.task(task).prio, LockId::rq(CPU1));
        assert!(sim.try_lock(CPU0, lock) && sim.task(task).cpu == CPU0);
        let mut walk = PiWalk { task, rq: CPU1, step: Step::Set };
        sim.tasks[task].prio = was + 1;
        assert_eq!(walk.step(&mut sim, CPU0), Flow::Again);
        assert_eq!((sim.task(task).prio, walk.step), (was + 1, Step::Look));
        assert!(sim.locks[lock].is_free(), "another queue's lock is of no use");
        assert_eq!(walk.step(&mut sim, CPU0), Flow::Lock(LockId::rq(CPU0)));
    }
}
