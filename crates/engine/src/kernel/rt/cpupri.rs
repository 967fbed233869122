//! cpupri: which CPUs run the weakest work, by level (docs/model/rt-balancing.md#cpupri).
//!
//! Level 0 (1 in the 102-level map) is a CPU without RT tasks, level r one whose best queued RT
//! task has rt_priority r (r + 2 in v102, up to 101). The 102-level map's lowest level, IDLE, was
//! never set by any caller in the kernel, so the two generations differ in numbering only
//! (docs/develop/decisions/0005-cpupri-idle.md).

use crate::ids::{CpuId, IdVec};
use crate::kernel::class::MAX_RT_PRIO;
use crate::kernel::config::CpupriGen;
use crate::machine::topology::CpuMask;

/// `highest_prio.curr` of a run queue without RT tasks.
pub const NO_RT_PRIO: u8 = MAX_RT_PRIO;

const LEVELS: usize = 102;

/// CPUs by the priority of their running tasks.
#[derive(Clone, Debug)]
pub struct Cpupri {
    offset: u8,
    /// Bit l set = some CPU is at level l.
    filled: u128,
    masks: Vec<CpuMask>,
    level_of: IdVec<CpuId, u8>,
}

impl Cpupri {
    /// The map of the CPUs in `span`, none with RT tasks; the machine has `cpus`.
    pub fn new(cpus: u32, span: &CpuMask, generation: CpupriGen) -> Self {
        let offset = match generation {
            // Without a map this is only each CPU's best priority, which the scan reads.
            CpupriGen::Off | CpupriGen::V101 => 0,
            CpupriGen::V102 => 1,
        };
        let mut masks = vec![CpuMask::EMPTY; LEVELS];
        masks[offset as usize] = *span;
        Self { offset, filled: 1 << offset, masks, level_of: vec![offset; cpus as usize].into() }
    }

    /// Bytes of its lists.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(self.masks.as_slice()) + self.level_of.len()) as u64
    }

    /// The level of kernel priority `prio`.
    #[inline]
    pub fn level(&self, prio: u8) -> u8 {
        if prio >= NO_RT_PRIO - 1 { self.offset } else { 2 * self.offset + 99 - prio }
    }

    pub fn level_of(&self, cpu: CpuId) -> u8 {
        self.level_of[cpu]
    }

    /// Records that `cpu`'s best queued RT priority is `prio`; the old level if it changed.
    ///
    /// The new level is filled before the old one is left, so a scan never misses a CPU.
    #[inline]
    pub fn set(&mut self, cpu: CpuId, prio: u8) -> Option<u8> {
        self.set_level(cpu, self.level(prio))
    }

    /// CPUPRI_HIGHER: no RT task fits there; the old level if it changed.
    pub fn set_higher(&mut self, cpu: CpuId) -> Option<u8> {
        self.set_level(cpu, self.higher())
    }

    /// The level of a CPU with a deadline entity queued, above every RT task's.
    pub fn higher(&self) -> u8 {
        100 + self.offset
    }

    #[inline]
    fn set_level(&mut self, cpu: CpuId, new: u8) -> Option<u8> {
        let old = self.level_of[cpu];
        if new == old {
            return None;
        }
        self.masks[new as usize].set(cpu);
        self.filled |= 1 << new;
        self.masks[old as usize].clear(cpu);
        if self.masks[old as usize].is_empty() {
            self.filled &= !(1 << old);
        }
        self.level_of[cpu] = new;
        Some(old)
    }

    /// The allowed CPUs of the single weakest level below `prio`, and how many levels were looked
    /// at.
    pub fn find(&self, prio: u8, allowed: &CpuMask) -> (CpuMask, u32) {
        let below = self.filled & ((1 << self.level(prio)) - 1);
        let mut looked_at = 0;
        let mut rest = below;
        while rest != 0 {
            let level = rest.trailing_zeros();
            looked_at += 1;
            let found = self.masks[level as usize].and(allowed);
            if !found.is_empty() {
                return (found, looked_at);
            }
            rest &= rest - 1;
        }
        (CpuMask::EMPTY, looked_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_single_weakest_level_qualifies() {
        for generation in [CpupriGen::V101, CpupriGen::V102] {
            let mut cpupri = Cpupri::new(4, &CpuMask::first(4), generation);
            for (cpu, prio) in [(0, 49), (1, 4), (2, 60), (3, 60)] {
                cpupri.set(CpuId::new(cpu), prio);
            }
            let all = CpuMask::first(4);
            let found = |allowed| cpupri.find(4, allowed).0.iter().collect::<Vec<_>>();
            assert_eq!(found(&all), [2, 3].map(CpuId::new));
            assert_eq!(found(&CpuMask::first(2)), [CpuId::new(0)]);
            assert!(cpupri.find(60, &all).0.is_empty(), "equal strength does not qualify");
        }
    }
}
