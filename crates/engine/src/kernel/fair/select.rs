//! select_task_rq_fair(): the waker's CPU or the previous one (wake_affine), then an idle CPU that
//! shares its cache (select_idle_sibling); a new task goes to an idle CPU anywhere (decisions
//! 0012).

use crate::ids::{CpuId, GroupId, TaskId};
use crate::kernel::fair::load_balance::busiest::{IMBALANCE_PCT, IMBALANCE_PCT_SMT};
use crate::machine::topology::Distance;
use crate::sim::Sim;

mod cores;

/// Why a CPU is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakeFlags {
    /// A new task (WF_FORK).
    Fork,
    /// A wake-up (WF_TTWU).
    Ttwu,
    /// A wake-up by a task that is about to sleep: pipes and sockets (WF_TTWU and WF_SYNC).
    Sync,
}

/// record_wakee()'s fields of a task, or of a CPU's idle task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wakee {
    /// The task that it woke last (last_wakee).
    last: Option<TaskId>,
    /// How often the woken task was another one than before, halved every second (wakee_flips).
    flips: u32,
    /// When `flips` was halved last, jiffies (wakee_flip_decay_ts).
    since: u64,
}

impl Sim {
    /// Where a woken fair task goes, if it may go anywhere: the waker runs on `waker`.
    pub(crate) fn select_task_rq_fair(
        &mut self,
        task: TaskId,
        waker: CpuId,
        flags: WakeFlags,
    ) -> CpuId {
        let prev = self.task(task).cpu;
        if flags == WakeFlags::Fork {
            return self.find_idlest_cpu(task, prev);
        }
        self.record_wakee(task, waker);
        let may = waker != prev
            && self.task(task).cpus.has(waker)
            && self.rd(waker).span.has(prev)
            && !self.wake_wide(task, waker);
        let target = if may && self.wake_affine(task, prev, waker, flags == WakeFlags::Sync) {
            waker
        } else {
            prev
        };
        self.select_idle_sibling(task, prev, target)
    }

    /// The waker's side: the running task's, or the idle task's that was interrupted.
    fn wakee_of(&mut self, waker: CpuId) -> &mut Wakee {
        match self.rqs[waker].curr {
            Some(curr) => &mut self.task_mut(curr).wakee,
            None => &mut self.rqs[waker].idle_wakee,
        }
    }

    fn record_wakee(&mut self, task: TaskId, waker: CpuId) {
        let (jiffies, hz) = (self.nohz.jiffies, u64::from(self.kernel().hz));
        let of = self.wakee_of(waker);
        if jiffies > of.since + hz {
            (of.flips, of.since) = (of.flips / 2, jiffies);
        }
        if of.last.replace(task) != Some(task) {
            of.flips += 1;
        }
    }

    /// wake_wide(): a waker wakes so many tasks in turn that they would not fit into one cache, so
    /// they stay where they were (3.12 on, recalled). Since 4.3 either of the two may have the
    /// greater count (commit 63b0e9edceec).
    fn wake_wide(&mut self, task: TaskId, waker: CpuId) -> bool {
        let (wakers, wakees) = (self.wakee_of(waker).flips, self.task(task).wakee.flips);
        let llc = self.setup.machine.topology.llc_of(waker).len() as u32;
        let (most, least) = (wakers.max(wakees), wakers.min(wakees));
        let kernel = self.kernel();
        match (kernel.has_wake_wide(), kernel.wake_wide_goes_both_ways()) {
            (false, _) => false,
            (true, false) => wakees > llc && wakers > wakees.saturating_mul(llc),
            (true, true) => least >= llc && most >= least.saturating_mul(llc),
        }
    }

