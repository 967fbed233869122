//! Balancing towards the home of a process, and not away from it: what cache-aware balancing adds
//! to a pass between caches (docs/model/idle-balancing.md#threads-of-a-process). Read in 7.2.13.

use super::nice_tries;
use crate::ids::{CpuId, GroupId, IdRange, TaskId};
use crate::kernel::fair::sched_cache::CAPACITY;
use crate::kernel::fair::sched_domains::LLC;
use crate::sim::Sim;

/// llc_overaggr_pct: a cache that is used by more than this is full. Half as much again where cores
/// have one thread.
const FULL_PCT: u64 = 50;
/// 100 and llc_imb_pct: one utilisation is greater than another by more than this.
const GREATER_PCT: u64 = 120;

/// enum llc_mig: what a move between two caches means to a process that has its home in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    /// It would leave its home, or fill it too much.
    Forbidden,
    /// It would go home, or leave a home that is too full.
    Wanted,
    /// Both caches are full: the usual rules decide.
    Free,
}

/// can_migrate_llc(): by the utilisations of both caches with the move made.
fn judge(source: (u64, u64), target: (u64, u64), task: u64, to_home: bool, smt: bool) -> Move {
    let full_pct = if smt { FULL_PCT } else { FULL_PCT * 3 / 2 };
    let fits = |used: u64, all: u64| used * 100 < all * full_pct;
    let greater = |one: u64, other: u64| one * 100 > other * GREATER_PCT;
    let (from, to) = (source.0.saturating_sub(task), target.0 + task);
    let (from_fits, to_fits) = (fits(from, source.1), fits(to, target.1));
    match () {
        () if !from_fits && !to_fits => Move::Free,
        () if to_home && !to_fits && greater(to, from) => Move::Forbidden,
        () if !to_home && (from_fits || !greater(from, to)) => Move::Forbidden,
        () => Move::Wanted,
    }
}

impl Sim {
    fn judge_move(&self, from: CpuId, to: CpuId, task: u64, to_home: bool) -> Move {
        let smt = self.setup.machine.topology.has_smt();
        judge(self.llc_use(from), self.llc_use(to), task, to_home, smt)
    }

    /// task_util() of a task that is runnable on `cpu`, of the instant.
    fn util_of_one(&self, cpu: CpuId) -> u64 {
        CAPACITY / u64::from(self.rqs[cpu].cfs[GroupId::ROOT].h_nr_runnable().max(1))
    }

    /// Whether a pass over domain `level` minds homes: between caches, until it has failed too
    /// often.
    fn minds_homes(&self, level: usize, failed: u32) -> bool {
        level > LLC && failed <= nice_tries(level) && self.sched_cache_enabled()
    }

    /// sd->llc_counts: the tasks on the queue of `cpu`, sleeping ones too, that prefer the cache of
    /// `to`.
    pub(super) fn tasks_that_prefer(&self, cpu: CpuId, to: CpuId) -> u64 {
        let all = self.fair_tasks(cpu).filter(|task| self.prefers_llc(*task, to));
        all.count() as u64
    }

    /// llc_balance(): how many tasks of the group `cpus` want to the cache of `of`, if a move there
    /// is wanted.
    pub(super) fn wants_home(&self, cpus: IdRange<CpuId>, of: CpuId, level: usize) -> u64 {
        let failed = self.rqs[of].balance.domains[level].failed;
        if !self.minds_homes(level, failed)
            || self.judge_move(cpus.first(), of, 0, true) != Move::Wanted
        {
            return 0;
        }
        cpus.map(|cpu| self.tasks_that_prefer(cpu, of)).sum()
    }

    /// migrate_degrades_llc(): whether a pass over domain `level`, `failed` times without a task,
    /// leaves `task` where it is for the sake of its home. With `to_home` it wants only tasks that
    /// prefer the cache of `to`.
    pub(super) fn stays_for_home(
        &self,
        task: TaskId,
        to: CpuId,
        (level, failed): (usize, u32),
        to_home: bool,
    ) -> bool {
        if !self.minds_homes(level, failed) {
            return false;
        }
        if to_home && !self.prefers_llc(task, to) {
            return true;
        }
        let from = self.task(task).cpu;
        let Some((process, home)) = self.process_of(task).zip(self.home_of(task)) else {
            return false;
        };
        if self.llc(from).contains(to) {
            return false;
        }
        if self.has_too_many(process, to) {
            // The next charge takes its home.
            return false;
        }
        let to_home = self.llc(to).contains(home);
        let concerns = to_home || self.llc(from).contains(home);
        let util = self.util_of_one(from);
        concerns && self.judge_move(from, to, util, to_home) == Move::Forbidden
    }

    /// Whether a task that waits on `source` stays there for the sake of its home.
    pub(super) fn some_stay_home(&self, source: CpuId, to: CpuId, pass: (usize, u32)) -> bool {
        if !self.minds_homes(pass.0, pass.1) {
            return false;
        }
        self.waiting_fair(source)
            .any(|task| self.may_go(task, to) && self.stays_for_home(task, to, pass, false))
    }

    /// alb_break_llc(): whether all that runs or waits on `source` is at home, and an active
    /// balance to `to` would do it harm.
    pub(super) fn all_stay_home(&self, source: CpuId, to: CpuId) -> bool {
        if !self.sched_cache_enabled() || self.llc(source).contains(to) {
            return false;
        }
        let runnable = u64::from(self.rqs[source].cfs[GroupId::ROOT].h_nr_runnable());
        let at_home = self
            .fair_tasks(source)
            .filter(|task| !self.task(*task).se.delayed && self.prefers_llc(*task, source))
            .count() as u64;
        at_home > 0
            && at_home == runnable
            && (self.rqs[source].nr_running() <= 1
                || self.judge_move(source, to, self.util_of_one(source), false) == Move::Forbidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Percent of 8 CPUs.
    fn of_a_cache(percent: u64) -> (u64, u64) {
        (8 * CAPACITY * percent / 100, 8 * CAPACITY)
    }

    #[test]
    fn a_move_home_is_wanted_until_the_home_is_full_and_much_fuller() {
        for (source, target, expected) in [
            (30, 49, Move::Wanted),
            (30, 50, Move::Forbidden),
            (45, 50, Move::Wanted),
            (60, 30, Move::Wanted),
            (50, 60, Move::Free),
        ] {
            let (from, to) = (of_a_cache(source), of_a_cache(target));
            assert_eq!(judge(from, to, 0, true, true), expected, "{source} {target}");
        }
    }

    #[test]
    fn a_move_from_home_is_wanted_only_from_a_full_one_to_one_that_has_much_less() {
        for (source, target, expected) in [
            (40, 30, Move::Forbidden),
            (60, 30, Move::Wanted),
            (55, 48, Move::Forbidden),
            (60, 60, Move::Free),
        ] {
            let (from, to) = (of_a_cache(source), of_a_cache(target));
            assert_eq!(judge(from, to, 0, false, true), expected, "{source} {target}");
        }
        // One thread a core: full from three quarters on.
        assert_eq!(judge(of_a_cache(60), of_a_cache(30), 0, false, false), Move::Forbidden);
    }
}
