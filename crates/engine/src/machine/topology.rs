//! CPUs, packages and distances, and sets of CPUs.

use crate::ids::{CpuId, Id, IdRange};

/// Most CPUs a machine may have.
pub const CPUS_MAX: u32 = 1024;

/// Distance between two CPUs, which decides the cost of moving a cache line or an IPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
    /// Both are one CPU.
    Same,
    /// Two CPUs of one package, which share its last-level cache.
    Llc,
    /// Different packages.
    Cross,
}

/// User code alone on its core, percent.
pub const FULL_SPEED: u32 = 100;

/// `packages x CPUs`: CPUs are numbered package by package; a package shares a last-level cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Topology {
    cpus: u32,
    package_size: u32,
    threads: u32,
    smt_speed: u32,
}

impl Topology {
    /// `cpus` CPUs in packages of `package_size`, the last one perhaps smaller.
    pub fn new(cpus: u32, package_size: u32) -> Self {
        assert!(cpus > 0 && package_size > 0, "a machine has CPUs");
        Self { cpus, package_size: package_size.min(cpus), threads: 1, smt_speed: FULL_SPEED }
    }
    /// Cuts packages into cores of `threads` hardware threads each, numbered core by core, the last
    /// core of a package perhaps smaller. User code runs at `smt_speed` percent of its pace while
    /// another thread of its core is busy (docs/model/programs.md#hardware-threads). A core of more
    /// threads than a package has CPUs is the package.
    pub fn with_threads(self, threads: u32, smt_speed: u32) -> Self {
        assert!(
            threads > 0 && (1..=FULL_SPEED).contains(&smt_speed),
            "a core has threads, and they run"
        );
        Self { threads: threads.min(self.package_size), smt_speed, ..self }
    }
    /// Refuses shapes that no constructor here makes, and sizes of 0, which would be divided by.
    pub(crate) fn check(&self) -> Result<(), String> {
        let all = 1..=self.cpus;
        let sound = all.contains(&self.package_size)
            && all.contains(&self.threads)
            && (1..=FULL_SPEED).contains(&self.smt_speed);
        if sound {
            Ok(())
        } else {
            Err("a package and a core have 1 to all of the CPUs, a thread runs at 1 to 100 %"
                .to_owned())
        }
    }
    /// Hardware threads per core.
    pub fn threads(&self) -> u32 {
        self.threads
    }
    /// Pace of user code beside a busy hardware thread of its core, percent.
    pub fn smt_speed(&self) -> u32 {
        self.smt_speed
    }
    /// Whether cores have several hardware threads (sched_smt_present).
    #[inline]
    pub fn has_smt(&self) -> bool {
        self.threads > 1
    }
    /// Whether `a` and `b` are threads of one core, or one CPU.
    #[inline]
    pub fn share_core(&self, a: CpuId, b: CpuId) -> bool {
        self.core_of(a).contains(b)
    }
    /// The hardware threads of the core of `cpu`, itself included.
    pub fn core_of(&self, cpu: CpuId) -> IdRange<CpuId> {
        let package = self.llc_of(cpu);
        let first = cpu.raw() - (cpu.raw() - package.first().raw()) % self.threads;
        span(first, (first + self.threads).min(package.end().raw()))
    }
    pub fn cpus(&self) -> u32 {
        self.cpus
    }
    pub fn cpu_ids(&self) -> IdRange<CpuId> {
        span(0, self.cpus)
    }
    /// CPUs per package.
    pub fn package_size(&self) -> u32 {
        self.package_size
    }
    pub fn packages(&self) -> u32 {
        self.cpus.div_ceil(self.package_size)
    }
    #[inline]
    fn package_of(&self, cpu: CpuId) -> u32 {
        cpu.raw() / self.package_size
    }
    /// The CPUs that share a last-level cache with `cpu`, itself included.
    pub fn llc_of(&self, cpu: CpuId) -> IdRange<CpuId> {
        let first = self.package_of(cpu) * self.package_size;
        span(first, (first + self.package_size).min(self.cpus))
    }
    #[inline]
    pub fn distance(&self, a: CpuId, b: CpuId) -> Distance {
        if a == b {
            Distance::Same
        } else if self.package_of(a) == self.package_of(b) {
            Distance::Llc
        } else {
            Distance::Cross
        }
    }
}

fn span(first: u32, end: u32) -> IdRange<CpuId> {
    IdRange::new(first as usize..end as usize)
}

const WORDS: usize = CPUS_MAX as usize / 64;

/// A set of CPUs: the kernel's cpumask.
#[derive(Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CpuMask {
    words: [u64; WORDS],
}

impl CpuMask {
    pub const EMPTY: Self = Self { words: [0; WORDS] };

