//! The real binary: `sweep`, its rows in order, its files, and every wrong flag.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::support::{File, Folder, command, json, refused, schedscope, stderr, stdout, text};

fn sweep(arguments: &[&str]) -> Output {
    schedscope(&[&["sweep"], arguments].concat())
}

/// The output of a sweep that succeeds.
fn swept(arguments: &[&str]) -> String {
    stdout(&[&["sweep"], arguments].concat())
}

fn object(arguments: &[&str]) -> Value {
    json(&[&["sweep"], arguments, &["--json"]].concat())
}

/// Two ways of balancing on two sizes, two seeds each: eight short runs.
const SMALL: [&str; 9] = [
    "rt-pull-herd",
    "--for",
    "2ms",
    "--over",
    "machine.cpus=4,12",
    "--over",
    "kernel.rt_push_ipi=off,on",
    "--seeds",
    "1..2",
];

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_sweep_is_the_same_however_many_runs_go_on_at_once() {
    let one = swept(&[&SMALL[..], &["--jobs", "1"]].concat());
    assert_eq!(one, swept(&[&SMALL[..], &["--jobs", "4"]].concat()));
    let folder = Folder::new();
    let (a, b) = (folder.path("one.csv"), folder.path("four.csv"));
    swept(&[&SMALL[..], &["--jobs", "1", "--out", &a]].concat());
    swept(&[&SMALL[..], &["--jobs", "4", "--out", &b]].concat());
    assert_eq!(read(&a), read(&b));
    assert!(one.contains("2 x 2 = 4 points, 2 seeds each: 1, 2\n"), "{one}");
    assert!(one.contains("rq_lock.max_waiters\n"), "{one}");
}

