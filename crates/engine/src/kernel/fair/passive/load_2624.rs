//! The load arithmetic of 2.6.24: find_busiest_group, find_busiest_queue, wake-affine
//! (docs/model/rt-balancing.md#passive-balancing).
//!
//! Loads are those of the instant; the kernel's averages over past ticks are left out.

use crate::ids::{CpuId, GroupId, IdRange, TaskId};
use crate::kernel::fair::WEIGHTS;
use crate::machine::topology::{CPUS_MAX, CpuMask};
use crate::sim::Sim;

/// SCHED_LOAD_SCALE: the power of one CPU, and the tolerance of comparisons.
const SCALE: i64 = 1024;
/// imbalance_pct of a sched domain.
const IMBALANCE_PCT: i64 = 125;
/// An RT task weighs twice a task of nice -20 (recalled).
const RT_WEIGHT: i64 = WEIGHTS[0] as i64 * 2;

/// The result of find_busiest_group and find_busiest_queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imbalance {
    /// The busiest CPU and the load to move from there.
    pub busiest: Option<(CpuId, i64)>,
    /// Another CPU of the own group balances at this level and above.
    pub others_turn: bool,
}

/// The sums of one sched group.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// Load per CPU power, SCALE = one CPU.
    load: i64,
    power: i64,
    running: i64,
    per_task: i64,
    uneven: bool,
}

impl Sim {
    /// The sched groups of `cpu` at a level: the CPUs of its package, or the packages; only within
    /// its partition.
    pub(crate) fn groups_2624(&self, cpu: CpuId, level: usize) -> impl Iterator<Item = CpuMask> {
        let topology = self.setup.machine.topology;
        let partition = self.partition_of(cpu);
        let own = topology.llc_of(cpu);
        let count = if level == 0 { own.len() } else { topology.packages() as usize };
        let group = move |nth: usize| match level {
            0 => {
                let at = CpuId::new(own.first().raw() + nth as u32);
                IdRange::between(at, at.next())
            }
            _ => topology.llc_of(CpuId::new(nth as u32 * topology.package_size())),
        };
        let groups = (0..count).map(move |nth| partition.within(&group(nth)));
        groups.filter(|group| !group.is_empty())
    }

    /// The CPUs of the partition that `cpu` is in, with any scope of RT overload.
    fn partition_of(&self, cpu: CpuId) -> CpuMask {
        let machine = &self.setup.machine;
        machine
            .domains
            .iter()
            .find(|domain| domain.has(cpu))
            .copied()
            .unwrap_or(CpuMask::first(CPUS_MAX.min(machine.topology.cpus())))
    }

    /// Load weight of an RT task.
    pub(crate) fn weight_2624_of_rt(&self) -> i64 {
        RT_WEIGHT
    }
    /// SCHED_LOAD_SCALE_FUZZ.
    pub(crate) fn load_fuzz_2624(&self) -> i64 {
        SCALE
    }

    /// weighted_cpuload().
    fn load_2624(&self, cpu: CpuId) -> i64 {
        let rq = &self.rqs[cpu];
        let strong = rq.rt.active().len() + usize::from(rq.stop.queued.is_some());
        strong as i64 * RT_WEIGHT + rq.cfs[GroupId::ROOT].load() as i64
    }

    fn group_2624(&self, mask: &CpuMask) -> Group {
        let loads = || mask.iter().map(|cpu| self.load_2624(cpu));
        let (total, power) = (loads().sum::<i64>(), SCALE * loads().count() as i64);
        let spread = loads().max().unwrap_or(0) - loads().min().unwrap_or(0);
        let running: i64 = mask.iter().map(|cpu| i64::from(self.rqs[cpu].nr_running())).sum();
        Group {
            load: SCALE * total / power,
            power,
            running,
            per_task: if running > 0 { total / running } else { 0 },
            uneven: spread > SCALE,
        }
    }

    /// find_busiest_group() and find_busiest_queue().
    pub(crate) fn find_busiest_2624(
        &self,
        this: CpuId,
        level: usize,
        newly_idle: bool,
    ) -> Imbalance {
        let none = Imbalance { busiest: None, others_turn: false };
        let Some(own) = self.groups_2624(this, level).find(|group| group.has(this)) else {
            return none;
        };
        let idle = |cpu: &CpuId| self.rqs[*cpu].curr.is_none();
        let balancer = own.iter().find(idle).or_else(|| own.lowest());
        if !newly_idle && balancer != Some(this) {
            return Imbalance { busiest: None, others_turn: true };
        }
        let (mut total, mut power, mut busiest) = (0, 0, None::<(CpuMask, Group)>);
        for mask in self.groups_2624(this, level) {
            let group = self.group_2624(&mask);
            total += group.load * group.power;
            power += group.power;
            let overfull = group.running > group.power / SCALE || group.uneven;
            let busier = busiest.as_ref().is_none_or(|(_, best)| best.load < group.load);
            if overfull && busier && !mask.has(this) {
                busiest = Some((mask, group));
            }
        }
        let Some((mask, busiest)) = busiest else { return none };
        let Some(load) = wanted_move(self.group_2624(&own), busiest, total / power) else {
            return none;
        };
        let queue = mask
            .iter()
            .filter(|cpu| self.rqs[*cpu].nr_running() != 1 || self.load_2624(*cpu) <= load);
        let queue = queue.fold(None, |best: Option<CpuId>, cpu| {
            best.filter(|best| self.load_2624(*best) >= self.load_2624(cpu)).or(Some(cpu))
        });
        Imbalance { busiest: queue.map(|cpu| (cpu, load)), others_turn: false }
    }

