//! The hardware: the durations of all its actions. Knows nothing of tasks or policies.

pub mod costs;
pub mod cpu;
pub mod hw_noise;
pub mod ipi;
pub mod spinlock;
pub mod spread;
pub mod topology;
