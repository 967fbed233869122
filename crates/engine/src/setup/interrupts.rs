//! Interrupts besides the tick: a device with an affinity, and RCU callbacks
//! (docs/model/time.md#device-interrupts, docs/model/time.md#rcu-callbacks).

use super::{Amount, KernelWakee, Object, Setup};
use crate::ids::CpuId;
use crate::machine::topology::CpuMask;

/// A device with an interrupt for each CPU of its affinity; they come in turn, each with its own
/// draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DeviceIrqLoad {
    /// CPUs that its interrupts go to (smp_affinity).
    pub cpus: CpuMask,
    /// Time from one interrupt of the device to its next, on any CPU.
    pub gap: Amount,
    /// Time of the handler, besides the cost of every device interrupt.
    pub work: Amount,
    /// Time of the NET_RX softirq that one interrupt raises, ns; 0 for none.
    pub softirq_ns: u64,
    /// Whom each interrupt wakes: from its softirq, or without one from its handler.
    pub wakes: Option<KernelWakee>,
}

/// RCU callbacks, which come on CPUs that are not idle and run when their grace period is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RcuLoad {
    /// CPUs that have callbacks and run them themselves: those of `rcu_nocbs=` are not among them.
    pub cpus: CpuMask,
    /// Time from one callback of a CPU to its next.
    pub gap: Amount,
    /// Time from call_rcu() to the end of the grace period, ns.
    pub grace_ns: u64,
    /// Time that one callback takes, ns.
    pub work_ns: u64,
}

impl Setup {
    /// Whether the run has interrupts besides the tick: a device with an affinity, or RCU
    /// callbacks. Then its report counts them for each CPU.
    pub fn interrupts_cpus(&self) -> bool {
        self.device_irq.is_some() || self.rcu.is_some()
    }

    pub(super) fn check_interrupts(&self) -> Result<(), String> {
        let end = CpuId::new(self.machine.topology.cpus());
        let there = |cpus: &CpuMask| cpus.last() < Some(end);
        if self.device_irq.is_some_and(|load| load.cpus.is_empty() || !there(&load.cpus)) {
            return Err("a device interrupts CPUs the machine has".to_owned());
        }
        let amounts = self.device_irq.map(|load| [load.gap, load.work]).into_iter().flatten();
        amounts.chain(self.rcu.map(|load| load.gap)).try_for_each(|amount| amount.check(self))?;
        let sort = |index: u32| self.objects.get(index as usize).map(|spec| &spec.object);
        let waits = match self.device_irq.and_then(|load| load.wakes) {
            None => true,
            Some(KernelWakee::Signal(cond) | KernelWakee::Broadcast(cond)) => {
                matches!(sort(cond), Some(Object::Cond))
            }
            Some(KernelWakee::Post(sem)) => matches!(sort(sem), Some(Object::Semaphore { .. })),
        };
        if !waits {
            return Err("a device wakes who waits for a condition or a semaphore".to_owned());
        }
        let Some(rcu) = self.rcu else { return Ok(()) };
        if !there(&rcu.cpus) || !rcu.cpus.and(&self.kernel.nohz_full).is_empty() {
            return Err(
                "RCU callbacks are on CPUs the machine has, outside of nohz_full".to_owned()
            );
        }
        Ok(())
    }
}
