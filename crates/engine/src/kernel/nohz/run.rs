//! RUN(flags): one CPU looks at all idle CPUs, its own run queue last, one run-queue lock at a time
//! (_nohz_idle_balance(), docs/model/idle-balancing.md#idle-walk). Two runs may overlap: the one
//! that ends last writes next_balance (V. Guittot).

use super::{BALANCE, NEXT, STATS};
use crate::ids::CpuId;
use crate::kernel::fair::sched_domains::RebalanceDomains;
use crate::kernel::frame::{Flow, Frame};
use crate::machine::spinlock::LockId;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;
use crate::trace::codes::NohzPlace;

/// nohz.next_balance if no CPU asks for less: 60 s.
const FAR_S: u64 = 60;
/// LOAD_AVG_PERIOD: blocked load is refreshed this often, ms.
const BLOCKED_PERIOD_MS: u64 = 32;

/// Where RUN is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NohzRun {
    flags: u8,
    /// The next CPU to look at; `this` is the last.
    b: CpuId,
    /// In the part of the mask below `this`, itself included.
    wrapped: bool,
    seen: bool,
    blocked: bool,
    visited: u16,
    /// Least next_balance so far, jiffies.
    next_balance: u64,
    /// nohz.next_balance when the run began.
    begun_with: u64,
    /// The run's number, 0 if another run was under way.
    number: u32,
    /// The run's number, even if another run was under way.
    id: u32,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Cpu,
    Stats,
    Refreshed,
    Clock,
    Updated,
    Balanced,
    End,
}

impl NohzRun {
    /// About to look for idle CPUs with these of the kick bits.
    pub fn new(flags: u8) -> Self {
        Self {
            flags,
            b: CpuId::FIRST,
            wrapped: false,
            seen: false,
            blocked: false,
            visited: 0,
            next_balance: 0,
            begun_with: 0,
            number: 0,
            id: 0,
            step: Step::Start,
        }
    }

