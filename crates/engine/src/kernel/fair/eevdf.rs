//! EEVDF, 6.6 on: picks the entity with the earliest deadline among those that have not had more
//! than their share (docs/model/fair-class.md#eevdf).

use super::cfs::tunable_factor;
use super::entity::{EntityId, SchedEntity};
use crate::ids::{CpuId, GroupId, TaskId};
use crate::sim::Sim;

/// Sums over the queued entities, the running one included: Σ w, and Σ w (v - min_vruntime).
struct Average {
    load: i64,
    sum: i64,
}

impl Sim {
    /// The slice an entity asks for: its own, else sysctl_sched_base_slice, ns. A group's own is
    /// that of `take_min_slice`.
    pub(super) fn eevdf_slice(&self, cpu: CpuId, id: EntityId) -> u64 {
        let own = match id {
            EntityId::Task(task) => self.task_spec(task).slice_ns,
            EntityId::Group(_) => self.se(cpu, id).slice,
        };
        own.unwrap_or(
            u64::from(self.kernel().base_slice_ns())
                * tunable_factor(self.setup.machine.topology.cpus()),
        )
    }

    /// cfs_rq_min_slice(): a group asks for the shortest slice of its queued entities, after a task
    /// has joined or left it (commit aef6987d8954, 6.12). Throttling and its end do not change the
    /// group's slice.
    pub(super) fn take_min_slice(&mut self, cpu: CpuId, id: EntityId) {
        let EntityId::Group(below) = id else { return };
        if !self.is_eevdf() || self.flat || !self.kernel().groups_take_min_slice() {
            return;
        }
        let (least, _) = self.slice_bounds(cpu, below);
        if least < u64::MAX {
            self.se_mut(cpu, id).slice = Some(least);
        }
    }

    /// cfs_rq_min_slice() and cfs_rq_max_slice(): the least and the greatest slice that the queued
    /// entities ask for, the running one included, ns; (u64::MAX, 0) of an empty queue.
    pub(super) fn slice_bounds(&self, cpu: CpuId, group: GroupId) -> (u64, u64) {
        let cfs = self.cfs_rq(cpu, group);
        let curr = self.queue_curr(cpu, group);
        let queued = cfs.queue.iter().map(|entry| entry.id).chain(curr);
        queued.fold((u64::MAX, 0), |(least, greatest), id| {
            let slice = self.eevdf_slice(cpu, id);
            (least.min(slice), greatest.max(slice))
        })
    }

    fn average(&self, cpu: CpuId, group: GroupId) -> Average {
        let floor = self.cfs_rq(cpu, group).min_vruntime;
        let Average { mut load, mut sum } = self.average_of_waiting(cpu, group);
        if let Some(curr) = self.queue_curr(cpu, group) {
            let se = self.se(cpu, curr);
            load += se.weight as i64;
            sum += se.weight as i64 * (se.vruntime - floor);
        }
        Average { load, sum }
    }

    /// The sums without the running entity.
    fn average_of_waiting(&self, cpu: CpuId, group: GroupId) -> Average {
        let cfs = self.cfs_rq(cpu, group);
        let zero = Average { load: 0, sum: 0 };
        cfs.queue.iter().fold(zero, |Average { load, sum }, entry| {
            let weight = entry.weight as i64;
            Average { load: load + weight, sum: sum + weight * (entry.vruntime - cfs.min_vruntime) }
        })
    }

    /// ineligible_vruntime(): the run time from which on the running entity has had more than its
    /// share; `None` where nothing else is queued.
    pub(super) fn ineligible_vruntime(&self, cpu: CpuId, group: GroupId) -> Option<i64> {
        let others = self.average_of_waiting(cpu, group);
        (others.load > 0).then(|| self.mean(cpu, group, &others) + 1)
    }

    /// avg_vruntime(): the weighted mean of those queued.
    pub(super) fn avg_vruntime(&self, cpu: CpuId, group: GroupId) -> i64 {
        self.mean(cpu, group, &self.average(cpu, group))
    }

    fn mean(&self, cpu: CpuId, group: GroupId, Average { load, sum }: &Average) -> i64 {
        let floor = self.cfs_rq(cpu, group).min_vruntime;
        floor + if *load > 0 { sum.div_euclid(*load) } else { 0 }
    }

    /// entity_lag(): behind (positive) or ahead of the average, within a limit: two slices of its
    /// own or a tick, from 7.0 on the greatest slice queued and a tick. Since 7.1 the lag of an
    /// entity that sleeps on its queue stays between the lag it went to sleep with and 0.
    pub(super) fn eevdf_lag(&self, cpu: CpuId, group: GroupId, id: EntityId) -> i64 {
        let se = self.se(cpu, id);
        let (own, tick) = (self.eevdf_slice(cpu, id), self.kernel().tick_ns());
        let limit = se.virtual_ns(if self.kernel().lag_clamp_by_greatest_slice() {
            self.slice_bounds(cpu, group).1.max(own) + tick
        } else {
            tick.max(2 * own)
        });
        let lag = (self.avg_vruntime(cpu, group) - se.vruntime).clamp(-limit, limit);
        if se.delayed && self.kernel().delayed_lag_never_grows() {
            return lag.max(se.vlag).min(0);
        }
        lag
    }

    /// entity_eligible(): it has had no more than its share.
    pub(super) fn eevdf_eligible(&self, cpu: CpuId, group: GroupId, id: EntityId) -> bool {
        let cfs = self.cfs_rq(cpu, group);
        let average = self.average(cpu, group);
        average.sum >= (self.se(cpu, id).vruntime - cfs.min_vruntime) * average.load
    }

