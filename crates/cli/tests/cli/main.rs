//! The real binary, run as people run it: one test program, a module for each topic. `cargo test -p
//! schedscope-cli --test cli -- sweep::` runs one module.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod answer;
mod bisect;
mod command;
mod costs;
mod export;
#[cfg(unix)]
mod inputs;
#[cfg(target_os = "linux")]
mod interrupt;
mod links;
mod live;
mod outputs;
mod people;
mod planted;
mod read;
mod real;
mod recorded;
mod releases;
mod shards;
mod strangers;
mod support;
mod sweep;
mod tools;
mod variants;
mod version;
mod who;
mod wrong_input;
