//! User-space spin locks: a task that waits burns CPU and tries again and again (schbench's per-CPU
//! try-lock).
//!
//! The tries are not played one by one: a spinner works without end until the lock is released,
//! sees the release one line transfer later, and tries. A spinner that is preempted meanwhile tries
//! when it runs again.

use super::{Action, Played, Stage, State};
use crate::ids::{CpuId, ObjectId, TaskId};
use crate::kernel::syscall::Call;
use crate::kernel::syscall::objects::{Spin, SpinLockId, Spinning};
use crate::machine::spinlock::line_ns;
use crate::setup::{Amount, Object};
use crate::sim::Sim;
use crate::trace::catalogue::{Kind, NONE, SPUN_HIGH, SPUN_TASK, USER_LOCK, USER_LOCK_CPU};

/// Work without an end of its own, ns: far longer than any run.
const ENDLESS_NS: u64 = 1 << 60;

/// How long a spinner spins, and how long it sleeps in between, ns.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    pub(super) spin_ns: u64,
    pub(super) sleep_ns: u64,
    pub(super) sleep_max_ns: u64,
}

/// A lock of user space as rows name it.
fn named((lock, which): SpinLockId) -> u32 {
    USER_LOCK.put(lock.raw()) | USER_LOCK_CPU.put(which.raw())
}

impl Sim {
    /// Tries the lock; a spinner whose patience is at its end sleeps (perform_spin_delay()).
    pub(super) fn spin_or_sleep(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        state: &mut State,
        lock: ObjectId,
        patience: Patience,
    ) -> Played {
        let used = self.cpu_time(task);
        if self.objects[lock].spins[CpuId::FIRST].owner.is_none() {
            let sync = &mut self.task_mut(task).sync;
            (sync.spin_until, sync.spin_slept) = (None, None);
            return self.spin_lock(cpu, task, state, lock);
        }
        let until = *self.task_mut(task).sync.spin_until.get_or_insert(used + patience.spin_ns);
        if used < until {
            let spins = self.spin_lock(cpu, task, state, lock);
            debug_assert!(matches!(spins, Played::Then(..)), "the lock is held");
            return Played::Then(Stage::Waiting, Action::Run(until - used));
        }
        self.spin(lock, CpuId::FIRST).spinners.retain(|spinner| *spinner != task);
        // cur_delay += cur_delay * a random fraction.
        let last = self.task(task).sync.spin_slept;
        let ns = match last {
            None => patience.sleep_ns,
            Some(last) => last + self.draw_amount(cpu, Amount::Uniform { min: 0, max: last + 1 }),
        };
        let ns = if ns > patience.sleep_max_ns { patience.sleep_ns } else { ns };
        let sync = &mut self.task_mut(task).sync;
        (sync.spin_until, sync.spin_slept) = (None, Some(ns));
        Played::Then(Stage::Waiting, Action::Call(Call::SleepFor(ns)))
    }

    /// Tries the lock of the CPU the task is on; while it waits it stays with the one it first
    /// tried.
    pub(super) fn spin_lock(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        state: &mut State,
        lock: ObjectId,
    ) -> Played {
        let per_cpu = self.object_kind(lock) == Object::SpinLock { per_cpu: true };
        let here = if per_cpu { cpu } else { CpuId::FIRST };
        let waits = state.stage == Stage::Waiting;
        let mut wanted = if waits { CpuId::new(state.seen as u32) } else { here };
        let is_free = |sim: &Self, wanted: CpuId| sim.objects[lock].spins[wanted].owner.is_none();
        if is_free(self, wanted) {
            // A task that was moved while it spun releases that lock at once and tries the one of
            // its CPU.
            wanted = here;
        }
        if is_free(self, wanted) {
            self.take_spin(cpu, task, (lock, wanted));
            return Played::Over;
        }
        self.begin_spin(cpu, task, (lock, wanted));
        self.spin(lock, wanted).spinners.push(task);
        state.seen = u64::from(wanted.raw());
        Played::Then(Stage::Waiting, Action::Run(ENDLESS_NS))
    }

    /// Releases the lock; every task that spins for it tries again.
    pub(super) fn spin_unlock(&mut self, cpu: CpuId, task: TaskId, lock: ObjectId) -> Played {
        let spins = &mut self.task_mut(task).sync.spins;
        let Some(at) = spins.iter().rposition(|(held, _)| *held == lock) else {
            return Played::Over;
        };
        let (_, which) = spins.remove(at);
        self.user_locks.held -= 1;
        let spin = self.spin(lock, which);
        spin.owner = None;
        let mut spinners = std::mem::take(&mut spin.spinners);
        self.tell_owner(cpu, (lock, which));
        spinners.drain(..).for_each(|spinner| self.let_try(cpu, spinner));
        // The lock keeps the memory for later spinners.
        self.spin(lock, which).spinners = spinners;
        Played::Over
    }

