//! rt-app's grammar, the part this engine plays: `tasks` with phases and events, `resources` and
//! `global`.
//!
//! Times are microseconds, as rt-app has them. What rt-app knows and this engine does not is
//! refused by name, never skipped. Order is kept; a number after an event's name makes its key
//! unique (`run0`, `timer1`).

pub(crate) mod amount;
mod critical;
pub(crate) mod events;
pub(crate) mod kernel;
pub(crate) mod resources;
mod scheduling;
pub(crate) mod words;

use std::collections::BTreeSet;

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{
    GroupSpec, NEVER, Op, Phase, Policy, Program, Rounds, TASKS_MAX, TaskSpec, TimerSpec,
};

use crate::cgroups::taskgroup;
use crate::error::{Fault, nearest};
use crate::generators::workload::{EVENTS_MAX, Workload};
use crate::reading::json::{Member, Node, join};
use crate::reading::values::{integer, object, unknown_key};
use crate::text::readable as shorten;
use events::{EVENTS, ForkRef, Reader, TimerRef, event_of};
use resources::Resources;
use scheduling::{cpu_mask, named_policy, policy};
use words::{GLOBAL_KEYS, Global, NOT_YET, PHASE_KEYS, TASK_KEYS, TIME_MAX_US};

/// Reads `workload.global`.
pub(crate) fn global(node: &Node) -> Result<Global, Fault> {
    const PATH: &str = "workload.global";
    let members = object(node, PATH)?;
    refuse_unknown(members, PATH, GLOBAL_KEYS, |key| GLOBAL_KEYS.contains(&key))?;
    let policy = node
        .member("default_policy")
        .map(|member| named_policy(&member.value, "workload.global.default_policy"))
        .transpose()?;
    let duration = node
        .member("duration")
        .map(|member| integer(&member.value, "workload.global.duration", -1, 86_400))
        .transpose()?;
    Ok(Global {
        policy,
        pi_enabled: false,
        duration_ns: duration
            .and_then(|seconds| u64::try_from(seconds).ok())
            .filter(|seconds| *seconds > 0)
            .map(|seconds| seconds * 1_000_000_000),
    })
}

/// Adds the tasks of `workload.tasks` and what they share; `taken` are kinds that generators
/// already use.
pub(crate) fn add(
    node: &Node,
    resources: Option<&Node>,
    global: Global,
    cpus: u32,
    taken: &[&str],
    workload: &mut Workload,
) -> Result<(), Fault> {
    const PATH: &str = "workload.tasks";
    let (mut templates, mut made, mut events) = (Vec::new(), 0, 0);
    let groups = workload.groups.clone();
    let mut shared = Resources::new(workload, global.pi_enabled);
    resources.map_or(Ok(()), |node| shared.declare(node))?;
    for member in object(node, PATH)? {
        let path = join(PATH, &shorten(&member.key));
        if taken.contains(&member.key.as_str()) {
            return Err(Fault::new(
                member.at,
                path,
                format!("\"{}\" is the name of a generator", shorten(&member.key)),
            )
            .expected("another name"));
        }
        if member.key.is_empty()
            || member.key.chars().count() > 64
            || member.key.chars().any(char::is_control)
        {
            let fault = Fault::new(member.at, path, "a task's name cannot be used");
            return Err(fault.expected("1 to 64 characters without control characters"));
        }
        let template = task(member, &path, global, (cpus, &groups), &mut shared)?;
        made += template.instances * (1 + template.forks.len());
        events += template.events * template.instances;
        if made > TASKS_MAX || events > EVENTS_MAX {
            let message = format!(
                "with \"{}\" the workload has more than {TASKS_MAX} tasks or {EVENTS_MAX} events",
                shorten(&member.key)
            );
            return Err(Fault::new(member.at, path, message).expected("fewer instances"));
        }
        templates.push(template);
    }
    shared.check_stamps()?;
    check_forks(&templates)?;
    instantiate(&templates, workload);
    Ok(())
}

/// Refuses a fork of an unknown task, a forked task that forks, and a forked task that comes to a
/// barrier, because rt-app could not count it.
fn check_forks(templates: &[Template]) -> Result<(), Fault> {
    let mut events = 0;
    let uncounted = templates
        .iter()
        .filter(|template| template.instances == 0)
        .find_map(|template| template.barrier.as_ref());
    if let Some((at, path)) = uncounted {
        return Err(at_a_barrier(*at, path));
    }
    for fork in templates
        .iter()
        .flat_map(|template| template.forks.iter().map(move |fork| (template, fork)))
    {
        let (by, fork) = fork;
        let Some(child) = templates.iter().find(|template| template.spec.kind == fork.name) else {
            let near =
                nearest(&fork.name, templates.iter().map(|template| template.spec.kind.as_str()))
                    .map(|name| format!("\"{name}\""));
            let message = format!("there is no task \"{}\" to fork", shorten(&fork.name));
            return Err(Fault::new(fork.at, fork.path.clone(), message)
                .expected("the name of a task of this workload")
                .suggest(near));
        };
        if !child.forks.is_empty() {
            let message = format!(
                "\"{}\" forks tasks itself, which a forked task cannot do yet",
                shorten(&fork.name)
            );
            return Err(Fault::new(fork.at, fork.path.clone(), message)
                .expected("a task without fork events"));
        }
        if let Some((at, path)) = &child.barrier {
            return Err(at_a_barrier(*at, path));
        }
        events += child.events * by.instances;
        if events > EVENTS_MAX {
            return Err(Fault::new(
                fork.at,
                fork.path.clone(),
                "the forked tasks have too many events",
            )
            .expected("fewer instances"));
        }
    }
    Ok(())
}

