//! rt_noise: unpinned RT tasks that a device interrupt wakes, at the instants a herd needs
//! (docs/model/programs.md#rt-noise).
//!
//! The overload must come while every CPU runs its measuring thread; otherwise find_lowest_rq finds
//! the task a CPU and no CPU has anything to pull. The interrupt goes to the task's last CPU, as a
//! threaded handler's would.

use crate::ids::{CpuId, TaskId};
use crate::machine::ipi::DEVICE;
use crate::rng::{Purpose, exponential};
use crate::setup::{NoiseTrigger, NoiseWhen, Program, Setup};
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// The observations of the generator.
#[derive(Clone, Debug)]
pub struct NoiseState {
    trigger: Option<NoiseTrigger>,
    /// Measuring threads there are.
    threads: u32,
    /// Measuring threads in their body.
    in_body: u32,
    /// Earliest next interrupt.
    not_before: u64,
    /// Interrupts so far.
    fired: u64,
    /// Random gaps drawn so far: the arrivals do not depend on whether the task slept.
    gaps: u64,
}

impl NoiseState {
    /// Nothing seen yet.
    pub fn new(setup: &Setup) -> Self {
        let threads = setup
            .tasks
            .iter()
            .filter(|task| matches!(task.program, Program::Cyclictest { .. }))
            .count() as u32;
        Self { trigger: setup.noise, threads, in_body: 0, not_before: 0, fired: 0, gaps: 0 }
    }
}

impl Sim {
    pub(crate) fn start_noise(&mut self) {
        if let Some(NoiseTrigger { when: NoiseWhen::Random, .. }) = self.noise.trigger {
            self.arm_random_noise();
        }
    }

    /// A measuring thread enters its body (`leaving` false) or leaves it.
    pub(crate) fn in_body(&mut self, _cpu: CpuId, leaving: bool) {
        let noise = &mut self.noise;
        noise.in_body = if leaving { noise.in_body - 1 } else { noise.in_body + 1 };
        let Some(trigger) = noise.trigger else { return };
        let all = trigger.when == NoiseWhen::AllCpusInCyclictest && noise.in_body == noise.threads;
        if all && self.now >= noise.not_before {
            self.arm_noise(self.now);
        }
    }

    /// The device interrupts the CPU its task ran on last, if that task sleeps.
    pub(crate) fn noise_fires(&mut self) {
        let Some(trigger) = self.noise.trigger else { return };
        let nth = (self.noise.fired % u64::from(trigger.tasks)) as u32;
        let task = TaskId::new(trigger.first_task + nth);
        let cpu = self.task(task).cpu;
        if self.is_asleep(task) && self.cpu(cpu).device_task.is_none() {
            self.noise.fired += 1;
            self.noise.not_before = self.now.saturating_add(trigger.min_gap_ns);
            self.ledger.noise_fired += 1;
            self.cpu(cpu).device_task = Some(task);
            self.emit(Kind::NoiseFire, cpu, task.raw(), 0);
            self.raise(cpu, DEVICE);
            self.interrupt(cpu);
        }
        if trigger.when == NoiseWhen::Random {
            self.arm_random_noise();
        }
    }

    /// The gap is `min_gap` plus an exponential draw of the same mean.
    fn arm_random_noise(&mut self) {
        let Some(trigger) = self.noise.trigger else { return };
        let extra =
            exponential(self.setup.seed, Purpose::NoiseGap, 0, self.noise.gaps, trigger.min_gap_ns);
        self.noise.gaps += 1;
        self.arm_noise(self.now.saturating_add(trigger.min_gap_ns).saturating_add(extra.max(1)));
    }
}
