//! The real binary: a version set by hand gives that kernel, and every mention of the version names
//! the switches that differ from it.

use crate::support::{json, stdout};

const FOUR: &str = "kernel.version=4.15,4.19,5.4,6.12";

#[test]
fn quota_expires_only_in_the_kernels_that_let_it() {
    let sweep = json(&["sweep", "quota-stranded", "--over", FOUR, "--for", "500ms", "--json"]);
    let expired: Vec<i64> = (0..4)
        .map(|at| {
            sweep["points"][at]["metrics"]["groups.fibtest.expired_ns"]["median"].as_i64().unwrap()
        })
        .collect();
    assert!(
        expired[1] > 10_000_000 && [expired[0], expired[2], expired[3]] == [0; 3],
        "{expired:?}"
    );
    assert_eq!(sweep["points"][3]["kernel"], "6.12");
}

#[test]
fn a_switch_that_is_not_the_versions_is_named_once() {
    let run = |arguments: &[&str]| stdout(&[arguments, &["--for", "20ms"][..]].concat());
    let both = [
        "--set",
        "kernel.version=4.15",
        "--set",
        "kernel.rt_balance=ipi_v1_2015",
        "--set",
        "kernel.rt_push_ipi=off",
    ];
    for text in [
        run(&[&["run", "rt-pull-herd"][..], &both].concat()),
        run(&[&["explain", "rt-pull-herd"][..], &both].concat()),
    ] {
        let head = text
            .lines()
            .find(|line| line.starts_with("seed ") || line.contains(": seed "))
            .unwrap();
        assert!(
            head.contains(", kernel 4.15 with RT balancing ipi_v1_2015 and RT_PUSH_IPI off, "),
            "{head}"
        );
    }
    let plain = run(&["run", "rt-pull-herd", "--set", "kernel.version=4.15"]);
    assert!(
        plain.contains(", kernel 4.15, RT balancing ipi_4_16_skip1, RT_PUSH_IPI on, "),
        "{plain}"
    );
    let over =
        ["--over", "kernel.version=4.15,5.4", "--over", "kernel.rt_balance=ipi_4_15,ipi_v1_2015"];
    let table = run(&[&["sweep", "rt-pull-herd"][..], &over].concat());
    let row = table.lines().find(|line| line.starts_with("5.4 ")).unwrap();
    assert_eq!(row.matches("ipi_4_15").count(), 1, "{table}");
}

#[test]
fn what_stays_behind_is_said_in_headers_tables_files_and_reports() {
    const SLOW: [&str; 2] = ["--for", "20ms"];
    let run = |arguments: &[&str]| stdout(&[arguments, &SLOW[..]].concat());
    let kept = ["--set", "kernel.bandwidth=4.19"];
    assert!(run(&["run", "quota-stranded"]).contains(", kernel 5.4 with CFS bandwidth 4.19, "));
    assert!(
        run(&["run", "quota-stranded", "--set", "kernel.version=6.12"]).contains(", kernel 6.12, ")
    );
    assert!(
        run(&["compare", "quota-stranded", "--set", "kernel.version=6.12"])
            .contains(", kernel 6.12 with CFS bandwidth 4.19, ")
    );
    let sides = run(&[
        "compare",
        "quota-stranded",
        "--a",
        "kernel.version=4.15",
        "--b",
        "kernel.version=6.12",
    ]);
    assert!(sides.contains(", kernel 4.15, ") && sides.contains(", kernel 6.12, "), "{sides}");
    let table = run(&[&["sweep", "quota-stranded", "--over", FOUR][..], &kept].concat());
    assert!(
        table.contains("\n6.12 with CFS bandwidth 4.19  ") && table.contains("\n4.19  "),
        "{table}"
    );
    let swept = run(&["sweep", "quota-stranded", "--over", "kernel.hz=100,250"]);
    assert!(swept.contains("2 points, seed 7, kernel 5.4 with CFS bandwidth 4.19\n"), "{swept}");
    let report = json(
        &[&["run", "quota-stranded", "--json", "--set", "kernel.version=6.12"][..], &kept, &SLOW]
            .concat(),
    );
    assert_eq!(report["config"]["kernel"], "6.12 with bandwidth 4.19");
    let swept = run(&["sweep", "lazy-or-now", "--over", "kernel.version=6.18,7.0"]);
    let told = ["\n7.0 with preemption full  ", "\n6.18  "];
    assert!(told.iter().all(|row| swept.contains(row)), "{swept}");
    assert!(run(&["explain", "quota-stranded"]).contains("kernel 5.4 with CFS bandwidth 4.19"));
}
