//! double_lock_balance(): taking a second rq lock while holding one
//! (docs/model/locks-and-ipis.md#double-lock).
//!
//! Fair always drops the own lock first, then takes both in CPU order: a CPU below the other has
//! its own lock back while it queues, a CPU above the other does not. Unfair keeps its lock and
//! tries the other; only a CPU above the other drops its own. After a drop the caller must check
//! its earlier findings again: the CPU's `dropped` register says whether there was one.

use crate::ids::CpuId;
use crate::kernel::frame::Flow;
use crate::machine::spinlock::LockId;
use crate::sim::Sim;

/// Where double_lock_balance(this, other) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoubleLocking {
    this: CpuId,
    other: CpuId,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Second { lock: LockId },
    End,
}

impl DoubleLocking {
    /// The caller holds the lock of rq `this` and wants that of rq `other` too.
    pub fn new(this: CpuId, other: CpuId) -> Self {
        Self { this, other, step: Step::Start }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Start => self.start(sim, cpu),
            Step::Second { lock } => {
                self.step = Step::End;
                Flow::Lock(lock)
            }
            Step::End => Flow::Done,
        }
    }

    fn start(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let unfair = sim.kernel().double_lock().is_unfair();
        if unfair && sim.try_lock(cpu, LockId::rq(self.other)) {
            sim.cpu(cpu).dropped = false;
            return Flow::Done;
        }
        if unfair && self.this < self.other {
            sim.cpu(cpu).dropped = false;
            self.step = Step::End;
            return Flow::Lock(LockId::rq(self.other));
        }
        sim.unlock(cpu, LockId::rq(self.this));
        sim.cpu(cpu).dropped = true;
        let (first, second) =
            (LockId::rq(self.this.min(self.other)), LockId::rq(self.this.max(self.other)));
        self.step = Step::Second { lock: second };
        Flow::Lock(first)
    }
}
