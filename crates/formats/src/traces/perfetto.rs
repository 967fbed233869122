//! Perfetto's protobuf: the kernel's events in it.
//!
//! A file is a list of packets (protos/perfetto/trace/trace_packet.proto). The kernel's events are
//! in bundles of one CPU each (ftrace/ftrace_event_bundle.proto).

mod compact;
mod events;
mod wire;

use super::binary::{Fields, Sink, Sort, Stop, ended, text_of};
use super::form::{HEAD, Refused, TraceForm, Watch};
use super::unpack::{Method, Room};
use crate::recording::{Builder, Stamp};
use compact::{Last, Lasts, Place};
use events::Events;
use wire::{Message, Value};

pub(super) const FORM: TraceForm = TraceForm {
    name: "perfetto",
    title: "Perfetto trace",
    extensions: &["pftrace", "perfetto-trace", "pb", "trace"],
    made_by: "perfetto -o FILE sched irq power, or tracebox",
    carries: "The same events as ftrace text has, to the nanosecond, from every bundle, compact \
        or not; events that the file itself describes; lost events; the kernel's release; the \
        clock. Packets compressed by zlib or zstd.",
    loses: "Track events, counters and every other packet are counted. A compact switch does not \
        name the previous task: the first one of a CPU, and the first behind lost events, has \
        none. Flags such as need_resched are not taken. Of several machines the first is read.",
    is,
    read,
};

// Fields of TracePacket.
const FTRACE: u32 = 1;
const PROCESS_TREE: u32 = 2;
const SYSTEM_INFO: u32 = 45;
const COMPRESSED: u32 = 50;
const MACHINE: u32 = 98;
const COMPRESSED_ZSTD: u32 = 133;
/// Packets compressed inside of compressed ones: none are, but for damaged files.
const DEPTH_MAX: usize = 2;
/// So many packets are looked at to recognise a file.
const LOOKED_AT: usize = 16;
/// FtraceClock; 0 is the default, boot.
const CLOCKS: [&str; 5] = ["boot", "unknown", "global", "local", "mono_raw"];

/// Packets follow each other, each a list of fields. What the head cuts off is not looked at.
fn is(head: &[u8]) -> bool {
    let mut packets = Message::of(head);
    let mut seen = 0;
    for (number, value) in packets.by_ref().take(LOOKED_AT) {
        let Value::Bytes(packet) = value else { return false };
        let mut fields = Message::of(packet);
        let is_known = fields.by_ref().all(|(number, _)| number < 1_000);
        if number != 1 || !is_known || fields.is_broken() {
            return false;
        }
        seen += 1;
    }
    if seen > 0 {
        return true;
    }
    // A first packet that is longer than the head begins with a field.
    let is_long = head.len() >= HEAD && packets.rest().first() == Some(&0x0a);
    is_long && head.get(1..5).is_some_and(|length| length.iter().any(|byte| byte & 0x80 != 0))
}

fn read(file: &[u8], builder: &mut Builder, watch: &mut dyn Watch) -> Result<(), Refused> {
    let mut sink = Sink::new(builder, watch);
    let mut reader = Reader {
        events: Events::new(),
        lasts: Lasts::new(),
        machine: None,
        room: Room::of(file.len()),
    };
    let end = reader.packets(file, None, 0, &mut sink);
    ended(end, builder, FORM.title)
}

struct Reader {
    events: Events,
    lasts: Lasts,
    /// The machine that is read, once a bundle has named it.
    machine: Option<u64>,
    room: Room,
}

impl Reader {
    /// A list of packets; what is compressed in a file is at one byte of it.
    fn packets(
        &mut self,
        bytes: &[u8],
        at: Option<usize>,
        depth: usize,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        let mut packets = Message::of(bytes);
        loop {
            let byte = at.unwrap_or(bytes.len() - packets.rest().len());
            sink.step(byte)?;
            let Some((number, value)) = packets.next() else { break };
            match value {
                Value::Bytes(packet) if number == 1 => self.packet(packet, byte, depth, sink)?,
                _ => sink.builder.passed(),
            }
        }
        if packets.is_broken() {
            let byte = at.unwrap_or(bytes.len() - packets.rest().len());
            return Err(Stop::at(byte, "a packet is cut off, or is none"));
        }
        Ok(())
    }

    fn packet(
        &mut self,
        packet: &[u8],
        byte: usize,
        depth: usize,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        let machine = Message::of(packet).find_map(|(number, value)| match value {
            Value::Number(machine) if number == MACHINE => Some(machine),
            _ => None,
        });
        let mut fields = Message::of(packet);
        let mut is_taken = false;
        for (number, value) in fields.by_ref() {
            let Value::Bytes(bytes) = value else { continue };
            is_taken = true;
            match number {
                FTRACE => self.bundle(bytes, byte, machine.unwrap_or(0), sink)?,
                PROCESS_TREE => names(bytes, sink),
                SYSTEM_INFO => system(bytes, sink),
                COMPRESSED => self.compressed(bytes, Method::Zlib, byte, depth, sink)?,
                COMPRESSED_ZSTD => self.compressed(bytes, Method::Zstd, byte, depth, sink)?,
                _ => is_taken = false,
            }
        }
        if fields.is_broken() {
            sink.builder.unread("packet", format!("byte {byte}"), "a field is cut off".to_owned());
        } else if !is_taken {
            sink.builder.passed();
        }
        Ok(())
    }

