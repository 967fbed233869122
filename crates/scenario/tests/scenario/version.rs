//! What a change of `kernel.version` takes along, and that whatever is not of the version is said
//! beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use schedscope_engine::kernel::config::{Bandwidth, BandwidthPreset, Version, bandwidth_versions};
use schedscope_engine::named::Named;
use schedscope_engine::run::{Options, Run};
use schedscope_scenario::{
    Document, Origin, Prepared, RunMeta, knobs, prepare, report_json, shipped,
};
use serde_json::{Value, json};

use crate::support::name;

const STRANDED: &str = include_str!("../../../../scenarios/quota-stranded/scenario.json");
const HERD: &str = include_str!("../../../../scenarios/rt-pull-herd/scenario.json");

fn with(text: &str, set: &[(&str, Value)]) -> Prepared {
    let set: Vec<(String, Value)> =
        set.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
    prepare("x", text, &set).unwrap()
}

fn value(meta: &RunMeta, path: &str) -> (Value, Origin) {
    meta.knobs
        .iter()
        .find(|knob| knob.path == path)
        .map(|knob| (knob.value.clone(), knob.origin))
        .unwrap()
}

/// A scenario that states of its kernel only what `kernel` says.
fn plain(kernel: &Value) -> String {
    json!({ "schema": 1, "title": "x", "duration": "1ms", "machine": { "cpus": 4 },
        "kernel": kernel,
        "workload": { "tasks": { "a": { "run": 1 } } } })
    .to_string()
}

#[test]
fn every_switch_that_the_version_decides_is_marked_so_and_no_other() {
    let mut seen: BTreeMap<String, Vec<(Value, Origin)>> = BTreeMap::new();
    for version in Version::LADDER {
        let meta = with(&plain(&json!({ "version": name(version) })), &[]).meta;
        for knob in meta
            .knobs
            .into_iter()
            .filter(|knob| knob.path.starts_with("kernel.") && knob.path != "kernel.version")
        {
            seen.entry(knob.path.into_owned()).or_default().push((knob.value, knob.origin));
        }
    }
    for (path, values) in seen {
        let moves = values.iter().any(|(value, origin)| {
            *value != values[0].0 || matches!(origin, Origin::Known | Origin::Carried)
        });
        let marked = knobs().iter().find(|knob| knob.path == path).unwrap().follows_version;
        // A kernel's builder chooses the preemption model; only its default moved, with 7.0.
        assert_eq!(marked, moves && path != "kernel.preempt", "{path}");
    }
}

#[test]
fn a_changed_version_moves_every_switch_the_file_states_and_leaves_what_is_set_too() {
    let stated = json!({ "version": "4.15", "bandwidth": "4.19", "nohz_ilb": "pre516",
        "rt_throttle": "off", "base_slice_us": 900, "hz": 250 });
    let meta = with(
        &plain(&stated),
        &[("kernel.version", json!("6.12")), ("kernel.rt_throttle", json!("off"))],
    )
    .meta;
    let own =
        with(&plain(&json!({ "version": "6.12", "rt_throttle": "off", "hz": 250 })), &[]).meta;
    assert_eq!(meta.kernel, "6.12 with rt_throttle off");
    for path in [
        "kernel.bandwidth",
        "kernel.nohz_ilb",
        "kernel.base_slice",
        "kernel.rt_throttle",
        "kernel.hz",
    ] {
        assert_eq!(value(&meta, path).0, value(&own, path).0, "{path}");
    }
    assert_eq!(
        meta.notes
            .iter()
            .filter(|note| note.contains("goes with kernel.version, which was changed"))
            .count(),
        3,
        "{:?}",
        meta.notes
    );
    // The version the file has, chosen by hand, is that kernel too.
    assert_eq!(with(STRANDED, &[("kernel.version", json!("5.4"))]).meta.kernel, "5.4");
}