    #[inline]
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let visit = sim.cost(cpu, sim.setup.machine.costs.nohz_visit_ns);
        match self.step {
            Step::Start => self.start(sim, cpu),
            Step::Cpu => self.next_cpu(sim, cpu),
            Step::Stats => {
                self.step = Step::Refreshed;
                Flow::Spend(visit)
            }
            Step::Refreshed => {
                let (now, jiffies) = (sim.now, sim.nohz.jiffies);
                let rq = &mut sim.rqs[self.b].nohz;
                rq.has_blocked_load = now < rq.blocked_until;
                rq.refreshed = jiffies;
                self.blocked |= rq.has_blocked_load;
                self.leave_rq(sim, cpu);
                self.clock(sim, cpu)
            }
            Step::Clock => {
                self.step = Step::Updated;
                Flow::Spend(visit)
            }
            Step::Updated => {
                self.leave_rq(sim, cpu);
                self.step = Step::Balanced;
                if self.flags & BALANCE != 0 {
                    Flow::Call(Frame::RebalanceDomains(RebalanceDomains::new(self.b, true)))
                } else {
                    Flow::Again
                }
            }
            Step::Balanced => {
                let next = sim.rqs[self.b].balance.next_balance;
                if next < self.next_balance {
                    (self.next_balance, self.seen) = (next, true);
                }
                let rq = &mut sim.rqs[self.b].nohz;
                rq.noted |= self.flags & NEXT != 0;
                rq.visited = (self.number, next);
                rq.seen_by = self.id;
                self.visited += 1;
                self.wrapped |= self.b == cpu;
                self.b = self.b.next();
                self.step = Step::Cpu;
                Flow::Again
            }
            Step::End => self.end(sim, cpu),
        }
    }

    fn start(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let place = if sim.cpus[cpu].in_softirq { NohzPlace::Softirq } else { NohzPlace::Idle };
        sim.emit(Kind::NohzRun, cpu, u32::from(self.flags), place as u32);
        let hz = u64::from(sim.kernel().hz);
        let nohz = &mut sim.nohz;
        nohz.runs_begun += 1;
        self.number = if nohz.runs == 0 { nohz.runs_begun } else { 0 };
        self.id = nohz.runs_begun;
        nohz.runs += 1;
        self.begun_with = nohz.next_balance;
        self.next_balance = nohz.jiffies + FAR_S * hz;
        if self.flags & STATS != 0 {
            nohz.has_blocked = false;
        }
        if self.flags & NEXT != 0 {
            nohz.needs_update = false;
            nohz.next_runs += 1;
        }
        self.b = cpu.next();
        self.step = Step::Cpu;
        Flow::Again
    }

    /// The next idle CPU of the mask; busy CPUs are passed over.
    fn next_cpu(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        loop {
            let found = sim.nohz.idle_mask.next(self.b);
            match found {
                Some(b) if !self.wrapped || b <= cpu => self.b = b,
                _ if !self.wrapped => {
                    (self.wrapped, self.b) = (true, CpuId::FIRST);
                    continue;
                }
                _ => {
                    self.step = Step::End;
                    return Flow::Again;
                }
            }
            if sim.idle_cpu(self.b) {
                break;
            }
            let rq = &mut sim.rqs[self.b].nohz;
            rq.noted |= self.flags & NEXT != 0;
            rq.visited = (self.number, u64::MAX);
            rq.seen_by = self.id;
            self.b = self.b.next();
        }
        if self.got_work(sim, cpu) {
            return self.abort(sim, cpu);
        }
        let (rq, jiffies) = (&sim.rqs[self.b].nohz, sim.nohz.jiffies);
        if self.flags & STATS != 0 && rq.has_blocked_load {
            if jiffies > rq.refreshed {
                return self.lock_rq(sim, cpu, Step::Stats, Step::Refreshed);
            }
            self.blocked = true;
        }
        self.clock(sim, cpu)
    }

    /// If `b` is due, its rq clock is updated under its lock.
    fn clock(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        if sim.nohz.jiffies < sim.rqs[self.b].balance.next_balance {
            self.step = Step::Balanced;
            return Flow::Again;
        }
        self.lock_rq(sim, cpu, Step::Clock, Step::Updated)
    }

    /// Takes the lock of `b` and works under it, up to step `worked`.
    fn lock_rq(&mut self, sim: &mut Sim, cpu: CpuId, locked: Step, worked: Step) -> Flow {
        sim.irq_disable(cpu);
        let visit = sim.cost(cpu, sim.setup.machine.costs.nohz_visit_ns);
        self.step = if sim.works_with_lock(cpu, visit) { worked } else { locked };
        Flow::Lock(LockId::rq(self.b))
    }

    fn leave_rq(&self, sim: &mut Sim, cpu: CpuId) {
        sim.unlock(cpu, LockId::rq(self.b));
        sim.irq_enable(cpu);
    }

    /// Whether the CPU that runs this has something better to do; since 6.13 only if it is really
    /// not idle any more.
    fn got_work(&self, sim: &Sim, cpu: CpuId) -> bool {
        sim.cpus[cpu].need_resched.is_some()
            && (sim.kernel().ilb_minds_need_resched() || !sim.idle_cpu(cpu))
    }

    fn abort(&self, sim: &mut Sim, cpu: CpuId) -> Flow {
        sim.nohz.runs -= 1;
        sim.nohz.has_blocked |= self.blocked || self.flags & STATS != 0;
        if self.flags & NEXT != 0 {
            sim.nohz.needs_update = true;
            sim.nohz.next_runs -= 1;
        }
        sim.emit(Kind::NohzRunEnd, cpu, u32::from(self.visited), 1);
        sim.look_for_lost_updates();
        Flow::Done
    }

    fn end(&self, sim: &mut Sim, cpu: CpuId) -> Flow {
        // The second version of Fernandes 2023's patch does not overwrite a value that another CPU
        // has written meanwhile.
        let stale = sim.kernel().nohz_ilb().lowers_next_balance()
            && sim.nohz.next_balance != self.begun_with;
        let period = (BLOCKED_PERIOD_MS * 1_000_000).div_ceil(sim.kernel().tick_ns());
        let nohz = &mut sim.nohz;
        if self.seen && !stale {
            nohz.next_balance = self.next_balance;
        }
        if self.flags & STATS != 0 {
            nohz.next_blocked = nohz.jiffies + period;
        }
        nohz.runs -= 1;
        nohz.has_blocked |= self.blocked;
        if self.flags & NEXT != 0 {
            nohz.next_runs -= 1;
        }
        sim.emit(Kind::NohzRunEnd, cpu, u32::from(self.visited), 0);
        if !stale {
            sim.note_seen(self.id);
        }
        sim.look_for_lost_updates();
        if self.flags & NEXT != 0 && self.number == sim.nohz.runs_begun {
            let least = self.least_next_balance(sim);
            let found = sim.nohz.next_balance;
            sim.law(least.is_none_or(|least| least == found), || {
                format!(
                    "the run of cpu {cpu} leaves next_balance {found}, the least it should \
                    have seen is {least:?}"
                )
            });
        }
        Flow::Done
    }

    /// docs/model/idle-balancing.md#idle-balancing-laws, where no other run came in between: the
    /// least next_balance of the idle CPUs it has visited, each at its instant of the walk.
    /// `Some(u64::MAX)` if a CPU was left out that was in the mask all the time.
    fn least_next_balance(&self, sim: &Sim) -> Option<u64> {
        let visited =
            sim.rqs.iter().map(|rq| rq.nohz.visited).filter(|visited| visited.0 == self.number);
        let least = visited
            .map(|visited| visited.1)
            .min()
            .filter(|least| *least < sim.nohz.jiffies + FAR_S * u64::from(sim.kernel().hz));
        let left_out = sim
            .nohz
            .idle_mask
            .iter()
            .map(|cpu| sim.rqs[cpu].nohz)
            .any(|rq| rq.noted && rq.visited.0 != self.number);
        if left_out { Some(u64::MAX) } else { least }
    }
}

impl Sim {
    /// run_rebalance_domains(): the work of SCHED_SOFTIRQ on `cpu`. A CPU that runs for the idle
    /// CPUs skips its own pass.
    pub(crate) fn run_rebalance_domains(&mut self, cpu: CpuId) -> Frame {
        if !self.balances_load() {
            return Frame::Balance(crate::kernel::fair::passive::Balance::at_tick(cpu));
        }
        let flags = std::mem::take(&mut self.rqs[cpu].nohz.latched);
        let idle = self.rqs[cpu].balance.idle_balance;
        if flags != 0 && idle {
            return Frame::NohzRun(NohzRun::new(flags));
        }
        if flags != 0 {
            self.look_for_lost_updates();
        }
        Frame::RebalanceDomains(RebalanceDomains::new(cpu, idle))
    }
}