    fn compressed(
        &mut self,
        bytes: &[u8],
        method: Method,
        byte: usize,
        depth: usize,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        if depth >= DEPTH_MAX {
            return Err(Stop::at(byte, "packets are compressed inside of compressed ones"));
        }
        let unpacked = self.room.unpacked(bytes, method);
        let unpacked = unpacked.map_err(|why| Stop::at(byte, &why))?;
        self.packets(&unpacked, Some(byte), depth + 1, sink)
    }

    fn bundle(
        &mut self,
        bundle: &[u8],
        byte: usize,
        machine: u64,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        if *self.machine.get_or_insert(machine) != machine {
            let what = format!("machine {machine}: only the first one is read");
            sink.builder.unread("machine", format!("byte {byte}"), what);
            return Ok(());
        }
        let (mut cpu, mut clock, mut is_lossy) = (0, 0, false);
        for field in Message::of(bundle) {
            match field {
                (1, Value::Number(number)) => cpu = u32::try_from(number).unwrap_or(u32::MAX),
                (3, Value::Number(lost)) => is_lossy = lost != 0,
                (5, Value::Number(number)) => clock = number,
                (11, Value::Bytes(descriptor)) => self.events.describe(descriptor),
                _ => {}
            }
        }
        let clock = usize::try_from(clock).ok().and_then(|clock| CLOCKS.get(clock));
        sink.builder.clock(clock.unwrap_or(&"unknown"));
        if is_lossy {
            sink.builder.lost(cpu, None);
            self.lasts.remove(&cpu);
        }
        self.bundled(bundle, Place { cpu, byte }, sink)
    }

    fn bundled(&mut self, bundle: &[u8], place: Place, sink: &mut Sink<'_>) -> Result<(), Stop> {
        let mut fields = Message::of(bundle);
        for field in fields.by_ref() {
            match field {
                (2, Value::Bytes(event)) => {
                    sink.step(place.byte)?;
                    self.event(event, place, sink);
                }
                (4, Value::Bytes(columns)) => {
                    compact::read(columns, place, &mut self.lasts, sink)?;
                }
                (8, Value::Bytes(_)) => {
                    let what = "Perfetto could not read a page of the kernel's".to_owned();
                    sink.builder.unread("page", format!("byte {}", place.byte), what);
                }
                _ => {}
            }
        }
        if fields.is_broken() {
            let what = "a field of a bundle is cut off".to_owned();
            sink.builder.unread("packet", format!("byte {}", place.byte), what);
        }
        Ok(())
    }

    /// One FtraceEvent: a time, and a message of its own kind.
    fn event(&mut self, event: &[u8], Place { cpu, byte }: Place, sink: &mut Sink<'_>) {
        let (mut ns, mut own) = (None, None);
        for field in Message::of(event) {
            match field {
                (1, Value::Number(number)) => ns = Some(number),
                (number, Value::Bytes(bytes)) => own = Some((number, bytes)),
                _ => {}
            }
        }
        let (Some(ns), Some((number, bytes))) = (ns, own) else {
            let what = "an event without a time or a kind".to_owned();
            return sink.builder.unread("event", format!("byte {byte}"), what);
        };
        let found = self.events.of(number, bytes);
        let stamp = Stamp { ns, cpu, ..Stamp::default() };
        sink.event(stamp, (&found.name, found.sort), &found.said, byte);
        if found.sort == Some(Sort::Switch)
            && let Some(pid) = found.said.number("next_pid")
        {
            let comm = found.said.text("next_comm").unwrap_or("<...>").to_owned();
            let prio = found.said.number("next_prio");
            self.lasts.insert(cpu, Last { pid, comm, prio });
        }
    }
}

/// ProcessTree: names of threads. A process has its command line, which is no name of a task.
fn names(tree: &[u8], sink: &mut Sink<'_>) {
    for field in Message::of(tree) {
        let (2, Value::Bytes(thread)) = field else { continue };
        let name = Message::message(thread, 2).map_or("", text_of);
        let tid = Message::of(thread).find_map(|(number, value)| match value {
            Value::Number(tid) if number == 1 => u32::try_from(tid).ok(),
            _ => None,
        });
        if let Some(tid) = tid.filter(|_| !name.is_empty()) {
            sink.names.add(tid, name);
        }
    }
}

/// SystemInfo: the release in what uname(2) says.
fn system(info: &[u8], sink: &mut Sink<'_>) {
    let name = Message::message(info, 1).unwrap_or_default();
    if let Some(release) = Message::message(name, 3) {
        sink.builder.kernel(text_of(release));
    }
}
