//! BALANCER_KICK: the request of a busy tick to an idle CPU (docs/model/idle-balancing.md#kick),
//! and that CPU's interrupt handler.

use super::{BALANCE, KICK_MASK, NEWILB, NEXT, STATS};
use crate::ids::CpuId;
use crate::kernel::irq::clip;
use crate::sim::Sim;
use crate::trace::catalogue::{KICK_OUTCOME, KICK_REASONS, KICK_TARGET, Kind};
use crate::trace::codes::{KickOutcome as Outcome, Softirq};

/// "No target" in the kick's trace row, where a CPU has 16 bits.
const NO_CPU: u32 = KICK_TARGET.mask();

impl Sim {
    /// nohz_balancer_kick(), in the tick of `cpu` after its rq lock is dropped.
    pub(crate) fn nohz_balancer_kick(&mut self, cpu: CpuId) {
        if self.rqs[cpu].balance.idle_balance {
            return;
        }
        self.nohz_balance_exit_idle(cpu);
        if self.nohz.nr_cpus == 0 {
            return;
        }
        let nohz = &self.nohz;
        let mut flags =
            if nohz.has_blocked && nohz.jiffies > nohz.next_blocked { STATS } else { 0 };
        if nohz.jiffies >= nohz.next_balance && self.wants_idle_balance(cpu) {
            flags = STATS | BALANCE;
        }
        // 5.13 to 5.15 have no such flag; the second version of the patch of October 2023 takes it
        // out again.
        if nohz.needs_update && self.kernel().nohz_ilb().kicks_for_update() {
            flags |= NEXT;
        }
        if flags != 0 {
            self.kick_ilb(cpu, flags);
        }
    }

    /// Steps 5 and 8: more than one task here, or more than one busy CPU on this cache. CPUs are
    /// alike and lose no capacity, so steps 6 and 7 never hold.
    fn wants_idle_balance(&self, cpu: CpuId) -> bool {
        self.rqs[cpu].nr_running() >= 2 || self.nohz.nr_busy[self.llc_shared(cpu)] > 1
    }

    fn kick_ilb(&mut self, cpu: CpuId, flags: u8) {
        if flags & BALANCE != 0 {
            self.nohz.next_balance = self.nohz.jiffies + 1;
        }
        let target = self.find_new_ilb(cpu);
        let outcome = target.map_or(Outcome::NoTarget, |target| self.claim_ilb(cpu, target, flags));
        let kicks = &mut self.nohz.kicks;
        kicks.kicks += 1;
        kicks.balance += u64::from(flags & BALANCE != 0);
        kicks.stats += u64::from(flags & STATS != 0);
        kicks.next += u64::from(flags & NEXT != 0);
        *match outcome {
            Outcome::Sent => &mut kicks.sent,
            Outcome::Polling => &mut kicks.polling,
            Outcome::AlreadyOwned => &mut kicks.already_owned,
            Outcome::NoTarget => &mut kicks.no_target,
        } += 1;
        let age = target.map_or(0, |target| self.now - self.rqs[target].nohz.idle_since);
        if target.is_some() {
            self.nohz.kicks.idle_age.add(age);
        }
        let row = KICK_TARGET.put(target.map_or(NO_CPU, CpuId::raw))
            | KICK_REASONS.put(u32::from(flags))
            | KICK_OUTCOME.put(outcome as u32);
        self.emit(Kind::NohzKick, cpu, row, clip(age));
    }

    /// find_new_ilb(): the lowest idle CPU of the mask that does housekeeping; from 7.3 on the
    /// lowest whose whole core is idle, if there is one.
    fn find_new_ilb(&self, cpu: CpuId) -> Option<CpuId> {
        let full = &self.kernel().nohz_full;
        let fits = |ilb: &CpuId| *ilb != cpu && !full.has(*ilb) && self.idle_cpu(*ilb);
        let cores_first = self.kernel().kicks_idle_cores() && self.setup.machine.topology.has_smt();
        let whole = |ilb: &CpuId| cores_first && fits(ilb) && self.core_is_idle(*ilb);
        self.nohz.idle_mask.iter().find(whole).or_else(|| self.nohz.idle_mask.iter().find(fits))
    }

