//! What the shipped scenarios of quotas, slices and load balancing claim in their READMEs, over phases and seeds; docs/known-gaps.md has the rest.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod support;

use schedscope_engine::account::report::Metrics;
use schedscope_engine::run::Report;
use serde_json::{Value, json};
use support::{group, over_seeds, range, reports, run, within};

const US: u64 = 1_000;
const MS: u64 = 1_000_000;

fn cycle(report: &Report) -> u64 {
    report.metrics.tool_samples["gc_main.cycle"].max_ns
}

// ---- the average, burst -------------------------------------------------------------------------------------------

#[test]
fn a_group_that_uses_an_eighth_is_throttled_in_half_of_its_periods_and_answers_three_times_as_late() {
    // Spec J.4: 135 to 210 ms. The last of four threads decides: a slice of 5 ms and the ticks of four CPUs more or less.
    let limited = over_seeds("quota-average-lies", 64, &[], cycle);
    within(limited, 130 * MS, 216 * MS, "under a limit of one CPU");
    assert!(limited[2] - limited[0] > 60 * MS, "the phase decides: {limited:?}");
    let fine = over_seeds("quota-average-lies", 64, &[("kernel.cfs_bandwidth_slice_us", json!(500))], cycle);
    within(fine, 134 * MS, 212 * MS, "with slices of 0.5 ms");
    for free in ["max", "250000 100000"] {
        within(over_seeds("quota-average-lies", 16, &[("cgroups.app.cpu_max", json!(free))], cycle), 60 * MS, 61 * MS, free);
    }
    let average = |report: &Report| group(report).usage_ns * 1_000 / 4_000 / MS;
    within(over_seeds("quota-average-lies", 16, &[], average), 118, 122, "thousandths of a CPU over the two cycles of 2 s");
    // Of two cycles; two idle periods come before the first.
    let counted = |report: &Report| (group(report).nr_periods - 2, group(report).nr_throttled);
    let seeds: Vec<(u64, u64)> = reports("quota-average-lies", 64, &[]).iter().map(counted).collect();
    let of = |wanted: (u64, u64)| seeds.iter().filter(|counts| **counts == wanted).count();
    assert_eq!((of((8, 4)), of((8, 2)), of((10, 4))), (53, 7, 4), "two of four, one of four, two of five: {seeds:?}");
    let phase = |us: u64| counted(&run("quota-average-lies", &[("cgroups.app.period_phase", json!(format!("{us}us")))]));
    for ms in [0, 1, 26, 30, 40, 50, 60, 70, 80, 90, 99] {
        assert_eq!(phase(ms * 1_000 + 123), (8, 4), "phase {ms} ms: two of four, in either cycle");
    }
    for ms in [8, 12, 16, 20, 23] {
        assert_eq!(phase(ms * 1_000 + 123), (8, 2), "phase {ms} ms: the refill spares it a stop");
    }
    for ms in [4, 5, 6] {
        assert_eq!(phase(ms * 1_000 + 123), (10, 4), "phase {ms} ms: one period more");
    }
}

#[test]
fn a_credit_of_100_ms_takes_a_refill_off_the_burst_and_the_neighbours_pay_nothing_for_it() {
    let burst = |us: u64| reports("quota-burst", 64, &[("cgroups.app.cpu_max_burst", json!(us))]);
    let (without, with) = (burst(0), burst(100_000));
    let cycles = [&without, &with].map(|reports| range(reports, cycle));
    within(cycles[0], 136 * MS, 216 * MS, "no burst");
    within(cycles[1], 66 * MS, 115 * MS, "100 ms of burst");
    assert!(cycles[1][1] + 80 * MS < cycles[0][1], "{cycles:?}");
    let waited = |report: &Report| {
        let neighbours = report.metrics.tasks.iter().filter(|(name, _)| name.starts_with("cyclictest"));
        neighbours.map(|(_, task)| task.ready_ns).sum()
    };
    within(range(&without, waited), 14 * MS, 125 * MS, "the neighbours, of 4.8 s of work");
    within(range(&with, waited), 14 * MS, 90 * MS, "the neighbours");
    assert!(range(&with, waited)[1] <= range(&without, waited)[1] + 5 * MS, "none of them pays");
    let used = |report: &Report| group(report).usage_ns;
    assert!(range(&without, used)[1].abs_diff(range(&with, used)[1]) < MS, "no more CPU time in the long run");
    assert!(range(&with, |report| group(report).nr_bursts)[0] > 0 && range(&without, |report| group(report).nr_bursts)[2] == 0);
}

