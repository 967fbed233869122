//! `claims.json`: the claims of a scenario, the runs behind each claim, and the sources.
//! docs/model/claims.md explains every field.

use schedscope_scenario::statistics::step;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::metric::Metric;
use crate::over::Over;

/// The contents of one `claims.json`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The claims, in the order of the README.
    pub claims: Vec<Claim>,
    /// Figures of the README that are no results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plain: Vec<Plain>,
}

/// One figure, or the range of one.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Unique in its file; marks in texts use it.
    pub name: String,
    /// The measured figure: a metric path of a report, or a quotient of sums of paths.
    pub metric: Metric,
    /// The shipped variant to run; without one, the scenario file without changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Changes on top of the variant.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub set: Map<String, Value>,
    /// The settings that vary from run to run: seeds, phases.
    #[serde(default, skip_serializing_if = "Over::is_empty")]
    pub over: Over,
    /// The other side of the comparison, run by run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versus: Option<Versus>,
    /// How the figures of all runs become one.
    #[serde(default, skip_serializing_if = "Statistic::is_each")]
    pub statistic: Statistic,
    /// Unit of `low` and `high`.
    #[serde(default, skip_serializing_if = "Unit::is_none")]
    pub unit: Unit,
    /// Digits behind the point; -2 rounds to hundreds. A measured mean has those that its error
    /// leaves.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub digits: i8,
    /// Least; of the model's runs over seeds the 5th percentile.
    #[serde(serialize_with = "shortest")]
    pub low: f64,
    /// Most; of the model's runs over seeds the 95th percentile.
    #[serde(serialize_with = "shortest")]
    pub high: f64,
    /// Least and most of all runs, where `low` and `high` are percentiles.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "shortest_two")]
    pub extremes: Option<[f64; 2]>,
    /// The standard error of a mean.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "shortest_of")]
    pub error: Option<f64>,
    /// Where the quotient of two means lies with 95 % confidence.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "shortest_two")]
    pub interval: Option<[f64; 2]>,
    /// How many of the runs `npm test` makes; 8 unless stated, and none at 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quick_runs: Option<usize>,
    /// The figure of those few runs, where all runs give one number: a mean, a median, a count.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "shortest_of")]
    pub quick: Option<f64>,
    /// `model` for a figure of the engine, which is measured again when the engine changes;
    /// anything else names the source of a bound that stays.
    pub source: String,
    /// The source's own figure, where the model does not reach it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<Gap>,
}

/// The other side of a comparison.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Versus {
    /// The variant of the other side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Changes of the other side; the claim's own changes are not part of them.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub set: Map<String, Value>,
    /// The metric of the other side; the claim's own unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<Metric>,
    /// How the two figures become one.
    #[serde(rename = "as")]
    pub how: As,
}

/// Two figures as one.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum As {
    /// This figure divided by the other.
    Ratio,
    /// This figure less the other.
    Difference,
    /// The difference divided by the other.
    More,
}

/// How the figures of all runs become one.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// The range of the runs: from the least to the greatest, or of the model's runs over seeds
    /// from the 5th to the 95th percentile.
    #[default]
    Each,
    /// The mean with its standard error; of a comparison that of the two means.
    Mean,
    /// The median; of an even number of runs the upper one of the two in the middle.
    Median,
    /// How many lie from the one to the other, in the claim's unit.
    Within(f64, f64),
}

/// Unit of a claim; metrics are ns and counts.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub enum Unit {
    /// A count.
    #[default]
    #[serde(rename = "")]
    None,
    /// Nanoseconds.
    #[serde(rename = "ns")]
    Ns,
    /// Microseconds.
    #[serde(rename = "us")]
    Us,
    /// Milliseconds.
    #[serde(rename = "ms")]
    Ms,
    /// Seconds.
    #[serde(rename = "s")]
    S,
    /// Hundredths of a quotient.
    #[serde(rename = "%")]
    Percent,
    /// A quotient.
    #[serde(rename = "times")]
    Times,
}

/// A figure of a source that the model does not reach: a row of docs/model/known-gaps.md.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// The figure's name, for a reader who does not know the scenario.
    pub figure: String,
    /// The source and its statement.
    pub says: String,
    /// The gap is closed once all runs lie from here
    #[serde(serialize_with = "shortest")]
    pub low: f64,
    /// to here.
    #[serde(serialize_with = "shortest")]
    pub high: f64,
    /// The model's result, with `{name}` for the figure of a claim; without a text, this claim's
    /// figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gives: Option<String>,
    pub why: String,
}

/// A figure of a README that is no result, though it looks like one.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Plain {
    /// The figure as the README has it.
    pub text: String,
    /// Why nothing measures it.
    pub why: String,
}

/// The source of the engine's own figures.
pub const MODEL: &str = "model";

impl Table {
    /// Reads a file. Errors say which claim is wrong.
    pub fn read(text: &str) -> Result<Self, String> {
        let table: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        for (at, claim) in table.claims.iter().enumerate() {
            let wrong = |what: &str| Err(format!("claim \"{}\": {what}", claim.name));
            if table.claims[..at].iter().any(|other| other.name == claim.name) {
                return wrong("the name is given twice");
            }
            if claim.name.is_empty()
                || claim.name.bytes().any(|byte| !byte.is_ascii_alphanumeric() && byte != b'-')
            {
                return wrong("a name is letters, digits and hyphens");
            }
            if claim.low > claim.high || claim.source.is_empty() {
                return wrong("it has a source, and low is at most high");
            }
            claim.over.points().map_err(|error| format!("claim \"{}\": {error}", claim.name))?;
        }
        Ok(table)
    }
}

