//! Laws of stoppers: a stopper does what it was asked, one push at a time, and no task waits for a
//! move that was not requested.

use super::invariants::ensure;
use crate::ids::{CpuId, Id, TaskId};
use crate::kernel::core::stop::Work;
use crate::kernel::core::task::TaskState;
use crate::kernel::frame::Frame;
use crate::sim::Sim;

impl Sim {
    /// Each work is its CPU's own affair; a push is under way iff push_busy says so; each task that
    /// is to be moved has one work; one active balance at a time, to another CPU; a stopper with
    /// work is awake or being woken; its class holds nothing else.
    pub(super) fn check_stoppers(&self) -> Result<(), String> {
        if self.setup.stopper(CpuId::FIRST).is_none() {
            return Ok(());
        }
        let mut moves = vec![0_u32; self.tasks.len()];
        for (id, rq) in self.rqs.iter_enumerated() {
            let stopper = self.stopper(id);
            ensure(rq.stop.queued.is_none() || rq.stop.queued == stopper, || {
                format!("cpu {id}: another task in the stop class")
            })?;
            let pushes =
                rq.stop.works.iter().filter(|work| matches!(work, Work::Push { .. })).count();
            ensure(pushes == usize::from(rq.stop.push_busy), || {
                format!("cpu {id}: {pushes} pushes of what runs, busy is {}", rq.stop.push_busy)
            })?;
            let mut balances = 0;
            for work in &rq.stop.works {
                match work {
                    Work::Push { .. } => {}
                    Work::Migrate { task, .. } => moves[task.place()] += 1,
                    Work::Balance { to, .. } => {
                        balances += 1;
                        ensure(*to != id, || format!("cpu {id} balances load to itself"))?;
                    }
                }
            }
            ensure(balances <= 1, || format!("cpu {id}: {balances} active balances"))?;
            let asleep =
                stopper.is_some_and(|stopper| self.task(stopper).state == TaskState::Sleeping);
            let woken = || {
                self.cpus
                    .iter()
                    .any(|cpu| cpu.stack.iter().any(|entry| self.wakes(entry.frame, stopper)))
            };
            ensure(rq.stop.works.is_empty() || !asleep || woken(), || {
                format!("cpu {id}: its stopper sleeps and has work")
            })?;
        }
        for (id, task) in self.tasks.iter().enumerate() {
            ensure(moves[id] == u32::from(task.sync.moving), || {
                format!("task {id} is to be moved by {} stoppers", moves[id])
            })?;
            ensure(!task.sync.moving || task.row().can_migrate, || {
                format!("stopper {id} is to be moved")
            })?;
        }
        Ok(())
    }

    fn wakes(&self, frame: Frame, task: Option<TaskId>) -> bool {
        let woken = if let Frame::LiveChange(change) = frame {
            change.stopper()
        } else if let Frame::Ttwu(ttwu) = frame {
            Some(ttwu.task())
        } else {
            None
        };
        woken.is_some() && woken == task
    }
}

#[cfg(test)]
mod tests {
    use crate::check::damage::{Damage, all_are_caught};
    use crate::ids::{CPU0, CPU1, TaskId};
    use std::sync::Arc;

    use crate::check::invariants::tests::busy;
    use crate::kernel::core::stop::Work;
    use crate::kernel::core::task::Task;
    use crate::kernel::core::wakeup::Ttwu;
    use crate::kernel::frame::{Entry, Frame};
    use crate::setup::{Op, Phase, Program, Rounds, TaskSpec};
    use crate::sim::Sim;

    /// Two CPUs with a running task each, a third one waiting on CPU 0, a fourth that needs
    /// stoppers: tasks 4 and 5.
    fn stopped() -> Sim {
        let mut sim = busy();
        let mut setup = (*sim.setup).clone();
        let phases = vec![Phase { rounds: Rounds::Endless, ops: vec![Op::MigrateDisable] }];
        let spec = TaskSpec {
            name: "d".to_owned(),
            program: Program::Ops { loops: None, phases },
            ..setup.tasks[2].clone()
        };
        setup.tasks.push(spec);
        let setup = setup.with_stoppers();
        assert_eq!(setup.check(), Ok(()));
        for spec in &setup.tasks[3..] {
            sim.tasks.push(Task::asleep(spec, spec.cpus.lowest().expect("some CPU")));
        }
        sim.setup = Arc::new(setup);
        assert_eq!(sim.check_laws(), Ok(()));
        sim
    }

    #[test]
    fn a_damaged_stopper_is_caught() {
        let damages: &[(&str, Damage)] = &[
            ("another task in the stop class", |sim| {
                sim.rqs[CPU0].stop.queued = Some(TaskId::new(5))
            }),
            ("0 pushes of what runs, busy is true", |sim| sim.rqs[CPU1].stop.push_busy = true),
            ("2 pushes of what runs, busy is true", |sim| {
                sim.rqs[CPU0].stop.works =
                    [Work::Push { task: TaskId::new(0) }, Work::Push { task: TaskId::new(0) }]
                        .into();
                sim.rqs[CPU0].stop.push_busy = true;
            }),
            ("its stopper sleeps and has work", |sim| {
                sim.rqs[CPU0].stop.works.push_back(Work::Push { task: TaskId::new(0) });
                sim.rqs[CPU0].stop.push_busy = true;
            }),
            ("task 2 is to be moved by 0 stoppers", |sim| {
                sim.tasks[TaskId::new(2)].sync.moving = true
            }),
            ("task 2 is to be moved by 1 stoppers", |sim| {
                sim.rqs[CPU0]
                    .stop
                    .works
                    .push_back(Work::Migrate { task: TaskId::new(2), to: CPU1 });
                sim.cpus[CPU1].stack.push(Entry::new(Frame::Ttwu(Ttwu::new(TaskId::new(4)))));
            }),
            ("cpu 0: 2 active balances", |sim| {
                sim.rqs[CPU0].stop.works = [
                    Work::Balance { to: CPU1, to_home: false },
                    Work::Balance { to: CPU1, to_home: false },
                ]
                .into();
            }),
            ("cpu 0 balances load to itself", |sim| {
                sim.rqs[CPU0].stop.works.push_back(Work::Balance { to: CPU0, to_home: false })
            }),
            ("stopper 4 is to be moved", |sim| {
                sim.tasks[TaskId::new(4)].sync.moving = true;
                sim.rqs[CPU0]
                    .stop
                    .works
                    .push_back(Work::Migrate { task: TaskId::new(4), to: CPU1 });
                sim.cpus[CPU1].stack.push(Entry::new(Frame::Ttwu(Ttwu::new(TaskId::new(4)))));
            }),
        ];
        all_are_caught(stopped, Sim::check_stoppers, damages);
    }

    #[test]
    fn only_the_own_stopper_takes_a_task_away() {
        let mut sim = stopped();
        sim.stop_move(CPU0, Work::Push { task: TaskId::new(2) }, TaskId::new(2), CPU1);
        assert!(sim.fault.expect("task 0 runs there").contains("another task runs there"));
    }
}
