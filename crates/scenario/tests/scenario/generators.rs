//! The generators that model programs: their tasks, their limits, what they refuse.

use schedscope_engine::ids::CpuId;
use schedscope_engine::setup::{Amount, KernelWakee, Op, Policy, Program, Setup};
use schedscope_scenario::{Prepared, ScenarioError, knobs, prepare};

/// A scenario of four CPUs with this workload.
fn scenario(workload: &str) -> Result<Prepared, ScenarioError> {
    let text = format!(
        "{{ \"schema\": 1, \"title\": \"t\", \"duration\": \"1s\", \"machine\": {{ \"cpus\": \
            4, \"costs\": \"2007_4way\" }},
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
    assert_eq!(
        (load.period_ns, load.work_ns, load.cpus.iter().map(CpuId::raw).collect::<Vec<_>>()),
        (750_000, 500_000, vec![1, 3])
    );
    let threads: Vec<(&str, u32)> = prepared
        .setup
        .tasks
        .iter()
        .map(|task| (task.name.as_str(), task.cpus.lowest().unwrap().raw()))
        .collect();
    assert_eq!(threads, [("ksoftirqd.1", 1), ("ksoftirqd.3", 3)]);
    let thread = &prepared.setup.tasks[load.first_task as usize];
    assert_eq!((thread.policy, &thread.program), (Policy::Fair { nice: 0 }, &Program::Ksoftirqd));
    assert_eq!(scenario("{ \"softirq\": { \"cpus\": \"all\" } }").unwrap().setup.tasks.len(), 4);
}

#[test]
fn noise_stops_all_cpus_or_those_listed_and_off_is_never() {
    let noise = |workload: &str| {
        let [smi, steal] = scenario(workload).unwrap().setup.hw_noise;
        (smi, steal)
    };
    let (smi, steal) = noise(
        "{ \"busy\": {}, \"smi\": { \"period\": \"10ms\" }, \"steal\": { \"cpus\": \"1,3\" } }",
    );
    let (smi, steal) = (smi.unwrap(), steal.unwrap());
    assert_eq!((smi.cpus.count(), smi.gap), (4, between(5_000_000, 15_000_000)));
    assert_eq!(smi.length, between(50_000, 150_000));
    assert_eq!(steal.cpus.iter().map(CpuId::raw).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(steal.length, between(100_000, 1_000_000));
    let off =
        "{ \"busy\": {}, \"smi\": { \"period\": \"off\" }, \"steal\": { \"period\": \"off\" } }";
    assert_eq!(noise(off), (None, None));
    refused(
        "{ \"busy\": {}, \"smi\": { \"length_min\": \"1ms\", \"length_max\": \"10us\" } }",
        &["workload.smi.length_max", "less than"],
    );
    refused("{ \"busy\": {}, \"steal\": { \"cpus\": \"4\" } }", &["workload.steal.cpus"]);
}

#[test]
fn a_device_interrupts_the_cpus_of_its_affinity_and_off_is_never() {
    let device = |options: &str| {
        let workload = format!("{{ \"busy\": {{}}, \"device_irq\": {{ {options} }} }}");
        scenario(&workload).unwrap().setup.device_irq
    };
    let load = device("\"cpus\": \"0-2\", \"period\": \"1ms\"").unwrap();
    assert_eq!(load.cpus.iter().map(CpuId::raw).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!((load.gap, load.work), (between(500_000, 1_500_000), between(1_000, 3_000)));
    assert_eq!((device("").unwrap().cpus.count(), load.softirq_ns), (4, 5_000));
    assert_eq!(device("\"period\": \"off\""), None);
    refused("{ \"busy\": {}, \"device_irq\": { \"cpus\": \"4\" } }", &["device_irq.cpus"]);
    refused(
        "{ \"busy\": {}, \"device_irq\": { \"work_min\": \"1ms\" } }",
        &["workload.device_irq.work_max", "less than"],
    );
}

#[test]
fn a_device_wakes_a_task_that_suspends_or_posts_a_semaphore_and_no_other_name() {
    let device = |wakes: &str| {
        format!(
            r#"{{ "device_irq": {{ "wakes": "{wakes}" }}, "tasks": {{
                "rx": {{ "suspend": "", "run": 10 }},
                "poller": {{ "sem_wait": "packets", "run": 10 }} }} }}"#
        )
    };
    let of = |wakes: &str| scenario(&device(wakes)).unwrap().setup;
    let named = |setup: &Setup, who| match who {
        Some(KernelWakee::Broadcast(object) | KernelWakee::Post(object)) => {
            setup.objects[object as usize].name.clone()
        }
        _ => String::new(),
    };
    let resumes = of("rx");
    let who = resumes.device_irq.unwrap().wakes;
    assert!(matches!(who, Some(KernelWakee::Broadcast(_))), "{who:?}");
    assert_eq!(named(&resumes, who), "rx");
    let posts = of("packets");
    let who = posts.device_irq.unwrap().wakes;
    assert!(matches!(who, Some(KernelWakee::Post(_))), "{who:?}");
    assert_eq!(named(&posts, who), "packets");
    assert_eq!(of("").device_irq.unwrap().wakes, None);
    refused(&device("xr"), &["workload.device_irq.wakes", "no task suspends as \"xr\""]);
}

