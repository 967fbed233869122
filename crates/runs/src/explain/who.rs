//! Who ran while a task waited: on the CPU where it waited, and on the others that it may use; and
//! which group's quota had run out.

use std::collections::BTreeMap;

use schedscope_engine::trace::catalogue::{Kind, cause};
use schedscope_engine::trace::columns::Columns;

use super::Wake;
use super::parts::{Part, merged};

/// No task: the CPU was idle.
pub const IDLE: u32 = u32::MAX;
/// Waits for a CPU that another task has.
const FOR_A_CPU: [u8; 5] = [
    cause("nonpreemptible"),
    cause("lazy_wait"),
    cause("higher_prio"),
    cause("same_class"),
    cause("rt_throttled"),
];
const THROTTLED: u8 = cause("throttled");

/// The CPUs that a waiting task depended on, each from its instant on.
pub type Places = [(u64, u16)];

/// A stretch of a wait.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    from: u64,
    to: u64,
    part: usize,
    cause: u8,
}

/// Who ran around one wake-up.
#[derive(Debug, Default)]
struct Around {
    /// Where it waited at the end, for a wait whose beginning is not in the trace.
    cpu: u16,
    /// The stretches that another task or a group has a part in, in order of time.
    stretches: Vec<Stretch>,
    /// ns by part and by task, or by group where it is a quota that had run out.
    here: BTreeMap<(usize, u32), u64>,
    /// ns on other CPUs, by CPU and task.
    elsewhere: BTreeMap<(u16, u32), u64>,
}

/// Who ran around all wake-ups.
#[derive(Debug, Default)]
pub struct Who {
    around: Vec<Around>,
    /// The task on each CPU, and since when.
    on_cpu: BTreeMap<u16, (u32, u64)>,
    /// Groups without run time on a CPU, and since when.
    stopped: BTreeMap<(u16, u32), u64>,
}

/// Whether a second look says who had a part in a wait of this cause.
pub fn is_known(cause: u8) -> bool {
    cause == THROTTLED || FOR_A_CPU.contains(&cause)
}

impl Who {
    /// Will look around these wake-ups.
    pub fn of(wakes: &[Wake]) -> Self {
        let around = wakes.iter().map(|wake| Around {
            cpu: wake.cpu,
            stretches: stretches(wake),
            ..Around::default()
        });
        Self { around: around.collect(), ..Self::default() }
    }

    /// Looks at a row; `places`: the CPUs of each wake-up so far.
    pub fn row<'p>(&mut self, rows: &Columns, row: usize, places: impl Fn(usize) -> &'p Places) {
        let (time, cpu, a, b) = (rows.time[row], rows.cpu[row], rows.a[row], rows.b[row]);
        match rows.kind[row] {
            kind if kind == Kind::SchedSwitch as u8 => {
                if let Some((task, from)) = self.on_cpu.insert(cpu, (b, time)) {
                    self.ran(cpu, task, (from, time), places);
                }
            }
            kind if kind == Kind::BwThrottle as u8 => {
                self.stopped.entry((cpu, a)).or_insert(time);
            }
            kind if kind == Kind::BwUnthrottle as u8 => {
                if let Some(from) = self.stopped.remove(&(cpu, a)) {
                    self.had_no_quota(cpu, a, (from, time), places);
                }
            }
            _ => {}
        }
    }

    /// The run is over.
    pub fn end<'p>(&mut self, now: u64, places: impl Fn(usize) -> &'p Places) {
        for (cpu, (task, from)) in std::mem::take(&mut self.on_cpu) {
            self.ran(cpu, task, (from, now), &places);
        }
        for ((cpu, group), from) in std::mem::take(&mut self.stopped) {
            self.had_no_quota(cpu, group, (from, now), &places);
        }
    }

    fn ran<'p>(
        &mut self,
        cpu: u16,
        task: u32,
        span: (u64, u64),
        places: impl Fn(usize) -> &'p Places,
    ) {
        for (index, around) in self.around.iter_mut().enumerate() {
            for stretch in overlapping(&around.stretches, span) {
                if !FOR_A_CPU.contains(&stretch.cause) {
                    continue;
                }
                let both = (span.0.max(stretch.from), span.1.min(stretch.to));
                let here = spent_on(places(index), around.cpu, cpu, both);
                let whole = both.1 - both.0;
                if here > 0 {
                    *around.here.entry((stretch.part, task)).or_default() += here;
                }
                if whole > here {
                    *around.elsewhere.entry((cpu, task)).or_default() += whole - here;
                }
            }
        }
    }

    fn had_no_quota<'p>(
        &mut self,
        cpu: u16,
        group: u32,
        span: (u64, u64),
        places: impl Fn(usize) -> &'p Places,
    ) {
        for (index, around) in self.around.iter_mut().enumerate() {
            for stretch in overlapping(&around.stretches, span) {
                let both = (span.0.max(stretch.from), span.1.min(stretch.to));
                let here = spent_on(places(index), around.cpu, cpu, both);
                if stretch.cause == THROTTLED && here > 0 {
                    *around.here.entry((stretch.part, group)).or_default() += here;
                }
            }
        }
    }

    /// Tasks that ran where a wake-up waited, in a part of it, or groups whose quota had run out
    /// there; each with its ns, the longest first.
    pub fn here(&self, wake: usize, part: usize) -> Vec<(u32, u64)> {
        let all = self.around[wake].here.iter();
        let mut of_part: Vec<(u32, u64)> =
            all.filter(|((at, _), _)| *at == part).map(|((_, who), ns)| (*who, *ns)).collect();
        of_part.sort_by_key(|(who, ns)| (std::cmp::Reverse(*ns), *who));
        of_part
    }

    /// Who ran on other CPUs while a wake-up waited for its own: CPU, task and ns, the longest
    /// first.
    pub fn elsewhere(&self, wake: usize) -> Vec<(u16, u32, u64)> {
        let all = self.around[wake].elsewhere.iter();
        let mut all: Vec<(u16, u32, u64)> =
            all.map(|((cpu, task), ns)| (*cpu, *task, *ns)).collect();
        all.sort_by_key(|(cpu, task, ns)| (std::cmp::Reverse(*ns), *cpu, *task));
        all
    }
}

