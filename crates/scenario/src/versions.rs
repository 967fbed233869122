//! The table of kernels in words, and what changed between two releases.

mod changes;
mod rows;
mod texts;
mod unmodelled;

pub use changes::{
    Difference, Step, Valued, all_rows, between, has_change, knowledge, known_words, release, step,
};
pub use rows::TableRow;
pub use texts::{Part, Text};
