//! Invalid scenarios: each gets one message with its place, its path and what was expected.

use schedscope_scenario::{ScenarioError, prepare};

/// A valid file, one value a line so that places are easy to state.
const GOOD: &str = r#"{
  "schema": 1,
  "title": "t",
  "duration": "2ms",
  "machine": {
    "cpus": 4
  },
  "kernel": {
    "version": "3.19-push-ipi"
  },
  "cgroups": {},
  "workload": {
    "cyclictest": {
      "interval": "100us"
    },
    "tasks": {
      "hog": {
        "cpus": [0, 1],
        "run": 500,
        "sleep": 100
      }
    }
  },
  "headline": ["rq_lock.wait_ns"]
}
"#;

fn error_of(text: &str) -> ScenarioError {
    match prepare("test", text, &[]) {
        Err(error) => error,
        Ok(_) => panic!("this must be refused:\n{text}"),
    }
}

/// Replaces `from` and checks place, path, and a word of message, expectation and suggestion
/// together.
fn refused(from: &str, to: &str, line: u32, column: u32, path: &str, words: &[&str]) {
    assert_eq!(GOOD.matches(from).count(), 1, "{from} stands once in the file");
    let error = error_of(&GOOD.replace(from, to));
    assert_eq!(
        (error.line, error.column, error.path.as_str()),
        (Some(line), Some(column), path),
        "{error}"
    );
    assert!(error.expected.as_ref().is_some_and(|expected| !expected.is_empty()), "{error}");
    let text = error.to_string();
    words.iter().for_each(|word| assert!(text.contains(word), "\"{word}\" is not in: {text}"));
}

#[test]
fn the_good_file_is_good() {
    let prepared = prepare("test", GOOD, &[]).unwrap();
    let tasks = prepared.setup.tasks.iter().filter(|task| task.kind != "migration");
    assert_eq!(tasks.count(), 5, "besides the stoppers");
}

#[test]
fn wrong_types_say_what_is_needed() {
    refused(
        "\"cpus\": 4",
        "\"cpus\": \"4\"",
        6,
        13,
        "machine.cpus",
        &["the text \"4\"", "a whole number", "did you mean: 4"],
    );
    refused("\"cpus\": 4", "\"cpus\": 4.5", 6, 13, "machine.cpus", &["4.5"]);
    refused("\"cpus\": 4", "\"cpus\": null", 6, 13, "machine.cpus", &["null"]);
    refused("\"title\": \"t\"", "\"title\": 3", 3, 12, "title", &["a number", "a text"]);
    refused("\"run\": 500", "\"run\": \"500us\"", 19, 16, "workload.tasks.hog.run", &["a text"]);
    refused("\"duration\": \"2ms\"", "\"duration\": 2", 4, 15, "duration", &["\"2us\""]);
    refused(
        "\"interval\": \"100us\"",
        "\"interval\": true",
        14,
        19,
        "workload.cyclictest.interval",
        &["true or false"],
    );
    refused(
        "\"cyclictest\": {\n      \"interval\": \"100us\"\n    }",
        "\"cyclictest\": 3",
        13,
        19,
        "workload.cyclictest",
        &["an object"],
    );
}

#[test]
fn a_version_as_a_number_is_refused_with_the_quoted_form() {
    refused("\"3.19-push-ipi\"", "5.10", 9, 16, "kernel.version", &["did you mean: \"5.10\""]);
}

#[test]
fn a_version_that_does_not_exist_is_refused() {
    refused(
        "\"3.19-push-ipi\"",
        "\"9.9\"",
        9,
        16,
        "kernel.version",
        &["there is no \"9.9\"", "did you mean: \"7.3\"", "as uname -r prints it"],
    );
}

#[test]
fn unknown_keys_are_refused_with_the_nearest_name() {
    refused("\"cpus\": 4", "\"cpsu\": 4", 6, 5, "machine.cpsu", &["did you mean: \"cpus\""]);
    refused("\"headline\"", "\"headlines\"", 24, 3, "headlines", &["did you mean: \"headline\""]);
    refused(
        "\"interval\"",
        "\"intervall\"",
        14,
        7,
        "workload.cyclictest.intervall",
        &["\"interval\""],
    );
    refused("\"sleep\": 100", "\"slep\": 100", 20, 9, "workload.tasks.hog.slep", &["\"sleep\""]);
    refused("rq_lock.wait_ns", "rq_lock.waits_ns", 24, 16, "headline[0]", &["rq_lock.wait_ns"]);
}

