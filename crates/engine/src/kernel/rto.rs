//! The RT push chain of 4.15 (commit 4bdced5c9a29, spec C.6): at most one IPI walks the root domain's rto_mask.

use super::frame::{Flow, Frame};
use super::rt_push::Push;
use crate::machine::ipi::CALL_FUNCTION_SINGLE;
use crate::sim::Sim;
use crate::trace::catalogue::{Kind, NONE};

/// The chain's state in the root domain.
#[derive(Clone, Debug, Default)]
pub struct RtoState {
    /// CPU the chain is at; `None` = idle (-1 in the kernel).
    pub cpu: Option<u32>,
    /// Value of `loop_next` the present scan answers.
    pub loop_seen: u64,
    /// Raised by every CPU that lowers its priority.
    pub loop_next: u64,
    /// One CPU at a time may start the chain.
    pub loop_start: bool,
    /// IPIs of the chain sent and not yet handled.
    pub in_flight: u32,
    /// Scans that ended on a newer `loop_next` and went round again.
    pub restarts: u64,
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

    /// Next step on `cpu`.
    pub fn step(&mut self, sim: &mut Sim, cpu: u32) -> Flow {
        match self.step {
            TellStep::Start => {
                sim.rd.rto.loop_next += 1;
                if std::mem::replace(&mut sim.rd.rto.loop_start, true) {
                    return Flow::Done;
                }
                self.step = TellStep::Locked;
                Flow::Lock(sim.rto_lock())
            }
            TellStep::Locked => {
                self.step = TellStep::Choose;
                Flow::Spend(u64::from(sim.setup.machine.costs.rto_hop_ns))
            }
            TellStep::Choose => {
                let next = if sim.rd.rto.cpu.is_none() { sim.rto_next_cpu(cpu) } else { None };
                sim.unlock(cpu, sim.rto_lock());
                sim.rd.rto.loop_start = false;
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
    Push,
    Pushed,
    Hop,
    Locked,
    Choose,
}

impl RtoWork {
    /// The chain's IPI has arrived.
    pub fn new() -> Self {
        Self { step: WorkStep::Start }
    }

    /// Next step on `cpu`.
    pub fn step(&mut self, sim: &mut Sim, cpu: u32) -> Flow {
        match self.step {
            WorkStep::Start => {
                sim.rd.rto.in_flight -= 1;
                if sim.rqs[cpu as usize].rt.pushable.is_empty() {
                    self.step = WorkStep::Hop;
                    return Flow::Again;
                }
                self.step = WorkStep::Push;
                Flow::Lock(cpu)
            }
            WorkStep::Push => {
                self.step = WorkStep::Pushed;
                Flow::Call(Frame::Push(Push::new(cpu)))
            }
            WorkStep::Pushed => {
                sim.unlock(cpu, cpu);
                self.step = WorkStep::Hop;
                Flow::Again
            }
            WorkStep::Hop => {
                self.step = WorkStep::Locked;
                Flow::Lock(sim.rto_lock())
            }
            WorkStep::Locked => {
                self.step = WorkStep::Choose;
                Flow::Spend(u64::from(sim.setup.machine.costs.rto_hop_ns))
            }
            WorkStep::Choose => {
                let next = sim.rto_next_cpu(cpu);
                sim.unlock(cpu, sim.rto_lock());
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
    /// Lock id of rto_lock: after the last run queue's.
    pub(crate) fn rto_lock(&self) -> u32 {
        self.setup.machine.topology.cpus()
    }

    /// rto_next_cpu(): the next overloaded CPU after the chain's; at the end, round again if somebody lowered since.
    fn rto_next_cpu(&mut self, cpu: u32) -> Option<u32> {
        loop {
            let next = self.rd.rto_mask.next(self.rd.rto.cpu.map_or(0, |at| at + 1));
            self.rd.rto.cpu = next;
            self.emit(Kind::RtoHop, cpu, next.unwrap_or(NONE), 0);
            if next.is_some() {
                return next;
            }
            if self.rd.rto.loop_seen == self.rd.rto.loop_next {
                return None;
            }
            self.rd.rto.loop_seen = self.rd.rto.loop_next;
            self.rd.rto.restarts += 1;
        }
    }

    fn queue_rto_work(&mut self, cpu: u32, target: u32) {
        self.rd.rto.in_flight += 1;
        self.ledger.rto_sent += 1;
        self.ledger.rto_self_sent += u64::from(cpu == target);
        self.ledger.rto_max_in_flight = self.ledger.rto_max_in_flight.max(u64::from(self.rd.rto.in_flight));
        self.cpu(target).rto_work = true;
        self.send_ipi(cpu, target, CALL_FUNCTION_SINGLE);
    }
}
