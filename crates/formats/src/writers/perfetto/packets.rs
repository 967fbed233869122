//! The packets of one run, and those that describe it: the kernel, processes and threads.

use std::collections::BTreeMap;
use std::io::{Result, Write};

use super::proto::Message;
use crate::events::pid;
use crate::run::{Run, Side};

/// What all packets of a run share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packets {
    side: Side,
}

/// Packets in an order of their own (`trusted_packet_sequence_id`).
#[derive(Clone, Copy, Debug)]
pub(super) enum Sequence {
    /// The system's.
    System,
    /// Track events, with a table of names.
    Tracks,
}

/// Which field of TracePacket the data is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Data {
    Ftrace = 1,
    ProcessTree = 2,
    TrackEvent = 11,
    SystemInfo = 45,
    TrackDescriptor = 60,
}

/// A number of [`Side::B`]'s machine; A is the machine without a number, which Perfetto calls the
/// host.
const MACHINE_B: u32 = 2;
/// `SEQ_INCREMENTAL_STATE_CLEARED` and `SEQ_NEEDS_INCREMENTAL_STATE`.
const TABLE_BEGINS: u32 = 1;
const TABLE_NEEDED: u32 = 2;

impl Packets {
    pub fn of(side: Side) -> Self {
        Self { side }
    }

    /// A number that no packet of the other side has: `of` is below 2^56.
    pub fn id(self, of: u64) -> u64 {
        (self.nth() + 1) << 56 | of
    }

    /// Writes a packet. `names` are the rows of the table of names that it brings.
    pub fn write(
        self,
        sequence: Sequence,
        time: Option<u64>,
        (data, message): (Data, &Message),
        names: Option<&Message>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let mut packet = Message::default();
        if let Some(time) = time {
            packet.uint(8, time);
        }
        packet.message(data as u32, message);
        packet.uint(10, self.nth() * 2 + sequence as u64 + 1);
        if let Some(names) = names {
            packet.message(12, names);
        }
        let flags = match data {
            Data::TrackEvent => TABLE_NEEDED,
            // The first of its sequence.
            Data::TrackDescriptor if names.is_some() => TABLE_BEGINS,
            _ => 0,
        };
        packet.uint(13, flags);
        if self.side == Side::B {
            packet.uint(98, MACHINE_B);
        }
        let mut trace = Message::default();
        trace.message(1, &packet);
        out.write_all(trace.as_bytes())
    }

    fn nth(self) -> u64 {
        match self.side {
            Side::A => 0,
            Side::B => 1,
        }
    }
}

/// The kernel's version as `uname -r` begins, "6.12"; none if the kernel's name begins otherwise.
pub(super) fn release(run: &Run) -> Option<&str> {
    let name = run.title.kernel.as_str();
    let end = name.find(|each: char| !each.is_ascii_digit() && each != '.').unwrap_or(name.len());
    let release = name[..end].trim_end_matches('.');
    release.contains('.').then_some(release)
}

/// SystemInfo. The whole name of the kernel and the command that replays the run are in the field
/// that on a real machine says how the kernel was built.
pub(super) fn system(run: &Run) -> Message {
    let title = &run.title;
    let (mut name, mut info) = (Message::default(), Message::default());
    name.text(1, "Linux");
    name.text(2, &format!("schedscope model of {}: {}", title.kernel, title.replay));
    if let Some(release) = release(run) {
        name.text(3, release);
    }
    name.text(4, "x86_64");
    info.message(1, &name).uint(8, run.cpus());
    info
}

/// ProcessTree: a process for each kind of task, whose threads they are. Its pid is that of the
/// first, which on Linux is the main thread.
pub(super) fn processes(run: &Run, names: &[String]) -> Message {
    let mut tree = Message::default();
    let mut leaders: BTreeMap<&str, u32> = BTreeMap::new();
    let mut threads = Vec::new();
    for (number, task) in run.setup.tasks.iter().enumerate() {
        let tid = pid(number as u32);
        let leader = *leaders.entry(&task.kind).or_insert_with(|| {
            let mut process = Message::default();
            process.uint(1, tid).uint(2, 0u32).text(3, &task.kind);
            if task.kind.contains(' ') {
                // Perfetto cuts a command line of one word at its first space.
                process.text(3, "");
            }
            tree.message(1, &process);
            tid
        });
        threads.push((tid, leader, &names[number]));
    }
    for (tid, leader, name) in threads {
        let mut thread = Message::default();
        thread.uint(1, tid).text(2, name).uint(3, leader);
        tree.message(2, &thread);
    }
    tree
}
