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

    /// Both effects and their mean, as far as there are any.
    fn all(&self) -> impl Iterator<Item = Effect> {
        self.effects().into_iter().chain([self.effect()]).flatten()
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
    /// `effect` as a part of the whole difference; negative for a change against it. None where
    /// there is no difference.
    pub share: Option<f64>,
    /// Whether `alone`, `without` or `effect` has an interval on one side of zero; where there is
    /// no difference, an interval twice as wide.
    pub is_clear: bool,
}

/// What effects are measured by: the whole difference. Where there is none, the changes may cancel,
/// and no total confirms an effect of one of them: it has to be sure.
struct Scale {
    /// The size of the whole difference, or of the largest sure effect; 0 where there is neither.
    size: f64,
    differs: bool,
}

impl Scale {
    fn of(whole: &Series, tried: &[Tried]) -> Self {
        if let Some(effect) = whole.effect().filter(Effect::is_clear) {
            return Self { size: effect.mean.abs(), differs: true };
        }
        let sure = tried.iter().flat_map(Tried::all).filter(Effect::is_sure);
        let size = sure.map(|effect| effect.mean.abs()).fold(0.0, f64::max);
        Self { size, differs: false }
    }

    fn is_clear(&self, effect: &Effect) -> bool {
        if self.differs { effect.is_clear() } else { effect.is_sure() }
    }

    /// Whether one of both effects, or their mean, is clear.
    fn has_clear(&self, tried: &Tried) -> bool {
        tried.all().any(|effect| self.is_clear(&effect))
    }

    fn matters(&self, effect: &Effect) -> bool {
        effect.mean.abs() >= MATTERS * self.size
    }

    /// Whether a change does more, or less, in the first release than in the second.
    fn disagrees(&self, tried: &Tried) -> bool {
        let (Some(alone), Some(without)) = (&tried.alone, &tried.without) else { return false };
        let between = alone.less(without).effect();
        between.is_some_and(|effect| self.is_clear(&effect) && self.matters(&effect))
    }

    /// Whether more seeds could say that a change matters. Where the releases do not differ, most
    /// changes do nothing, and chance makes each look a little like one that does: only one whose
    /// effect is clear without being sure is looked at again.
    fn is_undecided(&self, tried: &Tried) -> bool {
        let may_matter = if self.differs {
            tried.effect().is_some_and(|effect| self.matters(&effect))
        } else {
            tried.all().any(|effect| effect.is_clear())
        };
        may_matter && !self.has_clear(tried)
    }
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// The clear ones first, then by the size of the effect, the largest first.
    pub ranked: Vec<Ranked>,
    /// The whole difference less the clear effects.
    pub unexplained: Option<Effect>,
    /// Whether there is no difference, and changes work against each other: some effect is clearly
    /// above zero, another one clearly below it.
    pub cancels: bool,
}

/// Ranks changes, given by their places, and pairs of them; an accepted pair takes the place of its
/// two changes.
pub fn rank(whole: &Series, tried: &[Tried], pairs: &BTreeMap<[usize; 2], Tried>) -> Ranking {
    let scale = Scale::of(whole, tried);
    let accepted = accepted(&scale, tried, pairs);
    let is_in_pair = |change: &usize| accepted.iter().any(|pair| pair.contains(change));
    let alone = (0..tried.len()).filter(|change| !is_in_pair(change));
    let all = accepted
        .iter()
        .map(|pair| (pair.to_vec(), &pairs[pair]))
        .chain(alone.map(|change| (vec![change], &tried[change])));
    let (mut ranked, mut rest, mut clear) = (Vec::new(), whole.clone(), Vec::new());
    for (changes, tried) in all {
        let Some(both) = tried.both().filter(|_| tried.strength() > 0.0) else { continue };
        let (Some(effect), [alone, without]) = (both.effect(), tried.effects()) else { continue };
        let is_clear = scale.has_clear(tried);
        if is_clear {
            rest = rest.less(&both);
            clear.extend(tried.all().filter(|effect| scale.is_clear(effect)));
        }
        let share = scale.differs.then(|| effect.mean / mean(whole));
        ranked.push(Ranked { changes, alone, without, effect, share, is_clear });
    }
    ranked.sort_by(|one, other| {
        let key = |ranked: &Ranked| (ranked.is_clear, ranked.effect.mean.abs());
        key(other).partial_cmp(&key(one)).unwrap_or(std::cmp::Ordering::Equal)
    });
    let has = |is_side: fn(f64) -> bool| clear.iter().any(|effect| is_side(effect.mean));
    let cancels = !scale.differs && has(|mean| mean > 0.0) && has(|mean| mean < 0.0);
    Ranking { ranked, unexplained: rest.effect(), cancels }
}

/// The pairs to try: none where single changes explain the difference and each does the same alone
/// and without, or where there is no difference and no change does anything.
pub fn pairs_to_try(whole: &Series, tried: &[Tried]) -> Vec<[usize; 2]> {
    let scale = Scale::of(whole, tried);
    let unexplained = rank(whole, tried, &BTreeMap::new()).unexplained;
    let is_left =
        unexplained.is_some_and(|unexplained| unexplained.mean.abs() > UNEXPLAINED * scale.size);
    let is_open = is_left || tried.iter().any(|tried| scale.disagrees(tried));
    if !is_open || scale.size == 0.0 {
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

/// The changes that would matter and may have no effect: more seeds would say.
pub fn undecided(whole: &Series, tried: &[Tried]) -> Vec<usize> {
    let scale = Scale::of(whole, tried);
    (0..tried.len()).filter(|change| scale.is_undecided(&tried[*change])).collect()
}

/// The pairs with a clear effect that have what their changes alone do not have, the strongest
/// first; no change is in two of them.
fn accepted(
    scale: &Scale,
    tried: &[Tried],
    pairs: &BTreeMap<[usize; 2], Tried>,
) -> Vec<[usize; 2]> {
    let mut beyond: Vec<([usize; 2], f64)> = Vec::new();
    for (pair, together) in pairs.iter().filter(|(_, together)| scale.has_clear(together)) {
        let effects = together.beyond(pair.map(|change| &tried[change])).into_iter().flatten();
        let sizes = effects
            .filter(|effect| scale.is_clear(effect) && scale.matters(effect))
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

fn mean(whole: &Series) -> f64 {
    whole.effect().map_or(0.0, |effect| effect.mean)
}

#[cfg(test)]
mod tests;
