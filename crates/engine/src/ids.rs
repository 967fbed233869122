//! Numbers that name things, with a type for each kind of thing, and vectors that only such a
//! number indexes: a task's number cannot find a run queue.
//!
//! Trace rows, setups and reports keep plain u32; [`Id::raw`] and `new` convert.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};

/// A number that names one of a kind.
pub trait Id: Copy {
    /// The id at a place of its vector.
    fn at(place: usize) -> Self;
    /// The index in the vector of this id's kind.
    fn place(self) -> usize;
}

#[macro_export]
macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            /// The id that a setup, a row or a loop over numbers means.
            #[inline]
            pub const fn new(raw: u32) -> Self {
                Self(raw)
            }
            /// The plain number, for rows, reports and keys of random draws.
            #[inline]
            pub const fn raw(self) -> u32 {
                self.0
            }
        }

        impl $crate::ids::Id for $name {
            #[inline]
            fn at(place: usize) -> Self {
                Self(place as u32)
            }
            #[inline]
            fn place(self) -> usize {
                self.0 as usize
            }
        }

        impl From<$name> for u64 {
            #[inline]
            fn from(id: $name) -> Self {
                Self::from(id.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id! {
    /// A CPU, by its number; its run queue too.
    #[derive(Default)]
    CpuId
}

impl CpuId {
    /// The CPU that boots.
    pub const FIRST: Self = Self::new(0);

    /// The one numbered next, whether or not the machine has it.
    #[inline]
    pub const fn next(self) -> Self {
        Self::new(self.raw() + 1)
    }
}

/// The first CPUs, for tests.
#[cfg(test)]
pub(crate) const CPU0: CpuId = CpuId::new(0);
#[cfg(test)]
pub(crate) const CPU1: CpuId = CpuId::new(1);

id! {
    /// A task, by its place in the setup.
    TaskId
}

id! {
    /// A control group, by its place in the setup.
    GroupId
}

impl GroupId {
    /// The group above all others.
    pub const ROOT: Self = Self::new(0);
}

id! {
    /// An object that tasks share, by its place in the setup: a lock, a queue, a stamp.
    ObjectId
}

id! {
    /// A timer that tasks of ops wait for, by its place in the setup.
    TimerId
}

id! {
    /// A root domain, by its place in the setup's partitions.
    RdId
}

/// Ids that follow one another, in order.
#[derive(Clone, PartialEq, Eq)]
pub struct IdRange<I> {
    places: Range<usize>,
    kind: PhantomData<fn() -> I>,
}

impl<I: Id> IdRange<I> {
    /// The ids at these places.
    #[inline]
    pub const fn new(places: Range<usize>) -> Self {
        Self { places, kind: PhantomData }
    }
    /// From `first` to the one before `end`.
    #[inline]
    pub fn between(first: I, end: I) -> Self {
        Self::new(first.place()..end.place())
    }
    /// The first; of an empty range the one where it would begin.
    #[inline]
    pub fn first(&self) -> I {
        I::at(self.places.start)
    }
    /// The one behind the last.
    #[inline]
    pub fn end(&self) -> I {
        I::at(self.places.end)
    }
    /// Whether `id` is one of them.
    #[inline]
    pub fn contains(&self, id: I) -> bool {
        self.places.contains(&id.place())
    }
}

impl<I: Id> Iterator for IdRange<I> {
    type Item = I;
    #[inline]
    fn next(&mut self) -> Option<I> {
        self.places.next().map(I::at)
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl<I: Id> DoubleEndedIterator for IdRange<I> {
    #[inline]
    fn next_back(&mut self) -> Option<I> {
        self.places.next_back().map(I::at)
    }
}

impl<I: Id> ExactSizeIterator for IdRange<I> {}

impl<I> fmt::Debug for IdRange<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.places.fmt(f)
    }
}

/// A vector that ids of one kind index.
#[derive(Clone)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    kind: PhantomData<fn(I)>,
}

impl<I: Id, T> IdVec<I, T> {
    /// Every item with its id, in order.
    pub fn iter_enumerated(&self) -> impl Iterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(place, item)| (I::at(place), item))
    }
    /// Every id, in order.
    pub fn ids(&self) -> IdRange<I> {
        IdRange::new(0..self.items.len())
    }
    /// The first whose item `is` so.
    pub fn position(&self, is: impl FnMut(&T) -> bool) -> Option<I> {
        self.items.iter().position(is).map(I::at)
    }
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }
    /// The items in order, to change.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// Adds one behind the others; its id.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::at(self.items.len() - 1)
    }
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
    /// The item of `id`, if there is one.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.place())
    }
    /// The item of `id` to change, if there is one.
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(id.place())
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, kind: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<S: IntoIterator<Item = T>>(items: S) -> Self {
        Self::from(Vec::from_iter(items))
    }
}

impl<I, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl<'a, I, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.place()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.place()]
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}
