//! The fair class: enqueue, dequeue and pick at every level of the group tree
//! (docs/model/fair-class.md).
//!
//! ```text
//!   cfs_rq of the root group     [ task 3 ][ group 1's entity ][ task 7 ]    one per group and CPU
//!   cfs_rq of group 1                          [ task 4 ][ task 9 ]
//! ```
//! A group's entity is queued on its parent's queue as long as anything is queued below it. From
//! 7.3 on all tasks wait on the root's queue, and the levels only weigh them (`flat.rs`).
//! `cfs.rs` (up to 6.5) or `eevdf.rs` decides which entity is due; both keep their clocks in a
//! `SchedEntity`.

/// CFS bandwidth: a group's quota, its silos, throttling.
pub mod bandwidth;
/// Next and last buddies.
mod buddies;
/// Placement, preemption and picking up to 6.5.
mod cfs;
/// One group's queue on one CPU.
mod cfs_rq;
/// The fair clock of a task that is of another class meanwhile, or changes its weight.
mod class;
/// Tasks that sleep on the queue until their lag is used up (6.12).
mod delayed;
/// Placement, preemption and picking from 6.6 on.
mod eevdf;
/// A queued entity: a task or a group.
mod entity;
/// One queue for the tasks of all groups (7.3).
mod flat;
/// Weights and shares of groups.
mod groups;
/// A timer that ends a task's request (7.1).
pub mod hrtick;
/// SCHED_IDLE tasks and groups.
mod idle_policy;
/// load_balance() from 3.x on: busiest CPU, detached tasks, newidle.
pub mod load_balance;
/// Load balancing of 2.6.24.
pub mod passive;
/// How long EEVDF's running entity keeps the CPU.
mod protection;
/// Balancing domains and their clock.
/// A home for the threads of a process (7.2).
pub mod sched_cache;
pub mod sched_domains;
/// select_task_rq_fair().
mod select;
/// The fair server (6.12).
pub mod server;

pub use cfs::tunable_factor;
pub use cfs_rq::{CfsRq, Queued, Tasks};
pub(crate) use entity::WEIGHTS;
pub use entity::{EntityId, NICE_0_WEIGHT, SchedEntity};
pub use groups::TaskGroup;
pub use select::{WakeFlags, Wakee};

use crate::ids::{CpuId, GroupId, TaskId};
use crate::kernel::core::preempt::Why;
use crate::sim::Sim;

/// Why something joins a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Enqueue {
    /// The task was asleep.
    Wakeup,
    /// Likewise; its waker is about to sleep and on the same way to the queue (WF_SYNC).
    Sync,
    /// The task is new.
    New,
    /// The task was queued until just now, here or on another CPU.
    Moved,
}

impl Sim {
    fn is_eevdf(&self) -> bool {
        self.kernel().fair().is_eevdf()
    }

    fn enqueue_entity(&mut self, cpu: CpuId, group: GroupId, id: EntityId, how: Enqueue) {
        let weight = self.entity_weight(cpu, id);
        if self.flat {
            self.join_level(cpu, id, weight);
        } else {
            self.join_queue(cpu, group, id, (weight, how));
        }
        let cfs = self.cfs_rq_mut(cpu, group);
        cfs.count_entity(weight);
        let first = cfs.nr_queued() == 1;
        self.add_group_load(group, weight as i64);
        if first {
            self.check_enqueue_throttle(cpu, group);
        }
    }

