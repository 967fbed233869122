//! The scheduler tick.

use crate::ids::CpuId;
use crate::kernel::frame::Flow;
use crate::kernel::hrtimer::{Timer, TimerKind};
use crate::machine::spinlock::LockId;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// The scheduler tick: own rq lock, accounting, the class's tick (docs/model/time.md#tick).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    expiry: u64,
    /// The CPU's tick is stopped and stays so.
    stopped: bool,
    step: TickStep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TickStep {
    Start,
    Locked,
    /// The lock and the work after it were one piece.
    Worked,
    Class,
    Unlock,
}

impl Tick {
    /// The tick that expired at `expiry`.
    pub(super) fn new(expiry: u64) -> Self {
        Self { expiry, stopped: false, step: TickStep::Start }
    }

    /// The tick of a nohz_full CPU that has none but one a second.
    pub(super) fn of_second(expiry: u64) -> Self {
        Self { stopped: true, ..Self::new(expiry) }
    }

    /// See [`Sim::take_apart`]; the work ends at `until`.
    pub(crate) fn take_apart(&mut self, sim: &mut Sim, cpu: CpuId, until: u64) {
        if self.step == TickStep::Worked {
            let locked = until - sim.cost(cpu, sim.setup.machine.costs.tick_ns);
            self.step = TickStep::Locked;
            if sim.piece_is_over(cpu, locked) {
                sim.rqs[cpu].clock = locked;
                self.step = TickStep::Class;
            }
        }
    }

    #[inline]
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let tick_ns = sim.cost(cpu, sim.setup.machine.costs.tick_ns);
        match self.step {
            TickStep::Start => {
                if !self.stopped {
                    let period = sim.kernel().tick_ns();
                    let missed = (sim.now - self.expiry) / period;
                    let expiry = self.expiry + (missed + 1) * period;
                    sim.cpu(cpu).timers.arm(Timer { expiry, kind: TimerKind::Tick });
                    sim.arm_device(cpu);
                }
                sim.ledger.ticks += 1;
                sim.count_on(cpu, |counts| counts.ticks += 1);
                sim.tick_do_timer(cpu);
                sim.emit(Kind::Tick, cpu, 0, 0);
                sim.rcu_clock_irq(cpu);
                let one = sim.works_with_rq(cpu, LockId::rq(cpu), tick_ns);
                self.step = if one { TickStep::Worked } else { TickStep::Locked };
                Flow::Lock(LockId::rq(cpu))
            }
            TickStep::Locked => {
                sim.update_rq_clock(cpu);
                self.step = TickStep::Class;
                Flow::Spend(tick_ns)
            }
            TickStep::Worked => {
                sim.update_rq_clock_before(cpu, tick_ns);
                sim.count_pieces(1);
                self.step = TickStep::Class;
                self.step(sim, cpu)
            }
            TickStep::Class => {
                // A flag that this tick's own accounting sets waits for the next one
                // (docs/model/preemption.md#lazy-upgrade).
                sim.upgrade_lazy(cpu);
                sim.charge_curr(cpu, cpu);
                sim.task_tick(cpu, cpu);
                self.step = TickStep::Unlock;
                if sim.rqs[cpu].bw_pending.is_empty() { self.step(sim, cpu) } else { Flow::Again }
            }
            TickStep::Unlock => {
                sim.unlock(cpu, LockId::rq(cpu));
                sim.trigger_load_balance(cpu);
                Flow::Done
            }
        }
    }
}