    /// place_entity(): its lag survives that the average moves by its coming; a new task's first
    /// request is half as long, and one that was not asleep goes on with its own
    /// (PLACE_REL_DEADLINE).
    pub(super) fn eevdf_place(&mut self, cpu: CpuId, group: GroupId, id: EntityId, new: bool) {
        let sums = self.average(cpu, group);
        let (average, load) = (self.mean(cpu, group, &sums), sums.load);
        let slice = self.eevdf_slice(cpu, id) / if new { 2 } else { 1 };
        let keeps_lag = self.kernel().place_lag();
        let se = self.se_mut(cpu, id);
        let lag =
            if load > 0 && keeps_lag { se.vlag * (load + se.weight as i64) / load } else { 0 };
        se.vruntime = average - lag;
        let request =
            if std::mem::take(&mut se.rel_deadline) { se.deadline } else { se.virtual_ns(slice) };
        se.deadline = se.vruntime + request;
    }

    /// reweight_entity(): a queued entity that was `old` has another weight now. `average` and
    /// `lag` are those of the old weight. The lag, the rest of the request and of the protection
    /// keep their length in real time.
    ///
    /// 6.13 to 7.0 place the entity as if it joined the queue. The average and the load of the
    /// queue already hold an entity that runs, so the lag of such an entity grows.
    pub(super) fn eevdf_reweight(
        &mut self,
        (cpu, group): (CpuId, GroupId),
        id: EntityId,
        old: &SchedEntity,
        (average, lag): (i64, i64),
    ) {
        let weight = self.se(cpu, id).weight;
        let scaled =
            |ns: i64| (i128::from(ns) * i128::from(old.weight) / i128::from(weight)) as i64;
        let mut base = (average, average);
        if self.kernel().reweight_places_anew() {
            let alone = !self.is_contested(cpu, group);
            let se = self.se_mut(cpu, id);
            se.vlag = if alone { 0 } else { scaled(lag) };
            se.deadline = scaled(old.deadline - old.vruntime);
            se.rel_deadline = true;
            self.eevdf_place(cpu, group, id, false);
            base = (old.vruntime, self.se(cpu, id).vruntime);
        } else {
            let se = self.se_mut(cpu, id);
            se.vruntime = average - scaled(lag);
            se.deadline = average + scaled(old.deadline - average);
        }
        self.se_mut(cpu, id).vprot = self.moved_protection(old, base, scaled);
    }

    /// dequeue_entity() of a task that does not sleep, or does so on its queue: its request goes on
    /// where it is placed next (commit 82e9d0456e06, 6.12).
    pub(crate) fn keep_request(&mut self, task: TaskId) {
        if self.task(task).row().has_vruntime
            && self.is_eevdf()
            && self.kernel().requests_kept_on_move()
        {
            let se = &mut self.task_mut(task).se;
            se.deadline -= se.vruntime;
            se.rel_deadline = true;
        }
    }

    /// update_deadline(): a new request begins when the old one is used up; whether the running
    /// entity should give way.
    pub(super) fn eevdf_update_deadline(
        &mut self,
        cpu: CpuId,
        group: GroupId,
        id: EntityId,
    ) -> bool {
        let slice = self.eevdf_slice(cpu, id);
        let others = self.is_contested(cpu, group);
        let se = self.se_mut(cpu, id);
        if se.vruntime < se.deadline {
            return false;
        }
        se.deadline = se.vruntime + se.virtual_ns(slice);
        others
    }

    /// pick_eevdf(): the running entity keeps the CPU while its protection is heeded and lasts
    /// (RUN_TO_PARITY).
    pub(super) fn eevdf_pick(&self, cpu: CpuId, group: GroupId, protect: bool) -> Option<EntityId> {
        let cfs = self.cfs_rq(cpu, group);
        let average = self.average(cpu, group);
        let eligible = |vruntime: i64| average.sum >= (vruntime - cfs.min_vruntime) * average.load;
        let curr = self.queue_curr(cpu, group);
        if cfs.queue.is_empty() {
            return curr;
        }
        let curr = curr.filter(|curr| eligible(self.se(cpu, *curr).vruntime));
        // From 6.17 on the end of a protection says all.
        let heeds = self.kernel().run_to_parity() || self.kernel().protection().is_by_least_slice();
        if protect && heeds && curr.is_some_and(|curr| self.protects_slice(self.se(cpu, curr))) {
            return curr;
        }
        let waiting =
            cfs.queue.iter().take_while(|entry| eligible(entry.vruntime)).map(|entry| entry.id);
        let earliest = waiting.chain(curr).min_by_key(|id| self.se(cpu, *id).deadline);
        earliest.or(cfs.queue.first().map(|entry| entry.id))
    }

    /// yield_task_fair(): the deadline moves on by a slice. In later releases an eligible entity
    /// gives up the rest of its request instead, as if it had run up to its deadline.
    pub(super) fn eevdf_yield(&mut self, cpu: CpuId, group: GroupId, id: EntityId) {
        let gives_up = self.kernel().yield_gives_up_request();
        if gives_up && !self.eevdf_eligible(cpu, group, id) {
            return;
        }
        let slice = self.eevdf_slice(cpu, id);
        let se = self.se_mut(cpu, id);
        if gives_up {
            se.vruntime = se.deadline;
        }
        se.deadline += se.virtual_ns(slice);
    }
}

#[cfg(test)]
mod tests;
