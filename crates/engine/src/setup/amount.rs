//! Durations that a setup states: fixed, or drawn anew each time.

use crate::rng::{Purpose, below, draw, exponential, lognormal};

/// A duration in ns: fixed, or drawn anew each time, keyed by task and draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Amount {
    /// Always this.
    Fixed(u64),
    /// Uniform in `min..max`; `min` if that is empty.
    Uniform { min: u64, max: u64 },
    /// exp(normal): median and spread (sigma in thousandths), cut off at `max`.
    LogNormal { median: u64, sigma_milli: u32, max: u64 },
    /// Exponential with this mean before it is cut off at `max`.
    Exponential { mean: u64, max: u64 },
    /// By the quantiles with this index in [`super::Setup::quantiles`].
    Quantiles { table: u32 },
}

/// Quantiles of durations; in between they are drawn evenly.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Quantiles(Vec<(u16, u64)>);

impl Quantiles {
    /// The whole, in the unit that parts are counted in: hundredths of a percent.
    pub const WHOLE: u16 = 10_000;

    /// `points`: (part in hundredths of a percent, ns).
    ///
    /// # Errors
    /// The parts do not rise from 0 to [`Self::WHOLE`], or the durations fall.
    pub fn new(points: Vec<(u16, u64)>) -> Result<Self, String> {
        let quantiles = Self(points);
        quantiles.check().map(|()| quantiles)
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let ends = [self.0.first(), self.0.last()].map(|point| point.map(|(part, _)| *part));
        let rises = |pair: &[(u16, u64)]| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1;
        if ends == [Some(0), Some(Self::WHOLE)] && self.0.windows(2).all(rises) {
            Ok(())
        } else {
            Err("quantiles rise from 0 to 100 %, and their durations never fall".to_owned())
        }
    }

    /// The duration at `position` of 2^64, ns.
    fn at(&self, position: u64) -> u64 {
        // Parts, with 48 bits behind the point.
        let part = (u128::from(position) * u128::from(Self::WHOLE)) >> 16;
        let fixed = |at: u16| u128::from(at) << 48;
        let upper = self.0.partition_point(|(at, _)| fixed(*at) <= part).min(self.0.len() - 1);
        let ((from, least), (to, most)) = (self.0[upper - 1], self.0[upper]);
        let share = (part - fixed(from)) >> 32;
        let width = (fixed(to) - fixed(from)) >> 32;
        least + (u128::from(most - least) * share / width) as u64
    }
}

impl Amount {
    /// Draw `n` of (`purpose`, `entity`) under the seed of `setup`, ns.
    pub(crate) fn draw(self, setup: &super::Setup, purpose: Purpose, entity: u64, n: u64) -> u64 {
        let seed = setup.seed;
        match self {
            Self::Fixed(ns) => ns,
            Self::Uniform { min, max } => {
                min + below(seed, purpose, entity, n, max.saturating_sub(min))
            }
            Self::LogNormal { median, sigma_milli, max } => {
                lognormal(seed, purpose, entity, n, median, sigma_milli).min(max)
            }
            Self::Exponential { mean, max } => exponential(seed, purpose, entity, n, mean).min(max),
            Self::Quantiles { table } => {
                setup.quantiles[table as usize].at(draw(seed, purpose, entity, n))
            }
        }
    }

    /// The median of what is drawn, ns.
    pub fn median(self, setup: &super::Setup) -> u64 {
        match self {
            Self::Fixed(ns) => ns,
            Self::Uniform { min, max } => min + max.saturating_sub(min) / 2,
            Self::LogNormal { median, max, .. } => median.min(max),
            Self::Exponential { mean, max } => {
                ((mean as f64 * std::f64::consts::LN_2) as u64).min(max)
            }
            Self::Quantiles { table } => setup.quantiles[table as usize].at(1 << 63),
        }
    }

    /// Refuses quantiles that `setup` does not have.
    pub(super) fn check(self, setup: &super::Setup) -> Result<(), String> {
        if let Self::Quantiles { table } = self
            && table as usize >= setup.quantiles.len()
        {
            return Err(format!("there are no quantiles {table}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_met_and_in_between_durations_rise_evenly() {
        let table =
            Quantiles::new(vec![(0, 10), (5_000, 100), (9_000, 500), (10_000, 1_500)]).unwrap();
        let at = |part: u64| table.at((u128::from(part) * (1 << 64) / 10_000) as u64 + 1);
        assert_eq!([0, 2_500, 5_000, 7_000, 9_000, 9_500].map(at), [10, 55, 100, 300, 500, 1_000]);
        assert_eq!(table.at(u64::MAX), 1_499);
    }

    #[test]
    fn quantiles_that_fall_or_leave_an_end_out_are_refused() {
        for points in [
            vec![],
            vec![(0, 1)],
            vec![(0, 1), (9_000, 2)],
            vec![(1, 1), (10_000, 2)],
            vec![(0, 2), (10_000, 1)],
            vec![(0, 1), (5_000, 2), (5_000, 3), (10_000, 4)],
        ] {
            assert!(Quantiles::new(points.clone()).is_err(), "{points:?}");
        }
    }
}
