//! What several knobs decide together: whichever of them a scenario states, the refusal names one
//! that is stated, with its place.

use schedscope_scenario::{Document, ScenarioError, prepare};
use serde_json::{Map, Value, json};

/// One rule that knobs break together: what else the workload needs, and the knobs with their wrong
/// values.
struct Rule {
    needs: Value,
    knobs: Vec<(&'static str, Value)>,
}

fn rule(needs: Value, knobs: &[(&'static str, Value)]) -> Rule {
    Rule { needs, knobs: knobs.to_vec() }
}

/// Every rule of crates/scenario that more than one knob decides.
fn rules() -> Vec<Rule> {
    [rules_of_requests(), rules_of_programs(), rules_of_the_machine()]
        .into_iter()
        .flatten()
        .collect()
}

/// Rules of what answers requests.
fn rules_of_requests() -> Vec<Rule> {
    let web = || json!({ "web": {} });
    let spread = |workload: Value| json!({ "workload": workload });
    vec![
        rule(
            spread(web()),
            &[("workload.web.run_min", json!("5ms")), ("workload.web.run_max", json!("4ms"))],
        ),
        rule(spread(web()), &[("workload.web.run_min", json!("5ms"))]),
        rule(spread(web()), &[("workload.web.run_max", json!("5us"))]),
        rule(
            spread(web()),
            &[("workload.web.fanout", json!(9)), ("workload.web.workers", json!(7))],
        ),
        rule(spread(web()), &[("workload.web.workers", json!(1))]),
        rule(
            spread(web()),
            &[("workload.web.frontends", json!(200)), ("workload.web.workers", json!(200))],
        ),
        rule(spread(web()), &[("workload.web.rate", json!(100_000)), ("duration", json!("1000s"))]),
        rule(
            spread(web()),
            &[
                ("workload.web.hops", json!(256)),
                ("workload.web.fanout", json!(8)),
                ("workload.web.frontends", json!(256)),
            ],
        ),
        rule(
            spread(json!({ "thread_pool": {} })),
            &[
                ("workload.thread_pool.run_max", json!("4ms")),
                ("workload.thread_pool.run_min", json!("5ms")),
            ],
        ),
        rule(
            spread(json!({ "thread_pool": {} })),
            &[("workload.thread_pool.rate", json!(100_000)), ("duration", json!("1000s"))],
        ),
    ]
}

/// Rules of the other programs.
fn rules_of_programs() -> Vec<Rule> {
    let cyclictest = || json!({ "cyclictest": {} });
    let spread = |workload: Value| json!({ "workload": workload });
    vec![
        rule(
            spread(json!({ "hackbench": {} })),
            &[("workload.hackbench.groups", json!(1000)), ("workload.hackbench.fds", json!(200))],
        ),
        rule(
            spread(json!({ "schbench": {} })),
            &[
                ("workload.schbench.workers", json!(250)),
                ("workload.schbench.message_threads", json!(250)),
            ],
        ),
        rule(
            spread(json!({ "pipe": {} })),
            &[("workload.pipe.cpus", json!("two")), ("machine.cpus", json!(1))],
        ),
        rule(
            spread(json!({ "softirq": {}, "busy": {} })),
            &[("workload.softirq.cpus", json!("0-3")), ("machine.cpus", json!(2))],
        ),
        rule(
            spread(json!({ "rt_migrate_test": {} })),
            &[
                ("workload.rt_migrate_test.threads", json!(50)),
                ("workload.rt_migrate_test.priority", json!(60)),
            ],
        ),
        rule(spread(json!({ "rt_migrate_test": {} })), &[("machine.cpus", json!(200))]),
        rule(
            spread(cyclictest()),
            &[
                ("workload.cyclictest.body", json!("90us")),
                ("workload.cyclictest.interval", json!("50us")),
            ],
        ),
        rule(
            spread(cyclictest()),
            &[
                ("workload.cyclictest.phase_window", json!("30us")),
                ("workload.cyclictest.interval", json!("40us")),
            ],
        ),
        rule(
            spread(cyclictest()),
            &[("workload.cyclictest.affinity", json!("0-3")), ("machine.cpus", json!(2))],
        ),
        rule(
            spread(cyclictest()),
            &[
                ("workload.cyclictest.priospread", json!(true)),
                ("workload.cyclictest.threads", json!(60)),
                ("workload.cyclictest.priority", json!(20)),
            ],
        ),
        rule(
            spread(cyclictest()),
            &[
                ("workload.cyclictest.policy", json!("fifo")),
                ("workload.cyclictest.priority", json!(0)),
                ("machine.cpus", json!(200)),
            ],
        ),
    ]
}

/// Rules of the machine, the kernel and its control groups.
fn rules_of_the_machine() -> Vec<Rule> {
    let busy = || json!({ "busy": {} });
    let spread = |workload: Value| json!({ "workload": workload });
    vec![
        rule(
            spread(json!({ "rt_noise": {}, "busy": {} })),
            &[("workload.rt_noise.when", json!("all-cpus-in-cyclictest"))],
        ),
        rule(spread(busy()), &[("machine.topology", json!("2x4")), ("machine.cpus", json!(6))]),
        rule(
            spread(busy()),
            &[("machine.partitions", json!("0-3;4-7")), ("machine.cpus", json!(6))],
        ),
        rule(spread(busy()), &[("kernel.nohz_full", json!("1-7")), ("machine.cpus", json!(6))]),
        rule(
            spread(busy()),
            &[("kernel.preempt", json!("lazy")), ("kernel.version", json!("5.4"))],
        ),
        rule(
            spread(busy()),
            &[
                ("kernel.sched_rt_runtime_us", json!(900_000)),
                ("kernel.sched_rt_period_us", json!(800_000)),
            ],
        ),
        rule(spread(busy()), &[("kernel.sched_rt_period_us", json!(800_000))]),
        rule(
            spread(busy()),
            &[("machine.tick_skew_step", json!("60us")), ("machine.costs.tick_skew_ns", json!(5))],
        ),
        rule(
            json!({ "workload": busy(), "cgroups": { "web": { "cpu_max": "10000 100000" } } }),
            &[("cgroups.web.cpu_max_burst", json!(20_000)), ("kernel.version", json!("6.12"))],
        ),
        rule(
            json!({ "workload": busy(), "cgroups": { "web": { "cpu_max": "10000 100000" } } }),
            &[("cgroups.web.cpu_max_burst", json!(5_000)), ("kernel.version", json!("5.4"))],
        ),
        rule(
            json!({ "workload": busy(), "cgroups": { "web": {} } }),
            &[
                ("cgroups.web.period_phase", json!("60ms")),
                ("cgroups.web.cpu_max", json!("10000 50000")),
            ],
        ),
        rule(
            json!({ "workload": busy(), "cgroups": { "web": {} } }),
            &[("cgroups.web.cpu_max", json!("10000 100000")), ("kernel.version", json!("2.6.25"))],
        ),
    ]
}

/// Lays `value` at `path` of `tree`.
fn put(tree: &mut Value, path: &str, value: Value) {
    let (parents, key) = path.rsplit_once('.').unwrap_or(("", path));
    let mut at = tree;
    for parent in parents.split('.').filter(|parent| !parent.is_empty()) {
        let members: &mut Map<String, Value> = at.as_object_mut().unwrap();
        at = members.entry(parent).or_insert_with(|| json!({}));
    }
    at.as_object_mut().unwrap().insert(key.to_owned(), value);
}

/// A scenario on several lines that states `knobs`.
fn text(needs: &Value, knobs: &[(&str, Value)]) -> String {
    let mut tree = json!({ "schema": 1, "title": "t", "duration": "2ms", "machine": { "cpus": 8 },
        "kernel": { "version": "6.12" } });
    for (key, value) in needs.as_object().unwrap() {
        put(&mut tree, key, value.clone());
    }
    for (path, value) in knobs {
        put(&mut tree, path, value.clone());
    }
    serde_json::to_string_pretty(&tree).unwrap()
}

/// Whether line and column of `error` are those of the value of the knob its path names.
fn at_its_knob(text: &str, error: &ScenarioError) -> bool {
    let (Some(line), Some(column)) = (error.line, error.column) else { return false };
    let line = text.lines().nth(line as usize - 1).unwrap();
    let key = error.path.rsplit('.').next().unwrap();
    line.trim_start().starts_with(&format!("\"{key}\": "))
        && line.chars().nth(column as usize - 2) == Some(' ')
}

#[test]
fn whichever_of_the_knobs_that_decide_together_is_stated_the_refusal_names_it_with_its_place() {
    for rule in rules() {
        let text = text(&rule.needs, &rule.knobs);
        let Err(error) = prepare("t", &text, &[]) else { panic!("this must be refused:\n{text}") };
        assert!(
            rule.knobs.iter().any(|(path, _)| *path == error.path),
            "{error} is about none of {:?}",
            rule.knobs
        );
        assert!(at_its_knob(&text, &error), "{error}\n{text}");
    }
}

/// Each of the knobs in turn is laid over a file that states the others. The refusal is about one
/// of the knobs, and names a line of the file: that of the refused knob, or, if the file does not
/// state the refused knob, that of another one.
#[test]
fn a_knob_laid_over_a_file_is_refused_with_the_place_of_the_one_it_does_not_fit() {
    let mut laid = 0;
    for rule in rules().iter().filter(|rule| rule.knobs.len() > 1) {
        for (index, (path, value)) in rule.knobs.iter().enumerate() {
            let others: Vec<_> = rule
                .knobs
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index)
                .map(|(_, knob)| knob.clone())
                .collect();
            let text = text(&rule.needs, &others);
            // The rest may be refused by itself, and a change of CPUs puts some of the others back.
            if prepare("t", &text, &[]).is_err() {
                continue;
            }
            let Err(error) = prepare("t", &text, &[((*path).to_owned(), value.clone())]) else {
                continue;
            };
            laid += 1;
            assert!(rule.knobs.iter().any(|(path, _)| *path == error.path), "{path}: {error}");
            assert!(
                error.line.is_some() && at_its_knob(&text, &error)
                    || error.message.contains(" is stated in line "),
                "{path}: {error}"
            );
        }
    }
    assert!(laid > 15, "{laid} are too few to judge by");
}

#[test]
fn a_task_in_several_partitions_is_refused_at_the_partitions_or_at_its_cpus() {
    let needs =
        json!({ "workload": { "tasks": { "hog": { "cpus": [0, 7], "run": 500, "sleep": 100 } } } });
    let split = ("machine.partitions", json!("0-3;4-7"));
    let stated = text(&needs, std::slice::from_ref(&split));
    let error = prepare("t", &stated, &[]).unwrap_err();
    assert!(error.path == split.0 && at_its_knob(&stated, &error), "{error}");
    let error = prepare("t", &text(&needs, &[]), &[(split.0.to_owned(), split.1)]).unwrap_err();
    assert!(
        error.path == "machine.partitions"
            && error.message.contains("workload.tasks.hog.cpus is stated in line "),
        "{error}"
    );
}

#[test]
fn what_a_variant_says_has_its_place_there() {
    let needs = json!({ "workload": { "web": {} }, "variants": [{ "name": "a",
        "set": { "seed": 2 } }, { "name": "b", "set": { "workload.web.run_max": "5us" } }] });
    let text = text(&needs, &[]);
    let set = [("workload.web.run_max".to_owned(), json!("5us"))];
    let document = Document::read(&text).unwrap();
    let error = document.placed_in_variant(1, document.prepare("t", &set).unwrap_err());
    let line = text.lines().nth(error.line.unwrap() as usize - 1).unwrap();
    assert!(line.contains("\"workload.web.run_max\": \"5us\""), "{error}\n{line}");
}
