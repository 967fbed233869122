//! load_balance(): a CPU, or an idle balancer on its behalf, takes waiting fair tasks from the
//! busiest CPU of a domain (docs/model/idle-balancing.md#load-balance-pass).
//!
//! ```text
//!   find busiest ─► lock it, detach, unlock ─► lock the own, attach, unlock        never two run-queue locks at once
//!        │                    └ what waits may not come here, but to a neighbour of the same cache: attach there
//!        ├ nothing there may come at all ─► the next busiest
//!        └ nothing could move, again and again ─► the busiest CPU's stopper pushes what runs there (active balance)
//! ```
//! `busiest.rs`: groups and queues compared; `detach.rs`: which tasks, and the way from queue to
//! queue; `newidle.rs`: a CPU that has run out of tasks. 2.6.24's own balancing is in `passive.rs`.

pub mod busiest;
pub mod detach;
mod home;
pub mod newidle;

use busiest::Imbalance;
use detach::Attach;

use crate::ids::CpuId;
use crate::kernel::core::stop::Work;
use crate::kernel::core::wakeup::Ttwu;
use crate::kernel::fair::sched_domains::SMT;
use crate::kernel::frame::{Flow, Frame};
use crate::machine::spinlock::LockId;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;
use crate::trace::codes::Puller;

/// cache_nice_tries of domain `level`: after this many failures, cache-hot tasks may move too. The
/// threads of a core share all their caches.
fn nice_tries(level: usize) -> u32 {
    if level == SMT { 0 } else { 1 }
}

/// Where affinity lets nothing move, intervals below this double, ms (MAX_PINNED_INTERVAL).
pub const PINNED_INTERVAL_MS: u32 = 512;

/// The state of the CPU that a pass serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuIdle {
    /// A busy CPU.
    NotIdle,
    /// An idle one.
    Idle,
    /// One that has just run out of tasks.
    NewlyIdle,
}

/// Where load_balance() is, on behalf of run queue `of`. Entered with interrupts on and no lock
/// held, by a newly idle CPU with interrupts off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadBalance {
    of: CpuId,
    /// The CPU that tasks go to: `of`, or a neighbour of it that may take tasks which `of` may not.
    to: CpuId,
    idle: CpuIdle,
    level: u8,
    moved: u8,
    /// No task seen may come (LBF_ALL_PINNED).
    pinned: bool,
    /// Some task seen may not come (LBF_SOME_PINNED).
    bound: bool,
    /// Some task was left where it is for the sake of its home (LBF_LLC_PINNED).
    at_home: bool,
    asked: bool,
    /// The neighbour that may have it (LBF_DST_PINNED).
    elsewhere: Option<CpuId>,
    found: Imbalance,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Find,
    Locked,
    Detach,
    Unlock,
    Attached,
    Kick,
    Kicked,
    Leave,
}

