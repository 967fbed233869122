//! The real binary: prints the figures that a link's maker saw beside those of this run.

use crate::support::{json, link, refused, schedscope, stderr};

#[test]
fn compare_names_each_figure_of_a_link_that_is_another() {
    const CHANGES: &str = "&k.machine.cpus=16&k.duration=5ms";
    let compared = json(&["compare", &link(2, "rt-pull-herd", CHANGES), "--json"]);
    let [a, b] = ["a", "b"].map(|side| {
        compared[side]["report"]["metrics"]["rq_lock"]["max_waiters"].as_i64().unwrap()
    });
    let told = |then: &str, flags: &[&str]| {
        let link = link(2, "rt-pull-herd", &format!("{CHANGES}&e=0.0.1-0123abcd&{then}"));
        let output = schedscope(&[&["compare", &link][..], flags].concat());
        assert!(output.status.success());
        stderr(&output)
    };
    let other =
        told(&format!("was.rq_lock.max_waiters={}_{b}&was.rq_lock.wait_ns=-_-", a + 90), &[]);
    let first = format!(
        "note: rq_lock.max_waiters was {} | {b} when the link was made, is {a} | {b}\n",
        a + 90
    );
    assert!(
        other.contains(&first)
            && other.contains("note: rq_lock.wait_ns was - | - when the link was made, is "),
        "{other}"
    );
    assert_eq!(told(&format!("was.rq_lock.max_waiters={a}_{b}"), &[]), "");
    assert_eq!(
        told(&format!("was.rq_lock.max_waiters={a}"), &[]),
        "",
        "a link of one side says nothing of the other"
    );
    assert_eq!(told("was.rq_lock.max_waiters=soon", &[]), "");
    assert_eq!(
        told("was.rq_lock.max_waiters=99_98", &["--seed", "3"]),
        "",
        "what was changed here may be another"
    );
    let no_metric = told("was.no.such=5_6", &[]);
    assert!(
        no_metric.contains("note: no.such was 5 | 6 when the link was made, is - | -\n"),
        "{no_metric}"
    );
}

#[test]
fn a_link_prints_no_lines_of_its_own() {
    let nasty = "&k.machine.cpus=4&k.duration=1ms&e=1~0Aerror&fp=00000000";
    let output = schedscope(&["compare", &link(3, "rt-pull-herd", nasty)]);
    assert!(stderr(&output).contains("then, by engine 1\\nerror\n"), "{}", stderr(&output));
}

#[test]
fn a_link_that_sets_a_knob_in_two_spellings_is_refused() {
    let twice = "&k.cgroups.fibtest.cpu_max=max&k.cgroups.~22fibtest~22.cpu_max=max";
    refused(&["run", &link(3, "quota-stranded", twice)], 2, &["the link sets one knob twice, as "]);
}
