//! Control groups and bandwidth control as a scenario states them.

use schedscope_engine::kernel::config::{Bandwidth, BandwidthPreset, Expiry, SiloReturn, Version};
use schedscope_engine::setup::Quota;
use schedscope_scenario::{Prepared, ScenarioError, prepare};
use serde_json::{Value, json};

fn text(version: &str, cgroups: &Value, kernel: &Value) -> String {
    let mut value = json!({
        "schema": 1, "title": "t", "duration": "100ms", "seed": 3,
        "machine": { "cpus": 2, "costs": "modern_2s_qspin" },
        "kernel": { "version": version },
        "cgroups": cgroups,
        "workload": { "tasks": { "worker": { "run": 100, "taskgroup": "/web/api" },
            "other": { "run": 100 } } },
    });
    for (key, switch) in kernel.as_object().into_iter().flatten() {
        value["kernel"][key] = switch.clone();
    }
    value.to_string()
}

fn read(text: &str, set: &[(&str, Value)]) -> Result<Prepared, ScenarioError> {
    let set: Vec<(String, Value)> =
        set.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
    prepare("t", text, &set)
}

fn groups() -> Value {
    json!({ "web/api": { "cpu_max": "10000 50000", "cpu_max_burst": 5000, "period_phase": "7ms",
        "cpu_weight": 50 }, "a.slice": { "cpu_max": "max" } })
}

#[test]
fn groups_form_a_tree_with_implied_parents_and_tasks_live_in_them() {
    let prepared = read(&text("6.1", &groups(), &json!({})), &[]).unwrap();
    let found: Vec<(&str, u32, u32)> = prepared
        .setup
        .groups
        .iter()
        .map(|group| (group.path.as_str(), group.parent, group.weight))
        .collect();
    assert_eq!(found, [("", 0, 1024), ("a.slice", 0, 1024), ("web", 0, 1024), ("web/api", 2, 512)]);
    let quota = Quota {
        quota_ns: Some(10_000_000),
        period_ns: 50_000_000,
        burst_ns: 5_000_000,
        phase_ns: 7_000_000,
    };
    assert_eq!(prepared.setup.groups[3].bandwidth, Some(quota));
    assert_eq!(
        (prepared.setup.groups[2].bandwidth, prepared.setup.groups[1].bandwidth.unwrap().quota_ns),
        (None, None)
    );
    let of = |name: &str| prepared.setup.tasks.iter().find(|task| task.name == name).unwrap().group;
    assert_eq!((of("worker.0"), of("other.0")), (3, 0));
    assert!(
        prepared
            .meta
            .knobs
            .iter()
            .any(|knob| knob.path == "cgroups.\"a.slice\".cpu_max" && knob.value == "max")
    );
}

#[test]
fn a_groups_keys_are_knobs_under_its_name() {
    let text = text("6.1", &groups(), &json!({}));
    let set = [
        ("cgroups.web/api.cpu_max", json!("2000 100000")),
        ("cgroups.web/api.cpu_max_burst", json!("1000")),
        ("cgroups.\"a.slice\".cpu_max", json!("5000")),
    ];
    let prepared = read(&text, &set).unwrap();
    let quota = |at: usize| prepared.setup.groups[at].bandwidth.unwrap();
    assert_eq!(
        (quota(3).quota_ns, quota(3).period_ns, quota(3).burst_ns),
        (Some(2_000_000), 100_000_000, 1_000_000)
    );
    assert_eq!((quota(1).quota_ns, quota(1).period_ns), (Some(5_000_000), 100_000_000));
    let unknown = read(&text, &[("cgroups.web/app.cpu_max", json!("max"))]).unwrap_err();
    assert_eq!(unknown.suggestion.as_deref(), Some("cgroups.web/api.cpu_max"), "{unknown}");
    assert!(read(&text, &[("cgroups.web/api.cpu_mix", json!("max"))]).is_err());
}

