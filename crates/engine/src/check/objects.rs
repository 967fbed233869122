//! The laws of objects that tasks share: a waiting task is on the list of its object, owners are as
//! strong as they should be, and no wake-up is lost.

use super::invariants::ensure;
use crate::ids::{Id, ObjectId};
use crate::kernel::core::task::TaskState;
use crate::kernel::frame::Frame;
use crate::kernel::syscall::objects::{ObjectState, Waiters};
use crate::setup::{Object, Room};
use crate::sim::Sim;

impl Sim {
    pub(super) fn check_objects(&self) -> Result<(), String> {
        if self.objects.is_empty() {
            return Ok(());
        }
        for (id, object) in self.objects.iter_enumerated() {
            self.check_waiters(id, object.waiters())?;
            self.check_waiters(id, object.writers())?;
            self.check_object(id, object)?;
        }
        let waiting: usize =
            self.objects.iter().map(|object| object.waiters().len() + object.writers().len()).sum();
        let believing = self.tasks.iter().filter(|task| task.sync.waits_on.is_some()).count();
        ensure(waiting == believing, || {
            format!("{waiting} tasks wait for objects, {believing} believe they do")
        })?;
        self.check_wake_queues()?;
        self.check_inheritance()
    }

    /// Every waiter knows its place and has not ended.
    fn check_waiters(&self, object: ObjectId, waiters: &Waiters) -> Result<(), String> {
        for (place, task) in waiters.iter() {
            let state = self.task(task);
            ensure(state.sync.waits_on == Some((object, place)), || {
                format!("task {task} does not know that it waits for object {object}")
            })?;
            let alive = matches!(state.state, TaskState::Sleeping | TaskState::Runnable);
            ensure(alive, || {
                format!("task {task} waits for object {object} while it is {:?}", state.state)
            })?;
        }
        Ok(())
    }

    fn check_object(&self, id: ObjectId, object: &ObjectState) -> Result<(), String> {
        match self.setup.objects[id.place()].object {
            Object::Mutex { pi: true } => {
                let orphaned = object.owner().is_none() && !object.waiters().is_empty();
                ensure(!orphaned, || format!("tasks wait for the free PI mutex {id}"))?;
                let known =
                    object.owner().is_none_or(|owner| self.task(owner).sync.owned.contains(&id));
                ensure(known, || format!("the owner of mutex {id} does not know that it owns it"))
            }
            Object::Barrier { parties, .. } => {
                ensure(object.count < u64::from(parties), || {
                    format!("barrier {id} stays shut although all are there")
                })?;
                ensure(object.waiters().len() as u64 <= object.count, || {
                    format!("more tasks wait at barrier {id} than have come")
                })
            }
            Object::Queue { capacity, .. } => {
                ensure(object.count + object.page_read <= u64::from(capacity), || {
                    format!("queue {id} is overfull")
                })
            }
            Object::Mutex { pi: false }
            | Object::Cond
            | Object::Semaphore { .. }
            | Object::List
            | Object::Stamp
            | Object::SpinLock { .. } => Ok(()),
        }
    }

    /// A task on a wake queue sleeps, waits on no object, and is on one list only.
    fn check_wake_queues(&self) -> Result<(), String> {
        let mut listed = vec![false; self.tasks.len()];
        for task in self.tasks.iter().flat_map(|task| task.sync.wake_q.iter().copied()) {
            let state = self.task(task);
            let sound = state.state == TaskState::Sleeping && state.sync.waits_on.is_none();
            ensure(sound, || {
                format!("task {task} is about to be woken but does not sleep, or still waits")
            })?;
            ensure(!std::mem::replace(&mut listed[task.place()], true), || {
                format!("task {task} is about to be woken twice")
            })?;
        }
        Ok(())
    }