#[test]
fn what_a_variant_sets_stays_and_is_said() {
    let set = [("kernel.bandwidth", json!("4.19")), ("kernel.version", json!("6.12"))];
    let prepared = with(STRANDED, &set);
    assert_eq!(prepared.meta.kernel, "6.12 with bandwidth 4.19");
    let own: Vec<_> = prepared
        .meta
        .own_switches
        .iter()
        .map(|own| (own.path, own.value.clone(), own.of_version.clone()))
        .collect();
    assert_eq!(own, [("kernel.bandwidth", json!("4.19"), json!("6.12"))]);
    let config = serde_json::to_value(prepared.handover()).unwrap()["head"]["config"].clone();
    assert_eq!(config["kernel"], "6.12 with bandwidth 4.19");
    let mix = with(&plain(&json!({ "version": "5.4", "bandwidth": { "expiry": "seq" } })), &[]);
    assert!(
        mix.meta.kernel == "5.4 with a bandwidth of its own" && mix.is_empty_or_told(),
        "{}",
        mix.meta.kernel
    );
}

#[test]
fn bandwidth_switches_that_make_an_era_or_a_fix_are_called_by_its_name() {
    let kernel = |version: &str, bandwidth: Value| {
        let stated = json!({ "version": version, "bandwidth": bandwidth });
        with(&plain(&stated), &[]).meta
    };
    let switches = |of: Bandwidth| serde_json::to_value(of).unwrap();
    for version in bandwidth_versions() {
        let era = Bandwidth::of_version(version);
        let began = bandwidth_versions().find(|each| Bandwidth::of_version(*each) == era).unwrap();
        let other = if name(began) == "7.0" { "6.12" } else { "7.0" };
        if era != Bandwidth::of_version(Version::parse(other).unwrap()) {
            let words = format!("{other} with bandwidth {}", name(began));
            assert_eq!(kernel(other, switches(era)).kernel, words);
        }
        assert_eq!(kernel(name(version), switches(era)).kernel, name(version));
    }
    for fix in BandwidthPreset::ALL {
        let words = format!("5.4 with bandwidth {}", fix.name());
        assert_eq!(kernel("5.4", switches(Bandwidth::of_preset(*fix))).kernel, words);
    }
    let one = kernel("6.1", json!({ "csd": true }));
    assert_eq!(
        (one.kernel.as_str(), &one.own_switches[0].value),
        ("6.1 with bandwidth 6.3", &json!("6.3"))
    );
}

#[test]
fn bandwidth_control_of_a_kernel_that_had_none_is_said_to_be_hypothetical() {
    for bandwidth in [json!("3.2"), json!("6.12"), json!({ "list": "tail" })] {
        let kernel = json!({ "version": "2.6.24", "bandwidth": bandwidth });
        let meta = with(&plain(&kernel), &[]).meta;
        let era = bandwidth.as_str().unwrap_or("3.2");
        assert_eq!(meta.kernel, format!("2.6.24 with bandwidth {era}"));
        assert_eq!(meta.own_switches[0].of_version, json!("none"));
        let said = "hypothetical: kernel 2.6.24 has no bandwidth control, which came with 3.2";
        let notes = meta.notes.iter().filter(|note| note.contains("hypothetical"));
        assert!(notes.eq([&format!("kernel.bandwidth is {said}")]), "{:?}", meta.notes);
    }
}

#[test]
fn nohz_full_of_a_kernel_that_had_none_is_said_to_be_hypothetical() {
    let notes = |version: &str, cpus: &str| {
        let meta = with(&plain(&json!({ "version": version, "nohz_full": cpus })), &[]).meta;
        meta.notes.into_iter().filter(|note| note.contains("hypothetical")).collect::<Vec<_>>()
    };
    let said = "kernel.nohz_full is hypothetical: kernel 3.2 has no nohz_full CPUs, which came \
        with 3.10";
    assert_eq!(notes("3.2", "1-3"), [said]);
    assert_eq!(notes("3.2", "none"), [""; 0]);
    assert_eq!(notes("3.16", "1-3"), [""; 0]);
}

trait Told {
    fn is_empty_or_told(&self) -> bool;
}

