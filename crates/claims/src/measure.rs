//! Makes the runs of the claims, each run once even if several claims use it, and compares the
//! figures with the stated ones.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use schedscope_engine::run::{Options, Progress, Run};
use schedscope_scenario::{prepare, report_json};
use serde_json::Value;

use crate::metric::Metric;
use crate::scenario::Scenario;
use crate::table::{As, Claim, Statistic};

/// How many runs of each claim are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Eight runs, or the claim's own number.
    Quick,
    /// All.
    Whole,
}

/// Runs of a claim unless it states a number.
const QUICK_RUNS: usize = 8;

/// The figures of one claim.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Which scenario, by its place among those given.
    pub scenario: usize,
    /// Which of its claims.
    pub claim: usize,
    /// Low and high in the claim's unit, of all runs that were asked for; one number twice for a
    /// mean, a median, a count.
    pub whole: (f64, f64),
    /// The range of the few runs that `npm test` makes.
    pub quick: (f64, f64),
}

/// One side of one point of one claim.
#[derive(Clone, Debug)]
struct Wanted {
    scenario: usize,
    claim: usize,
    point: usize,
    other: bool,
}

/// One run, and who looks at it.
struct Job {
    scenario: usize,
    set: Vec<(String, Value)>,
    wanted: Vec<Wanted>,
}

/// Figures by scenario, claim, point and side.
type Figures = BTreeMap<(usize, usize, usize, bool), f64>;

/// Measures every claim of these scenarios. Claims that ask for no runs at this effort are left
/// out. Errors name the claim.
pub fn measure(scenarios: &[Scenario], effort: Effort) -> Result<Vec<Measured>, String> {
    let jobs = jobs(scenarios, effort)?;
    let (next, done) = (AtomicUsize::new(0), Mutex::new((Figures::new(), Vec::new())));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = play(scenarios, job);
                    let mut done = done.lock().expect("no thread has panicked");
                    match found {
                        Ok(figures) => done.0.extend(figures),
                        Err(error) => done.1.push(error),
                    }
                }
            });
        }
    });
    let (figures, mut errors) = done.into_inner().expect("no thread has panicked");
    errors.sort();
    if !errors.is_empty() {
        return Err(errors.join("\n"));
    }
    let mut all = Vec::new();
    for (at, scenario) in scenarios.iter().enumerate() {
        for (number, claim) in scenario.table.claims.iter().enumerate() {
            all.extend(summed_up(claim, (at, number), effort, &figures)?);
        }
    }
    Ok(all)
}

/// The places of the points that an effort runs, in order. The quick ones are evenly spread among
/// all, one further each time, so that an inner axis whose length divides the stride has its turn
/// too.
fn chosen(claim: &Claim, points: usize, effort: Effort) -> Vec<usize> {
    let few = claim.quick_runs.unwrap_or(QUICK_RUNS).min(points);
    match effort {
        Effort::Whole => (0..points).collect(),
        Effort::Quick => (0..few).map(|at| at * points / few + at % (points / few)).collect(),
    }
}

fn jobs(scenarios: &[Scenario], effort: Effort) -> Result<Vec<Job>, String> {
    let mut jobs: BTreeMap<(usize, String), Job> = BTreeMap::new();
    for (at, scenario) in scenarios.iter().enumerate() {
        for (number, claim) in scenario.table.claims.iter().enumerate() {
            let sides = [
                Some((&claim.variant, &claim.set)),
                claim.versus.as_ref().map(|versus| (&versus.variant, &versus.set)),
            ];
            let points = claim.over.points()?;
            for (side, (variant, set)) in
                sides.into_iter().enumerate().filter_map(|(side, of)| of.map(|of| (side, of)))
            {
                let base = scenario.variant(variant.as_deref())?;
                let base: Vec<_> = base
                    .into_iter()
                    .chain(set.iter().map(|(path, value)| (path.clone(), value.clone())))
                    .collect();
                for point in chosen(claim, points.len(), effort) {
                    let set = merged(&base, &points[point]);
                    let key = serde_json::to_string(&set).expect("knobs are JSON");
                    let job = jobs.entry((at, key)).or_insert_with(|| Job {
                        scenario: at,
                        set,
                        wanted: Vec::new(),
                    });
                    job.wanted.push(Wanted {
                        scenario: at,
                        claim: number,
                        point,
                        other: side == 1,
                    });
                }
            }
        }
    }
    Ok(jobs.into_values().collect())
}

/// Later changes of a knob replace earlier ones; in the order of the paths, so that equal runs are
/// seen to be equal.
fn merged(base: &[(String, Value)], point: &[(String, Value)]) -> Vec<(String, Value)> {
    let all: BTreeMap<String, Value> = base.iter().chain(point).cloned().collect();
    all.into_iter().collect()
}

