//! Lines of programs.

use serde_json::{Map, json};

use super::*;

/// The line of one program in the root group, with its knobs.
fn program(name: &str, own: &Value) -> Vec<String> {
    let own = own.as_object().unwrap();
    let knobs = own.iter().map(|(key, value)| (format!("workload.{name}.{key}"), value.clone()));
    let group = [(format!("workload.{name}.group"), json!("/"))];
    lines(&Value::Object(knobs.chain(group).collect()))
}

fn with(all: &Value, more: &Value) -> Value {
    let members = all.as_object().unwrap().iter().chain(more.as_object().unwrap());
    Value::Object(members.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>())
}

#[test]
fn the_line_of_cyclictest_has_the_flags_of_the_scenario() {
    let own = json!({
        "threads": "all", "affinity": "auto", "pinned": true, "priority": 95, "policy": "auto",
        "priospread": false, "interval": "100us", "distance": "0us", "loops": 0, "breaktrace": 0,
        "latency": 0,
    });
    assert_eq!(program("cyclictest", &own), ["root: sudo cyclictest -t -a -p95 -i100 -d0 -m"]);
    let three = with(&own, &json!({ "threads": 3, "priority": 0 }));
    assert_eq!(program("cyclictest", &three), ["root: sudo cyclictest -t3 -a -i100 -d0 -m"]);
    let all = with(
        &own,
        &json!({ "affinity": "0-2", "policy": "rr", "priospread": true, "loops": 7,
            "breaktrace": 40, "latency": 9 }),
    );
    assert_eq!(
        program("cyclictest", &all),
        ["root: sudo cyclictest -t4 -a0-2 -p95 --policy=rr --priospread -i100 -d0 -l7 -b40 \
            --latency=9 -m"]
    );
}

#[test]
fn aligned_threads_of_cyclictest_are_a_flag_with_the_offset() {
    let own = json!({ "threads": 2, "affinity": "auto", "interval": "1ms", "distance": "0us" });
    assert_eq!(
        program("cyclictest", &with(&own, &json!({ "aligned": "50us" }))),
        ["root: sudo cyclictest -t2 -a -A50 -i1000 -d0 -m"]
    );
    assert_eq!(
        program("cyclictest", &with(&own, &json!({ "aligned": "off" }))),
        ["root: sudo cyclictest -t2 -a -i1000 -d0 -m"]
    );
}

#[test]
fn a_program_with_a_group_joins_it_before_it_starts() {
    let knobs = json!({ "workload.busy.threads": 4, "workload.busy.group": "app" });
    assert_eq!(
        lines(&knobs),
        ["root: sudo sh -c 'echo $$ > /sys/fs/cgroup/app/cgroup.procs && exec stress-ng --cpu 4 \
            --timeout 2s'"]
    );
}

#[test]
fn rt_migrate_test_judges_by_two_flags_and_has_no_flag_that_does_what_its_help_says() {
    let own = json!({
        "priority": 2, "iterations": 50, "threads": "auto", "max_err": "1ms", "run_time": "10ms",
    });
    assert_eq!(program("rt_migrate_test", &own), ["root: sudo rt-migrate-test -p 2 -l 50 5"]);
    assert_eq!(
        program("rt_migrate_test", &with(&own, &json!({ "check": true, "equal": true }))),
        ["root: sudo rt-migrate-test -p 2 -l 50 -c -m 1000 -e 5"]
    );
}

#[test]
fn the_main_task_of_hackbench_becomes_real_time_by_a_flag_which_takes_root() {
    let own = json!({ "groups": 2, "fds": 20, "loops": 100, "datasize": 100 });
    assert_eq!(
        program("hackbench", &with(&own, &json!({ "pipe": true }))),
        ["anyone: hackbench -g 2 -f 20 -l 100 -s 100 -p"]
    );
    assert_eq!(
        program("hackbench", &with(&own, &json!({ "fifo": true }))),
        ["root: sudo hackbench -g 2 -f 20 -l 100 -s 100 -F"]
    );
}

#[test]
fn schbench_sleeps_as_long_as_in_the_scenario_and_runs_for_whole_seconds() {
    let own = json!({
        "message_threads": 1, "workers": 8, "sleep": "50us", "cache_footprint": 256,
        "operations": 5,
    });
    assert_eq!(program("schbench", &own), ["anyone: schbench -m 1 -t 8 -s 50 -F 256 -n 5 -r 2"]);
    let auto = with(&own, &json!({ "workers": "auto", "locking": false }));
    assert_eq!(program("schbench", &auto), ["anyone: schbench -m 1 -s 50 -F 256 -n 5 -L -r 2"]);
}

