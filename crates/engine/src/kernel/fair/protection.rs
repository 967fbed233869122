//! RUN_TO_PARITY: how long the running entity of EEVDF keeps the CPU while another one is due
//! (docs/model/fair-class.md#protection).
//!
//! ```text
//!   virtual run time     picked ───────┬───────────────────────────────┬────►
//!                                      least slice queued          deadline
//!   until_deadline       ├─────────────── protected ───────────────────┤
//!   least_slice          ├─ protected ─┤
//! ```

use super::Enqueue;
use super::entity::{EntityId, SchedEntity};
use crate::ids::{CpuId, GroupId};
use crate::sim::Sim;

impl Sim {
    /// set_protect_slice(): the protection of an entity that becomes the running one begins.
    pub(super) fn set_protect_slice(&mut self, cpu: CpuId, group: GroupId, id: EntityId) {
        let se = self.se(cpu, id);
        let mut end = se.deadline;
        if self.kernel().protection().is_by_least_slice() {
            let own = self.eevdf_slice(cpu, id);
            let least = if self.kernel().run_to_parity() {
                self.slice_bounds(cpu, group).0
            } else {
                u64::from(self.kernel().base_slice_ns())
            };
            if least < own {
                let by_share = self.kernel().protection().is_for_short_slices()
                    && self.preempts_for_short_slices();
                let shared = self.ineligible_vruntime(cpu, group).filter(|_| by_share);
                end = end.min(shared.unwrap_or_else(|| se.vruntime + se.virtual_ns(least)));
            }
        }
        self.se_mut(cpu, id).vprot = end;
    }

    /// protect_slice(): whether the protection lasts.
    pub(super) fn protects_slice(&self, se: &SchedEntity) -> bool {
        if self.kernel().protection().is_by_least_slice() {
            se.vruntime < se.vprot
        } else {
            se.vprot == se.deadline
        }
    }

    /// cancel_protect_slice(): the running entity may lose the CPU from now on.
    pub(super) fn cancel_protect_slice(&mut self, cpu: CpuId, id: EntityId) {
        let se = self.se(cpu, id);
        if self.protects_slice(se) {
            let by_slice = self.kernel().protection().is_by_least_slice();
            let end = if by_slice { se.vruntime } else { se.deadline + 1 };
            self.se_mut(cpu, id).vprot = end;
        }
    }

    /// update_protect_slice(): the protection lasts at most for the least slice from now on.
    fn update_protect_slice(&mut self, cpu: CpuId, group: GroupId, id: EntityId) {
        let se = self.se(cpu, id);
        let (least, _) = self.slice_bounds(cpu, group);
        let from = if self.kernel().protection().is_for_short_slices() {
            se.vruntime.min(self.avg_vruntime(cpu, group))
        } else {
            se.vruntime
        };
        let end = se.vprot.min(from + se.virtual_ns(least));
        self.se_mut(cpu, id).vprot = end;
    }

    /// A wake-up `preempts` the running entity by the policies of the two alone, or does not.
    pub(super) fn protect_after_policies(
        &mut self,
        (cpu, group): (CpuId, GroupId),
        running: EntityId,
        preempts: bool,
    ) {
        if !self.is_eevdf() {
            return;
        }
        if !preempts {
            self.shorten_protection(cpu, group, running);
        } else if self.kernel().preempted_idle_loses_protection() {
            self.cancel_protect_slice(cpu, running);
        }
    }

    /// From 7.3 on a wake-up that asks for nothing shortens the protection without a comparison.
    fn shorten_protection(&mut self, cpu: CpuId, group: GroupId, id: EntityId) {
        if self.kernel().protection().is_for_short_slices() && self.kernel().run_to_parity() {
            self.update_protect_slice(cpu, group, id);
        }
    }

    /// Whether a wake-up is judged though the running task is to be preempted already: from 7.3 on
    /// a shorter slice may become the next buddy then.
    pub(super) fn judges_beside_resched(&self) -> bool {
        self.is_eevdf()
            && self.kernel().protection().is_for_short_slices()
            && self.preempts_for_short_slices()
    }

