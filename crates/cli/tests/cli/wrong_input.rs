//! The real binary: typing errors of first-time users, beyond the tests of the scenario itself in
//! `command.rs`.

use std::process::{Command, Stdio};

use crate::support::{
    File, Folder, command, link, refused, root, schedscope, stderr, stdout, text,
};

#[test]
fn a_mistyped_scenario_is_answered_with_the_nearest() {
    refused(
        &["run", "rt-migrat"],
        2,
        &["there is no scenario and no file \"rt-migrat\"", "did you mean: rt-migrate"],
    );
    refused(&["run", ""], 2, &["the scenario's name is empty"]);
    refused(&["run", "crates"], 2, &["error: "]);
    refused(&["run", "crates/cli"], 2, &["crates/cli is a folder without a scenario.json"]);
}

#[test]
fn a_scenarios_folder_stands_for_the_file_in_it() {
    let of = |name: &str| stdout(&["digest", name, "--for", "1ms"]);
    assert_eq!(of("scenarios/rt-migrate").split(' ').next(), of("rt-migrate").split(' ').next());
    assert!(of("scenarios/rt-migrate/").starts_with("1-"));
}

#[test]
fn a_folder_whose_name_no_shipped_scenario_has_stands_for_its_file_without_a_dot() {
    const TEXT: &str = include_str!("../../../../scenarios/rt-fifo-preempt/scenario.json");
    let folder = Folder::new();
    for name in ["mine", "rt-migrate"] {
        std::fs::create_dir(folder.path(name)).unwrap();
        folder.with(&format!("{name}/scenario.json"), TEXT);
    }
    let of = |name: &str| {
        let output = command(&["run", name, "--for", "1ms", "--json"])
            .current_dir(folder.name())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        text(&output.stdout)
    };
    assert!(of("mine").contains("\"scenario\": \"mine\""), "{}", of("mine"));
    assert_eq!(of("rt-migrate"), stdout(&["run", "rt-migrate", "--for", "1ms", "--json"]));
}

#[test]
fn what_is_wrong_is_said_where_it_helps() {
    let plus = ["run", "rt-migrate", "--set", "machine.cpus=+4"];
    refused(&plus, 3, &["did you mean: 4\n"]);
    let costs = File::new("costs.json", r#"{"schedule_ns": 1, "schedule_ns": 2}"#);
    let said = schedscope(&["run", "rt-migrate", "--costs", costs.name()]);
    assert!(stderr(&said).contains("expected: every key once\n"), "{}", stderr(&said));
    let large = File::new("large.json", " ".repeat(1_100_000));
    let bytes = ["the file has 1100000 bytes; at most ", "expected: a file of ordinary size"];
    refused(&["run", "rt-migrate", "--costs", large.name()], 2, &bytes);
    let deep = format!(
        r#"{{"schema": 1, "title": "t", "duration": "1ms", "machine": {{"cpus": 1}},
            "kernel": {{"version": "6.6"}}, "cgroups": {{"{}a": {{}}}},
            "workload": {{"tasks": {{"h": {{"run": 3}}}}}}}}"#,
        "a/".repeat(100)
    );
    let deep = File::new("deep.json", deep);
    refused(&["run", deep.name()], 3, &["a path of 201 bytes", "at most 200 bytes"]);
}

#[test]
fn a_negative_count_is_a_bad_value_and_no_unknown_flag() {
    for (flag, more) in [("--worst", &[][..]), ("--nth", &["--task", "cyclictest.0"])] {
        refused(
            &[&["explain", "rt-pull-herd", flag, "-1"], more].concat(),
            2,
            &["invalid value '-1'"],
        );
    }
    for flag in ["--histogram", "--histofall"] {
        refused(&["run", "rt-pull-herd", flag, "-1"], 2, &["invalid value '-1'"]);
    }
    refused(
        &["sweep", "rt-pull-herd", "--over", "machine.cpus=4", "--jobs", "-1"],
        2,
        &["invalid value '-1'"],
    );
}

#[test]
fn a_change_without_a_knob_or_with_two_values_says_what_is_meant() {
    refused(&["run", "rt-migrate", "--set", "=5"], 2, &["names no knob before its ="]);
    refused(
        &["run", "rt-migrate", "--set", "machine.cpus=4,8"],
        2,
        &["several are for `schedscope sweep --over`"],
    );
    refused(&["run", "rt-migrate", "--max-records", "0"], 2, &["invalid value '0'"]);
}

#[test]
fn digest_runs_nothing_if_one_of_its_names_is_wrong() {
    refused(&["digest", "rt-fifo-preempt", "rt-push-chains"], 2, &["did you mean: rt-push-chain"]);
}