impl Claim {
    /// Whether the engine's own figure is stated, not a bound.
    pub fn is_measured(&self) -> bool {
        self.source == MODEL
    }

    /// The number of seeds, where the figure is the range of the model's runs over them.
    pub fn seeds_of_range(&self) -> Option<usize> {
        let is_range = self.is_measured() && self.statistic == Statistic::Each;
        self.over.seeds().filter(|seeds| is_range && *seeds > 1)
    }

    /// Low and high as `measured` rounds: a range outward, a single number to the nearest.
    pub fn rounded(&self, measured: (f64, f64)) -> (f64, f64) {
        // A hair, so that 0.3 - 0.2 is no reason to round 0.1 up.
        const HAIR: f64 = 1e-6;
        let step = step(self.digits);
        let at = |value: f64, round: fn(f64) -> f64| tidy(round(value / step) * step);
        match self.statistic {
            Statistic::Each => {
                (at(measured.0 + HAIR * step, f64::floor), at(measured.1 - HAIR * step, f64::ceil))
            }
            Statistic::Mean | Statistic::Median | Statistic::Within(..) => {
                (self.nearest(measured.0), self.nearest(measured.1))
            }
        }
    }

    /// A single number to the nearest of the claim's digits.
    pub fn nearest(&self, value: f64) -> f64 {
        let step = step(self.digits);
        tidy((value / step).round() * step)
    }
}

/// The nearest number of at most nine digits behind the point: 0.30000000000000004 is written 0.3.
fn tidy(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

impl Unit {
    /// The size of one unit, in the metric's own.
    pub fn size(self) -> f64 {
        match self {
            Self::None | Self::Ns | Self::Times => 1.0,
            Self::Us => 1e3,
            Self::Ms => 1e6,
            Self::S => 1e9,
            Self::Percent => 0.01,
        }
    }

    /// The unit as a text writes it after a number, with the space before it.
    pub fn behind(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Ns => " ns",
            Self::Us => " us",
            Self::Ms => " ms",
            Self::S => " s",
            Self::Percent => " %",
            Self::Times => " times",
        }
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

impl Statistic {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_each(&self) -> bool {
        *self == Self::Each
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(digits: &i8) -> bool {
    *digits == 0
}

/// 53 rather than 53.0.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn shortest<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        to.serialize_i64(*value as i64)
    } else {
        to.serialize_f64(*value)
    }
}

#[allow(clippy::ref_option, reason = "serde passes a reference")]
fn shortest_of<S: Serializer>(value: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    match value {
        None => to.serialize_none(),
        Some(value) => shortest(value, to),
    }
}

#[allow(clippy::ref_option, reason = "serde passes a reference")]
fn shortest_two<S: Serializer>(values: &Option<[f64; 2]>, to: S) -> Result<S::Ok, S::Error> {
    struct Shortest(f64);
    impl Serialize for Shortest {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            shortest(&self.0, to)
        }
    }
    match values {
        None => to.serialize_none(),
        Some(values) => to.collect_seq(values.map(Shortest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(statistic: &str, digits: i8) -> Claim {
        let text = format!(
            r#"{{ "claims": [{{ "name": "a", "metric": "sched.ticks", "statistic": {statistic},
                "digits": {digits}, "low": 1, "high": 2, "source": "model" }}] }}"#
        );
        Table::read(&text).unwrap().claims.remove(0)
    }

    #[test]
    fn a_range_is_rounded_outward_and_a_single_number_to_the_nearest() {
        assert_eq!(claim("\"each\"", 0).rounded((53.2, 59.1)), (53.0, 60.0));
        assert_eq!(claim("\"each\"", 1).rounded((0.3, 0.3)), (0.3, 0.3));
        assert_eq!(claim("\"each\"", -2).rounded((7_149.0, 7_151.0)), (7_100.0, 7_200.0));
        assert_eq!(claim("\"median\"", 0).rounded((53.6, 53.6)), (54.0, 54.0));
        assert_eq!(claim(r#"{ "within": [0, 5] }"#, 0).rounded((3.0, 3.0)), (3.0, 3.0));
    }

    #[test]
    fn unknown_keys_equal_names_and_empty_ranges_are_refused() {
        let of = |claims: &str| Table::read(&format!("{{ \"claims\": [{claims}] }}")).unwrap_err();
        let good =
            r#"{ "name": "a", "metric": "sched.ticks", "low": 1, "high": 2, "source": "model" }"#;
        assert!(of(&good.replace("\"low\"", "\"lo\"")).contains("unknown field"));
        assert!(of(&format!("{good}, {good}")).contains("twice"));
        assert!(of(&good.replace("\"low\": 1", "\"low\": 3")).contains("at most high"));
        assert!(of(&good.replace("sched.ticks", "sched.clicks")).contains("sched.clicks"));
    }

    #[test]
    fn what_is_written_is_what_was_read() {
        let text = [
            r#"{"claims":[{"name":"a","metric":"sched.ticks / 3","over":{"seed":"1..64"},"#,
            r#""statistic":{"within":[0.0,5.0]},"unit":"%","low":1,"high":2.5,"source":"model"}]}"#,
        ]
        .concat();
        assert_eq!(serde_json::to_string(&Table::read(&text).unwrap()).unwrap(), text);
    }
}
