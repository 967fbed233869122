//! __cfsb_csd_unthrottle(): a CPU unthrottles its own queues when an IPI asks it to (commit
//! 8ad075c2eb1f, 6.3 on; docs/model/bandwidth.md#unthrottle-by-ipi).

use super::By;
use super::throttle::Unthrottle;
use crate::ids::CpuId;
use crate::kernel::frame::{Flow, Frame};
use crate::machine::spinlock::LockId;
use crate::sim::Sim;

/// The function call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BwCsd {
    /// About to take the own run-queue lock.
    Start,
    /// The next queue of the list.
    Next,
}

impl BwCsd {
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self {
            Self::Start => {
                sim.irq_disable(cpu);
                *self = Self::Next;
                Flow::Lock(LockId::rq(cpu))
            }
            Self::Next => {
                while !sim.rqs[cpu].bw_csd.is_empty() {
                    let group = sim.rqs[cpu].bw_csd.remove(0);
                    let own = &mut sim.cfs_rq_mut(cpu, group).bandwidth;
                    let by = own.csd_pending.take().unwrap_or(By::Period);
                    if own.throttled() {
                        return Flow::Call(Frame::Unthrottle(Unthrottle::new(cpu, group, by)));
                    }
                }
                sim.unlock(cpu, LockId::rq(cpu));
                sim.irq_enable(cpu);
                Flow::Done
            }
        }
    }
}
