//! Load balancing of 2.6.24, as far as it moves RT tasks: by weight, at busy ticks and when a CPU
//! runs dry (docs/model/rt-balancing.md#passive-balancing).
//!
//! The "before" of Rostedt 2007. The busiest CPU is found by load weight, in which every RT task
//! counts equally; only the mover looks at priorities, and lets a task exceed the weight limit only
//! if it is stronger than the task that this CPU runs. After repeated failures the migration thread
//! of the busiest CPU pushes a task away (`stop.rs`). Fair tasks count as load but are not moved,
//! and no CPU balances for idle CPUs whose tick is stopped
//! (docs/develop/decisions/0008-rt-balancing.md).

/// Loads, the busiest group and queue, wake-affine.
pub mod load_2624;

use crate::ids::{CpuId, TaskId};
use crate::kernel::core::double_lock::DoubleLocking;
use crate::kernel::core::stop::Work;
use crate::kernel::core::wakeup::Ttwu;
use crate::kernel::fair::passive::load_2624::Imbalance;
use crate::kernel::fair::{Enqueue, EntityId};
use crate::kernel::frame::{Flow, Frame};
use crate::machine::spinlock::LockId;
use crate::machine::topology::Distance;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;
use crate::trace::codes::Puller;

/// Sched domains per CPU: its package, and all packages.
pub const LEVELS: usize = 2;
/// Least and greatest balance interval, ms (SD_MC_INIT and SD_CPU_INIT, recalled).
const INTERVAL_MS: (u64, u64) = (1, 4);
/// How much rarer a busy CPU balances (busy_factor, recalled).
const BUSY_FACTOR: u64 = 64;
/// cache_nice_tries of both domains (SD_MC_INIT and SD_CPU_INIT).
const CACHE_NICE_TRIES: u32 = 1;
/// How rare balancing gets where affinity lets nothing move, ms (MAX_PINNED_INTERVAL).
const PINNED_INTERVAL_MS: u64 = 512;

/// The state that a CPU keeps of one of its sched domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DomainTimer {
    /// When the CPU last balanced there, ns.
    pub last: u64,
    /// balance_interval, ms.
    pub interval_ms: u64,
    /// nr_balance_failed: an imbalance was found so often in a row and nothing could be moved.
    pub failed: u32,
}

impl Default for DomainTimer {
    fn default() -> Self {
        Self { last: 0, interval_ms: INTERVAL_MS.0, failed: 0 }
    }
}

/// Where load_balance() is on CPU `this`; entered from the tick's softirq or, with the own rq lock
/// held, by a CPU that is about to idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    this: CpuId,
    newly_idle: bool,
    level: usize,
    busiest: CpuId,
    /// Load still to be moved.
    left: i64,
    pulled: u32,
    best_prio: u8,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Domain,
    Choose,
    Second,
    Locked,
    Take,
    Move { task: TaskId },
    Unlock,
    Kick,
    Woken,
}

impl Balance {
    fn new(this: CpuId, newly_idle: bool) -> Self {
        Self {
            this,
            newly_idle,
            level: 0,
            busiest: CpuId::FIRST,
            left: 0,
            pulled: 0,
            best_prio: 0,
            step: Step::Domain,
        }
    }

    /// idle_balance(): `this` CPU has nothing left to run.
    pub fn newly_idle(this: CpuId) -> Self {
        Self::new(this, true)
    }

