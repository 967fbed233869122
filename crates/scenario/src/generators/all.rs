//! The lists of the generators: their keys, and those that need nothing of each other.

use schedscope_engine::setup::Machine;

use super::generator::Generator;
use super::parts::group;
use super::workload::Workload;
use super::{
    burst_sleep, busy, database, fibtest, gc_burst, hackbench, hw_noise, interrupts, kernbench,
    pipe, rt_migrate_test, schbench, softirq, thread_pool, web,
};
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType};
use crate::reading::json::Node;
use crate::reading::tree::find;
use crate::resolve::resolver::Resolver;

/// Control group of cyclictest, which is not in [`ALL`].
pub(crate) const CYCLICTEST_GROUP: &str = "workload.cyclictest.group";
/// Control group of rt_noise, which is not in [`ALL`].
pub(crate) const RT_NOISE_GROUP: &str = "workload.rt_noise.group";

/// Generators of the workload that this engine has, by their keys.
pub const GENERATORS: &[&str] = &[
    "cyclictest",
    "rt_noise",
    "softirq",
    "rt_migrate_test",
    "hackbench",
    "schbench",
    "pipe",
    "kernbench",
    "fibtest",
    "burst_sleep",
    "web",
    "thread_pool",
    "gc_burst",
    "busy",
    "smi",
    "steal",
    "database",
    "device_irq",
    "rcu",
];

/// Generators that need nothing of each other, in the order in which their tasks are numbered.
pub(crate) const ALL: &[Generator] = &[
    softirq::GENERATOR,
    rt_migrate_test::GENERATOR,
    hackbench::GENERATOR,
    schbench::GENERATOR,
    pipe::GENERATOR,
    kernbench::GENERATOR,
    fibtest::GENERATOR,
    burst_sleep::GENERATOR,
    web::GENERATOR,
    thread_pool::GENERATOR,
    gc_burst::GENERATOR,
    busy::GENERATOR,
    hw_noise::SMI,
    hw_noise::STEAL,
    database::GENERATOR,
    interrupts::DEVICE_IRQ,
    interrupts::RCU,
];

/// The options of all of them.
pub(crate) fn knobs() -> Vec<Knob> {
    let options = |generator: &Generator| {
        [(generator.knobs)(), generator.group.map(group_knob).into_iter().collect()].concat()
    };
    ALL.iter().flat_map(options).chain([CYCLICTEST_GROUP, RT_NOISE_GROUP].map(group_knob)).collect()
}

/// Task kinds that are taken by generators, whether or not they are used.
pub(crate) fn kinds() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|generator| generator.kinds.iter().copied())
}

/// Adds the tasks of every generator the scenario has.
pub(crate) fn add(
    root: &Node,
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let used =
        |generator: &&Generator| find(root, &format!("workload.{}", generator.name)).is_some();
    ALL.iter().filter(used).try_for_each(|generator| {
        let first = workload.tasks.len();
        (generator.add)(resolver, machine, workload)?;
        let Some(path) = generator.group else { return Ok(()) };
        let group = group(resolver, &workload.groups, path)?;
        let members =
            workload.tasks[first..].iter_mut().filter(|task| task.kind != generator.outside);
        members.for_each(|task| task.group = group);
        Ok(())
    })
}

/// The knob of a generator's control group.
fn group_knob(path: &'static str) -> Knob {
    Knob::new(
        path,
        "cgroup",
        KnobType::Text,
        "/",
        "Control group of its tasks: a key of cgroups, or / for the root. A quota throttles fair \
            tasks only.",
        "cgroup.procs",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_of_the_workload_are_the_generators_with_the_two_that_stand_outside() {
        let outside = ["cyclictest", "rt_noise"];
        let all = outside.into_iter().chain(ALL.iter().map(|generator| generator.name));
        assert_eq!(GENERATORS, all.collect::<Vec<_>>());
    }

    #[test]
    fn every_generator_owns_its_knobs() {
        for generator in ALL {
            let parent = format!("workload.{}", generator.name);
            assert!(
                (generator.knobs)().iter().all(|knob| knob.parent() == parent),
                "{}",
                generator.name
            );
        }
    }
}
