//! The stretches of one wait, in order while they are few: a wait of seconds has a stretch for each
//! change of its CPU's activity.
//!
//! ```text
//!   first 16 in order ─ mark ─ one sum per cause, by first appearance ─ mark ─ last 16 in order
//! ```
//! So a wait of any length takes at most [`STRETCHES_MAX`] entries, and still sums to its length,
//! by cause and in total. A mark is an entry of 0 ns, which no stretch has. Only the stretches
//! between the two marks lose their order.

use std::ops::Range;

use super::latency::Cause;
use super::timeline::{Sums, Timeline};

/// Most entries of a wait, marks included.
pub const STRETCHES_MAX: usize = 64;
/// Entries kept in order at either end.
const END: usize = 16;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretches(Vec<(Cause, u64)>);

impl Stretches {
    /// `ns` more for `cause`; neighbours of one cause are one stretch.
    #[inline]
    pub fn add(&mut self, cause: Cause, ns: u64) {
        if ns == 0 {
            return;
        }
        match self.0.last_mut() {
            Some((last, total)) if *last == cause => *total += ns,
            _ => self.0.push((cause, ns)),
        }
        if self.0.len() > STRETCHES_MAX {
            self.fold();
        }
    }

    /// Replaces the stretches between both ends by a sum per cause, in the memory that they used: a
    /// sum is written only where a stretch was read before.
    fn fold(&mut self) {
        let last_at = self.0.len() - END;
        let mut last = [(0, 0); END];
        last.copy_from_slice(&self.0[last_at..]);
        let mut sums = END;
        for at in END..last_at {
            let (cause, ns) = self.0[at];
            match self.0[END..sums].iter_mut().find(|(known, _)| *known == cause) {
                _ if ns == 0 => {}
                Some((_, sum)) => *sum += ns,
                None => {
                    self.0[sums] = (cause, ns);
                    sums += 1;
                }
            }
        }
        self.0.truncate(sums);
        if let Some((cause, _)) = self.0.get(END).copied() {
            self.0.insert(END, (cause, 0));
            self.0.push((cause, 0));
        }
        self.0.extend(last);
    }

    /// Adds the stretches that have ended in a timeline, each as [`Self::add`] does.
    pub(super) fn add_ended(&mut self, timeline: &Timeline, mut ended: Range<usize>) {
        while let Some(at) = ended.next() {
            let before = self.0.len();
            let (cause, ns) = timeline.ended(at);
            self.add(cause, ns);
            if self.0.len() < before {
                ended.start += self.fold_ahead(timeline, &ended);
            }
        }
    }

    /// Skips entries after a fold and returns their number. As long as no cause comes that has no
    /// sum yet, the next entries lead to another fold, which changes only the sums and the last
    /// entries. So the entries before the last such fold are left out, and the timeline gives their
    /// sums.
    fn fold_ahead(&mut self, timeline: &Timeline, ended: &Range<usize>) -> usize {
        let last_at = self.0.len() - END;
        let each = STRETCHES_MAX + 1 - self.0.len();
        let mut known = [false; size_of::<Sums>() / size_of::<u64>()];
        self.0[END..last_at].iter().for_each(|(cause, _)| known[usize::from(*cause)] = true);
        let new = |sums: &Sums| sums.iter().zip(known).any(|(ns, known)| *ns > 0 && !known);
        if self.0[last_at..].iter().any(|(cause, _)| !known[usize::from(*cause)]) {
            return 0;
        }
        // The entries that are last now are summed first; as many are left at the end.
        let sums_of = |folds: usize| timeline.sums(ended.start..ended.start + folds * each - END);
        let (mut folds, mut most) = (1, ended.len() / each);
        while folds < most {
            let half = folds + (most - folds).div_ceil(2);
            if new(&sums_of(half)) {
                most = half - 1;
            } else {
                folds = half;
            }
        }
        if folds < 2 {
            return 0;
        }
        let mut sums = sums_of(folds);
        self.0[last_at..].iter().for_each(|(cause, ns)| sums[usize::from(*cause)] += ns);
        for (cause, ns) in self.0[END..last_at].iter_mut().filter(|(_, ns)| *ns > 0) {
            *ns += sums[usize::from(*cause)];
        }
        let end = ended.start + folds * each;
        for (entry, at) in self.0[last_at..].iter_mut().zip(end - END..end) {
            *entry = timeline.ended(at);
        }
        folds * each
    }

    /// None, in the same memory.
    pub(super) fn emptied(mut self) -> Self {
        self.0.clear();
        self
    }

    /// Cause and ns of each entry, in order.
    pub fn entries(&self) -> &[(Cause, u64)] {
        &self.0
    }

    /// ns in all.
    pub fn sum(&self) -> u64 {
        self.0.iter().map(|(_, ns)| ns).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_stretches_stay_in_order_and_neighbours_of_one_cause_are_one() {
        let mut stretches = Stretches::default();
        [(3, 5), (3, 2), (1, 0), (4, 1), (3, 9)]
            .iter()
            .for_each(|(cause, ns)| stretches.add(*cause, *ns));
        assert_eq!(stretches.entries(), [(3, 7), (4, 1), (3, 9)]);
    }

    #[test]
    fn a_long_wait_keeps_its_ends_in_order_and_its_sums_whole() {
        let (mut stretches, mut by_cause, mut all) = (Stretches::default(), [0; 5], Vec::new());
        for nth in 0..100_000_u64 {
            let (cause, ns) = ((nth % 5) as Cause, 1 + nth % 7);
            stretches.add(cause, ns);
            by_cause[cause as usize] += ns;
            all.push((cause, ns));
            assert!(
                stretches.entries().len() <= STRETCHES_MAX
                    && stretches.sum() == all.iter().map(|(_, ns)| ns).sum::<u64>()
                    || nth > 500
            );
        }
        let entries = stretches.entries();
        assert_eq!(entries[..END], all[..END]);
        assert_eq!(entries[entries.len() - END..], all[all.len() - END..]);
        for (cause, sum) in (0..).zip(by_cause) {
            assert_eq!(
                entries.iter().filter(|(of, _)| *of == cause).map(|(_, ns)| ns).sum::<u64>(),
                sum,
                "cause {cause}"
            );
        }
        assert_eq!(entries.iter().filter(|(_, ns)| *ns == 0).count(), 2, "two marks");
        assert!(entries.len() <= STRETCHES_MAX);
    }
}
