//! The real binary: the output of the tools that a scenario models.

use serde_json::Value;

use crate::support::{File, json, schedscope, stderr, stdout, text};

const HERD: [&str; 4] = ["run", "rt-pull-herd", "--for", "5ms"];

fn herd(more: &[&str]) -> String {
    stdout(&[&HERD[..], more].concat())
}

#[test]
fn cyclictest_prints_a_line_per_thread_after_the_report_and_the_same_every_time() {
    let all = herd(&[]);
    let tool = herd(&["--output", "tool"]);
    let report = herd(&["--output", "report"]);
    assert_eq!(all, format!("{report}\n{tool}"));
    assert!(
        tool.starts_with("---- cyclictest: the model's figures in the tool's own form ----\n"),
        "{tool}"
    );
    let lines: Vec<&str> = tool.lines().filter(|line| line.starts_with("T:")).collect();
    assert_eq!(lines.len(), 40);
    assert!(
        lines.iter().all(|line| line.contains(") P:95 I:100 C:")
            && line.contains(" Min:")
            && line.contains(" Max:")),
        "{tool}"
    );
    assert!(!report.contains("T: 0"));
    assert_eq!(tool, herd(&["--output", "tool", "--trace", "none"]), "whatever is kept");
    assert_eq!(tool, herd(&["--output", "tool", "--trace", "window=1ms..2ms"]));
}

#[test]
fn the_lines_agree_with_the_report() {
    let json: Value = serde_json::from_str(&herd(&["--json"])).unwrap();
    let latency = &json["metrics"]["latency"]["cyclictest"];
    let field = |line: &str, name: &str| {
        line.split(name).nth(1).unwrap().split_whitespace().next().unwrap().parse::<u64>().unwrap()
    };
    let tool = herd(&["--output", "tool"]);
    let lines = || tool.lines().filter(|line| line.starts_with("T:"));
    assert_eq!(
        lines().map(|line| field(line, "C:")).sum::<u64>(),
        latency["count"].as_u64().unwrap()
    );
    assert_eq!(
        lines().map(|line| field(line, "Max:")).max().unwrap(),
        latency["max_ns"].as_u64().unwrap() / 1_000
    );
    assert_eq!(
        lines().map(|line| field(line, "Min:")).min().unwrap(),
        latency["min_ns"].as_u64().unwrap() / 1_000
    );
}

#[test]
fn the_histogram_has_a_row_per_microsecond_and_counts_every_sample() {
    let text = herd(&["--output", "tool", "--histogram", "30"]);
    assert!(!text.contains("T:") && text.ends_with("\n\n"), "as -q -h prints it: {text}");
    let rows: Vec<&str> = text
        .lines()
        .skip_while(|line| *line != "# Histogram")
        .skip(1)
        .take_while(|line| !line.starts_with('#'))
        .collect();
    assert_eq!(rows.len(), 30);
    let sum = |line: &str| {
        line.split_whitespace().filter_map(|cell| cell.parse::<u64>().ok()).sum::<u64>()
    };
    let counted: u64 = rows.iter().map(|row| sum(row.split_once(' ').unwrap().1)).sum();
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert_eq!(counted, sum(&line("# Total:")));
    let json: Value = serde_json::from_str(&herd(&["--json"])).unwrap();
    assert_eq!(
        counted + sum(&line("# Histogram Overflows:")),
        json["metrics"]["latency"]["cyclictest"]["count"].as_u64().unwrap()
    );
}

