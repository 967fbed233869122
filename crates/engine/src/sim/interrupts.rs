//! Interrupts on and off, the timer device, and IPIs reaching their target.

use crate::ids::CpuId;
use crate::kernel::hrtimer::TimerKind;
use crate::kernel::irq::clip;
use crate::machine::ipi::LOCAL_TIMER;
use crate::sim::{Sim, Slot};
use crate::trace::catalogue::{IPI_COALESCED, IPI_SENDER, IPI_VECTOR, Kind};

impl Sim {
    /// local_irq_disable, nested.
    #[inline]
    pub(crate) fn irq_disable(&mut self, cpu: CpuId) {
        let now = self.now;
        self.cpu(cpu).hw.irq_disable(now);
    }

    /// local_irq_enable, nested; pending vectors are taken when the CPU next looks.
    #[inline]
    pub(crate) fn irq_enable(&mut self, cpu: CpuId) {
        let now = self.now;
        if let Some(off) = self.cpu(cpu).hw.irq_enable(now) {
            self.ledger.irq_off_max_ns = self.ledger.irq_off_max_ns.max(off);
        }
    }

    /// Sets a pending bit; false if it was set.
    pub(crate) fn raise(&mut self, cpu: CpuId, vector: usize) -> bool {
        let now = self.now;
        self.cpu(cpu).hw.lines.raise(vector, now)
    }

    /// A vector has become pending: the CPU leaves its work if interrupts are on and no stop holds
    /// it.
    pub(crate) fn interrupt(&mut self, cpu: CpuId) {
        let state = self.cpu(cpu);
        if state.hw.irqs_off() || !state.hw.lines.any_pending() || state.hw.is_stopped() {
            self.refresh(cpu);
            return;
        }
        if self.stop_work(cpu) {
            let slot = Slot::Progress(cpu).number();
            self.queue.clear(slot);
        }
        self.run_cpu(cpu);
    }

    #[inline]
    pub(super) fn timer_fires(&mut self, cpu: CpuId) {
        self.fire_timers(cpu);
        let now = self.now;
        let hangs = self.cpu(cpu).hrtimer_hang.filter(|until| *until > now);
        self.cpu(cpu).hrtimer_hang = hangs;
        self.arm_device(cpu);
        if hangs.is_some() {
            return;
        }
        // While its handler runs the device is not programmed; the handler's end looks again.
        if self.cpu(cpu).hw.hardirq() != Some(LOCAL_TIMER) {
            self.raise(cpu, LOCAL_TIMER);
        }
        self.interrupt(cpu);
    }

    /// Marks expired timers as fired; a sleeping task's wake-up begins at its due time.
    #[inline]
    pub(crate) fn fire_timers(&mut self, cpu: CpuId) {
        let now = self.now;
        while let Some(timer) = self.cpu(cpu).timers.fire(now) {
            if let TimerKind::Task { task, slack_ns } = timer.kind {
                self.wake_due(task, cpu, timer.expiry - u64::from(slack_ns));
            }
        }
    }

    /// Programs the one-shot device for the next timer that has not fired; while the hang guard
    /// holds, also for its end.
    pub(crate) fn arm_device(&mut self, cpu: CpuId) {
        let slot = Slot::Timer(cpu).number();
        let state = &self.cpus[cpu];
        let fires = state.timers.next_expiry().map(|expiry| self.device_fires(cpu, expiry));
        match fires.into_iter().chain(state.hrtimer_hang).min() {
            Some(time) => self.queue.set(slot, time.max(self.now)),
            None => self.queue.clear(slot),
        }
    }

    /// Sets the slot of a vector to the earliest IPI under way.
    pub(crate) fn arm_ipi(&mut self, cpu: CpuId, vector: usize, arrival: u64) {
        let slot = Slot::Ipi(cpu, vector).number();
        self.queue.set(slot, arrival);
    }

    pub(super) fn ipi_arrives(&mut self, cpu: CpuId, vector: usize) {
        let (ipi, coalesced, next) = self.cpu(cpu).hw.lines.arrive(vector);
        if let Some(next) = next {
            self.arm_ipi(cpu, vector, next);
        }
        let counts = &mut self.ledger.ipi[vector];
        if coalesced {
            counts.coalesced += 1;
        } else {
            counts.delivered += 1;
        }
        let packed = IPI_SENDER.put(ipi.sender.raw())
            | IPI_VECTOR.put(vector as u32)
            | IPI_COALESCED.put(u32::from(coalesced));
        self.emit(Kind::IpiArrive, cpu, packed, clip(self.now - ipi.sent));
        self.interrupt(cpu);
    }
}
