//! Compares measured figures with the stated ones.

use schedscope_scenario::statistics::digits;

use crate::measure::{Effort, Measured};
use crate::scenario::Scenario;
use crate::summary::Summary;
use crate::table::{Claim, Statistic};
use crate::text::whole;

/// Whether a claim holds. The error lays the measured range beside the stated one.
pub fn judge(scenarios: &[Scenario], measured: &Measured, effort: Effort) -> Result<(), String> {
    let scenario = &scenarios[measured.scenario];
    let claim = &scenario.table.claims[measured.claim];
    let what = wrong(claim, measured, effort);
    what.map_or(Ok(()), |what| Err(format!("{}: {what}", line(scenario, claim, measured))))
}

/// A claim with its stated and measured figures, in one line.
pub fn line(scenario: &Scenario, claim: &Claim, measured: &Measured) -> String {
    let finer = Claim {
        low: measured.whole.range.0,
        high: measured.whole.range.1,
        digits: claim.digits.saturating_add(2),
        extremes: Some(measured.whole.extremes.into()),
        error: measured.whole.error,
        interval: measured.whole.interval,
        ..claim.clone()
    };
    format!(
        "{} {} [{}]: stated {}, measured {}",
        scenario.slug,
        claim.name,
        claim.source,
        whole(claim),
        whole(&finer)
    )
}

fn wrong(claim: &Claim, measured: &Measured, effort: Effort) -> Option<&'static str> {
    let one_number = claim.statistic != Statistic::Each;
    let (least, most) = measured.whole.extremes;
    let [low, high] = claim.extremes.unwrap_or([claim.low, claim.high]);
    let outside = least < low || most > high;
    let closed = claim.gap.as_ref().is_some_and(|gap| least >= gap.low && most <= gap.high);
    match effort {
        _ if !claim.is_measured() && outside => Some("outside what its source says"),
        Effort::Whole if closed => Some("the known gap has closed"),
        Effort::Whole if claim.is_measured() && !claim.states(&claim.measured_again(measured)) => {
            Some("not what was measured, rounded")
        }
        Effort::Quick if claim.is_measured() && !one_number && outside => {
            Some("outside the least and the greatest of all runs")
        }
        Effort::Quick
            if claim.is_measured()
                && one_number
                && claim.quick != Some(claim.nearest(measured.quick.0)) =>
        {
            Some("not what these runs gave")
        }
        Effort::Quick | Effort::Whole => None,
    }
}

impl Claim {
    /// The claim with the figures that were measured, if it states the model's.
    #[must_use]
    pub fn measured_again(&self, measured: &Measured) -> Self {
        if !self.is_measured() {
            return self.clone();
        }
        let Summary { range, extremes, error, interval } = measured.whole;
        let half = interval.map(|[low, high]| (high - low) / 2.0);
        let digits = error.or(half).and_then(digits).unwrap_or(self.digits);
        let to = Self { digits, ..self.clone() };
        let (low, high) = to.rounded(range);
        let one_number = self.statistic != Statistic::Each && self.quick_runs != Some(0);
        Self {
            low,
            high,
            extremes: self.seeds_of_range().map(|_| to.rounded(extremes).into()),
            error: error.map(|error| to.nearest(error)),
            interval: interval.map(|ends| ends.map(|end| to.nearest(end))),
            quick: one_number.then(|| to.nearest(measured.quick.0)),
            ..to
        }
    }

    /// Whether both state the same figures.
    fn states(&self, other: &Self) -> bool {
        let figures = |of: &Self| (of.low, of.high, of.digits, of.extremes, of.error, of.interval);
        figures(self) == figures(other)
    }
}
