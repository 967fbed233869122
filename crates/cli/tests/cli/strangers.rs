//! The real binary: inputs of first-time users that were once read too freely, refused wrongly, or
//! reported badly.

use serde_json::Value;

use crate::support::{File, link, refused, schedscope, stderr, text};

/// The address of a link as its maker sends it.
fn address(slug: &str, pairs: &str) -> String {
    format!("https://example.org{}", link(2, slug, pairs))
}

#[test]
fn a_histogram_that_nobody_could_read_is_refused_before_the_run_with_what_can_be_had() {
    let many = ["run", "rt-pull-herd", "--for", "1ms", "--histogram", "1000000"];
    let words = [
        "1 000 000 rows of 40 columns",
        "at most 10 000 000 are printed",
        "expected: at most --histogram 250000",
    ];
    refused(&many, 2, &words);
    refused(
        &["run", "rt-pull-herd", "--for", "1ms", "--histofall", "1000000"],
        2,
        &["--histofall"],
    );
    let report = schedscope(&[&many[..], &["--output", "report"]].concat());
    assert_eq!(report.status.code(), Some(0), "{}", stderr(&report));
}

#[test]
fn validate_checks_what_a_link_changes_for_either_side() {
    refused(
        &["validate", &address("rt-migrate", "&k.machine.cpsu=8")],
        3,
        &["machine.cpsu: there is no such knob"],
    );
    refused(
        &["validate", &address("rt-migrate", "&k.kernel.version=nope")],
        3,
        &["kernel.version: there is no \"nope\""],
    );
    for side in ["a", "b"] {
        refused(
            &["validate", &address("rt-migrate", &format!("&{side}.machine.cpus=0"))],
            3,
            &["machine.cpus: 0 is out of range"],
        );
    }
    let good =
        schedscope(&["validate", &address("rt-migrate", "&k.machine.cpus=8&b.kernel.hz=100")]);
    assert_eq!(good.status.code(), Some(0), "{}", stderr(&good));
    assert!(text(&good.stdout).contains("valid; 8 CPUs"));
}

#[test]
fn single_costs_are_laid_over_the_scenarios_own_preset() {
    let config = |flags: &[&str]| -> Value {
        let output = schedscope(
            &[&["run", "polling-or-halt", "--for", "1ms", "--json"][..], flags].concat(),
        );
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["config"].clone()
    };
    let own = config(&[]);
    assert_ne!(own["costs"]["schedule_ns"], 1_200);
    let file = File::new("single.json", b"{ \"schedule_ns\": 1200 }");
    let object = "machine.costs={\"schedule_ns\":1200}";
    let one = config(&["--set", "machine.costs.schedule_ns=1200"]);
    assert_eq!(one["machine.costs"], own["machine.costs"]);
    assert_eq!(config(&["--costs", file.name()]), one);
    assert_eq!(config(&["--set", object]), one);
    let other = config(&["--costs", file.name(), "--set", "machine.costs=zero"]);
    assert_eq!(
        (&other["machine.costs"], &other["costs"]["schedule_ns"]),
        (&"zero".into(), &1_200.into())
    );
    let both = config(&["--set", "machine.costs={\"preset\":\"zero\",\"schedule_ns\":1200}"]);
    assert_eq!(both, other);
}

#[test]
fn what_is_wrong_with_a_file_is_told_under_its_name_and_with_its_place() {
    let run = |file: &File, code: i32, words: &[&str]| {
        refused(
            &["run", "rt-migrate", "--costs", file.name()],
            code,
            &[&[file.name()], words].concat(),
        );
    };
    run(
        &File::new("twice.json", b"{ \"tick_ns\": 1,\n  \"tick_ns\": 2 }"),
        2,
        &["line 2, column 3", "stands here twice"],
    );
    run(
        &File::new("latin.json", b"{\n  \"tick_ns\": \"\xe4\" }"),
        2,
        &["line 2, column 15: the file is not UTF-8 text"],
    );
    run(&File::new("mark.json", b"\xef\xbb\xbf{}"), 2, &["it starts with a byte order mark"]);
    let scenario = File::new("latin-scenario.json", b"{\n  \"title\": \"\xe4\" }");
    refused(&["run", scenario.name()], 3, &["line 2, column 13: the file is not UTF-8 text"]);
    refused(&["run", "a\nb.json"], 2, &["cannot read a\\nb.json: "]);
    for name in ["RT-MIGRATE", "rt-migrate.json"] {
        refused(&["run", name], 2, &["cannot read", "did you mean: rt-migrate\n"]);
    }
}

