//! How much costs vary: the law that factors of costs are drawn by (docs/model/time.md#spread).
//!
//! ```text
//!   drawn       0.001   0.1    0.5    0.9    0.99    0.999
//!   factor       0.54   0.85   1      1.17   1.48    1.86      scale 100: a tenth
//! ```
//! The law is log-Laplace with median 1: the logarithm of a factor has exponential tails, as times
//! that caches and interrupts stretch have. It is kept as quantiles, so a draw is one look.

use std::sync::Arc;

/// A factor of 1.
pub const WHOLE: u16 = 1 << SHIFT;
/// Bits of a factor behind the point.
pub const SHIFT: u32 = 12;
/// Quantiles that are kept; the outermost is the middle of the last 1/1024.
const QUANTILES: u32 = 1 << QUANTILE_BITS;
const QUANTILE_BITS: u32 = 10;

/// The factors of one preset; none if its costs do not vary. A clone shares them.
#[derive(Clone, Debug)]
pub struct Spread(Option<Arc<[u16]>>);

impl Spread {
    /// The law with scale `milli`, in thousandths; 0: every factor is 1.
    pub fn new(milli: u32) -> Self {
        let of = |nth| factor(nth, f64::from(milli) / 1000.0);
        Self((milli > 0).then(|| (0..QUANTILES).map(of).collect()))
    }

    /// Whether costs vary.
    #[inline]
    pub fn varies(&self) -> bool {
        self.0.is_some()
    }

    /// The factor that the uniform `bits` choose, in units of 1 / [`WHOLE`].
    #[inline]
    pub fn factor(&self, bits: u64) -> u16 {
        self.0.as_ref().map_or(WHOLE, |factors| factors[(bits >> (64 - QUANTILE_BITS)) as usize])
    }

    /// `ns` times `factor`, rounded down.
    #[inline]
    pub fn scaled(ns: u64, factor: u16) -> u64 {
        (ns * u64::from(factor)) >> SHIFT
    }
}

/// The `nth` quantile of the law with this scale, at most 15.99.
fn factor(nth: u32, scale: f64) -> u16 {
    let middle = (f64::from(nth) + 0.5) / f64::from(QUANTILES);
    let rarity = 2.0 * if middle < 0.5 { middle } else { 1.0 - middle };
    let exponent = if middle < 0.5 { scale } else { -scale };
    (libm::pow(rarity, exponent) * f64::from(WHOLE)).min(f64::from(u16::MAX)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(spread: &Spread, part: f64) -> f64 {
        let bits = (part * 18_446_744_073_709_551_615.0) as u64;
        f64::from(spread.factor(bits)) / f64::from(WHOLE)
    }

    #[test]
    fn a_tenth_of_the_factors_is_larger_by_the_scale_times_the_logarithm_of_five() {
        let spread = Spread::new(100);
        // 5^0.1 and 50^0.1, and their inverses on the other side.
        assert!((at(&spread, 0.9) - 1.175).abs() < 0.003, "{}", at(&spread, 0.9));
        assert!((at(&spread, 0.99) - 1.479).abs() < 0.02, "{}", at(&spread, 0.99));
        assert!((at(&spread, 0.1) - 0.851).abs() < 0.003, "{}", at(&spread, 0.1));
        assert!((at(&spread, 0.5) - 1.0).abs() < 0.001);
    }

    #[test]
    fn without_a_spread_every_factor_is_one_and_a_cost_keeps_its_figure() {
        let none = Spread::new(0);
        assert!(!none.varies());
        assert_eq!(Spread::scaled(12_345, none.factor(u64::MAX)), 12_345);
    }

    #[test]
    fn no_scale_makes_a_factor_that_does_not_fit() {
        assert_eq!(Spread::new(10_000).factor(u64::MAX), u16::MAX);
    }
}
