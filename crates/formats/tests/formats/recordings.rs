//! Recordings that our own writers make, read back: what the readers take is what the run did.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use schedscope_engine::trace::catalogue::{Kind, NONE};
use schedscope_engine::trace::columns::Columns;
use schedscope_formats::recording::{Left, Recording};
use schedscope_formats::traces::{Refused, form_of, read};

use crate::support::{SCENARIOS, Written, prepared, written};

/// The forms that are read back, by the name of their writer.
const FORMS: [(&str, &str); 2] = [("trace.dat", "trace.dat"), ("perfetto", "perfetto")];

struct Ran {
    slug: &'static str,
    format: &'static str,
    reader: &'static str,
    written: Written,
    recording: Recording,
    names: Vec<String>,
}

static RAN: LazyLock<Vec<Ran>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for (slug, ..) in SCENARIOS {
        for (format, reader) in FORMS {
            let prepared = prepared(slug);
            let written = written(format, &prepared);
            let recording = whole(&written.bytes).unwrap();
            let names = prepared.setup.tasks.iter().map(|task| task.name.clone()).collect();
            all.push(Ran { slug, format, reader, written, recording, names });
        }
    }
    all
});

fn whole(bytes: &[u8]) -> Result<Recording, Refused> {
    read(bytes, &mut |_| true)
}

/// Every form once, of one scenario.
fn each_form() -> impl Iterator<Item = &'static Ran> {
    RAN.iter().filter(|ran| ran.slug == "rt-pull-herd")
}

/// How many rows of a kind each CPU has, by what distinguishes them.
fn counts(rows: impl Iterator<Item = (u64, u32, u32)>) -> BTreeMap<(u64, u32, u32), usize> {
    let mut counts = BTreeMap::new();
    rows.for_each(|row| *counts.entry(row).or_default() += 1);
    counts
}

fn ran_rows(rows: &Columns, kind: Kind) -> impl Iterator<Item = (u64, u32, u32, u32)> {
    let of = |row: usize| (rows.time[row], u32::from(rows.cpu[row]), rows.a[row], rows.b[row]);
    (0..rows.time.len()).filter(move |row| rows.kind[*row] == kind as u8).map(of)
}

#[test]
fn each_form_is_recognised_by_its_first_bytes() {
    for Ran { format, reader, written, .. } in each_form() {
        assert_eq!(form_of(&written.bytes).map(|form| form.name), Some(*reader), "{format}");
    }
}

#[test]
fn switches_wakeups_and_moves_have_the_time_the_cpu_and_the_tasks_of_their_rows() {
    for Ran { slug, format, written, recording, .. } in RAN.iter() {
        let pid = |task: u32| if task == NONE { 0 } else { task + 1000 };
        let read_pid = |task: u32| recording.tasks.get(task as usize).map_or(0, |task| task.pid);
        for (kind, has_task_in_b) in [
            (Kind::SchedSwitch, true),
            (Kind::SchedWaking, false),
            (Kind::SchedWakeup, false),
            (Kind::WakeupNew, false),
        ] {
            let ran = ran_rows(&written.rows, kind).map(|(ns, cpu, a, b)| {
                (ns, cpu, pid(a) ^ if has_task_in_b { pid(b) << 16 } else { 0 })
            });
            let rows = recording.rows.iter().filter(|row| row.kind == kind);
            let read = rows.map(|row| {
                let b = if has_task_in_b { read_pid(row.b) << 16 } else { 0 };
                (row.ns, u32::from(row.cpu), read_pid(row.a) ^ b)
            });
            assert!(counts(read) == counts(ran), "{slug} {format} {kind:?}");
        }
        let moves = recording.rows.iter().filter(|row| row.kind == Kind::MigrateTask).count();
        assert_eq!(moves, ran_rows(&written.rows, Kind::MigrateTask).count(), "{slug} {format}");
        assert!(recording.coverage.events["sched_switch"] > 10, "{slug}");
    }
}

#[test]
fn interrupts_and_softirqs_of_each_kind_are_as_many_as_the_rows() {
    for Ran { slug, format, written, recording, .. } in RAN.iter() {
        for kind in [Kind::IrqEntry, Kind::IrqExit, Kind::SoftirqEntry, Kind::SoftirqExit] {
            let ran = counts(ran_rows(&written.rows, kind).map(|(ns, cpu, a, _)| (ns, cpu, a)));
            let rows = recording.rows.iter().filter(|row| row.kind == kind);
            let read = counts(rows.map(|row| (row.ns, u32::from(row.cpu), row.a)));
            assert!(read == ran, "{slug} {format} {kind:?}");
        }
    }
}

#[test]
fn tasks_have_their_whole_names_and_nothing_is_left_unread() {
    for Ran { slug, format, recording, names, .. } in RAN.iter() {
        for task in &recording.tasks {
            assert_eq!(task.comm, names[task.pid as usize - 1000], "{slug} {format}");
        }
        assert!(!recording.tasks.is_empty(), "{slug}");
        assert_eq!(recording.coverage.unread, BTreeMap::new(), "{slug} {format}");
        assert_eq!(recording.coverage.damage, None, "{slug} {format}");
        assert!(recording.coverage.kernel.is_some(), "{slug} {format}");
        assert!(recording.coverage.clock.is_some(), "{slug} {format}");
    }
}

