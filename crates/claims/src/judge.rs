//! Compares measured figures with the stated ones.

use crate::measure::{Effort, Measured};
use crate::scenario::Scenario;
use crate::table::{Claim, Statistic};
use crate::text::{figure, written};

/// Whether a claim holds. The error lays the measured range beside the stated one.
pub fn judge(scenarios: &[Scenario], measured: &Measured, effort: Effort) -> Result<(), String> {
    let scenario = &scenarios[measured.scenario];
    let claim = &scenario.table.claims[measured.claim];
    let what = wrong(claim, measured, effort);
    what.map_or(Ok(()), |what| Err(format!("{}: {what}", line(scenario, claim, measured))))
}

/// A claim with its stated and measured figures, in one line.
pub fn line(scenario: &Scenario, claim: &Claim, measured: &Measured) -> String {
    let unit = written(claim).behind();
    let range = |(low, high): (f64, f64), more: i8| {
        let digits = claim.digits.saturating_add(more);
        if low == high {
            figure(low, digits)
        } else {
            format!("{} to {}", figure(low, digits), figure(high, digits))
        }
    };
    let stated = (claim.low, claim.high);
    format!(
        "{} {} [{}]: stated {}{unit}, measured {}{unit}",
        scenario.slug,
        claim.name,
        claim.source,
        range(stated, 0),
        range(measured.whole, 2)
    )
}

fn wrong(claim: &Claim, measured: &Measured, effort: Effort) -> Option<&'static str> {
    let rounded = claim.rounded(measured.whole);
    let one_number = claim.statistic != Statistic::Each;
    let outside = measured.whole.0 < claim.low || measured.whole.1 > claim.high;
    let closed = claim
        .gap
        .as_ref()
        .is_some_and(|gap| measured.whole.0 >= gap.low && measured.whole.1 <= gap.high);
    match effort {
        _ if !claim.is_measured() && outside => Some("outside what its source says"),
        Effort::Whole if closed => Some("the known gap has closed"),
        Effort::Whole if claim.is_measured() && rounded != (claim.low, claim.high) => {
            Some("not the measured range, rounded outward")
        }
        Effort::Quick if claim.is_measured() && !one_number && outside => {
            Some("outside the range of all runs")
        }
        Effort::Quick if claim.is_measured() && one_number && claim.quick != Some(rounded.0) => {
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
        let (low, high) = self.rounded(measured.whole);
        let one_number = self.statistic != Statistic::Each && self.quick_runs != Some(0);
        Self {
            low,
            high,
            quick: one_number.then(|| self.rounded(measured.quick).0),
            ..self.clone()
        }
    }
}
