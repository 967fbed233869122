//! `schedscope export` and `list --formats`: every format of the registry that is made of one run.

use schedscope_formats::{By, FORMATS, Format, Maker, What, writing};
use serde_json::Value;

use crate::support::{Folder, json, refused, schedscope, stderr, stdout};

const SHORT: [&str; 3] = ["rt-pull-herd", "--for", "2ms"];

fn read(path: &str) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

fn of_one_run() -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().copied().filter(|format| format.of_one_run().is_some())
}

fn export(extra: &[&str]) -> String {
    stdout(&[&["export"], &SHORT[..], extra].concat())
}

/// What is printed, which need not be text.
fn bytes(arguments: &[&str]) -> Vec<u8> {
    let output = schedscope(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    output.stdout
}

fn export_bytes(extra: &[&str]) -> Vec<u8> {
    bytes(&[&["export"], &SHORT[..], extra].concat())
}

#[test]
fn every_format_of_one_run_writes_to_stdout_what_it_writes_to_a_file() {
    // Files of groups and pressure need both.
    let quota = ["export", "quota-32-threads", "--for", "2ms", "--set", "kernel.version=6.12"];
    let folder = Folder::new();
    for format in of_one_run() {
        let of_groups = ["cpu.stat", "cpu.stat-v1", "psi"].contains(&format.name);
        let herd = [&["export"], &SHORT[..]].concat();
        let run = if of_groups { &quota[..] } else { &herd };
        let printed = bytes(&[run, &["--to", format.name]].concat());
        assert!(printed.len() > 100, "{}", format.name);
        let file = folder.path(&format!("run.{}", format.extension));
        let silent = stdout(&[run, &["--to", format.name, "--out", &file]].concat());
        assert_eq!(silent, "", "{}", format.name);
        assert!(read(&file) == printed, "{}", format.name);
    }
}

#[test]
fn what_is_exported_is_what_run_writes() {
    let folder = Folder::new();
    for format in writing(What::Rows) {
        let file = folder.path(&format!("run.{}", format.extension));
        stdout(&[&["run"], &SHORT[..], &["--trace-out", &file]].concat());
        assert!(read(&file) == export_bytes(&["--to", format.name]), "{}", format.name);
    }
    assert_eq!(stdout(&[&["run"], &SHORT[..], &["--json"]].concat()), export(&["--to", "json"]));
}

#[test]
fn another_ending_of_trace_out_means_tab_separated_text() {
    let folder = Folder::new();
    for name in ["run.txt", "run.ftrace", "run"] {
        let file = folder.path(name);
        stdout(&[&["run"], &SHORT[..], &["--trace-out", &file]].concat());
        assert!(read(&file) == export_bytes(&["--to", "tsv"]), "{name}");
    }
}

#[test]
fn an_ending_of_trace_out_that_names_a_format_without_rows_is_refused() {
    let folder = Folder::new();
    for name in ["rows.csv", "rows.json", "rows.pftrace", "rows.dat", "rows.png"] {
        let file = folder.path(name);
        let run = ["run", "rt-pull-herd", "--for", "1ms", "--trace-out", &file];
        refused(&run, 2, &["rows are not written as .", ".jsonl", "schedscope export"]);
        assert!(!std::path::Path::new(&file).exists(), "{name}");
    }
}

#[test]
fn a_sweep_writes_every_format_of_sweeps() {
    let folder = Folder::new();
    for format in writing(What::Sweep) {
        let file = folder.path(&format!("sweep.{}", format.extension));
        let over = ["sweep", "rt-fifo-preempt", "--for", "1ms", "--over", "kernel.hz=100,250"];
        stdout(&[&over[..], &["--out", &file]].concat());
        assert!(read(&file).len() > 100, "{}", format.name);
    }
}

#[test]
fn a_window_holds_its_span_and_nothing_else() {
    let whole = export(&["--to", "tsv"]);
    let part = export(&["--to", "tsv", "--window", "1ms..1500us"]);
    let inside = |line: &&str| {
        let time = line.split('\t').next().unwrap();
        time.parse().map_or(true, |ns: u64| (1_000_000..1_500_000).contains(&ns))
    };
    let expected: Vec<&str> = whole.lines().filter(inside).collect();
    assert_eq!(part.lines().collect::<Vec<_>>(), expected);
    assert!(expected.len() > 100);
    // The lines of a window are those of the whole run: who runs where, priorities and flags are
    // known when it begins.
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    };
    let whole = lines(&export(&["--to", "ftrace"]));
    let part = lines(&export(&["--to", "ftrace", "--window", "1ms..1500us"]));
    let first = whole.iter().position(|line| *line == part[0]).unwrap();
    assert_eq!(whole[first..][..part.len()], part);
    assert!(part.len() > 10);
}

