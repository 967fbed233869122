//! A CPU that a late task may use, and that ran something weaker while the task waited.

use schedscope_engine::ids::CpuId;
use schedscope_scenario::units::parse_cpu_list;
use schedscope_scenario::{Prepared, TaskInfo};

use super::Explained;
use super::parts::task_words;
use super::who::IDLE;
use crate::numbers::us;

/// From this part of a wait on it is worth a word.
const PART: u64 = 10;

impl Explained {
    /// The CPU that ran something weaker, or nothing, for the longest of the wait of wake-up `at`,
    /// a sentence; none where every CPU that the task may use was busy with what is as strong.
    pub fn meanwhile(&self, at: usize, prepared: &Prepared) -> Option<String> {
        let wake = &self.wakes[at];
        let waiter = prepared.meta.tasks.get(wake.task as usize)?;
        let allowed = parse_cpu_list(&waiter.cpus)?;
        let all = self.details.as_ref()?.who().elsewhere(at);
        let (cpu, task, ns) = all.into_iter().find(|(cpu, task, _)| {
            allowed.has(CpuId::new(u32::from(*cpu))) && is_weaker(*task, waiter, prepared)
        })?;
        if ns * PART < wake.latency {
            return None;
        }
        let did = match task {
            IDLE => "was idle".to_owned(),
            _ => format!("ran {}, which is weaker,", task_words(task, prepared)),
        };
        Some(format!("Meanwhile CPU {cpu}, which it may use, {did} for {} us of it.", us(ns)))
    }
}

fn is_weaker(task: u32, waiter: &TaskInfo, prepared: &Prepared) -> bool {
    let Some(runner) = prepared.meta.tasks.get(task as usize) else { return task == IDLE };
    let is_rt = |task: &TaskInfo| matches!(task.policy, "SCHED_FIFO" | "SCHED_RR");
    match (is_rt(waiter), is_rt(runner)) {
        (true, true) => runner.priority < waiter.priority,
        (true, false) => true,
        (false, true) => false,
        (false, false) => runner.policy == "SCHED_IDLE" && waiter.policy != "SCHED_IDLE",
    }
}
