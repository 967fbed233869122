//! CFS, up to 6.5: fairness by the smallest virtual run time (docs/model/fair-class.md#cfs).

use super::entity::{EntityId, NICE_0_WEIGHT, SchedEntity};
use crate::ids::{CpuId, GroupId};
use crate::sim::Sim;

/// sysctl_sched_latency, min_granularity and wakeup_granularity on one CPU, ns. Above
/// `latency / least` entities (sched_nr_latency) the period grows.
struct Times {
    latency: u64,
    least: u64,
    wakeup: u64,
}

const TIMES: Times = Times { latency: 6_000_000, least: 750_000, wakeup: 1_000_000 };
const TIMES_2624: Times = Times { latency: 20_000_000, least: 4_000_000, wakeup: 10_000_000 };
const TIMES_2626: Times = Times { wakeup: 5_000_000, ..TIMES_2624 };

/// sysctl_sched_idle_min_granularity, ns: the least slice of a SCHED_IDLE entity among others,
/// however many CPUs.
const IDLE_MIN_GRANULARITY_NS: u64 = 750_000;
/// 1 + log2 of the CPUs, at most 8 counted: SCHED_TUNABLESCALING_LOG.
pub fn tunable_factor(cpus: u32) -> u64 {
    1 + u64::from(cpus.clamp(1, 8).ilog2())
}

impl Sim {
    fn tunable(&self, base_ns: u64) -> u64 {
        base_ns * tunable_factor(self.setup.machine.topology.cpus())
    }

    fn cfs_times(&self) -> Times {
        match (self.kernel().has_first_cfs_form(), self.kernel().cfs_latency_is_20_ms()) {
            (true, _) => TIMES_2624,
            (false, true) => TIMES_2626,
            (false, false) => TIMES,
        }
    }

    /// sched_slice(): this entity's part of the period, through every level above it, ns. The first
    /// form looks at the entity's own queue alone. To 2.6.31 there is no least slice.
    fn cfs_slice(&self, cpu: CpuId, id: EntityId, group: GroupId) -> u64 {
        let running = u64::from(self.cfs_rq(cpu, GroupId::ROOT).h_nr_running())
            + u64::from(!self.se(cpu, id).on_rq);
        let own =
            u64::from(self.cfs_rq(cpu, group).nr_queued()) + u64::from(!self.se(cpu, id).on_rq);
        let first = self.kernel().has_first_cfs_form();
        let running = if first { own } else { running };
        let times = self.cfs_times();
        let granularity = self.tunable(times.least);
        let less = self.cfs_idle_has_less(id) && !self.only_idle_queued(cpu, group);
        let least = match () {
            () if self.kernel().cfs_latency_is_20_ms() => 0,
            () if less => IDLE_MIN_GRANULARITY_NS,
            () => granularity,
        };
        let long = running > times.latency / times.least;
        let mut slice = if long { running * granularity } else { self.tunable(times.latency) };
        let mut level = Some((id, group));
        while let Some((id, group)) = level {
            let se = self.se(cpu, id);
            let load = self.cfs_rq(cpu, group).load() + if se.on_rq { 0 } else { se.weight };
            slice = (u128::from(slice) * u128::from(se.weight) / u128::from(load.max(1))) as u64;
            level = self.level_above(group).filter(|_| !first);
        }
        slice.max(least)
    }

    /// place_entity(): a sleeper is at most half a latency behind its queue, half a least
    /// granularity if it is SCHED_IDLE (5.16 on); a new task one slice ahead of it. To 2.6.31 a
    /// sleeping task is at most a whole latency behind (no GENTLE_FAIR_SLEEPERS).
    pub(super) fn cfs_place(&self, cpu: CpuId, group: GroupId, id: EntityId, new: bool) -> i64 {
        let (se, floor) = (self.se(cpu, id), self.cfs_rq(cpu, group).min_vruntime);
        let (times, old) = (self.cfs_times(), self.kernel().cfs_latency_is_20_ms());
        let is_task = matches!(id, EntityId::Task(_));
        let credit = match () {
            () if old => u64::from(is_task) * 2 * times.latency,
            () if self.cfs_idle_has_less(id) => times.least,
            () => times.latency,
        };
        let place = if new {
            floor + se.virtual_ns(self.cfs_slice(cpu, id, group))
        } else {
            floor - (self.tunable(credit) / 2) as i64
        };
        se.vruntime.max(place)
    }

    fn cfs_wakeup_gran(&self, se: &SchedEntity) -> i64 {
        (self.tunable(self.cfs_times().wakeup) * NICE_0_WEIGHT / se.weight) as i64
    }

    /// wakeup_preempt_entity(): the woken entity is more than a granularity behind the running one.
    /// The weight of the woken one scales it, in the first form that of the running one.
    pub(super) fn cfs_wakeup_preempts(&self, curr: &SchedEntity, woken: &SchedEntity) -> bool {
        let scale = if self.kernel().has_first_cfs_form() { curr } else { woken };
        curr.vruntime - woken.vruntime > self.cfs_wakeup_gran(scale)
    }

    /// check_preempt_tick(): the slice is used up and no buddy mark keeps the entity running, or
    /// the leftmost entity has fallen behind by more than a slice (from 2.6.32 on).
    pub(super) fn cfs_tick_preempts(&mut self, cpu: CpuId, group: GroupId, id: EntityId) -> bool {
        let slice = self.cfs_slice(cpu, id, group);
        let se = *self.se(cpu, id);
        if se.ran > slice {
            self.clear_buddies(cpu, id, group);
            return true;
        }
        let behind = || {
            self.cfs_rq(cpu, group).queue.first().map_or(0, |first| se.vruntime - first.vruntime)
        };
        !self.kernel().cfs_latency_is_20_ms()
            && se.ran >= self.tunable(self.cfs_times().least)
            && behind() > slice as i64
    }

    /// pick_next_entity(): the leftmost of the waiting entities and the running one. The pick
    /// passes over an entity that has yielded if the next one is near, and over any entity for a
    /// near buddy.
    pub(super) fn cfs_pick(&self, cpu: CpuId, group: GroupId) -> Option<EntityId> {
        let cfs = self.cfs_rq(cpu, group);
        let curr = cfs
            .curr
            .filter(|curr| self.se(cpu, *curr).on_rq)
            .map(|curr| (self.se(cpu, curr).vruntime, curr));
        let mut waiting = cfs.queue.iter().map(|entry| (entry.vruntime, entry.id));
        let first = waiting.next();
        let ahead = match (curr, first) {
            (Some(curr), Some(first)) => curr.0 < first.0,
            (curr, _) => curr.is_some(),
        };
        let best = if ahead { curr } else { first }?;
        if cfs.skip != Some(best.1) {
            return Some(self.nearest_buddy(cpu, group, best.1, best.1));
        }
        let second = if ahead {
            first
        } else {
            waiting.next().into_iter().chain(curr).min_by_key(|entity| entity.0)
        };
        let near = |second: &(i64, EntityId)| {
            second.0 - best.0 <= self.cfs_wakeup_gran(self.se(cpu, best.1))
        };
        Some(self.nearest_buddy(cpu, group, best.1, second.filter(near).unwrap_or(best).1))
    }
}