#[test]
fn callbacks_of_offloaded_cpus_run_in_threads_on_the_other_cpus() {
    let rcu = |options: &str| {
        let workload = format!("{{ \"busy\": {{}}, \"rcu\": {{ {options} }} }}");
        scenario(&workload).unwrap().setup
    };
    let own = rcu("");
    assert_eq!(own.rcu.unwrap().cpus.count(), 4);
    assert!(own.tasks.iter().all(|task| task.kind != "rcuop"));
    let setup = rcu("\"nocbs\": \"1,3\", \"grace\": \"4ms\", \"work\": \"2us\"");
    assert_eq!(setup.rcu.unwrap().cpus.iter().map(CpuId::raw).collect::<Vec<_>>(), [0, 2]);
    let threads: Vec<_> = setup.tasks.iter().filter(|task| task.kind == "rcuop").collect();
    let names: Vec<&str> = threads.iter().map(|task| task.name.as_str()).collect();
    assert_eq!(names, ["rcuop.1", "rcuop.3"]);
    assert!(threads.iter().all(|task| task.cpus.iter().map(CpuId::raw).eq([0, 2])));
    // Eight callbacks of 2 us come in 4 ms.
    let batch = Op::Run { ns: Amount::Fixed(16_000) };
    assert!(threads[0].program.ops().any(|op| *op == batch));
    refused(
        "{ \"busy\": {}, \"rcu\": { \"nocbs\": \"0-3\" } }",
        &["workload.rcu.nocbs", "not all"],
    );
}

#[test]
fn cpus_of_nohz_full_are_offloaded_too_and_leave_a_cpu_for_the_threads() {
    let with = |nocbs: &str| {
        let text = format!(
            r#"{{ "schema": 1, "title": "t", "duration": "1s",
                "machine": {{ "cpus": 4, "costs": "2007_4way" }},
                "kernel": {{ "version": "6.6", "nohz_full": "2-3" }},
                "workload": {{ "busy": {{}}, "rcu": {{ "nocbs": "{nocbs}" }} }} }}"#
        );
        prepare("t", &text, &[])
    };
    let setup = with("none").unwrap().setup;
    assert_eq!(setup.rcu.unwrap().cpus.iter().map(CpuId::raw).collect::<Vec<_>>(), [0, 1]);
    let threads = setup.tasks.iter().filter(|task| task.kind == "rcuop");
    assert!(threads.map(|task| &task.cpus).all(|cpus| cpus.iter().map(CpuId::raw).eq([0, 1])));
    let error = with("0-1").expect_err("no CPU is left").to_string();
    assert!(error.contains("workload.rcu.nocbs") && error.contains("none is left"), "{error}");
}

fn between(min: u64, max: u64) -> Amount {
    Amount::Uniform { min, max }
}

#[test]
fn cpus_the_machine_lacks_and_names_that_are_taken_are_refused() {
    refused(
        "{ \"softirq\": { \"cpus\": \"2-4\" } }",
        &["workload.softirq.cpus", "2-4", "CPUs from 0 to 3"],
    );
    refused("{ \"softirq\": { \"cpus\": \"\" } }", &["workload.softirq.cpus"]);
    refused(
        "{ \"softirq\": { \"rate\": 1 } }",
        &["workload.softirq.rate", "one of cpus, period, work"],
    );
    refused(
        "{ \"tasks\": { \"ksoftirqd\": { \"run\": 1 } } }",
        &["workload.tasks.ksoftirqd", "the name of a generator"],
    );
}

#[test]
fn every_program_runs_inside_a_control_group_and_what_it_stands_in_stays_outside() {
    let paths = knobs().iter().filter(|knob| knob.key() == "group").map(|knob| knob.parent());
    let programs: Vec<&str> =
        paths.map(|parent| parent.strip_prefix("workload.").unwrap()).collect();
    assert_eq!(programs.len(), 14, "{programs:?}");
    for program in programs {
        let text = |group: &str| {
            format!(
                "{{ \"schema\": 1, \"title\": \"t\", \"duration\": \"20ms\", \"machine\": \
                    {{ \"cpus\": 4, \"costs\": \"2007_4way\" }},
                   \"kernel\": {{ \"version\": \"4.15\" }}, \"cgroups\": {{ \"a/b\": \
                   {{ \"cpu_max\": \"5000 10000\" }} }},
                   \"workload\": {{ \"cyclictest\": {{}}, \"{program}\": \
                   {{ \"group\": \"{group}\" }} }} }}"
            )
        };
        let text = |group: &str| {
            if program == "cyclictest" {
                text(group).replacen("\"cyclictest\": {}, ", "", 1)
            } else {
                text(group)
            }
        };
        let prepared = prepare("t", &text("a/b"), &[]).unwrap();
        let own = prepared
            .setup
            .tasks
            .iter()
            .filter(|task| task.kind != "cyclictest" || program == "cyclictest");
        let (inside, outside): (Vec<_>, Vec<_>) = own.partition(|task| task.group == 2);
        assert!(!inside.is_empty(), "{program}");
        let world = ["web_client", "pool_client", "kworker", "migration"];
        assert!(
            outside.iter().all(|task| world.contains(&task.kind.as_str())),
            "{program}: {outside:?}"
        );
        assert!(inside.iter().all(|task| !world.contains(&task.kind.as_str())), "{program}");
        let error = prepare("t", &text("b"), &[]).expect_err("it is refused").to_string();
        assert!(
            error.contains(&format!("workload.{program}.group")) && error.contains("\"a/b\""),
            "{error}"
        );
    }
}
