//! A plain fair class: enough to be preempted by RT tasks and to share a CPU by weight.
//!
//! Weighted virtual run time, wake-up preemption beyond a granularity, slices at the tick; no groups and no load
//! balancing yet. The three constants are the defaults of CFS on a big machine, rounded (assumed).

use super::preempt::Why;
use crate::setup::Policy;
use crate::sim::Sim;

/// A waking task must be this far behind to preempt, in ns of virtual time.
const WAKEUP_GRANULARITY_NS: u64 = 1_000_000;
/// A running task gives way at the tick after this much, if anybody waits.
const SLICE_NS: u64 = 3_000_000;
/// A task that slept may be at most this far behind the queue.
const SLEEPER_CREDIT_NS: u64 = 3_000_000;

/// Weight of nice 0.
const NICE_0_WEIGHT: u64 = 1024;
/// Weight per nice level, -20 first: each step is about 1.25 (the kernel's sched_prio_to_weight).
pub(crate) const WEIGHTS: [u64; 40] = [
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277, 1024,
    820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
];

/// One run queue's fair side.
#[derive(Clone, Debug, Default)]
pub struct FairRq {
    /// Waiting tasks by (vruntime, id); the running one is not in it.
    pub queue: Vec<u32>,
    /// Never decreases.
    pub min_vruntime: u64,
    /// When the running task was last charged.
    pub exec_start: u64,
    /// When it was picked.
    pub picked_at: u64,
    /// The running task has yielded: it is passed over once if anybody waits.
    pub skip: Option<u32>,
}

impl Sim {
    pub(crate) fn fair_weight(&self, task: u32) -> u64 {
        match self.task(task).policy {
            Policy::Fair { nice } => WEIGHTS[(i16::from(nice) + 20) as usize],
            Policy::Fifo { .. } | Policy::RoundRobin { .. } => NICE_0_WEIGHT,
        }
    }

    fn fair_insert(&mut self, cpu: u32, task: u32) {
        let key = (self.task(task).vruntime, task);
        let at = self.rqs[cpu as usize].fair.queue.partition_point(|other| (self.task(*other).vruntime, *other) < key);
        self.rqs[cpu as usize].fair.queue.insert(at, task);
    }

    pub(crate) fn enqueue_fair(&mut self, cpu: u32, task: u32) {
        let floor = self.rqs[cpu as usize].fair.min_vruntime.saturating_sub(SLEEPER_CREDIT_NS);
        let vruntime = self.task(task).vruntime.max(floor);
        self.task_mut(task).vruntime = vruntime;
        self.fair_insert(cpu, task);
    }

    pub(crate) fn dequeue_fair(&mut self, cpu: u32, task: u32) {
        self.rqs[cpu as usize].fair.queue.retain(|other| *other != task);
    }

    pub(crate) fn set_next_fair(&mut self, cpu: u32, task: u32) {
        self.dequeue_fair(cpu, task);
        let now = self.now;
        let fair = &mut self.rqs[cpu as usize].fair;
        fair.exec_start = now;
        fair.picked_at = now;
        fair.skip = None;
    }

    pub(crate) fn put_prev_fair(&mut self, cpu: u32, task: u32) {
        if self.task(task).on_rq && !self.rqs[cpu as usize].fair.queue.contains(&task) {
            self.fair_insert(cpu, task);
        }
    }

    /// Charges the running fair task for the time since it was last charged, which it returns, ns.
    pub(crate) fn update_curr_fair(&mut self, cpu: u32, task: u32) -> u64 {
        let ran = self.now - self.rqs[cpu as usize].fair.exec_start;
        let weighted = ran * NICE_0_WEIGHT / self.fair_weight(task);
        self.task_mut(task).vruntime += weighted;
        let least = self.rqs[cpu as usize].fair.queue.first().map_or(u64::MAX, |first| self.task(*first).vruntime);
        let least = least.min(self.task(task).vruntime);
        let now = self.now;
        let fair = &mut self.rqs[cpu as usize].fair;
        fair.min_vruntime = fair.min_vruntime.max(least);
        fair.exec_start = now;
        ran
    }

    /// Each run queue has its own virtual time: a task keeps its distance from it, not its value.
    pub(crate) fn migrate_fair(&mut self, task: u32, from: u32, to: u32) {
        let (from, to) = (self.rqs[from as usize].fair.min_vruntime, self.rqs[to as usize].fair.min_vruntime);
        let vruntime = self.task(task).vruntime;
        self.task_mut(task).vruntime = (to + vruntime).saturating_sub(from);
    }

    pub(crate) fn task_tick_fair(&mut self, cpu: u32) {
        let fair = &self.rqs[cpu as usize].fair;
        if !fair.queue.is_empty() && self.now - fair.picked_at >= SLICE_NS {
            self.resched_curr(cpu, cpu, Why::FairTick);
        }
    }

    pub(crate) fn check_preempt_fair(&mut self, cpu: u32, target: u32, task: u32, curr: u32) {
        if self.task(curr).vruntime > self.task(task).vruntime + WAKEUP_GRANULARITY_NS {
            self.resched_curr(cpu, target, Why::FairWakeup);
        }
    }

    /// An allowed idle CPU near the previous one, else the previous one.
    pub(crate) fn select_task_rq_fair(&self, task: u32) -> u32 {
        let prev = self.task(task).cpu;
        let allowed = &self.task(task).cpus;
        let idle = |cpu: &u32| allowed.has(*cpu) && self.rqs[*cpu as usize].nr_running == 0;
        if idle(&prev) {
            return prev;
        }
        let topology = self.setup.machine.topology;
        topology.llc_of(prev).find(idle).or_else(|| (0..topology.cpus()).find(idle)).unwrap_or(prev)
    }
}
