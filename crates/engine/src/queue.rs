//! The event queue: one slot per thing that can happen next, in a tournament tree over packed `time << 16 | slot`.
//!
//! A slot holds at most one pending event, so re-arming and cancelling happen in place and no stale event exists
//! (architecture D2). Equal times are ordered by slot number; slots are numbered class-major, then by CPU.

/// Latest representable time: 48 bits of ns, 3.2 days.
pub const TIME_MAX: u64 = (1 << 48) - 1;

const EMPTY: u64 = u64::MAX;

/// A fixed set of slots, each with at most one pending time.
#[derive(Clone, Debug)]
pub struct EventQueue {
    /// `tree[1]` is the earliest; leaves start at `leaves`.
    tree: Vec<u64>,
    leaves: usize,
}

impl EventQueue {
    /// A queue with slots `0..slots`, all empty; at most 65 536.
    pub fn new(slots: usize) -> Self {
        assert!(slots <= 1 << 16, "a slot number has 16 bits");
        let leaves = slots.next_power_of_two().max(2);
        Self { tree: vec![EMPTY; leaves * 2], leaves }
    }

    /// Bytes of its tree.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(self.tree.as_slice()) as u64
    }

    /// Sets the time of `slot`, replacing what it held; beyond [`TIME_MAX`] it never comes.
    pub fn set(&mut self, slot: usize, time: u64) {
        self.put(slot, if time <= TIME_MAX { time << 16 | slot as u64 } else { EMPTY });
    }

    /// Empties `slot`.
    pub fn clear(&mut self, slot: usize) {
        self.put(slot, EMPTY);
    }

    /// The time `slot` is set to.
    pub fn get(&self, slot: usize) -> Option<u64> {
        let key = self.tree[self.leaves + slot];
        (key != EMPTY).then_some(key >> 16)
    }

    /// The earliest event: its time and slot.
    pub fn peek(&self) -> Option<(u64, usize)> {
        let key = self.tree[1];
        (key != EMPTY).then_some((key >> 16, (key & 0xffff) as usize))
    }

    fn put(&mut self, slot: usize, key: u64) {
        let mut node = self.leaves + slot;
        if self.tree[node] == key {
            return;
        }
        self.tree[node] = key;
        while node > 1 {
            let winner = self.tree[node].min(self.tree[node ^ 1]);
            node /= 2;
            if self.tree[node] == winner {
                return;
            }
            self.tree[node] = winner;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_times_come_out_in_slot_order() {
        let mut queue = EventQueue::new(5);
        for slot in [4, 0, 3, 1, 2] {
            queue.set(slot, 100);
        }
        for expected in 0..5 {
            assert_eq!(queue.peek(), Some((100, expected)));
            queue.clear(expected);
        }
        assert_eq!(queue.peek(), None);
    }

    #[test]
    fn rearming_replaces_and_the_queue_agrees_with_a_plain_minimum() {
        let mut queue = EventQueue::new(33);
        let mut plain = [u64::MAX; 33];
        for n in 0..20_000_u64 {
            let bits = crate::rng::draw(1, crate::rng::Purpose::CyclictestBody, 0, n);
            let slot = (bits % 33) as usize;
            if bits >> 60 == 0 {
                queue.clear(slot);
                plain[slot] = u64::MAX;
            } else {
                let time = bits >> 40;
                queue.set(slot, time);
                plain[slot] = time;
            }
            let expected = plain.iter().enumerate().map(|(slot, time)| (*time, slot)).min();
            assert_eq!(queue.peek(), expected.filter(|(time, _)| *time != u64::MAX));
        }
    }
}