#[test]
fn a_quota_that_is_set_without_a_period_keeps_the_period_as_a_write_to_the_kernels_file_does() {
    let text = text("6.1", &groups(), &json!({}));
    let path = "cgroups.web/api.cpu_max";
    let after = |set: &[Value]| {
        let set: Vec<(&str, Value)> = set.iter().map(|value| (path, value.clone())).collect();
        let quota = read(&text, &set).unwrap().setup.groups[3].bandwidth.unwrap();
        (quota.quota_ns.unwrap_or(0), quota.period_ns)
    };
    assert_eq!(after(&[json!("20000")]), (20_000_000, 50_000_000), "of the file");
    assert_eq!(after(&[json!("20000 10000"), json!("30000")]), (30_000_000, 10_000_000));
    assert_eq!(after(&[json!("20000 10000"), json!("30000 40000")]), (30_000_000, 40_000_000));
}

#[test]
fn phases_are_drawn_within_the_period_and_off_the_ticks() {
    for seed in 0..200 {
        let prepared = read(
            &text("6.1", &json!({ "web/api": { "cpu_max": "10000 2000" } }), &json!({})),
            &[("seed", json!(seed))],
        )
        .unwrap();
        let phase = prepared.setup.groups[2].bandwidth.unwrap().phase_ns;
        assert!(
            (1..=2_000_000).contains(&phase) && !phase.is_multiple_of(1_000_000),
            "seed {seed}: {phase}"
        );
    }
}

#[test]
fn from_4_2_to_6_3_all_groups_of_one_period_are_refilled_together() {
    let groups = json!({ "pod": { "cpu_max": "100000 100000" },
        "pod/container": { "cpu_max": "100000 100000" }, "web/api": { "cpu_max": "9000 100000" } });
    let phases = |version: &str, seed: u64| -> Vec<u64> {
        let prepared =
            read(&text(version, &groups, &Value::Null), &[("seed", json!(seed))]).unwrap();
        let quotas = prepared.setup.groups.iter().filter_map(|group| group.bandwidth);
        quotas.filter(|quota| quota.quota_ns.is_some()).map(|quota| quota.phase_ns).collect()
    };
    for seed in 1..20 {
        for version in ["4.2", "4.14.336", "5.15.167", "6.1.192", "6.3.13"] {
            let [one, rest @ ..] = &phases(version, seed)[..] else { panic!("{version}") };
            assert!(rest.len() == 2 && rest.iter().all(|phase| phase == one), "{version} {seed}");
        }
        for version in ["4.1", "6.4", "6.6.87"] {
            let drawn: std::collections::BTreeSet<u64> =
                phases(version, seed).into_iter().collect();
            assert_eq!(drawn.len(), 3, "{version} {seed}");
        }
    }
}

#[test]
fn what_no_kernel_takes_is_refused_with_place_and_fix() {
    let one = |group: Value| json!({ "web/api": group });
    let cases = [
        ("6.1", one(json!({ "cpu_max": "999 100000" })), "no cpu.max", "1000"),
        ("6.1", one(json!({ "cpu_max": "10000 1000001" })), "no cpu.max", "1000000"),
        ("6.1", one(json!({ "cpu_max": "10ms" })), "no cpu.max", "in µs"),
        (
            "6.1",
            one(json!({ "cpu_max": "1000 2000", "cpu_max_burst": 1001 })),
            "more than the quota",
            "at most",
        ),
        ("5.10", one(json!({ "cpu_max": "1000 2000", "cpu_max_burst": 1 })), "no burst", "5.14"),
        ("2.6.25", one(json!({ "cpu_max": "1000 2000" })), "no bandwidth control", "3.2"),
        (
            "6.1",
            one(json!({ "cpu_max": "1000 2000", "period_phase": "3ms" })),
            "later than a period",
            "at most",
        ),
        ("6.1", one(json!({ "cpu_quota": 3 })), "no key", "cpu_max"),
        ("6.1", json!({ "/web/api": {} }), "no path", "leading"),
        ("6.1", json!({ "web": {} }), "no control group \"/web/api\"", "key of cgroups"),
    ];
    for (version, groups, message, expected) in cases {
        let error = read(&text(version, &groups, &json!({})), &[]).unwrap_err();
        assert!(error.message.contains(message) && error.line == Some(1), "{error}");
        assert!(error.expected.as_deref().unwrap_or_default().contains(expected), "{error}");
    }
}

