//! Load balancing domains and their clock: when a CPU, or an idle balancer for it, looks at which
//! domain (docs/model/idle-balancing.md#balancing-domains).
//!
//! Three levels: the hardware threads of a core, where cores have several; the CPUs that share a
//! last-level cache; all CPUs of the root domain. This file keeps the timing that idle balancing
//! needs: `rq.next_balance`, `last_balance` and the interval of each level, `avg_idle`. The pass
//! itself is in `load_balance.rs`.

use super::load_balance::newidle::NewIdleStats;
use super::load_balance::{CpuIdle, LoadBalance};
use crate::ids::{CpuId, IdRange};
use crate::kernel::frame::{Flow, Frame};
use crate::sim::Sim;

/// Domains per CPU: core, shared cache, root domain.
pub const LEVELS: usize = 3;
/// The domain of a core's hardware threads; it does not exist where a core is one CPU.
pub const SMT: usize = 0;
/// The domain of a shared cache; it does not exist where the cache has one core only.
pub const LLC: usize = 1;
/// sysctl_sched_migration_cost: an idle time shorter than this is not worth looking for work
/// (docs/model/idle-balancing.md#newly-idle), ns.
pub const MIGRATION_COST_NS: u64 = 500_000;
/// avg_idle at boot, and its cap: twice the migration cost
/// (docs/model/idle-balancing.md#newly-idle), ns.
pub const AVG_IDLE_MAX_NS: u64 = 2 * MIGRATION_COST_NS;
/// Blocked load has decayed to nothing after ten half-lives of 32 ms (derived: 1024 halves to 1 in
/// ten), ns.
pub const BLOCKED_DECAY_NS: u64 = 320_000_000;

/// The state that a CPU keeps of one of its domains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DomainBalance {
    /// CPUs in it; below 2 the domain does not exist.
    pub weight: u32,
    /// When the domain was last balanced, jiffies.
    pub last_balance: u64,
    /// balance_interval, ms: from the weight to twice the weight; where affinity lets nothing move
    /// it doubles up to 512 or beyond.
    pub interval_ms: u32,
    /// nr_balance_failed: out of balance so often in a row, and nothing moved.
    pub failed: u32,
    /// max_newidle_lb_cost, ns.
    pub newidle_cost: u64,
    /// When the cost was last set or decayed, jiffies.
    pub cost_since: u64,
    /// How often a newly idle CPU has come to it, and found something.
    pub newidle: NewIdleStats,
}

/// The load balancer's side of a run queue.
#[derive(Clone, Debug, Default)]
pub struct BalanceRq {
    /// When this CPU next wants a balance pass, jiffies.
    pub next_balance: u64,
    /// Running average of idle times between wake-ups, ns.
    pub avg_idle: u64,
    /// Since when the CPU is idle without having been woken, ns.
    pub idle_stamp: Option<u64>,
    /// The last tick or kick found the CPU idle.
    pub idle_balance: bool,
    /// max_idle_balance_cost above its least value: the longest search so far, ns.
    pub newidle_max: u64,
    /// The newly idle pass under way has moved a task.
    pub newidle_pulled: bool,
    /// Dice thrown by newly idle passes.
    pub newidle_draws: u64,
    /// Bottom-up.
    pub domains: [DomainBalance; LEVELS],
}

/// Where rebalance_domains() is, for the run queue `of`; the executing CPU may be another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RebalanceDomains {
    of: CpuId,
    idle: bool,
    level: u8,
    /// The cost of a newly idle search has decayed.
    decays: bool,
    /// Least of the domains' next times so far, jiffies; `u64::MAX` for none.
    next_balance: u64,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Domain,
    Balance,
    Balanced,
}

