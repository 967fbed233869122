//! What a bisection between two releases can try: the changes in which the scenario's two kernels
//! differ, and a run's settings with some of them put in or left out.

use std::collections::{BTreeMap, BTreeSet};

use schedscope_engine::kernel::config::{Bandwidth, Version};
use schedscope_engine::setup::Setup;
use schedscope_scenario::knobs::SEED_MAX;
use schedscope_scenario::versions::{Difference, TableRow, all_rows, between};
use schedscope_scenario::{
    Document, LiveWrite, MetricNames, Origin, Prepared, ResolvedKnob, check_metric,
    compare_command, live_flags, one_spelling,
};
use serde_json::{Map, Value, json};

use crate::refusal::Refusal;
use crate::set::Set;

const VERSION: &str = "kernel.version";
const BANDWIDTH: &str = "kernel.bandwidth";
const SEED: &str = "seed";

/// A change between the two kernels that a scenario can state by itself.
#[derive(Clone, Debug)]
pub struct Change {
    /// Where a scenario states it, or the switch of `kernel.bandwidth`.
    pub name: String,
    /// What the first and the second kernel have.
    pub values: [Value; 2],
    /// What the table of kernels says about it; none where the releases agree and the scenario's
    /// other choices made the difference.
    pub difference: Option<Difference>,
}

/// A run that a change, or several, can be tried by.
#[derive(Clone, Debug)]
pub enum Trial {
    /// One with these settings.
    Run(Set),
    /// None is needed: the run would be the release's own.
    Same,
    /// None is possible, and why.
    Refused(String),
}

/// Fewest seeds: one has no spread, and two are by chance too often near each other.
pub const SEEDS_MIN: usize = 3;
/// Most seeds.
pub const SEEDS_MAX: usize = 256;

/// How many seeds are taken: `first` at the beginning, twice as many while the answer is open, up
/// to `most`.
#[derive(Clone, Copy, Debug)]
pub struct Seeds {
    pub first: usize,
    pub most: usize,
}

impl Seeds {
    /// Refuses numbers out of range, and seeds that would pass the greatest one.
    fn check(self, first_seed: u64) -> Result<(), Refusal> {
        let Self { first, most } = self;
        let range = SEEDS_MIN..=SEEDS_MAX;
        if !range.contains(&first) || !range.contains(&most) {
            return Err(Refusal::usage(format!(
                "{first} seeds and at most {most}: expected whole numbers from {SEEDS_MIN} to \
                    {SEEDS_MAX}"
            )));
        }
        if most < first {
            return Err(Refusal::usage(format!(
                "at most {most} seeds are less than the {first} to begin with\n  expected: at most \
                    {first} seeds or more"
            )));
        }
        if first_seed + most as u64 - 1 > SEED_MAX {
            return Err(Refusal::usage(format!(
                "{most} seeds from {first_seed} on would pass {SEED_MAX}\n  expected: a smaller \
                    seed"
            )));
        }
        Ok(())
    }
}

/// A scenario, and what holds for every run of it.
#[derive(Debug)]
pub struct Source {
    /// The scenario's own name.
    pub slug: String,
    /// What a command that repeats a run calls it.
    pub name: String,
    /// The scenario's file.
    pub document: Document,
    /// Settings of every run, in order.
    pub common: Set,
    /// Writes to the running kernel of every run.
    pub live: Vec<LiveWrite>,
    /// The flags of commands that limit a run; empty for none.
    pub limits: String,
}

/// Everything that holds for the whole bisection.
#[derive(Debug)]
pub struct Plan {
    /// The scenario, and what holds for every run. No setting of it is the version.
    pub source: Source,
    /// The two releases, in the direction of the question.
    pub releases: [Version; 2],
    /// The figure that is looked at; the only one in the list.
    pub metric: [String; 1],
    /// The seed of the scenario, which is the first.
    pub first_seed: u64,
    /// How many are taken.
    pub seeds: Seeds,
    /// The changes that can be tried.
    pub changes: Vec<Change>,
    /// Differences between the releases that leave this scenario's two kernels as they are, because
    /// the scenario or a flag states the value.
    pub stated: Vec<String>,
    /// Differences between the releases that come to one value in this scenario.
    pub alike: Vec<String>,
    /// Differences that no scenario can state by itself.
    pub unstatable: Vec<Difference>,
    /// How many differences the model lacks.
    pub lacking: usize,
    /// Remarks on the two runs.
    pub notes: Vec<String>,
    /// Both releases, prepared.
    sides: [Prepared; 2],
}

