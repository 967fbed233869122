//! Changes of a task's policy in mid-run: a row says that there is one, the run's writes say which.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use schedscope_engine::setup::{Op, Policy};
use schedscope_engine::trace::codes::LiveWrite;

use crate::names::Comm;
use crate::run::Run;

/// Most kinds of tasks that the sentence names.
const NAMED: usize = 4;

/// The policies that writes give to tasks, and tasks whose events keep a priority that is no longer
/// theirs.
#[derive(Clone, Debug)]
pub(crate) struct Policies {
    /// By task: the priorities to come, in order of time.
    written: BTreeMap<u32, VecDeque<u8>>,
    unknown: BTreeSet<u32>,
}

impl Policies {
    /// Before the first row. What a program gives its own task is in no row.
    pub fn new(run: &Run) -> Self {
        let changes = |op: &Op| matches!(op, Op::SetPolicy { .. });
        let tasks = (0..).zip(&run.setup.tasks);
        let changing = tasks.filter(|(_, task)| task.program.ops().any(changes));
        let unknown = changing.map(|(number, _)| number).collect();
        let mut written: BTreeMap<u32, VecDeque<u8>> = BTreeMap::new();
        for (path, value) in &run.writes {
            if let Some((task, policy)) = write(run, path, value) {
                written.entry(task).or_default().push_back(policy.prio());
            }
        }
        Self { written, unknown }
    }

    /// Takes a row `sim_live_change`; the kernel priority that the task of the row has from then
    /// on, its inherited one aside, if the write is one of policy.
    pub fn row(&mut self, time: u64, (task, change): (u32, u32), run: &Run) -> Option<u8> {
        if change != LiveWrite::Policy as u32 {
            return None;
        }
        let prio = self.written.get_mut(&task).and_then(VecDeque::pop_front);
        if prio.is_none() && time < run.window.1 {
            self.unknown.insert(task);
        }
        prio
    }

    /// A sentence on the tasks whose priority is not followed, if there are any.
    pub fn lost(&self, run: &Run) -> Vec<String> {
        let mut kinds: Vec<&str> = Vec::new();
        for task in self.unknown.iter().filter_map(|task| run.setup.tasks.get(*task as usize)) {
            if !kinds.contains(&task.kind.as_str()) {
                kinds.push(&task.kind);
            }
        }
        if kinds.is_empty() {
            return Vec::new();
        }
        let more = kinds.len().saturating_sub(NAMED);
        let named: Vec<String> =
            kinds[..kinds.len() - more].iter().map(|kind| Comm(kind).to_string()).collect();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named = named.join(", ");
        vec![format!("the priority of {named}{more} after a change of policy: the old one remains")]
    }
}

/// A write of a task's policy; none for another write.
fn write(run: &Run, path: &str, value: &str) -> Option<(u32, Policy)> {
    let name = path.strip_prefix("tasks.")?.strip_suffix(".policy")?.trim_matches('"');
    let mut tasks = (0..).zip(&run.setup.tasks);
    let (number, _) = tasks.find(|(_, task)| task.name == name)?;
    Some((number, Policy::from_text(value)?))
}

/// The priority of a task whose own one changes from `from` to `to` while it has `prio`: one that
/// it inherits stays while it is the higher.
pub(crate) fn after_write(prio: u8, from: u8, to: u8) -> u8 {
    if prio < from { prio.min(to) } else { to }
}