impl RebalanceDomains {
    /// About to look at the lowest domain of run queue `of`, which is `idle` or not.
    pub fn new(of: CpuId, idle: bool) -> Self {
        Self { of, idle, level: 0, decays: false, next_balance: u64::MAX, step: Step::Domain }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let level = usize::from(self.level);
        match self.step {
            Step::Domain if level == LEVELS => {
                let balance = &mut sim.rqs[self.of].balance;
                if self.next_balance != u64::MAX {
                    balance.next_balance = self.next_balance;
                }
                if self.decays {
                    balance.newidle_max =
                        balance.domains.iter().map(|domain| domain.newidle_cost).sum();
                }
                Flow::Done
            }
            Step::Domain => {
                let domain = sim.rqs[self.of].balance.domains[level];
                if domain.weight < 2 {
                    self.level += 1;
                } else if sim.nohz.jiffies
                    >= domain.last_balance + sim.balance_interval(domain, self.busy(sim))
                {
                    self.step = Step::Balance;
                    self.decays |= sim.newidle_cost(self.of, level, 0);
                    if sim.should_we_balance(self.of, level) {
                        return Flow::Spend(sim.search_ns(cpu, domain.weight));
                    }
                } else {
                    self.note(sim, level);
                    self.level += 1;
                }
                Flow::Again
            }
            Step::Balance => {
                self.step = Step::Balanced;
                if !sim.should_we_balance(self.of, level) {
                    return Flow::Again;
                }
                if !sim.kernel().load_balance() {
                    sim.balanced(self.of, level, false);
                    return Flow::Again;
                }
                let idle = if self.idle { CpuIdle::Idle } else { CpuIdle::NotIdle };
                Flow::Call(Frame::LoadBalance(LoadBalance::new(self.of, level, idle)))
            }
            Step::Balanced => {
                let jiffies = sim.nohz.jiffies;
                let ours = sim.should_we_balance(self.of, level);
                sim.rqs[self.of].balance.domains[level].last_balance = jiffies;
                // A CPU that has pulled a task is busy, and its next pass is due as a busy CPU's.
                self.idle &= sim.rqs[self.of].nr_running() == 0;
                self.note(sim, level);
                // If another CPU balances this domain, another CPU balances those above it too.
                self.level = if ours { self.level + 1 } else { LEVELS as u8 };
                self.step = Step::Domain;
                Flow::Again
            }
        }
    }

    fn note(&mut self, sim: &Sim, level: usize) {
        let domain = sim.rqs[self.of].balance.domains[level];
        self.next_balance = self
            .next_balance
            .min(domain.last_balance + sim.balance_interval(domain, self.busy(sim)));
    }

    fn busy(&self, sim: &Sim) -> bool {
        !self.idle && !sim.balances_as_idle(self.of)
    }
}

impl Sim {
    /// Domains, intervals and averages at boot.
    pub(crate) fn boot_domains(&mut self) {
        let topology = self.setup.machine.topology;
        for cpu in topology.cpu_ids() {
            let span = self.rd(cpu).span;
            let count = |cpus: IdRange<CpuId>| cpus.filter(|cpu| span.has(*cpu)).count() as u32;
            let core = if topology.has_smt() { count(topology.core_of(cpu)) } else { 0 };
            let (near, all) = (count(topology.llc_of(cpu)), span.count());
            // A domain that spans no more than the one below it does not exist.
            let more = |weight: u32, below: u32| if weight > below { weight } else { 0 };
            let weights = [core, more(near, core), more(all, near)];
            let balance = &mut self.rqs[cpu].balance;
            balance.avg_idle = AVG_IDLE_MAX_NS;
            balance.domains = weights.map(|weight| DomainBalance {
                weight,
                interval_ms: weight,
                ..DomainBalance::default()
            });
            self.update_idle_core(cpu);
        }
    }

    /// on_null_domain(): `cpu` is alone in its root domain.
    pub(crate) fn on_null_domain(&self, cpu: CpuId) -> bool {
        self.lowest_domain(cpu).is_none()
    }

    /// The lowest domain of `cpu`; none for a CPU alone in its root domain.
    pub(crate) fn lowest_domain(&self, cpu: CpuId) -> Option<usize> {
        self.rqs[cpu].balance.domains.iter().position(|domain| domain.weight > 1)
    }

    /// get_sd_balance_interval(), jiffies: a busy CPU balances 16 times as rarely (32 times before
    /// 5.10, recalled).
    pub(crate) fn balance_interval(&self, domain: DomainBalance, busy: bool) -> u64 {
        let kernel = self.kernel();
        let factor = match (busy, kernel.busy_factor_is_16()) {
            (false, _) => 1,
            (true, true) => 16,
            (true, false) => 32,
        };
        let jiffies =
            (u64::from(domain.interval_ms) * factor * 1_000_000).div_ceil(kernel.tick_ns());
        let most =
            (u64::from(kernel.hz) * u64::from(self.setup.machine.topology.cpus()) / 10).max(1);
        jiffies.saturating_sub(u64::from(busy)).clamp(1, most)
    }

    /// should_we_balance(): the first idle CPU of the own group, else its first CPU. From 6.6 on,
    /// above the cores, an idle CPU of an idle core goes before one beside a busy thread (commit
    /// b1bfeab9b002).
    fn should_we_balance(&self, of: CpuId, level: usize) -> bool {
        let span = &self.rd(of).span;
        let mut group = self.group_at(of, level).filter(|cpu| span.has(*cpu));
        let cores_first = level > SMT && self.kernel().balances_from_idle_cores();
        let whole = |cpu: &CpuId| cores_first && self.core_is_idle(*cpu);
        let chosen = group.clone().find(whole);
        let idle = || group.clone().find(|cpu| self.idle_cpu(*cpu));
        chosen.or_else(idle).or_else(|| group.next()) == Some(of)
    }

