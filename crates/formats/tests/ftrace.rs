//! ftrace text, read back by a parser that shares no code with its writer, against what the run
//! itself counted.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use schedscope_engine::run::{Options, Progress, Report, Run as Simulation};
use schedscope_engine::trace::catalogue::Kind;
use schedscope_engine::trace::columns::Columns;
use schedscope_formats::{Maker, Run, RunWriter, Task, What, named};
use schedscope_scenario::{Prepared, prepare};

/// Herds, interrupts, quotas, programs that yield and fork, mutexes that lend priority, lazy flags,
/// several kernels; how long each runs, and its model of preemption.
const SCENARIOS: [(&str, &str, &str); 9] = [
    ("rt-pull-herd", "20ms", "full"),
    ("rt-migrate", "200ms", "full"),
    ("quota-pinned", "20ms", "none"),
    ("lazy-or-now", "20ms", "lazy"),
    ("nohz-kick", "20ms", "full"),
    ("priority-inheritance", "20ms", "full"),
    ("hackbench", "20ms", "voluntary"),
    ("kernbench-switches", "20ms", "full"),
    ("softirq-live-lock", "20ms", "full"),
];

fn prepared(slug: &str) -> Prepared {
    let (_, duration, preempt) = SCENARIOS.iter().find(|(known, ..)| *known == slug).unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../scenarios")
        .join(slug)
        .join("scenario.json");
    let text = std::fs::read_to_string(file).unwrap();
    let set = [("duration", *duration), ("kernel.preempt", *preempt)];
    prepare(slug, &text, &set.map(|(path, value)| (path.to_owned(), value.into()))).unwrap()
}

fn begun(prepared: &Prepared, window: (u64, u64)) -> Box<dyn RunWriter> {
    let tasks = prepared.setup.tasks.iter();
    let tasks = tasks.map(|task| Task::of(&task.name, task.policy)).collect();
    let run = Run { cpus: prepared.meta.cpus, tasks, window };
    let Some(Maker::Run(begin)) = named("ftrace").unwrap().maker(What::Trace) else { panic!() };
    begin(run)
}

/// The text of the rows between two instants, handed over in chunks of so many records.
fn written(prepared: &Prepared, window: (u64, u64), chunk: u64) -> (String, Report, Columns) {
    let mut writer = begun(prepared, window);
    let mut out = Vec::new();
    writer.begin(&mut out).unwrap();
    let options = Options { window: Options::EVERYTHING, ..Options::default() };
    let mut simulation = Simulation::new(&prepared.setup, options).unwrap();
    let mut all = Columns::default();
    loop {
        let progress = simulation.advance_within(u64::MAX, chunk, u64::MAX);
        let rows = simulation.take_trace();
        writer.rows(&rows, &mut out).unwrap();
        all.time.extend(rows.time);
        all.kind.extend(rows.kind);
        all.cpu.extend(rows.cpu);
        all.a.extend(rows.a);
        all.b.extend(rows.b);
        match progress {
            Progress::Running => {}
            Progress::Finished => break,
            Progress::Limit | Progress::Fault(_) => panic!("{progress:?}"),
        }
    }
    writer.end(&mut out).unwrap();
    (String::from_utf8(out).unwrap(), simulation.report(), all)
}

/// A line, as a reader of text sees it.
#[derive(Debug)]
struct Line {
    comm: String,
    pid: u32,
    cpu: u32,
    flags: String,
    us: u64,
    event: String,
    fields: BTreeMap<String, String>,
}