#[test]
fn the_switch_takes_a_version_a_preset_or_an_object_over_the_versions_own() {
    let of = |version: &str, value: Value| {
        read(&text(version, &json!({ "web/api": {} }), &json!({ "bandwidth": value })), &[])
            .unwrap()
    };
    let plain = read(&text("4.15", &json!({ "web/api": {} }), &json!({})), &[]).unwrap();
    assert_eq!(plain.setup.kernel.bandwidth, Bandwidth::of_version(Version::V4_2));
    assert_eq!(
        of("6.1", json!("4.19")).setup.kernel.bandwidth,
        Bandwidth::of_version(Version::V4_19)
    );
    assert_eq!(
        of("6.1", json!("segall_list")).setup.kernel.bandwidth,
        Bandwidth::of_preset(BandwidthPreset::SegallList)
    );
    let mixed = of("6.1", json!({ "expiry": "seq", "silo_return": "keep0", "csd": true }));
    let bandwidth = mixed.setup.kernel.bandwidth;
    assert_eq!(
        (bandwidth.expiry, bandwidth.silo_return, bandwidth.csd, bandwidth.throttle_lasttry),
        (Expiry::Seq, SiloReturn::Keep0, true, true)
    );
    assert!(
        mixed.meta.notes.iter().any(|note| note.contains("hypothetical")),
        "{:?}",
        mixed.meta.notes
    );
    let known = of("5.10", json!({ "csd": false }));
    assert!(
        known.meta.notes.iter().all(|note| !note.contains("hypothetical")),
        "an era is an era, however it is written"
    );
    // All ten of another era: what else belongs to that era comes with them.
    let whole = json!({ "expiry": "seq", "distribution": "old_copy",
        "slack_subtract": "if_same_period", "throttle_lasttry": false, "list": "headtail",
        "refill": "reset" });
    assert_eq!(of("6.1", whole).setup.kernel.bandwidth, Bandwidth::of_version(Version::V4_19));
    for refused in [
        json!("3.1"),
        json!("2.6.25"),
        json!({ "expiry": "sequence" }),
        json!({ "expires": "seq" }),
        json!({ "csd": 2 }),
    ] {
        assert!(
            read(&text("6.1", &json!({}), &json!({ "bandwidth": refused })), &[]).is_err(),
            "{refused}"
        );
    }
    let number = read(&text("6.1", &json!({ "web/api": {} }), &json!({ "bandwidth": 5.4 })), &[])
        .unwrap_err();
    assert_eq!(number.suggestion.as_deref(), Some("\"5.4\""));
}

#[test]
fn a_running_kernel_takes_quotas_where_there_are_some_and_the_slice_they_are_handed_out_in() {
    let live = |version: &str, cgroups: Value| -> Vec<String> {
        read(&text(version, &cgroups, &json!({})), &[])
            .unwrap()
            .meta
            .live
            .into_iter()
            .map(|knob| knob.path)
            .collect()
    };
    const SLICE: &str = "kernel.cfs_bandwidth_slice_us";
    let of_quotas = |paths: Vec<String>| {
        paths
            .into_iter()
            .filter(|path| path == SLICE || path.contains(".cpu_max"))
            .collect::<Vec<_>>()
    };
    let limited = json!({ "web/api": { "cpu_max": "10000 50000" } });
    assert_eq!(of_quotas(live("5.10", limited.clone())), [SLICE, "cgroups.web/api.cpu_max"]);
    assert_eq!(
        of_quotas(live("6.1", limited)),
        [SLICE, "cgroups.web/api.cpu_max", "cgroups.web/api.cpu_max_burst"]
    );
    assert_eq!(of_quotas(live("6.1", json!({ "web/api": {} }))), [""; 0], "nothing is handed out");
    assert!(
        live("6.1", json!({ "web/api": {} })).contains(&"cgroups.web/api.cpu_weight".to_owned()),
        "every group has a weight"
    );
    let knob = schedscope_scenario::knobs().iter().find(|knob| knob.path == SLICE).unwrap();
    assert_eq!(
        (knob.applies, knob.min, knob.max),
        (schedscope_scenario::knobs::Applies::Live, Some(1), Some(1_000_000))
    );
}
