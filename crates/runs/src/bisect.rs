//! A bisection whose runs are made on all processors.

use schedscope_bisect::{Batch, Source};
pub use schedscope_bisect::{
    Bisection, Change, Effect, Plan, Ranked, Ranking, Refusal, SEEDS_MAX, SEEDS_MIN, Seeds, Series,
    object, whole,
};
use schedscope_engine::kernel::config::Version;
use schedscope_scenario::one_spelling;

use crate::changes::Changes;
use crate::execute::Limits;
use crate::failure::Failure;
use crate::live;
use crate::side::Side;
use crate::sweep::jobs::{self, Done, Event, Runs};
use crate::target::{Target, Whose};

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
    pub asked_to_end: &'h (dyn Fn() -> bool + Sync),
}

/// A bisection of a scenario.
pub struct Bisected {
    pub bisection: Bisection,
    target: Target,
    limits: Limits,
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
        Ok(Self { bisection, target, limits: changes.limits })
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

    /// Makes the runs of a batch; those that ended before a failure count.
    fn make(
        &mut self,
        batch: &Batch,
        how: &How<'_>,
        ended: &mut dyn FnMut(),
    ) -> Result<(), Failure> {
        let runs: Vec<usize> = (0..batch.runs.len()).collect();
        let asked = Asked { bisected: self, batch };
        let Done { rows, end } =
            jobs::run(&asked, &runs, how.jobs, how.asked_to_end, &mut |event| {
                if matches!(event, Event::Ended) {
                    ended();
                }
                Ok(())
            });
        for row in rows.into_iter().filter(|row| row.complete) {
            let figure = row.figures.first().copied().flatten();
            self.bisection.hear(batch.runs[row.run], row.digest, figure);
        }
        end
    }
}

/// Runs of a bisection.
struct Asked<'a> {
    bisected: &'a Bisected,
    batch: &'a Batch,
}

impl Runs for Asked<'_> {
    fn side(&self, run: usize) -> Result<Side, Failure> {
        let Bisected { bisection, target, limits } = self.bisected;
        let set = bisection.settings(self.batch.runs[run]);
        let live = bisection.plan.source.live.clone();
        Ok(Side::new(target, &set)?.writing(live)?.limited_by(*limits))
    }

    fn metrics(&self) -> &[String] {
        &self.bisected.bisection.plan.metric
    }

    fn limits(&self) -> Limits {
        self.bisected.limits
    }
}

fn failure(target: &Target, refusal: Refusal) -> Failure {
    match refusal {
        Refusal::Usage(message) => Failure::Usage(message),
        Refusal::Scenario(error) => target.invalid(*error),
        Refusal::Write(write, error) => live::failure(&write, *error),
    }
}
