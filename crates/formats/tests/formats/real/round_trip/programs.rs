//! Programs, by their lines and by their files.

use serde_json::Map;

use super::*;

/// Programs whose lines are read, and the knobs that have a flag.
const PROGRAMS: &[(&str, &[&str])] = &[
    (
        "cyclictest",
        &[
            "threads",
            "affinity",
            "pinned",
            "aligned",
            "priority",
            "policy",
            "priospread",
            "interval",
            "distance",
            "loops",
            "breaktrace",
            "latency",
        ],
    ),
    ("hackbench", &["groups", "fds", "loops", "datasize", "pipe", "fifo"]),
    (
        "schbench",
        &["message_threads", "workers", "sleep", "cache_footprint", "operations", "locking"],
    ),
    ("pipe", &["loops", "cpus", "threaded"]),
    ("rt_migrate_test", &["priority", "iterations", "check", "max_err", "equal", "threads"]),
    ("kernbench", &["jobs", "load"]),
    ("fibtest", &["threads", "fast", "seconds"]),
];

/// The value that a line has for a knob.
fn in_the_line(program: &str, key: &str, own: &Map<String, Value>, run: &Run) -> Option<Value> {
    let value = run
        .knobs
        .iter()
        .find(|knob| knob.path == format!("workload.{program}.{key}"))?
        .value
        .clone();
    let cpus = run.cpus;
    let is = |key: &str, word: &str| own.get(key).is_some_and(|value| value == word);
    Some(match (program, key) {
        // With a list -t alone is one thread for each CPU of it, not of the machine.
        ("cyclictest", "threads") if value == "all" && !is("affinity", "auto") => json!(cpus),
        // The list says where they run.
        ("cyclictest", "pinned") if !is("affinity", "auto") => return None,
        // One more than there are CPUs, or one for each.
        ("rt_migrate_test", "threads") if value == "auto" => json!(cpus + 1),
        ("fibtest", "threads") if value == "auto" => json!(cpus),
        // The tool counts in whole seconds.
        ("fibtest", "seconds") => return None,
        // Jobs that are stated, or those that the load comes to.
        ("kernbench", "jobs") if value == "auto" => match own.get("load") {
            Some(load) if load == "max" => json!("auto"),
            Some(load) if load == "optimal" => json!(4 * cpus),
            _ => json!((cpus / 2).max(1)),
        },
        ("kernbench", "load") if !(value == "max" && is("jobs", "auto")) => return None,
        // Only a check has it.
        ("rt_migrate_test", "max_err") if own.get("check") != Some(&json!(true)) => return None,
        _ => value,
    })
}

#[test]
fn each_flag_of_a_program_comes_back_with_its_value() {
    let mut draw = Draw(13);
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..900 {
        let (program, keys) = *draw.one(PROGRAMS);
        let cpus = draw.between(2, 16);
        let mut own = Map::new();
        for key in keys {
            if draw.below(2) == 0 {
                let value = draw.value(row(&format!("workload.{program}.{key}")), cpus);
                own.insert((*key).to_owned(), value);
            }
        }
        let file = scenario("6.12", cpus, &json!({ "workload": { program: own } }));
        let Some(prepared) = prepare(&file, &[]) else { continue };
        let run = run_of(&prepared.meta);
        let text = typed(&run);
        // A large run is long to prepare, and the readers take a little less than fills one: a text
        // may start more beside it.
        let is_full = program == "hackbench" && prepared.setup.tasks.len() > 1_000;
        let came = if is_full { continue } else { back(&text) };
        for key in keys {
            let path = format!("workload.{program}.{key}");
            let resolved: Map<String, Value> = keys
                .iter()
                .filter_map(|key| {
                    let path = format!("workload.{program}.{key}");
                    let knob = run.knobs.iter().find(|knob| knob.path == path)?;
                    Some(((*key).to_owned(), knob.value.clone()))
                })
                .collect();
            let Some(value) = in_the_line(program, key, &resolved, &run) else { continue };
            let is = value_in(&came, &path);
            assert_eq!(is, Some(&value), "{path} is {value}, and comes back as {is:?}\n{text}");
        }
        // The build has as many files as its run needs, and fibtest ends when it does.
        if !["kernbench", "fibtest"].contains(&program) {
            assert_eq!(tasks(program, &came), tasks(program, &prepared.meta), "{text}");
        }
        *met.entry(program).or_default() += 1;
    }
    assert!(
        PROGRAMS.iter().all(|(program, _)| met.get(program).is_some_and(|n| *n > 50)),
        "{met:?}"
    );
}

