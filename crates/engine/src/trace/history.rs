//! A list that only grows and is cheap to clone: a snapshot shares everything reported so far.
//!
//! ```text
//!   64 entries ◄── 64 entries ◄── 64 entries ◄── tail      a clone shares the last full chunk, and with it all before it
//! ```

use std::iter::successors;
use std::sync::Arc;

/// Entries per shared chunk.
const CHUNK: usize = 64;

/// An append-only list. A clone copies fewer than [`CHUNK`] entries however long the list is, and
/// stays right whichever way a run is sought.
#[derive(Clone, Debug)]
pub struct History<T> {
    last: Option<Arc<Chunk<T>>>,
    tail: Vec<T>,
}

/// [`CHUNK`] entries behind those of another.
#[derive(Debug)]
struct Chunk<T> {
    before: Option<Arc<Self>>,
    entries: Box<[T]>,
}

impl<T> Drop for Chunk<T> {
    /// One after the other: a chunk that dropped the one before it would go as deep as there are
    /// chunks.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut chunk) = before.and_then(Arc::into_inner) {
            before = chunk.before.take();
        }
    }
}

impl<T: Copy> History<T> {
    pub fn push(&mut self, entry: T) {
        self.tail.push(entry);
        if self.tail.len() == CHUNK {
            let entries = self.tail.drain(..).collect();
            self.last = Some(Arc::new(Chunk { before: self.last.take(), entries }));
        }
    }
    /// Every entry in order.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        let last = self.last.as_deref();
        let mut chunks: Vec<_> = successors(last, |chunk| chunk.before.as_deref()).collect();
        chunks.reverse();
        chunks.into_iter().flat_map(|chunk| &chunk.entries).chain(&self.tail).copied()
    }
    /// Bytes that a clone takes: the last entries.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(self.tail.as_slice()) as u64
    }
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self { last: None, tail: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_keeps_what_was_there_and_nothing_later() {
        let mut list = History::default();
        (0..1000).for_each(|entry| list.push(entry));
        let before = list.clone();
        (1000..1100).for_each(|entry| list.push(entry));
        assert_eq!(before.iter().collect::<Vec<_>>(), (0..1000).collect::<Vec<_>>());
        assert_eq!(list.iter().collect::<Vec<_>>(), (0..1100).collect::<Vec<_>>());
        drop(list);
        assert_eq!(before.iter().count(), 1000);
    }

    #[test]
    fn a_clone_of_a_long_list_is_small_and_the_list_ends_without_a_deep_stack() {
        let mut list = History::default();
        (0..1_000_000_u64).for_each(|entry| list.push(entry));
        assert!(list.bytes() < (CHUNK * 8) as u64);
        let small = std::thread::Builder::new().stack_size(64 << 10).spawn(move || drop(list));
        assert!(small.is_ok_and(|thread| thread.join().is_ok()));
    }
}
