//! The formats of files that leave this program: what each carries and loses, and how its bytes
//! are made. The texts that come in: what people paste, in [`words`]. And what does on a real
//! machine what a run does here, in [`real`].
//!
//! The command and the page write with this crate, so no writer exists twice. It knows the setup of
//! a run, the columns of its trace and the figures of its report; it knows nothing of files on a
//! disk, of command lines and of the page. A new format is one file in `writers` and one row of
//! [`writers::FORMATS`] (docs/develop/recipes.md, "A new format out").

#![warn(missing_docs)]

pub mod cgroup;
pub mod cyclictest;
pub mod events;
pub mod figures;
pub mod format;
pub mod json_text;
mod levels;
pub mod names;
mod policies;
pub mod real;
pub mod recording;
pub mod run;
pub mod traces;
pub mod words;
pub mod writers;

pub use figures::Figures;
pub use format::{
    By, Cell, CellKind, Content, Format, Maker, SweepColumn, SweepRow, SweepWriter, What,
};
pub use run::{End, Run, RunWriter, Side, Title};
#[cfg(feature = "parquet")]
pub use writers::read_runs;
pub use writers::{FORMATS, named, writing};
