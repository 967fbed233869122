//! The RT push chain of 4.15 (commit 4bdced5c9a29, docs/model/rt-balancing.md#push-ipi-chain): at
//! most one IPI walks the root domain's rto_mask.

use crate::ids::CpuId;
use crate::kernel::frame::Flow;
use crate::machine::ipi::{CALL_FUNCTION_SINGLE, IRQ_WORK};
use crate::sim::Sim;
use crate::trace::catalogue::{Kind, NONE};

/// The chain's state in the root domain.
#[derive(Clone, Debug, Default)]
pub struct RtoState {
    /// CPU the chain is at; `None` = idle (-1 in the kernel).
    cpu: Option<CpuId>,
    /// Value of `loop_next` the present scan answers.
    loop_seen: u64,
    /// Raised by every CPU that lowers its priority.
    loop_next: u64,
    /// One CPU at a time may start the chain.
    loop_start: bool,
    /// IPIs of the chain sent and not yet handled.
    pub in_flight: u32,
    /// Scans that ended on a newer `loop_next` and went round again.
    restarts: u64,
}

/// tell_cpu_to_push().
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RtoTell {
    step: TellStep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TellStep {
    Start,
    Locked,
    Choose,
}

impl RtoTell {
    /// A CPU has lowered its priority.
    pub fn new() -> Self {
        Self { step: TellStep::Start }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            TellStep::Start => {
                sim.rd_mut(cpu).rto.loop_next += 1;
                if std::mem::replace(&mut sim.rd_mut(cpu).rto.loop_start, true) {
                    return Flow::Done;
                }
                self.step = TellStep::Locked;
                Flow::Lock(sim.rto_lock(cpu))
            }
            TellStep::Locked => {
                self.step = TellStep::Choose;
                Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.rto_hop_ns))
            }
            TellStep::Choose => {
                let next = if sim.rd(cpu).rto.cpu.is_none() { sim.rto_next_cpu(cpu) } else { None };
                sim.unlock(cpu, sim.rto_lock(cpu));
                sim.rd_mut(cpu).rto.loop_start = false;
                if let Some(target) = next {
                    sim.queue_rto_work(cpu, target);
                }
                Flow::Done
            }
        }
    }
}

impl Default for RtoTell {
    fn default() -> Self {
        Self::new()
    }
}

/// rto_push_irq_work_func(), in hardirq on the CPU the chain is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RtoWork {
    step: WorkStep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WorkStep {
    Start,
    Hop,
    Locked,
    Choose,
}

impl RtoWork {
    /// The chain's IPI has arrived.
    pub fn new() -> Self {
        Self { step: WorkStep::Start }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            WorkStep::Start => {
                sim.rd_mut(cpu).rto.in_flight -= 1;
                self.step = WorkStep::Hop;
                sim.asked_push(cpu, false)
            }
            WorkStep::Hop => {
                self.step = WorkStep::Locked;
                Flow::Lock(sim.rto_lock(cpu))
            }
            WorkStep::Locked => {
                self.step = WorkStep::Choose;
                Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.rto_hop_ns))
            }
            WorkStep::Choose => {
                let next = sim.rto_next_cpu(cpu);
                sim.unlock(cpu, sim.rto_lock(cpu));
                if let Some(target) = next {
                    sim.queue_rto_work(cpu, target);
                }
                Flow::Done
            }
        }
    }
}

impl Default for RtoWork {
    fn default() -> Self {
        Self::new()
    }
}

impl Sim {
    /// rto_next_cpu(): the next overloaded CPU after the chain's; at the end, the chain goes round
    /// again if a CPU has lowered its priority since. Since January 2026 the walk skips the CPU
    /// that executes it, which need not ask itself.
    fn rto_next_cpu(&mut self, cpu: CpuId) -> Option<CpuId> {
        let skips_self = self.kernel().rt_balance().walk_leaves_out_itself();
        let domain = self.domain_of(cpu);
        loop {
            let rd = &mut self.rds[domain];
            let next = rd.rto_mask().next(rd.rto.cpu.map_or(CpuId::FIRST, CpuId::next));
            rd.rto.cpu = next;
            if skips_self && next == Some(cpu) {
                continue;
            }
            let again = next.is_none() && rd.rto.loop_seen != rd.rto.loop_next;
            if again {
                rd.rto.loop_seen = rd.rto.loop_next;
                rd.rto.restarts += 1;
            }
            self.emit(Kind::RtoHop, cpu, next.map_or(NONE, CpuId::raw), domain.raw());
            if !again {
                return next;
            }
        }
    }

    fn queue_rto_work(&mut self, cpu: CpuId, target: CpuId) {
        if cpu == target && self.kernel().raises_own_irq_work() {
            self.cpu(cpu).rto_raised = true;
            self.count_rto_work(cpu, target);
            self.send_ipi(cpu, target, IRQ_WORK);
            return;
        }
        self.cpu(target).rto_work = true;
        if self.kernel().has_one_call_list() {
            self.count_rto_work(cpu, target);
            self.call_single(cpu, target);
        } else {
            self.send_rto_ipi(cpu, target);
        }
    }

    /// One more IPI of a push chain, of either kind, before 5.8: whether the target polls is not
    /// asked.
    pub(crate) fn send_rto_ipi(&mut self, cpu: CpuId, target: CpuId) {
        self.count_rto_work(cpu, target);
        self.send_ipi(cpu, target, CALL_FUNCTION_SINGLE);
    }

    fn count_rto_work(&mut self, cpu: CpuId, target: CpuId) {
        self.rd_mut(target).rto.in_flight += 1;
        let in_flight = u64::from(self.rd(target).rto.in_flight);
        self.ledger.rto_sent += 1;
        self.ledger.rto_self_sent += u64::from(cpu == target);
        self.ledger.rto_max_in_flight = self.ledger.rto_max_in_flight.max(in_flight);
    }
}
