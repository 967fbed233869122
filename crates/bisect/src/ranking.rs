//! Which changes made a difference between two releases, from what was measured of each change.
//! Numbers in, numbers out: nothing here knows a kernel or a run.
//!
//! ```text
//!   from ──────────────── whole ──────────────► to
//!   from ── alone ─► from with the change
//!                        to without it ─ without ─► to
//! ```

use std::collections::BTreeMap;

use crate::effect::{Effect, Series};

/// A part of the whole difference that matters: a tenth.
const MATTERS: f64 = 0.1;
/// An unexplained part from which on pairs are tried: a fifth.
const UNEXPLAINED: f64 = 0.2;
/// How many of the strongest changes are tried in pairs.
const PAIRED: usize = 6;

/// What was measured of a change, or of two together, from the first release to the second.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tried {
    /// What it adds to the first release; none where that release cannot have it.
    pub alone: Option<Series>,
    /// What it adds to the second release without it; none where that release cannot lack it.
    pub without: Option<Series>,
}

impl Tried {
    /// The mean of both ways, seed by seed; of one way where the other is not possible. For two
    /// changes that need each other this gives each its half.
    fn both(&self) -> Option<Series> {
        match (&self.alone, &self.without) {
            (Some(alone), Some(without)) => Some(alone.with(without, f64::midpoint)),
            (one, other) => one.as_ref().or(other.as_ref()).cloned(),
        }
    }

    fn effects(&self) -> [Option<Effect>; 2] {
        [&self.alone, &self.without].map(|series| series.as_ref().and_then(Series::effect))
    }

    /// The mean effect of both ways; none where fewer than two seeds have it.
    pub fn effect(&self) -> Option<Effect> {
        self.both()?.effect()
    }

    /// Whether every run has the figure of its release.
    pub fn leaves_figure(&self) -> bool {
        let is_zero = |effect: Effect| effect.is_exact() && effect.mean == 0.0;
        let ways = [&self.alone, &self.without].into_iter().flatten();
        ways.map(Series::effect).all(|effect| effect.is_some_and(is_zero))
    }

    /// Whether an interval lies on one side of zero.
    fn is_clear(&self) -> bool {
        self.effects().iter().chain([&self.effect()]).flatten().any(Effect::is_clear)
    }

    /// The larger of both effects, without its sign.
    fn strength(&self) -> f64 {
        let sizes = self.effects().into_iter().flatten().map(|effect| effect.mean.abs());
        sizes.fold(0.0, f64::max)
    }

    /// What this has beyond `others`, both ways.
    fn beyond(&self, others: [&Self; 2]) -> [Option<Effect>; 2] {
        let way = |of: fn(&Self) -> Option<&Series>| {
            let [one, other] = others.map(of);
            of(self)?.less(one?).less(other?).effect()
        };
        [way(|tried| tried.alone.as_ref()), way(|tried| tried.without.as_ref())]
    }
}

/// A change, or a pair, with its effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// One change or two, by their places.
    pub changes: Vec<usize>,
    /// What it adds to the first release.
    pub alone: Option<Effect>,
    /// What it adds to the second release without it.
    pub without: Option<Effect>,
    /// The mean of both.
    pub effect: Effect,
    /// `effect` as a part of the whole difference; negative for a change against it.
    pub share: f64,
    /// Whether `alone`, `without` or `effect` has an interval on one side of zero.
    pub is_clear: bool,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// The clear ones first, then by the size of the effect, the largest first.
    pub ranked: Vec<Ranked>,
    /// The whole difference less the clear effects.
    pub unexplained: Option<Effect>,
}

