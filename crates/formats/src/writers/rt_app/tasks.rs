//! The tasks of a run as the tasks of the file: those of one kind that do the same are instances of
//! one task.

use std::collections::{BTreeMap, BTreeSet};

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{NEVER, Op, Policy, Program, Setup, TaskSpec};

use super::events::Writing;
use super::losses::Losses;
use super::names::{Names, barrier_uses};
use super::phases::{Body, Written, body, left_out};
use crate::json_text::quoted;

/// The tasks of the file, in the order of the run's first task of each.
pub(super) struct Tasks<'s> {
    setup: &'s Setup,
    names: Names,
    barrier_uses: Vec<u32>,
    entries: Vec<Entry>,
    /// Entries by the kind of their tasks and their text.
    alike: BTreeMap<(&'s str, String), Vec<usize>>,
    keys: BTreeSet<String>,
    /// The entry of each task; none if it is not there yet, or left out.
    of_task: Vec<Option<usize>>,
    /// Groups that the file names.
    groups: BTreeSet<u32>,
}

/// Groups that rt-app's default build takes (`max_nbr_tgs`).
const GROUPS_MAX: usize = 32;

struct Entry {
    key: String,
    /// What all instances share: members of the JSON object.
    text: String,
    /// Microseconds; none while it is only forked.
    delay_us: Option<u64>,
    instances: usize,
}

impl<'s> Tasks<'s> {
    pub(super) fn of(setup: &'s Setup, losses: &mut Losses) -> Self {
        let written = setup.tasks.iter().filter(|task| left_out(task, setup).is_none());
        let uses = barrier_uses(setup.objects.len(), written.map(|task| &task.program));
        let mut this = Self {
            setup,
            names: Names::of(setup),
            barrier_uses: uses,
            entries: Vec::new(),
            alike: BTreeMap::new(),
            keys: BTreeSet::new(),
            of_task: vec![None; setup.tasks.len()],
            groups: BTreeSet::new(),
        };
        let mut begun = vec![false; setup.tasks.len()];
        (0..setup.tasks.len()).for_each(|task| this.add(task, &mut begun, losses));
        this
    }

    /// Adds a task, after those that it forks: the event needs their keys. `begun` breaks circles.
    fn add(&mut self, task: usize, begun: &mut [bool], losses: &mut Losses) {
        // A stack of its own: tasks may fork in chains as long as there are tasks.
        let mut open = vec![task];
        while let Some(&task) = open.last() {
            let first = !std::mem::replace(&mut begun[task], true);
            let forks = self.setup.tasks[task].program.ops().filter_map(|op| match op {
                Op::Fork { task } => Some(*task as usize),
                _ => None,
            });
            let waits: Vec<usize> = forks.filter(|forked| first && !begun[*forked]).collect();
            if waits.is_empty() {
                open.pop();
                if self.of_task[task].is_none() {
                    self.of_task[task] = self.entry(task, losses);
                }
            }
            open.extend(waits);
        }
    }

    fn entry(&mut self, task: usize, losses: &mut Losses) -> Option<usize> {
        let spec = &self.setup.tasks[task];
        if let Some(why) = left_out(spec, self.setup) {
            // The kernel of the other machine has stoppers of its own.
            if spec.program != Program::Migration {
                losses.of_kind(&spec.kind, why);
            }
            return None;
        }
        let keys = |forked: u32| {
            let entry = self.of_task[forked as usize]?;
            Some(self.entries[entry].key.clone())
        };
        let mut writing = Writing {
            setup: self.setup,
            names: &self.names,
            barrier_uses: &self.barrier_uses,
            kind: &spec.kind,
            losses,
            own: Vec::new(),
            keys: &keys,
        };
        let body = body(&spec.program, &mut writing);
        if body.phases.is_empty() {
            writing.lose("left out: rt-app has none of its events");
            return None;
        }
        if spec.slice_ns.is_some() {
            writing
                .lose("dl-runtime as a slice needs an rt-app of 2025 or later; older ones skip it");
        }
        match spec.policy {
            Policy::Idle => {
                writing.lose("SCHED_IDLE needs an rt-app newer than 1.0, which refuses it");
            }
            Policy::Fair { .. } | Policy::Fifo { .. } | Policy::RoundRobin { .. } => {}
        }
        let delay_us = match (spec.start_ns, start_of(spec)) {
            (NEVER, _) => None,
            (_, 0) => Some(0),
            (_, start) => Some(writing.rounded(start)),
        };
        let group = match grouped(spec, &body, &self.groups, self.setup) {
            Ok(group) => group,
            Err(why) => {
                writing.lose(why);
                None
            }
        };
        self.groups.extend(group);
        let path = group.map(|group| self.setup.groups[group as usize].path.as_str());
        let text = members(spec, &body, path, self.setup.machine.topology.cpus());
        Some(self.instance(spec, text, delay_us))
    }

    /// One more instance of an entry, or a new one.
    fn instance(&mut self, spec: &'s TaskSpec, text: String, delay_us: Option<u64>) -> usize {
        let alike = self.alike.entry((&spec.kind, text.clone())).or_default();
        let fits = |entry: &Entry| {
            delay_us.is_none() || entry.delay_us.is_none() || entry.delay_us == delay_us
        };
        let at = alike.iter().copied().find(|at| fits(&self.entries[*at])).unwrap_or_else(|| {
            let mut key = spec.kind.clone();
            if self.keys.contains(&key) {
                key.clone_from(&spec.name);
            }
            while !self.keys.insert(key.clone()) {
                key.push('_');
            }
            self.entries.push(Entry { key, text, delay_us: None, instances: 0 });
            alike.push(self.entries.len() - 1);
            self.entries.len() - 1
        });
        let entry = &mut self.entries[at];
        entry.delay_us = entry.delay_us.or(delay_us);
        entry.instances += usize::from(delay_us.is_some());
        at
    }

