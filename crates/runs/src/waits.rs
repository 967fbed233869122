//! Waits that were not over when the run ended: how long, for what and where.

use schedscope_engine::account::unfinished::{OpenWait, Waiting};
use schedscope_scenario::Prepared;

/// How long it lasts by the end of the run, ns.
pub fn age(wait: &OpenWait, end: u64) -> u64 {
    end.saturating_sub(wait.due)
}

/// `first start`, `wake-up 12`, `preempted`.
pub fn what(wait: &OpenWait) -> String {
    match wait.waiting {
        Waiting::WakeUp => {
            wait.nth.map_or_else(|| "a wake-up".to_owned(), |nth| format!("wake-up {nth}"))
        }
        Waiting::FirstStart => "first start".to_owned(),
        Waiting::Preempted => "preempted".to_owned(),
    }
}

/// ` on CPU 3, behind runaway.0`.
pub fn place(wait: &OpenWait, prepared: &Prepared) -> String {
    let name = |task: &u32| {
        prepared.meta.tasks.get(*task as usize).map_or("a stopper", |task| &task.name).to_owned()
    };
    format!(
        "on CPU {}{}",
        wait.cpu,
        wait.behind.as_ref().map_or_else(String::new, |task| format!(", behind {}", name(task)))
    )
}
