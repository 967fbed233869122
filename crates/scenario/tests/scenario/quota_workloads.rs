//! Workloads that quotas are made for: what their threads do with none, and under one
//! (docs/model/programs.md).

use schedscope_engine::run::{Options, Progress, Report, Run};
use schedscope_engine::setup::{GROUP_WEIGHT, GroupSpec, Policy, Program, Quota, ROOT, Setup};
use schedscope_scenario::{Prepared, ScenarioError, prepare};

const US: u64 = 1_000;
const MS: u64 = 1_000_000;

/// `cpus` CPUs for `duration` with this workload.
fn scenario(cpus: u32, duration: &str, workload: &str) -> Result<Prepared, ScenarioError> {
    let text = format!(
        "{{ \"schema\": 1, \"title\": \"t\", \"duration\": \"{duration}\", \"machine\": \
            {{ \"cpus\": {cpus}, \"costs\": \"modern_2s_qspin\" }},
           \"kernel\": {{ \"version\": \"5.4\" }}, \"workload\": {{ {workload} }} }}"
    );
    prepare("t", &text, &[])
}

fn setup(cpus: u32, duration: &str, workload: &str) -> Setup {
    scenario(cpus, duration, workload).unwrap().setup
}

/// The fair tasks in a group that may use `quota_ms` of every 100 ms.
fn under(mut setup: Setup, quota_ms: u64) -> Setup {
    let quota = Quota {
        quota_ns: Some(quota_ms * MS),
        period_ns: 100 * MS,
        burst_ns: 0,
        phase_ns: 37 * MS + 123 * US,
    };
    setup.groups.push(GroupSpec {
        path: "g".to_owned(),
        parent: ROOT,
        weight: GROUP_WEIGHT,
        bandwidth: Some(quota),
    });
    setup
        .tasks
        .iter_mut()
        .filter(|task| matches!(task.policy, Policy::Fair { .. }))
        .for_each(|task| task.group = 1);
    setup
}

fn run(setup: &Setup) -> Report {
    let mut run = Run::new(setup, Options { check_every: 64, ..Options::default() }).unwrap();
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    run.report()
}

fn refused(workload: &str, words: &[&str]) {
    let error = scenario(4, "1s", workload).expect_err("it is refused").to_string();
    words.iter().for_each(|word| assert!(error.contains(word), "\"{word}\" is not in {error}"));
}

fn names(setup: &Setup) -> Vec<(&str, u32)> {
    setup.tasks.iter().map(|task| (task.name.as_str(), task.cpus.lowest().unwrap().raw())).collect()
}

// ---- fibtest

#[test]
fn fibtests_threads_are_pinned_in_turn_and_fast_on_the_first_cpus() {
    let three = setup(2, "1s", "\"fibtest\": { \"threads\": 3 }");
    assert_eq!(
        names(&three),
        [("fast.0", 0), ("slow.1", 1), ("fast.2", 0)],
        "thread 2 is on CPU 0 again"
    );
    assert_eq!(names(&setup(2, "1s", "\"fibtest\": {}")).len(), 2, "as many as CPUs");
    let raised = scenario(4, "1s", "\"fibtest\": { \"threads\": 2, \"fast\": 3 }").unwrap();
    assert_eq!(names(&raised.setup), [("fast.0", 0), ("fast.1", 1), ("fast.2", 2)]);
    assert!(
        raised
            .meta
            .notes
            .iter()
            .any(|note| note.contains("raised to 3, the number of fast threads")),
        "{:?}",
        raised.meta.notes
    );
}

#[test]
fn a_fast_thread_counts_all_the_time_and_a_slow_one_wakes_every_10_ms() {
    let report = run(&setup(4, "1s", "\"fibtest\": { \"seconds\": \"500ms\" }"));
    let tasks = &report.metrics.tasks;
    assert!(
        (499..=500).contains(&tasks["fast.0"].loops),
        "a look at the clock every 1 000 000 additions: {}",
        tasks["fast.0"].loops
    );
    for thread in ["slow.1", "slow.2", "slow.3"] {
        assert!((49..=50).contains(&tasks[thread].loops), "{thread}: {}", tasks[thread].loops);
    }
    assert!(tasks["fast.0"].run_ns < 503 * MS, "it ends after -s");
}