#[test]
fn the_command_that_replays_a_stop_stops_there_too_however_long_its_link() {
    let output = schedscope(&[
        "compare",
        "rt-pull-herd",
        "--max-records",
        "5000",
        "--max-memory",
        "512MiB",
        "--for",
        "50ms",
    ]);
    let said = stderr(&output);
    let flags = " --max-records 5000 --max-memory 536870912";
    assert_eq!(
        said.lines().filter(|line| line.starts_with("replay: ") && line.ends_with(flags)).count(),
        2,
        "{said}"
    );
    assert!(said.contains(" --set duration=50ms"), "{said}");
    let long: String = (0..400).map(|n| format!("&x{n}=1")).collect();
    let address = address("rt-pull-herd", &format!("{long}&k.machine.cpus=8"));
    let said = stderr(&schedscope(&["compare", &address, "--max-records", "5000"]));
    let replay = said.lines().find_map(|line| line.strip_prefix("replay: schedscope ")).unwrap();
    let words: Vec<&str> = replay.split(' ').map(|word| word.trim_matches('\'')).collect();
    let again = schedscope(&words);
    assert_eq!(again.status.code(), Some(4), "{replay}");
    let stop = |said: &str| {
        said.lines()
            .find_map(|line| line.split_once("after 5"))
            .unwrap()
            .1
            .split(" (")
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(stop(&said), stop(&stderr(&again)));
}

#[test]
fn equal_points_and_seeds_that_are_too_large_are_refused_before_anything_runs() {
    let sweep =
        |over: &str, words: &[&str]| refused(&["sweep", "rt-pull-herd", "--over", over], 2, words);
    sweep("machine.cpus=4,04", &["04 is given twice, as 4 too"]);
    sweep("duration=1ms,1000us", &["1000us is given twice, as 1ms too"]);
    let seeds = ["--over", "machine.cpus=4", "--seeds", "9007199254740990..9007199254740993"];
    refused(
        &[&["sweep", "rt-pull-herd", "--for", "1ms"][..], &seeds].concat(),
        2,
        &["9007199254740992 is out of range: a seed is at most 9007199254740991"],
    );
}

#[test]
fn a_sweep_of_a_link_says_what_it_leaves_out_and_which_engine_it_is_of() {
    let address = address("rt-pull-herd", "&a.kernel.rt_push_ipi=off");
    let output =
        schedscope(&["sweep", &address, "--for", "1ms", "--over", "machine.cpus=4,8", "--json"]);
    assert!(stderr(&output).contains("for side A or B alone is left out"), "{}", stderr(&output));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    let report: Value = serde_json::from_slice(
        &schedscope(&["run", "rt-pull-herd", "--for", "1ms", "--json"]).stdout,
    )
    .unwrap();
    for place in [&object, &object["points"][1]["runs"][0]] {
        assert_eq!(place["engine_behaviour"], report["engine_behaviour"]);
    }
}

#[test]
fn a_limit_that_is_none_says_what_one_would_be() {
    let run = |flag: &str, value: &str, words: &str| {
        refused(&["run", "rt-migrate", flag, value], 2, &[words])
    };
    for value in ["-1", "abc", "18446744073709551616", "0"] {
        run("--max-records", value, "expected a whole number from 1 to 18446744073709551615");
    }
    for value in ["1", "99999999999GiB", "1TB"] {
        run("--max-memory", value, "expected a size from 1MiB to 17179869183GiB");
    }
    let one = schedscope(&["run", "rt-migrate", "--max-records", "1"]);
    assert!(stderr(&one).contains("stopped: after 1 record, the limit"), "{}", stderr(&one));
}

#[test]
fn values_are_told_by_what_is_wrong_with_them() {
    let set = |change: &str, code: i32, words: &[&str]| {
        refused(&["run", "rt-pull-herd", "--for", "1ms", "--set", change], code, words)
    };
    set("machine.cpus=999999999999999999999999", 3, &["999999999999999999999999 is out of range"]);
    set("machine.partitions=0-3;2-5", 3, &["CPUs 2-3 are in two partitions"]);
    set("machine.partitions=0-3;3", 3, &["CPU 3 is in two partitions"]);
    let lists = schedscope(&[
        "digest",
        "rt-pull-herd",
        "--for",
        "1ms",
        "--set",
        "machine.partitions=0-1,4-5;2-3",
    ]);
    assert_eq!(lists.status.code(), Some(0), "{}", stderr(&lists));
    let kept = schedscope(&["digest", &address("rt-pull-herd", "&keep=junk"), "--for", "1ms"]);
    assert!(
        stderr(&kept)
            .contains("this link has a value of the key \"keep\" that this version does not know"),
        "{}",
        stderr(&kept)
    );
    let over = ["--over", "machine.cpus=4", "--metric", "metrics.sched.migrations"];
    refused(
        &[&["sweep", "rt-pull-herd"][..], &over].concat(),
        2,
        &["did you mean: sched.migrations"],
    );
}

/// A link that carries `bytes` in place of a packed scenario.
fn lab(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let triple = |three: &[u8]| {
        let bits = three.iter().fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte))
            << (8 * (3 - three.len()));
        (0..=three.len())
            .map(|digit| char::from(DIGITS[bits >> (18 - 6 * digit) & 63]))
            .collect::<String>()
    };
    address("lab", &format!("&z=d.{}", bytes.chunks(3).map(triple).collect::<String>()))
        .replace("/s/lab/", "/lab/")
}

