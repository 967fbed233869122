//! What the runs of one claim come to: a range, a mean with its error, a median, a count.

use std::collections::BTreeMap;

use schedscope_scenario::statistics::{mean, middle, quotient};

use crate::table::{As, Claim, Statistic};

/// The figures of one claim, in its unit.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// What is stated: a range, or one number twice for a mean, a median, a count.
    pub range: (f64, f64),
    /// Least and greatest of all runs; of one number that number.
    pub extremes: (f64, f64),
    /// The standard error of a mean.
    pub error: Option<f64>,
    /// Where the quotient of two means lies with 95 % confidence.
    pub interval: Option<[f64; 2]>,
}

/// Runs of a claim, in the metric's own unit.
pub(crate) struct Runs<'a> {
    /// Which settings besides the seed each run has: runs with the same number differ in the seed.
    pub settings: &'a [usize],
    pub this: &'a [f64],
    /// The other side's, run by run.
    pub other: Option<&'a [f64]>,
}

impl Summary {
    /// None of no run.
    pub(crate) fn of(claim: &Claim, runs: &Runs<'_>) -> Option<Self> {
        let size = claim.unit.size();
        let how = claim.versus.as_ref().map(|versus| versus.how).zip(runs.other);
        match (claim.statistic, how) {
            (Statistic::Mean, Some((how @ (As::Ratio | As::More), other))) => {
                of_quotient(runs.this, other, if how == As::More { 1.0 } else { 0.0 }, size)
            }
            _ => {
                let compared = |how: As, (this, other): (&f64, &f64)| match how {
                    As::Ratio => this / other,
                    As::Difference => this - other,
                    As::More => (this - other) / other,
                };
                let figures: Vec<f64> = match how {
                    None => runs.this.to_vec(),
                    Some((how, other)) => {
                        runs.this.iter().zip(other).map(|pair| compared(how, pair)).collect()
                    }
                };
                let figures: Vec<f64> = figures.iter().map(|figure| figure / size).collect();
                of_figures(claim, runs.settings, &figures)
            }
        }
    }

    fn one(value: f64) -> Self {
        let twice = (value, value);
        Self { range: twice, extremes: twice, error: None, interval: None }
    }
}

/// The quotient of two means, less `less`.
fn of_quotient(this: &[f64], other: &[f64], less: f64, size: f64) -> Option<Summary> {
    let scaled = |value: f64| (value - less) / size;
    let quotient = (!this.is_empty()).then(|| quotient(this, other))?;
    let interval = quotient.interval.map(|ends| ends.map(scaled));
    Some(Summary { interval, ..Summary::one(scaled(quotient.value)) })
}

fn of_figures(claim: &Claim, settings: &[usize], figures: &[f64]) -> Option<Summary> {
    let sorted = in_order(figures.to_vec());
    let extremes = (*sorted.first()?, *sorted.last()?);
    match claim.statistic {
        Statistic::Each => {
            let range = match claim.seeds_of_range() {
                None => extremes,
                Some(_) => of_seeds(settings, figures)?,
            };
            Some(Summary { range, extremes, error: None, interval: None })
        }
        Statistic::Mean => {
            let mean = mean(figures)?;
            Some(Summary { error: mean.error, ..Summary::one(mean.value) })
        }
        Statistic::Median => Some(Summary::one(sorted[sorted.len() / 2])),
        Statistic::Within(low, high) => {
            let within = sorted.iter().filter(|figure| (low..=high).contains(figure)).count();
            Some(Summary::one(within as f64))
        }
    }
}

/// The 5th to the 95th percentile of the seeds; where more varies, from the least of these of any
/// setting to the greatest.
fn of_seeds(settings: &[usize], figures: &[f64]) -> Option<(f64, f64)> {
    let mut of_setting: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (setting, figure) in settings.iter().zip(figures) {
        of_setting.entry(*setting).or_default().push(*figure);
    }
    let ranges = of_setting.into_values().filter_map(|figures| middle(&in_order(figures)));
    ranges
        .map(|[low, high]| (low, high))
        .reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
}

fn in_order(mut figures: Vec<f64>) -> Vec<f64> {
    figures.sort_by(f64::total_cmp);
    figures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    fn claim(more: &str) -> Claim {
        let text = format!(
            r#"{{ "claims": [{{ "name": "a", "metric": "sched.ticks", {more}, "low": 1, "high": 2,
                "source": "model" }}] }}"#
        );
        Table::read(&text).unwrap().claims.remove(0)
    }

    fn of(more: &str, this: &[f64], other: Option<&[f64]>) -> Summary {
        let settings: Vec<usize> = (0..this.len()).map(|run| run % 2).collect();
        Summary::of(&claim(more), &Runs { settings: &settings, this, other }).unwrap()
    }

    #[test]
    fn over_seeds_a_range_leaves_out_the_extremes_and_over_phases_it_holds_them() {
        let runs: Vec<f64> = (1..=64).map(f64::from).collect();
        let list = |knob: &str| format!(r#""over": {{ "{knob}": "1..64" }}"#);
        let [seeds, phases] = ["seed", "machine.cpus"].map(|knob| of(&list(knob), &runs, None));
        assert_eq!((seeds.extremes, phases.range), ((1.0, 64.0), (1.0, 64.0)));
        // Two settings, 32 seeds each: 1, 3, ... and 2, 4, ...
        assert_eq!(seeds.range, (3.0, 62.0));
    }

    #[test]
    fn a_mean_has_an_error_and_a_quotient_of_two_an_interval() {
        let (this, other) = ([30.0, 50.0, 40.0, 40.0], [20.0, 20.0, 22.0, 18.0]);
        let mean = of(r#""statistic": "mean", "unit": "us""#, &this, None);
        assert_eq!((mean.range.0, mean.interval), (0.04, None));
        assert!(mean.error.is_some_and(|error| (error - 0.004_082).abs() < 1e-6));
        let versus = |how: &str| {
            let more = format!(r#""statistic": "mean", "versus": {{ "as": "{how}" }}"#);
            of(&more, &this, Some(&other))
        };
        let [ratio, more] = ["ratio", "more"].map(versus);
        assert_eq!((ratio.range.0, more.range.0, ratio.error), (2.0, 1.0, None));
        let (ratio, more) = (ratio.interval.unwrap(), more.interval.unwrap());
        assert!(ratio[0] < 2.0 && ratio[1] > 2.0);
        assert!((0..2).all(|end| (ratio[end] - 1.0 - more[end]).abs() < 1e-9));
        assert_eq!(versus("difference").range.0, 20.0);
        assert!(versus("difference").error.is_some());
    }
}