#[test]
fn a_scenario_without_a_tool_says_so_and_json_stays_what_it_is() {
    let output = schedscope(&["run", "rt-fifo-preempt", "--output", "tool"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("stands for no tool"), "{output:?}");
    assert!(output.stdout.is_empty());
    assert_eq!(
        stdout(&["run", "rt-fifo-preempt"]),
        stdout(&["run", "rt-fifo-preempt", "--output", "report"])
    );
    assert_eq!(
        schedscope(&[&HERD[..], &["--json", "--output", "tool"]].concat()).status.code(),
        Some(2)
    );
    assert_eq!(
        schedscope(&[&HERD[..], &["--histogram", "1000001"]].concat()).status.code(),
        Some(2)
    );
}

fn tool(arguments: &[&str]) -> String {
    stdout(&[&["run"], arguments, &["--output", "tool"]].concat())
}

fn report(arguments: &[&str]) -> Value {
    json(&[&["run"], arguments, &["--json"]].concat())
}

#[test]
fn rt_migrate_test_prints_three_rows_per_iteration_and_its_verdict() {
    let scenario = [
        "rt-migrate",
        "--set",
        "kernel.rt_balance=active_plist",
        "--set",
        "workload.rt_migrate_test.iterations=3",
    ];
    let text = tool(&scenario);
    assert_eq!(text.lines().filter(|line| line.starts_with(" len:   ")).count(), 3, "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with(" loops: ")).count(), 3);
    let first: Vec<&str> = text
        .lines()
        .find(|line| line.starts_with("   0:   "))
        .unwrap()
        .split_whitespace()
        .skip(1)
        .collect();
    let activation = &report(&scenario)["metrics"]["tasks"]["rt_migrate_test.4"]["activations"][0];
    let us = |key: &str| activation[key].as_u64().unwrap() / 1_000;
    assert_eq!(first[4].parse::<u64>().unwrap(), us("start_ns") - us("due_ns"));
    assert!(
        text.contains("\nParent pid: ")
            && text.contains(" Task 4 (prio 6) (pid ")
            && text.contains(" Passed!\n"),
        "{text}"
    );
}

#[test]
fn a_strict_limit_fails_and_the_rows_end_there() {
    // A weaker thread that starts before a stronger one fails -c when no delay at all is allowed.
    let set = [
        "--set",
        "workload.rt_migrate_test.equal=true",
        "--set",
        "workload.rt_migrate_test.max_err=0us",
        "--set",
        "seed=2",
    ];
    let text =
        tool(&[&["rt-migrate", "--set", "kernel.rt_balance=active_plist"][..], &set].concat());
    let rows = text.lines().filter(|line| line.starts_with(" len:   ")).count();
    assert!(text.contains(" Failed!\n") && rows < 50, "{rows} rows: {text}");
}

#[test]
fn benchmarks_print_the_time_they_took_themselves() {
    let text = tool(&["hackbench"]);
    let ns = report(&["hackbench"])["metrics"]["tool_samples"]["hackbench_main.elapsed"]["max_ns"]
        .as_u64()
        .unwrap();
    assert!(
        text.contains("== 80 tasks)\nEach sender will pass 100 messages of 100 bytes\n"),
        "{text}"
    );
    assert!(text.contains(&format!("Time: 0.{:03}\n", ns / 1_000_000)), "{text} {ns}");
    let text = tool(&["pipe-across-models"]);
    let ns = report(&["pipe-across-models"])["metrics"]["tool_samples"]["pipe.elapsed"]["max_ns"]
        .as_u64()
        .unwrap();
    let per_op = ns / 1_000 / 10;
    assert!(
        text.contains(&format!("{}.{:03}", per_op / 1_000, per_op % 1_000))
            && text.contains(" usecs/op\n"),
        "{text} {ns}"
    );
    let text = tool(&["kernbench-switches"]);
    let names = [
        "Average Half load -j 4 Run (std deviation):",
        "Elapsed Time ",
        "User Time ",
        "System Time ",
        "Percent CPU ",
        "Context Switches ",
        "Sleeps ",
    ];
    let lines: Vec<&str> = text.lines().skip(1).collect();
    names
        .iter()
        .zip(lines)
        .for_each(|(name, line)| assert!(line.starts_with(name), "{name}: {text}"));
}

#[test]
fn schbench_prints_percentiles_of_both_latencies() {
    let text = tool(&["schbench", "--for", "200ms"]);
    for head in [
        "Wakeup Latencies percentiles (usec) runtime 0 (s) (",
        "Request Latencies percentiles (usec) runtime 0 (s) (",
    ] {
        assert!(text.contains(head), "{text}");
    }
    assert_eq!(text.matches("* 99.0th: ").count(), 2);
    let tail: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with("RPS percentiles (requests) runtime 0 (s) (2 total"))
        .collect();
    let starts = [
        "RPS",
        "\t  20.0th: 0 ",
        "\t* 50.0th: 0 ",
        "\t  90.0th: ",
        "\t  min=",
        "average rps: ",
        "sched delay: message ",
    ];
    assert!(tail.len() >= starts.len(), "{text}");
    starts
        .iter()
        .zip(tail)
        .for_each(|(start, line)| assert!(line.starts_with(start), "{start}: {text}"));
}

#[test]
fn schbench_counts_its_requests_once_a_second() {
    let text = tool(&["schbench"]);
    assert!(
        text.contains("RPS percentiles (requests) runtime 2 (s) (3 total samples)\n"),
        "{text}"
    );
    let figure = |name: &str| {
        let line = text.lines().rfind(|line| line.starts_with(name)).unwrap();
        line[name.len()..].split(['.', ' ']).next().unwrap().parse::<u64>().unwrap()
    };
    // The busier one of the two seconds has at most a few more requests than the mean of both.
    let (most, average) = (figure("\t  90.0th: "), figure("average rps: "));
    assert!(most >= average && most - average <= average / 10, "{most} {average}: {text}");
}

#[test]
fn a_run_that_ends_too_soon_says_so_instead_of_a_figure() {
    for scenario in ["hackbench", "pipe-across-models", "kernbench-switches"] {
        let text = tool(&[scenario, "--for", "1ms"]);
        assert!(text.contains("(the run ended before the tool did)\n"), "{text}");
    }
}

#[test]
fn a_broken_cyclictest_says_which_thread_stopped_it() {
    let text = herd(&["--output", "tool", "--set", "workload.cyclictest.breaktrace=1"]);
    let value = |name: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap()
            .trim()
            .parse::<u64>()
            .unwrap()
    };
    assert!(
        (1_000..1_040).contains(&value("# Break thread: ")) && value("# Break value: ") > 1,
        "{text}"
    );
    assert_eq!(
        text.lines()
            .find(|line| line.starts_with("# Thread Ids: 01000 01001"))
            .unwrap()
            .split_whitespace()
            .count(),
        3 + 40
    );
    let whole = herd(&["--output", "tool", "--set", "workload.cyclictest.breaktrace=100000"]);
    assert!(whole.contains("# Thread Ids:") && !whole.contains("# Break"), "{whole}");
}

