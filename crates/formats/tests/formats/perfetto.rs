//! Perfetto traces, as a reader of protobuf sees them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use schedscope_engine::trace::catalogue::{Kind, NONE};
use schedscope_formats::{FORMATS, Side, What};

use crate::support::{
    SCENARIOS, WHOLE, Written, described, prepared, shipped, written, written_in, written_of,
};

/// A field of a message.
#[derive(Clone, Copy, Debug)]
enum Value<'b> {
    Number(u64),
    Bytes(&'b [u8]),
}

/// The fields of a message, in their order.
#[derive(Clone, Debug)]
struct Message<'b>(Vec<(u64, Value<'b>)>);

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let (first, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return value;
        }
    }
    unreachable!()
}

fn taken<'b>(bytes: &mut &'b [u8], count: usize) -> &'b [u8] {
    let (first, rest) = bytes.split_at(count);
    *bytes = rest;
    first
}

impl<'b> Message<'b> {
    fn read(mut bytes: &'b [u8]) -> Self {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let tag = varint(&mut bytes);
            let value = match tag & 7 {
                0 => Value::Number(varint(&mut bytes)),
                1 => Value::Number(u64::from_le_bytes(taken(&mut bytes, 8).try_into().unwrap())),
                2 => {
                    let length = varint(&mut bytes) as usize;
                    Value::Bytes(taken(&mut bytes, length))
                }
                other => panic!("type {other}"),
            };
            fields.push((tag >> 3, value));
        }
        Self(fields)
    }

    fn all(&self, field: u64) -> impl Iterator<Item = Value<'b>> {
        self.0.iter().filter(move |(number, _)| *number == field).map(|(_, value)| *value)
    }

    fn number(&self, field: u64) -> Option<u64> {
        self.all(field).next().map(|value| match value {
            Value::Number(number) => number,
            Value::Bytes(_) => panic!("field {field} is bytes"),
        })
    }

    fn messages(&self, field: u64) -> impl Iterator<Item = Self> {
        self.all(field).map(move |value| match value {
            Value::Bytes(bytes) => Self::read(bytes),
            Value::Number(_) => panic!("field {field} is a number"),
        })
    }

    fn text(&self, field: u64) -> Option<&'b str> {
        self.all(field).next().map(|value| match value {
            Value::Bytes(bytes) => std::str::from_utf8(bytes).unwrap(),
            Value::Number(_) => panic!("field {field} is a number"),
        })
    }
}

fn packets(bytes: &[u8]) -> Vec<Message<'_>> {
    Message::read(bytes).messages(1).collect()
}

/// Numbers of FtraceEvent's fields.
const SWITCH: u64 = 4;
const WAKEUP: u64 = 17;
const WAKING: u64 = 20;
const WAKEUP_NEW: u64 = 114;

/// A trace event: its time, CPU, and message.
struct Event<'b> {
    time: u64,
    cpu: u64,
    kind: u64,
    says: Message<'b>,
}

/// Trace events in order of time; those of one CPU at one time in the order of the file.
fn events<'b>(packets: &[Message<'b>]) -> Vec<Event<'b>> {
    let bundles = packets.iter().flat_map(|packet| packet.messages(1));
    let mut events: Vec<_> = bundles
        .flat_map(|bundle| {
            let cpu = bundle.number(1).unwrap();
            bundle
                .messages(2)
                .map(|event| Event {
                    time: event.number(1).unwrap(),
                    cpu,
                    kind: event
                        .0
                        .iter()
                        .find(|(_, value)| matches!(value, Value::Bytes(_)))
                        .unwrap()
                        .0,
                    says: event
                        .0
                        .iter()
                        .find_map(|(_, value)| match value {
                            Value::Bytes(bytes) => Some(Message::read(bytes)),
                            Value::Number(_) => None,
                        })
                        .unwrap(),
                })
                .collect::<Vec<_>>()
        })
        .collect();
    events.sort_by_key(|event| event.time);
    events
}

/// Fields of FtraceEvent that are no event: time and pid.
const BESIDE: [u64; 2] = [1, 2];

/// All scenarios, each run once.
static RAN: LazyLock<Vec<(&str, Written)>> = LazyLock::new(|| {
    SCENARIOS.iter().map(|(slug, ..)| (*slug, written("perfetto", &prepared(slug)))).collect()
});

#[test]
fn a_reader_counts_the_switches_and_wake_ups_of_the_run() {
    for (slug, written) in RAN.iter() {
        let packets = packets(&written.bytes);
        let events = events(&packets);
        let read = |kind: u64| events.iter().filter(|event| event.kind == kind).count();
        let ran = |kind: Kind| written.rows.kind.iter().filter(|each| **each == kind as u8).count();
        let switches = written.report.metrics.sched.context_switches;
        assert_eq!(read(SWITCH) as u64, switches, "{slug}");
        assert_eq!(read(WAKING), ran(Kind::SchedWaking), "{slug}");
        assert_eq!(read(WAKEUP), ran(Kind::SchedWakeup), "{slug}");
        assert_eq!(read(WAKEUP_NEW), ran(Kind::WakeupNew), "{slug}");
        assert!(switches > 10, "{slug}");
    }
}

