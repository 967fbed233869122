//! What generators and rt-app tasks add up to.

use schedscope_engine::machine::hw_noise::SOURCES;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{
    DeviceIrqLoad, GroupSpec, HwNoiseLoad, Object, ObjectSpec, Quantiles, RcuLoad, SoftirqLoad,
    TaskSpec, TimerSpec,
};

/// Events of all rt-app tasks together, and ops of a generator: a copy is kept per instance.
pub(crate) const EVENTS_MAX: usize = 200_000;

/// What the workload adds up to so far; an index into it is a task's id.
#[derive(Debug, Default)]
pub(crate) struct Workload {
    pub(crate) tasks: Vec<TaskSpec>,
    /// What they share.
    pub(crate) objects: Vec<ObjectSpec>,
    /// Timers of their programs.
    pub(crate) timers: Vec<TimerSpec>,
    /// Quantiles of drawn durations.
    pub(crate) quantiles: Vec<Quantiles>,
    /// Control groups; the root is the first.
    pub(crate) groups: Vec<GroupSpec>,
    /// Tasklet work of interrupts.
    pub(crate) softirq: Option<SoftirqLoad>,
    /// What stops CPUs, by source.
    pub(crate) hw_noise: [Option<HwNoiseLoad>; SOURCES],
    /// The device with an affinity.
    pub(crate) device_irq: Option<DeviceIrqLoad>,
    /// RCU callbacks of the CPUs that run them themselves.
    pub(crate) rcu: Option<RcuLoad>,
    /// CPUs of `kernel.nohz_full`.
    pub(crate) nohz_full: Option<CpuMask>,
    /// Key of every draw.
    pub(crate) seed: u64,
    /// Machine time of the run.
    pub(crate) duration_ns: u64,
}

impl Workload {
    /// Adds an object; its index is what ops name.
    pub(crate) fn object(&mut self, name: impl Into<String>, object: Object) -> u32 {
        self.objects.push(ObjectSpec { name: name.into(), object });
        self.objects.len() as u32 - 1
    }
}
