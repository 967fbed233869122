//! Each format, read back by a reader that shares no code with its writer, against what the run
//! itself counted.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod chrome;
mod cpu_stat;
mod cyclictest;
mod ftrace;
mod psi;
mod registry;
mod schedstat;
mod support;
