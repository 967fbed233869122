//! find_lowest_rq(): the best CPU for a task that should not stay on its own
//! (docs/model/rt-balancing.md#lowest-run-queue).

use super::cpupri::NO_RT_PRIO;
use crate::ids::{CpuId, TaskId};
use crate::machine::topology::CpuMask;
use crate::sim::Sim;

impl Sim {
    /// The weakest CPUs that run something weaker than `task` and may take it, and how many levels
    /// (without cpupri: CPUs) were looked at.
    pub(crate) fn lowest_mask(&self, task: TaskId) -> (CpuMask, u32) {
        let (prio, allowed) = (self.task(task).prio, &self.task(task).cpus);
        let domain = self.rd(self.task(task).cpu);
        if self.kernel().cpupri().has_map() {
            domain.cpupri.find(prio, allowed)
        } else {
            self.scan_lowest(prio, &allowed.and(&domain.span))
        }
    }

    /// Before cpupri: every CPU is looked at without its lock; the first one without RT tasks ends
    /// the search, else all that share the weakest priority qualify (commit 6e1254d2c412).
    fn scan_lowest(&self, prio: u8, allowed: &CpuMask) -> (CpuMask, u32) {
        let (mut mask, mut weakest, mut looked_at) = (CpuMask::EMPTY, prio, 0);
        for cpu in allowed.iter() {
            looked_at += 1;
            let theirs = self.rqs[cpu].rt.highest_curr;
            if theirs >= NO_RT_PRIO {
                return (CpuMask::one(cpu), looked_at);
            }
            if theirs > weakest {
                (mask, weakest) = (CpuMask::EMPTY, theirs);
            }
            if theirs == weakest && theirs > prio {
                mask.set(cpu);
            }
        }
        (mask, looked_at)
    }

    /// Time of a find_lowest_rq() that begins now on `cpu`, ns. Callers let it pass, then search:
    /// the result is true at the instant of the search.
    pub(crate) fn search_lowest_ns(&self, cpu: CpuId, task: TaskId) -> u64 {
        let levels = if self.task(task).migratory { self.lowest_mask(task).1 } else { 0 };
        self.search_ns(cpu, levels)
    }

    /// find_lowest_rq: among the weakest CPUs, the task's own, then the closest.
    pub(crate) fn find_lowest_rq(&mut self, task: TaskId, executing: CpuId) -> Option<CpuId> {
        if !self.task(task).migratory {
            return None;
        }
        let own = self.task(task).cpu;
        let mask = self.lowest_mask(task).0;
        if self.kernel().lowest_pick().takes_first_scanned() {
            return mask.lowest();
        }
        if mask.is_empty() || mask.has(own) {
            return (!mask.is_empty()).then_some(own);
        }
        let topology = self.setup.machine.topology;
        for span in [topology.llc_of(own), topology.cpu_ids()] {
            if span.contains(executing) && mask.has(executing) {
                return Some(executing);
            }
            let inside = mask.within(&span);
            if let Some(found) = self.pick_in(&inside, executing) {
                return Some(found);
            }
        }
        None
    }

    /// One CPU of `mask`: the lowest, or in turn where the kernel distributes.
    pub(crate) fn pick_in(&mut self, mask: &CpuMask, executing: CpuId) -> Option<CpuId> {
        if !self.kernel().lowest_pick().goes_round() {
            return mask.lowest();
        }
        let last = self.cpu(executing).distribute;
        let found = mask.next(last.next()).or_else(|| mask.lowest())?;
        self.cpu(executing).distribute = found;
        Some(found)
    }
}
