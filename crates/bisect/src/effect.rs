//! Figures seed by seed, and what their differences come to: a mean with its interval.

use schedscope_scenario::statistics::{self, Mean, student};

/// A mean over seeds, with the interval that holds it in 95 of 100 experiments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// In the unit of the metric.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// How many seeds it is made of, at least 2.
    pub seeds: usize,
}

impl Effect {
    /// The mean of `values`; none for fewer than two, which have no spread.
    pub fn of(values: &[f64]) -> Option<Self> {
        let Mean { value: mean, error } = statistics::mean(values)?;
        let (error, seeds) = (error?, values.len());
        let reach = student(seeds - 1) * error;
        Some(Self { mean, low: mean - reach, high: mean + reach, seeds })
    }

    /// Whether every seed gave this figure.
    pub fn is_exact(&self) -> bool {
        self.low >= self.high
    }

    /// Whether the interval lies on one side of zero.
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }

    /// Whether an interval twice as wide lies on one side of zero.
    pub fn is_sure(&self) -> bool {
        self.mean.abs() > self.high - self.low
    }
}

/// A figure of each seed; none where the run is missing or has no such figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series(Vec<Option<f64>>);

impl Series {
    pub fn of(values: impl IntoIterator<Item = Option<f64>>) -> Self {
        Self(values.into_iter().collect())
    }

    /// Both figures of each seed that has both, made one by `make`.
    pub fn with(&self, other: &Self, make: impl Fn(f64, f64) -> f64) -> Self {
        let both = self.0.iter().zip(&other.0);
        Self::of(both.map(|(one, other)| Some(make((*one)?, (*other)?))))
    }

    /// This less `other`, seed by seed.
    pub fn less(&self, other: &Self) -> Self {
        self.with(other, |one, other| one - other)
    }

    /// Zero for each seed that has a figure.
    pub fn zeros(&self) -> Self {
        self.less(self)
    }

    /// The figures, in the order of the seeds.
    pub fn values(&self) -> &[Option<f64>] {
        &self.0
    }

    /// The mean over the seeds that have a figure; none for fewer than two of them.
    pub fn effect(&self) -> Option<Effect> {
        Effect::of(&self.0.iter().flatten().copied().collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_mean_is_students() {
        let effect = Effect::of(&[1.0, 2.0, 3.0, 4.0]).expect("four values");
        // The standard error is sqrt(5/3/4) = 0.6455, and t is 3.182.
        assert!((effect.mean - 2.5).abs() < 1e-9 && (effect.low - 0.446).abs() < 1e-3);
        assert!((effect.high - 4.554).abs() < 1e-3 && effect.is_clear());
        assert!(!Effect::of(&[-1.0, 1.0, 2.0]).expect("three values").is_clear());
        assert_eq!(Effect::of(&[7.0]), None, "one value has no spread");
        let same = Effect::of(&[3.0; 8]).expect("eight values");
        assert_eq!((same.low, same.high), (3.0, 3.0));
    }

    #[test]
    fn a_sure_effect_leaves_zero_out_of_twice_its_interval() {
        let around = |mean: f64| Effect::of(&[mean - 1.0, mean, mean + 1.0]).expect("three values");
        // The interval reaches 4.303 / sqrt(3) = 2.484 to either side.
        assert!(!around(2.4).is_clear() && around(2.5).is_clear());
        assert!(!around(-4.9).is_sure() && around(-5.0).is_sure());
        assert!(Effect::of(&[1.0; 3]).is_some_and(|effect| effect.is_sure()));
        assert!(!Effect::of(&[0.0; 3]).is_some_and(|effect| effect.is_sure()));
    }

    #[test]
    fn a_difference_takes_only_the_seeds_that_both_have() {
        let one = Series::of([Some(5.0), None, Some(7.0), Some(9.0)]);
        let other = Series::of([Some(4.0), Some(1.0), None, Some(6.0)]);
        assert_eq!(one.less(&other), Series::of([Some(1.0), None, None, Some(3.0)]));
        assert_eq!(one.less(&other).effect().map(|effect| effect.seeds), Some(2));
    }
}