/// The stretches of a wake-up that another task or a group has a part in. Where their order is
/// lost, the whole wait counts as the longest of them.
fn stretches(wake: &Wake) -> Vec<Stretch> {
    let (parts, _) = merged(wake.due, &wake.segments);
    let known = parts.iter().enumerate().filter(|(_, part)| is_known(part.cause));
    if wake.segments.iter().any(|(_, ns)| *ns == 0) {
        let longest = known.max_by_key(|(_, part)| part.ns);
        let whole = longest.map(|(part, Part { cause, .. })| Stretch {
            from: wake.due,
            to: wake.due + wake.latency,
            part,
            cause: *cause,
        });
        return whole.into_iter().collect();
    }
    let mut all: Vec<Stretch> = known
        .flat_map(|(at, part)| {
            let spans = part.spans().iter();
            spans.map(move |(from, to)| Stretch {
                from: *from,
                to: *to,
                part: at,
                cause: part.cause,
            })
        })
        .collect();
    all.sort_by_key(|stretch| stretch.from);
    all
}

fn overlapping(stretches: &[Stretch], (from, to): (u64, u64)) -> impl Iterator<Item = Stretch> {
    let first = stretches.partition_point(|stretch| stretch.to <= from);
    stretches[first..].iter().take_while(move |stretch| stretch.from < to).copied()
}

/// How much of a span a wake-up depended on `cpu`; before its first place it was where it ended.
fn spent_on(places: &Places, last: u16, cpu: u16, (from, to): (u64, u64)) -> u64 {
    let first = places.first().map_or(u64::MAX, |(since, _)| *since);
    let before = if last == cpu { to.min(first).saturating_sub(from) } else { 0 };
    let mut spent = before;
    for (index, (since, place)) in places.iter().enumerate() {
        let until = places.get(index + 1).map_or(u64::MAX, |(next, _)| *next);
        if *place == cpu {
            spent += to.min(until).saturating_sub(from.max(*since));
        }
    }
    spent
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIGHER_PRIO: u8 = cause("higher_prio");

    fn columns(rows: &[(u64, Kind, u16, u32, u32)]) -> Columns {
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

    fn who(segments: Vec<(u8, u64)>, places: &Places, rows: &[(u64, Kind, u16, u32, u32)]) -> Who {
        let latency = segments.iter().map(|(_, ns)| ns).sum();
        let wake = Wake { task: 7, nth: 0, cpu: 2, due: 100, latency, segments, open: None };
        let mut who = Who::of(&[wake]);
        let columns = columns(rows);
        (0..rows.len()).for_each(|row| who.row(&columns, row, |_| places));
        who.end(1_000, |_| places);
        who
    }

    #[test]
    fn a_task_ran_instead_only_on_the_cpu_that_the_wait_depended_on() {
        let rows = [
            (0, Kind::SchedSwitch, 1, IDLE, 4),
            (0, Kind::SchedSwitch, 2, IDLE, 5),
            (160, Kind::SchedSwitch, 2, 5, 6),
        ];
        // From 130 on the task waits for CPU 2 instead of CPU 1.
        let who = who(vec![(HIGHER_PRIO, 100)], &[(100, 1), (130, 2)], &rows);
        assert_eq!(who.here(0, 0), [(6, 40), (4, 30), (5, 30)]);
        assert_eq!(who.elsewhere(0), [(1, 4, 70), (2, 5, 30)]);
    }

    #[test]
    fn a_part_has_only_those_who_ran_in_its_time() {
        let rows = [(0, Kind::SchedSwitch, 2, IDLE, 5), (120, Kind::SchedSwitch, 2, 5, 6)];
        let switch = cause("switch");
        let segments = vec![(HIGHER_PRIO, 20), (switch, 10), (HIGHER_PRIO, 30)];
        let who = who(segments, &[(100, 2)], &rows);
        assert_eq!((who.here(0, 0), who.here(0, 2)), (vec![(5, 20)], vec![(6, 30)]));
    }

    #[test]
    fn a_wait_without_quota_names_the_group_that_has_none() {
        let rows = [(110, Kind::BwThrottle, 2, 3, 0), (150, Kind::BwUnthrottle, 2, 3, 0)];
        let who = who(vec![(THROTTLED, 100)], &[(100, 2)], &rows);
        assert_eq!(who.here(0, 0), [(3, 40)]);
    }
}
