//! nohz_full CPUs: the tick stops while one task runs alone (docs/model/time.md#nohz_full). The
//! remote tick once a second, by a worker on another CPU, is not modelled.

use crate::ids::{CpuId, GroupId};
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

impl Sim {
    /// The lowest other CPU keeps the time and its tick.
    pub(crate) fn boot_nohz_full(&mut self) {
        let full = self.kernel().nohz_full;
        if full.is_empty() {
            return;
        }
        let keeper = (self.setup.machine.topology.cpu_ids()).find(|cpu| !full.has(*cpu));
        self.nohz.duty = keeper;
        if let Some(keeper) = keeper {
            self.tick_restart(keeper);
        }
    }

    /// tick_nohz_full_update_tick(), at the end of an interrupt: stops or starts the tick as the
    /// running tasks demand.
    pub(crate) fn full_update_tick(&mut self, cpu: CpuId) {
        if !self.kernel().nohz_full.has(cpu) || self.rqs[cpu].curr.is_none() {
            return;
        }
        if !self.can_stop_full_tick(cpu) {
            self.tick_restart(cpu);
        } else if self.cpu(cpu).timers.cancel_tick() {
            self.emit(Kind::TickStop, cpu, 1, 0);
            self.arm_device(cpu);
        }
    }

    /// `cpu` has queued a task on `target`: if that CPU runs without a tick and now has to share,
    /// it starts its tick.
    pub(crate) fn full_tick_dependency(&mut self, cpu: CpuId, target: CpuId) {
        let busy = self.kernel().nohz_full.has(target) && self.rqs[target].curr.is_some();
        if !busy || self.can_stop_full_tick(target) || self.cpu(target).timers.tick_armed() {
            return;
        }
        if cpu == target {
            self.tick_restart(cpu);
        } else {
            self.call_single(cpu, target);
        }
    }

    /// sched_can_stop_tick(): SCHED_FIFO needs none, SCHED_RR and fair tasks need one as soon as
    /// they share.
    fn can_stop_full_tick(&self, cpu: CpuId) -> bool {
        let rq = &self.rqs[cpu];
        let sharing =
            rq.rt.active().iter().filter(|task| self.task(**task).policy.has_rr_slice()).count();
        sharing <= 1
            && (!rq.rt.active().is_empty()
                || (rq.nr_running() <= 1 && !self.tick_guards_quota(cpu)))
    }

    /// cfs_task_bw_constrained(): from 6.6 on the tick stays where it alone notices that the quota
    /// is used up (docs/model/bandwidth.md#overrun).
    fn tick_guards_quota(&self, cpu: CpuId) -> bool {
        let Some(curr) = self.rqs[cpu].curr.filter(|_| self.kernel().tick_stays_for_quota()) else {
            return false;
        };
        let mut group = self.task_group(curr);
        while group != GroupId::ROOT {
            if self.bw_limits(cpu, group) {
                return true;
            }
            group = self.parent(group);
        }
        false
    }
}