// ---- boundaries ---------------------------------------------------------------------------------------------------

#[test]
fn one_cpu_of_quota_on_one_cpu_is_missed_now_and_then_and_a_tick_more_never() {
    let throttled = |quota: &str, hz: u64, seeds: u64| {
        let set = [("cgroups.app.cpu_max", json!(quota)), ("kernel.hz", json!(hz))];
        range(&reports("quota-pinned", seeds, &set), |report| group(report).nr_throttled)
    };
    let exact = throttled("100000 100000", 250, 64);
    assert!((2..=4).contains(&exact[1]) && exact[2] <= 8, "in some of 100 periods: {exact:?}");
    within(throttled("101000 100000", 250, 64), 0, 4, "rarely");
    within(throttled("104000 100000", 250, 32), 0, 0, "a tick of 4 ms more");
    within(throttled("101000 100000", 1000, 32), 0, 0, "a tick of 1 ms more");
    let lost = |quota: &str| {
        over_seeds("quota-pinned", 6, &[("cgroups.app.cpu_max", json!(quota))], |report| {
            report.metrics.tasks.values().map(|task| task.run_ns).sum()
        })
    };
    let (limited, free) = (lost("100000 100000"), lost("max"));
    assert!(limited.iter().zip(free).all(|(limited, free)| limited.abs_diff(free) * 1_000 < 2 * free), "{limited:?} {free:?}");
    let busy = over_seeds("quota-pinned", 6, &[], |report| group(report).usage_ns / MS / 10);
    within(busy, 850, 990, "thousandths of the CPU in use");
}

#[test]
fn a_quota_of_50_ms_lets_80_run_within_20_across_a_boundary() {
    for tick in ["0us", "300us", "700us"] {
        let at = |us: u64| {
            let phase = json!(format!("{us}us"));
            run("quota-boundary", &[("cgroups.batch.period_phase", phase), ("kernel.tick_phase", json!(tick))])
        };
        for us in (0..64).map(|step| 9_000 + 31 * step) {
            let report = at(us);
            assert!(cycle(&report) < 20 * MS + 100 * US, "refilled after {us} us: {}", cycle(&report));
            assert!(group(&report).max_period_usage_ns < 50 * MS && group(&report).nr_throttled == 0, "no period is overdrawn");
            assert!(group(&report).usage_ns > 3 * 80 * MS, "80 ms a cycle");
        }
        for us in [1, 500, 95_000, 99_000, 99_999] {
            assert!((100 * MS..112 * MS).contains(&cycle(&at(us))), "refilled before it starts, {us} us: {}", cycle(&at(us)));
        }
    }
}

// ---- web ----------------------------------------------------------------------------------------------------------

#[test]
fn answers_come_ten_times_as_late_once_expiry_works_while_half_of_the_quota_is_used() {
    // Seeds of which known_gaps.rs has the ones that miss the ruling.
    let of = |era: &str| reports("quota-web-p95", 24, &[("kernel.bandwidth", json!(era))]);
    let p95 = |report: &Report| report.metrics.tool_samples["web_front.request"].p95_ns / 100 / US;
    let p50 = |report: &Report| report.metrics.tool_samples["web_front.request"].p50_ns / 100 / US;
    let (broken, repaired, none) = (of("4.15"), of("4.19"), of("5.4"));
    let before = range(&broken, p95);
    within(before, 145, 460, "expiry that does not work, tenths of a ms");
    assert!(before[1] < 160, "{before:?}");
    // Spec G 13: 150 to 250 ms; which requests it had nobody knows, and not every seed is within.
    let after = range(&repaired, p95);
    within(after, 690, 2_590, "expiry that works");
    assert!((1_500..=2_500).contains(&after[1]), "the median of the seeds is within the ruling: {after:?}");
    assert!(after[1] > 9 * before[1], "ten times as late: {before:?} {after:?}");
    within(range(&none, p95), 144, 210, "none");
    within(range(&broken, p50), 133, 137, "the median request");
    assert!((137..=150).contains(&range(&repaired, p50)[1]), "hardly moves");
    within(range(&repaired, |report| group(report).usage_ns * 100 / group(report).entitled_ns), 43, 52, "per cent of the quota in use");
    within(range(&repaired, |report| group(report).nr_throttled), 70, 130, "and throttled in half of 200 periods");
}

