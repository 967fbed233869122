//! `kernel.rules`: single rules of a version, stated otherwise.

use schedscope_engine::kernel::config::{Bandwidth, RULES, Version};
use schedscope_scenario::knobs::KnobType;
use schedscope_scenario::{Origin, Prepared, ScenarioError, knobs, prepare};
use serde_json::{Value, json};

use crate::support::name;

fn read(kernel: &Value, set: &[(&str, Value)]) -> Result<Prepared, ScenarioError> {
    let text = json!({ "schema": 1, "title": "x", "duration": "1ms", "machine": { "cpus": 4 },
        "kernel": kernel,
        "workload": { "tasks": { "a": { "run": 1 } } } });
    let set: Vec<(String, Value)> =
        set.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
    prepare("x", &text.to_string(), &set)
}

fn answer(prepared: &Prepared, rule: &str) -> bool {
    let mut answers = prepared.setup.kernel.answers();
    answers.find(|(row, _)| row.name == rule).map(|(_, answer)| answer).unwrap()
}

fn origin(prepared: &Prepared, path: &str) -> (Origin, Option<String>) {
    let knob = prepared.meta.knobs.iter().find(|knob| knob.path == path).unwrap();
    (knob.origin, knob.source.as_ref().map(ToString::to_string))
}

#[test]
fn a_stated_rule_is_the_kernels_and_every_other_stays_the_versions() {
    let stated: Vec<_> = RULES.iter().filter(|rule| rule.words.is_some()).collect();
    for version in Version::LADDER {
        let own = read(&json!({ "version": name(version) }), &[]).unwrap();
        for rule in &stated {
            let path = rule.words.as_ref().unwrap().path;
            let other = !rule.value(*version);
            let kernel = json!({ "version": name(version), "rules": { rule.name: other } });
            let turned = read(&kernel, &[]).unwrap();
            for each in &stated {
                let expected = each.value(*version) ^ (each.name == rule.name);
                assert_eq!(
                    answer(&turned, each.name),
                    expected,
                    "{version:?} {path} {}",
                    each.name
                );
            }
            assert_eq!(origin(&turned, path), (Origin::Stated, None));
            let back = read(&kernel, &[(path, json!(!other))]).unwrap();
            assert_eq!(back.setup.kernel, own.setup.kernel, "{version:?} {path}");
        }
    }
}

#[test]
fn a_rule_that_nobody_states_says_by_which_source_the_version_has_it() {
    let of = |version: &str| {
        origin(
            &read(&json!({ "version": version }), &[]).unwrap(),
            "kernel.rules.rechecks_after_lock",
        )
    };
    let commit = || Some("commit 690e47d1403e (6.16)".to_owned());
    assert_eq!(of("6.18"), (Origin::Known, commit()));
    assert_eq!(of("6.12.64"), (Origin::Known, commit()), "taken in by a stable release");
    assert_eq!(
        of("6.12.63"),
        (Origin::Known, Some("before commit 690e47d1403e (6.16)".to_owned()))
    );
    let neighbour = of("6.6.30");
    assert_eq!(neighbour.0, Origin::Carried, "nobody looked whether 6.6's branch took it in");
}

#[test]
fn another_version_takes_back_what_the_file_states_and_says_so() {
    let kernel = json!({ "version": "6.12", "rules": { "rechecks_after_lock": true } });
    assert!(answer(&read(&kernel, &[]).unwrap(), "rechecks_after_lock"));
    assert_eq!(read(&kernel, &[]).unwrap().meta.kernel, "6.12 with rechecks_after_lock true");
    let moved = read(&kernel, &[("kernel.version", json!("6.6"))]).unwrap();
    assert!(!answer(&moved, "rechecks_after_lock"));
    let notes = moved.meta.notes.join("\n");
    assert!(notes.contains("kernel.rules.rechecks_after_lock"), "{notes}");
}

#[test]
fn a_rule_that_another_switch_leaves_nothing_to_decide_says_why() {
    let inert = |kernel: &Value, path: &str| {
        let meta = read(kernel, &[]).unwrap().meta;
        meta.knobs.into_iter().find(|knob| knob.path == path).unwrap().inert
    };
    let buddies = "kernel.rules.has_buddies";
    assert_eq!(inert(&json!({ "version": "6.1" }), buddies), None);
    assert_eq!(
        inert(&json!({ "version": "6.6" }), buddies).as_deref(),
        Some("kernel.fair is eevdf")
    );
    assert_eq!(inert(&json!({ "version": "6.6", "fair": "cfs" }), buddies), None);
    let stated =
        read(&json!({ "version": "6.6", "rules": { "has_buddies": false } }), &[]).unwrap();
    let note = "kernel.rules.has_buddies has no effect: kernel.fair is eevdf";
    assert!(stated.meta.notes.iter().any(|each| each == note), "{:?}", stated.meta.notes);
}