fn parsed(line: &str) -> Line {
    let (context, rest) = line.split_once(" [").unwrap();
    let (comm, pid) = context.trim().rsplit_once('-').unwrap();
    let (cpu, rest) = rest.split_once("] ").unwrap();
    let (flags, rest) = rest.split_once(' ').unwrap();
    let (stamp, rest) = rest.trim_start().split_once(": ").unwrap();
    let (seconds, fraction) = stamp.split_once('.').unwrap();
    assert_eq!(fraction.len(), 6, "{line}");
    let us = seconds.parse::<u64>().unwrap() * 1_000_000 + fraction.parse::<u64>().unwrap();
    let (event, fields) = rest.split_once(": ").unwrap();
    let fields = fields
        .split(' ')
        .filter_map(|field| field.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    Line {
        comm: comm.to_owned(),
        pid: pid.trim().parse().unwrap(),
        cpu: cpu.parse().unwrap(),
        flags: flags.to_owned(),
        us,
        event: event.to_owned(),
        fields: fields.collect(),
    }
}

impl Line {
    fn number(&self, field: &str) -> u32 {
        self.fields[field].parse().unwrap()
    }
}

fn lines(text: &str) -> Vec<Line> {
    text.lines().filter(|line| !line.starts_with('#')).map(parsed).collect()
}

/// A scenario's lines, and what the run itself says.
struct Ran {
    slug: &'static str,
    lines: Vec<Line>,
    report: Report,
    rows: Columns,
}

/// All scenarios, each run once.
static RAN: LazyLock<Vec<Ran>> = LazyLock::new(|| {
    let run = |(slug, ..): (&'static str, _, _)| {
        let (text, report, rows) = written(&prepared(slug), (0, u64::MAX), u64::MAX);
        Ran { slug, lines: lines(&text), report, rows }
    };
    SCENARIOS.map(run).into_iter().collect()
});

#[test]
fn a_reader_counts_the_switches_and_wake_ups_of_the_run() {
    for Ran { slug, lines, report, rows } in RAN.iter() {
        let read = |event: &str| lines.iter().filter(|line| line.event == event).count();
        let ran = |kind: Kind| rows.kind.iter().filter(|each| **each == kind as u8).count();
        let switches = report.metrics.sched.context_switches;
        assert_eq!(read("sched_switch") as u64, switches, "{slug}");
        assert_eq!(read("sched_waking"), ran(Kind::SchedWaking), "{slug}");
        assert_eq!(read("sched_wakeup"), ran(Kind::SchedWakeup), "{slug}");
        assert_eq!(read("sched_wakeup_new"), ran(Kind::WakeupNew), "{slug}");
        assert!(switches > 10, "{slug}");
    }
}

#[test]
fn each_switch_leaves_the_task_that_the_last_one_on_its_cpu_came_to() {
    for Ran { slug, lines, .. } in RAN.iter() {
        let mut curr: BTreeMap<u32, u32> = BTreeMap::new();
        assert!(lines.is_sorted_by_key(|line| line.us), "{slug}: times are in order");
        for line in lines {
            let running = curr.insert(line.cpu, line.pid).unwrap_or(0);
            assert_eq!(line.pid, running, "{slug} {line:?}");
            assert_eq!(line.comm == "<idle>", line.pid == 0, "{slug} {line:?}");
            if line.event == "sched_switch" {
                assert_eq!(line.number("prev_pid"), running, "{slug} {line:?}");
                curr.insert(line.cpu, line.number("next_pid"));
            }
        }
    }
}

#[test]
fn a_task_that_left_asleep_is_woken_before_it_runs_and_no_other_is() {
    for Ran { slug, lines, .. } in RAN.iter() {
        let mut asleep: BTreeMap<u32, bool> = BTreeMap::new();
        let mut left: BTreeMap<String, u32> = BTreeMap::new();
        for line in lines {
            if line.event != "sched_switch" {
                asleep.insert(line.number("pid"), false);
                continue;
            }
            let next = line.number("next_pid");
            let runs_asleep = next != 0 && asleep.get(&next) == Some(&true);
            assert!(!runs_asleep, "{slug} {line:?}");
            let state = &line.fields["prev_state"];
            *left.entry(state.clone()).or_default() += 1;
            if line.number("prev_pid") == 0 {
                assert_eq!(state, "R", "{slug} {line:?}");
            } else {
                asleep.insert(line.number("prev_pid"), state == "S");
            }
        }
        assert!(left.contains_key("S") && left.contains_key("R"), "{slug}: {left:?}");
    }
}

#[test]
fn priorities_are_those_of_the_kernel() {
    let herd = prepared("rt-pull-herd");
    let (text, ..) = written(&herd, (0, u64::MAX), u64::MAX);
    let lines = lines(&text);
    let of = |comm: &str| {
        let line =
            lines.iter().find(|line| line.fields.get("next_comm").is_some_and(|name| name == comm));
        line.unwrap().number("next_prio")
    };
    // cyclictest asks for rt_priority 95, the noise for 50.
    assert_eq!((of("cyclictest.0"), of("rt_noise.0"), of("swapper/0")), (4, 49, 120));
}

#[test]
fn the_flags_say_what_the_model_knows_and_dots_the_rest() {
    let mut seen = String::new();
    for Ran { slug, lines, .. } in RAN.iter() {
        for line in lines {
            let flags: Vec<char> = line.flags.chars().collect();
            assert_eq!(flags.len(), 5, "{slug} {line:?}");
            assert_eq!((flags[0], flags[3]), ('d', '.'), "{slug} {line:?}");
            assert!(".NnlbB".contains(flags[1]) && ".hsH".contains(flags[2]), "{slug} {line:?}");
            seen.extend([flags[1], flags[2]]);
        }
    }
    for flag in ['N', 'n', 'l', 'h', 'H'] {
        assert!(seen.contains(flag), "no line of any scenario has {flag}");
    }
}

#[test]
fn the_bytes_do_not_depend_on_where_a_chunk_ends_and_a_window_is_a_part_of_them() {
    let herd = prepared("rt-pull-herd");
    let (whole, ..) = written(&herd, (0, u64::MAX), u64::MAX);
    let (pieces, ..) = written(&herd, (0, u64::MAX), 997);
    assert!(whole == pieces);
    let (part, ..) = written(&herd, (10_000_000, 11_000_000), u64::MAX);
    let of = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    };
    let (whole, part) = (of(&whole), of(&part));
    let first = whole.iter().position(|line| *line == part[0]).unwrap();
    assert!(whole[first..][..part.len()] == part && part.len() > 100);
}

