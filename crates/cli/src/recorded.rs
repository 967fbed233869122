//! Recordings of real machines: read from a file, explained, and shown as tables.

pub mod explain;
mod file;
pub mod view;

pub use file::is_one;
