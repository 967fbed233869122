//! Laws of the fair class: every queue is in order, and every sum equals the sum of its parts
//! (docs/model/fair-class.md, docs/model/bandwidth.md#quota-laws).

use super::invariants::ensure;
use crate::ids::{CpuId, GroupId, Id, TaskId};
use crate::kernel::fair::{CfsRq, EntityId};
use crate::sim::Sim;

impl Sim {
    /// Tasks queued on `cfs` itself, the running one included.
    pub(super) fn queued_tasks<'a>(&'a self, cfs: &'a CfsRq) -> impl Iterator<Item = TaskId> + 'a {
        let task = |id: EntityId| if let EntityId::Task(task) = id { Some(task) } else { None };
        let curr = cfs.curr.and_then(task).filter(|curr| self.task(*curr).se.on_rq);
        cfs.queue
            .iter()
            .filter_map(move |entry| task(entry.id))
            .chain(curr)
            .filter(|task| !self.task(*task).se.delayed)
    }

    pub(crate) fn check_fair(&self) -> Result<(), String> {
        let mut loads = vec![0; self.groups.len()];
        for (cpu, rq) in self.rqs.iter_enumerated() {
            for (group, cfs) in rq.cfs.iter_enumerated() {
                self.check_cfs_rq(cpu, group, cfs)
                    .map_err(|what| format!("cpu {cpu}, group {group}: {what}"))?;
                loads[group.place()] += cfs.load() as i64;
            }
        }
        self.groups.iter_enumerated().zip(loads).try_for_each(|((id, group), load)| {
            ensure(group.load() == load, || {
                format!("group {id} weighs {}, its queues {load}", group.load())
            })
        })
    }

    /// The entities of one level: where all groups have one queue, its tasks that belong to `group`
    /// and the groups below it.
    fn entities(&self, cpu: CpuId, group: GroupId) -> impl Iterator<Item = EntityId> {
        let cfs = &self.rqs[cpu].cfs;
        let (queue, running) = if self.flat {
            (&cfs[GroupId::ROOT].queue, self.flat_curr(cpu))
        } else {
            (&cfs[group].queue, cfs[group].curr)
        };
        let curr = running.filter(|curr| self.se(cpu, *curr).on_rq);
        let belongs = move |id: &EntityId| match id {
            EntityId::Task(task) if self.flat => self.task_group(*task) == group,
            EntityId::Task(_) | EntityId::Group(_) => true,
        };
        let below = self.groups.ids().filter(move |below| {
            self.flat
                && *below != GroupId::ROOT
                && self.parent(*below) == group
                && cfs[*below].se.on_rq
        });
        let waits = queue.iter().map(|entry| entry.id);
        waits.chain(curr).filter(belongs).chain(below.map(EntityId::Group))
    }

