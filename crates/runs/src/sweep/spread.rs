//! What the runs of one point come to, figure by figure, and whether a seed changes anything.

use std::collections::BTreeMap;

use schedscope_scenario::statistics::{Mean, mean, middle};

use super::Plan;
use super::grid::shown;
use super::jobs::RunRow;
use crate::numbers::grouped;

/// Figures of the runs of one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Least.
    pub min: i64,
    /// 5th percentile by nearest rank; of fewer than 20 runs the least.
    pub p5: i64,
    /// Middle; of two middles the lower, so that it is a figure some run had.
    pub median: i64,
    /// 95th percentile by nearest rank; of fewer than 20 runs the greatest.
    pub p95: i64,
    /// Greatest.
    pub max: i64,
    /// Mean, with its standard error.
    pub mean: Mean,
    /// Runs it is made of: those that were simulated to the end and have the figure.
    pub runs: usize,
}

impl Spread {
    /// The spread of metric `metric` at `point`; none if no run of it has the figure.
    pub fn of(plan: &Plan, rows: &[RunRow], point: usize, metric: usize) -> Option<Self> {
        let whole = of_point(plan, rows, point).filter(|row| row.complete);
        let mut figures: Vec<i64> = whole.filter_map(|row| row.figures[metric]).collect();
        figures.sort_unstable();
        let [p5, p95] = middle(&figures)?;
        let floats: Vec<f64> = figures.iter().map(|figure| *figure as f64).collect();
        Some(Self {
            min: *figures.first()?,
            p5,
            median: figures[(figures.len() - 1) / 2],
            p95,
            max: *figures.last()?,
            mean: mean(&floats)?,
            runs: figures.len(),
        })
    }
}

/// The rows of a point.
pub fn of_point<'r>(
    plan: &Plan,
    rows: &'r [RunRow],
    point: usize,
) -> impl Iterator<Item = &'r RunRow> {
    let runs = plan.grid.runs_of_point();
    rows.iter().filter(move |row| row.run / runs == point)
}

/// How many seeds gave one and the same row, whatever the other settings: the same schedule and the
/// same figures. None if a row differs, if a run is missing or was cut, and of one seed.
pub fn seeds_alike(plan: &Plan, rows: &[RunRow]) -> Option<usize> {
    let mut of_settings: BTreeMap<Vec<String>, Vec<&RunRow>> = BTreeMap::new();
    for row in rows {
        let values = plan.grid.point(row.run / plan.grid.runs_of_point());
        let others = plan.grid.axes.iter().zip(values).filter(|(axis, _)| axis.path != "seed");
        of_settings.entry(others.map(|(_, value)| shown(value)).collect()).or_default().push(row);
    }
    let seeds = of_settings.values().map(Vec::len).min().filter(|seeds| *seeds > 1)?;
    let what = |row: &RunRow| (row.digest.clone(), row.records, row.figures.clone());
    let alike = |rows: &Vec<&RunRow>| rows.windows(2).all(|pair| what(pair[0]) == what(pair[1]));
    let whole = rows.len() == plan.runs() && rows.iter().all(|row| row.complete);
    (whole && of_settings.values().all(alike)).then_some(seeds)
}

/// The sentence where [`seeds_alike`] holds.
pub fn alike_words(plan: &Plan, rows: &[RunRow]) -> Option<String> {
    let seeds = seeds_alike(plan, rows)?;
    Some(format!(
        "All {} seeds give the same row: nothing in this run is drawn, so a seed changes nothing.",
        grouped(seeds as u64)
    ))
}
