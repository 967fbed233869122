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
            for line in state.crowd.lines() {
                line.tasks.iter().for_each(|task| known[task.place()] += 1);
                let alike = line.tasks.iter().all(|task| self.is_alike(*task, line.alike));
                ensure(alike, || {
                    format!("cpu {cpu} charges together what waits for several things")
                })?;
            }
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
        // A later event of this instant may change the cause before any time passes.
        let settled = self.queue.peek().is_none_or(|(time, _)| time > self.now);
        let crowd = &self.cpus[wake.cpu].crowd;
        ensure(wake.place.is_none_or(|place| crowd.stands(place) == Some(task)), || {
            format!("task {task} does not stand where it is charged together with others")
        })?;
        let together = wake.place.and_then(|place| crowd.cause(place));
        let cause = together.unwrap_or(wake.cause);
        let holds = self.cause_now(task, wake.phase, wake.cpu);
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

    use crate::account::crowd::Alike;
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
        assert_eq!((watchers.len(), sim.task(in_line(&sim)).prio), (3, 120), "{crowd:?}");
        sim
    }

    /// One of the fair tasks that are charged together.
    fn in_line(sim: &Sim) -> TaskId {
        let lines = sim.cpus[CPU0].crowd.lines();
        let line = lines.iter().find(|line| line.alike == Alike::Fair).expect("there is a line");
        line.tasks[1]
    }

    #[test]
    fn a_wait_of_its_own_among_those_that_are_charged_together_is_caught() {
        let damages: &[Damage] = &[
            |sim| {
                let task = in_line(sim);
                sim.tasks[task].prio = 89
            },
            |sim| {
                let task = in_line(sim);
                wake_of(sim, task).phase = Phase::Waking
            },
        ];
        for damage in damages {
            let mut sim = crowded();
            damage(&mut sim);
            let broken = sim.check_waits().expect_err("they differ");
            assert!(broken.contains("cpu 0 charges together what waits for several"), "{broken}");
        }
    }

    #[test]
    fn those_that_are_charged_together_for_what_no_longer_holds_are_caught() {
        let mut sim = crowded();
        sim.cpus[CPU0].crowd.damage(14);
        let broken = sim.check_waits().expect_err("nothing stops the CPU");
        assert!(broken.contains("is charged for smi, and higher_prio holds"), "{broken}");
    }

    #[test]
    fn one_that_does_not_stand_among_those_it_is_charged_with_is_caught() {
        let mut sim = crowded();
        let task = in_line(&sim);
        let line = sim.cpus[CPU0].crowd.lines().iter().find(|line| line.tasks.contains(&task));
        let other = line.expect("it is in a line").tasks[0];
        wake_of(&mut sim, task).place = wake_of(&mut sim, other).place;
        let broken = sim.check_waits().expect_err("another stands there");
        assert!(broken.contains("does not stand where it is charged together"), "{broken}");
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
