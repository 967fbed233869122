//! The runs of a bisection: which were made, and what each came to.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::effect::Series;
use crate::set::Set;

/// What a run came to.
#[derive(Clone, Debug)]
struct Outcome {
    digest: String,
    figure: Option<i64>,
}

/// A run: its kind, and the number of its seed, from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    pub kind: usize,
    pub seed: usize,
}

/// Runs by their settings and seed.
#[derive(Debug)]
pub struct Measured {
    /// The settings of each kind of run.
    sets: Vec<Set>,
    outcomes: BTreeMap<Run, Outcome>,
    /// The runs that were not made, because another one never asks what is different in them.
    unasked: BTreeSet<Run>,
}

impl Measured {
    /// None made yet.
    pub fn new() -> Self {
        Self { sets: Vec::new(), outcomes: BTreeMap::new(), unasked: BTreeSet::new() }
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

    /// How many runs are known, made or not.
    pub fn runs(&self) -> usize {
        self.outcomes.len()
    }

    /// How many of them were not made.
    pub fn unasked(&self) -> usize {
        self.unasked.len()
    }

    /// Whether no run of a kind was made, and what they would come to is known.
    pub fn is_unasked(&self, kind: usize) -> bool {
        let mut runs = self.of(kind).map(|(run, _)| run).peekable();
        runs.peek().is_some() && runs.all(|run| self.unasked.contains(run))
    }

    /// The runs of these kinds with these seeds that are missing: seed by seed, so that a bisection
    /// that is stopped has some seeds of every kind.
    pub fn missing(&self, kinds: &[usize], seeds: Range<usize>) -> Vec<Run> {
        let all = seeds.flat_map(|seed| kinds.iter().map(move |kind| Run { kind: *kind, seed }));
        all.filter(|run| !self.outcomes.contains_key(run)).collect()
    }

    /// Takes what a run came to.
    pub fn hear(&mut self, run: Run, digest: String, figure: Option<i64>) {
        self.outcomes.insert(run, Outcome { digest, figure });
    }

    /// A run that was not made comes to the same as that of `kind` with its seed, if that is known.
    pub fn hear_unasked(&mut self, run: Run, kind: usize) {
        if let Some(outcome) = self.outcomes.get(&Run { kind, ..run }).cloned() {
            self.outcomes.insert(run, outcome);
            self.unasked.insert(run);
        }
    }

    /// The figure of each of the first `seeds` seeds.
    pub fn series(&self, kind: usize, seeds: usize) -> Series {
        let of = |seed| self.outcomes.get(&Run { kind, seed })?.figure;
        Series::of((0..seeds).map(|seed| of(seed).map(|figure| figure as f64)))
    }

    /// Whether every seed gave this kind the same schedule, and more than one was taken.
    pub fn is_one_schedule(&self, kind: usize) -> bool {
        let mut digests = self.of(kind).map(|(_, outcome)| &outcome.digest);
        let Some(first) = digests.next() else { return false };
        let mut others = digests.peekable();
        others.peek().is_some() && others.all(|digest| digest == first)
    }

    /// Whether both kinds have the same schedule and figure with every seed that both were made
    /// with, and there is one.
    pub fn are_same(&self, one: usize, other: usize) -> bool {
        let twin = |run: &Run| self.outcomes.get(&Run { kind: other, ..*run });
        let mut pairs =
            self.of(one).filter_map(|(run, outcome)| Some((outcome, twin(run)?))).peekable();
        pairs.peek().is_some()
            && pairs.all(|(one, other)| (&one.digest, one.figure) == (&other.digest, other.figure))
    }

    fn of(&self, kind: usize) -> impl Iterator<Item = (&Run, &Outcome)> {
        self.outcomes.range(Run { kind, seed: 0 }..Run { kind: kind + 1, seed: 0 })
    }
}