#[test]
fn the_histogram_of_all_threads_has_one_column_more() {
    let columns = |option: &str| {
        herd(&["--output", "tool", option, "5"])
            .lines()
            .find(|line| line.starts_with("000001 "))
            .unwrap()
            .matches('\t')
            .count()
    };
    assert_eq!((columns("--histogram"), columns("--histofall")), (39, 40));
}

/// A file with this workload on four CPUs for a second.
fn file(workload: &str) -> File {
    let text = format!(
        "{{ \"schema\": 1, \"title\": \"t\", \"duration\": \"1s\", \"machine\": {{ \"cpus\": \
            4, \"costs\": \"modern_2s_qspin\" }},
           \"kernel\": {{ \"version\": \"5.4\" }}, \"workload\": {{ {workload} }} }}"
    );
    File::new("own.json", text)
}

#[test]
fn fibtest_prints_its_millions_and_with_v_each_threads_number() {
    let file = file("\"fibtest\": { \"seconds\": \"1s\", \"verbose\": true }");
    let file = file.name();
    let text = tool(&[file]);
    let report = report(&[file]);
    let tasks = &report["metrics"]["tasks"];
    let fast = tasks["fast.0"]["user_ns"].as_u64().unwrap() / 1_000 * 1_000;
    let slow: u64 =
        (1..4).map(|thread| tasks[format!("slow.{thread}")]["loops"].as_u64().unwrap() * 100).sum();
    assert!(
        text.contains(&format!("\nIterations Completed(M): {} \n", (fast + slow) / 1_000_000)),
        "{text}"
    );
    assert_eq!(text.matches("fib[").count(), 4, "{text}");
    assert!(!text.contains("Throttled for:"), "the root group has no such figures: {text}");
    assert!(tool(&[file, "--for", "100ms"]).contains("(the run ended before the tool did)\n"));
    assert_eq!(tool(&[file, "--set", "workload.fibtest.verbose=false"]).matches("fib[").count(), 0);
}

#[test]
fn the_probe_prints_a_line_for_each_burn() {
    let text = tool(&[file("\"burst_sleep\": { \"iterations\": 5, \"sleep\": \"100ms\" }").name()]);
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('[')).collect();
    assert_eq!(
        lines[0], "[0] burn took 5ms, real time so far: 5ms, cpu time so far: 4ms",
        "{text}"
    );
    assert_eq!(lines.len(), 5, "{text}");
    assert!(lines[4].starts_with("[4] burn took 5ms, real time so far: 42"), "{text}");
}

#[test]
fn with_a_histogram_cyclictest_drops_its_distance_and_says_so() {
    let distance = ["--set", "workload.cyclictest.distance=50us"];
    let note = "workload.cyclictest.distance is taken as 0us";
    let with =
        schedscope(&[&HERD[..], &["--output", "tool", "--histogram", "5"], &distance].concat());
    assert!(stderr(&with).contains(note), "{with:?}");
    assert_eq!(
        text(&with.stdout),
        herd(&["--output", "tool", "--histogram", "5"]),
        "the run of -d0"
    );
    let without = schedscope(&[&HERD[..], &["--output", "tool"], &distance].concat());
    assert!(!stderr(&without).contains(note) && text(&without.stdout).contains(" I:150 "));
    let plain = schedscope(&[&HERD[..], &["--output", "tool", "--histogram", "5"]].concat());
    assert!(!stderr(&plain).contains(note));
}
