//! The event queue: one slot for each possible next event, in a tournament tree over packed `time
//! << 16 | slot`.
//!
//! ```text
//!   earliest ◄── tournament of four ◄── ... ◄── owner 0: [timer, ..., work]  owner 1: [...]  ...
//! ```
//! A slot holds at most one pending event, so re-arming and cancelling happen in place and no stale
//! event exists (docs/develop/decisions/0002). A slot's number is its class, then its owner; events
//! at one time are ordered by the number. The slots lie in memory by owner, then class: all slots
//! of one CPU are in one cache line.

/// Latest representable time: 48 bits of ns, 3.2 days.
const TIME_MAX: u64 = (1 << 48) - 1;

const EMPTY: u64 = u64::MAX;
/// Bits of a slot's number that say whose it is.
const OWNER_BITS: usize = 10;
const CLASSES: usize = 8;

/// Keys of one owner: one cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Block([u64; CLASSES]);

impl Block {
    #[inline]
    fn least(&self) -> u64 {
        let [a, b, c, d, e, f, g, h] = self.0;
        a.min(b).min(c.min(d)).min(e.min(f).min(g.min(h)))
    }
}

/// The number of the slot of `class`, 0 to 7, that belongs to `owner`.
pub const fn slot_number(class: usize, owner: usize) -> usize {
    class << OWNER_BITS | owner
}

pub const fn class_and_owner(slot: usize) -> (usize, usize) {
    (slot >> OWNER_BITS, slot & ((1 << OWNER_BITS) - 1))
}

/// A fixed set of slots, each with at most one pending time.
#[derive(Clone, Debug)]
pub struct EventQueue {
    blocks: Vec<Block>,
    /// Nodes 4n to 4n + 3, which lie below node n and of which the least comes up to it. Owner i is
    /// node `leaves` + i, and the earliest key comes up to node 1.
    tree: Vec<[u64; 4]>,
    leaves: usize,
    earliest: u64,
    /// The slot that was popped and not set since: its key is still in the tree.
    popped: Option<usize>,
}

impl EventQueue {
    /// A queue with eight slots for each of `owners`, at most 1 024, all empty.
    pub fn new(owners: usize) -> Self {
        assert!(owners <= 1 << OWNER_BITS, "an owner's number has 10 bits");
        let mut leaves = 1;
        while leaves < owners {
            leaves *= 4;
        }
        Self {
            blocks: vec![Block([EMPTY; CLASSES]); owners],
            tree: vec![[EMPTY; 4]; (leaves + owners).div_ceil(4)],
            leaves,
            earliest: EMPTY,
            popped: None,
        }
    }

    /// Bytes of its tree.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(self.blocks.as_slice()) + size_of_val(self.tree.as_slice())) as u64
    }

    /// Sets the time of `slot` in place of the old one; an event beyond [`TIME_MAX`] never comes.
    #[inline]
    pub fn set(&mut self, slot: usize, time: u64) {
        self.put(slot, if time <= TIME_MAX { time << 16 | slot as u64 } else { EMPTY });
    }

    #[inline]
    pub fn clear(&mut self, slot: usize) {
        self.put(slot, EMPTY);
    }

    /// The time `slot` is set to.
    pub fn get(&self, slot: usize) -> Option<u64> {
        let (class, owner) = class_and_owner(slot);
        let key = self.blocks[owner].0[class];
        (key != EMPTY && self.popped != Some(slot)).then_some(key >> 16)
    }

    /// The earliest event: its time and slot. A popped event must have been settled.
    #[inline]
    pub fn peek(&self) -> Option<(u64, usize)> {
        debug_assert_eq!(self.popped, None, "settled");
        let key = self.earliest;
        (key != EMPTY).then_some((key >> 16, (key & 0xffff) as usize))
    }

    /// Empties the earliest slot if its time is at most `until`, and returns time and number. The
    /// tree is updated later: when the slot is set again, which most are at once, or by
    /// [`Self::settle`] after the event.
    #[inline]
    pub fn pop(&mut self, until: u64) -> Option<(u64, usize)> {
        let (time, slot) = self.peek().filter(|(time, _)| *time <= until)?;
        self.popped = Some(slot);
        Some((time, slot))
    }

    /// Takes the popped event out of the tree, if its slot was not set since.
    #[inline]
    pub fn settle(&mut self) {
        if let Some(slot) = self.popped {
            self.put(slot, EMPTY);
        }
    }

    #[inline]
    fn put(&mut self, slot: usize, key: u64) {
        if self.popped == Some(slot) {
            self.popped = None;
        }
        let (class, owner) = class_and_owner(slot);
        let block = &mut self.blocks[owner];
        if std::mem::replace(&mut block.0[class], key) == key {
            return;
        }
        let mut winner = block.least();
        let mut node = self.leaves + owner;
        while node > 1 {
            let (four, place) = (&mut self.tree[node / 4], node % 4);
            if std::mem::replace(&mut four[place], winner) == winner {
                return;
            }
            // The others are compared while the winner is still on its way here.
            let [one, two, three] = [1, 2, 3].map(|other| four[place ^ other]);
            winner = winner.min(one.min(two.min(three)));
            node /= 4;
        }
        self.earliest = winner;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_times_come_out_by_class_then_by_owner() {
        let mut queue = EventQueue::new(70);
        let slots = [(7, 3), (0, 69), (0, 2), (6, 0), (7, 2)]
            .map(|(class, owner)| slot_number(class, owner));
        slots.iter().for_each(|slot| queue.set(*slot, 100));
        let mut sorted = slots;
        sorted.sort_unstable();
        for expected in sorted {
            assert_eq!(queue.pop(99), None);
            assert_eq!(queue.pop(100), Some((100, expected)));
            queue.settle();
        }
        assert_eq!(queue.peek(), None);
    }

    #[test]
    fn a_popped_slot_is_empty_until_it_is_set() {
        let mut queue = EventQueue::new(2);
        let (first, second) = (slot_number(7, 0), slot_number(7, 1));
        queue.set(first, 10);
        queue.set(second, 10);
        assert_eq!(queue.pop(10), Some((10, first)));
        assert_eq!((queue.get(first), queue.get(second)), (None, Some(10)));
        queue.set(first, 10);
        queue.settle();
        assert_eq!((queue.get(first), queue.pop(10)), (Some(10), Some((10, first))));
        queue.settle();
        assert_eq!((queue.get(first), queue.peek()), (None, Some((10, second))));
    }

    #[test]
    fn rearming_replaces_and_the_queue_agrees_with_a_plain_minimum() {
        for owners in [1, 2, 8, 9, 65, 1024] {
            let mut queue = EventQueue::new(owners);
            let mut plain = vec![u64::MAX; slot_number(CLASSES - 1, owners)];
            for n in 0..5_000_u64 {
                let bits = crate::rng::draw(1, crate::rng::Purpose::CyclictestBody, 0, n);
                let slot = slot_number((bits % 7) as usize, (bits >> 8) as usize % owners);
                if bits >> 60 == 0 {
                    queue.clear(slot);
                    plain[slot] = u64::MAX;
                } else {
                    let time = bits >> 40;
                    queue.set(slot, time);
                    plain[slot] = time;
                }
                if bits >> 61 == 1 {
                    let popped = queue.pop(u64::MAX);
                    popped.iter().for_each(|(_, slot)| plain[*slot] = u64::MAX);
                    queue.settle();
                }
                let expected = plain.iter().enumerate().map(|(slot, time)| (*time, slot)).min();
                assert_eq!(queue.peek(), expected.filter(|(time, _)| *time != u64::MAX));
            }
        }
    }
}
