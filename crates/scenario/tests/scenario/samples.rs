//! The tools' own samples in the trace, by the names that a run's description gives them.

use std::collections::BTreeMap;

use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::trace::catalogue::{Kind, SAMPLE_HIGH, SAMPLE_SERIES, SAMPLE_TASK};
use schedscope_scenario::{Document, Prepared, prepare, shipped};
use serde_json::json;

/// The longest sample of each series, once from trace rows and the run's description, once from the
/// report.
fn longest(prepared: &Prepared) -> [BTreeMap<String, u64>; 2] {
    let meta = &prepared.meta;
    let mut run =
        Run::new(&prepared.setup, Options { window: Options::EVERYTHING, ..Options::default() })
            .unwrap();
    let mut told = BTreeMap::new();
    loop {
        let progress = run.advance(u64::MAX, 100_000);
        let rows = run.take_trace();
        for at in (0..rows.time.len()).filter(|at| rows.kind[*at] == Kind::ToolSample as u8) {
            let kind = &meta.tasks[SAMPLE_TASK.of(rows.a[at]) as usize].kind;
            let series = meta
                .series
                .iter()
                .filter(|series| series.kind == *kind)
                .nth(SAMPLE_SERIES.of(rows.a[at]) as usize)
                .unwrap();
            let most = told.entry(format!("{kind}.{}", series.name)).or_insert(0);
            *most =
                (*most).max(u64::from(SAMPLE_HIGH.of(rows.a[at])) << 32 | u64::from(rows.b[at]));
        }
        if progress == Progress::Finished {
            break;
        }
        assert_eq!(progress, Progress::Running);
    }
    let report = run
        .report()
        .metrics
        .tool_samples
        .into_iter()
        .map(|(name, samples)| (name, samples.max_ns))
        .collect();
    [told, report]
}

#[test]
fn the_longest_sample_of_every_series_has_a_row_whatever_the_seed() {
    let scenarios = [
        ("hackbench", json!("1s"), 1),
        ("priority-inheritance", json!("200ms"), 1),
        ("quota-boundary", json!("2s"), 1),
        ("quota-kernel-lock", json!("300ms"), 1),
        ("quota-pinned", json!("300ms"), 3),
        ("quota-web-p95", json!("1s"), 2),
        ("schbench", json!("200ms"), 2),
    ];
    for (slug, duration, series) in scenarios {
        let path = format!("{}/../../scenarios/{slug}/scenario.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        for seed in 1..=4 {
            let set = [("seed".to_owned(), json!(seed)), ("duration".to_owned(), duration.clone())];
            let [told, report] = longest(&prepare(slug, &text, &set).unwrap());
            assert_eq!(told, report, "{slug}, seed {seed}");
            assert_eq!(told.len(), series, "{slug}, seed {seed}: {told:?}");
        }
    }
}

/// One task that measures `count` things, each of its own word.
fn measuring(count: usize) -> String {
    let one = |at| format!("\"stamp{at}\": \"t{at} x\", \"sample{at}\": \"t{at} x\"");
    let events: Vec<String> = (0..count).map(one).collect();
    format!(
        r#"{{"schema": 1, "title": "t", "duration": "1ms", "machine": {{"cpus": 1}},
            "kernel": {{"version": "6.1", "hz": 1000}},
"workload": {{"tasks": {{"a": {{"loop": 1, {}}}}}}}}}"#,
        events.join(", ")
    )
}

#[test]
fn a_task_that_measures_more_than_128_things_is_refused_where_the_129th_stands() {
    let full = prepare("t", &measuring(128), &[]).unwrap();
    assert_eq!((full.meta.series.len(), full.meta.series[127].name.as_str()), (128, "t127"));
    let error = prepare("t", &measuring(129), &[]).unwrap_err();
    assert_eq!((error.path.as_str(), error.line), ("workload.tasks.a.sample128", Some(3)));
    assert!(error.message.contains("more than 128 things") && error.expected.is_some(), "{error}");
}

#[test]
fn a_sample_without_its_stamp_is_refused_where_it_stands() {
    let text = measuring(1).replace("\"stamp0\": \"t0 x\"", "\"stamp0\": \"another\"");
    let error = prepare("t", &text, &[]).unwrap_err();
    assert_eq!((error.path.as_str(), error.line), ("workload.tasks.a.sample0", Some(3)));
    assert!(error.message.contains("no event stamps \"t0 x\""), "{error}");
}

#[test]
fn what_tasks_wait_at_is_told_by_name_and_stamps_are_not() {
    let path =
        format!("{}/../../scenarios/quota-web-p95/scenario.json", env!("CARGO_MANIFEST_DIR"));
    let meta = prepare("quota-web-p95", &std::fs::read_to_string(path).unwrap(), &[]).unwrap().meta;
    let done = meta.objects.iter().find(|object| object.name == "done 0").unwrap();
    assert_eq!(done.sort, "semaphore");
    assert!(meta.objects.iter().all(|object| object.sort != "stamp"));
}

/// Names such as `gc_main.cycle` are the program's; people read a label instead.
#[test]
fn every_shipped_scenario_labels_what_its_tools_measure() {
    let folder = format!("{}/../../scenarios", env!("CARGO_MANIFEST_DIR"));
    for scenario in shipped(folder.as_ref()).unwrap() {
        let prepared = prepare(&scenario.slug, &scenario.text, &[]).unwrap();
        for series in prepared.meta.series {
            let name = format!("{}.{}", series.kind, series.name);
            assert!(scenario.labels.contains_key(&name), "{}: no label {name}", scenario.slug);
        }
    }
}

#[test]
fn a_label_changes_no_run() {
    let text = include_str!("../../../../scenarios/schbench/scenario.json");
    let other = text.replace("\"wake-up\"", "\"something else\"");
    assert_ne!(text, other);
    let canonical = |text: &str| prepare("schbench", text, &[]).unwrap().canonical();
    assert_eq!(canonical(text), canonical(&other));
    let labelled = Document::read(&other).unwrap().presentation;
    let path = "tool_samples.schbench_worker.wakeup.p99_ns";
    assert_eq!(labelled.metric_in_words(path), format!("{path} (something else)"));
    assert_eq!(labelled.kind_in_words("schbench_worker"), "schbench_worker (worker)");
    let instances = "tasks.schbench_worker.*.run_ns";
    assert_eq!(labelled.metric_in_words(instances), format!("{instances} (worker)"));
    assert_eq!(labelled.metric_in_words("sched.ticks"), "sched.ticks");
}
