//! What rt-app plays in place of the generators that model no program.

use serde_json::{Map, json};

use super::*;

fn gc() -> Value {
    json!({ "gc_burst.threads": 8, "gc_burst.work": "100ms", "gc_burst.period": "1s",
        "gc_burst.group": "app" })
}

fn pool() -> Value {
    json!({ "thread_pool.workers": 3, "thread_pool.rate": 4_000, "thread_pool.run_min": "300us",
        "thread_pool.run_max": "800us", "thread_pool.group": "app" })
}

fn web() -> Value {
    json!({ "web.rate": 40, "web.frontends": 2, "web.workers": 3, "web.hops": 2, "web.fanout": 2,
        "web.run_min": "1ms", "web.run_max": "2ms", "web.pinned": true, "web.group": "/" })
}

fn noise() -> Value {
    json!({ "rt_noise.tasks": 2, "rt_noise.priority": 50, "rt_noise.run": "30us",
        "rt_noise.when": "random", "rt_noise.min_gap": "600us" })
}

fn in_place_of(parts: &[Value]) -> (Share, Vec<String>) {
    let members = parts.iter().flat_map(|part| part.as_object().unwrap());
    let knobs = members.map(|(key, value)| (format!("workload.{key}"), value.clone()));
    of_knobs(&Value::Object(knobs.collect::<Map<_, _>>()))
}

fn tasks_of(parts: &[Value]) -> Value {
    let (share, _) = in_place_of(parts);
    serde_json::from_str::<Value>(&share.files[0].text).unwrap()["tasks"].clone()
}

fn with(mut of: Value, key: &str, value: Value) -> Value {
    of[key] = value;
    of
}

fn timer(us: u32) -> Value {
    json!({ "ref": "unique", "period": us, "mode": "absolute" })
}

#[test]
fn collectors_meet_at_two_barriers_all_threads_and_the_one_that_calls_them() {
    assert_eq!(
        tasks_of(&[gc()]),
        json!({
            "gc_main": { "loop": -1, "timer": timer(1_000_000), "barrier0": "gc_start",
                "barrier1": "gc_end" },
            "gc_worker": { "instance": 8, "loop": -1, "barrier0": "gc_start", "run": 100_000,
                "barrier1": "gc_end" },
        })
    );
    let auto = with(gc(), "gc_burst.threads", json!("auto"));
    assert_eq!(tasks_of(&[auto])["gc_worker"]["instance"], 4);
}

#[test]
fn two_generators_in_one_group_are_one_file_started_inside_it_that_says_what_it_is_not() {
    let (share, missing) = in_place_of(&[gc(), pool()]);
    assert!(missing.is_empty(), "{missing:?}");
    let [file] = &share.files[..] else { panic!("{share:?}") };
    assert_eq!(
        file.command.text,
        "sudo sh -c 'echo $$ > /sys/fs/cgroup/app/cgroup.procs && exec rt-app stand-in.json'"
    );
    let node = Node::read(&file.text).unwrap();
    let names = node.member("tasks").unwrap().members().iter().map(|(name, _)| name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["gc_main", "gc_worker", "pool_client", "pool_worker"]);
    let notes = file.notes.join(" ");
    let places = ["evenly", "inside the group", "April 2026", "calibration"]
        .map(|words| notes.find(words).unwrap());
    assert!(places.is_sorted(), "{notes}");
}

#[test]
fn a_pool_hands_out_as_much_work_as_the_scenario_on_average() {
    assert_eq!(
        tasks_of(&[pool()]),
        json!({
            "pool_client": { "loop": -1, "timer": timer(250), "sem_post": "tasks" },
            "pool_worker": { "instance": 3, "loop": -1, "sem_wait": "tasks", "run": 550 },
        })
    );
}

#[test]
fn a_web_service_hands_each_piece_to_the_desk_that_the_scenario_hands_it_to() {
    let (share, _) = in_place_of(&[web()]);
    let node = Node::read(&share.files[0].text).unwrap();
    let tasks = node.member("tasks").unwrap();
    assert_eq!(tasks.members().len(), 1 + 2 * (1 + 3));
    let front = tasks.member("web_front_1").unwrap().members();
    let values: Vec<Value> = front.iter().map(|(_, value)| value.value()).collect();
    assert_eq!(
        Value::from(values),
        json!([
            -1,
            [0],
            "requests_1",
            "desk_1_0",
            "desk_1_1",
            "done_1",
            "done_1",
            "desk_1_2",
            "desk_1_0",
            "done_1",
            "done_1"
        ])
    );
    assert_eq!(
        tasks.member("web_worker_1_2").unwrap().value(),
        json!({ "loop": -1, "cpus": [3], "sem_wait": "desk_1_2", "run": 1_500,
            "sem_post": "done_1" })
    );
    let huge = [("web.hops", 256), ("web.fanout", 3), ("web.frontends", 256)]
        .into_iter()
        .fold(web(), |web, (key, number)| with(web, key, json!(number)));
    let (share, missing) = in_place_of(&[huge]);
    assert!(share.files.is_empty());
    assert_eq!(
        missing,
        ["No file for rt-app starts the web service: it has too many steps for one."]
    );
}

#[test]
fn noise_takes_turns() {
    let tasks = tasks_of(&[noise()]);
    assert_eq!(
        (&tasks["rt_noise_0"]["delay"], &tasks["rt_noise_1"]["delay"]),
        (&json!(0), &json!(600))
    );
    assert_eq!(tasks["rt_noise_0"]["timer"]["period"], 1_200);
    let aimed = with(noise(), "rt_noise.when", json!("all-cpus-in-cyclictest"));
    assert!(in_place_of(&[aimed]).0.files[0].notes.join(" ").contains("no program can choose"));
}

#[test]
fn each_is_in_the_grammar_that_is_read_and_runs_there() {
    for values in [gc(), pool(), web(), noise()] {
        let (share, _) = in_place_of(&[values]);
        let reading = schedscope_formats::words::read(&share.files[0].text).unwrap();
        let text = reading.scenario_text.unwrap();
        let words = &reading.lines[0].notes[0].words;
        assert!(!words.contains("left out"), "{words}");
        let prepared = schedscope_scenario::prepare("read", &text, &[]);
        assert!(prepared.is_ok(), "{text}: {}", prepared.unwrap_err());
    }
}

#[test]
fn a_runtime_s_own_switch_has_the_value_of_the_side() {
    let own = |slug: &str, path: &str, value: Value| {
        let run = Run { slug: slug.to_owned(), cpus: 32, ..stating(&json!({ path: value })) };
        let lines = of_run(&run, &Node::Object(Vec::new()), "").0.own;
        lines.into_iter().map(|line| line.text).collect::<Vec<_>>()
    };
    let workers = "workload.thread_pool.workers";
    assert_eq!(own("quota-gomaxprocs", workers, json!(4)), ["GOMAXPROCS=4 ./PROGRAM"]);
    assert_eq!(
        own("jvm-gc-threads", "workload.gc_burst.threads", json!("auto")),
        ["java -XX:ActiveProcessorCount=32 -XX:ParallelGCThreads=32 -jar PROGRAM.jar"]
    );
    assert_eq!(own("envoy-workers", workers, json!(3)), ["envoy --concurrency 3 -c CONFIG.yaml"]);
    assert!(own("quota-pinned", workers, json!(3)).is_empty());
}