/// Ranks changes, given by their places, and pairs of them; an accepted pair takes the place of its
/// two changes.
pub fn rank(whole: &Series, tried: &[Tried], pairs: &BTreeMap<[usize; 2], Tried>) -> Ranking {
    let accepted = accepted(whole, tried, pairs);
    let is_in_pair = |change: &usize| accepted.iter().any(|pair| pair.contains(change));
    let alone = (0..tried.len()).filter(|change| !is_in_pair(change));
    let all = accepted
        .iter()
        .map(|pair| (pair.to_vec(), &pairs[pair]))
        .chain(alone.map(|change| (vec![change], &tried[change])));
    let (mut ranked, mut rest) = (Vec::new(), whole.clone());
    for (changes, tried) in all {
        let Some(both) = tried.both().filter(|_| tried.strength() > 0.0) else { continue };
        let (Some(effect), [alone, without]) = (both.effect(), tried.effects()) else { continue };
        let is_clear = tried.is_clear();
        if is_clear {
            rest = rest.less(&both);
        }
        let share = effect.mean / mean(whole);
        ranked.push(Ranked { changes, alone, without, effect, share, is_clear });
    }
    ranked.sort_by(|one, other| {
        let key = |ranked: &Ranked| (ranked.is_clear, ranked.effect.mean.abs());
        key(other).partial_cmp(&key(one)).unwrap_or(std::cmp::Ordering::Equal)
    });
    Ranking { ranked, unexplained: rest.effect() }
}

/// The pairs to try: none where single changes explain the difference and each does the same alone
/// and without.
pub fn pairs_to_try(whole: &Series, tried: &[Tried]) -> Vec<[usize; 2]> {
    let unexplained = rank(whole, tried, &BTreeMap::new()).unexplained;
    let is_left = unexplained
        .is_some_and(|unexplained| unexplained.mean.abs() > UNEXPLAINED * mean(whole).abs());
    if !is_left && !tried.iter().any(|tried| disagrees(whole, tried)) {
        return Vec::new();
    }
    let mut strongest: Vec<usize> =
        (0..tried.len()).filter(|change| tried[*change].strength() > 0.0).collect();
    strongest.sort_by(|one, other| tried[*other].strength().total_cmp(&tried[*one].strength()));
    strongest.truncate(PAIRED);
    strongest.sort_unstable();
    let after = |at: usize| strongest[at + 1..].iter().map(move |other| (at, *other));
    let pairs = (0..strongest.len()).flat_map(after);
    pairs.map(|(at, other)| [strongest[at], other]).collect()
}

/// Whether a change that would matter may have no effect: more seeds would say.
pub fn is_undecided(whole: &Series, tried: &[Tried]) -> bool {
    tried.iter().any(|tried| {
        tried.effect().is_some_and(|effect| matters(whole, &effect)) && !tried.is_clear()
    })
}

/// The pairs that have what their changes alone do not have, the strongest first; no change is in
/// two of them.
fn accepted(
    whole: &Series,
    tried: &[Tried],
    pairs: &BTreeMap<[usize; 2], Tried>,
) -> Vec<[usize; 2]> {
    let mut beyond: Vec<([usize; 2], f64)> = Vec::new();
    for (pair, together) in pairs {
        let effects = together.beyond(pair.map(|change| &tried[change])).into_iter().flatten();
        let sizes = effects
            .filter(|effect| effect.is_clear() && matters(whole, effect))
            .map(|effect| effect.mean.abs());
        beyond.extend(sizes.reduce(f64::max).map(|size| (*pair, size)));
    }
    beyond.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let mut accepted: Vec<[usize; 2]> = Vec::new();
    for (pair, _) in beyond {
        if !accepted.iter().flatten().any(|change| pair.contains(change)) {
            accepted.push(pair);
        }
    }
    accepted
}

/// Whether a change does more, or less, in the first release than in the second.
fn disagrees(whole: &Series, tried: &Tried) -> bool {
    let (Some(alone), Some(without)) = (&tried.alone, &tried.without) else { return false };
    let between = alone.less(without).effect();
    between.is_some_and(|effect| effect.is_clear() && matters(whole, &effect))
}

fn matters(whole: &Series, effect: &Effect) -> bool {
    effect.mean.abs() >= MATTERS * mean(whole).abs()
}

fn mean(whole: &Series) -> f64 {
    whole.effect().map_or(0.0, |effect| effect.mean)
}

#[cfg(test)]
mod tests;
