//! Control groups: their folders, what is written to their files, and what reads their figures.

use super::line::{Line, Needs, Step};
use super::run::Run;
use super::shell::word;
use super::values::{keys_of, text};

/// The release that brought cgroup v2's files of the cpu controller.
const CGROUP2_CPU: &str = "4.15";
/// The period of a group that states none, us.
const PERIOD_US: &str = "100000";

/// What makes the groups, and what reads their figures.
pub(super) struct Groups {
    pub(super) made: Vec<Line>,
    pub(super) read: Vec<Line>,
}

/// The groups, parents first, then what is written to their files.
pub(super) fn lines(run: &Run) -> Groups {
    let mut groups: Vec<&str> = Vec::new();
    run.knobs.iter().filter_map(|knob| group_in(&knob.path)).for_each(|it| once(&mut groups, it));
    if groups.is_empty() {
        return Groups { made: Vec::new(), read: Vec::new() };
    }
    let tree = Tree::of(run);
    let folders: Vec<String> = groups.iter().map(|group| tree.file(group, "")).collect();
    let mut made = vec![group_line(format!("sudo mkdir -p {}", folders.join(" ")))];
    if !tree.is_v1 {
        // A group's parents have to pass the controller on.
        let mut parents = vec![""];
        groups.iter().flat_map(|group| parents_of(group)).for_each(|it| once(&mut parents, it));
        made.extend(parents.into_iter().map(|group| {
            let file = tree.file(group, "cgroup.subtree_control");
            group_line(format!("echo +cpu | sudo tee {file}"))
        }));
    }
    let mut limited: Vec<&str> = Vec::new();
    for knob in run.turned() {
        let ["cgroups", group, key] = keys_of(&knob.path)[..] else { continue };
        if key == "cpu_max" {
            once(&mut limited, group);
        }
        made.extend(tree.writes(key, &text(&knob.value)).into_iter().map(|(file, is)| {
            group_line(format!("echo {} | sudo tee {}", word(&is), tree.file(group, file)))
        }));
    }
    let read = limited.into_iter().map(|group| {
        Line::new(Step::Reading, None, format!("cat {}", tree.file(group, "cpu.stat")))
    });
    Groups { made, read: read.collect() }
}

/// The file that a process writes itself to, to join a group, as a word of the shell.
pub(super) fn procs_of(run: &Run, group: &str) -> String {
    Tree::of(run).file(group, "cgroup.procs")
}

fn group_line(text: String) -> Line {
    Line::new(Step::Group, Some(Needs::Root), text)
}

fn once<'t>(all: &mut Vec<&'t str>, one: &'t str) {
    if !all.contains(&one) {
        all.push(one);
    }
}

/// Where groups lie: a kernel without cgroup v2's files of the cpu controller has those of v1.
struct Tree {
    is_v1: bool,
}

impl Tree {
    fn of(run: &Run) -> Self {
        Self { is_v1: run.is_before(CGROUP2_CPU) }
    }

    /// A file of a group as a word of the shell; the empty path is the root, the empty name the
    /// folder.
    fn file(&self, group: &str, name: &str) -> String {
        let root = if self.is_v1 { "/sys/fs/cgroup/cpu" } else { "/sys/fs/cgroup" };
        let parts = [root, group, name].into_iter().filter(|part| !part.is_empty());
        word(&parts.collect::<Vec<_>>().join("/"))
    }

    /// What is written for a knob of a group: file and text.
    fn writes(&self, key: &str, value: &str) -> Vec<(&'static str, String)> {
        match (key, self.is_v1) {
            ("cpu_max", false) => vec![("cpu.max", value.to_owned())],
            ("cpu_max_burst", false) => vec![("cpu.max.burst", value.to_owned())],
            ("cpu_weight", false) => vec![("cpu.weight", value.to_owned())],
            ("cpu_weight", true) => {
                let weight: u64 = value.parse().unwrap_or(0);
                vec![("cpu.shares", ((weight * 1_024 + 50) / 100).to_string())]
            }
            ("cpu_max", true) => {
                let mut words = value.split_whitespace();
                let quota = words.next().filter(|quota| *quota != "max").unwrap_or("-1");
                let period = words.next().unwrap_or(PERIOD_US);
                vec![
                    ("cpu.cfs_period_us", period.to_owned()),
                    ("cpu.cfs_quota_us", quota.to_owned()),
                ]
            }
            _ => Vec::new(),
        }
    }
}

/// The group whose knob this is.
fn group_in(path: &str) -> Option<&str> {
    match keys_of(path)[..] {
        ["cgroups", group, ..] => Some(group),
        _ => None,
    }
}

/// The groups above a group, the outermost first.
fn parents_of(group: &str) -> impl Iterator<Item = &str> {
    group.match_indices('/').map(|(at, _)| &group[..at])
}
