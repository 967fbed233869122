//! Other files of a cgroup's folder, as `grep . *` prints them: the CPUs that it may use are read,
//! the rest says nothing of CPU time.

use super::folders::{group_at, group_name};
use crate::words::amounts::quoted;
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::{marks::unwrapped, paste::Piece};

pub(super) const FORM: Form = Form {
    name: "cgroup_files",
    title: "cpuset.cpus and other files of a cgroup",
    example: "cpu.max 50000 100000\ncpuset.cpus.effective:0-3",
    read,
};

/// Lists of CPUs; the effective one counts where there are both.
const LISTS: &[&str] = &["cpuset.cpus.effective", "cpuset.effective_cpus", "cpuset.cpus"];
/// What other files begin with.
const OTHERS: &[&str] = &[
    "cgroup.",
    "cpu.idle",
    "cpu.rt_",
    "cpu.stat.local",
    "cpu.uclamp.",
    "cpu.weight.nice",
    "cpuacct.",
    "cpuset.",
    "hugetlb.",
    "io.",
    "memory.",
    "misc.",
    "net_cls.",
    "notify_on_release",
    "pids.",
    "rdma.",
    "release_agent",
    "tasks",
];

/// Files that say where groups and processes are, and nothing of what they may use.
fn written(file: &str) -> Option<Note> {
    let (folder, name) =
        file.rsplit_once('/').filter(|(at, _)| at.starts_with("/sys/fs/cgroup"))?;
    let group = group_name(folder).map_or_else(|| "the root".to_owned(), quoted);
    match name {
        "cgroup.subtree_control" => {
            Some(Note::left_out(format!("{group} passes the controller on, as groups here do")))
        }
        "cgroup.procs" | "tasks" => Some(Note::left_out(format!(
            "joins the group {group}: what runs under a limit is worked out from its counters"
        ))),
        _ => None,
    }
}

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some((_, file)) = piece.written() {
        return written(file);
    }
    if let Some(pipeline) = piece.pipeline() {
        let words = unwrapped(&pipeline[0].words);
        let makes = words.first().is_some_and(|name| name == "mkdir")
            && words[1..].iter().any(|word| word.starts_with("/sys/fs/cgroup/"));
        return makes.then(|| Note::left_out("makes groups; what they may use is said elsewhere"));
    }
    let text = piece.text()?;
    let end = text.find([':', '=', ' ', '\t'])?;
    let (path, value) = (&text[..end], text[end + 1..].trim());
    let (folder, file) = path.rsplit_once('/').map_or((None, path), |(at, file)| (Some(at), file));
    if LISTS.contains(&file) {
        let group = group_at(folder, case);
        // An empty cpuset.cpus takes those of the group around it.
        if value.is_empty() || file == "cpuset.cpus" && group.cpus.is_some() {
            return Some(Note::left_out("the effective list counts"));
        }
        group.on_cpus(value);
        return Some(Note::used(format!("{file} of the {}", group.who())));
    }
    let is_alone = folder.is_none() && !file.contains('.');
    let is_other = !is_alone && OTHERS.iter().any(|begin| file.starts_with(begin));
    let is_word = |sign: char| sign.is_ascii_alphanumeric() || "._".contains(sign);
    (is_other && file.chars().all(is_word))
        .then(|| Note::left_out(format!("{file} says nothing of CPU time here")))
}