#[test]
fn what_follows_the_scenario_a_link_carries_is_refused() {
    let scenario = include_str!("../../../../scenarios/rt-fifo-preempt/scenario.json");
    // A stored block of deflate: last, its length, the length inverted, the bytes.
    let length = u16::try_from(scenario.len()).unwrap();
    let packed =
        [&[1][..], &length.to_le_bytes(), &(!length).to_le_bytes(), scenario.as_bytes()].concat();
    let whole = schedscope(&["validate", &lab(&packed)]);
    assert_eq!(whole.status.code(), Some(0), "{}", stderr(&whole));
    refused(
        &["validate", &lab(&[&packed[..], b"rubbish"].concat())],
        2,
        &["cannot be unpacked: something follows its data"],
    );
    refused(
        &["validate", &lab(&packed[..packed.len() - 1])],
        2,
        &["cannot be unpacked: its data are broken"],
    );
}

#[test]
fn characters_that_are_not_drawn_are_shown() {
    let file = File::new(
        "undrawn.json",
        "{ \"a\u{180e}b\u{fff9}c\u{e0041}d\u{ad}e\u{3164}f\": 1 }".as_bytes(),
    );
    refused(&["run", file.name()], 3, &["a\\u{180e}b\\u{fff9}c\\u{e0041}d\\u{ad}e\\u{3164}f"]);
    refused(&["run", "rt-migrate", "--seed", "\u{202e}7"], 2, &["'\\u{202e}7' for '--seed"]);
}

#[test]
fn a_fault_in_a_variant_has_its_place() {
    let mut scenario: Value =
        serde_json::from_str(include_str!("../../../../scenarios/rt-fifo-preempt/scenario.json"))
            .unwrap();
    scenario.as_object_mut().unwrap().remove("variants");
    let text = scenario.to_string();
    let of = |set: &str| {
        text.replacen(
            '{',
            &format!("{{ \"variants\": [{{ \"name\": \"v\", \"set\": {{\n{set} }} }}],"),
            1,
        )
    };
    let typed = File::new("variant.json", of("\"machine.cpus\": 0").as_bytes());
    refused(&["validate", typed.name()], 3, &["line 2, column 17: "]);
    let decided = File::new("decided.json", of("\"machine.partitions\": \"0-500\"").as_bytes());
    refused(&["validate", decided.name()], 3, &["line 2, column 23: "]);
    refused(&["compare", decided.name()], 3, &["line 2, column 23: "]);
    refused(
        &["compare", decided.name(), "--set", "machine.partitions=0-501"],
        3,
        &["decided.json: machine.partitions: "],
    );
}
