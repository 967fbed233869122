//! rt-app's grammar, the part this engine plays: `tasks` with phases of `run`, `sleep` and `timer`, and `global`.
//!
//! Times are microseconds, as rt-app has them. What rt-app knows and this engine does not is refused by name, never
//! skipped. Order is kept; a number after an event's name makes its key unique (`run0`, `timer1`).

use std::collections::BTreeMap;

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Amount, Op, Phase, Policy, Program, Rounds, TASKS_MAX, TaskSpec, TimerSpec};

use crate::error::{Fault, nearest, one_of};
use crate::generators::Workload;
use crate::json::{Member, Node, Value, join};
use crate::read::{integer, known_object, list, missing, object, text, unknown_key, wrong_kind};
use crate::settings::shorten;
use crate::units::parse_cpu_list;

/// Keys of a task besides events.
pub(crate) const TASK_KEYS: &[&str] = &["instance", "delay", "policy", "priority", "cpus", "loop", "phases"];
/// Events.
pub(crate) const EVENTS: &[&str] = &["run", "sleep", "timer"];
/// Policies.
pub(crate) const POLICIES: &[&str] = &["SCHED_OTHER", "SCHED_FIFO", "SCHED_RR"];
/// Keys of `global`.
pub(crate) const GLOBAL_KEYS: &[&str] = &["default_policy", "duration"];
/// Longest time of one event: an hour, in microseconds.
pub(crate) const TIME_MAX_US: i64 = 3_600_000_000;
/// rt-app's own defaults.
const DEFAULT_RT_PRIORITY: i64 = 10;
/// Events of all instances together; a copy is kept per instance.
const EVENTS_MAX: usize = 200_000;
/// Timers of one task.
const TIMERS_MAX: usize = 8;

/// What rt-app knows and this engine does not play.
const NOT_YET: &[&str] = &[
    "runtime",
    "lock",
    "unlock",
    "wait",
    "signal",
    "broad",
    "sync",
    "barrier",
    "suspend",
    "resume",
    "sem_post",
    "sem_wait",
    "yield",
    "fork",
    "mem",
    "iorun",
    "memrun",
    "taskgroup",
    "nodes_membind",
    "util_min",
    "util_max",
    "dl-runtime",
    "dl-period",
    "dl-deadline",
    "kernel-run",
    "nopreempt",
    "irqoff",
    "spin",
    "calibration",
    "pi_enabled",
    "lock_pages",
    "logdir",
    "log_basename",
    "log_size",
    "ftrace",
    "gnuplot",
    "io_device",
    "mem_buffer_size",
    "cumulative_slack",
    "frag",
    "SCHED_BATCH",
    "SCHED_IDLE",
    "SCHED_DEADLINE",
];

/// `workload.global`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Global {
    /// Policy of tasks that state none; SCHED_OTHER if absent.
    policy: Option<&'static str>,
    /// Machine time in ns, if stated and not endless.
    pub(crate) duration_ns: Option<u64>,
}

/// Reads `workload.global`.
pub(crate) fn global(node: &Node) -> Result<Global, Fault> {
    const PATH: &str = "workload.global";
    let members = object(node, PATH)?;
    refuse_unknown(members, PATH, GLOBAL_KEYS, |key| GLOBAL_KEYS.contains(&key))?;
    let policy = node.member("default_policy").map(|member| policy_name(&member.value, "workload.global.default_policy")).transpose()?;
    let duration = node.member("duration").map(|member| integer(&member.value, "workload.global.duration", -1, 86_400)).transpose()?;
    Ok(Global {
        policy,
        duration_ns: duration
            .and_then(|seconds| u64::try_from(seconds).ok())
            .filter(|seconds| *seconds > 0)
            .map(|seconds| seconds * 1_000_000_000),
    })
}

