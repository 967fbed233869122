//! The parts of one wake-up's latency.

use schedscope_scenario::Prepared;

use super::Explained;
use super::who;

/// More segments than this are summed by cause instead of being listed one by one.
const SEGMENTS_LISTED: usize = 40;
/// Causes that a second look says more about.
pub(super) const IRQ_DELAY: u8 = 0;
pub(super) const RQ_LOCK_SPIN: u8 = 6;

/// A cause, its whole time, and the spans of machine time it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Index into the catalogue's causes.
    pub cause: u8,
    /// How long it lasts in all, ns.
    pub ns: u64,
    spans: Vec<(u64, u64)>,
}

/// Neighbours with one cause as one; if there are still too many, or some have lost their order (a
/// mark of 0 ns says so), one part per cause in order of appearance.
pub(super) fn merged(due: u64, segments: &[(u8, u64)]) -> (Vec<Part>, bool) {
    let mut merged: Vec<Part> = Vec::new();
    let mut now = due;
    let ordered = segments.iter().all(|(_, ns)| *ns > 0);
    for (cause, ns) in segments.iter().filter(|(_, ns)| *ns > 0) {
        let span = (now, now + ns);
        now = span.1;
        match merged.last_mut() {
            Some(last) if last.cause == *cause => {
                last.ns += ns;
                last.spans[0].1 = now;
            }
            _ => merged.push(Part { cause: *cause, ns: *ns, spans: vec![span] }),
        }
    }
    if ordered && merged.len() <= SEGMENTS_LISTED {
        return (merged, false);
    }
    let mut sums: Vec<Part> = Vec::new();
    for part in merged {
        match sums.iter_mut().find(|known| known.cause == part.cause) {
            Some(known) => {
                known.ns += part.ns;
                known.spans.extend(part.spans);
            }
            None => sums.push(part),
        }
    }
    if !ordered {
        // Which locks were waited for in between is not known any more.
        sums.iter_mut()
            .filter(|part| part.cause == RQ_LOCK_SPIN)
            .for_each(|part| part.spans.clear());
    }
    (sums, true)
}

impl Part {
    /// The spans of machine time that it is made of, ns.
    pub(super) fn spans(&self) -> &[(u64, u64)] {
        &self.spans
    }
}

impl Explained {
    /// The parts of wake-up `at`: in order of time, or, if the second is true, one for each cause
    /// in order of first appearance.
    pub fn parts(&self, at: usize) -> (Vec<Part>, bool) {
        merged(self.wakes[at].due, &self.wakes[at].segments)
    }

    /// What lies inside part number `number` of wake-up `at`: the locks waited for, the slack of
    /// the timer, who ran instead, the group without quota, each in words and in ns.
    pub fn inside(
        &self,
        at: usize,
        number: usize,
        part: &Part,
        prepared: &Prepared,
    ) -> Vec<(String, u64)> {
        let Some(details) = &self.details else { return Vec::new() };
        if who::is_known(part.cause) {
            let named = details.who().here(at, number);
            let named = named.into_iter().map(|(who, ns)| (who, ns.min(part.ns))).collect();
            return first_of(named, |who| who_words(who, part.cause, at, self, prepared));
        }
        match part.cause {
            RQ_LOCK_SPIN => {
                let mut locks: Vec<(u32, u64)> = Vec::new();
                let spans = part.spans.iter();
                for (lock, ns) in spans.flat_map(|(from, to)| details.locks(at, *from, *to)) {
                    match locks.iter_mut().find(|(known, _)| *known == lock) {
                        Some((_, sum)) => *sum += ns,
                        None => locks.push((lock, ns)),
                    }
                }
                locks.into_iter().map(|(lock, ns)| (lock_words(lock, prepared), ns)).collect()
            }
            // The wait begins with the slack, if there is any.
            IRQ_DELAY
                if part.spans.first().is_some_and(|(from, _)| details.starts(at) == *from) =>
            {
                let slack = details.slack_ns(at).min(part.ns);
                if slack == 0 { Vec::new() } else { vec![("timer slack".to_owned(), slack)] }
            }
            _ => Vec::new(),
        }
    }
}

/// Most tasks that are named in one part.
const NAMED: usize = 4;

/// The longest ones by name, and the others together.
fn first_of(all: Vec<(u32, u64)>, words: impl Fn(u32) -> String) -> Vec<(String, u64)> {
    let (named, others) = all.split_at(all.len().min(NAMED));
    let mut lines: Vec<(String, u64)> = named.iter().map(|(who, ns)| (words(*who), *ns)).collect();
    if !others.is_empty() {
        let ns = others.iter().map(|(_, ns)| ns).sum();
        lines.push((format!("{} others", others.len()), ns));
    }
    lines
}

/// A task as it competes, or a group whose quota had run out.
fn who_words(who: u32, cause: u8, at: usize, explained: &Explained, prepared: &Prepared) -> String {
    if cause != schedscope_engine::trace::catalogue::cause("throttled") {
        return task_words(who, prepared);
    }
    let own = prepared.meta.tasks[explained.wakes[at].task as usize].group;
    let path = prepared.meta.groups.get(who as usize).map_or("", |group| group.path.as_str());
    let whose = if who == own { "its group" } else { "a group around it," };
    format!("the quota of {whose} {path}")
}

/// `multipathd (SCHED_FIFO 99)`, or that nothing ran.
pub fn task_words(task: u32, prepared: &Prepared) -> String {
    match prepared.meta.tasks.get(task as usize) {
        Some(task) => format!("{} ({} {})", task.name, task.policy, task.priority),
        None => "nothing: the CPU was idle".to_owned(),
    }
}

fn lock_words(lock: u32, prepared: &Prepared) -> String {
    let name = prepared.meta.locks.get(lock as usize).map_or("a lock", |name| name.as_str());
    if name.starts_with("rq ") { format!("the lock of {name}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_merge_and_long_lists_are_summed() {
        let told = |segments: &[(u8, u64)]| {
            let (parts, summed) = merged(10, segments);
            (parts.iter().map(|part| (part.cause, part.ns)).collect::<Vec<_>>(), summed)
        };
        assert_eq!(told(&[(2, 5), (2, 6), (3, 1), (2, 4)]), (vec![(2, 11), (3, 1), (2, 4)], false));
        let long: Vec<(u8, u64)> = (0..100).map(|at| (at % 2, 1)).collect();
        assert_eq!(told(&long), (vec![(0, 50), (1, 50)], true));
        assert_eq!(
            told(&[(2, 5), (6, 0), (6, 3), (2, 9), (6, 0), (6, 1)]),
            (vec![(2, 14), (6, 4)], true),
            "some have lost their order"
        );
        assert_eq!(merged(10, &[(2, 5), (2, 6), (3, 1)]).0[1].spans, [(21, 22)]);
        assert_eq!(merged(10, &long).0[1].spans.len(), 50);
    }
}
