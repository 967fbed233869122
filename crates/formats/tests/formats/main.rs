//! Each format, read back by a reader that shares no code with its writer, against what the run
//! itself counted.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod ftrace;
mod perfetto;
mod registry;
mod support;
