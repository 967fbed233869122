//! One bisection, as far as it has come.

use std::collections::BTreeMap;

use schedscope_scenario::sampled_at;
use serde_json::Value;

use crate::effect::{Effect, Series};
use crate::measured::{Measured, Run};
use crate::plan::{Plan, Seeds, Trial};
use crate::ranking::{Ranking, Tried, pairs_to_try, rank, undecided};
use crate::refusal::Refusal;
use crate::set::Set;

/// The two releases among the kinds of runs.
const RELEASES: [usize; 2] = [0, 1];

/// Runs that are needed next, with the name of their stage. There is at least one.
#[derive(Clone, Debug)]
pub struct Batch {
    pub stage: &'static str,
    pub runs: Vec<Run>,
}

/// How far a bisection has come.
#[derive(Clone, Copy, Debug)]
enum Stage {
    Start,
    Releases,
    Changes,
    Over,
}

/// A way to try changes: a kind of run, or why there is none.
#[derive(Clone, Debug)]
enum Way {
    Kind(usize),
    Same,
    Refused(String),
}

/// One bisection, as far as it has come.
pub struct Bisection {
    /// What it is of.
    pub plan: Plan,
    /// How many seeds were taken.
    pub seeds: usize,
    /// With how many of them each change was tried at least.
    pub trial_seeds: usize,
    /// With how many the undecided ones were.
    most_tried: usize,
    stage: Stage,
    measured: Measured,
    /// The release, 0 or 1, that each kind of run is of.
    releases: Vec<usize>,
    /// For each change, how it is put into the first release and left out of the second.
    changes: Vec<[Way; 2]>,
    pairs: BTreeMap<[usize; 2], [Way; 2]>,
    /// The first release with every change put in.
    together: Option<Way>,
}

/// The settings that try changes in one release, and the release's own.
#[derive(Clone, Debug)]
pub struct Sets {
    pub release: Set,
    pub changed: Set,
}

impl Bisection {
    /// Nothing run yet.
    pub fn new(plan: Plan) -> Self {
        let mut measured = Measured::new();
        for release in RELEASES {
            measured.kind(plan.release(release));
        }
        Self {
            plan,
            seeds: 0,
            trial_seeds: 0,
            most_tried: 0,
            stage: Stage::Start,
            measured,
            releases: RELEASES.to_vec(),
            changes: Vec::new(),
            pairs: BTreeMap::new(),
            together: None,
        }
    }

    /// The runs that are needed next; none where the answer is found. To be asked again when what
    /// all of them came to was heard.
    ///
    /// # Errors
    /// Fewer than two runs of a release have the figure.
    pub fn next_batch(&mut self) -> Result<Option<Batch>, Refusal> {
        let Seeds { first, most } = self.plan.seeds;
        loop {
            let batch = match self.stage {
                Stage::Start => {
                    self.stage = Stage::Releases;
                    self.batch("releases", &RELEASES, first)
                }
                Stage::Releases if self.seeds < most && self.is_open() => {
                    self.batch("releases", &RELEASES, (2 * self.seeds).min(most))
                }
                Stage::Releases => {
                    self.check_figures()?;
                    if self.are_same() {
                        self.stage = Stage::Over;
                        return Ok(None);
                    }
                    self.add_changes();
                    self.stage = Stage::Changes;
                    self.trial_seeds = if self.differs() { self.seeds } else { first };
                    self.most_tried = self.trial_seeds;
                    self.batch("changes", &self.open_kinds(), self.trial_seeds)
                }
                Stage::Changes if self.most_tried < most && !self.undecided().is_empty() => {
                    let kinds = self.undecided_kinds();
                    self.most_tried = (2 * self.most_tried).min(most);
                    self.batch("more seeds", &kinds, self.most_tried)
                }
                Stage::Changes => {
                    self.add_pairs();
                    self.stage = Stage::Over;
                    let kinds = self.open_among(self.pairs.values().flat_map(of_releases));
                    self.batch("pairs", &kinds, self.most_tried)
                }
                Stage::Over => return Ok(None),
            };
            if !batch.runs.is_empty() {
                return Ok(Some(batch));
            }
        }
    }

    fn batch(&mut self, stage: &'static str, kinds: &[usize], seeds: usize) -> Batch {
        self.seeds = self.seeds.max(seeds);
        Batch { stage, runs: self.measured.missing(kinds, 0..seeds) }
    }

    /// The settings of a run.
    pub fn settings(&self, run: Run) -> Set {
        self.plan.with_seed(self.measured.set(run.kind), self.plan.first_seed + run.seed as u64)
    }

    /// The figure in the `metrics` of a run's report; none where it was not sampled.
    pub fn figure(&self, metrics: &Value) -> Option<i64> {
        sampled_at(metrics, &self.plan.metric[0])?.as_i64()
    }

    /// Takes what a run came to: the digest of its schedule, and the figure. A run that a limit cut
    /// is not to be given.
    pub fn hear(&mut self, run: Run, digest: String, figure: Option<i64>) {
        self.measured.hear(run, digest, figure);
    }

