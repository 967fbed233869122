//! Makes the runs of the claims, each run once even if several claims use it, and compares the
//! figures with the stated ones.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use schedscope_engine::run::{Options, Progress, Run};
use schedscope_scenario::{prepare, report_json};
use serde_json::Value;

use crate::metric::Metric;
use crate::over::SEED;
use crate::scenario::Scenario;
use crate::summary::{Runs, Summary};
use crate::table::Claim;

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
    /// What all runs that were asked for come to.
    pub whole: Summary,
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
    let points = claim.over.points()?;
    let settings = settings(&points);
    let of = |effort: Effort| {
        let chosen = chosen(claim, points.len(), effort);
        let side = |other: bool| {
            let figure = |point: &usize| figures[&(at.0, at.1, *point, other)];
            chosen.iter().map(figure).collect::<Vec<f64>>()
        };
        let other = claim.versus.as_ref().map(|_| side(true));
        let settings: Vec<usize> = chosen.iter().map(|point| settings[*point]).collect();
        let runs = Runs { settings: &settings, this: &side(false), other: other.as_deref() };
        Summary::of(claim, &runs)
    };
    let Some(whole) = of(effort) else { return Ok(None) };
    let quick = of(Effort::Quick).map_or(whole.range, |quick| quick.range);
    if !whole.extremes.0.is_finite() || !whole.extremes.1.is_finite() {
        return Err(format!("claim \"{}\" divides by nothing", claim.name));
    }
    Ok(Some(Measured { scenario: at.0, claim: at.1, whole, quick }))
}

/// A number for each point: the same for points that differ in the seed alone.
fn settings(points: &[Vec<(String, Value)>]) -> Vec<usize> {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut number = |point: &Vec<(String, Value)>| {
        let rest: Vec<_> = point.iter().filter(|(path, _)| path != SEED).collect();
        let key = serde_json::to_string(&rest).expect("knobs are JSON");
        let next = known.len();
        *known.entry(key).or_insert(next)
    };
    points.iter().map(&mut number).collect()
}
