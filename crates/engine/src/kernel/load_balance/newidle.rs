//! newidle_balance(): a CPU that has run out of tasks looks for some before it idles, if its idle times are worth the search.

use super::{CpuIdle, LoadBalance};
use crate::kernel::config::{NohzIlb, Version};
use crate::kernel::frame::{Flow, Frame};
use crate::kernel::sched_domains::{LEVELS, MIGRATION_COST_NS};
use crate::sim::Sim;

/// Where newidle_balance() is. Entered with the own run queue's lock held, which it lets go of while it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewIdle {
    level: u8,
    since: u64,
    spent: u64,
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
        Self { level: 0, since: 0, spent: 0, step: Step::Start }
    }

    /// Next step on `cpu`.
    pub fn step(&mut self, sim: &mut Sim, cpu: u32) -> Flow {
        match self.step {
            Step::Start => {
                // Commit e5e678e4fea2 (5.14, recalled): what is being woken here needs no search.
                if sim.kernel().version >= Version::V5_14 && !sim.cpu(cpu).wakelist.is_empty() {
                    return Flow::Done;
                }
                sim.begin_newidle(cpu);
                if !sim.newidle_is_worth_it(cpu) {
                    sim.end_newidle(cpu, 0);
                    return Flow::Done;
                }
                sim.unlock(cpu, cpu);
                self.step = Step::Domain;
                Flow::Again
            }
            Step::Domain => {
                let balance = &sim.rqs[cpu as usize].balance;
                let next = (usize::from(self.level)..LEVELS).find(|level| balance.domains[*level].weight > 1);
                let worth = next.filter(|level| balance.avg_idle >= self.spent + balance.domains[*level].newidle_cost);
                if let Some(level) = next {
                    sim.newidle_next_balance(cpu, level);
                }
                let Some(level) = worth else {
                    self.step = Step::Locked;
                    return Flow::Lock(cpu);
                };
                self.level = level as u8;
                self.since = sim.now;
                self.step = Step::Balance;
                Flow::Spend(sim.search_ns(sim.rqs[cpu as usize].balance.domains[level].weight))
            }
            Step::Balance => {
                self.step = Step::Cost;
                Flow::Call(Frame::LoadBalance(LoadBalance::new(cpu, usize::from(self.level), CpuIdle::NewlyIdle)))
            }
            Step::Cost => {
                let cost = sim.now - self.since;
                self.spent += cost;
                sim.newidle_cost(cpu, usize::from(self.level), cost);
                sim.newidle_has_balanced(cpu, usize::from(self.level));
                let found = sim.rqs[cpu as usize].nr_running > 0 || !sim.cpu(cpu).wakelist.is_empty();
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

impl Default for NewIdle {
    fn default() -> Self {
        Self::new()
    }
}

impl Sim {
    /// Whether nothing is left to run on `cpu`; tasks that sleep on their queue are taken off it.
    pub(crate) fn needs_newidle(&mut self, cpu: u32) -> bool {
        if !self.balances_load() {
            return false;
        }
        let rq = &self.rqs[cpu as usize];
        let asleep = self.kernel().delay_dequeue && rq.curr.is_none_or(|curr| !self.task(curr).on_rq);
        rq.nr_running == 0 || (asleep && self.pick_next_task(cpu).is_none())
    }

    /// rq.next_balance is pulled to the lowest domain's idle interval, which may lie in the past (spec E, F.7).
    fn begin_newidle(&mut self, cpu: u32) {
        let now = self.now;
        self.rqs[cpu as usize].balance.idle_stamp = Some(now);
        if let Some(level) = self.lowest_domain(cpu) {
            self.newidle_next_balance(cpu, level);
        }
    }

    /// Commit 1c0482707c42: only a newidle pass that really balanced moves next_balance.
    fn newidle_next_balance(&mut self, cpu: u32, level: usize) {
        if self.kernel().nohz_ilb != NohzIlb::NewidleNext {
            self.pull_next_balance(cpu, level);
        }
    }

    fn pull_next_balance(&mut self, cpu: u32, level: usize) {
        let domain = self.rqs[cpu as usize].balance.domains[level];
        let next = domain.last_balance + self.balance_interval(domain, false);
        let balance = &mut self.rqs[cpu as usize].balance;
        balance.next_balance = balance.next_balance.min(next);
    }

    /// Nobody has two tasks, or the CPU idles too briefly: up to 5.16 less than the migration cost, since then less than a search
    /// of its lowest domain has taken (commit c5b0a7eefc70, 5.17).
    fn newidle_is_worth_it(&self, cpu: u32) -> bool {
        let balance = &self.rqs[cpu as usize].balance;
        let cost = self.lowest_domain(cpu).map_or(0, |level| balance.domains[level].newidle_cost);
        let gate = if self.kernel().version < Version::V6_1 { MIGRATION_COST_NS } else { cost };
        self.kernel().load_balance && self.rd(cpu).overload && balance.avg_idle >= gate
    }

    /// update_newidle_cost(): the greatest cost, which decays by 3 in 256 a second; whether it has.
    pub(crate) fn newidle_cost(&mut self, cpu: u32, level: usize, cost: u64) -> bool {
        let (jiffies, hz) = (self.nohz.jiffies, u64::from(self.kernel().hz));
        let domain = &mut self.rqs[cpu as usize].balance.domains[level];
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
    fn newidle_has_balanced(&mut self, cpu: u32, level: usize) {
        if self.kernel().nohz_ilb == NohzIlb::NewidleNext {
            self.rqs[cpu as usize].balance.domains[level].last_balance = self.nohz.jiffies;
            self.pull_next_balance(cpu, level);
        }
    }

    /// The lock is held again: with nothing found, idle balancing is told.
    fn end_newidle(&mut self, cpu: u32, spent: u64) {
        let rq = &mut self.rqs[cpu as usize];
        rq.balance.newidle_max = rq.balance.newidle_max.max(spent);
        if rq.nr_running > 0 {
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

    #[test]
    fn only_with_1c0482707c42_a_search_counts_as_a_pass_and_it_does_even_where_it_costs_nothing() {
        for ilb in [NohzIlb::NeedsUpdate, NohzIlb::NewidleNext] {
            let mut sim = busy();
            Arc::make_mut(&mut sim.setup).kernel.nohz_ilb = ilb;
            sim.nohz.jiffies = 50;
            sim.rqs[1].balance.next_balance = 1_000;
            let mut searched = NewIdle { since: sim.now, step: Step::Cost, ..NewIdle::new() };
            assert_eq!(searched.step(&mut sim, 1), Flow::Again);
            let balance = &sim.rqs[1].balance;
            let counted = (balance.domains[0].last_balance, balance.next_balance);
            let interval = sim.balance_interval(balance.domains[0], false);
            assert_eq!(counted, if ilb == NohzIlb::NewidleNext { (50, 50 + interval) } else { (0, 1_000) });
        }
    }
}
