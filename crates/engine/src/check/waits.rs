//! Laws of waits (docs/model/accounting.md#causes): a wait depends on one CPU, which knows it, all
//! its time is charged, and the cause that is charged is the one that holds.

use super::invariants::ensure;
use crate::ids::{Id, TaskId};
use crate::sim::Sim;
use crate::trace::catalogue::CAUSES;

impl Sim {
    pub(super) fn check_waits(&self) -> Result<(), String> {
        let mut known = vec![0_u32; self.tasks.len()];
        for (cpu, state) in self.cpus.iter_enumerated() {
            for task in &state.watchers {
                known[task.place()] += 1;
                let depends = self.task(*task).wake.as_ref().map(|wake| wake.cpu);
                ensure(depends == Some(cpu), || {
                    format!("cpu {cpu} is watched for task {task}, which does not depend on it")
                })?;
            }
            let single = state.watchers.len() - state.crowd.alike(state.watchers.len());
            let alike = state.watchers[single..].iter().all(|task| self.is_alike(*task));
            ensure(alike, || format!("cpu {cpu} charges together what waits for several things"))?;
            let unread = self.roaming.is_empty() && self.running.is_unread(cpu);
            let known = unread || self.running.prio_of(cpu) == self.running_prio(cpu);
            ensure(known, || format!("cpu {cpu} counts as running something else"))?;
        }
        self.tasks.ids().try_for_each(|task| self.check_wait(task, known[task.place()]))
    }

    fn check_wait(&self, task: TaskId, known: u32) -> Result<(), String> {
        let wake = self.task(task).wake.as_ref();
        ensure(known == u32::from(wake.is_some()), || {
            format!("the wait of task {task} is watched {known} times")
        })?;
        let Some(wake) = wake else { return Ok(()) };
        let (due, charged, sum) = (wake.due, wake.charged_to, wake.stretches.sum());
        ensure(due + sum == charged, || {
            format!("task {task}, due at {due}, is charged {sum} ns up to {charged}")
        })?;
        // What is still to come in this instant may change it before any time passes.
        let settled = self.queue.peek().is_none_or(|(time, _)| time > self.now);
        let (cause, holds) = (wake.cause, self.cause_now(task, wake.phase, wake.cpu));
        ensure(!settled || holds == cause, || {
            let name = |cause: u8| CAUSES[usize::from(cause)].0;
            format!("task {task} is charged for {}, and {} holds", name(cause), name(holds))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::check::damage::{Damage, all_are_caught};
    use std::sync::Arc;

    use crate::account::latency::{Phase, Wake};
    use crate::check::invariants::tests::busy;
    use crate::ids::{CPU0, CPU1, Id, TaskId};
    use crate::kernel::cpu::Cpu;
    use crate::machine::topology::CpuMask;
    use crate::setup::{Policy, TaskSpec};
    use crate::sim::Sim;
    use crate::trace::columns::Log;

    /// Behind task 0 on CPU 0.
    const WAITS: TaskId = TaskId::new(2);

    /// The first of the fair tasks that wait on CPU 0 where there is a crowd.
    const FAIR: TaskId = TaskId::new(3);

    fn wake_of(sim: &mut Sim, task: TaskId) -> &mut Wake {
        sim.tasks[task].wake.as_mut().expect("it waits")
    }

    fn wake(sim: &mut Sim) -> &mut Wake {
        wake_of(sim, WAITS)
    }

    /// Five fair tasks wait on CPU 0, and one RT task, behind the stronger one that runs there.
    fn crowded() -> Sim {
        let mut setup = (*busy().setup).clone();
        let fair = TaskSpec {
            policy: Policy::Fair { nice: 0 },
            cpus: CpuMask::one(CPU0),
            ..setup.tasks[WAITS.place()].clone()
        };
        setup
            .tasks
            .extend((0..5).map(|nth| TaskSpec { name: format!("fair.{nth}"), ..fair.clone() }));
        let mut sim = Sim::new(Arc::new(setup), Log::new(None, 3, 0));
        while sim.step(100_000) {
            assert_eq!(sim.check_laws(), Ok(()));
        }
        let Cpu { watchers, crowd, .. } = &sim.cpus[CPU0];
        assert_eq!((watchers[0], crowd.alike(watchers.len())), (WAITS, 5));
        sim
    }

    #[test]
    fn a_wait_of_its_own_among_those_that_are_charged_together_is_caught() {
        let damages: &[Damage] = &[
            |sim| sim.cpus[CPU0].watchers.swap(0, 5),
            |sim| sim.tasks[FAIR].prio = 89,
            |sim| wake_of(sim, FAIR).phase = Phase::Waking,
        ];
        for damage in damages {
            let mut sim = crowded();
            damage(&mut sim);
            let broken = sim.check_waits().expect_err("they differ");
            assert!(broken.contains("cpu 0 charges together what waits for several"), "{broken}");
        }
    }

    #[test]
    fn one_of_those_that_are_charged_together_for_what_no_longer_holds_is_caught() {
        let mut sim = crowded();
        wake_of(&mut sim, FAIR).cause = 14;
        let broken = sim.check_waits().expect_err("nothing stops the CPU");
        assert!(broken.contains("task 3 is charged for smi, and higher_prio holds"), "{broken}");
    }

    #[test]
    fn a_damaged_wait_is_caught() {
        let damages: &[(&str, Damage)] = &[
            ("watched 0 times", |sim| sim.cpus[CPU0].watchers.clear()),
            ("watched 2 times", |sim| sim.cpus[CPU0].watchers.push(WAITS)),
            ("does not depend on it", |sim| sim.cpus[CPU1].watchers.push(WAITS)),
            ("cpu 1 counts as running something else", |sim| {
                sim.running.set(CPU1, None);
            }),
            ("ns up to", |sim| wake(sim).charged_to += 1),
            ("charged for smi, and higher_prio holds", |sim| wake(sim).cause = 14),
        ];
        assert_eq!(busy().check_waits(), Ok(()));
        all_are_caught(busy, Sim::check_waits, damages);
    }
}