    /// place_entity() and __enqueue_entity(): the entity gets its weight and a place on its queue.
    fn join_queue(
        &mut self,
        cpu: CpuId,
        group: GroupId,
        id: EntityId,
        (weight, how): (u64, Enqueue),
    ) {
        let eevdf = self.is_eevdf();
        let se = self.se_mut(cpu, id);
        if let (EntityId::Group(_), true) = (id, eevdf) {
            se.vlag = se.vlag * se.weight as i64 / weight as i64;
        }
        se.weight = weight;
        if eevdf {
            self.eevdf_place(cpu, group, id, how == Enqueue::New);
        } else if how != Enqueue::Moved {
            let vruntime = self.cfs_place(cpu, group, id, how == Enqueue::New);
            self.se_mut(cpu, id).vruntime = vruntime;
        }
        let se = self.se_mut(cpu, id);
        se.on_rq = true;
        let se = *se;
        let cfs = self.cfs_rq_mut(cpu, group);
        if cfs.curr != Some(id) {
            cfs.insert(id, &se);
        }
    }

    fn dequeue_entity(&mut self, cpu: CpuId, group: GroupId, id: EntityId) {
        let weight = self.load_weight(cpu, id);
        if !self.flat {
            self.keep_lag(cpu, group, id);
        }
        let se = self.se_mut(cpu, id);
        (se.on_rq, se.delayed) = (false, false);
        if !self.flat {
            self.leave_queue(cpu, group, id);
        }
        let cfs = self.cfs_rq_mut(cpu, group);
        cfs.uncount_entity(weight);
        let empty = cfs.nr_queued() == 0;
        self.add_group_load(group, -(weight as i64));
        if empty {
            self.return_cfs_rq_runtime(cpu, group);
        }
    }

    /// update_entity_lag() of an entity that is about to leave its queue.
    fn keep_lag(&mut self, cpu: CpuId, group: GroupId, id: EntityId) {
        if self.is_eevdf() {
            let lag = self.eevdf_lag(cpu, group, id);
            self.se_mut(cpu, id).vlag = lag;
        }
    }

    /// __dequeue_entity(): the entity is no longer in order.
    fn leave_queue(&mut self, cpu: CpuId, group: GroupId, id: EntityId) {
        let vruntime = self.se(cpu, id).vruntime;
        self.clear_buddies(cpu, id, group);
        self.cfs_rq_mut(cpu, group).remove(id, vruntime);
        self.update_min_vruntime(cpu, group);
    }

    /// enqueue_task_fair(): up the tree until an entity is queued already, then only counts change.
    pub(crate) fn enqueue_fair(&mut self, cpu: CpuId, task: TaskId, how: Enqueue) {
        if self.task(task).se.delayed {
            return self.requeue_delayed(cpu, self.level_of(task));
        }
        let mut level_how = how;
        self.place_running_flat(cpu, task, how);
        let joins = Tasks { all: 1, idle: u32::from(self.has_idle_policy(task)), delayed: 0 };
        let mut level = Some(self.level_of(task));
        while let Some((id, group)) = level {
            let se = self.se(cpu, id);
            let queued = se.on_rq;
            if se.delayed {
                self.requeue_delayed(cpu, (id, group));
            }
            self.take_min_slice(cpu, id);
            if queued {
                self.reweight_group(cpu, id, group);
            } else {
                self.enqueue_entity(cpu, group, id, level_how);
                level_how = Enqueue::Wakeup;
            }
            let cfs = self.cfs_rq_mut(cpu, group);
            cfs.count_tasks(joins);
            if cfs.bandwidth.dequeued() {
                return;
            }
            level = self.level_above(group);
        }
        if self.flat {
            self.join_flat_queue(cpu, task, how);
        }
        let rq = &self.rqs[cpu];
        let was_idle = rq.nr_running() == 0 && rq.curr.is_none();
        if was_idle && !self.kernel().idle_charges_server() {
            self.fair_server_update_idle(cpu);
        }
        self.fair_count_changed(cpu, 1);
        self.hrtick_update(cpu);
    }

    /// dequeue_task_fair().
    pub(crate) fn dequeue_fair(&mut self, cpu: CpuId, task: TaskId) {
        if !self.leave_limbo(cpu, task) {
            self.dequeue_entities(cpu, self.level_of(task), true);
        }
    }