#[test]
fn a_wake_up_that_never_was_is_said_in_one_message() {
    refused(
        &["explain", "rt-pull-herd", "--for", "1ms", "--task", "cyclictest.3", "--nth", "4000"],
        2,
        &["nothing to explain: no measured wake-up of cyclictest.3 with number 4000"],
    );
}

#[test]
fn no_file_is_asked_for_that_would_stay_empty_or_ruin_the_scenario() {
    refused(
        &["run", "rt-pull-herd", "--trace", "none", "--trace-out", "nothing.tsv"],
        2,
        &["nothing for --trace-out to write"],
    );
    let late = ["run", "rt-pull-herd", "--for", "1ms", "--trace-out", "nothing.tsv"];
    let late = [&late[..], &["--trace", "window=5ms..6ms"]].concat();
    refused(&late, 2, &["--trace window=5ms..: the run ends at 1ms, so there is nothing for"]);
    assert!(!root().join("nothing.tsv").exists());
    let unseen = schedscope(&["run", "rt-pull-herd", "--for", "1us", "--trace", "full"]);
    assert!(stderr(&unseen).contains("note: the trace is written nowhere"), "{unseen:?}");
    const TEXT: &str = include_str!("../../../../scenarios/rt-fifo-preempt/scenario.json");
    let own = File::new("own.json", TEXT);
    refused(&["run", own.name(), "--trace-out", own.name()], 2, &["is the scenario's own file"]);
    assert_eq!(own.text(), TEXT);
}

