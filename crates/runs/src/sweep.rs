//! Many runs: every combination of some knobs' values, each over several seeds.

pub mod cost;
pub mod grid;
pub mod jobs;
pub mod manifest;
pub mod parts;
pub mod rows;
pub mod spread;

use schedscope_scenario::{LiveWrite, MetricNames, check_metric, check_value};

use crate::execute::Limits;
use crate::failure::Failure;
use crate::side::Side;
use crate::target::{Set, Target};
use grid::{Axis, Grid, KernelOfPoint, shown};
use jobs::Runs;

/// Most runs of one sweep: past it the combinations are more likely a slip than a wish.
pub const RUNS_MAX: usize = 10_000;
/// The figures of a scenario without a headline.
const FALLBACK: [&str; 2] = ["rq_lock.max_waiters", "sched.context_switches"];

/// The plan of a sweep.
#[derive(Debug)]
pub struct Plan {
    /// The scenario.
    pub target: Target,
    /// Changes that hold for every run.
    pub common: Set,
    /// The points and seeds.
    pub grid: Grid,
    /// The figures to keep, in order: the scenario's headline, then what was asked for.
    pub metrics: Vec<String>,
    /// The limits of each run.
    pub limits: Limits,
    /// The writes to the running kernel of every run.
    pub live: Vec<LiveWrite>,
    /// The kernel of every point. Known once the points are checked.
    pub kernels: Vec<KernelOfPoint>,
}

/// What is heard while points are checked.
#[derive(Debug)]
pub enum Checked {
    /// The point of that number is next.
    Point(usize),
    /// A remark on a point; each is made once.
    Note(String),
}

impl Plan {
    /// A sweep whose rows have the scenario's headline figures and those `asked` for.
    ///
    /// # Errors
    /// The scenario cannot be read, or no report has such a figure.
    pub fn new(
        target: Target,
        common: Set,
        grid: Grid,
        live: Vec<LiveWrite>,
        limits: Limits,
        asked: &[String],
    ) -> Result<Self, Failure> {
        let mut metrics = target.document()?.presentation.headline.clone();
        for metric in asked {
            check_metric(metric).map_err(Failure::Usage)?;
            if !metrics.contains(metric) {
                metrics.push(metric.clone());
            }
        }
        if metrics.is_empty() {
            metrics = FALLBACK.map(str::to_owned).to_vec();
        }
        Ok(Self { target, common, grid, metrics, limits, live, kernels: Vec::new() })
    }

    /// How many runs it has.
    pub fn runs(&self) -> usize {
        self.grid.points() * self.grid.runs_of_point()
    }

    /// Run `run` with everything that holds for all.
    ///
    /// # Errors
    /// The scenario with these values is invalid.
    pub fn side(&self, run: usize) -> Result<Side, Failure> {
        let set: Set = self.common.iter().cloned().chain(self.grid.changes(run)).collect();
        Ok(Side::new(&self.target, &set)?.writing(self.live.clone())?.limited_by(self.limits))
    }

    /// Every point must be a scenario before any is run, and some point must be able to have each
    /// figure `asked` for. Then the kernel of each point is known.
    ///
    /// # Errors
    /// The first point that is none, named by its values; a figure that no point can have.
    pub fn check(
        &mut self,
        asked: &[String],
        hear: &mut dyn FnMut(Checked),
    ) -> Result<(), Failure> {
        let (mut notes, mut kernels): (Vec<String>, Vec<KernelOfPoint>) = (Vec::new(), Vec::new());
        let mut names = MetricNames::default();
        self.check_values()?;
        for point in 0..self.grid.points() {
            hear(Checked::Point(point));
            let run = point * self.grid.runs_of_point();
            let side = self.side(run).map_err(|failure| match failure {
                Failure::Scenario(name, error) => {
                    Failure::Scenario(format!("{name} with {}", self.words(point)), error)
                }
                other => other,
            })?;
            for note in &side.prepared.meta.notes {
                if !notes.contains(note) {
                    hear(Checked::Note(format!("with {}: {note}", self.words(point))));
                    notes.push(note.clone());
                }
            }
            names.extend(MetricNames::of(&side.prepared.setup));
            let axes: Vec<&str> = self.grid.axes.iter().map(|axis| axis.path.as_str()).collect();
            let beside_axes = side.prepared.meta.kernel_words(&axes);
            kernels.push(KernelOfPoint { whole: side.prepared.meta.kernel, beside_axes });
        }
        self.kernels = kernels;
        asked.iter().try_for_each(|metric| names.check(metric).map_err(Failure::Usage))
    }

    /// Every value by itself: one that its knob takes nowhere should not wait for the points before
    /// it.
    fn check_values(&self) -> Result<(), Failure> {
        for Axis { path, values } in &self.grid.axes {
            for value in values {
                check_value(path, value).map_err(|error| {
                    let name = format!("{} with {path}={}", self.target.name, shown(value));
                    Failure::Scenario(name, Box::new(error))
                })?;
            }
        }
        Ok(())
    }

    /// `machine.cpus=16 kernel.preempt=none`.
    pub fn words(&self, point: usize) -> String {
        let words = self
            .grid
            .axes
            .iter()
            .zip(self.grid.point(point))
            .map(|(axis, value)| format!("{}={}", axis.path, shown(value)));
        words.collect::<Vec<_>>().join(" ")
    }
}

impl Runs for Plan {
    fn side(&self, run: usize) -> Result<Side, Failure> {
        Self::side(self, run)
    }

    fn metrics(&self) -> &[String] {
        &self.metrics
    }

    fn limits(&self) -> Limits {
        self.limits
    }
}
