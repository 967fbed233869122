//! The steps of a scenario file: what is taken, and that everything else is refused with its place
//! and a way out.

use std::path::Path;

use schedscope_scenario::{ScenarioError, prepare, shipped};

const STEP: &str = r#"{ "caption": "CPUs wait.", "view": { "from": "0us", "to": "50us" } }"#;

/// A scenario whose second step is `step`, on a line of its own.
fn with_step(step: &str) -> String {
    format!(
        "{{\"schema\": 1, \"title\": \"t\", \"duration\": \"1ms\",\n\"machine\": {{\"cpus\": \
            2}},\n\"kernel\": {{\"version\": \"5.4\", \"hz\": 1000}},\n\
         \"cgroups\": {{\"web\": {{\"cpu_max\": \"10000 100000\"}}}},\n\
         \"workload\": {{\"cyclictest\": {{}}}},\n\"steps\": [{STEP},\n{step},\n{STEP}]}}"
    )
}

fn judged(text: &str) -> Result<(), ScenarioError> {
    prepare("t", text, &[]).map(drop)
}

fn error_of(step: &str) -> ScenarioError {
    judged(&with_step(step)).expect_err(step)
}

#[test]
fn a_step_with_every_key_is_taken_and_changes_no_run() {
    let full = r#"{
        "caption": "{rq_lock.max_waiters a} of {machine.cpus} CPUs wait; B has {wakeup b}.",
        "view": { "moment": "deepest_queue", "lock": "rq 0", "before": "20us", "after": "30us",
            "side": "a" },
        "focus": { "lanes": "0-1", "lock": "rq 0", "group": "web", "wakeup": "cyclictest" },
        "side": "b", "speed": "20us", "answer": "10us",
        "slow": [["1us", "2us"]], "question": "and then?",
        "set": { "machine.cpus": 4, "cgroups.web.cpu_max": "max" }, "bet": "How many?",
        "choices": ["2 CPUs", "Both, one after the other: 32 ch"],
        "note": "Wait.", "same": true }"#;
    let text = with_step(full);
    let with = prepare("t", &text, &[]).map(|prepared| prepared.canonical());
    let (without, _) = text.split_once(",\n\"steps\"").expect("steps stand last");
    assert_eq!(
        with,
        prepare("t", &format!("{without}}}"), &[]).map(|prepared| prepared.canonical())
    );
}

/// Each of these second steps is refused at its line and this path, with what was expected and,
/// where there is one, the nearest name.
fn refused(cases: impl IntoIterator<Item = (String, &'static str, Option<&'static str>)>) {
    for (step, path, suggestion) in cases {
        let error = error_of(&step);
        assert_eq!(
            (error.path.as_str(), error.suggestion.as_deref()),
            (path, suggestion),
            "{step}\n{error}"
        );
        assert!(error.line.is_some_and(|line| line >= 7), "{step}\n{error}");
        assert!(error.expected.is_some() && error.column.is_some(), "{step}\n{error}");
    }
}

