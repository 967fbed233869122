//! Other files of a cgroup's folder, as `grep . *` prints them: the CPUs that it may use are read,
//! the rest says nothing of CPU time.

use super::folders::group_at;
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::paste::Piece;

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

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
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