    /// The run of the release that `run` is of, with the same seed; `run` itself where it changes
    /// nothing in its release.
    pub fn of_release(&self, run: Run) -> Run {
        Run { kind: self.releases[run.kind], ..run }
    }

    /// Takes it that a run which was not made would be that of its release: this one, which was
    /// heard, never asks what is changed.
    pub fn hear_unasked(&mut self, run: Run) {
        self.measured.hear_unasked(run, self.releases[run.kind]);
    }

    /// Whether more seeds could find a difference between the releases: the figures differ with
    /// some seed, and the interval holds zero.
    fn is_open(&self) -> bool {
        self.whole().effect().is_none_or(|whole| whole.low < 0.0 && whole.high > 0.0)
    }

    /// A figure that no run has cannot be bisected.
    fn check_figures(&self) -> Result<(), Refusal> {
        let lacks = |release: &usize| self.figures(*release).effect().is_none();
        let Some(release) = RELEASES.into_iter().find(lacks) else { return Ok(()) };
        let (release, metric) = (self.plan.releases[release], &self.plan.metric[0]);
        Err(Refusal::usage(format!(
            "fewer than two runs of {release} have the figure {metric}: nothing was sampled\n  \
                expected: a figure that the run has (`schedscope run --json`), or a longer --for"
        )))
    }

    fn add_changes(&mut self) {
        for change in 0..self.plan.changes.len() {
            let ways = RELEASES.map(|release| self.way(release, &[change]));
            self.changes.push(ways);
        }
        let possible: Vec<usize> = (0..self.changes.len())
            .filter(|change| !matches!(self.changes[*change][0], Way::Refused(_)))
            .collect();
        self.together = Some(self.way(0, &possible));
    }

    fn add_pairs(&mut self) {
        for pair in pairs_to_try(&self.whole(), &self.tried()) {
            let ways = RELEASES.map(|release| self.way(release, &pair));
            self.pairs.insert(pair, ways);
        }
    }

    fn way(&mut self, release: usize, changes: &[usize]) -> Way {
        match self.plan.trial(release, changes) {
            Trial::Run(set) => {
                self.releases.push(release);
                Way::Kind(self.measured.kind(set))
            }
            Trial::Same => Way::Same,
            Trial::Refused(why) => Way::Refused(why),
        }
    }

    /// The kinds of runs that more seeds can say something about: both releases, and the changes
    /// whose runs differ from their release's.
    fn open_kinds(&self) -> Vec<usize> {
        let together = self.together.iter().map(|way| (way, 0));
        self.open_among(self.changes.iter().flat_map(of_releases).chain(together))
    }

    fn undecided(&self) -> Vec<usize> {
        undecided(&self.whole(), &self.tried())
    }

    /// The kinds of runs that more seeds are for: all that are open, so that the rest is known as
    /// well as its parts. Where the releases do not differ, those of undecided changes.
    fn undecided_kinds(&self) -> Vec<usize> {
        if self.differs() {
            return self.open_kinds();
        }
        let ways = self.undecided().into_iter().map(|change| &self.changes[change]);
        self.open_among(ways.flat_map(of_releases))
    }

