//! The hardware: what takes time, and how much. Knows nothing of tasks or policies.

pub mod costs;
pub mod cpu;
pub mod hw_noise;
pub mod ipi;
pub mod spinlock;
pub mod topology;
