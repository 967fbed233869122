//! What the READMEs of the scenarios of real-time balancing, IPIs and preemption models say, asserted of each variant as shipped.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use schedscope_engine::account::report::Metrics;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_scenario::prepare;
use serde_json::{Value, json};

const US: u64 = 1_000;
const MS: u64 = 1_000_000;

fn text_of(slug: &str) -> String {
    std::fs::read_to_string(format!("{}/../../scenarios/{slug}/scenario.json", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn play(slug: &str, text: &str, set: &[(String, Value)]) -> Metrics {
    let mut run = Run::new(&prepare(slug, text, set).unwrap().setup, Options::default()).unwrap();
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished, "{slug} {set:?}");
    run.report().metrics
}

/// The shipped variant of that name, with changes.
fn variant(slug: &str, name: &str, more: &[(&str, Value)]) -> Metrics {
    let text = text_of(slug);
    let scenario: Value = serde_json::from_str(&text).unwrap();
    let variants = scenario["variants"].as_array().unwrap();
    let chosen = variants.iter().find(|variant| variant["name"] == name).unwrap()["set"].as_object().unwrap();
    let set = chosen.iter().map(|(path, value)| (path.clone(), value.clone()));
    let more = more.iter().map(|(path, value)| ((*path).to_owned(), value.clone()));
    play(slug, &text, &set.chain(more).collect::<Vec<_>>())
}

fn max(metrics: &Metrics, kind: &str) -> u64 {
    let latency = &metrics.latency[kind];
    assert!(latency.count > 1, "{kind}");
    latency.max_ns
}

/// Push IPIs sent, to oneself, and under way at once.
fn chain(metrics: &Metrics) -> (u64, u64, u64) {
    metrics.ipi.rto_push.as_ref().map_or((0, 0, 0), |push| (push.sent, push.self_sent, push.max_in_flight))
}

#[test]
fn self_ipi_loop_interrupts_itself_until_the_fix_of_2026_and_hardly_ever_where_the_cpu_can_schedule() {
    // The loop stretches each section of 5 ms: in 20 ms the task waits once or twice.
    let before = variant("self-ipi-loop", "as in 4.16 to 2025", &[("duration", json!("80ms"))]);
    let (sent, to_self, at_once) = chain(&before);
    assert!(to_self > 1_000 && to_self * 2 > sent && at_once == 1, "{to_self} of {sent}");
    assert!(max(&before, "second") > 4 * MS, "CPU 0 could not schedule");
    let (sent, to_self, _) = chain(&variant("self-ipi-loop", "no self IPI (2026)", &[]));
    assert!(to_self == 0 && sent > 0, "the chain still starts with each lowering: {sent}");
    assert_eq!(chain(&variant("self-ipi-loop", "RT_PUSH_IPI off", &[])).0, 0);
    let full = variant("self-ipi-loop", "as in 4.16 to 2025", &[("kernel.preempt", json!("full"))]);
    // It may find both just before it switches, and ask itself once; then it schedules.
    assert!(chain(&full).1 < 5 && max(&full, "second") < 200 * US, "{:?} {}", chain(&full), max(&full, "second"));
}

/// Its table: how long at least and at most the longest wait of a real-time and of a fair task over the long call is.
#[test]
fn long_system_call_lets_in_whom_its_table_says_when_it_says() {
    let (at_once, slack, tick, point) = (0..=10 * US, 50 * US..=60 * US, 3_500 * US..=4_100 * US, 4_500 * US..=5_100 * US);
    let table = [
        ("none", &point, &point),
        ("voluntary", &point, &point),
        ("full", &at_once, &slack),
        ("lazy (6.13)", &at_once, &tick),
        ("thread 004: none", &tick, &tick),
        ("thread 004: voluntary", &at_once, &tick),
        ("thread 004: full", &at_once, &slack),
        ("rt (6.12)", &at_once, &slack),
    ];
    for (name, rt, fair) in table {
        let metrics = variant("long-system-call", name, &[]);
        let waits = ["rt", "fair", "rt_section", "fair_section"].map(|kind| max(&metrics, kind));
        assert!(rt.contains(&waits[0]) && fair.contains(&waits[1]), "{name}: {waits:?}");
        // In the sections: 200 us without preemption or, under rt, 50 us without interrupts; a fair timer's slack comes on top.
        let section = if name.starts_with("rt") { 40 * US..=60 * US } else { 180 * US..=210 * US };
        let fair_section = section.start() + 40 * US..=section.end() + 60 * US;
        assert!(section.contains(&waits[2]) && fair_section.contains(&waits[3]), "{name}: {waits:?}");
    }
}

#[test]
fn polling_or_halt_spares_the_interrupt_of_each_wake_up_or_pays_for_it() {
    let [mwait, poll, halt, guest] = ["mwait", "poll", "halt", "halted guest"].map(|name| variant("polling-or-halt", name, &[]));
    for watching in [&mwait, &poll] {
        let ipi = &watching.ipi.reschedule;
        assert!(ipi.sent == 0 && ipi.elided_polling == watching.wakeups.remote_direct && ipi.elided_polling > 190, "{ipi:?}");
    }
    for halted in [&halt, &guest] {
        assert_eq!(halted.ipi.reschedule.sent, halted.wakeups.remote_direct, "each wake-up is one IPI");
        assert!(halted.ipi.reschedule.sent > 190);
    }
    let p50 = |metrics: &Metrics| metrics.latency["wanderer"].p50_ns;
    assert!(p50(&mwait) + US < p50(&halt) && (20 * US..100 * US).contains(&p50(&guest)), "{} {} {}", p50(&mwait), p50(&halt), p50(&guest));
    for (elide, spared) in [("resched_and_callfunc", true), ("resched_only", false)] {
        let set = [("machine.topology", json!("2x1")), ("kernel.ipi_polling_elide", json!(elide))];
        let metrics = variant("polling-or-halt", "mwait", &set);
        assert!(metrics.wakeups.remote_direct == 0 && metrics.wakeups.wake_list > 190, "{:?}", metrics.wakeups);
        let sent = metrics.ipi.reschedule.sent + metrics.ipi.call_function.sent;
        assert_eq!(sent, if spared { 0 } else { metrics.wakeups.wake_list }, "{elide}: {:?}", metrics.ipi);
    }
}

#[test]
fn rt_pull_herd_sizes_queues_about_as_many_as_there_are_cpus_and_spins_longer_than_in_proportion() {
    let mut before = 0;
    for cpus in [16, 24, 40, 80_u64] {
        let lock = variant("rt-pull-herd-sizes", &format!("{cpus} CPUs"), &[]).rq_lock;
        assert!(u64::from(lock.max_waiters) * 10 >= cpus * 9, "{cpus} CPUs: {}", lock.max_waiters);
        let each = lock.wait_ns / cpus;
        assert!(each > before, "{cpus} CPUs: {each} ns of spinning a CPU, {before} on the next smaller machine");
        before = each;
    }
    let push = variant("rt-pull-herd-sizes", "80 CPUs, push by IPI", &[]).rq_lock;
    assert!(push.max_waiters <= 2 && push.wait_ns / 80 * 1_000 < before, "{push:?}");
}

#[test]
fn ipi_storm_sends_fewer_ipis_with_each_form_and_the_pull_sends_none_but_queues() {
    let names = ["one IPI each (2015)", "a chain per CPU (4.1)", "one chain (4.15)", "pull"];
    let [each, chains, one, pull] = names.map(|name| variant("ipi-storm", name, &[]));
    let ipi = &each.ipi.reschedule;
    assert!(ipi.delivered < ipi.sent && ipi.coalesced > 0, "many merge: {ipi:?}");
    let (of_chains, _, chains_at_once) = chain(&chains);
    let (of_one, _, one_at_once) = chain(&one);
    assert!(ipi.sent > of_chains && of_chains > of_one && of_one > 0, "{} {of_chains} {of_one}", ipi.sent);
    assert!(chains_at_once > 1 && one_at_once == 1, "{chains_at_once} {one_at_once}");
    // The RT period timer fires with the first RT task and asks each CPU that has one queued to reschedule (commit c3a990dc9fab).
    assert!(chain(&pull).0 == 0 && pull.ipi.reschedule.sent < 40, "{:?}", pull.ipi.reschedule);
    let deepest = [&each, &chains, &one].map(|metrics| metrics.rq_lock.max_waiters);
    assert!(pull.rq_lock.max_waiters > 30 && deepest.iter().all(|waiters| *waiters < 10), "{deepest:?}");
}

#[test]
fn rt_throttling_gives_the_shell_what_each_limit_leaves() {
    let run_ms = |metrics: &Metrics, task: &str| metrics.tasks[task].run_ns / MS;
    let shares = |metrics: &Metrics| ["runaway.0", "shell.0", "batch.0"].map(|task| run_ms(metrics, task));
    for name in ["with sharing", "off"] {
        let [runaway, shell, _] = shares(&variant("rt-throttling", name, &[]));
        assert!(shell == 0 && runaway > 3_950, "{name}: {runaway} {shell}");
    }
    // A throttle comes up to a tick late, which the next second gets back.
    let [runaway, shell, batch] = shares(&variant("rt-throttling", "without sharing", &[]));
    assert!((3_790..=3_810).contains(&runaway) && (60..=100).contains(&shell) && batch > 3_950, "{runaway} {shell} {batch}");
    let half = variant("rt-throttling", "without sharing", &[("kernel.sched_rt_runtime_us", json!(500_000))]);
    assert!((1_990..=2_010).contains(&run_ms(&half, "runaway.0")), "{:?}", shares(&half));
    let server = variant("rt-throttling", "fair server", &[]);
    let [runaway, shell, _] = shares(&server);
    assert!(runaway + shell > 3_950 && (100..=200).contains(&shell), "nothing is idled away: {runaway} {shell}");
    let two = text_of("rt-throttling").replace(
        "\"batch\": { \"policy\": \"SCHED_OTHER\", \"priority\": 0,",
        "\"batch\": { \"policy\": \"SCHED_FIFO\", \"priority\": 50,",
    );
    let sharing = [("kernel.rt_throttle".to_owned(), json!("950_1000_share"))];
    let [first, shell, second] = shares(&play("rt-throttling", &two, &sharing));
    assert!(shell > 0 && first < 3_850 && second < 3_850, "with a runaway on every CPU each throttles: {first} {shell} {second}");
}

#[test]
fn lazy_or_now_makes_fair_tasks_wait_for_a_tick_only_where_it_says() {
    let waits = |metrics: &Metrics, kinds: &[&str]| kinds.iter().map(|kind| max(metrics, kind)).collect::<Vec<_>>();
    let rt = ["rt_remote_user", "rt_remote_kernel", "rt_timer_user", "rt_timer_kernel", "rt_list_user", "rt_list_kernel"];
    let kernel = ["fair_remote_kernel", "fair_timer_kernel", "fair_list_kernel"];
    let all = |waits: &[u64], least: u64, most: u64| waits.iter().all(|wait| (least..=most).contains(wait));
    let full = variant("lazy-or-now", "full", &[]);
    let fair = [&kernel[..], &["fair_remote_user", "fair_timer_user", "fair_list_user"]].concat();
    assert!(all(&waits(&full, &rt), 0, 10 * US) && all(&waits(&full, &fair), 0, 60 * US), "{:?}", waits(&full, &fair));
    assert_eq!(full.ipi.reschedule.sent, full.wakeups.remote_direct, "a remote wake-up costs an IPI");
    for (name, tick_us) in [("lazy, 1000 Hz", 1_000), ("lazy", 4_000), ("lazy, 100 Hz", 10_000)] {
        let lazy = variant("lazy-or-now", name, &[]);
        assert!(all(&waits(&lazy, &rt), 0, 10 * US), "{name}: {:?}", waits(&lazy, &rt));
        let upgraded = waits(&lazy, &[&kernel[..], &["fair_remote_user"]].concat());
        assert!(all(&upgraded, tick_us * US * 9 / 10, (tick_us + 100) * US), "{name}: {upgraded:?}");
        assert!(max(&lazy, "fair_timer_user") < 60 * US && max(&lazy, "fair_list_user") < 10 * US, "{name}: an interrupt's exit");
        let of_rt = lazy.latency["rt_remote_user"].count + lazy.latency["rt_remote_kernel"].count;
        assert_eq!(lazy.ipi.reschedule.sent, of_rt, "{name}: none for fair tasks");
    }
    for name in ["none", "voluntary"] {
        let none = variant("lazy-or-now", name, &[]);
        let over_kernel = waits(&none, &[&kernel[..], &["rt_remote_kernel", "rt_timer_kernel", "rt_list_kernel"]].concat());
        assert!(all(&over_kernel, 4_500 * US, 5_100 * US), "{name}: {over_kernel:?}");
        let over_user = waits(&none, &["fair_remote_user", "fair_timer_user", "fair_list_user", "rt_remote_user", "rt_timer_user"]);
        assert!(all(&over_user, 0, 60 * US), "{name}: {over_user:?}");
    }
}

#[test]
fn pipe_across_models_costs_the_same_in_all_but_rt_and_there_too_once_its_switch_is_stated() {
    let names = ["none", "full", "voluntary", "lazy", "the series, none", "the series, full"];
    let elapsed = |name: &str, more: &[(&str, Value)]| variant("pipe-across-models", name, more).tool_samples["pipe.elapsed"].max_ns;
    // On one CPU the models differ in who goes first, and so in how often the CPU switches.
    for (cpus, parts) in [("two", 100), ("one", 20)] {
        let times = names.map(|name| elapsed(name, &[("workload.pipe.cpus", json!(cpus))]));
        let (least, most) = (times.iter().min().unwrap(), times.iter().max().unwrap());
        assert!((most - least) * parts < *least, "{cpus}: {times:?}");
    }
    let none = elapsed("none", &[]);
    let rt = |more: &[(&str, Value)]| elapsed("none", &[&[("kernel.preempt", json!("rt"))], more].concat());
    let dearer = rt(&[]) * 1_000 / none;
    assert!((1_110..=1_140).contains(&dearer), "an eighth more: {dearer} per mille");
    assert!(rt(&[("kernel.ttwu_queue", json!("cross_llc_or_idle"))]).abs_diff(none) * 100 < none);
}