fn play(scenarios: &[Scenario], job: &Job) -> Result<Figures, String> {
    let scenario = &scenarios[job.scenario];
    let first = &scenario.table.claims[job.wanted[0].claim];
    let wrong = |what: &dyn std::fmt::Display| {
        format!("{}, claim \"{}\": {what}", scenario.slug, first.name)
    };
    let prepared =
        prepare(&scenario.slug, &scenario.text, &job.set).map_err(|error| wrong(&error))?;
    // The laws are the swarm's; here only figures are wanted.
    let needs_trace =
        |wanted: &Wanted| metric(&scenario.table.claims[wanted.claim], wanted.other).needs_trace();
    let window = if job.wanted.iter().any(needs_trace) {
        Options::EVERYTHING
    } else {
        Options::default().window
    };
    let options = Options { check_every: 0, window, ..Options::default() };
    let mut run =
        Run::new(&prepared.setup, options).map_err(|error| wrong(&format!("{error:?}")))?;
    if run.advance(u64::MAX, u64::MAX) != Progress::Finished {
        return Err(wrong(&"the run does not finish"));
    }
    let (report, trace) = (report_json(&prepared, &run.report()), run.take_trace());
    let figure = |wanted: &Wanted| {
        let claim = &scenario.table.claims[wanted.claim];
        let value = metric(claim, wanted.other).of(&report, &trace);
        let key = (wanted.scenario, wanted.claim, wanted.point, wanted.other);
        value
            .map(|value| (key, value))
            .map_err(|error| format!("{}, claim \"{}\": {error}", scenario.slug, claim.name))
    };
    job.wanted.iter().map(figure).collect()
}

fn metric(claim: &Claim, other: bool) -> &Metric {
    let of_the_other =
        claim.versus.as_ref().filter(|_| other).and_then(|versus| versus.metric.as_ref());
    of_the_other.unwrap_or(&claim.metric)
}

fn summed_up(
    claim: &Claim,
    at: (usize, usize),
    effort: Effort,
    figures: &Figures,
) -> Result<Option<Measured>, String> {
    let points = claim.over.points()?.len();
    let of = |effort: Effort| {
        let side = |other: bool| {
            chosen(claim, points, effort)
                .iter()
                .map(|point| figures[&(at.0, at.1, *point, other)])
                .collect::<Vec<f64>>()
        };
        match &claim.versus {
            None => figures_of(claim, &side(false), None),
            Some(versus) => figures_of(claim, &side(false), Some((versus.how, &side(true)))),
        }
    };
    let (asked, few) = (of(effort), of(Effort::Quick));
    if asked.is_empty() {
        return Ok(None);
    }
    let whole = summary(claim.statistic, &asked);
    let quick = if few.is_empty() { whole } else { summary(claim.statistic, &few) };
    if !whole.0.is_finite() || !whole.1.is_finite() {
        return Err(format!("claim \"{}\" divides by nothing", claim.name));
    }
    Ok(Some(Measured { scenario: at.0, claim: at.1, whole, quick }))
}

/// One figure a run in the claim's unit; for the mean of a comparison the one that compares the two
/// means.
fn figures_of(claim: &Claim, this: &[f64], other: Option<(As, &[f64])>) -> Vec<f64> {
    let compared = |how: As, this: f64, other: f64| match how {
        As::Ratio => this / other,
        As::Difference => this - other,
        As::More => (this - other) / other,
    };
    let raw: Vec<f64> = match other {
        None => this.to_vec(),
        Some(_) if this.is_empty() => Vec::new(),
        Some((how, other)) if claim.statistic == Statistic::Mean => {
            vec![compared(how, mean(this), mean(other))]
        }
        Some((how, other)) => {
            this.iter().zip(other).map(|(this, other)| compared(how, *this, *other)).collect()
        }
    };
    raw.iter().map(|figure| figure / claim.unit.size()).collect()
}

fn mean(of: &[f64]) -> f64 {
    of.iter().sum::<f64>() / of.len() as f64
}

fn summary(statistic: Statistic, figures: &[f64]) -> (f64, f64) {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let one = |value: f64| (value, value);
    match statistic {
        Statistic::Each => (sorted[0], sorted[sorted.len() - 1]),
        Statistic::Mean => one(mean(&sorted)),
        Statistic::Median => one(sorted[sorted.len() / 2]),
        Statistic::Within(low, high) => {
            one(sorted.iter().filter(|figure| (low..=high).contains(figure)).count() as f64)
        }
    }
}
