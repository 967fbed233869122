//! What is said of a benchmark's command beside what runs.

use super::super::command::Wrapped;
use crate::words::amounts::listed;
use crate::words::cpus::written;
use crate::words::getopt::Given;

/// What a command comes to.
pub(super) type Said = Result<Vec<String>, String>;

/// Options that a scenario has nothing for, by their names.
pub(super) fn left_out(given: &Given, names: &[String]) -> Option<String> {
    let all: Vec<String> = names.iter().chain(&given.strange).cloned().collect();
    (!all.is_empty()).then(|| format!("not simulated: {}", listed(&all)))
}

/// Affinity and policy before a program whose tasks have their own here.
pub(super) fn placed(all: &Wrapped<'_>, has_affinity: bool) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(cpus) = all.cpus.as_ref().filter(|_| !has_affinity) {
        parts.push(format!("CPUs {}", written(&cpus.on(cpus.least_cpus()))));
    }
    if let Some((policy, priority)) = all.policy {
        parts.push(format!("{policy} {priority}"));
    }
    (!parts.is_empty()).then(|| {
        format!("left out: {}, its tasks are SCHED_OTHER on all CPUs here", parts.join(" and "))
    })
}
