//! The laws of what tasks share: whoever waits is where the object says, owners are as strong as they should be, and no
//! wake-up is lost.

use super::invariants::ensure;
use crate::kernel::frame::Frame;
use crate::kernel::objects::{ObjectState, Waiters};
use crate::kernel::task::TaskState;
use crate::setup::Object;
use crate::sim::Sim;

impl Sim {
    pub(super) fn check_objects(&self) -> Result<(), String> {
        if self.objects.is_empty() {
            return Ok(());
        }
        for (id, object) in self.objects.iter().enumerate() {
            self.check_waiters(id as u32, &object.waiters)?;
            self.check_waiters(id as u32, &object.writers)?;
            self.check_object(id as u32, object)?;
        }
        let waiting: usize = self.objects.iter().map(|object| object.waiters.len() + object.writers.len()).sum();
        let believing = self.tasks.iter().filter(|task| task.sync.waits_on.is_some()).count();
        ensure(waiting == believing, || format!("{waiting} tasks wait for objects, {believing} believe they do"))?;
        self.check_wake_queues()?;
        self.check_inheritance()
    }

    /// Every waiter knows its place and has not ended.
    fn check_waiters(&self, object: u32, waiters: &Waiters) -> Result<(), String> {
        for (place, task) in waiters.iter() {
            let state = self.task(task);
            ensure(state.sync.waits_on == Some((object, place)), || {
                format!("task {task} does not know that it waits for object {object}")
            })?;
            let alive = matches!(state.state, TaskState::Sleeping | TaskState::Runnable);
            ensure(alive, || format!("task {task} waits for object {object} while it is {:?}", state.state))?;
        }
        Ok(())
    }

    fn check_object(&self, id: u32, object: &ObjectState) -> Result<(), String> {
        match self.setup.objects[id as usize].object {
            Object::Mutex { pi: true } => {
                let orphaned = object.owner.is_none() && !object.waiters.is_empty();
                ensure(!orphaned, || format!("tasks wait for the free PI mutex {id}"))?;
                let known = object.owner.is_none_or(|owner| self.task(owner).sync.owned.contains(&id));
                ensure(known, || format!("the owner of mutex {id} does not know that it owns it"))
            }
            Object::Barrier { parties } => {
                ensure(object.count < u64::from(parties), || format!("barrier {id} stays shut although all are there"))?;
                ensure(object.waiters.len() as u64 <= object.count, || format!("more tasks wait at barrier {id} than have come"))
            }
            Object::Queue { capacity, .. } => ensure(object.count <= u64::from(capacity), || format!("queue {id} is overfull")),
            _ => Ok(()),
        }
    }

    /// Whoever is about to be woken sleeps, waits for nothing, and is on one list only.
    fn check_wake_queues(&self) -> Result<(), String> {
        let mut listed = vec![false; self.tasks.len()];
        for task in self.tasks.iter().flat_map(|task| task.sync.wake_q.iter().copied()) {
            let state = self.task(task);
            let sound = state.state == TaskState::Sleeping && state.sync.waits_on.is_none();
            ensure(sound, || format!("task {task} is about to be woken but does not sleep, or still waits"))?;
            ensure(!std::mem::replace(&mut listed[task as usize], true), || format!("task {task} is about to be woken twice"))?;
        }
        Ok(())
    }

    /// The effective priority of an owner is the least of its own and its waiters', unless it is being set right now.
    fn check_inheritance(&self) -> Result<(), String> {
        let changing = |frame: &Frame| match frame {
            Frame::PiWalk(_) => true,
            Frame::Object(call) => call.inherits(),
            _ => false,
        };
        if self.cpus.iter().any(|cpu| cpu.stack.iter().any(|entry| changing(&entry.frame))) {
            return Ok(());
        }
        for (id, task) in self.tasks.iter().enumerate() {
            let expected = self.effective_prio(id as u32);
            ensure(task.prio == expected, || format!("task {id} has prio {}, its own and its waiters' make {expected}", task.prio))?;
        }
        Ok(())
    }

    /// At rest nobody waits for what is there.
    pub(super) fn check_objects_at_rest(&self) -> Result<(), String> {
        for (id, object) in self.objects.iter().enumerate() {
            let (readers, writers) = (!object.waiters.is_empty(), !object.writers.is_empty());
            let lost = match self.setup.objects[id].object {
                Object::Mutex { .. } => readers && object.owner.is_none(),
                Object::Semaphore { .. } => readers && object.count > 0,
                Object::Queue { capacity, .. } => readers && object.count > 0 || writers && object.count < u64::from(capacity),
                Object::List => readers && !object.list.is_empty(),
                _ => false,
            };
            ensure(!lost, || format!("at rest tasks wait for object {id}, which has what they want"))?;
        }
        let parked = |task: &crate::kernel::task::Task| task.sync.parked && task.sync.resumed;
        let lost = self.tasks.iter().position(parked);
        ensure(lost.is_none(), || format!("at rest task {lost:?} stays parked although it was resumed"))
    }
}
