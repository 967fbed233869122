//! Each format, read back by a reader that shares no code with its writer, against what the run
//! itself counted.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod chrome;
mod cpu_stat;
mod cyclictest;
mod ftrace;
#[cfg(feature = "parquet")]
mod parquet;
mod perf;
mod perfetto;
mod psi;
mod real;
mod recorded_text;
mod recordings;
mod registry;
mod rt_app;
mod schedstat;
mod support;
mod tracedat;