    /// The CPUs of `level`'s domain around `of`.
    pub(crate) fn domain_at(&self, of: CpuId, level: usize) -> IdRange<CpuId> {
        let topology = &self.setup.machine.topology;
        match level {
            SMT => topology.core_of(of),
            LLC => topology.llc_of(of),
            _ => topology.cpu_ids(),
        }
    }

    /// The group of domain `level` that starts with or after CPU `from`: a CPU within a core, a
    /// core within a cache, a cache above.
    pub(crate) fn group_at(&self, from: CpuId, level: usize) -> IdRange<CpuId> {
        match level {
            SMT => IdRange::between(from, from.next()),
            level => self.domain_at(from, level - 1),
        }
    }

    /// The next domain of `cpu` above `level`.
    pub(crate) fn domain_above(&self, cpu: CpuId, level: usize) -> Option<usize> {
        let domains = &self.rqs[cpu].balance.domains;
        (level + 1..LEVELS).find(|above| domains[*above].weight > 1)
    }

    /// Time that `cpu` takes to look at `cpus` CPUs or levels, ns: the cost of find_lowest_rq,
    /// because no other is known.
    pub(crate) fn search_ns(&self, cpu: CpuId, cpus: u32) -> u64 {
        let costs = &self.setup.machine.costs;
        let each = u64::from(costs.push_search_level_ns) * u64::from(cpus);
        self.cost(cpu, u64::from(costs.push_search_ns) + each)
    }

    /// A wake-up ends an idle time: update_avg() of avg_idle, an eighth at a time, capped at twice
    /// the greatest cost of a search.
    pub(crate) fn end_idle_stamp(&mut self, cpu: CpuId) {
        let now = self.now;
        let balance = &mut self.rqs[cpu].balance;
        if let Some(since) = balance.idle_stamp.take() {
            let (average, idle) = (balance.avg_idle as i64, (now - since) as i64);
            balance.avg_idle = ((average + (idle - average) / 8) as u64)
                .min(AVG_IDLE_MAX_NS.max(2 * balance.newidle_max));
        }
    }

    /// Whether periodic and idle load balancing exist: 2.6.24's own is in `passive.rs`.
    pub(crate) fn balances_load(&self) -> bool {
        self.kernel().rt_balance().is_active()
    }

    /// idle_cpu(): runs the idle task, nothing queued, no wake-up on its way.
    pub(crate) fn idle_cpu(&self, cpu: CpuId) -> bool {
        let (rq, state) = (&self.rqs[cpu], &self.cpus[cpu]);
        rq.curr.is_none()
            && rq.nr_running() == 0
            && state.wakelist.is_empty()
            && state.draining.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::check::invariants::tests::busy;
    use crate::ids::{CPU0, CPU1, TaskId};
    use crate::kernel::config::{Kernel, Version};
    use crate::machine::topology::Topology;
    use crate::trace::columns::Log;

    /// All CPUs idle, in caches of `package` CPUs and cores of `threads`.
    fn sim(version: &str, package: u32, threads: u32) -> Sim {
        let mut setup = (*busy().setup).clone();
        setup.machine.topology = Topology::new(8, package).with_threads(threads, 100);
        setup.kernel = Kernel::of_version(Version::parse(version).unwrap(), 8);
        Sim::new(Arc::new(setup), Log::new(None, 3, 0))
    }

    #[test]
    fn a_domain_is_wider_than_the_one_below_it_or_does_not_exist() {
        for (package, threads, expected) in [
            (4, 1, [0, 4, 8]),
            (8, 1, [0, 8, 0]),
            (4, 2, [2, 4, 8]),
            (2, 2, [2, 0, 8]),
            (8, 8, [8, 0, 0]),
        ] {
            let sim = sim("6.6", package, threads);
            let weights = sim.rqs[CPU0].balance.domains.map(|domain| domain.weight);
            assert_eq!(weights, expected, "caches of {package}, cores of {threads}");
        }
    }

    #[test]
    fn a_cache_is_balanced_by_a_cpu_of_an_idle_core_from_6_6_on() {
        for (version, by) in [("6.3", 1), ("6.6", 2), ("7.0", 2)] {
            // Beside CPU 0, which is busy, CPU 1 idles, and so does the core of CPUs 2 and 3.
            let mut sim = sim(version, 4, 2);
            sim.rqs[CPU0].curr = Some(TaskId::new(0));
            let own: Vec<u32> =
                (0..4).filter(|cpu| sim.should_we_balance(CpuId::new(*cpu), LLC + 1)).collect();
            assert_eq!(own, [by], "{version}");
            assert!(sim.should_we_balance(CPU1, LLC), "{version}: its core's");
            assert!(sim.should_we_balance(CPU0, SMT), "{version}: each thread for itself");
        }
    }
}
