//! `schedscope record-view`, and `explain` of a recording.

use crate::support::{File, json, refused, stdout};

/// Two CPUs: a real-time task makes a fair one wait, which is preempted once and woken twice.
const TRACE: &str = "# tracer: nop\n\
    web-10 [000] d..2. 5.000000: sched_waking: comm=db pid=11 prio=120 target_cpu=001\n\
    web-10 [000] d..3. 5.000002: sched_wakeup: comm=db pid=11 prio=120 target_cpu=001\n\
    mpath-9 [001] d..2. 5.000150: sched_switch: prev_comm=mpath prev_pid=9 prev_prio=0 \
    prev_state=S ==> next_comm=db next_pid=11 next_prio=120\n\
    db-11 [001] d..2. 5.000300: sched_switch: prev_comm=db prev_pid=11 prev_prio=120 prev_state=R \
    ==> next_comm=mpath next_pid=9 next_prio=0\n\
    mpath-9 [001] d..2. 5.000340: sched_switch: prev_comm=mpath prev_pid=9 prev_prio=0 \
    prev_state=S ==> next_comm=db next_pid=11 next_prio=120\n\
    db-11 [001] ..... 5.000350: kfree: ptr=0\n";

#[test]
fn a_recording_is_shown_with_its_events_tasks_and_gaps() {
    let file = File::new("trace.txt", TRACE);
    let page = stdout(&["record-view", file.name()]);
    for words in ["2 CPUs, 340.000 us", "sched_switch 3", "not needed here: kfree 1"] {
        assert!(page.contains(words), "{words:?} is not in\n{page}");
    }
    let object = json(&["record-view", file.name(), "--json"]);
    let tasks = object["tasks"].as_array().unwrap();
    let db = tasks.iter().find(|task| task["comm"] == "db").unwrap();
    assert_eq!((&db["ran_ns"], &db["preempted_ns"]), (&150_000.into(), &40_000.into()));
    assert_eq!((&db["wakeups"], &db["latency"]["max_ns"]), (&1.into(), &150_000.into()));
    assert_eq!(object["missed"]["switches"], 0);
    assert!(object["missing"].to_string().contains("Interrupts are not in it"), "{object}");
}

#[test]
fn the_worst_wake_up_of_a_recording_names_who_ran_meanwhile() {
    let file = File::new("trace.txt", TRACE);
    let page = stdout(&["explain", file.name()]);
    assert!(page.contains("db-11 (fair, nice 0) was 150.000 us late"), "{page}");
    assert!(page.contains("woken 0.000000 s into the recording by"), "{page}");
    // The part after sched_wakeup: a task of the highest real-time priority runs there.
    assert!(page.contains("behind mpath-9 (real-time 99), stronger"), "{page}");
    assert!(page.contains("148.000 us  ( 98.67 %)"), "{page}");
    assert_eq!(stdout(&["explain", file.name(), "--task", "11"]), page);
    assert_eq!(stdout(&["explain", file.name(), "--task", "db-11"]), page);
}

#[test]
fn what_a_recording_cannot_do_is_refused_with_the_way_that_works() {
    let file = File::new("trace.txt", TRACE);
    refused(&["explain", file.name(), "--set", "machine.cpus=4"], 2, &["nothing can be changed"]);
    refused(&["explain", file.name(), "--task", "nginx"], 2, &["no task \"nginx\"", "db-11"]);
    refused(&["record-view", "no-such-file"], 2, &["no-such-file"]);
    for (text, words) in [("PERFILE2", "perf script"), ("", "empty"), ("hello", "expected: ")] {
        let file = File::new("other", text);
        refused(&["record-view", file.name()], 2, &[words]);
    }
    let data = File::new("perf.data", "PERFILE2");
    refused(&["explain", data.name()], 2, &["perf script"]);
}
