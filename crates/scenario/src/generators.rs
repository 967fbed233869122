//! Generators that imitate real programs: each reads its program's options and adds the tasks that
//! the program makes.
//!
//! A generator knows what its program does and nothing of how the machine plays it. One file each,
//! with its own knobs, made of `parts.rs`; `all.rs` lists them. cyclictest and rt_noise have
//! programs of the engine's own, and one knows the other.

pub(crate) mod all;
mod burst_sleep;
mod busy;
pub(crate) mod cyclictest;
mod database;
mod fibtest;
mod gc_burst;
mod generator;
mod hackbench;
mod hw_noise;
pub(crate) mod interrupts;
mod kernbench;
pub(crate) mod parts;
mod pipe;
mod rt_migrate_test;
pub(crate) mod rt_noise;
mod schbench;
mod softirq;
mod thread_pool;
mod web;
pub(crate) mod workload;