#[test]
fn a_switch_of_yes_or_no_reads_1_and_0_as_true_and_false_in_a_file_and_as_a_change() {
    let flags = knobs().iter().filter(|knob| knob.kind == KnobType::Boolean);
    let paths: Vec<_> =
        flags.map(|knob| knob.path).filter(|path| path.starts_with("kernel.")).collect();
    assert!(paths.contains(&"kernel.rules.has_preempt_short"));
    for path in paths {
        for flag in [false, true] {
            for spelling in [json!(flag), json!(u8::from(flag)), json!(u8::from(flag).to_string())]
            {
                let meta = read(&json!({ "version": "6.12" }), &[(path, spelling)]).unwrap().meta;
                let found = meta.knobs.iter().find(|knob| knob.path == path).unwrap();
                assert_eq!(found.value, json!(flag), "{path}");
            }
        }
    }
    let rules =
        |value: Value| json!({ "version": "6.12", "rules": { "has_preempt_short": value } });
    assert!(!answer(&read(&rules(json!(0)), &[]).unwrap(), "has_preempt_short"));
    assert!(answer(&read(&rules(json!(1)), &[]).unwrap(), "has_preempt_short"));
    for wrong in [json!(2), json!(-1), json!(1.0), json!("on")] {
        let said = read(&rules(wrong.clone()), &[]).unwrap_err().to_string();
        assert!(said.contains("true or false"), "{wrong}: {said}");
    }
}

#[test]
fn a_rule_that_is_none_is_refused_by_its_place_and_the_nearest_name() {
    let wrong =
        |rules: Value| read(&json!({ "version": "6.12", "rules": rules }), &[]).unwrap_err();
    let unknown = wrong(json!({ "recheck_after_lock": true })).to_string();
    assert!(
        unknown.contains("rechecks_after_lock") && unknown.contains("kernel.rules"),
        "{unknown}"
    );
    let kind = wrong(json!({ "rechecks_after_lock": "yes" })).to_string();
    assert!(kind.contains("true or false"), "{kind}");
    // With so many names the near one is said, not all of them.
    let names = RULES.iter().filter(|rule| rule.words.is_some()).count();
    assert!(unknown.contains(&format!("one of {names} names")), "{unknown}");
    let outside = read(&json!({ "version": "6.12", "has_preempt_short": true }), &[]).unwrap_err();
    assert!(outside.to_string().contains("is a key of \"rules\""), "{outside}");
    // A file cannot state what a version offers.
    assert!(wrong(json!({ "has_lazy_preemption": true })).to_string().contains("kernel.rules"));
}

#[test]
fn each_switch_of_bandwidth_control_can_be_stated_by_itself() {
    let of = |version: &str, bandwidth: Value| {
        read(&json!({ "version": version, "bandwidth": bandwidth }), &[]).unwrap()
    };
    let hypothetical =
        |prepared: &Prepared| prepared.meta.notes.iter().any(|note| note.contains("hypothetical"));
    let own = Bandwidth::of_version(Version::V6_1);
    let late = of("6.1", json!({ "late_clock": true }));
    assert_eq!(late.setup.kernel.bandwidth, Bandwidth { late_clock: true, ..own });
    assert!(hypothetical(&late));
    // 5.7 to 5.8 in all seventeen is 5.8 to the word.
    let whole = of(
        "5.7",
        json!({ "throttle_lasttry": true, "list": "tail", "one_walk": false,
            "rescale_last": true }),
    );
    assert_eq!(whole.setup.kernel.bandwidth, Bandwidth::of_version(Version::V5_8));
    assert!(!hypothetical(&whole), "{:?}", whole.meta.notes);
    // One switch that makes another era brings nothing of a later one.
    let csd = of("6.1", json!({ "csd": true }));
    assert_eq!(csd.setup.kernel.bandwidth, Bandwidth::of_version(Version::V6_3));
    // What an era brings along is said.
    let head = of("4.19", json!({ "list": "head" }));
    let said = "kernel.bandwidth goes by the era of its first ten switches: one_walk false";
    assert!(!head.setup.kernel.bandwidth.one_walk);
    assert!(head.meta.notes.iter().any(|note| note == said), "{:?}", head.meta.notes);
    // The ten of 5.8 with a switch of before is no kernel's.
    let mixed = of("5.7", json!({ "throttle_lasttry": true, "list": "tail", "one_walk": true }));
    assert!(mixed.setup.kernel.bandwidth.one_walk && hypothetical(&mixed));
}