#[test]
fn each_switch_has_the_time_cpu_and_pids_of_its_row() {
    for (slug, Written { bytes, rows, .. }) in RAN.iter() {
        let packets = packets(bytes);
        let read: BTreeSet<_> = events(&packets)
            .iter()
            .filter(|event| event.kind == SWITCH)
            .map(|Event { time, cpu, says, .. }| {
                (*time, *cpu, says.number(2).unwrap(), says.number(6).unwrap())
            })
            .collect();
        let pid = |task: u32| if task == NONE { 0 } else { u64::from(task) + 1000 };
        let switches =
            (0..rows.time.len()).filter(|row| rows.kind[*row] == Kind::SchedSwitch as u8);
        let ran: BTreeSet<_> = switches
            .map(|row| {
                (rows.time[row], u64::from(rows.cpu[row]), pid(rows.a[row]), pid(rows.b[row]))
            })
            .collect();
        assert_eq!(read, ran, "{slug}");
    }
}

#[test]
fn names_are_those_of_the_tasks_in_the_process_tree_and_in_each_switch() {
    for (slug, written) in RAN.iter() {
        let packets = packets(&written.bytes);
        let trees: Vec<_> = packets.iter().flat_map(|packet| packet.messages(2)).collect();
        let [tree] = trees.as_slice() else { panic!("{slug}") };
        let setup = prepared(slug).setup;
        let threads: BTreeMap<u64, &str> = tree
            .messages(2)
            .map(|thread| (thread.number(1).unwrap(), thread.text(2).unwrap()))
            .collect();
        let tasks = setup.tasks.iter().enumerate();
        assert!(tasks.clone().all(|(n, task)| threads[&(n as u64 + 1000)] == task.name), "{slug}");
        let kinds: BTreeSet<&str> = setup.tasks.iter().map(|task| task.kind.as_str()).collect();
        assert_eq!(tree.messages(1).count(), kinds.len(), "{slug}");
        for event in events(&packets).iter().filter(|event| event.kind == SWITCH) {
            let (pid, comm) = (event.says.number(6).unwrap(), event.says.text(5).unwrap());
            let idle = format!("swapper/{}", event.cpu);
            assert_eq!(comm, *threads.get(&pid).unwrap_or(&idle.as_str()), "{slug}");
        }
    }
}

#[test]
fn prev_state_of_a_preempted_task_is_the_number_of_the_release_in_the_file() {
    let preempted = |version: &str| {
        let written = written(
            "perfetto",
            &shipped("rt-pull-herd", &[("duration", "20ms"), ("kernel.version", version)]),
        );
        let packets = packets(&written.bytes);
        let system = packets.iter().flat_map(|packet| packet.messages(45)).next().unwrap();
        let name = system.messages(1).next().unwrap();
        let states: BTreeSet<u64> = events(&packets)
            .iter()
            .filter(|event| event.kind == SWITCH)
            .map(|event| event.says.number(4).unwrap())
            .collect();
        (name.text(3).unwrap().to_owned(), states.into_iter().max().unwrap())
    };
    assert_eq!(preempted("6.12"), ("6.12".to_owned(), 0x100));
    assert_eq!(preempted("3.19"), ("3.19".to_owned(), 0x800));
}

#[test]
fn slices_of_a_track_nest_and_every_event_has_a_described_track_and_a_name() {
    for (slug, written) in RAN.iter() {
        let (mut names, mut tracks, mut depth) =
            (BTreeMap::new(), BTreeSet::new(), BTreeMap::<u64, i32>::new());
        let mut counted = 0;
        for packet in packets(&written.bytes) {
            for track in packet.messages(60) {
                let (uuid, above) = (track.number(1).unwrap(), track.number(5));
                assert!(above.is_none_or(|above| tracks.contains(&above)), "{slug}");
                assert!(tracks.insert(uuid) && !track.text(2).unwrap().is_empty(), "{slug}");
            }
            for name in packet.messages(12).flat_map(|data| data.messages(2).collect::<Vec<_>>()) {
                names.insert(name.number(1).unwrap(), name.text(2).unwrap().to_owned());
            }
            for event in packet.messages(11) {
                counted += 1;
                let track = event.number(11).unwrap();
                assert!(tracks.contains(&track), "{slug}");
                let depth = depth.entry(track).or_default();
                match event.number(9).unwrap() {
                    1 => *depth += 1,
                    2 => *depth -= 1,
                    3 => {}
                    4 => assert!(event.number(30).is_some(), "{slug}"),
                    other => panic!("{slug}: {other}"),
                }
                assert!(*depth >= 0, "{slug}");
                let is_named = event.number(10).is_some_and(|name| names.contains_key(&name));
                assert_eq!(is_named, [1, 3].contains(&event.number(9).unwrap()), "{slug}");
            }
        }
        assert!(counted > 10, "{slug}");
    }
}

