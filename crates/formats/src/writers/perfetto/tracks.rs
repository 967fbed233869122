//! Tracks of our own beside Perfetto's: slices, instants and counters of TrackEvent packets.
//!
//! ```text
//! schedscope: rt-pull-herd, 6.12
//!   waits for kernel locks         <- a folder
//!     CPU 3                        <- a track, there from its first event on
//! ```
//!
//! Numbers of fields: protos/perfetto/trace/track_event/{track_descriptor,track_event,
//! counter_descriptor,debug_annotation}.proto, v52.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Result, Write};

use schedscope_engine::kernel::rt::root_domain::lock_names;

use super::packets::{Data, Packets, Sequence};
use super::proto::Message;
use crate::names::Comm;
use crate::run::{Run, Side};

/// Folders of tracks, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Folder {
    /// A track for each CPU.
    Waits,
    /// For each lock.
    Locks,
    /// For each CPU.
    NeedResched,
    Interrupts,
    WakeUps,
    /// For each group.
    Pools,
    /// For each group and CPU.
    Silos,
    Throttled,
    /// For each CPU.
    RtThrottled,
    Stops,
}

/// A track: its folder, and its number there.
pub(super) type Track = (Folder, u32);

/// What an event says besides its name.
#[derive(Clone, Debug, Default)]
pub(super) struct Says {
    /// Flows that pass from here.
    pub flows: Vec<u64>,
    /// Flows that end here.
    pub ends: Vec<u64>,
    /// Arguments.
    pub notes: Vec<(&'static str, i64)>,
}

/// Writes track events in the order of the rows.
#[derive(Clone, Debug)]
pub(super) struct Tracks {
    packets: Packets,
    window: (u64, u64),
    /// Numbers of the names that the table of the sequence has so far.
    table: BTreeMap<String, u64>,
    described: BTreeSet<u64>,
    /// Names of the slices that have begun, the outermost first.
    open: BTreeMap<Track, Vec<String>>,
    /// The last value of each counter.
    values: BTreeMap<Track, i64>,
    has_begun: bool,
}

/// TrackEvent's types.
const SLICE_BEGIN: u32 = 1;
const SLICE_END: u32 = 2;
const INSTANT: u32 = 3;
const COUNTER: u32 = 4;
/// `UNIT_TIME_NS` of CounterDescriptor.
const NS: u32 = 1;
/// `EXPLICIT` of ChildTracksOrdering; `NONE` of SiblingMergeBehavior.
const ORDERED: u32 = 3;
const NEVER_MERGED: u32 = 2;

impl Folder {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Waits => ("waits for kernel locks", "The CPU spins with interrupts off."),
            Self::Locks => (
                "contended kernel locks",
                "Who holds the lock. Only while another CPU waits, or after the holder waited.",
            ),
            Self::NeedResched => {
                ("need_resched", "From the instant that sets the flag to schedule().")
            }
            Self::Interrupts => (
                "interrupts and IPIs",
                "Handlers and IPIs sent; arrows lead from an IPI to its handler.",
            ),
            Self::WakeUps => {
                ("wake-ups", "Arrows lead from sched_waking to the woken task's first instruction.")
            }
            Self::Pools => ("bandwidth pools", "Run time in the pool of a group, ns."),
            Self::Silos => {
                ("bandwidth silos", "Run time of a group on one CPU, ns; negative is debt.")
            }
            Self::Throttled => {
                ("throttled groups", "The group's queue on this CPU has no run time.")
            }
            Self::RtThrottled => {
                ("RT throttling", "The RT class of this CPU has used up its runtime.")
            }
            Self::Stops => ("hardware stops", "An SMI or the host stops the CPU."),
        }
    }

    fn is_counter(self) -> bool {
        matches!(self, Self::Pools | Self::Silos)
    }

    /// The name of a track.
    pub fn track(self, nth: u32, run: &Run) -> String {
        let group =
            |nth: u32| run.setup.groups.get(nth as usize).map_or("?", |group| group.path.as_str());
        match self {
            Self::Locks => lock_names(&run.setup).swap_remove(nth as usize),
            Self::Pools => Comm(group(nth)).to_string(),
            Self::Silos | Self::Throttled => {
                format!("{}, CPU {}", Comm(group(nth / run.cpus())), nth % run.cpus())
            }
            _ => format!("CPU {nth}"),
        }
    }
}

