//! The real binary: variants of a scenario by their names.

use serde_json::Value;

use crate::support::{Folder, refused, root, stdout};

/// Each variant of a shipped scenario: its name, and its changes as flags.
fn variants(slug: &str) -> Vec<(String, Vec<String>)> {
    let path = root().join("scenarios").join(slug).join("scenario.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let flags = |set: &Value| {
        let one = |(path, value): (&String, &Value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            ["--set".to_owned(), format!("{path}={text}")]
        };
        set.as_object().unwrap().iter().flat_map(one).collect()
    };
    let variants = file["variants"].as_array().unwrap().iter();
    variants.map(|each| (each["name"].as_str().unwrap().to_owned(), flags(&each["set"]))).collect()
}

fn digest(slug: &str, more: &[&str]) -> String {
    stdout(&[&["digest", slug, "--for", "2ms"], more].concat())
}

#[test]
fn a_variant_by_its_name_is_the_run_that_its_changes_make() {
    for slug in ["rt-pull-herd", "lazy-or-now"] {
        let all = variants(slug);
        assert!(all.len() > 2, "{slug}");
        let mut seen = Vec::new();
        for (name, flags) in &all {
            let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
            let by_name = digest(slug, &["--variant", name]);
            assert_eq!(by_name, digest(slug, &flags), "{slug}: {name}");
            seen.push(by_name);
        }
        seen.sort();
        seen.dedup();
        assert!(seen.len() > 1, "{slug}: variants differ");
    }
}

#[test]
fn what_a_flag_sets_is_added_to_the_variant() {
    let herd = |more: &[&str]| digest("rt-pull-herd", more);
    let both = herd(&["--variant", "push by IPI", "--set", "machine.cpus=8"]);
    assert_ne!(both, herd(&["--variant", "push by IPI"]));
    assert_ne!(both, herd(&["--variant", "pull", "--set", "machine.cpus=8"]));
}

#[test]
fn the_sides_of_a_comparison_start_from_the_named_variants() {
    let sides = |more: &[&str]| {
        let said = stdout(&[&["compare", "rt-pull-herd", "--for", "2ms"], more].concat());
        let name = |letter: &str| {
            let line = said.lines().find(|line| line.starts_with(letter));
            line.unwrap_or_else(|| panic!("{said}")).split(": ").next().unwrap().to_owned()
        };
        [name("A "), name("B ")]
    };
    let swapped = sides(&["--variant", "push by IPI", "--variant", "pull"]);
    assert_eq!(swapped, ["A (push by IPI)", "B (pull)"]);
    let one = sides(&["--variant", "16 CPUs, pull", "--b", "kernel.hz=250"]);
    assert_eq!(one, ["A (16 CPUs, pull)", "B (16 CPUs, pull)"]);
    let thrice = ["compare", "rt-pull-herd", "--variant", "a", "--variant", "b", "--variant", "c"];
    refused(&thrice, 2, &["at most twice"]);
}

#[test]
fn a_wrong_name_of_a_variant_is_refused_with_those_there_are() {
    for command in ["run", "explain", "digest", "compare"] {
        let words = ["has no variant \"pul\"", "\"push by IPI\"", "did you mean: pull"];
        refused(&[command, "rt-pull-herd", "--variant", "pul"], 2, &words);
    }
    let sweep = ["sweep", "rt-pull-herd", "--over", "machine.cpus=4,8", "--variant", "pul"];
    refused(&sweep, 2, &["did you mean: pull"]);
    let folder = Folder::new();
    let text = r#"{"schema":1,"title":"t","machine":{"cpus":2},"workload":{"ops":{"tasks":{}}}}"#;
    let bare = folder.with("bare.json", text);
    refused(&["run", &bare, "--variant", "pull"], 2, &["the scenario has none"]);
}

#[test]
fn every_variant_of_a_shipped_scenario_is_taken_by_its_name() {
    let slugs = std::fs::read_dir(root().join("scenarios")).unwrap().map(Result::unwrap);
    let slugs = slugs.filter(|entry| entry.path().is_dir());
    let mut hyphens = 0;
    for slug in slugs.map(|entry| entry.file_name().into_string().unwrap()) {
        for (name, _) in variants(&slug) {
            stdout(&["digest", &slug, "--for", "1us", "--variant", &name]);
            hyphens += u32::from(name.starts_with('-'));
        }
    }
    assert!(hyphens > 0, "one is named after an option of its tool");
}