impl Plan {
    /// A bisection of `metric` between two releases. A version among the settings of every run
    /// gives way to theirs.
    ///
    /// # Errors
    /// The releases are one, the scenario with one of them is invalid, it has no such figure, or
    /// there are no such seeds.
    pub fn new(
        mut source: Source,
        releases: [Version; 2],
        metric: &str,
        seeds: Seeds,
    ) -> Result<Self, Refusal> {
        if releases[0] == releases[1] {
            let same = releases[0];
            return Err(Refusal::usage(format!("both releases are {same}: nothing differs")));
        }
        check_metric(metric).map_err(Refusal::Usage)?;
        source.common.retain(|(path, _)| one_spelling(path) != VERSION);
        let prepare = |release| prepared(&source, with_release(&source.common, release, &[]));
        let sides = [prepare(releases[0])?, prepare(releases[1])?];
        let mut names = MetricNames::of(&sides[0].setup);
        names.extend(MetricNames::of(&sides[1].setup));
        names.check(metric).map_err(Refusal::Usage)?;
        let first_seed = sides[0].meta.seed;
        seeds.check(first_seed)?;
        let mut plan = Self {
            source,
            releases,
            metric: [metric.to_owned()],
            first_seed,
            seeds,
            changes: Vec::new(),
            stated: Vec::new(),
            alike: Vec::new(),
            unstatable: Vec::new(),
            lacking: 0,
            notes: notes(&sides),
            sides,
        };
        plan.sort_differences();
        Ok(plan)
    }

    /// Sorts the differences between the releases into those that can be tried and the others.
    fn sort_differences(&mut self) {
        let mut differences: BTreeMap<String, Difference> =
            between(self.releases[0], self.releases[1])
                .into_iter()
                .map(|difference| (difference.name.clone(), difference))
                .collect();
        for row in all_rows() {
            let difference = differences.remove(&row.name);
            if !row.modelled {
                self.lacking += usize::from(difference.is_some());
            } else if !row.is_stated {
                self.unstatable.extend(difference);
            } else if let Some(values) = self.values(&row).filter(|[old, new]| old != new) {
                self.changes.push(Change { name: row.name, values, difference });
            } else if difference.is_some() {
                let is_stated = self.is_stated(&row.name);
                if is_stated { &mut self.stated } else { &mut self.alike }.push(row.name);
            }
        }
    }

    /// What both kernels have for a row.
    fn values(&self, row: &TableRow) -> Option<[Value; 2]> {
        let value = |side: &Prepared| match switch_of(&row.name) {
            Some(switch) => switches(side.meta.bandwidth).remove(switch),
            None => resolved(side, &row.name).map(|knob| knob.value.clone()),
        };
        let [old, new] = &self.sides;
        Some([value(old)?, value(new)?])
    }

    /// Whether the scenario states what both kernels have for a row.
    fn is_stated(&self, name: &str) -> bool {
        let path = switch_of(name).map_or(name, |_| BANDWIDTH);
        self.sides
            .iter()
            .all(|side| resolved(side, path).is_some_and(|knob| knob.origin == Origin::Stated))
    }

    /// The value of a knob in the run of a release, 0 or 1; none where it has no such knob.
    pub fn value(&self, release: usize, path: &str) -> Option<&Value> {
        Some(&resolved(&self.sides[release], path)?.value)
    }

    /// The settings of a release as it is.
    pub fn release(&self, release: usize) -> Set {
        with_release(&self.source.common, self.releases[release], &[])
    }

    /// How the other release's values of `changes` can be tried in `release`, 0 or 1. Rows that
    /// follow one of them keep the release's own value.
    pub fn trial(&self, release: usize, changes: &[usize]) -> Trial {
        let own = self.own_set(release, changes);
        match self.settled(release, changes, own) {
            Ok(set) => set.map_or(Trial::Same, Trial::Run),
            Err(Refusal::Scenario(error) | Refusal::Write(_, error)) => {
                Trial::Refused(error.message)
            }
            Err(Refusal::Usage(why)) => Trial::Refused(why),
        }
    }

    /// Settings that put the other release's values of `changes` into `release`.
    fn own_set(&self, release: usize, changes: &[usize]) -> Set {
        let (mut set, mut mix) = (Set::new(), Map::new());
        for change in changes.iter().map(|change| &self.changes[*change]) {
            let value = change.values[1 - release].clone();
            match switch_of(&change.name) {
                Some(switch) => drop(mix.insert(switch.to_owned(), value)),
                None => set.push((change.name.clone(), value)),
            }
        }
        if !mix.is_empty() {
            set.push((BANDWIDTH.to_owned(), Value::Object(mix)));
        }
        set
    }

