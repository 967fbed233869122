//! Durations that a setup states: fixed, or drawn anew each time.

use crate::rng::{Purpose, below, lognormal};

/// A duration in ns: fixed, or drawn anew each time, keyed by task and draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Amount {
    /// Always this.
    Fixed(u64),
    /// Uniform in `min..max`; `min` if that is empty.
    Uniform { min: u64, max: u64 },
    /// exp(normal): median and spread (sigma in thousandths), cut off at `max`.
    LogNormal { median: u64, sigma_milli: u32, max: u64 },
}

impl Amount {
    /// Draw `n` of (`purpose`, `entity`) under `seed`, ns.
    pub(crate) fn draw(self, seed: u64, purpose: Purpose, entity: u64, n: u64) -> u64 {
        match self {
            Self::Fixed(ns) => ns,
            Self::Uniform { min, max } => {
                min + below(seed, purpose, entity, n, max.saturating_sub(min))
            }
            Self::LogNormal { median, sigma_milli, max } => {
                lognormal(seed, purpose, entity, n, median, sigma_milli).min(max)
            }
        }
    }
}
