//! What a scenario's figures can be called: the names of its tasks, kinds, groups and of what its
//! tools measure.

use std::collections::BTreeSet;

use schedscope_engine::setup::Setup;

use super::name::{Named, named, quoted};
use super::no_metric;
use crate::error::nearest;

/// The names that figures of a run can have.
#[derive(Clone, Debug, Default)]
pub struct MetricNames {
    cpus: BTreeSet<String>,
    groups: BTreeSet<String>,
    kinds: BTreeSet<String>,
    tasks: BTreeSet<String>,
    tools: BTreeSet<String>,
}

impl MetricNames {
    /// The names of `setup`; one that a report may lack (a kind that has no wake-up) counts.
    pub fn of(setup: &Setup) -> Self {
        let mut names = Self::default();
        if setup.interrupts_cpus() {
            names.cpus.extend(setup.machine.topology.cpu_ids().map(|cpu| cpu.to_string()));
        }
        names.groups.extend(
            setup.groups.iter().map(|group| group.path.clone()).filter(|path| !path.is_empty()),
        );
        for task in &setup.tasks {
            names.kinds.insert(task.kind.clone());
            names.tasks.insert(task.name.clone());
            if let Some((kind, _)) = task.name.rsplit_once('.') {
                names.tasks.insert(format!("{kind}.*"));
            }
        }
        names.tools.extend(
            setup.series().into_iter().map(|series| format!("{}.{}", series.kind, series.name)),
        );
        names
    }

    /// Takes the names of another run too.
    pub fn extend(&mut self, other: Self) {
        self.cpus.extend(other.cpus);
        self.groups.extend(other.groups);
        self.kinds.extend(other.kinds);
        self.tasks.extend(other.tasks);
        self.tools.extend(other.tools);
    }

    /// Whether a run with these names can have a figure at `path`, which is a metric's.
    pub fn can_hold(&self, path: &str) -> bool {
        named(path).is_none_or(|Named { group, name, .. }| self.of_group(group).contains(name))
    }

    /// Refuses a figure of a task, kind or group that no run with these names has, in a sentence.
    ///
    /// # Errors
    /// The sentence, with what is expected and the nearest figure.
    pub fn check(&self, metric: &str) -> Result<(), String> {
        if self.can_hold(metric) {
            return Ok(());
        }
        let why = "the scenario has no task, kind or group of that name";
        Err(no_metric(metric, why, self.nearest(metric)))
    }

    /// The figure at `path`, but of the entry whose name is closest.
    pub fn nearest(&self, path: &str) -> Option<String> {
        let Named { group, name, leaf } = named(path)?;
        let near = nearest(name, self.of_group(group).iter().map(String::as_str))?;
        Some(format!("{group}.{}.{leaf}", quoted(&near)))
    }

    /// Whether a task is of this kind, or takes samples under this name: what a label can name.
    pub(crate) fn can_label(&self, name: &str) -> bool {
        self.kinds.contains(name) || self.tools.contains(name)
    }

    /// What can be labelled and is closest to `wrong`.
    pub(crate) fn nearest_label(&self, wrong: &str) -> Option<String> {
        nearest(wrong, self.kinds.iter().chain(&self.tools).map(String::as_str))
    }

    fn of_group(&self, group: &str) -> &BTreeSet<String> {
        match group {
            "cpus" => &self.cpus,
            "groups" => &self.groups,
            "latency" => &self.kinds,
            "tasks" => &self.tasks,
            _ => &self.tools,
        }
    }
}
