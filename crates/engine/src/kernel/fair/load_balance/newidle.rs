//! newidle_balance(): a CPU that has run out of tasks searches for some before it idles, if its
//! idle times are longer than the search.

use super::{CpuIdle, LoadBalance};
use crate::ids::CpuId;
use crate::kernel::fair::sched_domains::{LEVELS, MIGRATION_COST_NS};
use crate::kernel::frame::{Flow, Frame};
use crate::machine::spinlock::LockId;
use crate::rng::{self, Purpose};
use crate::sim::Sim;

/// Where newidle_balance() is. Entered with the own run queue's lock held, which it releases
/// while it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewIdle {
    level: u8,
    since: u64,
    spent: u64,
    /// The weight of a success.
    weight: u32,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Domain,
    Balance,
    Cost,
    Locked,
}

impl NewIdle {
    /// About to see whether a search is worth it.
    pub fn new() -> Self {
        Self { level: 0, since: 0, spent: 0, weight: 1, step: Step::Start }
    }

    #[inline]
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Start => {
                // Commit e5e678e4fea2 (5.14, recalled): a CPU with a task on its wake-list need not
                // search.
                if sim.kernel().wake_list_ends_newidle() && !sim.cpu(cpu).wakelist.is_empty() {
                    return Flow::Done;
                }
                sim.begin_newidle(cpu);
                if !sim.newidle_is_worth_it(cpu) {
                    sim.end_newidle(cpu, 0);
                    return Flow::Done;
                }
                sim.unlock(cpu, LockId::rq(cpu));
                self.step = Step::Domain;
                Flow::Again
            }
            Step::Domain => {
                let balance = &sim.rqs[cpu].balance;
                let next = (usize::from(self.level)..LEVELS)
                    .find(|level| balance.domains[*level].weight > 1);
                let worth = next.filter(|level| {
                    balance.avg_idle >= self.spent + balance.domains[*level].newidle_cost
                });
                if let Some(level) = next {
                    sim.newidle_next_balance(cpu, level);
                }
                let Some(level) = worth else {
                    self.step = Step::Locked;
                    return Flow::Lock(LockId::rq(cpu));
                };
                let Some(weight) = sim.newidle_dice(cpu, level) else {
                    self.level = level as u8 + 1;
                    return Flow::Again;
                };
                self.weight = weight;
                self.level = level as u8;
                self.since = sim.now;
                self.step = Step::Balance;
                Flow::Spend(sim.search_ns(cpu, sim.rqs[cpu].balance.domains[level].weight))
            }
            Step::Balance => {
                self.step = Step::Cost;
                sim.rqs[cpu].balance.newidle_pulled = false;
                Flow::Call(Frame::LoadBalance(LoadBalance::new(
                    cpu,
                    usize::from(self.level),
                    CpuIdle::NewlyIdle,
                )))
            }
            Step::Cost => {
                let cost = sim.now - self.since;
                self.spent += cost;
                let balance = &mut sim.rqs[cpu].balance;
                let success = if balance.newidle_pulled { self.weight } else { 0 };
                balance.domains[usize::from(self.level)].newidle.count(success);
                sim.newidle_cost(cpu, usize::from(self.level), cost);
                sim.newidle_has_balanced(cpu, usize::from(self.level));
                let found = sim.rqs[cpu].nr_running() > 0 || !sim.cpu(cpu).wakelist.is_empty();
                self.level = if found { LEVELS as u8 } else { self.level + 1 };
                self.step = Step::Domain;
                Flow::Again
            }
            Step::Locked => {
                sim.end_newidle(cpu, self.spent);
                Flow::Done
            }
        }
    }
}

/// newidle_call, newidle_success and newidle_ratio of a domain: which part of the newly idle passes
/// over it found something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewIdleStats {
    call: u32,
    success: u32,
    ratio: u32,
}

/// Passes after which the ratio is taken anew, from then on half of them; the sides of the dice.
const NEWIDLE_CALLS: u32 = 1024;

impl Default for NewIdleStats {
    /// Half of them, to begin with (sd_init).
    fn default() -> Self {
        Self { call: 512, success: 256, ratio: 512 }
    }
}

