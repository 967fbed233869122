//! What the figures of many runs say together: a percentile, a mean with its standard error, the
//! quotient of two means with its interval, and the digits that an error leaves.

/// From the 5th to the 95th percentile, in thousandths: where nine in ten runs lie.
const MIDDLE: [u64; 2] = [50, 950];
/// Student's t: the quantile 0.975 for 1 to 30 degrees of freedom (NIST/SEMATECH e-Handbook of
/// Statistical Methods, section 1.3.6.7.2).
const T_975: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];
/// The quantiles above [`T_975`], from the table's rows for that many degrees of freedom on.
const T_975_FROM: [(usize, f64); 5] =
    [(100, 1.984), (80, 1.990), (60, 2.000), (50, 2.009), (40, 2.021)];

/// How many of `count` values in order lie at or before a percentile, by nearest rank.
pub fn rank(count: u64, per_mille: u64) -> u64 {
    (count * per_mille).div_ceil(1_000)
}

/// The 5th and the 95th percentile by nearest rank of values in ascending order: of fewer than 20
/// values the least and the greatest. None of no value.
pub fn middle<T: Copy>(sorted: &[T]) -> Option<[T; 2]> {
    let count = sorted.len() as u64;
    let [low, high] = MIDDLE.map(|per_mille| rank(count, per_mille).saturating_sub(1) as usize);
    Some([*sorted.get(low)?, *sorted.get(high)?])
}

/// A mean, and how far it may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean, in the unit of the values.
    pub value: f64,
    /// Standard error: the values' standard deviation over the root of their number. None of one
    /// value.
    pub error: Option<f64>,
}

/// The mean of values; none of no value.
pub fn mean(values: &[f64]) -> Option<Mean> {
    (!values.is_empty())
        .then(|| Mean { value: average(values), error: shared(values, values).map(f64::sqrt) })
}

/// The quotient of two means, and where it lies with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quotient {
    /// The mean of the one side over that of the other.
    pub value: f64,
    /// None of one pair, and where the other side's mean may as well be 0.
    pub interval: Option<[f64; 2]>,
}

