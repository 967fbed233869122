//! The system calls on objects: wait, wake, the unlock of a PI mutex, pipes.
//!
//! ```text
//!   wait:  look ─ join ─ (PI: boost the owner) ─ sleep ───► go on        wake:  per task: futex work ─ try_to_wake_up
//! ```

use super::Wait;
use crate::ids::{CpuId, ObjectId, TaskId};
use crate::kernel::core::prio::PiWalk;
use crate::kernel::core::schedule::Schedule;
use crate::kernel::core::task::TaskState;
use crate::kernel::core::wakeup::Ttwu;
use crate::kernel::frame::{Flow, Frame};
use crate::rng::{Purpose, below};
use crate::setup::{Object, Room};
use crate::sim::Sim;

/// A task's operation on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// FUTEX_WAIT, FUTEX_LOCK_PI: sleep unless it has come meanwhile.
    Wait(Wait),
    /// FUTEX_WAKE: wake the tasks that may go on.
    Wake,
    /// wake_up() by kernel code, without futex work.
    Notify,
    /// FUTEX_UNLOCK_PI: hand the mutex to the strongest waiter.
    UnlockPi(ObjectId),
    /// write() of one message.
    Put(ObjectId),
    /// read() of one message.
    Get(ObjectId),
    /// The rest of a read() whose message is taken.
    Received(ObjectId),
}

/// Where such a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectCall {
    deed: Deed,
    step: Step,
    /// preempt_disable() is in force.
    unpreemptible: bool,
    /// The task has waited for a message or for room.
    waited: bool,
    /// Writers that its read lets write, at most.
    lets_go: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Act,
    Boosted,
    Slept,
    Moved,
    Deboosted { next: TaskId, asleep: bool },
    Promoted { next: TaskId, asleep: bool },
    NextWake,
    Wake { task: TaskId },
    Woken,
}

impl ObjectCall {
    /// About to do `deed`.
    pub fn new(deed: Deed) -> Self {
        Self { deed, step: Step::Act, unpreemptible: false, waited: false, lets_go: 0 }
    }

    /// Whether priorities are being set right at this moment: until it ends, the laws about them
    /// may not hold.
    pub fn inherits(&self) -> bool {
        matches!(self.step, Step::Boosted | Step::Deboosted { .. } | Step::Promoted { .. })
    }

    /// Whether the call holds a preempt_count.
    pub fn counts(&self) -> bool {
        self.unpreemptible
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let Some(task) = sim.rqs[cpu].curr else { return Flow::Done };
        match self.step {
            Step::Act => self.act(sim, cpu, task),
            Step::Boosted => {
                sim.irq_enable(cpu);
                // The mutex may have been handed over meanwhile.
                if sim.task(task).sync.waits_on.is_none() {
                    Flow::Done
                } else {
                    self.sleep(sim, task)
                }
            }
            Step::Slept => match self.deed {
                Deed::Put(_) | Deed::Get(_) => {
                    self.step = Step::Act;
                    self.waited = true;
                    Flow::Again
                }
                Deed::Wait(_)
                | Deed::Wake
                | Deed::Notify
                | Deed::UnlockPi(_)
                | Deed::Received(_) => Flow::Done,
            },
            Step::Moved => {
                self.moved(sim, cpu, task);
                self.step = Step::NextWake;
                Flow::Again
            }
            Step::Deboosted { next, asleep } => {
                self.step = Step::Promoted { next, asleep };
                Flow::Call(Frame::PiWalk(PiWalk::new(next)))
            }
            Step::Promoted { next, asleep } => {
                sim.irq_enable(cpu);
                // Not to be preempted by the task that is yet to be woken (rt_mutex_postunlock).
                sim.cpu(cpu).preempt_disable();
                self.unpreemptible = true;
                if asleep {
                    sim.will_wake(task, next);
                }
                self.step = Step::NextWake;
                Flow::Again
            }
            Step::NextWake => self.next_wake(sim, cpu, task),
            Step::Wake { task } => {
                sim.irq_disable(cpu);
                self.step = Step::Woken;
                // wake_up_interruptible_sync_poll() of pipes and sockets.
                let sync = matches!(self.deed, Deed::Put(_) | Deed::Get(_) | Deed::Received(_));
                Flow::Call(Frame::Ttwu(if sync { Ttwu::sync(task) } else { Ttwu::new(task) }))
            }
            Step::Woken => {
                sim.irq_enable(cpu);
                self.step = Step::NextWake;
                Flow::Again
            }
        }
    }