impl LoadBalance {
    /// A pass over domain `level` of run queue `of`; the search has been paid for.
    pub fn new(of: CpuId, level: usize, idle: CpuIdle) -> Self {
        Self {
            of,
            to: of,
            idle,
            level: level as u8,
            moved: 0,
            pinned: false,
            bound: false,
            at_home: false,
            asked: false,
            elsewhere: None,
            found: Imbalance::default(),
            step: Step::Start,
        }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Start => {
                sim.cpu(cpu).barred.clear();
                self.step = Step::Find;
                Flow::Again
            }
            Step::Find => self.find(sim, cpu),
            Step::Locked => {
                sim.update_rq_clock(self.found.busiest);
                self.step = Step::Detach;
                Flow::Again
            }
            Step::Detach => self.detach(sim, cpu),
            Step::Unlock => {
                sim.unlock(cpu, LockId::rq(self.found.busiest));
                self.step = Step::Attached;
                if sim.cpu(cpu).detached.is_empty() {
                    Flow::Again
                } else {
                    Flow::Call(Frame::Attach(Attach::new(self.to)))
                }
            }
            Step::Attached => self.attached(sim, cpu),
            Step::Kick => self.kick(sim, cpu),
            Step::Kicked => {
                self.step = Step::Leave;
                let stopper = sim.stopper(self.found.busiest).filter(|_| self.asked);
                stopper.map_or(Flow::Again, |stopper| Flow::Call(Frame::Ttwu(Ttwu::new(stopper))))
            }
            Step::Leave => {
                sim.irq_enable(cpu);
                Flow::Done
            }
        }
    }

    fn find(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let level = usize::from(self.level);
        let Some(found) = sim.find_busiest(cpu, self.of, level) else {
            if !self.pinned {
                sim.hint_imbalance(self.of, level, false);
            }
            if self.idle != CpuIdle::NewlyIdle {
                sim.balanced(self.of, level, self.pinned);
            }
            return Flow::Done;
        };
        self.found = found;
        sim.irq_disable(cpu);
        if sim.rqs[found.busiest].nr_running() <= 1 {
            // Out of balance, and nothing waits there.
            self.pinned = false;
            return self.judge(sim, cpu);
        }
        self.pinned = true;
        self.lock_busiest(sim, cpu)
    }

    fn lock_busiest(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        sim.emit(Kind::PullTry, cpu, self.found.busiest.raw(), Puller::FairBalancing as u32);
        self.step = Step::Locked;
        Flow::Lock(LockId::rq(self.found.busiest))
    }

    /// Moves one task at a time: taking it off its queue costs half of a move, putting it onto
    /// another costs the rest.
    fn detach(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let level = usize::from(self.level);
        let failed = sim.rqs[self.of].balance.domains[level].failed;
        let wants = self.moved == 0 || self.idle != CpuIdle::NewlyIdle;
        let next = if wants {
            sim.detachable(self.to, &self.found, self.idle, (level, failed), self.moved)
        } else {
            None
        };
        let Some(task) = next else {
            let (may_come, bound) = sim.who_may_come(self.found.busiest, self.to);
            self.pinned &= self.moved == 0 && !may_come;
            self.bound |= bound;
            self.at_home |= sim.some_stay_home(self.found.busiest, self.to, (level, failed))
                && !self.found.to_home;
            let neighbours = self.idle != CpuIdle::NewlyIdle && self.found.amount > 0;
            self.elsewhere = if neighbours {
                sim.neighbour_for(cpu, self.found.busiest, self.to, level)
            } else {
                None
            };
            self.step = Step::Unlock;
            return Flow::Again;
        };
        self.found.amount -= sim.moved_amount(task, self.found.by_load);
        self.moved += 1;
        sim.rqs[self.of].balance.newidle_pulled |= self.idle == CpuIdle::NewlyIdle;
        sim.detach_task(cpu, task, self.to);
        Flow::Spend(sim.half_move_ns(cpu, self.found.busiest, self.to))
    }

    /// The detached tasks are on their new queues; a neighbour may take tasks of that queue that
    /// this CPU may not.
    fn attached(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        if let Some(next) = self.elsewhere.take() {
            sim.cpu(cpu).barred.push(self.to);
            self.to = next;
            return self.lock_busiest(sim, cpu);
        }
        if self.moved == 0 {
            sim.emit(Kind::PullFail, cpu, self.found.busiest.raw(), 0);
        }
        self.judge(sim, cpu)
    }

    /// Sets interval and failures for the next passes. A newly idle CPU's pass leaves both alone
    /// (docs/model/idle-balancing.md#load-balance-pass).
    fn judge(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let level = usize::from(self.level);
        self.step = Step::Leave;
        if self.bound && self.found.amount > 0 {
            sim.hint_imbalance(self.of, level, true);
        }
        if self.pinned {
            sim.cpu(cpu).barred.push(self.found.busiest);
            if sim.others_are_left(cpu, self.of, level) {
                self.step = Step::Find;
                sim.irq_enable(cpu);
                return Flow::Spend(
                    sim.search_ns(cpu, sim.rqs[self.of].balance.domains[level].weight),
                );
            }
            if self.idle != CpuIdle::NewlyIdle {
                sim.balanced(self.of, level, true);
            }
            return Flow::Again;
        }
        if self.idle != CpuIdle::NewlyIdle {
            let domain = &mut sim.rqs[self.of].balance.domains[level];
            domain.interval_ms = domain.weight;
            match self.moved {
                0 if self.at_home => {}
                0 => domain.failed += 1,
                _ => domain.failed = 0,
            }
        }
        if self.needs_active_balance(sim) {
            self.step = Step::Kick;
            return Flow::Lock(LockId::rq(self.found.busiest));
        }
        Flow::Again
    }

    /// need_active_balance(): the stopper of the busiest CPU is to push, because passes have failed
    /// too often, or at once what prefers the cache of this CPU.
    fn needs_active_balance(&self, sim: &Sim) -> bool {
        let (Imbalance { busiest, by_load, to_home, .. }, level) =
            (self.found, usize::from(self.level));
        let counts = !(by_load && sim.kernel().load_failures_wake_no_stopper());
        let failed = sim.rqs[self.of].balance.domains[level].failed;
        let often = failed > nice_tries(level) + 2 && counts && self.idle != CpuIdle::NewlyIdle;
        (often || (to_home && self.moved == 0)) && !sim.all_stay_home(busiest, self.of)
    }

    /// The busiest run queue's lock is held: its stopper is to push the running task there, unless
    /// that task may not come or the stopper has been asked.
    fn kick(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let (of, level) = (self.of, usize::from(self.level));
        let Imbalance { busiest, to_home, .. } = self.found;
        let rq = &sim.rqs[busiest];
        let may_come = rq.curr.is_none_or(|curr| sim.task(curr).cpus.has(of));
        if may_come && !rq.stop.balances() && sim.stopper(busiest).is_some() {
            sim.queue_stop_work(busiest, Work::Balance { to: of, to_home });
            self.asked = true;
        }
        if may_come && !to_home {
            sim.rqs[of].balance.domains[level].failed = nice_tries(level) + 1;
        } else if !may_come && self.idle != CpuIdle::NewlyIdle {
            sim.lengthen_interval(of, level, true);
        }
        sim.unlock(cpu, LockId::rq(busiest));
        self.step = Step::Kicked;
        Flow::Again
    }
}

impl Sim {
    /// A pass found domain `level` of `of` in balance, or found nothing that affinity lets move.
    pub(crate) fn balanced(&mut self, of: CpuId, level: usize, pinned: bool) {
        self.rqs[of].balance.domains[level].failed = 0;
        self.lengthen_interval(of, level, pinned);
    }

    /// The next pass comes later: up to twice the domain's weight, further where affinity is the
    /// reason.
    fn lengthen_interval(&mut self, of: CpuId, level: usize, pinned: bool) {
        let domain = &mut self.rqs[of].balance.domains[level];
        if domain.interval_ms < 2 * domain.weight
            || (pinned && domain.interval_ms < PINNED_INTERVAL_MS)
        {
            domain.interval_ms *= 2;
        }
    }
}
