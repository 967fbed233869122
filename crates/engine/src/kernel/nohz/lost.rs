//! Updates and kicks that the variants of idle balancing lose
//! (docs/model/idle-balancing.md#lost-updates). They are findings, not broken laws, because the
//! policy loses them.
//!
//! *Update*: an idle CPU of the mask wants to be balanced earlier than nohz.next_balance says, no
//! walk has noted it since it entered, and no CPU is about to look. *Kick*: the kicker finds a kick
//! bit that the target itself has set, takes it for a kick under way and sends nothing.

use super::{BALANCE, NEWILB, NEXT, STATS};
use crate::ids::CpuId;
use crate::sim::Sim;

impl Sim {
    fn may_lose_updates(&self) -> bool {
        self.balances_load() && self.kernel().nohz_ilb().may_lose_updates()
    }

    /// Whether idle `cpu` is noted nowhere and wants a pass before the next jiffy in which a busy
    /// tick asks for one.
    fn update_is_lost(&self, cpu: CpuId) -> bool {
        let (nohz, rq) = (&self.nohz, &self.rqs[cpu]);
        let asked_for = nohz.next_balance <= (nohz.jiffies + 1).max(rq.balance.next_balance);
        rq.nohz.unseen && !rq.nohz.lost && !asked_for && self.idle_cpu(cpu)
    }

    /// A walk is under way, or about to be: called for, latched for the softirq, or noted for the
    /// own idle loop.
    fn somebody_will_look(&self) -> bool {
        let flagged = self.nohz.needs_update && self.kernel().nohz_ilb().updates_newly_idle();
        let about_to = |rq: &crate::kernel::nohz::NohzRq| {
            rq.csd || rq.latched != 0 || rq.flags & (NEXT | NEWILB) != 0
        };
        flagged || self.nohz.runs > 0 || self.rqs.iter().any(|rq| about_to(&rq.nohz))
    }

    /// `cpu` has entered the mask.
    pub(super) fn look_for_lost_update(&mut self, cpu: CpuId) {
        if self.may_lose_updates() && self.update_is_lost(cpu) && !self.somebody_will_look() {
            self.lose_update(cpu);
        }
    }

    /// A walk has ended, or did not come about.
    pub(super) fn look_for_lost_updates(&mut self) {
        if !self.may_lose_updates() || self.somebody_will_look() {
            return;
        }
        let mask = self.nohz.idle_mask;
        mask.iter().for_each(|cpu| {
            if self.update_is_lost(cpu) {
                self.lose_update(cpu);
            }
        });
    }

    /// An episode begins: it ends when a walk notes the CPU, or with its busy tick. A finding is
    /// made of each CPU's first.
    fn lose_update(&mut self, cpu: CpuId) {
        let rq = &mut self.rqs[cpu];
        rq.nohz.lost = true;
        let first = !std::mem::replace(&mut rq.nohz.lost_before, true);
        self.nohz.kicks.lost_updates += 1;
        if first {
            let (own, all) = (self.rqs[cpu].balance.next_balance, self.nohz.next_balance);
            let what = format!(
                "CPU {cpu} idles and needs balancing at jiffy {own}, but nohz.next_balance is \
                    {all} and no walk is due"
            );
            self.found("nohz_lost_update", what);
        }
    }

    /// A walk over the mask that began as number `run` has written next_balance: the CPUs that it
    /// passed are noted.
    pub(super) fn note_seen(&mut self, run: u32) {
        for rq in self.rqs.iter_mut().filter(|rq| rq.nohz.seen_by == run) {
            (rq.nohz.unseen, rq.nohz.lost) = (false, false);
        }
    }

    /// The kicker laid `flags` over `before` of `target`, found a bit of KICK_MASK there and left.
    /// With no call under way only the target itself can have set that bit, and its idle loop takes
    /// that bit alone: the kicker's request stays forever.
    pub(super) fn look_for_lost_kick(&mut self, target: CpuId, before: u8, flags: u8) {
        let wanted = flags & (BALANCE | STATS);
        if wanted == 0 || self.rqs[target].nohz.csd {
            return;
        }
        self.nohz.kicks.lost_kicks += 1;
        if before & (BALANCE | STATS) == 0 {
            let what = format!(
                "CPU {target} had set NOHZ_NEXT_KICK for itself, so a kick sent no IPI: no kick \
                    reaches that CPU any more"
            );
            self.found("nohz_kick_lost", what);
        }
    }
}