// ---- slices -------------------------------------------------------------------------------------------------------

#[test]
fn a_shorter_slice_is_served_sooner_gets_no_more_and_means_nothing_to_cfs() {
    for phase in (0..64).step_by(3).map(|step| format!("{}ns", step * 15_625)) {
        let of = |fair: &str, slice: &str| {
            let set = [("kernel.fair", json!(fair)), ("kernel.base_slice", json!(slice)), ("kernel.tick_phase", json!(&phase))];
            run("eevdf-slices", &set).metrics
        };
        let (eevdf, long, cfs) = (of("eevdf", "750us"), of("eevdf", "3ms"), of("cfs", "750us"));
        let within = |name: &str, metrics: &Metrics, p90: (u64, u64), most: (u64, u64)| {
            let (at_90, at_most) = (metrics.latency[name].p90_ns / 10 / US, metrics.latency[name].max_ns / 10 / US);
            println!("tick phase {phase}: {name} {at_90} and {at_most} hundredths of a ms");
            assert!((p90.0..=p90.1).contains(&at_90) && (most.0..=most.1).contains(&at_most), "{name}, {phase}: {at_90} {at_most}");
        };
        within("short", &eevdf, (5, 6), (100, 390));
        within("usual", &eevdf, (880, 940), (1_100, 1_340));
        within("short", &long, (5, 6), (90, 630));
        within("usual", &long, (1_900, 3_300), (4_400, 4_600));
        within("short", &cfs, (5, 6), (480, 1_510));
        let ran = |name: &str| eevdf.tasks[name].run_ns;
        assert!(ran("short.0").abs_diff(ran("usual.0")) * 200 < ran("usual.0"), "the same CPU time: {} {}", ran("short.0"), ran("usual.0"));
        assert_eq!(cfs.latency["short"].max_ns, cfs.latency["usual"].max_ns, "both are alike");
    }
}

// ---- beside an idle CPU -------------------------------------------------------------------------------------------

#[test]
fn load_balancing_ends_most_waiting_beside_an_idle_cpu_of_another_cache_and_is_paid_in_run_queue_locks() {
    let mut least = u64::MAX;
    for phase in (0..64).step_by(2).map(|step| format!("{}ns", step * 62_500)) {
        let of = |balance: bool, topology: &str| {
            let set =
                [("kernel.load_balance", json!(balance)), ("kernel.tick_phase", json!(&phase)), ("machine.topology", json!(topology))];
            run("beside-idle", &set).metrics
        };
        let sides = [of(false, "2x4"), of(true, "2x4"), of(false, "1x8")];
        let avoidable = sides.each_ref().map(|metrics| metrics.latency["request"].avoidable_ns / US);
        let p99 = sides.each_ref().map(|metrics| metrics.latency["request"].p99_ns / US);
        let locks = sides.each_ref().map(|metrics| metrics.rq_lock.acquisitions);
        println!("tick phase {phase}: avoidable {avoidable:?} us, p99 {p99:?} us, run-queue locks {locks:?}");
        let held = |range: std::ops::RangeInclusive<u64>, figure: u64| assert!(range.contains(&figure), "{figure} in {range:?}, {phase}");
        held(1_960_000..=2_060_000, avoidable[0]);
        held(10_000..=120_000, avoidable[1]);
        // Where one cache holds all CPUs a wake-up finds the idle ones, but nobody moves what has been queued.
        held(200_000..=405_000, avoidable[2]);
        held(3_800..=4_000, p99[0]);
        held(2_500..=2_800, p99[1]);
        held(3_050..=3_100, p99[2]);
        held(1_280..=1_330, locks[1] * 1_000 / locks[0]);
        least = least.min(avoidable[1]);
    }
    assert!(least < 20_000, "it is as little as 0.01 s at some: {least}");
}

