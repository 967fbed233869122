//! rt-app JSON, read back by this project's own reader of rt-app's grammar.

use std::path::Path;

use schedscope_engine::run::{Options, Progress, Run as Simulation};
use schedscope_formats::RunWriter;
use schedscope_scenario::{Prepared, prepare, shipped as all_shipped};
use serde_json::{Value, json};

use crate::support::{WHOLE, described, shipped, writer};

const SHORT: [(&str, &str); 1] = [("duration", "30ms")];

/// Whether a remark leaves the schedule of a shorter run as it is: which rt-app the file needs is
/// no loss.
fn is_harmless(remark: &str) -> bool {
    remark == "the duration is rounded up to whole seconds"
        || ["needs an rt-app", "need an rt-app"].iter().any(|needs| remark.contains(needs))
}

/// The file of a run, and what the writer says that it lost.
fn written(prepared: &Prepared) -> (Value, Vec<String>) {
    let mut writer: Box<dyn RunWriter> = writer("rt-app", described(prepared, WHOLE));
    let mut bytes = Vec::new();
    writer.begin(&mut bytes).unwrap();
    let mut lost = writer.lost();
    lost.retain(|lost| !is_harmless(lost));
    (serde_json::from_slice(&bytes).unwrap(), lost)
}

/// The scenario with the tasks of the file in place of its own workload.
fn read_back(slug: &str, file: &Value) -> Prepared {
    let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(slug);
    let text = std::fs::read_to_string(scenario.join("scenario.json")).unwrap();
    let mut scenario: Value = serde_json::from_str(&text).unwrap();
    let mut tasks = file["tasks"].clone();
    let by_key = tasks.as_object_mut().unwrap();
    // A scenario's task cannot have the name of a generator that the scenario leaves out.
    if let Some(thread) = by_key.remove("cyclictest") {
        by_key.insert("thread".to_owned(), thread);
    }
    for task in tasks.as_object_mut().unwrap().values_mut() {
        // rt-app's word for a slice; this project's scenarios say "slice".
        let task = task.as_object_mut().unwrap();
        if let Some(slice) = task.remove("dl-runtime") {
            task.insert("slice".to_owned(), slice);
        }
    }
    let global = json!({ "pi_enabled": file["global"]["pi_enabled"] });
    scenario["workload"] = json!({ "tasks": tasks, "global": global });
    for of_the_old_workload in ["variants", "knobs", "headline", "labels", "steps", "cgroups"] {
        scenario.as_object_mut().unwrap().remove(of_the_old_workload);
    }
    let set = SHORT.map(|(path, value)| (path.to_owned(), value.into()));
    prepare(slug, &scenario.to_string(), &set)
        .unwrap_or_else(|error| panic!("{slug}: {error:?}\n{file:#}"))
}

fn digest(prepared: &Prepared) -> String {
    let options = Options { window: Options::EVERYTHING, ..Options::default() };
    let mut simulation = Simulation::new(&prepared.setup, options).unwrap();
    assert_eq!(simulation.advance_within(u64::MAX, u64::MAX, u64::MAX), Progress::Finished);
    simulation.report().digest
}

fn slugs() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    all_shipped(&folder).unwrap().into_iter().map(|entry| entry.slug).collect()
}

#[test]
fn a_workload_that_loses_nothing_makes_the_same_schedule_when_it_is_read_back() {
    let mut whole = Vec::new();
    for slug in slugs() {
        let prepared = shipped(&slug, &SHORT);
        let (file, lost) = written(&prepared);
        if lost.is_empty() {
            assert_eq!(digest(&read_back(&slug, &file)), digest(&prepared), "{slug}\n{file:#}");
            whole.push(slug);
        }
    }
    for slug in ["beside-idle", "polling-or-halt", "rt-fifo-preempt"] {
        assert!(whole.iter().any(|each| each == slug), "{slug} loses something: {whole:?}");
    }
}

#[test]
fn every_file_with_tasks_is_one_that_the_reader_of_scenarios_takes() {
    let mut read = 0;
    for slug in slugs() {
        let (file, _) = written(&shipped(&slug, &SHORT));
        if file["tasks"].as_object().is_some_and(|tasks| !tasks.is_empty()) {
            read_back(&slug, &file);
            read += 1;
        }
    }
    assert!(read > 20, "{read}");
}

#[test]
fn what_is_lost_is_in_the_file_and_names_the_tasks() {
    let prepared = shipped("cyclictest-anatomy", &SHORT);
    let mut writer = writer("rt-app", described(&prepared, WHOLE));
    let mut bytes = Vec::new();
    writer.begin(&mut bytes).unwrap();
    let file: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(file["_lost"], json!(writer.lost()));
    let says = |words: &str| writer.lost().iter().any(|lost| lost.contains(words));
    assert!(says("cyclictest: a timer with a run"), "{:?}", writer.lost());
    assert!(says("hardware noise"), "{:?}", writer.lost());
}

#[test]
fn a_cyclictest_thread_is_an_absolute_timer_with_a_run() {
    let (file, _) = written(&shipped("rt-pull-herd", &SHORT));
    let tasks = file["tasks"].as_object().unwrap();
    let (_, thread) = tasks.iter().find(|(key, _)| key.starts_with("cyclictest")).unwrap();
    assert_eq!(thread["timer"]["mode"], "absolute");
    assert_eq!(thread["policy"], "SCHED_FIFO");
    assert!(thread["timer"]["period"].as_u64().unwrap() >= 100 && thread["run"].is_u64());
}