/// Adds the tasks of `workload.tasks`; `taken` are kinds that generators already use.
pub(crate) fn add(node: &Node, global: Global, cpus: u32, taken: &[&str], workload: &mut Workload) -> Result<(), Fault> {
    const PATH: &str = "workload.tasks";
    let mut made = 0;
    let mut events = 0;
    let mut shared_timers = BTreeMap::new();
    for member in object(node, PATH)? {
        let path = join(PATH, &shorten(&member.key));
        if taken.contains(&member.key.as_str()) {
            return Err(Fault::new(member.at, path, format!("\"{}\" is the name of a generator", member.key)).expected("another name"));
        }
        if member.key.is_empty() || member.key.chars().count() > 64 || member.key.chars().any(char::is_control) {
            return Err(
                Fault::new(member.at, path, "a task's name cannot be used").expected("1 to 64 characters without control characters")
            );
        }
        let template = task(member, &path, global, cpus, &mut shared_timers)?;
        events += template.events * template.instances;
        if made + template.instances > TASKS_MAX || events > EVENTS_MAX {
            let message = format!("with \"{}\" the workload has more than {TASKS_MAX} tasks or {EVENTS_MAX} events", shorten(&member.key));
            return Err(Fault::new(member.at, path, message).expected("fewer instances"));
        }
        for index in 0..template.instances {
            let mut spec = TaskSpec { name: format!("{}.{index}", member.key), ..template.spec.clone() };
            own_timers(&mut spec, &mut workload.timers, template.timers);
            workload.tasks.push(spec);
            made += 1;
        }
    }
    Ok(())
}

/// Gives a task timers of its own: its ops count them from 0 so far.
fn own_timers(spec: &mut TaskSpec, timers: &mut Vec<TimerSpec>, own: usize) {
    let base = timers.len() as u32;
    timers.extend((0..own).map(|index| TimerSpec { name: format!("{}.timer{index}", spec.name) }));
    let Program::Ops { phases, .. } = &mut spec.program else { return };
    for op in phases.iter_mut().flat_map(|phase| &mut phase.ops) {
        if let Op::Timer { timer, .. } = op {
            *timer += base;
        }
    }
}

struct Template {
    instances: usize,
    timers: usize,
    events: usize,
    spec: TaskSpec,
}

fn task(member: &Member, path: &str, global: Global, cpus: u32, shared: &mut BTreeMap<String, String>) -> Result<Template, Fault> {
    let node = &member.value;
    let members = object(node, path)?;
    refuse_unknown(members, path, TASK_KEYS, |key| TASK_KEYS.contains(&key) || event_of(key).is_some())?;
    let instances = optional_integer(node, path, "instance", 1, TASKS_MAX as i64)?.unwrap_or(1);
    let loops = loops(node, path)?;
    let mut timers = Timers { task: &member.key, alone: instances == 1, refs: Vec::new(), shared };
    let (loops, phases) = match node.member("phases") {
        Some(phases) => (loops.unwrap_or(None), read_phases(members, phases, path, &mut timers)?),
        // Without phases the task itself is the only phase; its loop defaults to endless, as a task's does.
        None => (Some(1), vec![Phase { rounds: rounds(loops.unwrap_or(None)), ops: events(node, path, &mut timers)? }]),
    };
    let start_ns = optional_integer(node, path, "delay", 0, TIME_MAX_US)?.unwrap_or(0).unsigned_abs() * 1_000;
    let spec = TaskSpec {
        kind: member.key.clone(),
        name: String::new(),
        policy: policy(node, path, global)?,
        cpus: node.member("cpus").map_or(Ok(CpuMask::first(cpus)), |list| cpu_mask(&list.value, &join(path, "cpus"), cpus))?,
        start_ns,
        measured: true,
        program: Program::Ops { loops, phases: phases.clone() },
    };
    let events = phases.iter().map(|phase| phase.ops.len()).sum();
    Ok(Template { instances: usize::try_from(instances).expect("1 to TASKS_MAX"), timers: timers.refs.len(), events, spec })
}

fn read_phases(members: &[Member], phases: &Member, path: &str, timers: &mut Timers<'_>) -> Result<Vec<Phase>, Fault> {
    if let Some(event) = members.iter().find(|member| event_of(&member.key).is_some()) {
        let message = "a task has either phases or events of its own";
        return Err(Fault::new(event.at, join(path, &event.key), message).expected("the event inside one of the phases"));
    }
    let path = join(path, "phases");
    let entries = object(&phases.value, &path)?;
    if entries.is_empty() {
        return Err(Fault::new(phases.value.at, path, "there is no phase").expected("at least one phase"));
    }
    let phase = |entry: &Member| {
        let path = join(&path, &shorten(&entry.key));
        let own = object(&entry.value, &path)?;
        if let Some(member) = own.iter().find(|member| ["cpus", "policy", "priority", "instance", "delay"].contains(&member.key.as_str())) {
            let message = format!("{} inside a phase is not modelled yet", member.key);
            return Err(Fault::new(member.at, join(&path, &member.key), message).expected("the key on the task itself"));
        }
        refuse_unknown(own, &path, &["loop", "run", "sleep", "timer"], |key| key == "loop" || event_of(key).is_some())?;
        Ok(Phase { rounds: rounds(loops(&entry.value, &path)?.unwrap_or(Some(1))), ops: events(&entry.value, &path, timers)? })
    };
    entries.iter().map(phase).collect()
}

