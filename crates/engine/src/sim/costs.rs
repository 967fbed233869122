//! What an operation costs this time: costs vary from one entry into the kernel to the next, and
//! the timer's interrupt comes a little late (docs/model/time.md#spread).
//!
//! An interrupt, a system call and schedule() each draw one factor for their CPU. All costs there
//! have it until the next draw, so an operation in one piece takes what it takes in pieces.

use crate::ids::CpuId;
use crate::machine::spread::Spread;
use crate::rng::{Purpose, draw, exponential};
use crate::sim::Sim;

impl Sim {
    /// What `ns` of the preset are on `cpu` now.
    #[inline]
    pub(crate) fn cost(&self, cpu: CpuId, ns: impl Into<u64>) -> u64 {
        Spread::scaled(ns.into(), self.cpus[cpu].cost_factor)
    }

    /// `cpu` enters the kernel, or schedule(): how long things take there until the next time.
    #[inline]
    pub(crate) fn draw_costs(&mut self, cpu: CpuId) {
        if !self.spread.varies() {
            return;
        }
        let state = &mut self.cpus[cpu];
        let bits =
            draw(self.setup.seed, Purpose::CostFactor, u64::from(cpu), u64::from(state.entries));
        state.entries = state.entries.wrapping_add(1);
        state.cost_factor = self.spread.factor(bits);
    }

    /// When the timer device of `cpu` interrupts, programmed for `expiry`: an instant that both
    /// sides of a comparison share, however often the device is programmed.
    pub(crate) fn device_fires(&self, cpu: CpuId, expiry: u64) -> u64 {
        let late = match self.setup.machine.costs.timer_late_ns {
            0 => 0,
            mean => exponential(
                self.setup.seed,
                Purpose::TimerLate,
                u64::from(cpu),
                expiry,
                u64::from(mean),
            ),
        };
        expiry.saturating_add(late)
    }
}
