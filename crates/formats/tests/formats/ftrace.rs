//! ftrace text, as a reader of text sees it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use schedscope_engine::run::Report;
use schedscope_engine::trace::catalogue::Kind;
use schedscope_engine::trace::columns::Columns;

use crate::support::{SCENARIOS, Written, YIELDING, made, prepared, written, written_in};

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
        let written = written("ftrace", &prepared(slug));
        let lines = lines(written.text());
        let Written { report, rows, .. } = written;
        Ran { slug, lines, report, rows }
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
            if line.event.starts_with("sched_wak") {
                asleep.insert(line.number("pid"), false);
            }
            if line.event != "sched_switch" {
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
    let written = written("ftrace", &prepared("rt-pull-herd"));
    let lines = lines(written.text());
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
            // handle_softirqs() has interrupts on where it calls a handler.
            let is_on = matches!(line.event.as_str(), "softirq_entry" | "softirq_exit");
            let irqs = if is_on { '.' } else { 'd' };
            assert_eq!((flags[0], flags[3]), (irqs, '.'), "{slug} {line:?}");
            assert!(".NnlbB".contains(flags[1]) && ".hsH".contains(flags[2]), "{slug} {line:?}");
            seen.extend([flags[1], flags[2]]);
        }
    }
    for flag in ['N', 'n', 'l', 'h', 'H'] {
        assert!(seen.contains(flag), "no line of any scenario has {flag}");
    }
}

#[test]
fn a_window_is_a_part_of_the_whole() {
    let herd = prepared("rt-pull-herd");
    let whole = written("ftrace", &herd);
    let part = written_in("ftrace", &herd, (10_000_000, 11_000_000), u64::MAX);
    let of = |written: &Written| -> Vec<String> {
        written.text().lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    };
    let (whole, part) = (of(&whole), of(&part));
    let first = whole.iter().position(|line| *line == part[0]).unwrap();
    assert!(whole[first..][..part.len()] == part && part.len() > 100);
}

#[test]
fn the_header_counts_lines_and_cpus_as_the_kernel_does() {
    let written = written("ftrace", &prepared("rt-pull-herd"));
    let text = written.text();
    let count = lines(text).len();
    let mut header = text.lines();
    assert_eq!(header.next(), Some("# tracer: nop"));
    let entries = format!("# entries-in-buffer/entries-written: {count}/{count}   #P:40");
    assert_eq!(header.nth(1), Some(entries.as_str()));
}

#[test]
fn a_name_cannot_end_a_line_or_steer_a_terminal() {
    let mut odd = prepared("rt-pull-herd");
    odd.setup.tasks[0].name = "a\nb\u{1b}[2J\u{202e}c".to_owned();
    let written = written("ftrace", &odd);
    let text = written.text();
    assert!(text.contains("a_b_[2J_c-1000"));
    assert!(!text.contains(['\u{1b}', '\u{202e}']));
    assert_eq!(lines(text).len(), text.lines().filter(|line| !line.starts_with('#')).count());
}

#[test]
fn each_handler_and_softirq_that_begins_ends_and_holds_its_letter() {
    for Ran { slug, lines, .. } in RAN.iter() {
        let count = |event: &str| lines.iter().filter(|line| line.event.ends_with(event)).count();
        let (begun, ended) = (count("_entry"), count("_exit"));
        assert!(begun > 0 && begun - ended <= 2 * 40, "{slug}: {begun} {ended}");
        for line in lines {
            let letter = line.flags.chars().nth(2).unwrap();
            match (line.event.as_str(), line.event.contains("_entry"), letter) {
                ("softirq_entry", ..) => assert!("sH".contains(letter), "{slug} {line:?}"),
                (_, true, _) => assert!("hH".contains(letter), "{slug} {line:?}"),
                _ => {}
            }
        }
    }
}

#[test]
fn an_ipi_folds_need_resched_behind_its_entry() {
    let mut folded = 0;
    for Ran { slug, lines, .. } in RAN.iter() {
        let mut last: BTreeMap<u32, char> = BTreeMap::new();
        for line in lines {
            let flag = line.flags.chars().nth(1).unwrap();
            let before = last.insert(line.cpu, flag);
            match line.event.as_str() {
                "reschedule_entry" => {
                    let folds = before == Some('n') && flag == 'N';
                    assert!(!folds, "{slug} {line:?}");
                }
                "reschedule_exit" => folded += usize::from(before == Some('n') && flag == 'N'),
                _ => {}
            }
        }
    }
    assert!(folded > 10, "{folded}");
}

/// How often each task left asleep.
fn sleeps(lines: &[Line]) -> BTreeMap<&str, u64> {
    let mut sleeps = BTreeMap::new();
    let switches = lines.iter().filter(|line| line.event == "sched_switch");
    for line in switches.filter(|line| line.fields["prev_state"] == "S") {
        *sleeps.entry(line.fields["prev_comm"].as_str()).or_default() += 1;
    }
    sleeps
}

#[test]
fn a_task_leaves_asleep_as_often_as_the_report_says() {
    for Ran { slug, lines, report, .. } in RAN.iter() {
        let sleeps = sleeps(lines);
        for (name, task) in &report.metrics.tasks {
            let read = sleeps.get(name.as_str()).copied().unwrap_or(0);
            assert_eq!(read, task.voluntary_switches, "{slug} {name}");
        }
    }
}

#[test]
fn a_task_that_yielded_and_waits_at_the_end_left_runnable() {
    let written = written("ftrace", &made(YIELDING));
    let lines = lines(written.text());
    assert!(lines.iter().filter(|line| line.event == "sched_switch").count() > 10);
    assert!(sleeps(&lines).is_empty(), "{:?}", sleeps(&lines));
}

#[test]
fn a_policy_that_a_program_changes_is_said_to_be_lost() {
    let phases = r#""loop": -1, "phases": {"a": {"policy": "SCHED_FIFO", "priority": 7, "run": 100,
        "sleep": 100}, "b": {"policy": "SCHED_OTHER", "run": 100, "sleep": 100}}"#;
    let plain = r#""loop": -1, "run": 100, "yield": """#;
    let changing = YIELDING.replace(plain, phases);
    for format in ["ftrace", "trace.dat", "perfetto", "chrome"] {
        let lost = written(format, &made(&changing)).lost;
        assert!(lost.len() == 1 && lost[0].contains("priority of y after"), "{format}: {lost:?}");
        assert!(written(format, &made(YIELDING)).lost.is_empty(), "{format}");
    }
}