    /// The lock is free, and `task` has it: its spin ends, if it had to.
    fn take_spin(&mut self, cpu: CpuId, task: TaskId, lock: SpinLockId) {
        self.spin(lock.0, lock.1).owner = Some(task);
        self.user_locks.held += 1;
        let used = self.cpu_time(task);
        let state = self.task_mut(task);
        state.sync.spins.push(lock);
        if let Some(spun) = state.sync.spinning.take() {
            let ns = used - spun.from;
            state.stats.book_spin(ns);
            self.user_locks.spinners -= 1;
            self.spin(spun.lock.0, spun.lock.1).wanted_by -= 1;
            let high = ((ns >> 32) as u32).min(SPUN_HIGH.mask());
            let who = SPUN_TASK.put(task.raw()) | SPUN_HIGH.put(high);
            self.emit(Kind::UserSpinEnd, cpu, who, ns as u32);
        }
        self.tell_owner(cpu, lock);
    }

    /// `task` finds the lock held: it begins to spin, goes on, or turns to the lock of the CPU it
    /// is on now.
    fn begin_spin(&mut self, cpu: CpuId, task: TaskId, lock: SpinLockId) {
        let from = match self.task(task).sync.spinning {
            Some(spun) if spun.lock == lock => return,
            Some(spun) => {
                self.spin(spun.lock.0, spun.lock.1).wanted_by -= 1;
                spun.from
            }
            None => {
                self.user_locks.spinners += 1;
                self.cpu_time(task)
            }
        };
        self.task_mut(task).sync.spinning = Some(Spinning { lock, from });
        let spin = self.spin(lock.0, lock.1);
        spin.wanted_by += 1;
        let first = spin.wanted_by == 1;
        self.emit(Kind::UserSpin, cpu, named(lock), task.raw());
        if first {
            self.tell_owner(cpu, lock);
        }
    }

    /// Emits the owner of the lock, if a task spins for it.
    fn tell_owner(&mut self, cpu: CpuId, lock: SpinLockId) {
        let spin = self.spin(lock.0, lock.1);
        if spin.wanted_by > 0 {
            let owner = spin.owner.map_or(NONE, TaskId::raw);
            self.emit(Kind::UserLockOwner, cpu, named(lock), owner);
        }
    }

    /// `prev` leaves `cpu` although it could go on: the locks it holds go with it.
    #[cold]
    pub(crate) fn tell_preempted_holder(&mut self, cpu: CpuId, prev: TaskId) {
        for at in 0..self.task(prev).sync.spins.len() {
            let lock = self.task(prev).sync.spins[at];
            self.emit(Kind::UserLockOut, cpu, named(lock), prev.raw());
        }
    }

    /// Whether `curr`, where it executes user code, spins there.
    #[inline]
    pub(crate) fn spins_in_user(&self, curr: Option<TaskId>) -> bool {
        curr.is_some_and(|curr| self.task(curr).sync.spinning.is_some())
    }

    fn spin(&mut self, lock: ObjectId, which: CpuId) -> &mut Spin {
        &mut self.object(lock).spins[which]
    }

    /// The work of a spinner ends: at once if it runs, else when it runs again.
    fn let_try(&mut self, by: CpuId, spinner: TaskId) {
        let saved = self.task_mut(spinner).stack.first_mut();
        if let Some(user) = saved {
            user.remaining = 0;
            return;
        }
        let cpu = self.task(spinner).cpu;
        let distance = self.setup.machine.topology.distance(by, cpu);
        let ns = self.cost(cpu, line_ns(distance, &self.setup.machine.costs));
        let state = &mut self.cpus[cpu];
        let until = state.hw.resumes_at(self.now).saturating_add(ns);
        if state.stack.len() == 1 && state.hw.busy_until().is_some() {
            self.end_work_at(cpu, until);
        } else if let Some(user) = state.stack.first_mut() {
            user.remaining = 0;
        }
    }

    /// CPU time of `task` so far, ns.
    fn cpu_time(&self, task: TaskId) -> u64 {
        let state = self.task(task);
        let running = self.rqs[state.cpu].curr == Some(task);
        state.stats.run_ns + if running { self.now - state.stats.since } else { 0 }
    }

    /// ns `task` has spun, a spin that goes on included.
    pub(crate) fn spin_ns(&self, task: TaskId) -> u64 {
        let spinning = self.task(task).sync.spinning;
        let open = spinning.map_or(0, |spun| self.cpu_time(task) - spun.from);
        self.task(task).stats.spin_ns + open
    }
}
