//! What the generators make their tasks of.

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::rng::{Purpose, exponential};
use schedscope_engine::setup::{
    Amount, GroupSpec, Machine, Op, Phase, Policy, Program, Rounds, TASKS_MAX, TaskSpec, TimerSpec,
};

use super::workload::{EVENTS_MAX, Workload};
use crate::error::{Fault, one_of};
use crate::resolve::resolver::Resolver;
use crate::text::readable as shorten;
use crate::units::{parse_cpu_list, time_words};

/// Task `kind.index`, measured, that starts at 0 and plays `phases` once.
pub(crate) fn task(
    kind: &str,
    index: u32,
    policy: Policy,
    cpus: CpuMask,
    phases: Vec<Phase>,
) -> TaskSpec {
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
        forked: false,
        program,
    }
}

/// CPU time drawn anew between two knobs.
pub(crate) fn run_between(
    resolver: &mut Resolver<'_>,
    least: &'static str,
    most: &'static str,
) -> Result<Amount, Fault> {
    let (min, max) = (resolver.amount(least)?.value, resolver.amount(most)?);
    if min > max.value {
        let message =
            format!("{most} is {}, less than {least}, {}", time_words(max.value), time_words(min));
        return Err(Fault::new(max.at, most, message)
            .expected(format!("{most} of {least} or more"))
            .decided_with([least]));
    }
    Ok(Amount::Uniform { min, max: max.value })
}

/// A gap of this mean, from half of it to one and a half: a fixed one would keep its place in the
/// intervals of programs whose periods divide it.
pub(crate) fn around(period_ns: u64) -> Amount {
    Amount::Uniform { min: period_ns / 2, max: period_ns + period_ns / 2 }
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
            let message = format!("there is no control group \"{}\"", shorten(&stated.value));
            Err(Fault::new(stated.at, path, message)
                .expected(one_of(std::iter::once("\"/\"".to_owned()).chain(keys))))
        }
    }
}

/// The CPUs that the text at `path` lists: `all`, or numbers and ranges; at least one.
pub(crate) fn listed_cpus(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    path: &'static str,
) -> Result<CpuMask, Fault> {
    let count = machine.topology.cpus();
    let stated = resolver.word(path)?;
    if stated.value == "all" {
        return Ok(CpuMask::first(count));
    }
    let listed = parse_cpu_list(&stated.value).filter(|mask| mask.last() < Some(CpuId::new(count)));
    let Some(listed) = listed else {
        let message =
            format!("\"{}\" is not a list of this machine's CPUs", shorten(&stated.value));
        return Err(Fault::new(stated.at, path, message)
            .expected(format!("\"all\", or CPUs from 0 to {}, such as \"0-3,8\"", count - 1))
            .decided_with(["machine.cpus"]));
    };
    resolver.listed(path, &listed);
    Ok(listed)
}

/// Ops that happen for ever.
pub(crate) fn forever(ops: Vec<Op>) -> Phase {
    Phase { rounds: Rounds::Endless, ops }
}

/// Instants of requests that come from outside whatever becomes of those before: exponential gaps
/// of this mean.
pub(crate) fn arrivals(workload: &Workload, generator: Source, mean_ns: u64) -> Vec<u64> {
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
pub(crate) enum Source {
    Web = 0,
    ThreadPool = 1,
}

/// The world outside, SCHED_FIFO and in the root group: at each instant it does what `request` says
/// of its number.
pub(crate) fn client(
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

pub(crate) fn once(ops: Vec<Op>) -> Phase {
    Phase { rounds: Rounds::Times(1), ops }
}

pub(crate) fn count(resolver: &mut Resolver<'_>, path: &'static str) -> Result<u32, Fault> {
    Ok(u32::try_from(resolver.amount(path)?.value).expect("the table's maximum fits"))
}

/// Refuses more tasks or ops than a run may have before they are made, naming a knob that asks for
/// them.
///
/// `paths` are the knobs that decide it; the error is about the first.
pub(crate) fn check_size(tasks: u32, ops: u32, paths: &[&'static str]) -> Result<(), Fault> {
    if tasks as usize <= TASKS_MAX && ops as usize <= EVENTS_MAX {
        return Ok(());
    }
    let message = format!("the workload comes to {tasks} tasks and {ops} ops");
    let fault = Fault::new(None, paths[0], message)
        .expected(format!("at most {TASKS_MAX} tasks and {EVENTS_MAX} ops"));
    Err(fault.decided_with(paths[1..].iter().copied()))
}
