//! cyclictest's options: what each makes of the threads, when they end, and what the program
//! refuses (rt-tests; docs/model/programs.md#cyclictest).

use schedscope_engine::ids::CpuId;
use schedscope_engine::run::{Options, Progress, Report, Run};
use schedscope_engine::setup::{IdleKind, Policy, Program};
use schedscope_scenario::{Prepared, ScenarioError, prepare};
use serde_json::json;

const US: u64 = 1_000;

/// Four CPUs for 50 ms with these options, and other tasks beside them.
fn scenario(options: &str, beside: &str) -> Result<Prepared, ScenarioError> {
    let text = format!(
        "{{ \"schema\": 1, \"title\": \"t\", \"duration\": \"50ms\", \"machine\": {{ \"cpus\": \
            4, \"costs\": \"modern_2s_qspin\" }},
           \"kernel\": {{ \"version\": \"6.6\" }}, \"workload\": {{ \"cyclictest\": {{ {options} \
           }}{beside} }} }}"
    );
    prepare("t", &text, &[])
}

fn with(options: &str) -> Prepared {
    scenario(options, "").unwrap()
}

fn run(prepared: &Prepared) -> Report {
    let mut run =
        Run::new(&prepared.setup, Options { check_every: 1, ..Options::default() }).unwrap();
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    run.report()
}

fn policies(options: &str) -> Vec<Policy> {
    with(options).setup.tasks.iter().map(|task| task.policy).collect()
}

fn refused(options: &str, words: &[&str]) {
    let error = scenario(options, "").expect_err("it is refused").to_string();
    words.iter().for_each(|word| assert!(error.contains(word), "\"{word}\" is not in {error}"));
}

/// First expiry and interval of every thread, us.
fn timers(options: &str) -> Vec<(u64, u64)> {
    let timer = |program: &Program| match program {
        Program::Cyclictest { first_due_ns, interval_ns, .. } => {
            (first_due_ns / US, interval_ns / US)
        }
        _ => unreachable!("cyclictest only"),
    };
    with(options).setup.tasks.iter().map(|task| timer(&task.program)).collect()
}

/// Samples by thread.
fn samples(report: &Report) -> Vec<u64> {
    (0..report.metrics.tasks.len())
        .filter_map(|thread| report.metrics.tasks.get(&format!("cyclictest.{thread}")))
        .map(|task| task.loops)
        .collect()
}

#[test]
fn without_a_priority_the_threads_are_sched_other_and_late_by_their_timer_slack() {
    let fair = with("\"priority\": 0, \"pinned\": false");
    let mut threads = fair.setup.tasks.iter().filter(|task| task.kind == "cyclictest");
    assert!(
        threads.clone().count() == 4
            && threads
                .all(|task| task.policy == Policy::Fair { nice: 0 } && task.cpus.count() == 4)
    );
    let (fair, fifo) = (run(&fair), run(&with("")));
    let (fair, fifo) = (&fair.metrics.latency["cyclictest"], &fifo.metrics.latency["cyclictest"]);
    assert!(
        fair.min_ns >= 50 * US && fair.p50_ns < 60 * US,
        "slack of 50 us: {} {}",
        fair.min_ns,
        fair.p50_ns
    );
    assert!(fifo.p50_ns < 10 * US, "real-time tasks have none: {}", fifo.p50_ns);
}

#[test]
fn priorities_are_spread_downwards_and_the_last_may_come_to_sched_other() {
    let fifo = |rt_priority| Policy::Fifo { rt_priority };
    assert_eq!(
        policies("\"priority\": 90, \"priospread\": true"),
        [fifo(90), fifo(89), fifo(88), fifo(87)]
    );
    assert_eq!(
        policies("\"priority\": 3, \"priospread\": true"),
        [fifo(3), fifo(2), fifo(1), Policy::Fair { nice: 0 }]
    );
    assert_eq!(
        policies("\"priority\": 0, \"priospread\": true")[0],
        fifo(5),
        "the tool defaults to threads + 1"
    );
    refused(
        "\"priority\": 2, \"priospread\": true",
        &["workload.cyclictest.priority", "priority -1", "at least 3"],
    );
    refused(
        "\"priority\": 0, \"priospread\": true, \"threads\": 99",
        &["99 threads would default to the priority 100"],
    );
}

#[test]
fn the_policy_may_be_round_robin_and_takes_a_default_priority() {
    assert_eq!(
        policies("\"policy\": \"rr\", \"priority\": 7"),
        [Policy::RoundRobin { rt_priority: 7 }; 4]
    );
    assert_eq!(
        policies("\"policy\": \"fifo\", \"priority\": 0"),
        [Policy::Fifo { rt_priority: 5 }; 4]
    );
    assert!(
        with("\"policy\": \"rr\", \"priority\": 0")
            .meta
            .notes
            .iter()
            .any(|note| note.contains("defaulting realtime priority to 5"))
    );
    assert_eq!(policies("\"policy\": \"idle\", \"priority\": 0"), [Policy::Idle; 4]);
    let with_priority = with("\"policy\": \"idle\", \"priority\": 7");
    assert_eq!(with_priority.setup.tasks[0].policy, Policy::Fifo { rt_priority: 7 });
    assert!(
        with_priority
            .meta
            .notes
            .iter()
            .any(|note| note.contains("policy and priority do not match"))
    );
    refused("\"policy\": \"batch\"", &["workload.cyclictest.policy", "\"batch\""]);
}

