//! Groups by the folders of their files.

use crate::words::case::Case;
use crate::words::group::Group;

/// Where controllers of v1 are mounted.
const MOUNTS: &[&str] = &["cpu,cpuacct", "cpuacct,cpu", "cpu", "cpuacct", "cpuset", "unified"];

/// The group's name in a path: what follows the mount point; none where nothing does, which is the
/// container that looks at itself.
pub(super) fn group_name(folder: &str) -> Option<&str> {
    let name = match folder.split_once("/sys/fs/cgroup") {
        Some((_, rest)) => rest,
        None => folder.split_once("cgroup/").map_or(folder, |(_, rest)| rest),
    };
    let name = name.trim_matches('/');
    let (first, rest) = name.split_once('/').unwrap_or((name, ""));
    let name = if MOUNTS.contains(&first) { rest } else { name };
    (!name.is_empty() && name != ".").then_some(name)
}

/// The group of a folder; without a name, the one that lines without a name belong to.
pub(super) fn group_at<'c>(folder: Option<&str>, case: &'c mut Case) -> &'c mut Group {
    match folder.and_then(group_name) {
        Some(name) => case.groups.named(name),
        None => case.groups.current(),
    }
}
