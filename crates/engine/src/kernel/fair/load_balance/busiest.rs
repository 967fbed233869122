//! find_busiest_group() and find_busiest_queue(): the classes of 5.5 (commit 0b0695f2b34a), counted
//! in tasks and weights.
//!
//! Utilisation is not followed (docs/model/idle-balancing.md#load-balance-pass), so a group is
//! overloaded when it has more fair tasks than CPUs for them, and busy when it has equally many. A
//! CPU with RT tasks counts as no CPU for fair ones: the kernel uses an average of the time that RT
//! leaves, this model the present instant.

use std::cmp::Ordering;

use crate::ids::{CpuId, GroupId, IdRange};
use crate::kernel::fair::sched_domains::{LLC, SMT};
use crate::machine::topology::CpuMask;
use crate::sim::Sim;

/// imbalance_pct of a cache and of what is above it.
pub(crate) const IMBALANCE_PCT: u64 = 117;
/// imbalance_pct of the hardware threads of a core.
pub(crate) const IMBALANCE_PCT_SMT: u64 = 110;

/// The CPU to take tasks from, and the amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imbalance {
    /// The busiest run queue.
    pub busiest: CpuId,
    /// Whether `amount` is load weight; tasks otherwise.
    pub by_load: bool,
    /// The amount still to move.
    pub amount: i64,
    /// Only a task whose process has its home in the cache of the taker is to move
    /// (migrate_llc_task).
    pub to_home: bool,
}

/// group_type: the more to the end, the busier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    #[default]
    HasSpare,
    FullyBusy,
    /// Within this group affinity kept tasks from spreading.
    Imbalanced,
    /// It has tasks that want to the cache of the taker (group_llc_balance).
    LlcBalance,
    Overloaded,
}

/// sg_lb_stats: the sums of one group.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    kind: Kind,
    /// CPUs for fair tasks.
    weight: u64,
    /// Fair tasks.
    running: u64,
    /// Tasks of all classes.
    tasks: u64,
    idle: u64,
    load: u64,
    /// Some CPU has more than one task.
    crowded: bool,
    /// Tasks that prefer the cache of the taker (nr_pref_dst_llc), if a move there is wanted.
    pref_dst_llc: u64,
}

impl Group {
    /// group_classify().
    fn classify(&mut self, hinted: bool) {
        self.kind = match self.running.cmp(&self.weight) {
            Ordering::Greater => Kind::Overloaded,
            _ if self.pref_dst_llc > 0 => Kind::LlcBalance,
            _ if hinted => Kind::Imbalanced,
            Ordering::Equal => Kind::FullyBusy,
            Ordering::Less => Kind::HasSpare,
        };
    }

    /// Load weight per CPU.
    fn average(&self) -> u64 {
        self.load / self.weight.max(1)
    }

    /// update_sd_pick_busiest(): the busier class, then the greater load or the fewer idle CPUs;
    /// the first of imbalanced ones.
    fn busier_than(&self, other: &Self) -> bool {
        if self.kind != other.kind {
            return self.kind > other.kind;
        }
        match self.kind {
            Kind::HasSpare => (other.idle, self.running) > (self.idle, other.running),
            Kind::LlcBalance => self.pref_dst_llc > other.pref_dst_llc,
            Kind::Imbalanced => false,
            Kind::FullyBusy | Kind::Overloaded => self.average() > other.average(),
        }
    }
}

impl Sim {
    /// The sums of these CPUs, not yet classified; of those the pass on `cpu` has struck out
    /// only the place counts.
    fn group_of(&self, cpu: CpuId, cpus: IdRange<CpuId>, span: &CpuMask) -> Group {
        let (mut group, barred) = (Group::default(), &self.cpus[cpu].barred);
        for member in cpus.filter(|member| span.has(*member)) {
            let rq = &self.rqs[member];
            group.weight += u64::from(rq.rt.active().is_empty() || rq.rt_time.is_throttled());
            if !barred.is_empty() && barred.contains(&member) {
                continue;
            }
            group.running += u64::from(rq.cfs[GroupId::ROOT].h_nr_running());
            group.tasks += u64::from(rq.nr_running());
            group.idle += u64::from(self.idle_cpu(member));
            group.load += rq.cfs[GroupId::ROOT].load();
            group.crowded |= rq.nr_running() > 1;
        }
        group
    }

    /// Whether affinity kept a CPU of this group of domain `level` from taking its share.
    fn is_hinted(&self, cpus: &IdRange<CpuId>, level: usize) -> bool {
        cpus.len() > 1 && self.rd(cpus.first()).imbalanced[level].has(cpus.first())
    }