#[test]
fn a_label_of_nothing_or_without_words_is_refused() {
    let with = |labels: &str| error_of(&GOOD.replace("  \"cgroups\": {},", labels));
    let error = with("  \"labels\": { \"cyclictst\": \"timer task\" },");
    assert_eq!((error.line, error.path.as_str()), (Some(11), "labels.cyclictst"), "{error}");
    assert_eq!(error.suggestion.as_deref(), Some("cyclictest"), "{error}");
    for wrong in ["", " ", "far longer than any label on a page may be"] {
        let error = with(&format!("  \"labels\": {{ \"hog\": \"{wrong}\" }},"));
        assert_eq!((error.line, error.path.as_str()), (Some(11), "labels.hog"), "{error}");
        assert!(error.to_string().contains("1 to 40 characters"), "{error}");
    }
}

#[test]
fn impossible_numbers_of_cpus_are_refused() {
    for wrong in ["0", "100000", "-1", "1e9", "99999999999999999999999"] {
        refused(
            "\"cpus\": 4",
            &format!("\"cpus\": {wrong}"),
            6,
            13,
            "machine.cpus",
            &[wrong, "1 to 1024"],
        );
    }
}

#[test]
fn numbers_not_written_as_whole_ones_say_so() {
    for number in ["4.5", "4.0", "1e2", "1e400"] {
        refused(
            "\"cpus\": 4",
            &format!("\"cpus\": {number}"),
            6,
            13,
            "machine.cpus",
            &[number, "not written as a whole number"],
        );
    }
    refused(
        "\"cpus\": 4",
        "\"cpus\": 99999999999999999999",
        6,
        13,
        "machine.cpus",
        &["out of range"],
    );
    refused(
        "\"run\": 500",
        "\"run\": 0.5",
        19,
        16,
        "workload.tasks.hog.run",
        &["0.5 is not written as a whole number"],
    );
    refused(
        "\"version\": \"3.19-push-ipi\"",
        "\"version\": \"3.19\", \"hz\": \"250\"",
        9,
        30,
        "kernel.hz",
        &["did you mean: 250"],
    );
}

#[test]
fn negative_times_are_refused() {
    refused("\"2ms\"", "\"-2ms\"", 4, 15, "duration", &["negative"]);
    refused("\"100us\"", "\"-100us\"", 14, 19, "workload.cyclictest.interval", &["negative"]);
    refused("\"run\": 500", "\"run\": -500", 19, 16, "workload.tasks.hog.run", &["negative"]);
    refused(
        "\"interval\": \"100us\"",
        "\"interval_us\": -1",
        14,
        22,
        "workload.cyclictest.interval",
        &["out of range"],
    );
    refused("\"2ms\"", "\"90000s\"", 4, 15, "duration", &["out of range", "86400s"]);
}

#[test]
fn affinity_to_a_cpu_that_does_not_exist_is_refused() {
    refused("[0, 1]", "[0, 4]", 18, 21, "workload.tasks.hog.cpus[1]", &["no CPU 4", "0 to 3"]);
    refused("[0, 1]", "\"2-4\"", 18, 17, "workload.tasks.hog.cpus", &["no CPU 4"]);
    refused("[0, 1]", "[]", 18, 17, "workload.tasks.hog.cpus", &["empty"]);
    refused("[0, 1]", "\"0-9999999\"", 18, 17, "workload.tasks.hog.cpus", &["0-3,8"]);
}

#[test]
fn what_rt_app_knows_and_this_engine_does_not_is_refused_by_name() {
    for word in ["mem", "iorun", "memrun", "dl-runtime", "util_min", "nodes_membind", "mem1"] {
        let name = word.trim_end_matches('1');
        let message = format!("{name} is not modelled");
        refused(
            "\"sleep\": 100",
            &format!("\"{word}\": 1"),
            20,
            9,
            &format!("workload.tasks.hog.{word}"),
            &[&message],
        );
    }
    let group = "\"sleep\": 100, \"taskgroup\": \"/web\"";
    refused(
        "\"sleep\": 100",
        group,
        20,
        36,
        "workload.tasks.hog.taskgroup",
        &["there is no control group", "\"/\""],
    );
    refused(
        "\"sleep\": 100",
        "\"policy\": \"SCHED_DEADLINE\"",
        20,
        19,
        "workload.tasks.hog.policy",
        &["SCHED_DEADLINE is not modelled"],
    );
    refused(
        "\"cgroups\": {}",
        "\"cgroups\": { \"/web\": {} }",
        11,
        16,
        "cgroups",
        &["no path of a control group"],
    );
}

