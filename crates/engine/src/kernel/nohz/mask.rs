//! ENTER_IDLE and EXIT_IDLE: a CPU is in the mask from the stop of its tick to its next busy tick,
//! not to its next wake-up (Fernandes 2023: the mask would bounce between caches at microsecond
//! rate otherwise).

use crate::ids::CpuId;
use crate::kernel::config::NohzIlb;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

impl Sim {
    /// Every CPU starts idle with its tick stopped, unless its idle loop has polled since the boot.
    pub(crate) fn boot_nohz(&mut self) {
        if self.setup.machine.polls_from_boot {
            let cpus = self.setup.machine.topology.cpu_ids();
            cpus.for_each(|cpu| self.arm_tick(cpu));
        }
        self.boot_domains();
        if !self.balances_load() {
            return;
        }
        let cpus = self.setup.machine.topology.cpu_ids();
        for cpu in cpus.clone() {
            let shared = self.llc_shared(cpu);
            self.nohz.nr_busy[shared] += u32::from(!self.on_null_domain(cpu));
        }
        // Nothing has happened yet, so nothing is written down.
        if !self.setup.machine.polls_from_boot {
            cpus.for_each(|cpu| _ = self.enter_mask(cpu));
        }
        // Nor has anything run that could have left load behind.
        self.rqs.iter_mut().for_each(|rq| rq.nohz.has_blocked_load = false);
        self.nohz.has_blocked = false;
        self.boot_nohz_full();
    }

    /// nohz_balance_enter_idle(): the tick of idle `cpu` has stopped; interrupts are off, no lock
    /// is held (docs/model/idle-balancing.md#idle-mask).
    pub(crate) fn nohz_balance_enter_idle(&mut self, cpu: CpuId) {
        if self.balances_load() && self.enter_mask(cpu) {
            let idle = self.nohz.nr_cpus;
            self.emit(Kind::NohzEnterIdle, cpu, idle, 0);
            self.look_for_lost_update(cpu);
        }
    }

    /// Enters `cpu` into the mask; returns false if it was there. Blocked load counts since 4.17
    /// (commit f643ea220701). A CPU that is alone in its root domain shares no load and does not
    /// enter.
    fn enter_mask(&mut self, cpu: CpuId) -> bool {
        let blocked = self.kernel().follows_blocked_load();
        self.rqs[cpu].nohz.has_blocked_load = blocked;
        if self.on_null_domain(cpu) {
            return false;
        }
        self.nohz.has_blocked |= blocked;
        let next_balance = self.rqs[cpu].balance.next_balance;
        let rq = &mut self.rqs[cpu].nohz;
        if rq.tick_stopped {
            return false;
        }
        rq.tick_stopped = true;
        (rq.noted, rq.unseen, rq.lost, rq.seen_by) = (false, true, false, 0);
        self.nohz.idle_mask.set(cpu);
        self.nohz.nr_cpus += 1;
        let shared = self.llc_shared(cpu);
        self.nohz.nr_busy[shared] -= 1;
        match self.kernel().nohz_ilb() {
            // 5.13 to 5.15: next_balance stays as it is, however early this CPU's own is (log of
            // 7fd7a9e0caba).
            NohzIlb::Pre516 => {}
            // Fernandes 2023's patch: left to the newly idle CPU itself.
            NohzIlb::Rfc2023 => {}
            // The second version, 20 October 2023: a compare-exchange loop.
            NohzIlb::V2 | NohzIlb::V2NewidleNext => {
                self.nohz.next_balance = self.nohz.next_balance.min(next_balance)
            }
            // Commit 7fd7a9e0caba: the next busy tick or newly idle CPU gets next_balance updated.
            NohzIlb::NeedsUpdate | NohzIlb::NewidleNext | NohzIlb::EarlyOut => {
                self.nohz.needs_update = true
            }
        }
        true
    }

    /// The place of nr_busy_cpus: the lowest CPU of the cache domain, which ends where the root
    /// domain does (sd_llc_shared).
    pub(crate) fn llc_shared(&self, cpu: CpuId) -> CpuId {
        let span = &self.rd(cpu).span;
        self.setup.machine.topology.llc_of(cpu).find(|other| span.has(*other)).unwrap_or(cpu)
    }

    /// nohz_balance_exit_idle(): only a busy tick calls it.
    pub(crate) fn nohz_balance_exit_idle(&mut self, cpu: CpuId) {
        if !std::mem::take(&mut self.rqs[cpu].nohz.tick_stopped) {
            return;
        }
        self.nohz.idle_mask.clear(cpu);
        self.nohz.nr_cpus -= 1;
        let shared = self.llc_shared(cpu);
        self.nohz.nr_busy[shared] += 1;
        let idle = self.nohz.nr_cpus;
        self.emit(Kind::NohzExitIdle, cpu, idle, 0);
    }
}
