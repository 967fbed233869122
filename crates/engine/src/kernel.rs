//! The scheduler, file by file as in kernel/sched.

pub mod config;