#[test]
fn priorities_follow_the_policy() {
    refused(
        "\"sleep\": 100",
        "\"priority\": 50",
        20,
        21,
        "workload.tasks.hog.priority",
        &["nice", "-20 to 19"],
    );
    refused(
        "\"sleep\": 100",
        "\"policy\": \"SCHED_FIFO\", \"priority\": 0",
        20,
        45,
        "workload.tasks.hog.priority",
        &["1 to 99"],
    );
}

#[test]
fn text_that_is_not_json_is_told_so_with_its_place() {
    let place = |text: &str| {
        let error = error_of(text);
        assert!(error.message.contains("not JSON"), "{error}");
        (error.line.unwrap(), error.column.unwrap())
    };
    assert_eq!(place("hello"), (1, 1));
    assert_eq!(place(""), (1, 1));
    assert_eq!(place("{\n  \"a\": 1,\n}"), (3, 1));
    assert_eq!(place("{ // a comment\n}"), (1, 3));
    assert_eq!(place("{\"a\": 'b'}"), (1, 7));
    assert_eq!(place("{} {}"), (1, 4));
    assert_eq!(place("{\"a\": 0x10}").0, 1);
    assert_eq!(place("\u{feff}{}"), (1, 1));
    for loose in [
        "{\"a\":+1}",
        "{\"a\":.5}",
        "{a:1}",
        "[1 2]",
        "{\"a\":NaN}",
        "{\"a\":\"\u{1}\"}",
        "[1,,2]",
        "{\"a\":01}",
        "{\"a\":\"\\x41\"}",
        "{\"a\":1}\u{a0}",
    ] {
        place(loose);
    }
}

#[test]
fn limits_hold() {
    let huge = format!("{{\"title\": \"{}\"}}", "x".repeat(50_000_000));
    let error = error_of(&huge);
    assert!(error.message.contains("at most 1000000"), "{}", error.message);
    let deep = "[".repeat(100_000);
    assert!(error_of(&deep).message.contains("32"), "nesting is refused before anything recurses");
    assert!(
        error_of(&format!("{}1{}", "[".repeat(32), "]".repeat(32))).message.contains("a list"),
        "32 deep is JSON, though no scenario"
    );
    refused(
        "\"sleep\": 100",
        "\"instance\": 20000",
        20,
        21,
        "workload.tasks.hog.instance",
        &["16384"],
    );
    let events: Vec<String> = (0..100).map(|n| format!("\"run{n}\": 1")).collect();
    let many =
        GOOD.replace("\"sleep\": 100", &format!("\"instance\": 16000, {}", events.join(", ")));
    assert!(error_of(&many).message.contains("200000 events"));
}

#[test]
fn duplicate_keys_are_refused_at_the_second() {
    refused("\"sleep\": 100", "\"run\": 100", 20, 9, "workload.tasks.hog.run", &["twice", "run0"]);
    refused(
        "\"interval\": \"100us\"",
        "\"interval\": \"100us\", \"interval_us\": 100",
        14,
        28,
        "workload.cyclictest.interval",
        &["stated twice"],
    );
}

#[test]
fn what_is_missing_is_named() {
    refused("\"version\": \"3.19-push-ipi\"", "", 8, 13, "kernel.version", &["missing"]);
    refused("\"schema\": 1,", "", 1, 1, "schema", &["missing"]);
    refused("\"duration\": \"2ms\",", "", 1, 1, "duration", &["missing"]);
    refused(
        "\"schema\": 1,",
        "\"schema\": 2,",
        2,
        13,
        "schema",
        &["2", "1, the only form of scenario files so far"],
    );
}

#[test]
fn programs_that_do_nothing_or_never_sleep_in_time_are_refused() {
    refused(
        "\"run\": 500,\n        \"sleep\": 100",
        "\"loop\": -1",
        17,
        14,
        "workload.tasks.hog",
        &["no event"],
    );
    refused("\"run\": 500", "\"run\": 0", 19, 16, "workload.tasks.hog.run", &["out of range"]);
    refused("\"sleep\": 100", "\"loop\": 0", 20, 17, "workload.tasks.hog.loop", &["0 rounds"]);
    refused(
        "\"interval\": \"100us\"",
        "\"interval\": \"5us\"",
        14,
        19,
        "workload.cyclictest.interval",
        &["does not fit"],
    );
}