fn at_a_barrier(at: Option<usize>, path: &str) -> Fault {
    let message = "a forked task cannot come to a barrier: nobody could say how many will";
    Fault::new(at, path.to_owned(), message).expected("a barrier of tasks that are not forked")
}

/// Every instance in order, then one copy of a task for each fork event of each instance.
fn instantiate(templates: &[Template], workload: &mut Workload) {
    let first_copy =
        workload.tasks.len() + templates.iter().map(|template| template.instances).sum::<usize>();
    let mut copies: Vec<usize> = Vec::new();
    let mut named = vec![0; templates.len()];
    let find = |name: &str| templates.iter().position(|template| template.spec.kind == name);
    for (at, template) in templates.iter().enumerate() {
        for _ in 0..template.instances {
            let base = (first_copy + copies.len()) as u32;
            copies.extend(template.forks.iter().filter_map(|fork| find(&fork.name)));
            instance(template, &mut named[at], base, workload);
        }
    }
    for at in copies {
        instance(&templates[at], &mut named[at], 0, workload);
        if let Some(copy) = workload.tasks.last_mut() {
            copy.start_ns = NEVER;
        }
    }
}

/// One task: its ops count timers and forks from 0 so far.
fn instance(template: &Template, number: &mut usize, first_fork: u32, workload: &mut Workload) {
    let mut spec =
        TaskSpec { name: format!("{}.{number}", template.spec.kind), ..template.spec.clone() };
    *number += 1;
    let mut timers = Vec::new();
    for (name, timer) in &template.timers {
        timers.push(match timer {
            TimerRef::Shared(index) => *index,
            TimerRef::Own => {
                workload.timers.push(TimerSpec { name: format!("{}.{name}", spec.name) });
                workload.timers.len() as u32 - 1
            }
        });
    }
    if let Program::Ops { phases, .. } = &mut spec.program {
        for op in phases.iter_mut().flat_map(|phase| &mut phase.ops) {
            match op {
                Op::Timer { timer, .. } => *timer = timers[*timer as usize],
                Op::Fork { task } => *task += first_fork,
                _ => {}
            }
        }
    }
    workload.tasks.push(spec);
}

struct Template {
    instances: usize,
    events: usize,
    spec: TaskSpec,
    timers: Vec<(String, TimerRef)>,
    forks: Vec<ForkRef>,
    barrier: Option<(Option<usize>, String)>,
}

fn task(
    member: &Member,
    path: &str,
    global: Global,
    (cpus, groups): (u32, &[GroupSpec]),
    shared: &mut Resources<'_>,
) -> Result<Template, Fault> {
    let node = &member.value;
    let members = object(node, path)?;
    refuse_unknown(members, path, TASK_KEYS, |key| {
        TASK_KEYS.contains(&key) || event_of(key).is_some()
    })?;
    // 0 instances: the task exists only to be forked.
    let instances = optional_integer(node, path, "instance", 0, TASKS_MAX as i64)?.unwrap_or(1);
    let instances = u32::try_from(instances).expect("0 to TASKS_MAX");
    let loops = loops(node, path)?;
    let policy = policy(node, path, global.policy.unwrap_or(Policy::Fair { nice: 0 }))?;
    let all = node.member("cpus").map_or(Ok(CpuMask::first(cpus)), |list| {
        cpu_mask(&list.value, &join(path, "cpus"), cpus)
    })?;
    let group = taskgroup(node, path, groups)?;
    let (timers, forks) = (Vec::new(), Vec::new());
    let mut reader = Reader {
        resources: shared,
        task: &member.key,
        instances,
        timers,
        forks,
        series: BTreeSet::new(),
        barrier: None,
    };
    let (loops, phases) = match node.member("phases") {
        Some(phases) => (
            loops.unwrap_or(None),
            read_phases(members, phases, path, (policy, all, cpus), &mut reader)?,
        ),
        // Without phases the task itself is the only phase; its loop defaults to endless, as a
        // task's does.
        None => (
            Some(1),
            vec![Phase { rounds: rounds(loops.unwrap_or(None)), ops: reader.events(node, path)? }],
        ),
    };
    let start_ns =
        optional_integer(node, path, "delay", 0, TIME_MAX_US)?.unwrap_or(0).unsigned_abs() * 1_000;
    // What sched_setattr() takes.
    let slice_ns =
        optional_integer(node, path, "slice", 100, 100_000)?.map(|us| us.unsigned_abs() * 1_000);
    let Reader { timers, forks, barrier, .. } = reader;
    let events = phases.iter().map(|phase| phase.ops.len()).sum();
    let program = Program::Ops { loops, phases };
    let spec = TaskSpec {
        kind: member.key.clone(),
        name: String::new(),
        policy,
        cpus: all,
        start_ns,
        measured: true,
        group,
        slice_ns,
        forked: false,
        program,
    };
    Ok(Template { instances: instances as usize, events, spec, timers, forks, barrier })
}

