//! Details that the parts of a waterfall lack: which lock the task waited for, how much of a delay
//! was timer slack.
//!
//! A second run of the scenario, which gives the same schedule, supplies the trace around the
//! wake-ups to explain.

use std::collections::BTreeMap;

use schedscope_engine::trace::catalogue::Kind;
use schedscope_engine::trace::columns::Columns;

use super::Wake;
use super::who::Who;

/// A lock and the ns waited for it.
pub type LockTime = (u32, u64);

/// A CPU that spun for a lock.
#[derive(Clone, Copy, Debug)]
struct Spin {
    cpu: u16,
    lock: u32,
    from: u64,
    to: u64,
}

/// Details of one wake-up.
#[derive(Debug, Default)]
struct Seen {
    due: u64,
    end: u64,
    /// The CPU it depended on, from each time on.
    cpus: Vec<(u64, u16)>,
    /// When its timer was set to expire.
    expiry: Option<u64>,
}

/// Details of all wake-ups.
#[derive(Debug, Default)]
pub struct Details {
    seen: Vec<Seen>,
    of_task: BTreeMap<u32, Vec<usize>>,
    open: BTreeMap<u16, (u32, u64)>,
    spins: Vec<Spin>,
    who: Who,
}

impl Details {
    /// Will look around these wake-ups.
    pub fn of(wakes: &[Wake]) -> Self {
        let mut this = Self { who: Who::of(wakes), ..Self::default() };
        for (index, wake) in wakes.iter().enumerate() {
            this.seen.push(Seen { due: wake.due, end: wake.due + wake.latency, ..Seen::default() });
            this.of_task.entry(wake.task).or_default().push(index);
        }
        this
    }

    /// Looks at further rows of the trace.
    pub fn rows(&mut self, rows: &Columns) {
        for row in 0..rows.time.len() {
            let Self { who, seen, .. } = self;
            who.row(rows, row, |wake| &seen[wake].cpus);
            let (time, cpu, a, b) = (rows.time[row], rows.cpu[row], rows.a[row], rows.b[row]);
            match rows.kind[row] {
                kind if kind == Kind::LockWait as u8 => drop(self.open.insert(cpu, (a, time))),
                kind if kind == Kind::LockAcq as u8 => {
                    if let Some((lock, from)) = self.open.remove(&cpu) {
                        self.spun(Spin { cpu, lock, from, to: time });
                    }
                }
                kind if kind == Kind::HrtimerExpire as u8 => {
                    let expiry = time - u64::from(b);
                    self.each(a, time, |seen| {
                        // The timer's CPU is where the wake-up began.
                        seen.expiry = Some(expiry);
                        seen.cpus.push((seen.due, cpu));
                    });
                }
                kind if kind == Kind::SchedWaking as u8 => {
                    self.each(a, time, |seen| seen.cpus.push((time, cpu)))
                }
                kind if [Kind::WakelistQueue, Kind::SchedWakeup, Kind::MigrateTask]
                    .iter()
                    .any(|known| *known as u8 == kind) =>
                {
                    let target = u16::try_from(b).unwrap_or(u16::MAX);
                    self.each(a, time, |seen| seen.cpus.push((time, target)));
                }
                _ => {}
            }
        }
    }

    /// The run is over: who spins still does.
    pub fn end(&mut self, now: u64) {
        for (cpu, (lock, from)) in std::mem::take(&mut self.open) {
            self.spun(Spin { cpu, lock, from, to: now });
        }
        let Self { who, seen, .. } = self;
        who.end(now, |wake| &seen[wake].cpus);
    }

    /// Who ran while the wake-ups waited.
    pub fn who(&self) -> &Who {
        &self.who
    }

    fn each(&mut self, task: u32, time: u64, mut note: impl FnMut(&mut Seen)) {
        let Some(indices) = self.of_task.get(&task) else { return };
        for index in indices {
            let seen = &mut self.seen[*index];
            if (seen.due..=seen.end).contains(&time) {
                note(seen);
            }
        }
    }

