//! trace.dat, read as `trace-cmd` reads it: by the formats in the file.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use schedscope_engine::run::Report;
use schedscope_engine::trace::catalogue::{Kind, NONE};
use schedscope_engine::trace::columns::Columns;
use schedscope_formats::End;

use crate::support::{SCENARIOS, WHOLE, Written, described, prepared, writer, written, written_in};

/// An event of a ring buffer.
#[derive(Debug)]
pub struct Record {
    pub time: u64,
    pub cpu: u32,
    pub event: String,
    fields: Fields,
    bytes: Vec<u8>,
}

/// A file.
pub struct Recording {
    /// In order of time; those of one instant, in the order of CPUs.
    pub records: Vec<Record>,
    pub names: BTreeMap<u64, String>,
    options: BTreeMap<u16, Vec<u8>>,
    cpus: u32,
    extends: usize,
}

/// Where each field begins and how long it is.
type Fields = BTreeMap<String, (usize, usize)>;
/// By their number: the event's name and its fields.
type Formats = BTreeMap<u64, (String, Fields)>;

/// Takes bytes from the front.
struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, length: usize) -> &'b [u8] {
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        taken
    }

    fn number(&mut self, length: usize) -> u64 {
        number(self.take(length))
    }

    fn text(&mut self) -> &'b str {
        let end = self.0.iter().position(|byte| *byte == 0).unwrap();
        let text = std::str::from_utf8(self.take(end)).unwrap();
        self.take(1);
        text
    }

    fn sized(&mut self) -> &'b str {
        let length = self.number(8);
        std::str::from_utf8(self.take(usize::try_from(length).unwrap())).unwrap()
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn size(bytes: &[u8]) -> usize {
    usize::try_from(number(bytes)).unwrap()
}

pub fn read(file: &[u8]) -> Recording {
    let mut bytes = Bytes(file);
    assert_eq!(bytes.take(10), b"\x17\x08\x44tracing");
    assert_eq!((bytes.text(), bytes.take(2), bytes.number(4)), ("6", &[0, 8][..], 4096));
    assert_eq!(bytes.text(), "header_page");
    assert!(bytes.sized().contains("commit;\toffset:8;\tsize:8;"));
    assert_eq!(bytes.text(), "header_event");
    assert!(bytes.sized().contains("time_extend : type == 30"));
    assert_eq!(bytes.number(4), 0, "no format of a function tracer");
    let mut formats = Formats::new();
    for _ in 0..bytes.number(4) {
        assert!(["sched", "irq", "irq_vectors"].contains(&bytes.text()));
        for _ in 0..bytes.number(4) {
            let (id, format) = format(bytes.sized());
            assert!(formats.insert(id, format).is_none(), "{id} twice");
        }
    }
    assert_eq!((bytes.number(4), bytes.number(4)), (0, 0), "no symbols, no texts of printk");
    let names = bytes.sized().lines().map(|line| line.split_once(' ').unwrap());
    let names = names.map(|(pid, name)| (pid.parse().unwrap(), name.to_owned())).collect();
    let cpus = u32::try_from(bytes.number(4)).unwrap();
    assert_eq!(bytes.text(), "options  ");
    let mut options = BTreeMap::new();
    while let option @ 1.. = bytes.number(2) {
        let length = bytes.number(4);
        let option = u16::try_from(option).unwrap();
        options.insert(option, bytes.take(usize::try_from(length).unwrap()).to_vec());
    }
    assert_eq!(bytes.text(), "flyrecord");
    let mut read = Recording { records: Vec::new(), names, options, cpus, extends: 0 };
    let mut next = None;
    for cpu in 0..cpus {
        let (offset, length) = (bytes.number(8), bytes.number(8));
        assert!(offset % 4096 == 0 && length % 4096 == 0);
        assert!(next.is_none_or(|next| next == offset), "pages follow each other");
        next = Some(offset + length);
        let data = &file[usize::try_from(offset).unwrap()..][..usize::try_from(length).unwrap()];
        data.chunks(4096).for_each(|data| page(data, cpu, &formats, &mut read));
    }
    assert_eq!(next, Some(file.len() as u64));
    assert!(bytes.sized().contains("[mono]"));
    read.records.sort_by_key(|record| record.time);
    read
}

fn format(text: &str) -> (u64, (String, Fields)) {
    let of = |start: &str| text.lines().find_map(|line| line.strip_prefix(start)).unwrap();
    let fields = text.lines().filter_map(|line| line.strip_prefix("\tfield:")).map(|line| {
        let mut parts = line.split(";\t");
        let declared = parts.next().unwrap().rsplit_once(' ').unwrap().1;
        let mut value = |name: &str| -> usize {
            parts.next().unwrap().strip_prefix(name).unwrap().parse().unwrap()
        };
        (declared.split('[').next().unwrap().to_owned(), (value("offset:"), value("size:")))
    });
    assert!(of("print fmt: ").starts_with('"'), "{text}");
    (of("ID: ").parse().unwrap(), (of("name: ").to_owned(), fields.collect()))
}