    fn check_cfs_rq(&self, cpu: CpuId, group: GroupId, cfs: &CfsRq) -> Result<(), String> {
        let runs = match cfs.curr {
            Some(EntityId::Task(task)) => self.rqs[cpu].curr == Some(task),
            Some(EntityId::Group(below)) => self.cfs_rq(cpu, below).curr.is_some(),
            None => true,
        };
        ensure(runs, || format!("{:?} counts as running here, and does not run", cfs.curr))?;
        ensure(cfs.queue.is_sorted(), || "the queue is out of order".to_owned())?;
        let running = if self.flat { self.flat_curr(cpu) } else { cfs.curr };
        ensure(cfs.queue.iter().all(|entry| Some(entry.id) != running), || {
            "the running entity waits as well".to_owned()
        })?;
        ensure(!self.flat || group == GroupId::ROOT || cfs.queue.is_empty(), || {
            "it has a queue of its own".to_owned()
        })?;
        for entry in &cfs.queue {
            let se = self.se(cpu, entry.id);
            ensure(se.on_rq && (se.vruntime, se.weight) == (entry.vruntime, entry.weight), || {
                format!("{:?} is not what is queued", entry.id)
            })?;
        }
        let marked = cfs.next.into_iter().chain(cfs.last).find(|id| !self.se(cpu, *id).on_rq);
        ensure(marked.is_none(), || format!("{marked:?} is a buddy and not queued"))?;
        let entities = || self.entities(cpu, group);
        let count = entities().count();
        ensure(count == cfs.nr_queued() as usize, || {
            format!("{count} entities, counted {}", cfs.nr_queued())
        })?;
        let load: u64 = entities().map(|id| self.load_weight(cpu, id)).sum();
        ensure(load == cfs.load(), || {
            format!("entities weigh {load}, summed up as {}", cfs.load())
        })?;
        let tasks_of = |id| match id {
            EntityId::Task(_) => 1,
            EntityId::Group(below) => self.cfs_rq(cpu, below).h_nr_running(),
        };
        let tasks: u32 = entities().map(tasks_of).sum();
        ensure(tasks == cfs.h_nr_running(), || {
            format!("{tasks} tasks below, counted {}", cfs.h_nr_running())
        })?;
        let idle_of = |id| match id {
            EntityId::Task(task) => u32::from(self.has_idle_policy(task)),
            EntityId::Group(below) => self.cfs_rq(cpu, below).idle_h_nr_running(),
        };
        let idle: u32 = entities().map(idle_of).sum();
        ensure(idle == cfs.idle_h_nr_running(), || {
            format!("{idle} idle tasks below, counted {}", cfs.idle_h_nr_running())
        })?;
        let delayed_of = |id| match id {
            EntityId::Task(task) => u32::from(self.task(task).se.delayed),
            EntityId::Group(below) => self.cfs_rq(cpu, below).h_nr_delayed(),
        };
        let delayed: u32 = entities().map(delayed_of).sum();
        ensure(delayed == cfs.h_nr_delayed(), || {
            format!("{delayed} sleeping tasks below, counted {}", cfs.h_nr_delayed())
        })?;
        let wanted = group != GroupId::ROOT && cfs.nr_queued() > 0 && !cfs.bandwidth.dequeued();
        let delayed = cfs.se.delayed && cfs.nr_queued() == 0;
        ensure(cfs.se.on_rq == (wanted || delayed), || {
            "its entity is queued though it is empty or throttled, or is not".to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::check::damage::{Damage, all_are_caught};
    use crate::check::invariants::tests::busy;
    use crate::ids::{CPU0, GroupId, TaskId};
    use crate::kernel::config::{Kernel, Version};
    use crate::kernel::fair::{Enqueue, EntityId};
    use crate::setup::{GroupSpec, Policy};
    use crate::sim::Sim;
    use crate::trace::columns::Log;

    /// Task 2 waits on CPU 0 behind an RT task; here it becomes a fair one.
    fn waiting() -> Sim {
        let mut sim = busy();
        sim.dequeue_task(CPU0, TaskId::new(2));
        sim.tasks[TaskId::new(2)].prio = 120;
        sim.enqueue_task(CPU0, TaskId::new(2), Enqueue::Moved);
        sim
    }

    #[test]
    fn a_damaged_fair_queue_is_caught() {
        let damages: &[(&str, Damage)] = &[
            ("out of order", |sim| {
                let mut entry = sim.rqs[CPU0].cfs[GroupId::ROOT].queue[0];
                entry.vruntime -= 1;
                sim.rqs[CPU0].cfs[GroupId::ROOT].queue.push(entry);
            }),
            ("waits as well", |sim| {
                sim.rqs[CPU0].curr = Some(TaskId::new(2));
                sim.rqs[CPU0].cfs[GroupId::ROOT].curr = Some(EntityId::Task(TaskId::new(2)));
            }),
            ("does not run", |sim| {
                sim.rqs[CPU0].cfs[GroupId::ROOT].curr = Some(EntityId::Task(TaskId::new(1)))
            }),
            ("is not what is queued", |sim| sim.tasks[TaskId::new(2)].se.vruntime += 1),
            ("entities, counted", |sim| sim.rqs[CPU0].cfs[GroupId::ROOT].damaged().nr_queued += 1),
            ("summed up as", |sim| sim.rqs[CPU0].cfs[GroupId::ROOT].damaged().load += 1),
            ("tasks below, counted", |sim| {
                sim.rqs[CPU0].cfs[GroupId::ROOT].damaged().h_nr_running += 1
            }),
            ("is a buddy and not queued", |sim| {
                sim.rqs[CPU0].cfs[GroupId::ROOT].next = Some(EntityId::Task(TaskId::new(1)))
            }),
            ("idle tasks below", |sim| {
                sim.rqs[CPU0].cfs[GroupId::ROOT].damaged().idle_h_nr_running += 1
            }),
            ("sleeping tasks below", |sim| {
                sim.rqs[CPU0].cfs[GroupId::ROOT].damaged().h_nr_delayed += 1
            }),
            ("its entity is queued though", |sim| sim.rqs[CPU0].cfs[GroupId::ROOT].se.on_rq = true),
            ("group 0 weighs", |sim| *sim.groups[GroupId::new(0)].damaged_load() += 1),
        ];
        all_are_caught(waiting, Sim::check_fair, damages);
    }

    /// A task of a group waits on CPU 0 of 7.3, where all groups have one queue.
    fn on_one_queue() -> Sim {
        let mut setup = (*busy().setup).clone();
        let cpus = setup.machine.topology.cpus();
        setup.kernel = Kernel::of_version(Version::parse("7.3").unwrap(), cpus);
        setup.groups =
            vec![GroupSpec::root(), GroupSpec { path: "a".to_owned(), ..GroupSpec::root() }];
        (setup.tasks[0].policy, setup.tasks[0].group) = (Policy::Fair { nice: 0 }, 1);
        let mut sim = Sim::new(Arc::new(setup), Log::new(None, 6, 0));
        sim.enqueue_task(CPU0, TaskId::new(0), Enqueue::Wakeup);
        sim
    }

    #[test]
    fn a_queue_of_a_group_where_all_groups_have_one_is_caught() {
        let damages: &[(&str, Damage)] = &[("it has a queue of its own", |sim| {
            let entry = sim.rqs[CPU0].cfs[GroupId::ROOT].queue[0];
            sim.rqs[CPU0].cfs[GroupId::new(1)].queue.push(entry);
        })];
        all_are_caught(on_one_queue, Sim::check_fair, damages);
    }
}
