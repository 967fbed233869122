//! The events of the file.

use std::fmt::{Arguments, Display, Formatter};
use std::io::{Result, Write};

use super::lanes::{Lane, POOLS, PROCESSES};
use crate::json_text::Quoted;
use crate::names::Comm;
use crate::run::Run;

/// Writes one event after the other; slices as far as the window shows them.
pub(super) struct Json {
    window: (u64, u64),
    begun: bool,
}

/// ns as us with three decimals.
struct Us(u64);

impl Display for Us {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}.{:03}", self.0 / 1_000, self.0 % 1_000)
    }
}

/// A slice's length in us with five decimals, a little short: it ends before what follows it.
///
/// Readers add the length to the beginning in floating point. A sum that comes out above the next
/// beginning, or above the end of the slice around it, makes speedscope drop the end of a slice
/// (jlfwong/speedscope, src/import/trace-event.ts). So a slice is 0.01 ns short, and one more for
/// each slice around it; a slice of 0 ns gets a length instead, because speedscope cannot end it
/// where another one begins. Every length is less than 0.5 ns off: Perfetto rounds to whole ns
/// (google/perfetto, importers/json) and finds the exact one.
///
/// ```text
///   task   ├──────────────────┤        -0.01 ns
///   irq            ├─────────┤·        -0.02 ns, ends at the same ns
///   next                      ·├────   begins there
/// ```
struct Length {
    ns: u64,
    /// How many slices are around it.
    depth: usize,
}

/// A slice of 0 ns without what `Length` takes off, hundredths of a ns, however many are around it.
const ZERO: u64 = 40;

impl Display for Length {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        let short = (self.depth as u64 + 1).min(ZERO);
        let hundredths = if self.ns == 0 { ZERO } else { self.ns * 100 } - short;
        write!(formatter, "{}.{:05}", hundredths / 100_000, hundredths % 100_000)
    }
}

impl Json {
    pub fn new(run: &Run) -> Self {
        Self { window: run.window, begun: false }
    }

    /// What comes before the first event, and the names of the lanes that every run has.
    pub fn begin(&mut self, run: &Run, out: &mut dyn Write) -> Result<()> {
        let title = &run.title;
        write!(
            out,
            "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"scenario\":{},\"kernel\":{},\
             \"replay\":{}}},\"traceEvents\":[",
            Quoted(&title.scenario),
            Quoted(&title.kernel),
            Quoted(&title.replay)
        )?;
        for (pid, name) in PROCESSES {
            let lane = Lane { pid, tid: pid };
            self.meta("process_name", lane, format_args!("\"name\":{}", Quoted(name)), out)?;
            self.meta("process_sort_index", lane, format_args!("\"sort_index\":{pid}"), out)?;
        }
        let cpus = run.cpus();
        for cpu in 0..cpus as usize {
            self.lane(Lane::cpu(cpu), format_args!("CPU {cpu}"), out)?;
            self.lane(Lane::flags(cpu, cpus), format_args!("CPU {cpu}"), out)?;
        }
        Ok(())
    }

    /// After the last event.
    pub fn end(&self, out: &mut dyn Write) -> Result<()> {
        out.write_all(b"\n]}\n")
    }

    /// Names a lane; lanes are sorted by their numbers.
    pub fn lane(&mut self, lane: Lane, name: Arguments<'_>, out: &mut dyn Write) -> Result<()> {
        self.meta("thread_name", lane, format_args!("\"name\":{}", Quoted(name)), out)?;
        let index = format_args!("\"sort_index\":{}", lane.tid);
        self.meta("thread_sort_index", lane, index, out)
    }

    fn meta(
        &mut self,
        what: &str,
        Lane { pid, tid }: Lane,
        args: Arguments<'_>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let text = format_args!(
            "\"ph\":\"M\",\"name\":\"{what}\",\"pid\":{pid},\"tid\":{tid},\"args\":{{{args}}}"
        );
        self.event(text, out)
    }

    /// The part of a slice that the window shows; none if it shows nothing.
    pub fn part(&self, (from, to): (u64, u64)) -> Option<(u64, u64)> {
        let (first, end) = self.window;
        let shown = from < end && (to > first || from >= first);
        shown.then(|| (from.max(first), to.min(end)))
    }

    /// A slice with `depth` slices around it; nothing outside the window.
    pub fn slice(
        &mut self,
        (Lane { pid, tid }, depth): (Lane, usize),
        span: (u64, u64),
        name: &dyn Display,
        args: Arguments<'_>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let Some((from, to)) = self.part(span) else { return Ok(()) };
        let text = format_args!(
            "\"ph\":\"X\",\"name\":{},\"pid\":{pid},\"tid\":{tid},\"ts\":{},\"dur\":{},\
             \"args\":{{{args}}}",
            Quoted(name),
            Us(from),
            Length { ns: to - from, depth }
        );
        self.event(text, out)
    }

    /// The beginning or the end of a wake-up's arrow; an end belongs to the slice around it.
    pub fn arrow(
        &mut self,
        Lane { pid, tid }: Lane,
        at: u64,
        (id, ends): (u64, bool),
        out: &mut dyn Write,
    ) -> Result<()> {
        let phase = if ends { "f\",\"bp\":\"e" } else { "s" };
        let text = format_args!(
            "\"ph\":\"{phase}\",\"cat\":\"sched\",\"name\":\"wake-up\",\"id\":{id},\"pid\":{pid},\
             \"tid\":{tid},\"ts\":{}",
            Us(at)
        );
        self.event(text, out)
    }

    /// The level of a group's pool.
    pub fn pool(
        &mut self,
        run: &Run,
        (time, group, ns): (u64, u32, i64),
        out: &mut dyn Write,
    ) -> Result<()> {
        let path = run.setup.groups.get(group as usize).map_or("?", |group| group.path.as_str());
        let text = format_args!(
            "\"ph\":\"C\",\"name\":{},\"pid\":{POOLS},\"ts\":{},\"args\":{{\"ns\":{ns}}}",
            Quoted(format_args!("pool of {}", Comm(path))),
            Us(time)
        );
        self.event(text, out)
    }

    fn event(&mut self, text: Arguments<'_>, out: &mut dyn Write) -> Result<()> {
        let between = if std::mem::replace(&mut self.begun, true) { ",\n" } else { "\n" };
        write!(out, "{between}{{{text}}}")
    }
}
