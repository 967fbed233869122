//! Objects that tasks share: mutexes, conditions, barriers, semaphores, queues, lists, stamps, spin
//! locks, and the tasks that wait for them.
//!
//! The uncontended half of each is user code and costs nothing; a task enters the kernel to sleep
//! or to wake another task, as with futexes. A task looks, joins the waiters and goes to sleep in
//! one instant, so no wake-up falls between. The hash-bucket and wait-queue locks of a real kernel
//! are not modelled: their sections are part of the wake-up's price.

pub mod call;
pub mod fork;

use crate::ids::{CpuId, Id, IdVec, ObjectId, TaskId};
use std::collections::VecDeque;

use crate::kernel::class::MAX_RT_PRIO;
use crate::machine::topology::CpuMask;
use crate::setup::{Object, ObjectSpec, Room};
use crate::sim::Sim;
use crate::trace::catalogue::{Kind, NONE};

/// Every fair task waits with this strength, as on the kernel's priority lists.
const FAIR_KEY: u8 = MAX_RT_PRIO;

/// A waiter's place: its strength when it came (pipes: none), then its order of arrival.
pub type Place = (u8, u64);

/// Tasks that wait, strongest first, equals in order of arrival (plist of a futex, tree of an
/// rtmutex).
#[derive(Clone, Debug, Default)]
pub struct Waiters {
    /// By place; its memory stays when all have gone.
    places: VecDeque<(Place, TaskId)>,
    arrivals: u64,
}

impl Waiters {
    /// Adds `task`; its place.
    fn join(&mut self, strength: u8, task: TaskId) -> Place {
        let place = (strength, self.arrivals);
        self.arrivals += 1;
        let at = self.places.partition_point(|(other, _)| *other < place);
        self.places.insert(at, (place, task));
        place
    }
    /// The strongest.
    pub fn first(&self) -> Option<TaskId> {
        self.places.front().map(|(_, task)| *task)
    }
    pub fn len(&self) -> usize {
        self.places.len()
    }
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
    /// All waiters with their places, strongest first.
    pub fn iter(&self) -> impl Iterator<Item = (Place, TaskId)> {
        self.places.iter().copied()
    }
}

/// A spin lock of user space: its object, and the CPU whose it is; the first CPU's is that of an
/// object with one.
pub type SpinLockId = (ObjectId, CpuId);

/// One user-space spin lock.
#[derive(Clone, Debug, Default)]
pub struct Spin {
    pub owner: Option<TaskId>,
    /// Tasks that have tried in vain since the last release.
    pub spinners: Vec<TaskId>,
    /// Tasks that have begun to spin for the lock and have not got it, even those that sleep in
    /// between.
    pub wanted_by: u32,
}

/// All spin locks of user space together: while both counts are 0, no code looks at any of these
/// locks.
#[derive(Clone, Copy, Debug, Default)]
pub struct UserLocks {
    /// Tasks that have found a lock held and not got it yet.
    pub spinners: u32,
    pub held: u32,
}

/// A task's spin for a lock of user space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spinning {
    pub lock: SpinLockId,
    /// The task's CPU time when the spin began, ns.
    pub from: u64,
}

/// An object's state; the meaning of a field depends on the kind of object.
#[derive(Clone, Debug, Default)]
pub struct ObjectState {
    /// Owner of a mutex.
    owner: Option<TaskId>,
    /// Semaphore: left to give. Queue: messages. Barrier: tasks that have come. Stamp: the time,
    /// ns.
    pub count: u64,
    /// Barrier: how often it has opened.
    pub generation: u64,
    /// Queue: when each message was written, oldest first; only where a reader asks.
    pub written: Option<VecDeque<u64>>,
    /// Tasks that wait; for a queue, the readers.
    waiters: Waiters,
    /// Tasks that wait to write into a queue.
    writers: Waiters,
    /// Messages read of a pipe's first page: it is taken until all of it has been read.
    pub page_read: u64,
    /// Tasks on a list, in order of arrival.
    pub list: Vec<TaskId>,
    /// The spin locks behind one name: one, or one per CPU.
    pub spins: IdVec<CpuId, Spin>,
}

