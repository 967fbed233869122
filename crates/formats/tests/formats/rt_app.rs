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
fn written(prepared: &Prepared) -> (String, Vec<String>) {
    let mut writer: Box<dyn RunWriter> = writer("rt-app", described(prepared, WHOLE));
    let mut bytes = Vec::new();
    writer.begin(&mut bytes).unwrap();
    let mut lost = writer.lost();
    lost.retain(|lost| !is_harmless(lost));
    (String::from_utf8(bytes).unwrap(), lost)
}

/// The tasks of a file in the words of scenarios, in the order of the file: rt-app calls a slice
/// `dl-runtime`, and a scenario keeps some names of tasks for its generators.
fn tasks_text(file: &str) -> String {
    let (_, tasks) = file.split_once("\"tasks\": ").unwrap();
    let own = |line: &str| {
        let is_fork = line.trim_start().starts_with("\"fork");
        let is_task = line.starts_with("    \"");
        match line.split_once(": \"") {
            Some((fork, task)) if is_fork => format!("{fork}: \"own {task}"),
            _ if is_task => line.replacen('"', "\"own ", 1),
            _ => line.replace("\"dl-runtime\"", "\"slice\""),
        }
    };
    let lines: Vec<String> = tasks.lines().map(own).collect();
    lines.join("\n").trim_end().strip_suffix('}').unwrap().to_owned()
}

/// The scenario with the tasks of the file in place of its own workload.
fn read_back(slug: &str, file: &str) -> Prepared {
    const TASKS: &str = "the tasks";
    let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(slug);
    let text = std::fs::read_to_string(scenario.join("scenario.json")).unwrap();
    let mut scenario: Value = serde_json::from_str(&text).unwrap();
    let pi_enabled = &parsed(file)["global"]["pi_enabled"];
    scenario["workload"] = json!({ "tasks": TASKS, "global": { "pi_enabled": pi_enabled } });
    for other in ["variants", "knobs", "headline", "labels", "steps", "references"] {
        scenario.as_object_mut().unwrap().remove(other);
    }
    let text = scenario.to_string().replace(&json!(TASKS).to_string(), &tasks_text(file));
    let set = SHORT.map(|(path, value)| (path.to_owned(), value.into()));
    prepare(slug, &text, &set).unwrap_or_else(|error| panic!("{slug}: {error:?}\n{file}"))
}

/// Without the order of its events, which a schedule depends on.
fn parsed(file: &str) -> Value {
    serde_json::from_str(file).unwrap()
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
            assert_eq!(digest(&read_back(&slug, &file)), digest(&prepared), "{slug}\n{file}");
            whole.push(slug);
        }
    }
    for slug in ["beside-idle", "eevdf-slices", "polling-or-halt", "rt-fifo-preempt"] {
        assert!(whole.iter().any(|each| each == slug), "{slug} loses something: {whole:?}");
    }
}

#[test]
fn every_file_with_tasks_is_one_that_the_reader_of_scenarios_takes() {
    let mut read = 0;
    for slug in slugs() {
        let (file, _) = written(&shipped(&slug, &SHORT));
        if parsed(&file)["tasks"].as_object().is_some_and(|tasks| !tasks.is_empty()) {
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
    assert!(says("driver, section: kernel work is run"), "{:?}", writer.lost());
}

#[test]
fn a_cyclictest_thread_is_an_absolute_timer_with_a_run() {
    let (file, _) = written(&shipped("rt-pull-herd", &SHORT));
    let file = parsed(&file);
    let tasks = file["tasks"].as_object().unwrap();
    let (_, thread) = tasks.iter().find(|(key, _)| key.starts_with("cyclictest")).unwrap();
    assert_eq!(thread["timer"]["mode"], "absolute");
    assert_eq!(thread["policy"], "SCHED_FIFO");
    assert!(thread["timer"]["period"].as_u64().unwrap() >= 100 && thread["run"].is_u64());
}

#[test]
fn a_task_names_its_group_where_rt_app_takes_one() {
    let (file, lost) = written(&shipped("quota-32-threads", &SHORT));
    let file = parsed(&file);
    let tasks: Vec<&Value> = file["tasks"].as_object().unwrap().values().collect();
    assert!(tasks.iter().all(|task| task["taskgroup"] == "/app"), "{file}");
    assert!(lost.iter().any(|lost| lost.starts_with("weights and quotas")), "{lost:?}");
    let mut urgent = shipped("quota-32-threads", &SHORT);
    let fifo = schedscope_engine::setup::Policy::Fifo { rt_priority: 5 };
    urgent.setup.tasks.iter_mut().for_each(|task| task.policy = fifo);
    let (file, lost) = written(&urgent);
    assert!(!file.contains("taskgroup\":") && lost.iter().any(|lost| lost.contains("root group")));
}
