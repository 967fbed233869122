//! The list of a group's throttled queues, and the distributions that walk along it: each
//! distribution keeps its place while queues join and leave.

use super::By;
use crate::ids::CpuId;

/// A distribution under way: its next throttled queue, and the rest of a private copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// Place in the list of the queue to visit next.
    next: usize,
    /// Old distributions: the rest of the run time that they hold, ns.
    pub remaining: u64,
    /// Old distributions: handed out so far, ns.
    pub used: u64,
    /// A queue is left behind throttled (6.3 on).
    pub throttled: bool,
    /// The executing CPU's own queue waits for the end of the walk (6.3 on).
    pub local: bool,
    /// Refills when it began: another means another period.
    pub refills: u64,
}

/// throttled_cfs_rq, which the group's lock protects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThrottledList {
    /// CPUs whose queue of the group is throttled, in the order they are handed run time.
    cpus: Vec<CpuId>,
    /// Distributions under way: the period timer's and the slack timer's.
    walks: [Option<Walk>; 2],
}

impl ThrottledList {
    /// CPUs whose queue of the group is throttled, in the order they are handed run time.
    pub fn cpus(&self) -> &[CpuId] {
        &self.cpus
    }

    pub fn is_empty(&self) -> bool {
        self.cpus.is_empty()
    }

    /// The distribution of `by`, if one is under way.
    pub fn walk(&self, by: By) -> Option<Walk> {
        self.walks[by as usize]
    }

    /// Every distribution under way.
    pub fn walks(&self) -> impl Iterator<Item = &Walk> {
        self.walks.iter().flatten()
    }

    /// A distribution is under way.
    pub fn distributing(&self) -> bool {
        self.walks().next().is_some()
    }

    /// list_add(), list_add_tail().
    pub(crate) fn add(&mut self, cpu: CpuId, head: bool) {
        if head {
            self.cpus.insert(0, cpu);
            self.walks.iter_mut().flatten().for_each(|walk| walk.next += 1);
        } else {
            self.cpus.push(cpu);
        }
    }

    /// list_del().
    pub(crate) fn del(&mut self, cpu: CpuId) {
        let Some(at) = self.cpus.iter().position(|other| *other == cpu) else { return };
        self.cpus.remove(at);
        self.walks.iter_mut().flatten().for_each(|walk| walk.next -= usize::from(at < walk.next));
    }

    /// The distribution of `by` begins at the head, with `remaining` ns to hand out.
    pub(crate) fn begin(&mut self, by: By, remaining: u64, refills: u64) {
        self.walks[by as usize] = Some(Walk { remaining, refills, ..Walk::default() });
    }

    /// The walk by `by` goes round once more, with its remaining run time.
    pub(crate) fn restart(&mut self, by: By) {
        if let Some(walk) = &mut self.walks[by as usize] {
            (walk.next, walk.throttled) = (0, false);
        }
    }

    /// The walk by `by` has ended; returns its final state.
    pub(crate) fn end(&mut self, by: By) -> Walk {
        self.walks[by as usize].take().unwrap_or_default()
    }

    pub(crate) fn walk_mut(&mut self, by: By) -> &mut Walk {
        self.walks[by as usize].get_or_insert_default()
    }

    /// The queue the distribution of `by` visits next, and whether it is the first one it looks
    /// for.
    pub(crate) fn next(&self, by: By) -> (Option<CpuId>, bool) {
        let at = self.walk(by).map_or(0, |walk| walk.next);
        (self.cpus.get(at).copied(), at == 0)
    }

    /// The walk by `by` visits the next queue.
    pub(crate) fn advance(&mut self, by: By) {
        self.walk_mut(by).next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_keeps_its_place_while_the_list_changes() {
        let mut list =
            ThrottledList { cpus: [4, 5, 6, 7].map(CpuId::new).to_vec(), ..Default::default() };
        list.begin(By::Period, 0, 0);
        list.advance(By::Period);
        list.advance(By::Period);
        let next = |list: &ThrottledList| list.next(By::Period).0.unwrap().raw();
        let cpus = |list: &ThrottledList| list.cpus.iter().map(|cpu| cpu.raw()).collect::<Vec<_>>();
        assert_eq!(next(&list), 6);
        list.add(CpuId::new(1), true);
        list.add(CpuId::new(2), false);
        assert_eq!((next(&list), cpus(&list)), (6, vec![1, 4, 5, 6, 7, 2]));
        list.del(CpuId::new(5));
        list.del(CpuId::new(7));
        assert_eq!((next(&list), cpus(&list)), (6, vec![1, 4, 6, 2]));
        list.del(CpuId::new(6));
        assert_eq!(next(&list), 2);
    }
}