#[test]
fn the_state_of_a_cpu_is_not_needed_for_the_page_does_not_keep_those_rows() {
    let herd = prepared("rt-pull-herd");
    let (whole, _, rows) = written(&herd, (0, u64::MAX), u64::MAX);
    let keeps = |row: &usize| rows.kind[*row] != Kind::CpuState as u8;
    let kept: Vec<usize> = (0..rows.time.len()).filter(keeps).collect();
    assert!(kept.len() < rows.time.len());
    let rows = Columns {
        time: kept.iter().map(|row| rows.time[*row]).collect(),
        kind: kept.iter().map(|row| rows.kind[*row]).collect(),
        cpu: kept.iter().map(|row| rows.cpu[*row]).collect(),
        a: kept.iter().map(|row| rows.a[*row]).collect(),
        b: kept.iter().map(|row| rows.b[*row]).collect(),
    };
    let mut writer = begun(&herd, (0, u64::MAX));
    let mut out = Vec::new();
    writer.rows(&rows, &mut out).unwrap();
    writer.end(&mut out).unwrap();
    assert!(String::from_utf8(out).unwrap() == whole);
}

#[test]
fn the_header_counts_lines_and_cpus_as_the_kernel_does() {
    let herd = prepared("rt-pull-herd");
    let (text, ..) = written(&herd, (0, u64::MAX), u64::MAX);
    let count = lines(&text).len();
    let mut header = text.lines();
    assert_eq!(header.next(), Some("# tracer: nop"));
    let entries = format!("# entries-in-buffer/entries-written: {count}/{count}   #P:40");
    assert_eq!(header.nth(1), Some(entries.as_str()));
}

#[test]
fn a_name_cannot_end_a_line_or_steer_a_terminal() {
    let mut odd = prepared("rt-pull-herd");
    odd.setup.tasks[0].name = "a\nb\u{1b}[2J\u{202e}c".to_owned();
    let (text, ..) = written(&odd, (0, u64::MAX), u64::MAX);
    assert!(text.contains("a_b_[2J_c-1000"));
    assert!(!text.contains(['\u{1b}', '\u{202e}']));
    assert_eq!(lines(&text).len(), text.lines().filter(|line| !line.starts_with('#')).count());
}