    /// dequeue_entities(): an entity leaves, and the groups above it as long as their queues run
    /// empty. `delays`: a group's entity that has had more than its share may stay.
    fn dequeue_entities(&mut self, cpu: CpuId, first: (EntityId, GroupId), delays: bool) {
        let was_sched_idle = self.sched_idle_cpu(cpu);
        let leaves = match first.0 {
            EntityId::Task(task) => Tasks {
                all: 1,
                idle: u32::from(self.has_idle_policy(task)),
                delayed: u32::from(self.task(task).se.delayed),
            },
            EntityId::Group(_) => Tasks { all: 0, idle: 0, delayed: 0 },
        };
        if self.flat {
            self.keep_lag(cpu, GroupId::ROOT, first.0);
        }
        let mut empty = true;
        let mut level = Some(first);
        while let Some((id, group)) = level {
            empty = empty && !(delays && self.delays_group(cpu, (id, group)));
            if empty && self.se(cpu, id).on_rq {
                self.dequeue_entity(cpu, group, id);
            } else {
                self.take_min_slice(cpu, id);
                self.reweight_group(cpu, id, group);
            }
            let cfs = self.cfs_rq_mut(cpu, group);
            cfs.uncount_tasks(leaves);
            if cfs.bandwidth.dequeued() {
                return;
            }
            empty = empty && cfs.nr_queued() == 0;
            level = self.level_above(group);
        }
        if self.flat {
            self.leave_queue(cpu, GroupId::ROOT, first.0);
        }
        self.fair_count_changed(cpu, -i64::from(leaves.all));
        self.balance_early(cpu, was_sched_idle);
    }

    /// Adds `by` to the tasks in the root queue's hierarchy, which nr_running and the fair server
    /// count.
    fn fair_count_changed(&mut self, cpu: CpuId, by: i64) {
        let rq = &mut self.rqs[cpu];
        rq.count_running(by);
        self.fair_server_count(cpu);
        let rq = &mut self.rqs[cpu];
        rq.nohz.server_ticks = rq.server.queued;
        self.note_overload(cpu);
    }

    /// The task the fair class runs next on `cpu`.
    pub(crate) fn pick_fair(&mut self, cpu: CpuId) -> Option<TaskId> {
        let mut group = GroupId::ROOT;
        loop {
            let picked = self.pick_entity(cpu, group);
            self.count_last_buddy(cpu, group, picked?);
            match picked? {
                id if self.se(cpu, id).delayed => {
                    let level = match id {
                        EntityId::Task(task) => self.level_of(task),
                        EntityId::Group(_) => (id, group),
                    };
                    self.finish_delayed_dequeue(cpu, level);
                    self.mark_sleepers_group(cpu, level);
                    group = GroupId::ROOT;
                }
                EntityId::Task(task) => {
                    self.task_throttle_setup_work(cpu, task);
                    return Some(task);
                }
                EntityId::Group(below) => group = below,
            }
        }
    }

    /// The task that the fair class would pick, without picking it; if that task only sleeps on its
    /// queue, its successor is not known yet.
    pub(crate) fn would_pick_fair(&self, cpu: CpuId) -> Option<TaskId> {
        let mut group = GroupId::ROOT;
        loop {
            match self.pick_entity(cpu, group)? {
                EntityId::Task(task) => return Some(task),
                EntityId::Group(below) => group = below,
            }
        }
    }

    fn pick_entity(&self, cpu: CpuId, group: GroupId) -> Option<EntityId> {
        if !self.is_eevdf() {
            return self.cfs_pick(cpu, group);
        }
        self.eevdf_buddy(cpu, group).or_else(|| self.eevdf_pick(cpu, group, true))
    }