#[test]
fn the_pipe_of_perf_runs_on_the_cpus_that_taskset_gives_it() {
    for (cpus, line) in [
        ("two", "anyone: taskset -c 0,1 perf bench sched pipe -l 1000"),
        ("one", "anyone: taskset -c 0 perf bench sched pipe -l 1000"),
        ("free", "anyone: perf bench sched pipe -l 1000"),
    ] {
        assert_eq!(program("pipe", &json!({ "cpus": cpus, "loops": 1_000 })), [line]);
    }
}

#[test]
fn busy_threads_with_a_cpu_each_are_a_stress_ng_each_in_a_group_too() {
    let pinned = |threads: u32| program("busy", &json!({ "threads": threads, "pinned": true }));
    assert_eq!(
        pinned(3),
        ["anyone: for n in $(seq 0 2); do stress-ng --cpu 1 --taskset $n --timeout 2s & done; \
                wait"]
    );
    assert_eq!(
        pinned(6),
        ["anyone: for n in $(seq 0 5); do stress-ng --cpu 1 --taskset $((n % 4)) --timeout 2s & \
            done; wait"]
    );
    let inside = json!({
        "workload.busy.threads": 2, "workload.busy.pinned": true, "workload.busy.group": "app",
    });
    assert_eq!(
        lines(&inside),
        ["root: sudo sh -c 'echo $$ > /sys/fs/cgroup/app/cgroup.procs && for n in $(seq 0 1); do \
            stress-ng --cpu 1 --taskset $n --timeout 2s & done; wait'"]
    );
}

#[test]
fn a_build_has_the_jobs_that_the_scenario_states_or_those_of_its_load() {
    let build = |own: Value| program("kernbench", &own);
    assert_eq!(build(json!({ "jobs": 7, "load": "half" })), ["anyone: make -j7 vmlinux"]);
    for (load, jobs) in [("half", "2"), ("optimal", "16"), ("max", "")] {
        let line = format!("anyone: make -j{jobs} vmlinux");
        assert_eq!(build(json!({ "jobs": "auto", "load": load })), [line]);
    }
    let fib = json!({ "threads": "auto", "fast": 3, "seconds": "1500ms" });
    assert_eq!(program("fibtest", &fib), ["anyone: fibtest -t 4 -f 3 -s 2"]);
}

#[test]
fn every_generator_has_a_line_a_file_for_rt_app_or_a_sentence_and_only_one_of_them() {
    let mut generators: Vec<&str> = schedscope_scenario::knobs()
        .iter()
        .filter_map(|knob| knob.path.strip_prefix("workload.")?.split('.').next())
        .collect();
    generators.dedup();
    // `global`, `tasks` and `resources` are rt-app's own.
    generators.retain(|name| !["global", "tasks", "resources"].contains(name));
    assert!(generators.len() > 15, "{generators:?}");
    for name in generators {
        let begin = format!("workload.{name}.");
        let own = schedscope_scenario::knobs().iter().filter(|knob| knob.path.starts_with(&begin));
        let knob = |knob: &schedscope_scenario::Knob| Knob {
            path: knob.path.to_owned(),
            value: serde_json::to_value(&knob.default).unwrap(),
            is_stated: false,
            is_inert: false,
        };
        let mut knobs: Vec<Knob> = own.map(knob).collect();
        if !knobs.iter().any(|knob| knob.path.ends_with(".group")) {
            knobs.push(Knob {
                path: format!("{begin}group"),
                value: json!("/"),
                is_stated: false,
                is_inert: false,
            });
        }
        let run = Run { knobs, cpus: 4, duration_ns: 1, ..Run::default() };
        let (share, missing) = of_run(&run, &Node::Object(Vec::new()), "");
        let programs = share.lines.len() - share.files.len();
        assert_eq!(
            programs + share.files.len() + missing.len(),
            1,
            "{name}: {share:?} {missing:?}"
        );
    }
}

#[test]
fn each_sentence_on_what_no_tool_does_has_at_most_25_words() {
    for name in ["burst_sleep", "database", "softirq", "smi", "steal", "device_irq", "rcu"] {
        let (_, missing) = of_knobs(&json!({ format!("workload.{name}.rate"): 1 }));
        let [words] = &missing[..] else { panic!("{name}: {missing:?}") };
        assert!(words.starts_with("No ") && words.ends_with('.'), "{words}");
        assert!(words.split(' ').count() <= 25, "{words}");
    }
}

#[test]
fn a_run_says_of_its_own_generators_what_no_tool_does_and_of_balancing_that_is_off() {
    let missing = |values: Value| of_knobs(&values).1;
    let both = missing(json!({
        "workload.database.backends": 4, "workload.cyclictest.threads": 4,
    }));
    assert!(both.len() == 1 && both[0].contains("PostgreSQL"), "{both:?}");
    let off = missing(json!({ "kernel.load_balance": false }));
    assert!(off.len() == 1 && off[0].starts_with("No switch is known"), "{off:?}");
    assert!(missing(json!({ "kernel.load_balance": true })).is_empty());
}