#[test]
fn a_wrong_format_is_refused_with_the_formats_there_are() {
    let names: Vec<&str> = of_one_run().map(|format| format.name).collect();
    refused(&["export", "rt-migrate"], 2, &names);
    refused(&["export", "rt-migrate", "--to", "ftrase"], 2, &names);
    refused(&["export", "rt-migrate", "--to", "ftrase"], 2, &["did you mean: ftrace"]);
    refused(&["export", "rt-migrate", "--to", "svg"], 2, &["SVG is not made of one run"]);
    refused(&["export", "rt-migrate", "--to", "csv"], 2, &["CSV is not made of one run"]);
    refused(
        &["export", "rt-migrate", "--to", "json", "--window", "1ms..2ms"],
        2,
        &["of the whole run"],
    );
    refused(
        &["export", "rt-pull-herd", "--to", "cyclictest", "--window", "1ms..2ms"],
        2,
        &["what a tool prints of a run, which is of the whole run"],
    );
    let late = ["export", "rt-pull-herd", "--for", "1ms", "--to", "tsv", "--window", "1ms..2ms"];
    refused(&late, 2, &["the run ends at 1ms"]);
}

#[test]
fn a_format_that_holds_one_side_refuses_both() {
    let sides: [&[&str]; 4] = [
        &["--both"],
        &["--a", "kernel.hz=250"],
        &["--b", "kernel.hz=250"],
        &["--variant", "pull", "--variant", "push by IPI"],
    ];
    let holds_one =
        of_one_run().filter(|format| format.of_one_run().is_some_and(|content| !content.joins));
    for format in holds_one {
        for both in sides {
            let command = ["export", "rt-pull-herd", "--to", format.name];
            refused(&[&command[..], both].concat(), 2, &["holds one side, not both"]);
        }
    }
}

#[test]
fn a_file_of_both_sides_begins_with_that_of_side_a() {
    let variants = ["--variant", "pull", "--variant", "push by IPI"];
    let joins =
        of_one_run().filter(|format| format.of_one_run().is_some_and(|content| content.joins));
    for format in joins {
        let to = ["--to", format.name];
        let both = export_bytes(&[&variants[..], &to[..]].concat());
        let a = export_bytes(&[&variants[..2], &to[..]].concat());
        assert!(both.starts_with(&a) && both.len() > a.len(), "{}", format.name);
        assert!(both == export_bytes(&[&["--both"], &to[..]].concat()), "{}", format.name);
    }
}

#[test]
fn a_workload_is_written_without_running_it_and_says_what_it_loses() {
    // A run of this length would take minutes.
    let long = ["export", "rt-pull-herd", "--for", "3600s", "--to", "rt-app"];
    let output = schedscope(&long);
    assert_eq!(output.status.code(), Some(0));
    let file: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(file["global"]["duration"], 3_600);
    let said = stderr(&output);
    for lost in file["_lost"].as_array().unwrap() {
        assert!(said.contains(&format!("note: {}", lost.as_str().unwrap())), "{lost}: {said}");
    }
    assert!(said.contains("cyclictest"), "{said}");
    refused(&[&long[..], &["--window", "1ms..2ms"]].concat(), 2, &["of the whole run"]);
}

