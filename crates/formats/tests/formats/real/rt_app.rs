//! The tasks of scenarios as files for rt-app.

use schedscope_formats::real::TaskFile;
use serde_json::json;

use super::*;

/// Files and what is missing of a scenario of these tasks; JSON, whose order counts.
fn made(tasks: &str, knobs: &Value) -> (Vec<TaskFile>, Vec<String>) {
    let file = Node::read(&format!("{{ \"workload\": {{ \"tasks\": {tasks} }} }}")).unwrap();
    let run = Run { duration_ns: 200_000_000, ..stating(knobs) };
    let (share, missing) = of_run(&run, &file, "");
    (share.files, missing)
}

fn files(tasks: &str) -> Vec<TaskFile> {
    made(tasks, &json!({})).0
}

fn value(file: &TaskFile) -> Value {
    serde_json::from_str(&file.text).unwrap()
}

#[test]
fn tasks_are_written_with_an_array_of_cpus_whole_seconds_and_nothing_that_only_measures() {
    let tasks = r#"{ "server": { "policy": "SCHED_FIFO", "priority": 50, "cpus": "0-1,3",
        "phases": { "serve": { "loop": -1, "stamp": "x", "run": 300,
        "timer": { "ref": "unique", "period": 1000, "mode": "absolute" }, "sample": "x" } } },
        "batch": { "instance": 2, "loop": -1, "run": 1000, "sleep": 10 } }"#;
    let (files, missing) = made(tasks, &json!({ "workload.global.pi_enabled": true }));
    let [file] = &files[..] else { panic!("{files:?}") };
    assert_eq!((file.command.text.as_str(), &file.notes), ("sudo rt-app tasks.json", &Vec::new()));
    assert!(missing.is_empty(), "{missing:?}");
    let timer = json!({ "ref": "unique", "period": 1_000, "mode": "absolute" });
    assert_eq!(
        value(file),
        json!({
            "global": { "duration": 1, "pi_enabled": true },
            "tasks": {
                "server": { "policy": "SCHED_FIFO", "priority": 50, "cpus": [0, 1, 3],
                    "phases": { "serve": { "loop": -1, "run": 300, "timer": timer } } },
                "batch": { "instance": 2, "loop": -1, "run": 1_000, "sleep": 10 },
            },
        })
    );
}

#[test]
fn events_stay_in_the_order_of_the_scenario() {
    let file =
        &files(r#"{ "z": { "sleep": 1, "run": 2, "lock": "m", "run2": 3, "unlock": "m" } }"#);
    let node = Node::read(&file[0].text).unwrap();
    let task = node.member("tasks").and_then(|tasks| tasks.member("z")).unwrap();
    let keys: Vec<&str> = task.members().iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["sleep", "run", "lock", "run2", "unlock"]);
}

#[test]
fn a_task_with_an_event_of_ours_is_left_out_and_said_to_be_and_a_slice_is_rt_app_s_own_word() {
    let all = files(
        r#"{ "driver": { "run": 870, "irqoff": 20 }, "short": { "slice": 500, "run": 10 } }"#,
    );
    assert_eq!(value(&all[0])["tasks"], json!({ "short": { "dl-runtime": 500, "run": 10 } }));
    assert_eq!(
        all[0].notes,
        [
            "“driver” is left out: rt-app has no irqoff.",
            "The slice of “short” needs Linux 6.12 and an rt-app of 2025.",
        ]
    );
    assert!(files(r#"{ "driver": { "irqoff": 20 } }"#).is_empty());
}

#[test]
fn tasks_of_a_group_have_a_file_of_their_own_which_a_shell_within_the_group_starts() {
    let own = r#""free": { "run": 1 }, "web": { "run": 1, "taskgroup": "/shop/web" }"#;
    let all = files(&format!("{{ {own} }}"));
    let commands: Vec<&str> = all.iter().map(|file| file.command.text.as_str()).collect();
    assert_eq!(
        commands,
        [
            "sudo rt-app tasks.json",
            "sudo sh -c 'echo $$ > /sys/fs/cgroup/shop/web/cgroup.procs && exec rt-app \
                tasks-2.json'",
        ]
    );
    let lock = r#""lock": "m", "run": 1, "unlock": "m""#;
    let locked = format!(
        r#"{{ {own}, "one": {{ {lock} }}, "other": {{ {lock}, "taskgroup": "/shop/web" }} }}"#
    );
    assert!(files(&locked).is_empty());
}

#[test]
fn what_shares_something_with_a_task_that_is_left_out_has_no_file() {
    let tasks = r#"{ "driver": { "irqoff": 20, "lock": "m", "unlock": "m" },
        "other": { "lock": "m", "run": 1, "unlock": "m" } }"#;
    assert!(files(tasks).is_empty());
    let apart = r#"{ "a": { "sem_wait": "s", "runtime": 5 }, "b": { "sem_post": "s" } }"#;
    assert!(files(apart)[0].text.contains("\"runtime0\": 5"));
}

#[test]
fn a_task_beside_those_that_rt_app_cannot_play_is_written_and_what_they_share_with_is_not() {
    let tasks = r#"{
        "hog": { "kernel": { "us": 50 } },
        "poster": { "timer": { "ref": "unique", "period": 1000 }, "sem_post": "s" },
        "waiter": { "sem_wait": "s", "run": 2 },
        "driver": { "irqoff": 20, "lock": "m", "unlock": "m" },
        "locker": { "lock": "m", "run": 1, "unlock": "m", "sem_post": "n" },
        "further": { "sem_wait": "n", "run": 1 } }"#;
    let all = files(tasks);
    let names: Vec<String> = value(&all[0])["tasks"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["poster", "waiter"]);
    assert_eq!(
        all[0].notes,
        [
            "“hog” is left out: rt-app has no kernel.",
            "“driver” is left out: rt-app has no irqoff.",
            "“locker” is left out: it shares something with a task that is.",
            "“further” is left out: it shares something with a task that is.",
        ]
    );
}

#[test]
fn where_no_file_can_be_a_sentence_says_why() {
    let off = r#"{ "driver": { "irqoff": 20, "lock": "m", "unlock": "m" },
        "other": { "lock": "m", "run": 1, "unlock": "m" } }"#;
    assert_eq!(
        made(off, &json!({})).1,
        ["No file for rt-app: rt-app cannot disable interrupts, and every task here does that or \
            waits for one that does."]
    );
    let hog = r#"{ "hog": { "kernel": 100, "sem_post": "s" }, "other": { "sem_wait": "s" } }"#;
    assert!(made(hog, &json!({})).1[0].contains("work inside the kernel and hold a mutex there"));
    let apart = r#"{ "a": { "taskgroup": "/x", "sem_wait": "s" },
        "b": { "taskgroup": "/y", "sem_post": "s" } }"#;
    assert_eq!(
        made(apart, &json!({})),
        (
            Vec::new(),
            vec![
                "No file for rt-app: tasks of several groups wait for each other, and a file runs \
                    in one group."
                    .to_owned()
            ]
        )
    );
    assert_eq!(made("{}", &json!({})), (Vec::new(), Vec::new()));
}
