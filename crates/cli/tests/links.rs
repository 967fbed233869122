//! The real binary: what a link says its maker saw is told beside what is seen here.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn schedscope(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(env!("CARGO_BIN_EXE_schedscope")).args(arguments).current_dir(root).output().unwrap()
}

/// CRC-32 as in zip, bit by bit.
fn crc32(text: &str) -> u32 {
    let fold = |crc: u32| (0..8).fold(crc, |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 });
    !text.bytes().fold(!0, |crc, byte| fold(crc ^ u32::from(byte)))
}

/// A link of version 2 to rt-pull-herd with these pairs.
fn link(pairs: &str) -> String {
    let rest = format!("&{pairs}&c=00000000").len() + "v=2.".len();
    let length = (rest + 1..).find(|length| rest + length.to_string().len() == *length).unwrap();
    let before = format!("v=2.{length}&{pairs}");
    format!("/s/rt-pull-herd/#{before}&c={:08x}", crc32(&before))
}

#[test]
fn compare_names_each_figure_of_a_link_that_is_another() {
    const CHANGES: &str = "k.machine.cpus=16&k.duration=5ms";
    let output = schedscope(&["compare", &link(CHANGES), "--json"]);
    let compared: Value = serde_json::from_slice(&output.stdout).unwrap();
    let [a, b] = ["a", "b"].map(|side| compared[side]["report"]["metrics"]["rq_lock"]["max_waiters"].as_i64().unwrap());
    let told = |then: &str, flags: &[&str]| {
        let link = link(&format!("{CHANGES}&e=0.0.1-0123abcd&{then}"));
        let output = schedscope(&[&["compare", &link][..], flags].concat());
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let other = told(&format!("was.rq_lock.max_waiters={}_{b}&was.rq_lock.wait_ns=-_-", a + 90), &[]);
    let first = format!("note: rq_lock.max_waiters was {} | {b} when the link was made, is {a} | {b}\n", a + 90);
    assert!(other.contains(&first) && other.contains("note: rq_lock.wait_ns was - | - when the link was made, is "), "{other}");
    assert_eq!(told(&format!("was.rq_lock.max_waiters={a}_{b}"), &[]), "");
    assert_eq!(told(&format!("was.rq_lock.max_waiters={a}"), &[]), "", "a link of one side says nothing of the other");
    assert_eq!(told("was.rq_lock.max_waiters=soon", &[]), "");
    assert_eq!(told("was.rq_lock.max_waiters=99_98", &["--seed", "3"]), "", "what was changed here may be another");
    let no_metric = told("was.no.such=5_6", &[]);
    assert!(no_metric.contains("note: no.such was 5 | 6 when the link was made, is - | -\n"), "{no_metric}");
}