    /// rebalance_domains(), in SCHED_SOFTIRQ.
    pub fn at_tick(this: CpuId) -> Self {
        Self::new(this, false)
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Domain => self.domain(sim, cpu),
            Step::Choose => self.choose(sim, cpu),
            Step::Second => {
                self.step = Step::Locked;
                Flow::Lock(LockId::rq(self.this.max(self.busiest)))
            }
            Step::Locked => {
                self.pulled = 0;
                self.best_prio = sim.rqs[self.this]
                    .curr
                    .filter(|_| !self.newly_idle)
                    .map_or(u8::MAX, |curr| sim.task(curr).prio);
                self.step = Step::Take;
                Flow::Again
            }
            Step::Take => self.take(sim, cpu),
            Step::Move { task } => self.pull_task(sim, cpu, task),
            Step::Unlock => self.unlock(sim, cpu),
            Step::Kick => self.kick(sim, cpu),
            Step::Woken => {
                sim.irq_enable(cpu);
                self.next()
            }
        }
    }

    fn next(&mut self) -> Flow {
        self.step = Step::Domain;
        self.level += 1;
        Flow::Again
    }

    /// The next domain whose time has come; looking at its CPUs takes time.
    fn domain(&mut self, sim: &Sim, cpu: CpuId) -> Flow {
        while self.level < LEVELS {
            let groups = || sim.groups_2624(self.this, self.level);
            if groups().nth(1).is_some()
                && (self.newly_idle || sim.balance_is_due(self.this, self.level))
            {
                let cpus: u32 = groups().map(|group| group.count()).sum();
                self.step = Step::Choose;
                return Flow::Spend(sim.search_ns(cpu, cpus));
            }
            self.level += 1;
        }
        Flow::Done
    }

    fn choose(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let found = sim.find_busiest_2624(self.this, self.level, self.newly_idle);
        let (now, newly_idle) = (sim.now, self.newly_idle);
        let timer = self.timer(sim);
        if !newly_idle {
            timer.last = now;
        }
        let Imbalance { busiest: Some((busiest, load)), .. } = found else {
            timer.failed = 0;
            if !newly_idle {
                timer.back_off(INTERVAL_MS.1);
            }
            self.step = Step::Domain;
            self.level = if found.others_turn { LEVELS } else { self.level + 1 };
            return Flow::Again;
        };
        (self.busiest, self.left, self.pulled) = (busiest, load, 0);
        if sim.rqs[busiest].nr_running() <= 1 {
            // Nothing waits there, and still the groups are out of balance: that is a failure too.
            return self.judge(sim, cpu);
        }
        sim.emit(Kind::PullTry, cpu, busiest.raw(), Puller::OldBalancing as u32);
        if self.newly_idle {
            self.step = Step::Locked;
            return Flow::Call(Frame::DoubleLock(DoubleLocking::new(self.this, busiest)));
        }
        sim.irq_disable(cpu);
        self.step = Step::Second;
        Flow::Lock(LockId::rq(self.this.min(busiest)))
    }

    fn timer<'sim>(&self, sim: &'sim mut Sim) -> &'sim mut DomainTimer {
        &mut sim.cpu(self.this).balance[self.level]
    }

    /// balance_tasks(): a task that is heavier than the remaining amount moves only if it is
    /// stronger than every task here.
    fn take(&mut self, sim: &Sim, cpu: CpuId) -> Flow {
        let weight = sim.weight_2624_of_rt();
        let too_heavy = weight / 2 > self.left + sim.load_fuzz_2624();
        let weakest = if too_heavy { self.best_prio } else { u8::MAX };
        let found = sim.movable_2624(self.busiest, self.this, weakest);
        let Some(task) = found.filter(|_| self.left > 0) else {
            self.step = Step::Unlock;
            return Flow::Again;
        };
        let costs = &sim.setup.machine.costs;
        let near = sim.setup.machine.topology.distance(self.this, self.busiest) != Distance::Cross;
        self.step = Step::Move { task };
        Flow::Spend(sim.cost(cpu, if near { costs.pull_llc_ns } else { costs.pull_cross_ns }))
    }

    fn pull_task(&mut self, sim: &mut Sim, cpu: CpuId, task: TaskId) -> Flow {
        sim.move_task(cpu, task, self.this);
        self.pulled += 1;
        sim.ledger.pulls += 1;
        sim.emit(Kind::PullOk, cpu, task.raw(), self.busiest.raw());
        if !self.newly_idle {
            sim.check_preempt_curr(cpu, self.this, task, Enqueue::Moved);
        }
        self.left -= sim.weight_2624_of_rt();
        self.best_prio = self.best_prio.min(sim.task(task).prio);
        self.step = Step::Take;
        Flow::Again
    }

    fn unlock(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        if self.pulled == 0 {
            sim.emit(Kind::PullFail, cpu, self.busiest.raw(), 0);
        }
        sim.unlock(cpu, LockId::rq(self.busiest));
        if !self.newly_idle {
            sim.unlock(cpu, LockId::rq(self.this));
            sim.irq_enable(cpu);
        } else if self.pulled > 0 {
            self.timer(sim).failed = 0;
            self.level = LEVELS;
        }
        self.judge(sim, cpu)
    }

    /// The end of load_balance(): failures are counted, and one too many calls the busiest CPU's
    /// migration thread. A CPU that is about to idle counts none.
    fn judge(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        if self.newly_idle {
            return self.next();
        }
        let fate =
            if self.pulled > 0 { Fate::Moved } else { sim.fate_2624(self.busiest, self.this) };
        let timer = self.timer(sim);
        match fate {
            Fate::Pinned => {
                timer.failed = 0;
                timer.back_off(PINNED_INTERVAL_MS);
            }
            Fate::Moved | Fate::Failed => {
                timer.failed = if fate == Fate::Moved { 0 } else { timer.failed + 1 };
                if timer.failed > CACHE_NICE_TRIES + 2 {
                    sim.irq_disable(cpu);
                    self.step = Step::Kick;
                    return Flow::Lock(LockId::rq(self.busiest));
                }
                timer.interval_ms = INTERVAL_MS.0;
            }
        }
        self.next()
    }

    /// The lock of the busiest run queue is held: its migration thread is to push a task here,
    /// unless the running task there may not come or the thread has been asked before.
    fn kick(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let (busiest, this) = (self.busiest, self.this);
        let may_come = sim.rqs[busiest].curr.is_none_or(|curr| sim.task(curr).cpus.has(this));
        let asks = may_come && !sim.rqs[busiest].stop.balances();
        let stopper = if asks {
            sim.queue_stop_work(self.busiest, Work::Balance { to: this, to_home: false })
        } else {
            None
        };
        sim.unlock(cpu, LockId::rq(self.busiest));
        let timer = self.timer(sim);
        if may_come {
            timer.failed = CACHE_NICE_TRIES + 1;
        }
        match (may_come, asks) {
            (false, _) => timer.back_off(PINNED_INTERVAL_MS),
            (true, true) => timer.back_off(INTERVAL_MS.1),
            (true, false) => timer.interval_ms = INTERVAL_MS.0,
        }
        self.step = Step::Woken;
        stopper.map_or(Flow::Again, |stopper| Flow::Call(Frame::Ttwu(Ttwu::new(stopper))))
    }
}

