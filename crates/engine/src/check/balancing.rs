//! Laws of the state that load balancing keeps.

use super::invariants::ensure;
use crate::kernel::fair::load_balance::PINNED_INTERVAL_MS;
use crate::sim::Sim;

impl Sim {
    /// Intervals stay between their least value and the greatest that pinned tasks may cause; only
    /// 2.6.24's code counts failures of its own.
    pub(super) fn check_balancing(&self) -> Result<(), String> {
        for (id, cpu) in self.cpus.iter_enumerated() {
            for timer in &cpu.balance {
                ensure((1..=512).contains(&timer.interval_ms), || {
                    format!("cpu {id} balances every {} ms", timer.interval_ms)
                })?;
                ensure(timer.last <= self.now, || format!("cpu {id} has balanced in the future"))?;
                let counts = timer.failed == 0 || !self.kernel().rt_balance().is_active();
                ensure(counts, || {
                    format!("cpu {id} counts {} failures of a balancing it has not", timer.failed)
                })?;
            }
        }
        for (id, rq) in self.rqs.iter_enumerated() {
            for domain in rq.balance.domains.iter().filter(|domain| domain.weight > 1) {
                let most = (2 * PINNED_INTERVAL_MS).max(4 * domain.weight) - 1;
                ensure((1..=most).contains(&domain.interval_ms), || {
                    format!("cpu {id} balances load every {} ms", domain.interval_ms)
                })?;
                ensure(domain.last_balance <= self.nohz.jiffies, || {
                    format!("cpu {id} has balanced load in the future")
                })?;
                ensure(domain.failed == 0 || self.kernel().load_balance(), || {
                    format!("cpu {id} counts failures of what it does not do")
                })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::check::damage::{Damage, all_are_caught};
    use crate::check::invariants::tests::busy;
    use crate::ids::{CPU0, CPU1, TaskId};
    use crate::kernel::fair::sched_domains::LLC;
    use crate::sim::Sim;

    #[test]
    fn a_task_is_taken_and_put_only_under_the_queues_own_lock() {
        let mut sim = busy();
        sim.detach_task(CPU1, TaskId::new(2), CPU1);
        assert!(sim.fault.expect("cpu 0's lock is free").contains("without the lock of cpu 0"));
        let mut sim = busy();
        sim.attach_task(CPU1, TaskId::new(2), CPU1);
        assert!(sim.fault.expect("cpu 1's lock is free").contains("without the lock of cpu 1"));
    }

    #[test]
    fn a_damaged_memory_of_balancing_is_caught() {
        let damages: &[(&str, Damage)] = &[
            ("cpu 0 balances every 0 ms", |sim| sim.cpus[CPU0].balance[1].interval_ms = 0),
            ("cpu 1 balances every 1024 ms", |sim| sim.cpus[CPU1].balance[0].interval_ms = 1024),
            ("cpu 1 has balanced in the future", |sim| {
                sim.cpus[CPU1].balance[0].last = sim.now + 1
            }),
            ("cpu 1 balances load every 0 ms", |sim| {
                sim.rqs[CPU1].balance.domains[LLC].interval_ms = 0
            }),
            ("cpu 1 has balanced load in the future", |sim| {
                sim.rqs[CPU1].balance.domains[LLC].last_balance = 1 << 40
            }),
            ("cpu 0 counts failures of what it does not do", |sim| {
                std::sync::Arc::make_mut(&mut sim.setup).kernel.load_balance = false;
                sim.rqs[CPU0].balance.domains[LLC].failed = 1;
            }),
            ("task 2 is on 1 CPUs' way", |sim| sim.cpus[CPU1].detached.push(TaskId::new(2))),
            ("task 2 is on 0 CPUs' way", |sim| sim.tasks[TaskId::new(2)].migrating = Some(CPU0)),
            ("on its way and on a queue", |sim| {
                sim.cpus[CPU1].detached.push(TaskId::new(2));
                sim.tasks[TaskId::new(2)].migrating = Some(CPU0);
            }),
            ("cpu 0 counts 1 failures", |sim| sim.cpus[CPU0].balance[0].failed = 1),
        ];
        all_are_caught(busy, Sim::check_laws, damages);
    }
}