    /// set_next_task_fair(): `task` and the groups above it leave their queues to run. `first`: the
    /// task was picked.
    pub(crate) fn set_next_fair(&mut self, cpu: CpuId, task: TaskId, first: bool) {
        let protects =
            self.is_eevdf() && (first || !self.kernel().protection().is_set_by_picks_alone());
        let rq = &mut self.rqs[cpu];
        rq.exec_start = rq.clock;
        if self.flat {
            self.set_next_flat(cpu, task, protects);
        }
        let mut level = Some(self.level_of(task)).filter(|_| !self.flat);
        while let Some((id, group)) = level {
            let se = *self.se(cpu, id);
            let cfs = self.cfs_rq_mut(cpu, group);
            if se.on_rq && cfs.curr != Some(id) {
                cfs.remove(id, se.vruntime);
            }
            let goes_on = cfs.curr.replace(id) == Some(id) || cfs.prev == Some(id);
            self.clear_buddies(cpu, id, group);
            if !goes_on {
                self.se_mut(cpu, id).ran = 0;
                if protects {
                    self.set_protect_slice(cpu, group, id);
                }
            }
            level = self.level_above(group);
        }
        self.charge_next_task(cpu, task);
        if first {
            self.hrtick_start_fair(cpu, task);
        }
    }

    /// Sets `prev` of every queue above `task`, which ran on `cpu`, while a switch is under way,
    /// and clears it afterwards: an entity that is picked again at once goes on with its slice.
    pub(crate) fn note_prev_fair(&mut self, cpu: CpuId, task: TaskId, switching: bool) {
        let mut level = Some(self.queued_level(task));
        while let Some((id, group)) = level {
            self.cfs_rq_mut(cpu, group).prev = switching.then_some(id);
            level = self.level_above(group);
        }
    }

    /// put_prev_task_fair(): back onto the queues, as far as they are still queued.
    pub(crate) fn put_prev_fair(&mut self, cpu: CpuId, task: TaskId) {
        let mut level = Some(self.level_of(task));
        while let Some((id, group)) = level {
            let se = *self.se(cpu, id);
            let flat = self.flat;
            let cfs = self.cfs_rq_mut(cpu, group);
            let ran = cfs.curr.take_if(|curr| *curr == id).is_some();
            let waits = ran && se.on_rq;
            if waits && !flat {
                cfs.insert(id, &se);
            }
            cfs.bandwidth.runs_on = false;
            if waits && flat && id == EntityId::Task(task) {
                self.cfs_rq_mut(cpu, GroupId::ROOT).insert(id, &se);
            }
            self.check_cfs_rq_runtime(cpu, group);
            level = self.level_above(group);
        }
    }

    /// update_curr_fair(): charges the running task and the groups above it for the time since they
    /// were last charged, which it returns, ns. `cpu` executes.
    pub(crate) fn update_curr_fair(&mut self, cpu: CpuId, target: CpuId, task: TaskId) -> u64 {
        let rq = &mut self.rqs[target];
        let ran = rq.clock - std::mem::replace(&mut rq.exec_start, rq.clock);
        if ran == 0 {
            return 0;
        }
        if self.sched_cache_enabled() {
            self.account_mm_sched(target, task, ran);
        }
        let eevdf = self.is_eevdf();
        let charged = self.task(task).se.on_rq;
        let mut used_up = false;
        let mut level = Some(self.level_of(task));
        while let Some((id, group)) = level {
            let queue = self.queue_of(group);
            if !self.flat || id == EntityId::Task(task) {
                let se = self.se_mut(target, id);
                se.vruntime += se.virtual_ns(ran);
                se.ran += ran;
                if eevdf
                    && (self.eevdf_update_deadline(target, queue, id)
                        || self.eevdf_lost_protection(target, queue, id))
                {
                    used_up = true;
                    self.clear_buddies(target, id, queue);
                }
                self.update_min_vruntime(target, queue);
            }
            if charged {
                self.account_cfs_rq_runtime(target, group, ran);
            }
            level = self.level_above(group);
        }
        if used_up {
            self.resched_curr(cpu, target, Why::FairTick);
        }
        ran
    }