    /// The end of the protection of an entity whose weight changes, which moves `from` to `to` and
    /// scales the distance from there. To 6.19 the end stays, which to 6.16 is no protection,
    /// because the deadline moves.
    pub(super) fn moved_protection(
        &self,
        old: &SchedEntity,
        (from, to): (i64, i64),
        scaled: impl Fn(i64) -> i64,
    ) -> i64 {
        if self.kernel().protection().is_set_by_picks_alone() && self.protects_slice(old) {
            to + scaled(old.vprot - from)
        } else {
            old.vprot
        }
    }

    fn preempts_for_short_slices(&self) -> bool {
        self.kernel().has_preempt_short() && self.kernel().preempt_short()
    }

    /// Whether a charge asks for a resched though the request is not used up: the protection is
    /// over. Before 6.17 the entity must also have had its share (did_preempt_short()).
    pub(super) fn eevdf_lost_protection(&self, cpu: CpuId, group: GroupId, id: EntityId) -> bool {
        let by_slice = self.kernel().protection().is_by_least_slice();
        (by_slice || self.preempts_for_short_slices())
            && !self.protects_slice(self.se(cpu, id))
            && self.is_contested(cpu, group)
            && (by_slice || !self.eevdf_eligible(cpu, group, id))
    }

    /// check_preempt_wakeup_fair(): whether the pick would now be the `woken` entity, which has
    /// joined its queue as `how` says.
    ///
    /// preempt_sync() of 6.19 on lets a new buddy of a synchronous wake-up preempt at once if 0.5
    /// ms (sysctl_sched_migration_cost) have passed since the running entity was charged. The
    /// wake-up itself has just charged it, so none ever does.
    pub(super) fn eevdf_wakeup_preempts(
        &mut self,
        (cpu, group): (CpuId, GroupId),
        (woken, curr): (EntityId, EntityId),
        how: Enqueue,
    ) -> bool {
        let shorter = self.preempts_for_short_slices()
            && self.eevdf_slice(cpu, woken) < self.eevdf_slice(cpu, curr);
        let actions = self.kernel().has_wakeup_actions();
        let short_slices = self.kernel().protection().is_for_short_slices();
        if actions && !shorter {
            if how == Enqueue::New {
                self.shorten_protection(cpu, group, curr);
                return false;
            }
            if self.mark_woken_if_first(cpu, group, woken) && how == Enqueue::Sync {
                return false;
            }
        }
        let by_slice = self.kernel().protection().is_by_least_slice();
        if shorter && !by_slice && self.preempts_short(cpu, group, (woken, curr)) {
            self.cancel_protect_slice(cpu, curr);
        }
        let unprotected = shorter && by_slice;
        // A buddy is heeded only where the protection is.
        let heeds_buddy = actions && !unprotected;
        let buddy = heeds_buddy.then(|| self.eevdf_buddy(cpu, group)).flatten();
        let picked = buddy.or_else(|| self.eevdf_pick(cpu, group, !unprotected)) == Some(woken);
        if picked || (short_slices && shorter && self.eevdf_eligible(cpu, group, woken)) {
            if unprotected || short_slices {
                self.cancel_protect_slice(cpu, curr);
            }
            if short_slices && shorter {
                self.mark_short(cpu, group, woken);
            }
            return true;
        }
        if self.kernel().run_to_parity() && (unprotected || (by_slice && actions)) {
            self.update_protect_slice(cpu, group, curr);
        }
        false
    }

    /// do_preempt_short() of 6.12 to 6.16: an eligible entity with a shorter slice is due first, or
    /// the running one has had its share.
    fn preempts_short(
        &self,
        cpu: CpuId,
        group: GroupId,
        (woken, curr): (EntityId, EntityId),
    ) -> bool {
        let first = self.se(cpu, woken).deadline < self.se(cpu, curr).deadline;
        self.eevdf_eligible(cpu, group, woken) && (first || !self.eevdf_eligible(cpu, group, curr))
    }
}
