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
    use crate::account::latency::Wake;
    use crate::check::invariants::tests::busy;
    use crate::ids::{CPU0, CPU1, TaskId};
    use crate::sim::Sim;

    /// Behind task 0 on CPU 0.
    const WAITS: TaskId = TaskId::new(2);

    fn wake(sim: &mut Sim) -> &mut Wake {
        sim.tasks[WAITS].wake.as_mut().expect("it waits")
    }

    type Damage = fn(&mut Sim);

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
        for (expected, damage) in damages {
            let mut sim = busy();
            damage(&mut sim);
            let broken = sim.check_waits().expect_err(expected);
            assert!(broken.contains(expected), "{broken}");
        }
    }
}
