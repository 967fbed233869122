//! The real binary: exit codes, the content of stdout, and every bad input.

use std::process::Output;

use serde_json::Value;

use crate::support::{File, json, schedscope, stderr, stdout, text};

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

const HERD: &str = include_str!("../../../../scenarios/rt-pull-herd/scenario.json");
const SHORT: [&str; 2] = ["--for", "3ms"];

/// The herd with one thing wrong, as every running command meets it.
fn refused_by_every_command(name: &str, from: &str, to: &str, words: &[&str]) {
    assert_eq!(HERD.matches(from).count(), 1, "{from}");
    let file = File::new(name, HERD.replace(from, to).as_bytes());
    for command in ["run", "compare", "explain", "digest", "validate"] {
        let output = schedscope(&[command, file.name()]);
        let said = stderr(&output);
        assert_eq!(code(&output), 3, "{command}: {said}");
        assert!(text(&output.stdout).is_empty(), "{command} prints no result");
        assert!(
            said.contains("line ") && said.contains("column ") && said.contains("expected: "),
            "{command}: {said}"
        );
        words.iter().for_each(|word| {
            assert!(said.contains(word), "{command}: \"{word}\" is not in {said}")
        });
        assert_eq!(said.matches("error:").count(), 1, "{command}: one message, {said}");
    }
}

#[test]
fn every_bad_input_of_the_issue_ends_with_3_and_one_message() {
    refused_by_every_command(
        "type.json",
        "\"cpus\": 40",
        "\"cpus\": \"many\"",
        &["line 11, column 24", "machine.cpus", "a whole number from 1 to 1024"],
    );
    refused_by_every_command(
        "key.json",
        "\"hz\": 1000",
        "\"hertz\": 1000",
        &["line 12, column 43", "kernel.hertz", "one of version"],
    );
    refused_by_every_command(
        "no-cpus.json",
        "\"cpus\": 40",
        "\"cpus\": 0",
        &["machine.cpus", "from 1 to 1024"],
    );
    refused_by_every_command(
        "cpus.json",
        "\"cpus\": 40",
        "\"cpus\": 100000",
        &["machine.cpus", "100000"],
    );
    refused_by_every_command(
        "time.json",
        "\"duration\": \"100ms\"",
        "\"duration\": \"-100ms\"",
        &["line 10, column 15", "duration", "negative"],
    );
    refused_by_every_command(
        "affinity.json",
        "\"rt_noise\": {",
        "\"tasks\": { \"a\": { \"run\": 1, \"cpus\": [40] } }, \"rt_noise\": {",
        &["workload.tasks.a.cpus[0]", "there is no CPU 40", "CPUs from 0 to 39"],
    );
    refused_by_every_command(
        "text.json",
        HERD,
        "seed = 7\n",
        &["line 1, column 1", "this is not JSON", "strict JSON"],
    );
}

#[test]
fn a_negative_number_in_a_flag_is_a_bad_value_and_no_unknown_flag() {
    let output = schedscope(&["run", "rt-pull-herd", "--for", "-1ms"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("duration: \"-1ms\" is negative"), "{}", stderr(&output));
    for flag in ["--seed", "--max-records"] {
        let output = schedscope(&["run", "rt-pull-herd", flag, "-1"]);
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains("invalid value '-1'"), "{}", stderr(&output));
    }
}

#[test]
fn a_file_of_50_mb_is_refused_by_its_size() {
    let file = File::new("huge.json", b"{");
    std::fs::OpenOptions::new().write(true).open(file.name()).unwrap().set_len(50_000_000).unwrap();
    let output = schedscope(&["run", file.name()]);
    assert_eq!(code(&output), 3);
    assert!(
        stderr(&output).contains("50000000 bytes") && stderr(&output).contains("expected: "),
        "{}",
        stderr(&output)
    );
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let file = File::new("latin1.json", b"{\"title\": \"\xe9\"}");
    let output = schedscope(&["validate", file.name()]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("not UTF-8"));
}

