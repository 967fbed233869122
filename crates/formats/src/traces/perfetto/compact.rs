//! CompactSched: switches and wakings of a bundle as columns. A switch states only the next task:
//! the previous one is that of the switch before on the same CPU.

use std::collections::BTreeMap;

use super::super::binary::{Sink, Sort, Stop, text_of};
use super::events::Said;
use super::wire::{Message, Value, packed};
use crate::recording::Stamp;

/// What a CPU was last switched to.
#[derive(Clone, Debug)]
pub(super) struct Last {
    pub(super) pid: i64,
    pub(super) comm: String,
    pub(super) prio: Option<i64>,
}

/// By CPU; none where events were lost since.
pub(super) type Lasts = BTreeMap<u32, Last>;

/// A pid that no task has: the kernel's greatest is 4 194 303.
const NO_PID: u64 = u32::MAX as u64;

/// The columns, by their numbers of fields.
struct Columns<'m> {
    all: BTreeMap<u32, &'m [u8]>,
    names: Vec<&'m str>,
}

/// The bundle's place: its CPU, and its byte in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) cpu: u32,
    pub(super) byte: usize,
}

/// Reads both tables.
pub(super) fn read(
    bytes: &[u8],
    place: Place,
    lasts: &mut Lasts,
    sink: &mut Sink<'_>,
) -> Result<(), Stop> {
    let mut columns = Columns { all: BTreeMap::new(), names: Vec::new() };
    for (field, value) in Message::of(bytes) {
        match value {
            Value::Bytes(name) if field == 5 => columns.names.push(text_of(name)),
            Value::Bytes(column) => _ = columns.all.insert(field, column),
            Value::Number(_) => {}
        }
    }
    columns.switches(place, lasts, sink)?;
    columns.wakings(place, sink)
}

impl<'m> Columns<'m> {
    fn column(&self, field: u32) -> impl Iterator<Item = u64> + use<'m> {
        packed(self.all.get(&field).copied().unwrap_or_default())
    }

    /// The first time is absolute, each next one since that before it.
    fn times(&self, field: u32) -> impl Iterator<Item = u64> + use<'m> {
        self.column(field).scan(0_u64, |ns, delta| {
            *ns = ns.wrapping_add(delta);
            Some(*ns)
        })
    }

    fn name(&self, index: u64) -> Option<&'m str> {
        self.names.get(usize::try_from(index).ok()?).copied()
    }

    fn switches(
        &self,
        Place { cpu, byte }: Place,
        lasts: &mut Lasts,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        let (mut states, mut pids) = (self.column(2), self.column(3));
        let (mut prios, mut comms) = (self.column(4), self.column(6));
        for ns in self.times(1) {
            sink.step(byte)?;
            let row = (states.next(), pids.next(), prios.next(), comms.next());
            let (Some(state), Some(pid), Some(prio), Some(comm)) = row else {
                return Err(Stop::at(byte, "columns of switches differ in length"));
            };
            let last = lasts.remove(&cpu);
            let mut said = Said::default();
            let number = |number: i64| Value::Number(number.cast_unsigned());
            let before = last.as_ref();
            said.add("prev_pid", before.map_or(Value::Number(NO_PID), |last| number(last.pid)));
            if let Some(last) = before {
                said.add("prev_comm", Value::Bytes(last.comm.as_bytes()));
                last.prio.into_iter().for_each(|prio| said.add("prev_prio", number(prio)));
            }
            said.add("prev_state", Value::Number(state));
            said.add("next_pid", Value::Number(pid));
            said.add("next_prio", Value::Number(prio));
            let comm = self.name(comm);
            comm.into_iter().for_each(|comm| said.add("next_comm", Value::Bytes(comm.as_bytes())));
            let stamp = Stamp { ns, cpu, ..Stamp::default() };
            sink.event(stamp, ("sched_switch", Some(Sort::Switch)), &said, byte);
            let next = Last {
                pid: pid.cast_signed(),
                comm: comm.unwrap_or("<...>").to_owned(),
                prio: Some(prio.cast_signed()),
            };
            lasts.insert(cpu, next);
        }
        Ok(())
    }

    fn wakings(&self, Place { cpu, byte }: Place, sink: &mut Sink<'_>) -> Result<(), Stop> {
        let (mut pids, mut targets) = (self.column(8), self.column(9));
        let (mut prios, mut comms) = (self.column(10), self.column(11));
        for ns in self.times(7) {
            sink.step(byte)?;
            let row = (pids.next(), targets.next(), prios.next(), comms.next());
            let (Some(pid), Some(target), Some(prio), Some(comm)) = row else {
                return Err(Stop::at(byte, "columns of wakings differ in length"));
            };
            let mut said = Said::default();
            said.add("pid", Value::Number(pid));
            said.add("target_cpu", Value::Number(target));
            said.add("prio", Value::Number(prio));
            let comm = self.name(comm);
            comm.into_iter().for_each(|comm| said.add("comm", Value::Bytes(comm.as_bytes())));
            let stamp = Stamp { ns, cpu, ..Stamp::default() };
            sink.event(stamp, ("sched_waking", Some(Sort::Waking)), &said, byte);
        }
        Ok(())
    }
}