// ---- trees, threads, locks --------------------------------------------------------------------------------

#[test]
fn whichever_of_parent_and_children_has_less_stops_them_and_only_its_own_counter_says_so() {
    for bandwidth in ["6.1", "6.18"] {
        let of = |cpu_max: &str, figure: &dyn Fn(&Report) -> u64| {
            over_seeds("quota-tree", 64, &[("kernel.bandwidth", json!(bandwidth)), ("cgroups.shop.cpu_max", json!(cpu_max))], figure)
        };
        let used = |path: &'static str| move |report: &Report| report.metrics.groups[path].usage_ns / MS;
        let throttled = |path: &'static str| move |report: &Report| report.metrics.groups[path].nr_throttled;
        within(of("60000 100000", &used("shop")), 600, 670, "60 ms in each of ten periods or eleven");
        within(of("60000 100000", &throttled("shop")), 9, 10, "stopped above");
        for path in ["shop/web", "shop/batch"] {
            within(of("60000 100000", &used(path)), 280, 370, "half of it each");
            within(of("60000 100000", &throttled(path)), 0, 3, "and hardly stopped below");
            within(of("100000 100000", &used(path)), 400, 445, "40 ms in each");
            within(of("100000 100000", &throttled(path)), 9, 10, "stopped below");
        }
        within(of("100000 100000", &throttled("shop")), 0, 4, "and hardly above");
    }
}

#[test]
fn threads_of_a_group_run_for_whole_slices_and_shorter_ones_even_them_out() {
    let of = |slice: u64, figure: fn(&Report) -> u64| {
        over_seeds("quota-32-threads", 64, &[("kernel.cfs_bandwidth_slice_us", json!(slice))], figure)
    };
    let ran = |report: &Report| report.metrics.tasks.values().map(|task| task.run_ns / MS).collect::<Vec<u64>>();
    let (coarse, fine) = (5_000, 500);
    for slice in [coarse, fine] {
        within(of(slice, |report| group(report).throttled_ns / 100 / MS), 250, 280, "throttled, tenths of a CPU's time");
    }
    // 400 ms and 32 ticks at most in a period; what silos hold at a first refill comes on top.
    let most = |report: &Report| group(report).max_period_usage_ns / MS;
    let periods = reports("quota-32-threads", 64, &[]);
    within(range(&periods, most), 400, 560, "in one period");
    assert_eq!(periods.iter().filter(|report| most(report) > 432).count(), 9, "seeds whose first refill comes early");
    for us in [16_000, 20_000, 40_000, 60_000, 80_000, 99_999] {
        let report = run("quota-32-threads", &[("cgroups.app.period_phase", json!(format!("{us}us")))]);
        assert!((400..=432).contains(&most(&report)), "first refill after {us} us: {}", most(&report));
    }
    within(of(fine, |report| group(report).max_period_usage_ns / MS), 400, 433, "with slices of 0.5 ms, in one period");
    let spread = |report: &Report| report.metrics.tasks.values().map(|task| task.run_ns).max().unwrap() / MS;
    assert!(of(coarse, spread)[1] > 150 && of(fine, spread)[2] < 150, "the luckiest thread, ms");
    let all = ran(&run("quota-32-threads", &[]));
    assert!(all.iter().all(|ms| (100..=180).contains(ms)), "10 to 15 ms and a tick a period: {all:?}");
    let locks = |report: &Report| group(report).lock_acquisitions;
    assert!(of(fine, locks)[0] > 2 * of(coarse, locks)[2], "the lock is taken more than twice as often");
}

