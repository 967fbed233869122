//! Ops that may put a task to sleep or wake another: the part in user code, and the reasons to
//! enter the kernel.
//!
//! A plain mutex and a semaphore are free for any task when they are released: the woken task tries
//! again in user code, and another may have been faster, as with futexes. The kernel hands over a
//! PI mutex.

use super::{Action, Played, Stage, State};
use crate::ids::{CpuId, ObjectId, TaskId};
use crate::kernel::syscall::Call;
use crate::kernel::syscall::objects::Wait;
use crate::kernel::syscall::objects::call::Deed;
use crate::rng::{Purpose, draw};
use crate::setup::{Object, Op};
use crate::sim::Sim;

fn wait(wait: Wait) -> Action {
    Action::Call(Call::Object(Deed::Wait(wait)))
}

const WAKE: Action = Action::Call(Call::Object(Deed::Wake));

impl Sim {
    #[expect(clippy::wildcard_enum_match_arm, reason = "play() says which ops come here")]
    pub(super) fn play_blocking(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        state: &mut State,
        op: &Op,
    ) -> Played {
        let id = |place: &u32| ObjectId::new(*place);
        match op {
            Op::Lock { mutex } => self.lock(cpu, task, state.stage, id(mutex), Stage::Waiting),
            Op::Unlock { mutex } => {
                self.unlock_mutex(cpu, task, id(mutex)).map_or(Played::Over, Played::Last)
            }
            Op::Wait { cond, mutex } => self.wait_cond(cpu, task, state, id(cond), id(mutex)),
            Op::Sync { cond, mutex } if state.stage == Stage::Begin => {
                match self.signal(cpu, task, id(cond), 1) {
                    Some(action) => Played::Then(Stage::Signalled, action),
                    None => self.wait_cond(cpu, task, state, id(cond), id(mutex)),
                }
            }
            Op::Sync { cond, mutex } => self.wait_cond(cpu, task, state, id(cond), id(mutex)),
            Op::Signal { cond } => {
                self.signal(cpu, task, id(cond), 1).map_or(Played::Over, Played::Last)
            }
            Op::Broadcast { cond } => {
                self.signal(cpu, task, id(cond), usize::MAX).map_or(Played::Over, Played::Last)
            }
            Op::Barrier { barrier, measured, stamp } => {
                self.barrier(cpu, task, state, id(barrier), (*measured, stamp.as_ref().map(id)))
            }
            Op::SemWait { sem } if self.object(id(sem)).count == 0 => {
                Played::Then(Stage::Waiting, wait(Wait::Semaphore(id(sem))))
            }
            Op::SemWait { sem } => {
                self.object(id(sem)).count -= 1;
                Played::Over
            }
            Op::SemPost { sem } => {
                self.give(id(sem));
                self.signal(cpu, task, id(sem), 1).map_or(Played::Over, Played::Last)
            }
            Op::Get { queue, stamp } => {
                self.get(task, state.stage, id(queue), stamp.as_ref().map(id))
            }
            Op::Enlist { list } => {
                self.object(id(list)).list.push(task);
                self.signal(cpu, task, id(list), 1).map_or(Played::Over, Played::Last)
            }
            Op::TakeAll { list } => self.take_all(task, id(list)),
            Op::ResumeAll { stamp } => self.resume_all(cpu, task, state, id(stamp)),
            Op::Resume { task: other } => {
                self.resume(cpu, task, TaskId::new(*other));
                self.wake_those(task).map_or(Played::Over, Played::Last)
            }
            Op::Suspend => {
                if std::mem::take(&mut self.task_mut(task).sync.resumed) {
                    return Played::Over;
                }
                Played::Then(Stage::Waiting, wait(Wait::Resume))
            }
            _ => Played::Over,
        }
    }

    /// The system call that wakes the tasks in question; `None` if there are none.
    fn wake_those(&self, waker: TaskId) -> Option<Action> {
        (!self.task(waker).sync.wake_q.is_empty()).then_some(WAKE)
    }

    /// Takes `mutex` if it is free, or was handed over while the task waited.
    fn lock(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        stage: Stage,
        mutex: ObjectId,
        waiting: Stage,
    ) -> Played {
        let pi = self.is_pi(mutex);
        match self.object(mutex).owner() {
            None => {
                self.own_mutex(cpu, mutex, Some(task));
                if pi {
                    self.task_mut(task).sync.owned.push(mutex);
                }
                Played::Over
            }
            Some(owner) if owner == task && stage == waiting && pi => Played::Over,
            Some(_) => Played::Then(waiting, wait(Wait::Mutex(mutex))),
        }
    }

    /// Releases `mutex`; returns the system call that a release with waiters needs.
    fn unlock_mutex(&mut self, cpu: CpuId, task: TaskId, mutex: ObjectId) -> Option<Action> {
        if self.object(mutex).owner() != Some(task) {
            return None;
        }
        if !self.is_pi(mutex) {
            self.own_mutex(cpu, mutex, None);
            return self.signal(cpu, task, mutex, 1);
        }
        if self.object(mutex).waiters().is_empty() {
            self.own_mutex(cpu, mutex, None);
            self.task_mut(task).sync.owned.retain(|owned| *owned != mutex);
            return None;
        }
        Some(Action::Call(Call::Object(Deed::UnlockPi(mutex))))
    }

