//! What the shipped scenarios of quotas show beyond their figures, which are claims
//! (`scenarios/*/claims.json`): which phases do what.

use schedscope_engine::run::Report;
use serde_json::json;

use crate::support::{group, over_seeds, reports, run};

const MS: u64 = 1_000_000;

#[test]
fn a_refill_early_in_the_work_spares_it_a_stop_and_a_still_earlier_one_adds_a_period() {
    // The counts of two cycles; two idle periods come before the first.
    let counted = |report: &Report| (group(report).nr_periods - 2, group(report).nr_throttled);
    let phase = |us: u64| {
        let set =
            [("cgroups.app.period_phase", json!(format!("{us}us"))), ("duration", json!("6s"))];
        counted(&run("quota-average-lies", &set))
    };
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
fn the_run_of_the_lying_average_shows_the_figures_of_its_question() {
    let report = run("quota-average-lies", &[]);
    let app = group(&report);
    let percent = |part: u64, whole: u64| (part * 200 / whole).div_ceil(2);
    assert_eq!(
        percent(app.usage_ns, report.simulated_ns),
        12,
        "the title's 12 % is what this run used: {} ns",
        app.usage_ns
    );
    // Two of four in every burst; two idle periods come before the first.
    assert_eq!((app.nr_periods - 2) % 4, 0);
    assert_eq!(app.nr_throttled * 2, app.nr_periods - 2);
}

#[test]
fn the_seed_of_quota_pinned_lies_in_the_middle_of_what_seeds_give() {
    let shown = group(&run("quota-pinned", &[]));
    let seeds = reports("quota-pinned", 64, &[]);
    let near = |shown: u64, figure: &dyn Fn(&Report) -> u64, what: &str| {
        let below = seeds.iter().filter(|report| figure(report) < shown).count();
        let above = seeds.iter().filter(|report| figure(report) > shown).count();
        assert!(
            below <= 48 && above <= 48,
            "{what} {shown}: {below} of 64 seeds are below, {above} above"
        );
    };
    near(shown.nr_throttled, &|report| group(report).nr_throttled, "throttled periods");
    near(shown.throttled_ns, &|report| group(report).throttled_ns, "ns throttled");
    assert!(shown.nr_throttled > 1);
}

#[test]
fn threads_of_a_group_run_for_whole_slices_and_shorter_ones_even_them_out() {
    let most = |slice: u64| {
        let spread = |report: &Report| {
            report.metrics.tasks.values().map(|task| task.run_ns).max().unwrap() / MS
        };
        over_seeds(
            "quota-32-threads",
            16,
            &[("kernel.cfs_bandwidth_slice_us", json!(slice))],
            spread,
        )
    };
    let (whole, short) = (most(5_000), most(500));
    assert!(whole[0] > short[2], "the luckiest thread: {whole:?}, {short:?} ms");
    let ran = run("quota-32-threads", &[])
        .metrics
        .tasks
        .values()
        .map(|task| task.run_ns / MS)
        .collect::<Vec<u64>>();
    assert!(
        ran.iter().all(|ms| (100..=180).contains(ms)),
        "10 to 15 ms and a tick a period: {ran:?}"
    );
}