    fn act(&mut self, sim: &mut Sim, cpu: CpuId, task: TaskId) -> Flow {
        match self.deed {
            Deed::Wait(wait) => self.wait(sim, cpu, task, wait),
            Deed::Wake | Deed::Notify => {
                self.step = Step::NextWake;
                Flow::Again
            }
            Deed::UnlockPi(mutex) => self.unlock_pi(sim, cpu, task, mutex),
            Deed::Put(queue) => {
                if sim.must_wait(task, Wait::Room(queue)) {
                    return self.wait(sim, cpu, task, Wait::Room(queue));
                }
                sim.put_message(queue);
                self.move_message(sim, cpu, queue)
            }
            Deed::Get(queue) => {
                if sim.must_wait(task, Wait::Message(queue)) {
                    return self.wait(sim, cpu, task, Wait::Message(queue));
                }
                self.lets_go = sim.take_message(task, queue);
                self.move_message(sim, cpu, queue)
            }
            Deed::Received(queue) => {
                self.lets_go = 1;
                self.move_message(sim, cpu, queue)
            }
        }
    }

    /// The message is written or read: who may go on?
    fn moved(&self, sim: &mut Sim, cpu: CpuId, task: TaskId) {
        let (queue, readers, writers) = match self.deed {
            Deed::Put(queue) => (queue, 1, usize::from(self.waited && sim.next_writer_goes(queue))),
            Deed::Get(queue) | Deed::Received(queue) => (queue, 0, self.lets_go),
            Deed::Wait(_) | Deed::Wake | Deed::Notify | Deed::UnlockPi(_) => return,
        };
        for (most, side) in [(readers, false), (writers, true)] {
            for _ in 0..most {
                let Some(woken) = sim.let_one_go(cpu, queue, side) else { break };
                sim.will_wake(task, woken);
            }
        }
    }

    fn move_message(&mut self, sim: &Sim, cpu: CpuId, queue: ObjectId) -> Flow {
        self.step = Step::Moved;
        let socket = matches!(sim.object_kind(queue), Object::Queue { room: Room::Quarter, .. });
        let costs = &sim.setup.machine.costs;
        Flow::Spend(sim.cost(cpu, if socket { costs.socket_ns } else { costs.pipe_ns }))
    }

    /// Look, join, sleep: one instant, except for the boost in between, after which the task looks
    /// again.
    fn wait(&mut self, sim: &mut Sim, cpu: CpuId, task: TaskId, wait: Wait) -> Flow {
        if !sim.must_wait(task, wait) {
            return Flow::Done;
        }
        // A task that waits for a signal joined before it released the mutex.
        if !matches!(wait, Wait::Cond(_)) {
            sim.join(cpu, task, wait);
        }
        if let Wait::Mutex(mutex) = wait
            && sim.is_pi(mutex)
        {
            let owner = sim.object(mutex).owner();
            sim.irq_disable(cpu);
            self.step = Step::Boosted;
            return owner
                .map_or(Flow::Again, |owner| Flow::Call(Frame::PiWalk(PiWalk::new(owner))));
        }
        self.sleep(sim, task)
    }

    fn sleep(&mut self, sim: &mut Sim, task: TaskId) -> Flow {
        sim.task_mut(task).state = TaskState::Sleeping;
        sim.end_activation(task);
        self.step = Step::Slept;
        Flow::Call(Frame::Schedule(Schedule::explicit()))
    }

    /// The strongest waiter becomes the owner; then the old owner's priority falls, before any
    /// waiter is woken.
    fn unlock_pi(&mut self, sim: &mut Sim, cpu: CpuId, task: TaskId, mutex: ObjectId) -> Flow {
        sim.task_mut(task).sync.owned.retain(|owned| *owned != mutex);
        let next = sim.let_one_go(cpu, mutex, false);
        sim.own_mutex(cpu, mutex, next);
        let Some(next) = next else { return Flow::Done };
        sim.task_mut(next).sync.owned.push(mutex);
        sim.irq_disable(cpu);
        // One that was still lending its priority finds itself the owner, and may sleep for
        // something else by the time it is woken.
        let asleep = sim.task(next).state == TaskState::Sleeping;
        self.step = Step::Deboosted { next, asleep };
        Flow::Call(Frame::PiWalk(PiWalk::new(task)))
    }

    fn next_wake(&mut self, sim: &mut Sim, cpu: CpuId, waker: TaskId) -> Flow {
        let Some(task) = sim.task_mut(waker).sync.wake_q.pop_front() else {
            if std::mem::take(&mut self.unpreemptible) {
                sim.cpu(cpu).preempt_enable();
            }
            return Flow::Done;
        };
        self.step = Step::Wake { task };
        let futex = matches!(self.deed, Deed::Wait(_) | Deed::Wake | Deed::UnlockPi(_));
        if !futex { Flow::Again } else { Flow::Spend(sim.futex_wake_ns(waker)) }
    }
}

impl Sim {
    /// Futex work of one wake-up: a keyed draw (docs/model/programs.md#shared-objects).
    fn futex_wake_ns(&mut self, waker: TaskId) -> u64 {
        let (min, max) = (
            self.setup.machine.costs.futex_wake_min_ns,
            self.setup.machine.costs.futex_wake_max_ns,
        );
        let paid = &mut self.tasks[waker].sync.wakes_paid;
        let n = *paid;
        *paid += 1;
        u64::from(min)
            + below(
                self.setup.seed,
                Purpose::FutexWake,
                u64::from(waker),
                n,
                u64::from(max.saturating_sub(min)) + 1,
            )
    }
}
