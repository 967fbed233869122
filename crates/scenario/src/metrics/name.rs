//! A figure's path taken apart, and put together.

use super::paths::{CPU, GROUP, LATENCY, TASK, TOOL};

/// A path taken apart: what is by name in a report, the name, and the figure of it.
pub(super) struct Named<'p> {
    pub(super) group: &'p str,
    pub(super) name: &'p str,
    pub(super) leaf: &'p str,
}

/// Figures of an entry of `group`; none where a report has no such entries.
pub(super) fn leaves(group: &str) -> Option<&'static [&'static str]> {
    match group {
        "cpus" => Some(CPU),
        "groups" => Some(GROUP),
        "latency" => Some(LATENCY),
        "tasks" => Some(TASK),
        "tool_samples" => Some(TOOL),
        _ => None,
    }
}

/// Takes a path apart; a name may be in double quotes, as in a knob's path. Names hold dots
/// (`tasks.hog.0.run_ns`), so without quotes the name is what lies between group and figure.
pub(super) fn named(path: &str) -> Option<Named<'_>> {
    let (group, rest) = path.split_once('.')?;
    leaves(group)?;
    let (name, leaf) = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once("\".")?,
        None => match inner(group).and_then(|object| rest.rfind(object)) {
            Some(at) => (&rest[..at], &rest[at + 1..]),
            None => rest.rsplit_once('.')?,
        },
    };
    (!name.is_empty()).then_some(Named { group, name, leaf })
}

/// The object in an entry of `group` that holds figures of its own, between its dots.
fn inner(group: &str) -> Option<&'static str> {
    match group {
        "groups" => Some(".pressure."),
        "latency" => Some(".causes_ns."),
        _ => None,
    }
}

/// A name as a path holds it: in quotes where it has dots.
pub(super) fn quoted(name: &str) -> String {
    if name.contains('.') { format!("\"{name}\"") } else { name.to_owned() }
}
