//! What the programs of a text are together, and scenarios whose order counts.

use serde_json::{Value, json};

use super::case::{Case, Program};
use super::json::Node;

/// Workloads that switch so often that a second of them is enough.
const HEAVY: &[&str] = &["hackbench", "pipe", "schbench"];

/// What the programs are together.
pub(super) struct Load {
    /// How many they are.
    pub(super) programs: usize,
    /// They keep CPUs busy: nothing else is assumed to.
    pub(super) is_load: bool,
    /// They switch very often.
    pub(super) is_heavy: bool,
}

pub(super) fn of(case: &Case) -> Load {
    let tools = || {
        case.programs.iter().filter_map(|program| match program {
            Program::Tool { key, .. } => Some(*key),
            _ => None,
        })
    };
    let is_task = |program: &Program| matches!(program, Program::Task { .. });
    Load {
        programs: case.programs.len() + usize::from(case.file.is_some()),
        is_load: tools().any(|key| key != "cyclictest")
            || case.programs.iter().any(is_task)
            || case.file.is_some(),
        is_heavy: tools().any(|key| HEAVY.contains(&key)),
    }
}

/// The figures that say most about a workload.
pub(super) fn figures(key: &str) -> Vec<String> {
    let names: &[&str] = match key {
        "hackbench" => &[
            "sched.context_switches",
            "tool_samples.hackbench_main.elapsed.max_ns",
            "latency.hackbench_receiver.p99_ns",
        ],
        "pipe" => {
            &["latency.pipe.p50_ns", "tool_samples.pipe.elapsed.max_ns", "sched.context_switches"]
        }
        "schbench" => &[
            "tool_samples.schbench_worker.wakeup.p99_ns",
            "tool_samples.schbench_worker.request.p99_ns",
            "latency.schbench_worker.max_ns",
        ],
        "kernbench" => &["latency.cc.max_ns", "latency.cc.p99_ns", "sched.context_switches"],
        // The threads may all be fast ones, or none.
        "fibtest" => &["sched.context_switches"],
        _ => {
            let figures = ["max_ns", "p99_ns", "p50_ns"];
            return figures.map(|figure| format!("latency.{key}.{figure}")).to_vec();
        }
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The scenario as text where the order of its keys counts: one that was pasted whole, or one with
/// the tasks of a file.
pub(super) fn as_text(case: &mut Case, scenario: Option<&Value>) -> Option<String> {
    if let Some(whole) = &case.whole {
        if scenario.is_some() {
            case.assumed.push(
                "The scenario is as it was pasted; the other lines of the text change nothing of \
                 it."
                .to_owned(),
            );
        }
        return Some(whole.clone());
    }
    let file = case.file.as_ref()?;
    let mut all = Node::from(scenario?);
    let mut workload = Node::from(scenario?.get("workload").unwrap_or(&json!({})));
    let mut tasks = file.tasks.clone();
    for (name, task) in workload.member("tasks").unwrap_or(&Node::Array(Vec::new())).members() {
        tasks.put(name, task.clone());
    }
    let parts = [("global", &file.global), ("resources", &file.resources), ("tasks", &tasks)];
    for (key, part) in parts.into_iter().filter(|(_, part)| !part.members().is_empty()) {
        workload.put(key, part.clone());
    }
    all.put("workload", workload);
    if !file.groups.is_empty() {
        let groups = file.groups.iter().map(|path| (path.clone(), Node::Object(Vec::new())));
        all.put("cgroups", Node::Object(groups.collect()));
    }
    let first = file.tasks.members().first().map(|(name, _)| name.as_str());
    let is_plain = |name: &&str| name.bytes().all(|sign| sign.is_ascii_alphanumeric());
    if let Some(name) = first.filter(is_plain) {
        let figures = ["max_ns", "p99_ns", "p50_ns"]
            .map(|figure| Node::Plain(Value::from(format!("latency.{name}.{figure}"))));
        all.put("headline", Node::Array(figures.to_vec()));
    }
    Some(all.text())
}
