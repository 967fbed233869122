//! How long flags were set and queues were throttled.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{Result, Write};

use schedscope_engine::trace::catalogue::Kind;

use super::json::Json;
use super::lanes::Lane;
use super::row::Row;
use crate::names::Comm;
use crate::run::Run;

/// need_resched of each CPU.
pub(super) struct Flags(Vec<Set>);

/// The flags of one CPU: since when each is set, and by which CPU.
#[derive(Clone, Copy, Default)]
struct Set {
    now: Option<(u64, u32)>,
    lazy: Option<(u64, u32)>,
}

impl Flags {
    pub fn new(run: &Run) -> Self {
        Self(vec![Set::default(); run.cpus() as usize])
    }

    pub fn row(
        &mut self,
        kind: Kind,
        row: Row,
        json: &mut Json,
        out: &mut dyn Write,
    ) -> Result<()> {
        let set = &mut self.0[row.cpu];
        match kind {
            Kind::NeedReschedLazy => set.lazy = set.lazy.or(Some((row.time, row.b))),
            Kind::NeedReschedClear => return self.cleared(row.cpu, row.time, json, out),
            _ => set.now = set.now.or(Some((row.time, row.b))),
        }
        Ok(())
    }

    /// Both end together: the longer one is drawn first, and the other inside it.
    fn cleared(
        &mut self,
        cpu: usize,
        time: u64,
        json: &mut Json,
        out: &mut dyn Write,
    ) -> Result<()> {
        let lane = Lane::flags(cpu, self.0.len() as u32);
        let Set { now, lazy } = std::mem::take(&mut self.0[cpu]);
        let mut both = [(lazy, "need_resched_lazy"), (now, "need_resched")];
        both.sort_by_key(|(set, _)| set.map(|(since, _)| since));
        let set = both.iter().filter_map(|(set, name)| set.map(|(since, by)| (since, by, name)));
        set.enumerate().try_for_each(|(depth, (since, by, name))| {
            let args = format_args!("\"set_by_cpu\":{by}");
            json.slice((lane, depth), (since, time), name, args, out)
        })
    }

    /// The run is over.
    pub fn end(&mut self, now: u64, json: &mut Json, out: &mut dyn Write) -> Result<()> {
        (0..self.0.len()).try_for_each(|cpu| self.cleared(cpu, now, json, out))
    }
}

/// Queues by group, with [`RT`] for the RT class, and CPU.
#[derive(Default)]
pub(super) struct Throttled(BTreeMap<(u32, usize), Queue>);

/// In place of a group's number.
const RT: u32 = u32::MAX;

struct Queue {
    lane: Lane,
    /// Throttled since then.
    since: Option<u64>,
}

impl Throttled {
    pub fn row(
        &mut self,
        kind: Kind,
        row: Row,
        run: &Run,
        json: &mut Json,
        out: &mut dyn Write,
    ) -> Result<()> {
        let is_rt = matches!(kind, Kind::RtThrottle | Kind::RtUnthrottle);
        let group = if is_rt { RT } else { row.a };
        let nth = self.0.len();
        let queue = match self.0.entry((group, row.cpu)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let lane = Lane::throttled(nth, run.cpus());
                json.lane(lane, format_args!("{} CPU {}", name(run, group), row.cpu), out)?;
                new.insert(Queue { lane, since: None })
            }
        };
        if matches!(kind, Kind::BwThrottle | Kind::RtThrottle) {
            queue.since = queue.since.or(Some(row.time));
            return Ok(());
        }
        queue.over(row.time, json, out)
    }

    /// The run is over.
    pub fn end(&mut self, now: u64, json: &mut Json, out: &mut dyn Write) -> Result<()> {
        self.0.values_mut().try_for_each(|queue| queue.over(now, json, out))
    }
}

impl Queue {
    fn over(&mut self, time: u64, json: &mut Json, out: &mut dyn Write) -> Result<()> {
        match self.since.take() {
            Some(since) => {
                json.slice((self.lane, 0), (since, time), &"throttled", format_args!(""), out)
            }
            None => Ok(()),
        }
    }
}

fn name(run: &Run, group: u32) -> Comm<'_> {
    let group = run.setup.groups.get(group as usize);
    Comm(group.map_or("RT class", |group| group.path.as_str()))
}