/// The quotient of the means of runs in pairs: the run of one side and that of the other have the
/// same seed, so what moves both moves their quotient less.
///
/// Source of the interval: E. Fieller, "Some problems in interval estimation", Journal of the Royal
/// Statistical Society B 16, 1954.
pub fn quotient(this: &[f64], other: &[f64]) -> Quotient {
    let (above, below) = (average(this), average(other));
    let interval = shared(this, this).zip(shared(this, other)).zip(shared(other, other));
    let interval = interval.and_then(|((this_this, this_other), other_other)| {
        let t = student(this.len().min(other.len()) - 1);
        let square = below * below - t * t * other_other;
        let half = above * below - t * t * this_other;
        let rest = above * above - t * t * this_this;
        let root = (half * half - square * rest).max(0.0).sqrt();
        (square > 0.0).then(|| [(half - root) / square, (half + root) / square])
    });
    Quotient { value: above / below, interval }
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The covariance of two means of values in pairs; none of fewer than two pairs.
fn shared(this: &[f64], other: &[f64]) -> Option<f64> {
    let count = this.len().min(other.len());
    let (mean_this, mean_other) = (average(this), average(other));
    let sum = this.iter().zip(other).map(|(a, b)| (a - mean_this) * (b - mean_other)).sum::<f64>();
    (count > 1).then(|| sum / (count * (count - 1)) as f64)
}

/// The quantile 0.975 of Student's t for 1 degree of freedom or more. Between two rows of the table
/// the quantile of the row below counts, which makes an interval a little too wide and never too
/// narrow.
pub fn student(freedom: usize) -> f64 {
    let large = T_975_FROM.iter().find(|(from, _)| freedom >= *from).map(|(_, t)| *t);
    large.unwrap_or_else(|| T_975[freedom.clamp(1, T_975.len()) - 1])
}

/// Digits behind the point that an error leaves: the error keeps one digit, two if it begins with 1
/// or 2; -2 for hundreds. None without an error.
pub fn digits(error: f64) -> Option<i8> {
    const DIGITS: std::ops::RangeInclusive<i8> = -15..=9;
    let fits = |digits: &i8| (error / step(*digits)).round() < 30.0;
    (error > 0.0).then(|| DIGITS.rev().find(fits)).flatten()
}

/// The size of the last digit: 0.1 of 1, 100 of -2.
pub fn step(digits: i8) -> f64 {
    let tens = (0..digits.unsigned_abs()).fold(1.0, |tens, _| tens * 10.0);
    if digits < 0 { tens } else { 1.0 / tens }
}

/// A figure with so many digits behind the point, before it in groups of three.
pub fn figure(value: f64, digits: i8) -> String {
    let value = if digits < 0 { (value / step(digits)).round() * step(digits) } else { value };
    let text = format!("{:.*}", usize::try_from(digits).unwrap_or(0), value.abs());
    let (whole, rest) = text
        .split_once('.')
        .map_or((text.as_str(), String::new()), |(whole, rest)| (whole, format!(".{rest}")));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    format!("{}{grouped}{rest}", if value < 0.0 { "-" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_twenty_runs_on_the_middle_leaves_some_out_and_of_fewer_none() {
        let of = |count: u32| middle(&(1..=count).collect::<Vec<_>>());
        assert_eq!([of(0), of(1), of(19)], [None, Some([1, 1]), Some([1, 19])]);
        assert_eq!([of(20), of(64), of(100)], [Some([1, 19]), Some([4, 61]), Some([5, 95])]);
    }

    #[test]
    fn a_mean_has_the_error_that_many_samples_would_show() {
        let Mean { value, error } = mean(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!(value, 5.0);
        assert!((error.unwrap() - (32.0_f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
        assert_eq!(mean(&[3.0]), Some(Mean { value: 3.0, error: None }));
        assert_eq!(mean(&[]), None);
    }

    #[test]
    fn the_interval_of_a_quotient_is_fiellers_and_narrow_where_pairs_move_together() {
        let other = [90.0, 110.0, 100.0, 95.0, 105.0, 100.0, 98.0, 102.0];
        let twice = other.map(|value: f64| 2.0 * value);
        let Quotient { value, interval } = quotient(&twice, &other);
        let [low, high] = interval.unwrap();
        assert!(value == 2.0 && high - low < 1e-9, "{low} to {high}");
        // (140 - 60 R) / 30 within Student's 2.365 standard errors of 0.
        let this = [120.0, 160.0, 130.0, 150.0, 140.0, 140.0, 135.0, 145.0];
        let [low, high] = quotient(&this, &other).interval.unwrap();
        for end in [low, high] {
            let off: Vec<f64> = this.iter().zip(other).map(|(x, y)| x - end * y).collect();
            let Mean { value, error } = mean(&off).unwrap();
            assert!((value.abs() / error.unwrap() - 2.365).abs() < 0.005, "{end}");
        }
        assert!(low < 1.4 && high > 1.4);
        assert_eq!(quotient(&this, &[1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0]).interval, None);
        assert_eq!(quotient(&[3.0], &[2.0]), Quotient { value: 1.5, interval: None });
    }

    #[test]
    fn an_interval_never_gets_narrower_than_the_exact_one() {
        let quantiles: Vec<f64> = (1..300).map(student).collect();
        assert!(quantiles.windows(2).all(|pair| pair[0] >= pair[1]), "{quantiles:?}");
        assert!((student(35) - 2.042).abs() < 1e-9, "that of 30: exact is 2.030");
        assert!((student(255) - 1.984).abs() < 1e-9, "that of 100: exact is 1.969");
    }

    #[test]
    fn an_error_keeps_one_digit_or_two_and_the_figure_ends_where_it_ends() {
        let written = |value: f64, error: f64| {
            let digits = digits(error).unwrap();
            format!("{} ± {}", figure(value, digits), figure(error, digits))
        };
        assert_eq!(written(236.4, 18.2), "236 ± 18");
        assert_eq!(written(7_049.0, 293.0), "7 050 ± 290");
        assert_eq!(written(7_049.0, 296.0), "7 000 ± 300");
        assert_eq!(written(-0.471, 0.0296), "-0.47 ± 0.03");
        assert_eq!(written(1.79, 0.299), "1.8 ± 0.3");
        assert_eq!((digits(0.0), figure(1_234_567.0, 0)), (None, "1 234 567".to_owned()));
    }
}