#[test]
fn a_folder_of_scenarios_that_is_named_must_hold_some() {
    let output = command(&["list"]).env("SCHEDSCOPE_SCENARIOS", "docs").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("SCHEDSCOPE_SCENARIOS names docs, which holds no scenarios"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn help_of_every_command_ends_well_and_names_its_flags() {
    for command_name in ["run", "compare", "sweep", "explain", "digest", "list", "validate"] {
        let output = schedscope(&[command_name, "--help"]);
        assert_eq!(output.status.code(), Some(0), "{command_name}");
        assert!(
            String::from_utf8(output.stdout).unwrap().contains("Usage: schedscope "),
            "{command_name}"
        );
    }
    refused(&["swep", "rt-pull-herd"], 2, &["sweep"]);
}

#[test]
fn a_change_without_its_value_says_what_the_knob_takes() {
    refused(
        &["run", "rt-migrate", "--set", "machine.cpus"],
        2,
        &[
            "\"machine.cpus\" has no = and no value",
            "expected: machine.cpus=VALUE, where VALUE is a whole number from 1 to 1024",
        ],
    );
    refused(
        &["run", "rt-migrate", "--set", "machine.cpu"],
        2,
        &["such as machine.cpus=8", "did you mean: machine.cpus=VALUE"],
    );
    refused(
        &["compare", "rt-migrate", "--a", "kernel.hz"],
        2,
        &["\"kernel.hz\" has no =", "kernel.hz=VALUE"],
    );
}

#[test]
fn a_folder_that_is_no_scenario_says_what_one_would_be() {
    refused(
        &["run", concat!(env!("CARGO_MANIFEST_DIR"), "/tests")],
        2,
        &["is a folder without a scenario.json", "expected: the name of a shipped scenario"],
    );
}

#[test]
fn a_tools_output_is_refused_with_what_there_is_where_the_scenario_stands_for_no_tool() {
    let words = [
        "--output tool: rt-fifo-preempt stands for no tool",
        "expected: --output report",
        "cyclictest",
    ];
    refused(&["run", "rt-fifo-preempt", "--output", "tool"], 2, &words);
}

#[test]
fn a_negative_seed_and_a_negative_count_name_their_place_and_their_range() {
    let words = ["'-1' for '--seed <N>'", "expected a whole number from 0 to 9007199254740991"];
    refused(&["run", "rt-migrate", "--seed", "-1"], 2, &words);
    refused(&["run", "rt-migrate", "--seed", "9007199254740992"], 2, &words[1..]);
    refused(
        &["run", "rt-migrate", "--set", "machine.cpus=-4"],
        3,
        &[
            "rt-migrate: machine.cpus: -4 is out of range",
            "expected: a whole number from 1 to 1024",
        ],
    );
}

#[test]
fn that_a_run_stopped_at_its_limit_is_said_before_its_figures() {
    let output = schedscope(&["run", "rt-pull-herd", "--max-records", "5000"]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    let (limit, figures) = (
        shown.find("INCOMPLETE: stopped after 5").unwrap(),
        shown.find("rq_lock.max_waiters").unwrap(),
    );
    assert!(
        limit < figures && shown[limit..].contains("every figure below is of that part"),
        "{shown}"
    );
    assert_eq!(stderr(&output).matches("stopped: after").count(), 1, "{}", stderr(&output));
    // Both streams in one: the message about the limit comes first.
    let both = Command::new("sh")
        .args([
            "-c",
            "\"$0\" compare rt-pull-herd --max-records 5000 2>&1",
            env!("CARGO_BIN_EXE_schedscope"),
        ])
        .current_dir(root())
        .output()
        .unwrap();
    let both = text(&both.stdout);
    assert!(both.starts_with("stopped: A (pull): after 5"), "{both}");
    assert!(
        both.contains("\nstopped: B (push by IPI): after 5")
            && both.find("headline") > both.find("stopped: B"),
        "{both}"
    );
}

#[test]
fn a_quota_whose_refills_could_not_be_counted_is_refused_with_the_way_out() {
    let words = [
        "the refills of group \"fibtest\" grant more than 2^52 ns",
        "a smaller quota, a shorter duration or \"max\"",
    ];
    refused(
        &[
            "run",
            "quota-stranded",
            "--json",
            "--set",
            "cgroups.fibtest.cpu_max=1000000000000 100000",
        ],
        3,
        &words,
    );
}

#[test]
fn a_key_twice_inside_the_value_of_a_change_is_refused_with_its_place() {
    let costs = r#"{"schedule_ns": 1, "schedule_ns": 2}"#;
    let words = [
        "machine.costs.schedule_ns: the key \"schedule_ns\" stands here twice (line 1, column 20 \
            of the value)",
    ];
    let (value, list) =
        (format!("machine.costs={costs}"), format!("machine.costs=[\"zero\",{costs}]"));
    for flag in ["--set", "--a", "--b"] {
        let command = if flag == "--set" { "run" } else { "compare" };
        refused(&[command, "rt-pull-herd", flag, &value], 2, &words);
    }
    refused(&["sweep", "rt-pull-herd", "--over", &value], 2, &words);
    refused(
        &["sweep", "rt-pull-herd", "--over", &list],
        2,
        &["the key \"schedule_ns\" stands here twice (line 1, column 28 of the value)"],
    );
}

#[test]
fn what_is_missing_or_half_written_is_told_with_an_example() {
    let herd = "rt-pull-herd";
    refused(&["run"], 2, &["for example: schedscope run rt-pull-herd", "schedscope list"]);
    refused(&["sweep", herd], 2, &["--over", "for example: schedscope sweep rt-pull-herd --over"]);
    refused(&["digest"], 2, &["for example: schedscope digest rt-pull-herd"]);
    refused(&["sweep", herd, "--over", "=1"], 2, &["\"=1\" names no knob before its ="]);
    let live = ["run", herd, "--live", "10=kernel.rt_push_ipi=on"];
    refused(&live, 2, &["a time with its unit, such as 10ms", "got \"10\""]);
    for (range, why) in [
        ("1..", "is no range"),
        ("..8", "is no range"),
        ("8..1", "runs backwards"),
        ("1..20000", "more than 10 000 values"),
    ] {
        let over = format!("machine.cpus={range}");
        refused(&["sweep", herd, "--over", &over], 2, &[why, "expected: a range", "1..64"]);
    }
}

#[test]
fn a_broken_link_says_what_to_do() {
    let whole = link(2, "rt-pull-herd", "");
    let cut = &whole[..whole.len() - 3];
    let again = "copy the whole link again";
    refused(&["run", cut], 2, &["is cut", again, "schedscope run rt-pull-herd"]);
    let changed = whole.replace("&c=", "&d=");
    refused(&["run", &changed], 2, &["was changed", again, "schedscope run rt-pull-herd"]);
}

#[test]
fn what_only_one_side_of_a_comparison_cannot_run_is_told_with_that_side() {
    let old = ["--b", "kernel.version=2.6.24", "--a", "kernel.version=6.12"];
    let compare = |more: &[&str], words: &[&str]| {
        refused(&[&["compare", "quota-tree"], more].concat(), 3, words);
    };
    compare(&old, &["error: quota-tree, side B: ", "kernel 2.6.24 has no bandwidth control"]);
    compare(&["--a", "machine.cpus=0"], &["error: quota-tree, side A: machine.cpus: 0 is out of"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_also_where_its_name_could_be_a_scenarios() {
    let folder = Folder::new();
    let made = Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap();
    assert!(made.success());
    let mut read = command(&["validate", "pipe"]);
    let read =
        read.current_dir(folder.name()).env("SCHEDSCOPE_SCENARIOS", root().join("scenarios"));
    let child = read.stdout(Stdio::piped()).spawn().unwrap();
    let text = include_str!("../../../../scenarios/rt-fifo-preempt/scenario.json");
    // Without a reader this would wait for ever.
    let pipe = folder.path("pipe");
    std::thread::spawn(move || std::fs::write(pipe, text));
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("pipe: valid; "));
}