/// Commit e1fad12dcb66 (6.18): a task that holds a lock of the kernel goes on until it is about to return to user mode.
#[test]
fn a_waiter_for_a_kernel_lock_waits_for_its_holders_refill_until_6_18() {
    let of = |bandwidth: &str, preempt: &str, cpu_max: &str, tick: &str, seeds: u64, figure: fn(&Report) -> u64| {
        let set = [
            ("kernel.bandwidth", json!(bandwidth)),
            ("kernel.preempt", json!(preempt)),
            ("cgroups.batch.cpu_max", json!(cpu_max)),
            ("kernel.tick_phase", json!(tick)),
        ];
        over_seeds("quota-kernel-lock", seeds, &set, figure)
    };
    const TENTH: &str = "10000 100000";
    let waited = |report: &Report| report.metrics.tool_samples["waiter.lock"].max_ns / 100 / US;
    let rounds = |report: &Report| report.metrics.tool_samples["waiter.lock"].count;
    for tick in ["0us", "250us", "500us", "750us"] {
        for (bandwidth, wait, round) in [("6.13", (904, 919), (81, 345)), ("6.18", (9, 25), (630, 640))] {
            let found = reports("quota-kernel-lock", 64, &[("kernel.bandwidth", json!(bandwidth)), ("kernel.tick_phase", json!(tick))]);
            within(range(&found, waited), wait.0, wait.1, "its queue stops, or it stops outside; in tenths of a ms");
            within(range(&found, rounds), round.0, round.1, "rounds of the waiter");
        }
    }
    for (preempt, most) in [("none", 26), ("voluntary", 26), ("lazy", 1_000), ("rt", 1_000)] {
        let [least, _, last] = of("6.13", preempt, TENTH, "0us", 8, waited);
        assert!(last < most && (most < 100 || least > 900), "{preempt}: {least} to {last}");
    }
    within(of("6.13", "full", "max", "0us", 4, waited), 9, 10, "nobody is limited");
    within(of("6.13", "full", "max", "0us", 4, rounds), 499, 501, "rounds of the waiter");
    for seed in 1..=16 {
        let [before, after] = ["6.13", "6.18"].map(|bandwidth| {
            let set = [("kernel.bandwidth", json!(bandwidth)), ("seed", json!(seed))];
            group(&run("quota-kernel-lock", &set))
        });
        assert!(after.max_period_usage_ns >= before.max_period_usage_ns, "what it does in the kernel is charged: {after:?}");
        assert!(after.usage_ns.abs_diff(before.usage_ns) < 5 * MS, "and paid for: {before:?} {after:?}");
    }
}

/// Commit 8ad075c2eb1f (6.3), and what periods that begin together do to it.
#[test]
fn sixteen_groups_let_go_in_one_interrupt_cost_a_millisecond_half_of_it_from_6_3_on_and_a_thirteenth_apart() {
    let apart: Vec<(String, Value)> =
        (1..16).map(|pod| (format!("cgroups.pod{pod:02}.period_phase"), json!(format!("{}us", 50_300 + 3_000 * pod)))).collect();
    let apart: Vec<(&str, Value)> = apart.iter().map(|(path, value)| (path.as_str(), value.clone())).collect();
    let of = |more: &[(&str, Value)], bandwidth: &str, tick: &str, seeds: u64, figure: fn(&Report) -> u64| {
        let set = [&[("kernel.bandwidth", json!(bandwidth)), ("kernel.tick_phase", json!(tick))], more].concat();
        over_seeds("quota-unthrottle-storm", seeds, &set, figure)
    };
    let irq_off = |report: &Report| report.metrics.rq_lock.irq_off_max_ns / US;
    for tick in ["0us", "250us", "500us", "750us"] {
        within(of(&[], "6.1", tick, 3, irq_off), 1_150, 1_169, "one CPU for all");
        within(of(&[], "6.3", tick, 3, irq_off), 580, 600, "each CPU its own");
    }
    within(of(&apart, "6.1", "0us", 6, irq_off), 90, 93, "one group at a time");
    let measured = |report: &Report| report.metrics.latency["cyclictest"].max_ns / US;
    let [least, middle, most] = of(&[], "6.1", "0us", 12, measured);
    assert!(middle > 1_070 && most < 1_160 && least < 3, "as late as the interrupt is long, or never asked: {least}, {middle}, {most}");
    let sent = |bandwidth| of(&[], bandwidth, "0us", 3, |report| report.metrics.ipi.call_function.sent);
    assert!(sent("6.3")[0] > 10 * sent("6.1")[2], "it is paid in IPIs");
}