    /// The effective priority of an owner is the least of its own and its waiters', unless it is
    /// being set right now.
    fn check_inheritance(&self) -> Result<(), String> {
        let changing = |frame: &Frame| {
            matches!(frame, Frame::PiWalk(_) | Frame::LiveChange(_))
                || matches!(frame, Frame::Object(call) if call.inherits())
        };
        if self.cpus.iter().any(|cpu| cpu.stack.iter().any(|entry| changing(&entry.frame))) {
            return Ok(());
        }
        for (id, task) in self.tasks.iter_enumerated() {
            let expected = self.effective_prio(id);
            ensure(task.prio == expected, || {
                format!(
                    "task {id} has prio {}, its own and its waiters' make {expected}",
                    task.prio
                )
            })?;
        }
        Ok(())
    }

    /// At rest no task waits for messages, units or locks that are available.
    pub(super) fn check_objects_at_rest(&self) -> Result<(), String> {
        for (id, object) in self.objects.iter_enumerated() {
            let (readers, writers) = (!object.waiters().is_empty(), !object.writers().is_empty());
            let lost = match self.setup.objects[id.place()].object {
                Object::Mutex { .. } => readers && object.owner().is_none(),
                Object::Semaphore { .. } => readers && object.count > 0,
                Object::Queue { capacity, room, .. } => {
                    let room = match room {
                        Room::Quarter => object.count <= u64::from(capacity / 4),
                        Room::Message | Room::Page(_) => !self.is_full(id),
                    };
                    readers && object.count > 0 || writers && room
                }
                Object::List => readers && !object.list.is_empty(),
                Object::Cond | Object::Barrier { .. } | Object::Stamp | Object::SpinLock { .. } => {
                    false
                }
            };
            ensure(!lost, || {
                format!("at rest tasks wait for object {id}, which has what they want")
            })?;
        }
        let parked = |task: &crate::kernel::core::task::Task| task.sync.parked && task.sync.resumed;
        let lost = self.tasks.iter().position(parked);
        ensure(lost.is_none(), || {
            format!("at rest task {lost:?} is suspended although it was resumed")
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::check::damage::{Damage, all_are_caught};
    use crate::ids::{CpuId, ObjectId, TaskId};
    use std::sync::Arc;

    use crate::kernel::config::{Kernel, Version};
    use crate::kernel::core::task::TaskState;
    use crate::machine::costs::{Costs, CostsName};
    use crate::machine::topology::{CpuMask, Topology};
    use crate::setup::{
        Amount, GroupSpec, IdleKind, Machine, Object, ObjectSpec, Op, Phase, Policy, Program, Room,
        Rounds, Setup, TaskSpec,
    };
    use crate::sim::Sim;
    use crate::trace::columns::Log;

    /// Task 0 owns the PI mutex 0 for which task 1 waits; task 2 waits for the semaphore 1, task 3
    /// at the barrier 2 for two.
    fn waiting() -> Sim {
        let programs = [
            vec![Op::Lock { mutex: 0 }, Op::Run { ns: Amount::Fixed(1 << 40) }],
            vec![Op::Lock { mutex: 0 }],
            vec![Op::SemWait { sem: 1 }],
            vec![Op::Barrier { barrier: 2, measured: true, stamp: None }],
        ];
        let tasks = programs.into_iter().enumerate().map(|(at, ops)| TaskSpec {
            kind: "t".to_owned(),
            name: format!("t.{at}"),
            policy: Policy::Fifo { rt_priority: 10 + at as u8 },
            cpus: CpuMask::one(CpuId::new(at as u32)),
            start_ns: 1_000 * at as u64,
            measured: true,
            group: 0,
            slice_ns: None,
            forked: false,
            program: Program::Ops {
                loops: Some(1),
                phases: vec![Phase { rounds: Rounds::Times(1), ops }],
            },
        });
        let objects = [
            Object::Mutex { pi: true },
            Object::Semaphore { value: 0 },
            Object::Barrier { parties: 2, drawn: false },
            Object::Queue { capacity: 1, filled: 0, closed_when_empty: false, room: Room::Message },
        ];
        let costs_name = CostsName::Zero;
        let machine = Machine {
            topology: Topology::new(4, 4),
            costs_name,
            costs: Costs::preset(costs_name),
            idle: IdleKind::Halt,
            polls_from_boot: false,
            domains: Vec::new(),
        };
        let setup = Setup {
            seed: 1,
            duration_ns: 1_000_000,
            machine,
            kernel: Kernel::of_version(Version::parse("3.19").unwrap(), 4),
            tasks: tasks.collect(),
            objects: objects
                .into_iter()
                .map(|object| ObjectSpec { name: "o".to_owned(), object })
                .collect(),
            timers: Vec::new(),
            quantiles: Vec::new(),
            noise: None,
            softirq: None,
            hw_noise: [None; 2],
            device_irq: None,
            rcu: None,
            groups: vec![GroupSpec::root()],
        };
        let mut sim = Sim::new(Arc::new(setup), Log::new(None, 1, 0));
        while sim.step(100_000) {
            assert_eq!(sim.check_laws(), Ok(()));
        }
        assert_eq!((sim.task(TaskId::new(0)).prio, sim.check_quiescent()), (88, Ok(())));
        sim
    }

    #[test]
    fn a_damaged_state_is_caught() {
        let damages: &[(&str, Damage)] = &[
            ("task 1 does not know that it waits for object 0", |sim| {
                sim.tasks[TaskId::new(1)].sync.waits_on = None
            }),
            ("while it is Dead", |sim| sim.tasks[TaskId::new(2)].state = TaskState::Dead),
            ("3 tasks wait for objects, 4 believe they do", |sim| {
                sim.tasks[TaskId::new(0)].sync.waits_on = Some((ObjectId::new(3), (0, 0)))
            }),
            ("tasks wait for the free PI mutex 0", |sim| {
                *sim.objects[ObjectId::new(0)].damaged_owner() = None
            }),
            ("does not know that it owns it", |sim| sim.tasks[TaskId::new(0)].sync.owned.clear()),
            ("stays shut although all are there", |sim| sim.objects[ObjectId::new(2)].count = 2),
            ("than have come", |sim| sim.objects[ObjectId::new(2)].count = 0),
            ("queue 3 is overfull", |sim| sim.objects[ObjectId::new(3)].count = 2),
            ("is about to be woken but does not sleep", |sim| {
                sim.tasks[TaskId::new(0)].sync.wake_q.push_back(TaskId::new(2))
            }),
            ("task 3 has prio 7", |sim| sim.tasks[TaskId::new(3)].prio = 7),
        ];
        all_are_caught(waiting, Sim::check_laws, damages);
    }

    #[test]
    fn a_task_woken_twice_is_caught() {
        let mut sim = waiting();
        sim.let_one_go(CpuId::new(0), ObjectId::new(1), false);
        sim.tasks[TaskId::new(0)].sync.wake_q.extend([TaskId::new(2); 2]);
        assert!(sim.check_laws().expect_err("task 2 is there twice").contains("woken twice"));
    }

    #[test]
    fn a_lost_wakeup_is_caught_at_rest() {
        let mut sim = waiting();
        sim.objects[ObjectId::new(1)].count = 1;
        assert!(
            sim.check_quiescent()
                .expect_err("task 2 could go on")
                .contains("object 1, which has what they want")
        );
        let mut sim = waiting();
        *sim.objects[ObjectId::new(0)].damaged_owner() = None;
        assert!(
            sim.check_quiescent()
                .expect_err("task 1 could own the mutex")
                .contains("object 0, which has what they want")
        );
        let mut sim = waiting();
        (sim.tasks[TaskId::new(2)].sync.parked, sim.tasks[TaskId::new(2)].sync.resumed) =
            (true, true);
        assert!(
            sim.check_quiescent().expect_err("it was resumed").contains("is suspended although")
        );
    }
}
