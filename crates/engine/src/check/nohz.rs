//! Laws of idle balancing (docs/model/idle-balancing.md#idle-balancing-laws).

use super::invariants::ensure;
use crate::ids::{CpuId, IdVec};
use crate::kernel::nohz::{KICK_MASK, NEXT};
use crate::machine::ipi::CALL_FUNCTION_SINGLE;
use crate::sim::Sim;

impl Sim {
    /// The mask, its count, the CPUs' own notes and nr_busy agree; every kick is accounted for; a
    /// set kick bit has a call under way; no CPU waits unseen for its next_balance to be known.
    pub(super) fn check_nohz(&self) -> Result<(), String> {
        if !self.balances_load() {
            return Ok(());
        }
        let nohz = &self.nohz;
        let in_mask = nohz.idle_mask.count();
        ensure(nohz.nr_cpus == in_mask, || {
            format!("{} CPUs are counted idle, {in_mask} are in the mask", nohz.nr_cpus)
        })?;
        let counts = nohz.kicks;
        let sum = counts.sent + counts.polling + counts.already_owned + counts.no_target;
        ensure(counts.kicks == sum, || format!("{} kicks, {sum} outcomes", counts.kicks))?;
        let ages = counts.idle_age.count();
        ensure(ages == sum - counts.no_target, || {
            format!("{} kicks had a target, {ages} ages of one", sum - counts.no_target)
        })?;
        ensure(counts.sent <= self.ledger.ipi[CALL_FUNCTION_SINGLE].sent, || {
            "more kicks than function calls left as IPIs".to_owned()
        })?;
        let mut busy = IdVec::from(vec![0; nohz.nr_busy.len()]);
        for cpu in self.setup.machine.topology.cpu_ids() {
            busy[self.llc_shared(cpu)] +=
                u32::from(!nohz.idle_mask.has(cpu) && !self.on_null_domain(cpu));
            self.check_nohz_cpu(cpu)?;
        }
        ensure(busy.as_slice() == nohz.nr_busy.as_slice(), || {
            format!("busy CPUs by cache are {busy:?}, counted {:?}", nohz.nr_busy)
        })
    }

    fn check_nohz_cpu(&self, cpu: CpuId) -> Result<(), String> {
        let (nohz, rq, state) = (&self.nohz, &self.rqs[cpu].nohz, &self.cpus[cpu]);
        ensure(nohz.idle_mask.has(cpu) == rq.tick_stopped, || {
            format!("cpu {cpu}: nohz_tick_stopped disagrees with the mask")
        })?;
        let plays = !rq.tick_stopped && !rq.csd || !self.on_null_domain(cpu);
        ensure(plays, || {
            format!("cpu {cpu} has no domain to balance, and is in the mask or kicked")
        })?;
        // Fernandes 2023's patch sets NEXT on the CPU's own flags, and takes others' bits away.
        let patched = self.kernel().nohz_ilb().updates_newly_idle();
        ensure(rq.flags & KICK_MASK == 0 || rq.csd || patched, || {
            format!("cpu {cpu}: a kick bit is set and no call is under way")
        })?;
        let comes = state.hw.lines.in_flight(CALL_FUNCTION_SINGLE) > 0
            || state.hw.lines.is_pending(CALL_FUNCTION_SINGLE);
        let handled = comes
            || state.hw.hardirq() == Some(CALL_FUNCTION_SINGLE)
            || state.need_resched.is_some();
        ensure(!rq.csd || handled, || {
            format!("cpu {cpu}: a call is queued and nobody comes for it")
        })?;
        let told = !self.kernel().nohz_ilb().may_lose_updates();
        let known = nohz.needs_update || nohz.next_runs > 0 || rq.noted || !rq.tick_stopped;
        ensure(!told || known, || {
            format!("cpu {cpu} is in the mask, nohz.next_balance is too late, and no walk is due")
        })?;
        ensure(told || patched || rq.flags & NEXT == 0, || {
            format!("cpu {cpu}: NEXT is set in a kernel without it")
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::check::damage::{Damage, all_are_caught};
    use crate::check::invariants::tests::busy;
    use crate::ids::{CPU0, CPU1};
    use crate::kernel::config::NohzIlb;
    use crate::sim::Sim;

    fn set_ilb(sim: &mut Sim, ilb: NohzIlb) {
        std::sync::Arc::make_mut(&mut sim.setup).kernel.nohz_ilb = ilb;
    }

    /// CPUs 0 and 1 are busy and have not ticked yet.
    #[test]
    fn a_damaged_account_of_idle_cpus_is_caught() {
        let damages: &[(&str, Damage)] = &[
            ("CPUs are counted idle", |sim| sim.nohz.nr_cpus += 1),
            ("nohz_tick_stopped disagrees with the mask", |sim| {
                let before = sim.rqs[CPU1].nohz.tick_stopped;
                sim.rqs[CPU1].nohz.tick_stopped = !before;
            }),
            ("1 kicks, 0 outcomes", |sim| sim.nohz.kicks.kicks += 1),
            ("0 kicks had a target, 1 ages", |sim| sim.nohz.kicks.idle_age.longer += 1),
            ("more kicks than function calls", |sim| {
                sim.nohz.kicks.idle_age.longer += 9;
                sim.nohz.kicks.kicks += 9;
                sim.nohz.kicks.sent += 9;
            }),
            ("busy CPUs by cache", |sim| sim.nohz.nr_busy[CPU0] += 1),
            ("cpu 1 has no domain to balance, and is in the mask or kicked", |sim| {
                sim.rqs[CPU1].balance.domains.iter_mut().for_each(|domain| domain.weight = 1)
            }),
            ("a kick bit is set and no call is under way", |sim| sim.rqs[CPU1].nohz.flags = 2),
            ("nobody comes for it", |sim| sim.rqs[CPU1].nohz.csd = true),
            ("no walk is due", |sim| {
                set_ilb(sim, NohzIlb::NeedsUpdate);
                sim.nohz_balance_exit_idle(CPU0);
                sim.nohz_balance_enter_idle(CPU0);
                sim.nohz.needs_update = false;
            }),
            ("NEXT is set in a kernel without it", |sim| {
                sim.rqs[CPU1].nohz.flags = 8;
                sim.rqs[CPU1].nohz.csd = true;
                sim.cpus[CPU1].need_resched = Some(1);
            }),
        ];
        all_are_caught(busy, Sim::check_laws, damages);
    }
}
