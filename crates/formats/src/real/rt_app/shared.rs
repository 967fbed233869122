//! What tasks share by name: locks, semaphores, timers, and each other.

use std::collections::{BTreeMap, BTreeSet};

use super::part::{SHARED, events_of, foreign_to, group_of, stem};
use crate::words::Node;

type Task = (String, Node);

/// Tasks with an event that rt-app does not have, and those that share something with them,
/// directly or by way of others.
pub(super) fn stuck(tasks: &[Task]) -> Vec<String> {
    let mut stuck: Vec<String> = tasks
        .iter()
        .filter(|(_, task)| !foreign_to(task).is_empty())
        .map(|(name, _)| name.clone())
        .collect();
    let mut shared = BTreeSet::new();
    loop {
        let before = stuck.len();
        let known = tasks.iter().filter(|(name, _)| stuck.contains(name));
        shared.extend(known.flat_map(names_of));
        for task in tasks.iter().filter(|task| shared_by(task).any(|each| shared.contains(&each))) {
            if !stuck.contains(&task.0) {
                stuck.push(task.0.clone());
            }
        }
        if stuck.len() == before {
            return stuck;
        }
    }
}

/// Whether tasks of different groups share something.
pub(super) fn depend_across_groups<'t>(mut tasks: impl Iterator<Item = &'t Task>) -> bool {
    let mut groups = BTreeMap::new();
    tasks.any(|task| {
        let own = group_of(&task.1);
        names_of(task).any(|each| *groups.entry(each).or_insert_with(|| own.clone()) != own)
    })
}

/// The task itself, and what it shares.
fn names_of(task: &Task) -> impl Iterator<Item = String> {
    shared_by(task).chain([format!("task {}", task.0)])
}

fn shared_by((name, task): &Task) -> impl Iterator<Item = String> {
    events_of(task).flat_map(move |(key, value)| {
        let stem = stem(key);
        let word = |node: Option<&Node>| node.and_then(Node::as_str).map(str::to_owned);
        match stem {
            "timer" => word(value.member("ref"))
                .filter(|timer| !timer.starts_with("unique"))
                .map(|timer| format!("timer {timer}"))
                .into_iter()
                .collect(),
            "suspend" | "resume" | "fork" => {
                let named = word(Some(value)).filter(|named| !named.is_empty());
                vec![format!("task {}", named.unwrap_or_else(|| name.clone()))]
            }
            _ if SHARED.contains(&stem) => {
                let named =
                    [word(Some(value)), word(value.member("ref")), word(value.member("mutex"))];
                named.into_iter().flatten().map(|object| format!("object {object}")).collect()
            }
            _ => Vec::new(),
        }
    })
}