impl Tracks {
    pub fn new(run: &Run, packets: Packets) -> Self {
        Self {
            packets,
            window: run.window,
            table: BTreeMap::new(),
            described: BTreeSet::new(),
            open: BTreeMap::new(),
            values: BTreeMap::new(),
            has_begun: run.window.0 == 0,
        }
    }

    /// Writes the track above all, which begins the sequence.
    pub fn root(&self, run: &Run, out: &mut dyn Write) -> Result<()> {
        let side = match run.side {
            Side::A => "",
            Side::B => " B",
        };
        let name = format!("schedscope{side}: {}, {}", run.title.scenario, run.title.kernel);
        let mut track = Message::default();
        track.uint(1, self.packets.id(0)).text(2, &name);
        track.uint(11, ORDERED).text(14, &run.title.replay).uint(15, NEVER_MERGED);
        let data = (Data::TrackDescriptor, &track);
        self.packets.write(Sequence::Tracks, None, data, Some(&Message::default()), out)
    }

    /// Says that the next events are at `time`: writes what goes on when the window begins.
    pub fn at(&mut self, time: u64, run: &Run, out: &mut dyn Write) -> Result<()> {
        if self.has_begun || !run.shows(time) {
            return Ok(());
        }
        self.has_begun = true;
        for (track, names) in self.open.clone() {
            for name in names {
                self.event(self.window.0, track, SLICE_BEGIN, &name, &Says::default(), run, out)?;
            }
        }
        let values = self.values.clone();
        values.into_iter().try_for_each(|(track, value)| {
            self.write_counter(self.window.0, track, value, run, out)
        })
    }

    pub fn is_open(&self, track: Track) -> bool {
        self.open.get(&track).is_some_and(|names| !names.is_empty())
    }

    /// Whether a slice of that name has begun on the track.
    pub fn has(&self, track: Track, name: &str) -> bool {
        self.open.get(&track).is_some_and(|names| names.iter().any(|each| each == name))
    }

    pub fn begin(
        &mut self,
        time: u64,
        track: Track,
        name: &str,
        says: &Says,
        run: &Run,
        out: &mut dyn Write,
    ) -> Result<()> {
        self.open.entry(track).or_default().push(name.to_owned());
        self.event(time, track, SLICE_BEGIN, name, says, run, out)
    }

    /// Ends the innermost slice; nothing if there is none.
    pub fn end(&mut self, time: u64, track: Track, run: &Run, out: &mut dyn Write) -> Result<()> {
        match self.open.get_mut(&track).and_then(Vec::pop) {
            Some(_) => self.event(time, track, SLICE_END, "", &Says::default(), run, out),
            None => Ok(()),
        }
    }

    /// Ends all slices of a track.
    pub fn end_all(
        &mut self,
        time: u64,
        track: Track,
        run: &Run,
        out: &mut dyn Write,
    ) -> Result<()> {
        while self.is_open(track) {
            self.end(time, track, run, out)?;
        }
        Ok(())
    }

    pub fn instant(
        &mut self,
        time: u64,
        track: Track,
        name: &str,
        says: &Says,
        run: &Run,
        out: &mut dyn Write,
    ) -> Result<()> {
        self.event(time, track, INSTANT, name, says, run, out)
    }

    /// A slice that is known only at its end.
    pub fn slice(
        &mut self,
        (from, to): (u64, u64),
        track: Track,
        name: &str,
        run: &Run,
        out: &mut dyn Write,
    ) -> Result<()> {
        if !run.shows(to) {
            return Ok(());
        }
        let from = from.max(self.window.0);
        self.event(from, track, SLICE_BEGIN, name, &Says::default(), run, out)?;
        self.event(to, track, SLICE_END, "", &Says::default(), run, out)
    }

