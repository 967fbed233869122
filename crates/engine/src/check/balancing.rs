//! What load balancing remembers.

use super::invariants::ensure;
use crate::sim::Sim;

impl Sim {
    /// Intervals stay between their least and what pinned tasks make of them; only 2.6.24's code counts failures of its own.
    pub(super) fn check_balancing(&self) -> Result<(), String> {
        for (id, cpu) in self.cpus.iter().enumerate() {
            for timer in &cpu.balance {
                ensure((1..=512).contains(&timer.interval_ms), || format!("cpu {id} balances every {} ms", timer.interval_ms))?;
                ensure(timer.last <= self.now, || format!("cpu {id} has balanced in the future"))?;
                let counts = timer.failed == 0 || !self.kernel().rt_balance.is_active();
                ensure(counts, || format!("cpu {id} counts {} failures of a balancing it has not", timer.failed))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::check::invariants::tests::busy;
    use crate::sim::Sim;

    type Damage = fn(&mut Sim);

    #[test]
    fn a_damaged_memory_of_balancing_is_caught() {
        let damages: &[(&str, Damage)] = &[
            ("cpu 0 balances every 0 ms", |sim| sim.cpus[0].balance[1].interval_ms = 0),
            ("cpu 1 balances every 1024 ms", |sim| sim.cpus[1].balance[0].interval_ms = 1024),
            ("cpu 1 has balanced in the future", |sim| sim.cpus[1].balance[0].last = sim.now + 1),
            ("cpu 0 counts 1 failures", |sim| sim.cpus[0].balance[0].failed = 1),
        ];
        for (expected, damage) in damages {
            let mut sim = busy();
            damage(&mut sim);
            let broken = sim.check_laws().expect_err(expected);
            assert!(broken.contains(expected), "{broken:?} should say {expected:?}");
        }
    }
}