fn page(page: &[u8], cpu: u32, formats: &Formats, read: &mut Recording) {
    let mut time = number(&page[..8]);
    let mut bytes = Bytes(&page[16..][..size(&page[8..16])]);
    assert!(!bytes.0.is_empty(), "no page is empty");
    while !bytes.0.is_empty() {
        let head = bytes.number(4);
        time += head >> 5;
        match usize::try_from(head & 31).unwrap() {
            30 => {
                time += bytes.number(4) << 27;
                read.extends += 1;
            }
            length @ 1..=28 => {
                let bytes = bytes.take(4 * length).to_vec();
                let (event, fields) = formats[&number(&bytes[..2])].clone();
                read.records.push(Record { time, cpu, event, fields, bytes });
            }
            other => panic!("type_len {other}"),
        }
    }
}

impl Record {
    fn field(&self, name: &str) -> &[u8] {
        let (offset, size) = self.fields[name];
        &self.bytes[offset..][..size]
    }

    pub fn number(&self, field: &str) -> u64 {
        number(self.field(field))
    }

    fn text(&self, field: &str) -> &str {
        Bytes(self.field(field)).text()
    }

    /// The task that a field names, as rows number it.
    pub fn task(&self, field: &str) -> u32 {
        match self.number(field) {
            0 => NONE,
            pid => u32::try_from(pid - 1000).unwrap(),
        }
    }
}

/// A scenario's file, and what the run itself says.
struct Ran {
    slug: &'static str,
    read: Recording,
    report: Report,
    rows: Columns,
}

/// All scenarios, each run once.
static RAN: LazyLock<Vec<Ran>> = LazyLock::new(|| {
    let run = |(slug, ..): (&'static str, _, _)| {
        let Written { bytes, report, rows, .. } = written("trace.dat", &prepared(slug));
        Ran { slug, read: read(&bytes), report, rows }
    };
    SCENARIOS.map(run).into_iter().collect()
});

/// (ns, CPU, a, b) of the rows of a kind, those of one instant in the order of CPUs.
fn rows(rows: &Columns, kind: Kind) -> Vec<(u64, u32, u32, u32)> {
    let of = |row: usize| (rows.time[row], u32::from(rows.cpu[row]), rows.a[row], rows.b[row]);
    let chosen = (0..rows.time.len()).filter(|row| rows.kind[*row] == kind as u8);
    let mut chosen: Vec<_> = chosen.map(of).collect();
    chosen.sort_by_key(|(time, cpu, ..)| (*time, *cpu));
    chosen
}

#[test]
fn a_reader_finds_each_switch_on_its_cpu_at_its_nanosecond() {
    for Ran { slug, read, report, rows: all } in RAN.iter() {
        let switches = read.records.iter().filter(|record| record.event == "sched_switch");
        let switches: Vec<_> = switches
            .map(|record| {
                (record.time, record.cpu, record.task("prev_pid"), record.task("next_pid"))
            })
            .collect();
        assert_eq!(switches.len() as u64, report.metrics.sched.context_switches, "{slug}");
        assert_eq!(switches, rows(all, Kind::SchedSwitch), "{slug}");
    }
}

#[test]
fn a_reader_finds_each_step_of_a_wake_up() {
    let steps = [
        ("sched_waking", Kind::SchedWaking),
        ("sched_wakeup", Kind::SchedWakeup),
        ("sched_wakeup_new", Kind::WakeupNew),
    ];
    for Ran { slug, read, rows: all, .. } in RAN.iter() {
        for (event, kind) in steps {
            let woken = read.records.iter().filter(|record| record.event == event);
            let target = |record: &Record| u32::try_from(record.number("target_cpu")).unwrap();
            let woken: Vec<_> = woken
                .map(|record| (record.time, record.cpu, record.task("pid"), target(record)))
                .collect();
            assert_eq!(woken, rows(all, kind), "{slug} {event}");
        }
    }
}

#[test]
fn the_fields_that_all_events_have_say_who_runs_and_how_it_leaves() {
    let mut flags = 0;
    let mut states = [0, 0, 0];
    for Ran { slug, read, .. } in RAN.iter() {
        let mut curr: BTreeMap<u32, u32> = BTreeMap::new();
        for record in &read.records {
            let running = *curr.get(&record.cpu).unwrap_or(&NONE);
            assert_eq!(record.task("common_pid"), running, "{slug} {record:?}");
            flags |= record.number("common_flags");
            assert_eq!(record.number("common_preempt_count") & 0xf, 0, "{slug} {record:?}");
            if record.event == "sched_switch" {
                curr.insert(record.cpu, record.task("next_pid"));
                let state =
                    [0, 1, 0x100].iter().position(|state| *state == record.number("prev_state"));
                states[state.unwrap()] += 1;
            }
        }
    }
    // Interrupts off, need_resched lazy and now, in a handler, in a softirq, folded.
    assert_eq!(flags, 0x3f);
    assert!(states.iter().all(|count| *count > 0), "{states:?}");
}

