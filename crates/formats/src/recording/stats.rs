//! Figures of a recording's tasks: runs, waits, switches, moves.

use schedscope_engine::trace::catalogue::{Kind, NONE};

use super::recorded::Recording;
use super::waits::{Missed, waits};

/// What a task did in a recording; times in ns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// CPU time, that of handlers which interrupted it included.
    pub ran_ns: u64,
    /// Switches to it.
    pub switches: u64,
    /// Moves to another CPU.
    pub moves: u64,
    /// Latencies of its wake-ups, in order of time.
    pub latencies: Vec<u64>,
    /// Time that it was runnable and did not run, after a preemption.
    pub preempted_ns: u64,
}

impl Sums {
    /// The latency below which so many hundredths of a percent of the wake-ups lie, ns: the
    /// smallest that is at least as long as that share of them.
    pub fn latency_ns(&self, hundredths: u64) -> Option<u64> {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        let count = sorted.len() as u64;
        let rank = (count * hundredths).div_ceil(10_000).max(1);
        sorted.get(usize::try_from(rank).ok()? - 1).copied()
    }
}

/// The sums of every task, by its index; and what the recording lacks.
pub fn sums(recording: &Recording) -> (Vec<Sums>, Missed) {
    let mut all = vec![Sums::default(); recording.tasks.len()];
    let mut curr: Vec<Option<(u32, u64)>> = vec![None; recording.cpus as usize];
    for row in &recording.rows {
        match row.kind {
            Kind::SchedSwitch => {
                let slot = &mut curr[usize::from(row.cpu)];
                // Who runs before a CPU's first switch is its previous task, since the beginning.
                let begun = slot.map_or(recording.rows[0].ns, |(_, since)| since);
                if let Some(sums) = all.get_mut(row.a as usize) {
                    sums.ran_ns += row.ns - begun;
                }
                if let Some(sums) = all.get_mut(row.b as usize) {
                    sums.switches += 1;
                }
                *slot = Some((row.b, row.ns));
            }
            Kind::MigrateTask if row.a != NONE => all[row.a as usize].moves += 1,
            _ => {}
        }
    }
    let end = recording.rows.last().map_or(0, |row| row.ns);
    for (task, since) in curr.into_iter().flatten().filter(|(task, _)| *task != NONE) {
        all[task as usize].ran_ns += end - since;
    }
    let missed = waits(recording, &mut |wait| {
        let sums = &mut all[wait.task as usize];
        if wait.is_wakeup {
            sums.latencies.push(wait.ns());
        } else {
            sums.preempted_ns += wait.ns();
        }
    });
    (all, missed)
}
