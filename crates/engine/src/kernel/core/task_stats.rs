//! Counters of a task, for the report. Load balancing, too, reads the start of a task's wait.

use std::ops::Deref;

use crate::trace::columns::{ACTIVATIONS_MAX, Activation};

/// Counters of one task, to read; times in ns.
#[derive(Clone, Debug, Default)]
pub struct TaskCounts {
    /// On a CPU, as se.sum_exec_runtime has it: from the entry of the schedule() that chose it to
    /// the entry of the one it leaves in.
    pub run_ns: u64,
    /// Runnable but not running, its group having quota.
    pub ready_ns: u64,
    /// Runnable but not running, its group having no quota.
    pub throttled_ns: u64,
    /// The part of `run_ns` in user mode.
    pub user_ns: u64,
    /// Switches away from it while it could go on.
    pub involuntary_switches: u64,
    /// Switches away from it because it slept or ended.
    pub voluntary_switches: u64,
    /// Program rounds completed.
    pub loops: u64,
    /// Wake-ups that led to running.
    pub wakeups: u64,
    /// Finished measured wake-ups.
    pub samples: u32,
    /// Since when it has been in its present run/ready/sleep state.
    pub since: u64,
    /// Due time of the present activation.
    due_ns: u64,
    /// First user instruction of the present activation.
    start_ns: u64,
    /// A measured wake-up has begun an activation that has not ended.
    active: bool,
    /// ns spun in user code.
    pub spin_ns: u64,
    /// Loops when the present activation began.
    loops_before: u64,
    /// Activations in the log.
    activations: u32,
}

/// Counters of one task, which only change as something happens to it.
#[derive(Clone, Debug, Default)]
pub struct TaskStats(TaskCounts);

impl Deref for TaskStats {
    type Target = TaskCounts;

    #[inline]
    fn deref(&self) -> &TaskCounts {
        &self.0
    }
}

impl TaskStats {
    #[inline]
    pub fn begin_wait(&mut self, now: u64) {
        self.0.since = now;
    }

    /// The task leaves its CPU: `voluntary` if it slept or ended.
    #[inline]
    pub fn count_switch(&mut self, voluntary: bool) {
        if voluntary {
            self.0.voluntary_switches += 1;
        } else {
            self.0.involuntary_switches += 1;
        }
    }

    /// A wake-up has led to running.
    #[inline]
    pub fn count_wakeup(&mut self) {
        self.0.wakeups += 1;
    }

    /// Rounds of its program are done.
    #[inline]
    pub fn count_loops(&mut self, rounds: u64) {
        self.0.loops += rounds;
    }

    /// The task has run user code for `ns`.
    #[inline]
    pub fn book_user(&mut self, ns: u64) {
        self.0.user_ns += ns;
    }

    /// The task has spun in user code for `ns`.
    #[inline]
    pub fn book_spin(&mut self, ns: u64) {
        self.0.spin_ns += ns;
    }

    /// A measured wake-up that was due at `due` ends at `now`, and an activation begins: how many
    /// were measured before.
    #[inline]
    pub fn begin_activation(&mut self, due: u64, now: u64) -> u32 {
        let counts = &mut self.0;
        (counts.active, counts.due_ns, counts.start_ns) = (true, due, now);
        counts.loops_before = counts.loops;
        counts.samples += 1;
        counts.samples - 1
    }

    /// The task goes back to sleep at `now`. Returns its activation, if there was one and the log
    /// keeps it.
    #[inline]
    pub fn end_activation(&mut self, now: u64) -> Option<Activation> {
        let counts = &mut self.0;
        let taken =
            std::mem::take(&mut counts.active) && (counts.activations as usize) < ACTIVATIONS_MAX;
        counts.activations += u32::from(taken);
        taken.then(|| Activation {
            due_ns: counts.due_ns,
            start_ns: counts.start_ns,
            end_ns: now,
            loops: counts.loops - counts.loops_before,
        })
    }

    #[inline]
    pub fn book_run(&mut self, clock: u64) {
        self.0.run_ns += self.up_to(clock);
    }

    /// A wait goes on, or ends: books the time since the last booking as with or without quota.
    #[inline]
    pub fn book_wait(&mut self, clock: u64, throttled: bool) {
        let waited = self.up_to(clock);
        let counts = &mut self.0;
        *if throttled { &mut counts.throttled_ns } else { &mut counts.ready_ns } += waited;
    }

    /// Ends the present state at `clock` and returns its length. A queue's clock may be earlier
    /// than the last booking; the length is then 0.
    #[inline]
    fn up_to(&mut self, clock: u64) -> u64 {
        let end = clock.max(self.0.since);
        end - std::mem::replace(&mut self.0.since, end)
    }
}
