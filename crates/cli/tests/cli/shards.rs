//! The real binary: a sweep planned as a manifest, run in shares, killed, and collected.

use std::process::Stdio;

use serde_json::Value;

use crate::support::{Folder, command, refused, schedscope, stderr, stdout};

/// Two ways of balancing on two sizes, four seeds each: sixteen short runs.
const SWEEP: [&str; 9] = [
    "rt-pull-herd",
    "--for",
    "2ms",
    "--over",
    "machine.cpus=4,12",
    "--over",
    "kernel.rt_push_ipi=off,on",
    "--seeds",
    "1..4",
];

/// A folder with the sweep's manifest, in batches of few runs.
struct Planned {
    folder: Folder,
    manifest: String,
}

impl Planned {
    fn new() -> Self {
        let folder = Folder::new();
        let manifest = folder.path("herd.json");
        let plan = ["sweep", "--manifest", &manifest, "--batch", "20000"];
        let said = stdout(&[&plan[..], &SWEEP].concat());
        assert!(said.contains("16 runs in ") && said.contains(" batches\n"), "{said}");
        Self { folder, manifest }
    }

    fn run(&self, more: &[&str]) -> String {
        stdout(&[&["sweep", "--manifest", &self.manifest], more].concat())
    }

    fn parts(&self) -> Vec<String> {
        let names = std::fs::read_dir(format!("{}.parts", self.manifest)).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.starts_with("part-")).collect();
        names.sort();
        names
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.folder.path(name)).unwrap()
    }
}

#[test]
fn shards_collected_are_the_bytes_that_one_process_writes() {
    let planned = Planned::new();
    for shard in ["2/3", "0/3"] {
        let said = planned.run(&["--shard", shard]);
        assert!(said.contains("missing"), "{said}");
    }
    let said = planned.run(&["--shard", "1/3", "--jobs", "1"]);
    assert!(!said.contains("missing"), "{said}");
    for ending in ["csv", "jsonl", "parquet"] {
        let (apart, alone) = (format!("apart.{ending}"), format!("alone.{ending}"));
        planned.run(&["--out", &planned.folder.path(&apart)]);
        let alone_path = planned.folder.path(&alone);
        stdout(&[&["sweep"], &SWEEP[..], &["--out", &alone_path]].concat());
        assert!(planned.read(&apart) == planned.read(&alone), "{ending}");
    }
}

#[test]
fn a_second_start_runs_only_what_is_missing() {
    let planned = Planned::new();
    planned.run(&[]);
    let all = planned.parts();
    assert!(all.len() > 3, "{all:?}");
    let part = |name: &str| format!("{}.parts/{name}", planned.manifest);
    let times = || -> Vec<_> {
        let modified = |name: &String| std::fs::metadata(part(name)).unwrap().modified().unwrap();
        all.iter().map(modified).collect()
    };
    let before = times();
    std::fs::remove_file(part(&all[1])).unwrap();
    planned.run(&[]);
    let after = times();
    assert_eq!(planned.parts(), all);
    for (nth, (before, after)) in before.iter().zip(&after).enumerate() {
        assert_eq!(before == after, nth != 1, "{}", all[nth]);
    }
}

#[test]
fn a_killed_process_loses_no_batch_that_was_done() {
    let folder = Folder::new();
    let manifest = folder.path("long.json");
    let long = ["rt-pull-herd", "--for", "20ms", "--over", "machine.cpus=16", "--seeds", "1..400"];
    stdout(&[&["sweep", "--manifest", &manifest, "--batch", "100000"], &long[..]].concat());
    let run = ["sweep", "--manifest", &manifest, "--jobs", "2"];
    let mut child = command(&run).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let parts = || -> usize {
        let names = std::fs::read_dir(format!("{manifest}.parts")).into_iter().flatten();
        let name = |entry: std::fs::DirEntry| entry.file_name().into_string().unwrap();
        names.flatten().map(name).filter(|name| name.starts_with("part-")).count()
    };
    while parts() < 3 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was killed");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = parts();
    assert!(kept >= 3);
    let out = folder.path("long.csv");
    stdout(&["sweep", "--manifest", &manifest, "--out", &out]);
    let csv = std::fs::read_to_string(&out).unwrap();
    assert_eq!(csv.lines().count(), 401);
    assert!(parts() > kept, "there was something left to do");
}

