//! User-space spin locks: a task that waits burns CPU and tries again and again (schbench's per-CPU
//! try-lock).
//!
//! The tries are not played one by one: a spinner works without end until the lock is released,
//! sees that one line transfer later, and tries. One that is preempted meanwhile tries when it runs
//! again.

use super::{Action, Played, Stage, State};
use crate::ids::{CpuId, ObjectId, TaskId};
use crate::kernel::syscall::Call;
use crate::kernel::syscall::objects::Spin;
use crate::machine::spinlock::line_ns;
use crate::setup::{Amount, Object};
use crate::sim::Sim;

/// Work without an end of its own, ns: far longer than any run.
const ENDLESS_NS: u64 = 1 << 60;

/// How long a spinner spins, and how long it sleeps in between, ns.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    pub(super) spin_ns: u64,
    pub(super) sleep_ns: u64,
    pub(super) sleep_max_ns: u64,
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
        if self.objects[lock].spins[0].owner.is_none() {
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
        self.spin(lock, 0).spinners.retain(|spinner| *spinner != task);
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
        let here = if per_cpu { cpu.raw() } else { 0 };
        let mut wanted = if state.stage == Stage::Waiting { state.seen as u32 } else { here };
        let is_free =
            |sim: &Self, wanted: u32| sim.objects[lock].spins[wanted as usize].owner.is_none();
        if is_free(self, wanted) {
            // It has been moved while it span: that lock is released at once.
            wanted = here;
        }
        if is_free(self, wanted) {
            self.spin(lock, wanted).owner = Some(task);
            let used = self.cpu_time(task);
            let state = &mut self.tasks[task];
            state.sync.spins.push((lock, wanted));
            let from = state.sync.spin_from.take().unwrap_or(used);
            state.stats.book_spin(used - from);
            return Played::Over;
        }
        let used = self.cpu_time(task);
        self.task_mut(task).sync.spin_from.get_or_insert(used);
        self.spin(lock, wanted).spinners.push(task);
        state.seen = u64::from(wanted);
        Played::Then(Stage::Waiting, Action::Run(ENDLESS_NS))
    }

    /// Releases the lock; everybody who spins for it tries again.
    pub(super) fn spin_unlock(&mut self, cpu: CpuId, task: TaskId, lock: ObjectId) -> Played {
        let spins = &mut self.task_mut(task).sync.spins;
        let Some(at) = spins.iter().rposition(|(held, _)| *held == lock) else {
            return Played::Over;
        };
        let (_, which) = spins.remove(at);
        let Spin { spinners, .. } = std::mem::take(self.spin(lock, which));
        spinners.into_iter().for_each(|spinner| self.let_try(cpu, spinner));
        Played::Over
    }

    fn spin(&mut self, lock: ObjectId, which: u32) -> &mut Spin {
        &mut self.object(lock).spins[which as usize]
    }

    /// The work of a spinner ends: at once if it runs, else when it runs again.
    fn let_try(&mut self, by: CpuId, spinner: TaskId) {
        let saved = self.task_mut(spinner).stack.first_mut();
        if let Some(user) = saved {
            user.remaining = 0;
            return;
        }
        let cpu = self.task(spinner).cpu;
        let ns = line_ns(self.setup.machine.topology.distance(by, cpu), &self.setup.machine.costs);
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
        let open = self.task(task).sync.spin_from.map_or(0, |from| self.cpu_time(task) - from);
        self.task(task).stats.spin_ns + open
    }
}