    /// Lets up to `most` who wait at `object` go on; the system call this needs.
    fn signal(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        object: ObjectId,
        most: usize,
    ) -> Option<Action> {
        for _ in 0..most {
            let Some(woken) = self.let_one_go(cpu, object, false) else { break };
            self.will_wake(task, woken);
        }
        self.wake_those(task)
    }

    /// pthread_cond_wait: among the waiters first, then the mutex goes, so that no signal given
    /// under the mutex is missed.
    fn wait_cond(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        state: &mut State,
        cond: ObjectId,
        mutex: ObjectId,
    ) -> Played {
        if matches!(state.stage, Stage::Begin | Stage::Signalled) {
            self.join(cpu, task, Wait::Cond(cond));
            state.stage = Stage::Joined;
            if let Some(action) = self.unlock_mutex(cpu, task, mutex) {
                return Played::Then(Stage::Joined, action);
            }
        }
        if state.stage == Stage::Joined && self.task(task).sync.waits_on.is_some() {
            return Played::Then(Stage::Joined, wait(Wait::Cond(cond)));
        }
        self.lock(cpu, task, state.stage, mutex, Stage::Relock)
    }

    /// The tasks that `waker` is about to wake, in an order drawn for the barrier's opening `n`.
    fn draw_wake_order(&mut self, waker: TaskId, n: u64) {
        let seed = self.setup.seed;
        let woken = self.task_mut(waker).sync.wake_q.make_contiguous();
        woken.sort_by_key(|task| draw(seed, Purpose::WakeOrder, u64::from(*task), n));
    }

    /// The last to come opens it and wakes the others one by one.
    fn barrier(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        state: &mut State,
        barrier: ObjectId,
        (measured, stamp): (bool, Option<ObjectId>),
    ) -> Played {
        let Object::Barrier { parties, drawn } = self.object_kind(barrier) else {
            return Played::Over;
        };
        if state.stage == Stage::Begin {
            let object = self.object(barrier);
            object.count += 1;
            state.seen = object.generation;
            if object.count >= u64::from(parties) {
                object.count = 0;
                object.generation += 1;
                let action = self.signal(cpu, task, barrier, usize::MAX);
                if drawn {
                    self.draw_wake_order(task, state.seen);
                }
                return action.map_or(Played::Over, Played::Last);
            }
            let sync = &mut self.task_mut(task).sync;
            (sync.unsampled, sync.due_stamp) = (!measured, stamp);
        }
        if self.object(barrier).generation == state.seen {
            return Played::Then(
                Stage::Waiting,
                wait(Wait::Barrier { barrier, generation: state.seen }),
            );
        }
        let sync = &mut self.task_mut(task).sync;
        (sync.unsampled, sync.due_stamp) = (false, None);
        Played::Over
    }

    /// Takes a message. A pool, which no task fills, is taken from in user code and ends the
    /// program when it is empty; a pipe is read.
    fn get(
        &mut self,
        task: TaskId,
        stage: Stage,
        queue: ObjectId,
        stamp: Option<ObjectId>,
    ) -> Played {
        if let (Stage::Waiting, Some(stamp)) = (stage, stamp) {
            self.object(stamp).count = self.task(task).sync.written_ns;
            return Played::Over;
        }
        let pool = matches!(self.object_kind(queue), Object::Queue { closed_when_empty: true, .. });
        let left = self.object(queue).count;
        let deed = match (pool, left) {
            (false, _) => Deed::Get(queue),
            (true, 0) => return Played::Last(Action::Call(Call::Exit)),
            (true, _) => {
                self.take_message(task, queue);
                Deed::Received(queue)
            }
        };
        let action = Action::Call(Call::Object(deed));
        if stamp.is_some() { Played::Then(Stage::Waiting, action) } else { Played::Last(action) }
    }

    fn take_all(&mut self, task: TaskId, list: ObjectId) -> Played {
        if self.objects[list].list.is_empty() {
            return Played::Then(Stage::Waiting, wait(Wait::List(list)));
        }
        let mut taken = std::mem::take(&mut self.object(list).list);
        self.task_mut(task).sync.taken.extend(taken.drain(..));
        // The list keeps its memory for later tasks.
        self.object(list).list = taken;
        Played::Over
    }

    /// One stamp for all, then a system call for each that sleeps.
    fn resume_all(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        state: &mut State,
        stamp: ObjectId,
    ) -> Played {
        if state.stage == Stage::Begin {
            self.object(stamp).count = self.now;
            state.seen = self.now;
        }
        while let Some(next) = self.task_mut(task).sync.taken.pop_front() {
            self.task_mut(next).sync.own_stamp = Some((stamp, state.seen));
            self.resume(cpu, task, next);
            if let Some(action) = self.wake_those(task) {
                return Played::Then(Stage::Resuming, action);
            }
        }
        Played::Over
    }
}