impl Told for Prepared {
    /// The kernel's words begin with its version and name every switch that is not of it.
    fn is_empty_or_told(&self) -> bool {
        let key = |path: &str| path.rsplit_once('.').unwrap().1.to_owned();
        self.meta.own_switches.iter().all(|own| self.meta.kernel.contains(&key(own.path)))
            && self.meta.kernel.starts_with(&self.setup.kernel.version().to_string())
    }
}

#[test]
fn a_variant_that_leaves_the_compared_switch_to_the_file_means_the_files_value() {
    let variants = Document::read(HERD).unwrap().presentation.variants;
    assert_eq!(
        variants[0].set,
        [("kernel.rt_push_ipi".to_owned(), json!("off"))],
        "the side that pulls goes on pulling in any kernel"
    );
    let set: Vec<_> = variants[0]
        .set
        .iter()
        .cloned()
        .chain([("kernel.version".to_owned(), json!("4.15"))])
        .collect();
    assert_eq!(prepare("x", HERD, &set).unwrap().meta.kernel, "4.15 with rt_push_ipi off");
    // One that changes the version means that version.
    let mut file: Value = serde_json::from_str(HERD).unwrap();
    file["variants"][0]["set"] = json!({ "kernel.version": "4.15" });
    assert_eq!(
        Document::read(&file.to_string()).unwrap().presentation.variants[0].set,
        [("kernel.version".to_owned(), json!("4.15"))]
    );
}

#[test]
fn a_preemption_model_stays_where_the_version_offers_it_and_else_becomes_the_nearest() {
    let file = plain(&json!({ "version": "6.6", "preempt": "none" }));
    let at = |version: &str| with(&file, &[("kernel.version", json!(version))]);
    assert_eq!(value(&at("6.13").meta, "kernel.preempt"), (json!("none"), Origin::Stated));
    assert_eq!(at("6.13").meta.kernel, "6.13 with preempt none", "what stays behind is said");
    assert_eq!(at("6.13").meta.own_switches[0].of_version, json!("full"));
    assert_eq!(with(&file, &[]).meta.kernel, "6.6", "no version implies what a file chooses");
    let seven = at("7.0");
    assert_eq!(value(&seven.meta, "kernel.preempt").0, json!("lazy"));
    assert!(
        seven.meta.notes[0].starts_with(
            "kernel.preempt is lazy: kernel 7.0 has no \"none\", which the scenario states"
        ),
        "{:?}",
        seven.meta.notes
    );
    let set =
        [("kernel.version".to_owned(), json!("7.0")), ("kernel.preempt".to_owned(), json!("none"))];
    assert_eq!(
        prepare("x", &file, &set).unwrap_err().path,
        "kernel.preempt",
        "what is asked for is refused, not bent"
    );
}

#[test]
fn a_version_that_takes_nothing_along_changes_nothing_of_any_shipped_scenario() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    for entry in shipped(&folder).unwrap() {
        let as_written: Value = serde_json::from_str(&entry.text).unwrap();
        for (at, variant) in entry.variants.iter().enumerate() {
            let written: Vec<(String, Value)> = as_written["variants"][at]["set"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(path, value)| (path.clone(), value.clone()))
                .collect();
            let [told, plain] =
                [&variant.set, &written].map(|set| prepare(&entry.slug, &entry.text, set).unwrap());
            assert_eq!(told.canonical(), plain.canonical(), "{} {}", entry.slug, variant.name);
            assert!(told.is_empty_or_told(), "{} {}", entry.slug, told.meta.kernel);
            let mut run = schedscope_engine::run::Run::new(
                &told.setup,
                schedscope_engine::run::Options::default(),
            )
            .unwrap();
            run.advance(0, 1);
            assert_eq!(
                report_json(&told, &run.report())["config"]["kernel"],
                json!(told.meta.kernel)
            );
        }
    }
}

