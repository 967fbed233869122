//! What rows are set to after the table's values: as a kernel is settled, and while it runs.
//!
//! A row that a run writes counts as asked from then on: its value is no longer the setup's.

use super::{Kernel, Place, Unsettled};
use crate::kernel::config::resolve_push_ipi;
use crate::kernel::config::switches::{CgroupMode, Preempt, TtwuQueue};

impl Kernel {
    /// Sets the fields that depend on values of rows without a field, for a machine of `cpus`.
    pub fn settle(&mut self, unsettled: Unsettled, cpus: u32) {
        let Unsettled { push_ipi } = unsettled;
        self.rt_push_ipi = resolve_push_ipi(self.rt_balance, push_ipi, cpus, self.preempt);
    }

    /// Writes the RT_PUSH_IPI bit.
    pub(crate) fn write_rt_push_ipi(&mut self, on: bool) {
        Place::rt_push_ipi.note();
        self.rt_push_ipi = on;
    }

    /// Writes the TTWU_QUEUE bit, as the rule that is in force from now on.
    pub(crate) fn write_ttwu_queue(&mut self, rule: TtwuQueue) {
        Place::ttwu_queue.note();
        self.ttwu_queue = rule;
    }

    /// Writes the preemption model.
    pub(crate) fn write_preempt(&mut self, model: Preempt) {
        Place::preempt.note();
        self.preempt = model;
    }

    /// Writes debugfs' sched/cgroup_mode.
    pub(crate) fn write_cgroup_mode(&mut self, mode: CgroupMode) {
        Place::cgroup_mode.note();
        self.cgroup_mode = mode;
    }

    /// Writes the bit of `sched_features` that the switch at `path` is; false if it is none.
    pub(crate) fn write_feature(&mut self, path: &str, on: bool) -> bool {
        let (row, bit) = match path {
            "kernel.delay_dequeue" => (Place::delay_dequeue, &mut self.delay_dequeue),
            "kernel.hrtick" => (Place::hrtick, &mut self.hrtick),
            "kernel.llc_balancing" => (Place::llc_balancing, &mut self.llc_balancing),
            "kernel.next_buddy" => (Place::next_buddy, &mut self.next_buddy),
            "kernel.ni_random" => (Place::ni_random, &mut self.ni_random),
            "kernel.place_lag" => (Place::place_lag, &mut self.place_lag),
            "kernel.preempt_short" => (Place::preempt_short, &mut self.preempt_short),
            "kernel.run_to_parity" => (Place::run_to_parity, &mut self.run_to_parity),
            _ => return false,
        };
        row.note();
        *bit = on;
        true
    }
}
