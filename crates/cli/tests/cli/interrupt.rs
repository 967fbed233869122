//! The real binary: the first Ctrl-C stops the simulation, the partial result is printed and kept,
//! and the message names the true reason of the end.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::support::{File, Folder, command, json, schedscope, stderr, text};

/// Starts the command, waits until it answers to signals, and sends it one.
fn interrupted(signal: &str, arguments: &[&str]) -> Output {
    let mut child =
        command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !catches_interrupts(child.id()) {
        assert_eq!(child.try_wait().unwrap(), None, "it runs for long: {arguments:?}");
        std::thread::yield_now();
    }
    assert!(
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success()
    );
    child.wait_with_output().unwrap()
}

/// Whether the process has handlers for SIGINT and SIGTERM.
fn catches_interrupts(pid: u32) -> bool {
    const INT_AND_TERM: u64 = 1 << 1 | 1 << 14;
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let caught = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigCgt:")?.trim(), 16).ok());
    caught.is_some_and(|caught| caught & INT_AND_TERM == INT_AND_TERM)
}

const LONG: [&str; 4] = ["--for", "7200s", "--max-records", "18446744073709551615"];

#[test]
fn a_run_that_is_interrupted_prints_what_there_is_and_ends_with_4() {
    let folder = Folder::new();
    let out = folder.path("cut.jsonl");
    for signal in ["-INT", "-TERM"] {
        let output = interrupted(
            signal,
            &[&["run", "rt-pull-herd", "--json", "--trace-out", &out][..], &LONG].concat(),
        );
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{signal}: {said}");
        assert!(said.contains("stopped: by Ctrl-C or another signal to end, at "), "{said}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["complete"], false);
        let rows = std::fs::read_to_string(&out).unwrap();
        assert_eq!(
            rows.lines().count() as u64,
            report["records"].as_u64().unwrap(),
            "the trace is of the same part"
        );
        std::fs::remove_file(&out).unwrap();
    }
    let people =
        interrupted("-INT", &[&["run", "rt-pull-herd", "--output", "report"][..], &LONG].concat());
    assert_eq!(people.status.code(), Some(4));
    assert!(
        text(&people.stdout)
            .contains("INCOMPLETE: stopped by Ctrl-C or another signal to end, at "),
        "{}",
        text(&people.stdout)
    );
}

#[test]
fn a_comparison_that_is_interrupted_prints_both_sides_to_one_time() {
    let output = interrupted("-INT", &[&["compare", "rt-pull-herd", "--json"][..], &LONG].concat());
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["complete"], false);
    let (a, b) = (&object["a"]["report"], &object["b"]["report"]);
    assert_eq!((&a["complete"], &b["complete"]), (&false.into(), &false.into()));
    assert_eq!(a["simulated_ns"], b["simulated_ns"]);
    assert_eq!(json(&["compare", "rt-pull-herd", "--for", "1ms", "--json"])["complete"], true);
}

#[test]
fn explain_and_digest_that_are_interrupted_tell_of_the_part_that_ran() {
    let explained = interrupted("-INT", &[&["explain", "rt-pull-herd"][..], &LONG].concat());
    assert_eq!(explained.status.code(), Some(4), "{}", text(&explained.stderr));
    assert!(
        text(&explained.stderr).contains("by Ctrl-C or another signal to end, at "),
        "{}",
        text(&explained.stderr)
    );
    let digests =
        interrupted("-INT", &[&["digest", "rt-pull-herd", "rt-migrate"][..], &LONG].concat());
    assert_eq!(digests.status.code(), Some(4), "{}", text(&digests.stderr));
    assert_eq!(text(&digests.stdout).lines().count(), 1, "the second is not run any more");
}

#[test]
fn the_limit_of_memory_is_named_also_by_commands_that_take_rows_on_the_way() {
    const HERD: &str = r#"{"schema": 1, "title": "t", "duration": "60s",
        "machine": {"cpus": 8, "costs": "zero"}, "kernel": {"version": "6.6"},
        "workload": {"tasks": {"h": {"instance": 64, "loop": -1, "run": 3, "sleep": 2,
            "stamp": "a", "sample": "a"}}}}"#;
    let file = File::new("herd.json", HERD);
    let stopped = |arguments: &[&str]| {
        let output = schedscope(&[arguments, &["--max-memory", "2MiB"]].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(4), "{said}");
        assert!(said.contains("holding 2 MiB, the limit of memory, at "), "{said}");
        assert!(!said.contains("Ctrl-C"), "{said}");
        output
    };
    stopped(&["explain", file.name()]);
    let full = stopped(&["run", file.name(), "--trace", "full", "--json"]);
    let compared = stopped(&["compare", file.name(), "--a", "seed=1", "--b", "seed=2", "--json"]);
    let report: Value = serde_json::from_slice(&full.stdout).unwrap();
    let sides: Value = serde_json::from_slice(&compared.stdout).unwrap();
    assert_eq!(report["limit"], "memory");
    assert_eq!([&sides["a"]["report"]["limit"], &sides["b"]["report"]["limit"]], ["memory"; 2]);
}

#[test]
fn a_bisection_that_is_interrupted_says_that_nothing_is_known_yet() {
    let bisect = ["bisect", "rt-pull-herd", "--from", "6.6", "--to", "6.12", "--jobs", "2"];
    let metric = ["--metric", "rq_lock.max_waiters", "--json"];
    let output = interrupted("-INT", &[&bisect[..], &metric, &LONG].concat());
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    let object: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!((&object["complete"], &object["differs"]), (&false.into(), &false.into()));
    assert!(stderr(&output).contains("0 of 16 runs were done"), "{}", stderr(&output));
}