impl NewIdleStats {
    /// update_newidle_stats(): one more pass, made or left out, with a success that counts so much.
    fn count(&mut self, success: u32) {
        self.call += 1;
        self.success += success;
        if self.call >= NEWIDLE_CALLS {
            *self = Self { call: self.call / 2, success: self.success / 2, ratio: self.success };
        }
    }

    /// The weight of a success, if the dice, `0..1024`, allows the pass: one pass that is made
    /// counts for those skipped in its place.
    fn weight(&self, dice: u32) -> Option<u32> {
        let weight = 1 + self.ratio;
        (dice <= weight).then(|| (NEWIDLE_CALLS + weight / 2) / weight)
    }
}

impl Default for NewIdle {
    fn default() -> Self {
        Self::new()
    }
}

impl Sim {
    /// Whether nothing is left to run on `cpu`; tasks that sleep on their queue are taken off it.
    pub(crate) fn needs_newidle(&mut self, cpu: CpuId) -> bool {
        if !self.balances_load() {
            return false;
        }
        let rq = &self.rqs[cpu];
        let leaves = rq.curr.is_none_or(|curr| !self.task(curr).on_rq);
        rq.nr_running() == 0
            || (leaves && self.may_have_delayed() && self.pick_next_task(cpu).is_none())
    }

    /// rq.next_balance is pulled to the lowest domain's idle interval, which may lie in the past
    /// (docs/model/idle-balancing.md#newly-idle).
    fn begin_newidle(&mut self, cpu: CpuId) {
        let now = self.now;
        self.rqs[cpu].balance.idle_stamp = Some(now);
        if let Some(level) = self.lowest_domain(cpu) {
            self.newidle_next_balance(cpu, level);
        }
    }

    /// Commit 1c0482707c42: only a newidle pass that really balanced moves next_balance.
    fn newidle_next_balance(&mut self, cpu: CpuId, level: usize) {
        if !self.kernel().nohz_ilb().keeps_next_balance() {
            self.pull_next_balance(cpu, level);
        }
    }

    fn pull_next_balance(&mut self, cpu: CpuId, level: usize) {
        let domain = self.rqs[cpu].balance.domains[level];
        let next = domain.last_balance + self.balance_interval(domain, false);
        let balance = &mut self.rqs[cpu].balance;
        balance.next_balance = balance.next_balance.min(next);
    }

    /// NI_RANDOM: whether the dice lets `cpu` look at domain `level`; returns the weight of a
    /// success then.
    fn newidle_dice(&mut self, cpu: CpuId, level: usize) -> Option<u32> {
        if !self.kernel().ni_random() {
            return Some(1);
        }
        let balance = &mut self.rqs[cpu].balance;
        let n = balance.newidle_draws;
        balance.newidle_draws += 1;
        let dice = rng::below(
            self.setup.seed,
            Purpose::NewIdle,
            u64::from(cpu),
            n,
            u64::from(NEWIDLE_CALLS),
        ) as u32;
        let stats = &mut balance.domains[level].newidle;
        let weight = stats.weight(dice);
        if weight.is_none() {
            stats.count(0);
        }
        weight
    }

    /// False if no CPU has two tasks, or if the CPU idles too briefly: up to 5.15 less than the
    /// migration cost, since then less than a search of its lowest domain took (commit
    /// c5b0a7eefc70, 5.16).
    fn newidle_is_worth_it(&self, cpu: CpuId) -> bool {
        let balance = &self.rqs[cpu].balance;
        let cost = self.lowest_domain(cpu).map_or(0, |level| balance.domains[level].newidle_cost);
        let gate =
            if self.kernel().newidle_gate_is_search_cost() { cost } else { MIGRATION_COST_NS };
        self.kernel().load_balance() && self.rd(cpu).overload && balance.avg_idle >= gate
    }

    /// update_newidle_cost(): the greatest cost, which decays by 3 in 256 a second; whether it has.
    pub(crate) fn newidle_cost(&mut self, cpu: CpuId, level: usize, cost: u64) -> bool {
        let (jiffies, hz) = (self.nohz.jiffies, u64::from(self.kernel().hz));
        let domain = &mut self.rqs[cpu].balance.domains[level];
        if cost > domain.newidle_cost {
            (domain.newidle_cost, domain.cost_since) = (cost, jiffies);
        }
        let decays = jiffies > domain.cost_since + hz;
        if decays {
            (domain.newidle_cost, domain.cost_since) = (domain.newidle_cost * 253 / 256, jiffies);
        }
        decays
    }

