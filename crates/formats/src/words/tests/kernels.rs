//! What the kernel of a text can have.

use super::containers::{reading, words};
use crate::words::Fate;

/// The values of a knob over the variants of a text's scenario, the base first.
fn values(text: &str, key: &str) -> Vec<String> {
    let scenario = reading(text).scenario.expect("a scenario");
    let base = scenario["kernel"][key].as_str().map(str::to_owned);
    let path = format!("kernel.{key}");
    let variants = scenario["variants"].as_array().expect("variants").iter();
    let set = variants.filter_map(|variant| variant["set"][&path].as_str().map(str::to_owned));
    base.into_iter().chain(set).collect()
}

#[test]
fn a_model_is_assumed_on_a_kernel_that_has_it_and_compared_with_one_that_it_has() {
    assert_eq!(values("preempt=full", "version"), ["6.12"]);
    assert_eq!(values("preempt=lazy", "version"), ["6.18"]);
    assert_eq!(values("#1 SMP PREEMPT(lazy)", "preempt"), ["lazy", "full"]);
    assert_eq!(values("Linux h 7.1.13 #1 SMP\npreempt=full", "preempt"), ["full", "lazy"]);
}

#[test]
fn a_model_that_the_kernel_of_the_text_lacks_is_doubted_and_not_taken_over() {
    for (text, word) in [
        ("Linux h 6.12.57 #1 SMP\npreempt=lazy", "6.13"),
        ("Linux h 7.1.13 #1 SMP\npreempt=voluntary", "7.0"),
    ] {
        let read = reading(text);
        assert!(read.doubts[0].contains("cannot be on kernel"), "{:?}", read.doubts);
        assert!(read.doubts[0].contains(word), "{:?}", read.doubts);
        assert!(values(text, "preempt").is_empty(), "{text}");
    }
}

#[test]
fn a_limit_on_a_kernel_before_5_14_comes_to_a_scenario_without_bursts() {
    let read = reading("Linux h 5.10.0-28-amd64 #1 SMP\ncpu.max 50000 100000");
    let scenario = read.scenario.expect("a scenario").to_string();
    assert!(!scenario.contains("burst_") && !scenario.contains("cpu_max_burst"), "{scenario}");
    let read = reading("Linux h 5.10.1 #1 SMP\ncpu.max 50000 100000\ncpu.max.burst 20000");
    assert!(read.doubts[0].contains("5.14"), "{:?}", read.doubts);
    assert!(!read.scenario.expect("a scenario").to_string().contains("cpu_max_burst"));
    let read = reading("cpu.max 50000 100000\ncpu.max.burst 20000");
    assert!(read.scenario.expect("a scenario").to_string().contains("cpu_max_burst"));
}

#[test]
fn a_feature_that_is_on_as_kernels_boot_is_said_to_be_and_makes_no_scenario() {
    let read = reading("TTWU_QUEUE");
    assert_eq!(read.lines[0].notes[0].fate, Fate::LeftOut);
    assert!(read.scenario.is_none());
    assert_eq!(values("sched_features: NO_TTWU_QUEUE", "ttwu_queue"), ["off"]);
}

#[test]
fn lines_that_look_like_comments_or_files_are_read_for_what_they_say() {
    let limits = "resources: {limits: {cpu: 1}}";
    let flow = format!("kind: Pod\nspec: {{containers: [{{name: b, {limits}}}]}}");
    for (text, said) in [
        ("#7 SMP PREEMPT Tue Mar 3 UTC 2020", "preemption is full"),
        ("sudo grubby --update-kernel=ALL --args=\"nohz_full=2-7\"", "nohz_full=2-7"),
        (flow.as_str(), "“b”"),
        ("/* mine */ {\n \"tasks\": { \"web\": { \"run\": 10, \"sleep\": 5 } } }", "rt-app"),
        ("taskset -c 0-6:2 ./app", "0,2,4,6"),
    ] {
        let notes = reading(text).lines.into_iter().flat_map(|line| line.notes);
        let noted: Vec<String> = notes.map(|note| note.words).collect();
        let all = format!("{}{}", words(text), noted.join(" "));
        assert!(all.contains(said), "{text}: {all}");
    }
}