#[test]
fn a_light_wake_is_charged_what_the_knob_says() {
    for (cost, ns) in [("2us", 2 * US), ("5us", 5 * US), ("50us", 50 * US)] {
        let report =
            run(&setup(4, "1s", &format!("\"fibtest\": {{ \"light_wake\": \"{cost}\" }}")));
        for thread in ["slow.1", "slow.2", "slow.3"] {
            let task = &report.metrics.tasks[thread];
            // At the end it sleeps: one burst more than rounds.
            let charged = task.run_ns / (task.loops + 1);
            println!("{cost}: {thread} is charged {charged} ns a wake");
            assert!(charged.abs_diff(ns) <= 150, "{cost}: {charged}; a tick falls into some");
        }
    }
    let least = scenario(4, "1s", "\"fibtest\": { \"light_wake\": \"500ns\" }").unwrap();
    assert!(
        least.meta.notes.iter().any(|note| note.contains("the kernel's part alone")),
        "{:?}",
        least.meta.notes
    );
}

#[test]
fn under_a_quota_one_thread_uses_all_of_it_and_eight_do_so_too_without_expiry() {
    // Arithmetic: without expiry 490 to 515 ms of 50 periods of 10 ms.
    for cpus in [1, 8] {
        let report = run(&under(setup(cpus, "5s", "\"fibtest\": {}"), 10));
        let group = &report.metrics.groups["g"];
        println!(
            "{cpus} CPUs: {} us used, throttled in {} of {} periods",
            group.usage_ns / US,
            group.nr_throttled,
            group.nr_periods
        );
        assert!((490 * MS..=515 * MS).contains(&group.usage_ns), "{cpus} CPUs: {}", group.usage_ns);
        assert!(group.nr_throttled * 100 >= group.nr_periods * 95);
    }
}

// ---- the others

#[test]
fn the_probe_burns_5_ms_by_the_clock_and_sleeps() {
    let report =
        run(&setup(2, "1s", "\"burst_sleep\": { \"iterations\": 8, \"sleep\": \"100ms\" }"));
    let burns = &report.metrics.tool_samples["burst_sleep.burn"];
    assert_eq!(burns.count, 8);
    assert!(
        burns.min_ns >= 5 * MS && burns.max_ns < 5 * MS + 20 * US,
        "{} {}",
        burns.min_ns,
        burns.max_ns
    );
    let rows = &report.metrics.tasks["burst_sleep.0"].activations;
    let loops: u64 = rows.iter().map(|row| row.loops).sum();
    assert!(
        rows.len() >= 8 && (8 * 4_950..=8 * 5_010).contains(&loops),
        "{} activations, {loops} looks at the clock",
        rows.len()
    );
}

#[test]
fn a_throttled_burn_takes_until_the_next_refill() {
    let report = run(&under(
        setup(2, "2s", "\"burst_sleep\": { \"sleep\": \"10ms\", \"burn\": \"30ms\" }"),
        20,
    ));
    let burns = &report.metrics.tool_samples["burst_sleep.burn"];
    assert!(burns.max_ns > 60 * MS && burns.max_ns < 110 * MS, "{}", burns.max_ns);
}

#[test]
fn requests_arrive_whatever_becomes_of_those_before() {
    let web = |quota| {
        let setup = setup(16, "5s", "\"web\": {}");
        let setup = if quota == 0 { setup } else { under(setup, quota) };
        run(&setup)
    };
    let (free, tight) = (web(0), web(100));
    let request = |report: &Report| report.metrics.tool_samples["web_front.request"];
    let (before, after) = (request(&free), request(&tight));
    println!(
        "requests: p50 {} p90 {} max {} us; under 100 ms: {} {} {}",
        before.p50_ns / US,
        before.p90_ns / US,
        before.max_ns / US,
        after.p50_ns / US,
        after.p90_ns / US,
        after.max_ns / US
    );
    assert!(before.count.abs_diff(200) < 45, "40 a second: {}", before.count);
    assert!(
        (8 * MS..20 * MS).contains(&before.p50_ns),
        "eight hops of 1 to 2 ms: {}",
        before.p50_ns
    );
    assert!(
        after.max_ns > before.max_ns + 50 * MS,
        "throttled requests wait for a refill: {} {}",
        before.max_ns,
        after.max_ns
    );
    let arrivals = |report: &Report| report.metrics.tasks["web_client.0"].wakeups;
    assert_eq!(arrivals(&free), arrivals(&tight), "the same arrivals");
}

