//! Kernel work that wakes others: what a file may say of it.

use schedscope_engine::setup::{KernelWakee, KernelWakes, Op, Program, Section};
use schedscope_scenario::{Prepared, ScenarioError, prepare};
use serde_json::{Value, json};

fn with(event: &str, work: &Value) -> Result<Prepared, ScenarioError> {
    let text = json!({ "schema": 1, "title": "x", "duration": "1ms", "machine": { "cpus": 2 },
        "kernel": { "version": "7.0" },
        "workload": { "tasks": { "vhost": { event: work },
            "kwork": { "suspend": "", "run": 1 } } } });
    prepare("x", &text.to_string(), &[])
}

/// The first op of vhost.
fn first_op(prepared: &Prepared) -> &Op {
    let vhost = prepared.setup.tasks.iter().find(|task| task.name.starts_with("vhost")).unwrap();
    let Program::Ops { phases, .. } = &vhost.program else { panic!("ops") };
    &phases[0].ops[0]
}

#[test]
fn a_section_says_whom_it_wakes_when_and_how_often() {
    let wakes = |event: &str, work: Value| {
        let prepared = with(event, &work).unwrap_or_else(|error| panic!("{work}: {error}"));
        let Op::KernelWakes { section, wakes, .. } = first_op(&prepared) else { panic!("{work}") };
        (*section, *wakes)
    };
    let (section, found) = wakes("nopreempt", json!({ "us": 50, "resume": "kwork", "at": 30 }));
    assert_eq!(section, Section::NoPreempt);
    assert!(matches!(
        found,
        KernelWakes { who: KernelWakee::Broadcast(_), at_ns: 30_000, every_ns: None }
    ));
    let post = json!({ "us": { "min": 5, "max": 9 }, "sem_post": "s", "every": 2 });
    let (section, found) = wakes("kernel", post);
    assert_eq!(section, Section::Preemptible);
    assert!(matches!(
        found,
        KernelWakes { who: KernelWakee::Post(_), at_ns: u64::MAX, every_ns: Some(2_000) }
    ));
    let signal = wakes("kernel", json!({ "us": 5, "signal": "c", "cond_resched": 2 })).1;
    assert!(matches!(signal.who, KernelWakee::Signal(_)));
}

#[test]
fn what_a_section_cannot_do_is_refused_at_its_place() {
    let wrong = |event: &str, work: Value, path: &str, words: &str| {
        let error = with(event, &work).unwrap_err();
        assert_eq!(error.path, format!("workload.tasks.vhost.{path}"), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    };
    let two = json!({ "us": 5, "resume": "kwork", "signal": "c" });
    wrong("kernel", two, "kernel.signal", "resume is there already");
    wrong("kernel", json!({ "us": 5, "resume": "" }), "kernel.resume", "the name is empty");
    let never = json!({ "us": 5, "resume": "kwork", "every": 0 });
    wrong("kernel", never, "kernel.every", "from 1 to");
    let locked = json!({ "us": 5, "resume": "kwork", "mutex": "m" });
    wrong("kernel", locked, "kernel.resume", "one of us, mutex");
    wrong("nopreempt", json!({ "us": 5, "at": 1 }), "nopreempt.at", "one of us, resume, signal");
    let late = json!({ "us": 5, "resume": "kwork", "at": 6 });
    wrong("nopreempt", late, "nopreempt.at", "at most 5 microseconds");
    wrong("nopreempt", json!({ "us": 5, "mutex": "m" }), "nopreempt.mutex", "no key");
    wrong("irqoff", json!({ "us": 5, "resume": "kwork" }), "irqoff.max", "missing");
}