    /// The run queue `of` should take from, and how much; `None` = the domain is in balance. The
    /// pass is on `cpu`.
    pub(super) fn find_busiest(
        &mut self,
        cpu: CpuId,
        of: CpuId,
        level: usize,
    ) -> Option<Imbalance> {
        let span = self.rd(of).span;
        let (domain, own) = (self.domain_at(of, level), self.group_at(of, level));
        let mut local = self.group_of(cpu, own.clone(), &span);
        local.classify(self.is_hinted(&own, level));
        let mut all = local;
        let mut best: Option<(IdRange<CpuId>, Group)> = None;
        let mut from = domain.first();
        while from < domain.end() {
            let rivals = self.group_at(from, level);
            from = rivals.end();
            if rivals == own {
                continue;
            }
            let mut group = self.group_of(cpu, rivals.clone(), &span);
            group.pref_dst_llc = self.wants_home(rivals.clone(), of, level);
            group.classify(self.is_hinted(&rivals, level));
            (all.load, all.weight, all.crowded) =
                (all.load + group.load, all.weight + group.weight, all.crowded || group.crowded);
            if group.running > 0 && best.as_ref().is_none_or(|(_, best)| group.busier_than(best)) {
                best = Some((rivals, group));
            }
        }
        if self.domain_above(of, level).is_none() {
            self.rd_mut(of).overload = all.crowded;
        }
        let (rivals, busiest) = best.filter(|_| local.weight > 0)?;
        let (by_load, amount) = imbalance(&local, &busiest, &all, self.spreads(level), pct(level))?;
        let to_home = busiest.kind == Kind::LlcBalance;
        let found = Imbalance { busiest: of, by_load, amount, to_home };
        let queue = self.find_busiest_queue((cpu, of), rivals, &span, &found)?;
        Some(Imbalance { busiest: queue, ..found })
    }

    /// Whether the pass on `cpu` has a CPU outside the own group of `of` that is not struck out.
    pub(super) fn others_are_left(&self, cpu: CpuId, of: CpuId, level: usize) -> bool {
        let (mut domain, own) = (self.domain_at(of, level), self.group_at(of, level));
        let (span, barred) = (&self.rd(of).span, &self.cpus[cpu].barred);
        domain.any(|other| span.has(other) && !own.contains(other) && !barred.contains(&other))
    }

    /// Whether tasks spread over the groups of domain `level` while there is room
    /// (prefer_sibling): over cores and over caches; which CPU it is within them is all the same.
    pub(super) fn spreads(&self, level: usize) -> bool {
        let lowest = if self.setup.machine.topology.has_smt() { SMT } else { LLC };
        level > lowest
    }

    /// Sets or clears the hint that affinity kept a CPU of domain `level` from taking its share:
    /// sgc->imbalance of the group of the domain above.
    pub(super) fn hint_imbalance(&mut self, of: CpuId, level: usize, hint: bool) {
        let Some(above) = self.domain_above(of, level) else { return };
        let first = self.group_at(of, above).first();
        let groups = &mut self.rd_mut(of).imbalanced[above];
        if hint { groups.set(first) } else { groups.clear(first) }
    }

    /// A CPU of the group of `to` in domain `level`, not struck out, that may take a task which
    /// waits on `source` and may not come to `to`.
    pub(super) fn neighbour_for(
        &self,
        cpu: CpuId,
        source: CpuId,
        to: CpuId,
        level: usize,
    ) -> Option<CpuId> {
        let (span, barred) = (&self.rd(to).span, &self.cpus[cpu].barred);
        let mut near = self
            .group_at(to, level)
            .filter(|other| span.has(*other) && *other != to && !barred.contains(other));
        near.find(|other| {
            self.waiting_fair(source)
                .any(|task| !self.task(task).cpus.has(to) && self.may_go(task, *other))
        })
    }