/// `loop`: outer `None` if absent, inner `None` for -1, endless.
fn loops(node: &Node, path: &str) -> Result<Option<Option<u32>>, Fault> {
    let Some(member) = node.member("loop") else { return Ok(None) };
    let path = join(path, "loop");
    let expected = "-1 (endless) or a whole number from 1 to 4294967295";
    let count = integer(&member.value, &path, -1, i64::from(u32::MAX)).map_err(|fault| fault.expected(expected))?;
    if count == 0 {
        return Err(Fault::new(member.value.at, path, "a loop of 0 rounds does nothing").expected(expected));
    }
    Ok(Some(u32::try_from(count).ok()))
}

fn rounds(count: Option<u32>) -> Rounds {
    count.map_or(Rounds::Endless, Rounds::Times)
}

fn optional_integer(node: &Node, path: &str, key: &str, min: i64, max: i64) -> Result<Option<i64>, Fault> {
    node.member(key).map(|member| integer(&member.value, &join(path, key), min, max)).transpose()
}

/// The timers of one task: index = position of the ref.
struct Timers<'t> {
    task: &'t str,
    alone: bool,
    refs: Vec<String>,
    shared: &'t mut BTreeMap<String, String>,
}

fn events(node: &Node, path: &str, timers: &mut Timers<'_>) -> Result<Vec<Op>, Fault> {
    let mut found = Vec::new();
    for member in object(node, path)? {
        let Some(name) = event_of(&member.key) else { continue };
        let path = join(path, &member.key);
        let us = |node: &Node, path: &str| Ok(integer(node, path, 1, TIME_MAX_US)?.unsigned_abs() * 1_000);
        found.push(match name {
            "run" => Op::Run { ns: Amount::Fixed(us(&member.value, &path)?) },
            "sleep" => Op::Sleep { ns: Amount::Fixed(us(&member.value, &path)?) },
            _ => timer(&member.value, &path, timers)?,
        });
    }
    if found.is_empty() {
        return Err(Fault::new(node.at, path, "nothing happens here: there is no event").expected("at least one of run, sleep, timer"));
    }
    Ok(found)
}

fn timer(node: &Node, path: &str, timers: &mut Timers<'_>) -> Result<Op, Fault> {
    known_object(node, path, &["ref", "period", "mode"])?;
    let period = node.member("period").ok_or_else(|| missing(node, path, "period", "the period in microseconds"))?;
    let period_ns = integer(&period.value, &join(path, "period"), 1, TIME_MAX_US)?.unsigned_abs() * 1_000;
    let reference = node.member("ref").ok_or_else(|| missing(node, path, "ref", "\"unique\", or a timer's name"))?;
    let name = text(&reference.value, &join(path, "ref"))?;
    let absolute = match node.member("mode").map(|mode| (text(&mode.value, &join(path, "mode")), &mode.value)) {
        None => false,
        Some((mode, node)) => match mode? {
            "relative" => false,
            "absolute" => true,
            other => {
                return Err(Fault::new(node.at, join(path, "mode"), format!("there is no timer mode \"{}\"", shorten(other)))
                    .expected("\"relative\" or \"absolute\""));
            }
        },
    };
    // rt-app gives every thread its own timer if the name starts with "unique"; any other name is one timer for all.
    if !name.starts_with("unique") {
        let owner = timers.shared.entry(name.to_owned()).or_insert_with(|| timers.task.to_owned());
        if !timers.alone || owner != timers.task {
            let message = format!("the timer \"{}\" is shared by several tasks, which is not modelled yet", shorten(name));
            return Err(Fault::new(reference.value.at, join(path, "ref"), message).expected("\"unique\", a timer of each task's own"));
        }
    }
    let known = timers.refs.iter().position(|known| known == name).unwrap_or_else(|| {
        timers.refs.push(name.to_owned());
        timers.refs.len() - 1
    });
    match known < TIMERS_MAX {
        true => Ok(Op::Timer { timer: known as u32, period_ns, absolute }),
        false => Err(Fault::new(node.at, path, format!("a task has more than {TIMERS_MAX} timers")).expected("fewer timers")),
    }
}

