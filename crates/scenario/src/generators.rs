//! Generators that stand for real programs: each reads its program's options and adds the tasks
//! that program makes.
//!
//! A generator knows what its program does and nothing of how the machine plays it. One file each,
//! with its own table of knobs; [`ALL`] is the only list.

mod burst_sleep;
mod busy;
mod fibtest;
mod gc_burst;
mod hackbench;
mod kernbench;
mod pipe;
mod rt_migrate_test;
mod schbench;
mod softirq;
mod thread_pool;
mod web;

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::rng::{Purpose, exponential};
use schedscope_engine::setup::{
    Amount, GroupSpec, Machine, Object, ObjectSpec, Op, Phase, Policy, Program, Rounds,
    SoftirqLoad, TASKS_MAX, TaskSpec, TimerSpec,
};

use crate::error::{Fault, one_of};
use crate::json::Node;
use crate::knobs::{Knob, KnobType};
use crate::resolve::Resolver;
use crate::rt_app::EVENTS_MAX;
use crate::settings::{self, find};
use crate::units::time_text;

/// What the workload adds up to so far; an index into it is a task's id.
#[derive(Debug, Default)]
pub(crate) struct Workload {
    /// Every task.
    pub(crate) tasks: Vec<TaskSpec>,
    /// What they share.
    pub(crate) objects: Vec<ObjectSpec>,
    /// Timers of their programs.
    pub(crate) timers: Vec<TimerSpec>,
    /// Control groups; the root is the first.
    pub(crate) groups: Vec<GroupSpec>,
    /// Tasklet work of interrupts.
    pub(crate) softirq: Option<SoftirqLoad>,
    /// Key of every draw.
    pub(crate) seed: u64,
    /// Machine time of the run.
    pub(crate) duration_ns: u64,
}

/// One generator.
pub(crate) struct Generator {
    /// Its key in `workload`.
    pub(crate) name: &'static str,
    /// Task kinds it makes, besides its own name.
    pub(crate) kinds: &'static [&'static str],
    /// The knob of its tasks' control group; none if they are the kernel's.
    pub(crate) group: Option<&'static str>,
    /// The kind that stays outside that group: the world, the kernel; "" for none.
    pub(crate) outside: &'static str,
    /// Its options.
    pub(crate) knobs: fn() -> Vec<Knob>,
    /// Adds its tasks.
    pub(crate) add: fn(&mut Resolver<'_>, &Machine, &mut Workload) -> Result<(), Fault>,
}

/// The control groups of the two generators that stand outside this folder.
pub(crate) const CYCLICTEST_GROUP: &str = "workload.cyclictest.group";
/// See [`CYCLICTEST_GROUP`].
pub(crate) const RT_NOISE_GROUP: &str = "workload.rt_noise.group";

/// Every generator of this folder, in the order in which their tasks are numbered.
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

impl Workload {
    /// Adds an object; its index is what ops name.
    fn object(&mut self, name: impl Into<String>, object: Object) -> u32 {
        self.objects.push(ObjectSpec { name: name.into(), object });
        self.objects.len() as u32 - 1
    }
}

/// Task `kind.index`, measured, that starts at 0 and plays `phases` once.
fn task(kind: &str, index: u32, policy: Policy, cpus: CpuMask, phases: Vec<Phase>) -> TaskSpec {
    let program = Program::Ops { loops: Some(1), phases };
    TaskSpec {
        kind: kind.to_owned(),
        name: format!("{kind}.{index}"),
        policy,
        cpus,
        start_ns: 0,
        measured: true,
        group: 0,
        slice_ns: None,
        program,
    }
}

/// CPU time drawn anew between two knobs.
fn run_between(
    resolver: &mut Resolver<'_>,
    least: &'static str,
    most: &'static str,
) -> Result<Amount, Fault> {
    let (min, max) = (resolver.amount(least)?.value, resolver.amount(most)?);
    if min > max.value {
        let message =
            format!("{most} {} is less than {least} {}", time_text(max.value), time_text(min));
        return Err(Fault::new(max.at, most, message)
            .expected(format!("{most} of {least} or more"))
            .decided_with([least]));
    }
    Ok(Amount::Uniform { min, max: max.value })
}

