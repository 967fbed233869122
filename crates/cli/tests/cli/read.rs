//! `schedscope read`: texts as people hold them, through the real binary.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{File, Folder, command, json, refused, stderr, stdout, text};

const HELD: &str = "user@host:~$ uname -a\n\
    Linux host 6.12.57+deb13-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.12.57-1 x86_64 GNU/Linux\n\
    user@host:~$ sudo cyclictest -t1 -p 80; my-load -t 60\n\
    nothing that is known\n";

#[test]
fn each_line_of_a_text_is_shown_with_what_became_of_it() {
    let file = File::new("held.txt", HELD);
    let page = stdout(&["read", file.name()]);
    for words in [
        "4 lines: 2 used, 1 left out, 1 not understood",
        "2  used            kernel 6.12.57",
        "3  used            cyclictest runs one thread of SCHED_FIFO 80",
        "3  not understood  no reader here knows the command my-load",
        "4  not understood  no form that is read here: nothing that is known",
        "assumed\n",
    ] {
        assert!(page.contains(words), "{words:?} is not in\n{page}");
    }
    let object = json(&["read", file.name(), "--json"]);
    assert_eq!(object["schema"], "schedscope.read/1");
    assert_eq!(object["lines"][2]["notes"].as_array().map(Vec::len), Some(2));
    assert_eq!(object["scenario"]["kernel"]["version"], "6.12.57+deb13-amd64");
}

#[test]
fn the_scenario_of_a_text_is_written_and_runs() {
    let folder = Folder::new();
    let (held, out) = (File::new("held.txt", HELD), folder.path("mine.json"));
    let name = out.as_str();
    stdout(&["read", held.name(), "--scenario", name]);
    stdout(&["validate", name]);
    let run = json(&["run", name, "--for", "20ms", "--json"]);
    assert_eq!(run["scenario"], "mine");
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(written["workload"]["cyclictest"]["threads"], 1);
    let own = ["read", held.name(), "--scenario", held.name()];
    refused(&own, 2, &["--scenario", "is the text"]);
}

#[test]
fn a_text_comes_through_a_pipe_too() {
    let mut child = command(&["read", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"isolcpus=2-3 nohz_full=2-3").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let object: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!(object["scenario"]["kernel"]["nohz_full"], "2-3");
}

#[test]
fn a_text_of_which_nothing_is_used_names_the_forms_that_are_read() {
    let prose = File::new("prose.txt", "my server is slow since the update\n");
    let output = command(&["read", prose.name()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("no line of the text is used") && said.contains("cyclictest -S"),
        "{said}"
    );
    refused(&["read", "/nowhere/at/all"], 2, &["cannot read /nowhere/at/all"]);
    let empty = File::new("empty.txt", " \n\n");
    refused(&["read", empty.name()], 2, &["the text is empty"]);
    let long = File::new("long.txt", "x".repeat(3 << 20));
    refused(&["read", long.name()], 2, &["at most 1048576 are read"]);
}

#[test]
fn counters_with_their_limit_come_to_a_program_that_counts_the_same_and_to_a_range_of_limits() {
    let file = File::new(
        "stat.txt",
        "cpu.max 100000 100000\nusage_usec 43630000\n\
        nr_periods 600\nnr_throttled 300\nthrottled_usec 60000000\n",
    );
    let page = stdout(&["read", file.name()]);
    for words in
        ["fit\n", "throttled periods", "got\n", "limit\n", "Enough for all of them: cpu.max"]
    {
        assert!(page.contains(words), "{words:?} is not in\n{page}");
    }
    let object = json(&["read", file.name(), "--json"]);
    let (low, high) = (&object["fit"]["limit"]["low_us"], &object["fit"]["limit"]["high_us"]);
    assert!(low.as_u64() < high.as_u64(), "{object}");
    assert!(object["fit"]["program"]["off"].as_f64().unwrap() <= 1.0, "{object}");
    // The scenario is that program, and what was asked comes out of its run.
    let folder = Folder::new();
    let out = folder.path("mine.json");
    stdout(&["read", file.name(), "--scenario", &out]);
    let run = json(&["run", &out, "--json"]);
    let group = &run["metrics"]["groups"]["group"];
    let of = |key: &str| group[key].as_f64().unwrap();
    assert!((of("nr_throttled") / of("nr_periods") - 0.5).abs() < 0.12, "{group}");
    refused(&["read", file.name(), "--within", "5"], 2, &["5 is no time", "50ms"]);
}

#[test]
fn a_measured_burst_narrows_the_range() {
    let file = File::new(
        "stat.txt",
        "cpu.max 100000 100000\nusage_usec 43630000\n\
        nr_periods 600\nnr_throttled 300\nthrottled_usec 60000000\n",
    );
    let width = |more: &[&str]| {
        let object = json(&[&["read", file.name(), "--json"], more].concat());
        let of = |key: &str| object["fit"]["limit"][key].as_f64().unwrap();
        of("high_us") / of("low_us")
    };
    assert!(width(&["--burst", "60ms"]) < width(&[]));
}

#[test]
fn a_text_that_was_read_goes_on_into_a_comparison_and_an_explanation() {
    let file = File::new("text.txt", "preempt=lazy\nhackbench -g 1 -l 5\n");
    let page = stdout(&["read", file.name(), "--run", "--explain"]);
    for words in ["A and B differ in kernel.preempt: lazy | full", "headline", "latency"] {
        assert!(page.contains(words), "{words:?} is not in\n{page}");
    }
    refused(&["read", file.name(), "--run", "--json"], 2, &["cannot be used with"]);
}