    /// try_to_wake_up's placement: the waker's CPU if the loads say so, else the previous one; no
    /// priority is asked. wake_idle would look among SMT siblings, which have no domain here
    /// (docs/model/known-gaps.md).
    pub(crate) fn wake_affine_2624(&self, task: TaskId, waker: CpuId) -> CpuId {
        let prev = self.task(task).cpu;
        let together = self.partition_of(waker).has(prev);
        if prev == waker || !together || !self.task(task).cpus.has(waker) {
            return prev;
        }
        let (this_load, prev_load) = (self.load_2624(waker), self.load_2624(prev));
        let running = i64::from(self.rqs[waker].nr_running());
        let per_task = if running > 0 { this_load / running } else { SCALE };
        let calm = this_load <= prev_load && this_load + prev_load <= per_task;
        let lighter =
            100 * (this_load + RT_WEIGHT) <= (100 + (IMBALANCE_PCT - 100) / 2) * prev_load;
        if calm || lighter { waker } else { prev }
    }
}

/// The load find_busiest_group wants moved from `busiest` to `this`; `None` = balanced. It may be
/// less than half a task, and then only the exception for stronger tasks moves anything.
fn wanted_move(this: Group, busiest: Group, average: i64) -> Option<i64> {
    let max = busiest.load;
    let balanced = this.load >= max
        || busiest.running == 0
        || this.load >= average
        || 100 * max <= IMBALANCE_PCT * this.load;
    if balanced {
        return None;
    }
    let per_task = if busiest.uneven { busiest.per_task.min(average) } else { busiest.per_task };
    if max <= per_task {
        return None;
    }
    let wanted = if max < average {
        0
    } else {
        let pull = (max - average).min(max - per_task);
        (pull * busiest.power).min((average - this.load) * this.power) / SCALE
    };
    if wanted >= per_task && max >= average {
        return Some(wanted);
    }
    Some(small_imbalance(this, busiest, per_task).unwrap_or(wanted))
}

/// Too little to move a task for balance: still worth it if the difference is two tasks, or if it
/// gains CPU power.
fn small_imbalance(this: Group, busiest: Group, per_task: i64) -> Option<i64> {
    let this_per_task = if this.running > 0 { this.per_task } else { SCALE };
    let times = if this.running > 0 && per_task > this_per_task { 1 } else { 2 };
    if busiest.load - this.load + SCALE >= per_task * times {
        return Some(per_task);
    }
    let now =
        busiest.power * per_task.min(busiest.load) + this.power * this_per_task.min(this.load);
    let taken = per_task * SCALE / busiest.power;
    let rest =
        if busiest.load > taken { busiest.power * per_task.min(busiest.load - taken) } else { 0 };
    let added = (busiest.load * busiest.power).min(per_task * SCALE) / this.power;
    let moved = rest + this.power * this_per_task.min(this.load + added);
    (moved / SCALE > now / SCALE).then_some(per_task)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cpu(tasks: i64) -> Group {
        Group {
            load: tasks * RT_WEIGHT,
            power: SCALE,
            running: tasks,
            per_task: if tasks > 0 { RT_WEIGHT } else { 0 },
            uneven: false,
        }
    }

    #[test]
    fn five_rt_tasks_on_four_cpus_are_not_worth_moving_but_an_idle_cpu_takes_one() {
        // docs/model/rt-balancing.md#passive-balancing: wanted is W/4, less than half a task.
        let wanted = wanted_move(cpu(1), cpu(2), RT_WEIGHT * 5 / 4).expect("unbalanced");
        assert!(wanted < RT_WEIGHT / 2, "{wanted}");
        assert_eq!(wanted_move(cpu(0), cpu(2), RT_WEIGHT), Some(RT_WEIGHT));
        assert_eq!(wanted_move(cpu(1), cpu(1), RT_WEIGHT), None);
        assert_eq!(wanted_move(cpu(1), cpu(3), RT_WEIGHT * 2), Some(RT_WEIGHT));
    }
}
