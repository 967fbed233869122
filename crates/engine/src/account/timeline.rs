//! The causes that many waits of a kind share, recorded once: the cause from each change on.
//!
//! ```text
//!   causes    A────B──A───────C──        a wait that began in the midst of A has had the rest of it
//!   sums      ^ of all before ^          of each cause, now and then
//! ```
//! The sums give the time of each cause between two changes without a walk over the changes between
//! them.

use std::ops::Range;

use super::latency::Cause;
use super::stretches::Stretches;
use crate::trace::catalogue::CAUSES;

/// ns by cause.
pub(super) type Sums = [u64; CAUSES.len()];

/// One entry of sums comes after this many changes.
const APART: usize = 64;

#[derive(Clone, Debug, Default)]
pub(super) struct Timeline {
    /// When a cause began, and which; the last one holds. No two begin at one instant, and
    /// neighbours differ.
    changes: Vec<(u64, Cause)>,
    /// The sums of all causes before every 64th change.
    sums: Vec<Sums>,
}

impl Timeline {
    /// From `now` on `cause` holds; nothing before is known.
    #[inline(never)]
    pub fn begin(&mut self, now: u64, cause: Cause) {
        self.changes.clear();
        self.sums.clear();
        self.push(now, cause);
    }

    /// The cause that holds.
    pub fn cause(&self) -> Option<Cause> {
        self.changes.last().map(|(_, cause)| *cause)
    }

    pub fn changes(&self) -> usize {
        self.changes.len()
    }

    /// Forgets all but the cause that holds.
    pub fn forget(&mut self) {
        if let Some((since, cause)) = self.changes.last().copied() {
            self.begin(since, cause);
        }
    }

    /// From `now` on `cause` holds.
    #[inline(never)]
    pub fn change(&mut self, now: u64, cause: Cause) {
        if self.cause() == Some(cause) {
            return;
        }
        // A cause that held for 0 ns is replaced.
        if self.changes.last().is_some_and(|(since, _)| *since == now) {
            self.changes.pop();
            self.sums.truncate(self.changes.len().div_ceil(APART));
        }
        if self.cause() != Some(cause) {
            self.push(now, cause);
        }
    }

    fn push(&mut self, now: u64, cause: Cause) {
        let at = self.changes.len();
        self.changes.push((now, cause));
        if at.is_multiple_of(APART) {
            let sums = self.sums_before(at);
            self.sums.push(sums);
        }
    }

    /// A cause that has ended, and for how long it held.
    pub fn ended(&self, at: usize) -> (Cause, u64) {
        let (since, cause) = self.changes[at];
        (cause, self.changes[at + 1].0 - since)
    }

    /// The sums of the first `count` causes, which have ended.
    #[inline(never)]
    fn sums_before(&self, count: usize) -> Sums {
        let known = (count / APART).min(self.sums.len().saturating_sub(1));
        let mut sums = self.sums.get(known).copied().unwrap_or_default();
        for at in known * APART..count {
            let (cause, ns) = self.ended(at);
            sums[usize::from(cause)] += ns;
        }
        sums
    }

    /// The sums of these causes, which have ended.
    pub fn sums(&self, range: Range<usize>) -> Sums {
        let (before, mut sums) = (self.sums_before(range.start), self.sums_before(range.end));
        sums.iter_mut().zip(before).for_each(|(ns, before)| *ns -= before);
        sums
    }

    /// Adds to a wait, which is charged up to `from`, all stretches that have ended since; returns
    /// the end of the last one.
    #[inline(never)]
    pub fn tell(&self, stretches: &mut Stretches, from: u64) -> u64 {
        let next = self.changes.partition_point(|(since, _)| *since <= from);
        let Some((end, _)) = self.changes[next..].last().copied() else { return from };
        let (_, cause) = self.changes[next - 1];
        stretches.add(cause, self.changes[next].0 - from);
        stretches.add_ended(self, next..self.changes.len() - 1);
        end
    }

    /// Bytes of its lists.
    pub fn bytes(&self) -> u64 {
        (size_of_val(self.changes.as_slice()) + size_of_val(self.sums.as_slice())) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random.
    fn draw(state: &mut u64, below: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (*state >> 33) % below
    }

    /// Plays random changes; one wait is charged at random instants, another one at each change.
    fn same_however_told(seed: u64) {
        let state = &mut seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let (few, rare) = (2 + draw(state, 5), 50 + draw(state, 400));
        let told_at = 1 + draw(state, 900);
        let mut timeline = Timeline::default();
        let (mut now, mut held) = (0, 0);
        timeline.begin(now, held);
        now += 3;
        let (mut each, mut told, mut from) = (Stretches::default(), Stretches::default(), now);
        for nth in 0..draw(state, 20) {
            each.add((nth % 3) as Cause, 1);
            told.add((nth % 3) as Cause, 1);
        }
        let mut since = now;
        for _ in 0..draw(state, 4_000) {
            now += draw(state, 4);
            let all = if draw(state, rare) == 0 { 16 } else { few };
            let cause = draw(state, all) as Cause;
            timeline.change(now, cause);
            if cause != held {
                each.add(held, now - since);
                (since, held) = (now, cause);
            }
            if draw(state, told_at) == 0 {
                from = timeline.tell(&mut told, from);
                if draw(state, 2) == 0 {
                    timeline.forget();
                }
            }
        }
        from = timeline.tell(&mut told, from);
        each.add(held, now + 1 - since);
        told.add(held, now + 1 - from);
        assert_eq!((told, timeline.cause()), (each, Some(held)), "seed {seed}");
    }

    #[test]
    fn a_wait_that_is_told_late_is_the_one_that_was_told_at_each_change() {
        (0..3_000).for_each(same_however_told);
    }
}