    fn update_min_vruntime(&mut self, cpu: CpuId, group: GroupId) {
        let cfs = self.cfs_rq(cpu, group);
        let curr = self.queue_curr(cpu, group).map(|curr| self.se(cpu, curr).vruntime);
        let first = cfs.queue.first().map(|first| first.vruntime);
        let least = curr.into_iter().chain(first).min();
        let cfs = self.cfs_rq_mut(cpu, group);
        cfs.min_vruntime = least.map_or(cfs.min_vruntime, |least| least.max(cfs.min_vruntime));
    }

    /// migrate_task_rq_fair(): each queue has its own virtual time, and under CFS a task keeps its
    /// distance from it.
    pub(crate) fn migrate_fair(&mut self, task: TaskId, from: CpuId, to: CpuId) {
        if self.is_eevdf() {
            return;
        }
        let group = self.level_of(task).1;
        let ahead = self.cfs_rq(to, group).min_vruntime - self.cfs_rq(from, group).min_vruntime;
        self.task_mut(task).se.vruntime += ahead;
    }

    /// task_tick_fair() of `cpu`, by itself or another one: at every level, whether the entity has
    /// had its slice. EEVDF has seen that when it charged it.
    pub(crate) fn task_tick_fair(&mut self, by: CpuId, cpu: CpuId) {
        let Some(task) = self.rqs[cpu].curr else { return };
        let mut preempts = false;
        let mut level = Some(self.level_of(task));
        while let Some((id, group)) = level {
            self.reweight_group(cpu, id, group);
            let contested = self.cfs_rq(cpu, group).nr_queued() > 1;
            preempts |= contested && !self.is_eevdf() && self.cfs_tick_preempts(cpu, group, id);
            level = self.level_above(group);
        }
        self.refresh_h_load(cpu, task);
        if preempts {
            self.resched_curr(by, cpu, Why::FairTick);
        }
        if self.sched_cache_enabled() {
            self.task_tick_cache(cpu, task);
        }
    }

    /// check_preempt_wakeup(): compares the two entities on the queue where their groups meet.
    /// `how`: why the task has joined the queue.
    pub(crate) fn check_preempt_fair(
        &mut self,
        cpu: CpuId,
        target: CpuId,
        (task, how): (TaskId, Enqueue),
        curr: TaskId,
    ) {
        self.mark_woken(target, task, how);
        let Some((woken, running, group)) = self.find_matching_se(task, curr) else { return };
        let asked = self.cpus[target].need_resched.is_some() && !self.judges_beside_resched();
        if asked || !self.se(target, woken).on_rq || !self.is_visible(target, task) {
            return;
        }
        let by_policy = self.idle_policy_preempts((task, woken), (curr, running));
        let preempts = match by_policy {
            Some(preempts) => {
                self.protect_after_policies((target, group), running, preempts);
                preempts
            }
            None if self.is_eevdf() => {
                self.eevdf_wakeup_preempts((target, group), (woken, running), how)
            }
            None => self.cfs_wakeup_preempts(self.se(target, running), self.se(target, woken)),
        };
        if preempts {
            self.resched_curr(cpu, target, Why::FairWakeup);
            self.mark_preemption(target, (task, woken), (curr, running), by_policy.is_some());
        }
    }

    /// yield_task_fair(): the task is passed over once (CFS, from 2.6.39 on; before, the pick just
    /// takes the leftmost), or its request ends (EEVDF). It keeps the CPU if the run queue has no
    /// other task.
    pub(crate) fn yield_fair(&mut self, cpu: CpuId, task: TaskId) {
        if self.rqs[cpu].nr_running() == 1 {
            return;
        }
        let (id, group) = self.queued_level(task);
        if self.is_eevdf() {
            self.eevdf_yield(cpu, group, id);
        } else if self.kernel().has_buddies() {
            self.clear_buddies(cpu, id, group);
            self.cfs_rq_mut(cpu, group).skip = Some(id);
        }
    }
}
