//! Hardware noise stops CPUs (docs/model/time.md#hardware-noise): a stopped CPU executes nothing,
//! whatever it is in the middle of.
//!
//! ```text
//!   work   ─────┤ stopped ├─────        the work ends later by the length of the stop
//!   timer, IPI      ↓     └─► taken when the CPU goes on
//! ```
//! Other CPUs change the lines, flags and lists of a stopped CPU at once. Each way to make it act
//! asks [`crate::machine::cpu::Hardware::is_stopped`] or `resumes_at` first.

use crate::ids::CpuId;
use crate::kernel::irq::clip;
use crate::machine::hw_noise::{HwNoise, NoiseSource};
use crate::named::Named;
use crate::rng::Purpose;
use crate::sim::{Sim, Slot};
use crate::trace::catalogue::Kind;
use crate::trace::codes::Stopper;

impl Sim {
    /// Draws when each source stops each of its CPUs first.
    pub(super) fn start_hw_noise(&mut self) {
        if self.setup.hw_noise.iter().any(Option::is_some) {
            self.hw_noise = vec![HwNoise::default(); self.cpus.len()].into();
        }
        for source in NoiseSource::ALL.iter().copied() {
            let Some(load) = self.setup.hw_noise[source as usize] else { continue };
            for cpu in load.cpus.iter() {
                self.draw_next_stop(cpu, source);
                self.arm_hw_noise(cpu);
            }
        }
    }

    /// Whether hardware noise stops `cpu`.
    pub fn is_stopped(&self, cpu: CpuId) -> bool {
        self.cpus[cpu].hw.is_stopped()
    }

    /// A stop of `cpu` begins or ends.
    pub(super) fn hw_noise_changes(&mut self, cpu: CpuId) {
        let now = self.now;
        if self.cpus[cpu].hw.is_stopped() {
            let (source, ns) = self.hw_noise[cpu].book(now);
            self.ledger.hw_noise[source as usize].stopped_ns += ns;
        }
        for source in NoiseSource::ALL.iter().copied() {
            if self.hw_noise[cpu].is_due(source, now) {
                self.stop_cpu(cpu, source);
            }
        }
        self.arm_hw_noise(cpu);
        if self.cpus[cpu].hw.resumes_at(now) > now {
            self.show(cpu);
        } else {
            self.go_on(cpu);
        }
    }

    /// `source` stops `cpu`, which may be stopped already: it goes on when the last stop has ended.
    fn stop_cpu(&mut self, cpu: CpuId, source: NoiseSource) {
        let Some(load) = self.setup.hw_noise[source as usize] else { return };
        let (now, entity) = (self.now, entity(source, cpu));
        let nth = self.hw_noise[cpu].nth(source);
        let ns = load.length.draw(&self.setup, Purpose::HwNoiseLength, entity, nth).max(1);
        self.take_apart(cpu);
        let hw = &mut self.cpus[cpu].hw;
        let before = hw.resumes_at(now);
        let until = before.max(now.saturating_add(ns));
        self.hw_noise[cpu].begin(source, now, now.saturating_add(ns), !hw.is_stopped());
        hw.stop(until);
        if let Some(end) = hw.busy_until() {
            self.end_work_at(cpu, end.saturating_add(until - before));
        }
        self.ledger.hw_noise[source as usize].count += 1;
        self.emit(Kind::CpuStop, cpu, stopper(source) as u32, clip(ns));
        self.draw_next_stop(cpu, source);
    }

    /// The last stop of `cpu` has ended: the CPU takes a pending interrupt, or goes on with its
    /// work.
    fn go_on(&mut self, cpu: CpuId) {
        let since = self.hw_noise[cpu].since();
        self.cpu(cpu).hw.go_on();
        self.emit(Kind::CpuGo, cpu, clip(self.now - since), 0);
        let hw = &self.cpus[cpu].hw;
        if !hw.irqs_off() && hw.lines.any_pending() {
            self.interrupt(cpu);
            return;
        }
        if self.watches_clock(cpu) {
            self.work_anew(cpu);
        }
        self.show(cpu);
    }

    fn draw_next_stop(&mut self, cpu: CpuId, source: NoiseSource) {
        let Some(load) = self.setup.hw_noise[source as usize] else { return };
        let nth = self.hw_noise[cpu].nth(source);
        let gap = load.gap.draw(&self.setup, Purpose::HwNoiseGap, entity(source, cpu), nth);
        let next = self.now.saturating_add(gap.max(1));
        self.hw_noise[cpu].set_next(source, next);
    }

    fn arm_hw_noise(&mut self, cpu: CpuId) {
        let slot = Slot::HwNoise(cpu).number();
        let next = self.hw_noise[cpu].changes(self.now);
        self.queue.set(slot, next);
    }
}

/// The code in column `a` of [`Kind::CpuStop`].
fn stopper(source: NoiseSource) -> Stopper {
    match source {
        NoiseSource::Smi => Stopper::Smi,
        NoiseSource::Steal => Stopper::Host,
    }
}

/// The entity whose random draws apply: all CPUs share those of the SMI.
fn entity(source: NoiseSource, cpu: CpuId) -> u64 {
    match source {
        NoiseSource::Smi => 0,
        NoiseSource::Steal => 1 + u64::from(cpu),
    }
}
