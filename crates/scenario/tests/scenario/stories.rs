//! How the variants of the scenarios of real-time balancing, IPIs and preemption models compare.
//! Their figures are claims (`scenarios/<slug>/claims.json`).

use schedscope_engine::account::report::Metrics;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_scenario::prepare;
use serde_json::{Value, json};

const US: u64 = 1_000;
const MS: u64 = 1_000_000;

fn text_of(slug: &str) -> String {
    std::fs::read_to_string(format!(
        "{}/../../scenarios/{slug}/scenario.json",
        env!("CARGO_MANIFEST_DIR")
    ))
    .unwrap()
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
    let chosen = variants.iter().find(|variant| variant["name"] == name).unwrap()["set"]
        .as_object()
        .unwrap();
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
    metrics
        .ipi
        .rto_push
        .as_ref()
        .map_or((0, 0, 0), |push| (push.sent, push.self_sent, push.max_in_flight))
}

#[test]
fn self_ipi_loop_needs_the_chain_a_cpu_that_cannot_schedule_and_a_kernel_before_the_fix_of_2026() {
    let before = variant("self-ipi-loop", "as in 4.16 to 2025", &[("duration", json!("80ms"))]);
    assert!(chain(&before).1 > 0);
    let fixed = chain(&variant("self-ipi-loop", "no self IPI (2026)", &[]));
    assert!(fixed.1 == 0 && fixed.0 > 0, "the chain still starts with each lowering: {fixed:?}");
    assert_eq!(chain(&variant("self-ipi-loop", "RT_PUSH_IPI off", &[])).0, 0);
    let full = variant("self-ipi-loop", "as in 4.16 to 2025", &[("kernel.preempt", json!("full"))]);
    // It may find both just before it switches, and ask itself once; then it schedules.
    assert!(
        chain(&full).1 < 5 && max(&full, "second") * 100 < max(&before, "second"),
        "{:?} {}",
        chain(&full),
        max(&full, "second")
    );
}

#[test]
fn polling_or_halt_spares_the_interrupt_of_each_wake_up_or_pays_for_it() {
    let [mwait, poll, halt, guest] =
        ["mwait", "poll", "halt", "halted guest"].map(|name| variant("polling-or-halt", name, &[]));
    for watching in [&mwait, &poll] {
        let ipi = &watching.ipi.reschedule;
        assert!(
            ipi.sent == 0
                && ipi.elided_polling == watching.wakeups.remote_direct
                && ipi.elided_polling > 190,
            "{ipi:?}"
        );
    }
    for halted in [&halt, &guest] {
        assert_eq!(
            halted.ipi.reschedule.sent, halted.wakeups.remote_direct,
            "each wake-up is one IPI"
        );
        assert!(halted.ipi.reschedule.sent > 190);
    }
    let p50 = |metrics: &Metrics| metrics.latency["wanderer"].p50_ns;
    assert!(
        p50(&mwait) + US < p50(&halt) && (20 * US..100 * US).contains(&p50(&guest)),
        "{} {} {}",
        p50(&mwait),
        p50(&halt),
        p50(&guest)
    );
    for (elide, spared) in [("resched_and_callfunc", true), ("resched_only", false)] {
        let set = [("machine.topology", json!("2x1")), ("kernel.ipi_polling_elide", json!(elide))];
        let metrics = variant("polling-or-halt", "mwait", &set);
        assert!(
            metrics.wakeups.remote_direct == 0 && metrics.wakeups.wake_list > 190,
            "{:?}",
            metrics.wakeups
        );
        let sent = metrics.ipi.reschedule.sent + metrics.ipi.call_function.sent;
        assert_eq!(
            sent,
            if spared { 0 } else { metrics.wakeups.wake_list },
            "{elide}: {:?}",
            metrics.ipi
        );
    }
}

#[test]
fn rt_pull_herd_sizes_makes_each_cpu_spin_longer_the_more_cpus_there_are() {
    let mut before = 0;
    for cpus in [16, 24, 40, 80_u64] {
        let lock = variant("rt-pull-herd-sizes", &format!("{cpus} CPUs"), &[]).rq_lock;
        let each = lock.wait_ns / cpus;
        assert!(
            each > before,
            "{cpus} CPUs: {each} ns of spinning a CPU, {before} on the next smaller machine"
        );
        before = each;
    }
}