    fn spun(&mut self, spin: Spin) {
        if self.seen.iter().any(|seen| seen.due < spin.to && spin.from < seen.end) {
            self.spins.push(spin);
        }
    }

    /// When this wake-up was due, ns.
    pub fn starts(&self, wake: usize) -> u64 {
        self.seen[wake].due
    }

    /// The slack of the timer that ended this wake-up's sleep, ns; 0 if none did.
    pub fn slack_ns(&self, wake: usize) -> u64 {
        self.seen[wake].expiry.map_or(0, |expiry| expiry.saturating_sub(self.seen[wake].due))
    }

    /// Locks that the CPU a wake-up depended on spun for in a span of time, longest first.
    pub fn locks(&self, wake: usize, from: u64, to: u64) -> Vec<LockTime> {
        let mut sums: Vec<LockTime> = Vec::new();
        let cpus = &self.seen[wake].cpus;
        for (index, (since, cpu)) in cpus.iter().enumerate() {
            let until = cpus.get(index + 1).map_or(u64::MAX, |(next, _)| *next);
            for spin in self.spins.iter().filter(|spin| spin.cpu == *cpu) {
                let (start, end) = (spin.from.max(from).max(*since), spin.to.min(to).min(until));
                if start >= end {
                    continue;
                }
                match sums.iter_mut().find(|(lock, _)| *lock == spin.lock) {
                    Some((_, sum)) => *sum += end - start,
                    None => sums.push((spin.lock, end - start)),
                }
            }
        }
        sums.sort_by_key(|(lock, ns)| (std::cmp::Reverse(*ns), *lock));
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wake(task: u32, due: u64, latency: u64) -> Wake {
        Wake { task, nth: 0, cpu: 0, due, latency, segments: vec![], open: None }
    }

    fn rows(rows: &[(u64, Kind, u16, u32, u32)]) -> Columns {
        let mut columns = Columns::default();
        for (time, kind, cpu, a, b) in rows {
            columns.time.push(*time);
            columns.kind.push(*kind as u8);
            columns.cpu.push(*cpu);
            columns.a.push(*a);
            columns.b.push(*b);
        }
        columns
    }

    #[test]
    fn the_lock_is_that_of_the_cpu_the_wake_up_depends_on_at_the_time() {
        let mut details = Details::of(&[wake(7, 100, 100)]);
        details.rows(&rows(&[
            (90, Kind::LockWait, 1, 4, 1),
            (100, Kind::SchedWaking, 1, 7, 2),
            (110, Kind::LockWait, 2, 9, 1),
            (130, Kind::LockAcq, 1, 4, 40),
            (150, Kind::SchedWakeup, 1, 7, 2),
            (160, Kind::LockAcq, 2, 9, 50),
        ]));
        assert_eq!(details.locks(0, 100, 200), [(4, 30), (9, 10)]);
        assert_eq!(details.locks(0, 155, 200), [(9, 5)]);
        assert_eq!(details.slack_ns(0), 0);
    }

    #[test]
    fn slack_is_what_lies_between_the_due_time_and_the_timers_expiry() {
        let mut details = Details::of(&[wake(7, 1_000, 60_000), wake(7, 100_000, 5)]);
        details.rows(&rows(&[
            (52_000, Kind::HrtimerExpire, 0, 7, 1_000),
            (100_001, Kind::HrtimerExpire, 0, 7, 1),
        ]));
        assert_eq!((details.slack_ns(0), details.slack_ns(1)), (50_000, 0));
    }

    #[test]
    fn a_wait_that_goes_on_lasts_to_the_end_of_the_run() {
        let mut details = Details::of(&[wake(7, 100, 100)]);
        details.rows(&rows(&[(100, Kind::SchedWaking, 1, 7, 2), (120, Kind::LockWait, 1, 4, 1)]));
        details.end(200);
        assert_eq!(details.locks(0, 100, 200), [(4, 80)]);
    }
}