/// The event a key stands for: its name, or its name with digits or underscores after it.
fn event_of(key: &str) -> Option<&'static str> {
    let name = key.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    EVENTS.iter().copied().find(|event| *event == name)
}

fn refuse_unknown(members: &[Member], path: &str, known: &[&str], is_known: impl Fn(&str) -> bool) -> Result<(), Fault> {
    let Some(member) = members.iter().find(|member| !is_known(&member.key)) else { return Ok(()) };
    let name = member.key.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    match NOT_YET.iter().find(|known| **known == name || **known == member.key) {
        Some(known) => Err(Fault::new(member.at, join(path, &member.key), format!("{known} is not modelled yet"))
            .expected("run, sleep or timer for events; see docs/scenario-format.md")),
        None => Err(unknown_key(member, path, &known.iter().chain(EVENTS).copied().collect::<Vec<_>>())),
    }
}

fn policy_name(node: &Node, path: &str) -> Result<&'static str, Fault> {
    let name = text(node, path)?;
    if let Some(known) = POLICIES.iter().find(|known| **known == name) {
        return Ok(known);
    }
    let message =
        if NOT_YET.contains(&name) { format!("{name} is not modelled yet") } else { format!("there is no policy \"{}\"", shorten(name)) };
    let near = nearest(name, POLICIES.iter().copied()).filter(|_| !NOT_YET.contains(&name));
    Err(Fault::new(node.at, path, message).expected(one_of(POLICIES)).suggest(near))
}

fn policy(node: &Node, path: &str, global: Global) -> Result<Policy, Fault> {
    let stated = node.member("policy").map(|member| policy_name(&member.value, &join(path, "policy"))).transpose()?;
    let name = stated.or(global.policy).unwrap_or("SCHED_OTHER");
    let path = join(path, "priority");
    let priority = node.member("priority").map(|member| &member.value);
    if name == "SCHED_OTHER" {
        let range = "the nice value of SCHED_OTHER, from -20 to 19";
        let nice = priority.map_or(Ok(0), |priority| integer(priority, &path, -20, 19).map_err(|fault| fault.expected(range)))?;
        return Ok(Policy::Fair { nice: i8::try_from(nice).expect("-20 to 19") });
    }
    let range = format!("the priority of {name}, from 1 to 99");
    let priority =
        priority.map_or(Ok(DEFAULT_RT_PRIORITY), |priority| integer(priority, &path, 1, 99).map_err(|fault| fault.expected(range)))?;
    let rt_priority = u8::try_from(priority).expect("1 to 99");
    Ok(if name == "SCHED_FIFO" { Policy::Fifo { rt_priority } } else { Policy::RoundRobin { rt_priority } })
}

/// CPUs a task may run on: `[0, 1]` or `"0-3,8"`; every one must exist.
fn cpu_mask(node: &Node, path: &str, cpus: u32) -> Result<CpuMask, Fault> {
    let last = cpus - 1;
    let expected = format!("CPUs from 0 to {last}, as [0, 1] or \"0-3,8\"");
    let mask = match &node.value {
        Value::Array(_) => {
            let mut mask = CpuMask::EMPTY;
            for (index, element) in list(node, path, 1024)?.iter().enumerate() {
                let path = format!("{path}[{index}]");
                let cpu = integer(element, &path, 0, i64::from(u32::MAX)).map_err(|fault| fault.expected(expected.clone()))?;
                match u32::try_from(cpu).ok().filter(|cpu| *cpu <= last) {
                    Some(cpu) => mask.set(cpu),
                    None => return Err(no_such_cpu(element, &path, cpu, cpus).expected(expected)),
                }
            }
            mask
        }
        Value::Text(text) => match parse_cpu_list(text) {
            Some(mask) => mask,
            None => {
                return Err(
                    Fault::new(node.at, path, format!("\"{}\" is no list of CPUs of this machine", shorten(text))).expected(expected)
                );
            }
        },
        _ => return Err(wrong_kind(node, path, &expected)),
    };
    match mask.last() {
        None => Err(Fault::new(node.at, path, "the list of CPUs is empty").expected(expected)),
        Some(highest) if highest > last => Err(no_such_cpu(node, path, i64::from(highest), cpus).expected(expected)),
        Some(_) => Ok(mask),
    }
}

fn no_such_cpu(node: &Node, path: &str, cpu: i64, cpus: u32) -> Fault {
    Fault::new(node.at, path, format!("there is no CPU {cpu}: the machine has {cpus}"))
}
