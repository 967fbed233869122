//! The tasks of a scenario as files for rt-app, one for each group that tasks run in. What only the
//! simulator plays has no place there: a task with such an event is left out, and said to be.

mod part;
mod shared;

use super::groups::procs_of;
use super::line::{Line, TaskFile};
use super::made::{object, plain};
use super::run::Run;
use super::values::whole_seconds;
use crate::words::Node;
use part::{foreign_to, group_of, made};
use shared::{depend_across_groups, stuck};

pub(super) const CALIBRATE: &str = "rt-app measures this machine first: run it once outside the \
    group, and write the ns it prints to global.calibration.";
const ACROSS_GROUPS: &str = "No file for rt-app: tasks of several groups wait for each other, \
    and a file runs in one group.";

/// What rt-app cannot do, by the event that does it here.
const FOREIGN: &[(&str, &str)] = &[
    ("kernel", "work inside the kernel and hold a mutex there"),
    ("nopreempt", "disable preemption"),
    ("irqoff", "disable interrupts"),
    ("migrate_disable", "disable migration"),
    ("migrate_enable", "disable migration"),
    ("spin_lock", "take a spin lock"),
    ("spin_unlock", "take a spin lock"),
    ("page_fault", "cause page faults"),
];

/// Files for rt-app.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TaskFiles {
    pub(super) files: Vec<TaskFile>,
    /// Why there is no file, or what is in none, a sentence each.
    pub(super) missing: Vec<String>,
}

/// The files of a run of the scenario `file`. rt-app would move its threads one by one, which
/// cgroup v2 takes in threaded groups only: a shell joins the group first, so each group has a file
/// of its own. None where tasks of several groups depend on each other. A task that shares
/// something with one that rt-app cannot play would wait for it for ever: both are left out.
/// `suffix` distinguishes the files of one side from those of the other.
pub(super) fn task_files(run: &Run, file: &Node, suffix: &str) -> TaskFiles {
    let none = Node::Object(Vec::new());
    let workload = file.member("workload").unwrap_or(&none);
    let tasks = workload.member("tasks").unwrap_or(&none).members();
    if tasks.is_empty() {
        return TaskFiles::default();
    }
    let stuck = stuck(tasks);
    if depend_across_groups(tasks.iter().filter(|(name, _)| !stuck.contains(name))) {
        return TaskFiles { files: Vec::new(), missing: vec![ACROSS_GROUPS.to_owned()] };
    }
    let global = global(run, workload.member("global"));
    let mut groups: Vec<String> = Vec::new();
    for (_, task) in tasks {
        let group = group_of(task);
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    let mut files = Vec::new();
    for (nth, group) in groups.iter().enumerate() {
        let mut notes = Vec::new();
        let own = tasks.iter().filter(|(_, task)| group_of(task) == *group);
        let played: Vec<(String, Node)> =
            own.filter_map(|(name, task)| made(name, task, &stuck, &mut notes)).collect();
        if played.is_empty() {
            continue;
        }
        let number = if nth == 0 { String::new() } else { format!("-{}", nth + 1) };
        let name = format!("tasks{suffix}{number}.json");
        let mut command = Line::program_of_root(format!("rt-app {name}"));
        if !group.is_empty() {
            command = command.inside(&procs_of(run, group));
            notes.push(CALIBRATE.to_owned());
        }
        let text = object([("global", global.clone()), ("tasks", object(played))]).text();
        files.push(TaskFile { name, text, command, notes });
    }
    let missing = if files.is_empty() { vec![none_words(tasks)] } else { Vec::new() };
    TaskFiles { files, missing }
}

fn global(run: &Run, stated: Option<&Node>) -> Node {
    let policy = stated.and_then(|global| global.member("default_policy"));
    let lends = run.get("workload.global.pi_enabled").is_some_and(|value| *value == true);
    let members = [
        Some(("duration", plain(whole_seconds(run.duration_ns)))),
        policy.map(|policy| ("default_policy", policy.clone())),
        lends.then(|| ("pi_enabled", plain(true))),
    ];
    object(members.into_iter().flatten())
}

fn none_words(tasks: &[(String, Node)]) -> String {
    let mut cannot: Vec<String> = Vec::new();
    for event in tasks.iter().flat_map(|(_, task)| foreign_to(task)) {
        let known = FOREIGN.iter().find(|(name, _)| *name == event);
        let words =
            known.map_or_else(|| format!("do what “{event}” says"), |(_, is)| (*is).to_owned());
        if !cannot.contains(&words) {
            cannot.push(words);
        }
    }
    format!(
        "No file for rt-app: rt-app cannot {}, and every task here does that or waits for one \
         that does.",
        cannot.join(" or ")
    )
}
