//! The settings that vary from run to run of a claim: seeds, phases, knobs. Every combination is a
//! point.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Knob paths (`seed` is one) and the values each takes.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Over(BTreeMap<String, Axis>);

/// The values of one knob.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Axis {
    /// `1..64`: whole numbers, both ends included.
    Numbers(String),
    /// One by one.
    List(Vec<Value>),
    /// `count` times, evenly spread.
    Steps(Steps),
}

/// `first`, `first + step`, ...: numbers with a unit.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    first: u64,
    step: u64,
    unit: String,
    count: u64,
}

/// The knob whose values differ in nothing but what is drawn.
pub(crate) const SEED: &str = "seed";
/// Most points of a claim: past it a slip is more likely than a wish.
const POINTS_MAX: usize = 4_096;

impl Over {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many seeds vary; none if the seed does not.
    pub(crate) fn seeds(&self) -> Option<usize> {
        self.0.get(SEED)?.values().ok().map(|values| values.len())
    }

    /// The changes of every point; one without changes if nothing varies.
    pub fn points(&self) -> Result<Vec<Vec<(String, Value)>>, String> {
        let mut points = vec![Vec::new()];
        for (path, axis) in &self.0 {
            let values = axis.values().map_err(|error| format!("over {path}: {error}"))?;
            if values.is_empty() || values.len() * points.len() > POINTS_MAX {
                return Err(format!("over {path}: from 1 to {POINTS_MAX} points"));
            }
            points = points
                .iter()
                .flat_map(|point| values.iter().map(|value| extended(point, path, value)))
                .collect();
        }
        Ok(points)
    }
}

fn extended(point: &[(String, Value)], path: &str, value: &Value) -> Vec<(String, Value)> {
    point.iter().cloned().chain([(path.to_owned(), value.clone())]).collect()
}

impl Axis {
    fn values(&self) -> Result<Vec<Value>, String> {
        match self {
            Self::List(values) => Ok(values.clone()),
            Self::Steps(steps) => Ok((0..steps.count.min(POINTS_MAX as u64 + 1))
                .map(|at| json!(format!("{}{}", steps.first + at * steps.step, steps.unit)))
                .collect()),
            Self::Numbers(text) => {
                let ends = text.split_once("..").and_then(|(first, last)| {
                    first.parse::<u64>().ok().zip(last.parse::<u64>().ok())
                });
                let (first, last) = ends.ok_or_else(|| format!("\"{text}\" is not 1..64"))?;
                Ok((first..=last).take(POINTS_MAX + 1).map(Value::from).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_a_point() {
        let of = |text: &str| serde_json::from_str::<Over>(text).unwrap().points();
        assert_eq!(of("{}").unwrap(), [vec![]]);
        let both =
            of(r#"{ "a": { "first": 5, "step": 10, "unit": "us", "count": 2 }, "seed": "1..3" }"#)
                .unwrap();
        assert_eq!(both.len(), 6);
        assert_eq!(both[4], [("a".to_owned(), json!("15us")), ("seed".to_owned(), json!(2))]);
        assert!(of(r#"{ "seed": "1..5000" }"#).is_err() && of(r#"{ "seed": "1-5" }"#).is_err());
    }
}
