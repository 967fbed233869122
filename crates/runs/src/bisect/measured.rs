//! The runs of a bisection: which were made, and what each came to.

use std::collections::BTreeMap;
use std::ops::Range;

use super::effect::Series;
use super::plan::Plan;
use crate::execute::Limits;
use crate::failure::Failure;
use crate::side::Side;
use crate::sweep::jobs::{self, Done, Event, Runs};
use crate::target::Set;

/// What a run came to.
#[derive(Clone, Debug)]
struct Outcome {
    digest: String,
    figure: Option<i64>,
}

/// Runs by their settings and seed.
#[derive(Debug)]
pub struct Measured {
    /// The settings of each kind of run.
    sets: Vec<Set>,
    /// By kind, then by the number of the seed.
    outcomes: BTreeMap<(usize, usize), Outcome>,
}

/// How runs are made: how many at once, and until when.
pub struct How<'h> {
    pub jobs: usize,
    pub asked_to_end: &'h (dyn Fn() -> bool + Sync),
}

/// A part of the runs: seed by seed, so that a bisection that is stopped has some seeds of every
/// kind.
struct Batch<'b> {
    plan: &'b Plan,
    sets: &'b [Set],
    /// Kind and number of the seed.
    todo: Vec<(usize, usize)>,
}

impl Runs for Batch<'_> {
    fn side(&self, run: usize) -> Result<Side, Failure> {
        let (kind, seed) = self.todo[run];
        self.plan.side(&self.sets[kind], self.plan.first_seed + seed as u64)
    }

    fn metrics(&self) -> &[String] {
        &self.plan.metric
    }

    fn limits(&self) -> Limits {
        self.plan.limits
    }
}

impl Measured {
    /// None made yet.
    pub fn new() -> Self {
        Self { sets: Vec::new(), outcomes: BTreeMap::new() }
    }

    /// A kind of run; its number.
    pub fn kind(&mut self, set: Set) -> usize {
        self.sets.push(set);
        self.sets.len() - 1
    }

    /// The settings of a kind.
    pub fn set(&self, kind: usize) -> &Set {
        &self.sets[kind]
    }

    /// How many runs were made.
    pub fn runs(&self) -> usize {
        self.outcomes.len()
    }

    /// How many runs of these kinds with these seeds are missing.
    pub fn missing(&self, kinds: &[usize], seeds: Range<usize>) -> usize {
        self.todo(kinds, seeds).len()
    }

    fn todo(&self, kinds: &[usize], seeds: Range<usize>) -> Vec<(usize, usize)> {
        let all = seeds.flat_map(|seed| kinds.iter().map(move |kind| (*kind, seed)));
        all.filter(|run| !self.outcomes.contains_key(run)).collect()
    }

    /// Makes the missing runs of these kinds with these seeds; `ended` hears of each.
    ///
    /// # Errors
    /// A run is invalid, breaks a law or reached a limit, or the bisection was asked to end. The
    /// runs that ended before count.
    pub fn make(
        &mut self,
        plan: &Plan,
        (kinds, seeds): (&[usize], Range<usize>),
        how: &How<'_>,
        ended: &mut dyn FnMut(),
    ) -> Result<(), Failure> {
        let batch = Batch { plan, sets: &self.sets, todo: self.todo(kinds, seeds) };
        let runs: Vec<usize> = (0..batch.todo.len()).collect();
        let Done { rows, end } =
            jobs::run(&batch, &runs, how.jobs, how.asked_to_end, &mut |event| {
                if matches!(event, Event::Ended) {
                    ended();
                }
                Ok(())
            });
        let todo = batch.todo;
        for row in rows.into_iter().filter(|row| row.complete) {
            let figure = row.figures.first().copied().flatten();
            self.outcomes.insert(todo[row.run], Outcome { digest: row.digest, figure });
        }
        end
    }

    /// The figure of each of the first `seeds` seeds.
    pub fn series(&self, kind: usize, seeds: usize) -> Series {
        let figure = |seed| self.outcomes.get(&(kind, seed))?.figure.map(|figure| figure as f64);
        Series::of((0..seeds).map(figure))
    }

    /// Whether every seed gave this kind the same schedule, and more than one was taken.
    pub fn is_one_schedule(&self, kind: usize) -> bool {
        let mut digests =
            self.outcomes.range((kind, 0)..(kind + 1, 0)).map(|(_, outcome)| &outcome.digest);
        let Some(first) = digests.next() else { return false };
        let mut others = digests.peekable();
        others.peek().is_some() && others.all(|digest| digest == first)
    }

    /// Whether both kinds have the same schedule and figure with every seed that both were made
    /// with, and there is one.
    pub fn are_same(&self, one: usize, other: usize) -> bool {
        let of = |kind: usize| self.outcomes.range((kind, 0)..(kind + 1, 0));
        let mut pairs = of(one)
            .filter_map(|((_, seed), outcome)| Some((outcome, self.outcomes.get(&(other, *seed))?)))
            .peekable();
        pairs.peek().is_some()
            && pairs.all(|(one, other)| (&one.digest, one.figure) == (&other.digest, other.figure))
    }
}