    fn open_among<'w>(&self, ways: impl Iterator<Item = (&'w Way, usize)>) -> Vec<usize> {
        let kind = |(way, release): (&Way, usize)| match way {
            Way::Kind(kind) if !self.measured.are_same(*kind, release) => Some(*kind),
            _ => None,
        };
        RELEASES.into_iter().chain(ways.filter_map(kind)).collect()
    }

    /// Whether both releases had the same schedule with every seed.
    pub fn are_same(&self) -> bool {
        self.measured.are_same(RELEASES[0], RELEASES[1])
    }

    /// Whether a release, 0 or 1, has one schedule with every seed: its figure is that of one run.
    pub fn is_one_schedule(&self, release: usize) -> bool {
        self.measured.is_one_schedule(release)
    }

    /// Whether the figure differs between the releases beyond its error.
    pub fn differs(&self) -> bool {
        self.whole().effect().is_some_and(|effect| effect.is_clear())
    }

    /// The figure of a release, 0 or 1, seed by seed.
    pub fn figures(&self, release: usize) -> Series {
        self.measured.series(release, self.seeds)
    }

    /// The figure of the second release less that of the first, seed by seed.
    pub fn whole(&self) -> Series {
        self.figures(1).less(&self.figures(0))
    }

    /// What was measured of each change.
    pub fn tried(&self) -> Vec<Tried> {
        self.changes.iter().map(|ways| self.tried_by(ways)).collect()
    }

    fn tried_by(&self, [alone, without]: &[Way; 2]) -> Tried {
        Tried { alone: self.added(alone, 0), without: self.added(without, 1) }
    }

    /// What a way adds, from the first release towards the second.
    fn added(&self, way: &Way, release: usize) -> Option<Series> {
        let own = self.figures(release);
        let kind = match way {
            Way::Refused(_) => return None,
            Way::Same => return Some(own.zeros()),
            Way::Kind(kind) if self.measured.are_same(*kind, release) => return Some(own.zeros()),
            Way::Kind(kind) => self.measured.series(*kind, self.seeds),
        };
        Some(if release == 0 { kind.less(&own) } else { own.less(&kind) })
    }

    /// The answer; none where the releases do not differ and no change was tried.
    pub fn ranking(&self) -> Option<Ranking> {
        let pairs = self.pairs.iter().map(|(pair, ways)| (*pair, self.tried_by(ways))).collect();
        let is_any = self.differs() || !self.changes.is_empty();
        is_any.then(|| rank(&self.whole(), &self.tried(), &pairs))
    }

    /// What all changes together add to the first release.
    pub fn together(&self) -> Option<Effect> {
        self.added(self.together.as_ref()?, 0)?.effect()
    }

    /// How the changes of a ranked entry are put into the first release (0) or left out of the
    /// second (1); the reason where that is not possible, none where the run would be the release's
    /// own.
    pub fn sets(&self, changes: &[usize], release: usize) -> Result<Option<Sets>, &str> {
        let ways = match changes {
            [one] => self.changes.get(*one),
            [one, other] => self.pairs.get(&[*one, *other]),
            _ => None,
        };
        match ways.map(|ways| &ways[release]) {
            Some(Way::Kind(kind)) if self.measured.are_same(*kind, release) => Ok(None),
            Some(Way::Kind(kind)) => Ok(Some(Sets {
                release: self.measured.set(release).clone(),
                changed: self.measured.set(*kind).clone(),
            })),
            Some(Way::Refused(why)) => Err(why),
            Some(Way::Same) | None => Ok(None),
        }
    }

    /// Why a change can be tried in neither release, of each that cannot.
    pub fn refused(&self) -> Vec<(usize, &str)> {
        let why = |(change, ways): (usize, &'_ [Way; 2])| match ways {
            [Way::Refused(_), Way::Refused(_)] => Some(change),
            _ => None,
        };
        let changes = self.changes.iter().enumerate().filter_map(why);
        changes.map(|change| (change, self.sets(&[change], 0).err().unwrap_or(""))).collect()
    }

    /// The changes with which every run is the release's own.
    pub fn without_effect(&self) -> Vec<usize> {
        let is_own = |(way, release): (&Way, usize)| match way {
            Way::Same | Way::Refused(_) => true,
            Way::Kind(kind) => self.measured.are_same(*kind, release),
        };
        let refused: Vec<usize> = self.refused().into_iter().map(|(change, _)| change).collect();
        let changes = self.changes.iter().enumerate();
        changes
            .filter(|(_, ways)| ways.iter().zip(RELEASES).all(is_own))
            .map(|(change, _)| change)
            .filter(|change| !refused.contains(change))
            .collect()
    }

    /// Those of [`Self::without_effect`] that no run of their release asks, with any seed.
    pub fn never_asked(&self) -> Vec<usize> {
        let is_kind = |way: &Way| matches!(way, Way::Kind(_));
        let is_asked =
            |way: &Way| matches!(way, Way::Kind(kind) if !self.measured.is_unasked(*kind));
        let is_never = |change: &usize| {
            let ways = &self.changes[*change];
            ways.iter().any(is_kind) && !ways.iter().any(is_asked)
        };
        self.without_effect().into_iter().filter(is_never).collect()
    }

    /// The changes that move the schedule and leave the figure as it is with every seed.
    pub fn without_figure(&self) -> Vec<usize> {
        self.unranked(|tried| tried.leaves_figure())
    }

    /// The changes whose runs are not finished.
    pub fn unfinished(&self) -> Vec<usize> {
        self.unranked(|tried| !tried.leaves_figure() && tried.effect().is_none())
    }

    fn unranked(&self, is_asked: impl Fn(&Tried) -> bool) -> Vec<usize> {
        let known: Vec<usize> = self
            .without_effect()
            .into_iter()
            .chain(self.refused().into_iter().map(|(change, _)| change))
            .collect();
        let tried = self.tried();
        let changes = (0..tried.len()).filter(|change| !known.contains(change));
        changes.filter(|change| is_asked(&tried[*change])).collect()
    }

    /// How many pairs were tried.
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// How many runs the answer is made of.
    pub fn runs(&self) -> usize {
        self.measured.runs()
    }

    /// How many of them were not made, because their release never asks what is changed in them.
    pub fn unasked_runs(&self) -> usize {
        self.measured.unasked()
    }

    /// The seeds taken.
    pub fn seeds(&self) -> std::ops::Range<u64> {
        self.plan.first_seed..self.plan.first_seed + self.seeds as u64
    }

    /// How many ways to try changes and pairs have figures that vary, and so an interval.
    pub fn intervals(&self) -> usize {
        let ways = self.changes.iter().chain(self.pairs.values());
        let tried = ways.map(|ways| self.tried_by(ways));
        let effects = tried.flat_map(|tried| [tried.alone, tried.without]).flatten();
        effects.filter_map(|series| series.effect()).filter(|effect| !effect.is_exact()).count()
    }
}

/// How changes are put into the first release and left out of the second, each with its release.
fn of_releases(ways: &[Way; 2]) -> impl Iterator<Item = (&Way, usize)> {
    ways.iter().zip(RELEASES)
}

#[cfg(test)]
mod tests;
