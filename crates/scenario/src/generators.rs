//! Generators that stand for real programs: each reads its program's options and adds the tasks that program makes.
//!
//! A generator knows what its program does and nothing of how the machine plays it. One file each, with its own table
//! of knobs; [`ALL`] is the only list.

mod softirq;

use schedscope_engine::setup::{Machine, ObjectSpec, SoftirqLoad, TaskSpec, TimerSpec};

use crate::error::Fault;
use crate::json::Node;
use crate::knobs::Knob;
use crate::resolve::Resolver;
use crate::settings::find;

/// What the workload adds up to so far; an index into it is a task's id.
#[derive(Debug, Default)]
pub(crate) struct Workload {
    /// Every task.
    pub(crate) tasks: Vec<TaskSpec>,
    /// What they share.
    pub(crate) objects: Vec<ObjectSpec>,
    /// Timers of their programs.
    pub(crate) timers: Vec<TimerSpec>,
    /// Tasklet work of interrupts.
    pub(crate) softirq: Option<SoftirqLoad>,
}

/// One generator.
pub(crate) struct Generator {
    /// Its key in `workload`.
    pub(crate) name: &'static str,
    /// Task kinds it makes, besides its own name.
    pub(crate) kinds: &'static [&'static str],
    /// Its options.
    pub(crate) knobs: fn() -> Vec<Knob>,
    /// Adds its tasks.
    pub(crate) add: fn(&mut Resolver<'_>, &Machine, &mut Workload) -> Result<(), Fault>,
}

/// Every generator of this folder, in the order in which their tasks are numbered.
pub(crate) const ALL: &[Generator] = &[softirq::GENERATOR];

/// The options of all of them.
pub(crate) fn knobs() -> Vec<Knob> {
    ALL.iter().flat_map(|generator| (generator.knobs)()).collect()
}

/// Task kinds that are taken by generators, whether or not they are used.
pub(crate) fn kinds() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|generator| generator.kinds.iter().copied())
}

/// Adds the tasks of every generator the scenario has.
pub(crate) fn add(root: &Node, resolver: &mut Resolver<'_>, machine: &Machine, workload: &mut Workload) -> Result<(), Fault> {
    let used = |generator: &&Generator| find(root, &format!("workload.{}", generator.name)).is_some();
    ALL.iter().filter(used).try_for_each(|generator| (generator.add)(resolver, machine, workload))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knobs::GENERATORS;

    #[test]
    fn every_generator_is_a_key_of_the_workload_and_owns_its_knobs() {
        for generator in ALL {
            assert!(GENERATORS.contains(&generator.name), "{}", generator.name);
            let parent = format!("workload.{}", generator.name);
            assert!((generator.knobs)().iter().all(|knob| knob.parent() == parent), "{}", generator.name);
        }
    }
}