#[test]
fn the_pool_does_all_the_work_that_comes() {
    let report = run(&setup(16, "1s", "\"thread_pool\": {}"));
    let work = &report.metrics.tool_samples["pool_worker.work"];
    assert!(work.count.abs_diff(1_000) < 100, "{}", work.count);
    assert!(work.min_ns >= MS && work.p50_ns < 2 * MS, "{} {}", work.min_ns, work.p50_ns);
    let mut busy = report
        .metrics
        .tasks
        .iter()
        .filter(|(name, task)| name.starts_with("pool_worker") && task.run_ns > 0);
    assert!(busy.nth(100).is_some(), "a woken worker is another each time");
}

#[test]
fn collectors_counted_by_cpus_use_up_a_quota_at_once_and_then_all_stand_still() {
    // docs/model/programs.md#gc-burst: 16 collectors of 10 ms against 20 ms per 100 ms: 160 ms of
    // work is eight refills.
    let gc = "\"gc_burst\": { \"period\": \"2s\" }";
    let free = run(&setup(16, "4s", gc));
    let cycle = |report: &Report| report.metrics.tool_samples["gc_main.cycle"];
    assert!(
        cycle(&free).max_ns < 12 * MS,
        "side by side they take as long as one: {}",
        cycle(&free).max_ns
    );
    let tight = cycle(&run(&under(setup(16, "4s", gc), 20)));
    assert!((500 * MS..900 * MS).contains(&tight.max_ns), "{}", tight.max_ns);
}

#[test]
fn ten_busy_threads_use_up_50_ms_in_5_and_stand_still_for_95() {
    let report = run(&under(setup(10, "2s", "\"busy\": {}"), 50));
    let group = &report.metrics.groups["g"];
    let per_period = group.usage_ns / 20;
    assert!(per_period.abs_diff(50 * MS) < 5 * MS, "{per_period}");
    let throttled = group.throttled_ns / 10 / 20;
    assert!(
        (88 * MS..96 * MS).contains(&throttled),
        "each CPU stands still for about 95 ms of a period: {throttled}"
    );
}

/// Chiluk 2019's bound for others: hogs without a quota beside a group that sleeps at the refill
/// and bursts later. What it may carry over is 1 ms a CPU.
#[test]
fn a_bursty_group_delays_the_hogs_beside_it_by_at_most_1_ms_a_cpu_and_burst_more_than_if_it_kept_nothing()
 {
    const CPUS: u64 = 8;
    let tasks: Vec<String> = (0..CPUS)
        .map(|cpu| {
            format!(
                "\"hog{cpu}\": {{ \"cpus\": \"{cpu}\", \"loop\": -1, \"run\": \
                    1000, \"taskgroup\": \"/hogs\" }},
                 \"bursty{cpu}\": {{ \"cpus\": \"{cpu}\", \"loop\": \
                 -1, \"taskgroup\": \"/bursty\", \"phases\": {{
                   \"light\": {{ \"loop\": 9, \"run\": 200, \"timer\": \
                   {{ \"ref\": \"unique\", \"period\": 100000, \"mode\": \"absolute\" }} }},
                   \"burst\": {{ \"loop\": 1, \"run\": 20000, \"timer\": \
                   {{ \"ref\": \"unique\", \"period\": 100000, \"mode\": \"absolute\" }} }} }} }}"
            )
        })
        .collect();
    let tasks = tasks.join(", ");
    // Costs that vary would let the two runs take other turns, by milliseconds on a CPU.
    let steady = r#"{ "preset": "modern_2s_qspin", "spread_milli": 0, "timer_late_ns": 0 }"#;
    // A burst begins on a multiple of 100 ms and has used up its 40 ms 16 ms later: none of these
    // refills lies in it.
    for phase_us in (0..64).map(|step| 28_437 + 1_100 * step) {
        let of = |bandwidth: &str| {
            let text = format!(
                "{{ \"schema\": 1, \"title\": \"t\", \"duration\": \"3s\", \"machine\": \
                    {{ \"cpus\": {CPUS}, \"costs\": {steady} }},
                   \"kernel\": {{ \"version\": \"5.4\", \"bandwidth\": \"{bandwidth}\" }},
                   \"cgroups\": {{ \"hogs\": {{}}, \"bursty\": {{ \"cpu_max\": \"40000 \
                   100000\", \"period_phase\": \"{phase_us}us\" }} }},
                   \"workload\": {{ \"tasks\": {{ {tasks} }} }} }}"
            );
            let metrics = run(&prepare("t", &text, &[]).unwrap().setup).metrics;
            let waited: Vec<u64> =
                (0..CPUS).map(|cpu| metrics.tasks[&format!("hog{cpu}.0")].ready_ns).collect();
            (metrics.groups["bursty"], waited)
        };
        let ((kept, waits), (all_back, waits_then)) = (of("5.4"), of("keep0"));
        let more = kept.max_period_usage_ns.saturating_sub(all_back.max_period_usage_ns);
        let (sum, sum_then): (u64, u64) = (waits.iter().sum(), waits_then.iter().sum());
        let worst = waits
            .iter()
            .zip(&waits_then)
            .map(|(now, then)| now.saturating_sub(*then))
            .max()
            .unwrap();
        println!(
            "phase {phase_us} us: {more} ns more in a period, {} in all, {worst} on one CPU",
            sum.saturating_sub(sum_then)
        );
        assert!(
            kept.nr_throttled >= 6 && kept.max_period_usage_ns > 44 * MS,
            "it carries over and is stopped: {kept:?}"
        );
        assert!(more <= CPUS * MS, "phase {phase_us} us: {more} ns more in a period");
        assert!(
            sum <= sum_then + CPUS * MS,
            "phase {phase_us} us: the hogs wait {sum} ns, and {sum_then} if nothing is kept"
        );
        assert!(
            worst <= 3 * MS + 10 * US,
            "phase {phase_us} us: {worst} ns on one CPU in three bursts"
        );
    }
}