#[test]
fn a_run_that_a_format_has_no_place_for_is_refused_before_it_starts() {
    let folder = Folder::new();
    let file = folder.path("run.txt");
    for (format, why) in [
        ("cyclictest", "error: the scenario runs no cyclictest"),
        ("cyclictest-json", "error: the scenario runs no cyclictest"),
        ("cpu.stat-v1", "error: the scenario has no control group"),
    ] {
        refused(&["export", "rt-fifo-preempt", "--to", format], 2, &[why]);
        refused(&["export", "rt-fifo-preempt", "--to", format, "--out", &file], 2, &[why]);
    }
    assert!(!std::path::Path::new(&file).exists());
}

#[test]
fn cyclictest_s_export_is_what_a_run_prints_of_it() {
    let printed = stdout(&[&["run"], &SHORT[..], &["--output", "tool"]].concat());
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("T:")).map(str::to_owned).collect()
    };
    let exported = export(&["--to", "cyclictest"]);
    assert_eq!(lines(&printed), lines(&exported));
    assert!(lines(&exported).len() == 40 && exported.contains("\nT: 0 ( 1000) P:95 "));
}

#[test]
fn list_names_every_format_with_what_it_carries_and_loses() {
    let text = stdout(&["list", "--formats"]);
    let Value::Array(rows) = json(&["list", "--formats", "--json"]) else { panic!("a list") };
    assert_eq!(rows.len(), FORMATS.len());
    for (format, row) in FORMATS.iter().zip(&rows) {
        for words in [format.name, format.title, format.carries, format.loses] {
            assert!(text.contains(words), "{words}");
        }
        assert_eq!(row["name"], format.name);
        assert_eq!(row["loses"], format.loses);
    }
}

/// What the page's own test expects of its file (e2e/traces.spec.ts): so command and page write the
/// same bytes. After `npm run bless` of the herd the numbers that this test prints belong there.
#[test]
fn the_page_is_asked_for_the_ftrace_text_that_the_command_writes() {
    const EXPECTED: &str = include_str!("../../../../e2e/fixtures/ftrace.json");
    let expected: Value = serde_json::from_str(EXPECTED).unwrap();
    let quick = ["export", "rt-pull-herd", "--set", "machine.cpus=16", "--for", "20ms"];
    for (side, variant) in [("a", "pull"), ("b", "push by IPI")] {
        let written = stdout(&[&quick[..], &["--variant", variant, "--to", "ftrace"]].concat());
        let crc32 = format!("{:08x}", crc32fast::hash(written.as_bytes()));
        let found = serde_json::json!({ "bytes": written.len(), "crc32": crc32 });
        assert_eq!(expected[side], found, "side {side}");
    }
}

#[test]
fn the_command_writes_every_content_that_the_registry_says_it_writes() {
    for format in FORMATS {
        for content in format.contents {
            let says = content.by().contains(&By::Command);
            let writes = match content.maker {
                Maker::Run(_) | Maker::Report(_) => format.of_one_run().is_some(),
                Maker::Sweep(_) => content.what == What::Sweep,
                _ => false,
            };
            assert_eq!(says, writes, "{} {:?}", format.name, content.what);
        }
    }
}

#[test]
fn a_priority_that_a_write_changes_is_followed() {
    let live = r#"5ms=tasks."weak.0".policy=SCHED_FIFO 60"#;
    let text = stdout(
        &[
            &["export", "priority-inheritance", "--for", "20ms", "--to", "ftrace", "--live", live]
                [..],
        ]
        .concat(),
    );
    let prios = |until: bool| -> std::collections::BTreeSet<&str> {
        let of_weak = text.lines().filter(|line| line.contains("next_comm=weak.0 "));
        let seconds = |line: &str| {
            let stamp = line.split_whitespace().find(|word| word.starts_with("0.")).unwrap();
            stamp.trim_end_matches(':').parse::<f64>().unwrap()
        };
        let of_time = of_weak.filter(|line| (seconds(line) < 0.005) == until);
        of_time.map(|line| line.rsplit_once("next_prio=").unwrap().1).collect()
    };
    assert!(prios(true).contains("89") && !prios(true).contains("39"), "{text}");
    assert!(prios(false).contains("39") && !prios(false).contains("89"), "{text}");
}