#[test]
fn a_stated_topology_must_fit_the_cpus() {
    refused(
        "\"cpus\": 4",
        "\"cpus\": 4, \"topology\": \"2x10\"",
        6,
        28,
        "machine.topology",
        &["2 x 10 is 20, but machine.cpus is 4", "\"auto\""],
    );
    for sign in ["x", "×"] {
        let text = GOOD.replace("\"cpus\": 4", &format!("\"cpus\": 4, \"topology\": \"2{sign}2\""));
        assert!(prepare("test", &text, &[]).is_ok(), "{sign}");
    }
    refused(
        "\"cpus\": 4",
        "\"cpus\": 4, \"topology\": \"ring\"",
        6,
        28,
        "machine.topology",
        &["4x10"],
    );
}

#[test]
fn a_change_laid_over_a_mistake_in_the_text_does_not_hide_it() {
    let text = GOOD.replace("\"cpus\": 4\n", "\"cpus\": \"many\"\n");
    let set = [("machine.cpus".to_owned(), serde_json::json!(16))];
    let Err(error) = prepare("test", &text, &set) else { panic!("the text is wrong") };
    assert_eq!((error.path.as_str(), error.line), ("machine.cpus", Some(6)));
}

#[test]
fn events_that_name_something_say_what_is_wrong_with_the_name() {
    let event = |text: &str, column: u32, path: &str, words: &[&str]| {
        refused("\"sleep\": 100", text, 20, column, &format!("workload.tasks.hog.{path}"), words);
    };
    event("\"lock\": 1", 17, "lock", &["this is a number", "text"]);
    event("\"lock\": \"\"", 17, "lock", &["empty"]);
    event("\"wait\": { \"ref\": \"c\" }", 17, "wait.mutex", &["missing"]);
    event("\"sync\": \"c\"", 17, "sync", &["an object"]);
    event("\"fork\": \"hogs\"", 17, "fork", &["no task \"hogs\"", "\"hog\""]);
    event("\"fork\": \"hog\"", 17, "fork", &["forks tasks itself"]);
    event("\"kernel\": { \"cond_resched\": 5 }", 19, "kernel.us", &["missing"]);
    event("\"kernel\": \"5\"", 19, "kernel", &["this is a text"]);
    event("\"kernel\": { \"us\": 5, \"mutex\": 3 }", 39, "kernel.mutex", &["this is a number"]);
    event("\"kernel\": { \"us\": 5, \"mutex\": \"\" }", 39, "kernel.mutex", &["the name is empty"]);
    event("\"irqoff\": { \"min\": 9, \"max\": 5 }", 28, "irqoff.min", &["more than max"]);
    event(
        "\"timer\": { \"ref\": \"t\", \"period\": 5, \"mode\": \"odd\" }",
        53,
        "timer.mode",
        &["relative"],
    );
    event("\"spin_lock\": 1", 22, "spin_lock", &["this is a number", "slice_extension"]);
    event("\"spin_lock\": \"s\"", 22, "spin_lock", &["still held", "spin_unlock"]);
    event("\"spin_unlock\": \"s\"", 24, "spin_unlock", &["does not hold \"s\"", "spin_lock"]);
    event(
        "\"spin_lock\": \"s\", \"spin_lock2\": \"s\", \"spin_unlock\": \"s\"",
        41,
        "spin_lock2",
        &["already holds \"s\"", "spin_unlock"],
    );
    event(
        "\"spin_lock\": { \"ref\": \"s\", \"slice_extension\": 2 }",
        55,
        "spin_lock.slice_extension",
        &["true or false"],
    );
    event(
        "\"page_fault\": { \"us\": 5, \"share_milli\": 1001 }",
        49,
        "page_fault.share_milli",
        &["1000"],
    );
    event("\"instance\": 0, \"barrier\": \"b\"", 35, "barrier", &["forked"]);
}

#[test]
fn resources_and_global_are_typed() {
    let beside = |text: &str, line: u32, column: u32, path: &str, words: &[&str]| {
        refused(
            "    \"tasks\": {",
            &format!("    {text},\n    \"tasks\": {{"),
            line,
            column,
            path,
            words,
        );
    };
    beside(
        "\"resources\": { \"a\": { \"type\": \"mutx\" } }",
        16,
        35,
        "workload.resources.a.type",
        &["mutx", "mutex"],
    );
    beside(
        "\"resources\": { \"a\": { \"type\": \"mutex\", \"value\": 1 } }",
        16,
        44,
        "workload.resources.a.value",
        &["semaphore"],
    );
    beside(
        "\"global\": { \"pi_enabled\": 2 }",
        16,
        31,
        "workload.global.pi_enabled",
        &["true or false"],
    );
}
