//! What a scenario means and what the shipped ones come to: one test program, a module for each
//! thing. `cargo test -p schedscope-scenario --test scenario -- links::` runs one module.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod allocations;
mod amounts;
mod bad_input;
mod cgroups;
mod costs;
mod cyclictest;
mod fuzz;
mod generators;
mod handover;
mod kernel_work;
mod kernels;
mod known_gaps;
mod links;
mod live_lock;
mod mutations;
mod nohz_stories;
mod pipe;
mod places;
mod programs;
mod quota_claims;
mod quota_stories;
mod quota_workloads;
mod readings;
mod rt_migrate;
mod rules;
mod samples;
mod settings;
mod sources;
mod steps;
mod stories;
mod support;
mod swarm;
mod texts;
mod turning_points;
mod version;
