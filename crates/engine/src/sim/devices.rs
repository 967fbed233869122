//! Devices: that of rt_noise, and one whose interrupts go to the CPUs of its affinity
//! (docs/model/time.md#device-interrupts). They share the vector: a CPU handles the pending
//! interrupts of both at once.

use crate::ids::{CpuId, IdVec, ObjectId, TaskId};
use crate::kernel::core::task::TaskState;
use crate::machine::ipi::DEVICE;
use crate::rng::Purpose;
use crate::setup::KernelWakee;
use crate::sim::{Sim, Slot};

/// When each device acts next, and the interrupts of the second so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Devices {
    noise_at: Option<u64>,
    irq_at: Option<u64>,
    /// Interrupts of the device with an affinity so far.
    irqs: u64,
    /// Time that the handler of the interrupt pending on each CPU takes, if this device raised it,
    /// ns; empty without it.
    work_ns: IdVec<CpuId, Option<u64>>,
}

impl Devices {
    /// Bytes of its list.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(self.work_ns.as_slice()) as u64
    }
}

impl Sim {
    /// Sets when the device of rt_noise acts next.
    pub(crate) fn arm_noise(&mut self, time: u64) {
        self.devices.noise_at = Some(time);
        self.arm_devices();
    }

    pub(super) fn start_device_irq(&mut self) {
        if self.setup.device_irq.is_some() {
            self.devices.work_ns = vec![None; self.cpus.len()].into();
        }
        self.draw_device_irq();
        self.arm_devices();
    }

    /// The time of a device has come; that of rt_noise acts first.
    pub(super) fn devices_fire(&mut self) {
        let now = self.now;
        if self.devices.noise_at.take_if(|at| *at <= now).is_some() {
            self.noise_fires();
        }
        if self.devices.irq_at.take_if(|at| *at <= now).is_some() {
            self.device_irq_fires();
        }
        self.arm_devices();
    }

    /// The next CPU of the affinity in turn is interrupted. An interrupt that finds the one before
    /// pending is merged into it.
    fn device_irq_fires(&mut self) {
        let Some(load) = self.setup.device_irq else { return };
        let (nth, count) = (self.devices.irqs, u64::from(load.cpus.count()));
        let turn = (nth % count) as usize;
        self.devices.irqs += 1;
        self.draw_device_irq();
        let Some(cpu) = load.cpus.iter().nth(turn) else { return };
        if self.devices.work_ns[cpu].is_none() {
            let work = load.work.draw(&self.setup, Purpose::DeviceIrqWork, 0, nth);
            self.devices.work_ns[cpu] = Some(work);
            self.raise(cpu, DEVICE);
            self.interrupt(cpu);
        }
    }

    /// The part of the handler that belongs to the device with an affinity: its time, and the
    /// softirq it raises.
    pub(crate) fn handle_device_irq(&mut self, cpu: CpuId) {
        let Some(load) = self.setup.device_irq else { return };
        let Some(work_ns) = self.devices.work_ns[cpu].take() else { return };
        let ns = self.cost(cpu, self.setup.machine.costs.device_irq_ns) + work_ns;
        self.cpu(cpu).owe(ns);
        self.count_on(cpu, |counts| counts.device_irqs += 1);
        if load.softirq_ns > 0 {
            self.raise_net_rx(cpu);
        } else {
            self.cpu(cpu).device_events += 1;
        }
    }

    /// The next task that the device's interrupts on `cpu` wake.
    pub(crate) fn woken_by_device(&mut self, cpu: CpuId) -> Option<TaskId> {
        let Some(who) = self.setup.device_irq.and_then(|load| load.wakes) else {
            self.cpu(cpu).device_events = 0;
            return None;
        };
        while self.cpu(cpu).device_events > 0 {
            let (object, again) = match who {
                KernelWakee::Signal(cond) => (cond, false),
                KernelWakee::Broadcast(cond) => (cond, true),
                KernelWakee::Post(sem) => {
                    self.give(ObjectId::new(sem));
                    (sem, false)
                }
            };
            let woken = self.let_one_go(cpu, ObjectId::new(object), false);
            // A broadcast goes on to the last one that waits.
            if !again || woken.is_none() {
                self.cpu(cpu).device_events -= 1;
            }
            let asleep = |task: &TaskId| self.task(*task).state == TaskState::Sleeping;
            if let Some(task) = woken.filter(asleep) {
                return Some(task);
            }
        }
        None
    }

    fn draw_device_irq(&mut self) {
        let Some(load) = self.setup.device_irq else { return };
        let nth = self.devices.irqs;
        let gap = load.gap.draw(&self.setup, Purpose::DeviceIrqGap, 0, nth);
        self.devices.irq_at = Some(self.now.saturating_add(gap.max(1)));
    }

    fn arm_devices(&mut self) {
        let slot = Slot::Devices.number();
        match self.devices.noise_at.into_iter().chain(self.devices.irq_at).min() {
            Some(at) => self.queue.set(slot, at),
            None => self.queue.clear(slot),
        }
    }
}