#[test]
fn a_file_that_is_cut_off_anywhere_has_what_was_whole_or_a_sentence() {
    for Ran { format, written, recording, .. } in each_form() {
        let mut with_events = 0;
        for nth in 0..40 {
            let length = written.bytes.len() * nth / 40;
            match whole(&written.bytes[..length]) {
                Ok(cut) => {
                    with_events += 1;
                    assert!(cut.rows.len() <= recording.rows.len(), "{format} {length}");
                    // A cut between two packets is none that a reader could see.
                    let is_whole = cut.coverage.damage.is_none();
                    assert!(!is_whole || *format == "perfetto", "{format} {length}");
                }
                Err(why) => assert!(!why.to_string().is_empty(), "{format} {length}"),
            }
        }
        // The writer of Perfetto puts the events of the kernel behind all else.
        assert!(with_events > 10, "{format}: {with_events}");
    }
}

#[test]
fn bytes_that_are_changed_never_break_a_reader() {
    for Ran { written, .. } in each_form() {
        let mut seed = 1_u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            seed >> 33
        };
        let length = written.bytes.len().min(200_000);
        for case in 0..300 {
            let mut bytes = written.bytes[..length].to_vec();
            // Early bytes decide how all others are read.
            let within = if case % 2 == 0 { length.min(16_000) } else { length };
            for _ in 0..=next() % 8 {
                bytes[next() as usize % within] = next() as u8;
            }
            if let Err(why) = whole(&bytes) {
                assert!(!why.to_string().is_empty());
            }
        }
    }
}

#[test]
fn a_reading_that_is_ended_says_so() {
    for Ran { format, written, .. } in each_form() {
        let ended = read(&written.bytes, &mut |_| false).map(|_| ());
        assert_eq!(ended, Err(Refused::Ended), "{format}");
    }
}

/// A message of protobuf.
#[derive(Clone, Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn number(mut self, field: u64, value: u64) -> Self {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn packed(self, field: u64, values: &[u64]) -> Self {
        let mut list = Self::default();
        values.iter().for_each(|value| list.varint(*value));
        self.bytes(field, &list.0)
    }
}

/// A file of one bundle: two compact switches of CPU 3 and a compact waking.
fn compact(in_a_packet: &dyn Fn(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    let columns = Message::default()
        .bytes(5, b"one")
        .bytes(5, b"two")
        .packed(1, &[1_000, 500])
        .packed(2, &[1, 0x100])
        .packed(3, &[71, 72])
        .packed(4, &[120, 98])
        .packed(6, &[0, 1])
        .packed(7, &[1_200])
        .packed(8, &[72])
        .packed(9, &[3])
        .packed(10, &[98])
        .packed(11, &[1]);
    let bundle = Message::default().number(1, 3).bytes(4, &columns.0).number(5, 2);
    let packet = Message::default().number(8, 1).bytes(1, &bundle.0);
    in_a_packet(Message::default().bytes(1, &packet.0).0)
}

#[test]
fn compact_switches_follow_each_other_on_their_cpu_packed_or_not() {
    let packed = |trace: Vec<u8>| {
        let deflated = miniz_oxide::deflate::compress_to_vec_zlib(&trace, 6);
        let packet = Message::default().bytes(50, &deflated);
        Message::default().bytes(1, &packet.0).0
    };
    for file in [compact(&|trace| trace), compact(&packed)] {
        let recording = whole(&file).unwrap();
        assert_eq!(recording.coverage.clock.as_deref(), Some("global"));
        let pid = |task: u32| recording.tasks.get(task as usize).map(|task| task.pid);
        let rows: Vec<_> = recording
            .rows
            .iter()
            .map(|row| (row.ns, row.kind, row.cpu, pid(row.a), pid(row.b), row.prio))
            .collect();
        assert_eq!(
            rows,
            [
                (1_000, Kind::SchedSwitch, 3, None, Some(71), 120),
                (1_200, Kind::SchedWaking, 3, Some(72), None, 98),
                (1_500, Kind::SchedSwitch, 3, Some(71), Some(72), 98),
            ]
        );
        assert_eq!(recording.rows[2].left, Left::Preempted);
        let names: Vec<&str> = recording.tasks.iter().map(|task| task.comm.as_str()).collect();
        assert_eq!(names, ["one", "two"]);
    }
}

#[test]
fn packets_that_unpack_to_far_more_than_the_file_are_refused() {
    let bomb = miniz_oxide::deflate::compress_to_vec_zlib(&vec![0; 4 << 20], 9);
    let packet = Message::default().bytes(50, &bomb);
    let error = whole(&Message::default().bytes(1, &packet.0).0).unwrap_err().to_string();
    assert!(error.contains("256 times"), "{error}");
}