#[test]
fn busy_threads_come_back_as_so_many_tasks_each_where_it_was() {
    let mut draw = Draw(17);
    for _ in 0..200 {
        let (cpus, threads) = (draw.between(1, 16), draw.between(1, 40));
        let (pinned, group) = (draw.below(2) == 0, draw.below(2) == 0);
        let mut busy = json!({ "threads": threads, "pinned": pinned });
        let mut rest = json!({ "workload": { "busy": busy } });
        if group {
            busy["group"] = json!("app");
            rest = json!({ "workload": { "busy": busy }, "cgroups": { "app": {} } });
        }
        let prepared = prepare(&scenario("6.12", cpus, &rest), &[]).unwrap();
        let text = typed(&run_of(&prepared.meta));
        let scenario = read(&text).unwrap().scenario.unwrap();
        let tasks = scenario["workload"]["tasks"].as_object().unwrap();
        let instances = tasks.values().map(|task| task["instance"].as_u64().unwrap());
        assert_eq!(instances.sum::<u64>(), threads, "{text}");
        let came = schedscope_scenario::prepare("read", &scenario.to_string(), &[]).unwrap();
        let places = |prepared: &Prepared| {
            let is_busy = |kind: &str| kind.starts_with("busy") || kind.starts_with("stress-cpu");
            let own = prepared.meta.tasks.iter().filter(|task| is_busy(&task.kind));
            let mut cpus: Vec<String> = own.map(|task| task.cpus.clone()).collect();
            cpus.sort();
            cpus
        };
        assert_eq!(places(&came), places(&prepared), "{text}");
    }
}

/// A task of rt-app's grammar, whose events name what any of the tasks may name.
fn drawn_task(draw: &mut Draw) -> Value {
    let mut task = Map::new();
    if draw.below(3) == 0 {
        task.insert("policy".to_owned(), json!("SCHED_FIFO"));
        task.insert("priority".to_owned(), json!(draw.between(1, 99)));
    }
    let mut put = |key: &str, value: Value, often: usize| {
        if draw.below(often) == 0 {
            task.insert(key.to_owned(), value);
        }
    };
    put("instance", json!(3), 3);
    put("delay", json!(400), 4);
    put("cpus", json!("0-1,3"), 3);
    put("slice", json!(700), 5);
    put("loop", json!(-1), 2);
    put("sleep", json!(20), 2);
    put("runtime", json!(50), 4);
    put("timer", json!({ "ref": "unique", "period": 1_000, "mode": "absolute" }), 2);
    put("stamp", json!("x"), 5);
    let shared = [("lock", "unlock"), ("sem_wait", "sem_post")];
    let (one, other) = shared[draw.below(2)];
    if draw.below(2) == 0 {
        task.insert(one.to_owned(), json!("shared"));
        task.insert(other.to_owned(), json!("shared"));
    }
    task.insert("run".to_owned(), json!(draw.between(1, 5_000)));
    Value::Object(task)
}

/// The task as a file for rt-app has it, in the words of a scenario.
fn played(task: &Value) -> Value {
    let mut task = task.as_object().unwrap().clone();
    task.remove("stamp");
    if let Some(us) = task.remove("runtime") {
        task.insert("runtime0".to_owned(), us);
    }
    if task.contains_key("cpus") {
        task.insert("cpus".to_owned(), json!([0, 1, 3]));
    }
    Value::Object(task)
}

#[test]
fn the_tasks_of_a_file_for_rt_app_come_back_as_they_were() {
    let mut draw = Draw(19);
    let mut files = 0;
    for _ in 0..500 {
        let count = draw.between(1, 4);
        let tasks: Map<String, Value> =
            (0..count).map(|nth| (format!("task{nth}"), drawn_task(&mut draw))).collect();
        let lends = draw.below(2) == 0;
        let workload = json!({ "tasks": tasks, "global": { "pi_enabled": lends } });
        let file = scenario("6.12", 4, &json!({ "workload": workload }));
        let Some(prepared) = prepare(&file, &[]) else { continue };
        let (share, missing) = of_run(&run_of(&prepared.meta), &Node::from(&file), "");
        assert!(missing.is_empty(), "{missing:?}");
        let text = &share.files[0].text;
        let reading = read(text).unwrap();
        let came: Value = serde_json::from_str(&reading.scenario_text.unwrap()).unwrap();
        let played: Map<String, Value> =
            tasks.iter().map(|(name, task)| (name.clone(), played(task))).collect();
        assert_eq!(came["workload"]["tasks"], Value::Object(played), "{text}");
        let lent = &came["workload"]["global"]["pi_enabled"];
        assert_eq!(lent.as_bool().unwrap_or(false), lends, "{text}");
        files += 1;
    }
    assert!(files > 200, "{files}");
}