/// The control group the knob at `path` names: a key of `cgroups`, or "/" for the root.
pub(crate) fn group(
    resolver: &mut Resolver<'_>,
    groups: &[GroupSpec],
    path: &'static str,
) -> Result<u32, Fault> {
    let stated = resolver.word(path)?;
    let named = groups.iter().position(|group| group.path == stated.value);
    match named.filter(|index| *index > 0).or((stated.value == "/").then_some(0)) {
        Some(index) => Ok(index as u32),
        None => {
            let keys = groups.iter().skip(1).map(|group| format!("\"{}\"", group.path));
            let message =
                format!("there is no control group \"{}\"", settings::shorten(&stated.value));
            Err(Fault::new(stated.at, path, message)
                .expected(one_of(std::iter::once("\"/\"".to_owned()).chain(keys))))
        }
    }
}

/// The knob of a generator's control group.
fn group_knob(path: &'static str) -> Knob {
    Knob::new(
        path,
        "cgroup",
        KnobType::Text,
        "/",
        "Control group of its tasks: a key of cgroups, or / for the root; a quota holds the fair \
            ones.",
        "cgroup.procs",
    )
}

/// Ops that happen for ever.
fn forever(ops: Vec<Op>) -> Phase {
    Phase { rounds: Rounds::Endless, ops }
}

/// Instants of requests that come from outside whatever becomes of those before: exponential gaps
/// of this mean.
fn arrivals(workload: &Workload, generator: Source, mean_ns: u64) -> Vec<u64> {
    let mut at = 0_u64;
    let next = |n| {
        at = at.saturating_add(
            exponential(workload.seed, Purpose::Arrival, generator as u64, n, mean_ns).max(1),
        );
        (at < workload.duration_ns).then_some(at)
    };
    (0..).map_while(next).take(EVENTS_MAX + 1).collect()
}

/// Whose requests: the key of their draws. Append only.
#[derive(Clone, Copy)]
enum Source {
    Web = 0,
    ThreadPool = 1,
}

/// The world outside, SCHED_FIFO and in the root group: at each instant it does what `request` says
/// of its number.
fn client(
    kind: &str,
    workload: &mut Workload,
    cpus: CpuMask,
    instants: &[u64],
    request: impl Fn(usize) -> Vec<Op>,
) {
    let timer = workload.timers.len() as u32;
    workload.timers.push(TimerSpec { name: kind.to_owned() });
    let mut last = 0;
    let mut ops = Vec::new();
    for (n, at) in instants.iter().enumerate() {
        ops.push(Op::Timer { timer, period_ns: at - last, absolute: true });
        ops.extend(request(n));
        last = *at;
    }
    workload.tasks.push(TaskSpec {
        measured: false,
        ..task(kind, 0, Policy::Fifo { rt_priority: 99 }, cpus, vec![once(ops)])
    });
}

/// Ops that happen once.
fn once(ops: Vec<Op>) -> Phase {
    Phase { rounds: Rounds::Times(1), ops }
}

/// The knob at `path` as a count.
fn count(resolver: &mut Resolver<'_>, path: &'static str) -> Result<u32, Fault> {
    Ok(u32::try_from(resolver.amount(path)?.value).expect("the table's maximum fits"))
}

/// Refuses more tasks or ops than a run may have before they are made, naming a knob that asks for
/// them.
///
/// `paths` are the knobs that decide it, the one to tell of first.
fn check_size(tasks: u32, ops: u32, paths: &[&'static str]) -> Result<(), Fault> {
    if tasks as usize <= TASKS_MAX && ops as usize <= EVENTS_MAX {
        return Ok(());
    }
    let message = format!("the workload comes to {tasks} tasks and {ops} ops");
    let fault = Fault::new(None, paths[0], message)
        .expected(format!("at most {TASKS_MAX} tasks and {EVENTS_MAX} ops"));
    Err(fault.decided_with(paths[1..].iter().copied()))
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
            assert!(
                (generator.knobs)().iter().all(|knob| knob.parent() == parent),
                "{}",
                generator.name
            );
        }
    }
}