#[test]
fn ipi_storm_sends_fewer_ipis_with_each_form_and_the_pull_sends_none_but_queues() {
    let names = ["one IPI each (2015)", "a chain per CPU (4.1)", "one chain (4.15)", "pull"];
    let [each, chains, one, pull] = names.map(|name| variant("ipi-storm", name, &[]));
    let ipi = &each.ipi.reschedule;
    assert!(ipi.delivered < ipi.sent && ipi.coalesced > 0, "many merge: {ipi:?}");
    let (of_chains, of_one) = (chain(&chains).0, chain(&one).0);
    assert!(
        ipi.sent > of_chains && of_chains > of_one && of_one > 0,
        "{} {of_chains} {of_one}",
        ipi.sent
    );
    assert_eq!(chain(&pull).0, 0);
    let deepest = [&each, &chains, &one].map(|metrics| metrics.rq_lock.max_waiters);
    assert!(deepest.iter().all(|waiters| *waiters < pull.rq_lock.max_waiters), "{deepest:?}");
}

#[test]
fn rt_throttling_has_nothing_to_lend_once_a_runaway_is_on_every_cpu() {
    let two = text_of("rt-throttling").replace(
        "\"batch\": { \"policy\": \"SCHED_OTHER\", \"priority\": 0,",
        "\"batch\": { \"policy\": \"SCHED_FIFO\", \"priority\": 50,",
    );
    let metrics =
        play("rt-throttling", &two, &[("kernel.rt_throttle".to_owned(), json!("950_1000_share"))]);
    let [first, shell, second] =
        ["runaway.0", "shell.0", "batch.0"].map(|task| metrics.tasks[task].run_ns / MS);
    assert!(
        shell > 0 && first < 3_850 && second < 3_850,
        "each throttles: {first} {shell} {second}"
    );
}

#[test]
fn lazy_or_now_makes_fair_tasks_wait_for_a_tick_only_where_it_says() {
    let waits = |metrics: &Metrics, kinds: &[&str]| {
        kinds.iter().map(|kind| max(metrics, kind)).collect::<Vec<_>>()
    };
    let rt = [
        "rt_remote_user",
        "rt_remote_kernel",
        "rt_timer_user",
        "rt_timer_kernel",
        "rt_list_user",
        "rt_list_kernel",
    ];
    let kernel = ["fair_remote_kernel", "fair_timer_kernel", "fair_list_kernel"];
    let all = |waits: &[u64], least: u64, most: u64| {
        waits.iter().all(|wait| (least..=most).contains(wait))
    };
    let full = variant("lazy-or-now", "full", &[]);
    let fair = [&kernel[..], &["fair_remote_user", "fair_timer_user", "fair_list_user"]].concat();
    assert!(
        all(&waits(&full, &rt), 0, 10 * US) && all(&waits(&full, &fair), 0, 60 * US),
        "{:?}",
        waits(&full, &fair)
    );
    assert_eq!(
        full.ipi.reschedule.sent, full.wakeups.remote_direct,
        "a remote wake-up costs an IPI"
    );
    for (name, tick_us) in [("lazy, 1000 Hz", 1_000), ("lazy", 4_000), ("lazy, 100 Hz", 10_000)] {
        let lazy = variant("lazy-or-now", name, &[]);
        assert!(all(&waits(&lazy, &rt), 0, 10 * US), "{name}: {:?}", waits(&lazy, &rt));
        let upgraded = waits(&lazy, &[&kernel[..], &["fair_remote_user"]].concat());
        assert!(
            all(&upgraded, tick_us * US * 9 / 10, (tick_us + 100) * US),
            "{name}: {upgraded:?}"
        );
        assert!(
            max(&lazy, "fair_timer_user") < 60 * US && max(&lazy, "fair_list_user") < 10 * US,
            "{name}: an interrupt's exit"
        );
        let of_rt = lazy.latency["rt_remote_user"].count + lazy.latency["rt_remote_kernel"].count;
        assert_eq!(lazy.ipi.reschedule.sent, of_rt, "{name}: none for fair tasks");
    }
    for name in ["none", "voluntary"] {
        let none = variant("lazy-or-now", name, &[]);
        let over_kernel = waits(
            &none,
            &[&kernel[..], &["rt_remote_kernel", "rt_timer_kernel", "rt_list_kernel"]].concat(),
        );
        assert!(all(&over_kernel, 4_500 * US, 5_100 * US), "{name}: {over_kernel:?}");
        let over_user = waits(
            &none,
            &[
                "fair_remote_user",
                "fair_timer_user",
                "fair_list_user",
                "rt_remote_user",
                "rt_timer_user",
            ],
        );
        assert!(all(&over_user, 0, 60 * US), "{name}: {over_user:?}");
    }
}

#[test]
fn pipe_across_models_costs_the_same_under_rt_too_once_its_switch_is_stated() {
    let elapsed = |more: &[(&str, Value)]| {
        variant("pipe-across-models", "none", more).tool_samples["pipe.elapsed"].max_ns
    };
    let rt = elapsed(&[
        ("kernel.preempt", json!("rt")),
        ("kernel.ttwu_queue", json!("cross_llc_or_idle")),
    ]);
    let none = elapsed(&[]);
    assert!(rt.abs_diff(none) * 100 < none, "{rt} {none}");
}
