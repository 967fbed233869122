//! A task of a scenario in rt-app's grammar.

use crate::real::made::{cpus, object, plain};
use crate::real::values::numbers_in;
use crate::words::Node;

/// rt-app's events, as its tutorial lists them: these name nothing but themselves.
const ALONE: &[&str] = &["run", "runtime", "sleep", "timer", "yield"];
/// These name what other tasks name too.
pub(super) const SHARED: &[&str] = &[
    "lock", "unlock", "wait", "signal", "broad", "sync", "barrier", "sem_wait", "sem_post",
    "suspend", "resume", "fork",
];
/// These measure only.
const MEASURES: &[&str] = &["stamp", "sample"];
/// Keys that are the same there.
const SAME: &[&str] = &["instance", "delay", "policy", "priority", "loop"];
/// Other keys that are no events.
const OTHERS: &[&str] = &["cpus", "taskgroup", "phases", "slice"];

/// The group's path without its leading slash; empty for the root.
pub(super) fn group_of(task: &Node) -> String {
    let group = task.member("taskgroup").and_then(Node::as_str).unwrap_or_default();
    group.strip_prefix('/').unwrap_or(group).to_owned()
}

/// A number behind an event's name only keeps keys apart.
pub(super) fn stem(key: &str) -> &str {
    key.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == '_')
}

fn events_in(part: &Node) -> impl Iterator<Item = &(String, Node)> {
    let is_event = |key: &str| !SAME.contains(&key) && !OTHERS.contains(&key);
    part.members().iter().filter(move |(key, _)| is_event(key))
}

/// The events of a task and of its phases.
pub(super) fn events_of(task: &Node) -> impl Iterator<Item = &(String, Node)> {
    let phases = task.member("phases").map(Node::members).unwrap_or_default();
    std::iter::once(task).chain(phases.iter().map(|(_, phase)| phase)).flat_map(events_in)
}

/// Events of a task that rt-app does not have, each once.
pub(super) fn foreign_to(task: &Node) -> Vec<&str> {
    let mut foreign = Vec::new();
    for (key, _) in events_of(task) {
        let event = stem(key);
        let is_known = [ALONE, SHARED, MEASURES].iter().any(|events| events.contains(&event));
        if !is_known && !foreign.contains(&event) {
            foreign.push(event);
        }
    }
    foreign
}

/// The task in rt-app's grammar; none where it is left out, which a note says.
pub(super) fn made(
    name: &str,
    task: &Node,
    stuck: &[String],
    notes: &mut Vec<String>,
) -> Option<(String, Node)> {
    let foreign = foreign_to(task);
    if !foreign.is_empty() {
        let has_no = foreign.join(" and no ");
        notes.push(format!("“{name}” is left out: rt-app has no {has_no}."));
        return None;
    }
    if stuck.iter().any(|known| known == name) {
        notes.push(format!("“{name}” is left out: it shares something with a task that is."));
        return None;
    }
    let mut members = part(name, task);
    let phases = task.member("phases").map(Node::members).unwrap_or_default();
    if !phases.is_empty() {
        let phases = phases.iter().map(|(key, phase)| (key.clone(), object(part(name, phase))));
        members.push(("phases".to_owned(), object(phases)));
    }
    if task.member("slice").is_some() {
        notes.push(format!("The slice of “{name}” needs Linux 6.12 and an rt-app of 2025."));
    }
    Some((name.to_owned(), object(members)))
}

fn part(name: &str, part: &Node) -> Vec<(String, Node)> {
    let same = part.members().iter().filter(|(key, _)| SAME.contains(&key.as_str())).cloned();
    let mut members: Vec<(String, Node)> = same.collect();
    if let Some(slice) = part.member("slice") {
        members.push(("dl-runtime".to_owned(), slice.clone()));
    }
    if let Some(stated) = part.member("cpus") {
        // rt-app takes CPUs as an array of numbers.
        let (key, list) = match stated.as_str() {
            Some(text) => cpus(numbers_in(text)),
            None => ("cpus", stated.clone()),
        };
        members.push((key.to_owned(), list));
    }
    for (key, value) in events_in(part).filter(|(key, _)| !MEASURES.contains(&stem(key))) {
        // A task's own "runtime" is rt-app's old word for "dl-runtime".
        let key = if key == "runtime" { "runtime0" } else { key };
        // rt-app's own preprocessor would fill the name in.
        let is_itself = stem(key) == "suspend" && value.as_str() == Some("");
        let value = if is_itself { plain(name) } else { value.clone() };
        members.push((key.to_owned(), value));
    }
    members
}