    /// The members of `tasks`.
    pub(super) fn text(&self) -> String {
        let entry = |Entry { key, text, delay_us, instances }: &Entry| {
            let delay = match delay_us {
                Some(us) if *us > 0 => format!(", \"delay\": {us}"),
                _ => String::new(),
            };
            format!(
                "\n    {}: {{\n      \"instance\": {instances}{delay}{text}\n    }}",
                quoted(key)
            )
        };
        self.entries.iter().map(entry).collect::<Vec<_>>().join(",")
    }
}

/// When the task starts, ns after 0: a cyclictest thread one interval before it is due first.
fn start_of(spec: &TaskSpec) -> u64 {
    match spec.program {
        Program::Cyclictest { first_due_ns, interval_ns, .. } => {
            first_due_ns.saturating_sub(interval_ns)
        }
        _ => spec.start_ns,
    }
}

/// The group that the file can name for a task, none for the root; else why it cannot. `named` are
/// those that it names already (`parse_taskgroup_data`, `check_taskgroup_policy_dep`).
fn grouped(
    spec: &TaskSpec,
    body: &Body,
    named: &BTreeSet<u32>,
    setup: &Setup,
) -> Result<Option<u32>, &'static str> {
    let is_root = setup.groups.get(spec.group as usize).is_none_or(|group| group.path.is_empty());
    if is_root {
        return Ok(None);
    }
    let is_rt = |policy: Policy| match policy {
        Policy::Fifo { .. } | Policy::RoundRobin { .. } => true,
        Policy::Fair { .. } | Policy::Idle => false,
    };
    let phases = body.phases.iter().filter_map(|phase| phase.policy);
    if phases.chain([spec.policy]).any(is_rt) {
        return Err("in the root group: rt-app has no taskgroup for real-time policies");
    }
    if named.len() == GROUPS_MAX && !named.contains(&spec.group) {
        return Err("in the root group: rt-app takes 32 taskgroups");
    }
    Ok(Some(spec.group))
}

/// The members of a task besides `instance` and `delay`, each after a comma.
fn members(spec: &TaskSpec, body: &Body, group: Option<&str>, cpus: u32) -> String {
    let mut text = format!(",\n      {}", policy(spec.policy));
    if let Some(path) = group {
        text.push_str(&format!(",\n      \"taskgroup\": {}", quoted(&format!("/{path}"))));
    }
    if let Some(slice_ns) = spec.slice_ns {
        text.push_str(&format!(", \"dl-runtime\": {}", (slice_ns / 1_000).max(1)));
    }
    if spec.cpus != CpuMask::first(cpus) {
        text.push_str(&format!(",\n      {}", cpu_list(&spec.cpus)));
    }
    match body.phases.as_slice() {
        [Written { loops, cpus: None, policy: None, events }] if body.loops == Some(1) => {
            text.push_str(&format!(",\n      \"loop\": {}", loop_of(*loops)));
            text.push_str(&events_text(events, "\n      "));
        }
        phases => {
            let phases: Vec<String> =
                phases.iter().enumerate().map(|(nth, phase)| phase_text(nth, phase)).collect();
            text.push_str(&format!(
                ",\n      \"loop\": {},\n      \"phases\": {{{}\n      }}",
                loop_of(body.loops),
                phases.join(",")
            ));
        }
    }
    text
}

fn phase_text(nth: usize, phase: &Written) -> String {
    let mut text =
        format!("\n        \"phase{nth}\": {{\n          \"loop\": {}", loop_of(phase.loops));
    if let Some(set) = phase.policy {
        text.push_str(&format!(",\n          {}", policy(set)));
    }
    if let Some(cpus) = &phase.cpus {
        text.push_str(&format!(",\n          {}", cpu_list(cpus)));
    }
    text.push_str(&events_text(&phase.events, "\n          "));
    text.push_str("\n        }");
    text
}

/// Every event after a comma; a number makes a key unique that occurs again.
fn events_text(events: &[(&'static str, super::events::Value)], before: &str) -> String {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    let event = |(name, value): &(&'static str, super::events::Value)| {
        let times = seen.entry(name).or_default();
        let number = if *times == 0 { String::new() } else { times.to_string() };
        *times += 1;
        format!(",{before}\"{name}{number}\": {}", value.text())
    };
    events.iter().map(event).collect()
}

/// -1 is for ever.
fn loop_of(loops: Option<u32>) -> i64 {
    loops.map_or(-1, |loops| i64::from(loops.min(i32::MAX.unsigned_abs())))
}

/// rt-app's priority of SCHED_OTHER is the nice value.
fn policy(policy: Policy) -> String {
    let name = policy.name();
    match policy {
        Policy::Fair { nice } => format!("\"policy\": \"{name}\", \"priority\": {nice}"),
        Policy::Fifo { rt_priority } | Policy::RoundRobin { rt_priority } => {
            format!("\"policy\": \"{name}\", \"priority\": {rt_priority}")
        }
        Policy::Idle => format!("\"policy\": \"{name}\""),
    }
}

fn cpu_list(cpus: &CpuMask) -> String {
    let list: Vec<String> = cpus.iter().map(|cpu| cpu.raw().to_string()).collect();
    format!("\"cpus\": [{}]", list.join(", "))
}
