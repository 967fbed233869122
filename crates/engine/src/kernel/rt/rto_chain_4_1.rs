//! The RT push chain of 4.1 (commit b6366f048e0c, docs/model/rt-balancing.md#push-ipi-of-each):
//! every CPU that lowers its priority sends its own irq_work from one overloaded CPU to the next,
//! and each pushes one task.
//!
//! ```text
//!   cpu 5 lowers ──► cpu 7 (pushes one) ──► cpu 9 ──► cpu 2 ──► end, before it would come back to 5
//! ```

use crate::ids::CpuId;
use crate::kernel::frame::Flow;
use crate::sim::Sim;
use crate::trace::catalogue::{Kind, NONE};

/// The chain of one run queue: its push_flags, push_cpu and where its irq_work is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RqChain {
    /// RT_PUSH_IPI_EXECUTING: the irq_work goes round.
    pub executing: bool,
    /// RT_PUSH_IPI_RESTART: this CPU has lowered its priority again meanwhile.
    pub restart: bool,
    /// CPU the chain has come to.
    cpu: CpuId,
    /// Times its irq_work is queued and not yet run; never more than one.
    pub queued: u32,
}

/// tell_cpu_to_push() of 4.1; the own rq lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tell41 {
    step: TellStep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TellStep {
    Start,
    Locked,
    Find,
    Queue,
}

impl Tell41 {
    /// A CPU has lowered its priority.
    pub fn new() -> Self {
        Self { step: TellStep::Start }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            TellStep::Start if sim.rqs[cpu].rt.chain.executing => {
                self.step = TellStep::Locked;
                Flow::Lock(sim.push_lock(cpu))
            }
            TellStep::Start => {
                self.step = TellStep::Find;
                Flow::Again
            }
            TellStep::Locked => {
                let chain = &mut sim.rqs[cpu].rt.chain;
                let executing = chain.executing;
                chain.restart |= executing;
                sim.unlock(cpu, sim.push_lock(cpu));
                self.step = TellStep::Find;
                if executing { Flow::Done } else { Flow::Again }
            }
            TellStep::Find => {
                self.step = TellStep::Queue;
                Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.rto_hop_ns))
            }
            TellStep::Queue => {
                sim.rqs[cpu].rt.chain.cpu = cpu;
                if let Some(target) = sim.find_next_push_cpu(cpu, cpu) {
                    sim.rqs[cpu].rt.chain.executing = true;
                    sim.queue_push_work(cpu, target, cpu);
                }
                Flow::Done
            }
        }
    }
}

impl Default for Tell41 {
    fn default() -> Self {
        Self::new()
    }
}

/// try_to_push_tasks(): the irq_works of other run queues that have come to this CPU, in hardirq,
/// one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work41 {
    source: CpuId,
    step: WorkStep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WorkStep {
    Start,
    Next,
    Look,
    Hop,
    Locked,
    Choose,
}

impl Work41 {
    /// The call-function IPI has arrived.
    pub fn new() -> Self {
        Self { source: CpuId::FIRST, step: WorkStep::Start }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            WorkStep::Start => {
                // llist_del_all; the list is walked newest first. The list taken before has been
                // walked to its end, so its memory can hold the next entries.
                let state = sim.cpu(cpu);
                std::mem::swap(&mut state.push_running, &mut state.push_works);
                if !state.push_running.is_empty() {
                    sim.rd_mut(cpu).rto.in_flight -= 1;
                }
                self.step = WorkStep::Next;
                Flow::Again
            }
            WorkStep::Next => {
                let Some(source) = sim.cpu(cpu).push_running.pop() else { return Flow::Done };
                sim.rqs[source].rt.chain.queued -= 1;
                self.source = source;
                self.step = WorkStep::Look;
                Flow::Again
            }
            WorkStep::Look => {
                self.step = WorkStep::Hop;
                sim.asked_push(cpu, true)
            }
            WorkStep::Hop => {
                self.step = WorkStep::Locked;
                Flow::Lock(sim.push_lock(self.source))
            }
            WorkStep::Locked => {
                self.step = WorkStep::Choose;
                Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.rto_hop_ns))
            }
            WorkStep::Choose => self.choose(sim, cpu),
        }
    }

    fn choose(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let chain = &mut sim.rqs[self.source].rt.chain;
        if std::mem::take(&mut chain.restart) {
            chain.cpu = self.source;
            sim.ledger.rto_restarts += 1;
        }
        let next = sim.find_next_push_cpu(cpu, self.source);
        sim.rqs[self.source].rt.chain.executing = next.is_some();
        sim.unlock(cpu, sim.push_lock(self.source));
        self.step = WorkStep::Next;
        match next {
            // Again, without an IPI: this CPU is next on its own way.
            Some(target) if target == cpu => self.step = WorkStep::Look,
            Some(target) => sim.queue_push_work(cpu, target, self.source),
            None => {}
        }
        Flow::Again
    }
}

impl Default for Work41 {
    fn default() -> Self {
        Self::new()
    }
}

impl Sim {
    /// find_next_push_cpu(): the next overloaded CPU whose best pushable task is stronger than
    /// every task of `source`.
    fn find_next_push_cpu(&mut self, cpu: CpuId, source: CpuId) -> Option<CpuId> {
        let curr = self.rqs[source].rt.highest_curr;
        let mut next = self.rto_next_cpu_4_1(source);
        while let Some(candidate) = next
            && self.rqs[candidate].rt.highest_next >= curr
        {
            next = self.rto_next_cpu_4_1(source);
        }
        self.emit(Kind::RtoHop, cpu, next.map_or(NONE, CpuId::raw), source.raw());
        next
    }

    /// rto_next_cpu() of 4.1: upwards from push_cpu, round the end, and no further than the source
    /// itself.
    fn rto_next_cpu_4_1(&mut self, source: CpuId) -> Option<CpuId> {
        let at = self.rqs[source].rt.chain.cpu;
        let mask = self.rd(source).rto_mask();
        let next = if at < source {
            mask.next(at.next()).filter(|next| *next < source)
        } else {
            mask.next(at.next()).or_else(|| mask.lowest().filter(|next| *next < source))
        };
        if let Some(next) = next {
            self.rqs[source].rt.chain.cpu = next;
        }
        next
    }

    /// irq_work_queue_on(): an IPI only if the target's list was empty.
    fn queue_push_work(&mut self, cpu: CpuId, target: CpuId, source: CpuId) {
        self.rqs[source].rt.chain.queued += 1;
        let first = self.cpu(target).push_works.is_empty();
        self.cpu(target).push_works.push(source);
        if first {
            self.send_rto_ipi(cpu, target);
        }
    }
}