#[test]
fn usage_and_unreadable_files_end_with_2() {
    for arguments in [
        &["run"][..],
        &["run", "no-such-scenario"],
        &["run", "no/such/file.json"],
        &["sweep", "rt-pull-herd"],
        &["run", "rt-pull-herd", "--set", "seed"],
        &["run", "rt-pull-herd", "--trace", "some"],
        &["explain", "rt-pull-herd", "--nth", "3"],
        &["explain", "rt-pull-herd", "--task", "nobody"],
        &["run", "rt-pull-herd", "--set", "machine.topology=[1"],
    ] {
        let output = schedscope(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
        assert!(text(&output.stdout).is_empty());
    }
}

#[test]
fn a_bad_flag_value_is_a_scenario_error_without_a_line() {
    for (set, words) in [
        ("machine.cpus=0", "1 to 1024"),
        ("kernel.version=5.20", "there is no \"5.20\""),
        ("kernel.rt_push_ip=on", "kernel.rt_push_ipi"),
        ("kernel.nohz_ilb=x", "there is no \"x\""),
        ("kernel.version=[3.19]", "a list"),
    ] {
        let output = schedscope(&["run", "rt-pull-herd", "--set", set]);
        assert_eq!(code(&output), 3, "{set}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{set}: {}", stderr(&output));
    }
    assert_eq!(code(&schedscope(&["run", "rt-pull-herd", "--for=0s"])), 3);
}

#[test]
fn run_json_is_the_promised_object() {
    let report = json(&["run", "rt-pull-herd", SHORT[0], SHORT[1], "--json"]);
    assert_eq!(report["schema"], "schedscope.run/1");
    assert_eq!(
        (report["scenario"].as_str(), report["seed"].as_u64(), report["complete"].as_bool()),
        (Some("rt-pull-herd"), Some(7), Some(true))
    );
    assert_eq!(report["simulated_ns"], 3_000_000);
    assert_eq!(report["config"]["kernel.rt_push_ipi"], "off");
    assert_eq!(report["config"]["machine.cpus"], 40);
    for key in [
        "acquisitions",
        "contended",
        "max_waiters",
        "wait_ns",
        "irq_off_max_ns",
        "pull_remote_acquisitions",
    ] {
        assert!(report["metrics"]["rq_lock"][key].is_u64(), "{key}");
    }
    let cyclictest = &report["metrics"]["latency"]["cyclictest"];
    let causes: u64 =
        cyclictest["causes_ns"].as_object().unwrap().values().map(|ns| ns.as_u64().unwrap()).sum();
    assert_eq!(cyclictest["sum_ns"].as_u64(), Some(causes));
    assert!(integers_only(&report));
}

fn integers_only(value: &Value) -> bool {
    match value {
        Value::Number(number) => !number.is_f64(),
        Value::Array(elements) => elements.iter().all(integers_only),
        Value::Object(members) => members.values().all(integers_only),
        _ => true,
    }
}

#[test]
fn figures_are_the_same_whatever_is_traced() {
    let run = |trace: &str| {
        json(&["run", "rt-pull-herd", SHORT[0], SHORT[1], "--json", "--trace", trace])
    };
    let none = run("none");
    assert_eq!(none, run("full"));
    assert_eq!(none, run("window=1ms..2ms"));
}

#[test]
fn a_trace_file_holds_the_window_and_nothing_else() {
    for ending in ["tsv", "jsonl"] {
        let file = File::new(&format!("trace.{ending}"), b"");
        let output = schedscope(&[
            "run",
            "rt-pull-herd",
            SHORT[0],
            SHORT[1],
            "--trace",
            "window=1ms..2ms",
            "--trace-out",
            file.name(),
        ]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let text = file.text();
        let time = |line: &str| match ending {
            "jsonl" => serde_json::from_str::<Value>(line).unwrap()["time_ns"].as_u64().unwrap(),
            _ => line.split('\t').next().unwrap().parse().unwrap(),
        };
        let times: Vec<u64> = text.lines().skip(usize::from(ending == "tsv")).map(time).collect();
        assert!(times.len() > 1_000 && times.is_sorted());
        assert!(times.iter().all(|time| (1_000_000..2_000_000).contains(time)));
    }
}

#[test]
fn a_limit_keeps_the_partial_result_and_ends_with_4() {
    let output = schedscope(&["run", "rt-pull-herd", "--max-records", "5000", "--json"]);
    assert_eq!(code(&output), 4, "{}", stderr(&output));
    let report: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!(report["complete"], false);
    assert!(
        report["records"].as_u64().unwrap() >= 5_000 && report["records"].as_u64().unwrap() < 6_000
    );
    assert!(report["simulated_ns"].as_u64().unwrap() < 100_000_000);
    assert_eq!(code(&schedscope(&["compare", "rt-pull-herd", "--max-records", "5000"])), 4);
}

#[test]
fn the_same_run_twice_has_one_digest_and_another_seed_another() {
    let digest =
        |extra: &[&str]| stdout(&[&["digest", "rt-pull-herd", SHORT[0], SHORT[1]], extra].concat());
    let first = digest(&[]);
    assert!(first.ends_with("  rt-pull-herd\n"));
    assert_eq!(first, digest(&[]));
    assert_ne!(first, digest(&["--seed", "8"]));
    let report = json(&["run", "rt-pull-herd", SHORT[0], SHORT[1], "--json"]);
    assert!(first.starts_with(report["digest"].as_str().unwrap()));
}

#[test]
fn compare_takes_the_first_two_variants_and_says_where_they_part() {
    let object = json(&["compare", "rt-pull-herd", SHORT[0], SHORT[1], "--json"]);
    assert_eq!(object["schema"], "schedscope.compare/1");
    assert_eq!(object["a"]["name"], "A (pull)");
    let metric = |side: &str, name: &str| {
        object[side]["report"]["metrics"]["rq_lock"][name].as_u64().unwrap()
    };
    assert!(metric("a", "max_waiters") > metric("b", "max_waiters"));
    assert_eq!(metric("b", "pull_remote_acquisitions"), 0);
    let delta = &object["deltas"]["rq_lock.max_waiters"];
    assert_eq!(
        delta["delta"].as_i64().unwrap(),
        delta["b"].as_i64().unwrap() - delta["a"].as_i64().unwrap()
    );
    let part = &object["first_divergence"];
    assert!(part["a"]["time_ns"].is_u64() && part["a"] != part["b"], "{part}");
}

#[test]
fn compare_of_a_side_with_itself_finds_no_divergence() {
    let object = json(&[
        "compare",
        "rt-pull-herd",
        "--a",
        "seed=3",
        "--b",
        "seed=3",
        SHORT[0],
        SHORT[1],
        "--json",
    ]);
    assert!(object["first_divergence"].is_null());
    assert_eq!(object["a"]["report"]["digest"], object["b"]["report"]["digest"]);
    assert!(object["deltas"].as_object().unwrap().values().all(|delta| delta["delta"] == 0));
}

#[test]
fn explain_ends_in_exactly_100_percent_and_adds_up() {
    for arguments in
        [&["--worst", "5"][..], &["--task", "cyclictest.12", "--nth", "7"], &["--task", "rt_noise"]]
    {
        let output =
            schedscope(&[&["explain", "rt-pull-herd", SHORT[0], SHORT[1]], arguments].concat());
        let text = text(&output.stdout);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        for waterfall in text.split("## ").skip(1) {
            let lines: Vec<&str> =
                waterfall.lines().filter(|line| line.contains(" us  (")).collect();
            let (total, parts) = lines.split_last().unwrap();
            assert!(
                total.contains("Thread latency:") && total.contains("(100.00 %)"),
                "{waterfall}"
            );
            let ns = |line: &str| {
                line.split(" us  (")
                    .next()
                    .unwrap()
                    .rsplit("  ")
                    .next()
                    .unwrap()
                    .replace([' ', '.'], "")
                    .parse::<u64>()
                    .unwrap()
            };
            let hundredths = |line: &str| {
                line.rsplit('(')
                    .next()
                    .unwrap()
                    .trim_end_matches(" %)")
                    .trim()
                    .replace('.', "")
                    .parse::<u64>()
                    .unwrap()
            };
            assert_eq!(parts.iter().map(|line| ns(line)).sum::<u64>(), ns(total), "{waterfall}");
            assert_eq!(
                parts.iter().map(|line| hundredths(line)).sum::<u64>(),
                10_000,
                "{waterfall}"
            );
        }
    }
}

#[test]
fn the_worst_wake_up_is_the_maximum_of_the_report() {
    let report = json(&["run", "rt-pull-herd", SHORT[0], SHORT[1], "--json"]);
    let max = report["metrics"]["latency"]["cyclictest"]["max_ns"].as_u64().unwrap();
    let text = stdout(&["explain", "rt-pull-herd", SHORT[0], SHORT[1], "--task", "cyclictest"]);
    assert!(text.contains(&format!("{}.{:03} us late", max / 1_000, max % 1_000)), "{max}: {text}");
}

#[test]
fn list_names_every_scenario_and_every_knob() {
    let text = stdout(&["list"]);
    for slug in ["rt-pull-herd", "rt-fifo-preempt", "rt-push-chain"] {
        assert!(text.contains(slug), "{text}");
    }
    let knobs = json(&["list", "--knobs", "--json"]);
    let paths: Vec<&str> =
        knobs.as_array().unwrap().iter().map(|knob| knob["path"].as_str().unwrap()).collect();
    let text = stdout(&["list", "--knobs"]);
    assert!(paths.contains(&"kernel.rt_push_ipi") && paths.iter().all(|path| text.contains(path)));
}

#[test]
fn shipped_scenarios_are_valid_and_stay_below_their_record_limit() {
    for entry in json(&["list", "--json"]).as_array().unwrap() {
        let slug = entry["slug"].as_str().unwrap();
        assert_eq!(code(&schedscope(&["validate", slug])), 0, "{slug}");
        let compared = json(&["compare", slug, "--json"]);
        for side in ["a", "b"] {
            let records = compared[side]["report"]["records"].as_u64().unwrap();
            assert!(records < 2_000_000, "{slug} {side}: {records}");
        }
        assert!(!entry["story"].as_str().unwrap().is_empty(), "{slug} has a story");
    }
}

fn fixture(name: &str) -> String {
    let fixtures: Value =
        serde_json::from_str(include_str!("../../../../e2e/fixtures/links.json")).unwrap();
    let link =
        fixtures["links"].as_array().unwrap().iter().find(|link| link["name"] == name).unwrap();
    link["address"].as_str().unwrap().to_owned()
}

#[test]
fn links_run_like_the_changes_they_name() {
    let link = fixture("every key of version 1");
    let of_link = json(&["run", &link, SHORT[0], SHORT[1], "--json"]);
    let by_hand = json(&[
        "run",
        "rt-pull-herd",
        "--seed",
        "9",
        "--set",
        "machine.cpus=96",
        SHORT[0],
        SHORT[1],
        "--json",
    ]);
    assert_eq!(of_link["digest"], by_hand["digest"]);
    let sides = json(&["compare", &link, SHORT[0], SHORT[1], "--json"]);
    assert_eq!(sides["b"]["report"]["config"]["kernel.rt_push_ipi"], "on");
    let shared = stderr(&schedscope(&["compare", &link]));
    assert!(
        shared.contains("differs from when the link was made") && shared.contains("0123abcd then"),
        "{shared}"
    );
    let own = json(&["run", &fixture("a scenario of one's own"), "--json"]);
    assert_eq!(own["config"]["machine.cpus"], 4);
    let cut = schedscope(&["run", &link[..link.len() - 3]]);
    assert_eq!(code(&cut), 2);
    assert!(
        stderr(&cut).contains("cut") && stderr(&cut).contains("rt-pull-herd"),
        "{}",
        stderr(&cut)
    );
}

#[test]
fn a_version_changed_by_an_old_link_takes_nothing_along_and_by_a_new_one_what_the_file_states() {
    let config =
        |name: &str| json(&["run", &fixture(name), "--for", "1ms", "--json"])["config"].clone();
    let old = config("a version changed by a link of version 1 takes nothing along");
    let again = config("version 2 of what version 1 says where it names a version");
    let new = config("a version changed by a link of version 2 is that kernel");
    let own =
        json(&["run", "quota-stranded", "--set", "kernel.version=6.12", "--for", "1ms", "--json"])
            ["config"]
            .clone();
    assert_eq!([&old["kernel.version"], &old["kernel.bandwidth"]], ["6.12", "4.19"]);
    assert_eq!(again, old);
    assert_eq!(new, own);
    assert_ne!(new["kernel.bandwidth"], "4.19");
    let one_side = json(&[
        "compare",
        &fixture("a version changed on one side by a link of version 1"),
        "--for",
        "1ms",
        "--json",
    ]);
    let of = |side: &str| one_side[side]["report"]["config"].clone();
    assert_eq!([&of("a")["kernel.version"], &of("b")["kernel.version"]], ["5.4", "6.12"]);
    assert_eq!(of("b")["kernel.bandwidth"], "5.4", "the variant's own, not the file's");
}

#[test]
fn results_go_to_stdout_and_remarks_to_stderr() {
    let output = schedscope(&[
        "run",
        "rt-pull-herd",
        SHORT[0],
        SHORT[1],
        "--set",
        "kernel.rt_balance=active_plist",
        "--set",
        "kernel.rt_push_ipi=on",
    ]);
    assert_eq!(stderr(&output).matches("note:").count(), 1, "{}", stderr(&output));
    assert!(
        !text(&output.stdout).contains("note:")
            && text(&output.stdout).contains("most CPUs that wait for one lock")
    );
    let silent = schedscope(&["run", "rt-pull-herd", SHORT[0], SHORT[1]]);
    assert!(stderr(&silent).is_empty(), "no bar without a terminal: {}", stderr(&silent));
}

#[test]
fn a_run_at_its_memory_or_step_limit_prints_its_part_names_the_limit_and_how_to_move_it_and_exits_with_4()
 {
    // Samples take memory and rows; a stamp alone takes neither.
    for (body, flag, value, limit, said) in [
        (
            r#""stamp": "a", "sample": "a""#,
            "--max-memory",
            "4MiB",
            "memory",
            "holding 4 MiB, the limit of memory",
        ),
        (
            r#""stamp": "a""#,
            "--max-records",
            "5000",
            "steps",
            "after 320 000 steps that write little, the limit",
        ),
    ] {
        let file = File::new(
            &format!("{limit}.json"),
            format!(
                r#"{{ "schema": 1, "title": "s", "duration": "86400s",
                    "machine": {{ "cpus": 1, "costs": "modern_2s_qspin" }},
                "kernel": {{ "version": "6.12" }},
                "workload": {{ "tasks": {{ "h": {{ {body} }} }} }} }}"#
            ),
        );
        let output = schedscope(&["run", file.name(), flag, value, "--json"]);
        assert_eq!(code(&output), 4);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (report["complete"].as_bool(), report["limit"].as_str()),
            (Some(false), Some(limit))
        );
        let told = String::from_utf8_lossy(&output.stderr).replace(['\u{202f}', '\u{a0}'], " ");
        assert!(told.contains(said) && told.contains(flag), "{told}");
    }
}
