//! A bisection whose runs are made on all processors.
//!
//! The releases' runs note which rows of the kernel they ask (`crates/asked`). A run of a release
//! with changes that differs from it in nothing that the release's run asks would be the same run,
//! and is not made; one that differs in what is first asked late begins at a later instant.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use schedscope_bisect::{Batch, Run, Source};
pub use schedscope_bisect::{
    Bisection, Change, Effect, Plan, Ranked, Ranking, Refusal, SEEDS_MAX, SEEDS_MIN, Seeds, Series,
    whole,
};
use schedscope_engine::kernel::config::Version;
use schedscope_scenario::one_spelling;
use serde_json::Value;

use crate::asked::{Ended, Origin, Recorded, recorded};
use crate::changes::Changes;
use crate::execute::Limits;
use crate::failure::Failure;
use crate::live;
use crate::side::Side;
use crate::sweep::jobs::{self, CameTo, Done, Event, Runs, figures_of, simulated, watch};
use crate::target::{Target, Whose};

/// The answer as `schedscope.bisect/1`; `is_complete` if no run is missing. It also says which runs
/// were not needed, which the page, whose runs note nothing, does not ask.
pub fn object(bisection: &Bisection, is_complete: bool) -> Value {
    let mut object = schedscope_bisect::object(bisection, is_complete);
    let name = |change: usize| bisection.plan.changes[change].name.as_str();
    object["runs_not_needed"] = bisection.unasked_runs().into();
    object["runs_resumed"] = bisection.resumed.into();
    object["never_asked"] = bisection.never_asked().into_iter().map(name).collect();
    object
}

/// What is heard on the way.
#[derive(Clone, Copy, Debug)]
pub enum Heard {
    /// This many runs of a stage, which is named, come next.
    Stage(&'static str, usize),
    /// A run has ended.
    Ended,
}

/// How runs are made: how many at once, and until when.
pub struct How<'h> {
    pub jobs: usize,
    /// Whether runs are made, too, that their release's run shows to be the same.
    pub every_run: bool,
    pub asked_to_end: &'h (dyn Fn() -> bool + Sync),
}

/// A bisection of a scenario.
pub struct Bisected {
    pub bisection: Bisection,
    target: Target,
    limits: Limits,
    /// The runs of the releases that noted what they ask.
    noted: BTreeMap<Run, Noted>,
}

impl Bisected {
    /// A bisection of `metric` between two releases; nothing is run yet.
    ///
    /// # Errors
    /// The releases are one, the scenario with one of them is invalid, it has no such figure, the
    /// changes set the version, or there are no such seeds.
    pub fn new(
        target: Target,
        variant: Option<&str>,
        changes: &Changes,
        releases: [Version; 2],
        metric: &str,
        seeds: Seeds,
    ) -> Result<Self, Failure> {
        if changes.set.iter().any(|(path, _)| one_spelling(path) == "kernel.version") {
            return Err(Failure::usage(
                "kernel.version is set, which the two releases are for: --from and --to",
            ));
        }
        let (common, _) = target.sets(variant, changes.set.clone())?;
        let source = Source {
            slug: target.slug.clone(),
            name: target.name_for_commands().to_owned(),
            document: target.document()?.clone(),
            common,
            live: target.live(Whose::Both, &changes.live),
            limits: changes.limits.flags(),
        };
        let plan = Plan::new(source, releases, metric, seeds);
        let bisection = Bisection::new(plan.map_err(|refusal| failure(&target, refusal))?);
        Ok(Self { bisection, target, limits: changes.limits, noted: BTreeMap::new() })
    }

    /// Makes the runs, until the answer is found.
    ///
    /// # Errors
    /// A run fails or reaches a limit, or the bisection is asked to end: what is known by then
    /// counts. No run of a release has the figure.
    pub fn run(&mut self, how: &How<'_>, hear: &mut dyn FnMut(Heard)) -> Result<(), Failure> {
        while let Some(batch) =
            self.bisection.next_batch().map_err(|refusal| failure(&self.target, refusal))?
        {
            hear(Heard::Stage(batch.stage, batch.runs.len()));
            self.make(&batch, how, &mut || hear(Heard::Ended))?;
        }
        Ok(())
    }

    /// Makes the runs of a batch, those of the releases first, which say what the others need;
    /// those that ended before a failure count.
    fn make(
        &mut self,
        batch: &Batch,
        how: &How<'_>,
        ended: &mut dyn FnMut(),
    ) -> Result<(), Failure> {
        let is_release = |run: &Run| self.bisection.of_release(*run) == *run;
        let (releases, changed) = batch.runs.iter().partition(|run| is_release(run));
        self.make_of(releases, how, ended)?;
        self.make_of(changed, how, ended)
    }