fn read_phases(
    members: &[Member],
    phases: &Member,
    path: &str,
    (policy, all, cpus): (Policy, CpuMask, u32),
    reader: &mut Reader<'_, '_>,
) -> Result<Vec<Phase>, Fault> {
    if let Some(event) = members.iter().find(|member| event_of(&member.key).is_some()) {
        let message = "a task has either phases or events of its own";
        return Err(Fault::new(event.at, join(path, &event.key), message)
            .expected("the event inside one of the phases"));
    }
    let path = join(path, "phases");
    let entries = object(&phases.value, &path)?;
    if entries.is_empty() {
        return Err(
            Fault::new(phases.value.at, path, "there is no phase").expected("at least one phase")
        );
    }
    let moves = entries.iter().any(|entry| entry.value.member("cpus").is_some());
    let mut current = policy;
    let mut phase = |entry: &Member| {
        let path = join(&path, &shorten(&entry.key));
        let node = &entry.value;
        refuse_unknown(object(node, &path)?, &path, PHASE_KEYS, |key| {
            PHASE_KEYS.contains(&key) || event_of(key).is_some()
        })?;
        if let Some(member) = node.member("taskgroup") {
            let message = "not modelled: a task that changes its group between phases";
            return Err(Fault::new(member.at, join(&path, "taskgroup"), message)
                .expected("taskgroup beside phases"));
        }
        let mut ops = Vec::new();
        // Scheduling of a phase is set where it begins; setting what is set already costs nothing.
        if moves {
            let cpus = node
                .member("cpus")
                .map_or(Ok(all), |list| cpu_mask(&list.value, &join(&path, "cpus"), cpus))?;
            ops.push(Op::SetCpus { cpus });
        }
        if node.member("policy").is_some() || node.member("priority").is_some() {
            current = self::policy(node, &path, current)?;
            ops.push(Op::SetPolicy { policy: current });
        }
        ops.extend(reader.events(node, &path)?);
        Ok(Phase { rounds: rounds(loops(node, &path)?.unwrap_or(Some(1))), ops })
    };
    entries.iter().map(&mut phase).collect()
}

/// `loop`: outer `None` if absent, inner `None` for -1, endless.
fn loops(node: &Node, path: &str) -> Result<Option<Option<u32>>, Fault> {
    let Some(member) = node.member("loop") else { return Ok(None) };
    let path = join(path, "loop");
    let expected = "-1 (endless) or a whole number from 1 to 4294967295";
    let count = integer(&member.value, &path, -1, i64::from(u32::MAX))
        .map_err(|fault| fault.expected(expected))?;
    if count == 0 {
        return Err(
            Fault::new(member.value.at, path, "a loop of 0 rounds does nothing").expected(expected)
        );
    }
    Ok(Some(u32::try_from(count).ok()))
}

fn rounds(count: Option<u32>) -> Rounds {
    count.map_or(Rounds::Endless, Rounds::Times)
}

fn optional_integer(
    node: &Node,
    path: &str,
    key: &str,
    min: i64,
    max: i64,
) -> Result<Option<i64>, Fault> {
    node.member(key).map(|member| integer(&member.value, &join(path, key), min, max)).transpose()
}

fn refuse_unknown(
    members: &[Member],
    path: &str,
    known: &[&str],
    is_known: impl Fn(&str) -> bool,
) -> Result<(), Fault> {
    let Some(member) = members.iter().find(|member| !is_known(&member.key)) else { return Ok(()) };
    let name = member.key.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    match NOT_YET.iter().find(|known| **known == name || **known == member.key) {
        Some(known) => {
            Err(Fault::new(member.at, join(path, &member.key), format!("{known} is not modelled"))
                .expected("an event of docs/use/scenario-format.md"))
        }
        None => Err(unknown_key(
            member,
            path,
            &known.iter().copied().chain(EVENTS.iter().map(|(name, _)| *name)).collect::<Vec<_>>(),
        )),
    }
}