    /// The settings of a trial, completed so that no other row moves; none where the run is the
    /// release's own.
    fn settled(
        &self,
        release: usize,
        changes: &[usize],
        mut own: Set,
    ) -> Result<Option<Set>, Refusal> {
        let base = &self.sides[release];
        let whole = |own: &Set| with_release(&self.source.common, self.releases[release], own);
        let first = prepared(&self.source, whole(&own))?;
        let moved = self.moved(release, changes, &first);
        let mix = self.mix(release, changes);
        let bandwidth_moved =
            own.iter().any(|(path, _)| path == BANDWIDTH) && switches(first.meta.bandwidth) != mix;
        if bandwidth_moved {
            own.retain(|(path, _)| path != BANDWIDTH);
            own.push((BANDWIDTH.to_owned(), Value::Object(mix)));
        }
        let is_settled = moved.is_empty() && !bandwidth_moved;
        own.extend(moved);
        let last = if is_settled { first } else { prepared(&self.source, whole(&own))? };
        let inert = |change: &usize| {
            let knob = resolved(&last, &self.changes[*change].name);
            knob.is_some_and(|knob| knob.inert.is_some())
        };
        let is_same = changes.iter().all(inert) || bytes(&last.setup) == bytes(&base.setup);
        Ok((!is_same).then(|| whole(&own)))
    }

    /// The release's own values of the rows that `trial` moved without being asked.
    fn moved(&self, release: usize, changes: &[usize], trial: &Prepared) -> Set {
        let asked: BTreeSet<&str> =
            changes.iter().map(|change| self.changes[*change].name.as_str()).collect();
        let moved = |row: TableRow| {
            let own = resolved(&self.sides[release], &row.name)?.value.clone();
            let is_moved = resolved(trial, &row.name)?.value != own;
            (is_moved && !asked.contains(row.name.as_str())).then_some((row.name, own))
        };
        all_rows().into_iter().filter(|row| row.is_stated).filter_map(moved).collect()
    }

    /// Every switch of bandwidth control as the release has it, with the changed ones.
    fn mix(&self, release: usize, changes: &[usize]) -> Map<String, Value> {
        let mut mix = switches(self.sides[release].meta.bandwidth);
        for change in changes.iter().map(|change| &self.changes[*change]) {
            if let Some(switch) = switch_of(&change.name) {
                mix.insert(switch.to_owned(), change.values[1 - release].clone());
            }
        }
        mix
    }

    /// The settings of a kind of run with a seed.
    pub fn with_seed(&self, set: &[(String, Value)], seed: u64) -> Set {
        let seed = (SEED.to_owned(), Value::from(seed));
        let others = set.iter().filter(|(path, _)| path != SEED).cloned();
        others.chain([seed]).collect()
    }

    /// What `set` has beyond the settings of every run: those of its release, and of its changes.
    fn beyond_common(&self, set: &Set) -> Set {
        set[self.source.common.len()..].to_vec()
    }

    /// What states the changes of a trial: its settings without the release.
    pub fn statement(&self, set: &Set) -> Set {
        let beyond = self.beyond_common(set).into_iter();
        beyond.filter(|(path, _)| path != VERSION).collect()
    }

    /// The command that opens two runs as A and B.
    pub fn compare(&self, a: &Set, b: &Set) -> String {
        let [a, b] = [a, b].map(|set| self.beyond_common(set));
        let Source { name, common, live, limits, .. } = &self.source;
        compare_command(name, common, &a, &b) + &live_flags(live) + limits
    }
}

/// `common`, then the release, then `own`.
fn with_release(common: &Set, release: Version, own: &[(String, Value)]) -> Set {
    let release = (VERSION.to_owned(), Value::from(release.to_string()));
    common.iter().cloned().chain([release]).chain(own.iter().cloned()).collect()
}

fn prepared(source: &Source, set: Set) -> Result<Prepared, Refusal> {
    let prepared = source.document.prepare(&source.slug, &set);
    let prepared = prepared.map_err(Refusal::scenario)?.writing(source.live.clone());
    for write in &prepared.live {
        prepared
            .check_live(write)
            .map_err(|error| Refusal::Write(write.clone(), Box::new(error)))?;
    }
    Ok(prepared)
}

/// The switch of `kernel.bandwidth` that a row is.
fn switch_of(name: &str) -> Option<&str> {
    name.strip_prefix(BANDWIDTH)?.strip_prefix('.')
}

fn switches(bandwidth: Bandwidth) -> Map<String, Value> {
    match json!(bandwidth) {
        Value::Object(switches) => switches,
        _ => Map::new(),
    }
}

fn resolved<'p>(prepared: &'p Prepared, path: &str) -> Option<&'p ResolvedKnob> {
    prepared.meta.knobs.iter().find(|knob| knob.path == path)
}

/// A setup as bytes, to compare two.
fn bytes(setup: &Setup) -> Vec<u8> {
    serde_json::to_vec(setup).unwrap_or_default()
}

/// The remarks on both runs, each once.
fn notes(sides: &[Prepared; 2]) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for note in sides.iter().flat_map(|side| &side.meta.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    notes
}

#[cfg(test)]
mod tests;
