//! A list that only grows and is cheap to clone: what a snapshot keeps of everything reported so
//! far.

use std::sync::Arc;

/// Entries per shared chunk.
const CHUNK: usize = 64;

/// An append-only list. Clones share all chunks but the last, so a snapshot of a long run stays
/// small and stays right whichever way a run is sought.
#[derive(Clone, Debug)]
pub struct History<T> {
    full: Vec<Arc<[T]>>,
    tail: Vec<T>,
}

impl<T: Copy> History<T> {
    /// Appends an entry.
    pub fn push(&mut self, entry: T) {
        self.tail.push(entry);
        if self.tail.len() == CHUNK {
            self.full.push(self.tail.drain(..).collect());
        }
    }
    /// Every entry in order.
    pub fn to_vec(&self) -> Vec<T> {
        let mut all = Vec::with_capacity(self.len());
        self.full.iter().for_each(|chunk| all.extend_from_slice(chunk));
        all.extend_from_slice(&self.tail);
        all
    }
    /// Bytes that a clone takes: places of the shared chunks, and the last entries.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(self.full.as_slice()) + size_of_val(self.tail.as_slice())) as u64
    }
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.full.len() * CHUNK + self.tail.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self { full: Vec::new(), tail: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_keeps_what_was_there_and_nothing_later() {
        let mut list = History::default();
        for entry in 0..1000 {
            list.push(entry);
        }
        let before = list.clone();
        list.push(1000);
        assert_eq!(before.to_vec(), (0..1000).collect::<Vec<_>>());
        assert_eq!((before.len(), list.len(), list.to_vec().last()), (1000, 1001, Some(&1000)));
    }
}