    pub fn counter(
        &mut self,
        time: u64,
        track: Track,
        value: i64,
        run: &Run,
        out: &mut dyn Write,
    ) -> Result<()> {
        self.values.insert(track, value);
        self.write_counter(time, track, value, run, out)
    }

    fn write_counter(
        &mut self,
        time: u64,
        track: Track,
        value: i64,
        run: &Run,
        out: &mut dyn Write,
    ) -> Result<()> {
        if !run.shows(time) {
            return Ok(());
        }
        let mut event = Message::default();
        event.uint(9, COUNTER).uint(11, self.described(track, run, out)?).int(30, value);
        self.packets.write(Sequence::Tracks, Some(time), (Data::TrackEvent, &event), None, out)
    }

    #[expect(clippy::too_many_arguments, reason = "each is a field of the event")]
    fn event(
        &mut self,
        time: u64,
        track: Track,
        kind: u32,
        name: &str,
        Says { flows, ends, notes }: &Says,
        run: &Run,
        out: &mut dyn Write,
    ) -> Result<()> {
        if !run.shows(time) {
            return Ok(());
        }
        let mut event = Message::default();
        event.uint(9, kind).uint(11, self.described(track, run, out)?);
        let mut names = None;
        if !name.is_empty() {
            let (number, new) = self.number(name);
            event.uint(10, number);
            names = new;
        }
        for (name, value) in notes {
            let mut note = Message::default();
            note.text(10, name).int(4, *value);
            event.message(4, &note);
        }
        for (field, flows) in [(47, flows), (48, ends)] {
            for flow in flows {
                event.fixed(field, self.packets.id(*flow));
            }
        }
        let data = (Data::TrackEvent, &event);
        self.packets.write(Sequence::Tracks, Some(time), data, names.as_ref(), out)
    }

    /// A name's number in the table, and the table's new row if it is new.
    fn number(&mut self, name: &str) -> (u64, Option<Message>) {
        if let Some(number) = self.table.get(name) {
            return (*number, None);
        }
        let number = self.table.len() as u64 + 1;
        self.table.insert(name.to_owned(), number);
        let (mut row, mut data) = (Message::default(), Message::default());
        row.uint(1, number).text(2, name);
        data.message(2, &row);
        (number, Some(data))
    }

    /// The number of a track; writes what describes it and its folder the first time.
    fn described(&mut self, track: Track, run: &Run, out: &mut dyn Write) -> Result<u64> {
        let (folder, nth) = track;
        let of_folder = (folder as u64 + 1) << 32;
        let (above, uuid) =
            (self.packets.id(of_folder), self.packets.id(of_folder + u64::from(nth) + 1));
        if self.described.contains(&uuid) {
            return Ok(uuid);
        }
        if self.described.insert(above) {
            let (name, meaning) = folder.words();
            let mut message = Message::default();
            message.text(14, meaning).uint(11, ORDERED);
            self.describe(above, self.packets.id(0), name, folder as u32, message, out)?;
        }
        self.described.insert(uuid);
        let mut message = Message::default();
        if folder.is_counter() {
            let mut unit = Message::default();
            unit.uint(3, NS);
            message.message(8, &unit);
        }
        self.describe(uuid, above, &folder.track(nth, run), nth, message, out)?;
        Ok(uuid)
    }

    fn describe(
        &self,
        uuid: u64,
        parent: u64,
        name: &str,
        rank: u32,
        mut message: Message,
        out: &mut dyn Write,
    ) -> Result<()> {
        message.uint(1, uuid).uint(5, parent).text(2, name);
        message.uint(12, rank).uint(15, NEVER_MERGED);
        self.packets.write(Sequence::Tracks, None, (Data::TrackDescriptor, &message), None, out)
    }
}
