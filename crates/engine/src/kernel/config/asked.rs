//! Rows of a kernel as a set, and those that the code of this thread has asked, in a build of the
//! engine that notes it (`crates/asked`). Two setups that differ only in rows which the run of one
//! never asks have the same run.
//!
//! The code asks a rule by its name ([`super::Release::has`] alone reads an answer), and a row with
//! values by the accessor of the kernel's field: in that build the field is private, so the
//! compiler refuses other reads. What copies or compares a whole kernel asks nothing.
//!
//! The note is beside the state: no digest and no snapshot has it.

use super::{RULES, bandwidth, table};

/// Rows that are noted: the rules, then the table's, then those of bandwidth control.
pub const ROWS: usize = bandwidth::FIRST + bandwidth::NAMES.len();

const WORDS: usize = ROWS.div_ceil(64);

/// Rows, in words of 64 bits: those that a run asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowSet(pub [u64; WORDS]);

impl RowSet {
    /// Whether `row`, below [`ROWS`], is in the set.
    pub const fn has(self, row: usize) -> bool {
        self.0[row / 64] >> (row % 64) & 1 != 0
    }

    /// The names of its rows: of rules, and of the kernel's fields.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let fields = table::NAMES.iter().chain(bandwidth::NAMES).copied();
        let names = RULES.iter().map(|rule| rule.name).chain(fields);
        names.enumerate().filter(move |(row, _)| self.has(*row)).map(|(_, name)| name)
    }
}

/// `noted! { Owner from first number; /// … field: type, … }`: fields of `Owner` that are rows,
/// with the accessors that note them.
macro_rules! noted {
    ($owner:ident from $first:expr; $($(#[$meta:meta])* $field:ident: $type:ty,)+) => {
        #[allow(non_camel_case_types, reason = "named as the fields are")]
        enum Place { $($field,)+ }

        impl Place {
            /// Notes that the code asks this row; nothing in an ordinary build.
            #[inline]
            fn note(self) {
                #[cfg(feature = "asked")]
                super::asked::note(FIRST + self as usize);
            }
        }

        /// The number of the first of these rows in a [`RowSet`](super::asked::RowSet).
        pub(super) const FIRST: usize = $first;
        /// The names of these rows.
        pub(super) const NAMES: &[&str] = &[$(stringify!($field)),+];

        impl $owner {
            $(
                $(#[$meta])*
                #[inline]
                pub fn $field(&self) -> $type {
                    Place::$field.note();
                    self.$field
                }
            )+

            /// Takes the value of `other` for each of these rows that is not in `asked`.
            pub(super) fn take_unasked_values(
                &mut self,
                other: &Self,
                asked: super::asked::RowSet,
            ) {
                $(if !asked.has(FIRST + Place::$field as usize) { self.$field = other.$field; })+
            }
        }
    };
}
pub(super) use noted;

#[cfg(feature = "asked")]
pub use noting::{note, so_far, take};

#[cfg(feature = "asked")]
mod noting {
    use std::cell::Cell;

    use super::{RowSet, WORDS};

    thread_local! {
        static ASKED: [Cell<u64>; WORDS] = const { [const { Cell::new(0) }; WORDS] };
    }

    /// The rows asked on this thread since the last call.
    pub fn take() -> RowSet {
        ASKED.with(|words| RowSet(words.each_ref().map(Cell::take)))
    }

    /// The rows asked on this thread since the last [`take`].
    pub fn so_far() -> RowSet {
        ASKED.with(|words| RowSet(words.each_ref().map(Cell::get)))
    }

    /// Notes that the code asks `row`.
    #[inline]
    pub fn note(row: usize) {
        ASKED.with(|words| {
            let word = &words[row / 64];
            word.set(word.get() | 1 << (row % 64));
        });
    }
}