impl ObjectState {
    /// The object at time 0. `times`: a reader asks when its message was written.
    pub fn new(spec: &ObjectSpec, cpus: u32, times: bool) -> Self {
        let spins = if let Object::SpinLock { per_cpu } = spec.object {
            vec![Spin::default(); if per_cpu { cpus as usize } else { 1 }]
        } else {
            Vec::new()
        }
        .into();
        let written =
            matches!(spec.object, Object::Queue { .. }).then(VecDeque::new).filter(|_| times);
        let count = match spec.object {
            Object::Semaphore { value } => u64::from(value),
            Object::Queue { filled, .. } => u64::from(filled),
            Object::Mutex { .. }
            | Object::Cond
            | Object::Barrier { .. }
            | Object::List
            | Object::Stamp
            | Object::SpinLock { .. } => 0,
        };
        Self { count, spins, written, ..Self::default() }
    }

    /// Owner of a mutex.
    pub fn owner(&self) -> Option<TaskId> {
        self.owner
    }

    /// The waiting tasks; for a queue, the readers.
    pub fn waiters(&self) -> &Waiters {
        &self.waiters
    }

    /// Tasks that wait to write into a queue.
    pub fn writers(&self) -> &Waiters {
        &self.writers
    }

    /// The owner, for tests that damage it.
    #[cfg(test)]
    pub(crate) fn damaged_owner(&mut self) -> &mut Option<TaskId> {
        &mut self.owner
    }
}

/// A task's side of the objects.
#[derive(Clone, Debug, Default)]
pub struct TaskSync {
    /// Object among whose waiters it is, and its place there.
    pub waits_on: Option<(ObjectId, Place)>,
    /// PI mutexes it owns.
    pub owned: Vec<ObjectId>,
    /// Tasks that may go on and that it is about to wake, in order (the kernel's wake_q).
    pub wake_q: VecDeque<TaskId>,
    /// Futex wake-ups it has paid for.
    wakes_paid: u64,
    /// Tasks it took from a list and has not resumed.
    pub taken: VecDeque<TaskId>,
    /// Another task has resumed it since it last suspended itself.
    pub resumed: bool,
    /// Asleep until resumed.
    pub parked: bool,
    /// A stamp, and the time that this task reads from it: that of the task which resumed it.
    pub own_stamp: Option<(ObjectId, u64)>,
    /// Spin locks it owns.
    pub spins: Vec<SpinLockId>,
    pub spinning: Option<Spinning>,
    /// The task's CPU time at which it will sleep instead; `None` if it spins without end, or has
    /// just slept.
    pub spin_until: Option<u64>,
    /// How long the task slept last amid its spinning, ns.
    pub spin_slept: Option<u64>,
    /// The next wake-up is no sample.
    pub unsampled: bool,
    /// The next activation is due when this stamp says.
    pub due_stamp: Option<ObjectId>,
    /// When the message it took last was written.
    pub written_ns: u64,
    /// migrate_disable() is in force.
    pub migrate_disabled: bool,
    /// migration_pending: a stopper is to take it off a CPU it may no longer use.
    pub moving: bool,
    /// The task sleeps until the stopper has moved it.
    pub awaits_move: bool,
    /// CPUs that the task may run on once its migration is enabled.
    pub cpus_later: Option<CpuMask>,
    /// MDF_PUSH: found unable to move when it should; pushed once its migration is enabled.
    pub push_later: bool,
}

/// The wait of a task in the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// A mutex to be free.
    Mutex(ObjectId),
    /// A signal; the task has joined already.
    Cond(ObjectId),
    /// A barrier to open once more than `generation` times.
    Barrier { barrier: ObjectId, generation: u64 },
    /// A semaphore to have something.
    Semaphore(ObjectId),
    /// A task to join the list.
    List(ObjectId),
    /// A message.
    Message(ObjectId),
    /// Room for a message.
    Room(ObjectId),
    /// To be resumed.
    Resume,
}

impl Sim {
    pub(crate) fn object_kind(&self, object: ObjectId) -> Object {
        self.setup.objects[object.place()].object
    }
    pub(crate) fn object(&mut self, object: ObjectId) -> &mut ObjectState {
        &mut self.objects[object]
    }

    /// Whether `object` is a mutex with priority inheritance.
    pub(crate) fn is_pi(&self, object: ObjectId) -> bool {
        self.object_kind(object) == Object::Mutex { pi: true }
    }