#[test]
fn threads_are_pinned_to_a_list_of_cpus_in_turn() {
    let pins: Vec<Vec<u32>> = with("\"affinity\": \"1-2\", \"threads\": 3")
        .setup
        .tasks
        .iter()
        .map(|task| task.cpus.iter().map(CpuId::raw).collect())
        .collect();
    assert_eq!(pins, [vec![1], vec![2], vec![1]]);
    for bad in ["2-4", "", "one"] {
        refused(
            &format!("\"affinity\": \"{bad}\""),
            &["workload.cyclictest.affinity", "CPUs from 0 to 3"],
        );
    }
}

#[test]
fn aligned_threads_start_together_each_an_offset_after_the_one_before() {
    let timers = timers("\"aligned\": \"7us\", \"distance\": \"100us\"");
    assert_eq!(
        timers.iter().map(|(_, interval)| *interval).collect::<Vec<_>>(),
        [100, 200, 300, 400]
    );
    let start = timers[0].0 - timers[0].1;
    for (thread, (first, interval)) in timers.iter().enumerate() {
        let late = first - interval - start - 7 * thread as u64;
        assert!(late <= 1, "thread {thread} is off by {late} us; 1 keeps a timer off the tick");
    }
    let inert = with("\"aligned\": \"0us\"")
        .meta
        .knobs
        .into_iter()
        .find(|knob| knob.path == "workload.cyclictest.phase")
        .unwrap()
        .inert;
    assert!(inert.is_some_and(|why| why.contains("-A")));
}

#[test]
fn the_program_ends_when_main_sees_that_a_thread_has_all_its_loops() {
    // Intervals of 100, 200, 300 and 400 us: the first thread is done before 5.3 ms, which main
    // sees at 10 ms.
    let report = run(&with("\"loops\": 50, \"distance\": \"100us\", \"phase\": \"aligned\""));
    let samples = samples(&report);
    assert_eq!((samples[0], samples[1]), (50, 50), "those that are in time take all");
    assert!(
        (32..=34).contains(&samples[2]) && (24..=26).contains(&samples[3]),
        "10 ms, and the sample each waits for: {samples:?}"
    );
    assert_eq!(report.metrics.latency["cyclictest"].count, samples.iter().sum::<u64>());
}

#[test]
fn a_latency_above_the_limit_ends_the_program_and_says_whose_it_was() {
    // A stronger task keeps thread 2 off its CPU for 60 us, once, at 20 ms.
    let hog = ", \"tasks\": { \"hog\": { \"policy\": \"SCHED_FIFO\", \"priority\": 99, \"cpus\": \
        [2], \"delay\": 20000, \"run\": 260, \"loop\": 1 } }";
    let options = "\"interval\": \"200us\", \"body\": \"5us\"";
    let all = run(&scenario(options, hog).unwrap());
    assert!(
        all.metrics.latency["cyclictest"].max_ns > 60 * US
            && samples(&all).iter().all(|samples| *samples > 240)
    );
    let broken = run(&scenario(&format!("{options}, \"breaktrace\": 50"), hog).unwrap());
    let finding = broken.findings.iter().find(|finding| finding.kind == "breaktrace").unwrap();
    assert!(
        finding.what.starts_with("cyclictest.2 saw ")
            && (20_000 * US..20_500 * US).contains(&finding.time_ns),
        "{finding:?}"
    );
    assert!(
        samples(&broken).iter().all(|samples| (97..=102).contains(samples)),
        "{:?}",
        samples(&broken)
    );
    let never = run(&scenario(&format!("{options}, \"breaktrace\": 1000"), hog).unwrap());
    assert_eq!(never.digest, all.digest, "a limit that nobody passes changes nothing");
}

#[test]
fn the_latency_request_decides_what_idle_cpus_do() {
    let idle = |options: &str| with(options).setup.machine.idle;
    assert_eq!(idle(""), IdleKind::Poll, "the tool writes 0 unless told otherwise");
    assert_eq!(idle("\"latency\": 1"), IdleKind::Poll, "C1 takes 1.25 us to leave");
    assert_eq!(idle("\"latency\": 2"), IdleKind::Mwait);
    assert_eq!(idle("\"latency\": 1000"), IdleKind::Mwait);
    let guest = prepare(
        "t",
        &with_costs("vm2_meas"),
        &[("workload.cyclictest.latency".to_owned(), json!(0))],
    )
    .unwrap();
    assert_eq!(
        guest.setup.machine.idle,
        IdleKind::Halt,
        "a guest without a cpuidle driver halts whatever is asked"
    );
}

fn with_costs(costs: &str) -> String {
    format!(
        "{{ \"schema\": 1, \"title\": \"t\", \"duration\": \"1ms\", \"machine\": {{ \"cpus\": \
            4, \"costs\": \"{costs}\" }},
           \"kernel\": {{ \"version\": \"6.6\" }}, \"workload\": {{ \"cyclictest\": {{}} }} }}"
    )
}
