//! The generators that stand for programs: their tasks, their limits, what they refuse.

use schedscope_engine::setup::{Policy, Program};
use schedscope_scenario::{Prepared, ScenarioError, prepare};

/// A scenario of four CPUs with this workload.
fn scenario(workload: &str) -> Result<Prepared, ScenarioError> {
    let text = format!(
        "{{ \"schema\": 1, \"title\": \"t\", \"duration\": \"1s\", \"machine\": {{ \"cpus\": 4, \"costs\": \"2007_4way\" }},
           \"kernel\": {{ \"version\": \"4.15\" }}, \"workload\": {workload} }}"
    );
    prepare("t", &text, &[])
}

fn refused(workload: &str, words: &[&str]) {
    let error = scenario(workload).expect_err("it is refused").to_string();
    words.iter().for_each(|word| assert!(error.contains(word), "\"{word}\" is not in {error}"));
}

#[test]
fn a_softirq_load_brings_the_threads_of_its_cpus() {
    let prepared = scenario("{ \"softirq\": { \"cpus\": \"1,3\" } }").unwrap();
    let load = prepared.setup.softirq.unwrap();
    assert_eq!((load.period_ns, load.work_ns, load.cpus.iter().collect::<Vec<_>>()), (750_000, 500_000, vec![1, 3]));
    let threads: Vec<(&str, u32)> = prepared.setup.tasks.iter().map(|task| (task.name.as_str(), task.cpus.lowest().unwrap())).collect();
    assert_eq!(threads, [("ksoftirqd.1", 1), ("ksoftirqd.3", 3)]);
    let thread = &prepared.setup.tasks[load.first_task as usize];
    assert_eq!((thread.policy, &thread.program), (Policy::Fair { nice: 0 }, &Program::Ksoftirqd));
    assert_eq!(scenario("{ \"softirq\": { \"cpus\": \"all\" } }").unwrap().setup.tasks.len(), 4);
}

#[test]
fn cpus_the_machine_lacks_and_names_that_are_taken_are_refused() {
    refused("{ \"softirq\": { \"cpus\": \"2-4\" } }", &["workload.softirq.cpus", "2-4", "CPUs from 0 to 3"]);
    refused("{ \"softirq\": { \"cpus\": \"\" } }", &["workload.softirq.cpus"]);
    refused("{ \"softirq\": { \"rate\": 1 } }", &["workload.softirq.rate", "one of cpus, period, work"]);
    refused("{ \"tasks\": { \"ksoftirqd\": { \"run\": 1 } } }", &["workload.tasks.ksoftirqd", "the name of a generator"]);
}