#[test]
fn what_is_wrong_with_a_caption_or_a_view_has_its_line_and_a_way_out() {
    let view = r#""view": { "from": "0us", "to": "50us" }"#;
    let around = |inside: &str| {
        format!(r#"{{ "caption": "c", "view": {{ "before": "1us", "after": "1us", {inside} }} }}"#)
    };
    refused([
        (format!(r#"{{ "captoin": "c", {view} }}"#), "steps[1].captoin", Some("\"caption\"")),
        (format!(r#"{{ {view} }}"#), "steps[1].caption", None),
        (format!(r#"{{ "caption": "{}", {view} }}"#, "w ".repeat(21)), "steps[1].caption", None),
        (
            format!(r#"{{ "caption": "{{rq_lock.max_waiter a}}", {view} }}"#),
            "steps[1].caption",
            Some("{rq_lock.max_waiters a}"),
        ),
        (
            format!(r#"{{ "caption": "{{rq_lock.max_waiters}}", {view} }}"#),
            "steps[1].caption",
            Some("{rq_lock.max_waiters a}"),
        ),
        (
            format!(r#"{{ "caption": "{{latency.cyclitest.max_ns a}}", {view} }}"#),
            "steps[1].caption",
            Some("latency.cyclictest.max_ns"),
        ),
        (format!(r#"{{ "caption": "a {{ b", {view} }}"#), "steps[1].caption", None),
        (r#"{ "caption": "c" }"#.to_owned(), "steps[1].view", None),
        (
            r#"{ "caption": "c", "view": { "from": "5us", "to": "5us" } }"#.to_owned(),
            "steps[1].view.to",
            None,
        ),
        (
            r#"{ "caption": "c", "view": { "from": "5", "to": "5us" } }"#.to_owned(),
            "steps[1].view.from",
            None,
        ),
        (around(r#""moment": "deepest_queu""#), "steps[1].view.moment", Some("deepest_queue")),
        (around(r#""moment": "refill", "task": "cyclictest""#), "steps[1].view.task", None),
        (around(r#""moment": "refill", "nth": 0"#), "steps[1].view.nth", None),
        (around(r#""moment": "refill", "group": "wep""#), "steps[1].view.group", Some("web")),
        (
            around(r#""moment": "worst_wakeup", "task": "cyclictst""#),
            "steps[1].view.task",
            Some("cyclictest"),
        ),
        (around(r#""moment": "refill", "side": "c""#), "steps[1].view.side", None),
        (
            r#"{ "caption": "c", "view": { "moment": "start", "before": "0us", "after": "0us" } }"#
                .to_owned(),
            "steps[1].view",
            None,
        ),
        (around(r#""moment": "deepest_queue", "lock": "deepest""#), "steps[1].view.lock", None),
    ]);
}

#[test]
fn what_is_wrong_with_the_rest_of_a_step_has_its_line_and_a_way_out() {
    let view = r#""view": { "from": "0us", "to": "50us" }"#;
    let bet = |choices: &str| {
        format!(r#"{{ "caption": "c", {view}, "bet": "Who?", "choices": {choices} }}"#)
    };
    refused([
        (
            format!(r#"{{ "caption": "c", {view}, "focus": {{ "lock": "rq 7" }} }}"#),
            "steps[1].focus.lock",
            Some("rq 1"),
        ),
        (
            format!(r#"{{ "caption": "c", {view}, "focus": {{ "lock": "deepst" }} }}"#),
            "steps[1].focus.lock",
            Some("deepest"),
        ),
        (
            format!(r#"{{ "caption": "c", {view}, "focus": {{ "group": "worst" }} }}"#),
            "steps[1].focus.group",
            None,
        ),
        (
            format!(r#"{{ "caption": "c", {view}, "focus": {{ "lanes": "x" }} }}"#),
            "steps[1].focus.lanes",
            None,
        ),
        (format!(r#"{{ "caption": "c", {view}, "speed": "0us" }}"#), "steps[1].speed", None),
        (format!(r#"{{ "caption": "c", {view}, "answer": "soon" }}"#), "steps[1].answer", None),
        (
            format!(r#"{{ "caption": "c", {view}, "slow": [["1us", "2us"], ["3us", "3us"]] }}"#),
            "steps[1].slow[1]",
            None,
        ),
        (format!(r#"{{ "caption": "c", {view}, "slow": [["1us"]] }}"#), "steps[1].slow[0]", None),
        (format!(r#"{{ "caption": "c", {view}, "choices": ["1", "2"] }}"#), "steps[1].bet", None),
        (bet(r#"["1"]"#), "steps[1].choices", None),
        (bet(r#"["1", "2", "3", "4", "5"]"#), "steps[1].choices", None),
        (bet(r#"["1", 2]"#), "steps[1].choices[1]", None),
        (bet(r#"["1", "2", "1"]"#), "steps[1].choices[2]", None),
        (bet(r#"["1", ""]"#), "steps[1].choices[1]", None),
        (bet(&format!(r#"["1", "{}"]"#, "µ".repeat(33))), "steps[1].choices[1]", None),
        (format!(r#"{{ "caption": "c", {view}, "same": "yes" }}"#), "steps[1].same", None),
        (format!(r#"{{ "caption": "c", {view}, "set": {{}} }}"#), "steps[1].set", None),
        (
            format!(r#"{{ "caption": "c", {view}, "set": {{ "machine.cpu": 4 }} }}"#),
            "machine.cpu",
            Some("machine.cpus"),
        ),
    ]);
}

#[test]
fn there_are_three_to_six_steps_or_none() {
    let of = |count: usize| {
        with_step(STEP).replace(
            &format!("[{STEP},\n{STEP},\n{STEP}]"),
            &format!("[{}]", vec![STEP; count].join(",")),
        )
    };
    for count in 3..=6 {
        assert_eq!(judged(&of(count)), Ok(()), "{count}");
    }
    for count in [0, 1, 2, 7] {
        assert_eq!(judged(&of(count)).expect_err("refused").path, "steps", "{count}");
    }
}

#[test]
fn a_focus_names_a_lock_a_group_and_a_wake_up_by_name_or_by_meaning_and_an_error_says_both() {
    let view = r#""view": { "from": "0us", "to": "50us" }"#;
    let step = |focus: &str| format!(r#"{{ "caption": "c", {view}, "focus": {{ {focus} }} }}"#);
    for focus in [
        r#""lock": "deepest", "group": "most_throttled", "wakeup": "worst""#,
        r#""lock": "rq 1", "group": "web", "wakeup": "cyclictest""#,
    ] {
        assert_eq!(judged(&with_step(&step(focus))), Ok(()), "{focus}");
    }
    let error = error_of(&step(r#""group": "wep""#));
    assert_eq!(
        error.expected.as_deref(),
        Some("\"most_throttled\", or the name of one of its own")
    );
    assert_eq!(error.suggestion.as_deref(), Some("web"));
}

/// Words of a caption as the page shows it: a time is a number and its unit, any other figure one
/// word.
fn words_shown(caption: &str) -> usize {
    let mut parts = caption.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    let shown = parts.fold(first, |shown, part| {
        let (figure, rest) = part.split_once('}').unwrap();
        let name = figure.split(' ').next().unwrap_or_default();
        let time = name == "wakeup" || name.ends_with("_ns");
        shown + if time { "1 ms" } else { "1" } + rest
    });
    shown.split_whitespace().count()
}

#[test]
fn captions_that_ship_have_at_most_twenty_words_with_their_figures_filled_in() {
    assert_eq!(words_shown("{machine.cpus} CPUs wait {wakeup b}, {tasks.a.*.run_ns a}."), 7);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for scenario in shipped(&root.join("scenarios")).unwrap() {
        let file: serde_json::Value = serde_json::from_str(&scenario.text).unwrap();
        for step in file["steps"].as_array().unwrap() {
            let caption = step["caption"].as_str().unwrap();
            let words = words_shown(caption);
            assert!(words <= 20, "{}: {words} words: {caption}", scenario.slug);
        }
    }
}