    /// CPUs `0..cpus`.
    pub fn first(cpus: u32) -> Self {
        span(0, cpus).collect()
    }
    pub fn one(cpu: CpuId) -> Self {
        std::iter::once(cpu).collect()
    }
    /// The CPUs of a list such as `0-3,8`; `None` for any other text.
    pub fn from_list(text: &str) -> Option<Self> {
        let mut mask = Self::EMPTY;
        for range in text.split(',') {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            if first > last || last as usize >= WORDS * 64 {
                return None;
            }
            span(first, last + 1).for_each(|cpu| mask.set(cpu));
        }
        Some(mask)
    }
    #[inline]
    pub fn set(&mut self, cpu: CpuId) {
        self.words[cpu.place() / 64] |= 1 << (cpu.place() % 64);
    }
    #[inline]
    pub fn clear(&mut self, cpu: CpuId) {
        self.words[cpu.place() / 64] &= !(1 << (cpu.place() % 64));
    }
    /// Whether `cpu` is in the set.
    #[inline]
    pub fn has(&self, cpu: CpuId) -> bool {
        self.words[cpu.place() / 64] >> (cpu.place() % 64) & 1 == 1
    }
    /// The set, 64 CPUs a word, the lowest first.
    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }
    /// Number of CPUs in the set.
    pub fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }
    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }
    /// The CPUs in both sets.
    #[inline]
    pub fn and(&self, other: &Self) -> Self {
        let mut words = self.words;
        words.iter_mut().zip(other.words).for_each(|(word, theirs)| *word &= theirs);
        Self { words }
    }
    /// The CPUs of `span` that are in the set.
    #[inline]
    pub fn within(&self, span: &IdRange<CpuId>) -> Self {
        let (first, end) = (span.first().place(), span.end().place());
        let mut both = Self::EMPTY;
        for index in first / 64..end.div_ceil(64) {
            let from = !0 << first.saturating_sub(index * 64);
            let above = (index * 64 + 64).saturating_sub(end);
            both.words[index] = self.words[index] & from & (!0 >> above);
        }
        both
    }
    /// The lowest CPU that is `>= from`.
    #[inline]
    pub fn next(&self, from: CpuId) -> Option<CpuId> {
        let mut index = from.place() / 64;
        let mut word = *self.words.get(index)? & (!0 << (from.place() % 64));
        while word == 0 {
            index += 1;
            word = *self.words.get(index)?;
        }
        Some(CpuId::new(index as u32 * 64 + word.trailing_zeros()))
    }
    pub fn lowest(&self) -> Option<CpuId> {
        self.next(CpuId::FIRST)
    }
    pub fn last(&self) -> Option<CpuId> {
        let index = self.words.iter().rposition(|word| *word != 0)?;
        Some(CpuId::new(index as u32 * 64 + 63 - self.words[index].leading_zeros()))
    }
    /// Every CPU, ascending.
    pub fn iter(&self) -> impl Iterator<Item = CpuId> + '_ {
        std::iter::successors(self.lowest(), |cpu| self.next(cpu.next()))
    }
}

impl FromIterator<CpuId> for CpuMask {
    fn from_iter<I: IntoIterator<Item = CpuId>>(cpus: I) -> Self {
        let mut mask = Self::EMPTY;
        cpus.into_iter().for_each(|cpu| mask.set(cpu));
        mask
    }
}

impl std::fmt::Debug for CpuMask {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_fill_in_order_and_the_last_may_be_smaller() {
        let topology = Topology::new(25, 10);
        assert_eq!(topology.packages(), 3);
        assert_eq!(topology.llc_of(CpuId::new(24)), span(20, 25));
        assert_eq!(topology.distance(CpuId::new(3), CpuId::new(9)), Distance::Llc);
        assert_eq!(topology.distance(CpuId::new(9), CpuId::new(10)), Distance::Cross);
    }

    #[test]
    fn cores_end_with_their_package() {
        let topology = Topology::new(10, 5).with_threads(2, 74);
        let cores: Vec<_> = topology.cpu_ids().map(|cpu| topology.core_of(cpu)).collect();
        let expected = [0..2, 0..2, 2..4, 2..4, 4..5, 5..7, 5..7, 7..9, 7..9, 9..10];
        assert_eq!(cores, expected.map(IdRange::new));
    }

    #[test]
    fn a_core_of_more_threads_than_the_package_has_cpus_is_the_package() {
        let topology = Topology::new(3, 8).with_threads(4, 74);
        assert_eq!(topology.check(), Ok(()));
        for cpu in topology.cpu_ids() {
            assert_eq!(topology.core_of(cpu), topology.cpu_ids());
        }
    }

    #[test]
    fn a_mask_walks_across_words() {
        let cpus = [0, 63, 64, 1023].map(CpuId::new);
        let mask: CpuMask = cpus.into_iter().collect();
        assert_eq!(mask.iter().collect::<Vec<_>>(), cpus);
        assert_eq!((mask.lowest(), mask.last()), (Some(cpus[0]), Some(cpus[3])));
        assert_eq!(mask.count(), 4);
        assert_eq!(mask.next(CpuId::new(1024)), None);
        for (first, end) in [(0, 1024), (0, 64), (63, 65), (64, 1023), (64, 64), (1, 63)] {
            let range = span(first, end);
            assert_eq!(mask.within(&range), mask.and(&range.clone().collect()));
        }
    }
}