    fn make_of(
        &mut self,
        runs: Vec<Run>,
        how: &How<'_>,
        ended: &mut dyn FnMut(),
    ) -> Result<(), Failure> {
        let numbers: Vec<usize> = (0..runs.len()).collect();
        let found = Mutex::default();
        let asked = Asked { bisected: self, runs: &runs, every_run: how.every_run, found: &found };
        let Done { rows, end } =
            jobs::run(&asked, &numbers, how.jobs, how.asked_to_end, &mut |event| {
                if matches!(event, Event::Ended) {
                    ended();
                }
                Ok(())
            });
        let Found { noted, unasked, resumed } =
            found.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.noted.extend(noted);
        self.bisection.resumed += resumed;
        for row in rows.into_iter().filter(|row| row.complete) {
            let run = runs[row.run];
            if unasked.contains(&run) {
                self.bisection.hear_unasked(run);
            } else {
                let figure = row.figures.first().copied().flatten();
                self.bisection.hear(run, row.digest, figure);
            }
        }
        end
    }
}

/// A run that noted what it asks.
struct Noted {
    origin: Origin,
    came_to: CameTo,
}

/// What is found out while runs are made.
#[derive(Default)]
struct Found {
    /// Runs of the releases.
    noted: BTreeMap<Run, Noted>,
    /// Runs that need not be made.
    unasked: BTreeSet<Run>,
    /// How many runs began at a later instant.
    resumed: usize,
}

/// Runs of a bisection.
struct Asked<'a> {
    bisected: &'a Bisected,
    runs: &'a [Run],
    every_run: bool,
    found: &'a Mutex<Found>,
}

impl Asked<'_> {
    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run of a release, which notes what it asks; none if it does not come to its end.
    fn noting(&self, run: Run, side: &Side, go_on: &mut dyn FnMut() -> bool) -> Option<CameTo> {
        let Recorded { digest, records, metrics, origin } =
            recorded(&side.prepared, watch(self.limits()).options(), go_on)?;
        let figures = figures_of(&metrics, self.metrics());
        let came_to = CameTo { digest, records, complete: true, figures };
        let noted = Noted { origin, came_to: came_to.clone() };
        self.found().noted.insert(run, noted);
        Some(came_to)
    }

    /// What a run that need not be made comes to; none for one that has to be made.
    fn unasked(&self, run: Run, side: &Side) -> Option<CameTo> {
        let release = self.bisected.bisection.of_release(run);
        let noted = self.bisected.noted.get(&release)?;
        noted.origin.is_of(&side.prepared).then(|| {
            self.found().unasked.insert(run);
            noted.came_to.clone()
        })
    }
}

impl Asked<'_> {
    /// What a run comes to that is its release's up to a later instant, made from there on; none
    /// for one that has to be made from the start.
    fn resumed(&self, run: Run, side: &Side, go_on: &mut dyn FnMut() -> bool) -> Option<CameTo> {
        let release = self.bisected.bisection.of_release(run);
        let origin = &self.bisected.noted.get(&release)?.origin;
        let options = watch(self.limits()).options();
        let Ended { digest, records, metrics } = origin.resumed(&side.prepared, options, go_on)?;
        self.found().resumed += 1;
        let figures = figures_of(&metrics, self.metrics());
        Some(CameTo { digest, records, complete: true, figures })
    }
}

impl Runs for Asked<'_> {
    fn side(&self, run: usize) -> Result<Side, Failure> {
        let Bisected { bisection, target, limits, .. } = self.bisected;
        let set = bisection.settings(self.runs[run]);
        let live = bisection.plan.source.live.clone();
        Ok(Side::new(target, &set)?.writing(live)?.limited_by(*limits))
    }

    fn metrics(&self) -> &[String] {
        &self.bisected.bisection.plan.metric
    }

    fn limits(&self) -> Limits {
        self.bisected.limits
    }

    fn come_to(
        &self,
        run: usize,
        side: &Side,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<CameTo>, Failure> {
        let of = self.runs[run];
        let known = match () {
            () if self.every_run => None,
            () if self.bisected.bisection.of_release(of) == of => self.noting(of, side, go_on),
            () => self.unasked(of, side).or_else(|| self.resumed(of, side, go_on)),
        };
        known.map_or_else(
            || simulated(side, self.metrics(), self.limits(), go_on),
            |known| Ok(Some(known)),
        )
    }
}

fn failure(target: &Target, refusal: Refusal) -> Failure {
    match refusal {
        Refusal::Usage(message) => Failure::Usage(message),
        Refusal::Scenario(error) => target.invalid(*error),
        Refusal::Write(write, error) => live::failure(&write, *error),
    }
}