#[test]
fn a_counter_of_a_pool_has_the_values_of_the_rows() {
    let (_, written) = RAN.iter().find(|(slug, _)| *slug == "quota-pinned").unwrap();
    let packets = packets(&written.bytes);
    let pools = packets
        .iter()
        .flat_map(|packet| packet.messages(60).collect::<Vec<_>>())
        .find(|track| track.text(2) == Some("bandwidth pools"))
        .and_then(|track| track.number(1))
        .unwrap();
    let of_pools: BTreeSet<u64> = packets
        .iter()
        .flat_map(|packet| packet.messages(60).collect::<Vec<_>>())
        .filter(|track| track.number(5) == Some(pools))
        .map(|track| track.number(1).unwrap())
        .collect();
    let read: Vec<(u64, u64)> = packets
        .iter()
        .filter_map(|packet| Some((packet.number(8)?, packet.messages(11).next()?)))
        .filter(|(_, event)| of_pools.contains(&event.number(11).unwrap()))
        .map(|(time, event)| (time, event.number(30).unwrap()))
        .collect();
    let rows = &written.rows;
    let ran: Vec<(u64, u64)> = (0..rows.time.len())
        .filter(|row| rows.kind[*row] == Kind::BwPool as u8)
        .map(|row| (rows.time[row], u64::from(rows.b[row])))
        .collect();
    assert!(read == ran && read.len() > 1, "{read:?} {ran:?}");
}

#[test]
fn two_sides_end_to_end_are_two_machines_without_a_number_in_common() {
    let format = FORMATS.iter().find(|format| format.name == "perfetto").unwrap();
    let joins = |what| format.contents.iter().any(|each| each.what == what && each.joins);
    assert!(joins(What::Trace));
    let herd = prepared("rt-pull-herd");
    let a = written("perfetto", &herd);
    let b = written_of(
        "perfetto",
        &herd,
        schedscope_formats::Run { side: Side::B, ..described(&herd, WHOLE) },
        u64::MAX,
    );
    let joined = [a.bytes.as_slice(), b.bytes.as_slice()].concat();
    let mut seen = BTreeMap::<Option<u64>, (usize, BTreeSet<u64>, BTreeSet<u64>)>::new();
    for packet in packets(&joined) {
        let (switches, sequences, tracks) = seen.entry(packet.number(98)).or_default();
        *switches +=
            events(std::slice::from_ref(&packet)).iter().filter(|each| each.kind == SWITCH).count();
        sequences.insert(packet.number(10).unwrap());
        tracks.extend(packet.messages(60).map(|track| track.number(1).unwrap()));
    }
    let machines: Vec<_> = seen.into_iter().collect();
    let [(None, first), (Some(number), second)] = machines.as_slice() else {
        panic!("{machines:?}")
    };
    assert!(*number > 0 && first.0 > 1000 && first.0 == second.0);
    assert!(first.1.is_disjoint(&second.1) && first.2.is_disjoint(&second.2));
    assert_eq!(first.2.len(), second.2.len());
}

#[test]
fn a_window_begins_with_the_slices_and_values_that_hold_there() {
    let pinned = shipped("quota-pinned", &[("duration", "300ms")]);
    let window = (100_000_000, 200_000_000);
    let part = written_in("perfetto", &pinned, window, u64::MAX);
    let packets = packets(&part.bytes);
    let times: Vec<u64> = packets.iter().filter_map(|packet| packet.number(8)).collect();
    assert!(times.iter().all(|time| (window.0..window.1).contains(time)));
    assert!(events(&packets).iter().all(|each| (window.0..window.1).contains(&each.time)));
    let at_begin = packets.iter().filter(|packet| packet.number(8) == Some(window.0));
    let values = at_begin.flat_map(|packet| packet.messages(11).collect::<Vec<_>>());
    assert!(values.filter(|event| event.number(9) == Some(4)).count() >= 2);
}

#[test]
fn a_trace_event_has_one_field_beside_its_time_and_pid() {
    for (slug, written) in RAN.iter() {
        let packets = packets(&written.bytes);
        let bundles = packets.iter().flat_map(|packet| packet.messages(1));
        for event in bundles.flat_map(|bundle| bundle.messages(2).collect::<Vec<_>>()) {
            let own = event.0.iter().filter(|(field, _)| !BESIDE.contains(field));
            assert_eq!(own.count(), 1, "{slug}: Perfetto takes each for an event: {event:?}");
        }
    }
}

#[test]
fn a_process_whose_name_has_a_space_has_two_words_on_its_command_line() {
    let mut odd = prepared("rt-pull-herd");
    odd.setup.tasks.iter_mut().for_each(|task| task.kind = "a ==> b".to_owned());
    let written = written("perfetto", &odd);
    let packets = packets(&written.bytes);
    let tree = packets.iter().flat_map(|packet| packet.messages(2)).next().unwrap();
    let process = tree.messages(1).next().unwrap();
    assert_eq!(process.text(3), Some("a ==> b"));
    assert_eq!(process.all(3).count(), 2, "one word is cut at its first space");
}
