//! Chrome JSON: the Trace Event Format, which Perfetto and speedscope read
//! ("Trace Event Format", the Chromium project).
//!
//! ```text
//!   process        lanes (threads)
//!   CPUs           one per CPU: a slice for each stay of a task, in it irq, softirq, lock wait
//!   need_resched   one per CPU: how long a flag was set
//!   throttled      one per group and CPU
//!   quota pools    a counter for each group
//! ```
//! Perfetto v52 merges lanes whose `tid` is 0 or the `pid` of a process, and loses their slices: so
//! processes have 1 to 4 and lanes begin at 10.

mod inside;
mod json;
mod lanes;
mod pools;
mod row;
mod spans;
mod stays;

use std::io::{Result, Write};

use schedscope_engine::trace::catalogue::{CATALOGUE, Kind};
use schedscope_engine::trace::columns::Columns;

use crate::format::{Content, Format};
use crate::policies::Policies;
use crate::run::{End, Run, RunWriter};
use json::Json;
use pools::Pools;
use row::Row;
use spans::{Flags, Throttled};
use stays::Stays;

pub(super) const FORMAT: Format = Format {
    name: "chrome",
    title: "Chrome JSON",
    extension: "json",
    media_type: "application/json",
    contents: &[Content::trace(|run| Box::new(Chrome::new(run)))
        .opens_in("Perfetto and speedscope; not tried in chrome://tracing")],
    carries: "A slice for each stay of a task on a CPU, with pid, kernel priority, the prev_state \
        with which it left, and how long before it sched_waking was; in it interrupt handlers, \
        softirqs and waits for run-queue locks, to the ns once a length is rounded; an arrow \
        from each wake-up to the switch that follows; how long \
        need_resched flags were set and queues were throttled; the quota pool of each group. A \
        task's pid is 1000 plus its number.",
    loses: "A task's own lane: lanes are CPUs. A wake-up that begins while its CPU is idle outside \
        a handler has no arrow. A softirq that a switch divides is two slices. A task that sleeps \
        or ends has S: D, X and Z are not known. A priority that a task changes itself in mid-run \
        is not followed; one that is \
        inherited or that a write changes is. A pool of more than 4.29 s has no counter from \
        there on. Migrations, IPIs, waits' \
        causes and user locks are not in it.",
};

struct Chrome {
    run: Run,
    json: Json,
    stays: Stays,
    flags: Flags,
    throttled: Throttled,
    pools: Pools,
    policies: Policies,
}

impl Chrome {
    fn new(run: Run) -> Self {
        Self {
            json: Json::new(&run),
            stays: Stays::new(&run),
            flags: Flags::new(&run),
            throttled: Throttled::default(),
            pools: Pools::default(),
            policies: Policies::new(&run),
            run,
        }
    }

    fn row(&mut self, kind: Kind, row: Row, out: &mut dyn Write) -> Result<()> {
        let Self { run, json, stays, flags, throttled, pools, policies } = self;
        pools.at(row.time, run, json, out)?;
        stays.row(kind, row, run, json, out)?;
        match kind {
            Kind::NeedResched
            | Kind::NeedReschedUpgrade
            | Kind::NeedReschedLazy
            | Kind::NeedReschedClear => flags.row(kind, row, json, out),
            Kind::BwThrottle | Kind::BwUnthrottle | Kind::RtThrottle | Kind::RtUnthrottle => {
                throttled.row(kind, row, run, json, out)
            }
            Kind::BwPool => pools.row(row, run, json, out),
            Kind::LiveChange => {
                if let Some(prio) = policies.row(row.time, (row.a, row.b), run) {
                    stays.write(row.a, prio);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl RunWriter for Chrome {
    fn begin(&mut self, out: &mut dyn Write) -> Result<()> {
        self.json.begin(&self.run, out)
    }

    fn rows(&mut self, rows: &Columns, out: &mut dyn Write) -> Result<()> {
        for row in 0..rows.time.len() {
            let kind = CATALOGUE.get(usize::from(rows.kind[row])).map(|entry| entry.kind);
            let cpu = usize::from(rows.cpu[row]);
            if let Some(kind) = kind.filter(|_| cpu < self.run.cpus() as usize) {
                let row = Row { time: rows.time[row], cpu, a: rows.a[row], b: rows.b[row] };
                self.row(kind, row, out)?;
            }
        }
        Ok(())
    }

    fn end(&mut self, end: &End, out: &mut dyn Write) -> Result<()> {
        let Self { run, json, stays, flags, throttled, pools, .. } = self;
        let now = end.ns;
        stays.end(end, run, json, out)?;
        flags.end(now, json, out)?;
        throttled.end(now, json, out)?;
        pools.at(now, run, json, out)?;
        json.end(out)
    }

    fn lost(&self) -> Vec<String> {
        [self.policies.lost(&self.run), self.pools.lost(&self.run)].concat()
    }
}