#[test]
fn names_and_priorities_are_those_of_the_kernel() {
    for Ran { slug, read, .. } in RAN.iter() {
        for record in read.records.iter().filter(|record| record.event == "sched_switch") {
            for side in ["prev", "next"] {
                let comm = record.text(&format!("{side}_comm"));
                match read.names.get(&record.number(&format!("{side}_pid"))) {
                    None => assert_eq!(comm, format!("swapper/{}", record.cpu), "{slug}"),
                    Some(name) if name.len() < 16 => assert_eq!(comm, name, "{slug}"),
                    Some(name) => {
                        let (_, number) = name.rsplit_once('.').unwrap_or((name, ""));
                        assert!(comm.len() == 15 && comm.ends_with(number), "{slug} {name} {comm}");
                    }
                }
            }
        }
    }
    let herd = &RAN[0].read;
    let prio = |comm: &str| {
        let mut switches = herd.records.iter().filter(|record| record.event == "sched_switch");
        switches.find(|record| record.text("next_comm") == comm).unwrap().number("next_prio")
    };
    assert_eq!((prio("cyclictest.0"), prio("rt_noise.0"), prio("swapper/0")), (4, 49, 120));
}

#[test]
fn a_name_that_is_too_long_for_an_event_is_whole_in_the_list() {
    let mut herd = prepared("rt-pull-herd");
    herd.setup.tasks[0].name = "cyclictest_of_the_herd.0".to_owned();
    herd.setup.tasks[1].name = "cyclictest_of_the_herd.1\n7 x".to_owned();
    let read = read(&written("trace.dat", &herd).bytes);
    assert_eq!(read.names[&1000], "cyclictest_of_the_herd.0");
    assert_eq!(read.names[&1001], "cyclictest_of_the_herd.1_7 x");
    assert_eq!(read.names.len(), herd.setup.tasks.len());
    let of = read.records.iter().filter(|record| record.event == "sched_waking");
    let mut of = of.filter(|record| record.number("pid") == 1000);
    assert_eq!(of.next().unwrap().text("comm"), "cyclictest_of.0");
}

#[test]
fn a_pause_longer_than_27_bits_of_nanoseconds_is_kept() {
    let pauses = [1000, (1 << 27) - 1, 1 << 27, (1 << 32) + 5];
    let time = pauses.iter().scan(0, |time, pause| {
        *time += pause;
        Some(*time)
    });
    let time: Vec<u64> = time.collect();
    let rows = Columns {
        kind: vec![Kind::SchedSwitch as u8; time.len()],
        cpu: vec![0; time.len()],
        a: vec![NONE, 0, NONE, 0],
        b: vec![0, NONE, 0, NONE],
        time: time.clone(),
    };
    let mut writer = writer("trace.dat", described(&prepared("rt-pull-herd"), WHOLE));
    let mut bytes = Vec::new();
    writer.rows(&rows, &mut bytes).unwrap();
    writer.end(&End::default(), &mut bytes).unwrap();
    let read = read(&bytes);
    let found: Vec<u64> = read.records.iter().map(|record| record.time).collect();
    assert_eq!((found, read.extends), (time, 2));
}

#[test]
fn interrupts_are_off_beside_every_event_but_a_softirq_s_entry_and_exit() {
    for Ran { slug, read, .. } in RAN.iter() {
        for record in &read.records {
            let name = record.event.as_str();
            let is_on = matches!(name, "softirq_entry" | "softirq_exit");
            assert_eq!(record.bytes[2] & 1 == 0, is_on, "{slug} {name}");
        }
    }
}

#[test]
fn the_options_say_how_many_cpus_and_which_kernel() {
    for Ran { slug, read, .. } in RAN.iter() {
        assert_eq!(size(&read.options[&8]), read.cpus as usize, "{slug}");
        let text = |option: u16| String::from_utf8(read.options[&option].clone()).unwrap();
        assert!(text(5).starts_with("Linux ") && text(5).ends_with(", simulated\0"), "{slug}");
        assert!(text(4).contains("[mono]") && text(9).contains(slug), "{slug}");
    }
}

#[test]
fn a_window_is_a_part_of_the_whole_recording() {
    let herd = prepared("rt-pull-herd");
    let window = (10_000_000, 11_000_000);
    let part = read(&written_in("trace.dat", &herd, window, u64::MAX).bytes);
    let of = |read: &Recording| -> Vec<(u64, u32, Vec<u8>)> {
        let inside = |record: &&Record| (window.0..window.1).contains(&record.time);
        let records = read.records.iter().filter(inside);
        records.map(|record| (record.time, record.cpu, record.bytes.clone())).collect()
    };
    assert!(part.records.len() > 100 && of(&part).len() == part.records.len());
    assert!(of(&part) == of(&RAN[0].read));
}