#[test]
fn every_row_of_a_sweep_is_the_run_it_names() {
    let object = object(&SMALL);
    assert_eq!(object["schema"], "schedscope.sweep/1");
    assert_eq!(object["complete"], true);
    let points = object["points"].as_array().unwrap();
    let order: Vec<(&str, &str)> = points
        .iter()
        .map(|point| {
            (
                point["set"]["machine.cpus"].as_str().unwrap(),
                point["set"]["kernel.rt_push_ipi"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(order, [("4", "off"), ("4", "on"), ("12", "off"), ("12", "on")]);
    let last = &points[3]["runs"][1];
    let alone = [
        "rt-pull-herd",
        "--for",
        "2ms",
        "--set",
        "machine.cpus=12",
        "--set",
        "kernel.rt_push_ipi=on",
        "--seed",
        "2",
        "--json",
    ];
    let alone = json(&[&["run"], &alone[..]].concat());
    assert_eq!(last["digest"], alone["digest"]);
    assert_eq!(last["seed"], 2);
    assert_eq!(last["metrics"]["rq_lock.max_waiters"], alone["metrics"]["rq_lock"]["max_waiters"]);
    for point in points {
        let figures: Vec<u64> = [0, 1]
            .map(|run| point["runs"][run]["metrics"]["rq_lock.wait_ns"].as_u64().unwrap())
            .to_vec();
        let spread = &point["metrics"]["rq_lock.wait_ns"];
        assert_eq!(spread["min"].as_u64(), figures.iter().min().copied());
        assert_eq!(spread["max"].as_u64(), figures.iter().max().copied());
        assert_eq!(spread["median"], spread["min"], "of two the lower");
    }
}

#[test]
fn a_table_over_seeds_has_a_mean_with_its_error_and_the_percentiles_that_json_has() {
    let herd = [
        "rt-pull-herd",
        "--for",
        "1ms",
        "--over",
        "machine.cpus=4",
        "--seeds",
        "1..20",
        "--metric",
        "sched.migrations",
    ];
    let text = swept(&herd);
    let heads: Vec<&str> = text.lines().filter(|line| line.starts_with("machine.cpus")).collect();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert!(heads.len() > 1, "{text}");
    for head in heads {
        assert_eq!(words(head), words("machine.cpus runs mean 5 % median 95 %"), "{text}");
    }
    assert!(text.contains(" ± ") && !text.contains("the same row"), "{text}");
    let object = object(&herd);
    assert_eq!(object["seeds_alike"], false);
    let point = &object["points"][0];
    let mut figures: Vec<i64> = point["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["metrics"]["sched.migrations"].as_i64().unwrap())
        .collect();
    figures.sort_unstable();
    let spread = &point["metrics"]["sched.migrations"];
    assert_eq!((&spread["p5"], &spread["p95"]), (&figures[0].into(), &figures[18].into()));
    let mean = figures.iter().sum::<i64>() as f64 / 20.0;
    assert_eq!(spread["mean_thousandths"].as_i64(), Some((mean * 1e3).round() as i64));
    assert!(spread["error_thousandths"].as_i64() > Some(0), "{spread}");
}

#[test]
fn a_sweep_whose_rows_are_alike_over_the_seeds_says_so_whether_they_are_points_or_not() {
    let free = ["rt-fifo-preempt", "--for", "2ms", "--set", "machine.costs=zero"];
    let alone = [&free[..], &["--over", "kernel.hz=250,1000"]].concat();
    let line = "All 3 seeds give the same row: nothing in this run is drawn, so a seed changes \
        nothing.\n";
    let alike = [&alone[..], &["--seeds", "1..3"]].concat();
    let text = swept(&alike);
    assert!(text.contains(line), "{text}");
    assert_eq!(object(&alike)["seeds_alike"], true);
    let points = swept(&[&free[..], &["--over", "seed=1..3"]].concat());
    assert!(points.contains(line), "{points}");
    assert!(!swept(&alone).contains("the same row"), "one seed is nothing to compare");
    assert_eq!(object(&alone)["seeds_alike"], false);
}

#[test]
fn both_file_forms_hold_a_row_for_every_run_in_order() {
    let folder = Folder::new();
    let (csv, lines) = (folder.path("rows.csv"), folder.path("rows.jsonl"));
    swept(&[&SMALL[..], &["--out", &csv]].concat());
    swept(&[&SMALL[..], &["--out", &lines]].concat());
    let csv = read(&csv);
    let mut rows = csv.lines();
    let head = rows.next().unwrap();
    assert!(
        head.starts_with(
            "machine.cpus,kernel.rt_push_ipi,seed,digest,complete,records,kernel,engine_behaviour,\
                latency.cyclictest.max_ns,rq_lock.max_waiters,"
        ),
        "{head}"
    );
    let of_csv: Vec<String> = rows
        .map(|row| row.split(',').collect::<Vec<_>>())
        .map(|row| [&row[..4], &row[7..8]].concat().join(" "))
        .collect();
    let of_lines: Vec<String> = read(&lines)
        .lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            let word =
                |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let set = &row["set"];
            [
                &set["machine.cpus"],
                &set["kernel.rt_push_ipi"],
                &row["seed"],
                &row["digest"],
                &row["engine_behaviour"],
            ]
            .map(word)
            .join(" ")
        })
        .collect();
    assert_eq!(of_csv.len(), 8);
    assert_eq!(of_csv, of_lines);
    assert!(of_csv[0].starts_with("4 off 1 ") && of_csv[7].starts_with("12 on 2 "));
}

#[test]
fn values_are_typed_by_their_knob_and_never_by_their_look() {
    let versions = swept(&["rt-fifo-preempt", "--for", "2ms", "--over", "kernel.version=5.10,6.1"]);
    assert!(versions.contains("5.10") && versions.contains("2 points, seed "), "{versions}");
    let ranges = swept(&["rt-fifo-preempt", "--for", "2ms", "--over", "seed=1..3"]);
    assert!(ranges.contains("3 points, each with the seed it says"), "{ranges}");
    let output = sweep(&["rt-fifo-preempt", "--over", "kernel.version=[5.10]"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("did you mean: \"5.1\""), "{}", stderr(&output));
    let listed = object(&[
        "rt-fifo-preempt",
        "--for",
        "2ms",
        "--over",
        "machine.partitions=[\"auto\",\"0-1;2-3\"]",
    ]);
    assert_eq!(listed["points"][1]["set"]["machine.partitions"], "0-1;2-3");
}

#[test]
fn a_link_and_a_file_are_swept_like_a_name() {
    let fixtures: Value =
        serde_json::from_str(include_str!("../../../../e2e/fixtures/links.json")).unwrap();
    let links = fixtures["links"].as_array().unwrap();
    let link =
        links.iter().find(|link| link["name"] == "every key of version 1").unwrap()["address"]
            .as_str()
            .unwrap();
    let digests = |scenario: &str, more: &[&str]| {
        let object =
            object(&[&[scenario, "--for", "2ms", "--over", "kernel.hz=100,1000"], more].concat());
        let runs = object["points"]
            .as_array()
            .unwrap()
            .iter()
            .map(|point| point["runs"][0]["digest"].as_str().unwrap().to_owned());
        runs.collect::<Vec<String>>()
    };
    assert_eq!(
        digests(link, &[]),
        digests("rt-pull-herd", &["--seed", "9", "--set", "machine.cpus=96"])
    );
    assert_eq!(digests("scenarios/rt-pull-herd/scenario.json", &[]), digests("rt-pull-herd", &[]));
}

#[test]
fn wrong_flags_end_with_2_before_anything_runs() {
    let over = ["--over", "machine.cpus=4,8"];
    let cases: [(&[&str], &str); 21] = [
        (&[], "--over"),
        (&["--over", "machine.cpus"], "is not PATH=v1,v2"),
        (&["--over", "machine.cpus="], "a value with nothing in it"),
        (&["--over", "machine.cpus=4,,8"], "a value with nothing in it"),
        (&["--over", "machine.cpus=4,4"], "4 is given twice"),
        (&["--over", "machine.cpus=8..4"], "runs backwards"),
        (&["--over", "machine.cpus=[4,8"], "not JSON"),
        (&["--over", "machine.cpus=4", "--over", "machine.cpus=8"], "put all its values into one"),
        (&["--set", "machine.cpus=4", over[0], over[1]], "both swept"),
        (&["--over", "seed=1,2", "--seeds", "1..2"], "given by --seeds"),
        (&[over[0], over[1], "--seeds", "0..9999"], "2 x 10 000 = 20 000 runs are more than"),
        (&[over[0], over[1], "--seeds", "1.."], "neither a seed nor a range"),
        (&[over[0], over[1], "--seeds", "-1"], "neither a seed nor a range"),
        (&[over[0], over[1], "--seeds", "3,3"], "3 is given twice"),
        (&[over[0], over[1], "--seeds", "1..2", "--seed", "3"], "cannot be used with"),
        (&[over[0], over[1], "--jobs", "0"], "invalid value '0'"),
        (
            &[over[0], over[1], "--metric", "rq_lock.max_waiter"],
            "did you mean: rq_lock.max_waiters",
        ),
        (&[over[0], over[1], "--reach", "sched.ticks"], "is not METRIC=PERCENT"),
        (&["--over", "machine.cpus=4", "--reach", "sched.ticks=5%"], "has only one"),
        (&[over[0], over[1], "--out", "rows.txt"], "writes .csv or .jsonl"),
        (&[over[0], over[1], "--out", "no/such/folder/rows.csv"], "cannot write"),
    ];
    for (arguments, words) in cases {
        let output = sweep(&[&["rt-pull-herd"], arguments].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_point_that_is_no_scenario_ends_with_3_and_is_named() {
    for (arguments, words) in [
        (["--over", "machine.cpus=4,0"], "with machine.cpus=0: machine.cpus: 0 is out of range"),
        (["--over", "machine.cpu=4"], "did you mean: machine.cpus"),
        (["--over", "kernel.version=6.1,6.20"], "with kernel.version=6.20: "),
    ] {
        let output = sweep(&[&["rt-pull-herd"], &arguments[..]].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_limit_of_records_leaves_the_cut_runs_out_of_the_figures_and_ends_with_4() {
    let output = sweep(&[&SMALL[..], &["--max-records", "4000", "--json"]].concat());
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["complete"], false);
    let runs = |point: usize| object["points"][point]["runs"].as_array().unwrap().clone();
    let whole = |point: usize| runs(point).iter().filter(|run| run["complete"] == true).count();
    assert_eq!((0..4).map(|point| runs(point).len()).sum::<usize>(), 8, "a cut run has its row");
    assert!(whole(0) == 2 && whole(2) == 0, "{object:#}");
    assert!(object["points"][2]["metrics"].as_object().unwrap().is_empty());
    let table = text(&sweep(&[&SMALL[..], &["--max-records", "4000"]].concat()).stdout);
    assert!(table.contains("0 of 2"), "{table}");
}

#[test]
fn reach_says_where_a_change_is_reached_and_where_it_is_not() {
    let over = [
        "rt-pull-herd",
        "--for",
        "3ms",
        "--over",
        "machine.cpus=8,24",
        "--over",
        "kernel.rt_push_ipi=off,on",
    ];
    let said = swept(&[&over[..], &["--reach", "rq_lock.wait_ns=-50%"]].concat());
    assert!(said.contains("median of rq_lock.wait_ns against kernel.rt_push_ipi=off\n"), "{said}");
    assert!(said.contains("-50.00 % is reached with machine.cpus="), "{said}");
    let said = swept(&[&over[..], &["--reach", "rq_lock.acquisitions=+99999%"]].concat());
    assert!(
        said.contains("+99999.00 % is reached at no point of this sweep; the nearest is "),
        "{said}"
    );
    let object = object(&[&over[..], &["--reach", "rq_lock.wait_ns=-50%"]].concat());
    assert_eq!(object["reach"]["hundredths_of_percent"], -5_000);
    for change in object["reach"]["changes"].as_array().unwrap() {
        let (from, to) = (change["from"].as_i64().unwrap(), change["to"].as_i64().unwrap());
        let by = change["hundredths_of_percent"].as_i64().unwrap();
        assert!(2 * (by * from - (to - from) * 10_000).abs() <= from, "{change}");
    }
}

/// docs/model/programs.md#kernbench: the rate of preemption points is swept, and the place where
/// Arora 2023's -28 % would be reached is printed.
#[test]
fn kernbenchs_readme_sweeps_the_rate_of_preemption_points() {
    let readme = include_str!("../../../../scenarios/kernbench-switches/README.md");
    let line = readme
        .lines()
        .find(|line| line.starts_with("schedscope sweep kernbench-switches "))
        .unwrap();
    let mut words: Vec<&str> = line.split_whitespace().skip(2).collect();
    words.extend(["--set", "workload.kernbench.files=8", "--seeds", "1"]);
    let seeds = words.iter().position(|word| *word == "--seeds").unwrap();
    words.drain(seeds..seeds + 2);
    let said = swept(&words);
    assert!(
        said.contains("workload.kernbench.kworker_period") && said.contains("-28.00 % is reached "),
        "{said}"
    );
}

/// The name of the temporary file in the folder until the file is complete.
#[cfg(unix)]
fn unfinished(folder: &Folder) -> String {
    let part = folder.names().into_iter().find(|name| name.starts_with('.'));
    part.and_then(|part| std::fs::read_to_string(folder.path(&part)).ok()).unwrap_or_default()
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_done_and_ends_with_4() {
    let folder = Folder::new();
    let out = folder.path("interrupted.csv");
    let many =
        ["sweep", "rt-pull-herd", "--over", "seed=1..5000", "--jobs", "1", "--out", &out, "--json"];
    let child = command(&many).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while unfinished(&folder).lines().count() < 3 {
        std::thread::yield_now();
    }
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let output = child.wait_with_output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains(" of 5 000 runs were done"), "{said}");
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["complete"], false);
    let done = object["points"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|point| !point["runs"].as_array().unwrap().is_empty())
        .count();
    assert_eq!(read(&out).lines().count(), 1 + done, "the file holds what is told");
    assert!(done >= 2);
}

#[test]
fn nothing_moves_on_stderr_without_a_terminal() {
    let output = sweep(&SMALL);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
}

#[test]
fn runs_without_the_figure_are_counted_beside_the_median_that_leaves_them_out() {
    let over = ["quota-web-p95", "--over", "duration=50ms,200ms", "--seeds", "1..8"];
    let told = swept(&over);
    let (_, answers) = told.split_once("request.p95_ns (answer)\n").unwrap();
    let (table, rest) = answers.split_once("\n\n").unwrap();
    assert!(table.contains("50ms      5 of 8  "), "{table}");
    let note = "\nthe other runs have no figure, or did not come to an end";
    assert!(table.ends_with(note), "{table}");
    let (_, usage) = rest.split_once("groups.web.usage_ns\n").unwrap();
    assert!(!usage.contains(note), "every run has these: {usage}");
}

#[test]
fn one_knob_in_two_spellings_is_one_knob() {
    const BARE: &str = "cgroups.fibtest.cpu_max=[\"20000 100000\"]";
    const QUOTED: &str = "cgroups.\"fibtest\".cpu_max=[\"10000 100000\"]";
    let sweep = |more: &[&str], words: &[&str]| {
        refused(&[&["sweep", "quota-stranded"][..], more].concat(), 2, words);
    };
    sweep(&["--over", QUOTED, "--over", BARE], &["is given twice: put all its values into one"]);
    let set = ["--set", "cgroups.fibtest.cpu_max=20000 100000", "--over", QUOTED];
    sweep(&set, &["is both swept by --over and set once for all runs"]);
    let values = "cgroups.fibtest.cpu_max=[\"10000 100000\",\"010000 100000\"]";
    sweep(&["--over", values], &["010000 100000 is given twice, as 10000 100000 too"]);
    let twice = include_str!("../../../../scenarios/quota-stranded/scenario.json").replacen(
        "\"set\": {",
        "\"set\": {\"cgroups.fibtest.cpu_max\": \"max\", \
            \"cgroups.\\\"fibtest\\\".cpu_max\": \"max\", ",
        1,
    );
    let file = File::new("twice.json", twice.replace(", }", "}"));
    refused(&["validate", file.name()], 3, &["it is set twice, as cgroups.fibtest.cpu_max too"]);
}

#[test]
fn a_value_that_its_knob_never_takes_is_refused_before_any_point_is_prepared() {
    let over = ["sweep", "rt-pull-herd", "--over", "machine.cpus=1..1025"];
    refused(&over, 3, &["rt-pull-herd with machine.cpus=1025: machine.cpus: 1025 is out of range"]);
}

#[test]
fn reach_counts_the_points_of_which_nothing_can_be_said() {
    let over = ["rt-pull-herd", "--for", "2ms", "--over", "machine.cpus=1,2,4"];
    let said = swept(&[&over[..], &["--reach", "rq_lock.max_waiters=50%"]].concat());
    let end = "+50.00 %: there is nothing to compare\nleft out: 2 points, where the first value's \
        figure is not above 0, so that no change has a percentage\n";
    assert!(said.ends_with(end), "{said}");
    // No device interrupts within the first 10 us.
    let over = ["rt-pull-herd", "--over", "duration=1ms,10us,2ms", "--set", "machine.cpus=4"];
    let late = ["--reach", "latency.rt_noise.max_ns=1%"];
    let said = swept(&[&over[..], &late].concat());
    let lacks =
        |line: &str| line.starts_with("10us ") && line.ends_with(" us          -         -");
    assert!(said.lines().any(lacks), "{said}");
    let end = "\nleft out: 1 point, where this value or the first one has no figure, or its runs \
        did not come to an end\n";
    assert!(said.ends_with(end), "{said}");
    let object = object(&[&over[..], &late].concat());
    let lacking = &object["reach"]["changes"][0];
    assert_eq!(lacking["set"]["duration"], "10us");
    assert!(lacking["to"].is_null() && lacking["hundredths_of_percent"].is_null(), "{lacking}");
    assert_eq!((&lacking["reached"], lacking["from"].is_u64()), (&Value::from(false), true));
}
