//! A sweep as a file: everything that its runs need, cut into batches that any process, on any
//! machine, can do alone.
//!
//! ```text
//!   manifest.json ──┬─ batch 0: runs 0..63    ─► part-000000.parquet
//!                   ├─ batch 1: runs 64..70   ─► part-000001.parquet     each by whoever is free,
//!                   └─ batch 2: runs 71..199  ─► part-000002.parquet     in any order, once
//! ```

use schedscope_scenario::{ENGINE_BEHAVIOUR, LiveWrite};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Plan;
use super::grid::{Axis, Grid, seeds_text};
use crate::execute::Limits;
use crate::failure::Failure;
use crate::numbers::grouped;
use crate::target::{Set, Target};

/// Most runs of one manifest.
pub const MANIFEST_RUNS_MAX: usize = 1_000_000;
/// Most runs of one batch: what a killed process has to do again.
pub const BATCH_RUNS_MAX: usize = 4_096;
const SCHEMA: &str = "schedscope.manifest/1";

/// The file's content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    schema: String,
    /// The engine that wrote it; runs of two engines do not go together.
    engine_behaviour: String,
    scenario: Scenario,
    /// Changes of every run, in order.
    set: Set,
    over: Vec<Over>,
    /// `1..20` or `1,5,9`; none for the scenario's own seed.
    seeds: Option<String>,
    live: Vec<Live>,
    limits: RunLimits,
    metrics: Vec<String>,
    /// The number behind the last run of each batch.
    batches: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    name: String,
    text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Over {
    path: String,
    values: Vec<Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Live {
    at_ns: u64,
    path: String,
    value: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunLimits {
    records: Option<u64>,
    bytes: Option<u64>,
}

impl Manifest {
    /// The manifest of a checked plan. `cost` is what a run of each point takes, in any unit; a
    /// batch is closed once its runs have reached `batch`.
    pub fn new(plan: &Plan, cost: &[u64], batch: u64) -> Self {
        let over = plan
            .grid
            .axes
            .iter()
            .map(|Axis { path, values }| Over { path: path.clone(), values: values.clone() });
        let live = plan.live.iter().map(|write| Live {
            at_ns: write.at_ns,
            path: write.path.clone(),
            value: write.value.clone(),
        });
        let Limits { records, bytes } = plan.limits;
        let text = plan.target.text().to_owned();
        Self {
            schema: SCHEMA.to_owned(),
            engine_behaviour: ENGINE_BEHAVIOUR.to_owned(),
            scenario: Scenario { name: plan.target.slug.clone(), text },
            set: plan.common.clone(),
            over: over.collect(),
            seeds: plan.grid.seeds.as_deref().map(seeds_text),
            live: live.collect(),
            limits: RunLimits { records, bytes },
            metrics: plan.metrics.clone(),
            batches: batches(cost, plan.grid.runs_of_point(), batch),
        }
    }

    /// Reads the text of a manifest.
    ///
    /// # Errors
    /// It is no manifest, is of another engine, or its batches are not those of its runs.
    pub fn read(text: &str) -> Result<Self, Failure> {
        let manifest: Self = serde_json::from_str(text)
            .map_err(|error| Failure::usage(format!("this is no manifest of a sweep: {error}")))?;
        if manifest.schema != SCHEMA {
            return Err(Failure::usage(format!(
                "the manifest says {}; this version reads {SCHEMA}",
                manifest.schema
            )));
        }
        if manifest.engine_behaviour != ENGINE_BEHAVIOUR {
            return Err(Failure::usage(format!(
                "the manifest is of engine behaviour {}, this is {ENGINE_BEHAVIOUR}: their runs do \
                    not go together\n  expected: the version that wrote it, or a new manifest",
                manifest.engine_behaviour
            )));
        }
        let ends = &manifest.batches;
        let grow = ends.first().is_some_and(|first| *first > 0)
            && ends.windows(2).all(|pair| pair[0] < pair[1]);
        let runs = manifest.plan()?.runs();
        if !grow || ends.last() != Some(&runs) {
            return Err(Failure::usage(format!(
                "the manifest's batches are not those of its {} runs: it was changed by hand",
                grouped(runs as u64)
            )));
        }
        Ok(manifest)
    }

    /// The file's text.
    pub fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("keys are texts");
        format!("{text}\n")
    }

    /// The sweep, ready to run: the points were checked when the manifest was made.
    ///
    /// # Errors
    /// The values cannot be those of a sweep: the file was changed by hand.
    pub fn plan(&self) -> Result<Plan, Failure> {
        let Self { scenario, set, over, seeds, live, limits, metrics, .. } = self;
        let target = Target::of_text(&scenario.name, scenario.text.clone());
        let axes = over
            .iter()
            .map(|Over { path, values }| Axis { path: path.clone(), values: values.clone() });
        let grid = Grid::of(axes.collect(), seeds.as_deref(), MANIFEST_RUNS_MAX)?;
        let live = live.iter().map(|write| LiveWrite {
            at_ns: write.at_ns,
            path: write.path.clone(),
            value: write.value.clone(),
            origin: "the manifest",
        });
        Ok(Plan {
            target,
            common: set.clone(),
            grid,
            metrics: metrics.clone(),
            limits: Limits { records: limits.records, bytes: limits.bytes },
            live: live.collect(),
            kernels: Vec::new(),
        })
    }

    /// How many batches there are.
    pub fn batches(&self) -> usize {
        self.batches.len()
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.batches.last().copied().unwrap_or(0)
    }

    /// The numbers of a batch's runs.
    pub fn batch(&self, batch: usize) -> std::ops::Range<usize> {
        let begin = batch.checked_sub(1).map_or(0, |before| self.batches[before]);
        begin..self.batches[batch]
    }
}

/// The ends of the batches: runs are in the order of their numbers, a point's one after the other.
fn batches(cost: &[u64], runs_of_point: usize, batch: u64) -> Vec<usize> {
    let (mut ends, mut begun, mut sum) = (Vec::new(), 0, 0u64);
    let runs = cost.len() * runs_of_point;
    for run in 0..runs {
        sum = sum.saturating_add(cost[run / runs_of_point]);
        if sum >= batch || run + 1 - begun == BATCH_RUNS_MAX || run + 1 == runs {
            ends.push(run + 1);
            (begun, sum) = (run + 1, 0);
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_closed_once_its_runs_cost_enough() {
        assert_eq!(batches(&[1, 10, 1], 4, 4), [4, 5, 6, 7, 8, 12]);
        assert_eq!(batches(&[1], 5, 3), [3, 5]);
        assert_eq!(batches(&[0], 10_000, 1), [4_096, 8_192, 10_000]);
    }
}
