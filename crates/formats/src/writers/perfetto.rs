//! Perfetto's protobuf: the kernel's trace events, and tracks of our own beside them.
//!
//! A file is a list of packets (protos/perfetto/trace/trace_packet.proto, v52). Track events are
//! written as rows come. The kernel's events follow at the end, because how a task left its CPU is
//! known only then; Perfetto sorts packets by time. Times are nanoseconds of BOOTTIME, Perfetto's
//! own clock, so that no clock has to be described.

mod ftrace;
mod packets;
mod proto;
mod rows;
mod tracks;

use std::io::{Result, Write};

use schedscope_engine::trace::columns::Columns;

use crate::events::Events;
use crate::format::{Content, Format};
use crate::names::Comm;
use crate::run::{End, Run, RunWriter};
use packets::{Data, Packets, Sequence};
use rows::Rows;
use tracks::Tracks;

pub(super) const FORMAT: Format = Format {
    name: "perfetto",
    title: "Perfetto trace",
    extension: "pftrace",
    media_type: "application/octet-stream",
    contents: &[Content::trace(|run| Box::new(Perfetto::new(run))).joining().opens_in("Perfetto")],
    carries: "sched_switch, sched_waking, sched_wakeup, sched_wakeup_new, sched_migrate_task, \
        sched_pi_setprio, softirqs, interrupts and ipi_send_cpu of every CPU, with times in ns, \
        names, kernel priorities and prev_state, so that Perfetto's CPU tracks, \
        thread states, SQL and critical path work. Each kind of task is a process and its tasks \
        are the threads; a task's pid is 1000 plus its number, a process's that of its first \
        task. Tracks of schedscope beside them: waits for kernel locks and who holds them, \
        need_resched from set to clear, interrupt handlers with arrows from their IPIs, wake-ups \
        with arrows to the task's first instruction, pools, silos and throttled groups, RT \
        throttling, hardware stops. Files of two sides laid end to end are one trace: B is a \
        second machine on the same axis of time.",
    loses: "Perfetto draws local_timer and the device on its interrupt tracks; the other vectors \
        of x86 are raw events there, and slices on schedscope's track. A kernel lock is drawn only \
        while CPUs wait for it. A task that sleeps or ends has S: D, X and Z are not known. A \
        priority that a task changes itself in mid-run is not followed; one that is \
        inherited or that a write changes is. Flags such as interrupts off or need_resched are \
        not beside the kernel's events, where \
        Perfetto would take them for events. A pool of more than 4.29 s and a silo beyond \
        2.14 s have no counter from there on. User-space locks, the causes of a latency and \
        balancing are not in it.",
};

/// One run as a Perfetto trace.
struct Perfetto {
    run: Run,
    packets: Packets,
    events: Events,
    rows: Rows,
}

impl Perfetto {
    fn new(run: Run) -> Self {
        let (packets, events) = (Packets::of(run.side), Events::new(&run));
        let names = run.setup.tasks.iter().map(|task| Comm(&task.name).to_string()).collect();
        let rows = Rows::new(Tracks::new(&run, packets), names);
        Self { run, packets, events, rows }
    }
}

impl RunWriter for Perfetto {
    fn begin(&mut self, out: &mut dyn Write) -> Result<()> {
        let Self { run, packets, rows, .. } = self;
        let start = Some(run.window.0);
        let system = packets::system(run);
        packets.write(Sequence::System, start, (Data::SystemInfo, &system), None, out)?;
        let processes = packets::processes(run, rows.names());
        packets.write(Sequence::System, start, (Data::ProcessTree, &processes), None, out)?;
        rows.begin(run, out)
    }

    fn rows(&mut self, rows: &Columns, out: &mut dyn Write) -> Result<()> {
        self.events.rows(rows, &self.run);
        self.rows.rows(rows, &self.run, out)
    }

    fn end(&mut self, end: &End, out: &mut dyn Write) -> Result<()> {
        self.events.end(end, &self.run);
        ftrace::write(self.events.kept(), &self.run, self.rows.names(), self.packets, out)
    }

    fn lost(&self) -> Vec<String> {
        [self.events.lost(&self.run), self.rows.lost(&self.run)].concat()
    }
}