    /// A newidle pass over domain `level` is done; see `newidle_next_balance`.
    fn newidle_has_balanced(&mut self, cpu: CpuId, level: usize) {
        if self.kernel().nohz_ilb().keeps_next_balance() {
            self.rqs[cpu].balance.domains[level].last_balance = self.nohz.jiffies;
            self.pull_next_balance(cpu, level);
        }
    }

    /// Ends the search, with the lock held again; if no task was found, the NOHZ code looks after
    /// idle CPUs.
    fn end_newidle(&mut self, cpu: CpuId, spent: u64) {
        let rq = &mut self.rqs[cpu];
        rq.balance.newidle_max = rq.balance.newidle_max.max(spent);
        if rq.nr_running() > 0 {
            rq.balance.idle_stamp = None;
        } else {
            self.nohz_newidle_balance(cpu);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::check::invariants::tests::busy;
    use crate::ids::CPU1;
    use crate::kernel::config::NohzIlb;
    use crate::kernel::fair::sched_domains::LLC;

    #[test]
    fn only_with_1c0482707c42_a_search_counts_as_a_pass_and_it_does_even_where_it_costs_nothing() {
        for ilb in [NohzIlb::NeedsUpdate, NohzIlb::V2, NohzIlb::NewidleNext, NohzIlb::V2NewidleNext]
        {
            let mut sim = busy();
            Arc::make_mut(&mut sim.setup).kernel.nohz_ilb = ilb;
            sim.nohz.jiffies = 50;
            sim.rqs[CPU1].balance.next_balance = 1_000;
            let level = LLC as u8;
            let mut searched =
                NewIdle { level, since: sim.now, step: Step::Cost, ..NewIdle::new() };
            assert_eq!(searched.step(&mut sim, CPU1), Flow::Again);
            let balance = &sim.rqs[CPU1].balance;
            let counted = (balance.domains[LLC].last_balance, balance.next_balance);
            let interval = sim.balance_interval(balance.domains[LLC], false);
            assert_eq!(
                counted,
                if ilb.keeps_next_balance() { (50, 50 + interval) } else { (0, 1_000) }
            );
        }
    }

    #[test]
    fn the_ratio_is_what_succeeded_of_a_thousand_and_is_taken_anew_at_each_half() {
        let mut stats = NewIdleStats::default();
        (0..511).for_each(|_| stats.count(0));
        assert_eq!(stats, NewIdleStats { call: 1023, success: 256, ratio: 512 });
        stats.count(0);
        assert_eq!(stats, NewIdleStats { call: 512, success: 128, ratio: 256 });
        (0..512).for_each(|_| stats.count(1));
        assert_eq!(stats, NewIdleStats { call: 512, success: 320, ratio: 640 });
    }

    #[test]
    fn the_dice_lets_two_more_than_the_ratio_pass_and_a_success_stands_for_those_left_out() {
        let stats = |ratio| NewIdleStats { ratio, ..NewIdleStats::default() };
        assert_eq!((stats(512).weight(513), stats(512).weight(514)), (Some(2), None));
        assert_eq!((stats(0).weight(1), stats(0).weight(2)), (Some(1024), None));
        assert_eq!((stats(1023).weight(1023), stats(255).weight(0)), (Some(1), Some(4)));
    }

    #[test]
    fn a_success_rate_of_a_third_is_found_again_whatever_part_of_the_passes_is_made() {
        let mut stats = NewIdleStats::default();
        let (mut passes, mut sum) = (0, 0);
        for n in 0..200_000 {
            let dice = rng::below(1, Purpose::NewIdle, 0, n, 1024) as u32;
            let succeeds = rng::below(1, Purpose::NewIdle, 1, n, 3) == 0;
            match stats.weight(dice) {
                Some(weight) => {
                    passes += 1;
                    stats.count(if succeeds { weight } else { 0 });
                }
                None => stats.count(0),
            }
            sum += u64::from(stats.ratio);
        }
        let (mean, part) = (sum as f64 / 200_000.0, f64::from(passes) / 200_000.0);
        assert!(
            (mean / 1024.0 - 1.0 / 3.0).abs() < 0.04 && (part - 1.0 / 3.0).abs() < 0.04,
            "{mean} {part}"
        );
    }
}