    /// The queue with the most load, the most tasks, or the most tasks that prefer the cache of
    /// `of`, in a group.
    fn find_busiest_queue(
        &self,
        (cpu, of): (CpuId, CpuId),
        group: IdRange<CpuId>,
        span: &CpuMask,
        found: &Imbalance,
    ) -> Option<CpuId> {
        let &Imbalance { by_load, amount, to_home, .. } = found;
        let barred = &self.cpus[cpu].barred;
        let of_interest = |cpu: &CpuId| {
            let rq = &self.rqs[*cpu];
            let alone_and_heavy =
                by_load && rq.nr_running() == 1 && rq.cfs[GroupId::ROOT].load() as i64 > amount;
            rq.cfs[GroupId::ROOT].h_nr_running() > 0
                && !alone_and_heavy
                && span.has(*cpu)
                && !barred.contains(cpu)
        };
        let key = |cpu: CpuId| {
            if to_home {
                self.tasks_that_prefer(cpu, of)
            } else if by_load {
                self.rqs[cpu].cfs[GroupId::ROOT].load()
            } else {
                u64::from(self.rqs[cpu].cfs[GroupId::ROOT].h_nr_running())
            }
        };
        // The first of equals.
        group.filter(of_interest).fold(None, |best: Option<CpuId>, cpu| {
            best.filter(|best| key(*best) >= key(cpu)).or(Some(cpu))
        })
    }
}

/// imbalance_pct of domain `level`.
fn pct(level: usize) -> u64 {
    if level == SMT { IMBALANCE_PCT_SMT } else { IMBALANCE_PCT }
}

/// find_busiest_group()'s verdict and calculate_imbalance(): whether load or tasks, and how much.
fn imbalance(
    local: &Group,
    busiest: &Group,
    all: &Group,
    prefer_sibling: bool,
    pct: u64,
) -> Option<(bool, i64)> {
    let tasks = |amount: u64| (amount > 0).then_some((false, amount as i64));
    let difference = busiest.tasks.saturating_sub(local.tasks);
    if local.kind > busiest.kind {
        return None;
    }
    if busiest.kind == Kind::LlcBalance {
        return tasks(u64::from(local.kind == Kind::HasSpare));
    }
    if busiest.kind == Kind::Imbalanced {
        return tasks(1);
    }
    if busiest.kind == Kind::Overloaded {
        if local.kind == Kind::HasSpare {
            if busiest.weight <= 1 && !prefer_sibling {
                return tasks(difference / 2);
            }
            let spare = local.weight - local.running;
            return tasks(spare.min(busiest.running.saturating_sub(local.running) / 2).max(1));
        }
        let (own, theirs, mean) = (local.average(), busiest.average(), all.average());
        let uneven = own < theirs && own < mean && 100 * theirs > pct * own;
        let pull = theirs.saturating_sub(mean) * busiest.weight;
        let amount = pull.min(mean.saturating_sub(own) * local.weight);
        return (uneven && amount > 0).then_some((true, amount as i64));
    }
    // Nothing waits there.
    if prefer_sibling && local.kind == Kind::HasSpare && difference > 1 {
        tasks(difference / 2)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(weight: u64, running: u64) -> Group {
        let (idle, load, crowded) =
            (weight.saturating_sub(running), 1024 * running, running > weight);
        let mut group = Group {
            kind: Kind::HasSpare,
            weight,
            running,
            tasks: running,
            idle,
            load,
            crowded,
            pref_dst_llc: 0,
        };
        group.classify(false);
        group
    }

    fn verdict(local: (u64, u64), busiest: (u64, u64)) -> Option<(bool, i64)> {
        let (local, busiest) = (group(local.0, local.1), group(busiest.0, busiest.1));
        let all = group(local.weight + busiest.weight, local.running + busiest.running);
        imbalance(&local, &busiest, &all, local.weight > 1, IMBALANCE_PCT)
    }

    #[test]
    fn at_most_half_of_a_difference_moves_and_what_is_even_stays() {
        // CPU by CPU: an idle CPU takes half of another's excess.
        for (theirs, moves) in
            [(1, None), (2, Some((false, 1))), (3, Some((false, 1))), (9, Some((false, 4)))]
        {
            assert_eq!(verdict((1, 0), (1, theirs)), moves, "{theirs}");
        }
        // Both too full: load, down to the mean and no further.
        assert_eq!(verdict((1, 1), (1, 2)), Some((true, 512)), "half a task, so none");
        assert_eq!(verdict((1, 2), (1, 6)), Some((true, 2048)));
        assert_eq!(verdict((1, 2), (1, 2)), None);
        assert_eq!(verdict((4, 8), (4, 9)), None, "within imbalance_pct");
        // Cache by cache: spread while both have room.
        assert_eq!(verdict((4, 0), (4, 4)), Some((false, 2)));
        assert_eq!(verdict((4, 1), (4, 3)), Some((false, 1)));
        assert_eq!(verdict((4, 1), (4, 2)), None);
        // A small cache that is too full beside a big one that has room.
        assert_eq!(verdict((8, 6), (2, 3)), Some((false, 1)));
    }
}