    /// wake_affine(): whether the search begins at the waker's CPU. Up to 4.15 an idle waker, that
    /// is an interrupt, always draws the task; since then only within a cache, and only if the
    /// previous CPU is busy (commits 7332dec055f2, 806486c377e3).
    fn wake_affine(&self, task: TaskId, prev: CpuId, waker: CpuId, sync: bool) -> bool {
        let old = self.kernel().idle_waker_always_draws();
        let near = self.setup.machine.topology.distance(waker, prev) != Distance::Cross;
        if self.idle_cpu(waker) && (old || near) {
            return old || !self.idle_cpu(prev);
        }
        let rq = &self.rqs[waker];
        if sync && rq.nr_running() == 1 {
            return true;
        }
        // wake_affine_weight(), with the weights of the moment in place of averages; who sleeps
        // weighs nothing.
        let leaves = rq.curr.filter(|curr| {
            sync && self.task(*curr).row().is_load_balanced && self.task(*curr).on_rq
        });
        let load = |cpu: CpuId| self.cfs_rq(cpu, GroupId::ROOT).load();
        let here = 100
            * (load(waker).saturating_sub(leaves.map_or(0, |curr| self.task_h_load(curr)))
                + self.waking_load(task));
        let same_core = self.setup.machine.topology.share_core(waker, prev);
        let pct = if same_core { IMBALANCE_PCT_SMT } else { IMBALANCE_PCT };
        let there = (100 + (pct - 100) / 2) * load(prev);
        here < there + u64::from(old || sync)
    }

    /// The weight that `task` will have on the root queue of the CPU it goes to.
    fn waking_load(&self, task: TaskId) -> u64 {
        let mut group = self.level_of(task).1;
        let mut load = self.fair_weight(task);
        while group != GroupId::ROOT {
            let spec = self.group_spec(group);
            load = u64::from(spec.weight) * load
                / (self.groups[group].load().max(0) as u64 + load).max(1);
            group = self.parent(group);
        }
        load.max(1)
    }

    /// select_idle_sibling(): the target, the previous CPU if it shares its cache, then that cache
    /// from the target on, wrapping round. No other cache is looked at. A CPU that has SCHED_IDLE
    /// tasks only is as good as an idle one (5.4 on).
    fn select_idle_sibling(&mut self, task: TaskId, prev: CpuId, target: CpuId) -> CpuId {
        let topology = self.setup.machine.topology;
        let near = Some(prev).filter(|prev| topology.llc_of(target).contains(*prev));
        let mut first = std::iter::once(target).chain(near);
        let found = match first.find(|cpu| self.takes_wake_up(task, *cpu, target)) {
            Some(cpu) => Some(cpu),
            None if topology.has_smt() => self.search_cores(task, prev, target),
            None => self.search_cpus(task, target),
        };
        found.unwrap_or(target)
    }

    /// Whether `task` may be woken on `cpu`, which is in the partition of `target`.
    fn may_wake_on(&self, task: TaskId, cpu: CpuId, target: CpuId) -> bool {
        self.task(task).cpus.has(cpu) && self.rd(target).span.has(cpu)
    }

    fn takes_wake_up(&self, task: TaskId, cpu: CpuId, target: CpuId) -> bool {
        self.may_wake_on(task, cpu, target) && (self.idle_cpu(cpu) || self.sched_idle_cpu(cpu))
    }

    /// select_idle_cpu(): the cache of `target` CPU by CPU. Up to 5.5 a CPU of SCHED_IDLE tasks was
    /// found only where no idle one was (commit 17346452b25b).
    fn search_cpus(&self, task: TaskId, target: CpuId) -> Option<CpuId> {
        let idle = |cpu: &CpuId| self.may_wake_on(task, *cpu, target) && self.idle_cpu(*cpu);
        let prefers_idle = self.kernel().search_prefers_idle_cpus();
        let found = if prefers_idle { self.llc_from(target).find(idle) } else { None };
        found.or_else(|| self.llc_from(target).find(|cpu| self.takes_wake_up(task, *cpu, target)))
    }

    /// The slow path of a new task: a whole idle core, where cores have several threads; an idle
    /// CPU or one of SCHED_IDLE tasks near `home`, else anywhere, else `home`.
    fn find_idlest_cpu(&self, task: TaskId, home: CpuId) -> CpuId {
        let topology = self.setup.machine.topology;
        let allowed = &self.task(task).cpus;
        let takes =
            |cpu: &CpuId| allowed.has(*cpu) && (self.idle_cpu(*cpu) || self.sched_idle_cpu(*cpu));
        let mut near_first =
            std::iter::once(home).chain(topology.llc_of(home)).chain(topology.cpu_ids());
        self.find_idle_core(task, home).or_else(|| near_first.find(takes)).unwrap_or(home)
    }
}

#[cfg(test)]
mod tests;