    /// `mutex` is `owner`'s from now on, or free.
    pub(crate) fn own_mutex(&mut self, cpu: CpuId, mutex: ObjectId, owner: Option<TaskId>) {
        self.object(mutex).owner = owner;
        self.emit(Kind::MutexOwner, cpu, mutex.raw(), owner.map_or(NONE, TaskId::raw));
    }

    /// Whether `task` must go on waiting.
    fn must_wait(&self, task: TaskId, wait: Wait) -> bool {
        let object = |object: ObjectId| &self.objects[object];
        match wait {
            Wait::Mutex(mutex) => object(mutex).owner.is_some(),
            Wait::Cond(_) => self.task(task).sync.waits_on.is_some(),
            Wait::Barrier { barrier, generation } => object(barrier).generation == generation,
            Wait::Semaphore(sem) => object(sem).count == 0,
            Wait::List(list) => object(list).list.is_empty(),
            Wait::Message(queue) => object(queue).count == 0,
            Wait::Room(queue) => self.is_full(queue),
            Wait::Resume => !self.task(task).sync.resumed,
        }
    }

    fn put_message(&mut self, queue: ObjectId) {
        let now = self.now;
        let state = self.object(queue);
        state.count += 1;
        if let Some(written) = &mut state.written {
            written.push_back(now);
        }
    }

    /// When the message that `task` takes was written; one that was there from the start was at 0.
    fn take_time(&mut self, task: TaskId, queue: ObjectId) {
        if let Some(written) = &mut self.object(queue).written {
            let at = written.pop_front().unwrap_or(0);
            self.task_mut(task).sync.written_ns = at;
        }
    }

    /// Whether a queue takes no further message.
    pub(crate) fn is_full(&self, queue: ObjectId) -> bool {
        let Object::Queue { capacity, .. } = self.object_kind(queue) else { return true };
        let state = &self.objects[queue];
        state.count + state.page_read >= u64::from(capacity)
    }

    /// `task` takes the oldest message out of `queue`; how many of its writers may go on then,
    /// at most.
    pub(crate) fn take_message(&mut self, task: TaskId, queue: ObjectId) -> usize {
        let full = self.is_full(queue);
        let Object::Queue { capacity, room, .. } = self.object_kind(queue) else { return 0 };
        self.take_time(task, queue);
        let state = self.object(queue);
        state.count -= 1;
        match room {
            Room::Message => 1,
            Room::Quarter if state.count <= u64::from(capacity / 4) => usize::MAX,
            Room::Quarter => 0,
            Room::Page(messages) => {
                state.page_read += 1;
                // A page that has been read to its end is given back, even if more would have
                // fitted into it.
                let freed = state.count == 0 || state.page_read == u64::from(messages);
                if freed {
                    state.page_read = 0;
                }
                usize::from(freed && full)
            }
        }
    }

    /// Whether a writer that has waited releases the next one after its message (pipe_write():
    /// wake_next_writer).
    fn next_writer_goes(&self, queue: ObjectId) -> bool {
        let pipe = matches!(self.object_kind(queue), Object::Queue { room: Room::Page(_), .. });
        pipe && !self.is_full(queue)
    }

    /// A waiter's strength: fair tasks are all alike (plist of a futex, rtmutex_waiter).
    fn waiting_strength(&self, task: TaskId) -> u8 {
        self.task(task).prio.min(FAIR_KEY)
    }

    /// Puts `task` among the waiting tasks.
    pub(crate) fn join(&mut self, cpu: CpuId, task: TaskId, wait: Wait) {
        let strength = self.waiting_strength(task);
        let object = match wait {
            Wait::Mutex(object)
            | Wait::Cond(object)
            | Wait::Semaphore(object)
            | Wait::List(object) => object,
            Wait::Barrier { barrier, .. } => barrier,
            Wait::Message(queue) | Wait::Room(queue) => queue,
            Wait::Resume => {
                self.task_mut(task).sync.parked = true;
                self.emit(Kind::ObjectWait, cpu, task.raw(), NONE);
                return;
            }
        };
        let state = self.object(object);
        let place = match wait {
            // A wait queue is first come, first served.
            Wait::Message(_) => state.waiters.join(0, task),
            Wait::Room(_) => state.writers.join(0, task),
            Wait::Mutex(_)
            | Wait::Cond(_)
            | Wait::Barrier { .. }
            | Wait::Semaphore(_)
            | Wait::List(_)
            | Wait::Resume => state.waiters.join(strength, task),
        };
        self.task_mut(task).sync.waits_on = Some((object, place));
        self.emit(Kind::ObjectWait, cpu, task.raw(), object.raw());
        if let Wait::Mutex(mutex) = wait {
            self.look_for_deadlock(task, mutex);
        }
    }

