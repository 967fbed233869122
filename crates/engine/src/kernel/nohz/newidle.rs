//! The way without an IPI: a CPU that has just run out of tasks refreshes the others' blocked load
//! before it sleeps (docs/model/idle-balancing.md#newly-idle-without-an-ipi).

use super::run::NohzRun;
use super::{NEWILB, NEXT, STATS};
use crate::ids::CpuId;
use crate::kernel::fair::sched_domains::{BLOCKED_DECAY_NS, MIGRATION_COST_NS};
use crate::kernel::frame::{Flow, Frame};
use crate::sim::Sim;

impl Sim {
    /// nohz_newidle_balance(): the end of a newidle pass that found nothing, rq lock held.
    pub(crate) fn nohz_newidle_balance(&mut self, cpu: CpuId) {
        let (now, first) = (self.now, self.rqs[cpu].curr.is_some());
        let rq = &mut self.rqs[cpu];
        if first {
            rq.nohz.idle_since = now;
            rq.nohz.blocked_until = now + BLOCKED_DECAY_NS;
        }
        if rq.balance.avg_idle < MIGRATION_COST_NS {
            return;
        }
        // Fernandes 2023's patch; behind the gate above, so that short idle times never get here.
        if self.setup.kernel.nohz_ilb().updates_newly_idle()
            && rq.balance.next_balance < self.nohz.next_balance
        {
            rq.nohz.flags |= NEXT;
        }
        if self.nohz.has_blocked && self.nohz.jiffies >= self.nohz.next_blocked {
            rq.nohz.flags |= NEWILB;
        }
    }

    /// nohz_run_idle_balance(), at the start of do_idle(): interrupts on, before the tick stops.
    pub(crate) fn nohz_run_idle_balance(&mut self, cpu: CpuId) -> Option<Flow> {
        // Fernandes 2023's patch takes NEXT too, though it may be another CPU's kick under way, and
        // passes the bits on raw: without STATS no blocked load is refreshed.
        let patched = self.setup.kernel.nohz_ilb().updates_newly_idle();
        let taken = if patched { NEWILB | NEXT } else { NEWILB };
        let rq = &mut self.rqs[cpu].nohz;
        let flags = rq.flags;
        rq.flags &= !taken;
        let alone = flags != 0 && flags & !taken == 0;
        if !alone || self.cpus[cpu].need_resched.is_some() {
            self.look_for_lost_updates();
            return None;
        }
        Some(Flow::Call(Frame::NohzRun(NohzRun::new(if patched { flags } else { STATS }))))
    }
}
