//! CPUs by the priority of their running tasks. Every switch asks whether a CPU runs a weaker task
//! than one that waits, and thousands of tasks may wait on a thousand CPUs.

use crate::ids::{CpuId, Id, IdVec};
use crate::kernel::class::MAX_PRIO;
use crate::machine::topology::CpuMask;

/// The priority of an idle CPU: weaker than every task.
const IDLE: u8 = MAX_PRIO;
const LEVELS: usize = IDLE as usize + 1;

/// CPUs by the priority of their running tasks.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    prio_of: IdVec<CpuId, u8>,
    /// Sets of CPUs, one behind the other by priority.
    masks: Vec<u64>,
    counts: [u16; LEVELS],
    /// One bit for each set that is not empty.
    filled: [u64; LEVELS.div_ceil(64)],
    /// CPUs that changed tasks and were not counted again by [`Self::set`].
    unread: CpuMask,
}

impl Running {
    /// `cpus` CPUs, all idle.
    pub(crate) fn new(cpus: usize) -> Self {
        let words = cpus.div_ceil(64);
        let mut running = Self {
            prio_of: vec![IDLE; cpus].into(),
            masks: vec![0; LEVELS * words],
            counts: [0; LEVELS],
            filled: [0; LEVELS.div_ceil(64)],
            unread: CpuMask::EMPTY,
        };
        running.prio_of.ids().for_each(|cpu| running.count(cpu, IDLE, 1));
        running
    }

    /// Bytes of its lists.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(self.masks.as_slice()) + self.prio_of.len()) as u64
    }

    /// The priority that `cpu` runs at, as of the last [`Self::set`].
    pub(crate) fn prio_of(&self, cpu: CpuId) -> Option<u8> {
        Some(self.prio_of[cpu]).filter(|prio| *prio != IDLE)
    }

    /// Notes that `cpu` has changed tasks; [`Self::set`] counts the change later.
    #[inline]
    pub(crate) fn put_off(&mut self, cpu: CpuId) {
        self.unread.set(cpu);
    }

    /// Takes the CPUs whose change [`Self::set`] has not counted yet.
    pub(crate) fn take_unread(&mut self) -> CpuMask {
        std::mem::replace(&mut self.unread, CpuMask::EMPTY)
    }

    /// Whether `cpu` changed tasks since the last [`Self::set`] for it.
    pub(crate) fn is_unread(&self, cpu: CpuId) -> bool {
        self.unread.has(cpu)
    }

    /// Counts `cpu` as running at priority `prio` from now on, or as idle. Returns the range of
    /// priorities for which the answer changed: `cpu` became weaker than these tasks, or no longer
    /// is.
    #[inline(never)]
    pub(crate) fn set(&mut self, cpu: CpuId, prio: Option<u8>) -> std::ops::Range<u8> {
        let new = prio.unwrap_or(IDLE);
        let old = std::mem::replace(&mut self.prio_of[cpu], new);
        self.count(cpu, old, -1);
        self.count(cpu, new, 1);
        old.min(new)..old.max(new)
    }

    /// Adds `by` to the CPUs of this priority: `cpu` gets or loses it.
    fn count(&mut self, cpu: CpuId, prio: u8, by: i16) {
        let (level, words) = (usize::from(prio), self.masks.len() / LEVELS);
        self.masks[level * words + cpu.place() / 64] ^= 1 << (cpu.place() % 64);
        let count = self.counts[level].wrapping_add_signed(by);
        self.counts[level] = count;
        let filled = &mut self.filled[level / 64];
        *filled = *filled & !(1 << (level % 64)) | u64::from(count > 0) << (level % 64);
    }

    /// Whether a CPU of `allowed` other than `own` runs something weaker than `prio`.
    pub(crate) fn any_weaker(&self, prio: u8, own: CpuId, allowed: &CpuMask) -> bool {
        let words = self.masks.len() / LEVELS;
        let (own_word, own_bit) = (own.place() / 64, 1_u64 << (own.place() % 64));
        let mut level = usize::from(prio) + 1;
        while level < LEVELS {
            let levels = self.filled[level / 64] >> (level % 64);
            if levels == 0 {
                level = (level / 64 + 1) * 64;
                continue;
            }
            level += levels.trailing_zeros() as usize;
            let masks = self.masks[level * words..].iter().zip(allowed.words()).take(words);
            for (index, (mask, allowed)) in masks.enumerate() {
                let besides = if index == own_word { own_bit } else { 0 };
                if mask & allowed & !besides != 0 {
                    return true;
                }
            }
            level += 1;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, draw};

    #[test]
    fn the_answer_is_that_of_a_walk_over_all_cpus() {
        for cpus in [1_u32, 2, 64, 65, 200] {
            let mut running = Running::new(cpus as usize);
            let mut plain = vec![None; cpus as usize];
            for n in 0..3_000 {
                let bits = draw(1, Purpose::CyclictestBody, 0, n);
                let cpu = (bits >> 8) as u32 % cpus;
                let prio = (bits & 3 > 0).then_some((bits >> 32) as u8 % IDLE);
                let seen = running.set(CpuId::new(cpu), prio);
                let before = std::mem::replace(&mut plain[cpu as usize], prio);
                let asks = (bits >> 40) as u8 % IDLE;
                let weaker = |prio: Option<u8>| prio.is_none_or(|prio| prio > asks);
                assert_eq!(seen.contains(&asks), weaker(before) != weaker(prio));
                let allowed: CpuMask = (0..cpus)
                    .filter(|other| bits >> (other % 60) & 1 == 1)
                    .map(CpuId::new)
                    .collect();
                let own = CpuId::new((bits >> 20) as u32 % cpus);
                let walk = allowed.iter().any(|other| other != own && weaker(plain[other.place()]));
                assert_eq!(running.any_weaker(asks, own, &allowed), walk);
                assert_eq!(running.prio_of(CpuId::new(cpu)), prio);
            }
        }
    }
}