    /// Sets the target's flags; the first to set a kick bit owns the call and sends it.
    fn claim_ilb(&mut self, cpu: CpuId, target: CpuId, flags: u8) -> Outcome {
        let rq = &mut self.rqs[target].nohz;
        let before = rq.flags;
        // T. Chen, May 2024: no write to the target's cache line if it would change nothing.
        if self.setup.kernel.nohz_ilb().skips_old_news() && before & flags == flags {
            return Outcome::AlreadyOwned;
        }
        rq.flags |= flags;
        // A call that is still queued cannot be queued again, even if its bits have been taken away
        // (Fernandes 2023's patch can take them).
        if before & KICK_MASK != 0 {
            self.look_for_lost_kick(target, before, flags);
            return Outcome::AlreadyOwned;
        }
        if std::mem::replace(&mut rq.csd, true) {
            return Outcome::AlreadyOwned;
        }
        // If another call waits already, its IPI serves this call too.
        let listed = self.kernel().has_one_call_list() && self.cpu(target).called;
        match (self.call_single(cpu, target), listed) {
            (true, _) => Outcome::Sent,
            (false, true) => Outcome::AlreadyOwned,
            (false, false) => Outcome::Polling,
        }
    }

    /// nohz_csd_func() on `cpu`: an interrupt, or the idle loop of a CPU that polled.
    pub(crate) fn nohz_csd_func(&mut self, cpu: CpuId) {
        if !std::mem::take(&mut self.rqs[cpu].nohz.csd) {
            return;
        }
        let (idle, flagged) = (self.idle_cpu(cpu), self.cpus[cpu].need_resched.is_some());
        let rq = &mut self.rqs[cpu];
        let flags = std::mem::take(&mut rq.nohz.flags) & (KICK_MASK | NEWILB);
        rq.balance.idle_balance = idle;
        if flags & KICK_MASK == 0 {
            let what = format!(
                "CPU {cpu}'s handler found no kick bit: its own idle loop had taken it (the \
                    warning of October 2023)"
            );
            self.found("nohz_kick_stolen", what);
        }
        if idle && !(flagged && self.kernel().ilb_minds_need_resched()) {
            self.rqs[cpu].nohz.latched = flags;
            self.raise_sched_softirq(cpu);
        } else {
            self.look_for_lost_updates();
        }
    }

    fn raise_sched_softirq(&mut self, cpu: CpuId) {
        if !std::mem::replace(&mut self.cpu(cpu).balance_due, true) {
            self.emit(Kind::SoftirqRaise, cpu, Softirq::Sched as u32, 0);
        }
    }

    /// trigger_load_balance(): the end of every tick. 2.6.24 has its own.
    pub(crate) fn trigger_load_balance(&mut self, cpu: CpuId) {
        if !self.balances_load() {
            self.trigger_load_balance_2624(cpu);
            return;
        }
        self.rqs[cpu].balance.idle_balance = self.idle_cpu(cpu);
        if self.on_null_domain(cpu) {
            return;
        }
        if self.nohz.jiffies >= self.rqs[cpu].balance.next_balance {
            self.raise_sched_softirq(cpu);
        }
        self.nohz_balancer_kick(cpu);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::check::invariants::tests::busy;
    use crate::ids::{CPU0, CPU1, CpuId, TaskId};
    use crate::kernel::config::{Kernel, Version};
    use crate::machine::topology::Topology;
    use crate::sim::Sim;
    use crate::trace::columns::Log;

    #[test]
    fn a_kick_goes_to_an_idle_core_from_7_3_on() {
        for (version, threads, target) in [("7.2.13", 2, 1), ("7.3.4", 2, 2), ("7.3.4", 1, 1)] {
            let mut setup = (*busy().setup).clone();
            setup.machine.topology = Topology::new(4, 4).with_threads(threads, 100);
            setup.kernel = Kernel::of_version(Version::parse(version).unwrap(), 4);
            let mut sim = Sim::new(Arc::new(setup), Log::new(None, 3, 0));
            sim.rqs[CPU0].curr = Some(TaskId::new(0));
            sim.nohz.idle_mask = (1..4).map(CpuId::new).collect();
            assert_eq!(sim.find_new_ilb(CPU0), Some(CpuId::new(target)), "{version} {threads}");
            sim.rqs[CpuId::new(3)].curr = Some(TaskId::new(1));
            assert_eq!(sim.find_new_ilb(CPU0), Some(CPU1), "{version}: no core idles");
        }
    }
}