#[test]
fn what_is_of_another_sweep_is_refused_with_the_way_out() {
    let planned = Planned::new();
    planned.run(&["--shard", "0/2"]);
    let run = ["sweep", "--manifest", &planned.manifest];
    // Another manifest in the same place.
    let text = std::fs::read_to_string(&planned.manifest).unwrap();
    let mut other: Value = serde_json::from_str(&text).unwrap();
    other["metrics"] = serde_json::json!(["sched.ticks"]);
    std::fs::write(&planned.manifest, serde_json::to_string_pretty(&other).unwrap()).unwrap();
    refused(&run, 2, &["holds the parts of another manifest"]);
    for (key, value, said) in [
        ("engine_behaviour", "1999-01", "engine behaviour 1999-01"),
        ("schema", "schedscope.manifest/9", "this version reads"),
    ] {
        let mut wrong: Value = serde_json::from_str(&text).unwrap();
        wrong[key] = value.into();
        std::fs::write(&planned.manifest, wrong.to_string()).unwrap();
        refused(&run, 2, &[said]);
    }
    let mut cut: Value = serde_json::from_str(&text).unwrap();
    cut["batches"].as_array_mut().unwrap().pop();
    std::fs::write(&planned.manifest, cut.to_string()).unwrap();
    refused(&run, 2, &["batches are not those of its 16 runs"]);
    std::fs::write(&planned.manifest, &text[..text.len() / 2]).unwrap();
    refused(&run, 2, &["no manifest"]);
}

#[test]
fn a_damaged_part_is_named_and_not_taken() {
    let planned = Planned::new();
    planned.run(&[]);
    let part = format!("{}.parts/{}", planned.manifest, planned.parts()[0]);
    std::fs::write(&part, b"PAR1 and no more").unwrap();
    let out = planned.folder.path("out.csv");
    let collect = ["sweep", "--manifest", &planned.manifest, "--out", &out];
    refused(&collect, 2, &["part-000000.parquet", "remove it"]);
    assert!(!std::path::Path::new(&out).exists());
    std::fs::remove_file(&part).unwrap();
    stdout(&collect);
}

#[test]
fn a_flag_that_does_not_go_with_a_manifest_is_refused() {
    let planned = Planned::new();
    let run = ["sweep", "--manifest", &planned.manifest];
    let with = |more: &[&str], words: &[&str]| refused(&[&run, more].concat(), 2, words);
    with(&["--seeds", "1..2"], &["--seeds", "the manifest already says"]);
    with(&["--set", "kernel.hz=100"], &["a change of the scenario"]);
    with(&["--shard", "2/2"], &["shards count from 0"]);
    with(&["--shard", "0/2", "--out", "x.csv"], &["--out collects"]);
    let plan = [&run[..], &SWEEP, &["--out", "x.csv"]].concat();
    refused(&plan, 2, &["writes the plan and runs nothing"]);
    refused(&[&run[..], &["rt-pull-herd"]].concat(), 2, &["--over PATH=VALUES is missing"]);
    let without =
        schedscope(&["sweep", "rt-pull-herd", "--over", "kernel.hz=100", "--shard", "0/2"]);
    assert_eq!(without.status.code(), Some(2));
    assert!(stderr(&without).contains("--manifest"), "{}", stderr(&without));
}

/// A file may have no more than some hundred bytes: what a full disk says to who writes.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_part_of_a_batch_and_loses_none_that_was_done() {
    let planned = Planned::new();
    planned.run(&["--shard", "0/2"]);
    let before = planned.parts();
    let program = env!("CARGO_BIN_EXE_schedscope");
    let script =
        format!("trap '' XFSZ; ulimit -f 1; exec {program} sweep --manifest {}", planned.manifest);
    let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot write"), "{}", stderr(&output));
    assert_eq!(planned.parts(), before);
    planned.run(&[]);
    assert!(planned.parts().len() > before.len());
}