impl DomainTimer {
    /// Balancing found nothing to do: the interval doubles once it is below `most` ms.
    fn back_off(&mut self, most: u64) {
        if self.interval_ms < most {
            self.interval_ms *= 2;
        }
    }
}

/// The outcome of an imbalance.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Moved,
    /// Everything there is bound to other CPUs.
    Pinned,
    Failed,
}

impl Sim {
    fn is_passive(&self) -> bool {
        !self.kernel().rt_balance().is_active()
    }

    /// schedule() of 2.6.24: nothing is left to run here.
    pub(crate) fn needs_idle_balance(&self, cpu: CpuId) -> bool {
        self.is_passive() && self.rqs[cpu].nr_running() == 0
    }

    /// trigger_load_balance(): the tick asks for SCHED_SOFTIRQ when some domain's time has come.
    pub(crate) fn trigger_load_balance_2624(&mut self, cpu: CpuId) {
        let due = self.is_passive() && (0..LEVELS).any(|level| self.balance_is_due(cpu, level));
        if due {
            self.cpu(cpu).balance_due = true;
        }
    }

    /// An idle CPU balances every interval, by its own tick or through the idle load balancer, and
    /// finds nothing that was not there when it ran dry: a busy stretch begins with fresh intervals
    /// (docs/model/rt-balancing.md#passive-balancing).
    pub(crate) fn balanced_while_idle(&mut self, cpu: CpuId) {
        let now = self.now;
        if self.is_passive() {
            self.cpu(cpu)
                .balance
                .iter_mut()
                .for_each(|timer| (timer.last, timer.failed) = (now, 0));
        }
    }

    /// The task that would move from `source` to `this` first: strongest first, each list from its
    /// tail; only one stronger than `than`, which does not run.
    pub(crate) fn movable_2624(&self, source: CpuId, this: CpuId, than: u8) -> Option<TaskId> {
        let rq = &self.rqs[source];
        let may_move = |task: &TaskId| {
            let candidate = self.task(*task);
            rq.curr != Some(*task)
                && candidate.movable
                && candidate.cpus.has(this)
                && candidate.prio < than
        };
        // The last of the strongest list that has one.
        let best = rq.rt.active().iter().copied().find(may_move)?;
        rq.rt
            .active()
            .iter()
            .rev()
            .copied()
            .filter(may_move)
            .find(|task| self.task(*task).prio == self.task(best).prio)
    }

    /// Nothing was moved from `source` to `this`: why. A waiting fair task would have moved in
    /// 2.6.24: then it is no failure.
    fn fate_2624(&self, source: CpuId, this: CpuId) -> Fate {
        let rq = &self.rqs[source];
        let comes = |task: &TaskId| self.task(*task).cpus.has(this);
        let fair = rq
            .cfs
            .iter()
            .flat_map(|cfs| &cfs.queue)
            .any(|entry| matches!(entry.id, EntityId::Task(task) if comes(&task)));
        if fair {
            return Fate::Moved;
        }
        let pinned = rq.nr_running() > 1 && !rq.rt.active().iter().chain(&rq.curr).any(comes);
        if pinned { Fate::Pinned } else { Fate::Failed }
    }

    /// Whether the interval has passed, in whole jiffies; a busy CPU waits 64 times as long.
    fn balance_is_due(&self, cpu: CpuId, level: usize) -> bool {
        let timer = self.cpus[cpu].balance[level];
        let busy = self.rqs[cpu].curr.is_some();
        let tick = self.kernel().tick_ns();
        let interval_ns = timer.interval_ms * 1_000_000 * if busy { BUSY_FACTOR } else { 1 };
        let jiffies = interval_ns.div_ceil(tick).clamp(
            1,
            (1_000_000_000 / tick * u64::from(self.setup.machine.topology.cpus()) / 10).max(1),
        );
        self.now / tick >= timer.last / tick + jiffies
    }
}