    /// Lets the first waiting task (`writers`: the first writer) go on.
    pub(crate) fn let_one_go(
        &mut self,
        cpu: CpuId,
        object: ObjectId,
        writers: bool,
    ) -> Option<TaskId> {
        let state = self.object(object);
        let waiters = if writers { &mut state.writers } else { &mut state.waiters };
        let (_, task) = waiters.places.pop_front()?;
        self.task_mut(task).sync.waits_on = None;
        self.emit(Kind::ObjectWake, cpu, task.raw(), object.raw());
        Some(task)
    }

    /// One more to take from a semaphore.
    pub(crate) fn give(&mut self, sem: ObjectId) {
        let left = &mut self.object(sem).count;
        *left = left.saturating_add(1);
    }

    /// Puts a task that may go on, on the list of those `waker` will wake; one that is not asleep
    /// yet will not sleep at all.
    pub(crate) fn will_wake(&mut self, waker: TaskId, task: TaskId) {
        if self.task(task).state == crate::kernel::core::task::TaskState::Sleeping {
            self.task_mut(waker).sync.wake_q.push_back(task);
        }
    }

    /// Resumes `task`, which `waker` will wake if it is parked.
    pub(crate) fn resume(&mut self, cpu: CpuId, waker: TaskId, task: TaskId) {
        let sync = &mut self.task_mut(task).sync;
        sync.resumed = true;
        if std::mem::take(&mut sync.parked) {
            self.emit(Kind::ObjectWake, cpu, task.raw(), NONE);
            self.will_wake(waker, task);
        }
    }

    /// Gives a waiter the place that its strength asks for now; it stays where it is if that has
    /// not changed.
    pub(crate) fn replace_waiter(&mut self, mutex: ObjectId, task: TaskId) {
        let strength = self.waiting_strength(task);
        let Some((_, place)) = self
            .task(task)
            .sync
            .waits_on
            .filter(|(object, place)| *object == mutex && place.0 != strength)
        else {
            return;
        };
        let waiters = &mut self.object(mutex).waiters;
        waiters.places.retain(|(other, _)| *other != place);
        let place = waiters.join(strength, task);
        self.task_mut(task).sync.waits_on = Some((mutex, place));
    }

    /// The mutex `task` waits for.
    pub(crate) fn blocked_on(&self, task: TaskId) -> Option<ObjectId> {
        let (object, _) = self.task(task).sync.waits_on?;
        matches!(self.object_kind(object), Object::Mutex { .. }).then_some(object)
    }

    /// Whether `task`, which waits for `mutex`, waits for itself in the end: then it never runs
    /// again, and the report says so.
    fn look_for_deadlock(&mut self, task: TaskId, mutex: ObjectId) {
        let waits = || self.waits_from(task, mutex);
        // A cycle that `task` is not part of was reported when it closed.
        let Some(closes) = waits().position(|(_, _, owner)| owner == task) else { return };
        let name = |task: TaskId| self.task_spec(task).name.as_str();
        let mutex_name = |mutex: ObjectId| self.setup.objects[mutex.place()].name.as_str();
        let told = waits().take(closes + 1).map(|(waiter, mutex, owner)| {
            let (waiter, owner) = (name(waiter), name(owner));
            format!("{waiter} waits for {}, which {owner} owns", mutex_name(mutex))
        });
        let what = told.collect::<Vec<_>>().join("; ");
        self.found("deadlock", what);
    }

    /// The chain of mutexes and owners: the mutex that `task` waits for and its owner, then the
    /// owner's, and so on; at most as many as there are tasks.
    fn waits_from(
        &self,
        task: TaskId,
        mutex: ObjectId,
    ) -> impl Iterator<Item = (TaskId, ObjectId, TaskId)> {
        let wait = |waiter, mutex: ObjectId| Some((waiter, mutex, self.objects[mutex].owner?));
        std::iter::successors(wait(task, mutex), move |(_, _, owner)| {
            wait(*owner, self.blocked_on(*owner)?)
        })
        .take(self.tasks.len() + 1)
    }
}