#[test]
fn what_these_programs_cannot_do_is_refused_by_name() {
    refused("\"fibtest\": { \"threads\": 0 }", &["workload.fibtest.threads"]);
    refused("\"fibtest\": { \"seconds\": \"0s\" }", &["workload.fibtest.seconds"]);
    refused("\"fibtest\": { \"thread\": 4 }", &["workload.fibtest.thread", "threads"]);
    for generator in ["fibtest", "burst_sleep", "web", "thread_pool", "gc_burst", "busy"] {
        refused(
            &format!("\"{generator}\": {{ \"group\": \"nowhere\" }}"),
            &[&format!("workload.{generator}.group"), "no control group \"nowhere\"", "\"/\""],
        );
        refused(
            &format!("\"{generator}\": {{ \"rat\": 1 }}"),
            &[&format!("workload.{generator}.rat")],
        );
    }
    refused("\"web\": { \"fanout\": 9 }", &["workload.web.fanout", "9 workers", "has 8"]);
    refused(
        "\"web\": { \"run_min\": \"3ms\" }",
        &["workload.web.run_max", "run_max of workload.web.run_min or more"],
    );
    refused("\"thread_pool\": { \"rate\": 100001 }", &["workload.thread_pool.rate"]);
    refused("\"thread_pool\": { \"run_max\": \"10us\" }", &["workload.thread_pool.run_max"]);
    refused("\"burst_sleep\": { \"iterations\": 0 }", &["workload.burst_sleep.iterations"]);
    refused(
        "\"busy\": {}, \"tasks\": { \"fast\": { \"run\": 1 } }",
        &["workload.tasks.fast", "the name of a generator"],
    );
}

#[test]
fn more_requests_than_a_run_may_have_ops_are_refused_where_they_are_asked_for() {
    let error =
        scenario(4, "3600s", "\"web\": { \"rate\": 1000 }").expect_err("too many").to_string();
    assert!(error.contains("workload.web.rate") && error.contains("200000 ops"), "{error}");
    let huge = scenario(4, "1s", "\"web\": { \"frontends\": 256, \"hops\": 256 }")
        .expect_err("too many")
        .to_string();
    assert!(huge.contains("workload.web.hops"), "{huge}");
}

#[test]
fn every_program_of_a_generator_ends_in_the_engines_own_terms() {
    let all = "\"fibtest\": {}, \"burst_sleep\": {}, \"web\": {}, \"thread_pool\": { \"workers\": \
        20 }, \"gc_burst\": {}, \"busy\": { \"threads\": 3 }";
    let setup = setup(8, "300ms", all);
    assert!(
        setup
            .tasks
            .iter()
            .all(|task| matches!(task.program, Program::Ops { .. } | Program::Migration))
    );
    let report = run(&under(setup, 100));
    assert!(report.metrics.groups["g"].usage_ns > 0 && report.complete);
}