/// A knob is marked live in its list, offered by `RunMeta::live`, and written by `Run::change`:
/// three places, of one mind.
#[test]
fn every_switch_that_is_marked_live_is_offered_and_written_by_some_kernel_and_no_other() {
    let mut written = BTreeSet::new();
    // The mode of control groups came after the ladder's last release.
    for version in Version::LADDER.iter().copied().chain([Version::of("7.3")]) {
        let name = name(version);
        let limited = |kernel: Value| {
            json!({ "schema": 1, "title": "x", "duration": "1ms",
                "machine": { "cpus": 4 }, "kernel": kernel,
                "cgroups": { "g": { "cpu_max": "10000 100000" } },
                "workload": { "tasks": { "a": { "run": 1, "taskgroup": "/g" } } } })
            .to_string()
        };
        // The most that the version has: a dynamic model, bandwidth control, or neither.
        let texts = [
            limited(json!({ "version": name, "preempt": "dynamic-full" })),
            limited(json!({ "version": name })),
            plain(&json!({ "version": name })),
        ];
        let prepared = texts.iter().find_map(|text| prepare("x", text, &[]).ok()).unwrap();
        let is_flag = |path: &str| {
            knobs().iter().any(|knob| knob.path == path && json!(knob.kind) == "boolean")
        };
        for knob in prepared.meta.live {
            let mut run = Run::new(&prepared.setup, Options::default()).unwrap();
            let value = knob.values.first().copied().unwrap_or(match knob.path.as_str() {
                "kernel.rt_push_ipi" => "on",
                "cgroups.g.cpu_max" => "20000 100000",
                "kernel.sched_rt_period_us" => "2000000",
                "kernel.cfs_bandwidth_slice_us" => "5000",
                path if is_flag(path) => "true",
                _ => "100",
            });
            assert!(run.change(&knob.path, value), "{} {} {value}", name, knob.path);
            written.insert(knob.path.replace("cgroups.g.", "cgroups.<name>."));
        }
    }
    let marked = knobs().iter().filter(|knob| json!(knob.applies) == "live");
    assert_eq!(written, marked.map(|knob| knob.path.to_owned()).collect());
}

#[test]
fn a_kernel_is_named_as_uname_prints_it_and_what_is_not_known_of_it_is_said() {
    for (text, version, words) in [
        ("6.8", "6.8", None),
        (
            "6.12.57+deb13-amd64",
            "6.12.57",
            Some("what the distribution changed in it is not known"),
        ),
        ("6.8.0-45-generic", "6.8", Some("`uname -v` has it")),
        ("5.15.167.4-microsoft-standard-WSL2", "5.15.167", Some("is taken to be 5.15.167")),
        ("7.3-rc4", "7.3", Some("7.3-rc4 is a candidate")),
    ] {
        let meta = with(&plain(&json!({ "version": text })), &[]).meta;
        assert_eq!(meta.kernel, version);
        let told = meta.notes.iter().any(|note| words.is_some_and(|words| note.contains(words)));
        assert_eq!(told, words.is_some(), "{text}: {:?}", meta.notes);
        assert_eq!(
            with(&plain(&json!({ "version": version })), &[]).setup.kernel.version().to_string(),
            version
        );
    }
}

#[test]
fn a_stable_release_has_the_changes_that_it_took_in_and_no_others() {
    let value = |version: &str, path: &str| {
        let meta = with(&plain(&json!({ "version": version })), &[]).meta;
        meta.knobs.iter().find(|knob| knob.path == path).unwrap().value.clone()
    };
    let push_ipi = ["6.12.95", "6.12.96", "6.13", "6.18.5", "7.1.3", "7.1.4", "7.2"]
        .map(|version| value(version, "kernel.rt_push_ipi") == json!("on"));
    assert_eq!(push_ipi, [true, false, true, true, true, false, false]);
    assert_eq!(value("6.12.30", "kernel.base_slice"), json!("750us"));
    assert_eq!(value("6.12.31", "kernel.base_slice"), json!("700us"));
    assert_eq!(value("4.19.83", "kernel.bandwidth"), json!("4.19.83"));
}
